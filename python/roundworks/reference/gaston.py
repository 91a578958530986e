"""Gaston: five lanes of 64 bits, and a mixing layer of two column parities. [GASTON]"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import xor

from .permutation import Permutation
from .word import W

EAST, WEST, TWIN = (0, 60, 22, 27, 4), (0, 56, 31, 46, 43), (25, 32, 52, 60, 63)


class Gaston(Permutation[W]):
    """chi . iota . rho-west . theta . rho-east, on lanes whose bit z has weight 2^z."""

    name = family = "gaston"
    words, word_bits, rounds = 5, 64, 12

    def round(self, S: Sequence[W], i: int) -> list[W]:
        a = [lane.rotl(n) for lane, n in zip(S, EAST, strict=True)]
        first = reduce(xor, a)
        second = reduce(xor, (lane.rotl(n) for lane, n in zip(a, TWIN, strict=True)))
        effect = (first ^ first.rotl(1) ^ second ^ second.rotl(18)).rotl(23)
        a = [(lane ^ effect).rotl(n) for lane, n in zip(a, WEST, strict=True)]
        a[0] = a[0] ^ 0xF0 - 0x0F * i
        return [a[y] ^ (~a[(y + 1) % 5] & a[(y + 2) % 5]) for y in range(5)]
