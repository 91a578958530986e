"""Superpolies: against the whole polynomial of small descriptions, by plain sums over their inputs."""

from __future__ import annotations

import random
from typing import Any

import pytest

from roundworks.errors import RoundworksError
from roundworks.prove.division import sums
from roundworks.prove.division import superpoly as superpolies
from roundworks.prove.division.monomials import text_of_polynomial, value_of_polynomial
from roundworks.prove.division.superpoly import bounds, query_of, superpoly
from roundworks.prove.pipeline import Query
from roundworks.reference import IntWord, Matrix, Permutation, Sbox, get_analysed, record_rounds
from roundworks.reference.recordings import run


class Mixed(Permutation[Any]):
    """Two words of 6 bits: an S-box of 3 bits, a binary matrix, an AND with a constant, copies, a constant."""

    name, words, word_bits, rounds = "mixed", 2, 6, 3

    def __init__(self, seed: int) -> None:
        source = random.Random(seed)
        self.sbox = Sbox("random", tuple(source.sample(range(8), 8)))
        self.matrix = Matrix("both", ((1, 1), (1, 0)), 3)
        self.constants = [source.randrange(64) for _ in range(3)]

    def round(self, S: Any, i: int) -> list[Any]:
        x, y = S
        x = x.sub(self.sbox).mix(self.matrix) ^ self.constants[i]
        y = y ^ (x & x.rotl(1)) ^ (x & self.constants[i])
        return [y, x]


def plain(
    cipher: Mixed, rounds: int, texts: dict[str, str], bit: int
) -> frozenset[frozenset[tuple[str, int]]]:
    """By sums: the coefficient of a monomial is the sum over the cube and all of its bits."""
    recording = record_rounds(cipher, rounds)

    def value(ones: set[tuple[str, int]]) -> int:
        words = {
            name: IntWord(
                int("".join("1" if c == "1" or (name, i) in ones else "0" for i, c in enumerate(text)), 2), 6
            )
            for name, text in texts.items()
        }
        return run(recording, words)[recording.outputs["S'0"]].value >> 5 - bit & 1

    def places(kind: str) -> list[tuple[str, int]]:
        return [(name, i) for name, text in texts.items() for i, c in enumerate(text) if c == kind]

    def subsets(of: list[tuple[str, int]]) -> list[frozenset[tuple[str, int]]]:
        return [frozenset(p for k, p in enumerate(of) if n >> k & 1) for n in range(1 << len(of))]

    cube, free = subsets(places("*")), subsets(places("?"))
    sums = {ones: sum(value(set(ones | chosen)) for chosen in cube) % 2 for ones in free}
    return frozenset(m for m in free if sum(sums[n] for n in free if n <= m) % 2)


@pytest.mark.parametrize("seed", range(8))
def test_the_polynomial_is_that_of_plain_sums(seed: int) -> None:
    source, cipher = random.Random(seed), Mixed(seed)
    kinds = source.sample("**?????01011", 12)
    texts = {"S0": "".join(kinds[:6]), "S1": "".join(kinds[6:])}
    rounds, bit = 1 + seed % 2, source.randrange(6)
    recording = record_rounds(cipher, rounds)
    inputs, place = query_of(recording, texts | {"S'0": "." * bit + "*" + "." * (5 - bit)})
    assert superpoly(recording, inputs, place).polynomial == plain(cipher, rounds, texts, bit)


@pytest.mark.parametrize("seed", range(4))
def test_words_that_are_one(seed: int) -> None:
    """S1=S0: as the description that is given one word twice."""

    class Twice(Mixed):
        words = 1

        def round(self, S: Any, i: int) -> list[Any]:
            return [super().round([S[0], S[0]], i)[0]]

    text, place = "*??*?1", {"S'0": "*....."}
    want = superpoly(
        record_rounds(Twice(seed), 1), *query_of(record_rounds(Twice(seed), 1), {"S0": text} | place)
    )
    (got,) = bounds(Mixed(seed), Query(1, where={"S0": text, "S1": "S0"} | place))
    assert got.witness is not None and want.polynomial is not None
    assert got.witness["superpoly"] == text_of_polynomial(want.polynomial)
    assert got.method.endswith("S1 equal to S0")


def test_simon_by_hand() -> None:
    """Round 1 of Simon32 from a cube of one bit: x_1 x_8 of the left word gives the other factor, by its key."""
    query = Query(2, where={"S0": "*" + 15 * "?", "S'0": "*" + 15 * "."})
    result = list(bounds(get_analysed("simon-32-64"), query))
    assert [(b.value, b.side, b.certainty) for b in result] == [
        (None, "exact", "one-solver"),
        (2, "exact", "one-solver"),
    ]
    assert result[0].witness is not None and result[0].witness["superpoly"] == "0"
    assert result[1].witness is not None
    assert result[1].witness["superpoly"] == "1 ^ K3.1 S0.9 ^ S0.2 S0.9 ^ S0.3 S0.9 ^ S0.9 S1.1"
    assert result[1].witness["sums compared"] == 16


def test_sums_are_measured_where_time_runs_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(superpolies, "superpoly", lambda *_: superpolies.Superpoly(None, 7, 0.0))
    query = Query(2, where={"S0": "*" + 15 * "?", "S'0": "*" + 15 * "."})
    zero, other = bounds(get_analysed("simon-32-64"), query)
    assert (zero.value, zero.side, zero.certainty) == (None, "exact", "measured")
    assert zero.witness is not None and zero.witness["sums tried"] == sums.TRIALS
    assert zero.method.endswith("the sum is 0 at each of 16 random values of the others")
    assert (other.value, other.side, other.certainty) == (31 + 64, "upper", "proven")
    assert other.witness is not None and other.witness["sums tried"] < sums.TRIALS
    assert other.method.endswith("the sum is not always 0")


def test_large_cubes_are_summed_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """As one sum over all, and as the polynomial."""
    recording = record_rounds(Mixed(3), 2)
    inputs, place = query_of(recording, {"S0": "*?*1*?", "S1": "**0?*?"})
    polynomial = superpoly(recording, inputs, place).polynomial
    assert polynomial is not None
    places = inputs.places("?")
    values = [frozenset(p for k, p in enumerate(places) if n >> k & 1) for n in range(1 << len(places))]
    whole = [sums.cube_sum(recording, inputs, place, ones) for ones in values]
    monkeypatch.setattr(sums, "_AT_ONCE", 8)
    assert [sums.cube_sum(recording, inputs, place, ones) for ones in values] == whole
    assert [value_of_polynomial(polynomial, ones) for ones in values] == whole
    monkeypatch.setattr(sums, "LARGEST", 5)
    assert sums.tried(recording, inputs, place) is None


def test_sums_end_with_their_time() -> None:
    """Even in the middle of one."""
    recording = record_rounds(Mixed(3), 2)
    inputs, place = query_of(recording, {"S0": "*?*1*?", "S1": "**0?*?"})
    assert sums.tried(recording, inputs, place, -1.0) is None
    assert sums.tried(recording, inputs, place, 600.0) is not None
    assert sums.cube_sum(recording, inputs, place, frozenset(), 0.0) is None


def test_what_does_not_fit_is_said() -> None:
    recording = record_rounds(Mixed(0), 1)
    for where, text in (
        ({"S0": "......"}, "where: S0: want * or"),
        ({"S0": "?"}, "where: want at least one"),
        ({"S0": "*", "S'0": "*"}, "want one bit of one output"),
        ({"S0": "****"}, "number of characters that divides"),
        ({"Q": "*"}, "where: word"),
    ):
        with pytest.raises(RoundworksError, match=text.replace("*", r"\*")):
            query_of(recording, where)


@pytest.mark.parametrize("where", [{"S0": "S0"}, {"S0": "S1", "S1": "S0"}, {"Q": "S0"}])
def test_ties_that_do_not_fit_are_said(where: dict[str, str]) -> None:
    with pytest.raises(RoundworksError, match="want two inputs of one size"):
        next(bounds(Mixed(0), Query(1, where=where)))


def test_time_that_runs_out_bounds_the_degree() -> None:
    (bound,) = (
        b
        for b in bounds(get_analysed("simon-32-64"), Query(5, where={"S0": "*" + 15 * "?"}, limit=0))
        if b.rounds == 5
    )
    assert (bound.side, bound.value) == ("upper", 95)


def test_text() -> None:
    assert text_of_polynomial(frozenset()) == "0"
    assert text_of_polynomial(frozenset({frozenset(), frozenset({("K0", 3)})})) == "1 ^ K0.3"
