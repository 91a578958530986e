"""Simeck: Simon's round with other rotations, and again in the key schedule. [SIMECK, section 2]"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .block import BlockCipher
from .word import W

# Bits of the block: rounds, and the sequence of bits from the lowest on.
SIZES = {32: (32, 0x9A42BB1F), 48: (36, 0x9A42BB1F), 64: (44, 0x938BCA3083F)}
PERIOD = {32: 31, 48: 31, 64: 63}


class Simeck(BlockCipher[W]):
    """Simeck of two words; the key is the words t2, t1, t0, k0."""

    family = "simeck"
    words, key_words = 2, 4

    def __init__(self, block: int = 32) -> None:
        self.name, self.word_bits = f"simeck-{block}-{2 * block}", block // 2
        self.rounds, self.sequence = SIZES[block]
        self.period = PERIOD[block]

    def round(self, x: W, y: W, k: W | int) -> tuple[W, W]:
        """One round of two words under a key."""
        return y ^ (x & x.rotl(5)) ^ x.rotl(1) ^ k, x

    def schedule(self, K: Sequence[W]) -> Iterable[W]:
        t2, t1, t0, k = K
        for i in range(self.rounds):
            yield k
            constant = (1 << self.word_bits) - 4 | self.sequence >> i % self.period & 1
            after, k = self.round(t0, k, constant)
            t0, t1, t2 = t1, t2, after

    def encrypt(self, S: Sequence[W], subkeys: Sequence[W]) -> Sequence[W]:
        x, y = S
        for k in subkeys:
            x, y = self.round(x, y, k)
        return [x, y]
