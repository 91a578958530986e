"""Lower bounds of a permutation, shown once more by another solver.

What is known of single paths says where to look: of the windows that a bound needs, and of no others, the other
solver refutes lighter trails. Nothing that the first one has proven is a premise.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from time import perf_counter

from ...errors import RoundworksError
from .deepening import query
from .facts import Fact, Facts
from .model import View
from .paths import Path, Windows


def shown_again(
    known: Facts, again: Facts, name: str, view: View, wanted: Mapping[int, int], limit: float
) -> Iterator[Fact]:
    """What ``again`` has afterwards: of numbers of rounds the minima that are ``wanted``, the fewest rounds first.

    ``known`` has the minima of paths by the first solver, and ``again`` is that of the other. ``limit``: seconds
    for one number of rounds; what is then open is left out.

    Raises
    ------
    RoundworksError
        ``2-0,1-1: along (1, 3, 2): at least 10 by HiGHS 1.15.1, a trail of 9 by Kissat 4.0.4; one of the two is wrong``
    """
    said, mine = known.windows(name, view), again.windows(name, view)
    for rounds, minimum in sorted(wanted.items()):
        started = perf_counter()
        # Of a sum of fewer rounds the parts are enough.
        if again.lower(name, view, rounds)[rounds] >= minimum or not _by_itself(
            known, name, view, rounds, minimum
        ):
            continue
        if _refuted(known, again, name, said, mine, rounds, minimum, started + limit):
            spent, solvers = round(perf_counter() - started, 3), ", ".join(again.solvers(name, view))
            yield again.keep(
                Fact(name, view, rounds, minimum - 1, False, None, solver=solvers, limit=0.0, seconds=spent)
            )


def _by_itself(known: Facts, name: str, view: View, rounds: int, minimum: int) -> bool:
    return any(
        fact.light is False and fact.rounds == rounds and fact.most >= minimum - 1
        for fact in known.of(name, view)
    )


def _refuted(
    known: Facts,
    again: Facts,
    name: str,
    said: Windows,
    mine: Windows,
    rounds: int,
    minimum: int,
    until: float,
) -> bool:
    """Whether no path over that many rounds is left that may cost less."""
    while True:
        try:
            paths = mine.open(rounds, minimum, until)
        except TimeoutError:
            return False
        if not paths:
            return True
        needed: set[Path] = set()
        for path in paths:
            if said.minimum(path) < minimum:  # not by single paths
                return False
            needed |= said.parts(path, mine)
        # Short windows first: what is shown of them helps with the longer ones.
        for part in sorted(needed, key=lambda part: (len(part), part)):
            enough = said.minimum(part)
            if mine.minimum(part) >= enough:
                continue
            left = until - perf_counter()
            if left <= 0:
                return False
            if query(again, mine, name, part, enough - 1, left, minimum=False):
                raise _contradiction(known, again, name, mine, part)
            if mine.minimum(part) < enough:
                return False


def _contradiction(known: Facts, again: Facts, name: str, mine: Windows, part: Path) -> RoundworksError:
    view = mine.view
    low = max(
        (fact for fact in known.along(name, view, part) if fact.light is False), key=lambda fact: fact.most
    )
    high = next(fact for fact in again.along(name, view, part) if fact.light)
    return RoundworksError(
        f"{name}: along {part}: at least {low.most + 1} by {low.solver}, a trail of {high.weight} by {high.solver};"
        " one of the two is wrong"
    )
