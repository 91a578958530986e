"""A permutation with ready and valid on both sides, against its description."""

from __future__ import annotations

from collections import deque
from typing import Any

import cocotb

from roundworks.hardware.benches.common import (
    BRIEF,
    Bench,
    Stall,
    no_stall,
    parameters,
    random_stall,
    report,
    this_core,
)
from roundworks.hardware.cores import described

_CORE = this_core()
MODEL: Any = described(_CORE)
BYTES = MODEL.words * MODEL.word_bits // 8
# A cycle to load, one for every group of rounds, one in which the response is taken.
CYCLES = 2 - (-_CORE.steps["rounds"] // int(parameters()["Rounds"]))


class PermutationBench(Bench):
    """``req`` takes a block, ``rsp`` gives its image."""

    def __init__(self, dut: Any, name: str, stall: Stall = no_stall) -> None:
        super().__init__(dut, name)
        self.req = self.sender("req", ("data",), stall)
        self.rsp = self.receiver("rsp", ("data",), stall)
        self.sent: deque[bytes] = deque()

    def send(self) -> None:
        """Queue a random block."""
        block = self.rng.randbytes(BYTES)
        self.sent.append(block)
        self.req.send(data=int.from_bytes(block, "little"))

    async def response(self) -> int:
        """The cycle of the next response, which was compared."""
        transfer = await self.take(self.rsp)
        block = self.sent.popleft()
        want, got = MODEL.permute(block), transfer.fields["data"].to_bytes(BYTES, "little")
        assert got == want, f"of {block.hex()}: want {want.hex()}, got {got.hex()} seed {cocotb.RANDOM_SEED}"
        assert transfer.cycle is not None
        return transfer.cycle


@cocotb.test()
async def blocks(dut: Any) -> None:
    """One at a time, each of as many cycles as the rounds say."""
    bench = PermutationBench(dut, "blocks")
    await bench.start()
    for _ in range(20):
        start = bench.cycle
        bench.send()
        cycles = await bench.response() - start + 1
        assert cycles == CYCLES, f"want {CYCLES} cycles, got {cycles}"
    report(what="cycles", blocks=1, cycles=CYCLES)


@cocotb.test()
async def back_to_back(dut: Any) -> None:
    """The next block waits already: it is loaded in the cycle of the response."""
    bench = PermutationBench(dut, "back to back")
    await bench.start()
    for _ in range(2 if BRIEF else 20):
        bench.send()
    last = await bench.response()
    while bench.sent:
        cycle = await bench.response()
        assert cycle - last == CYCLES - 1, f"want {CYCLES - 1} cycles, got {cycle - last}"
        last = cycle


@cocotb.test()
async def stalls(dut: Any) -> None:
    """Both sides wait at random; what waits must not change."""
    bench = PermutationBench(dut, "stalls", random_stall)
    await bench.start()
    for _ in range(50):
        bench.send()
    while bench.sent:
        await bench.response()


@cocotb.test()
async def resets(dut: Any) -> None:
    """A reset at any time: the core is ready again and forgets what it had."""
    bench = PermutationBench(dut, "resets", random_stall)
    await bench.start()
    for _ in range(20):
        bench.send()
        await bench.step(bench.rng.randrange(2 * CYCLES))
        await bench.reset()
        bench.sent.clear()
        bench.send()
        await bench.response()
