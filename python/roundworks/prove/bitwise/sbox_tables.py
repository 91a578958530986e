"""What an S-box lets through, as tables: differences, masks and division vectors.

A table is for `problem.ValueTable`: its variables are the bits of the input, those of the output, then
one for each level of weight, most significant bits first. Level j is 1 exactly if the transition
weighs at least ``levels[j]``, so the weight is the sum of the steps between levels.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Literal

from ...analysis import sbox_counts
from ...bounds import View
from ...reference.components import Sbox

if TYPE_CHECKING:  # numpy takes a tenth of a second, more than many a bound
    from ...analysis.sboxes import Bools

# Of an S-box between two trails: a difference before it and one behind, or a mask behind.
Switch = Literal["boomerang", "differential-linear"]


@cache
def transitions(sbox: Sbox, view: View | Switch) -> dict[tuple[int, int], Fraction]:
    """(input, output) -> differential probability, squared correlation, probability that a boomerang
    comes back, or correlation between difference and mask without its sign; where it is not 0."""
    power = 2 if view == "linear" else 1
    whole = len(sbox.table) ** power
    return {
        (a, b): Fraction(abs(count) ** power, whole)
        for a, row in enumerate(_counts(sbox, view))
        for b, count in enumerate(row)
        if count
    }


def _counts(sbox: Sbox, view: View | Switch) -> list[list[int]]:
    match view:
        case "differential":
            return sbox_counts.differences(sbox.table)
        case "linear":
            return sbox_counts.correlations(sbox.table)
    from ...analysis.sboxes import bct, dlct

    counts: list[list[int]] = (bct if view == "boomerang" else dlct)(sbox).tolist()
    return counts


def weight_below(probability: Fraction, denominator: int) -> Fraction:
    """The largest multiple of 1/denominator that is at most -log2(probability); exact."""
    power = (1 / probability) ** denominator
    return Fraction((power.numerator // power.denominator).bit_length() - 1, denominator)


@dataclass(frozen=True, slots=True)
class WeightedTable:
    """``allowed`` over 2 n + len(levels) variables; ``exact`` unless a weight was rounded down.

    ``best``: for each level but 0 the largest probability that was rounded to it.

    ``shows_activity``: the first level is 1 for every transition but 0 to 0, and the S-box takes
    nothing to 0 or from it.
    """

    levels: tuple[Fraction, ...]
    allowed: frozenset[int]
    exact: bool
    shows_activity: bool
    best: tuple[Fraction, ...] = ()

    @property
    def steps(self) -> tuple[Fraction, ...]:
        """What each level's variable weighs."""
        return tuple(b - a for a, b in zip((Fraction(0), *self.levels), self.levels, strict=False))


@cache
def weighted_table(sbox: Sbox, view: View | Switch, denominator: int) -> WeightedTable:
    """Every possible transition, with its weight rounded down to multiples of 1/denominator."""
    possible = transitions(sbox, view)
    below = {step: weight_below(p, denominator) for step, p in possible.items()}
    # 2^(-w) of the rounded weight is the probability itself exactly where nothing was lost.
    exact = all(possible[step] ** w.denominator == Fraction(1, 2**w.numerator) for step, w in below.items())
    levels = tuple(sorted({w for w in below.values() if w}))
    rows = {step: [w >= level for level in levels] for step, w in below.items()}
    shows = all(step == (0, 0) or (all(step) and w > 0) for step, w in below.items())
    best = tuple(max(p for step, p in possible.items() if below[step] == level) for level in levels)
    return WeightedTable(levels, _packed(rows, sbox.bits), exact, shows, best)


@cache
def activity_table(sbox: Sbox, view: View, lightest_only: bool = False) -> WeightedTable:
    """Every possible transition, or those of the best probability; weight 1 if not 0 to 0."""
    possible = transitions(sbox, view)
    minimum = 0 if not lightest_only else max(p for s, p in possible.items() if s != (0, 0))
    rows = {s: [s != (0, 0)] for s, p in possible.items() if p >= minimum}
    shows = all(all(step) for step in rows if step != (0, 0))
    return WeightedTable((Fraction(1),), _packed(rows, sbox.bits), True, shows)


def _packed(rows: dict[tuple[int, int], list[bool]], bits: int) -> frozenset[int]:
    return frozenset(
        mirrored(a, bits) | mirrored(b, bits) << bits | sum(on << 2 * bits + j for j, on in enumerate(levels))
        for (a, b), levels in rows.items()
    )


def mirrored(value: int, bits: int) -> int:
    """The value with bit i in place bits - 1 - i: variable 0 is the most significant bit."""
    return int(f"{value:0{bits}b}"[::-1], 2)


@cache
def division_steps(sbox: Sbox) -> dict[int, tuple[int, ...]]:
    """Input vector -> its minimal output vectors under the conventional division property.

    k goes to k' exactly if the product of the output bits in k' has, in its algebraic normal form,
    a monomial that contains k. Larger vectors follow from smaller ones and are left out.
    [XIANG]
    """
    import numpy as np

    from ...analysis.sboxes import anf

    size = len(sbox.table)
    table = np.array(sbox.table)
    contains = np.zeros((size, size), bool)  # [k', k]
    for product in range(size):
        contains[product] = _above(anf((table & product) == product))
    results = {}
    for k in range(size):
        possible = [out for out in range(size) if contains[out, k]]
        results[k] = tuple(v for v in possible if not any(o != v and o & v == o for o in possible))
    return results


def _above(form: Bools) -> Bools:
    """[k]: whether some monomial contains x^k."""
    seen = form.copy()
    for step in (1 << i for i in range(len(form).bit_length() - 1)):
        pairs = seen.reshape(-1, 2, step)
        pairs[:, 0] |= pairs[:, 1]
    return seen
