"""Haraka and Pholkos by how many bytes of each column are active, and not by which.

MixColumns depends on these numbers alone, and ShiftRows gives each of the four columns before it one
byte of each of the four behind. So the bytes of a word are the edges between four columns and four,
and numbers belong to a trail exactly if they are the degrees of such a graph, which a few sums say
(the theorem of Gale and Ryser). Nothing is lost, the names of bytes and of columns are, and a solver
has not to go through trails that differ by these alone: four rounds of 512 bits, hopeless byte by
byte, take a minute.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise

from ..solvers.problem import AtLeast, Clause, Problem, Var
from .model import BRANCH, View
from .spn import Spn

# At least 1, 2, 3, 4 bytes.
Order = tuple[Var, ...]
Degrees = tuple[int, ...]
Edges = set[tuple[int, int]]
_FULL = 0b1111


@dataclass(frozen=True, slots=True)
class ColumnCounts:
    """Of one MixColumns: both numbers, with "at least 1" in common."""

    before: Order
    behind: Order


@dataclass(frozen=True, slots=True)
class RoundCounts:
    """The columns of both MixColumns, in the order of the view. Before the first round and behind the
    last nothing is constrained."""

    first: list[ColumnCounts]
    second: list[ColumnCounts] | None


class CountModel:
    """The lightest trail over that many rounds, and what each of these weighs."""

    def __init__(self, it: Spn, rounds: int, view: View) -> None:
        self.it, self.view, self.mix = it, view, it.mix_of(view)
        # Columns of a word are told apart by the word that they go to, so that shuffles which give
        # every word equally many columns of every other are one query.
        columns = range(len(self.mix))
        goes = [self.mix.index(column) // 4 for column in columns]
        self.called = [0] * len(self.mix)
        for i, column in enumerate(sorted(columns, key=lambda c: (c // 4, goes[c]))):
            self.called[column] = i
        self.problem = Problem()
        self.rounds: list[RoundCounts] = []
        self.parts: list[dict[Var, Fraction | int]] = []
        for at in range(rounds):
            self._round(at == rounds - 1)
        self.problem.any_of(column.before[0] for column in self.rounds[0].first)

    def _round(self, last: bool) -> None:
        came = self.rounds[-1].second if self.rounds else None
        one = RoundCounts(self._columns(), None if last else self._columns())
        for at in range(0, len(self.mix), 4):
            own = one.first[at : at + 4]
            before = [column.before for column in own]
            # Columns that ShiftRows makes may be called as one likes: most bytes first.
            for many, few in pairwise(before):
                for more, less in zip(many, few, strict=True):
                    self.problem.add(Clause((-(less + 1), more + 1)))
            if came is not None:
                names = sorted(self.called[column] for column in self.mix[at : at + 4])
                into = [came[name].behind for name in names]
                self._joined(into, before, ordered=True)
            if one.second is not None:
                behind = [column.behind for column in own]
                self._joined(behind, [column.before for column in one.second[at : at + 4]])
        weights: dict[Var, Fraction | int] = {}
        for column in one.first:
            for v in (*column.before, *column.behind):
                self.problem.weigh(v, 1)
                weights[v] = weights.get(v, 0) + 1
        self.rounds.append(one)
        self.parts.append(weights)

    def _columns(self) -> list[ColumnCounts]:
        return [self._column() for _ in self.mix]

    def _column(self) -> ColumnCounts:
        add, name = self.problem.add, f"c{len(self.problem.names)}"
        active = self.problem.variable(name)
        before, behind = ((active, *self.problem.variables(f"{name}.{i}", 3)) for i in range(2))
        for order in (before, behind):
            for few, many in pairwise(order):
                add(Clause((-(many + 1), few + 1)))
        for some in range(2, BRANCH):
            add(Clause((-(active + 1), before[some - 1] + 1, behind[BRANCH - some] + 1)))
        return ColumnCounts(before, behind)

    def _joined(self, left: list[Order], right: list[Order], ordered: bool = False) -> None:
        """The numbers on both sides are those of one word: of equal sum, and no few columns have
        more than the others can give them."""
        for many in range(1, len(right) + 1):
            given = [(1, v) for order in left for v in order[:many]]
            for some in combinations(right, many):
                self.problem.add(AtLeast((*given, *((-1, v) for order in some for v in order)), 0))
                if ordered:
                    break  # those with the most
        every = [(1, v) for order in right for v in order]
        self.problem.add(AtLeast((*every, *((-1, v) for order in left for v in order)), 0))

    def patterns(self, assignment: Sequence[bool]) -> list[int]:
        """The active bytes of each word in the order of the plain model, for `feistel_trails`."""
        into, out = self._edges(assignment)
        linear = self.view == "linear"
        # What is not constrained is as active as can be: it suits any number on the other side.
        first = [_FULL * bool(c) for c in self._bytes(into[0])] if linear else self._bytes(into[0])
        result = _words(first)
        for at, edges in enumerate(out):
            one, two = self._bytes(edges), self._bytes(into[at])
            if linear:
                one, two = two, one
            elif at + 1 < len(out):
                moved = self._bytes(into[at + 1])
                two = [moved[self.mix.index(column)] for column in range(len(self.mix))]
            else:
                two = [_FULL * any(to == c % 4 for _, to in edges[c // 4]) for c in range(len(one))]
            for both in zip(_words(one), _words(two), strict=True):
                result += both
        return result

    def _edges(self, assignment: Sequence[bool]) -> tuple[list[list[Edges]], list[list[Edges]]]:
        """Of each round and word, the bytes that come to its first MixColumns and those behind it, as
        columns before and behind ShiftRows."""

        def degrees(orders: Iterable[Order]) -> Degrees:
            return tuple(sum(assignment[v] for v in order) for order in orders)

        into: list[list[Edges]] = []
        out: list[list[Edges]] = []
        came: list[ColumnCounts] | None = None
        for one in self.rounds:
            into.append([])
            out.append([])
            for at in range(0, len(self.mix), 4):
                own = one.first[at : at + 4]
                wanted = degrees(column.before for column in own)
                given = degrees(column.behind for column in own)
                left: Degrees  # any, if nothing is constrained
                right: Degrees
                if came is None:
                    left = tuple(sum(k < many for many in wanted) for k in range(4))
                else:
                    mixed = self.mix[at : at + 4]
                    left = degrees(came[self.called[column]].behind for column in mixed)
                if one.second is None:
                    right = tuple(sum(k < many for many in given) for k in range(4))
                else:
                    names = self.called[at : at + 4]
                    right = degrees(one.second[name].before for name in names)
                into[-1].append(graph(left, wanted))
                out[-1].append(graph(given, right))
            came = one.second
        return into, out

    def _bytes(self, words: Sequence[Edges]) -> list[int]:
        """Of each column before ShiftRows, or what undoes it of masks."""
        sign = 1 if self.view == "differential" else -1
        columns = [0] * (4 * len(words))
        for word, edges in enumerate(words):
            for one, to in edges:
                columns[4 * word + one] |= 1 << sign * (one - to) % 4
        return columns


def graph(left: Degrees, right: Degrees) -> Edges:
    """Edges between that many nodes on either side, each with its degree."""
    result, rest = set(), list(right)
    for one in sorted(range(len(left)), key=lambda at: -left[at]):
        for to in sorted(range(len(right)), key=lambda at: -rest[at])[: left[one]]:
            result.add((one, to))
            rest[to] -= 1
    if any(rest):
        raise ValueError(f"degrees: no graph has {left} and {right}")
    return result


def _words(columns: Sequence[int]) -> list[int]:
    return [
        sum(column << 4 * c for c, column in enumerate(columns[at : at + 4]))
        for at in range(0, len(columns), 4)
    ]
