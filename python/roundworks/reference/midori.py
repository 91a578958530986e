"""Midori64's rounds, a known answer for the analyses. [MIDORI]

A word of 64 bits is sixteen nibbles, s0 the most significant; s0 .. s3 are a column.
"""

from __future__ import annotations

from collections.abc import Sequence

from .components import CellPermutation, Matrix, Sbox
from .permutation import Permutation
from .word import W

SB0 = Sbox("Sb0", (12, 10, 13, 3, 14, 11, 15, 7, 8, 9, 1, 5, 0, 2, 4, 6))
ALMOST_MDS = Matrix("M", ((0, 1, 1, 1), (1, 0, 1, 1), (1, 1, 0, 1), (1, 1, 1, 0)), 4)
# The new s_i is the old s_(shuffle[i]). [MIDORI]
_SHUFFLE = (0, 10, 5, 15, 14, 4, 11, 1, 9, 3, 12, 6, 7, 13, 2, 8)
SHUFFLE_CELL = CellPermutation("ShuffleCell", tuple(_SHUFFLE.index(cell) for cell in range(16)), 4)


class Midori64(Permutation[W]):
    """MixColumn . ShuffleCell . SubCell, without keys and constants.

    The cipher's last round is SubCell alone; that changes no count of S-boxes.
    """

    name = "midori64"
    words, word_bits, rounds = 1, 64, 16

    def round(self, S: Sequence[W], i: int) -> list[W]:
        return [S[0].sub(SB0).permute(SHUFFLE_CELL).mix(ALMOST_MDS)]
