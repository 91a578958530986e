"""Bits as sums over GF(2) of monomials, each a product of bits of one cell."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import cache, lru_cache

Bits = list[int]


class Monomials:
    """Monomials: those of a group of k bits have 2^k numbers, by the subset they multiply; number 0 of
    all is the constant 1."""

    def __init__(self) -> None:
        self.bases = [0]
        self.sizes = [0]
        self.end = 1
        self.products: dict[tuple[int, int], int] = {}
        self.factors: dict[int, tuple[int, int]] = {}
        """Of a symbol that is a product of its own."""

    def group(self, bits: int) -> Bits:
        """Fresh bits that may be multiplied with one another."""
        self.bases.append(self.end)
        self.sizes.append(bits)
        result = [1 << self.end + (1 << i) for i in range(bits)]
        self.end += 1 << bits
        return result

    def bits(self, symbol: int) -> list[int]:
        """The symbols of the bits that the monomial with this symbol multiplies."""
        base = self.bases[bisect_right(self.bases, symbol) - 1]
        return [base + (1 << i) for i in range((symbol - base).bit_length()) if symbol - base >> i & 1]

    def of(self, value: int) -> int | None:
        """The group that all of a form but its constant is in; 0 for a constant, None for several."""
        value &= ~1
        if not value:
            return 0
        at = bisect_right(self.bases, (value & -value).bit_length() - 1) - 1
        high = bisect_right(self.bases, value.bit_length() - 1) - 1
        return at if at == high else None

    def table(self, value: int, group: int) -> int:
        """The truth table of a form in a group."""
        size = self.sizes[group]
        local = value >> self.bases[group] & (1 << (1 << size)) - 1
        return _moebius(local | value & 1, size)

    def form(self, table: int, group: int) -> int:
        """The form with this truth table."""
        size = self.sizes[group]
        local = _moebius(table, size)
        return (local >> 1 << 1) << self.bases[group] | local & 1

    def times(self, a: int, b: int) -> int:
        """The product of two forms."""
        if a == b:
            return a
        groups = {self.of(a), self.of(b)} - {0}
        if not groups:
            return a & b & 1
        if a in (0, 1) or b in (0, 1):
            return b if a == 1 else a if b == 1 else 0
        if len(groups) == 1 and None not in groups:
            (group,) = groups
            assert group is not None
            return self.form(self.table(a, group) & self.table(b, group), group)
        # A product of its own, of the parts without constants.
        p, q = sorted((a & ~1, b & ~1))
        if p == q:
            product = p
        else:
            if (p, q) not in self.products:
                (self.products[p, q],) = self.group(1)
                self.factors[self.products[p, q].bit_length() - 1] = p, q
            product = self.products[p, q]
        # (x + c)(y + d) = xy + c y + d x + cd, where x and y have no constant.
        x, y, c, d = a & ~1, b & ~1, a & 1, b & 1
        return product ^ c * y ^ d * x ^ c * d

    def apply(self, bits: Sequence[int], function: Sequence[int]) -> Bits:
        """A function of a few bits, all of one group, to the same number of bits, by its table."""
        groups = {self.of(b) for b in bits} - {0}
        if None in groups or len(groups) > 1:
            raise LookupError
        if not groups:
            value = function[sum((b & 1) << i for i, b in enumerate(bits))]
            return [value >> i & 1 for i in range(len(bits))]
        (group,) = groups
        assert group is not None
        base, size = self.bases[group], self.sizes[group]
        mask = (1 << (1 << size)) - 1
        local = tuple(b >> base & mask | b & 1 for b in bits)
        return [(f >> 1 << 1) << base | f & 1 for f in _applied(local, size, tuple(function))]


@lru_cache(1 << 14)
def _applied(forms: tuple[int, ...], size: int, function: tuple[int, ...]) -> tuple[int, ...]:
    """The forms of a function of the bits with these forms in a group of `size` bits, counted from its
    first. The cells of a word, and the words of a state, pass the same few."""
    tables = [_moebius(form, size) for form in forms]
    out = [0] * len(forms)
    for row in range(1 << size):
        value = function[sum((t >> row & 1) << i for i, t in enumerate(tables))]
        for i in range(len(forms)):
            out[i] |= (value >> i & 1) << row
    return tuple(_moebius(t, size) for t in out)


def _moebius(table: int, size: int) -> int:
    """Truth table to monomials and back; row r has variable i set where bit i of r is."""
    for half, low in _halves(size):
        table ^= (table & low) << half
    return table


@cache
def _halves(size: int) -> tuple[tuple[int, int], ...]:
    """For each variable, by how many rows setting it moves one, and the rows where it is not set."""
    return tuple(
        (1 << i, sum(((1 << (1 << i)) - 1) << at for at in range(0, 1 << size, 2 << i))) for i in range(size)
    )
