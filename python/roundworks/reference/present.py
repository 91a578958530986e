"""PRESENT's rounds, a known answer for the analyses. [PRESENT]

A word of 64 bits; PRESENT's bit 63 is our bit 0, the most significant one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .block import BlockCipher
from .components import CellPermutation, Sbox
from .permutation import Permutation
from .word import W, join

SBOX = Sbox("PRESENT", (12, 5, 6, 11, 9, 0, 10, 13, 3, 14, 15, 8, 4, 7, 1, 2))


def _moved(bit: int) -> int:
    """PRESENT's bit i moves to P(i) = 16 i mod 63, the last one stays. [PRESENT, section 3]"""
    return 63 if bit == 63 else 16 * bit % 63


P_LAYER = CellPermutation("pLayer", tuple(63 - _moved(63 - i) for i in range(64)), 1)


def round_keys(key: int, rounds: int = 31) -> list[int]:
    """K1 .. K(rounds + 1) of an 80-bit key. [PRESENT, section 3]"""
    keys = []
    for counter in range(1, rounds + 2):
        keys.append(key >> 16)
        key = (key << 61 | key >> 19) & (1 << 80) - 1
        key = SBOX.table[key >> 76] << 76 | key & (1 << 76) - 1
        key ^= counter << 15
    return keys


class Present(Permutation[W]):
    """pLayer . sBoxLayer . addRoundKey, 31 times; the last round key is XORed by who calls.

    Without ``keys`` it is the unkeyed permutation; trails and division vectors do not see them.
    """

    name = "present"
    words, word_bits, rounds = 1, 64, 31

    def __init__(self, keys: Sequence[int] = ()) -> None:
        self.keys = keys

    def round(self, S: Sequence[W], i: int) -> list[W]:
        keyed = S[0] ^ self.keys[i] if self.keys else S[0]
        return [keyed.sub(SBOX).permute(P_LAYER)]


class PresentCipher(BlockCipher[W]):
    """PRESENT with its key schedule, of a key of 80 or of 128 bits."""

    family = "present"
    words, word_bits, key_words, rounds = 1, 64, 1, 31

    def __init__(self, key: int = 80) -> None:
        self.name, self.key_word_bits = f"present-{key}", key

    def schedule(self, K: Sequence[W]) -> Iterable[W]:
        """The highest 64 bits; then 61 bits to the left, one or two S-boxes, a counter. [PRESENT, section 3]"""
        key, boxes = K[0], 4 if self.key_word_bits == 80 else 8
        yield key.cut(0, 64)
        for counter in range(1, self.rounds + 1):
            key = key.rotl(61)
            key = join([key.cut(0, boxes).sub(SBOX), key.cut(boxes, key.bits - boxes)])
            key = key ^ counter << (15 if boxes == 4 else 62)
            yield key.cut(0, 64)

    def encrypt(self, S: Sequence[W], subkeys: Sequence[W]) -> Sequence[W]:
        *middle, last = subkeys
        x = S[0]
        for k in middle:
            x = (x ^ k).sub(SBOX).permute(P_LAYER)
        return [x ^ last]
