"""The bench of any core with the AEAD interface, with the description that its cycle formula names.

Sizes are those of the pins. A core with ``slot_o`` interleaves several messages: in each cycle the
interface is that of message ``slot_o``, and each of them has channels of its own here.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import cocotb
from cocotb.triggers import FallingEdge, First, ReadOnly, RisingEdge
from cocotb.utils import get_sim_time

from roundworks.hardware.benches.common import (
    PERIOD_NS,
    Bench,
    Receiver,
    Sender,
    Stall,
    no_stall,
    parameters,
    this_core,
)
from roundworks.hardware.cores import described
from roundworks.hardware.cycles.aead import AeadCycles, of
from roundworks.reference import get

CORE = this_core()
FORMULA: AeadCycles = of(CORE)
MODEL: Any = described(CORE) if CORE.description else get(FORMULA.cipher)
RATE = FORMULA.rate_bytes
# Key, blocks and computed tag are in two shares, the first in the low half of a port.
MASKED = hasattr(cocotb.top, "random_i")
# Of the buffer that holds plaintext until its tag is right; a core without one says None.
DEPTH = int(parameters()["Depth"]) if FORMULA.rav else None


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
