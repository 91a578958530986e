"""How many rounds a permutation of four words needs: a Feistel permutation along its paths of active
words, Haraka and Pholkos by active-cell count.

A whole query, such as 86 active S-boxes over seven rounds, is too much for any solver at hand;
along one path of active words it is seconds. First the minimum of every path over few rounds; of more
rounds, sums of these rule out all paths but some, and a light trail along one of them is enough.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from random import Random
from time import perf_counter

from ...errors import SolverFailed
from ..solvers.bounding import with_bounds
from ..solvers.solve import Solution, solve
from .facts import Fact, Facts
from .feistel import Count, View
from .path_model import PathBuilder, light_model, path_model, patterns
from .paths import Path, Windows
from .spn import Spn, spn
from .spn_counts import CountModel
from .trails import weighed

# The minimum of every path is found, as far as this part of what is needed: two such windows are enough together,
# and what costs more takes longest to prove. A permutation of cheap rounds has such paths over more of them.
PART = Fraction(1, 2)
# Paths of more rounds than some that stayed open are looked at again where no more than these are left.
FEW = 3000
# A bracket is taken up at its far end where no more than these are open there.
MANY = 10_000
# Rounds that many open paths share, from this many on to two more than half of a path; the seconds for each, and the
# part of the limit for all. Their minima are found first, for sums of these rule out many paths at a time: of
# Areion-512 over 13 rounds 15 minutes of a core left 4,574 of 8,874 paths, of which each takes a solver three seconds.
SHARED, SHARED_SECONDS, RAISED = 4, 20.0, 0.8
# The seconds that each path has at first, where there are several times that, in an order that favours none. Of
# Areion-512 over 13 rounds 85 of 1,795 paths were decided so in five minutes, when one of them had a light trail; in
# turn, with all the time for each, 16 minutes had decided 16.
SOON = 12.0
# The rounds that are left off a path at first: some paths go on from the same rounds, and what is refuted there is
# refuted of all of these.
OFF = 2
# For one path, while a light trail is looked for along many.
PATH_SECONDS = 0.5
# This many of those that were light over one round less are made longer.
LONGER = 4


def deepen(facts: Facts, name: str, view: View, most: int, limit: float) -> Iterator[Fact]:
    """From one round on until as many as are needed are reached; facts of all trails are yielded.

    ``limit``: seconds for one number of rounds, and as much for its table. What is then open stays
    open; as long as sums of windows leave fewer paths of more rounds, so do these say what they can, and a
    solver tries the last few.
    """
    other = spn(name)
    if other is not None:
        yield from _by_active_counts(facts, name, other, view, most, limit)
        return
    if facts.reached(name, view, most) == facts.below(name, view) + 1:
        return
    windows = facts.windows(name, view)
    yield from _narrowed(facts, windows, name, most, limit)
    before = 0  # the paths that stayed open over a round less
    for rounds in range(1, most + 1):
        if facts.lower(name, view, rounds)[rounds] >= facts.need:
            return
        was_open = facts.was_open(name, view, rounds, facts.need - 1, limit)
        left = len(windows.open(rounds, facts.need)) if before or was_open else 0
        if before and left >= before:
            return
        before = left
        if left <= FEW and not was_open:
            _table(facts, windows, name, rounds, limit)
            if facts.below(name, view) < rounds:
                open_ = _light(facts, windows, name, rounds, limit)
                if open_ is not None:
                    before = len(windows.open(rounds, facts.need))
                    yield open_
        yield from _concluded(facts, windows, name, rounds)


def _narrowed(facts: Facts, windows: Windows, name: str, most: int, limit: float) -> Iterator[Fact]:
    """Where a bracket is known, from its far end, where the fewest paths are open, as long as these are few."""
    view = windows.view
    while (reached := facts.reached(name, view, most) or 0) > facts.below(name, view) + 1:
        rounds = reached - 1
        tried = facts.was_open(name, view, rounds, facts.need - 1, limit)
        if tried or len(windows.open(rounds, facts.need)) > MANY:
            return
        started = perf_counter()
        _raised(facts, windows, name, rounds, limit * RAISED)
        open_ = _light(facts, windows, name, rounds, limit, started)
        yield from [open_] if open_ is not None else _concluded(facts, windows, name, rounds)
        if open_ is not None:
            return


def _by_active_counts(
    facts: Facts, name: str, it: Spn, view: View, most: int, limit: float
) -> Iterator[Fact]:
    """The minimum of one round after the other, given those before."""
    ceiling = facts.need - 1
    for rounds in range(1, most + 1):
        best = facts.lower(name, view, rounds)
        if best[rounds] >= facts.need:
            return
        if facts.upper(name, view, rounds) == best[rounds]:
            continue
        if facts.was_open(name, view, rounds, ceiling, limit):
            return
        model, started = CountModel(it, rounds, view), perf_counter()
        problem = with_bounds(model.problem, model.parts, best, ceiling)
        solution = solve(problem, facts.solver, limit, known=(Fraction(best[rounds]), None)).uninterrupted()
        spent = round(perf_counter() - started, 3)
        news: list[tuple[int, bool | None, int | None]] = []
        if solution.assignment is not None:
            patterns = model.patterns(solution.assignment)
            weight = weighed(it, rounds, view, facts.count, patterns)
            if weight != solution.upper:
                text = f"{name}, {rounds} rounds, {view}: want {solution.upper}, got {weight}; report it"
                raise SolverFailed(text)
            news.append((weight, True, weight))
        proven = facts.need if solution.status == "infeasible" else int(solution.lower)
        if proven > best[rounds]:
            news.append((proven - 1, False, None))
        if solution.status == "bounded":
            news.append((ceiling, None, None))
        for below, light, result in news:
            solver = solution.version
            yield facts.keep(
                Fact(name, view, rounds, below, light, result, solver=solver, limit=limit, seconds=spent)
            )
        if solution.status == "bounded":
            return


def _table(facts: Facts, windows: Windows, name: str, rounds: int, limit: float) -> None:
    """The minimum of every path that may have less than a part of what is needed."""
    enough = int(facts.need * PART)
    until = perf_counter() + limit
    for path in windows.open(rounds, enough):
        left = until - perf_counter()
        if left <= 0:
            return
        query(facts, windows, name, path, enough - 1, left, minimum=True)


def _raised(facts: Facts, windows: Windows, name: str, rounds: int, limit: float) -> None:
    """The minimum of rounds that open paths share, as far as it can rule one out; the most shared first."""
    until, enough = perf_counter() + limit, facts.need - 1
    for length in range(SHARED, min(rounds - 1, rounds // 2 + 3)):
        most, uses = windows.shared(rounds, length, enough)
        for part, _ in uses.most_common():
            left = until - perf_counter()
            if left <= 0:
                return
            if windows.minimum(part) <= most[part]:
                seconds = min(left, SHARED_SECONDS)
                query(facts, windows, name, part, most[part], seconds, minimum=True)


def _light(
    facts: Facts, windows: Windows, name: str, rounds: int, limit: float, started: float | None = None
) -> Fact | None:
    """A light trail along any path is looked for; an open query if it stays one. The limit is from ``started`` on."""
    started, most, open_ = started or perf_counter(), facts.need - 1, False
    paths = windows.open(rounds, facts.need)
    if _soon(facts, windows, name, paths, started + limit):
        return None
    ceilings = _without_the_last(windows, paths, most)
    for path in paths:
        left = limit - (perf_counter() - started)
        if left > 0 and windows.minimum(path) <= most:
            first = windows.first(path, OFF)
            if (ceiling := ceilings.pop(first, None)) is not None:
                query(facts, windows, name, first, ceiling, left, minimum=False)
                left = limit - (perf_counter() - started)
        tried = left > 0 and windows.minimum(path) <= most
        if tried and query(facts, windows, name, path, most, left, minimum=False):
            return None
        open_ = open_ or windows.minimum(path) <= most
        if left <= 0:
            break
    if not open_:
        return None
    view, spent = windows.view, round(perf_counter() - started, 3)
    said = ", ".join(facts.solvers(name, view))
    return facts.keep(Fact(name, view, rounds, most, None, None, solver=said, limit=limit, seconds=spent))


def _soon(facts: Facts, windows: Windows, name: str, paths: Sequence[Path], until: float) -> bool:
    """Whether a light trail is found along one of the paths within `SOON`, in half of the time there is."""
    now, most = perf_counter(), facts.need - 1
    if until - now < 4 * SOON:
        return False
    for path in Random(0).sample(paths, len(paths)):
        if perf_counter() > (now + until) / 2:
            return False
        light = windows.minimum(path) <= most
        if light and query(facts, windows, name, path, most, SOON, minimum=False):
            return True
    return False


def _without_the_last(windows: Windows, paths: Sequence[Path], most: int) -> dict[Path, int]:
    """Of paths the first rounds, each with what it must cost for all of these to cost more than ``most``."""
    ceilings: dict[Path, int] = {}
    for path in paths:
        if windows.rounds(path) > OFF:
            first = windows.first(path, OFF)
            rest = windows.minimum(path[windows.rounds(path) - OFF :])
            ceilings[first] = max(ceilings.get(first, 0), most - rest)
    return ceilings


def query(
    facts: Facts, windows: Windows, name: str, path: Path, most: int, limit: float, minimum: bool
) -> bool:
    """Whether a trail along the path has at most ``most``; with ``minimum`` the lightest is found."""
    view, rounds, low = windows.view, windows.rounds(path), windows.minimum(path)
    known = [f.weight for f in facts.along(name, view, path) if f.weight is not None]
    if min(known, default=most + 1) <= (low if minimum else most):
        return True
    started = perf_counter()
    solution, weight = _solved(facts, windows, path, most, limit, minimum)
    spent = round(perf_counter() - started, 3)

    def keep(below: int, light: bool) -> None:
        given = (weight if light else None), solution.version, round(limit, 1), spent, path
        facts.keep(Fact(name, view, rounds, below, light, *given))

    if weight is not None:
        keep(most, True)
    proven = most + 1 if solution.status == "infeasible" else int(solution.lower) if minimum else 0
    if proven > low:
        windows.tell(path, proven)
        keep(proven - 1, False)
    return weight is not None


def _solved(
    facts: Facts, windows: Windows, path: Path, most: int, limit: float, minimum: bool
) -> tuple[Solution, int | None]:
    """The solver's solution, and the weight of its trail by the plain model."""
    design, view = windows.it, windows.view
    problem, build = path_model(design, view, path, facts.count, most, windows)
    if not minimum:
        problem.weights.clear()
    low = windows.minimum(path) if minimum else 0
    solution = solve(problem, facts.solver, limit, known=(Fraction(low), None)).uninterrupted()
    low, high = (0, most) if solution.upper is None or not minimum else (int(solution.upper),) * 2
    return solution, _weight(windows, path, facts.count, build, solution, low, high)


def _weight(
    windows: Windows, path: Path, count: Count, build: PathBuilder, solution: Solution, low: int, high: int
) -> int | None:
    """Of the trail that was found, by the plain model."""
    if solution.assignment is None:
        return None
    design, view, rounds = windows.it, windows.view, windows.rounds(path)
    weight = weighed(design, rounds, view, count, patterns(build, solution.assignment))
    if not low <= weight <= high:
        raise SolverFailed(
            f"{design}, {rounds} rounds, {view}, {path}: want a trail of {low} to {high}, got {weight}; report it"
        )
    return weight


def _likely(facts: Facts, windows: Windows, rounds: int) -> Iterator[Path]:
    """First the paths where other permutations have a light trail, or had one a round before; then
    those with the fewest active functions."""
    yield from (fact.path for fact in facts.light(windows.view, rounds) if fact.path)
    for fact in facts.light(windows.view, rounds - 1)[:LONGER]:
        yield from windows.longer(fact.path or ())
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
        if one in seen or windows.minimum(one) > most:
            continue
        seen.add(one)
        begun, seconds = perf_counter(), min(left, PATH_SECONDS)
        problem, build = light_model(windows.it, view, one, facts.count, most)
        solution = solve(problem, facts.solver, seconds).uninterrupted()
        weight, solver = _weight(windows, one, facts.count, build, solution, 0, most), solution.version
        if weight is not None or solution.status == "infeasible":
            given = weight is not None, weight, solver, seconds, round(perf_counter() - begun, 3)
            facts.keep(Fact(name, view, rounds, most, *given, one))
    light, spent = (None if weight is None else True), round(perf_counter() - started, 3)
    return facts.keep(
        Fact(name, view, rounds, most, light, weight, solver=solver, limit=limit, seconds=spent)
    )


def _concluded(facts: Facts, windows: Windows, name: str, rounds: int) -> Iterator[Fact]:
    """What all paths together say of that many rounds."""
    view = windows.view
    every = windows.open(rounds, facts.need)
    along = [fact for path in every for fact in facts.along(name, view, path)]
    said = ", ".join(facts.solvers(name, view))
    spent = round(sum(fact.seconds for fact in along), 3)
    lightest = min((f.weight for f in along if f.weight is not None), default=None)
    known = facts.upper(name, view, rounds)
    minimum = windows.minimum(every[0]) if every else facts.need

    def fact_of(most: int, light: bool, weight: int | None = None) -> Fact:
        return facts.keep(
            Fact(name, view, rounds, most, light, weight, solver=said, limit=0.0, seconds=spent)
        )

    if lightest is not None and (known is None or lightest < known):
        yield fact_of(lightest, True, lightest)
    if minimum > facts.lower(name, view, rounds)[rounds]:
        yield fact_of(minimum - 1, False)
