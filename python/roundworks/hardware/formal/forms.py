"""Bits as sums modulo 2 of atoms, in one normal form: equal forms are equal functions.

An atom is an unknown bit, a product of two forms, or a bit of an S-box's value on given forms. The
latter is uninterpreted: what is equal for every function is equal for this one. A form is an integer:
bit i says whether atom i is in the sum, and bit 0 is the constant 1. So comparing is exact; forms that
differ may still be equal functions, and a proof by forms then fails without being wrong.

Where there are too many atoms for that, each has a label of 256 random bits instead, and a form is the sum of
its atoms' labels. Two sums that differ have the same label with a chance of 2^-256, whatever the circuit is.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Sequence

from ...errors import DescriptionError
from ...reference.components import CellPermutation, Matrix, Sbox
from ...reference.word import Word

Bits = list[int]
_LABEL_BYTES = 32


class Forms:
    """The atoms of one proof. ``names``: of those that are unknown bits; ``exact``: no labels."""

    def __init__(self, *, exact: bool = True) -> None:
        self.exact = exact
        self.names: dict[int, str] = {}
        self.count = 1
        self._products: dict[tuple[int, int], int] = {}
        self._values: dict[tuple[object, ...], Bits] = {}

    def unknown(self, name: str, bits: int) -> Bits:
        """New unknown bits ``name[0]``, ``name[1]``, ..."""
        made = [self._atom() for _ in range(bits)]
        self.names |= {atom: f"{name}[{i}]" for i, atom in enumerate(made)}
        return made

    def both(self, a: int, b: int) -> int:
        """The product of two forms."""
        if a > b:
            a, b = b, a
        if a < 2:
            return b if a else 0
        if a == b:
            return a
        if a == b ^ 1:
            return 0
        plain_a, plain_b = a & ~1, b & ~1
        key = (plain_a, plain_b) if plain_a < plain_b else (plain_b, plain_a)
        product = self._products.get(key)
        if product is None:
            product = self._products[key] = self._atom()
        return product ^ (plain_a if b & 1 else 0) ^ (plain_b if a & 1 else 0) ^ (a & b & 1)

    def chosen(self, select: int, one: int, zero: int) -> int:
        """``one`` where ``select`` is 1, else ``zero``."""
        if select < 2:
            return one if select else zero
        return self.both(select, one ^ zero) ^ zero

    def sbox(self, box: Sbox, cell: Sequence[int]) -> Bits:
        """The S-box's value, highest bit first as the cell; a known cell's from the table."""
        if max(cell) < 2:
            value = box.table[int("".join(map(str, cell)), 2)]
            return [value >> shift & 1 for shift in reversed(range(box.bits))]
        return self.function(box.table, cell, box.bits)

    def function(self, which: object, given: Sequence[int], bits: int) -> Bits:
        """What an uninterpreted function gives of these forms."""
        key = (which, *given)
        if key not in self._values:
            self._values[key] = [self._atom() for _ in range(bits)]
        return self._values[key]

    def _atom(self) -> int:
        atom = 1 << self.count if self.exact else int.from_bytes(os.urandom(_LABEL_BYTES), "big") << 1
        self.count += 1
        return atom


class FormWord(Word):
    """A word of forms, the highest bit first: a description runs on it as on numbers."""

    __slots__ = ("bits", "forms", "of")

    def __init__(self, of: Forms, forms: Sequence[int]) -> None:
        self.of = of
        self.forms = list(forms)
        self.bits = len(self.forms)

    def _new(self, forms: Sequence[int]) -> FormWord:
        return FormWord(self.of, forms)

    def constant(self, value: int, bits: int) -> FormWord:
        return self._new([value >> shift & 1 for shift in reversed(range(bits))])

    def _xor(self, other: FormWord) -> FormWord:
        return self._new([a ^ b for a, b in zip(self.forms, other.forms, strict=True)])

    def _and(self, other: FormWord) -> FormWord:
        return self._new([self.of.both(a, b) for a, b in zip(self.forms, other.forms, strict=True)])

    def _add(self, other: FormWord) -> FormWord:
        raise DescriptionError("an addition of words: forms have none; the core is not provable so")

    def _cut(self, first: int, bits: int) -> FormWord:
        return self._new(self.forms[first : first + bits])

    def _join(self, others: Sequence[FormWord]) -> FormWord:
        return self._new([*self.forms, *(form for word in others for form in word.forms)])

    def sub(self, sbox: Sbox) -> FormWord:
        self._check_cells("S-box", sbox.name, sbox.bits, 1)
        made: Bits = []
        for at in range(0, self.bits, sbox.bits):
            made += self.of.sbox(sbox, self.forms[at : at + sbox.bits])
        return self._new(made)

    def mix(self, matrix: Matrix) -> FormWord:
        self._check_cells("matrix", matrix.name, matrix.cell_bits, matrix.size)
        wide = matrix.size * matrix.cell_bits
        made: Bits = []
        for at in range(0, self.bits, wide):
            given = self.forms[at : at + wide]
            for row in _rows(matrix.bit_columns):
                form = 0
                for i in row:
                    form ^= given[i]
                made.append(form)
        return self._new(made)

    def permute(self, permutation: CellPermutation) -> FormWord:
        c = permutation.cell_bits
        self._check_cells("permutation", permutation.name, c, len(permutation.to))
        made = [0] * self.bits
        for i, to in enumerate(permutation.to):
            made[c * to : c * to + c] = self.forms[c * i : c * i + c]
        return self._new(made)


@functools.lru_cache(16)
def _rows(columns: tuple[int, ...]) -> list[list[int]]:
    """Of a matrix whose columns are images, the inputs of each output; both highest bit first."""
    wide = len(columns)
    return [[i for i, image in enumerate(columns) if image >> wide - 1 - row & 1] for row in range(wide)]


def to_words(of: Forms, data: Sequence[int], word_bytes: int) -> list[FormWord]:
    """Bits in the order of a port, bit 0 of byte 0 first, as words; the last is filled with zeros."""
    padded = [*data, *([0] * (-len(data) % (8 * word_bytes)))]
    words = []
    for at in range(0, len(padded), 8 * word_bytes):
        starts = range(at, at + 8 * word_bytes, 8)
        words.append(FormWord(of, [form for byte in starts for form in reversed(padded[byte : byte + 8])]))
    return words


def from_words(words: Sequence[FormWord]) -> Bits:
    """The inverse of `to_words`."""
    forms = [form for word in words for form in word.forms]
    return [form for at in range(0, len(forms), 8) for form in reversed(forms[at : at + 8])]
