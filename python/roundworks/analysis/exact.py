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
from functools import cached_property
from itertools import combinations_with_replacement
from math import log2

import numpy as np
from numpy.typing import NDArray

from ..errors import DescriptionError
from ..reference.components import CellPermutation, Matrix, Sbox
from ..reference.graph import Graph, Recording

Floats = NDArray[np.float64]


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
        cells = self.before if which == "before" else self.after
        return sum(c << self.cell_bits * i for i, c in enumerate(reversed(cells)))


@dataclass(frozen=True)
class SmsUnit:
    """A unit as S-box layer, binary matrix over cells, S-box layer, cell permutation."""

    name: str
    sbox: Sbox
    matrix: tuple[tuple[int, ...], ...]  # cells x cells: output i is the XOR of matrix[i]'s cells
    permutation: tuple[int, ...]  # output cell i of the second layer moves to permutation[i]

    @property
    def cells(self) -> int:
        return len(self.matrix)

    @cached_property
    def lightest(self) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
        """Supports (cells of x, cells of Mx) of the codewords (x, Mx) of least weight."""
        return _lightest(self.matrix)

    @cached_property
    def lightest_masks(self) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
        """The same for masks: (M^T y, y)."""
        transposed = tuple(zip(*self.matrix, strict=True))
        return [(before, after) for after, before in _lightest(transposed)]


def sms_unit(recording: Recording) -> SmsUnit:
    """The one unit of a recorded round in the form S, M, S; an error says what it is instead."""
    graph = recording.graph
    if not graph.units:
        raise DescriptionError(
            f"{recording.cipher}: no unit to analyse; mark the round's inner function @unit"
        )
    unit = graph.units[0]
    if other := {u.name for u in graph.units} - {unit.name}:
        raise DescriptionError(
            f"{recording.cipher}: units {unit.name} and {', '.join(sorted(other))}: want one kind"
        )
    steps = [n for n in graph.nodes if n.unit == unit.id]
    found = [s.op for s in steps]
    sboxes = [i for i, s in enumerate(steps) if s.op == "sub"]
    if len(sboxes) != 2 or any(op not in ("sub", "mix", "permute") for op in found):
        raise DescriptionError(
            f"{recording.cipher}: {unit.name}: want S-box layer, binary matrix, S-box layer;"
            f" got {' . '.join(found)} ({steps[0].line})"
        )
    first, second = (steps[i].detail for i in sboxes)
    assert isinstance(first, Sbox)
    if first != second or not first.bijective:
        raise DescriptionError(
            f"{recording.cipher}: {unit.name}: want the same bijective S-box in both layers"
        )
    cells = steps[0].bits // first.bits
    middle = _linear_map(graph, [s.id for s in steps[sboxes[0] + 1 : sboxes[1]]], first.bits, cells)
    outer = _linear_map(graph, [s.id for s in steps[sboxes[1] + 1 :]], first.bits, cells)
    if sboxes[0] or any(sum(row) != 1 for row in outer):
        raise DescriptionError(
            f"{recording.cipher}: {unit.name}: only a cell permutation may stand outside the"
            " two S-box layers"
        )
    moved = tuple(next(i for i in range(cells) if outer[i][cell]) for cell in range(cells))
    return SmsUnit(unit.name, first, middle, moved)


def _linear_map(
    graph: Graph, steps: list[int], bits: int, cells: int
) -> tuple[tuple[int, ...], ...]:
    """Binary matrix over cells of a chain of mix and permute nodes."""
    rows = np.eye(cells, dtype=np.int64)
    for step in steps:
        node = graph.nodes[step]
        layer = np.zeros((cells, cells), np.int64)
        detail = node.detail
        if isinstance(detail, CellPermutation) and detail.cell_bits == bits:
            layer[list(detail.to), range(cells)] = 1
        elif isinstance(detail, Matrix) and detail.cell_bits == bits and not detail.polynomial:
            for start in range(0, cells, detail.size):
                layer[start : start + detail.size, start : start + detail.size] = detail.rows
        else:
            raise DescriptionError(
                f"{node.line}: {node.op} {getattr(detail, 'name', '')}: want a binary matrix or a"
                f" permutation over the S-box's cells of {bits} bits"
            )
        rows = layer @ rows % 2
    return tuple(tuple(int(x) for x in row) for row in rows)


def _lightest(
    matrix: tuple[tuple[int, ...], ...],
) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Codewords (x, Mx) of least weight, block by block of the matrix."""
    columns = [sum(row[j] << i for i, row in enumerate(matrix)) for j in range(len(matrix))]
    best: list[tuple[int, int]] = []
    weight = 2 * len(matrix)
    for block in _blocks(matrix):
        if len(block) > 20:
            raise DescriptionError(
                f"matrix: blocks of at most 20 cells are enumerated, got one of {len(block)}"
            )
        images = [0]
        inputs = [0]
        for j in block:
            images += [y ^ columns[j] for y in images]
            inputs += [x | 1 << j for x in inputs]
        for x, y in zip(inputs[1:], images[1:], strict=True):
            w = x.bit_count() + y.bit_count()
            if w < weight:
                weight, best = w, []
            if w == weight:
                best.append((x, y))
    return [(_support(x), _support(y)) for x, y in best]


def _blocks(matrix: tuple[tuple[int, ...], ...]) -> list[list[int]]:
    """Input cells of each independent block of the matrix."""
    groups = {j: {j} for j in range(len(matrix))}
    for row in matrix:
        merged = set().union(*(groups[j] for j, entry in enumerate(row) if entry))
        for j in merged:
            groups[j] = merged
    return [sorted(g) for g in {id(g): g for g in groups.values()}.values()]


def _support(bits: int) -> tuple[int, ...]:
    return tuple(i for i in range(bits.bit_length()) if bits >> i & 1)


def differential_maximum(unit: SmsUnit) -> ExactMaximum:
    """Largest exact differential probability over all lightest patterns."""
    for before, after in unit.lightest:
        _check_single_relation(unit, before, after)
    size = len(unit.sbox.table)
    table = np.array(unit.sbox.table)
    sign = np.array([[(-1) ** (u & w).bit_count() for w in range(size)] for u in range(size)])
    forward = np.zeros((size, size, size))  # [outer a, middle d, u]: S(x) with S(x)^S(x^a) = d
    backward = np.zeros((size, size, size))  # [outer b, middle d, u]: z with S(z)^S(z^d) = b
    for x in range(size):
        for d in range(1, size):
            forward[d, table[x] ^ table[x ^ d]] += sign[table[x]] / size
            backward[table[x] ^ table[x ^ d], d] += sign[x] / size
    shape = (size, -1)
    return _maximum(
        unit, unit.lightest, forward.reshape(shape), backward.reshape(shape), size, squared=False
    )


def correlation_maximum(unit: SmsUnit) -> ExactMaximum:
    """Largest exact squared correlation over all lightest mask patterns."""
    size = len(unit.sbox.table)
    walsh = np.zeros((size, size))
    for a in range(size):
        for b in range(size):
            signs = [
                (a & x).bit_count() + (b & unit.sbox.table[x]).bit_count() for x in range(size)
            ]
            walsh[a, b] = sum((-1) ** s for s in signs) / size
    # [outer mask, middle mask] on either side of the matrix; a zero middle mask is not active.
    before, after = walsh.copy(), walsh.T.copy()
    before[:, 0] = after[:, 0] = 0
    return _maximum(unit, unit.lightest_masks, before, after, 1, squared=True)


def _check_single_relation(unit: SmsUnit, before: tuple[int, ...], after: tuple[int, ...]) -> None:
    """The cells (x_before, (Mx)_after) satisfy their XOR = 0 and no other relation."""
    inside = set(before)
    rows = [
        sum(1 << j for j, e in enumerate(unit.matrix[i]) if e and j not in inside) for i in after
    ]
    relations = _kernel(rows)
    # Every combination of outputs free of outside cells is a relation with the inside ones.
    total = 0
    for i in after:
        total ^= sum(1 << j for j, e in enumerate(unit.matrix[i]) if e)
    if len(relations) != 1 or total != sum(1 << j for j in before):
        raise DescriptionError(
            f"{unit.name}: cells {before} -> {after}: want exactly one relation between the middle"
            f" values, the XOR of all; got {len(relations)}"
        )


def _kernel(rows: list[int]) -> list[int]:
    """Basis of the combinations of rows that vanish."""
    basis: dict[int, tuple[int, int]] = {}
    kernel = []
    for i, row in enumerate(rows):
        mark = 1 << i
        while row:
            top = row.bit_length()
            if top not in basis:
                basis[top] = (row, mark)
                break
            row, mark = row ^ basis[top][0], mark ^ basis[top][1]
        else:
            kernel.append(mark)
    return kernel


def _maximum(
    unit: SmsUnit,
    patterns: list[tuple[tuple[int, ...], tuple[int, ...]]],
    forward: Floats,
    backward: Floats,
    group: int,
    *,
    squared: bool,
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
    bits = unit.sbox.bits
    into, out = [0] * unit.cells, [0] * unit.cells
    for cell, v in zip(before, a, strict=True):
        into[cell] = v
    for cell, v in zip(after, b, strict=True):
        out[unit.permutation[cell]] = v
    return ExactMaximum(
        unit.name,
        len(patterns),
        len(before) + len(after),
        power * log2(value),
        power * log2(trail),
        tuple(into),
        tuple(out),
        bits,
    )


def _products(factors: Floats, choices: list[tuple[int, ...]]) -> Floats:
    """Row per choice: the product of its factors' rows."""
    index = np.array(choices)
    out: Floats = factors[index[:, 0]].copy()
    for column in index.T[1:]:
        out *= factors[column]
    return out
