"""How often an S-box takes a difference, or a mask, to another.

In plain Python: many a query of a small S-box takes less time than the import of numpy.

A table is that of the S-box, of 2^n values. Row a of the result is for the difference (the mask) a before it.
"""

from __future__ import annotations

from collections.abc import Sequence


def differences(table: Sequence[int]) -> list[list[int]]:
    """Difference distribution table: [a][b] counts the x with S(x) ^ S(x ^ a) = b."""
    counts = [[0] * len(table) for _ in table]
    for a, row in enumerate(counts):
        for x, y in enumerate(table):
            row[y ^ table[x ^ a]] += 1
    return counts


def correlations(table: Sequence[int]) -> list[list[int]]:
    """Walsh table: [a][b] is the sum over x of (-1)^(a.x ^ b.S(x)), the correlation times the size."""
    columns = [_transformed([1 - 2 * ((b & y).bit_count() & 1) for y in table]) for b in range(len(table))]
    return [list(row) for row in zip(*columns, strict=True)]


def _transformed(values: list[int]) -> list[int]:
    """[a]: the sum over x of (-1)^(a.x) values[x]; each step adds and subtracts those that differ in one bit of x."""
    step = 1
    while step < len(values):
        for start in range(0, len(values), 2 * step):
            for i in range(start, start + step):
                one, other = values[i], values[i + step]
                values[i], values[i + step] = one + other, one - other
        step *= 2
    return values
