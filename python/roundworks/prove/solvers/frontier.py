"""Dynamic programming over a frontier, which is the variables that are live between two constraints. [DECHTER]

Where rounds follow each other that is about the state between two of them, so that time grows with the rounds
and not with what they multiply to: for SKINNY's 16 cells that is 2^20 entries at most, and 15 rounds take
seconds. The search is over all assignments and prunes nothing. What a key brings in is live from the first round
to the last; there `cutset` takes over.
"""

from __future__ import annotations

import numpy as np

from ...errors import SolverFailed
from .clusters import plan
from .cutset import minimise
from .elimination import MOST_LIVE, Sweep, order
from .interface import Solver, SolverRun
from .problem import Problem

MOST_WEIGHT = np.iinfo(np.uint16).max


def fits(problem: Problem) -> bool:
    """Whether the tables of this problem are small enough."""
    if problem.cut:
        return plan(problem, {}) is not None
    total = sum(problem.weights.values()) * problem.scale
    return total < MOST_WEIGHT and order(problem, MOST_LIVE) is not None


class Frontier(Solver):
    """Ours: exact, without floats, of problems with few live variables."""

    @property
    def version(self) -> str:
        return f"frontier (numpy {np.__version__})"

    def run(self, run: SolverRun) -> None:
        """One pass over all constraints for the minimum weight, and one back for an assignment."""
        run.check()
        planned = plan(run.problem, run.units) if run.problem.cut else None
        if planned is not None:
            minimise(run, planned)
            return
        within = run.goal
        taken = order(run.problem, MOST_LIVE)
        if taken is None or sum(run.units.values()) >= MOST_WEIGHT:
            raise SolverFailed(
                f"frontier: more than {MOST_LIVE} variables are live at once, or weights too many to"
                " count; name another solver"
            )
        sweep = Sweep(run.units, len(run.problem.names))
        for step in taken:
            sweep.take(step)
            run.check()
            run.tell()
        minimum = int(sweep.table[()])
        if minimum == sweep.never:
            run.exhausted(None)
            return
        if within is not None and minimum * run.step > within:
            run.exhausted(within)
            return
        if not run.found(sweep.assignment()):
            raise SolverFailed("frontier: its assignment breaks a constraint")
        run.proven(minimum * run.step)


SOLVER = Frontier()
