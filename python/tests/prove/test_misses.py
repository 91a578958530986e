"""Impossible differentials and zero correlation, against all values of small permutations."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from calls import cases
from roundworks.bounds import VIEWS
from roundworks.errors import DescriptionError
from roundworks.prove.bitwise.misses import impossible_bits
from roundworks.prove.bitwise.misses import impossible_over as bits_over
from roundworks.prove.cellwise.instance import cell_instance
from roundworks.prove.cellwise.misses import impossible, impossible_over
from roundworks.prove.pipeline import Query, solved
from roundworks.prove.solvers import proofs
from roundworks.reference import Matrix, Permutation, Sbox, StreamAead, get_analysed
from roundworks.reference.craft import MIX, PERMUTE_NIBBLES, ROWS
from roundworks.reference.word import IntWord
from small_ciphers import Shape, Spn, random_matrix
from transitions import correlations, differences, random_spn, through

SHAPES = (Shape(2, 4), Shape(3, 3), Shape(3, 2), Shape(2, 3))


def cell_pairs(spn: Spn, truth: np.ndarray) -> set[tuple[int, int]]:
    """Cells (first is 0) between which no value of the one leads to a value of the other."""
    shape = spn.shape
    values = [
        [v << shape.bits * (shape.cells - 1 - i) for v in range(1, 1 << shape.bits)]
        for i in range(shape.cells)
    ]
    places = range(shape.cells)
    return {(i, j) for i, j in product(places, places) if not truth[np.ix_(values[i], values[j])].any()}


@pytest.mark.parametrize("seed", cases(range(12), short=(1, 5, 8, 10)))  # the other seeds are alike
@pytest.mark.parametrize("view", VIEWS)
def test_no_pair_too_many_and_bit_wise_none_too_few(seed: int, view: str) -> None:
    rounds = 1 + seed % 3
    spn = random_spn(seed, rounds, SHAPES[seed // 3])
    truth = through(spn, rounds, view, last_linear=False) > 1e-12
    cells = impossible_over(spn, rounds, view)  # type: ignore[arg-type]
    true_pairs = cell_pairs(spn, truth)
    assert cells.value is not None and cells.value <= len(true_pairs)
    if cells.value:
        assert cells.witness is not None
        shown = cells.witness["S0"].index("*"), cells.witness["S'0"].index("*")
        assert shown in true_pairs
    bits = list(impossible_bits(spn, Query(rounds, view)))[-1]  # type: ignore[arg-type]
    single = [1 << i for i in range(spn.word_bits)]
    ones = [v for v in range(1, 1 << spn.word_bits) if spn.shape.pattern(v).bit_count() == 1]
    counts = [int((~truth[np.ix_(values, values)]).sum()) for values in (single, ones)]
    assert bits.side == "exact" and bits.value == next((n for n in counts if n), 0)


@pytest.mark.parametrize("seed", cases(range(8), short=(0, 3)))
@pytest.mark.parametrize("view", VIEWS)
def test_a_pair_is_of_the_state(seed: int, view: Any) -> None:
    """What the user gives, and what is shown of all pairs, layers before the first S-boxes and behind the last too."""
    rounds, rng = 1 + seed % 2, random.Random(seed)
    spn = random_spn(seed, rounds, SHAPES[seed // 2])
    if seed % 4 > 1:
        spn.layers[0].insert(0, random_matrix(rng, spn.shape.cells, spn.shape.bits))
    truth = through(spn, rounds, view) > 1e-12
    digits = -(-spn.word_bits // 4)

    def found(before: int, after: int) -> float | None:
        where = {"S0": f"{before:0{digits}x}", "S'0": f"{after:0{digits}x}"}
        return bits_over(spn, rounds, Query(rounds, view, where=where), None).value

    for before, after in ((rng.randrange(1, len(truth)), rng.randrange(1, len(truth))) for _ in range(20)):
        assert found(before, after) == (not truth[before, after])
    every = bits_over(spn, rounds, Query(rounds, view), None)
    assert "in front of the first" in every.method or seed % 4 < 2
    if every.value:
        assert every.witness is not None
        shown = [int(every.witness[name], 16) for name in ("S0", "S'0")]
        assert not truth[*shown] and found(*shown) == 1


class Rotated(Permutation):
    name, words, word_bits, rounds = "rotated", 1, 8, 1

    def round(self, S: Sequence[Any], i: int) -> list[Any]:
        return [S[0].sub(Singular.box).rotl(2)]


def test_the_pair_that_a_rotation_leads_to_is_followed(tmp_path: Path) -> None:
    table = [IntWord(x, 8).sub(Singular.box).rotl(2).value for x in range(256)]
    assert sum(table[x] ^ table[x ^ 0x80] == 0xC0 for x in range(256)) == 32
    query = Query(1, where={"S0": "80", "S'0": "c0"}, proof=tmp_path)
    assert [bound.value for bound in impossible_bits(Rotated(), query)] == [0]


class TwoWords(Permutation):
    """Behind the last S-boxes is a rotation of either word, or the second is a sum of both."""

    name, words, word_bits, rounds = "two words", 2, 4, 1
    box = Sbox("box", (12, 5, 6, 11, 9, 0, 10, 13, 3, 14, 15, 8, 4, 7, 1, 2))

    def __init__(self, summed: bool) -> None:
        self.summed = summed

    def round(self, S: Sequence[Any], i: int) -> list[Any]:
        a, b = S[0].sub(self.box), S[1].sub(self.box)
        return [a.rotl(1), (a ^ b if self.summed else b).rotl(2)]


@pytest.mark.parametrize("summed", [False, True])
@pytest.mark.parametrize("view", VIEWS)
def test_all_words_are_taken_behind_the_last_sboxes_or_none(summed: bool, view: Any) -> None:
    def value(x: int, linear: bool) -> int:
        words = [IntWord(x >> 4, 4), IntWord(x & 15, 4)]
        a, b = TwoWords(summed).round(words, 0) if linear else [w.sub(TwoWords.box) for w in words]
        return int(a.value << 4 | b.value)

    values = np.array([value(x, summed) for x in range(256)])
    truth = (differences if view == "differential" else correlations)(values)
    single = [1 << i for i in range(8)]
    bound = bits_over(TwoWords(summed), 1, Query(1, view), None)
    assert bound.value == (truth[np.ix_(single, single)] == 0).sum()
    assert ("behind the last S-boxes" in bound.method) == (not summed)
    cells = impossible_over(TwoWords(summed), 1, view)
    assert ("behind the last S-boxes" in cells.method) == (not summed)
    ones = [[v << 4 for v in range(1, 16)], list(range(1, 16))]
    assert cells.value == sum(not truth[np.ix_(a, b)].any() for a, b in product(ones, ones))


@pytest.mark.parametrize(
    ("name", "view", "most", "pairs"),
    [
        ("aes", "differential", 4, 256),
        ("aes", "linear", 4, 256),
        ("midori64", "differential", 6, 256),
        ("midori64", "linear", 6, 256),
        pytest.param("skinny-64-64", "differential", 11, 12, marks=pytest.mark.long),
        pytest.param("craft", "linear", 13, 12, marks=pytest.mark.long),
    ],
)
def test_the_known_numbers_of_rounds(name: str, view: str, most: int, pairs: int) -> None:
    """Four rounds of the AES, six of Midori64, eleven of SKINNY, thirteen of CRAFT."""
    bounds = list(impossible(get_analysed(name), Query(most + 1, view)))  # type: ignore[arg-type]
    assert [b.value for b in bounds[-2:]] == [pairs, 0]


def test_a_matrix_before_the_first_sboxes_is_free() -> None:
    """Bit-wise and without leaving it out: from the state that the matrix takes to the one active cell."""
    craft = get_analysed("craft")
    cells = impossible_over(craft, 11, "differential")
    assert cells.value == 152 and cells.witness is not None
    start, end = (cells.witness[name].index("*") for name in ("S0", "S'0"))
    moved = IntWord(0xA << 60 - 4 * start, 64).permute(PERMUTE_NIBBLES)  # both maps are involutions
    before = moved.permute(ROWS).mix(MIX).permute(ROWS).value
    where = {"S0": f"{before:016x}", "S'0": f"{0x5 << 60 - 4 * end:016x}"}
    (bits,) = [bits_over(craft, 11, Query(11, where=where), None)]
    assert (bits.value, bits.side) == (1, "exact")
    other = {"S0": "f000000000000000", "S'0": where["S'0"]}
    assert bits_over(craft, 11, Query(11, where=other), None).value == 0


def test_simon32_has_eleven_rounds() -> None:
    """Of one active bit before and one after; with twelve rounds every pair has a trail."""
    query = Query(1, "differential")
    eleven, twelve = (bits_over(get_analysed("simon-32-64"), rounds, query, None) for rounds in (11, 12))
    assert (eleven.value, eleven.side) == (32, "exact") and twelve.value == 0


def test_the_other_engine_finds_no_trail_either() -> None:
    """The pair that is shown for four AES rounds, behind the last matrix, by a model and a solver."""
    aes = get_analysed("aes")
    bound = impossible_over(aes, 4, "differential")
    assert bound.witness is not None and bound.witness["from before"] != bound.witness["and from after"]
    assert "aes.py" in bound.witness["contradiction"]
    # One active cell behind the fourth S-box layer is one column of MixColumns, or none of it.
    for column in range(4):
        after = "".join("*" if i // 4 == column else "." for i in range(16))
        instance = cell_instance(aes, "active", 3, where={"S0": bound.witness["S0"], "S'0": after})
        assert solved(instance, Query(3)).attained is None
    for cell in range(16):
        single = "".join("*" if i == cell else "." for i in range(16))
        instance = cell_instance(aes, "active", 3, where={"S0": bound.witness["S0"], "S'0": single})
        missed = solved(instance, Query(3)).bound
        assert (missed.value, missed.side) == (None, "exact") and missed.method.endswith("no such trail")


def test_present_has_six_rounds_by_undisturbed_bits(tmp_path: Path) -> None:
    """Six rounds, as published [TEZCAN]; a certificate of one pair."""
    present = get_analysed("present")
    query = Query(6, where={"S0": "0000000000000001", "S'0": "0000000000000001"}, proof=tmp_path)
    bounds = list(impossible_bits(present, query))
    assert [b.value for b in bounds[:5]] == [1] * 5
    assert bounds[0].certainty == "proven"
    for path in tmp_path.glob("*.json"):
        assert proofs.check(path).lower is None


@pytest.mark.long  # test_no_pair_too_many_and_bit_wise_none_too_few has small ones
def test_present_over_all_values_of_a_cell() -> None:
    (*_, five, six) = impossible_bits(get_analysed("present"), Query(6))
    assert five.value == 64 * 64
    assert six.value == 5632 and six.side == "exact"


class Singular(Permutation):
    """Its matrix takes some differences to none."""

    name, words, word_bits, rounds = "singular", 1, 16, 4
    box = Sbox("box", (12, 5, 6, 11, 9, 0, 10, 13, 3, 14, 15, 8, 4, 7, 1, 2))
    matrix = Matrix("flat", ((0, 1, 1, 1), (1, 0, 1, 1), (1, 1, 0, 1), (0, 0, 0, 0)), 4)

    def round(self, S: Sequence[Any], i: int) -> list[Any]:
        return [S[0].sub(self.box).mix(self.matrix).sub(self.box)]


@pytest.mark.parametrize("view", VIEWS)
def test_a_matrix_that_loses_differences_is_one_line(view: Any) -> None:
    with pytest.raises(
        DescriptionError, match="matrix flat: not invertible, so a difference can vanish in it"
    ):
        impossible_over(Singular(), 1, view)


@pytest.mark.parametrize("view", VIEWS)
def test_cells_that_are_never_active_alone_are_left_out(view: Any) -> None:
    class Summed(StreamAead[Any]):
        """The third word of the next state is the sum of the others."""

        name, words, rate_words, word_bits = "summed", 3, 1, 8

        def update(self, S: Sequence[Any], X: Sequence[Any]) -> list[Any]:
            a, b = (S[0] ^ S[2]).sub(Singular.box), S[1].sub(Singular.box)
            return [a ^ X[0], b, a ^ b]

        def keystream(self, S: Sequence[Any]) -> list[Any]:
            return [S[0]]

    assert impossible_over(Summed(), 2, view).side == "lower"
