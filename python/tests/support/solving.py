"""Bounds of cell-wise and bit-wise instances, for tests that need no measure of the command line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from roundworks.bounds import Bound, Count, View
from roundworks.prove.bitwise.instance import bit_instance
from roundworks.prove.cellwise.instance import cell_instance
from roundworks.prove.pipeline import BoundResult, Query, solved
from roundworks.prove.solvers.solve import Solution


def cell_bound(
    it: Any,
    goal: str = "active",
    rounds: int = 1,
    view: View | None = None,
    count: Count = "distinct",
    where: Mapping[str, str] | None = None,
    solvers: Sequence[str] = ("highs",),
    limit: float | None = None,
) -> Bound:
    """The bound of one goal, whose trail the verifier has counted again."""
    instance = cell_instance(it, goal, rounds, view, count, where)
    return solved(instance, Query(rounds, solvers=solvers, limit=limit)).bound


def lightest_trails(
    cipher: Any, rounds: int, view: View = "differential", *, active_only: bool = False
) -> list[BoundResult]:
    """The lightest bit-wise trails over 1 to ``rounds`` rounds, by CaDiCaL."""
    instances = [bit_instance(cipher, r, view, active_only=active_only) for r in range(1, rounds + 1)]
    return [solved(instance, Query(instance.rounds, solvers=("cadical",))) for instance in instances]


def unsolved(**changes: Any) -> Solution:
    """What a solver returns that has found and refuted nothing; ``changes`` are fields."""
    none = Solution(
        status="bounded",
        lower=Fraction(0),
        upper=None,
        assignment=None,
        solver="s",
        version="s 1",
        seconds=0.1,
    )
    return replace(none, **changes)
