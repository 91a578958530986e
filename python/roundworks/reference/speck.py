"""Speck: addition, rotation and XOR on two words. [SIMON-SPECK, section 4]"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .block import BlockCipher
from .word import W

# (bits of the block, of the key): rounds
ROUNDS = {
    (32, 64): 22,
    (48, 72): 22,
    (48, 96): 23,
    (64, 96): 26,
    (64, 128): 27,
    (96, 96): 28,
    (96, 144): 29,
    (128, 128): 32,
    (128, 192): 33,
    (128, 256): 34,
}


class Speck(BlockCipher[W]):
    """Speck of two words x, y; the key is the words l(m-2), .., l0, k0."""

    family = "speck"
    words = 2

    def __init__(self, block: int = 32, key: int = 64) -> None:
        self.name, self.rounds = f"speck-{block}-{key}", ROUNDS[block, key]
        self.word_bits, self.key_words = block // 2, 2 * key // block
        self.alpha, self.beta = (7, 2) if block == 32 else (8, 3)

    def round(self, x: W, y: W, k: W | int) -> tuple[W, W]:
        """R_k(x, y)."""
        x = (x.rotr(self.alpha) + y) ^ k
        return x, y.rotl(self.beta) ^ x

    def schedule(self, K: Sequence[W]) -> Iterable[W]:
        """The round itself on l and k, with the counter for a key."""
        *rest, k = K
        upcoming = rest[::-1]
        for i in range(self.rounds):
            yield k
            after, k = self.round(upcoming[i], k, i)
            upcoming.append(after)

    def encrypt(self, S: Sequence[W], subkeys: Sequence[W]) -> Sequence[W]:
        x, y = S
        for k in subkeys:
            x, y = self.round(x, y, k)
        return [x, y]
