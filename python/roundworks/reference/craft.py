"""CRAFT: a tweakable block cipher whose round is an involution but for its constants. [CRAFT, section 2]"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .block import BlockCipher
from .components import CellPermutation, Matrix
from .midori import SB0
from .word import W

ROWS = CellPermutation("by columns", tuple(4 * (i % 4) + i // 4 for i in range(16)), 4)
MIX = Matrix("M", ((1, 0, 1, 1), (0, 1, 0, 1), (0, 0, 1, 0), (0, 0, 0, 1)), 4)
P = (15, 12, 13, 14, 10, 9, 8, 11, 6, 5, 4, 7, 1, 2, 3, 0)
PERMUTE_NIBBLES = CellPermutation("PermuteNibbles", P, 4)
_Q = (12, 10, 15, 5, 14, 8, 9, 2, 11, 3, 7, 4, 6, 0, 1, 13)  # the new cell i is the old Q[i]
Q = CellPermutation("Q", tuple(_Q.index(i) for i in range(16)), 4)


class Craft(BlockCipher[W]):
    """CRAFT: 64 bits, a key of two words, a tweak of one, 32 rounds; fewer are its first ones."""

    name = family = "craft"
    words, word_bits, key_words, tweak_words, rounds = 1, 64, 2, 1, 32

    def schedule(self, K: Sequence[W]) -> Iterable[W]:
        k0, k1, t = K
        tweakeys = k0 ^ t, k1 ^ t, k0 ^ t.permute(Q), k1 ^ t.permute(Q)
        return [tweakeys[i % 4] for i in range(self.rounds)]

    def encrypt(self, S: Sequence[W], subkeys: Sequence[W]) -> Sequence[W]:
        """The last of 32 rounds has neither PermuteNibbles nor the S-boxes."""
        x, a, b = S[0], 1, 1
        for i, k in enumerate(subkeys):
            x = x.permute(ROWS).mix(MIX).permute(ROWS) ^ a << 44 ^ b << 40 ^ k
            if i < Craft.rounds - 1:
                x = x.permute(PERMUTE_NIBBLES).sub(SB0)
            a, b = a >> 1 | (a ^ a >> 1) << 3 & 8, b >> 1 | (b ^ b >> 1) << 2 & 4
        return [x]
