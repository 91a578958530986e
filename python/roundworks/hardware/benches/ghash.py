"""The bench of GHASH's multiplication, against the description.

A product is linear in either factor: every power of x times every power shows all of a circuit that
is, and random factors show that it is.
"""

from __future__ import annotations

import os
from typing import Any

import cocotb

from roundworks.reference.gcm import times

from .common import randomness, report, settle

FULL = bool(os.environ.get("ROUNDWORKS_FULL"))
BITS = 128


def bit_reversed(x: int) -> int:
    """The coefficient of x^0 from the lowest bit, as on the ports, to the highest, or back."""
    return int(f"{x:0{BITS}b}"[::-1], 2)


@cocotb.test()
async def products(dut: Any) -> None:
    """The short form takes every power once with x^0, x^127 and one other."""
    rng = randomness("products")
    powers = [1 << i for i in range(BITS)]
    pairs = [(a, b) for a in powers for b in powers]
    if not FULL:
        pairs = [(a, b) for a in powers for b in (1, rng.choice(powers), powers[-1])]
    pairs += [(rng.getrandbits(BITS), rng.getrandbits(BITS)) for _ in range(1000 if FULL else 100)]
    for a, b in pairs:
        dut.a_i.value, dut.b_i.value = a, b
        await settle()
        want = bit_reversed(times(bit_reversed(a), bit_reversed(b)))
        assert int(dut.product_o.value) == want, f"{a:032x} times {b:032x}: want {want:032x}"
    report(kind="products", count=len(pairs))
