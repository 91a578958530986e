"""Gimli: twelve words of 32 bits, with shifts that lose bits. [GIMLI, section 2]"""

from __future__ import annotations

from collections.abc import Sequence

from .permutation import Permutation
from .word import W


class Gimli(Permutation[W]):
    """Word 4 r + c is row r, column c; the rounds count down from 24 to 1."""

    name = family = "gimli"
    words, word_bits, rounds = 12, 32, 24

    def round(self, S: Sequence[W], i: int) -> list[W]:
        top, middle, bottom = [], [], []
        for x, y, z in zip(S[:4], S[4:8], S[8:], strict=True):
            x, y = x.rotl(24), y.rotl(9)
            bottom.append(x ^ z << 1 ^ (y & z) << 2)
            middle.append(y ^ x ^ (x | z) << 1)
            top.append(z ^ y ^ (x & y) << 3)
        number = 24 - i
        if number % 4 == 0:
            top = [top[1] ^ 0x9E377900 ^ number, top[0], top[3], top[2]]
        elif number % 4 == 2:
            top = [top[2], top[3], top[0], top[1]]
        return [*top, *middle, *bottom]
