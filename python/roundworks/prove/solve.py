"""Ask a solver: the one entry to all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from ..errors import DescriptionError, SolverFailed, SolverUnavailable
from . import solvers
from .problem import Problem
from .solvers import apart
from .solvers.choice import chosen, pair
from .solvers.interface import START, Answer, Progress, Run, Stopped, contradiction

__all__ = ["CHOICES", "Answer", "Progress", "Stopped", "agreed", "compare", "solve"]

# auto: the one that was fastest on such problems. portfolio: two at once, the first proof wins.
CHOICES = (*solvers.NAMES, "auto", "portfolio")


def solve(
    problem: Problem,
    solver: str = "highs",
    limit: float | None = None,
    progress: Callable[[Progress], None] | None = None,
    known: tuple[Fraction | None, Fraction | None] = (None, None),
    start: Sequence[bool] | None = None,
    aside: bool = False,
) -> Answer:
    """Minimise; on a time limit or Ctrl-C the bounds so far come back as "bounded".

    ``known`` are bounds proven and attained earlier, ``start`` an assignment to begin with.
    ``aside``: in a process of its own, so that threads of the caller can ask at the same time.
    """
    names = _named(problem, solver)
    run = Run(
        problem,
        "+".join(names),
        limit,
        progress,
        lower=known[0] or Fraction(0),
        ceiling=known[1],
    )
    if start is not None and not run.found(start, START):
        raise DescriptionError(
            "start: want an assignment that keeps every constraint; one is broken"
        )
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
    return _answer(run, ", ".join(solvers.find(name).version for name in names), interrupted)


def agreed(
    problem: Problem,
    pair: tuple[str, str] = ("highs", "scip"),
    limit: float | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> tuple[Answer, Answer]:
    """Both solvers' answers, neither told of the other's; an error where they contradict."""
    first, second = (solve(problem, name, limit, progress) for name in pair)
    compare(problem, (first, second))
    return first, second


def compare(problem: Problem, answers: Sequence[Answer]) -> None:
    """An error where one answer says that there is none so light as another found."""
    for low in answers:
        for high in answers:
            none = low.status == "infeasible"
            if high.upper is not None and (none or low.lower > high.upper):
                raise contradiction(
                    problem,
                    (low.solver, None if none else low.lower),
                    (high.solver, high.upper),
                )


def _named(problem: Problem, solver: str) -> list[str]:
    if solver not in ("auto", "portfolio"):
        solvers.find(solver)
        return [solver]
    there = solvers.installed()
    if not there:
        raise SolverUnavailable(
            f"solver {solver!r}: none installed; pip install 'roundworks[prove]'"
        )
    return [chosen(problem, there)] if solver == "auto" else pair(problem, there)


def _answer(run: Run, version: str, interrupted: bool) -> Answer:
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
        lower_by=run.lower_by,
        interrupted=interrupted,
    )
