"""Matsui's bounding conditions: what is known of fewer rounds, added to a problem of more.

Consecutive rounds of a trail are a trail of fewer rounds, so they weigh at least the best of those;
and within a total of at most ``upper``, at most what the rest leaves [SUN-SAT]. Neither
changes the minimum: both are implied, and a solver need not find them out again. It is for the caller to know that
they are: that no round loses all differences, and that rounds weigh together what each weighs alone.

It pays where counts are weak, not always: bit-wise PRESENT of 7 rounds takes CaDiCaL 1.7 s of CPU
without and 4.1 with. `within` has the same conditions for one weight as a decision, which pays for
additions and ANDs: 7 rounds of Speck32 take 10 s of CPU, and 25 with `with_bounds`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from ...errors import DescriptionError
from .choice import DECISION
from .problem import AtLeast, Clause, Problem, Var


def with_bounds(
    problem: Problem,
    rounds: Sequence[Mapping[Var, Fraction | int]],
    best: Sequence[Fraction | int],
    upper: Fraction | int | None = None,
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
            inside: dict[Var, Fraction] = {}
            for v, weight in (pair for r in rounds[first:last] for pair in r.items()):
                inside[v] = inside.get(v, Fraction(0)) + weight
            terms = tuple((int(weight * problem.scale), v) for v, weight in inside.items())
            minimum = known[last - first]
            if minimum > 0:
                out.add(AtLeast(terms, _scaled(minimum, problem)))
            if upper is not None:
                most = Fraction(upper) - known[first] - known[total - last]
                negated = tuple((-c, v) for c, v in terms)
                out.add(AtLeast(negated, -int(most * problem.scale // 1)))
    return out


@dataclass(frozen=True, slots=True)
class Window:
    """Rounds ``first`` to ``last`` - 1, from 0 on, that weigh at most ``most``."""

    first: int
    last: int
    most: Fraction


def halves(rounds: int, best: Sequence[Fraction], most: Fraction) -> list[Window]:
    """Windows of which every assignment of at most ``most`` keeps one: what is left above the best of both halves
    is not spent in both of them."""
    if rounds < 2:
        return [Window(0, rounds, most)]
    middle = rounds // 2
    first, second = best[middle], best[rounds - middle]
    spare = most - first - second
    return [Window(0, middle, first + spare / 2), Window(middle, rounds, second + spare / 2)]


def within(
    problem: Problem,
    rounds: Sequence[Mapping[Var, Fraction]],
    best: Sequence[Fraction],
    most: Fraction,
    window: Window | None = None,
) -> Problem:
    """The decision whether some assignment weighs at most ``most``, counted round by round: nothing is to
    be minimised, and further variables come after those of the problem.

    ``rounds`` and ``best`` as for `with_bounds`, for all numbers of rounds but the last. The first k rounds
    weigh at most what the others leave, by a unary counter that is one-sided. So they do within the ``window``, too.
    """
    out = replace(
        problem, names=list(problem.names), constraints=list(problem.constraints), weights={}, kind=DECISION
    )
    step = problem.step
    windows = [Window(0, len(rounds), most), *([] if window is None else [window])]
    for one in windows:
        count: list[Var] = []  # count[j]: at least j + 1 so far
        for k in range(one.first, one.last):
            left = one.last - k - 1
            cap = (one.most - (best[left] if left else 0)) // step
            for variable, weight in rounds[k].items():
                count = _counted(out, count, variable, int(weight / step), cap)
            for spare in count[max(cap, 0) :]:
                out.fix(spare, False)
            count = count[: max(cap, 0)]
            if cap < 0:
                out.any_of([])
    return out


def _counted(out: Problem, count: list[Var], variable: Var, weight: int, cap: int) -> list[Var]:
    """The counter with one more variable; sums above ``cap`` are one."""
    after = out.variables("count", min(len(count) + weight, max(cap, 0) + 1))
    for j, sum_ in enumerate(after):
        if j < len(count):
            out.add(Clause((-(count[j] + 1), sum_ + 1)))
        need = j - weight
        if need < 0:
            out.add(Clause((-(variable + 1), sum_ + 1)))
        elif need < len(count):
            out.add(Clause((-(variable + 1), -(count[need] + 1), sum_ + 1)))
    return after


def _scaled(bound: Fraction, problem: Problem) -> int:
    return -int(-bound * problem.scale // 1)
