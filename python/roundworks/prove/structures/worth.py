"""Which configurations of four words could be faster than one that is known: the rest need no bound.

One block costs its critical path, many the AES instructions, one on the same input and key once. A
configuration that has a light trail at all rounds for which it would be cheaper by either is out.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from ...reference.feistel import CODES
from .facts import Facts
from .feistel import VIEWS, Structure, lasts


def names() -> Iterator[str]:
    """All configurations with the paper's shuffle; of two that only exchange the halves, one."""
    for codes in product(CODES, repeat=4):
        if codes <= codes[2:] + codes[:2]:
            yield ",".join(codes)


def path(it: Structure, rounds: int, latency: int) -> int:
    """Cycles of the critical path, as `analysis.cycles` finds them in a recorded graph; what is
    added is the last round key."""
    ready = [0] * len(it.codes)
    for _ in range(rounds):
        new: list[int] = []
        for at in range(0, len(ready), 2):
            added, kept = len(lasts(it.codes[at])), len(lasts(it.codes[at + 1]))
            x, y = ready[at], ready[at + 1]
            new += [x + latency * kept, max(x + latency * (added - 1), y) + latency]
        ready = [new[source] for source in it.shuffle]
    return max(ready)


def instructions(it: Structure, rounds: int) -> int:
    """AES instructions, the first of both functions of a pair once where it is the same."""
    each = it.instructions
    for added, kept in zip(it.codes[0::2], it.codes[1::2], strict=True):
        each -= lasts(added)[:1] == lasts(kept)[:1] != ()
    return rounds * each


def cheaper(it: Structure, latency: int, cycles: int, work: int) -> int:
    """The most rounds at which it takes less than that many cycles, or less than that many
    instructions."""
    rounds = 0
    while path(it, rounds + 1, latency) < cycles or instructions(it, rounds + 1) < work:
        rounds += 1
    return rounds


def refuted(facts: Facts, name: str, rounds: int) -> bool:
    """Whether a light trail over that many rounds is known, of differences or of masks."""
    return any(facts.below(name, view) >= rounds for view in VIEWS)


def reaches(facts: Facts, name: str, rounds: int) -> bool:
    """Whether it is known that no trail over that many rounds is light, in either view."""
    return all(facts.reached(name, view, rounds) for view in VIEWS)
