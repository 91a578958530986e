"""Constraints as integer inequalities.

Pure functions. The 0/1 points a constraint allows are exactly those that its rows allow for some value
of the auxiliaries; the tests compare both over all points.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations
from typing import Literal

from .minimise import minimised
from .problem import AtLeast, Clause, Constraint, Parity, Problem, Table, Var, Weights

# How {0, d, ..., n} is told. dummy: a variable t for "any is active", each x <= t, sum >= d t.
# sum: sum >= d x for each x, no variable. aggregated: t, d t <= sum <= n t, two rows in all: the
# weakest relaxation and the fastest (HiGHS, two AES words, (2-0,2-2) at 4 rounds: 0.8 s of CPU, to 2.5
# by dummy and 6.2 by sum; (2-0,1-1) at 5: 4.5 to 6.5 by dummy). For "not exactly one" it is the sum.
Form = Literal["dummy", "sum", "aggregated"]

# Up to here a parity is its convex hull, 2^(n-1) rows; above, an integer that halves the sum.
HULL_PARITY = 4


@dataclass(frozen=True, slots=True)
class Row:
    """low <= sum(coefficient * variable) <= high; None is no limit."""

    terms: tuple[tuple[int, Var], ...]
    low: int | None
    high: int | None = None


@dataclass
class Linear:
    """Columns 0 <= x <= upper[x], all integers; those of the problem first, each up to 1."""

    upper: list[int]
    rows: list[Row] = field(default_factory=list)

    def column(self, upper: int) -> Var:
        self.upper.append(upper)
        return len(self.upper) - 1


def lower(problem: Problem, form: Form = "aggregated") -> Linear:
    linear = Linear([1] * len(problem.names))
    for constraint in problem.constraints:
        linear.rows += rows(constraint, linear.column, form)
    return linear


def rows(
    constraint: Constraint, column: Callable[[int], Var], form: Form = "aggregated"
) -> list[Row]:
    """The inequalities of one constraint; ``column(upper)`` makes an auxiliary 0..upper."""
    match constraint:
        case Clause(literals):
            return [_clause(literals)]
        case AtLeast(terms, bound):
            return [Row(terms, bound)]
        case Parity(variables, odd):
            return _parity(variables, odd, column)
        case Weights(variables, allowed):
            return _weights(variables, allowed, column, form)
        case Table(variables, allowed):
            return [
                _clause(tuple(_literal(variables, lit) for lit in clause))
                for clause in minimised(len(variables), allowed)
            ]


def _literal(variables: Sequence[Var], lit: int) -> int:
    """A literal over positions 1..n as one over the problem's variables."""
    v = variables[abs(lit) - 1] + 1
    return v if lit > 0 else -v


def _clause(literals: Iterable[int]) -> Row:
    terms = tuple((1, lit - 1) if lit > 0 else (-1, -lit - 1) for lit in literals)
    return Row(terms, 1 - sum(coefficient < 0 for coefficient, _ in terms))


def _total(variables: Sequence[Var], *more: tuple[int, Var]) -> tuple[tuple[int, Var], ...]:
    return (*((1, v) for v in variables), *more)


def _parity(variables: tuple[Var, ...], odd: bool, column: Callable[[int], Var]) -> list[Row]:
    n = len(variables)
    if n <= HULL_PARITY:
        return [
            _clause(-(v + 1) if i in flipped else v + 1 for i, v in enumerate(variables))
            for flipped in _subsets_of_parity(n, not odd)
        ]
    half = column(n // 2)
    return [Row(_total(variables, (-2, half)), int(odd), int(odd))]


@lru_cache
def _subsets_of_parity(n: int, odd: bool) -> tuple[frozenset[int], ...]:
    return tuple(
        frozenset(chosen)
        for size in range(n + 1)
        if size % 2 == odd
        for chosen in combinations(range(n), size)
    )


def _weights(
    variables: tuple[Var, ...], allowed: frozenset[int], column: Callable[[int], Var], form: Form
) -> list[Row]:
    n = len(variables)
    runs = intervals(allowed, n)
    if not runs:
        return [Row((), 1)]
    if len(runs) == 1:
        ((low, high),) = runs
        return [Row(_total(variables), low, high)]
    if len(runs) == 2 and runs[0] == (0, 0) and runs[1][1] == n:
        return _none_or_many(variables, runs[1][0], column, form)
    chosen = [column(1) for _ in runs]
    return [
        Row(_total(chosen), 1, 1),
        Row(_total(variables, *((-low, t) for (low, _), t in zip(runs, chosen, strict=True))), 0),
        Row(
            _total(variables, *((-high, t) for (_, high), t in zip(runs, chosen, strict=True))),
            None,
            0,
        ),
    ]


def _none_or_many(
    variables: tuple[Var, ...], least: int, column: Callable[[int], Var], form: Form
) -> list[Row]:
    if form == "sum" or least <= 2:
        # With d = 2 this is "not exactly one": each is at most the sum of the others.
        return [
            Row(tuple((1 - least if u == v else 1, u) for u in variables), 0) for v in variables
        ]
    active = column(1)
    many = Row(_total(variables, (-least, active)), 0)
    if form == "aggregated":
        return [many, Row(_total(variables, (-len(variables), active)), None, 0)]
    return [many, *(Row(((1, active), (-1, v)), 0) for v in variables)]


def intervals(allowed: frozenset[int], n: int) -> list[tuple[int, int]]:
    """The maximal runs of consecutive allowed counts in 0..n."""
    runs: list[tuple[int, int]] = []
    for count in range(n + 1):
        if count in allowed:
            if runs and runs[-1][1] == count - 1:
                runs[-1] = (runs[-1][0], count)
            else:
                runs.append((count, count))
    return runs
