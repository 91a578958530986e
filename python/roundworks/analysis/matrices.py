"""Branch numbers of matrices over cells, exactly."""

from __future__ import annotations

from itertools import combinations

from ..errors import DescriptionError
from ..reference import Matrix


def branch_number(matrix: Matrix) -> int:
    """Least number of nonzero cells in (x, Mx), x not 0.

    A binary matrix acts on every bit of a cell alike, so its binary code is enumerated. A matrix
    over a larger field is taken only if it is MDS (no square submatrix is singular): size + 1.
    """
    if all(entry in (0, 1) for row in matrix.rows for entry in row):
        return _binary(matrix)
    if all(
        _determinant(matrix, rows, columns)
        for k in range(1, matrix.size + 1)
        for rows in combinations(range(matrix.size), k)
        for columns in combinations(range(matrix.size), k)
    ):
        return matrix.size + 1
    raise DescriptionError(
        f"matrix {matrix.name}: branch numbers of matrices over a field are computed for MDS ones"
        " only, and this one is not"
    )


def _binary(matrix: Matrix) -> int:
    if matrix.size > 20:
        raise DescriptionError(
            f"matrix {matrix.name}: at most 20 rows are enumerated, got {matrix.size}"
        )
    columns = [sum(row[j] << i for i, row in enumerate(matrix.rows)) for j in range(matrix.size)]
    images = [0]
    for column in columns:
        images += [y ^ column for y in images]
    return min(x.bit_count() + y.bit_count() for x, y in enumerate(images) if x)


def _determinant(matrix: Matrix, rows: tuple[int, ...], columns: tuple[int, ...]) -> int:
    """By expansion along the first row; signs do not matter in characteristic 2."""
    if len(rows) == 1:
        return matrix.rows[rows[0]][columns[0]]
    total = 0
    for j, column in enumerate(columns):
        minor = _determinant(matrix, rows[1:], columns[:j] + columns[j + 1 :])
        total ^= matrix.times(matrix.rows[rows[0]][column], minor)
    return total
