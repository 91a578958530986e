"""How many rounds a permutation of two words needs for that many active S-boxes, by whole queries.

More rounds never have fewer active S-boxes, so the fewest rounds without a light trail are what is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import perf_counter

from .facts import Fact, Facts
from .feistel import View, structure, trail_within

_FIRST = 10.0  # seconds for a trail over the most rounds


def name_in_the_core(name: str) -> str:
    """As ``roundworks describe`` and the Rust core have it."""
    if name[0].isalpha():  # simpira-4, areion-512
        return name
    return f"feistel{128 * len(structure(name).codes)}:{name}"


def count_up(
    facts: Facts, name: str, view: View, most: int, limit: float, stop: Callable[[], bool] | None = None
) -> Iterator[Fact]:
    """One round after the other, until no trail is light, or one query is open; facts are yielded.

    ``limit``: seconds for one number of rounds. ``stop``: as for `trail_within`.
    """
    ceiling = facts.need - 1
    # A weak structure has a light trail over many rounds as soon as over few.
    for first, rounds in ((True, most), *((False, rounds) for rounds in range(1, most + 1))):
        below, seconds = facts.below(name, view), _FIRST if first else limit
        if facts.reached(name, view, most) == below + 1:
            return
        if rounds <= below:
            continue
        if not facts.was_open(name, view, rounds, ceiling, seconds):
            started = perf_counter()
            light, weight, solver = trail_within(
                structure(name), rounds, view, facts.count, ceiling, seconds, stop=stop
            )
            spent = round(perf_counter() - started, 3)
            yield facts.keep(
                Fact(name, view, rounds, ceiling, light, weight, solver=solver, limit=seconds, seconds=spent)
            )
            if light is not None:
                continue
        if not first:
            return
