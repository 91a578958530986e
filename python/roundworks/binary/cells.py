"""What is not linear: functions of a *cell*, the bits that one S-box takes.

The functions of a cell are sums of its inputs, of the outputs of S-boxes that the description applies to it,
which are symbols, and of a rest that is a truth table. A circuit or a look-up in the code leaves a rest while
it runs, and none at its end if it computes the S-box.
"""

from __future__ import annotations

from functools import cache
from typing import Any, TypeAlias

from ..errors import DescriptionError

Bit: TypeAlias = "int | Mixed | Lost"
Bits: TypeAlias = "list[Any]"
"""Bits, the least significant first. (`Any` is `Bit`: sums of all kinds are written with ``^``.)"""


class NotFollowed(DescriptionError):
    """The code computes what no form here follows."""


class Cell:
    """The inputs of an S-box, as independent forms without a constant, and what is known of them."""

    def __init__(self, inputs: tuple[int, ...]) -> None:
        self.inputs = inputs
        self.size = len(inputs)
        self.outputs: dict[int, int] = {}
        """Symbol -> the truth table it stands for."""
        self.mask = 0
        self.known: dict[Any, list[int]] = {}
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
        # Hashed once: a form has a bit for each symbol.
        table = self._tables.get(form, -1)
        if table == -1:
            table = self._tables[form] = self._table(form)
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
        self._tables.clear()
        self.outputs[symbol] = table
        self.mask |= 1 << symbol
        if self._ready:
            self._extend(table, 1 << symbol)

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
        return form, rest


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
