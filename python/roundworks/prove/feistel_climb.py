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

    ``limit``: seconds for one number of rounds, and as much for its table. What is then open stays
    open, as long as sums of windows leave fewer paths of more rounds these are looked at, too.
    """
    windows, tired, before = facts.windows(name, view), False, 0
    for rounds in range(1, most + 1):
        if facts.lower(name, view, rounds)[rounds] >= facts.need:
            return
        tired = tired or facts.was_asked(name, view, rounds, facts.need - 1, limit)
        if tired:
            left = len(windows.open(rounds, facts.need))
            if before and left >= before:
                return
            before = left
        else:
            _table(facts, windows, name, rounds, limit)
            if facts.below(name, view) < rounds:
                open_ = _light(facts, windows, name, rounds, limit)
                if open_ is not None:
                    tired = True
                    yield open_
        yield from _concluded(facts, windows, name, rounds)


def _table(facts: Facts, windows: Windows, name: str, rounds: int, limit: float) -> None:
    """The least of every path, if so few rounds are worth it."""
    short, enough = SHORT, int(facts.need * PART)
    if isinstance(windows.it, Spn):
        short, enough = SHORT_SPN, facts.need
    until = perf_counter() + limit
    for path in windows.open(rounds, enough) if rounds <= short else ():
        left = until - perf_counter()
        if left <= 0:
            return
        _ask(facts, windows, name, path, enough - 1, left, least=True)


def _light(facts: Facts, windows: Windows, name: str, rounds: int, limit: float) -> Fact | None:
    """A light trail along any path is looked for; an open question if it stays one."""
    started, most, open_ = perf_counter(), facts.need - 1, False
    for path in windows.open(rounds, facts.need):
        left = limit - (perf_counter() - started)
        if left > 0 and _ask(facts, windows, name, path, most, left, least=False):
            return None
        open_ = open_ or windows.least(path) <= most
        if left <= 0:
            break
    if not open_:
        return None
    said, spent = ", ".join(facts.solvers(name, windows.view)), perf_counter() - started
    fact = Fact(name, windows.view, rounds, most, None, None, said, limit, round(spent, 3))
    facts.keep(fact)
    return fact


def _ask(
    facts: Facts, windows: Windows, name: str, path: Path, most: int, limit: float, least: bool
) -> bool:
    """Whether a trail along the path has at most ``most``; with ``least`` the lightest is found."""
    view, rounds, low = windows.view, windows.rounds(path), windows.least(path)
    known = [f.weight for f in facts.along(name, view, path) if f.weight is not None]
    if min(known, default=most + 1) <= (low if least else most):
        return True
    started = perf_counter()
    answer, weight = _answered(facts, windows, path, most, limit, least)
    spent = round(perf_counter() - started, 3)

    def keep(asked: int, light: bool) -> None:
        given = (weight if light else None), answer.version, round(limit, 1), spent, path
        facts.keep(Fact(name, view, rounds, asked, light, *given))

    if weight is not None:
        keep(most, True)
    proven = most + 1 if answer.status == "infeasible" else int(answer.lower) if least else 0
    if proven > low:
        windows.tell(path, proven)
        keep(proven - 1, False)
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
    if answer.status == "bounded" and answer.seconds < limit:  # Ctrl-C
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
