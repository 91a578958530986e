"""Linear maps over the bits of a word, and the operations that compute them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, partial

from ..reference import CellPermutation, Matrix
from ..reference.word import IntWord
from .program import Builder

Layer = Matrix | CellPermutation
IDENTITY = tuple(1 << r for r in range(8))
"""Rows of the identity on a byte."""


@dataclass(frozen=True)
class LinearMap:
    """``rows[i]`` is the mask of the input bits whose sum is bit i of the output."""

    rows: tuple[int, ...]

    @property
    def bits(self) -> int:
        """The number of bits of the result."""
        return len(self.rows)

    def then(self, other: LinearMap) -> LinearMap:
        """First this, then the other."""
        return LinearMap(tuple(_sum(self.rows, row) for row in other.rows))

    @cached_property
    def blocks(self) -> dict[tuple[int, int], tuple[int, ...]]:
        """The 8x8 matrices that are not zero, by (output byte, input byte), as rows."""
        result = {}
        for i in range(self.bits // 8):
            for j in range(self.bits // 8):
                rows = tuple(self.rows[8 * i + r] >> 8 * j & 0xFF for r in range(8))
                if any(rows):
                    result[i, j] = rows
        return result


def _sum(rows: Sequence[int], mask: int) -> int:
    total = 0
    while mask:
        low = mask & -mask
        total ^= rows[low.bit_length() - 1]
        mask ^= low
    return total


@dataclass(frozen=True)
class Layout:
    """Where the bits of a word of a description stand in a program: bit ``place[d]`` of the value for
    bit d of the word, counted from the most significant one. ``limb`` bits are one value."""

    place: tuple[int, ...]
    limb: int

    @property
    def parts(self) -> int:
        """Values of the program that hold one word."""
        return -(-len(self.place) // self.limb)

    def value(self, word: int) -> tuple[int, ...]:
        """The values of a word given as the description's integer."""
        bits = len(self.place)
        total = sum((word >> bits - 1 - d & 1) << p for d, p in enumerate(self.place))
        return tuple(total >> self.limb * i & (1 << self.limb) - 1 for i in range(self.parts))


@cache
def layout(word_bits: int, limb: int, order: str = "little") -> Layout:
    """Bytes in the order of memory from the lowest byte of a value up, or from the highest down."""
    if order == "little":
        return Layout(tuple(8 * (d // 8) + 7 - d % 8 for d in range(word_bits)), limb)
    parts = -(-word_bits // limb)
    sizes = [min(limb, word_bits - limb * i) for i in range(parts)]
    return Layout(tuple(limb * i + size - 1 - d for i, size in enumerate(sizes) for d in range(size)), limb)


@cache
def linear_map(layers: tuple[Layer, ...], word_bits: int, place: Layout) -> LinearMap:
    """Layers one after another as one map on the bits where a program has them."""
    rows = [0] * (place.limb * place.parts)
    for d in range(word_bits):
        word = IntWord(1 << word_bits - 1 - d, word_bits)
        for layer in layers:
            word = word.mix(layer) if isinstance(layer, Matrix) else word.permute(layer)
        for e in range(word_bits):
            if word.value >> word_bits - 1 - e & 1:
                rows[place.place[e]] |= 1 << place.place[d]
    return LinearMap(tuple(rows))


@dataclass(frozen=True)
class BitSource:
    """A value of which the image under any matrix over the bits of a byte can be had."""

    image: Callable[[tuple[int, ...]], int]


def on_bytes(builder: Builder, linear: LinearMap, source: BitSource, gfni: bool, pairs: bool) -> int:
    """The map as a sum: a matrix on every byte, then bytes brought to their places. Where the CPU joins
    pairs of half bytes, a map that only moves those goes this way too."""
    decompositions = _decompositions(linear)
    # In both orders: of an image that is there others may be a part.
    ordered = [*decompositions, *(terms[::-1] for terms in decompositions if len(terms) > 1)]
    ways: list[Callable[[], int]] = [partial(_shuffled, builder, source, terms) for terms in ordered]
    if pairs and (sides := _sides(linear)) is not None:
        ways.append(partial(_joined, builder, source, sides))
    if gfni and all(i // 8 == j // 8 for i, j in linear.blocks):
        ways += [partial(_by_rows, builder, source, terms) for terms in decompositions]
    return builder.best(ways)


Terms = list[tuple[tuple[int, ...], list[tuple[int, int]]]]


@cache
def _decompositions(linear: LinearMap) -> tuple[Terms, ...]:
    """Ways to write a map as a sum of matrices on every byte, each behind a movement of bytes."""
    return _distinct(linear), _spanned(linear), _spanned(linear, halves=True)


def _distinct(linear: LinearMap) -> Terms:
    """Each matrix that occurs, with its (output byte, input byte)."""
    result: dict[tuple[int, ...], list[tuple[int, int]]] = defaultdict(list)
    for place, rows in linear.blocks.items():
        result[rows].append(place)
    return sorted(result.items())


def _spanned(linear: LinearMap, halves: bool = False) -> Terms:
    """Matrices that span those that occur; with ``halves`` those of the four quarters of a matrix."""
    numbers = {rows: sum(row << 8 * r for r, row in enumerate(rows)) for rows in linear.blocks.values()}
    candidates = sorted(numbers.values(), key=lambda m: (m != numbers.get(IDENTITY), m.bit_count(), m))
    if halves:
        masks = [0x0F0F0F0F, 0xF0F0F0F0, 0x0F0F0F0F << 32, 0xF0F0F0F0 << 32]
        candidates = sorted({m & mask for m in candidates for mask in masks} - {0})
    basis: list[tuple[int, int, int]] = []  # reduced vector, its coordinates, leading bit
    chosen: list[int] = []
    for m in candidates:
        reduced, coordinates = m, 1 << len(chosen)
        for vector, how, lead in basis:
            if reduced >> lead & 1:
                reduced, coordinates = reduced ^ vector, coordinates ^ how
        if reduced:
            basis.append((reduced, coordinates, reduced.bit_length() - 1))
            chosen.append(m)
    result: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for place, rows in linear.blocks.items():
        reduced, coordinates = numbers[rows], 0
        for vector, how, lead in basis:
            if reduced >> lead & 1:
                reduced, coordinates = reduced ^ vector, coordinates ^ how
        for k in range(len(chosen)):
            if coordinates >> k & 1:
                result[k].append(place)
    return [
        (tuple(chosen[k] >> 8 * r & 0xFF for r in range(8)), places) for k, places in sorted(result.items())
    ]


def _shuffled(builder: Builder, source: BitSource, terms: Terms) -> int:
    size = builder.bits // 8
    values = []
    for rows, places in terms:
        image = source.image(rows)
        for control in _controls(tuple(places), size):
            values.append(builder.op("shuffle", image, imm=control))
    return builder.xor(*values)


@cache
def _controls(places: tuple[tuple[int, int], ...], size: int) -> tuple[tuple[int | None, ...], ...]:
    """The fewest byte shuffles that bring every (output, input) of a relation about; whole rotations first."""
    left = set(places)
    result: list[tuple[int | None, ...]] = []
    rotations = sorted(range(size), key=lambda d: (d != 0, d))
    for by in rotations:
        whole = {(i, (i + by) % size) for i in range(size)}
        if whole <= left:
            left -= whole
            result.append(tuple((i + by) % size for i in range(size)))
    rows: dict[int, list[int]] = defaultdict(list)
    for i, j in sorted(left):
        rows[i].append(j)
    for k in range(max(map(len, rows.values()), default=0)):
        result.append(tuple(rows[i][k] if k < len(rows[i]) else None for i in range(size)))
    return tuple(result)


Side = tuple[tuple[int, ...], tuple[int, ...]]
"""Rows for the low half of a byte, and the bytes whose images fill a half of the result, half byte by half
byte, the high one first."""


@cache
def _sides(linear: LinearMap) -> tuple[Side, Side] | None:
    """A map of 16 bytes each of whose halves takes every half byte from one byte by the same matrix; None
    where it is no such map."""
    if linear.bits != 128:
        return None
    sides: list[Side] = []
    for half in (0, 8):
        rows, sources = set[tuple[int, ...]](), list[int]()
        for at in range(half, half + 8):
            for high in (4, 0):
                cell = linear.rows[8 * at + high : 8 * at + high + 4]
                bytes_of = {(row & -row).bit_length() - 1 >> 3 for row in cell if row}
                if len(bytes_of) != 1:
                    return None
                (source,) = bytes_of
                sources.append(source)
                rows.add(tuple(row >> 8 * source for row in cell))
        if len(rows) != 1 or any(row > 0xFF for row in next(iter(rows))):
            return None
        sides.append(((*next(iter(rows)), 0, 0, 0, 0), tuple(sources)))
    return sides[0], sides[1]


def _joined(builder: Builder, source: BitSource, sides: tuple[Side, Side]) -> int:
    """Images of half bytes, two by two in the order in which the result has them."""
    numbers = [
        builder.op("pair", builder.op("shuffle", source.image(rows), imm=places)) for rows, places in sides
    ]
    return builder.op("pack", *numbers)


def _by_rows(builder: Builder, source: BitSource, terms: Terms) -> int:
    """GFNI twice a term, with the data as its matrix: the bytes of a half are flipped, their bits
    multiplied by the matrix on the way; flipped back, whole bytes are added up."""
    values = []
    for rows, places in terms:
        mixed = [0] * (builder.bits // 8)
        for i, j in places:
            mixed[i] |= 0x80 >> j % 8
        flipped = builder.op("flip", source.image(IDENTITY), imm=tuple(rows[7 - i % 8] for i in range(16)))
        values.append(builder.op("flip", flipped, imm=tuple(mixed)))
    return builder.xor(*values)
