"""Exact differential probabilities and correlations of a unit S . M . S with no key inside.

The product of S-box probabilities is not a bound for such a unit: the values between its two
S-box layers are tied by the matrix, and several middle differences add up. On the support of a
lightest codeword (x, Mx) both effects can be computed exactly:

* the middle difference is one value d on every active cell, so the trails are numbered by d;
* the middle values w_1 .. w_B of the active cells are uniform on one relation, w_1 ^ .. ^ w_B = 0
  (the matrix's own dual word on that support; that there is no other is checked).

So with Y_k the values that cell k allows (its S-box carries the outer difference to d or back),
    P = sum over d of Pr[w_k in Y_k for all k] = sum over d, u of prod_k Y^_k(u),
where Y^_k(u) is the mean over the cell's values w of [w in Y_k] (-1)^(u.w). Correlations of an
unkeyed composition multiply exactly: C = sum over middle masks d of prod_k C_S.

Both are sums over columns e of a product with one factor f[a_i, e] for each cell before the matrix
and one factor g[b_j, e] for each cell behind it, to be maximised over the outer values a, b. With n
factors f left to choose, m factors g, and P the product of those chosen, Hoelder's inequality,
first for f and then for g, bounds every completion:
    |sum_e P f[a_1] .. f[a_n] g[b_1] .. g[b_m]| <= max over a, b of sum_e |P| |f[a]|^n |g[b]|^m.
So branch and bound looks at few of the multisets. Where n and m are even and P is 1, the right side is a
value that is attained, with one outer difference on each side: it is the maximum.

[AETHER, section 3.1] takes 2^-16 for both; the values here are larger.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log2

import numpy as np
from numpy.typing import NDArray

from ..errors import DescriptionError
from ..reference import gf2
from ..reference.components import Sbox
from .sboxes import walsh
from .sms import SmsUnit, Support

Floats = NDArray[np.float64]
MAX_BITS = 6  # of an S-box: the columns are pairs of its values
ROUNDING = 1e-9  # relative: a completion this much above the best so far is not looked for


@dataclass(frozen=True, slots=True)
class ExactMaximum:
    """The largest value over all lightest patterns, with one difference (mask) pair that has it.

    ``log2`` is of the probability, or of the squared correlation. ``best_trail_log2`` counts only
    the best middle value. ``before`` and ``after`` are words (cell 0 first): input and output
    difference or mask of the unit.
    """

    unit: str
    patterns: int
    weight: int
    log2: float
    best_trail_log2: float
    before: tuple[int, ...]
    after: tuple[int, ...]
    cell_bits: int

    def word(self, which: str) -> int:
        """``before`` or ``after`` as an integer, cell 0 the most significant."""
        cells = self.before if which == "before" else self.after
        return sum(c << self.cell_bits * i for i, c in enumerate(reversed(cells)))


def differential_maximum(unit: SmsUnit) -> ExactMaximum:
    """Largest exact differential probability over all lightest patterns."""
    _check_effort(unit)
    for before, after in unit.lightest:
        _check_single_relation(unit, before, after)
    forward, backward = difference_factors(unit.sbox)
    return _maximum(unit, unit.lightest, forward, backward, len(unit.sbox.table), squared=False)


def difference_factors(sbox: Sbox) -> tuple[Floats, Floats]:
    """The factors f and g of differences, shape (size, size * size): the columns e are (d, u)."""
    size = len(sbox.table)
    table = np.array(sbox.table)
    sign = np.array([[(-1) ** (u & w).bit_count() for w in range(size)] for u in range(size)])
    forward = np.zeros((size, size, size))  # [outer a, middle d, u]: S(x) with S(x)^S(x^a) = d
    backward = np.zeros((size, size, size))  # [outer b, middle d, u]: z with S(z)^S(z^d) = b
    for x in range(size):
        for d in range(1, size):
            forward[d, table[x] ^ table[x ^ d]] += sign[table[x]] / size
            backward[table[x] ^ table[x ^ d], d] += sign[x] / size
    return forward.reshape(size, -1), backward.reshape(size, -1)


def correlation_maximum(unit: SmsUnit) -> ExactMaximum:
    """Largest exact squared correlation over all lightest mask patterns."""
    _check_effort(unit)
    return _maximum(unit, unit.lightest_masks, *correlation_factors(unit.sbox), 1, squared=True)


def correlation_factors(sbox: Sbox) -> tuple[Floats, Floats]:
    """The factors of masks, shape (size, size): outer mask, middle mask. A zero middle mask is not active."""
    table = walsh(sbox) / len(sbox.table)
    before, after = table.copy(), table.T.copy()
    before[:, 0] = after[:, 0] = 0
    return before, after


def _check_effort(unit: SmsUnit) -> None:
    if unit.sbox.bits > MAX_BITS:
        raise DescriptionError(
            f"{unit.name}: {unit.sbox.name}: want an S-box of at most {MAX_BITS} bits for an exact maximum,"
            f" got {unit.sbox.bits}"
        )


def _check_single_relation(unit: SmsUnit, before: tuple[int, ...], after: tuple[int, ...]) -> None:
    """The cells (x_before, (Mx)_after) satisfy their XOR = 0 and no other relation."""
    inside = set(before)
    rows = [sum(1 << j for j, e in enumerate(unit.matrix[i]) if e and j not in inside) for i in after]
    relations = gf2.kernel(rows)
    # Every combination of outputs free of outside cells is a relation with the inside ones.
    total = 0
    for i in after:
        total ^= sum(1 << j for j, e in enumerate(unit.matrix[i]) if e)
    if len(relations) != 1 or total != sum(1 << j for j in before):
        raise DescriptionError(
            f"{unit.name}: cells {before} -> {after}: want exactly one relation between the middle"
            f" values, the XOR of all; got {len(relations)}"
        )


def _maximum(
    unit: SmsUnit, patterns: list[Support], forward: Floats, backward: Floats, group: int, *, squared: bool
) -> ExactMaximum:
    """Maximise sum_e prod forward[a_i, e] prod backward[b_j, e] over outer values a, b.

    Columns e come in groups (one per middle value d); the best single group is the best trail.
    """
    search = _BranchAndBound(forward[1:], backward[1:])
    best = patterns[0]
    for pattern in {(len(before), len(after)): (before, after) for before, after in patterns}.values():
        if search.improve(len(pattern[0]), len(pattern[1])):
            best = pattern
    before, after = best
    terms = forward[list(search.left)].prod(axis=0) * backward[list(search.right)].prod(axis=0)
    trail = float(np.abs(terms.reshape(-1, group).sum(axis=1)).max())
    power = 2 if squared else 1
    into, out = [0] * unit.cells, [0] * unit.cells
    for cell, v in zip(before, search.left, strict=True):
        into[cell] = v
    for cell, v in zip(after, search.right, strict=True):
        out[unit.permutation[cell]] = v
    return ExactMaximum(
        unit=unit.name,
        patterns=len(patterns),
        weight=len(before) + len(after),
        log2=power * log2(search.best),
        best_trail_log2=power * log2(trail),
        before=tuple(into),
        after=tuple(out),
        cell_bits=unit.sbox.bits,
    )


class _BranchAndBound:
    """The best sum so far, and the outer values ``left`` and ``right`` that have it.

    Cells on one side of the matrix are alike, so values are chosen in ascending order.
    """

    def __init__(self, forward: Floats, backward: Floats) -> None:
        """``forward``, ``backward``: a row for each outer value that is not zero, shape (values, columns)."""
        self.forward, self.backward = forward, backward
        self.best = 0.0
        self.left: tuple[int, ...] = ()
        self.right: tuple[int, ...] = ()

    def improve(self, left: int, right: int) -> bool:
        """Whether ``left`` and ``right`` factors reach more than the best so far, which is kept."""
        before = self.best
        self._seed(left, right)
        self._extend(np.ones(self.forward.shape[1]), (), (), left, right)
        return self.best > before

    def _seed(self, left: int, right: int) -> None:
        """One outer value on each side: often the maximum, and always a good beginning."""
        sums = np.abs(self.forward**left @ (self.backward**right).T)
        i, j = np.unravel_index(int(np.argmax(sums)), sums.shape)
        self._keep(float(sums[i, j]), (int(i),) * left, (int(j),) * right)

    def _keep(self, value: float, left: tuple[int, ...], right: tuple[int, ...]) -> None:
        if value > self.best * (1 + ROUNDING):
            self.best = value
            self.left, self.right = tuple(a + 1 for a in left), tuple(b + 1 for b in right)

    def _extend(
        self, product: Floats, left: tuple[int, ...], right: tuple[int, ...], more: int, then: int
    ) -> None:
        """Choose the next of ``more`` values on the left, or else of ``then`` values on the right."""
        if not more and not then:
            self._keep(abs(float(product.sum())), left, right)
            return
        rows = self.forward if more else self.backward
        chosen = left if more else right
        for value in range(chosen[-1] if chosen else 0, len(rows)):
            extended = product * rows[value]
            if more:
                possible = self._bound(extended, more - 1, then, value, 0)
                if possible > self.best * (1 + ROUNDING):
                    self._extend(extended, (*left, value), right, more - 1, then)
            else:
                possible = self._bound(extended, 0, then - 1, 0, value)
                if possible > self.best * (1 + ROUNDING):
                    self._extend(extended, left, (*right, value), 0, then - 1)

    def _bound(self, product: Floats, more: int, then: int, left: int, right: int) -> float:
        """Hoelder's bound on every completion by values from ``left`` and ``right`` on."""
        size = np.abs(product)
        before = size * np.abs(self.forward[left:]) ** more if more else size[None]
        after = np.abs(self.backward[right:]) ** then if then else np.ones((1, len(size)))
        return float((before @ after.T).max())
