"""CaDiCaL: clauses, with the weight bounded by a totaliser."""

from __future__ import annotations

from fractions import Fraction

import pysat
import pysolvers
from pysat.solvers import Cadical195

from .clauses import Bounded, lower, weight_bound
from .interface import Solver, SolverRun

# Conflicts spent on one side before the other has its turn, at first; patience doubles.
PATIENCE = 2_000
# The way up gives bounds to report; only the way down ends the search.
DOWN_TO_UP = 4
# Conflicts between two looks at the clock: seconds, on large problems.
CHUNK = 10_000


class Cadical(Solver):
    """CaDiCaL by python-sat, incrementally."""

    @property
    def version(self) -> str:
        return f"CaDiCaL 1.9.5 (python-sat {pysat.__version__})"

    def run(self, run: SolverRun) -> None:
        """Down from what is found, and up from what is proven, alternating for longer and longer."""
        run.check()
        formula = lower(run.problem)
        if () in formula.clauses:
            run.exhausted(None)
            return
        with Cadical195(bootstrap_with=formula.clauses) as sat:
            search = _Search(run, sat)
            if run.goal is None:
                search.first()
            if run.goal is None or run.over:
                return
            search.bounded, extra = weight_bound(
                {v + 1: w for v, w in run.units.items()},
                int(run.goal / run.step),
                formula.variable,
                run.check,
            )
            for i, clause in enumerate(extra):
                if not i % CHUNK:
                    run.check()
                sat.add_clause(clause)
            patience = PATIENCE
            while not run.over:
                search.down(patience)
                search.up(patience // DOWN_TO_UP)
                patience *= 2


class _Search:
    def __init__(self, run: SolverRun, sat: Cadical195) -> None:
        self.run, self.sat = run, sat
        self.bounded = Bounded((), ())
        self.asserted: Fraction | None = None

    def first(self) -> None:
        while not self.run.over and self.run.upper is None:
            if self._query((), CHUNK) is False:
                self.run.exhausted(None)

    def down(self, patience: int) -> None:
        """Look for less than the best, for good: nothing else is wanted any more."""
        spent = 0
        while spent < patience and not self.run.over:
            goal = self.run.goal
            if goal is not None and goal != self.asserted:
                self.asserted = goal
                for lit in self._at_most(goal):
                    self.sat.add_clause([lit])
            chunk = min(CHUNK, patience - spent)
            outcome = self._query((), chunk)
            if outcome is False:
                self.run.exhausted(self.asserted)
            spent = 0 if outcome else spent + chunk

    def up(self, patience: int) -> None:
        """Look for no more than what is proven to be needed."""
        spent = 0
        while spent < patience and not self.run.over:
            lower, chunk = self.run.lower, min(CHUNK, patience - spent)
            outcome = self._query(self._at_most(lower), chunk)
            if outcome is False:
                self.run.proven(lower + self.run.step)
            spent += chunk

    def _at_most(self, weight: Fraction) -> tuple[int, ...]:
        return self.bounded.below(int(weight / self.run.step) + 1)

    def _query(self, assumptions: tuple[int, ...], conflicts: int) -> bool | None:
        self.sat.conf_budget(conflicts)
        # Where it takes it that this is not the main thread, python-sat leaves Ctrl-C to the caller: its own way
        # jumps out of the solver, which then cannot be ended.
        status = pysolvers.cadical195_solve_lim(self.sat.cadical, list(assumptions), 0)
        self.sat.status = outcome = None if status == 0 else status > 0
        if outcome:
            self.run.found(_values(self.sat.get_model(), len(self.run.problem.names)))
        self.run.tell()
        return outcome


def _values(model: list[int], count: int) -> list[bool]:
    values = [False] * count
    for lit in model:
        if 0 < lit <= count:
            values[lit - 1] = True
    return values


SOLVER = Cadical()
