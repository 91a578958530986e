"""Pholkos-256 and Pholkos-512 without tweak and key [PHOLKOS, section 3], as the paper of the
Feistel family times them. [AESNI-PERM, section 5.2]

The tweakable block cipher adds a round tweakey after every AES round. Its bounds on active S-boxes
do not depend on that, and here only the round constants are added.
"""

from __future__ import annotations

from collections.abc import Sequence

from .aes import aes, aes_last
from .columns import shuffled
from .haraka import round_constant
from .permutation import HalfRounds, described_permutation
from .word import W

# Column j of the new words is column PI[j] of the old ones.
PI_256 = (0, 5, 2, 7, 4, 1, 6, 3)
PI_512 = (0, 5, 10, 15, 4, 9, 14, 3, 8, 13, 2, 7, 12, 1, 6, 11)


class Pholkos(HalfRounds[W]):
    """A step, counted as a round, is two AES rounds and a shuffle."""

    pi: tuple[int, ...]

    def first(self, S: list[W]) -> list[W]:
        return self.keyed(S, 0)

    def keyed(self, S: Sequence[W], i: int) -> list[W]:
        """What stands where a round tweakey is added: the constant, in the first word."""
        return [S[0] ^ round_constant(i), *S[1:]]

    def round(self, S: Sequence[W], i: int) -> list[W]:
        for half in range(2):
            S = self.keyed([aes(s) for s in S], 2 * i + half + 1)
        return shuffled(S, self.pi)

    def last(self, S: Sequence[W], i: int) -> list[W]:
        """No shuffle, and the last AES round has no MixColumns."""
        if not self.half:
            S = self.keyed([aes(s) for s in S], 2 * i + 1)
        return self.keyed([aes_last(s) for s in S], 2 * i + 2 - self.half)


@described_permutation("pholkos-256")
class Pholkos256(Pholkos[W]):
    """Eight steps on two words."""

    pi = PI_256


@described_permutation("pholkos-512")
class Pholkos512(Pholkos[W]):
    """Ten steps on four words."""

    pi = PI_512
