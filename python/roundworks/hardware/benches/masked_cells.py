"""The bench of AES's masked parts: new shares and new random bits in every cycle, and the sum of what
comes out against the description."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge

from roundworks.reference.aes import SUB_BYTES

from .common import PERIOD_NS, parameters, randomness, report


async def pipeline(
    dut: Any, out: Any, ports: tuple[Any, ...], latency: int, want: Callable[..., int]
) -> None:
    """Values of the inputs, each in two shares; `want` says what the sum of the shares of `out` is to be."""
    rng = randomness("pipeline")
    bits = len(out) // 2

    def drawn() -> tuple[int, ...]:
        return tuple(rng.getrandbits(len(port) // 2) for port in ports)

    first = [
        tuple(x >> 4 * i & 0xF for i in range(len(ports))) if len(ports) > 1 else (x,) for x in range(256)
    ]
    values = [*first, *(drawn() for _ in range(500))]
    cocotb.start_soon(Clock(dut.clk_i, PERIOD_NS, units="ns").start())
    due: deque[tuple[int, ...]] = deque()
    for given in [*values, *[values[0]] * latency]:
        await FallingEdge(dut.clk_i)
        if len(due) == latency:
            sent, shares = due.popleft(), int(out.value)
            total = (shares ^ shares >> bits) & (1 << bits) - 1
            assert total == want(*sent), f"{sent}: want {want(*sent):02x}, got {total:02x}"
        for pin, value in zip(ports, given, strict=True):
            half = len(pin) // 2
            mask = rng.getrandbits(half)
            pin.value = mask | ((value & (1 << half) - 1) ^ mask) << half
        dut.random_i.value = rng.getrandbits(len(dut.random_i))
        due.append(given)
    report(kind="latency", cycles=latency, count=len(values))


@cocotb.test()
async def sbox(dut: Any) -> None:
    """Every byte, a byte in a cycle."""
    await pipeline(dut, dut.data_o, (dut.data_i,), 8, lambda x: SUB_BYTES.table[x])


def times(a: int, b: int, bits: int) -> int:
    """The product in the tower, by its definition: normal bases whose elements have the sum 1; their products
    are 1, w and 1 for one bit, two bits and four."""
    if bits == 1:
        return a & b
    half, low = bits // 2, (1 << bits // 2) - 1
    a1, a0, b1, b0 = a >> half, a & low, b >> half, b & low
    middle = times(a1 ^ a0, b1 ^ b0, half)
    if bits == 4:
        middle = times(middle, 1, 2)
    return (times(a1, b1, half) ^ middle) << half | (times(a0, b0, half) ^ middle)


@cocotb.test()
async def product(dut: Any) -> None:
    """A product, and something added to it."""
    bits = int(parameters()["Bits"])
    low = (1 << bits) - 1

    def want(a: int, b: int, add: int) -> int:
        return times(a & low, b & low, bits) ^ add & low

    await pipeline(dut, dut.product_o, (dut.a_i, dut.b_i, dut.add_i), 1, want)
