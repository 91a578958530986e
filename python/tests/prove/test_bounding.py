"""Bounding conditions leave the minimum, and every trail of at most the upper weight, as it was."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest
from pysat.solvers import Cadical195

from roundworks.bounds import View
from roundworks.errors import DescriptionError, SolverFailed
from roundworks.prove import pipeline
from roundworks.prove.cellwise.instance import CellInstance, cell_instance
from roundworks.prove.measures import bounds_of
from roundworks.prove.pipeline import Query, extends, no_less, solved
from roundworks.prove.solvers.bounding import halves, with_bounds, within
from roundworks.prove.solvers.clauses import lower
from roundworks.prove.solvers.deciding import decided
from roundworks.prove.solvers.problem import Clause, Problem, ValueTable, Var
from roundworks.prove.solvers.solve import Solution, solve
from roundworks.reference import Permutation, get_analysed
from roundworks.reference.aes import SHIFT_ROWS, aes
from solving import cell_bound

Spans = list[tuple[int, int]]
# PRESENT: weights of the best trails of 0, 1, 2, ... rounds [SUN-SAT].
BEST = (0, 2, 4, 8, 12, 20)
SBOX = (0xC, 5, 6, 0xB, 9, 0, 0xA, 0xD, 3, 0xE, 0xF, 8, 4, 7, 1, 2)


def present(rounds: int) -> tuple[Problem, list[list[Var]]]:
    """Differences bit-wise; an active S-box weighs 2, and 1 more where 2 of 16 values do it."""
    counts = [[0] * 16 for _ in range(16)]
    for x, difference in product(range(16), range(16)):
        counts[difference][SBOX[x] ^ SBOX[x ^ difference]] += 1
    allowed = frozenset(
        a | b << 4 | {0: 0, 4: 1, 2: 3}[counts[a][b] % 16] << 8
        for a in range(16)
        for b in range(16)
        if counts[a][b]
    )
    problem, weighed = Problem(), []
    state = problem.variables("in", 64)
    problem.any_of(state)
    for _ in range(rounds):
        after = problem.variables("out", 64)
        weighed.append(problem.variables("weight", 32))
        for s in range(16):
            two, one = weighed[-1][2 * s : 2 * s + 2]
            problem.weigh(two, 2)
            problem.weigh(one, 1)
            box = (*state[4 * s : 4 * s + 4], *after[4 * s : 4 * s + 4], two, one)
            problem.add(ValueTable(box, allowed))
        state = [after[(4 * i) % 63 if i < 63 else 63] for i in range(64)]
    return problem, weighed


def parts(problem: Problem, weighed: list[list[Var]]) -> list[dict[Var, Fraction]]:
    return [{v: problem.weights[v] for v in round_} for round_ in weighed]


@pytest.mark.long
def test_the_minimum_stays() -> None:
    for rounds in range(1, 6):
        problem, weighed = present(rounds)
        plain = solve(problem, "cadical")
        assert (plain.status, plain.lower) == ("optimal", BEST[rounds])
        bounded = with_bounds(problem, parts(problem, weighed), BEST[:rounds], BEST[rounds])
        solution = solve(bounded, "cadical")
        assert (solution.status, solution.lower) == ("optimal", BEST[rounds])
        assert solution.assignment is not None and problem.holds(solution.assignment) is None


EVERY: Spans = [(0, 1), (1, 2), (2, 3), (0, 2), (1, 3), (0, 3)]
KNOWN = (Fraction(0), Fraction(1, 2), Fraction(2), Fraction(5, 2))  # the last by adding up


def toy() -> tuple[Problem, list[list[Var]]]:
    """Three rounds of three weights."""
    problem, rounds = Problem(), []
    for r in range(3):
        rounds.append(problem.variables(f"round{r}", 3))
        for v, weight in zip(rounds[-1], (Fraction(1, 2), 1, Fraction(3, 2)), strict=True):
            problem.weigh(v, weight)
    return problem, rounds


def over(problem: Problem, x: tuple[bool, ...], first: int, last: int) -> Fraction:
    """What those rounds of the toy weigh."""
    return sum((problem.weights[v] for v in range(3 * first, 3 * last) if x[v]), Fraction(0))


def test_no_trail_within_the_upper_bound_is_lost() -> None:
    """A window's weight is free above the best of its length."""
    problem, rounds = toy()
    upper = Fraction(5)
    bounded = with_bounds(problem, parts(problem, rounds), KNOWN[:3], upper)
    for x in product((False, True), repeat=9):
        weights = {(i, j): over(problem, x, i, j) for i, j in EVERY}
        said = all(KNOWN[j - i] <= w <= upper - KNOWN[i] - KNOWN[3 - j] for (i, j), w in weights.items())
        assert (bounded.holds(x) is None) == said
        trail = all(KNOWN[j - i] <= w for (i, j), w in weights.items())
        assert said or not (trail and weights[0, 3] <= upper)


@pytest.mark.parametrize("most", [Fraction(1), Fraction(5, 2), Fraction(4), Fraction(11, 2), Fraction(9)])
def test_a_decision_keeps_every_trail_of_that_weight(most: Fraction) -> None:
    problem, rounds = toy()
    formula = lower(within(problem, parts(problem, rounds), KNOWN[:3], most))
    with Cadical195(bootstrap_with=formula.clauses) as sat:
        for x in product((False, True), repeat=9):
            weights = {(i, j): over(problem, x, i, j) for i, j in EVERY}
            satisfiable = sat.solve(assumptions=[v + 1 if on else -v - 1 for v, on in enumerate(x)])
            if all(KNOWN[j - i] <= w for (i, j), w in weights.items()):
                assert satisfiable == (weights[0, 3] <= most)
            else:
                assert not satisfiable or weights[0, 3] <= most


@pytest.mark.parametrize("most", [Fraction(2), Fraction(5, 2), Fraction(4), Fraction(11, 2), Fraction(9)])
def test_every_trail_of_that_weight_is_in_one_half(most: Fraction) -> None:
    problem, rounds = toy()
    formulas = [
        lower(within(problem, parts(problem, rounds), KNOWN[:3], most, window)).clauses
        for window in halves(3, KNOWN[:3], most)
    ]
    first, second = (Cadical195(bootstrap_with=clauses) for clauses in formulas)
    with first, second:
        for x in product((False, True), repeat=9):
            weights = {(i, j): over(problem, x, i, j) for i, j in EVERY}
            assumptions = [v + 1 if on else -v - 1 for v, on in enumerate(x)]
            either = first.solve(assumptions=assumptions) or second.solve(assumptions=assumptions)
            if all(KNOWN[j - i] <= w for (i, j), w in weights.items()):
                assert either == (weights[0, 3] <= most)
            else:
                assert not either or weights[0, 3] <= most


@pytest.mark.parametrize("seed", range(4))
def test_decisions_end_at_the_minimum_of_trying_everything(seed: int) -> None:
    """Also where the bounds of fewer rounds are none, and where nothing fits."""
    rng = random.Random(seed)
    problem, rounds = toy()
    for _ in range(4 if seed else 40):
        chosen = rng.sample(range(9), 3)
        problem.add(Clause(tuple(rng.choice((v + 1, -v - 1)) for v in chosen)))
    fitting = [x for x in product((False, True), repeat=9) if problem.holds(x) is None]
    minimum = min(map(problem.value, fitting), default=None)
    solution = decided(problem, parts(problem, rounds), [Fraction(0)] * 3)
    assert solution.upper == minimum
    assert solution.status == ("infeasible" if minimum is None else "optimal")
    assert solution.lower == (minimum or 0)
    stopped_ = decided(problem, parts(problem, rounds), [Fraction(0)] * 3, limit=0.0)
    assert (stopped_.status, stopped_.lower, stopped_.upper) == ("bounded", 0, None)


def test_bounds_of_too_many_rounds_are_refused() -> None:
    problem, weighed = present(2)
    for best in ((0, 2, 4, 8), (2, 4), ()):
        with pytest.raises(DescriptionError, match=r"^best: want bounds for 0 to at most 2 rounds"):
            with_bounds(problem, parts(problem, weighed), best)


# -- from one count of rounds to the next ----------------------------------------------------------
def stopped(problem: Problem, solver: str, *_: object, **__: object) -> Solution:
    """As if time had stopped the solver at every query but the first."""
    result = solve(problem, solver)
    if result.upper == 1:
        return result
    return replace(result, status="bounded", lower=Fraction(0))


@pytest.mark.parametrize(
    ("name", "view", "where", "want"),
    [
        ("aes", "differential", {}, [1, 1, 1]),
        ("aes", "differential", {"S0": "*" + "?" * 15}, [1, 0, 0]),
        ("aes", "linear", {}, [1, 0, 0]),
        ("aes", "differential", {"S'0": "*" + "?" * 15}, [1, 0, 0]),
    ],
)
def test_more_rounds_have_no_fewer(
    monkeypatch: pytest.MonkeyPatch, name: str, view: View, where: dict[str, str], want: list[int]
) -> None:
    """Carried where these rounds begin with those and all trails count, and the row says so; nowhere else."""
    monkeypatch.setattr(pipeline, "solve", stopped)
    query = Query(3, view, where=where, solvers=("highs",))
    results = [f.bound for f in bounds_of(get_analysed(name), "active-sboxes", query)]
    assert [b.value for b in results] == want
    assert [b.side for b in results] == ["exact", "lower", "lower"]
    assert [b.as_over for b in results] == [None, 1 if want[1] else None, 1 if want[2] else None]
    assert {b.monotone for b in results} == {want[1] > 0}
    said = [b.method.endswith("; no fewer than over 1 rounds") for b in results]
    assert said == [False, want[1] > 0, want[2] > 0]


def test_a_trail_weighs_no_less_over_more_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(problem: Problem, solver: str, *_: object, **__: object) -> Solution:
        results = solve(problem, solver)
        return results if results.upper == 2 else replace(results, status="bounded", lower=Fraction(0))

    monkeypatch.setattr(pipeline, "solve", slow)
    results = [f.bound for f in bounds_of(get_analysed("present"), "trail", Query(2))]
    assert [(b.value, b.side) for b in results] == [(2, "exact"), (2, "lower")]


def test_a_last_round_of_its_own_carries_nothing() -> None:
    before, result = (
        cell_bound(get_analysed("aes"), "active", rounds, limit=limit)
        for rounds, limit in ((2, None), (3, 0.0))
    )
    before = replace(before, monotone=True)
    assert no_less(result, before).value == 5
    assert extends(get_analysed("aes"), 2) and not extends(Lasting(), 1)
    assert no_less(result, replace(before, monotone=False)).value == result.value
    with pytest.raises(SolverFailed, match="at least 5 over 2 rounds, and a trail of 4 over 3 by"):
        no_less(replace(result, upper=4), before)


class Lasting(Permutation):
    name, words, word_bits, rounds = "lasting", 1, 128, 2

    def round(self, S, i):
        return [aes(S[0])]

    def last(self, S, i):
        return [aes(S[0].permute(SHIFT_ROWS))]


def test_a_second_solver_may_have_the_trail_that_differences_follow(monkeypatch: pytest.MonkeyPatch) -> None:
    """It begins with the trail of the first one, which was kept even where nothing real has its pattern."""
    texts = iter(["a minimum of patterns", ""])
    monkeypatch.setattr(CellInstance, "_short", lambda self, trail: next(texts))
    instance = cell_instance(get_analysed("present"), "active", 2)
    query = Query(2, solvers=("highs", "cadical"))
    assert solved(instance, query).bound.side == "exact"
    monkeypatch.setattr(CellInstance, "_short", lambda self, trail: "a minimum of patterns")
    assert solved(instance, query).bound.side == "lower"
