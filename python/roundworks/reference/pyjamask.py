"""Pyjamask: 32 columns of 3 or 4 bits, and a dense circulant matrix for each row. [PYJAMASK, section 2]"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from operator import xor

from .block import BlockCipher
from .components import CellPermutation, Matrix, Sbox
from .word import W, join

SBOXES = {
    3: Sbox("S3", (1, 3, 6, 5, 2, 4, 7, 0)),
    4: Sbox("S4", (2, 13, 3, 9, 7, 11, 10, 6, 14, 0, 15, 4, 8, 5, 1, 12)),
}


def _circulant(name: str, column: int) -> Matrix:
    """Of the first column; the others are rotations of it."""
    return Matrix(
        name, tuple(tuple(column >> 31 - (i - j) % 32 & 1 for j in range(32)) for i in range(32)), 1
    )


ROWS = tuple(_circulant(f"M{i}", m) for i, m in enumerate((0xA3861085, 0x63417021, 0x692CF280, 0x48A54813)))
KEY = _circulant("MK", 0xB881B9CA)


class Pyjamask(BlockCipher[W]):
    """Pyjamask-96 or -128; a word is a row, and its most significant bit is of column 0."""

    family = "pyjamask"
    word_bits, key_words, rounds = 32, 4, 14

    def __init__(self, block: int = 128) -> None:
        self.name, self.words = f"pyjamask-{block}", block // 32
        together = tuple(self.words * (i % 32) + i // 32 for i in range(block))
        apart = tuple(together.index(i) for i in range(block))
        self.columns = CellPermutation("bits of a column together", together, 1)
        self.apart = CellPermutation("rows again", apart, 1)

    def schedule(self, K: Sequence[W]) -> Iterable[W]:
        k = list(K)
        for i in range(self.rounds + 1):
            yield from k[: self.words]
            parity = reduce(xor, k)
            k = [word ^ parity for word in k]
            k = [k[0].mix(KEY), k[1].rotr(8), k[2].rotr(15), k[3].rotr(18)]
            constants = (0x00000080 ^ i, 0x00006A00, 0x003F0000, 0x24000000)
            k = [word ^ constant for word, constant in zip(k, constants, strict=True)]

    def encrypt(self, S: Sequence[W], subkeys: Sequence[W]) -> Sequence[W]:
        n, keys = self.words, list(subkeys)
        for i in range(self.rounds):
            S = [word ^ key for word, key in zip(S, keys[n * i : n * (i + 1)], strict=True)]
            S = join(S).permute(self.columns).sub(SBOXES[n]).permute(self.apart).split(n)
            S = [word.mix(matrix) for word, matrix in zip(S, ROWS, strict=False)]
        return [word ^ key for word, key in zip(S, keys[n * self.rounds :], strict=True)]
