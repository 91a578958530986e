"""Words and bytes of forms: a description computes on them what it computes on numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any, SupportsIndex, overload

from ..errors import NotFollowed
from ..reference import CellPermutation, Matrix, Sbox
from ..reference.word import Word
from .forms import Bits, LinearMap, Symbols


class BitWord(Word):
    """A word as forms, the least significant bit first."""

    __slots__ = ("bits", "forms", "symbols")

    def __init__(self, forms: Bits, symbols: Symbols) -> None:
        self.forms = forms
        self.bits = len(forms)
        self.symbols = symbols

    def _new(self, forms: Bits) -> BitWord:
        return BitWord(forms, self.symbols)

    def constant(self, value: int, bits: int) -> BitWord:
        return self._new([value >> i & 1 for i in range(bits)])

    def _xor(self, other: BitWord) -> BitWord:
        return self._new(self.symbols.xor_each(self.forms, other.forms))

    def _and(self, other: BitWord) -> BitWord:
        return self._new(self.symbols.times_each(self.forms, other.forms))

    def _add(self, other: BitWord) -> BitWord:
        raise NotFollowed("an addition of words: not followed on symbols")

    def _cut(self, first: int, bits: int) -> BitWord:
        low = self.bits - first - bits
        return self._new(self.forms[low : low + bits])

    def _join(self, others: Sequence[BitWord]) -> BitWord:
        forms: Bits = []
        for word in reversed([self, *others]):
            forms += word.forms
        return self._new(forms)

    def _cells(self, cell_bits: int) -> list[Bits]:
        """Cell 0, the most significant, first."""
        return [self.forms[i : i + cell_bits] for i in range(self.bits - cell_bits, -1, -cell_bits)]

    def _of_cells(self, cells: Sequence[Bits]) -> BitWord:
        forms: Bits = []
        for cell in reversed(cells):
            forms += cell
        return self._new(forms)

    def sub(self, sbox: Sbox) -> BitWord:
        self._check_cells("S-box", sbox.name, sbox.bits, 1)
        return self._new(self.symbols.substituted(self.forms, bytes(sbox.table)))

    def mix(self, matrix: Matrix) -> BitWord:
        self._check_cells("matrix", matrix.name, matrix.cell_bits, matrix.size)
        return self._new(self.symbols.linear(self.forms, _linear_map(matrix)))

    def permute(self, permutation: CellPermutation) -> BitWord:
        p = permutation
        self._check_cells("permutation", p.name, p.cell_bits, len(p.to))
        cells, out = self._cells(p.cell_bits), [list[Any]()] * len(p.to)
        for i, target in enumerate(p.to):
            out[target] = cells[i]
        return self._of_cells(out)


@cache
def _linear_map(matrix: Matrix) -> LinearMap:
    """Which bits of a group each of its bits is the sum of; bit 0 is the least significant of the last cell."""
    width = matrix.size * matrix.cell_bits
    images = [matrix.bit_columns[width - 1 - i] for i in range(width)]
    return LinearMap([[i for i in range(width) if images[i] >> j & 1] for j in range(width)])


class SymbolicBytes(Sequence["Bits"]):
    """Bytes, each of eight forms; a description cuts, joins and XORs them as it does `bytes`."""

    def __init__(self, parts: Iterable[Bits], symbols: Symbols) -> None:
        self.parts = [list(part) for part in parts]
        self.symbols = symbols

    @classmethod
    def of(cls, data: bytes, symbols: Symbols) -> SymbolicBytes:
        """Bytes whose values are known."""
        return cls(([byte >> i & 1 for i in range(8)] for byte in data), symbols)

    @classmethod
    def unknown(cls, count: int, symbols: Symbols) -> SymbolicBytes:
        """Bytes of unknown value: each bit is a new symbol."""
        return cls((symbols.fresh(8) for _ in range(count)), symbols)

    def __len__(self) -> int:
        return len(self.parts)

    @overload
    def __getitem__(self, at: SupportsIndex) -> Bits: ...
    @overload
    def __getitem__(self, at: slice) -> SymbolicBytes: ...
    def __getitem__(self, at: Any) -> Any:
        return SymbolicBytes(self.parts[at], self.symbols) if isinstance(at, slice) else self.parts[at]

    def __iter__(self) -> Iterator[Bits]:
        return iter(self.parts)

    def __add__(self, other: SymbolicBytes | bytes) -> SymbolicBytes:
        return SymbolicBytes([*self.parts, *self._of(other).parts], self.symbols)

    def __radd__(self, other: bytes) -> SymbolicBytes:
        return self._of(other) + self

    def __xor__(self, other: SymbolicBytes | bytes) -> SymbolicBytes:
        """As far as the shorter goes."""
        pairs = zip(self.parts, self._of(other).parts, strict=False)
        return SymbolicBytes((self.symbols.xor_each(a, b) for a, b in pairs), self.symbols)

    __rxor__ = __xor__

    def _of(self, other: SymbolicBytes | bytes) -> SymbolicBytes:
        return other if isinstance(other, SymbolicBytes) else SymbolicBytes.of(bytes(other), self.symbols)

    def number(self, order: str) -> SymbolicNumber:
        """These bytes as a number."""
        parts = self.parts if order == "little" else self.parts[::-1]
        return SymbolicNumber([bit for part in parts for bit in part], self.symbols)

    def reordered(self, order: Sequence[int]) -> SymbolicBytes:
        """Byte ``order[i]`` at place i."""
        return SymbolicBytes([self.parts[i] for i in order], self.symbols)

    def word(self, bits: int) -> BitWord:
        """These bytes as a word, the first the most significant."""
        assert 8 * len(self.parts) == bits
        return BitWord(self.number("big").forms, self.symbols)


class SymbolicNumber:
    """A number of unknown bits, with the operators by which modes of operation step their masks.

    Bits above the highest are 0. Division with remainder is by a power of two, and a product has
    one factor of one bit: ``(v >> 255) * constant``.
    """

    def __init__(self, forms: Bits, symbols: Symbols) -> None:
        self.forms = list(forms)
        self.symbols = symbols

    def _lift(self, other: SymbolicNumber | int, bits: int) -> Bits:
        forms = (
            other.forms
            if isinstance(other, SymbolicNumber)
            else [other >> i & 1 for i in range(max(bits, other.bit_length()))]
        )
        return [*forms, *[0] * (bits - len(forms))]

    def _new(self, forms: Bits) -> SymbolicNumber:
        return SymbolicNumber(forms, self.symbols)

    def __xor__(self, other: SymbolicNumber | int) -> SymbolicNumber:
        mine, theirs = self.forms, self._lift(other, len(self.forms))
        mine = self._lift(self, len(theirs))
        return self._new(self.symbols.xor_each(mine, theirs))

    __rxor__ = __xor__

    def __or__(self, other: SymbolicNumber | int) -> SymbolicNumber:
        theirs = self._lift(other, len(self.forms))
        mine = self._lift(self, len(theirs))
        if any(a != 0 and b != 0 for a, b in zip(mine, theirs, strict=True)):
            raise NotFollowed("an OR of bits that overlap: not followed on symbols")
        return self ^ other

    __ror__ = __or__

    def __lshift__(self, distance: int) -> SymbolicNumber:
        return self._new([*[0] * distance, *self.forms])

    def __rshift__(self, distance: int) -> SymbolicNumber:
        return self._new(self.forms[distance:])

    def __mod__(self, modulus: int) -> SymbolicNumber:
        bits = modulus.bit_length() - 1
        if modulus != 1 << bits:
            raise NotFollowed("a remainder: want a power of two on symbols")
        return self._new(self.forms[:bits])

    def __mul__(self, constant: int) -> SymbolicNumber:
        if any(bit != 0 for bit in self.forms[1:]):
            raise NotFollowed("a product: want one bit on symbols")
        bit = self.forms[0] if self.forms else 0
        return self._new([bit if constant >> i & 1 else 0 for i in range(constant.bit_length())])

    __rmul__ = __mul__

    def to_bytes(self, count: int, order: str) -> SymbolicBytes:
        """As of an integer; bits above are 0."""
        forms = [*self.forms, *[0] * (8 * count - len(self.forms))]
        if any(bit != 0 for bit in forms[8 * count :]):
            raise NotFollowed(f"a number of more than {count} bytes")
        parts = [forms[i : i + 8] for i in range(0, 8 * count, 8)]
        return SymbolicBytes(parts if order == "little" else parts[::-1], self.symbols)
