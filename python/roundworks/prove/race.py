"""Every solver at the same questions, one after another: what each takes, or how far it comes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from ..errors import unknown
from ..reference import get_analysed, record_rounds
from . import bitwise, solvers
from .goals import question
from .problem import Problem
from .solve import Progress, solve


@dataclass(frozen=True, slots=True)
class Instance:
    """A question that every solver gets."""

    label: str
    unit: str
    build: Callable[[], Problem]


@dataclass(frozen=True, slots=True)
class Solve:
    """One solver's answer. ``lower`` is its own proof; ``upper`` has an assignment, checked.

    ``status`` as in `Answer`: optimal, infeasible, or bounded where the time limit came first.
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


def _cells(name: str, goal: str, rounds: int) -> Callable[[], Problem]:
    return lambda: question(get_analysed(name), goal, rounds).model.problem


def _bits(name: str, rounds: int) -> Callable[[], Problem]:
    def build() -> Problem:
        recording = record_rounds(get_analysed(name), rounds)
        model = bitwise.model(recording, "differential")
        model.some(*recording.inputs)
        return model.problem

    return build


# Two counts, a trail bit by bit and a collision: models of different shape.
INSTANCES = {
    "aes-4": Instance("AES, 4 rounds", "active S-boxes", _cells("aes", "active", 4)),
    "feistel-4": Instance(
        "(2-0,1-1), 4 rounds", "active S-boxes", _cells("feistel256:2-0,1-1", "active", 4)
    ),
    "present-4": Instance("PRESENT trail, 4 rounds", "log2", _bits("present", 4)),
    "collision-5": Instance(
        "AEGIS-128L collision, 5 blocks", "active S-boxes", _cells("aegis-128l", "collision", 5)
    ),
}


def race(
    instances: Sequence[str] = (),
    names: Sequence[str] = (),
    limit: float | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Iterator[Solve]:
    """All instances and all installed solvers unless named; ``limit`` in seconds for each pair."""
    if wrong := [name for name in instances if name not in INSTANCES]:
        raise unknown("instance", wrong[0], INSTANCES)
    chosen = list(names or solvers.installed())
    load(chosen)
    for key in instances or INSTANCES:
        instance = INSTANCES[key]
        problem = instance.build()
        for name in chosen:
            answer = solve(problem, name, limit, progress)
            if answer.interrupted:  # in a table its bounds would pass for the solver's best
                raise KeyboardInterrupt
            yield Solve(
                instance.label, answer.fingerprint, name, answer.version, answer.status,
                float(answer.lower), None if answer.upper is None else float(answer.upper),
                instance.unit, limit, answer.seconds,
            )  # fmt: skip


def load(names: Sequence[str]) -> None:
    """Load the solvers' libraries, or the first question timed would pay for it."""
    problem = Problem()
    pair = problem.variables("x", 2)
    for variable in pair:
        problem.weigh(variable, 1)
    problem.any_of(pair)
    for name in names:
        solve(problem, name)
