"""Linear layers of a graph, bit-wise and by their active cells."""

from __future__ import annotations

from collections import defaultdict
from functools import cache, reduce
from itertools import combinations
from math import comb
from operator import xor

from ...errors import DescriptionError
from ...reference import gf2
from ...reference.components import CellPermutation, Matrix
from ...reference.graph import Node, Recording
from ...reference.recordings import constants

MOST_ROWS = 16  # of a binary matrix whose code is enumerated
MOST_PAIRS = 1 << 17  # of bits in one sum, over all rows; Keccak's theta, 1600 rows of 11, has fewer
MOST_LIGHT = 1 << 20  # inputs of one weight tried for the minimum weight of a larger one

Circuit = tuple[
    tuple[tuple[int, int], ...], tuple[tuple[int, ...], ...]
]  # gates, and what is left of each sum


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
            f"{node.line}: node {node.id}: want xor, and, S-box, matrix or permutation, got {node.op}"
        )
    width = layer.size * layer.cell_bits
    one = [
        [j for j, column in enumerate(layer.bit_columns) if column >> (width - 1 - i) & 1]
        for i in range(width)
    ]
    return [[start + j for j in row] for start in range(0, node.bits, width) for row in one]


def rotational(recording: Recording) -> bool:
    """Whether rotating all words alike makes trails of trails: every word is as wide, and every operation does
    to each bit what it does to the first. What is added to a constant only does not change a difference."""
    fixed = constants(recording)
    if len({node.bits for node in recording.graph.nodes}) > 1:
        return False
    for node in recording.graph.nodes:
        if node.id in fixed or node.op in ("input", "xor"):
            continue
        if node.op == "and":
            if any(fixed.get(i, 0) not in (0, (1 << node.bits) - 1) for i in node.inputs):
                return False
        elif node.op in ("mix", "permute"):
            if len({frozenset((j - i) % node.bits for j in row) for i, row in enumerate(rows(node))}) > 1:
                return False
        else:
            return False
    return True


@cache
def cell_weights(matrix: Matrix, transposed: bool = False) -> frozenset[int]:
    """How many of the 2 n cells of (x, Mx) can be active; a superset, empty if nothing is known.

    A binary matrix treats the bits of a cell alike, so (x, Mx) is some codewords of one binary code,
    one for each bit. If all that are not 0 are equal, the weight is that of a codeword. If two
    differ, their supports and that of their sum count every cell of the union twice, so it is at
    3/2 of the minimum weight or more.
    """
    n = matrix.size
    if any(entry not in (0, 1) for row in matrix.rows for entry in row):
        return frozenset()
    lines = matrix.rows if transposed else tuple(zip(*matrix.rows, strict=True))
    columns = [sum(entry << i for i, entry in enumerate(line)) for line in lines]
    if n > MOST_ROWS:
        minimum = _minimum_weight(columns)
        return frozenset({0, *range(minimum, 2 * n + 1)}) if minimum else frozenset()
    images = [0]
    for column in columns:
        images += [image ^ column for image in images]
    result = {x.bit_count() + y.bit_count() for x, y in enumerate(images)}
    minimum = min(result - {0})
    return frozenset(result | set(range(-(-3 * minimum // 2), 2 * n + 1)))


def _minimum_weight(columns: list[int]) -> int | None:
    """Of the code (x, Mx): one of x and Mx has at most half the weight, so all light ones of both
    are tried. None where the matrix is singular or that is too much work."""
    n = len(columns)
    inverse = gf2.inverse(columns)
    if inverse is None:
        return None
    best = 2 * n
    for light in range(1, n + 1):
        if comb(n, light) > MOST_LIGHT:
            return None
        for side in (columns, inverse):
            for chosen in combinations(side, light):
                best = min(best, light + reduce(xor, chosen).bit_count())
        if best <= 2 * light + 2:  # a lighter word would have shown a side this light
            return best
    return best


def circuit(node: Node, inputs: int, sums: tuple[tuple[int, ...], ...]) -> Circuit:
    """`shared_sums` of the layer of a node; `DescriptionError` where it is too dense for that."""
    if sum(comb(len(terms), 2) for terms in sums) > MOST_PAIRS:
        ones = sum(map(len, sums))
        raise DescriptionError(
            f"{node.line}: {getattr(node.detail, 'name', node.op)}: {ones:,} ones in a matrix of {len(sums)} rows are"
            " too dense for a bit-wise model; want a sparser one, or a measure without a solver, such as degree"
        )
    return shared_sums(inputs, sums)


@cache
def shared_sums(inputs: int, sums: tuple[tuple[int, ...], ...]) -> Circuit:
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
