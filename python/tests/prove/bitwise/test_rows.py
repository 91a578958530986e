"""Three rounds whose linear layer takes each row to itself: the search over rows next to a solver that knows no rows."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest

from roundworks.prove.bitwise.rows import row_layers
from roundworks.prove.measures import bounds_of
from roundworks.prove.pipeline import Query
from roundworks.reference import Permutation, get_analysed, record_rounds
from roundworks.reference.recordings import merged


class SmallRows(Permutation[Any]):
    """Three words: chi in columns and a constant, then three rotations of each word added."""

    name, words, rounds = "small-rows", 3, 3

    def __init__(self, word_bits: int, rotations: Sequence[tuple[int, int]]) -> None:
        self.word_bits, self.rotations = word_bits, rotations

    def round(self, S: Sequence[Any], i: int) -> list[Any]:
        S = [S[0] ^ i + 1, *S[1:]]
        S = [S[r] ^ (~S[(r + 1) % 3] & S[(r + 2) % 3]) for r in range(3)]
        return [x ^ x.rotl(a) ^ x.rotl(b) for x, (a, b) in zip(S, self.rotations, strict=True)]


@pytest.mark.parametrize(
    ("word_bits", "rotations"),
    [(7, ((1, 2), (2, 4), (3, 6))), (11, ((1, 3), (2, 7), (4, 9))), (11, ((1, 2), (1, 2), (1, 2)))],
)
def test_the_minimum_is_that_of_a_solver(word_bits: int, rotations: Sequence[tuple[int, int]]) -> None:
    cipher = SmallRows(word_bits, rotations)
    *_, ours = (r.bound for r in bounds_of(cipher, "trail", Query(3)))
    *_, solvers = (r.bound for r in bounds_of(cipher, "trail", Query(3, solvers=("kissat",))))
    assert (ours.value, ours.upper, ours.side) == (solvers.value, solvers.upper, "exact")
    assert "search over rows" in ours.solver and "search over rows" not in solvers.solver


def test_the_layers_of_ascon_are_found_in_its_description() -> None:
    """Its S-box has weights of 2 to 4, and each row adds two rotations. [ASCON, section 2.6]"""
    layers = row_layers(merged(record_rounds(get_analysed("ascon-p"), 1)))
    assert layers is not None
    assert layers.columns == 64
    assert [64 - bit for bit in range(64) if layers.images[0] >> bit & 1] == [64, 28, 19]
    assert {weight for row in layers.weights[1:] for weight in row} == {2, 3, 4, 255}
    # Few S-boxes of its best trail are active in the first two rounds.
    trail = layers.light(Fraction(60), None)
    assert trail is not None and trail[0] == 40


def test_what_has_no_such_layers_has_no_such_search() -> None:
    for name in ("xoodoo", "keccak-f-200", "simon-32-64", "present"):
        assert row_layers(merged(record_rounds(get_analysed(name), 1))) is None
    layers = row_layers(merged(record_rounds(get_analysed("ascon-p"), 1)))
    assert layers is not None
    with pytest.raises(TimeoutError, match="30 active S-boxes: want at most"):
        layers.lightest(Fraction(60), None)


def test_rows_without_an_inverse_are_for_a_solver() -> None:
    """1 + x + x^2 divides x^6 + 1, so that four active columns vanish in the linear layer, and cost 8 over any number
    of rounds; what two and one need together would be 10."""
    cipher = SmallRows(6, ((1, 2), (1, 2), (1, 2)))
    assert row_layers(merged(record_rounds(cipher, 1))) is None
    minima = [
        [r.bound.value for r in bounds_of(cipher, "trail", Query(3, solvers=(s,)))]
        for s in ("auto", "kissat")
    ]
    assert minima[0] == minima[1] == [2, 8, 8]
