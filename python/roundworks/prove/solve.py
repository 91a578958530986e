"""Ask a solver: the one entry to all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from ..errors import DescriptionError, SolverFailed
from . import solvers
from .problem import Problem
from .solvers.interface import Answer, Progress, Run, Stopped

__all__ = ["Answer", "Progress", "solve"]


def solve(
    problem: Problem,
    solver: str = "highs",
    limit: float | None = None,
    progress: Callable[[Progress], None] | None = None,
    known: tuple[Fraction | None, Fraction | None] = (None, None),
    start: Sequence[bool] | None = None,
) -> Answer:
    """Minimise; on a time limit or Ctrl-C the bounds so far come back as "bounded".

    ``known`` are bounds proven and attained earlier, ``start`` an assignment to begin with.
    """
    engine = solvers.find(solver)
    run = Run(
        problem,
        solver,
        limit,
        progress,
        lower=known[0] or Fraction(0),
        ceiling=known[1],
    )
    if start is not None and not run.found(start):
        raise DescriptionError(
            "start: want an assignment that keeps every constraint; one is broken"
        )
    try:
        if not run.settled:
            engine.run(run)
    except (Stopped, KeyboardInterrupt):
        pass
    return answer(run, engine.version)


def answer(run: Run, version: str) -> Answer:
    """The run's bounds as an answer, after a last look at them that trusts nothing."""
    problem = run.problem
    if run.assignment is not None and (
        problem.holds(run.assignment) is not None or problem.value(run.assignment) != run.upper
    ):
        raise SolverFailed(f"{run.solver}: the assignment found breaks a constraint")
    return Answer(
        "infeasible" if run.infeasible else "optimal" if run.settled else "bounded",
        run.lower,
        run.upper,
        run.assignment,
        run.solver,
        version,
        run.seconds,
        problem.fingerprint,
    )
