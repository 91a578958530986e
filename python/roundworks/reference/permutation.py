"""A permutation of a few words as an object: its round, and how often."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

from .. import spec
from ..errors import DescriptionError
from .word import IntWord, W, Word

Class = TypeVar("Class", bound="type[Permutation[Any]]")


class Permutation(Generic[W]):
    """Base of every description of a permutation. Subclasses set the sizes and write ``round``."""

    name: str
    family: str = "user"
    words: int
    word_bits: int = 128
    rounds: int

    def first(self, S: list[W]) -> list[W]:
        """Before round 0; nothing unless a permutation says so."""
        return S

    def round(self, S: Sequence[W], i: int) -> list[W]:
        """Round i, counted from 0."""
        raise NotImplementedError

    def last(self, S: Sequence[W], i: int) -> list[W]:
        """The last round; like the others unless a permutation does otherwise."""
        return self.round(S, i)

    def run(self, S: list[W], rounds: int | None = None) -> list[W]:
        """The permutation, or one of fewer or more rounds, on words."""
        count = self.rounds if rounds is None else rounds
        if count < 1:
            raise DescriptionError(f"rounds: want at least 1, got {count}")
        S = self._whole(self.first(S), "first")
        for i in range(count - 1):
            S = self._whole(self.round(S, i), "round")
        step = "round" if type(self).last is Permutation.last else "last"
        return self._whole(self.last(S, count - 1), step)

    def counted(self, rounds: int) -> float:
        """How many rounds n calls of a round are."""
        return rounds

    def length(self, rounds: int) -> str:
        """What n calls of a round are called."""
        return f"{self.counted(rounds)} rounds"

    @property
    def word_bytes(self) -> int:
        """Bytes of a word.

        Raises
        ------
        DescriptionError
            ``mine: word_bits: want a multiple of 8 for blocks of bytes, got 12``
        """
        if self.word_bits % 8:
            raise DescriptionError(
                f"{self.name}: word_bits: want a multiple of 8 for blocks of bytes, got {self.word_bits}"
            )
        return self.word_bits // 8

    def permute(self, block: bytes, rounds: int | None = None) -> bytes:
        """One block of bytes."""
        size = self.word_bytes
        if len(block) != size * self.words:
            raise ValueError(f"block: want {size * self.words} bytes, got {len(block)}")
        words = [
            IntWord(int.from_bytes(block[i : i + size], "big"), self.word_bits)
            for i in range(0, len(block), size)
        ]
        out = self.run(words, rounds)  # type: ignore[arg-type]
        return b"".join(w.value.to_bytes(size, "big") for w in out)  # type: ignore[attr-defined]

    def _whole(self, S: list[W], step: str) -> list[W]:
        if len(S) != self.words:
            raise DescriptionError(f"{self.name}: {step}: want {self.words} words, got {len(S)}")
        for word in S:
            if not isinstance(word, Word):
                raise DescriptionError(f"{self.name}: {step}: want words, got {type(word).__name__}")
        return list(S)


class HalfRounds(Permutation[W]):
    """Rounds of two AES rounds, of which the last may be half a one: 3.5."""

    half = False

    def __init__(self, rounds: float | None = None) -> None:
        if rounds is None:
            return
        if rounds < 0.5 or rounds * 2 % 1:
            raise DescriptionError(
                f"{self.name}: rounds: want a multiple of 0.5, at least 0.5, got {rounds:g}"
            )
        self.rounds, self.half = math.ceil(rounds), rounds % 1 != 0
        self.name = f"{self.name}:{rounds:g}"

    def counted(self, rounds: int) -> float:
        return rounds - 0.5 if self.half else rounds


def feed_forward(permutation: Permutation[Any], block: bytes) -> bytes:
    """32 bytes of P(block) ^ block: all of two words, half of each of four. [HARAKA, section 2.1]"""
    full = bytes(a ^ b for a, b in zip(permutation.permute(block), block, strict=True))
    return full if len(full) == 32 else full[8:16] + full[24:40] + full[48:56]


def described_permutation(name: str) -> Callable[[Class], Class]:
    """Take name, family and sizes of a description from spec/."""

    def fill(cls: Class) -> Class:
        facts = spec.permutation(name)
        cls.name, cls.family = facts.name, facts.family
        cls.words, cls.word_bits, cls.rounds = facts.words, 8 * facts.word_bytes, facts.rounds
        return cls

    return fill
