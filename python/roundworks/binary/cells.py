"""What is not linear: functions of a *cell*, the bits that one S-box takes.

The functions of a cell are sums of its inputs, of the outputs of S-boxes that the description applies to it,
which are symbols, and of a rest that is a truth table. A circuit or a look-up in the code leaves a rest while
it runs, and none at its end if it computes the S-box.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any, TypeAlias

from ..errors import DescriptionError

Bit: TypeAlias = "int | Mixed | Lost"
Bits: TypeAlias = "list[Any]"
"""Bits, the least significant first. (`Any` is `Bit`: sums of all kinds are written with ``^``.)"""


class NotFollowed(DescriptionError):
    """The code computes what no form here follows."""


_STEP = 1024
"""Symbols between two places where cells may begin."""


@cache
def _below(start: int) -> int:
    """All symbols before this one, without the constant."""
    return (1 << start) - 2


class Cell:
    """The inputs of an S-box, as independent forms without a constant, and what is known of them.

    A form has a bit for each symbol of a proof, and a cell is about a few that were made soon after one another:
    what it keeps are `packed` forms, which have the constant and the symbols from ``start`` on.
    """

    MOST = 16
    """Tables that are remembered: of what one instruction makes all, of the gates of a circuit the first. A form of a
    long message has kilobytes, and its table is found again in little more time than it takes to look it up."""

    def __init__(self, inputs: tuple[int, ...], start: int = 0) -> None:
        """``inputs`` are packed."""
        self.inputs = inputs
        self.start = start
        self.size = len(inputs)
        self.outputs: dict[int, int] = {}
        """Symbol, as packed forms have it -> the truth table it stands for."""
        self.mask = 0
        self.known: dict[Any, list[int]] = {}
        """What S-boxes make of the inputs, packed."""
        self._top = max(inputs).bit_length()
        self._pivots: dict[int, tuple[int, int]] = {}
        for i, value in enumerate(inputs):
            rest, of = self._reduced(value)
            if not rest:
                raise ValueError("dependent inputs")
            self._pivots[rest.bit_length()] = rest, of ^ 1 << i
        self._tables: dict[int, int | None] = {}
        self._basis: list[tuple[int, int, int]] = []
        """(highest row, table, form), for the span of the constant, the inputs and the outputs."""
        self._ready = False

    @staticmethod
    def first(forms: Iterable[int]) -> int:
        """Where a cell begins that is about these."""
        return (min((form & -form).bit_length() for form in forms) - 1) // _STEP * _STEP

    @staticmethod
    def packed(form: int, start: int) -> int:
        """A form of the constant and of symbols from ``start`` on."""
        return form >> start << 1 | form & 1 if start else form

    def unpacked(self, form: int) -> int:
        """The form of all symbols."""
        return form >> 1 << self.start | form & 1 if self.start else form

    def tops(self) -> list[int]:
        """The lengths in bits of what sums of inputs may end with."""
        return [top + self.start - 1 if self.start else top for top in self._pivots]

    def _reduced(self, value: int) -> tuple[int, int]:
        of = 0
        while value:
            pivot = self._pivots.get(value.bit_length())
            if pivot is None:
                break
            value ^= pivot[0]
            of ^= pivot[1]
        return value, of

    def table(self, form: int) -> int | None:
        """The truth table of a form in the inputs, the outputs and the constant; None of any other."""
        if form > 1 and self.start:
            length = form.bit_length() - self.start + 1
            if not 1 < length <= self._top or form & _below(self.start):
                return None
        small = self.packed(form, self.start)
        # Hashed once.
        table = self._tables.get(small, -1)
        if table == -1:
            table = self._table(small)
            if len(self._tables) < self.MOST:
                self._tables[small] = table
        return table

    def _table(self, form: int) -> int | None:
        table = -(form & 1) & (1 << (1 << self.size)) - 1
        form &= ~1
        inside = form & self.mask
        form ^= inside
        while inside:
            symbol = inside.bit_length() - 1
            table ^= self.outputs[symbol]
            inside ^= 1 << symbol
        rest, of = self._reduced(form)
        if rest:
            return None
        for i in range(self.size):
            if of >> i & 1:
                table ^= variable(i, self.size)
        return table

    def add(self, symbol: int, table: int) -> None:
        """A symbol that stands for this table."""
        at = symbol - self.start + 1 if self.start else symbol
        self._tables.clear()
        self.outputs[at] = table
        self.mask |= 1 << at
        self._top = max(self._top, at + 1)
        if self._ready:
            self._extend(table, 1 << at)

    def _extend(self, table: int, form: int) -> None:
        table, found = self._less(table)
        if table:
            self._basis.append((table.bit_length(), table, form ^ found))

    def _less(self, table: int) -> tuple[int, int]:
        form = 0
        for at, pivot, value in self._basis:
            if table >> at - 1 & 1:
                table ^= pivot
                form ^= value
        return table, form

    def split(self, table: int) -> tuple[int, int]:
        """(form, rest): the table as a form, and what none of the known symbols is in. The basis grows and
        is never reordered, so a rest must be split again before it is compared."""
        if not self._ready:
            self._ready = True
            self._extend((1 << (1 << self.size)) - 1, 1)
            for i, value in enumerate(self.inputs):
                self._extend(variable(i, self.size), value)
            for symbol, known in self.outputs.items():
                self._extend(known, 1 << symbol)
        rest, form = self._less(table)
        return self.unpacked(form), rest


class Mixed:
    """A form and, for some cells, a rest that is no sum of symbols."""

    __slots__ = ("form", "rest")

    def __init__(self, form: int, rest: dict[Cell, int]) -> None:
        self.form = form
        self.rest = rest

    def __xor__(self, other: Bit) -> Any:
        if isinstance(other, int):
            return Mixed(self.form ^ other, self.rest)
        if isinstance(other, Lost):
            return other ^ self
        rest = dict(self.rest)
        for cell, table in other.rest.items():
            left = rest.pop(cell, 0) ^ table
            if left:
                rest[cell] = left
        form = self.form ^ other.form
        return Mixed(form, rest) if rest else form

    __rxor__ = __xor__

    def __and__(self, other: object) -> Any:
        raise TypeError("a product is made by Symbols.times")


class Lost:
    """A bit that no form follows: what lanes that nobody reads are filled with. It is the sum of ``unknowns``,
    each of which is equal to nothing else, and of a bit that is followed: so what was added to it for a while,
    as where bits of two words are exchanged, can be taken away again."""

    __slots__ = ("followed", "unknowns")

    MOST = 64
    """Unknowns in a sum; one of more is an unknown of its own."""

    def __init__(self, unknowns: frozenset[object] = frozenset(), followed: Any = 0) -> None:
        many = not 0 < len(unknowns) <= self.MOST
        self.unknowns = frozenset({object()}) if many else unknowns
        self.followed = 0 if many else followed

    def __xor__(self, other: Bit) -> Any:
        if not isinstance(other, Lost):
            return Lost(self.unknowns, self.followed ^ other)
        unknowns = self.unknowns ^ other.unknowns
        followed = self.followed ^ other.followed
        return Lost(unknowns, followed) if unknowns else followed

    __rxor__ = __xor__


@cache
def variable(i: int, size: int) -> int:
    """The truth table of variable i; row r has it set where bit i of r is."""
    return sum(1 << row for row in range(1 << size) if row >> i & 1)
