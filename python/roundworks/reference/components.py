"""What a round is made of: S-boxes, matrices and permutations over the cells of a word.

A *cell* is the unit an S-box works on (a nibble or a byte). Cell 0 is the most significant one,
so a word written in hexadecimal reads from left to right.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, cached_property

from ..errors import DescriptionError
from . import gf2


def _whole(values: Iterable[int], label: str) -> tuple[int, ...]:
    """Python's own integers, of whatever are whole numbers, such as those of an array."""
    try:
        return tuple(map(operator.index, values))
    except TypeError as error:
        raise DescriptionError(f"{label}: want whole numbers: {error}") from None


@dataclass(frozen=True)
class Sbox:
    """A table on cells of ``bits`` bits, applied to every cell of a word."""

    name: str
    table: tuple[int, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "table", _whole(self.table, f"S-box {self.name}"))
        size = len(self.table)
        if size not in (4, 8, 16, 32, 64, 128, 256):
            raise DescriptionError(f"S-box {self.name}: want 2^b entries for b = 2..8 bits, got {size}")
        if bad := [v for v in self.table if not 0 <= v < size]:
            raise DescriptionError(f"S-box {self.name}: entries are 0..{size - 1}, got {bad[0]}")

    @cached_property
    def bits(self) -> int:
        """Bits of a cell."""
        return len(self.table).bit_length() - 1

    @cached_property
    def on_bytes(self) -> bytes | None:
        """The table on whole bytes of one or two cells; None for cells that do not fill one."""
        if self.bits == 8:
            return bytes(self.table)
        if self.bits == 4:
            return bytes(high << 4 | low for high in self.table for low in self.table)
        return None

    @cached_property
    def bijective(self) -> bool:
        """Whether no value occurs twice."""
        return len(set(self.table)) == len(self.table)


@dataclass(frozen=True)
class Matrix:
    """A square matrix over cells, applied to neighbouring groups of as many cells as it has rows.

    Entries are 0 and 1 for a binary matrix; otherwise elements of GF(2^cell_bits) modulo
    ``polynomial`` (AES: 0x11b).
    """

    name: str
    rows: tuple[tuple[int, ...], ...]
    cell_bits: int
    polynomial: int = 0

    def __post_init__(self) -> None:
        rows = tuple(_whole(row, f"matrix {self.name}: row {i}") for i, row in enumerate(self.rows))
        object.__setattr__(self, "rows", rows)
        n = len(self.rows)
        if not n or self.cell_bits < 1:
            raise DescriptionError(
                f"matrix {self.name}: want rows of cells of 1 bit or more, got {n} and {self.cell_bits}"
            )
        if self.polynomial and self.polynomial.bit_length() - 1 != self.cell_bits:
            raise DescriptionError(
                f"matrix {self.name}: polynomial {self.polynomial:#x}: want degree {self.cell_bits},"
                f" got {self.polynomial.bit_length() - 1}"
            )
        for i, row in enumerate(self.rows):
            if len(row) != n:
                raise DescriptionError(
                    f"matrix {self.name}: row {i}: want {n} entries (square), got {len(row)}"
                )
            for entry in row:
                if entry not in (0, 1) and not (self.polynomial and 0 <= entry < 1 << self.cell_bits):
                    raise DescriptionError(
                        f"matrix {self.name}: row {i}: entry {entry} needs a field polynomial"
                        f" and to be below {1 << self.cell_bits}"
                    )

    @cached_property
    def images(self) -> dict[int, list[list[int]]]:
        """Filled by the words that use it: bits of a word -> images of its bytes."""
        return {}

    @property
    def size(self) -> int:
        """Rows, and cells of a group."""
        return len(self.rows)

    def times(self, coefficient: int, cell: int) -> int:
        """Product of two cells, by shift and add."""
        product = 0
        for bit in range(coefficient.bit_length()):
            if coefficient >> bit & 1:
                product ^= cell << bit
        for bit in reversed(range(self.cell_bits, product.bit_length())):
            if product >> bit & 1:
                product ^= self.polynomial << (bit - self.cell_bits)
        return product

    def apply(self, cells: list[int]) -> list[int]:
        """Matrix times one column of ``size`` cells."""
        out = []
        for terms in self._terms:
            acc = 0
            for j, coefficient in terms:
                acc ^= cells[j] if coefficient == 1 else self.times(coefficient, cells[j])
            out.append(acc)
        return out

    @cached_property
    def _terms(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """Per row, (column, entry) where the entry is not 0."""
        return tuple(tuple((j, c) for j, c in enumerate(row) if c) for row in self.rows)

    @cached_property
    def bit_columns(self) -> tuple[int, ...]:
        """Images of the single-bit inputs, most significant bit of cell 0 first."""
        columns = []
        for cell in range(self.size):
            for bit in reversed(range(self.cell_bits)):
                unit = [0] * self.size
                unit[cell] = 1 << bit
                image = 0
                for out in self.apply(unit):
                    image = image << self.cell_bits | out
                columns.append(image)
        return tuple(columns)

    @cached_property
    def invertible(self) -> bool:
        """Whether the matrix has full rank over GF(2)."""
        return gf2.rank(self.bit_columns) == self.size * self.cell_bits


@dataclass(frozen=True)
class CellPermutation:
    """Cell i moves to position ``to[i]``."""

    name: str
    to: tuple[int, ...]
    cell_bits: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "to", _whole(self.to, f"permutation {self.name}"))
        if sorted(self.to) != list(range(len(self.to))):
            raise DescriptionError(
                f"permutation {self.name}: want every position 0..{len(self.to) - 1} once,"
                f" got {list(self.to)}"
            )

    @cached_property
    def images(self) -> dict[int, list[list[int]]]:
        """Filled by the words that use it: bits of a word -> images of its bytes."""
        return {}


@cache
def byte_reversal(bits: int) -> CellPermutation:
    """The bytes of a word of ``bits`` bits in the other order."""
    return CellPermutation("bytes reversed", tuple(reversed(range(bits // 8))), 8)
