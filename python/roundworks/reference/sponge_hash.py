"""A hash function that is a sponge over a permutation: blocks are added, then the digest is taken in parts.

A description names the permutation, the rate and the size of the digest. Each step has a default, which is
that of the plain sponge: the permutation runs before the first block, behind every block, and between two
parts of the digest. [DUPLEX]
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Generic, Literal

from .permutation import Permutation
from .stream import Place, State, places
from .word import IntWord, W


class SpongeHash(Generic[W]):
    """Base of every description of a hash function over a permutation.

    ``rate`` is in bits, and the digest is taken in parts of ``rate_out`` bits, which is the rate unless set.
    """

    name: ClassVar[str]
    family: ClassVar[str]
    permutation: ClassVar[Permutation[Any]]
    rate: ClassVar[int]
    rate_out: ClassVar[int | None] = None
    digest_bytes: ClassVar[int]
    order: ClassVar[Literal["big", "little"]] = "big"

    @property
    def rate_bytes(self) -> int:
        """Bytes of a block."""
        return self.rate // 8

    def numbers(self) -> Iterable[int]:
        """Which rounds of the permutation run: all of them."""
        return range(self.permutation.rounds)

    def permute(self, S: Sequence[W]) -> State[W]:
        """The permutation."""
        state = list(S)
        for i in self.numbers():
            state = self.permutation.round(state, i)
        return state

    def load(self) -> Sequence[int]:
        """The words that the state begins with."""
        return [0] * self.permutation.words

    def blocks(self, message: bytes) -> list[bytes]:
        """The message in blocks, padded by a bit 1 and zeros; there is always one."""
        mark = b"\x80" if self.order == "big" else b"\x01"
        data = message + mark + bytes(-(len(message) + 1) % self.rate_bytes)
        return [data[i : i + self.rate_bytes] for i in range(0, len(data), self.rate_bytes)]

    def init(self, S: State[W]) -> State[W]:
        """What is done to the loaded state before the first block."""
        return self.permute(S)

    def added(self, S: State[W], block: Sequence[W]) -> State[W]:
        """A block added to the first words."""
        return [*(s ^ x for s, x in zip(S, block, strict=False)), *S[len(block) :]]

    def absorb(self, S: State[W], block: Sequence[W], place: Place) -> State[W]:
        """A block, and what comes behind it."""
        return self.permute(self.added(S, block))

    def between(self, S: State[W]) -> State[W]:
        """Between two parts of the digest."""
        return self.permute(S)

    def out(self, S: State[W]) -> State[W]:
        """Before the first part of the digest."""
        return S

    def digest(self, message: bytes) -> bytes:
        """The hash of a message of any length."""
        bits, size = self.permutation.word_bits, self.permutation.word_bits // 8
        start: Any = [IntWord(word, bits) for word in self.load()]
        S: Any = self.init(start)
        blocks = self.blocks(message)
        order = places([len(block) for block in blocks], 0, len(message), message_block=True)
        for block, place in zip(blocks, order, strict=True):
            parts = (block[j : j + size] for j in range(0, len(block), size))
            words: Any = [IntWord(int.from_bytes(part, self.order), bits) for part in parts]
            S = self.absorb(S, words, place)
        S = self.out(S)
        digest = b""
        while True:
            taken = S[: (self.rate_out or self.rate) // bits]
            digest += b"".join(word.value.to_bytes(size, self.order) for word in taken)
            if len(digest) >= self.digest_bytes:
                return digest[: self.digest_bytes]
            S = self.between(S)
