"""Areion-256 and Areion-512 [AREION, section 3]: a member of the Feistel family each, but for the
last swap and for words kept in place; and the hash functions made of them. [AREION-CODE]

The words of pi that are its constants serve the whole family (``feistel.py``).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from . import pi
from .aes import aes, aes_back, aes_last, aes_last_back
from .aes import aes_round as R
from .permutation import Permutation, described_permutation, feed_forward
from .word import W

_PREPARED = 64


@cache
def _constants(count: int) -> list[int]:
    # The authors' table lacks the zero digit that RC_7 (and RC_22) of pi begins with: the others
    # move up and a zero follows. Bytes in memory are the digits backwards.
    digits = (f"{word:x}".ljust(32, "0") for word in pi.words(count, 128))
    return [int.from_bytes(bytes.fromhex(d)[::-1], "big") for d in digits]


def round_constant(i: int) -> int:
    """RC_i as the word whose bytes are those in memory; there is no last one."""
    return _constants(_PREPARED * (i // _PREPARED + 1))[i]


@described_permutation("areion-256")
class Areion256(Permutation[W]):
    """Ten rounds on two words."""

    def round(self, S: Sequence[W], i: int) -> list[W]:
        # In place and with the roles alternating, as its authors have it.
        a, b = i % 2, 1 - i % 2
        out = list(S)
        out[b] = R(R(S[a], round_constant(i)), S[b])
        out[a] = aes_last(S[a])
        return out

    def round_back(self, S: Sequence[W], i: int) -> list[W]:
        """The inverse of round i."""
        a, b = i % 2, 1 - i % 2
        out = list(S)
        out[a] = aes_last_back(S[a])
        out[b] = R(R(out[a], round_constant(i)), S[b])
        return out


@described_permutation("areion-512")
class Areion512(Permutation[W]):
    """Fifteen rounds on four words."""

    def round(self, S: Sequence[W], i: int) -> list[W]:
        x0, x1, x2, x3 = S
        x1, x3 = R(x0, x1), R(x2, x3)
        x0, x2 = aes_last(x0), aes(aes_last(x2) ^ round_constant(i))
        return [x1, x2, x3, x0]

    def round_back(self, S: Sequence[W], i: int) -> list[W]:
        """The inverse of round i."""
        x1, x2, x3, x0 = S
        x0, x2 = aes_last_back(x0), aes_last_back(aes_back(x2) ^ round_constant(i))
        return [x0, R(x0, x1), x2, R(x2, x3)]


def areion_256_dm(block: bytes) -> bytes:
    """The hash of 32 bytes, by Davies and Meyer. [AREION-CODE]"""
    return feed_forward(Areion256(), block)


def areion_512_dm(block: bytes) -> bytes:
    """The hash of 64 bytes, of which half of each word is kept."""
    return feed_forward(Areion512(), block)


def areion_512_md(message: bytes) -> bytes:
    """The hash of a message, by Merkle and Damgard, from the initial value of SHA-256.

    Behind it stand 80 (hexadecimal), zeros and its length in 32 bits: whole blocks of 32 bytes.
    """
    if len(message) >= 1 << 29:
        raise ValueError(f"message: want at most {(1 << 29) - 1} bytes, got {len(message)}")
    zeros = bytes(-(len(message) + 5) % 32)
    padded = message + b"\x80" + zeros + (8 * len(message)).to_bytes(4, "big")
    value = bytes.fromhex("6a09e667bb67ae853c6ef372a54ff53a510e527f9b05688c1f83d9ab5be0cd19")
    for i in range(0, len(padded), 32):
        value = areion_512_dm(padded[i : i + 32] + value)
    return value
