"""Which cells can be nonzero together in (x, Mx): exactly, for any matrix, by its content.

The vectors (x, Mx) are a linear code over the cells. How many of its words have exactly the support
T follows by inclusion and exclusion from how many vanish outside each subset of T, and those are
subspaces. So an MDS matrix over a small field comes out right too: no word of the hexacode has
weight 5.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from ..errors import DescriptionError
from ..reference import Matrix, gf2

MAX_ENUMERATED_CELLS = 8  # 2^16 supports
MAX_ENUMERATED_ROWS = 20  # of a binary matrix, 2^20 words


@dataclass(frozen=True, slots=True)
class CodeMap:
    """y = Mx over cells, without a name: equal maps are equal.

    Entries are elements of GF(2^cell_bits) modulo ``polynomial``, 0 and 1 where that is 0; or, if
    ``bitwise``, bits: row i * cell_bits + j is bit j of cell i, the least significant first.
    """

    rows: tuple[tuple[int, ...], ...]
    cell_bits: int
    polynomial: int = 0
    bitwise: bool = False

    @property
    def size(self) -> int:
        """Cells in, and cells out."""
        return len(self.rows) // (self.cell_bits if self.bitwise else 1)

    @property
    def binary(self) -> bool:
        """Whether it acts on every bit of a cell alike."""
        return not self.bitwise and not self.polynomial

    @property
    def transposed(self) -> CodeMap:
        """The map of masks, up to a change of basis within each cell: its supports are the same."""
        return CodeMap(tuple(zip(*self.rows, strict=True)), self.cell_bits, self.polynomial, self.bitwise)

    def apply(self, cells: list[int]) -> list[int]:
        """The product of the matrix and a column of cells, which are integers."""
        if not self.bitwise:
            return Matrix("", self.rows, self.cell_bits, self.polynomial).apply(cells)
        c = self.cell_bits
        x = sum(cell << i * c for i, cell in enumerate(cells))
        y = sum(((x & row).bit_count() & 1) << i for i, row in enumerate(bit_rows(self)))
        return [y >> i * c & (1 << c) - 1 for i in range(self.size)]


def linear_map(matrix: Matrix) -> CodeMap:
    """A matrix over cells; the polynomial is dropped where no entry needs it."""
    binary = all(entry in (0, 1) for row in matrix.rows for entry in row)
    return CodeMap(matrix.rows, matrix.cell_bits, 0 if binary else matrix.polynomial)


@cache
def bit_rows(m: CodeMap) -> tuple[int, ...]:
    """Row i * cell_bits + j gives bit j of cell i as a mask over the bits that come in."""
    if m.bitwise:
        return tuple(sum(entry << i for i, entry in enumerate(row)) for row in m.rows)
    c, n = m.cell_bits, m.size
    rows = [0] * (n * c)
    for cell in range(n):
        for bit in range(c):
            image = m.apply([1 << bit if i == cell else 0 for i in range(n)])
            for i, value in enumerate(image):
                for j in range(c):
                    rows[i * c + j] |= (value >> j & 1) << cell * c + bit
    return tuple(rows)


@cache
def copies(m: CodeMap) -> tuple[int | None, ...]:
    """For each cell that comes out the one it is a copy of, or None."""
    c = m.cell_bits
    places = {tuple(1 << j * c + bit for bit in range(c)): j for j in range(m.size)}
    rows = bit_rows(m)
    return tuple(places.get(rows[i * c : (i + 1) * c]) for i in range(m.size))


@cache
def supports(m: CodeMap) -> npt.NDArray[np.bool_]:
    """For each pattern, bit i cell i of x and bit size + i cell i of Mx: whether some x has it."""
    n = m.size
    if n > MAX_ENUMERATED_CELLS:
        raise ValueError(f"supports: want at most {MAX_ENUMERATED_CELLS} cells, got {n}")
    # A binary map does the same to each bit of a cell, so its code is that of one bit, repeated.
    symbol = 1 if m.binary else m.cell_bits
    rows = [sum(e << i for i, e in enumerate(r)) for r in m.rows] if m.binary else bit_rows(m)
    identity = [1 << i for i in range(n * symbol)]
    generators = [identity[i * symbol : (i + 1) * symbol] for i in range(n)]
    generators += [list(rows[i * symbol : (i + 1) * symbol]) for i in range(n)]
    ranks = _ranks(generators, n * symbol)
    inside = n * symbol - ranks[::-1].astype(np.uint64)  # dimension of what vanishes outside
    # Below 2^64 in all, so arithmetic modulo 2^64 loses nothing; only 2^64 words itself would.
    exponent = inside * np.uint64(m.cell_bits // symbol)
    counts = np.where(exponent < 64, np.uint64(1) << np.minimum(exponent, np.uint64(63)), 0)
    counts = counts.astype(np.uint64)
    for i in range(2 * n):
        halves = counts.reshape(-1, 2, 1 << i)
        halves[:, 1] -= halves[:, 0]
    result: npt.NDArray[np.bool_] = counts != 0
    result.setflags(write=False)
    return result


def _ranks(blocks: list[list[int]], full: int) -> npt.NDArray[np.uint8]:
    """Rank of every union of the blocks' vectors, by the pattern of blocks."""
    ranks = np.full(1 << len(blocks), full, np.uint8)

    def grow(pattern: int, first: int, basis: dict[int, int]) -> None:
        ranks[pattern] = len(basis)
        if len(basis) == full and first < len(blocks):
            return  # every larger union is full as well, and that is what is written already
        for i in range(first, len(blocks)):
            grown = dict(basis)
            for vector in blocks[i]:
                gf2.extend(grown, vector)
            grow(pattern | 1 << i, i + 1, grown)

    grow(0, 0, {})
    return ranks


@cache
def minimal_checks(m: CodeMap) -> tuple[int, ...]:
    """Minimal supports of the parity checks of (x, Mx), as patterns like those of `supports`.

    No word of the code meets one in exactly one cell, which over a large enough field is all there
    is to say. None for maps of bits, or over a ring: there a cell can be nonzero and still vanish in the
    check.
    """
    if m.bitwise or not (m.binary or irreducible(m.polynomial, m.cell_bits)):
        return ()
    n = m.size
    # z Mx = (M^T z) x, so (M^T z, z) is a check: the same code, of the transposed, with both halves exchanged.
    of_masks = np.flatnonzero(supports(m.transposed))
    checks = [int(p) >> n | (int(p) & (1 << n) - 1) << n for p in of_masks if p]
    kept: list[int] = []
    for check in sorted(checks, key=lambda p: (p.bit_count(), p)):
        if not any(k & check == k for k in kept):
            kept.append(check)
    return tuple(kept)


def irreducible(polynomial: int, degree: int) -> bool:
    """Over GF(2): then cells are elements of a field, and no product of nonzero ones is zero."""
    if polynomial.bit_length() - 1 != degree:
        return False
    return all(_rest(polynomial, divisor) for divisor in range(2, 1 << degree // 2 + 1))


def _rest(a: int, b: int) -> int:
    while a.bit_length() >= b.bit_length():
        a ^= b << a.bit_length() - b.bit_length()
    return a


def allowed_weights(m: CodeMap) -> frozenset[int] | None:
    """The weights that occur, if which cells are nonzero does not matter (MDS); else None."""
    n = m.size
    if n > MAX_ENUMERATED_CELLS:
        return None
    result = supports(m)
    weights = np.array([p.bit_count() for p in range(1 << 2 * n)])
    occur = frozenset(weights[result].tolist())  # np.unique would load numpy.ma
    return None if np.isin(weights[~result], list(occur)).any() else occur


@cache
def branch_number(m: CodeMap) -> int | None:
    """Minimum weight of a nonzero (x, Mx), in cells; None where it would take too long."""
    n = m.size
    if n <= MAX_ENUMERATED_CELLS:
        return min(int(p).bit_count() for p in np.flatnonzero(supports(m)) if p)
    if not m.binary or n > MAX_ENUMERATED_ROWS:
        return None
    columns = [sum(row[j] << i for i, row in enumerate(m.rows)) for j in range(n)]
    images = np.zeros(1, np.uint32)
    for column in columns:
        images = np.concatenate([images, images ^ np.uint32(column)])
    inputs = np.bitwise_count(np.arange(1 << n, dtype=np.uint32))
    return int((inputs[1:] + np.bitwise_count(images[1:])).min())


def matrix_branch_number(matrix: Matrix) -> int:
    """The branch number of a matrix of a description.

    Raises
    ------
    DescriptionError
        ``matrix m32: at most 8 cells, or 20 binary rows, are enumerated, got 32``
    """
    number = branch_number(linear_map(matrix))
    if number is None:
        most = f"at most {MAX_ENUMERATED_CELLS} cells, or {MAX_ENUMERATED_ROWS} binary rows, are enumerated"
        raise DescriptionError(f"matrix {matrix.name}: {most}, got {matrix.size}")
    return number
