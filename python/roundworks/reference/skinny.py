"""SKINNY-64 and SKINNY-128 with one, two or three tweakey words. [SKINNY, section 2]

Key and tweak are not told apart: the tweakey is the key here. Cell 4 r + c of a word is row r, column c.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from operator import xor

from .block import BlockCipher
from .components import CellPermutation, Matrix, Sbox
from .word import W, join

S4 = Sbox("S4", (12, 6, 9, 0, 1, 10, 2, 11, 3, 8, 5, 13, 4, 14, 7, 15))


def _s8(x: int) -> int:
    """Four times a NOR of two bits XORed to each of two others, and bits that move. [SKINNY, section 2.3]"""
    for moved in ((2, 1, 7, 6, 4, 0, 3, 5),) * 3 + ((7, 6, 5, 4, 3, 1, 2, 0),):
        bit = [x >> i & 1 for i in range(8)]
        bit[4] ^= 1 - (bit[7] | bit[6])
        bit[0] ^= 1 - (bit[3] | bit[2])
        x = sum(bit[source] << 7 - i for i, source in enumerate(moved))
    return x


S8 = Sbox("S8", tuple(_s8(x) for x in range(256)))
_SHUFFLE = (9, 15, 8, 13, 10, 14, 12, 11, 0, 1, 2, 3, 4, 5, 6, 7)  # the new cell i is the old PT[i]
# Of the bits of a cell, highest first: x << 1 with a sum of two, and its inverse.
_LFSRS = {4: ((3, 2), (0, 3)), 8: ((7, 5), (0, 6))}


def lfsr(bits: int, word: int) -> Matrix:
    """The update of a cell of the second or third tweakey word, on bits highest first."""
    a, b = _LFSRS[bits][word - 2]
    ones = [(bit - 1,) for bit in range(bits - 1, 0, -1)] + [(a, b)]
    if word == 3:
        ones = [(a, b)] + [(bit + 1,) for bit in range(bits - 2, -1, -1)]
    rows = tuple(tuple(int(bit in row) for bit in range(bits - 1, -1, -1)) for row in ones)
    return Matrix(f"LFSR{word}", rows, 1)


class Skinny(BlockCipher[W]):
    """SKINNY-n-t: n bits of block, and one to three times as much tweakey."""

    family = "skinny"
    words = 1

    def __init__(self, block: int = 64, tweakey: int = 64) -> None:
        self.name, self.word_bits, self.key_words = f"skinny-{block}-{tweakey}", block, tweakey // block
        self.rounds = {64: (32, 36, 40), 128: (40, 48, 56)}[block][self.key_words - 1]
        self.cell = c = block // 16
        self.sbox = S4 if block == 64 else S8
        self.shuffle = CellPermutation("PT", tuple(_SHUFFLE.index(i) for i in range(16)), c)
        self.lfsrs = [lfsr(c, word) for word in (2, 3)]
        # Row r moves r columns to the right; a matrix wants the cells of a column together.
        columns = tuple(4 * ((i + i // 4) % 4) + i // 4 for i in range(16))
        self.shift = CellPermutation("ShiftRows, by columns", columns, c)
        self.rows = CellPermutation("by rows", tuple(4 * (i % 4) + i // 4 for i in range(16)), c)
        self.mix = Matrix("M", ((1, 0, 1, 1), (1, 0, 0, 0), (0, 1, 1, 0), (1, 0, 1, 0)), c)

    def schedule(self, K: Sequence[W]) -> Iterable[W]:
        """Rows 0 and 1 of the sum of the tweakey words; then the cells move and some are updated."""
        for _ in range(self.rounds):
            yield reduce(xor, (word.split(2)[0] for word in K))
            K = [word.permute(self.shuffle) for word in K]
            for i, layer in enumerate(self.lfsrs[: len(K) - 1], 1):
                upper, lower = K[i].split(2)
                K[i] = join([upper.mix(layer), lower])

    def encrypt(self, S: Sequence[W], subkeys: Sequence[W]) -> Sequence[W]:
        x, rc = S[0], 0
        for k in subkeys:
            rc = rc << 1 & 63 | (rc >> 5 ^ rc >> 4 ^ 1) & 1
            cells = {0: rc & 15, 4: rc >> 4, 8: 2}
            x = x.sub(self.sbox) ^ sum(v << self.cell * (15 - i) for i, v in cells.items())
            upper, lower = x.split(2)
            x = join([upper ^ k, lower]).permute(self.shift).mix(self.mix).permute(self.rows)
        return [x]
