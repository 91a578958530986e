"""Ascon-128a v1.2 [ASCON, section 2] and Ascon-AEAD128 [SP800-232, section 4].

Both are one sponge over one permutation of five 64-bit words. They differ in the order of the
bytes in a word, which moves the padding and the separator with it, and in the first word. A word
is kept as it stands in memory; a rotation is the permutation of its bits that this order makes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

from .. import spec
from .aead import Rounds, described
from .components import CellPermutation
from .permutation import Permutation
from .stream import State, StreamAead
from .word import W

IV = spec.cipher("ascon-128a").constants
ONES = (1 << 64) - 1
# p_L rotates word i to the right by both. [SP800-232, section 3.4]
ROTATIONS = ((19, 28), (61, 39), (1, 6), (10, 17), (7, 41))


def substitution(S: Sequence[W], constant: int) -> list[W]:
    """p_S . p_C, which is the same in either order of bytes. [SP800-232, section 3]"""
    x0, x1, x2, x3, x4 = S
    x2 = x2 ^ constant
    x0, x4, x2 = x0 ^ x4, x4 ^ x3, x2 ^ x1
    t0, t1, t2, t3, t4 = ((x ^ ONES) & y for x, y in ((x0, x1), (x1, x2), (x2, x3), (x3, x4), (x4, x0)))
    x0, x1, x2, x3, x4 = x0 ^ t1, x1 ^ t2, x2 ^ t3, x3 ^ t4, x4 ^ t0
    return [x0 ^ x4, x1 ^ x0, x2 ^ ONES, x3 ^ x2, x4]


class Sponge(StreamAead[W], Rounds[W]):
    """What the two have in common: 12 rounds at either end, 8 between blocks of 16 bytes."""

    word_bits = 64
    order: ClassVar[Literal["big", "little"]]
    iv: ClassVar[int]

    # -- the permutation ---------------------------------------------------------------------
    def word(self, number: int) -> int:
        """A word with this value, as it stands in memory."""
        return int.from_bytes(number.to_bytes(8, self.order), "big")

    def rotations(self) -> list[list[CellPermutation]]:
        """Rotations to the right as permutations of the bits in memory."""

        def place(bit: int) -> int:
            """Where bit 0 (of weight 1) to 63 of the value stands, counted from the left."""
            byte = bit // 8 if self.order == "little" else 7 - bit // 8
            return 8 * byte + 7 - bit % 8

        def right(n: int) -> CellPermutation:
            to = [0] * 64
            for bit in range(64):
                to[place(bit)] = place((bit - n) % 64)
            return CellPermutation(f">>> {n}", tuple(to), 1)

        key = f"_rotations_{self.order}"
        if key not in _MADE:
            _MADE[key] = [[right(n) for n in pair] for pair in ROTATIONS]
        return _MADE[key]

    def round(self, S: Sequence[W], K: Sequence[W | int], i: int) -> list[W]:
        """p_L . p_S . p_C, with the constant of round i of twelve. [SP800-232, section 3]"""
        words = substitution(S, self.word((15 - i) << 4 | i))
        return [x ^ x.permute(a) ^ x.permute(b) for x, (a, b) in zip(words, self.rotations(), strict=True)]

    def permute(self, S: State[W], rounds: int) -> State[W]:
        """The last ``rounds`` of the twelve."""
        for i in range(12 - rounds, 12):
            S = self.round(S, (), i)
        return S

    # -- the mode ----------------------------------------------------------------------------
    def load(self, K: Sequence[W], N: Sequence[W]) -> list[W | int]:
        return [self.word(self.iv), *K, *N]

    def init(self, S: State[W], K: Sequence[W], N: Sequence[W]) -> State[W]:
        S = self.permute(S, self.facts.init_rounds)
        return [*S[:3], S[3] ^ K[0], S[4] ^ K[1]]

    def last(self, S: State[W], X: Sequence[W | int]) -> State[W]:
        return [S[0] ^ X[0], S[1] ^ X[1], *S[2:]]

    def update(self, S: State[W], X: Sequence[W | int]) -> State[W]:
        return self.permute(Sponge.last(self, S, X), self.facts.rounds)

    def separate(self, S: State[W]) -> State[W]:
        """One bit, whether there was associated data or not: the last of the state."""
        return [*S[:4], S[4] ^ self.word(1 if self.order == "big" else 1 << 63)]

    def keystream(self, S: State[W]) -> list[W]:
        return S[:2]

    def finalise(self, S: State[W], K: Sequence[W], ad_bits: int, msg_bits: int) -> State[W]:
        S = self.permute([*S[:2], S[2] ^ K[0], S[3] ^ K[1], S[4]], self.facts.final_rounds)
        return [*S[:3], S[3] ^ K[0], S[4] ^ K[1]]

    def tag(self, S: State[W]) -> list[W]:
        return S[3:]

    def padding(self, length: int) -> bytes:
        """A bit 1 and zeros, always: a full last block gets a block more."""
        return (b"\x80" if self.order == "big" else b"\x01") + bytes(self.rate_bytes - length - 1)

    def ad_blocks(self, associated_data: bytes) -> list[bytes]:
        """None at all where there is no associated data."""
        return self.blocks(associated_data) if associated_data else []


_MADE: dict[str, list[list[CellPermutation]]] = {}


@described("ascon-128a")
class Ascon128a(Sponge[W]):
    """Ascon-128a v1.2, of the competition: bytes of a word from the highest."""

    order = "big"
    iv = IV["IV_128A"]


@described("ascon-aead128")
class AsconAead128(Sponge[W]):
    """Ascon-AEAD128, the standard: bytes of a word from the lowest."""

    order = "little"
    iv = IV["IV_AEAD128"]


class AsconP(Permutation[W]):
    """The twelve rounds of Ascon's permutation on numbers: five words of 64 bits. [SP800-232, section 3]"""

    name, family = "ascon-p", "ascon"
    words, word_bits, rounds = 5, 64, 12

    def round(self, S: Sequence[W], i: int) -> list[W]:
        x0, x1, x2, x3, x4 = substitution(S, (15 - i) << 4 | i)
        return [x ^ x.rotr(a) ^ x.rotr(b) for x, (a, b) in zip((x0, x1, x2, x3, x4), ROTATIONS, strict=True)]
