"""Linear maps with a structure that saves operations on values of 64 bits.

A circulant matrix over cells is a polynomial in the rotation of cells: MixColumns of AES, with A for
multiplication by 2 and R for the rotation, is A(1 + R) + R^2(1 + R) + R, so that 1 + R is computed once.
A dyadic one, as AETHER has, exchanges cells instead. A permutation that permutes the bits of the index of
a bit is a few transpositions of index bits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product

from .maps import LinearMap
from .program import Builder

Transposition = tuple[int, int, bool]  # two index bits, the lower first, and whether both are inverted
Term = tuple[tuple[int, ...], int]  # rows of a matrix over the bits of a cell, and the rotation before it


@dataclass(frozen=True)
class Circulant:
    """``factored`` terms of 1 + R^step, and the ``rest``; cells of ``cell`` bits in groups of ``count``,
    in values of ``bits`` bits. ``dyadic``: R^i takes cell k to the place k ^ i, not k - i."""

    bits: int
    cell: int
    count: int
    step: int
    factored: tuple[Term, ...]
    rest: tuple[Term, ...]
    dyadic: bool = False

    def rotation(self, by: int) -> LinearMap:
        """The cells of a group rotated by ``by`` cells."""
        return self._map(tuple(1 << r for r in range(self.cell)), by)

    def maps(self, terms: Sequence[Term]) -> Iterator[tuple[LinearMap, ...]]:
        """Each term as a map of a value, or as two, the matrix first."""
        identity = tuple(1 << r for r in range(self.cell))
        for rows, by in terms:
            if rows == identity or not by:
                yield (self._map(rows, by),)
            else:
                yield self._map(rows, by), self._map(rows, 0), self.rotation(by)

    def _map(self, matrix: Sequence[int], by: int) -> LinearMap:
        rows = []
        for i in range(self.bits):
            place, bit = divmod(i, self.cell)
            group, k = divmod(place, self.count)
            source = group * self.count + _moved(k, by, self.count, self.dyadic)
            rows.append(matrix[bit] << self.cell * source)
        return LinearMap(tuple(rows))


@cache
def circulants(linear: LinearMap, bits: int) -> tuple[Circulant, ...]:
    """The ways in which the map is circulant, the same in all groups of all values."""
    result: list[Circulant] = []
    for cell, count, dyadic in product((16, 8, 4, 2), (4, 8, 2), (False, True)):
        if cell * count <= bits:
            row = _first_row(linear, cell, count, dyadic)
            if row is not None:
                result += _factored(bits, cell, count, row, dyadic)
    return tuple(result)


def _moved(k: int, by: int, count: int, dyadic: bool) -> int:
    return k ^ by if dyadic else (k + by) % count


def _first_row(linear: LinearMap, cell: int, count: int, dyadic: bool) -> list[tuple[int, ...]] | None:
    """What each cell of a group is multiplied by for the cell before it by 0, 1, ..; None if that depends
    on the cell."""
    size = cell * count
    mask = (1 << cell) - 1
    result: list[tuple[int, ...]] = []
    for at in range(0, linear.bits, cell):
        start = at // size * size
        own = (at - start) // cell
        rows = linear.rows[at : at + cell]
        if any(row >> start & (1 << size) - 1 != row >> start or row & (1 << start) - 1 for row in rows):
            return None
        blocks = [
            tuple(row >> start + cell * _moved(own, by, count, dyadic) & mask for row in rows)
            for by in range(count)
        ]
        if not result:
            result = blocks
        elif blocks != result:
            return None
    return result


def _factored(
    bits: int, cell: int, count: int, row: Sequence[tuple[int, ...]], dyadic: bool
) -> Iterator[Circulant]:
    """With each factor 1 + R^step, which takes pairs of terms from each start."""
    identity = tuple(1 << r for r in range(cell))
    terms: set[Term] = set()
    for by, matrix in enumerate(row):
        for part in _split(matrix, identity):
            terms ^= {(part, by)}
    for step in range(1, count):
        for first in range(count):
            left, taken = set(terms), set[Term]()
            for start in (*range(first, count), *range(first)):
                for matrix in {m for m, _ in terms}:
                    pair = (matrix, start), (matrix, _moved(start, step, count, dyadic))
                    if pair[0] != pair[1] and all(p in left for p in pair):
                        left -= set(pair)
                        taken.add(pair[0])
            if taken:
                yield Circulant(bits, cell, count, step, tuple(sorted(taken)), tuple(sorted(left)), dyadic)


def _split(matrix: tuple[int, ...], identity: tuple[int, ...]) -> list[tuple[int, ...]]:
    """A matrix as itself, or as the sum of the identity and one with fewer ones."""
    if not any(matrix):
        return []
    other = tuple(a ^ b for a, b in zip(matrix, identity, strict=True))
    fewer = sum(row.bit_count() for row in other) < sum(row.bit_count() for row in matrix)
    return [identity, other] if fewer and any(other) else [matrix]


# -- index bits ----------------------------------------------------------------------------------
@cache
def of_index_bits(linear: LinearMap) -> tuple[Transposition, ...] | None:
    """Transpositions of index bits, first one first, that make a permutation of bits; None where it is
    something else."""
    size = (linear.bits - 1).bit_length()
    if linear.bits != 1 << size or any(row.bit_count() != 1 for row in linear.rows):
        return None
    source = [row.bit_length() - 1 for row in linear.rows]
    images = [source[1 << i] ^ source[0] for i in range(size)]
    if any(image.bit_count() != 1 for image in images):
        return None
    for i, at in enumerate(source):
        if at != source[0] ^ sum(images[k] for k in range(size) if i >> k & 1):
            return None
    # Index bit k of the result is index bit want[k] of the argument, or its complement.
    now = [(k, False) for k in range(size)]
    want = [(image.bit_length() - 1, bool(source[0] & image)) for image in images]
    result = []
    for k in range(size):
        if now[k] == want[k]:
            continue
        other = next(m for m in range(size) if now[m][0] == want[k][0])
        if other == k:
            return None
        inverted = now[other][1] != want[k][1]
        result.append((min(k, other), max(k, other), inverted))
        (a, p), (b, q) = now[k], now[other]
        now[k], now[other] = (b, q ^ inverted), (a, p ^ inverted)
    return tuple(result) if now == want else None


def transposed(builder: Builder, pairs: Sequence[Transposition], parts: Sequence[int]) -> tuple[int, ...]:
    """Each pair of index bits changes places: bits whose index has the one set with those that have the
    other; inverted, bits whose index has none set with those that have both."""
    b, values = builder, list(parts)
    within = (b.bits - 1).bit_length()
    for low, high, inverted in pairs:
        near, far = 1 << low, 1 << max(high - within, 0)
        if low >= within:
            near >>= within
            for k in range(len(values)):
                if bool(k & near) != inverted and not k & far:
                    other = k ^ near ^ far
                    values[k], values[other] = values[other], values[k]
        elif high >= within:
            for k in range(len(values)):
                if not k & far:
                    values[k], values[k | far] = _between(b, values[k], values[k | far], near, inverted)
        else:
            step = (1 << high) + (near if inverted else -near)
            chosen = sum(
                1 << i for i in range(b.bits) if bool(i >> low & 1) != inverted and not i >> high & 1
            )
            for k, x in enumerate(values):
                both = b.op("and", b.op("xor", b.op("shr", x, imm=(b.bits, step)), x), b.const(chosen))
                values[k] = b.op("xor", x, b.op("xor", both, b.op("shl", both, imm=(b.bits, step))))
    return tuple(values)


def _between(b: Builder, x: int, y: int, step: int, inverted: bool) -> tuple[int, int]:
    """Bits of x at the higher place of a pair change with those of y at the lower; inverted the others."""
    mask = b.const(sum(1 << i for i in range(b.bits) if not i & step))
    if inverted:
        y, x = _between(b, y, x, step, False)
        return x, y
    both = b.op("and", b.op("xor", b.op("shr", x, imm=(b.bits, step)), y), mask)
    return b.op("xor", x, b.op("shl", both, imm=(b.bits, step))), b.op("xor", y, both)
