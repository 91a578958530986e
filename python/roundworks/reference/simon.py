"""Simon: AND, rotation and XOR on two words. [SIMON-SPECK, section 3]"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .block import BlockCipher
from .word import W

Z = (
    "11111010001001010110000111001101111101000100101011000011100110",
    "10001110111110010011000010110101000111011111001001100001011010",
    "10101111011100000011010010011000101000010001111110010110110011",
    "11011011101011000110010111100000010010001010011100110100001111",
    "11010001111001101011011000100000010111000011001010010011101111",
)
# (bits of the block, of the key): which z, rounds
SIZES = {
    (32, 64): (0, 32),
    (48, 72): (0, 36),
    (48, 96): (1, 36),
    (64, 96): (2, 42),
    (64, 128): (3, 44),
    (96, 96): (2, 52),
    (96, 144): (3, 54),
    (128, 128): (2, 68),
    (128, 192): (3, 69),
    (128, 256): (4, 72),
}


class Simon(BlockCipher[W]):
    """Simon of two words x, y; the key is the words k(m-1), .., k0."""

    family = "simon"
    words = 2

    def __init__(self, block: int = 32, key: int = 64) -> None:
        self.z, self.rounds = SIZES[block, key]
        self.name = f"simon-{block}-{key}"
        self.word_bits, self.key_words = block // 2, 2 * key // block

    def schedule(self, K: Sequence[W]) -> Iterable[W]:
        k, m = list(reversed(K)), self.key_words
        for i in range(self.rounds):
            yield k[i]
            t = k[i + m - 1].rotr(3)
            if m == 4:
                t = t ^ k[i + 1]
            t = t ^ t.rotr(1)
            k.append(~k[i] ^ t ^ int(Z[self.z][i % 62]) ^ 3)

    def encrypt(self, S: Sequence[W], subkeys: Sequence[W]) -> Sequence[W]:
        x, y = S
        for k in subkeys:
            x, y = y ^ (x.rotl(1) & x.rotl(8)) ^ x.rotl(2) ^ k, x
        return [x, y]
