"""Linear algebra over GF(2), against every sum of the vectors."""

from __future__ import annotations

import random
from functools import reduce
from itertools import combinations
from operator import xor

import pytest

from roundworks.reference import gf2


def sums(vectors: list[int]) -> list[int]:
    """Every sum, at the place whose bit i says that vector i is in it."""
    return [
        reduce(xor, (v for i, v in enumerate(vectors) if s >> i & 1), 0) for s in range(1 << len(vectors))
    ]


@pytest.mark.parametrize("seed", range(40))
def test_rank_span_and_kernel_are_those_of_every_sum(seed: int) -> None:
    rng = random.Random(seed)
    vectors = [rng.getrandbits(rng.choice((2, 5, 9))) for _ in range(rng.randrange(8))]
    every = sums(vectors)
    pivots, left = gf2.eliminated(vectors)
    assert 1 << gf2.rank(vectors) == len(set(every)) == 1 << len(pivots)
    assert set(sums([*pivots.values()])) == set(every) and not any(left)
    vanishing = {s for s, total in enumerate(every) if total == 0}
    assert set(sums(gf2.kernel(vectors))) == vanishing
    # Reduced, so one basis for one span.
    shuffled = [*vectors, *rng.sample(every, 1)]
    rng.shuffle(shuffled)
    assert gf2.eliminated(shuffled)[0] == dict(pivots.items())


@pytest.mark.parametrize("part", [0b1100, 0b0110, 0b1111])
def test_elimination_in_a_part_leaves_what_vanishes_there(part: int) -> None:
    for vectors in combinations(range(16), 3):
        pivots, left = gf2.eliminated(vectors, part)
        assert set(sums([*pivots.values(), *left])) == set(sums(list(vectors)))
        assert not any(vector & part for vector in left)
        for top, vector in pivots.items():
            assert (vector & part).bit_length() == top + 1
            assert gf2.reduced(vector, {t: p for t, p in pivots.items() if t != top}) == vector


def test_inverses() -> None:
    rng, invertible = random.Random(1), 0
    for _ in range(200):
        columns = [rng.getrandbits(4) for _ in range(4)]
        inverse = gf2.inverse(columns)
        assert (inverse is None) == (gf2.rank(columns) < 4)
        if inverse is not None:
            invertible += 1
            images = sums(columns)
            assert [images[x] for x in inverse] == [1, 2, 4, 8]
    assert invertible > 20
