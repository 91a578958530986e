"""An AEAD that is a sponge over a permutation: rate, capacity, rounds, and what separates its inputs.

A description names the permutation and the rate and writes ``load``. Each step has a default, which is that of
the plain duplex: a block is XORed to the first words, then the permutation runs. [DUPLEX]
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

from ..errors import DescriptionError
from .aead import Rounds
from .permutation import Permutation
from .stream import State, StreamAead
from .word import W


class Sponge(StreamAead[W], Rounds[W]):
    """Base of every description of a sponge. Subclasses set the sizes and write ``load``.

    ``rate`` is in bits. The permutation has ``init_rounds`` at the beginning, ``final_rounds`` before the tag
    and ``rounds`` between two blocks: its own number unless set.
    """

    permutation: ClassVar[Permutation[Any]]
    rate: ClassVar[int]
    init_rounds: ClassVar[int]
    rounds: ClassVar[int]
    final_rounds: ClassVar[int]
    permutes_first: ClassVar[bool] = False
    """The permutation runs before a block is XORed, not behind it."""
    separator: ClassVar[int] = 1
    """What is XORed to the last word between associated data and message; 0 for nothing."""

    def __init_subclass__(cls) -> None:
        """Sizes in words, which follow from the permutation and the rate."""
        super().__init_subclass__()
        inner = getattr(cls, "permutation", None)
        if inner is None or not hasattr(cls, "rate"):
            return
        _check(cls, inner)
        cls.words, cls.word_bits, cls.rate_words = inner.words, inner.word_bits, cls.rate // inner.word_bits
        for name in ("init_rounds", "rounds", "final_rounds"):
            if not hasattr(cls, name):
                setattr(cls, name, inner.rounds)

    @property
    def capacity(self) -> int:
        """Bits of the state that no block is XORed to."""
        return self.word_bits * self.words - self.rate

    # -- the permutation ---------------------------------------------------------------------
    def round(self, S: Sequence[W], K: Sequence[W | int], i: int) -> list[W]:
        return self.permutation.round(list(S), i)

    def numbers(self, rounds: int) -> Iterable[int]:
        """Which rounds these are, by their numbers: the first ones, unless a cipher says otherwise."""
        return range(rounds)

    def permute(self, S: State[W], rounds: int) -> State[W]:
        """The permutation, with that many rounds."""
        for i in self.numbers(rounds):
            S = self.round(S, (), i)
        return S

    # -- the steps ---------------------------------------------------------------------------
    def init(self, S: State[W], K: Sequence[W], N: Sequence[W]) -> State[W]:
        """The permutation; before the first block there is none where it runs before each."""
        return S if self.permutes_first else self.permute(S, self.init_rounds)

    def added(self, S: State[W], X: Sequence[W | int]) -> State[W]:
        """A block XORed to the first words."""
        return [*(s ^ x for s, x in zip(S, X, strict=False)), *S[len(X) :]]

    def update(self, S: State[W], X: Sequence[W | int]) -> State[W]:
        if self.permutes_first:
            return self.added(self.permute(S, self.rounds), X)
        return self.permute(self.added(S, X), self.rounds)

    def last(self, S: State[W], X: Sequence[W | int]) -> State[W]:
        """The last block of message, behind which ``finalise`` permutes."""
        return self.update(S, X) if self.permutes_first else self.added(S, X)

    def separate(self, S: State[W]) -> State[W]:
        return [*S[:-1], S[-1] ^ self.separator] if self.separator else S

    def keystream(self, S: State[W]) -> list[W]:
        S = self.permute(S, self.rounds) if self.permutes_first else S
        return S[: self.rate_words]

    def finalise(self, S: State[W], K: Sequence[W], ad_bits: int, msg_bits: int) -> State[W]:
        return self.permute(S, self.final_rounds)

    def tag(self, S: State[W]) -> list[W]:
        """The first words of the state."""
        return S[: -(-self.tag_bytes // self.word_bytes)]

    def padding(self, length: int) -> bytes:
        """A bit 1 and zeros: a full last block gets a block more."""
        return (b"\x80" if self.order == "big" else b"\x01") + bytes(self.rate_bytes - length - 1)

    def ad_blocks(self, associated_data: bytes) -> list[bytes]:
        """None at all where there is no associated data."""
        return self.blocks(associated_data) if associated_data else []


def _check(cls: type[Sponge[Any]], it: Any) -> None:
    """`DescriptionError` of a permutation or a rate that makes no sponge."""
    if not isinstance(it, Permutation):
        raise DescriptionError(f"permutation: want a Permutation, as in MyPermutation(), got {it!r}")
    if type(it).last is not Permutation.last or type(it).first is not Permutation.first:
        raise DescriptionError(
            f"permutation: {it.name} has a first or last step of its own; want rounds that are alike"
        )
    whole = it.words * it.word_bits
    if type(cls.rate) is not int or not 0 < cls.rate < whole or cls.rate % it.word_bits:
        raise DescriptionError(
            f"rate: want whole words of {it.word_bits} bits, fewer than the {whole} of {it.name}, got {cls.rate!r}"
        )
