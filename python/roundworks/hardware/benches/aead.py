"""Any core with the AEAD interface, against the description that its cycle formula names.

Sizes are those of the pins. A core with ``slot_o`` interleaves several messages: in each cycle the
interface is that of message ``slot_o``, and each of them has channels of its own here.
"""

from __future__ import annotations

import os
import random
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

import cocotb
from cocotb.triggers import FallingEdge, First, ReadOnly, RisingEdge
from cocotb.utils import get_sim_time

from roundworks import spec
from roundworks.hardware.benches.common import (
    PERIOD_NS,
    Bench,
    Receiver,
    Sender,
    Stall,
    no_stall,
    parameters,
    random_stall,
    report,
    this_core,
)
from roundworks.hardware.cores import described
from roundworks.hardware.cycles.aead import AeadCycles, of
from roundworks.reference import get

_CORE = this_core()
FORMULA: AeadCycles = of(_CORE)
MODEL: Any = described(_CORE) if _CORE.description else get(FORMULA.cipher)
# The long form runs what a release needs, the short form what a change needs.
FULL = bool(os.environ.get("ROUNDWORKS_FULL"))
# Icarus passes on every change at once, and its changes multiply from round to round in a cycle: what
# was generated runs here around the boundaries, with more than two rounds only messages that follow one another.
ICARUS = bool(_CORE.description) and cocotb.SIM_NAME.startswith("Icarus")
UNROLLED = ICARUS and int(parameters().get("Rounds", 1)) > 2
# A message of a slow core costs as many clocks as hundred of a fast one, and a slow simulator as much time.
SLOW = FORMULA.update >= 20 or ICARUS
RATE = FORMULA.rate_bytes
# A reading of a cipher has a description, and no vectors of its own.
PUBLISHED = any(facts.name == FORMULA.cipher for facts in spec.ciphers())
# Key, blocks and computed tag are in two shares, the first in the low half of a port.
MASKED = hasattr(cocotb.top, "random_i")
# Of the buffer that holds plaintext until its tag is right; a core without one says None.
DEPTH = int(parameters()["Depth"]) if FORMULA.rav else None
OTHER_FORM = bool(_CORE.description) and (DEPTH is not None or int(parameters().get("Rounds", 1)) > 1)
# Around every boundary of a block.
EDGES = sorted({max(0, n + d) for n in (0, RATE, 2 * RATE, 3 * RATE) for d in (-1, 0, 1)})


@dataclass(frozen=True, eq=False)
class Message:
    """What goes in. Decrypting, ``data`` is ciphertext and ``tag`` what it is compared with; ``plain`` is
    what it was sealed from, None of a forgery."""

    key: bytes
    nonce: bytes
    ad: bytes
    data: bytes
    tag: bytes = b""
    decrypt: bool = False
    plain: bytes | None = None

    def expected(self) -> tuple[bytes, bytes, bool]:
        """What comes out: data, tag, whether all is well."""
        if not self.decrypt:
            return *MODEL.seal(self.key, self.nonce, self.data, self.ad), True
        if self.plain is not None:  # the description is slower than the core
            return self.plain, bytes(len(self.tag)), True
        # A bare core gives out what it decrypts before it can know the tag. The description says
        # it by what was sealed: only the forger knows the right tag.
        opened = MODEL.open(self.key, self.nonce, self.data, self.tag, self.ad)
        return opened or b"", bytes(len(self.tag)), opened is not None


@dataclass(eq=False)
class Response:
    """What the core returned for a message, and in which cycle."""

    data: bytes
    tag: bytes
    ok: bool
    cycle: int
    long: bool


def little(data: bytes) -> int:
    """Byte 0 in bits 7..0, as on every port."""
    return int.from_bytes(data, "little")


def shared(value: int, size: int, rng: random.Random) -> int:
    """A value of `size` bytes as a port of the core has it."""
    if not MASKED:
        return value
    mask = rng.getrandbits(8 * size)
    return mask | (value ^ mask) << 8 * size


def summed(value: int, size: int) -> bytes:
    """The bytes of what a port of the core shows."""
    if MASKED:
        value = (value ^ value >> 8 * size) & (1 << 8 * size) - 1
    return value.to_bytes(size, "little")


class Port:
    """The channels of one message stream."""

    def __init__(self, bench: AeadBench, stall: Stall) -> None:
        self.bench = bench
        before = len(bench.channels)
        self.req = bench.sender("req", ("decrypt", "ad", "msg", "key", "nonce"), stall)
        self.blk = bench.sender("blk", ("data", "bytes", "last"), stall)
        self.out = bench.receiver("out", ("data", "bytes", "last"), stall)
        extra = ("ok", "tag", "long") if hasattr(bench.dut, "rsp_long_o") else ("ok", "tag")
        self.rsp = bench.receiver("rsp", extra, stall)
        self.channels: list[Sender | Receiver] = bench.channels[before:]
        self.sent: deque[Message] = deque()

    def send(self, m: Message) -> None:
        """Queue the request of a message and its blocks."""
        self.sent.append(m)
        self.req.send(
            decrypt=int(m.decrypt),
            ad=int(bool(m.ad)),
            msg=int(bool(m.data)),
            key=shared(little(m.key), len(m.key), self.bench.rng),
            nonce=little(m.nonce),
        )
        for part in (m.ad, m.data):
            for at in range(0, len(part), RATE):
                block = part[at : at + RATE]
                # Past its end a block holds what it likes.
                noise = self.bench.rng.getrandbits(8 * (RATE - len(block))) if len(block) < RATE else 0
                self.blk.send(
                    data=shared(little(block) | noise << 8 * len(block), RATE, self.bench.rng),
                    bytes=len(block),
                    last=int(at + RATE >= len(part)),
                )

    def response(self) -> Response | None:
        """The response to the oldest message, once it is there."""
        if not self.rsp.taken:
            return None
        rsp, data = self.rsp.taken.popleft(), b""
        m = self.sent.popleft()
        size = len(self.bench.dut.rsp_tag_o) // (16 if MASKED else 8)
        for number, out in enumerate(self.out.taken):
            count = out.fields["bytes"]
            block = summed(out.fields["data"], RATE)
            assert not any(block[count:]), "bytes past the end of a block are not zero"
            last = number == len(self.out.taken) - 1
            assert out.fields["last"] == int(last), f"block {number}: wrong last"
            data += block[:count]
        self.out.taken.clear()
        if m.decrypt:
            assert not rsp.fields["tag"], "a tag came out of a decryption"
        assert rsp.cycle is not None
        tag = summed(rsp.fields["tag"], size)
        return Response(data, tag, bool(rsp.fields["ok"]), rsp.cycle, bool(rsp.fields.get("long")))


class AeadBench(Bench):
    """``ports``: one, or one for each interleaved message."""

    def __init__(self, dut: Any, name: str, stall: Stall = no_stall) -> None:
        super().__init__(dut, name)
        self.unstalled = stall is no_stall
        self.ports = [Port(self, stall) for _ in range(FORMULA.interleaved)]
        self.watch = [dut.req_ready_o, dut.blk_ready_o, dut.out_valid_o, dut.rsp_valid_o]

    @classmethod
    async def begin(cls, dut: Any, name: str, stall: Stall = no_stall) -> AeadBench:
        """A bench whose clock runs and whose reset is over."""
        bench = cls(dut, name, stall)
        await bench.start()
        return bench

    async def step(self, cycles: int = 1) -> None:
        for _ in range(cycles):
            port = self.ports[0]
            if len(self.ports) > 1:
                port = self.ports[int(self.dut.slot_o.value)]
            for channel in port.channels:
                channel.drive()
            self.dut.tag_i.value = little(port.sent[0].tag) if port.sent else 0
            if MASKED:
                self.dut.random_i.value = self.rng.getrandbits(len(self.dut.random_i))
            await ReadOnly()
            for channel in port.channels:
                channel.look()
            if self.unstalled and len(self.ports) == 1 and not any(int(w.value) for w in self.watch):
                await self.leap()
            else:
                await FallingEdge(self.clock)
                self.cycle += 1

    async def leap(self) -> None:
        """To the next clock in which the core says anything: until then no pin would change."""
        before = get_sim_time("ns")
        if not self.ports[0].sent:
            await FallingEdge(self.clock)
        else:
            await First(*(RisingEdge(w) for w in self.watch))
            await FallingEdge(self.clock)
        self.cycle += round((get_sim_time("ns") - before) / PERIOD_NS)

    async def serve(self, messages: Iterable[Message], ahead: int = 1) -> list[tuple[Message, Response]]:
        """All messages in order, up to ``ahead`` of them offered at once at each port."""
        waiting, responses = deque(messages), []
        while waiting or any(port.sent for port in self.ports):
            for port in self.ports:
                while waiting and len(port.sent) < ahead:
                    port.send(waiting.popleft())
            await self.step()
            for port in self.ports:
                first = port.sent[0] if port.sent else None
                response = port.response()
                if first and response:
                    responses.append((first, response))
        return responses

    async def one(self, m: Message) -> tuple[Response, int]:
        """A message alone, and its clocks."""
        if len(self.ports) > 1:
            while int(self.dut.slot_o.value):
                await self.step()
        start = self.cycle
        ((_, response),) = await self.serve([m])
        return response, response.cycle - start + 1

    def message(self, ad: int, msg: int, decrypt: bool = False) -> Message:
        """A random message of these sizes in bytes; with `decrypt` the sealed one."""
        draw = self.rng.randbytes
        m = Message(draw(MODEL.key_bytes), draw(MODEL.nonce_bytes), draw(ad), draw(msg), b"", False)
        return inverted(m) if decrypt else m


def inverted(m: Message) -> Message:
    """The decryption of what this encrypts."""
    data, tag = MODEL.seal(m.key, m.nonce, m.data, m.ad)
    return Message(m.key, m.nonce, m.ad, data, tag, True, m.data)


def check(m: Message, response: Response, seed: int) -> None:
    """Compare a response with the description; `AssertionError` names the message and the seed."""
    data, tag, ok = m.expected()
    if DEPTH is not None and m.decrypt and len(m.data) > RATE * DEPTH:
        # Refused for its length, whatever its tag is.
        assert response.long, f"message {len(m.data)}: not refused by a buffer of {DEPTH} blocks"
        data, tag, ok = b"", bytes(len(tag)), False
    what = f"{'decrypt' if m.decrypt else 'encrypt'} ad {len(m.ad)} message {len(m.data)} seed {seed}"
    assert response.ok == ok, f"{what}: ok is {response.ok}"
    if ok or DEPTH is not None:
        assert response.data == data, f"{what}: want {data.hex()}, got {response.data.hex()}"
    assert response.tag == tag, f"{what}: want tag {tag.hex()}, got {response.tag.hex()}"


def forgeries(m: Message, rng: random.Random) -> Iterator[Message]:
    """One bit wrong in the tag, the ciphertext, the associated data, each where there is one."""

    def flip(data: bytes) -> bytes:
        at = rng.randrange(8 * len(data))
        return (little(data) ^ 1 << at).to_bytes(len(data), "little")

    yield Message(m.key, m.nonce, m.ad, m.data, flip(m.tag), True)
    if m.data:
        yield Message(m.key, m.nonce, m.ad, flip(m.data), m.tag, True)
    if m.ad:
        yield Message(m.key, m.nonce, flip(m.ad), m.data, m.tag, True)


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
