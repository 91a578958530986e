"""Whether an S-box of 8 bits is inversion in the field of AES between two affine maps.

The instruction `gf2p8affineinvqb` computes such an S-box, and a circuit of AES's S-box has the only
nonlinear part that all of them need.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence

from ..reference.aes import MIX_COLUMNS

Rows = tuple[int, ...]  # row i makes bit i; bit j of a row is the factor of bit j
Map = dict[int, int]  # a linear map on the subspace where it is known


@functools.cache
def inversion() -> tuple[int, ...]:
    """1/x in GF(2^8) modulo 0x11b, and 0 for 0."""
    powers = [1]
    while len(powers) < 255:
        powers.append(MIX_COLUMNS.times(3, powers[-1]))  # 3 generates the field
    inverse = [0] * 256
    for i, x in enumerate(powers):
        inverse[x] = powers[-i % 255]
    return tuple(inverse)


def affine_to_inversion(table: Sequence[int]) -> tuple[Rows, int, Rows, int] | None:
    """``(A, a, B, b)`` with S(x) = B(1/(A x + a)) + b for all x; None if there is no such pair of maps.

    Of the 2040 pairs it is the first of a fixed order. A and B are invertible 8x8 matrices over GF(2):
    8 rows, row i for bit i of the result, where bit j of a row stands for bit j of the argument.
    """
    if len(table) != 256 or sorted(table) != list(range(256)):
        return None
    zero = _image_of_zero(table)
    if zero is None:
        return None
    # Multiplication by a constant can be moved through inversion: 1 may go to 1.
    moved = [table[x ^ zero] ^ table[zero] for x in range(256)]
    back = [moved.index(y) for y in range(256)]
    result = _extend(moved, back, {0: 0, 1: 1}, {0: 0}, [(1, 1)])
    if result is None:
        return None
    first, second = (_rows(m) for m in result)
    return first, result[0][zero], second, table[zero]


def apply(rows: Rows, x: int) -> int:
    """The matrix times the vector `x`: bit i is the parity of row i and `x`."""
    return sum(((row & x).bit_count() & 1) << i for i, row in enumerate(rows))


def _image_of_zero(table: Sequence[int]) -> int | None:
    """The input of the inversion's zero: it alone is a solution of every difference that has four.

    With y = 1/x a difference d in goes to 1/d for 0, d and d times the two primitive cube roots of 1,
    and to every other difference for at most two values.
    """
    common = set(range(256))
    for d in range(1, 256):
        solutions: dict[int, list[int]] = {}
        for x in range(256):
            solutions.setdefault(table[x] ^ table[x ^ d], []).append(x)
        four = [s for s in solutions.values() if len(s) > 2]
        if len(four) != 1 or len(four[0]) != 4:
            return None
        common &= set(four[0])
    return min(common) if len(common) == 1 else None


def _extend(
    table: Sequence[int], back: Sequence[int], first: Map, second: Map, fresh: list[tuple[int, int]]
) -> tuple[Map, Map] | None:
    """Two linear maps with table(x) = second(1/first(x)), known on subspaces, made whole.

    What one of them is at a point says what the other is at a point, and a linear map is known where
    two such points are added. ``fresh``: the values of the first map that were not used yet.
    """
    inverse = inversion()
    todo = [(True, x, y) for x, y in fresh]
    while todo:
        of_first, x, y = todo.pop()
        known, at, value = (second, inverse[y], table[x]) if of_first else (first, back[y], inverse[x])
        if at in known:
            if known[at] != value:
                return None
            continue
        new = [(p ^ at, q ^ value) for p, q in known.items()]
        known.update(new)
        todo += [(not of_first, p, q) for p, q in new]
    if len(first) == 256:
        return first, second
    x = next(x for x in range(256) if x not in first)
    taken = set(first.values())
    for guess in range(256):
        if guess not in taken:
            new = [(p ^ x, q ^ guess) for p, q in first.items()]
            result = _extend(table, back, first | dict(new), dict(second), new)
            if result is not None:
                return result
    return None


def _rows(known: Map) -> Rows:
    return tuple(sum((known[1 << j] >> i & 1) << j for j in range(8)) for i in range(8))
