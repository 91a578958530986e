"""Solve a problem: the one entry to all solvers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from ...errors import DescriptionError, SolverFailed, SolverUnavailable
from .. import solvers
from . import apart
from .choice import chosen, pair
from .interface import START, Solution, SolverProgress, SolverRun, Stopped, contradiction
from .problem import Problem

__all__ = ["CHOICES", "Solution", "SolverProgress", "Stopped", "agreed", "compare", "solve"]

# auto: the one that was fastest on such problems. portfolio: two at once, the first proof wins.
CHOICES = (*solvers.NAMES, "auto", "portfolio")


def solve(
    problem: Problem,
    solver: str = "highs",
    limit: float | None = None,
    progress: Callable[[SolverProgress], None] | None = None,
    known: tuple[Fraction | None, Fraction | None] = (None, None),
    start: Sequence[bool] | None = None,
    aside: bool = False,
    expected: bool | None = None,
) -> Solution:
    """Minimise; on a time limit or Ctrl-C the bounds so far come back as "bounded".

    ``known`` are bounds proven and attained earlier, ``start`` an assignment to begin with.
    ``aside``: in a process of its own, so that threads of the caller can solve at the same time.
    ``expected``: whether an assignment is, which changes nothing but the time.
    """
    names = _named(problem, solver)
    run = SolverRun(
        problem,
        "+".join(names),
        limit,
        progress,
        lower=known[0] or Fraction(0),
        ceiling=known[1],
        expected=expected,
    )
    if start is not None and not run.found(start, START):
        raise DescriptionError("start: want an assignment that keeps every constraint; one is broken")
    interrupted = False
    try:
        if run.settled:
            pass
        elif len(names) == 1 and not aside:
            solvers.find(names[0]).run(run)
        else:
            apart.race(run, names)
            if run.settled:  # by a proof; where that was known before, by an assignment
                run.solver = run.lower_by if run.lower_by in names else run.upper_by
                names = [run.solver]
    except Stopped:
        pass
    except KeyboardInterrupt:
        interrupted = True
    return _solution(run, ", ".join(solvers.find(name).version for name in names), interrupted)


def agreed(
    problem: Problem,
    pair: tuple[str, str] = ("highs", "scip"),
    limit: float | None = None,
    progress: Callable[[SolverProgress], None] | None = None,
) -> tuple[Solution, Solution]:
    """Both solvers' solutions, neither given the other's; an error where they contradict."""
    first, second = (solve(problem, name, limit, progress) for name in pair)
    compare(problem, (first, second))
    return first, second


def compare(problem: Problem, solutions: Sequence[Solution]) -> None:
    """An error where one solution says that there is none so light as another found."""
    for low in solutions:
        for high in solutions:
            none = low.status == "infeasible"
            if high.upper is not None and (none or low.lower > high.upper):
                raise contradiction(
                    problem, (low.solver, None if none else low.lower), (high.solver, high.upper)
                )


def _named(problem: Problem, solver: str) -> list[str]:
    if solver not in ("auto", "portfolio"):
        solvers.find(solver)
        return [solver]
    there = solvers.installed()
    if not there:
        raise SolverUnavailable(f"solver {solver!r}: none installed; pip install 'roundworks[prove]'")
    return [chosen(problem, there)] if solver == "auto" else pair(problem, there)


def _solution(run: SolverRun, version: str, interrupted: bool) -> Solution:
    """The run's bounds as a solution, after a last look at them that trusts nothing."""
    problem = run.problem
    if run.assignment is not None and (
        problem.holds(run.assignment) is not None or problem.value(run.assignment) != run.upper
    ):
        raise SolverFailed(f"{run.solver}: the assignment found breaks a constraint")
    return Solution(
        status="infeasible" if run.infeasible else "optimal" if run.settled else "bounded",
        lower=run.lower,
        upper=run.upper,
        assignment=run.assignment,
        solver=run.solver,
        version=version,
        seconds=run.seconds,
        lower_by=run.lower_by,
        interrupted=interrupted,
    )
