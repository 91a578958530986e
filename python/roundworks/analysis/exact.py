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
unkeyed composition multiply exactly: C = sum over middle masks d of prod_k C_S. Cells on the same
side of the matrix are alike, so the maximum runs over multisets of outer differences.

[AETHER, section 3.1] takes 2^-16 for both; the values here are larger.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations_with_replacement
from math import comb, log2

import numpy as np
from numpy.typing import NDArray

from ..errors import DescriptionError
from ..reference import gf2
from .sboxes import walsh
from .sms import SmsUnit, Support

Floats = NDArray[np.float64]
MAX_TABLE = 1 << 27  # entries of a table of products: 1 GiB


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
    size = len(unit.sbox.table)
    _check_effort(unit, unit.lightest, size * size)
    for before, after in unit.lightest:
        _check_single_relation(unit, before, after)
    table = np.array(unit.sbox.table)
    sign = np.array([[(-1) ** (u & w).bit_count() for w in range(size)] for u in range(size)])
    forward = np.zeros((size, size, size))  # [outer a, middle d, u]: S(x) with S(x)^S(x^a) = d
    backward = np.zeros((size, size, size))  # [outer b, middle d, u]: z with S(z)^S(z^d) = b
    for x in range(size):
        for d in range(1, size):
            forward[d, table[x] ^ table[x ^ d]] += sign[table[x]] / size
            backward[table[x] ^ table[x ^ d], d] += sign[x] / size
    shape = (size, -1)
    return _maximum(unit, unit.lightest, forward.reshape(shape), backward.reshape(shape), size, squared=False)


def correlation_maximum(unit: SmsUnit) -> ExactMaximum:
    """Largest exact squared correlation over all lightest mask patterns."""
    size = len(unit.sbox.table)
    _check_effort(unit, unit.lightest_masks, size)
    table = walsh(unit.sbox) / size
    # [outer mask, middle mask] on either side of the matrix; a zero middle mask is not active.
    before, after = table.copy(), table.T.copy()
    before[:, 0] = after[:, 0] = 0
    return _maximum(unit, unit.lightest_masks, before, after, 1, squared=True)


def _check_effort(unit: SmsUnit, patterns: list[Support], columns: int) -> None:
    """Refuse at once what would fill the memory; a row per multiset of outer values."""
    cells = max(max(len(before), len(after)) for before, after in patterns)
    rows = comb(len(unit.sbox.table) - 2 + cells, cells)
    if rows * columns > MAX_TABLE:
        raise DescriptionError(
            f"{unit.name}: lightest patterns have up to {cells} cells of {unit.sbox.bits} bits on"
            f" one side: want at most {MAX_TABLE:,} products, got {rows * columns:,};"
            " nibble S-boxes are small enough"
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
    outer = range(1, forward.shape[0])
    none: tuple[int, ...] = ()
    best = (0.0, 0.0, patterns[0], none, none)
    for k in sorted({len(before) for before, _ in patterns}):
        example = next(p for p in patterns if len(p[0]) == k)
        left = list(combinations_with_replacement(outer, k))
        right = list(combinations_with_replacement(outer, len(example[1])))
        left_products, right_products = _products(forward, left), _products(backward, right)
        for start in range(0, len(left), 512):
            part = left_products[start : start + 512]
            total = np.abs(part @ right_products.T)
            i, j = np.unravel_index(int(np.argmax(total)), total.shape)
            if total[i, j] > best[0]:
                terms = part[i] * right_products[j]
                trail = float(np.abs(terms.reshape(-1, group).sum(axis=1)).max())
                best = (float(total[i, j]), trail, example, left[start + i], right[j])
    value, trail, (before, after), a, b = best
    power = 2 if squared else 1
    into, out = [0] * unit.cells, [0] * unit.cells
    for cell, v in zip(before, a, strict=True):
        into[cell] = v
    for cell, v in zip(after, b, strict=True):
        out[unit.permutation[cell]] = v
    return ExactMaximum(
        unit=unit.name,
        patterns=len(patterns),
        weight=len(before) + len(after),
        log2=power * log2(value),
        best_trail_log2=power * log2(trail),
        before=tuple(into),
        after=tuple(out),
        cell_bits=unit.sbox.bits,
    )


def _products(factors: Floats, choices: list[tuple[int, ...]]) -> Floats:
    """Row per choice: the product of its factors' rows."""
    index = np.array(choices)
    out: Floats = factors[index[:, 0]].copy()
    for column in index.T[1:]:
        out *= factors[column]
    return out
