"""What a designer asks of an S-box: differences, correlations, degree, diffusion."""

from __future__ import annotations

from dataclasses import dataclass
from math import log2

from ..reference import Sbox


@dataclass(frozen=True, slots=True)
class SboxFacts:
    """``dp_log2``, ``c2_log2``: largest differential probability and squared correlation."""

    name: str
    bits: int
    dp_log2: float
    c2_log2: float
    degree: int
    full_diffusion: bool
    bijective: bool


def sbox_facts(sbox: Sbox) -> SboxFacts:
    table, size = sbox.table, len(sbox.table)
    ddt = max(
        sum(table[x] ^ table[x ^ a] == b for x in range(size))
        for a in range(1, size)
        for b in {table[x] ^ table[x ^ a] for x in range(size)}
    )
    walsh = 0
    for mask in range(1, size):
        spectrum = [1 - 2 * ((mask & y).bit_count() & 1) for y in table]
        _transform(spectrum)
        walsh = max(walsh, max(map(abs, spectrum)))
    return SboxFacts(
        sbox.name,
        sbox.bits,
        log2(ddt / size),
        2 * log2(walsh / size),
        max(_degree([y >> bit & 1 for y in table]) for bit in range(sbox.bits)),
        _full_diffusion(sbox),
        sbox.bijective,
    )


def _transform(values: list[int]) -> None:
    """Walsh-Hadamard transform in place."""
    step = 1
    while step < len(values):
        for start in range(0, len(values), 2 * step):
            for i in range(start, start + step):
                a, b = values[i], values[i + step]
                values[i], values[i + step] = a + b, a - b
        step *= 2


def _degree(function: list[int]) -> int:
    """Algebraic degree of one output bit, by the Moebius transform."""
    form = list(function)
    step = 1
    while step < len(form):
        for i in range(len(form)):
            if i & step:
                form[i] ^= form[i ^ step]
        step *= 2
    return max((i.bit_count() for i, c in enumerate(form) if c), default=0)


def _full_diffusion(sbox: Sbox) -> bool:
    """Every output bit depends on every input bit."""
    table, size = sbox.table, len(sbox.table)
    for bit in range(sbox.bits):
        reached = 0
        for x in range(size):
            reached |= table[x] ^ table[x ^ 1 << bit]
        if reached != size - 1:
            return False
    return True
