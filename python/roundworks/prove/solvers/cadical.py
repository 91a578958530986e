"""CaDiCaL: clauses, with the weight bounded by a totaliser under assumptions."""

from __future__ import annotations

from fractions import Fraction

import pysat
from pysat.solvers import Cadical195

from ..lower_clauses import lower, weight_bound
from .interface import Run

# Conflicts between two looks at the clock, at first; patience doubles.
BUDGET = 2_000
BUDGET_MOST = 50_000


class Cadical:
    @property
    def version(self) -> str:
        return f"CaDiCaL 1.9.5 (python-sat {pysat.__version__})"

    def run(self, run: Run) -> None:
        """Down from what is found while that is easy; up from what is proven while it is not."""
        run.check()
        formula = lower(run.problem)
        if () in formula.clauses:
            run.exhausted()
            return
        with Cadical195(bootstrap_with=formula.clauses) as sat:
            if run.goal is None:
                self._first(run, sat)
            units = run.units
            goal = run.goal
            if goal is None or run.over:
                return
            bounded, extra = weight_bound(
                {v + 1: w for v, w in units.items()}, int(goal / run.step), formula.variable
            )
            for clause in extra:
                sat.add_clause(clause)
            budget = BUDGET
            while not run.over:
                for target in (run.goal, run.lower):
                    assert target is not None
                    self._try(run, sat, bounded.below(int(target / run.step) + 1), target, budget)
                    if run.over:
                        return
                budget = min(2 * budget, BUDGET_MOST)

    def _first(self, run: Run, sat: Cadical195) -> None:
        while not run.over and run.upper is None:
            self._try(run, sat, (), None, BUDGET)

    def _try(
        self,
        run: Run,
        sat: Cadical195,
        assumptions: tuple[int, ...],
        target: Fraction | None,
        budget: int,
    ) -> None:
        sat.conf_budget(budget)
        satisfiable = sat.solve_limited(assumptions=list(assumptions))
        if satisfiable:
            run.found(_values(sat.get_model(), len(run.problem.names)))
        elif satisfiable is False:
            if target is None or (target == run.goal and run.upper is None):
                run.exhausted()
            else:
                run.proven(target + run.step)
        run.tell()


def _values(model: list[int], count: int) -> list[bool]:
    values = [False] * count
    for lit in model:
        if 0 < lit <= count:
            values[lit - 1] = True
    return values


SOLVER = Cadical()
