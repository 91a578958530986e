"""A unit in the form S-box layer, binary matrix, S-box layer, and its lightest patterns."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..errors import DescriptionError
from ..reference import gf2
from ..reference.components import CellPermutation, Matrix, Sbox
from ..reference.graph import Graph, Recording

Support = tuple[tuple[int, ...], tuple[int, ...]]  # cells of x, cells of Mx


@dataclass(frozen=True)
class SmsUnit:
    """A unit as S-box layer, binary matrix over cells, S-box layer, cell permutation."""

    name: str
    sbox: Sbox
    matrix: tuple[tuple[int, ...], ...]  # cells x cells: output i is the XOR of matrix[i]'s cells
    permutation: tuple[int, ...]  # output cell i of the second layer moves to permutation[i]

    @property
    def cells(self) -> int:
        """The number of cells of the word that the matrix takes."""
        return len(self.matrix)

    @cached_property
    def lightest(self) -> list[Support]:
        """Supports (cells of x, cells of Mx) of the codewords (x, Mx) of minimum weight."""
        return _lightest(self.matrix)

    @cached_property
    def lightest_masks(self) -> list[Support]:
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
    does = [(n.op, n.detail) for n in steps]
    for u in graph.units:
        if [(n.op, n.detail) for n in graph.nodes if n.unit == u.id] != does:
            raise DescriptionError(
                f"{recording.cipher}: {unit.name}: two functions bear this name: want one kind"
            )
    results = [s.op for s in steps]
    sboxes = [i for i, s in enumerate(steps) if s.op == "sub"]
    if len(sboxes) != 2 or any(op not in ("sub", "mix", "permute") for op in results):
        raise DescriptionError(
            f"{recording.cipher}: {unit.name}: want S-box layer, binary matrix, S-box layer;"
            f" got {' . '.join(results)} ({steps[0].line})"
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
            f"{recording.cipher}: {unit.name}: only a cell permutation may stand outside the two S-box layers"
        )
    if gf2.rank(sum(e << j for j, e in enumerate(row)) for row in middle) < cells:
        raise DescriptionError(
            f"{recording.cipher}: {unit.name}: the matrix between its S-box layers is not"
            " invertible, so a difference can vanish in it"
        )
    moved = tuple(next(i for i in range(cells) if outer[i][cell]) for cell in range(cells))
    return SmsUnit(unit.name, first, middle, moved)


def _linear_map(graph: Graph, steps: list[int], bits: int, cells: int) -> tuple[tuple[int, ...], ...]:
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


def _lightest(matrix: tuple[tuple[int, ...], ...]) -> list[Support]:
    """Codewords (x, Mx) of minimum weight, block by block of the matrix."""
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
