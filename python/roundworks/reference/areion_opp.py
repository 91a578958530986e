"""Areion256-OPP and Areion512-OPP: the mode OPP over Areion. [OPP, table 1] [AREION-CODE]

Blocks and masks are integers, byte 0 of a block the lowest: word x_i of 64 bits is bits 64i and on.
P is the permutation, La and Le are the masks of associated data and message, phi their step.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from functools import reduce
from operator import xor
from typing import Any, ClassVar

from .aead import BlockAead, described, joined, number, xored
from .areion import Areion256, Areion512
from .batch import permuted
from .word import W

WORD = 64


class Opp(BlockAead[W]):
    """What both sizes share: a block x is enciphered as m ^ P(m ^ x), with a mask m of its own."""

    permutation: ClassVar[Areion256[Any] | Areion512[Any]]

    # -- the permutation ---------------------------------------------------------------------
    def round(self, S: Sequence[W], K: Sequence[W | int], i: int) -> list[W]:
        return self.permutation.round(S, i)

    def permute(self, S: Sequence[W]) -> list[W]:
        """The permutation, all rounds."""
        for i in range(self.rounds):
            S = self.round(S, (), i)
        return list(S)

    def permute_back(self, S: Sequence[W]) -> list[W]:
        """The inverse of the permutation."""
        for i in reversed(range(self.rounds)):
            S = self.permutation.round_back(S, i)
        return list(S)

    def P(self, blocks: Sequence[int], *, back: bool = False) -> list[int]:
        """P or its inverse on every block: one by one on integers, many on numpy words."""
        step = self.permute_back if back else self.permute
        return permuted(self, step, blocks, lambda: list(range(self.rate_bytes))[::-1])

    # -- masks -------------------------------------------------------------------------------
    def mask(self, key: bytes, nonce: bytes) -> int:
        """La = P(nonce || 0 || key)."""
        return self.P([_number(nonce + bytes(self.rate_bytes - 32) + key)])[0]

    @abstractmethod
    def new_word(self, L: int) -> int:
        """The word that phi appends."""

    def phi(self, L: int) -> int:
        """alpha: word 0 leaves, a new one comes last."""
        return L >> WORD | self.new_word(L) << 8 * self.rate_bytes - WORD

    def beta(self, L: int) -> int:
        """phi + 1."""
        return self.phi(L) ^ L

    def gamma(self, L: int) -> int:
        """phi^2 + phi + 1."""
        return self.phi(self.phi(L)) ^ self.phi(L) ^ L

    def masks(self, L: int, size: int) -> tuple[list[int], int]:
        """One for every block of that many bytes, and the one behind them.

        An incomplete block has beta of its mask, and that is also the one behind it.
        """
        results = []
        for _ in range(size // self.rate_bytes):
            results.append(L)
            L = self.phi(L)
        if size % self.rate_bytes:
            results.append(L := self.beta(L))
        return results, L

    # -- the mode ----------------------------------------------------------------------------
    def masked(self, masks: Sequence[int], blocks: Sequence[int], back: bool = False) -> list[int]:
        """m ^ P(m ^ x), or m ^ P^-1(m ^ x), of every block."""
        inner = self.P([m ^ x for m, x in zip(masks, blocks, strict=True)], back=back)
        return [m ^ y for m, y in zip(masks, inner, strict=True)]

    def absorbed(self, La: int, associated_data: bytes) -> int:
        """The sum of the images of its blocks."""
        masks, _ = self.masks(La, len(associated_data))
        return reduce(xor, self.masked(masks, self.blocks(associated_data)), 0)

    def crypt(self, Le: int, data: bytes, back: bool = False) -> tuple[bytes, int]:
        """What a message becomes, or a ciphertext, and the mask behind its blocks.

        An incomplete block is XORed with the image of zero.
        """
        masks, behind = self.masks(Le, len(data))
        whole = len(data) // self.rate_bytes
        cut = whole * self.rate_bytes
        out = self.masked(masks[:whole], self.blocks(data[:cut]), back)
        stream = self.masked(masks[whole:], [0] * len(masks[whole:]))
        rest = xored(data[cut:], joined(map(self.bytes_of, stream)))
        return joined(map(self.bytes_of, out)) + rest, behind

    def tag_of(self, La: int, behind: int, data: bytes, associated_data: bytes) -> bytes:
        """Of the sum of the message's blocks, under beta twice of the mask behind them."""
        total = reduce(xor, self.blocks(data), 0)
        (image,) = self.masked([self.beta(self.beta(behind))], [total])
        return self.bytes_of(image ^ self.absorbed(La, associated_data))[: self.tag_bytes]

    def seal(self, key: bytes, nonce: bytes, data: bytes, associated_data: bytes) -> tuple[bytes, bytes]:
        La = self.mask(key, nonce)
        ciphertext, behind = self.crypt(self.gamma(La), data)
        return ciphertext, self.tag_of(La, behind, data, associated_data)

    def open(
        self, key: bytes, nonce: bytes, ciphertext: bytes, tag: bytes, associated_data: bytes
    ) -> bytes | None:
        La = self.mask(key, nonce)
        data, behind = self.crypt(self.gamma(La), ciphertext, back=True)
        return data if tag == self.tag_of(La, behind, data, associated_data) else None

    def blocks(self, data: bytes) -> list[int]:
        """An incomplete last one is padded with 01 and zeros."""
        size = self.rate_bytes
        padded = data + b"\x01" if len(data) % size else data
        return [_number(padded[i : i + size]) for i in range(0, len(data), size)]

    def bytes_of(self, block: int) -> bytes:
        """A block as bytes, byte 0 the lowest."""
        return block.to_bytes(self.rate_bytes, "little")


@described("areion-256-opp")
class Areion256Opp(Opp[W]):
    """OPP over Areion-256: key, nonce and tag of 16 bytes, blocks of 32."""

    words = 2
    permutation = Areion256()

    def new_word(self, L: int) -> int:
        """(x0 <<< 3) ^ (x3 >> 5)."""
        return _rotated(L, 3) ^ L >> 3 * WORD + 5


@described("areion-512-opp")
class Areion512Opp(Opp[W]):
    """OPP over Areion-512: key, nonce and tag of 16 bytes, blocks of 64."""

    words = 4
    permutation = Areion512()

    def new_word(self, L: int) -> int:
        """(x0 <<< 29) ^ (x1 << 9)."""
        return _rotated(L, 29) ^ ((L >> WORD) << 9) % (1 << WORD)


def _rotated(L: int, bits: int) -> int:
    """x0 <<< bits."""
    x0 = L % (1 << WORD)
    return (x0 << bits) % (1 << WORD) | x0 >> WORD - bits


def _number(block: bytes) -> int:
    return number(block, "little")  # type: ignore[no-any-return]
