"""How many rounds a permutation of four words needs: a Feistel permutation along its paths of active
words, Haraka and Pholkos by degrees.

A whole question, such as 86 active S-boxes over seven rounds, is too much for any solver at hand;
along one path of active words it is seconds. First the least of every path over few rounds; of more
rounds, sums of these rule out all paths but some, and a light trail along one of them is enough.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from time import perf_counter

from ..errors import SolverFailed
from .bounding import with_bounds
from .feistel import Count, View
from .feistel_bounds import Fact, Facts
from .feistel_path_model import PathBuilder, light_model, path_model, patterns
from .feistel_trails import weighed
from .feistel_words import Path, Windows
from .solve import Answer, solve
from .spn import Spn, spn
from .spn_degrees import Model

SOLVER = "cadical"
# Over so many rounds the least of every path is found, as far as this part of what is needed: two such
# windows are enough together, and what costs more takes longest to prove.
SHORT = 4
PART = Fraction(1, 2)
# For one path, while a light trail is looked for along many.
PATH_SECONDS = 0.5
# So many of those that were light over one round less are made longer.
LONGER = 4


def climb(facts: Facts, name: str, view: View, most: int, limit: float) -> Iterator[Fact]:
    """From one round on until as many as are needed are reached; facts of all trails are told.

    ``limit``: seconds for one number of rounds, and as much for its table. What is then open stays
    open, as long as sums of windows leave fewer paths of more rounds these are looked at, too.
    """
    other = spn(name)
    if other is not None:
        yield from _by_degrees(facts, name, other, view, most, limit)
        return
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


def _by_degrees(
    facts: Facts, name: str, it: Spn, view: View, most: int, limit: float
) -> Iterator[Fact]:
    """The least of one round after the other, told of those before."""
    ceiling = facts.need - 1
    for rounds in range(1, most + 1):
        best = facts.lower(name, view, rounds)
        if best[rounds] >= facts.need:
            return
        if facts.upper(name, view, rounds) == best[rounds]:
            continue
        if facts.was_asked(name, view, rounds, ceiling, limit):
            return
        model, started = Model(it, rounds, view), perf_counter()
        problem = with_bounds(model.problem, model.parts, best, ceiling, "all")
        answer = solve(problem, SOLVER, limit, known=(Fraction(best[rounds]), None))
        if answer.interrupted:  # what is open would be so for good
            raise KeyboardInterrupt
        spent = round(perf_counter() - started, 3)
        told: list[tuple[int, bool | None, int | None]] = []
        if answer.assignment is not None:
            patterns = model.patterns(answer.assignment)
            weight = weighed(it, rounds, view, facts.count, patterns)
            if weight != answer.upper:
                text = (
                    f"{name}, {rounds} rounds, {view}: want {answer.upper}, got {weight}; report it"
                )
                raise SolverFailed(text)
            told.append((weight, True, weight))
        proven = facts.need if answer.status == "infeasible" else int(answer.lower)
        if proven > best[rounds]:
            told.append((proven - 1, False, None))
        if answer.status == "bounded":
            told.append((ceiling, None, None))
        for asked, light, found in told:
            fact = Fact(name, view, rounds, asked, light, found, answer.version, limit, spent)
            facts.keep(fact)
            yield fact
        if answer.status == "bounded":
            return


def _table(facts: Facts, windows: Windows, name: str, rounds: int, limit: float) -> None:
    """The least of every path, if so few rounds are worth it."""
    enough = int(facts.need * PART)
    until = perf_counter() + limit
    for path in windows.open(rounds, enough) if rounds <= SHORT else ():
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
    it, view = windows.it, windows.view
    problem, build = path_model(it, view, path, facts.count, most, windows)
    if not least:
        problem.weights.clear()
    low = windows.least(path) if least else 0
    answer = solve(problem, SOLVER, limit, known=(Fraction(low), None))
    if answer.interrupted:
        raise KeyboardInterrupt
    low, high = (0, most) if answer.upper is None or not least else (int(answer.upper),) * 2
    return answer, _weight(windows, path, facts.count, build, answer, low, high)


def _weight(
    windows: Windows,
    path: Path,
    count: Count,
    build: PathBuilder,
    answer: Answer,
    low: int,
    high: int,
) -> int | None:
    """Of the trail that was found, by the plain model."""
    if answer.assignment is None:
        return None
    it, view, rounds = windows.it, windows.view, windows.rounds(path)
    weight = weighed(it, rounds, view, count, patterns(build, answer.assignment))
    if not low <= weight <= high:
        raise SolverFailed(
            f"{it}, {rounds} rounds, {view}, {path}: want a trail of {low} to {high}, got {weight};"
            " report it"
        )
    return weight


def _likely(facts: Facts, windows: Windows, rounds: int) -> Iterator[Path]:
    """First the paths where other permutations have a light trail, or had one a round before; then
    those with the fewest active functions."""
    yield from facts.light_paths(windows.view, rounds)
    for path in facts.light_paths(windows.view, rounds - 1)[:LONGER]:
        yield from windows.longer(path)
    yield from windows.fewest(rounds)


def light_trail(facts: Facts, name: str, view: View, rounds: int, limit: float) -> Fact:
    """Whether there is one, `PATH_SECONDS` for each path."""
    windows, most = facts.windows(name, view), facts.need - 1
    started, weight, solver = perf_counter(), None, ""
    seen: set[Path] = set()
    for path in _likely(facts, windows, rounds):
        one = windows.one_of(path)
        left = limit - (perf_counter() - started)
        if left <= 0 or weight is not None:
            break
        if one in seen or windows.least(one) > most:
            continue
        seen.add(one)
        asked, seconds = perf_counter(), min(left, PATH_SECONDS)
        problem, build = light_model(windows.it, view, one, facts.count, most)
        answer = solve(problem, SOLVER, seconds)
        if answer.interrupted:
            raise KeyboardInterrupt
        weight, solver = _weight(windows, one, facts.count, build, answer, 0, most), answer.version
        if weight is not None or answer.status == "infeasible":
            given = weight is not None, weight, solver, seconds, round(perf_counter() - asked, 3)
            facts.keep(Fact(name, view, rounds, most, *given, one))
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
