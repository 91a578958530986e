"""AES-128-GCM and AES-256-GCM with a 12-byte nonce. [GCM, section 7] [FIPS197, section 5]"""

from __future__ import annotations

from collections.abc import Sequence

from .. import spec
from .aead import BlockAead, described
from .aes import SHIFT_ROWS, SUB_BYTES, aes_round
from .batch import permuted
from .word import IntWord, W

BLOCK = 16
REDUCTION = spec.cipher("aes-128-gcm").constants["REDUCTION"]


def round_keys(key: bytes) -> list[int]:
    """KeyExpansion. [FIPS197, section 5.2]"""
    size = len(key) // 4
    words = [int.from_bytes(key[4 * i : 4 * i + 4], "big") for i in range(size)]
    rcon = 1
    for i in range(size, 4 * (size + 7)):
        word = words[-1]
        if i % size == 0:
            rotated = (word << 8 | word >> 24) & 0xFFFFFFFF
            word = IntWord(rotated, 32).sub(SUB_BYTES).value ^ rcon << 24
            rcon = rcon << 1 ^ (0x11B if rcon >> 7 else 0)
        elif size > 6 and i % size == 4:
            word = IntWord(word, 32).sub(SUB_BYTES).value
        words.append(words[i - size] ^ word)
    return [
        words[i] << 96 | words[i + 1] << 64 | words[i + 2] << 32 | words[i + 3]
        for i in range(0, len(words), 4)
    ]


def times(x: int, h: int) -> int:
    """The product in GF(2^128), coefficient of x^0 leftmost. [GCM, section 6.3]"""
    product = 0
    for bit in range(127, -1, -1):
        if x >> bit & 1:
            product ^= h
        h = h >> 1 ^ (REDUCTION if h & 1 else 0)
    return product


class Gcm(BlockAead[W]):
    """What both key sizes share."""

    words, round_key_words = 1, 1

    def round(self, S: Sequence[W], K: Sequence[W | int], i: int) -> list[W]:
        """One of the rounds between the first key and the last: they are alike."""
        return [aes_round(S[0], K[0])]

    def cipher(self, keys: Sequence[int], blocks: Sequence[int]) -> list[int]:
        """AES on every block. [FIPS197, section 5.1]"""
        first, *inner, last = keys

        def encrypted(S: Sequence[W]) -> list[W]:
            S = [S[0] ^ first]
            for i, key in enumerate(inner):
                S = self.round(S, [key], i)
            return [S[0].sub(SUB_BYTES).permute(SHIFT_ROWS) ^ last]

        return permuted(self, encrypted, blocks, lambda: list(range(BLOCK)))

    def tag_and_stream(self, key: bytes, nonce: bytes, blocks: int) -> tuple[int, int, bytes]:
        """H, the mask of the tag and the keystream: AES of 0, of J0 and of the counters after."""
        J0 = int.from_bytes(nonce, "big") << 32 | 1
        counters = [J0 + i for i in range(blocks + 1)]
        H, mask, *stream = self.cipher(round_keys(key), [0, *counters])
        return H, mask, b"".join(map(_bytes, stream))

    def tag_of(self, H: int, mask: int, associated_data: bytes, ciphertext: bytes) -> bytes:
        """GHASH of both, padded with zeros, and of their lengths in bits."""
        lengths = 8 * len(associated_data) << 64 | 8 * len(ciphertext)
        total = 0
        for block in (*_blocks(associated_data), *_blocks(ciphertext), lengths):
            total = times(total ^ block, H)
        return _bytes(total ^ mask)

    def seal(self, key: bytes, nonce: bytes, data: bytes, associated_data: bytes) -> tuple[bytes, bytes]:
        H, mask, stream = self.tag_and_stream(key, nonce, -(-len(data) // BLOCK))
        ciphertext = bytes(a ^ b for a, b in zip(data, stream, strict=False))
        return ciphertext, self.tag_of(H, mask, associated_data, ciphertext)

    def open(
        self, key: bytes, nonce: bytes, ciphertext: bytes, tag: bytes, associated_data: bytes
    ) -> bytes | None:
        H, mask, stream = self.tag_and_stream(key, nonce, -(-len(ciphertext) // BLOCK))
        if tag != self.tag_of(H, mask, associated_data, ciphertext):
            return None
        return bytes(a ^ b for a, b in zip(ciphertext, stream, strict=False))


@described("aes-128-gcm")
class Aes128Gcm(Gcm[W]):
    """AES-128-GCM: 16-byte key, 12-byte nonce, 16-byte tag."""


@described("aes-256-gcm")
class Aes256Gcm(Gcm[W]):
    """AES-256-GCM: 32-byte key, 12-byte nonce, 16-byte tag."""


def _blocks(data: bytes) -> list[int]:
    """Padded with zeros to whole blocks."""
    return [
        int.from_bytes(data[i : i + BLOCK].ljust(BLOCK, b"\0"), "big") for i in range(0, len(data), BLOCK)
    ]


def _bytes(block: int) -> bytes:
    return block.to_bytes(BLOCK, "big")
