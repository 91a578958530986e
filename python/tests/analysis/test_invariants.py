"""Invariants of rounds, against all values of small permutations, and what is published of Midori64."""

from __future__ import annotations

import random
from itertools import combinations

import numpy as np
import pytest

from roundworks.analysis.affine import affine
from roundworks.analysis.cuts import segments
from roundworks.analysis.invariant_bounds import invariant_subspace, nonlinear_invariant, slide
from roundworks.analysis.invariants import Form, quadratic_invariants, sbox_invariants
from roundworks.analysis.similarity import each_round, invariant_cosets, period, without_constants
from roundworks.errors import DescriptionError
from roundworks.reference import IntWord, Matrix, Sbox, get, get_analysed, gf2, record_rounds
from roundworks.reference.midori import SB0
from roundworks.reference.present import SBOX
from roundworks.reference.recordings import run
from small_ciphers import Layer, Shape, Spn, random_turn
from transitions import random_spn, table

SWAP = Matrix("swap", ((0, 1), (1, 0)), 4)


def value(form: Form, x: int, bits: int) -> int:
    return sum(all(x >> bits - 1 - i & 1 for i in monomial) for monomial in form) & 1


@pytest.mark.parametrize("sbox", [SB0, SBOX], ids=["midori", "present"])
def test_invariants_of_an_sbox_are_all_there_are(sbox: Sbox) -> None:
    basis = sbox_invariants(sbox)
    monomials = [(i,) for i in range(4)] + list(combinations(range(4), 2))
    right = 0
    for choice in range(1, 1 << len(monomials)):
        form = frozenset(m for i, m in enumerate(monomials) if choice >> i & 1)
        right += len({value(form, x, 4) ^ value(form, sbox.table[x], 4) for x in range(16)}) == 1
    assert right == (1 << len(basis)) - 1


def functions(spn: Spn, layers: list[Layer]) -> int:
    """The dimension of the sums of quadratic functions of cells that all layers leave alone, by truth tables."""
    bits, size = spn.word_bits, 1 << spn.word_bits
    x = np.arange(size)
    bit = [x >> bits - 1 - i & 1 for i in range(bits)]
    cells = [range(c, c + spn.shape.bits) for c in range(0, bits, spn.shape.bits)]
    products = [bit[i] for c in cells for i in c]
    products += [bit[i] & bit[j] for c in cells for i, j in combinations(c, 2)]
    vectors = []
    for truth in products:
        changes = [truth ^ truth[table(layer, bits)] for layer in layers]
        # What changes by a constant in a layer is zero after the value at 0 is added.
        vectors.append(int("".join(str(v) for c in changes for v in c ^ c[0]), 2))
    return len(gf2.kernel(vectors))


@pytest.mark.parametrize("seed", range(4))
def test_all_quadratic_invariants_are_found(seed: int) -> None:
    turn = random_turn(random.Random(seed), 2, 4)
    layers: list[Layer] = [SB0, [SWAP, turn, random_turn(random.Random(seed + 9), 2, 4), SWAP][seed]]
    spn = Spn(Shape(2, 4), [layers, layers])
    invariants = quadratic_invariants(record_rounds(spn, 2), with_constants=False)
    assert len(invariants.forms) == functions(spn, layers)
    for form in invariants.forms:
        changes = {value(form, x, 8) ^ value(form, int(y), 8) for x, y in enumerate(table(SB0, 8))}
        assert len(changes) == 1


def test_midori64_has_the_published_invariant() -> None:
    """x3 x2 ^ x2 ^ x1 ^ x0 in every cell, and 2^32 round keys that keep it. [TODO-LEANDER, section 5]"""
    bound = nonlinear_invariant(get_analysed("midori64"))
    assert bound.witness is not None and bound.certainty == "proven"
    assert bound.value == 4 and bound.witness["weak round keys, log2"] == "32 of 64"
    forms = quadratic_invariants(record_rounds(get_analysed("midori64"), 2)).forms
    published = frozenset(m for c in range(0, 64, 4) for m in ((c, c + 1), (c + 1,), (c + 2,), (c + 3,)))
    assert published in forms
    assert nonlinear_invariant(get_analysed("present")).value == 0
    assert nonlinear_invariant(get_analysed("aes")).value == 0


def test_maps_between_layers_are_the_rounds() -> None:
    spn = random_spn(6, 3, Shape(3, 3))
    part = segments(record_rounds(spn, 3))[1]
    one = affine(part)
    (name,), (out,) = part.inputs, part.outputs.values()
    for x in range(512):
        y = run(part, {name: IntWord(x, 9)})[out].value
        mirrored = int(f"{x:09b}"[::-1], 2)
        image = sum(((mirrored & row).bit_count() & 1) << i for i, row in enumerate(one.rows)) ^ one.constant
        assert f"{y:09b}"[::-1] == f"{image:09b}"
    with pytest.raises(DescriptionError, match="sub: not affine"):
        affine(record_rounds(spn, 1))


@pytest.mark.long
def test_cosets_of_midori64_and_of_symmetric_rounds() -> None:
    """Sixteen dimensions, one in each cell; constants break those of AES-like permutations."""
    bound = invariant_subspace(get_analysed("midori64"))
    assert (bound.value, bound.certainty) == (16, "proven")
    assert invariant_subspace(get_analysed("present")).value is None
    each = each_round(get_analysed("areion-256"), 10)
    assert not list(invariant_cosets(each))
    free = next(invariant_cosets([without_constants(one) for one in each]))
    assert free.dimension == 16 and free.exhaustive


@pytest.mark.long  # that the involution commutes with the permutation: test_minalpher.py
def test_the_coset_of_minalpher_is_what_its_involution_fixes() -> None:
    each = each_round(get("minalpher"), 17)
    coset = next(invariant_cosets(each))

    def moved(state: int) -> int:
        cells = [state >> 252 - 4 * i & 15 for i in range(64)]
        return sum(cells[i ^ 18] << 252 - 4 * i for i in range(64))

    assert coset.dimension == 128
    assert all(moved(v) == v for v in (coset.offset, *coset.basis))


def test_every_coset_that_is_found_holds_for_all_values() -> None:
    spn = Spn(Shape(2, 4), [[SB0, SWAP]] * 3)
    each = [without_constants(one) for one in each_round(spn, 3)]
    cosets = list(invariant_cosets(each))
    assert cosets
    images = table(SWAP, 8)[table(SB0, 8)]
    for coset in cosets:
        elements = [0]
        for vector in coset.basis:
            elements += [v ^ vector for v in elements]
        at = coset.offset
        for _ in range(3):
            assert {int(images[at ^ v] ^ images[at]) for v in elements} == set(elements)
            at = int(images[at])


def test_slide() -> None:
    assert slide(get_analysed("midori64")).value == 1
    assert slide(get_analysed("aes")).value == 1  # no keys, so all rounds are alike
    assert slide(get_analysed("simpira-2")).value is None
    assert "slid pairs exist" in slide(get_analysed("aes")).method
    once = slide(get_analysed("minalpher"))  # the last of its rounds is like the first one
    assert once.value == 16 and once.method.endswith("keys aside; seen over 1 pair of rounds")
    spn = Spn(Shape(2, 4), [[SB0], [SWAP]] * 2)
    assert period([without_constants(one) for one in each_round(spn, 4)]) == 2
    assert period(each_round(spn, 4)) is None
    assert slide(get("aegis-128")).value == 1
