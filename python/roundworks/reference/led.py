"""LED: an AES-like round without a key schedule; the key is added every fourth round. [LED, section 2]"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .block import BlockCipher
from .components import CellPermutation, Matrix
from .present import SBOX
from .word import W

MIX = Matrix("MixColumnsSerial", ((4, 1, 2, 2), (8, 6, 5, 6), (11, 14, 10, 9), (2, 2, 15, 11)), 4, 0x13)
# Row r moves r columns to the left; a matrix wants the cells of a column together.
SHIFT = CellPermutation("ShiftRows, by columns", tuple(4 * ((i - i // 4) % 4) + i // 4 for i in range(16)), 4)
ROWS = CellPermutation("by rows", tuple(4 * (i % 4) + i // 4 for i in range(16)), 4)


class Led(BlockCipher[W]):
    """LED-64 of 32 rounds, LED-128 of 48."""

    family = "led"
    words, word_bits = 1, 64

    def __init__(self, key: int = 64) -> None:
        self.name, self.key_words, self.rounds = f"led-{key}", key // 64, 32 if key == 64 else 48
        self.key_bits = key

    def schedule(self, K: Sequence[W]) -> Iterable[W]:
        """A key before every four rounds, and one after all of them."""
        return [K[i % len(K)] for i in range(self.rounds // 4 + 1)]

    def encrypt(self, S: Sequence[W], subkeys: Sequence[W]) -> Sequence[W]:
        x, rc = S[0], 0
        for i in range(self.rounds):
            x = x ^ subkeys[i // 4] if i % 4 == 0 else x
            rc = rc << 1 & 63 | (rc >> 5 ^ rc >> 4 ^ 1) & 1
            high, low = self.key_bits >> 4, self.key_bits & 15
            rows = zip((high, high ^ 1, low ^ 2, low ^ 3), (rc >> 3, rc & 7) * 2, strict=True)
            constant = sum(
                (first << 12 | second << 8) << 48 - 16 * row for row, (first, second) in enumerate(rows)
            )
            x = (x ^ constant).sub(SBOX).permute(SHIFT).mix(MIX).permute(ROWS)
        return [x if self.rounds % 4 else x ^ subkeys[-1]]
