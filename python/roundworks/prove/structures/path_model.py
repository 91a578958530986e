"""The bytes of a Feistel permutation whose active words are given, as clauses.

What is inactive is left out, and every count is spelled: of each column how many bytes are active,
in order, so that MixColumns is five clauses; from columns to words, rounds and windows of rounds by
merging. What is known of a window is then a clause of one literal, and a solver of clauses refutes in
seconds what the linear relaxation, weak where sums cancel, leaves to branching.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, repeat

from ..solvers.clauses import merged
from ..solvers.problem import Clause, Problem, Var
from .feistel import Structure
from .model import BRANCH, Cells, Count, ModelBuilder, ModelWord, View
from .paths import Path, Windows

# Windows of up to that many rounds are counted, and those that begin with the first round.
SHORT = 3
_NONE = ModelWord((), -1)
FREE = ModelWord((), -2)  # a sum that nothing needs
Literals = list[int]


class PathBuilder(ModelBuilder):
    """Words that are not active have no variables; of a sum it is given whether it is active. Counts
    that are not ``exact`` are of that many or more."""

    def __init__(self, exact: bool = True) -> None:
        super().__init__()
        self.exact = exact
        self.sums: Iterator[bool | None] = iter(())
        self.counted: list[Counter[Cells]] = []
        self.made: list[ModelWord] = []  # in the order of `ModelBuilder`, for the way back
        self._orders: dict[Cells, Literals] = {}
        self._columns: dict[frozenset[Var], list[Cells]] = {}
        self._weights: dict[frozenset[Var], Literals] = {}

    def _clause(self, *literals: int) -> None:
        self.problem.add(Clause(literals))

    def _auxiliary(self) -> int:
        return self.problem.variable(f"a{len(self.problem.names)}") + 1

    def sum(self, left: Literals, right: Literals, most: int) -> Literals:
        """Of two counts, up to ``most``."""
        if not left or not right:
            return (left or right)[:most]
        out: list[tuple[int, ...]] = []
        total = merged(left, right, most, self._auxiliary, out, self.exact)
        self.problem.constraints += map(Clause, out)
        return total

    def word(self, name: str) -> ModelWord:
        """A word of 16 cells, of which at least one is active."""
        cells = tuple(self.problem.variables(name, 16))
        self._clause(*(v + 1 for v in cells))
        return self._kept(ModelWord(cells, -1))

    def absent(self) -> ModelWord:
        """A new word that is not active."""
        return self._kept(_NONE)

    def _kept(self, word: ModelWord) -> ModelWord:
        self.made.append(word)
        return word

    def count(self, x: ModelWord) -> None:
        """Count the active cells of a word as S-boxes of this path."""
        if x.cells:
            self.counted[-1][x.cells] += 1

    def layer(self, x: ModelWord, last: bool) -> ModelWord:
        if x.cells:
            return super().layer(x, last)
        return x if last else self.absent()

    def unlayer(self, mask: ModelWord, last: bool) -> ModelWord:
        if mask.cells:
            return super().unlayer(mask, last)
        return mask if last else self.absent()

    def _mixed(self, x: ModelWord, given: Sequence[Var]) -> ModelWord:
        out = ModelWord(tuple(self.problem.variables(f"m{len(self.problem.names)}", 16)), -1)
        for cells in (tuple(given), out.cells):
            self._columns.setdefault(frozenset(cells), _quarters(cells))
        for ins, outs in zip(_quarters(given), _quarters(out.cells), strict=True):
            a, b = self.order(ins), self.order(outs)
            self._clause(-a[0], b[0])
            self._clause(a[0], -b[0])
            for some in range(2, BRANCH):
                self._clause(-a[0], a[some - 1], b[BRANCH - some])
        return self._kept(out)

    def order(self, cells: Cells) -> Literals:
        """For 1 to 4: at least that many of four bytes are active."""
        if cells not in self._orders:
            order = [self._auxiliary() for _ in cells]
            for many, literal in enumerate(order, 1):
                for some in combinations(cells, many):
                    self._clause(*(-(v + 1) for v in some), literal)
                for some in combinations(cells, len(cells) + 1 - many):
                    self._clause(*(v + 1 for v in some), -literal)
            self._orders[cells] = order
        return self._orders[cells]

    def weight(self, cells: Cells) -> Literals:
        """For 1 to 16: at least that many bytes of a word, from columns that MixColumns has or had."""
        key = frozenset(cells)
        if key not in self._weights:
            a, b, c, d = map(self.order, self._columns.get(key, _quarters(cells)))
            self._weights[key] = self.sum(self.sum(a, b, 8), self.sum(c, d, 8), 16)
        return self._weights[key]

    def xor(self, p: ModelWord, q: ModelWord) -> ModelWord:
        active = next(self.sums)
        if active is None:
            return self._kept(FREE)
        if not p.cells or not q.cells:
            return self._kept(p if p.cells else q)
        if not active:
            for a, b in zip(p.cells, q.cells, strict=True):
                self._clause(-(a + 1), b + 1)
                self._clause(a + 1, -(b + 1))
            return self.absent()
        out = self.word(f"x{len(self.problem.names)}")
        for cells in zip(p.cells, q.cells, out.cells, strict=True):
            for lone in cells:
                others = (v + 1 for v in cells if v != lone)
                self._clause(-(lone + 1), *others)
        return out

    def rounds(self, most: int) -> list[Literals]:
        """For each round: at least that many active S-boxes."""
        results = []
        for counted in self.counted:
            total: Literals = []
            for cells, times in counted.items():
                each = [literal for literal in self.weight(cells) for _ in range(times)]
                total = self.sum(total, each, most)
            results.append(total)
        return results

    def between(self, counted: Literals, low: int, high: int) -> None:
        """At least ``low`` and at most ``high``."""
        if low > min(high, len(counted)):
            self._clause()
            return
        for literal in counted[:low]:
            self._clause(literal)
        for literal in counted[high : high + 1]:
            self._clause(-literal)

    def rotated(self, word: ModelWord) -> None:
        """Of trails that differ by rotating all words, one with the most bytes in column 0 here."""
        first, *others = map(self.order, _quarters(word.cells))
        for other in others:
            for many, enough in zip(other, first, strict=True):
                self._clause(-many, enough)


def _quarters(cells: Sequence[Var]) -> list[Cells]:
    return [tuple(cells[at : at + 4]) for at in range(0, 16, 4)]


def built(
    design: Structure, view: View, path: Path, rounds: int, count: Count, exact: bool = True
) -> PathBuilder:
    """The trails along a path, what they cost not yet counted."""
    build = PathBuilder(exact)
    words = [build.word(f"w{i}") if path[0] >> i & 1 else build.absent() for i in range(design.words)]
    build.rotated(next(word for word in words if word.cells))
    for at in range(1, rounds + 1):
        build.counted.append(Counter())
        build.sums = iter(design.sums(path[at], view)) if at < len(path) else repeat(None)
        words = design.step(build, words, view, count)
    return build


def path_model(
    it: Structure, view: View, path: Path, count: Count, most: int, known: Windows
) -> tuple[Problem, PathBuilder]:
    """The lightest trail along a path, if it has at most ``most``. What is ``known`` of its windows
    is added: of each no less than that, and no more than the rest leaves."""
    build = built(it, view, path, known.rounds(path), count)
    each = build.rounds(most + 1)

    def minimum(first: int, last: int) -> int:
        return known.minimum(known.window(path, first, last)) if first < last else 0

    total: Literals = []
    for first in reversed(range(len(each))):
        total = []
        for last in range(first + 1, len(each) + 1 if first == 0 else first + SHORT + 1):
            if last > len(each):
                break
            # What the rest leaves is where a count may end: that it is no more is a clause, too.
            high = most - minimum(0, first) - minimum(last, len(each))
            total = build.sum(total, each[last - 1], max(high, 0) + 1)
            build.between(total, minimum(first, last), high)
    for literal in total:
        build.problem.weigh(literal - 1, 1)
    return build.problem, build


def light_model(
    it: Structure, view: View, path: Path, count: Count, most: int
) -> tuple[Problem, PathBuilder]:
    """Any trail along a path that has at most ``most``, where nothing is known: a fifth of the time
    of `path_model`."""
    build = built(it, view, path, len(path) - it.shared(view), count, exact=False)
    total: Literals = []
    for each in build.rounds(most + 1):
        total = build.sum(total, each, most + 1)
    build.between(total, 0, most)
    return build.problem, build


def patterns(build: PathBuilder, assignment: Sequence[bool]) -> list[int | None]:
    """The active bytes of each word in the order of the plain model, for `feistel_trails`."""
    return [
        None if word is FREE else sum(assignment[v] << i for i, v in enumerate(word.cells))
        for word in build.made
    ]
