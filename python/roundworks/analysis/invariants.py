"""Functions of the state that rounds leave alone: quadratic invariants, and keys that keep them. [TODO-LEANDER]

g on one cell is an invariant of the S-box if g(S(x)) ^ g(x) is constant. A sum G of such functions, one for
each cell, passes every S-box layer; it is an invariant of the rounds if it passes the affine maps between
the layers too. For functions of degree 2 both are linear algebra, and what is found is all there is.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ..errors import DescriptionError
from ..reference import Recording, Sbox, gf2
from .affine import Affine, affine
from .cuts import cuts, segments

Monomial = tuple[int, ...]  # of bits, the first the most significant; of degree 1 or 2
Form = frozenset[Monomial]


@dataclass(frozen=True, slots=True)
class Invariants:
    """``forms``: a basis of the invariants over the state before an S-box layer, constants aside.

    ``weak_key_bits``: of the first, log2 of the number of round keys that keep it wherever they are added;
    ``bits`` of a round key there are in all.
    """

    forms: tuple[Form, ...]
    bits: int
    weak_key_bits: int | None


def sbox_invariants(sbox: Sbox) -> list[Form]:
    """A basis of the g of degree at most 2 on one cell with g(S(x)) ^ g(x) constant, bits 0.. of the cell."""
    x = np.arange(len(sbox.table))
    table = np.array(sbox.table)
    monomials = _monomials(range(sbox.bits))

    def change(monomial: Monomial) -> int:
        values = _product(monomial, x, sbox.bits) ^ _product(monomial, table, sbox.bits)
        return int("".join(map(str, values)), 2)

    # The last vector is the constant: a sum with it changes by 1 everywhere.
    vectors = [change(m) for m in monomials] + [(1 << len(x)) - 1]
    basis = []
    for combination in gf2.kernel(vectors):
        form = frozenset(m for i, m in enumerate(monomials) if combination >> i & 1)
        if form:
            basis.append(form)
    return basis


def _monomials(bits: range) -> list[Monomial]:
    return [(i,) for i in bits] + list(combinations(bits, 2))


def _product(monomial: Monomial, values: np.ndarray, bits: int) -> np.ndarray:
    result = np.ones(len(values), np.int64)
    for i in monomial:
        result &= values >> bits - 1 - i & 1
    return result


def quadratic_invariants(recording: Recording, *, with_constants: bool = True) -> Invariants:
    """All sums of quadratic invariants of cells that every layer of the recording keeps.

    ``with_constants``: False takes every constant as zero.

    Raises
    ------
    DescriptionError
        The rounds are not S-box layers with affine maps between them.
    """
    layers = cuts(recording)
    sboxes = {sbox for cut in layers for sbox in cut.layer}
    if len({sbox.table for sbox in sboxes}) != 1:
        raise DescriptionError(f"{recording.cipher}: want one S-box, got {len(sboxes)}")
    sbox = sboxes.pop()
    maps = dict.fromkeys(affine(part) for part in segments(recording)[1:-1])
    if not with_constants:
        maps = dict.fromkeys(one.without_constant() for one in maps)
    if not maps:
        raise DescriptionError(f"{recording.cipher}: {recording.part}: want two S-box layers, got one")
    bits = len(next(iter(maps)).rows)
    local = sbox_invariants(sbox)
    forms = [_moved(form, cell) for cell in range(0, bits, sbox.bits) for form in local]
    kept = _kept(forms, list(maps), bits)
    weak = bits - _rank(kept[0], bits) if kept else None
    return Invariants(tuple(kept), bits, weak)


def _moved(form: Form, cell: int) -> Form:
    return frozenset(tuple(i + cell for i in monomial) for monomial in form)


def _kept(forms: list[Form], maps: list[Affine], bits: int) -> list[Form]:
    """A basis of the sums of forms with G(Lx ^ c) ^ G(x) constant for every map."""
    numbers = {m: i for i, m in enumerate(_monomials(range(bits)))}
    size = len(numbers)
    vectors = []
    for form in forms:
        vector = 0
        for place, one in enumerate(maps):
            changed = _through(form, one) ^ form
            vector |= sum(1 << numbers[m] for m in changed) << place * size
        vectors.append(vector)
    results = []
    for combination in gf2.kernel(vectors):
        total: Form = frozenset()
        for i, form in enumerate(forms):
            if combination >> i & 1:
                total ^= form
        results.append(total)
    return results


def _through(form: Form, one: Affine) -> Form:
    """The form of Lx ^ c as a form of x, its constant left out."""
    result: set[Monomial] = set()
    for monomial in form:
        linear = [[j for j in range(len(one.rows)) if one.rows[i] >> j & 1] for i in monomial]
        added = [one.constant >> i & 1 for i in monomial]
        if len(monomial) == 1:
            result ^= {(j,) for j in linear[0]}
            continue
        for j in linear[0]:
            for k in linear[1]:
                result ^= {(j,) if j == k else (min(j, k), max(j, k))}
        for which in (0, 1):
            if added[1 - which]:
                for j in linear[which]:
                    result ^= {(j,)}
    return frozenset(result)


def _rank(form: Form, bits: int) -> int:
    """Of the bilinear form G(x ^ k) ^ G(x) ^ G(k): keys outside of its kernel break the invariant."""
    rows = [0] * bits
    for monomial in form:
        if len(monomial) == 2:
            i, j = monomial
            rows[i] ^= 1 << j
            rows[j] ^= 1 << i
    return gf2.rank(rows)


def text_of_form(form: Form, most: int = 12) -> str:
    """x0 x1 ^ x2 ^ ..., and how many terms are left out above ``most``."""
    terms = [" ".join(f"x{i}" for i in m) for m in sorted(form, key=lambda m: (m[0], -len(m), m))]
    more = f" ^ {len(terms) - most} more terms" if len(terms) > most else ""
    return " ^ ".join(terms[:most]) + more
