"""The tests of any core with the AEAD interface, against the description that its cycle formula names."""

from __future__ import annotations

import os
from itertools import islice
from typing import Any

import cocotb

from roundworks import spec
from roundworks.hardware.benches.aead_bench import (
    CORE,
    DEPTH,
    FORMULA,
    MODEL,
    RATE,
    AeadBench,
    Message,
    check,
    forgeries,
)
from roundworks.hardware.benches.common import BRIEF, parameters, random_stall, report

# The long form runs what a release needs, the short form what a change needs.
FULL = bool(os.environ.get("ROUNDWORKS_FULL"))
# Icarus passes on every change at once, and its changes multiply from round to round in a cycle: what
# was generated runs here around the boundaries, with more than two rounds only messages that follow one another.
ICARUS = bool(CORE.description) and cocotb.SIM_NAME.startswith("Icarus")
UNROLLED = ICARUS and int(parameters().get("Rounds", 1)) > 2
# A message of a slow core costs as many clocks as hundred of a fast one, and a slow simulator as much time.
SLOW = FORMULA.update >= 20 or ICARUS
# A reading of a cipher has a description, and no vectors of its own.
PUBLISHED = any(facts.name == FORMULA.cipher for facts in spec.ciphers())
OTHER_FORM = bool(CORE.description) and (DEPTH is not None or int(parameters().get("Rounds", 1)) > 1)
# Around every boundary of a block.
EDGES = sorted({max(0, n + d) for n in (0, RATE, 2 * RATE, 3 * RATE) for d in (-1, 0, 1)})


@cocotb.test(skip=not PUBLISHED)
async def vectors(dut: Any) -> None:
    """The published ones, valid and not; a slow core in the short form takes one in sixteen."""
    bench = await AeadBench.begin(dut, "vectors")
    every = 1 if FULL or not SLOW else 16
    sizes = (MODEL.key_bytes, MODEL.nonce_bytes, MODEL.tag_bytes)
    known = [
        v
        for v in spec.aead_vectors(FORMULA.cipher)
        if (len(v.key), len(v.nonce), len(v.tag)) == sizes and (DEPTH is None or len(v.ct) <= RATE * DEPTH)
    ][::every]
    assert known
    by_message = {}
    for v in known:
        m = Message(v.key, v.nonce, v.ad, v.ct, v.tag, True)
        by_message[m] = v
        if v.valid:
            m = Message(v.key, v.nonce, v.ad, v.pt)
            by_message[m] = v
    for m, response in await bench.serve(by_message, ahead=2):
        v = by_message[m]
        assert response.ok == v.valid, f"{v.id}: ok is {response.ok}"
        if v.valid:
            assert response.data == (v.pt if m.decrypt else v.ct), v.id
            assert response.tag == (bytes(len(v.tag)) if m.decrypt else v.tag), v.id
    report(kind="vectors", count=len(known))


@cocotb.test(skip=UNROLLED)
async def lengths(dut: Any) -> None:
    """All lengths of message from 0 to 200, and of associated data; clocks as the formula says."""
    bench = await AeadBench.begin(dut, "lengths")
    pairs = [(7 * n % 41, n) for n in range(201)]
    if ICARUS and not FULL:  # every one of both parts once
        pairs = list(zip(EDGES, EDGES[3:] + EDGES[:3], strict=True))
    elif SLOW and not FULL:
        pairs = [(ad, n) for ad, n in pairs if n in EDGES] + [(ad, RATE) for ad in EDGES]
    else:
        pairs += [(n, 5 * n % 37) for n in range(201)]
        # The description takes longest of all for this; other forms of a generated core count alike.
        if not OTHER_FORM:
            pairs.append((9000, 20_000))
    if FULL:
        pairs += [(ad, n) for ad in EDGES for n in EDGES]
    for number, (ad, n) in enumerate(pairs):
        m = bench.message(ad, n, decrypt=bool(number & 1))
        response, clocks = await bench.one(m)
        check(m, response, cocotb.RANDOM_SEED)
        want = FORMULA.cycles(ad, n, m.decrypt)
        if m.decrypt and DEPTH is not None:  # what the buffer does not hold is not written over
            want -= max(0, -(-n // RATE) - DEPTH)
        assert clocks == want, f"ad {ad} message {n}: want {want} clocks, got {clocks}"
    report(kind="lengths", count=len(pairs))


@cocotb.test(skip=UNROLLED)
async def published(dut: Any) -> None:
    """The lengths at which papers quote cycles; the numbers are printed."""
    bench = await AeadBench.begin(dut, "published")
    for n in (512, 1024, 4096)[: 1 if ICARUS and not FULL else 3]:
        m = bench.message(0, n)
        response, clocks = await bench.one(m)
        check(m, response, cocotb.RANDOM_SEED)
        assert clocks == FORMULA.cycles(0, n), f"message {n}: got {clocks} clocks"
        # Of one message; the others take none of its cycles.
        report(kind="cycles", ad_bytes=0, msg_bytes=n, cycles=clocks, interleaved=FORMULA.interleaved)


@cocotb.test(skip=UNROLLED)
async def stalls(dut: Any) -> None:
    """Both sides wait at random; what waits must not change."""
    bench = await AeadBench.begin(dut, "stalls", random_stall)
    count = (60 if SLOW else 1000) if FULL else (4 if SLOW else 100)
    sizes = [(bench.rng.choice(EDGES), bench.rng.choice(EDGES)) for _ in range(count)]
    messages = [bench.message(ad, n, bench.rng.random() < 0.5) for ad, n in sizes]
    for m, response in await bench.serve(messages, ahead=3):
        check(m, response, cocotb.RANDOM_SEED)


@cocotb.test()
async def back_to_back(dut: Any) -> None:
    """The next request waits already: no clock is lost between messages."""
    bench = await AeadBench.begin(dut, "back to back")
    # No part, either, both; blocks that are short and full.
    kinds = [
        (0, 0, False),
        (1, 0, True),
        (0, RATE + 1, True),
        (2 * RATE + 1, 3 * RATE - 1, False),
        (RATE, RATE, True),
    ]
    if BRIEF:
        kinds = kinds[2:4]
    messages = [bench.message(*kind) for kind in kinds * (4 if FULL else min(2, FORMULA.interleaved))]
    last: dict[int, int] = {}
    responses = await bench.serve(messages, ahead=4)
    assert len(responses) == len(messages)
    for m, response in responses:
        check(m, response, cocotb.RANDOM_SEED)
        slot = response.cycle % FORMULA.interleaved
        if slot in last:
            want = FORMULA.back_to_back(len(m.ad), len(m.data), m.decrypt)
            interval = response.cycle - last[slot]
            assert interval == want, f"{len(m.ad)} {len(m.data)}: want {want} cycles, got {interval}"
        last[slot] = response.cycle


@cocotb.test(skip=UNROLLED)
async def wrong(dut: Any) -> None:
    """A wrong bit anywhere: not ok, and no tag comes out. Then all is well again."""
    bench = await AeadBench.begin(dut, "wrong", random_stall)
    messages = []
    for ad, n in ((0, 0), (3, 0), (0, 5), (17, 32), (16, 47))[: 2 if SLOW and not FULL else 5]:
        good = bench.message(ad, n, decrypt=True)
        messages += [*forgeries(good, bench.rng), good]
    for m, response in await bench.serve(messages, ahead=2):
        check(m, response, cocotb.RANDOM_SEED)


@cocotb.test(skip=UNROLLED)
async def resets(dut: Any) -> None:
    """Reset in every part of a message; the core is ready again and forgets what it had."""
    bench = await AeadBench.begin(dut, "resets", random_stall)
    whole = FORMULA.cycles(20, 40)
    for _ in range(3 if SLOW and not FULL else 30):
        bench.ports[0].send(bench.message(20, 40, bench.rng.random() < 0.5))
        await bench.step(bench.rng.randrange(whole + whole // 4))
        for port in bench.ports:
            port.sent.clear()
        await bench.reset()
        m = bench.message(*bench.rng.choice([(0, 0), (1, 17), (16, 0)]), bench.rng.random() < 0.5)
        ((_, response),) = await bench.serve([m])
        check(m, response, cocotb.RANDOM_SEED)


@cocotb.test(skip=DEPTH is None)
async def released(dut: Any) -> None:
    """Of a message with a wrong tag nothing comes out, nor of one too long; of a right one all."""
    assert DEPTH is not None
    bench = await AeadBench.begin(dut, "released")
    good, long = (bench.message(3, n, decrypt=True) for n in (2 * RATE - 1, RATE * DEPTH + 1))
    wrong_tag = next(forgeries(good, bench.rng))
    responses = await bench.serve([wrong_tag, long, good])
    for m, response in responses:
        check(m, response, cocotb.RANDOM_SEED)
    assert [len(response.data) for _, response in responses] == [0, 0, len(good.data)]


@cocotb.test(skip=DEPTH is None or UNROLLED)
async def too_long(dut: Any) -> None:
    """A message that the buffer cannot hold is refused and says so; one that just fits is not."""
    assert DEPTH is not None
    bench = await AeadBench.begin(dut, "too long", random_stall)
    brief = ICARUS and not FULL  # the boundary alone, and a wrong tag alone
    sizes = [RATE * DEPTH, RATE * DEPTH + 1, *(() if brief else (5, 3 * RATE * DEPTH)), RATE * DEPTH - 1]
    good = [bench.message(3, n, decrypt=True) for n in sizes]
    messages = [m for one in good for m in (*islice(forgeries(one, bench.rng), 1 if brief else None), one)]
    for m, response in await bench.serve(messages, ahead=2):
        check(m, response, cocotb.RANDOM_SEED)
        assert response.long == (len(m.data) > RATE * DEPTH)
        assert response.ok or not response.data, "plaintext of a message that was refused came out"
