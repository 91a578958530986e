"""Haraka and Pholkos as models of bytes: two AES rounds on every word, then a shuffle of columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...reference import haraka, pholkos
from .model import Count, ModelBuilder, ModelWord, View

_ROUND = (False, False)  # two instructions, none the last of AES
_MIX = {
    "haraka-256": haraka.MIX_2,
    "haraka-512": haraka.MIX_4,
    "pholkos-256": pholkos.PI_256,
    "pholkos-512": pholkos.PI_512,
}


@dataclass(frozen=True, slots=True)
class Spn:
    """Column i of the new words is column ``mix[i]`` of the old ones."""

    mix: tuple[int, ...]

    @property
    def rotatable(self) -> bool:
        """Whether rotated columns give the same model: never."""
        return False  # the shuffle knows columns apart

    @property
    def words(self) -> int:
        """128-bit words of its state."""
        return len(self.mix) // 4

    def mix_of(self, view: View) -> tuple[int, ...]:
        """The shuffle in the direction of the view."""
        if view == "differential":
            return self.mix
        return tuple(self.mix.index(column) for column in range(len(self.mix)))

    def step(
        self, build: ModelBuilder, words: Sequence[ModelWord], view: View, count: Count
    ) -> list[ModelWord]:
        """The words after a round, given those before it; of masks, before it given those after."""
        layers = build.chain if view == "differential" else build.unchain
        return build.shuffled([layers(word, _ROUND) for word in words], self.mix_of(view))


def spn(name: str) -> Spn | None:
    """None where it is none of them."""
    mix = _MIX.get(name)
    return None if mix is None else Spn(mix)
