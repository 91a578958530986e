"""Bit-wise trails: against brute force, published counts, and a verifier that shares no model."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from itertools import combinations_with_replacement, product
from math import log2
from operator import mul, xor
from typing import Any

import numpy as np
import pytest

from roundworks.analysis.codes import matrix_branch_number as branch_number
from roundworks.bounds import VIEWS, View
from roundworks.errors import DescriptionError
from roundworks.prove.bitwise import build as bitwise
from roundworks.prove.bitwise import collisions, layers, random_pairs, sbox_tables, trails
from roundworks.prove.bitwise.layers import cell_weights, rows, shared_sums
from roundworks.prove.measures import bounds_of
from roundworks.prove.pipeline import Query
from roundworks.prove.solvers.solve import solve
from roundworks.reference import (
    CellPermutation,
    Graph,
    IntWord,
    Matrix,
    Permutation,
    Recording,
    Sbox,
    get_analysed,
    get_stream,
    record_rounds,
)
from roundworks.reference.aes import MIX_COLUMNS, SUB_BYTES
from roundworks.reference.aether import M_B, SBOX, f
from roundworks.reference.batch import ArrayWord
from roundworks.reference.midori import ALMOST_MDS, Midori64
from roundworks.reference.present import SBOX as PRESENT_SBOX
from roundworks.reference.present import Present, round_keys
from roundworks.reference.recordings import restricted, run
from solving import lightest_trails


def worth(sbox: Sbox, view: View, a: int, b: int) -> Fraction:
    size, table = len(sbox.table), sbox.table
    if view == "differential":
        return Fraction(sum(table[x] ^ table[x ^ a] == b for x in range(size)), size)
    agree = sum((x & a).bit_count() % 2 == (table[x] & b).bit_count() % 2 for x in range(size))
    return Fraction(2 * agree - size, size) ** 2


@pytest.mark.parametrize("view", VIEWS)
def test_transitions_are_counted(view: View) -> None:
    sbox = Sbox("random", tuple(random.Random(5).sample(range(32), 32)))
    result = sbox_tables.transitions(sbox, view)
    for a, b in product(range(32), repeat=2):
        assert result.get((a, b), 0) == worth(sbox, view, a, b)


@pytest.mark.parametrize("worths", [(6, 4, 2), (10, 6, 3, 2), (12, 7)])
def test_the_true_weight_behind_a_rounded_one_is_the_minimum_of_all_sums(worths: tuple[int, ...]) -> None:
    """S-boxes whose transitions hold for that many of 16 inputs, up to 6 of them."""
    model = bitwise.BitModel("differential", record_rounds(Present(), 1), rounded=True)
    kinds = [Fraction(count, 16) for count in worths]
    model.worths = {sbox_tables.weight_below(p, 16): p for p in kinds}
    model.problem.weigh(model.problem.variable("w"), Fraction(1, 16))
    sums = [chosen for n in range(7) for chosen in combinations_with_replacement(model.worths.items(), n)]
    weighed = [
        (sum((w for w, _ in chosen), Fraction(0)), log2(1 / reduce(mul, (p for _, p in chosen), Fraction(1))))
        for chosen in sums
    ]
    heaviest = 6 * min(model.worths)
    for weight in sorted({w for w, _ in weighed if w <= heaviest - 1}):
        lightest = min(true for rounded, true in weighed if rounded >= weight)
        assert float(model.truly(weight)) == pytest.approx(lightest, abs=1e-12)
    assert replace(model, rounded=False).truly(Fraction(7)) == 7


@pytest.mark.parametrize("denominator", [1, 3, 16])
def test_weights_are_rounded_down_and_no_further(denominator: int) -> None:
    for count in range(1, 257):
        p = Fraction(count, 256)
        below = sbox_tables.weight_below(p, denominator)
        step = Fraction(1, denominator)
        assert below.denominator <= denominator
        # 2^-below >= p > 2^-(below + step), in integers.
        assert Fraction(1, 2 ** int(below * denominator)) >= p**denominator
        assert p**denominator > Fraction(1, 2 ** int((below + step) * denominator))


@pytest.mark.long
def test_aes_masks_have_weights_that_are_not_integers() -> None:
    table = sbox_tables.weighted_table(SUB_BYTES, "linear", 16)
    assert table.levels[0] == 6 and not table.exact
    assert sbox_tables.weighted_table(SUB_BYTES, "differential", 16).steps == (Fraction(6), Fraction(1))
    assert sbox_tables.weighted_table(SUB_BYTES, "differential", 16).exact


def test_present_is_present() -> None:
    """The all-zero vector of [PRESENT, appendix]."""
    keys = round_keys(0)
    out = int.from_bytes(Present(keys).permute(bytes(8)), "big") ^ keys[31]
    assert out == 0x5579C1387B228445


@pytest.mark.parametrize(
    ("view", "active_only", "published"),
    [
        pytest.param("differential", True, [1, 2, 4, 6, 10], marks=pytest.mark.long),
        pytest.param("differential", False, [2, 4, 8, 12, 20], marks=pytest.mark.long),
        ("linear", True, [1, 2, 3, 4, 5]),
        ("linear", False, [2, 4, 8, 12, 16]),
    ],
)
def test_present(view: View, active_only: bool, published: list[int]) -> None:
    """Ten active S-boxes in five rounds [PRESENT, theorem 1]; weights as in [SUN-SAT]."""
    result = lightest_trails(Present(), 5, view, active_only=active_only)
    assert [x.bound.value for x in result] == [x.bound.upper for x in result] == published
    assert all(x.bound.side == "exact" for x in result)
    if active_only:
        assert [x.bound.witness and x.bound.witness["active"] for x in result] == published


@pytest.mark.parametrize("view", VIEWS)
def test_midori(view: View) -> None:
    """Sixteen active S-boxes in four rounds. [MIDORI]"""
    result = lightest_trails(Midori64(), 4, view, active_only=True)
    assert [x.bound.value for x in result] == [1, 4, 7, 16]


class Toy(Permutation[Any]):
    """S-box, binary matrix on every bit, rotation by one bit: two or three cells."""

    name = "toy"
    words, rounds = 1, 3

    def __init__(self, sbox: Sbox, matrix: Matrix, cells: int) -> None:
        bits = cells * sbox.bits
        self.sbox, self.matrix = sbox, matrix
        self.turn = CellPermutation("turn", tuple((i + 1) % bits for i in range(bits)), 1)
        self.word_bits = bits

    def round(self, S: Sequence[Any], i: int) -> list[Any]:
        return [S[0].sub(self.sbox).mix(self.matrix).permute(self.turn)]


@pytest.mark.parametrize("measure", ["trail", "integral"])
def test_a_matrix_that_is_too_dense_is_refused_in_one_line(measure: str) -> None:
    """As LowMC's are: the partial sums that its rows share take minutes to find, and no solver comes far."""
    dense = Matrix("dense", tuple(tuple(int(j >= i) for j in range(128)) for i in range(128)), 1)
    with pytest.raises(
        DescriptionError, match=r"test_bitwise.py:\d+: dense: 8,256 ones in a matrix of 128 rows"
    ):
        list(bounds_of(Toy(PRESENT_SBOX, dense, 32), measure, Query(1)))


def random_toy(source: random.Random, bits: int, cells: int, bijective: bool = True) -> Toy:
    size = 1 << bits
    table = source.sample(range(size), size) if bijective else source.choices(range(size), k=size)
    while True:
        rows_ = [[source.randrange(2) for _ in range(cells)] for _ in range(cells)]
        matrix = Matrix("random", rows_, bits)  # type: ignore[arg-type]
        if matrix.invertible or not bijective:
            return Toy(Sbox("random", tuple(table)), matrix, cells)


def minimum_weight(toy: Toy, rounds: int, view: View, denominator: int) -> Fraction | None:
    """The lightest trail by going through all differences (masks, backwards), round by round."""
    bits, n = toy.sbox.bits, toy.word_bits

    def layer(x: int) -> int:
        return IntWord(x, n).by_definition(toy.matrix).by_definition(toy.turn).value

    if view == "differential":
        linear = [layer(x) for x in range(1 << n)]
    else:
        images = [layer(1 << bit) for bit in range(n)]
        linear = [
            sum(((mask & image).bit_count() & 1) << i for i, image in enumerate(images))
            for mask in range(1 << n)
        ]
    weights: dict[int, list[tuple[int, Fraction]]] = {}
    for a, b in product(range(1 << bits), repeat=2):
        if p := worth(toy.sbox, view, a, b):
            w = sbox_tables.weight_below(p, denominator)
            if view == "differential":
                weights.setdefault(a, []).append((b, w))
            else:
                weights.setdefault(b, []).append((a, w))
    best: dict[int, Fraction] = {x: Fraction(0) for x in range(1, 1 << n)}
    for _ in range(rounds):
        following: dict[int, Fraction] = {}
        for x, cost in best.items():
            x = linear[x] if view == "linear" else x
            cells = [x >> s & (1 << bits) - 1 for s in range(0, n, bits)]
            for steps in product(*(weights.get(cell, []) for cell in cells)):
                y = sum(out << bits * i for i, (out, _) in enumerate(steps))
                y = linear[y] if view == "differential" else y
                total = cost + sum((w for _, w in steps), Fraction(0))
                if y not in following or total < following[y]:
                    following[y] = total
        best = following
    return min(best.values(), default=None)


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("seed", range(12))
def test_brute_force(seed: int, view: View) -> None:
    """Random S-boxes have weights such as -log2(6/16), and some of these are not bijective."""
    source = random.Random(seed)
    bits, cells = source.choice([(2, 3), (3, 2), (4, 2)])
    toy = random_toy(source, bits, cells, bijective=seed % 3 != 0)
    rounds, denominator = source.choice([1, 2, 3]), source.choice([1, 8])
    recording = record_rounds(toy, rounds)
    built = bitwise.model(recording, view, denominator=denominator)
    built.some("S0" if view == "differential" else "S'0")
    solution = solve(built.problem, "cadical")
    expected = minimum_weight(toy, rounds, view, denominator)
    assert (solution.upper if solution.assignment else None) == expected
    if solution.assignment:
        assert solution.status == "optimal"
        checked = trails.check(recording, built.trail(solution.assignment))
        assert checked.weight >= float(solution.upper or 0) - 1e-9


def keyed_toy() -> tuple[Recording, Toy]:
    toy = random_toy(random.Random(3), 4, 2)
    graph = Graph()
    x, key = graph.input("S0", 8), graph.input("K0", 8)
    (middle,) = toy.round([x], 0)
    (out,) = toy.round([middle ^ key], 1)
    inputs = {"S0": x.id, "K0": key.id}
    return Recording("toy", "2 rounds", graph, inputs, {"S'0": out.id}), toy


def test_two_rounds_have_the_probability_of_their_trail() -> None:
    """Over all inputs and all round keys, exactly."""
    recording, _ = keyed_toy()
    built = bitwise.model(recording, "differential", zero=["K0"])
    built.some("S0")
    solution = solve(built.problem, "cadical")
    assert solution.assignment is not None
    trail = built.trail(solution.assignment)
    every = np.arange(1 << 16)
    words = [(every >> 8).astype(np.uint8)[:, None], (every & 255).astype(np.uint8)[:, None]]
    one = {"S0": ArrayWord.from_bytes(words[0]), "K0": ArrayWord.from_bytes(words[1])}
    two = {"S0": one["S0"] ^ trail.ends["S0"], "K0": one["K0"]}
    first, second = run(recording, one), run(recording, two)
    followed = np.ones(1 << 16, bool)
    for node in first:
        difference = first[node] ^ second[node] ^ trail.values[node]
        followed &= ~difference.cells.any(axis=0)
    probability = trails.check(recording, trail).probability
    assert Fraction(int(followed.sum()), 1 << 16) == probability
    measured = random_pairs.measure(recording, trail, 1 << 14, seed=1)
    assert measured.followed == pytest.approx(float(probability) * 2**14, rel=0.5)
    assert measured.arrived >= measured.followed


def test_measuring_follows_the_trail() -> None:
    """PRESENT's permutation behaves as if keyed over three rounds; a wrong trail is never followed."""
    result = lightest_trails(Present(), 3)[-1]
    assert result.attained is not None and result.instance is not None
    recording, trail = result.instance.recording, result.attained.trail
    measured = random_pairs.measure(recording, trail, 1 << 14, seed=1)
    expected = 2.0**-result.attained.weight * measured.samples
    assert measured.followed == pytest.approx(expected, rel=0.6)
    wrong = replace(trail, values={**trail.values, 0: trail.values[0] ^ 1})
    assert random_pairs.measure(recording, wrong, 1 << 10, seed=1).followed == 0


@pytest.mark.parametrize(("alone", "followed"), [(False, 3), (True, 1)])
def test_pairs_follow_the_trails_of_the_wanted_rounds(
    alone: bool, followed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    seeds, measure = list[int](), random_pairs.measure
    monkeypatch.setattr(
        random_pairs, "measure", lambda *given, seed: seeds.append(seed) or measure(*given, seed=seed)
    )
    results = list(bounds_of(get_analysed("simon-32-64"), "trail", Query(3, alone=alone)))
    assert len(seeds) == followed == len(results)
    assert all(r.attained is not None and "followed" in r.attained.witness for r in results)


@pytest.mark.parametrize("view", VIEWS)
def test_a_changed_trail_is_refused(view: View) -> None:
    """Any one bit flipped anywhere: no trail of a bijective layer survives it unnoticed."""
    recording = record_rounds(Midori64(), 2)
    built = bitwise.model(recording, view)
    built.some("S0" if view == "differential" else "S'0")
    solution = solve(built.problem, "cadical")
    assert solution.assignment is not None
    trail = built.trail(solution.assignment)
    assert trails.check(recording, trail).weight == 8
    for node in trail.values:
        broken = replace(trail, values={**trail.values, node: trail.values[node] ^ 1})
        with pytest.raises(DescriptionError, match="^trail: node "):
            trails.check(recording, broken)
    for edge in trail.handed:
        broken = replace(trail, handed={**trail.handed, edge: trail.handed[edge] ^ 1})
        with pytest.raises(DescriptionError, match="^trail: node "):
            trails.check(recording, broken)


@pytest.mark.parametrize("view", VIEWS)
def test_and_gates(view: View) -> None:
    """Every difference (mask) of x & y ^ z & 0b10, against all pairs of inputs."""
    graph = Graph()
    x, y, z = (graph.input(name, 2) for name in "xyz")
    out = (x & y) ^ (z & 0b10)
    inputs = {"x": x.id, "y": y.id, "z": z.id}
    recording = Recording("gates", "all", graph, inputs, {"out": out.id})
    every = list(product(range(4), repeat=3))
    for a in every:
        for o in range(4):
            built = bitwise.model(recording, view)
            for name, value in (*zip("xyz", a, strict=True), ("out", o)):
                try:
                    built.fix(name, value)
                except DescriptionError:  # a bit that is always 0
                    built.problem.any_of([])
            solution = solve(built.problem, "cadical")
            if view == "differential":
                hits = sum(
                    (x0 & y0) ^ (z0 & 2) ^ ((x0 ^ a[0]) & (y0 ^ a[1])) ^ ((z0 ^ a[2]) & 2) == o
                    for x0, y0, z0 in every
                )
                probability = Fraction(hits, 64)
            else:
                signs = [
                    (-1)
                    ** sum(
                        v.bit_count() for v in (x0 & a[0], y0 & a[1], z0 & a[2], ((x0 & y0) ^ (z0 & 2)) & o)
                    )
                    for x0, y0, z0 in every
                ]
                probability = Fraction(sum(signs), 64) ** 2
            assert (solution.assignment is not None) == (probability > 0), (a, o)
            if solution.assignment is not None:
                assert solution.upper == -log2(probability)
                assert trails.check(recording, built.trail(solution.assignment)).weight == solution.upper


def test_gates_whose_inputs_meet_twice_are_not_called_exact() -> None:
    """Inputs that form a tree or one cycle, or fit in one table, are exact, as test_arx compares; others are not, nor
    are masks."""
    for gates, exact in (
        ("xy xz", True),
        ("xy yz zx", True),
        ("xy yz zx xw wy", True),
        ("xy yz zx xw wy wv", False),
    ):
        graph = Graph()
        words = {name: graph.input(name, 2) for name in "xyzwv"}
        out = reduce(xor, (words[a] & words[b] for a, b in gates.split()))
        inputs = {name: word.id for name, word in words.items()}
        recording = Recording("g", "all", graph, inputs, {"out": out.id})
        assert bitwise.model(recording, "differential").exact is exact
        assert bitwise.model(recording, "linear").shared_and


def test_a_layer_computed_twice() -> None:
    """Counted once, or as often as the description computes it."""
    graph = Graph()
    x = graph.input("S0", 8)
    out = x.sub(PRESENT_SBOX) ^ x.sub(PRESENT_SBOX).permute(CellPermutation("swap", (1, 0), 4))
    recording = Recording("twice", "all", graph, {"S0": x.id}, {"S'0": out.id})
    for as_executed, minimum in ((False, 2), (True, 4)):
        built = bitwise.model(recording, "differential", as_executed=as_executed)
        built.some("S0")
        solution = solve(built.problem, "cadical")
        assert solution.upper == minimum and solution.assignment is not None
        trail = built.trail(solution.assignment)
        assert trails.check(recording, trail, as_executed=as_executed).weight == minimum


@pytest.mark.parametrize("matrix", [ALMOST_MDS, M_B, MIX_COLUMNS], ids=lambda m: m.name)
def test_shared_sums_are_the_matrix(matrix: Matrix) -> None:
    graph = Graph()
    width = matrix.size * matrix.cell_bits
    node = graph.nodes[graph.input("x", width).mix(matrix).id]
    gates, ends = shared_sums(width, tuple(tuple(row) for row in rows(node)))
    source = random.Random(1)
    for _ in range(20):
        x = source.getrandbits(width)
        signals = [x >> (width - 1 - i) & 1 for i in range(width)]
        for a, b in gates:
            signals.append(signals[a] ^ signals[b])
        out = 0
        for end in ends:
            out = out << 1 | sum(signals[s] for s in end) % 2
        assert out == IntWord(x, width).by_definition(matrix).value
    assert len(gates) + sum(len(e) - 1 for e in ends) <= sum(len(r) - 1 for r in rows(node))


def test_cell_weights_hold_for_every_input() -> None:
    source = random.Random(2)
    for _ in range(30):
        n = source.choice([2, 3])
        matrix = Matrix("m", [[source.randrange(2) for _ in range(n)] for _ in range(n)], 2)  # type: ignore[arg-type]
        seen = {False: set[int](), True: set[int]()}
        transpose = Matrix("t", tuple(zip(*matrix.rows, strict=True)), 2)
        for transposed, used in ((False, matrix), (True, transpose)):
            for cells in product(range(4), repeat=n):
                out = used.apply(list(cells))
                seen[transposed].add(sum(map(bool, cells)) + sum(map(bool, out)))
            assert seen[transposed] <= cell_weights(matrix, transposed)
    for m in (M_B, ALMOST_MDS):  # the way for large matrices, on ones whose code is enumerated
        for lines in (m.rows, tuple(zip(*m.rows, strict=True))):
            columns = [sum(e << i for i, e in enumerate(line)) for line in lines]
            assert layers._minimum_weight(columns) == branch_number(m)
    assert cell_weights(M_B) & set(range(12)) == {0, 8}
    assert cell_weights(MIX_COLUMNS) == frozenset()


@pytest.mark.parametrize("view", VIEWS)
def test_a_round_more_may_weigh_less_where_the_last_is_another(view: View) -> None:
    class Lasting(Toy):
        def last(self, S: Sequence[Any], i: int) -> list[Any]:
            return [S[0].permute(self.turn)] if i else self.round(self.round(S, 0), 1)

    matrix = Matrix("m", ((0, 1), (1, 1)), 4)
    toy = Lasting(random_toy(random.Random(1), 4, 2).sbox, matrix, 2)
    result = lightest_trails(toy, 2, view, active_only=True)
    assert [x.bound.value for x in result] == [2, 1]
    (first, second) = (r.bound for r in bounds_of(toy, "trail", Query(2, view)))
    assert not first.monotone and second.value < first.value


# A collision of AETHER with 82 active S-boxes, all of probability 1/4: by what the
# blocks and some words of the state differ.
# Found by CaDiCaL in the walk of eight active F over four rounds. F has no key inside: of the first
# trail found, two F let no pair through at all, so here the six narrow ones are also measured.
COLLISION = {
    "X0.1": 0x00000000000000000E000E00EE8E0E00,
    "X1.1": 0x00000000000000000800080088880800,
    "X1.2": 0x00000000000000000E000E00EEE80E00,
    "X2.2": 0x00000000066606060000000000660000,
    "X3.1": 0x0EEE0E0E0E000E0EEE0000000E000E0E,
    "S2.4": 0x00000000000000000000000000A00000,
    "S3.2": 0x00000000088808080000000000880000,
    "S3.6": 0x00000000000000000000000000A00000,
}


@pytest.mark.long
def test_aether_collides_with_weight_164() -> None:
    """[AETHER, section 4.4] bounds it by 2^-164: no better bound on trails exists."""
    cipher = get_stream("aether")
    walk = collisions.walks(cipher, 8)[1]
    assert (walk.units, len(walk.states)) == (8, 4)
    built = collisions.walk_model(cipher, walk)
    for name, value in COLLISION.items():
        built.fix(name, value)
    solution = solve(built.problem, "cadical")
    assert solution.status == "optimal" and solution.assignment is not None
    trail = built.trail(solution.assignment)
    checked = trails.check(built.recording, trail)
    assert (checked.active, checked.weight) == (82, 164)
    assert not any(trail.ends[f"S4.{i}"] for i in range(9))
    assert _pairs_that_follow(built.recording, trail, 1 << 19) == 6


def _pairs_that_follow(recording: Recording, trail: trails.Trail, samples: int) -> int:
    """How many of the F with eight active S-boxes, 2^-16 by the trail, let some pair through."""
    random_ = np.random.default_rng(1)
    possible = 0
    for unit in recording.graph.units:
        layers_ = [n for n in recording.graph.nodes if n.unit == unit.id and n.op == "sub"]
        words = [trail.values[n.inputs[0]] for n in layers_]
        into, out = trail.values[unit.input], trail.values[unit.output]
        if sum(bool(c) for w in words for c in IntWord(w, 128).cells(4)) == 8:
            x = ArrayWord.from_bytes(random_.integers(0, 256, (samples, 16), np.uint8))
            difference = f(x) ^ f(x ^ into) ^ out
            possible += bool((~difference.cells.any(axis=0)).any())
    return possible


def test_walks_are_all_word_wise_collisions() -> None:
    """AETHER's: none with fewer than eight active F; every step is one of the round's."""
    cipher = get_stream("aether")
    assert collisions.walks(cipher, 7) == []
    result = collisions.walks(cipher, 10)
    assert len(result) == len(set(result)) == 22
    assert [w.units for w in result] == sorted(w.units for w in result)
    for walk in result:
        assert walk.states[0] == 0 and all(walk.states[1:])
        assert walk.units == sum(state.bit_count() for state in walk.states)


def test_counts_by_matrix_lose_nothing() -> None:
    """On a cipher small enough to minimise: exactly the counts from the minimum on are possible."""
    recording = record_rounds(Midori64(), 3)
    built = bitwise.model(recording, "differential", active_only=True)
    built.some("S0")
    minimum = solve(built.problem, "cadical").lower
    for limit in range(int(minimum) - 2, int(minimum) + 2):
        solution = solve(collisions.at_most(built, limit), "cadical")
        assert (solution.status == "infeasible") == (limit < minimum)


def test_bounds_below_every_walk_need_no_solver() -> None:
    cipher = get_stream("aether")
    result = collisions.no_lighter(cipher, 64)
    assert result.proven and not result.walks  # no walk has fewer than eight units
    with pytest.raises(DescriptionError, match="at most: want a model with active_only"):
        collisions.at_most(bitwise.model(record_rounds(Present(), 1), "differential"), 3)


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda m: m.some("S7"), "S7: not an input or output of present, 1 rounds; one of S0, S'0"),
        (lambda m: bitwise.model(m.recording, "linear", zero=["Q"]), "Q: not an input or output"),
        (lambda m: bitwise.model(m.recording, "linear", denominator=0), "denominator: want at le"),
        (lambda m: restricted(m.recording, ["Z"]), "output Z: present has none of that name"),
        (
            lambda m: (
                m.trail([False] * 999)
                and random_pairs.measure(m.recording, replace(m.trail([False] * 999), view="linear"), 1, 1)
            ),
            "trail: want a di",
        ),
    ],
)
def test_errors_name_what_is_wrong(call, error: str) -> None:  # type: ignore[no-untyped-def]
    built = bitwise.model(record_rounds(Present(), 1), "differential")
    with pytest.raises(DescriptionError) as caught:
        call(built)
    assert str(caught.value).startswith(error)


def test_orthros_weights() -> None:
    """ValueTable 5 counts 2 bits for each S-box: no transition of AETHER's S-box weighs less."""
    for view in VIEWS:
        assert sbox_tables.weighted_table(SBOX, view, 16).levels[0] == 2


def test_aether_inner_function() -> None:
    """ValueTable 5's S . F16: 2^-16 once and 2^-32 twice, for differences and for masks, both attained."""

    class Twice(Permutation[Any]):
        name = "S.F16"
        words, word_bits, rounds = 1, 128, 2

        def round(self, S: Sequence[Any], i: int) -> list[Any]:
            return [f(S[0])]

    for view in VIEWS:
        result = lightest_trails(Twice(), 2, view)
        assert [x.bound.value for x in result] == [x.bound.upper for x in result] == [16, 32]
