"""Bits as canonical forms: sums over GF(2) of symbols, each of which stands for one function of the inputs.

A form is an integer whose bit k says whether symbol k is in the sum; symbol 0 is the constant 1. Forms
that are equal are equal functions, since a symbol has one meaning.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from .cells import Bit, Bits, Cell, Lost, Mixed, NotFollowed

_HALVES = {4: 0xF0, 2: 0xCC, 1: 0xAA}
"""The rows of a table of three bits in which one of them is 1."""


class Symbols:
    """All symbols of one proof."""

    def __init__(self) -> None:
        self.is_complete = False
        """Whether the description has made all of its symbols: what is neither a function of one cell nor a
        product that the description has is lost then, and takes no symbols."""
        self.count = 1
        self.cells: dict[tuple[int, tuple[int, ...]], Cell] = {}
        self._tops: dict[int, list[Cell]] = {}
        self._made_by: dict[int, Cell] = {}
        self._products: dict[tuple[int, int], int] = {}
        self.unions: dict[int, frozenset[int]] = {}
        """A symbol that is 1 if any of these forms is."""
        self._union_of: dict[frozenset[int], int] = {}
        self.unknown = 0
        """The symbols that stand for what was not followed."""

    def fresh(self, count: int) -> Bits:
        """Bits that are new symbols, ``count`` of them."""
        first = self.count
        self.count += count
        return [1 << first + i for i in range(count)]

    def lost(self, count: int) -> Bits:
        """New symbols for what is not followed: equal to nothing else."""
        made = self.fresh(count)
        for bit in made:
            self.unknown |= bit
        return made

    def cell(self, values: Iterable[int]) -> Cell | None:
        """The cell with these independent forms as its inputs, made if it is new; None of dependent ones."""
        forms = list(values)
        start = Cell.first(forms)
        inputs = tuple(Cell.packed(form, start) for form in forms)
        made = self.cells.get((start, inputs))
        if made is None:
            try:
                made = Cell(inputs, start)
            except ValueError:
                return None
            self.cells[start, inputs] = made
            for top in made.tops():
                self._tops.setdefault(top, []).append(made)
        return made

    # -- what an S-box makes of a cell -----------------------------------------------------------
    def substituted(self, bits: Sequence[Any], table: tuple[int, ...]) -> Bits:
        """An S-box of the description: its outputs get symbols."""
        if any(isinstance(bit, Lost) for bit in bits):
            return [Lost() for _ in bits]
        if any(isinstance(bit, Mixed) for bit in bits):
            raise NotFollowed("an S-box of what is no S-box's output yet")
        constant = sum((bit & 1) << i for i, bit in enumerate(bits))
        stripped = [bit & ~1 for bit in bits]
        if not any(stripped):
            return [table[constant] >> i & 1 for i in range(len(bits))]
        before = self._owner(stripped)
        if before is not None:
            # What an S-box left, and an S-box again: a function of the same cell, as S back of S is.
            rows = self._rows(before, stripped)
            return [self._named(before, column) for column in _moved(table, constant, rows)]
        cell = self.cell(stripped) if all(stripped) else None
        if cell is not None:
            key = table, constant
            if key not in cell.known:
                tables = _columns(table, constant)
                if cell.known or not _is_plain(table):
                    outputs = [self._named(cell, column) for column in tables]
                else:
                    outputs = self.fresh(len(bits))
                    for column, bit in zip(tables, outputs, strict=True):
                        self._add(cell, bit.bit_length() - 1, column)
                cell.known[key] = [cell.packed(bit, cell.start) for bit in outputs]
            return [cell.unpacked(bit) for bit in cell.known[key]]
        cell, rows = self._independent(stripped)
        tables = _moved(table, constant, rows)
        return [self._named(cell, column) for column in tables]

    def _independent(self, forms: Sequence[int]) -> tuple[Cell, list[int]]:
        """A cell that all of these forms are sums in, and for each of its rows the value they have."""
        owner = self._owner(forms)
        for cell in [owner] if owner else self._around(max(forms)):
            if all(cell.table(form) is not None for form in forms):
                break
        else:
            chosen: list[int] = []
            pivots: dict[int, int] = {}
            for form in forms:
                left = form
                while left and left.bit_length() in pivots:
                    left ^= pivots[left.bit_length()]
                if left:
                    pivots[left.bit_length()] = left
                    chosen.append(form)
            made = self.cell(chosen)
            assert made is not None
            cell = made
        return cell, self._rows(cell, forms)

    def _named(self, cell: Cell, table: int) -> int:
        form, rest = cell.split(table)
        if not rest:
            return form
        (bit,) = self.fresh(1)
        # The symbol is the rest, so that what it is added to stays as it is.
        self._add(cell, bit.bit_length() - 1, rest)
        return form ^ int(bit)

    def _add(self, cell: Cell, symbol: int, table: int) -> None:
        cell.add(symbol, table)
        self._made_by[symbol] = cell

    def _owner(self, forms: Sequence[int]) -> Cell | None:
        """The cell of which all of these forms, or what is left of them, are outputs."""
        cell = self._made_by.get(max(forms).bit_length() - 1)
        if cell is None or any(cell.table(form) is None for form in forms):
            return None
        return cell

    @staticmethod
    def _rows(cell: Cell, forms: Sequence[int]) -> list[int]:
        tables = [cell.table(form) or 0 for form in forms]
        return [sum((t >> row & 1) << i for i, t in enumerate(tables)) for row in range(1 << cell.size)]

    def looked_up(self, bits: Sequence[Any], table: Sequence[int], width: int) -> Bits:
        """What a look-up in the code makes of index bits: ``width`` bits, without new symbols."""
        forms = [bit if isinstance(bit, int) else self.settled(bit) for bit in bits]
        if any(isinstance(form, Lost) for form in forms):
            return [Lost() for _ in range(width)]
        if not any(form & ~1 if isinstance(form, int) else True for form in forms):
            index = sum((form & 1) << i for i, form in enumerate(forms))
            return [table[index] >> j & 1 for j in range(width)]
        mixed = [cell for form in forms if isinstance(form, Mixed) for cell in form.rest]
        if mixed:
            cell = mixed[0]
            tables = [self._table(cell, form) for form in forms]
            if any(t is None for t in tables):
                raise NotFollowed("a look-up whose index several cells make")
            rows = [
                sum((t >> row & 1) << i for i, t in enumerate(tables) if t is not None)
                for row in range(1 << cell.size)
            ]
        else:
            constant = sum((form & 1) << i for i, form in enumerate(forms))
            cell, rows = self._independent([form & ~1 for form in forms])
            rows = [row ^ constant for row in rows]
        # A look-up by a nibble is no part of a larger S-box here, also in lanes that nobody uses.
        value = self._named if cell.size <= 4 else self._value
        result = []
        for j in range(width):
            column = 0
            for row, index in enumerate(rows):
                column |= (table[index] >> j & 1) << row
            result.append(value(cell, column))
        return result

    # -- sums and products -----------------------------------------------------------------------
    def _around(self, form: int) -> list[Cell]:
        """Every cell that a form may be a function of: its highest symbol is that of an input, or an output."""
        top = form.bit_length()
        cells = list(self._tops.get(top, ()))
        if top - 1 in self._made_by:
            cells.append(self._made_by[top - 1])
        return cells

    def _table(self, cell: Cell, bit: Any) -> int | None:
        if isinstance(bit, int):
            return cell.table(bit)
        if isinstance(bit, Lost) or len(bit.rest) != 1 or cell not in bit.rest:
            return None
        inside = cell.table(bit.form)
        return None if inside is None else inside ^ bit.rest[cell]

    @staticmethod
    def _value(cell: Cell, table: int) -> Any:
        form, rest = cell.split(table)
        return Mixed(form, {cell: rest}) if rest else form

    def settled(self, bit: Any) -> Any:
        """The same bit, after symbols were added to its cells."""
        if not isinstance(bit, Mixed):
            return bit
        value: Any = bit.form
        for cell, rest in bit.rest.items():
            value = value ^ self._value(cell, rest)
        return value

    def times(self, a: Any, b: Any) -> Any:
        """The product of two bits."""
        plain = isinstance(a, int) and isinstance(b, int)
        if isinstance(a, int) and a <= 1:
            return b if a else 0
        if isinstance(b, int) and b <= 1:
            return a if b else 0
        if plain:
            if a == b:
                return a
            if a ^ b == 1:
                return 0
            p, q = sorted((a & ~1, b & ~1))
            if (p, q) not in self._products:
                for cell in self._around(q):
                    left, right = cell.table(a), cell.table(b)
                    if left is not None and right is not None:
                        return self._value(cell, left & right)
                if self.is_complete and p != q:
                    return Lost()
                self._products[p, q] = self.fresh(1)[0] if p != q else p
            # (x + c)(y + d) = xy + c y + d x + cd, where x and y have no constant.
            c, d = a & 1, b & 1
            return self._products[p, q] ^ c * (b & ~1) ^ d * (a & ~1) ^ c * d
        if isinstance(a, Lost) or isinstance(b, Lost):
            return Lost()
        for cell in (a if isinstance(a, Mixed) else b).rest:
            left, right = self._table(cell, a), self._table(cell, b)
            if left is not None and right is not None:
                return self._value(cell, left & right)
        if self.is_complete:
            return Lost()
        raise NotFollowed("a product of bits of several cells")

    def of_three(self, bits: tuple[Any, Any, Any], table: int) -> Any:
        """What a truth table of eight bits makes of three; bit 4 a + 2 b + c of it is that of (a, b, c)."""
        a, b, c = bits
        # Where one is known, what it rules out is not in the function: bits that are lost may be there.
        for half, bit in ((4, a), (2, b), (1, c)):
            if isinstance(bit, int) and bit <= 1:
                stays = _HALVES[half] if bit else _HALVES[half] >> half
                table &= stays
                table |= table >> half if bit else table << half
        if table in (0, 0xFF):
            return table & 1
        for cell in self._around_any(bits):
            if (x := self._table(cell, a)) is None or (y := self._table(cell, b)) is None:
                continue
            if (z := self._table(cell, c)) is None:
                continue
            ones, out = (1 << (1 << cell.size)) - 1, 0
            for row in range(8):
                if table >> row & 1:
                    p, q, r = (t if row & k else t ^ ones for t, k in ((x, 4), (y, 2), (z, 1)))
                    out |= p & q & r
            return self._value(cell, out)
        # The algebraic normal form.
        anf = [table >> row & 1 for row in range(8)]
        for half in (1, 2, 4):
            for row in range(8):
                if row & half:
                    anf[row] ^= anf[row ^ half]
        total: Any = anf[0]
        for row, bit in ((4, a), (2, b), (1, c)):
            if anf[row]:
                total = total ^ bit
        for row, p, q in ((6, a, b), (5, a, c), (3, b, c)):
            if anf[row]:
                total = total ^ self.times(p, q)
        return total ^ self.times(self.times(a, b), c) if anf[7] else total

    def _around_any(self, bits: Sequence[Any]) -> list[Cell]:
        """Cells of which all of these bits may be functions."""
        for bit in bits:
            if not isinstance(bit, int):
                return list(bit.rest) if isinstance(bit, Mixed) else []
        return self._around(max(bits))

    def shares(self, a: int, b: int) -> bool:
        """Whether two forms are functions of one cell."""
        return any(cell.table(a) is not None and cell.table(b) is not None for cell in self._around(a))

    def any_of(self, bits: Iterable[Any]) -> Any:
        """1 if any of the bits is."""
        forms: set[int] = set()
        for bit in bits:
            if not isinstance(bit, int):
                raise NotFollowed("a sum of conditions on an unfinished S-box")
            if bit == 1:
                return 1
            forms |= self.members(bit)
        forms.discard(0)
        if len(forms) < 2:
            return next(iter(forms), 0)
        key = frozenset(forms)
        if key not in self._union_of:
            (made,) = self.fresh(1)
            self._union_of[key] = made
            self.unions[made.bit_length() - 1] = key
        return self._union_of[key]

    def members(self, bit: Any) -> frozenset[int]:
        """The forms of which any makes this bit 1."""
        symbol = bit.bit_length() - 1
        return self.unions[symbol] if symbol in self.unions and bit == 1 << symbol else frozenset({bit})


class Public:
    """What follows from bits that anybody sees: their sums, functions of a cell whose inputs are such, and what
    was in memory before. A sum of symbols of a ciphertext need not be: the message is one."""

    def __init__(self, symbols: Symbols, known: Iterable[Any]) -> None:
        self._before = ~symbols.unknown & ~1
        self._pivots: dict[int, int] = {}
        for bit in known:
            if isinstance(bit, int) and (rest := self._rest(bit)):
                self._pivots[rest.bit_length()] = rest

    def _rest(self, form: int) -> int:
        form &= self._before
        while form:
            pivot = self._pivots.get(form.bit_length())
            if pivot is None:
                break
            form ^= pivot
        return form

    def holds(self, bit: Bit) -> bool:
        """Whether a bit is known to whoever knows the public ones."""
        if isinstance(bit, Mixed):
            return self.holds(bit.form) and all(
                self.holds(cell.unpacked(x)) for cell in bit.rest for x in cell.inputs
            )
        return isinstance(bit, int) and not self._rest(bit)


@cache
def _columns(table: tuple[int, ...], constant: int) -> tuple[int, ...]:
    return _moved(table, constant, range(len(table)))


def _moved(table: Sequence[int], constant: int, rows: Sequence[int]) -> tuple[int, ...]:
    width = max(table).bit_length()
    values = [table[row ^ constant] for row in rows]
    return tuple(sum((v >> j & 1) << row for row, v in enumerate(values)) for j in range(width))


@cache
def _is_plain(table: tuple[int, ...]) -> bool:
    """Whether no sum of output bits is affine, so that each output may have a symbol of its own."""
    size = len(table).bit_length() - 1
    cell = Cell(tuple(1 << i + 1 for i in range(size)))
    for j, column in enumerate(_columns(table, 0)):
        if not cell.split(column)[1]:
            return False
        cell.add(size + 1 + j, column)
        if len(cell._basis) != size + 2 + j:
            return False
    return len(_columns(table, 0)) == size
