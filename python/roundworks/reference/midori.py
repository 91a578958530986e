"""Midori64's rounds, a known answer for the analyses. [MIDORI]

A word of 64 bits is sixteen nibbles, s0 the most significant; s0 .. s3 are a column.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .block import BlockCipher
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


# One bit a cell: XORed to the lowest bit of each. [MIDORI, section 3]
ALPHA = (
    0x15B3,
    0x78C0,
    0xA435,
    0x6213,
    0x104F,
    0xD170,
    0x0266,
    0x0BCC,
    0x9481,
    0x40B8,
    0x7197,
    0x228E,
    0x5130,
    0xF8CA,
    0xDF90,
    0x7C81,
    0x1C24,
    0x23B4,
    0x628A,
)
SB1 = Sbox("Sb1", (1, 0, 5, 3, 14, 2, 15, 7, 13, 10, 9, 11, 12, 8, 4, 6))
# The bits that the S-box of a cell in row r takes to its two halves, highest first.
_SSB = (
    (4, 1, 6, 3, 0, 5, 2, 7),
    (1, 6, 7, 0, 5, 2, 3, 4),
    (2, 3, 4, 1, 6, 7, 0, 5),
    (7, 4, 1, 2, 3, 0, 5, 6),
)


class Midori(BlockCipher[W]):
    """Midori64 of 16 rounds and Midori128 of 20, or the first of them, with a key of 128 bits."""

    family = "midori"
    words = 1

    def __init__(self, block: int = 64) -> None:
        self.name, self.word_bits, self.key_words = f"midori-{block}", block, 128 // block
        self.rounds = self.full = 16 if block == 64 else 20
        self.cell = c = block // 16
        self.shuffle = CellPermutation("ShuffleCell", SHUFFLE_CELL.to, c)
        self.mix = Matrix("M", ALMOST_MDS.rows, c)
        taken = [8 * cell + bit for cell in range(16) for bit in _SSB[cell % 4]]
        self.halves = CellPermutation("SSb in", tuple(taken.index(i) for i in range(128)), 1)
        self.back = CellPermutation("SSb out", tuple(taken), 1)

    def sub(self, x: W) -> W:
        """The S-box on every cell; one of eight bits is two of four on chosen bits."""
        return x.sub(SB0) if self.cell == 4 else x.permute(self.halves).sub(SB1).permute(self.back)

    def schedule(self, K: Sequence[W]) -> Iterable[W]:
        """The whitening key, the keys of the rounds but the last of all."""
        yield K[0] ^ K[1] if len(K) == 2 else K[0]
        for i in range(min(self.rounds, self.full - 1)):
            bits = ALPHA[i]
            yield K[i % len(K)] ^ sum((bits >> cell & 1) << self.cell * cell for cell in range(16))

    def encrypt(self, S: Sequence[W], subkeys: Sequence[W]) -> Sequence[W]:
        whitening, *keys = subkeys
        x = S[0] ^ whitening
        for k in keys:
            x = self.sub(x).permute(self.shuffle).mix(self.mix) ^ k
        return [x if self.rounds < self.full else self.sub(x) ^ whitening]
