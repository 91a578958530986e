"""How many rounds a Feistel permutation needs for that many active S-boxes, in both views.

More rounds never have fewer active S-boxes, so the fewest rounds without a light trail are what is needed.
Results go to a ledger, and a later run decides only what is missing, or was open with less time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path
from time import perf_counter

from .feistel import VIEWS, Count, Structure, View, structure, trail_within
from .ledger import Notes


@dataclass(frozen=True, slots=True)
class Needed:
    """``rounds`` reach it, by the word of ``solver``; None where none up to ``below`` do, or time was
    over: ``limit`` seconds for one number of rounds. A trail was found over ``below`` rounds."""

    name: str
    view: View
    rounds: int | None
    below: int
    solver: str
    seconds: float
    limit: float | None


def name_in_the_core(name: str) -> str:
    """As ``roundworks describe`` and the Rust core have it."""
    if name[0].isalpha():  # simpira-4, areion-512
        return name
    return f"feistel{128 * len(structure(name).codes)}:{name}"


def rounds_needed(
    it: Structure,
    need: int,
    view: View,
    count: Count,
    most: int,
    seconds: float | None,
    stop: Callable[[], bool] | None = None,
    below: int = 0,
) -> tuple[int | None, int, str]:
    """The fewest rounds, or None; the most rounds for which a light trail is known; the solver.

    ``below``: for that many it was known before.
    """
    solver = ""
    # A weak structure has a light trail over many rounds as soon as over few.
    for turn, rounds in enumerate((most, *range(1, most + 1))):
        if rounds <= below:
            continue
        limit = seconds if turn else 10.0
        light, _, solver = trail_within(it, rounds, view, count, need - 1, limit, stop=stop)
        if light:
            below = rounds
        elif light is False and rounds == below + 1:
            return rounds, below, solver
        elif light is None and turn:
            return None, below, solver
    return None, below, solver


def table(
    names: Sequence[str],
    need: int,
    count: Count,
    most: int,
    ledger: Path,
    seconds: float | None = None,
    stop: Callable[[], bool] | None = None,
) -> Iterator[Needed]:
    """For each of the structures and each view, as they are decided; what is known comes first.

    ``seconds``: for one number of rounds.
    """
    of = {"search": "rounds of feistel permutations", "need": need, "count": count, "most": most}
    kept = Notes(ledger, of, lambda fields: Needed(**fields))
    earlier = {(design.name, design.view): design for design in kept.lines}
    known = {key: design for key, design in earlier.items() if not _is_open(design, most, seconds)}
    yield from (known[key] for key in known if key[0] in names)
    for name, view in product(names, VIEWS):
        if (name, view) in known:
            continue
        started, design = perf_counter(), structure(name)
        below = earlier[name, view].below if (name, view) in earlier else 0
        result = rounds_needed(design, need, view, count, most, seconds, stop=stop, below=below)
        if stop is not None and stop():
            return
        needed = Needed(name, view, *result, round(perf_counter() - started, 3), seconds)
        kept.keep(f"{name}, {view}", asdict(needed))
        yield needed


def _is_open(it: Needed, most: int, seconds: float | None) -> bool:
    """Whether so much time could decide what less did not."""
    if it.rounds is not None or it.below == most or it.limit is None:
        return False
    return seconds is None or it.limit < seconds
