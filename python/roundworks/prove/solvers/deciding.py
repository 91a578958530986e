"""Minimise by decisions whether the weight can be at most so much, each counted round by round.

A solver that looks for an assignment and one that refutes them want different settings, and a decision can be split
where a minimum cannot: of rounds that weigh little together, the first half does or the second one. So a light
assignment is looked for first, and then all lighter ones are refuted at once. Of Speck32 over 9 rounds the best trail
takes Kissat a second and the refutation of a lighter one 91 s of CPU in two halves, 229 s in one; going up, as was done
before, refutes 6 weights.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise

from ...errors import SolverFailed
from .. import solvers
from .bounding import Window, halves, within
from .choice import DECISION, chosen
from .interface import Solution, SolverProgress, SolverRun
from .problem import Problem, Var
from .solve import solve

# Seconds for a refutation at first; patience grows by this factor, for what is given up begins anew.
PATIENCE, GROWTH = 8.0, 8
# Of these the share for looking for a lighter one, and for raising the bound from below.
ASIDE = 4


def decided(
    problem: Problem,
    rounds: Sequence[Mapping[Var, Fraction]],
    best: Sequence[Fraction],
    limit: float | None = None,
    progress: Callable[[SolverProgress], None] | None = None,
) -> Solution:
    """The minimum, or its bounds when time runs out; see `bounding.within`.

    ``rounds`` has the weights of the problem by alike rounds, ``best`` lower bounds for 0 to all rounds but
    one.
    """
    search = _Search(problem, rounds, best, limit, progress)
    search.find()
    while not search.over:
        search.look(search.patience / ASIDE)
        search.refute(search.patience)
        search.rise(search.patience / ASIDE)
        search.patience *= GROWTH
    run = search.run
    return Solution(
        status="infeasible" if run.infeasible else "optimal" if run.settled else "bounded",
        lower=Fraction(0) if run.infeasible else run.lower,
        upper=run.upper,
        assignment=run.assignment,
        solver=run.solver,
        version=solvers.find(run.solver).version,
        seconds=run.seconds,
        fingerprint=problem.fingerprint,
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
    ) -> None:
        total = len(rounds)
        lower = max((best[k] + best[total - k] for k in range(1, total)), default=Fraction(0))
        solver = chosen(Problem(kind=DECISION), solvers.installed())
        self.run = SolverRun(problem, solver, limit, progress, lower=lower)
        self.rounds, self.best = rounds, best
        self.patience, self.interrupted = PATIENCE, False
        self.open: tuple[Fraction, list[Window]] = (Fraction(-1), [])
        self.run.tell()

    @property
    def over(self) -> bool:
        """Whether there is nothing left to do, or no time."""
        return self.run.over or self.interrupted

    def find(self) -> None:
        """Some assignment, not far above what is proven: by as much as one round more has cost so far."""
        run, most = self.run, sum(self.run.problem.weights.values(), Fraction(0))
        gap = max((b - a for a, b in pairwise(self.best)), default=Fraction(0))
        while not self.over and run.upper is None:
            target = min(run.lower + gap, most)
            outcome = self._decide(target, None, PATIENCE, True)
            if outcome is False and target >= most:
                run.exhausted(None)
            elif outcome is False:
                run.proven(target + run.step)
            gap = 2 * gap + run.step

    def look(self, seconds: float) -> None:
        """Lighter assignments than the best, as long as they are soon found."""
        while not self.over and self._decide(self.run.goal, None, seconds, True):
            pass

    def refute(self, seconds: float) -> None:
        """That anything is lighter than the best, each case by itself."""
        goal = self.run.goal
        if self.over or goal is None:
            return
        if self.open[0] != goal:
            self.open = goal, halves(len(self.rounds), self.best, goal)
        left = []
        for window in self.open[1]:
            outcome = None if self.over else self._decide(goal, window, seconds, False)
            if outcome:
                return
            if outcome is None:
                left.append(window)
        self.open = goal, left
        if not left:
            self.run.proven(goal + self.run.step)

    def rise(self, seconds: float) -> None:
        """That anything is as light as what is proven, as long as that is soon refuted."""
        run = self.run
        while not self.over and self._decide(run.lower, None, seconds, False) is False:
            run.proven(run.lower + run.step)

    def _decide(
        self, most: Fraction | None, window: Window | None, seconds: float, expected: bool
    ) -> bool | None:
        """Whether something weighs at most that much, and weighs that little in the window; None if time ran out."""
        run = self.run
        assert most is not None
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
