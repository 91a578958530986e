"""Check a truncated trail of a Feistel permutation on the plain model, and count its S-boxes again.

How the trail was found is not known here: its words come in the order in which the model makes them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ...errors import BrokenTrail
from ..solvers.problem import Var
from .model import Cells, Count, ModelBuilder, ModelWord, Shape, View

# Active bytes of a word, bit i for byte i; None for a sum that nothing needs.
Pattern = int | None


class _Valued(ModelBuilder):
    """The plain model, each new word with its value."""

    def __init__(self, patterns: Iterable[Pattern]) -> None:
        super().__init__()
        self._patterns: Iterator[Pattern] = iter(patterns)
        self.active: set[Var] = set()

    def word(self, name: str) -> ModelWord:
        return self._valued(super().word(name), next(self._patterns) or 0)

    def _mixed(self, x: ModelWord, given: Sequence[Var]) -> ModelWord:
        out = self._valued(super()._mixed(x, given), next(self._patterns) or 0)
        for c in range(4):  # whose variables come right behind the bytes
            if self.active & {*given[4 * c : 4 * c + 4]}:
                self.active.add(out.cells[-1] + 1 + c)
        return out

    def xor(self, p: ModelWord, q: ModelWord) -> ModelWord:
        pattern = next(self._patterns)
        if pattern is None:
            pattern = self._pattern(p.cells) | self._pattern(q.cells)
        self._patterns = _before(pattern, self._patterns)  # for `word`, which makes the sum
        return super().xor(p, q)

    def shuffled(self, words: Sequence[ModelWord], mix: Sequence[int]) -> list[ModelWord]:
        out = super().shuffled(words, mix)
        self.active |= {word.active for word in out if self.active & {*word.cells}}
        return out

    def _valued(self, word: ModelWord, pattern: int) -> ModelWord:
        self.active |= {v for i, v in enumerate(word.cells) if pattern >> i & 1}
        if pattern:
            self.active.add(word.active)
        return word

    def _pattern(self, cells: Cells) -> int:
        return sum((v in self.active) << i for i, v in enumerate(cells))


def _before(first: Pattern, rest: Iterator[Pattern]) -> Iterator[Pattern]:
    yield first
    yield from rest


def weighed(it: Shape, rounds: int, view: View, count: Count, patterns: Iterable[Pattern]) -> int:
    """Active S-boxes of the trail; an error where it is none."""
    build = _Valued(patterns)
    words = [build.word(f"w{i}") for i in range(it.words)]
    build.problem.any_of(word.active for word in words)
    for _ in range(rounds):
        words = it.step(build, words, view, count)
    assignment = [v in build.active for v in range(len(build.problem.names))]
    broken = build.problem.holds(assignment)
    if broken is not None:
        raise BrokenTrail(f"{it}, {rounds} rounds, {view}: breaks {broken}")
    return int(build.problem.value(assignment))
