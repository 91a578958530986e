"""Which solver for which problem: by what was measured, see `PREFERENCE`."""

from __future__ import annotations

from ..problem import Parity, Problem, Table

# Counting problems, of weights and clauses alone, have strong linear relaxations; tables and parities
# (S-boxes and matrices bit by bit) have weak ones, and clauses are better.
PREFERENCE = {
    "counting": ("highs", "scip", "cadical", "kissat"),
    "bitwise": ("cadical", "kissat", "highs", "scip"),
}
# For the second core: the best of the other kind.
PARTNER = {"counting": ("cadical", "scip", "kissat"), "bitwise": ("highs", "scip", "kissat")}


def kind(problem: Problem) -> str:
    bitwise = any(isinstance(constraint, Parity | Table) for constraint in problem.constraints)
    return "bitwise" if bitwise else "counting"


def chosen(problem: Problem, installed: list[str]) -> str:
    order = [name for name in PREFERENCE[kind(problem)] if name in installed]
    return [*order, *installed][0]


def pair(problem: Problem, installed: list[str]) -> list[str]:
    first = chosen(problem, installed)
    others = [name for name in PARTNER[kind(problem)] if name in installed and name != first]
    return [first, *others[:1]]
