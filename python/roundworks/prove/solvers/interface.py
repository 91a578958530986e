"""What a solver is given and what it gives back.

A solver reports to its `SolverRun` and to nobody else. The run checks every assignment against the problem
itself, so a slip of a solver's arithmetic or of our encoding cannot become an upper bound.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil
from typing import Literal, Protocol

from ...errors import SolverFailed
from .problem import Problem

START = "the start"  # who has an assignment that the caller gave
BEFORE = "a bound known before"  # who says so of one that the caller gave
Status = Literal["optimal", "infeasible", "bounded"]


@dataclass(frozen=True, slots=True)
class Solution:
    """``lower`` is proven by ``lower_by``; ``upper`` is the weight of ``assignment``, checked here.

    ``upper`` is None where nothing was found. Infeasible has neither bound but 0 and None.
    ``interrupted``: Ctrl-C came, so what is open says nothing of the time limit.
    """

    status: Status
    lower: Fraction
    upper: Fraction | None
    assignment: list[bool] | None
    solver: str
    version: str
    seconds: float
    lower_by: str = BEFORE
    interrupted: bool = False

    def uninterrupted(self) -> Solution:
        """Itself; after Ctrl-C KeyboardInterrupt, for a caller to whom what is open would be so for good."""
        if self.interrupted:
            raise KeyboardInterrupt
        return self


@dataclass(frozen=True, slots=True)
class SolverProgress:
    """The bounds of a run after this many ``seconds``; ``upper`` None where nothing was found."""

    solver: str
    lower: Fraction
    upper: Fraction | None
    seconds: float


class Contradiction(SolverFailed):
    """A proof against an assignment that was checked; it is not made good by another's solution."""


def contradiction(
    problem: Problem, proven: tuple[str, Fraction | None], found: tuple[str, Fraction]
) -> Contradiction:
    """Who says that there is none so light (None: none at all), and who found one, which was checked."""
    (one, lower), (other, upper) = proven, found
    said = "no assignment at all" if lower is None else f"at least {lower}"
    who = f"{one} and {other} disagree" if one != other else f"{one} contradicts itself"
    return Contradiction(
        f"{who}: {one} says {said}, {other} has an assignment of weight {upper}; "
        f"report the problem {problem.fingerprint[:16]}"
    )


class Stopped(Exception):
    """Raised inside a run whose time is over or whose query is settled; `solve` catches it."""


@dataclass
class SolverRun:
    """One solver at one problem: the bounds so far, the clock, and who wants to hear of it."""

    problem: Problem
    solver: str
    limit: float | None = None
    progress: Callable[[SolverProgress], None] | None = None
    lower: Fraction = Fraction(0)
    ceiling: Fraction | None = None  # attained, by what the caller says: search no higher
    expected: bool | None = (
        None  # whether the caller expects an assignment; a solver may set itself up for it
    )
    upper: Fraction | None = None
    assignment: list[bool] | None = None
    infeasible: bool = False
    # Who says so.
    lower_by: str = BEFORE
    upper_by: str = ""
    started: float = field(default_factory=time.monotonic)
    # Every weight is an integer times `step`, and so is every bound.
    step: Fraction = field(init=False)

    def __post_init__(self) -> None:
        self.step = self.problem.step
        self.lower = self._rounded(self.lower)

    @property
    def units(self) -> dict[int, int]:
        """The weights as integers without a common divisor; zeros left out."""
        return {v: int(w / self.step) for v, w in self.problem.weights.items() if w}

    @property
    def goal(self) -> Fraction | None:
        """The maximum weight still of use: a step below the best found, or the ceiling."""
        return self.ceiling if self.upper is None else self.upper - self.step

    @property
    def settled(self) -> bool:
        """Whether both bounds meet, or nothing exists."""
        return self.infeasible or (self.upper is not None and self.lower >= self.upper)

    @property
    def seconds(self) -> float:
        """Wall-clock seconds since it began."""
        return time.monotonic() - self.started

    @property
    def seconds_left(self) -> float | None:
        """Seconds to its limit; None without one."""
        return None if self.limit is None else max(0.0, self.limit - self.seconds)

    @property
    def over(self) -> bool:
        """Whether it is settled or its time is over."""
        return self.settled or (self.limit is not None and self.seconds >= self.limit)

    def check(self) -> None:
        """`Stopped` where it is over."""
        if self.over:
            raise Stopped

    def found(self, values: Sequence[bool], by: str | None = None) -> bool:
        """Offer an assignment; True where it holds. Kept where it weighs less than the best.

        ``by``, here and below: which of several solvers says so.
        """
        assignment = [bool(value) for value in values[: len(self.problem.names)]]
        if self.problem.holds(assignment) is not None:
            return False
        value, by = self.problem.value(assignment), by or self.solver
        if self.infeasible:
            raise contradiction(self.problem, (self.lower_by, None), (by, value))
        if self.upper is None or value < self.upper:
            if value < self.lower:
                raise contradiction(self.problem, (self.lower_by, self.lower), (by, value))
            self.upper, self.assignment, self.upper_by = value, assignment, by
            self.tell()
        return True

    def proven(self, lower: Fraction, by: str | None = None) -> None:
        """A weight below ``lower`` was shown to be impossible."""
        lower, by = self._rounded(lower), by or self.solver
        if self.upper is not None and lower > self.upper:
            raise contradiction(self.problem, (by, lower), (self.upper_by, self.upper))
        if lower > self.lower:
            self.lower, self.lower_by = lower, by
            self.tell()

    def proven_float(self, units: float, within: Fraction | None) -> None:
        """The same from a solver that computes in floats, in units of `step`.

        ``within``, here and below: it looked at assignments of at most that weight.
        """
        if abs(units) < 2.0**52:
            lower = ceil(units - 1e-6) * self.step
            self.proven(lower if within is None else min(lower, within + self.step))

    def exhausted(self, within: Fraction | None, by: str | None = None) -> None:
        """Nothing was found, and nothing can be."""
        if within is not None and within == self.ceiling and self.upper is None:
            raise SolverFailed(
                f"{self.solver}: known upper bound {self.ceiling}: no assignment weighs as little; "
                "solve again without it"
            )
        if within is not None:
            self.proven(within + self.step, by)
        elif self.upper is not None:
            raise contradiction(self.problem, (by or self.solver, None), (self.upper_by, self.upper))
        else:
            self.infeasible, self.lower_by = True, by or self.solver

    def tell(self) -> None:
        """Tell the bounds to who wants to hear of them."""
        if self.progress is not None:
            self.progress(SolverProgress(self.solver, self.lower, self.upper, self.seconds))

    def _rounded(self, lower: Fraction) -> Fraction:
        return ceil(lower / self.step) * self.step


class Solver(Protocol):
    """What a file of this folder offers as ``SOLVER``."""

    @property
    def version(self) -> str:
        """Name and version, as the solver has them."""

    def run(self, run: SolverRun) -> None:
        """Work until `run.settled` or the time is over, then return; `Stopped` may pass through."""
