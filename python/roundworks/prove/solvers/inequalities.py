"""Constraints as integer inequalities.

Pure functions. The 0/1 points a constraint allows are exactly those that its rows allow for some value
of the auxiliaries; the tests compare both over all points.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations

from .minimise import minimised
from .problem import AtLeast, Clause, Constraint, Parity, Problem, ValueTable, Var, Weights, intervals

# {0, d, ..., n} has a variable t for "any is active" and d t <= sum <= n t, two rows in all: the weakest
# relaxation and the fastest (HiGHS, two AES words, (2-0,2-2) at 4 rounds: 0.8 s of CPU; by x <= t for each
# x in place of the second row up to 2.5, by sum >= d x for each x 6.2). "Not exactly one" is the latter.

# Up to here a parity is its convex hull, 2^(n-1) rows; above, an integer that halves the sum.
HULL_PARITY = 4


@dataclass(frozen=True, slots=True)
class Inequality:
    """low <= sum(coefficient * variable) <= high; None is no limit."""

    terms: tuple[tuple[int, Var], ...]
    low: int | None
    high: int | None = None


@dataclass
class Inequalities:
    """Columns 0 <= x <= upper[x], all integers; those of the problem first, each up to 1."""

    upper: list[int]
    rows: list[Inequality] = field(default_factory=list)

    def column(self, upper: int) -> Var:
        """A new auxiliary 0..``upper``."""
        self.upper.append(upper)
        return len(self.upper) - 1


def lower(problem: Problem) -> Inequalities:
    """The inequalities of all constraints."""
    linear = Inequalities([1] * len(problem.names))
    for constraint in problem.constraints:
        linear.rows += rows(constraint, linear.column)
    return linear


def rows(constraint: Constraint, column: Callable[[int], Var]) -> list[Inequality]:
    """The inequalities of one constraint; ``column(upper)`` makes an auxiliary 0..upper."""
    match constraint:
        case Clause(literals):
            return [_clause(literals)]
        case AtLeast(terms, bound):
            return [Inequality(terms, bound)]
        case Parity(variables, odd):
            return _parity(variables, odd, column)
        case Weights(variables, allowed):
            return _weights(variables, allowed, column)
        case ValueTable(variables, allowed):
            return [
                _clause(tuple(_literal(variables, lit) for lit in clause))
                for clause in minimised(len(variables), allowed)
            ]


def _literal(variables: Sequence[Var], lit: int) -> int:
    """A literal over positions 1..n as one over the problem's variables."""
    v = variables[abs(lit) - 1] + 1
    return v if lit > 0 else -v


def _clause(literals: Iterable[int]) -> Inequality:
    terms = tuple((1, lit - 1) if lit > 0 else (-1, -lit - 1) for lit in literals)
    return Inequality(terms, 1 - sum(coefficient < 0 for coefficient, _ in terms))


def _total(variables: Sequence[Var], *more: tuple[int, Var]) -> tuple[tuple[int, Var], ...]:
    return (*((1, v) for v in variables), *more)


def _parity(variables: tuple[Var, ...], odd: bool, column: Callable[[int], Var]) -> list[Inequality]:
    n = len(variables)
    if n <= HULL_PARITY:
        return [
            _clause(-(v + 1) if i in flipped else v + 1 for i, v in enumerate(variables))
            for flipped in _subsets_of_parity(n, not odd)
        ]
    half = column(n // 2)
    return [Inequality(_total(variables, (-2, half)), int(odd), int(odd))]


@lru_cache
def _subsets_of_parity(n: int, odd: bool) -> tuple[frozenset[int], ...]:
    return tuple(
        frozenset(chosen)
        for size in range(n + 1)
        if size % 2 == odd
        for chosen in combinations(range(n), size)
    )


def _weights(
    variables: tuple[Var, ...], allowed: frozenset[int], column: Callable[[int], Var]
) -> list[Inequality]:
    n = len(variables)
    runs = intervals(allowed & set(range(n + 1)))
    if not runs:
        return [Inequality((), 1)]
    if len(runs) == 1:
        ((low, high),) = runs
        return [Inequality(_total(variables), low, high)]
    if len(runs) == 2 and runs[0] == (0, 0) and runs[1][1] == n:
        return _none_or_many(variables, runs[1][0], column)
    chosen = [column(1) for _ in runs]
    return [
        Inequality(_total(chosen), 1, 1),
        Inequality(_total(variables, *((-low, t) for (low, _), t in zip(runs, chosen, strict=True))), 0),
        Inequality(
            _total(variables, *((-high, t) for (_, high), t in zip(runs, chosen, strict=True))), None, 0
        ),
    ]


def _none_or_many(variables: tuple[Var, ...], minimum: int, column: Callable[[int], Var]) -> list[Inequality]:
    if minimum <= 2:  # "not exactly one": each is at most the sum of the others
        return [Inequality(tuple((1 - minimum if u == v else 1, u) for u in variables), 0) for v in variables]
    active = column(1)
    return [
        Inequality(_total(variables, (-minimum, active)), 0),
        Inequality(_total(variables, (-len(variables), active)), None, 0),
    ]
