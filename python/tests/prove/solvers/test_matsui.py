"""Branch and bound over layers of S-boxes and permutations of bits, against a solver that knows nothing of layers."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest

from roundworks.bounds import VIEWS, View
from roundworks.errors import SolverFailed
from roundworks.prove import solvers
from roundworks.prove.bitwise.instance import bit_instance
from roundworks.prove.measures import bounds_of
from roundworks.prove.pipeline import Query
from roundworks.prove.solvers import choice, matsui
from roundworks.prove.solvers.problem import Problem
from roundworks.prove.solvers.solve import solve
from roundworks.reference import get_analysed
from roundworks.reference.components import CellPermutation, Sbox
from roundworks.reference.permutation import Permutation


class SmallSpn(Permutation[Any]):
    """Two words that change places, each with an S-box and a permutation of bits of its own."""

    name, words, rounds = "small-spn", 2, 5

    def __init__(self, seed: int, mixed: bool = False) -> None:
        source = random.Random(seed)
        bits = source.choice((3, 4))
        cells = source.randrange(1, 9 // bits)
        self.mixed, self.word_bits = mixed, bits * cells
        self.sboxes = [Sbox(f"S{i}", tuple(source.sample(range(1 << bits), 1 << bits))) for i in range(2)]
        places = range(self.word_bits)
        self.moves = [
            CellPermutation(f"P{i}", tuple(source.sample(places, self.word_bits)), 1) for i in range(2)
        ]

    def round(self, S: Sequence[Any], i: int) -> list[Any]:
        a, b = (
            word.sub(sbox).permute(move) for word, sbox, move in zip(S, self.sboxes, self.moves, strict=True)
        )
        return [b ^ a if self.mixed else b, a]


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("active_only", [False, True])
def test_small_networks_have_the_minimum_of_another_solver(view: View, active_only: bool) -> None:
    taken = refused = 0
    for seed in range(40):
        for rounds in range(1, 5):
            problem = bit_instance(SmallSpn(seed), rounds, view, active_only=active_only).problem
            if not matsui.fits(problem):  # some S-box has a difference, or a mask, for nothing
                refused += 1
                continue
            ours, other = solve(problem, "matsui"), solve(problem, "cadical")
            assert ours.status == other.status == "optimal", (seed, rounds)
            assert (ours.lower, ours.upper) == (other.lower, other.upper), (seed, rounds)
            assert ours.assignment is not None and problem.holds(ours.assignment) is None
            taken += 1
    assert taken > 60, (taken, refused)


def test_layers_are_recognised_by_their_shape() -> None:
    def problem(cipher: Any, **more: Any) -> Problem:
        return bit_instance(cipher, 3, **more).problem

    layers = matsui.layers_of(problem(get_analysed("present")))
    assert layers is not None and (layers.bits, len(layers.to), len(layers.sboxes)) == (4, 64, 1)
    # Bit i of the block goes to 16 i mod 63, and the last one stays; the most significant bit is the first here.
    assert [63 - layers.to[63 - i] for i in range(64)] == [16 * i % 63 if i < 63 else 63 for i in range(64)]
    assert layers == matsui.layers_of(bit_instance(get_analysed("present"), 5).problem)
    for other in (SmallSpn(1, mixed=True), get_analysed("midori64"), get_analysed("simon-32-64")):
        assert not matsui.fits(problem(other))
    with_ends = problem(get_analysed("present"))
    with_ends.fix(0, True)
    assert not matsui.fits(with_ends)
    with pytest.raises(SolverFailed, match="matsui: want a problem of alike layers"):
        solve(with_ends, "matsui")


def test_it_is_chosen_where_it_fits_and_nowhere_else() -> None:
    there = ["cadical", "scip", "matsui"]
    present = bit_instance(get_analysed("present"), 2).problem
    midori = bit_instance(get_analysed("midori64"), 2).problem
    assert (choice.chosen(present, there), choice.chosen(midori, there)) == ("matsui", "cadical")
    assert (choice.pair(present, there), choice.pair(midori, there)) == (
        ["matsui", "cadical"],
        ["cadical", "scip"],
    )
    assert "matsui" in solvers.installed()


# As CaDiCaL has them, which takes 295 s and 224 s of CPU for these.
@pytest.mark.parametrize(
    ("view", "minima"),
    [
        ("differential", [1.415, 3.415, 7, 11.415, 17, 22.415, 28.415, 38, 42]),
        ("linear", [2, 4, 6, 10, 14, 20, 26, 32, 40]),
    ],
)
def test_gift_over_nine_rounds(view: View, minima: list[float]) -> None:
    results = [result.bound for result in bounds_of(get_analysed("gift-64"), "trail", Query(9, view))]
    assert [round(bound.value or 0, 3) for bound in results] == minima
    assert {(bound.side, bound.solver.split()[0]) for bound in results} == {("exact", "matsui")}


def test_time_leaves_what_fewer_rounds_show() -> None:
    problem = bit_instance(get_analysed("gift-128"), 12).problem
    solution = solve(problem, "matsui", limit=0.5)
    assert solution.status == "bounded" and solution.upper is None
    assert 0 < solution.lower < 60
