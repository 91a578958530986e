"""Pholkos-256 and Pholkos-512 [PHOLKOS, section 3], without tweak and key as the paper of the
Feistel family times them [AESNI-PERM, section 5.2], and with both.

The tweakable block cipher adds a round tweakey after every AES round. Bounds on active S-boxes do
not depend on it; the permutation adds the round constants alone.
"""

from __future__ import annotations

from collections.abc import Sequence

from .aes import aes, aes_last
from .columns import shuffled
from .haraka import round_constant
from .permutation import HalfRounds, described_permutation
from .word import IntWord, W

# Column j of the new words is column PI[j] of the old ones.
PI_256 = (0, 5, 2, 7, 4, 1, 6, 3)
PI_512 = (0, 5, 10, 15, 4, 9, 14, 3, 8, 13, 2, 7, 12, 1, 6, 11)

# Cell i of the next round's tweak is cell PI_TAU[i] of this one's.
PI_TAU = (11, 12, 1, 2, 15, 0, 5, 6, 3, 4, 9, 10, 7, 8, 13, 14)


class Pholkos(HalfRounds[W]):
    """A step, counted as a round, is two AES rounds and a shuffle."""

    pi: tuple[int, ...]
    tweakeys: Sequence[Sequence[int]] = ()

    def first(self, S: list[W]) -> list[W]:
        return self.keyed(S, 0)

    def keyed(self, S: Sequence[W], i: int) -> list[W]:
        """The round tweakey; without one the constant, in the first word."""
        if self.tweakeys:
            return [s ^ key for s, key in zip(S, self.tweakeys[i], strict=True)]
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


def keyed(key: bytes, tweak: bytes) -> Pholkos[IntWord]:
    """The block cipher under a key as long as a block and a tweak of 16 bytes."""
    sizes: dict[int, type[Pholkos[IntWord]]] = {32: Pholkos256, 64: Pholkos512}
    if len(key) not in sizes:
        raise ValueError(f"key: want 32 or 64 bytes, got {len(key)}")
    if len(tweak) != 16:
        raise ValueError(f"tweak: want 16 bytes, got {len(tweak)}")
    cipher = sizes[len(key)]()
    cipher.tweakeys = _tweakeys(key, tweak, cipher.pi, 2 * cipher.rounds + 1)
    return cipher


def _tweakeys(key: bytes, tweak: bytes, pi: Sequence[int], count: int) -> list[list[int]]:
    """RTK_i = K_i ^ (T_i, T_i, ...), with constant i in the first word."""
    results = []
    for i in range(count):
        words = [int.from_bytes(key[at : at + 16], "big") for at in range(0, len(key), 16)]
        tweakey = [word ^ int.from_bytes(tweak, "big") for word in words]
        tweakey[0] ^= round_constant(i)
        results.append(tweakey)
        key = b"".join(key[4 * source : 4 * source + 4] for source in pi)
        key = bytes(_doubled(key[at + cell]) for at in range(0, len(key), 16) for cell in PI_TAU)
        tweak = bytes(tweak[cell] for cell in PI_TAU)
    return results


def _doubled(byte: int) -> int:
    """Times 2 in the field of AES. [FIPS197, section 4.2]"""
    return byte << 1 if byte < 0x80 else (byte << 1) ^ 0x11B
