"""Whether a form is 0 for all inputs, where its products are multiplied out.

A product of two sums is one symbol in a form, so that forms stay short: x(a + b) differs there from xa + xb. Where two
forms differ, their sum is multiplied out here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from .monomials import Monomials

Polynomial = frozenset[frozenset[int]]
"""A sum of products of numbered bits; the empty product is 1."""

TERMS = 1 << 16  # at most: a product of outputs of two S-boxes of eight bits has fewer


def vanishes(symbols: Monomials, value: int, means: Mapping[int, int]) -> bool:
    """Whether a form is 0 for all inputs.

    Parameters
    ----------
    means
        Of symbols of bits: the form of earlier ones that each stands for.

    Raises
    ------
    LookupError
        It has too many terms.
    """
    replaced = value
    while last := max((symbol for symbol in _symbols(replaced) if symbol in means), default=0):
        replaced ^= 1 << last ^ means[last]
    # In terms of sums these are short, but what one S-box makes of a bit is unknown.
    if not replaced or any(not _multiplied_out(symbols, v, _sums_of_a_basis()) for v in (value, replaced)):
        return True

    def of_bits(part: int) -> Polynomial:
        return frozenset(frozenset(symbols.bits(symbol)) for symbol in _symbols(part))

    left = _multiplied_out(symbols, replaced, of_bits)
    while last := max((bit for term in left for bit in term if bit in means), default=0):
        # What it stands for has earlier ones alone, so that each is replaced once.
        having = frozenset(term for term in left if last in term)
        rest = frozenset(term - {last} for term in having)
        left = left - having ^ _product(rest, _multiplied_out(symbols, means[last], of_bits))
    return not left


def _symbols(value: int) -> list[int]:
    """Those of a form, the last one first."""
    symbols = []
    while value:
        symbols.append(value.bit_length() - 1)
        value ^= 1 << symbols[-1]
    return symbols


def _sums_of_a_basis() -> Callable[[int], Polynomial]:
    """Forms as sums of some independent ones, collected on the way; each has the number of its last symbol."""
    basis: dict[int, int] = {}

    def sum_of(value: int) -> Polynomial:
        terms = {frozenset[int]()} if value & 1 else set()
        value &= ~1
        while value:
            last = value.bit_length() - 1
            value ^= basis.setdefault(last, value)
            terms.add(frozenset((last,)))
        return frozenset(terms)

    return sum_of


def _multiplied_out(symbols: Monomials, value: int, sum_of: Callable[[int], Polynomial]) -> Polynomial:
    """A form by what `sum_of` makes of forms without a product of sums."""
    known: dict[int, Polynomial] = {}

    def polynomial(form: int) -> Polynomial:
        products = [symbol for symbol in _symbols(form) if symbol in symbols.factors]
        total = sum_of(form ^ sum(1 << symbol for symbol in products))
        for symbol in products:
            if symbol not in known:
                p, q = symbols.factors[symbol]
                known[symbol] = _product(polynomial(p), polynomial(q))
            total ^= known[symbol]
        return total

    return polynomial(value)


def _product(p: Polynomial, q: Polynomial) -> Polynomial:
    if len(p) * len(q) > TERMS:
        raise LookupError("too many terms")
    total: set[frozenset[int]] = set()
    for term in (a | b for a in p for b in q):
        total ^= {term}
    return frozenset(total)
