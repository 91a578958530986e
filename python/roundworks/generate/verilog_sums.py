"""Sums of wires, no deeper than they must be: trees by the arrival of their terms, and linear maps
whose rows share what they have in common."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations

from ..errors import DescriptionError
from ..reference.components import Matrix

Line = tuple[int, int, int]  # new wire, and the two wires it adds


def tree(terms: Iterable[tuple[int, str]]) -> tuple[int, str]:
    """Depth and text of the sum of (arrival, text): the two earliest are added first, as Huffman has it.

    A synthesis tool keeps the shape of a chain of XORs, so the shape is chosen here.
    """
    heap = [(arrival, order, text) for order, (arrival, text) in enumerate(terms)]
    heapq.heapify(heap)
    order = len(heap)
    while len(heap) > 1:
        (_, _, a), (late, _, b) = heapq.heappop(heap), heapq.heappop(heap)
        heapq.heappush(heap, (late + 1, order, f"({a} ^ {b})"))
        order += 1
    ((arrival, _, text),) = heap
    return arrival, text


def bit_rows(matrix: Matrix) -> list[list[int]]:
    """For every output bit, the input bits that it adds up. Bit 0 is the lowest of the last cell: a
    group of cells is a number whose highest cell is cell 0."""
    bits = matrix.size * matrix.cell_bits
    columns = matrix.bit_columns  # of input bit bits - 1 first
    return [[j for j in range(bits) if columns[bits - 1 - j] >> i & 1] for i in range(bits)]


def shared(
    rows: Sequence[Sequence[int]], inputs: int, *, shallow: bool = True
) -> tuple[list[Line], list[int]]:
    """Lines and the wire of each row. The pair that most rows have in common becomes a wire, again
    and again. [PAAR]

    `shallow`: only where every one of these rows keeps the minimum depth D of the heaviest row. Wires
    of depth d take 2^d of the 2^D leaves of its tree.
    """
    for i, row in enumerate(rows):
        if not row:
            raise DescriptionError(f"row {i}: want an entry, got none")
    most = max((len(row) - 1).bit_length() for row in rows) if shallow else inputs
    depth = [0] * inputs
    left = [set(row) for row in rows]
    lines: list[Line] = []
    while True:
        weight = [sum(1 << depth[w] for w in row) for row in left]
        counts: Counter[tuple[int, int]] = Counter()
        for mine, taken in zip(left, weight, strict=True):
            for a, b in combinations(sorted(mine), 2):
                if taken + abs((1 << depth[a]) - (1 << depth[b])) <= 1 << most:
                    counts[a, b] += 1
        if not counts:
            break
        # Of pairs that an equal number of rows share, the shallowest leaves the rows most freedom.
        a, b = min(counts, key=lambda p: (-counts[p], max(depth[p[0]], depth[p[1]]), p))
        wire = len(depth)
        depth.append(max(depth[a], depth[b]) + 1)
        lines.append((wire, a, b))
        for mine, taken in zip(left, weight, strict=True):
            if a in mine and b in mine and taken + abs((1 << depth[a]) - (1 << depth[b])) <= 1 << most:
                mine -= {a, b}
                mine.add(wire)
    return lines, [row.pop() for row in left]
