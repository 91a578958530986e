"""Haraka v2 on two and on four words [HARAKA, section 2], as permutations and as hash functions.

A round is two AES rounds on every word and a shuffle of 32-bit columns between the words. The
paper of the Feistel family times 3.5 and 4.5 rounds: the last has one AES round, without
MixColumns, and no shuffle. [AESNI-PERM, section 5.2]
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from . import pi
from .aes import aes_last
from .aes import aes_round as R
from .columns import shuffled
from .permutation import HalfRounds, described_permutation, feed_forward
from .word import W

# Column j of the new words is column MIX[j] of the old ones.
MIX_2 = (0, 4, 1, 5, 2, 6, 3, 7)
MIX_4 = (3, 11, 7, 15, 8, 0, 12, 4, 9, 1, 13, 5, 2, 10, 6, 14)


_PREPARED = 40  # as many as the paper prints


@cache
def _constants(count: int) -> list[int]:
    # Bit i of all of them, least significant first, is the parity of decimal i of pi.
    bits = pi.parities(128 * count)
    numbers = [sum(bits[128 * n + i] << i for i in range(128)) for n in range(count)]
    return [int.from_bytes(n.to_bytes(16, "little"), "big") for n in numbers]


def round_constant(i: int) -> int:
    """RC[i] as the word whose bytes are those in memory; there is no last one."""
    return _constants(_PREPARED * (i // _PREPARED + 1))[i]


class Haraka(HalfRounds[W]):
    """The round of both sizes."""

    mix: tuple[int, ...]

    def round(self, S: Sequence[W], i: int) -> list[W]:
        b = self.words
        for half in range(2):
            first = (2 * i + half) * b
            S = [R(s, round_constant(first + j)) for j, s in enumerate(S)]
        return shuffled(S, self.mix)

    def last(self, S: Sequence[W], i: int) -> list[W]:
        if not self.half:
            return self.round(S, i)
        return [aes_last(s) ^ round_constant(2 * i * self.words + j) for j, s in enumerate(S)]


@described_permutation("haraka-256")
class Haraka256(Haraka[W]):
    """Five rounds on two words."""

    mix = MIX_2


@described_permutation("haraka-512")
class Haraka512(Haraka[W]):
    """Five rounds on four words."""

    mix = MIX_4


def haraka_256(block: bytes) -> bytes:
    """The hash of 32 bytes: permutation and feed-forward. [HARAKA, section 2.1]"""
    return feed_forward(Haraka256(), block)


def haraka_512(block: bytes) -> bytes:
    """The hash of 64 bytes: feed-forward, and half of each word kept."""
    return feed_forward(Haraka512(), block)
