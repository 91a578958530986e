"""Cell-wise bounds against plain enumeration, on random small permutations.

Every bound here is also verified: `solved` hands its trail to the verifier and compares counts.
"""

from __future__ import annotations

import random

import pytest

from calls import cases
from roundworks.reference import IntWord, Sbox
from small_ciphers import Layer, Mixture, Pair, Shape, Spn, random_matrix, random_sbox, random_turn
from solving import cell_bound

VIEWS = ("differential", "linear")
BLOCKS = range(8)  # of 50 permutations each; the long ones take the same path as the short
BOTH_EVERY = 10  # CaDiCaL is quicker on what is this small; this many cases are given to HiGHS as well


def solvers(case: int) -> tuple[str, ...]:
    return ("cadical",) if case % BOTH_EVERY else ("cadical", "highs")


def random_shape(rng: random.Random, most_bits: int) -> Shape:
    while True:
        shape = Shape(rng.randint(2, 6), rng.randint(2, 4))
        if shape.word <= most_bits:
            return shape


def linear_layers(rng: random.Random, shape: Shape) -> list[Layer]:
    sizes = [n for n in range(2, 7) if shape.cells % n == 0]
    layers: list[Layer] = [random_matrix(rng, rng.choice(sizes), shape.bits)]
    if rng.random() < 0.6:
        layers.append(random_turn(rng, shape.cells, shape.bits))
    rng.shuffle(layers)
    return layers


def random_spn(rng: random.Random, most_bits: int) -> Spn:
    shape = random_shape(rng, most_bits)
    sbox = random_sbox(rng, shape.bits)
    return Spn(shape, [[sbox, *linear_layers(rng, shape)] for _ in range(rng.randint(1, 3))])


@pytest.mark.parametrize("block", cases(BLOCKS, short=[0]))
def test_spn_equals_enumeration(block: int) -> None:
    rng = random.Random(block)
    for case in range(50):
        subject = random_spn(rng, 10)
        for view in VIEWS:
            result = cell_bound(subject, "active", subject.rounds, view, solvers=solvers(case))
            assert result.value == subject.fewest(view == "linear"), (block, case, view, subject.layers)
            true = subject.fewest_of_values(view == "linear")
            assert result.value == true if result.side == "exact" else result.value <= true


@pytest.mark.parametrize("block", range(4))
@pytest.mark.long
def test_pair_with_shared_layers_equals_enumeration(block: int) -> None:
    """XORs, and S-layers of one input in two functions: counted once, and as executed."""
    rng = random.Random(100 + block)
    shared = exact = 0
    for case in range(30):
        shape = random_shape(rng, 8)
        sbox = random_sbox(rng, shape.bits)
        first, other = linear_layers(rng, shape), linear_layers(rng, shape)
        if any(layer in first for layer in other):
            continue  # which of its parts are one value, the plain enumeration does not see
        f1: list[Layer] = [sbox, *first]
        f2: list[Layer] = [sbox, *rng.choice([[], first, other])]
        for f in (f1, f2):
            if rng.random() < 0.4:
                f += [random_sbox(rng, shape.bits), *linear_layers(rng, shape)]
        if rng.random() < 0.2:
            f2[0] = random_sbox(rng, shape.bits)
        subject = Pair(shape, f1, f2, rng.random() < 0.7)
        shared += subject.common > 0
        rounds = rng.randint(1, 3)
        for view in VIEWS:
            for count in ("distinct", "executed"):
                result = cell_bound(subject, "active", rounds, view, count, solvers=solvers(case))
                masks, executed = view == "linear", count == "executed"
                assert result.value >= subject.fewest(rounds, masks, executed), (block, case, view, count)
                if shape.word > 4:
                    continue
                true = subject.fewest(rounds, masks, executed, values=True)
                assert result.value == true if result.side == "exact" else result.value <= true
                exact += result.side == "exact"
    assert shared > 12 and exact > 4


@pytest.mark.long
@pytest.mark.parametrize("block", range(6))
def test_words_that_are_mixed_equal_all_values(block: int) -> None:
    """XORs of the same words, which cannot cancel each for itself, and matrices of what they add.

    The short block takes the same path as the long ones.
    """
    exact = 0
    for seed in range(40 * block, 40 * block + 40):
        subject = Mixture(random.Random(seed))
        for view in VIEWS:
            result = cell_bound(subject, "active", subject.rounds, view, solvers=solvers(seed))
            true = subject.fewest(view == "linear")
            assert result.value == true if result.side == "exact" else result.value <= true, (seed, view)
            exact += result.side == "exact"
    assert exact > 60  # of 80: the lightest trail that a solver finds may be one of patterns alone


def test_bounds_never_exceed_real_trails() -> None:
    """With the S-boxes' own differences and correlations there are fewer trails, so more active."""
    rng = random.Random(7)
    for _ in range(60):
        subject = random_spn(rng, 6)
        for view in VIEWS:
            result = cell_bound(subject, "active", subject.rounds, view, solvers=("cadical",))
            assert result.value <= real(subject, view == "linear")


def real(it: Spn, masks: bool) -> int:
    """Fewest active S-boxes over all trails of values that the S-boxes allow."""
    shape = it.shape
    best = dict.fromkeys(range(1, 1 << shape.word), 0)
    layers = [layer for r in it.layers for layer in r]
    for layer in reversed(layers) if masks else layers:
        after: dict[int, int] = {}
        for value, cost in best.items():
            more = shape.pattern(value).bit_count() if isinstance(layer, Sbox) else 0
            for reached in images(shape, layer, value, masks):
                after[reached] = min(after.get(reached, 1 << 30), cost + more)
        best = after
    return min(best.values())


def images(shape: Shape, layer: Layer, value: int, masks: bool) -> list[int]:
    if not isinstance(layer, Sbox):
        if not masks:
            return [IntWord(value, shape.word).by_definition(layer).value]
        columns = [IntWord(1 << i, shape.word).by_definition(layer).value for i in range(shape.word)]
        return [sum(((c & value).bit_count() & 1) << i for i, c in enumerate(columns))]
    cells = IntWord(value, shape.word).cells(shape.bits)
    size = 1 << shape.bits
    results = [0]
    for cell in cells:
        if masks:
            options = [
                u
                for u in range(size)
                if sum(
                    (-1) ** ((u & x).bit_count() + (cell & y).bit_count()) for x, y in enumerate(layer.table)
                )
            ]
        else:
            options = sorted({layer.table[x] ^ layer.table[x ^ cell] for x in range(size)})
        results = [v << shape.bits | o for v in results for o in options]
    return results
