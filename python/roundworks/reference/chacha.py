"""The permutations of ChaCha [CHACHA] and Salsa20 [SALSA20]: sixteen words of 32 bits, addition, XOR, rotation.

A word is the number that it stands for; in memory its lowest byte is the first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .permutation import Permutation
from .word import W

COLUMNS = tuple(tuple((i + 4 * j) % 16 for j in range(4)) for i in range(4))
DIAGONALS = tuple(tuple(4 * j + (i + j) % 4 for j in range(4)) for i in range(4))


def quarter_round(a: W, b: W, c: W, d: W) -> tuple[W, W, W, W]:
    """Four additions, each followed by an XOR and a rotation. [CHACHA, section 3.1]"""
    for first, second in ((16, 12), (8, 7)):
        a = a + b
        d = (d ^ a).rotl(first)
        c = c + d
        b = (b ^ c).rotl(second)
    return a, b, c, d


def salsa_quarter_round(a: W, b: W, c: W, d: W) -> tuple[W, W, W, W]:
    """Each word takes the rotated sum of two others. [SALSA20, section 3]"""
    b = b ^ (a + d).rotl(7)
    c = c ^ (b + a).rotl(9)
    d = d ^ (c + b).rotl(13)
    return a ^ (d + c).rotl(18), b, c, d


def _on(S: Sequence[W], groups: Sequence[Sequence[int]], step: Callable[..., Sequence[W]]) -> list[W]:
    out = list(S)
    for group in groups:
        for place, word in zip(group, step(*(S[i] for i in group)), strict=True):
            out[place] = word
    return out


class ChaCha(Permutation[W]):
    """Column rounds and diagonal rounds, alternating."""

    name = family = "chacha"
    words, word_bits, rounds = 16, 32, 20

    def round(self, S: Sequence[W], i: int) -> list[W]:
        return _on(S, DIAGONALS if i % 2 else COLUMNS, quarter_round)


class ChaChaColumn(Permutation[W]):
    """One column of ChaCha alone: a quarter round, again and again."""

    name, family = "chacha-column", "chacha"
    words, word_bits, rounds = 4, 32, 20

    def round(self, S: Sequence[W], i: int) -> list[W]:
        return list(quarter_round(*S))


class Salsa20(Permutation[W]):
    """Column rounds and row rounds, alternating."""

    name, family = "salsa20", "chacha"
    words, word_bits, rounds = 16, 32, 20

    def round(self, S: Sequence[W], i: int) -> list[W]:
        rows = tuple(tuple(4 * row + (row + j) % 4 for j in range(4)) for row in range(4))
        columns = tuple(tuple((5 * column + 4 * j) % 16 for j in range(4)) for column in range(4))
        return _on(S, rows if i % 2 else columns, salsa_quarter_round)
