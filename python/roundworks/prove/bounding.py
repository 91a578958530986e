"""Matsui's bounding conditions: what is known of fewer rounds, told to a problem of more.

Consecutive rounds of a trail are a trail of fewer rounds, so they weigh at least the best of those;
and within a total of at most ``upper``, at most what the rest leaves [SUN-SAT]. Neither
changes the minimum: both are implied, and a solver need not find them out again.

An option, since it does not always pay: PRESENT bit by bit with CaDiCaL takes 1.7 s of CPU at 7 rounds
without, 3.4 with the windows at the ends and 4.1 with all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Literal

from ..errors import DescriptionError
from .problem import AtLeast, Problem, Var

# prefix and suffix: the windows at either end only, 2 R of them; all: every window of rounds.
Windows = Literal["ends", "all"]


def with_bounds(
    problem: Problem,
    rounds: Sequence[Mapping[Var, Fraction | int]],
    best: Sequence[Fraction | int],
    upper: Fraction | int | None = None,
    windows: Windows = "ends",
) -> Problem:
    """The problem with bounding conditions added; the given one stays as it is.

    ``rounds[r]`` is what each variable weighs in round r, ``best[n]`` a proven lower bound for any n
    consecutive rounds, for n from 0 to at most R. ``upper`` is a weight that some trail attains.
    """
    if not best or best[0] != 0 or len(best) > len(rounds) + 1:
        raise DescriptionError(
            f"best: want bounds for 0 to at most {len(rounds)} rounds, the first 0, got {list(best)}"
        )
    total = len(rounds)
    known = [*map(Fraction, best)]
    while len(known) <= total:  # the rounds of one trail add up
        known.append(max((known[i] + known[-i] for i in range(1, len(known))), default=known[0]))
    out = replace(problem, constraints=list(problem.constraints))
    for first in range(total):
        for last in range(first + 1, total + 1):
            if windows == "ends" and first > 0 and last < total:
                continue
            inside: dict[Var, Fraction] = {}
            for v, weight in (pair for r in rounds[first:last] for pair in r.items()):
                inside[v] = inside.get(v, Fraction(0)) + weight
            terms = tuple((int(weight * problem.scale), v) for v, weight in inside.items())
            least = known[last - first]
            if least > 0:
                out.add(AtLeast(terms, _scaled(least, problem)))
            if upper is not None:
                most = Fraction(upper) - known[first] - known[total - last]
                negated = tuple((-c, v) for c, v in terms)
                out.add(AtLeast(negated, -int(most * problem.scale // 1)))
    return out


def _scaled(bound: Fraction, problem: Problem) -> int:
    return -int(-bound * problem.scale // 1)
