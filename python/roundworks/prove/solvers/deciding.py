"""Minimise by decisions whether the weight can be at most so much, each counted round by round.

A solver that looks for an assignment and one that refutes them want different settings, and a decision can be split
where a minimum cannot: of rounds that weigh little together, the first half does or the second one. So a light
assignment is looked for first, and then all lighter ones are refuted at once. Of Speck32 over 9 rounds the best trail
takes Kissat a second and the refutation of a lighter one 91 s of CPU in two halves, 229 s in one; going up, as was done
before, refutes 6 weights.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from ... import __version__
from ...errors import SolverFailed
from .. import solvers
from .bounding import Window, halves, within
from .choice import DECISION, chosen
from .interface import Solution, SolverProgress, SolverRun
from .problem import Problem, Var
from .solve import solve


@dataclass(frozen=True, slots=True)
class Searched:
    """What a search has shown: every assignment weighs at least ``lower``, and ``light``, if there is one, is the
    weight of one with what some variables are in it."""

    lower: Fraction
    light: tuple[Fraction, Mapping[Var, bool]] | None = None


@dataclass(frozen=True, slots=True)
class LightestTrail:
    """A search by its name, and what it shows of assignments of at most a weight, within seconds; unless it is to go
    through the whole, of some that can be light."""

    name: str
    search: Callable[[Fraction, float | None, bool], Searched]

    @property
    def version(self) -> str:
        """Name and version, as a solver has them."""
        return f"{self.name} (roundworks {__version__})"


# Seconds for a case of a refutation at first; patience grows by this factor, for what is given up begins anew.
PATIENCE, GROWTH = 120.0, 8
# The part of them for looking for a lighter one, and for raising the bound from below.
ASIDE = 12
# Seconds for a lighter assignment at first, or times what the last one took, where that is more.
SOON, TIMES = 0.5, 4
# Seconds for a refutation of all cases in one, which takes less than several where it is soon at its end.
WHOLE = 4.0
# Seconds for a solver that minimises, which is quicker than decisions where it is soon at its end: over 6 rounds of
# Speck32 CaDiCaL takes half of Kissat's time, over 7 more. A round less took no more than that part of them.
BRIEF, PART = 1.0, 0.4
MINIMISER = "cadical"
# Of the time limit no more than this part goes into one case at first, so that something is left for the bound.
SHARE = 4


def decided(
    problem: Problem,
    rounds: Sequence[Mapping[Var, Fraction]],
    best: Sequence[Fraction],
    limit: float | None = None,
    progress: Callable[[SolverProgress], None] | None = None,
    special: LightestTrail | None = None,
    last: float = 0.0,
) -> Solution:
    """The minimum, or its bounds when time runs out; see `bounding.within`.

    ``rounds`` has the weights of the problem by alike rounds, ``best`` lower bounds for 0 to all rounds but
    one. ``special``: a search that is for such rounds only. ``last``: seconds that a round less took.
    """
    search = _Search(problem, rounds, best, limit, progress, special)
    if last <= PART * BRIEF:
        search.minimise()
    search.find()
    while not search.over:
        if not search.lightest:
            search.look()
        if not search.refute(search.patience):
            search.rise(search.patience / ASIDE)
            search.patience *= GROWTH
            search.soon, search.given_up = search.patience / ASIDE, Fraction(-1)
    run = search.run
    return Solution(
        status="infeasible" if run.infeasible else "optimal" if run.settled else "bounded",
        lower=Fraction(0) if run.infeasible else run.lower,
        upper=run.upper,
        assignment=run.assignment,
        solver=run.solver,
        version=", ".join([solvers.find(run.solver).version, *search.searched]),
        seconds=run.seconds,
        lower_by=run.solver if run.settled else run.lower_by,
        interrupted=search.interrupted,
    )


class _Search:
    """The bounds so far in ``run``, and what of the present refutation is still open."""

    def __init__(
        self,
        problem: Problem,
        rounds: Sequence[Mapping[Var, Fraction]],
        best: Sequence[Fraction],
        limit: float | None,
        progress: Callable[[SolverProgress], None] | None,
        special: LightestTrail | None,
    ) -> None:
        total = len(rounds)
        lower = max((best[k] + best[total - k] for k in range(1, total)), default=Fraction(0))
        solver = chosen(Problem(kind=DECISION), solvers.installed())
        self.run = SolverRun(problem, solver, limit, progress, lower=lower)
        self.rounds, self.best = rounds, best
        self.special = special
        self.lightest = False  # whether the special search found what is the best so far
        self.searched: list[str] = []  # who else says what is proven
        self.patience = PATIENCE if limit is None else min(PATIENCE, limit / SHARE)
        # Seconds for a lighter one, and the last weight that none was found of in these.
        self.soon, self.given_up = SOON, Fraction(-1)
        self.interrupted = False
        self.open: tuple[Fraction, list[Window]] = (Fraction(-1), [])
        self.run.tell()

    @property
    def over(self) -> bool:
        """Whether there is nothing left to do, or no time."""
        return self.run.over or self.interrupted

    def minimise(self) -> None:
        """By a solver that minimises, if it is soon at its end; else what it found is a beginning."""
        run = self.run
        if self.special is not None or self.over or MINIMISER not in solvers.installed():
            return
        limit = BRIEF if run.seconds_left is None else min(BRIEF, run.seconds_left)
        solution = solve(run.problem, MINIMISER, limit, known=(run.lower, None))
        self.interrupted |= solution.interrupted
        if solution.status == "infeasible":
            run.exhausted(None, MINIMISER)
        if solution.assignment is not None:
            run.found(solution.assignment, MINIMISER)
        if solution.status == "optimal":
            run.proven(solution.lower, MINIMISER)
        if run.settled:
            run.solver = MINIMISER
        run.tell()

    def find(self) -> None:
        """Some assignment, not far above what is proven: by as much as one round more has cost so far."""
        run, most = self.run, sum(self.run.problem.weights.values(), Fraction(0))
        self.special_found(most, whole=False)
        gap = max((b - a for a, b in pairwise(self.best)), default=Fraction(0))
        while not self.over and run.upper is None:
            target = min(run.lower + gap, most)
            last = target >= most
            outcome = self._decide(target, None, self.patience / ASIDE, True) if last else self._soon(target)
            if outcome is False and last:
                run.exhausted(None)
            elif outcome is False:
                run.proven(target + run.step)
            gap = 2 * gap + run.step

    def look(self) -> None:
        """Lighter assignments than the best, as long as they are soon found."""
        outcome: bool | None = True
        while outcome and not self.over and (goal := self.run.goal) is not None and goal > self.given_up:
            outcome = self._soon(goal)
            if outcome is False:
                self.run.proven(goal + self.run.step)

    def _soon(self, most: Fraction) -> bool | None:
        """Whether something weighs at most that much, if it is soon found."""
        started = self.run.seconds
        outcome = self._decide(most, None, min(self.soon, self.patience / ASIDE), True)
        if outcome:
            self.soon = max(self.soon, TIMES * (self.run.seconds - started))
        elif outcome is None:
            self.given_up = most
        return outcome

    def refute(self, seconds: float) -> bool:
        """That anything is lighter than the best, each case by itself; True where something is."""
        goal = self.run.goal
        if self.over or goal is None:
            return False
        if self.special_found(goal, whole=True):
            return self.lightest
        if self.open[0] != goal:
            self.open = goal, halves(len(self.rounds), self.best, goal)
            outcome = self._decide(goal, None, min(seconds, WHOLE), False)
            if outcome is not None:
                if not outcome:
                    self.run.proven(goal + self.run.step)
                return outcome
        left = []
        for window in self.open[1]:
            outcome = None if self.over else self._decide(goal, window, seconds, False)
            if outcome:
                return True
            if outcome is None:
                left.append(window)
        self.open = goal, left
        if not left:
            self.run.proven(goal + self.run.step)
        return False

    def rise(self, seconds: float) -> None:
        """That anything is as light as what is proven, as long as that is soon refuted."""
        run = self.run
        while not self.over and self._decide(run.lower, None, seconds, False) is False:
            run.proven(run.lower + run.step)

    def special_found(self, most: Fraction, whole: bool) -> bool:
        """Whether the special search found something, or shows that nothing is so light."""
        run, special = self.run, self.special
        if special is None or self.over:
            return False
        try:
            outcome = special.search(most, run.seconds_left, whole)
        except KeyboardInterrupt:
            self.interrupted = True
            return False
        if outcome.lower > run.lower:
            run.proven(outcome.lower, special.version)
            self.searched = [special.version]
        if outcome.light is None:
            return outcome.lower > most
        weight, values = outcome.light
        decision = within(run.problem, self.rounds, self.best, weight)
        for variable, value in values.items():
            decision.fix(variable, value)
        solution = solve(decision, run.solver, run.seconds_left, expected=True)
        self.interrupted |= solution.interrupted
        if solution.status == "infeasible" or (solution.assignment and not run.found(solution.assignment)):
            raise SolverFailed(f"{special.version}: the trail found, of weight {weight}, breaks a constraint")
        self.lightest = solution.assignment is not None
        return self.lightest

    def _decide(self, most: Fraction, window: Window | None, seconds: float, expected: bool) -> bool | None:
        """Whether something weighs at most that much, and weighs that little in the window; None if time ran out."""
        run = self.run
        left = seconds if run.seconds_left is None else min(seconds, run.seconds_left)
        problem = within(run.problem, self.rounds, self.best, most, window)
        solution = solve(problem, run.solver, left, expected=expected)
        self.interrupted |= solution.interrupted
        run.tell()
        if solution.assignment is None:
            return False if solution.status == "infeasible" else None
        if not run.found(solution.assignment) or run.upper is None or run.upper > most:
            raise SolverFailed(f"{run.solver}: the assignment found breaks a constraint")
        return True
