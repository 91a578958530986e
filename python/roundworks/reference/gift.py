"""GIFT-64 and GIFT-128. [GIFT, section 2]"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .block import BlockCipher
from .components import CellPermutation, Sbox
from .word import W, join

GS = Sbox("GS", (1, 10, 4, 12, 6, 15, 3, 9, 2, 13, 11, 7, 5, 0, 8, 14))


def _bits(name: str, to: list[int]) -> CellPermutation:
    """Bit i, of weight 2^i, to ``to[i]``."""
    last = len(to) - 1
    return CellPermutation(name, tuple(last - to[last - i] for i in range(last + 1)), 1)


class Gift(BlockCipher[W]):
    """GIFT of 28 or 40 rounds; the key is the words k7, .., k0 of 16 bits."""

    family = "gift"
    words, key_words, key_word_bits = 1, 8, 16

    def __init__(self, block: int = 64) -> None:
        self.name, self.word_bits, self.rounds = f"gift-{block}", block, 28 if block == 64 else 40
        q, n = block // 4, block
        moved = [4 * (i // 16) + q * ((3 * (i % 16 // 4) + i % 4) % 4) + i % 4 for i in range(n)]
        self.bits = _bits(f"P{n}", moved)
        # V, U and two words of zeros, the lowest first: bit i of each belongs to nibble i.
        places = (0, 1, 2, 3) if n == 64 else (1, 2, 0, 3)
        self.spread = _bits("one bit a nibble", [4 * (i % q) + places[i // q] for i in range(n)])

    def schedule(self, K: Sequence[W]) -> Iterable[W]:
        """U || V spread over the block."""
        k = list(K)
        for _ in range(self.rounds):
            half = k[6:] if self.word_bits == 64 else [*k[2:4], *k[6:]]
            zero = K[0].like(0)
            yield join([*[zero] * len(half), *half]).permute(self.spread)
            k = [k[6].rotr(2), k[7].rotr(12), *k[:6]]

    def encrypt(self, S: Sequence[W], subkeys: Sequence[W]) -> Sequence[W]:
        x, c = S[0], 0
        for k in subkeys:
            c = c << 1 & 63 | (c >> 5 ^ c >> 4 ^ 1) & 1
            constant = 1 << self.word_bits - 1 | sum((c >> i & 1) << 4 * i + 3 for i in range(6))
            x = x.sub(GS).permute(self.bits) ^ k ^ constant
        return [x]
