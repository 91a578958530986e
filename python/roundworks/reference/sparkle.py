"""SPARKLE: Alzette on pairs of 32-bit words, and a linear layer between them. [SPARKLE, section 2]"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import xor

from .permutation import Permutation
from .word import W

CONSTANTS = (0xB7E15162, 0xBF715880, 0x38B4DA56, 0x324E7738, 0xBB1185EB, 0x4F7C7B57, 0xCFBFA1C8, 0xC2B3293D)


def alzette(x: W, y: W, c: int) -> tuple[W, W]:
    """Four rounds of addition, rotation and XOR of a constant. [SPARKLE, section 2.1.1]"""
    for a, b in ((31, 24), (17, 17), (0, 31), (24, 16)):
        x = x + y.rotr(a)
        y = y ^ x.rotr(b)
        x = x ^ c
    return x, y


class Sparkle(Permutation[W]):
    """SPARKLE of 256, 384 or 512 bits; words x0, y0, x1, y1, ..; a step is a round here."""

    family = "sparkle"
    word_bits = 32

    def __init__(self, bits: int = 384) -> None:
        self.name, self.words = f"sparkle-{bits}", bits // 32
        self.rounds = {256: 10, 384: 11, 512: 12}[bits]

    def round(self, S: Sequence[W], i: int) -> list[W]:
        """The big version's steps; the slim ones are the first 7, 7 or 8."""
        x, y = list(S[0::2]), list(S[1::2])
        y[0], y[1] = y[0] ^ CONSTANTS[i % 8], y[1] ^ i
        pairs = [alzette(a, b, c) for a, b, c in zip(x, y, CONSTANTS, strict=False)]
        x, y, h = [p[0] for p in pairs], [p[1] for p in pairs], len(pairs) // 2
        sum_x, sum_y = (self.ell(reduce(xor, half[:h])) for half in (x, y))
        # The left half goes right; the right half takes the sums, moves left and rotates by one branch.
        left_x = [x[h + j] ^ x[j] ^ sum_y for j in range(h)]
        left_y = [y[h + j] ^ y[j] ^ sum_x for j in range(h)]
        x, y = [*left_x[1:], left_x[0], *x[:h]], [*left_y[1:], left_y[0], *y[:h]]
        return [word for pair in zip(x, y, strict=True) for word in pair]

    @staticmethod
    def ell(x: W) -> W:
        """l(x) = (x ^ x << 16) rotated by 16. [SPARKLE, section 2.1.2]"""
        return (x ^ x << 16).rotl(16)
