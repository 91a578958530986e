"""Ascon-128a v1.2 [ASCON, section 2], Ascon-AEAD128 and Ascon-Hash256 [SP800-232, sections 4 and 5].

Both AEADs are one sponge over one permutation of five 64-bit words. They differ in the order of the
bytes in a word, which moves the padding with it, in the separator and in the first word.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from .. import spec
from .aead import described
from .permutation import Permutation
from .sponge import Sponge
from .sponge_hash import SpongeHash
from .stream import State
from .word import W

IV = spec.cipher("ascon-128a").constants
ONES = (1 << 64) - 1
# p_L rotates word i to the right by both. [SP800-232, section 3.4]
ROTATIONS = ((19, 28), (61, 39), (1, 6), (10, 17), (7, 41))


def substitution(S: Sequence[W], constant: int) -> list[W]:
    """p_S . p_C. [SP800-232, section 3]"""
    x0, x1, x2, x3, x4 = S
    x2 = x2 ^ constant
    x0, x4, x2 = x0 ^ x4, x4 ^ x3, x2 ^ x1
    t0, t1, t2, t3, t4 = ((x ^ ONES) & y for x, y in ((x0, x1), (x1, x2), (x2, x3), (x3, x4), (x4, x0)))
    x0, x1, x2, x3, x4 = x0 ^ t1, x1 ^ t2, x2 ^ t3, x3 ^ t4, x4 ^ t0
    return [x0 ^ x4, x1 ^ x0, x2 ^ ONES, x3 ^ x2, x4]


class AsconP(Permutation[W]):
    """The twelve rounds of Ascon's permutation on numbers: five words of 64 bits. [SP800-232, section 3]"""

    name, family = "ascon-p", "ascon"
    words, word_bits, rounds = 5, 64, 12

    def round(self, S: Sequence[W], i: int) -> list[W]:
        x0, x1, x2, x3, x4 = substitution(S, (15 - i) << 4 | i)
        return [x ^ x.rotr(a) ^ x.rotr(b) for x, (a, b) in zip((x0, x1, x2, x3, x4), ROTATIONS, strict=True)]


class Ascon(Sponge[W]):
    """What the two have in common: 12 rounds at either end, 8 between blocks of 16 bytes."""

    permutation, rate, rounds = AsconP(), 128, 8
    iv: ClassVar[int]

    def numbers(self, rounds: int) -> range:
        """The last ones of the twelve."""
        return range(12 - rounds, 12)

    def load(self, K: Sequence[W], N: Sequence[W]) -> list[W | int]:
        return [self.iv, *K, *N]

    def init(self, S: State[W], K: Sequence[W], N: Sequence[W]) -> State[W]:
        S = super().init(S, K, N)
        return [*S[:3], S[3] ^ K[0], S[4] ^ K[1]]

    def finalise(self, S: State[W], K: Sequence[W], ad_bits: int, msg_bits: int) -> State[W]:
        S = super().finalise([*S[:2], S[2] ^ K[0], S[3] ^ K[1], S[4]], K, ad_bits, msg_bits)
        return [*S[:3], S[3] ^ K[0], S[4] ^ K[1]]

    def tag(self, S: State[W]) -> list[W]:
        return S[3:]


@described("ascon-128a")
class Ascon128a(Ascon[W]):
    """Ascon-128a v1.2, of the competition: bytes of a word from the highest."""

    iv = IV["IV_128A"]


@described("ascon-aead128")
class AsconAead128(Ascon[W]):
    """Ascon-AEAD128, the standard: bytes of a word from the lowest."""

    order = "little"
    iv = IV["IV_AEAD128"]
    separator = 1 << 63


class AsconHash256(SpongeHash[W]):
    """Ascon-Hash256: 12 rounds each time, blocks of 8 bytes, a digest of 32. [SP800-232, section 5.1]"""

    name, family = "ascon-hash256", "ascon"
    permutation, rate, digest_bytes, order = AsconP(), 64, 32, "little"

    def load(self) -> list[int]:
        return [0x0000080100CC0002, 0, 0, 0, 0]
