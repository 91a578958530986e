"""Tables of an S-box, and what a designer looks at: differences, correlations, degree, diffusion."""

from __future__ import annotations

from dataclasses import dataclass
from math import log2

import numpy as np
from numpy.typing import NDArray

from ..reference import Sbox
from .sbox_counts import correlations, differences

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class SboxProperties:
    """``dp_log2``, ``c2_log2``: log2 of the largest differential probability and squared correlation."""

    name: str
    bits: int
    dp_log2: float
    c2_log2: float
    degree: int
    full_diffusion: bool
    bijective: bool


def ddt(sbox: Sbox) -> Ints:
    """Difference distribution table, shape (size, size): [a, b] counts the x with S(x) ^ S(x ^ a) = b."""
    return np.array(differences(sbox.table))


def walsh(sbox: Sbox) -> Ints:
    """Walsh table, shape (size, size): [a, b] is the sum over x of (-1)^(a.x ^ b.S(x)), the correlation
    times the size."""
    return np.array(correlations(sbox.table))


def bct(sbox: Sbox) -> Ints:
    """Boomerang connectivity table of a bijection, shape (size, size): [a, b] counts the x with
    S^-1(S(x) ^ b) ^ S^-1(S(x ^ a) ^ b) = a. [CID]"""
    size = len(sbox.table)
    table, x = np.array(sbox.table), np.arange(size)
    back = np.argsort(table)
    counts = np.empty((size, size), np.int64)
    for b in range(size):
        returned = back[table ^ b]
        counts[:, b] = [np.count_nonzero(returned ^ returned[x ^ a] == a) for a in range(size)]
    return counts


def dlct(sbox: Sbox) -> Ints:
    """Differential-linear connectivity table, shape (size, size): [a, b] is the sum over x of
    (-1)^(b.(S(x) ^ S(x ^ a))). [BAR-ON]"""
    size = len(sbox.table)
    sign = 1 - 2 * (np.bitwise_count(np.arange(size)[:, None] & np.arange(size)).astype(np.int64) & 1)
    table: Ints = ddt(sbox) @ sign
    return table


def anf(function: Bools) -> Bools:
    """[u]: whether the monomial x^u is in the algebraic normal form of a function of 2^n values."""
    form = function.copy()
    for step in (1 << i for i in range(len(form).bit_length() - 1)):
        pairs = form.reshape(-1, 2, step)
        pairs[:, 1] ^= pairs[:, 0]
    return form


def sbox_facts(sbox: Sbox) -> SboxProperties:
    """Its facts, each exhaustive over the table."""
    table, size = np.array(sbox.table), len(sbox.table)
    forms = [anf((table >> bit & 1).astype(np.bool_)) for bit in range(sbox.bits)]
    reached = [np.bitwise_or.reduce(table ^ table[np.arange(size) ^ 1 << bit]) for bit in range(sbox.bits)]
    return SboxProperties(
        name=sbox.name,
        bits=sbox.bits,
        dp_log2=log2(int(ddt(sbox)[1:].max()) / size),
        c2_log2=2 * log2(int(np.abs(walsh(sbox)[:, 1:]).max()) / size),
        degree=max((int(u).bit_count() for form in forms for u in np.flatnonzero(form)), default=0),
        full_diffusion=all(int(bits) == size - 1 for bits in reached),
        bijective=sbox.bijective,
    )
