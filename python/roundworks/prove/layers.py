"""Linear layers of a graph, bit by bit and by their active cells."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from itertools import combinations

from ..errors import DescriptionError
from ..reference.components import CellPermutation, Matrix
from ..reference.graph import Node

MOST_ROWS = 16  # of a binary matrix whose code is enumerated


def rows(node: Node) -> list[list[int]]:
    """For each bit that a linear layer puts out, the bits of its input in the sum."""
    layer = node.detail
    if isinstance(layer, CellPermutation):
        sums: list[list[int]] = [[] for _ in range(node.bits)]
        for cell, target in enumerate(layer.to):
            for bit in range(layer.cell_bits):
                sums[target * layer.cell_bits + bit] = [cell * layer.cell_bits + bit]
        return sums
    if not isinstance(layer, Matrix):
        raise DescriptionError(
            f"{node.line}: node {node.id}: want xor, and, S-box, matrix or permutation,"
            f" got {node.op}"
        )
    width = layer.size * layer.cell_bits
    one = [
        [j for j, column in enumerate(layer.bit_columns) if column >> (width - 1 - i) & 1]
        for i in range(width)
    ]
    return [[start + j for j in row] for start in range(0, node.bits, width) for row in one]


@cache
def cell_weights(matrix: Matrix, transposed: bool = False) -> frozenset[int]:
    """How many of the 2 n cells of (x, Mx) can be active; a superset, empty if nothing is known.

    A binary matrix treats the bits of a cell alike, so (x, Mx) is some codewords of one binary code,
    one for each bit. If all that are not 0 are equal, the weight is that of a codeword. If two
    differ, their supports and that of their sum count every cell of the union twice, so it is at
    least 3/2 of the least weight.
    """
    n = matrix.size
    if n > MOST_ROWS or any(entry not in (0, 1) for row in matrix.rows for entry in row):
        return frozenset()
    lines = zip(*matrix.rows, strict=True) if not transposed else matrix.rows
    images = [0]
    for line in lines:
        column = sum(entry << i for i, entry in enumerate(line))
        images += [image ^ column for image in images]
    found = {x.bit_count() + y.bit_count() for x, y in enumerate(images)}
    least = min(found - {0})
    return frozenset(found | set(range(-(-3 * least // 2), 2 * n + 1)))


@cache
def shared_sums(
    inputs: int, sums: tuple[tuple[int, ...], ...]
) -> tuple[tuple[tuple[int, int], ...], tuple[tuple[int, ...], ...]]:
    """Gates a ^ b, numbered on from ``inputs``, and the signals left in each sum.

    The pair that most sums share becomes a gate, again and again [PAAR]. Nothing ever cancels, so
    every path through the circuit is an entry of the matrix.
    """
    left = [set(terms) for terms in sums]
    gates: list[tuple[int, int]] = []
    while True:
        shared: dict[tuple[int, int], int] = defaultdict(int)
        for terms in left:
            for pair in combinations(sorted(terms), 2):
                shared[pair] += 1
        if not shared or max(shared.values()) < 2:
            return tuple(gates), tuple(tuple(sorted(terms)) for terms in left)
        best = min(shared, key=lambda pair: (-shared[pair], pair))
        for terms in left:
            if terms.issuperset(best):
                terms.difference_update(best)
                terms.add(inputs + len(gates))
        gates.append(best)
