"""Which patterns a linear layer has, decided from its bits; for the verifier, without the models."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from ...reference import CellPermutation, IntWord, Matrix, gf2

TRIES = 100_000  # steps to decide whether some value has a pattern


class Undecided(Exception):
    """More than `TRIES` steps would be needed."""


def group_bits(layer: Matrix | CellPermutation, word_bits: int, c: int) -> int:
    """Bits that a linear layer treats on their own, if those are whole cells; else the word."""
    bits = layer.cell_bits * (layer.size if isinstance(layer, Matrix) else len(layer.to))
    return word_bits if bits % c else bits


@cache
def images(layer: Matrix | CellPermutation, bits: int, transposed: bool) -> tuple[int, ...]:
    """Images of the single bits, the most significant first; of the transposed if ``transposed``."""
    columns = [IntWord(1 << i, bits).by_definition(layer).value for i in reversed(range(bits))]
    if not transposed:
        return tuple(columns)
    return tuple(
        sum((column >> bits - 1 - i & 1) << bits - 1 - j for j, column in enumerate(columns))
        for i in range(bits)
    )


@cache
def copies(layer: Matrix | CellPermutation, bits: int, c: int) -> tuple[int | None, ...]:
    """For each cell that comes out the one of which it is a copy, if it is."""
    reads = images(layer, bits, True)
    places = {tuple(1 << bits - 1 - i for i in range(j, j + c)): j // c for j in range(0, bits, c)}
    return tuple(places.get(reads[i : i + c]) for i in range(0, bits, c))


@cache
def possible(
    layer: Matrix | CellPermutation,
    bits: int,
    c: int,
    transposed: bool,
    before: tuple[bool, ...],
    after: tuple[bool, ...],
) -> bool:
    """Whether some x nonzero in exactly the cells ``before`` has Mx nonzero in exactly ``after``."""
    columns = images(layer, bits, transposed)
    # Vectors (x, Mx) with x in the active cells, reduced until Mx vanishes outside its own.
    idle = _mask([not on for on in after], bits, c)
    vectors = (columns[i] << bits | 1 << bits - 1 - i for i in range(bits) if before[i // c])
    _, kept = gf2.eliminated(vectors, idle << bits)
    parts = [(1 << c) - 1 << bits - c - i * c for i, on in enumerate(before) if on]
    parts += [(1 << c) - 1 << 2 * bits - c - i * c for i, on in enumerate(after) if on]
    return meets(0, kept, parts, iter(range(TRIES)))


def meets(offset: int, basis: list[int], parts: list[int], tries: Iterator[int]) -> bool:
    """Whether some sum of ``offset`` and basis vectors is nonzero in every part, exactly.

    A part of rank r is zero for 2^-r of the sums. Where these shares add up to less than 1 some sum
    is left over; otherwise each value of one part is tried, and the others are looked at again.
    """
    if next(tries, None) is None:
        raise Undecided(f"whether a value has this pattern takes more than {TRIES} steps to say")
    share, open_parts = 0.0, []
    minimum: tuple[int, dict[int, int]] | None = None
    for part in parts:
        pivots, _ = gf2.eliminated(basis, part)
        if gf2.reduced(offset, pivots) & part:
            continue  # never zero
        if not pivots:
            return False
        share += 0.5 ** len(pivots)
        open_parts.append(part)
        if minimum is None or len(pivots) < len(minimum[1]):
            minimum = part, pivots
    if share < 1 or minimum is None:
        return True
    part, pivots = minimum
    others = [p for p in open_parts if p != part]
    idle, _ = gf2.eliminated(gf2.reduced(vector, pivots) for vector in basis)
    sums = [offset]
    for pivot in pivots.values():
        sums += [x ^ pivot for x in sums]
    return any(meets(x, [*idle.values()], others, tries) for x in sums if x & part)


def _mask(cells: list[bool], bits: int, c: int) -> int:
    return sum((1 << c) - 1 << bits - c - i * c for i, on in enumerate(cells) if on)
