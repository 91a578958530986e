"""How many rounds a Feistel permutation of four words needs, along its paths of active words.

A whole question, such as 86 active S-boxes over seven rounds, is too much for any solver at hand;
along one path of active words it is seconds. First the least of every path over few rounds; of more
rounds, sums of these rule out all paths but some, and a light trail along one of them is enough.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from time import perf_counter

from ..errors import SolverFailed
from .feistel import View
from .feistel_bounds import Fact, Facts
from .feistel_path_model import path_model, patterns
from .feistel_trails import weighed
from .feistel_words import Path, Windows
from .solve import Answer, solve
from .spn import Spn

SOLVER = "cadical"
# Over so many rounds the least of every path is found, as far as this part of what is needed: two such
# windows are enough together, and what costs more takes longest to prove.
SHORT = 4
PART = Fraction(1, 2)
# Where any word may follow any other, paths are many, and windows of two rounds must say all.
SHORT_SPN = 2


def climb(facts: Facts, name: str, view: View, most: int, limit: float) -> Iterator[Fact]:
    """From one round on until as many as are needed are reached; facts of all trails are told.

    ``limit``: seconds for one path. What is open then stays open, and more rounds may do without it.
    """
    windows, short, enough = facts.windows(name, view), SHORT, int(facts.need * PART)
    if isinstance(windows.it, Spn):
        short, enough = SHORT_SPN, facts.need
    for rounds in range(1, most + 1):
        if facts.lower(name, view, rounds)[rounds] >= facts.need:
            return
        if rounds <= short:
            for path in windows.open(rounds, enough):
                _ask(facts, windows, name, path, rounds, enough - 1, limit, least=True)
        if facts.below(name, view) < rounds:
            for path in windows.open(rounds, facts.need):
                if _ask(facts, windows, name, path, rounds, facts.need - 1, limit, least=False):
                    break
        yield from _concluded(facts, windows, name, rounds)


def _ask(
    facts: Facts,
    windows: Windows,
    name: str,
    path: Path,
    rounds: int,
    most: int,
    limit: float,
    least: bool,
) -> bool:
    """Whether a trail along the path has at most ``most``; with ``least`` the lightest is found."""
    view = windows.view
    known = facts.along(name, view, path)
    if any(f.light is None and f.most <= most and f.limit >= limit for f in known):
        return False
    low = windows.least(path)
    lightest = min((f.weight for f in known if f.weight is not None), default=most + 1)
    if lightest <= (low if least else most):
        return True
    started = perf_counter()
    answer, weight = _answered(facts, windows, path, most, limit, least)
    spent = round(perf_counter() - started, 3)

    def keep(asked: int, light: bool | None) -> None:
        given = (weight if light else None), answer.version, limit, spent, path
        facts.keep(Fact(name, view, rounds, asked, light, *given))

    if weight is not None:
        keep(most, True)
    proven = most + 1 if answer.status == "infeasible" else int(answer.lower) if least else 0
    if proven > low:
        windows.tell(path, proven)
        keep(proven - 1, False)
    if answer.status == "bounded":
        keep(most, None)
    return weight is not None


def _answered(
    facts: Facts, windows: Windows, path: Path, most: int, limit: float, least: bool
) -> tuple[Answer, int | None]:
    """The solver's answer, and the weight of its trail by the plain model."""
    it, view, rounds = windows.it, windows.view, windows.rounds(path)
    problem, build = path_model(it, view, path, facts.count, most, windows)
    if not least:
        problem.weights.clear()
    low = windows.least(path) if least else 0
    answer = solve(problem, SOLVER, limit, known=(Fraction(low), None))
    if answer.status == "bounded" and answer.seconds < limit:
        raise KeyboardInterrupt
    if answer.assignment is None:
        return answer, None
    weight = weighed(it, rounds, view, facts.count, patterns(build, answer.assignment))
    if weight > most or (least and weight != answer.upper):
        raise SolverFailed(
            f"{it}, {rounds} rounds, {view}, {path}: want a trail of at most {most}, got {weight};"
            " report it"
        )
    return answer, weight


def light_trail(facts: Facts, name: str, view: View, rounds: int, limit: float) -> Fact:
    """Whether there is one, along the paths with the fewest active functions; nothing is refuted."""
    windows, most = facts.windows(name, view), facts.need - 1
    started, weight, solver = perf_counter(), None, ""
    for path in windows.fewest(rounds):
        left = limit - (perf_counter() - started)
        if left <= 0 or weight is not None:
            break
        if windows.one_of(path) == path and windows.least(path) <= most:
            answer, weight = _answered(facts, windows, path, most, left, least=False)
            solver = answer.version
    light, spent = (None if weight is None else True), round(perf_counter() - started, 3)
    fact = Fact(name, view, rounds, most, light, weight, solver, limit, spent)
    facts.keep(fact)
    return fact


def _concluded(facts: Facts, windows: Windows, name: str, rounds: int) -> Iterator[Fact]:
    """What all paths together say of so many rounds."""
    view = windows.view
    every = windows.open(rounds, facts.need)
    along = [fact for path in every for fact in facts.along(name, view, path)]
    said = ", ".join(facts.solvers(name, view))
    spent = round(sum(fact.seconds for fact in along), 3)
    lightest = min((f.weight for f in along if f.weight is not None), default=None)
    known = facts.upper(name, view, rounds)
    least = windows.least(every[0]) if every else facts.need

    def told(most: int, light: bool, weight: int | None = None) -> Fact:
        fact = Fact(name, view, rounds, most, light, weight, said, 0.0, spent)
        facts.keep(fact)
        return fact

    if lightest is not None and (known is None or lightest < known):
        yield told(lightest, True, lightest)
    if least > facts.lower(name, view, rounds)[rounds]:
        yield told(least - 1, False)
