"""Haraka and Pholkos as models of bytes: two AES rounds on every word, then a shuffle of columns.

Of differences and of masks a path has the words that are active in each round's S-layers, masks from
the last round back; what the last shuffle makes of them is free.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..reference import haraka, pholkos
from .feistel_model import Builder, Count, View, Word

_ROUND = (False, False)  # two instructions, none the last of AES
_MIX = {
    "haraka-256": haraka.MIX_2, "haraka-512": haraka.MIX_4,
    "pholkos-256": pholkos.PI_256, "pholkos-512": pholkos.PI_512,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Spn:
    """Column i of the new words is column ``mix[i]`` of the old ones."""

    mix: tuple[int, ...]

    @property
    def turns(self) -> bool:
        return False  # the shuffle knows columns apart

    @property
    def words(self) -> int:
        return len(self.mix) // 4

    @property
    def layered(self) -> int:
        return (1 << self.words) - 1

    def shared(self, view: View) -> int:
        return 0

    def _mix(self, view: View) -> tuple[int, ...]:
        if view == "differential":
            return self.mix
        return tuple(self.mix.index(column) for column in range(len(self.mix)))

    def steps(self, active: int, view: View) -> Iterator[int]:
        """All that have a column of an active word in each of theirs, and leave none out."""
        mix = self._mix(view)
        sources = [{column // 4 for column in mix[at : at + 4]} for at in range(0, len(mix), 4)]
        now = {word for word in range(self.words) if active >> word & 1}
        for new in range(1, 1 << self.words):
            into = [sources[word] & now for word in range(self.words) if new >> word & 1]
            if all(into) and set().union(*into) == now:
                yield new

    def sums(self, active: int, view: View) -> list[bool]:
        return [bool(active >> word & 1) for word in range(self.words)]

    def renamings(self) -> list[tuple[int, ...]]:
        """Words turned by one, two, ..., where the shuffle is the same then."""
        n, found = self.words, []
        for by in range(1, n):
            order = tuple((word + by) % n for word in range(n))
            moved = [4 * order[column // 4] + column % 4 for column in range(4 * n)]
            if all(self.mix[moved[to]] == moved[source] for to, source in enumerate(self.mix)):
                found.append(order)
        return found

    def step(self, build: Builder, words: Sequence[Word], view: View, count: Count) -> list[Word]:
        layers = build.chain if view == "differential" else build.unchain
        return build.shuffled([layers(word, _ROUND) for word in words], self._mix(view))


def spn(name: str) -> Spn | None:
    """None where it is none of them."""
    mix = _MIX.get(name)
    return None if mix is None else Spn(mix)
