"""What a solver is given and what it gives back.

A solver reports to its `Run` and to nobody else. The run checks every assignment against the problem
itself, so a slip of a solver's arithmetic or of our encoding cannot become an upper bound.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, gcd
from typing import Literal, Protocol

from ...errors import SolverFailed
from ..problem import Problem

Status = Literal["optimal", "infeasible", "bounded"]


@dataclass(frozen=True, slots=True)
class Answer:
    """``lower`` is proven by the solver; ``upper`` is the weight of ``assignment``, checked here.

    ``upper`` is None where nothing was found. Infeasible has neither bound but 0 and None.
    """

    status: Status
    lower: Fraction
    upper: Fraction | None
    assignment: list[bool] | None
    solver: str
    version: str
    seconds: float
    fingerprint: str


@dataclass(frozen=True, slots=True)
class Progress:
    solver: str
    lower: Fraction
    upper: Fraction | None
    seconds: float


class Stopped(Exception):
    """Raised inside a run whose time is over or whose question is settled; `solve` catches it."""


@dataclass
class Run:
    """One solver at one problem: the bounds so far, the clock, and who wants to hear of it."""

    problem: Problem
    solver: str
    limit: float | None = None
    progress: Callable[[Progress], None] | None = None
    lower: Fraction = Fraction(0)
    ceiling: Fraction | None = None  # attained, by what the caller says: search no higher
    upper: Fraction | None = None
    assignment: list[bool] | None = None
    infeasible: bool = False
    started: float = field(default_factory=time.monotonic)
    # Every weight is an integer times `step`, and so is every bound.
    step: Fraction = field(init=False)

    def __post_init__(self) -> None:
        scale = self.problem.scale
        units = [int(weight * scale) for weight in self.problem.weights.values()]
        self.step = Fraction(gcd(*units) or 1, scale)
        self.lower = self._rounded(self.lower)

    @property
    def units(self) -> dict[int, int]:
        """The weights as integers without a common divisor; zeros left out."""
        return {v: int(w / self.step) for v, w in self.problem.weights.items() if w}

    @property
    def goal(self) -> Fraction | None:
        """The greatest weight still of use: a step below the best found, or the ceiling."""
        return self.ceiling if self.upper is None else self.upper - self.step

    @property
    def settled(self) -> bool:
        return self.infeasible or (self.upper is not None and self.lower >= self.upper)

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.started

    @property
    def seconds_left(self) -> float | None:
        return None if self.limit is None else max(0.0, self.limit - self.seconds)

    @property
    def over(self) -> bool:
        return self.settled or (self.limit is not None and self.seconds >= self.limit)

    def check(self) -> None:
        if self.over:
            raise Stopped

    def found(self, values: Sequence[bool]) -> bool:
        """Offer an assignment; True where it holds. Kept where it weighs less than the best."""
        assignment = [bool(value) for value in values[: len(self.problem.names)]]
        if self.problem.holds(assignment) is not None:
            return False
        value = self.problem.value(assignment)
        if self.upper is None or value < self.upper:
            if value < self.lower:
                raise SolverFailed(
                    f"{self.solver}: a lower bound of {self.lower} was claimed, and an assignment "
                    f"weighs {value}; report the problem {self.problem.fingerprint[:16]}"
                )
            self.upper, self.assignment = value, assignment
            self.tell()
        return True

    def proven(self, lower: Fraction) -> None:
        """A weight below ``lower`` was shown to be impossible."""
        lower = self._rounded(lower)
        if self.upper is not None:
            lower = min(lower, self.upper)
        if lower > self.lower:
            self.lower = lower
            self.tell()

    def proven_float(self, units: float) -> None:
        """The same from a solver that computes in floats, in units of `step`."""
        if abs(units) < 2.0**52:
            self.proven(ceil(units - 1e-6) * self.step)

    def exhausted(self) -> None:
        """Nothing at or below `goal` exists: what was found is best, or nothing can be found."""
        if self.upper is not None:
            self.proven(self.upper)
        elif self.ceiling is not None:
            raise SolverFailed(
                f"{self.solver}: known upper bound {self.ceiling}: no assignment weighs as little; "
                "solve again without it"
            )
        else:
            self.infeasible = True

    def tell(self) -> None:
        if self.progress is not None:
            self.progress(Progress(self.solver, self.lower, self.upper, self.seconds))

    def _rounded(self, lower: Fraction) -> Fraction:
        return ceil(lower / self.step) * self.step


class Solver(Protocol):
    @property
    def version(self) -> str: ...

    def run(self, run: Run) -> None:
        """Work until `run.settled` or the time is over, then return; `Stopped` may pass through."""
