"""Three rounds whose S-boxes take all of the state: the search over trail cores next to a solver that knows no cores."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import xor
from typing import Any

import pytest

from roundworks.prove.bitwise.cores import CoreLayers, CoreSearch, core_layers
from roundworks.prove.measures import bounds_of
from roundworks.prove.pipeline import Query
from roundworks.reference import Permutation, get_analysed, record_rounds
from roundworks.reference.keccak import KeccakF
from roundworks.reference.recordings import merged


class SmallXoodoo(Permutation[Any]):
    """Xoodoo with shorter lanes, and fewer of them in a plane."""

    name, rounds = "small-xoodoo", 3

    def __init__(self, lanes: int, word_bits: int, theta: tuple[int, int], west: int, east: int) -> None:
        self.lanes, self.words, self.word_bits = lanes, 3 * lanes, word_bits
        self.theta, self.west, self.east = theta, west, east

    def round(self, S: Sequence[Any], i: int) -> list[Any]:
        n = self.lanes
        a = [list(S[:n]), list(S[n : 2 * n]), list(S[2 * n :])]
        parity = [reduce(xor, S[x::n]) for x in range(n)]
        effect = [parity[x - 1].rotl(self.theta[0]) ^ parity[x - 1].rotl(self.theta[1]) for x in range(n)]
        a = [[word ^ e for word, e in zip(plane, effect, strict=True)] for plane in a]
        a[1], a[2] = [a[1][x - 1] for x in range(n)], [word.rotl(self.west) for word in a[2]]
        a[0][0] = a[0][0] ^ i + 1
        a = [[a[y][x] ^ (~a[(y + 1) % 3][x] & a[(y + 2) % 3][x]) for x in range(n)] for y in range(3)]
        a[1], a[2] = [word.rotl(1) for word in a[1]], [a[2][x - 2].rotl(self.east) for x in range(n)]
        return [*a[0], *a[1], *a[2]]


SMALL = [
    SmallXoodoo(4, 4, (1, 2), 3, 2),
    SmallXoodoo(4, 8, (5, 6), 3, 0),
    SmallXoodoo(2, 8, (1, 6), 3, 2),
    KeccakF(100),
]


def layers_of(cipher: Any) -> CoreLayers | None:
    return core_layers([merged(record_rounds(cipher, rounds)) for rounds in (1, 2, 3)])


@pytest.mark.parametrize(
    "cipher",
    [SMALL[0], pytest.param(SMALL[1], marks=pytest.mark.long), *SMALL[2:]],
    ids=lambda one: f"{one.words}x{one.word_bits}",
)
def test_the_minimum_is_that_of_a_solver(cipher: Any) -> None:
    *_, ours = (r.bound for r in bounds_of(cipher, "trail", Query(3)))
    *_, solvers = (r.bound for r in bounds_of(cipher, "trail", Query(3, solvers=("cadical",))))
    assert (ours.value, ours.upper, ours.side) == (solvers.value, solvers.upper, "exact")
    assert "search over trail cores" in (ours.solver or "")
    assert "search over trail cores" not in (solvers.solver or "")


def test_the_layers_of_xoodoo_are_found_in_its_description() -> None:
    """Columns of three bits that translations make of each other, of weight 2 where they are active. One bit changes
    itself and two columns of three bits. [XOODOO, section 2.1]"""
    layers = layers_of(get_analysed("xoodoo"))
    assert layers is not None
    assert (layers.bits, set(layers.orbits), layers.lightest) == (3, {0}, 2)
    assert {sum(plane.bit_count() for plane in image) for image in layers.images} == {7}
    rows = layers_of(KeccakF(200))
    assert rows is not None
    assert (rows.bits, len(set(rows.orbits)), rows.lightest) == (5, 5, 2)


def test_a_search_goes_on_where_it_was_stopped() -> None:
    layers = layers_of(SMALL[0])
    assert layers is not None
    whole = CoreSearch(layers)
    whole.run(100, None)
    assert whole.best is not None and whole.lower == whole.best[0]
    parts = CoreSearch(layers)
    parts.run(100, 0.0)
    assert (parts.active, parts.lower, parts.best) == (3, 0, None)
    for most in range(0, 100, 3):
        parts.run(most, None)
        assert parts.lower > min(most, whole.lower - 1)
    assert parts.best == whole.best and parts.lower == whole.lower


@pytest.mark.parametrize("name", ["gimli", "simon-32-64", "present"])
def test_what_has_no_such_layers_has_no_such_search(name: str) -> None:
    assert layers_of(get_analysed(name)) is None
