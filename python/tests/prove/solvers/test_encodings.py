"""Inequalities and clauses allow exactly the points that the constraint allows."""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from pysat.solvers import Minisat22

from roundworks.prove.solvers import clauses, inequalities, minimise
from roundworks.prove.solvers.problem import (
    AtLeast,
    Clause,
    Constraint,
    Parity,
    Problem,
    ValueTable,
    Weights,
    _kept,
)


def _samples() -> list[tuple[int, Constraint]]:
    random.seed(4)
    out: list[tuple[int, Constraint]] = [
        (3, Clause((1, -2, 3))),
        (1, Clause((-1,))),
        (4, AtLeast(((1, 0), (1, 1), (1, 2), (1, 3)), 2)),
        (4, AtLeast(((-1, 0), (-1, 1), (-1, 2), (-1, 3)), -2)),
        (5, AtLeast(((3, 0), (-2, 1), (5, 2), (1, 3), (-1, 4)), 2)),
        (2, AtLeast(((1, 0), (1, 1)), 3)),
        (2, AtLeast(((1, 0), (1, 0), (-1, 1)), 1)),
        (2, AtLeast(((1, 0), (1, 1)), 0)),
    ]
    for n in range(1, 9):
        out += [(n, Parity(tuple(range(n)), odd)) for odd in (False, True)]
    for n in range(1, 5):
        for allowed in range(1 << (n + 1)):
            counts = frozenset(k for k in range(n + 1) if allowed >> k & 1)
            out.append((n, Weights(tuple(range(n)), counts)))
    for n in (6, 7, 8, 13):
        for minimum in (2, 3, 5):
            out.append((n, Weights(tuple(range(n)), frozenset({0, *range(minimum, n + 1)}))))
        out.append((n, Weights(tuple(range(n)), frozenset({0, 2, 3, n - 1}))))
        out.append((n, Weights(tuple(range(n)), frozenset({1, 4, n}))))
    for _ in range(40):
        n = random.randrange(1, 7)
        values = frozenset(random.sample(range(1 << n), random.randrange(0, (1 << n) + 1)))
        out.append((n, ValueTable(tuple(range(n)), values)))
    for _ in range(60):
        n = random.randrange(1, 9)
        terms = tuple((random.randrange(-9, 10), v) for v in range(n))
        out.append((n, AtLeast(terms, random.randrange(-12, 20))))
    # Variables out of order: a constraint must not depend on their numbers.
    out.append((4, Weights((3, 0, 2), frozenset({0, 2}))))
    out.append((4, ValueTable((2, 0, 3), frozenset({1, 6}))))
    return out


SAMPLES = _samples()


def _allowed(n: int, constraint: Constraint) -> set[tuple[bool, ...]]:
    return {x for x in product((False, True), repeat=n) if _kept(constraint, x)}


@pytest.mark.parametrize(("n", "constraint"), SAMPLES)
def test_clauses_allow_what_the_constraint_allows(n: int, constraint: Constraint) -> None:
    out = clauses.Clauses(n)
    out.clauses += clauses.clauses(constraint, out.variable)
    with Minisat22(bootstrap_with=[list(c) for c in out.clauses if c]) as sat:
        results = {
            x
            for x in product((False, True), repeat=n)
            if () not in out.clauses
            and sat.solve(assumptions=[v + 1 if on else -v - 1 for v, on in enumerate(x)])
        }
    assert results == _allowed(n, constraint)


@pytest.mark.parametrize(("n", "constraint"), SAMPLES)
def test_rows_allow_what_the_constraint_allows(n: int, constraint: Constraint) -> None:
    linear = inequalities.Inequalities([1] * n)
    rows = inequalities.rows(constraint, linear.column)
    extra = [range(upper + 1) for upper in linear.upper[n:]]

    def holds(x: tuple[int, ...]) -> bool:
        for row in rows:
            total = sum(c * x[v] for c, v in row.terms)
            if (row.low is not None and total < row.low) or (row.high is not None and total > row.high):
                return False
        return True

    results = {
        x for x in product((False, True), repeat=n) if any(holds((*x, *more)) for more in product(*extra))
    }
    assert results == _allowed(n, constraint)


@pytest.mark.parametrize("most", [0, 1, 3, 7, 40])
@pytest.mark.parametrize("weights", [(1, 1, 1, 1, 1), (2, 3, 3, 2), (1, 4, 7, 9, 4), (5,)])
def test_the_bounded_weight(weights: tuple[int, ...], most: int) -> None:
    out = clauses.Clauses(len(weights))
    bounded, made = clauses.weight_bound({v + 1: w for v, w in enumerate(weights)}, most, out.variable)
    with Minisat22(bootstrap_with=[list(c) for c in made]) as sat:
        for limit in range(1, most + 2):
            for x in product((False, True), repeat=len(weights)):
                assumed = [v + 1 if on else -v - 1 for v, on in enumerate(x)]
                under = sat.solve(assumptions=[*assumed, *bounded.below(limit)])
                assert under == (sum(w for w, on in zip(weights, x, strict=True) if on) < limit)


def _excluded(n: int, clauses: Sequence[tuple[int, ...]]) -> frozenset[int]:
    return frozenset(
        value
        for value in range(1 << n)
        if any(all((value >> abs(lit) - 1 & 1) != (lit > 0) for lit in c) for c in clauses)
    )


PRESENT = (0xC, 5, 6, 0xB, 9, 0, 0xA, 0xD, 3, 0xE, 0xF, 8, 4, 7, 1, 2)
PRESENT_DIFFERENCES = frozenset(a | (PRESENT[x] ^ PRESENT[x ^ a]) << 4 for a in range(16) for x in range(16))


def test_the_differences_of_a_small_s_box_take_few_clauses() -> None:
    clauses = minimise.minimised(8, PRESENT_DIFFERENCES)
    assert _excluded(8, clauses) == set(range(256)) - PRESENT_DIFFERENCES
    assert len(clauses) <= 45  # of 159 values


def test_primes_cover_what_is_forbidden_and_nothing_else() -> None:
    rng = random.Random(5)
    tables = [(8, PRESENT_DIFFERENCES)]
    for _ in range(30):
        n = rng.randrange(1, 8)
        tables.append((n, frozenset(rng.sample(range(1 << n), rng.randrange(1, 1 << n)))))
    for n, allowed in tables:
        forbidden = set(range(1 << n)) - allowed
        clauses = [
            tuple(-(i + 1) if part else i + 1 for i, part in enumerate(cube) if part != 2)
            for cube in minimise.primes(n, sorted(forbidden))
        ]
        assert _excluded(n, clauses) == forbidden


@pytest.mark.long  # those of 4 bits are above
def test_an_8_bit_s_box_is_minimised_exactly() -> None:
    rng = random.Random(6)
    box = rng.sample(range(256), 256)
    allowed = frozenset(a | (box[x] ^ box[x ^ a]) << 8 for a in range(256) for x in range(256))
    clauses = minimise.minimised(16, allowed)
    values = np.arange(1 << 16)
    excluded = np.zeros(1 << 16, bool)
    for clause in clauses:
        against = np.ones(1 << 16, bool)
        for lit in clause:
            against &= (values >> abs(lit) - 1 & 1) != (lit > 0)
        excluded |= against
    assert set(np.flatnonzero(~excluded)) == allowed
    assert len(clauses) < 10_000  # of 33,000 values


def test_weights_keep_their_fractions() -> None:
    problem = Problem()
    a, b = problem.variables("x", 2)
    problem.weigh(a, Fraction(2415, 1000))
    problem.weigh(b, 3)
    assert problem.scale == 200
