"""Every solver at the same problem instances, one after another: its time, or how far it comes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..errors import unknown
from . import solvers
from .solvers.choice import able
from .solvers.problem import Problem
from .solvers.solve import SolverProgress, solve

if TYPE_CHECKING:  # numpy behind it takes a tenth of a second, which `--help` need not wait for
    from .pipeline import Instance


@dataclass(frozen=True, slots=True)
class Contest:
    """An instance that every solver gets, built when it is run."""

    label: str
    build: Callable[[], Instance]


@dataclass(frozen=True, slots=True)
class Standing:
    """One solver's result, as a row of kind solve. ``lower`` is its own proof; ``upper`` has an assignment.

    ``status`` as in `Solution`: optimal, infeasible, or bounded where the time limit came first. Times are
    in seconds.
    """

    instance: str
    fingerprint: str
    solver: str
    version: str
    status: str
    lower: float
    upper: float | None
    unit: str
    time_limit: float | None
    seconds: float


def _cells(name: str, goal: str, rounds: int) -> Instance:
    from ..reference import get_analysed
    from .cellwise.instance import cell_instance

    return cell_instance(get_analysed(name), goal, rounds)


def _bits(name: str, rounds: int) -> Instance:
    from ..reference import get_analysed
    from .bitwise.instance import bit_instance

    return bit_instance(get_analysed(name), rounds)


# Two counts, a bit-wise trail and a collision: models of different shape.
CONTESTS = {
    "aes-4": Contest("AES, 4 rounds", lambda: _cells("aes", "active", 4)),
    "feistel-4": Contest("(2-0,1-1), 4 rounds", lambda: _cells("feistel256:2-0,1-1", "active", 4)),
    "present-4": Contest("PRESENT trail, 4 rounds", lambda: _bits("present", 4)),
    "collision-5": Contest("AEGIS-128L collision, 5 blocks", lambda: _cells("aegis-128l", "collision", 5)),
}


def race(
    instances: Sequence[str] = (),
    names: Sequence[str] = (),
    limit: float | None = None,
    progress: Callable[[SolverProgress], None] | None = None,
) -> Iterator[Standing]:
    """All instances and all installed solvers unless named; ``limit`` in seconds for each pair.

    Raises
    ------
    UnknownName
        ``instance 'aes': not known; did you mean aes-4? (...)``
    """
    if wrong := [name for name in instances if name not in CONTESTS]:
        raise unknown("instance", wrong[0], CONTESTS)
    chosen = list(names or solvers.installed())
    load(chosen)
    for key in instances or CONTESTS:
        instance = CONTESTS[key].build()
        for name in chosen if names else able(instance.problem, chosen):
            # In a table its bounds would pass for the solver's best.
            solution = solve(instance.problem, name, limit, progress).uninterrupted()
            yield Standing(
                instance=CONTESTS[key].label,
                fingerprint=instance.problem.fingerprint,
                solver=name,
                version=solution.version,
                status=solution.status,
                lower=float(solution.lower),
                upper=None if solution.upper is None else float(solution.upper),
                unit=instance.unit,
                time_limit=limit,
                seconds=solution.seconds,
            )


def load(names: Sequence[str]) -> None:
    """Load the solvers' libraries, or the first instance timed would pay for it."""
    problem = Problem()
    pair = problem.variables("x", 2)
    for variable in pair:
        problem.weigh(variable, 1)
    problem.any_of(pair)
    for name in able(problem, names):  # which loads those that do not take it, too
        solve(problem, name)
