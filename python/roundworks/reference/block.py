"""A block cipher as an object: its key schedule, and how a block is encrypted with the subkeys."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any, Generic, TypeVar

from ..errors import DescriptionError
from .word import IntWord, W, Word

Self = TypeVar("Self", bound="BlockCipher[Any]")
_SUBKEYS = 100_000
"""A schedule that yields more has a loop without an end."""


class BlockCipher(Generic[W]):
    """Base of every description of a block cipher, with a tweak or without.

    Subclasses set the sizes and write ``schedule`` and ``encrypt``, which both go by ``self.rounds``: an
    analysis of fewer or more rounds sets it.
    """

    name: str
    family: str = "user"
    words: int
    word_bits: int
    key_words: int
    key_word_bits: int = 0
    """As the word's, unless set."""
    tweak_words: int = 0
    tweak_word_bits: int = 0
    """As the word's, unless set."""
    rounds: int

    # -- the steps a description writes ------------------------------------------------------
    def schedule(self, K: Sequence[W]) -> Iterable[W]:
        """The subkeys, in the order in which ``encrypt`` has them. ``K`` is the key, and then the tweak."""
        raise NotImplementedError

    def encrypt(self, S: Sequence[W], subkeys: Sequence[W]) -> Sequence[W]:
        """The words of one block encrypted."""
        raise NotImplementedError

    # -- the same for all --------------------------------------------------------------------
    @property
    def key_widths(self) -> list[int]:
        """Bits of each word that ``schedule`` is given, those of the tweak last."""
        key, tweak = self.key_word_bits or self.word_bits, self.tweak_word_bits or self.word_bits
        return [key] * self.key_words + [tweak] * self.tweak_words

    def of_rounds(self: Self, rounds: int) -> Self:
        """The same cipher with another number of rounds."""
        if rounds < 1:
            raise DescriptionError(f"rounds: want at least 1, got {rounds}")
        other = copy.copy(self)
        other.rounds = rounds
        return other

    def length(self, rounds: int) -> str:
        """How many rounds are called."""
        return f"{rounds} rounds"

    def subkeys(self, K: Sequence[W]) -> list[W]:
        """The schedule, checked to be of words."""
        result = list(islice(self.schedule(K), _SUBKEYS + 1))
        if len(result) > _SUBKEYS:
            raise DescriptionError(
                f"{self.name}: schedule: more than {_SUBKEYS:,} subkeys; want as many as encrypt needs"
            )
        for i, word in enumerate(result):
            if not isinstance(word, Word):
                raise DescriptionError(
                    f"{self.name}: schedule: subkey {i}: want a word, got {type(word).__name__}"
                )
        return result

    def run(self, S: Sequence[W], subkeys: Sequence[W]) -> list[W]:
        """`encrypt`, checked to give as many words as it takes."""
        out = list(self.encrypt(S, subkeys))
        if len(out) != self.words:
            raise DescriptionError(f"{self.name}: encrypt: want {self.words} words, got {len(out)}")
        for word in out:
            if not isinstance(word, Word):
                raise DescriptionError(f"{self.name}: encrypt: want words, got {type(word).__name__}")
        return out

    def encrypt_block(self, key: int, block: int, tweak: int = 0) -> int:
        """One block as a number; word 0 of key, tweak and block is the most significant."""
        widths = self.key_widths
        K = words_of(key, widths[: self.key_words], "key")
        K += words_of(tweak, widths[self.key_words :], "tweak")
        S = words_of(block, [self.word_bits] * self.words, "block")
        result = 0
        for word in self.run(S, self.subkeys(K)):  # type: ignore[arg-type]
            result = result << word.bits | word.value  # type: ignore[attr-defined]
        return result


def words_of(value: int, widths: Sequence[int], what: str = "value") -> list[IntWord]:
    """A number as words of these widths, the first the most significant."""
    if not 0 <= value < 1 << sum(widths):
        raise ValueError(f"{what}: want {sum(widths)} bits, got {value.bit_length()}")
    words, left = [], sum(widths)
    for width in widths:
        left -= width
        words.append(IntWord(value >> left & (1 << width) - 1, width))
    return words
