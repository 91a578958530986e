"""Additions and ANDs that share inputs: models against every pair of words, and published minima."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from math import log2
from typing import Any

import pytest

from roundworks.prove.bitwise import gates, trails
from roundworks.prove.bitwise.addition import add_difference, add_masks
from roundworks.prove.bitwise.build import model
from roundworks.prove.bitwise.instance import bit_instance
from roundworks.prove.bitwise.layers import rotational
from roundworks.prove.measures import bounds_of
from roundworks.prove.pipeline import Query
from roundworks.prove.solvers.problem import Problem
from roundworks.prove.solvers.solve import solve
from roundworks.reference import IntWord, Permutation, get_analysed, record_rounds
from roundworks.reference.graph import Graph, Recording
from roundworks.reference.recordings import merged, run

BITS = 3


@pytest.mark.parametrize(
    ("name", "is_rotational"),
    [
        ("simon-32-64", True),
        ("simeck-32-64", True),
        ("ascon-p", True),
        ("xoodoo", True),
        ("keccak-f-200", True),
        ("present", False),
        ("gift-64", False),
        ("speck-32-64", False),
        ("gimli", False),
    ],
)
def test_rotations_of_all_words(name: str, is_rotational: bool) -> None:
    assert rotational(merged(record_rounds(get_analysed(name), 2))) == is_rotational


@pytest.mark.parametrize("view", ["differential", "linear"])
def test_a_trail_rotated_is_a_trail_of_the_same_weight(view: Any) -> None:
    """And the lightest of those that begin in the first bit is as light as the lightest of all."""
    simon = get_analysed("simon-32-64")
    instances = [
        bit_instance(simon, 4, view, up_to_rotation=up_to_rotation) for up_to_rotation in (False, True)
    ]
    solutions = [solve(instance.problem, "cadical") for instance in instances]
    assert solutions[0].upper == solutions[1].upper == solutions[1].lower
    assert solutions[1].assignment is not None
    trail = instances[1].model.trail(solutions[1].assignment)
    for distance in (1, 5):
        rotated = trails.BitTrail(
            trail.view, *(_rotated(part, distance) for part in (trail.values, trail.handed, trail.ends))
        )
        assert trails.check(instances[1].recording, rotated).weight == solutions[1].upper


def _rotated(words: dict[Any, int], distance: int) -> dict[Any, int]:
    return {key: (word << distance | word >> 16 - distance) & 0xFFFF for key, word in words.items()}


def _bits(value: int, width: int = BITS) -> list[int]:
    return [value >> i & 1 for i in reversed(range(width))]


def _sum_counts() -> dict[tuple[int, int], Counter[int]]:
    """(a, b) -> how many of all pairs of words have each difference of the sum."""
    mask = (1 << BITS) - 1
    words = list(product(range(1 << BITS), repeat=2))
    return {(a, b): Counter((x + y & mask) ^ ((x ^ a) + (y ^ b) & mask) for x, y in words) for a, b in words}


def _fixed(problem: Problem, pairs: Sequence[tuple[Any, int]]) -> bool:
    """Fix variables; False where one that is always 0 is to be 1."""
    for variable, value in pairs:
        if variable is not None:
            problem.fix(variable, bool(value))
        elif value:
            return False
    return True


def test_differences_of_a_sum_are_those_of_every_pair_of_words() -> None:
    for (a, b), counts in _sum_counts().items():
        for c in range(1 << BITS):
            problem = Problem()
            first, second = problem.variables("a", BITS), problem.variables("b", BITS)
            out, weights = add_difference(problem, "c", list(first), list(second))
            for variable in weights:
                problem.weigh(variable, 1)
            given = [*zip(first, _bits(a), strict=True), *zip(second, _bits(b), strict=True)]
            assert _fixed(problem, [*given, *zip(out, _bits(c), strict=True)])
            solution = solve(problem, "cadical")
            if not counts[c]:
                assert solution.status == "infeasible", (a, b, c)
            else:
                assert solution.upper == log2(4**BITS / counts[c]), (a, b, c)


def test_masks_of_a_sum_are_those_of_every_pair_of_words() -> None:
    words, mask = list(product(range(1 << BITS), repeat=2)), (1 << BITS) - 1
    for c, a, b in product(range(1 << BITS), repeat=3):
        signs = (
            (x & a).bit_count() + (y & b).bit_count() + ((x + y & mask) & c).bit_count() for x, y in words
        )
        correlation = Fraction(sum((-1) ** s for s in signs), len(words))
        problem = Problem()
        own = problem.variables("c", BITS)
        first, second, weights = add_masks(problem, "c", list(own))
        for variable in weights:
            problem.weigh(variable, 2)
        given = [*zip(first, _bits(a), strict=True), *zip(second, _bits(b), strict=True)]
        problem_has = _fixed(problem, [*given, *zip(own, _bits(c), strict=True)])
        solution = solve(problem, "cadical") if problem_has else None
        if not correlation:
            assert solution is None or solution.status == "infeasible", (c, a, b)
        else:
            assert solution is not None and solution.upper == -log2(correlation**2), (c, a, b)


def _recorded(width: int, body: Callable[..., Sequence[Any]]) -> Recording:
    graph = Graph()
    words = [graph.input(f"S{i}", width) for i in range(2)]
    outputs = {f"S'{i}": word.id for i, word in enumerate(body(*words))}
    return Recording("small", "all", graph, {f"S{i}": w.id for i, w in enumerate(words)}, outputs)


def _simonlike(x: Any, y: Any) -> list[Any]:
    return [x.rotl(1) & x.rotl(2), y]


def _chi(x: Any, y: Any) -> list[Any]:
    return [x ^ (~x.rotl(1) & x.rotl(2)), y]


def _odd(x: Any, y: Any) -> list[Any]:
    """One bit in several gates, plain and complemented, and gates between two words."""
    return [(x & y) ^ (~x & y.rotl(1)), x.rotl(1) & (y | 3)]


def _path(x: Any, y: Any) -> list[Any]:
    return [(x << 1 & x) ^ y, y]


def _twice(x: Any, y: Any) -> list[Any]:
    """Inputs that meet in several cycles: exact in one table only, which four bits and six gates have."""
    return [(x & x.rotl(1)) ^ y, (x & x.rotl(2)) ^ y]


@pytest.mark.parametrize("body", [_simonlike, _chi, _odd, _path, _twice])
@pytest.mark.parametrize(("width", "in_a_table"), [(4, 10), (4, 0), (5, 10), (5, 0)])
def test_ands_that_share_inputs_against_every_pair(
    body: Callable[..., Sequence[Any]], width: int, in_a_table: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For random differences: which changes there are, and with which probability, over all words; gates that share
    inputs in one table, or as the graph that they are."""
    monkeypatch.setattr(gates, "MOST_IN_GROUP", in_a_table)
    recording = _recorded(width, body)
    rng, every = random.Random(width), list(product(range(1 << width), repeat=2))

    def ends(x: int, y: int) -> list[int]:
        values = run(recording, {"S0": IntWord(x, width), "S1": IntWord(y, width)})
        return [values[n.id].value for n in recording.graph.nodes]

    table = {pair: ends(*pair) for pair in every}
    found_exact = False
    for a, b in rng.sample(every[1:], 12):
        counts = Counter(
            tuple(p ^ q for p, q in zip(table[x, y], table[x ^ a, y ^ b], strict=True)) for x, y in every
        )
        for differences, count in rng.sample(sorted(counts.items()), min(6, len(counts))):
            names = {**recording.inputs, **recording.outputs}
            trail = trails.BitTrail(
                "differential",
                dict(enumerate(differences)),
                {},
                {name: differences[node] for name, node in names.items()},
            )
            worth = trails.check(recording, trail)
            assert worth.probability == Fraction(count, len(every))
            built = model(recording, "differential")
            if built.shared_and:
                continue  # the model says that it is none of these
            found_exact = True
            for name, node in names.items():
                built.fix(name, differences[node])
            for node in recording.graph.nodes:
                for bit, value in zip(built.bits[node.id], _bits(differences[node.id], width), strict=True):
                    if bit is not None:
                        built.problem.fix(bit, bool(value))
            solution = solve(built.problem, "cadical")
            assert solution.upper == -log2(worth.probability), (a, b, differences)
    assert found_exact or body is _odd or (body is _twice and (width, in_a_table) != (4, 10))


@pytest.mark.parametrize("body", [_simonlike, _chi, _odd, _path])
def test_impossible_changes_are_refused(body: Callable[..., Sequence[Any]]) -> None:
    width = 4
    recording = _recorded(width, body)
    built = model(recording, "differential")
    built.some("S0", "S1")
    solution = solve(built.problem, "cadical")
    assert solution.assignment is not None
    trail = built.trail(solution.assignment)
    trails.check(recording, trail)
    gate = next(n.id for n in recording.graph.nodes if n.op == "and" and not trail.values[n.id])
    with pytest.raises(trails.DescriptionError, match=f"trail: node {gate} "):
        trails.check(recording, trails.BitTrail(trail.view, {**trail.values, gate: 15}, {}, trail.ends))


class SmallArx(Permutation[Any]):
    """Speck's round on words of four bits, without keys."""

    name, words, word_bits, rounds = "small-arx", 2, 4, 4

    def round(self, S: Sequence[Any], i: int) -> list[Any]:
        x = (S[0].rotr(1) + S[1]) ^ 3
        return [x, S[1].rotl(1) ^ x]


def test_weight_by_weight_is_the_same_minimum() -> None:
    results = [r.bound.value for r in bounds_of(SmallArx(), "trail", Query(4))]
    direct = [r.bound.value for r in bounds_of(SmallArx(), "trail", Query(4, solvers=("cadical",)))]
    assert results == direct
    assert bit_instance(SmallArx(), 4).by_round()
    # One round has every difference: its best is over all of them, by brute force.
    assert results[0] == 0


def test_trails_of_a_sum_are_followed_with_the_probability_that_they_have() -> None:
    (result,) = list(bounds_of(SmallArx(), "trail", Query(3)))[-1:]
    assert result.attained is not None and result.instance is not None
    witness, weight = result.attained.witness, result.attained.weight
    assert abs(witness["followed"] - witness["pairs"] * 2**-weight) < 6 * witness["pairs"] ** 0.5


@pytest.mark.parametrize(
    ("name", "minima"),
    [
        ("speck-32-64", [0, 1, 3, 5]),  # then 9, 13, 18, 24, 30
        ("simon-32-64", [0, 2, 4, 6, 8]),  # then 12, 14, 18, 20, 25, 30, 34
    ],
)
def test_published_minima(name: str, minima: list[int]) -> None:
    results = list(bounds_of(get_analysed(name), "trail", Query(len(minima))))
    assert [r.bound.value for r in results] == minima
    assert all(r.bound.side == "exact" and r.bound.certainty == "one-solver" for r in results)


def test_an_added_constant_makes_a_bound_heuristic() -> None:
    class Constant(SmallArx):
        name = "constant"

        def round(self, S: Sequence[Any], i: int) -> list[Any]:
            return super().round([S[0] + 5, S[1]], i)

    (result,) = bounds_of(Constant(), "trail", Query(1))
    assert result.bound.certainty == "heuristic"
    assert "a constant that is added taken as uniform" in result.bound.method
