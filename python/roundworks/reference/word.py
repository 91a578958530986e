"""An abstract word: the same lines of a description compute numbers or record a graph.

A description only ever uses ``^``, ``&``, ``+``, ``sub``, ``mix``, ``permute``, ``cut``, ``join``, what is
made of these (``|``, ``~``, ``-``, rotations and shifts) and functions marked ``@unit``. ``IntWord`` here
is the one to check by eye; ``batch.ArrayWord`` computes many messages at once and ``graph.NodeWord``
writes down what was done.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import cache, wraps
from math import gcd
from typing import TypeVar

from ..errors import TooWide
from .components import CellPermutation, Matrix, Sbox
from .placed import Undecided, called_by_own_file, compared, refusal

W = TypeVar("W", bound="Word")


class Word(Undecided, ABC):
    """``bits`` bits; a plain ``int`` may stand on either side of an operator of two words."""

    __slots__ = ()
    bits: int

    @abstractmethod
    def constant(self: W, value: int, bits: int) -> W:
        """A constant of the same kind as this word, of ``bits`` bits."""

    def like(self: W, value: int) -> W:
        """A constant of the same kind and width as this word."""
        return self.constant(value, self.bits)

    @abstractmethod
    def _xor(self: W, other: W) -> W: ...

    @abstractmethod
    def _and(self: W, other: W) -> W: ...

    @abstractmethod
    def _add(self: W, other: W) -> W: ...

    @abstractmethod
    def _cut(self: W, first: int, bits: int) -> W: ...

    @abstractmethod
    def _join(self: W, others: Sequence[W]) -> W: ...

    @abstractmethod
    def sub(self: W, sbox: Sbox) -> W:
        """The S-box on every cell."""

    @abstractmethod
    def mix(self: W, matrix: Matrix) -> W:
        """The matrix on every group of ``matrix.size`` neighbouring cells."""

    @abstractmethod
    def permute(self: W, permutation: CellPermutation) -> W:
        """Cell i moves to ``permutation.to[i]``."""

    def in_unit(self: W, name: str, body: Callable[[W], W]) -> W:
        """Run ``body`` as one named unit; only a recording word takes note."""
        return body(self)

    def lift(self: W, other: W | int) -> W:
        """The operand as a word of this kind and width; `DescriptionError` if it is of another."""
        if isinstance(other, int):
            if not 0 <= other < 1 << self.bits:
                raise refusal(f"constant {other:#x}: want at most {self.bits} bits", TooWide)
            return self.like(other)
        if not isinstance(other, type(self)):
            kind = (
                f"of another kind ({type(other).__name__})"
                if isinstance(other, Word)
                else type(other).__name__
            )
            raise refusal(f"cannot combine a word with {kind}: want a word of the same run, or an integer")
        if other.bits != self.bits:
            raise refusal(f"words of {self.bits} and {other.bits} bits do not combine")
        return other

    def __xor__(self: W, other: W | int) -> W:
        return self._xor(self.lift(other))

    def __and__(self: W, other: W | int) -> W:
        return self._and(self.lift(other))

    def __add__(self: W, other: W | int) -> W:
        """The sum modulo 2^bits."""
        return self._add(self.lift(other))

    __rxor__ = __xor__
    __rand__ = __and__
    __radd__ = __add__

    # What follows is made of these operations, so that an analysis that takes them takes it too.
    def __invert__(self: W) -> W:
        return self ^ (1 << self.bits) - 1

    def __or__(self: W, other: W | int) -> W:
        return ~(~self & ~self.lift(other))

    __ror__ = __or__

    def __sub__(self: W, other: W | int) -> W:
        """The difference modulo 2^bits: ~x + y is y - x - 1, and its complement x - y."""
        return ~(~self + other)

    def __rsub__(self: W, other: W | int) -> W:
        return self.lift(other) - self

    def rotl(self: W, distance: int) -> W:
        """Rotated to the left, towards the most significant bit, by ``distance`` bits modulo the width."""
        distance %= self.bits
        return self.permute(_rotation(self.bits, distance)) if distance else self

    def rotr(self: W, distance: int) -> W:
        """Rotated to the right."""
        return self.rotl(-distance)

    def __lshift__(self: W, distance: int) -> W:
        """Shifted to the left; zeros come in, and what leaves the word is lost."""
        return self._shifted(distance, left=True)

    def __rshift__(self: W, distance: int) -> W:
        """Shifted to the right."""
        return self._shifted(distance, left=False)

    def _shifted(self: W, distance: int, left: bool) -> W:
        if distance < 0:
            raise refusal(f"shift: want a distance of at least 0, got {distance}")
        if not distance:
            return self
        kept = (1 << max(self.bits - distance, 0)) - 1
        if left:
            return self.rotl(distance) & kept << min(distance, self.bits)
        return self.rotr(distance) & kept

    def cut(self: W, first: int, bits: int) -> W:
        """A word of ``bits`` bits of this one, from bit ``first`` on; bit 0 is the most significant."""
        if not 0 <= first < first + bits <= self.bits:
            raise refusal(f"cut: want bits within 0..{self.bits - 1}, got {bits} from {first} on")
        return self if bits == self.bits else self._cut(first, bits)

    def split(self: W, count: int) -> list[W]:
        """The word as ``count`` words of equal width, the most significant first."""
        if count < 1 or self.bits % count:
            raise refusal(f"cut: {self.bits} bits do not make {count} words of equal width")
        width = self.bits // count
        return [self.cut(i * width, width) for i in range(count)]

    def _check_cells(self, kind: str, name: str, cell_bits: int, cells: int) -> None:
        group = cell_bits * cells
        exact = kind == "permutation"
        if (self.bits != group) if exact else (self.bits % group != 0):
            raise refusal(
                f"{kind} {name}: covers {cells} cells of {cell_bits} bits,"
                f" which does not fit a word of {self.bits} bits"
            )


class IntWord(Word):
    """A word as a Python integer: the reading to compare with the paper."""

    __slots__ = ("bits", "value")

    def __init__(self, value: int, bits: int) -> None:
        self.value = value
        self.bits = bits

    def __repr__(self) -> str:
        return f"{self.value:0{-(-self.bits // 4)}x}"

    def __eq__(self, other: object) -> bool:
        """Of two such words, for those who compute with a description; what is written in one has no comparison."""
        if not isinstance(other, IntWord) or called_by_own_file():
            raise compared("==")
        return (self.value, self.bits) == (other.value, other.bits)

    def __ne__(self, other: object) -> bool:
        if not isinstance(other, IntWord) or called_by_own_file():
            raise compared("!=")
        return (self.value, self.bits) != (other.value, other.bits)

    def __hash__(self) -> int:
        return hash((self.value, self.bits))

    def constant(self, value: int, bits: int) -> IntWord:
        return IntWord(value, bits)

    def _xor(self, other: IntWord) -> IntWord:
        return IntWord(self.value ^ other.value, self.bits)

    def _and(self, other: IntWord) -> IntWord:
        return IntWord(self.value & other.value, self.bits)

    def _add(self, other: IntWord) -> IntWord:
        return IntWord((self.value + other.value) % (1 << self.bits), self.bits)

    def _cut(self, first: int, bits: int) -> IntWord:
        return IntWord(self.value >> self.bits - first - bits & (1 << bits) - 1, bits)

    def _join(self, others: Sequence[IntWord]) -> IntWord:
        value, width = self.value, self.bits
        for other in others:
            value, width = value << other.bits | other.value, width + other.bits
        return IntWord(value, width)

    def rotl(self, distance: int) -> IntWord:
        distance %= self.bits
        both = self.value << distance
        return IntWord(both & (1 << self.bits) - 1 | both >> self.bits, self.bits)

    def cells(self, cell_bits: int) -> list[int]:
        """Cells of ``cell_bits`` bits, cell 0 (most significant) first."""
        mask = (1 << cell_bits) - 1
        return [self.value >> shift & mask for shift in range(self.bits - cell_bits, -1, -cell_bits)]

    def of_cells(self, cells: list[int], cell_bits: int) -> IntWord:
        """A word of these cells, cell 0 the most significant."""
        value = 0
        for cell in cells:
            value = value << cell_bits | cell
        return IntWord(value, self.bits)

    def sub(self, sbox: Sbox) -> IntWord:
        self._check_cells("S-box", sbox.name, sbox.bits, 1)
        if (pairs := sbox.on_bytes) is None or self.bits % 8:
            return self.by_definition(sbox)
        raw = self.value.to_bytes(self.bits // 8, "big").translate(pairs)
        return IntWord(int.from_bytes(raw, "big"), self.bits)

    def mix(self, matrix: Matrix) -> IntWord:
        self._check_cells("matrix", matrix.name, matrix.cell_bits, matrix.size)
        return self._linear(matrix)

    def permute(self, permutation: CellPermutation) -> IntWord:
        p = permutation
        self._check_cells("permutation", p.name, p.cell_bits, len(p.to))
        return self._linear(p)

    def by_definition(self, layer: Sbox | Matrix | CellPermutation) -> IntWord:
        """A layer cell-wise, as its definition has it; the layers above look bytes up."""
        if isinstance(layer, Sbox):
            return self.of_cells([layer.table[c] for c in self.cells(layer.bits)], layer.bits)
        cells = self.cells(layer.cell_bits)
        out: list[int] = []
        if isinstance(layer, Matrix):
            for start in range(0, len(cells), layer.size):
                out += layer.apply(cells[start : start + layer.size])
        else:
            out = [0] * len(cells)
            for i, target in enumerate(layer.to):
                out[target] = cells[i]
        return self.of_cells(out, layer.cell_bits)

    def _linear(self, layer: Matrix | CellPermutation) -> IntWord:
        """The sum of what each byte alone becomes; those images are made once, by definition."""
        if self.bits % 8:
            return self.by_definition(layer)
        if (images := layer.images.get(self.bits)) is None:
            images = layer.images[self.bits] = _images(layer, self.bits)
        value = 0
        for table, byte in zip(images, self.value.to_bytes(self.bits // 8, "big"), strict=True):
            value ^= table[byte]
        return IntWord(value, self.bits)


def _images(layer: Matrix | CellPermutation, bits: int) -> list[list[int]]:
    """For each byte of a word, highest first: the layer's image of its 256 values alone."""
    images = []
    for shift in range(bits - 8, -1, -8):
        table = [0]
        for bit in range(8):
            image = IntWord(1 << shift + bit, bits).by_definition(layer).value
            table += [image ^ other for other in table]
        images.append(table)
    return images


@cache
def _rotation(bits: int, left: int) -> CellPermutation:
    """As a permutation of cells, the widest that a batch has: analyses of cells then see them move."""
    cell = gcd(bits, left)
    cell = cell if cell <= 8 else gcd(cell, 8)
    count, step = bits // cell, left // cell
    return CellPermutation(f"<<< {left}", tuple((i - step) % count for i in range(count)), cell)


def join(words: Sequence[W]) -> W:
    """One word of several, the first the most significant."""
    if not words:
        raise refusal("join: want at least one word, got none")
    first, *others = words
    if any(not isinstance(word, type(first)) for word in others) or not isinstance(first, Word):
        raise refusal("join: want words of one kind; an integer has no width, so XOR it to a word")
    return first._join(others) if others else first


def unit(name: str) -> Callable[[Callable[[W], W]], Callable[[W], W]]:
    """Mark a function of one word as a unit that analyses count as a whole (F, an AES round)."""

    def mark(body: Callable[[W], W]) -> Callable[[W], W]:
        @wraps(body)
        def call(x: W) -> W:
            if not isinstance(x, Word):
                raise refusal(f"{name}: want a word, got {type(x).__name__}")
            made: object = x.in_unit(name, body)
            if not isinstance(made, Word):
                raise refusal(f"unit {name}: want one word returned, got {type(made).__name__}")
            return made  # type: ignore[return-value]

        call.unit_name = name  # type: ignore[attr-defined]
        return call

    return mark
