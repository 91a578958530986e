"""Cell-wise models: linear maps by content, every constraint against all points, known minima."""

from __future__ import annotations

import random
import re
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from calls import cases
from places import TOY
from roundworks.analysis.codes import CodeMap, allowed_weights, branch_number, linear_map, supports
from roundworks.bounds import COUNTS, VIEWS, View
from roundworks.errors import BrokenTrail, DescriptionError, UnknownName
from roundworks.prove import pipeline
from roundworks.prove.cellwise import layer_patterns, truncated
from roundworks.prove.cellwise.instance import cell_instance
from roundworks.prove.cellwise.layer_patterns import images, possible
from roundworks.prove.cellwise.verify import CellTrail, verify
from roundworks.prove.pipeline import Query, solved
from roundworks.prove.solvers.problem import Problem
from roundworks.prove.solvers.solve import Solution, solve
from roundworks.reference import (
    CellPermutation,
    IntWord,
    Matrix,
    Permutation,
    Sbox,
    get,
    get_permutation,
    get_stream,
    load_file,
    record_rounds,
    unit,
)
from roundworks.reference.aes import MIX_COLUMNS, SHIFT_ROWS, SUB_BYTES, aes_round
from roundworks.reference.aether import M_B
from small_ciphers import POLYNOMIALS, random_matrix, random_sbox
from solving import cell_bound


def random_map(rng: random.Random, most_bits: int = 12) -> CodeMap:
    """Any map, singular ones too."""
    c = rng.randint(2, 4)
    n = rng.randint(1, min(5, most_bits // c))
    kind = rng.choice(["binary", "field", "bits"])
    size = n * c if kind == "bits" else n
    most = 1 << c if kind == "field" else 2
    rows = tuple(tuple(rng.randrange(most) for _ in range(size)) for _ in range(size))
    return CodeMap(rows, c, POLYNOMIALS[c] if kind == "field" else 0, kind == "bits")


def all_patterns(m: CodeMap) -> set[int]:
    results = set()
    for x in product(range(1 << m.cell_bits), repeat=m.size):
        cells = [*x, *m.apply(list(x))]
        results.add(sum((v != 0) << i for i, v in enumerate(cells)))
    return results


def test_supports_are_those_of_all_values() -> None:
    rng = random.Random(1)
    for _ in range(120):
        m = random_map(rng)
        assert set(np.flatnonzero(supports(m)).tolist()) == all_patterns(m), m


def test_mds_over_small_fields_has_gaps() -> None:
    """The hexacode has no word of weight 5; over bytes every weight from 5 on occurs."""
    hexacode = CodeMap(((1, 1, 1), (1, 2, 3), (1, 3, 2)), 2, 0x7)
    assert allowed_weights(hexacode) == {0, 4, 6}
    assert allowed_weights(linear_map(MIX_COLUMNS)) == {0, 5, 6, 7, 8}
    assert branch_number(linear_map(M_B)) == 8


def points(problem: Problem, variables: list[int]) -> set[tuple[bool, ...]]:
    """Values of the variables for which some value of the others keeps every constraint."""
    others = [v for v in range(len(problem.names)) if v not in variables]
    results = set()
    for values in product((False, True), repeat=len(variables)):
        assignment = [False] * len(problem.names)
        for v, value in zip(variables, values, strict=True):
            assignment[v] = value
        for rest in product((False, True), repeat=len(others)):
            for v, value in zip(others, rest, strict=True):
                assignment[v] = value
            if problem.holds(assignment) is None:
                results.add(values)
                break
    return results


@pytest.mark.parametrize("count", range(1, 7))
def test_xor_allows_all_but_a_single_one(count: int) -> None:
    problem = Problem()
    cells = problem.variables("x", count)
    truncated.add_xor(problem, cells)
    assert points(problem, cells) == {p for p in product((False, True), repeat=count) if sum(p) != 1}


@pytest.mark.parametrize("count", range(1, 5))
def test_and_or(count: int) -> None:
    for add, want in (
        (truncated.add_and, lambda p: any(p[:-1]) or not p[-1]),
        (truncated.add_or, lambda p: any(p[:-1]) == p[-1]),
    ):
        problem = Problem()
        cells = problem.variables("x", count + 1)
        add(problem, cells[:-1], cells[-1])
        assert points(problem, cells) == {p for p in product((False, True), repeat=count + 1) if want(p)}


@pytest.mark.long
def test_linear_maps_allow_exactly_their_patterns() -> None:
    """In every form, with cells that stay zero, and with two cells of one activity."""
    rng = random.Random(2)
    for case in range(150):
        m = random_map(rng, 6)
        problem = Problem()
        cells: list[int | None] = [*problem.variables("x", 2 * m.size)]
        shared = case % 3 == 0 and m.size > 1
        if shared:
            cells[m.size] = cells[0]
        for i in range(2 * m.size):
            if i not in (0, m.size) and rng.random() < 0.15:
                cells[i] = None
        ins, outs = cells[: m.size], cells[m.size :]
        if case % 2:
            truncated.add_linear(problem, m, ins, outs)
        else:
            truncated.add_bits(problem, m, ins, outs)
        if len(problem.names) > 17:
            continue
        kept = [v for v in dict.fromkeys(cells) if v is not None]
        want = {
            tuple(bool(p >> cells.index(v) & 1) for v in kept)
            for p in all_patterns(m)
            if not any(p >> i & 1 and v is None for i, v in enumerate(cells))
            and not (shared and (p & 1) != (p >> m.size & 1))
        }
        assert points(problem, kept) == want, (case, m, cells)


def test_lossy_table_is_needed_over_small_fields() -> None:
    """A map whose patterns are not given by its parity checks alone does occur, and is exact."""
    rng = random.Random(4)
    maps = [linear_map(random_matrix(rng, 5, 2)) for _ in range(40)]
    assert {truncated.checks_suffice(m) for m in maps} == {False, True}


# -- known solutions ---------------------------------------------------------------------------------
class Aes(Permutation):
    name, words, rounds = "aes", 1, 10

    def round(self, S, i):
        return [aes_round(S[0], i + 1)]


def spn(cells: int, sbox: Sbox, *layers: Matrix | CellPermutation) -> Permutation:
    class Small(Permutation):
        name, words, word_bits, rounds = "small", 1, cells * sbox.bits, 4

        def round(self, S, i):
            x = S[0].sub(sbox)
            for layer in layers:
                x = x.mix(layer) if isinstance(layer, Matrix) else x.permute(layer)
            return [x]

    return Small()


@pytest.mark.parametrize("view", VIEWS)
def test_aes_1_5_9_25(view: View) -> None:
    results = [cell_bound(Aes(), "active", rounds, view) for rounds in range(1, 5)]
    assert [b.value for b in results] == [b.upper for b in results] == [1, 5, 9, 25]
    assert {b.side for b in results} == {"exact"}
    assert "no key" in results[0].method


def test_matrices_are_known_by_content() -> None:
    """An identity called MixColumns mixes nothing; the AES matrix called otherwise does."""
    eye = tuple(tuple(int(i == j) for j in range(4)) for i in range(4))
    named = Matrix("MixColumns", eye, 8, 0x11B)
    assert cell_bound(spn(16, SUB_BYTES, SHIFT_ROWS, named), "active", 2).value == 2
    other = Matrix("identity", MIX_COLUMNS.rows, 8, 0x11B)
    assert cell_bound(spn(16, SUB_BYTES, SHIFT_ROWS, other), "active", 2).value == 5
    wrong = Sbox("AES", tuple(range(16)))
    four = Matrix("MixColumns", ((0, 1, 1, 1), (1, 0, 1, 1), (1, 1, 0, 1), (1, 1, 1, 0)), 4)
    assert cell_bound(spn(4, wrong, four), "active", 2).value == 4


def test_matrix_of_six_words() -> None:
    """Two columns of a 6x6 matrix, one of whose cells reaches two more."""
    rows = tuple(tuple(int(j in (i, (i + 1) % 6) or (i, j) == (0, 2)) for j in range(6)) for i in range(6))
    matrix = Matrix("MixColumns", rows, 8, 0x11B)
    assert matrix.invertible
    assert min(sum(column) for column in zip(*rows, strict=True)) == 2
    assert cell_bound(spn(12, SUB_BYTES, matrix), "active", 2).value <= 3


def test_permutations_of_bits() -> None:
    """PRESENT's layer: no branch number to speak of, so one cell a round, exactly."""
    sbox = Sbox("any", (12, 5, 6, 11, 9, 0, 10, 13, 3, 14, 15, 8, 4, 7, 1, 2))
    layer = CellPermutation("pLayer", tuple(16 * i % 63 if i < 63 else 63 for i in range(64)), 1)
    for view in VIEWS:
        results = [cell_bound(spn(16, sbox, layer), "active", r, view).value for r in (1, 2, 3)]
        assert results == [1, 2, 3]


@pytest.mark.parametrize(("rounds", "want"), [(4, 38), pytest.param(5, 46, marks=pytest.mark.long)])
def test_two_word_feistel(rounds: int, want: int) -> None:
    """[AESNI-PERM, table 1] counts F1 and F2 apart, though both begin with one SubBytes."""
    permutation = get_permutation("feistel256:2-0,1-1")
    result = cell_bound(permutation, "active", rounds, count="executed")
    # M(M(x)) has no single active cell where x has; the patterns of the paper do not see that.
    assert (result.value, result.upper, result.side) == (want, want, "lower") and result.ended
    assert result.witness is not None
    assert result.witness["distinct"] < result.witness["executed"] == want


@pytest.mark.long
def test_collision_and_bias_of_ciphers() -> None:
    """Byte by byte, at least what the word-wise view has."""
    collision = cell_bound(get_stream("aegis-128"), "collision", 6)
    assert collision.side == "exact" and collision.value >= 11
    assert cell_bound(get_stream("aegis-128"), "collision", 5).value is None
    bias = cell_bound(get_stream("aegis-128"), "bias", 3)
    assert bias.side == "exact" and bias.value >= 4
    assert "messages known" in bias.method


@pytest.mark.long
def test_word_wise_bounds_start_the_search() -> None:
    """At least 8 S-boxes in each active F of AETHER, times the F of the word-wise view."""
    minimum = [cell_instance(get("aether"), "active", rounds).lower for rounds in (1, 2, 3, 8)]
    assert minimum == [8 * f for f in (1, 2, 4, 19)]
    result = cell_bound(get("aether"), "active", 1)
    assert (result.value, result.side) == (8, "exact")
    shared = cell_instance(get("aegis-128"), "collision", 6)
    assert shared.lower == 0  # one S-box is all that an AES round needs to be active


def test_two_solvers_do_not_know_what_they_are_to_agree_on(monkeypatch) -> None:
    """One round of the toy has 4 active S-boxes word-wise; both solvers must show it."""
    solutions = []

    def heard(*arguments: object, **options: object) -> Solution:
        solutions.append(solve(*arguments, **options))
        return solutions[-1]

    monkeypatch.setattr(pipeline, "solve", heard)
    toy = load_file(TOY)
    both = cell_bound(toy, "active", 1, solvers=("highs", "cadical"))
    assert (both.value, both.side, both.certainty) == (4, "exact", "two-solvers")
    assert [a.lower_by for a in solutions] == ["highs", "cadical"]
    # Where they have no time the bound is still known, and is nobody's but F's.
    cut = cell_bound(toy, "active", 1, solvers=("scip", "cadical"), limit=0.0)
    assert (cut.value, cut.certainty) == (4, "one-solver")
    alone = cell_bound(toy, "active", 1, solvers=("cadical",))
    assert (alone.value, alone.side, alone.certainty) == (4, "exact", "one-solver")
    for result in (cut, alone):
        assert result.solver == both.solver.split(", ")[0]
        assert result.method.endswith("; at least 4 by active F times the fewest S-boxes of one")


def test_an_f_that_is_no_chain_has_no_bound_to_begin_with(tmp_path: Path) -> None:
    toy = (TOY).read_text()
    chain = "x.sub(PRESENT).mix(MIDORI).permute(SPREAD).sub(PRESENT)"
    assert toy.count(chain) == 1
    file = tmp_path / "toy.py"
    file.write_text(toy.replace(chain, f"{chain} ^ x.permute(SPREAD)"))
    instance = cell_instance(load_file(file), "active", 1)
    assert instance.lower == 0
    assert cell_bound(load_file(file), "active", 1, solvers=("cadical",)).value == 4


def test_a_trail_that_takes_too_long_to_check_leaves_the_bound(monkeypatch) -> None:
    monkeypatch.setattr(layer_patterns, "TRIES", 0)
    layer_patterns.possible.cache_clear()
    for view in VIEWS:
        result = solved(cell_instance(Aes(), "active", 2, view), Query(2))
        outcome, trail = result.bound, result.attained
        assert (outcome.value, outcome.upper, outcome.side) == (5, None, "lower")
        assert (outcome.certainty, outcome.witness, trail) == ("one-solver", None, None)
        assert "; trail not checked: " in outcome.method and "than 0 steps to say" in outcome.method


def test_two_solvers_and_limits() -> None:
    result = cell_bound(Aes(), "active", 3, solvers=("highs", "cadical"))
    assert (result.value, result.certainty) == (9, "two-solvers")
    assert result.solver.startswith("HiGHS") and "CaDiCaL" in result.solver
    cut = cell_bound(get_permutation("feistel256:2-0,1-1"), "active", 5, limit=0.0)
    assert cut.side == "lower" and cut.certainty == "one-solver" and cut.value < 46


def test_fingerprint_is_of_the_query() -> None:
    def of(it, *query) -> str:
        return cell_instance(it, *query).model.problem.fingerprint

    renamed = Sbox("other", SUB_BYTES.table)
    one = spn(16, SUB_BYTES, SHIFT_ROWS, MIX_COLUMNS)
    assert of(one, "active", 2) == of(spn(16, renamed, SHIFT_ROWS, MIX_COLUMNS), "active", 2)
    assert of(one, "active", 2) != of(one, "active", 3)
    transposed = Matrix("MixColumns", MIX_COLUMNS.rows[::-1], 8, 0x11B)
    assert of(one, "active", 2) == of(spn(16, SUB_BYTES, SHIFT_ROWS, transposed), "active", 2)  # MDS


# -- the verifier ----------------------------------------------------------------------------------
@pytest.mark.parametrize("view", cases(VIEWS, short=["differential"]))
def test_verifier_refuses_every_single_change(view: View) -> None:
    permutation = get_permutation("feistel256:1-0,1-1")
    instance = cell_instance(permutation, "active", 2, view)
    solution = solve(instance.model.problem)
    assert solution.assignment is not None
    trail = instance.trail(solution.assignment)
    assert verify(instance.recording, trail).distinct == solution.upper
    refused = 0
    for node, pattern in list(trail.activity.items()):
        for cell in range(16):
            trail.activity[node] = pattern ^ 1 << cell
            if instance.recording.graph.nodes[node].op == "const":
                continue
            with pytest.raises(BrokenTrail, match=r"node \d+"):
                verify(instance.recording, trail)
            refused += 1
        trail.activity[node] = pattern
    assert refused > 100


def test_real_differences_are_legal() -> None:
    """What two computations differ in at every node is a trail to the verifier."""
    rng = random.Random(5)
    for name, c in (("aether", 4), ("rocca-s", 8)):
        recording = record_rounds(get(name), 1)
        for _ in range(6):
            state = [n for n in recording.inputs if n.startswith("S")]
            changed = rng.sample(state, 2)
            runs: list[dict[int, IntWord]] = [{}, {}]
            for node in recording.graph.nodes:
                if node.op == "input":
                    value = rng.getrandbits(128)
                    delta = rng.getrandbits(c) << c * rng.randrange(128 // c)
                    values = value, value ^ (delta if node.name in changed else 0)
                elif node.op == "const":
                    values = node.detail, node.detail
                else:
                    values = tuple(
                        node.apply([run[i] for i in node.inputs], IntWord(0, node.bits)).value for run in runs
                    )
                for run, value in zip(runs, values, strict=True):
                    run[node.id] = IntWord(value, 128)
            activity = {
                i: sum((v != 0) << k for k, v in enumerate((a ^ runs[1][i]).cells(c)))
                for i, a in runs[0].items()
            }
            targets = tuple(n for n in recording.outputs if n.startswith("S"))
            verify(recording, CellTrail("differential", c, tuple(state), targets, activity))


def test_patterns_of_a_layer_are_those_of_all_values() -> None:
    """The verifier's own way, differences and masks, against all values."""
    rng, ways = random.Random(6), set()
    for _ in range(40):
        c = rng.randint(2, 3)
        layer = random_matrix(rng, rng.randint(2, 9 // c), c)
        bits = layer.size * c
        for transposed in (False, True):
            columns = images(layer, bits, transposed)
            there = set()
            for x in range(1 << bits):
                y = 0
                for i in range(bits):
                    y ^= columns[i] * (x >> bits - 1 - i & 1)
                there.add(tuple(v != 0 for w in (x, y) for v in IntWord(w, bits).cells(c)))
            for cells in product((False, True), repeat=2 * layer.size):
                before, after = cells[: layer.size], cells[layer.size :]
                result = possible(layer, bits, c, transposed, before, after)
                assert result == (cells in there), (layer, transposed, cells)
                ways.add(result)
    assert ways == {False, True}


def test_a_rare_pattern_of_a_wide_layer_is_found() -> None:
    """40 cells of 2 bits, none 0, neighbours different: 2^40 + 2 of 2^80 values."""
    n = 40
    ring = Matrix("ring", tuple(tuple(int(j in (i, (i + 1) % n)) for j in range(n)) for i in range(n)), 2)
    every = (True,) * n
    assert possible(ring, 2 * n, 2, False, every, every)
    assert not possible(ring, 2 * n, 2, False, every, (True, *(False,) * (n - 1)))


# -- what is refused -------------------------------------------------------------------------------
BAD = Sbox("constant", (0,) * 16)
NIBBLES = Sbox("nibbles", (12, 5, 6, 11, 9, 0, 10, 13, 3, 14, 15, 8, 4, 7, 1, 2))
SINGULAR = Matrix("ones", ((1, 1), (1, 1)), 4)


def two(round_) -> Permutation:
    class Two(Permutation):
        name, words, word_bits, rounds = "two", 2, 16, 4

        def round(self, S, i):
            return round_(*S)

    return Two()


@pytest.mark.parametrize(
    ("it", "query", "error", "text"),
    [
        (
            spn(4, BAD),
            {},
            DescriptionError,
            r"test_cells.py:\d+: sub constant: not invertible, so a difference can vanish in it; want a bijection",
        ),
        (
            spn(4, NIBBLES, SINGULAR),
            {},
            DescriptionError,
            r"test_cells.py:\d+: mix ones: not invertible, so a difference can vanish in it; want a bijection",
        ),
        (
            two(lambda x, y: [y, x]),
            {},
            DescriptionError,
            r"two: 1 rounds: no S-box before the outputs that are looked at",
        ),
        (
            two(lambda x, y: [x.sub(NIBBLES), x]),
            {},
            DescriptionError,
            r"two: round: no output depends on S1, so this is no permutation",
        ),
        (
            two(lambda x, y: [x.sub(NIBBLES), y.sub(SUB_BYTES)]),
            {},
            DescriptionError,
            r"test_cells.py:\d+: S-box AES: 8 bits, and 4 bits at test_cells.py:\d+; cell-wise models need S-boxes of one width",
        ),
        (
            two(lambda x, y: [x.permute(CellPermutation("half", (1, 0), 4)), y]),
            {},
            DescriptionError,
            r"permutation half: covers 2 cells of 4 bits, which does not fit a word of 16 bits",
        ),
        (Aes(), {"rounds": 0}, DescriptionError, r"rounds: want at least 1, got 0"),
        (Aes(), {"where": {"S0": "*" * 17}}, DescriptionError, r"where: S0: want 16 cells, got 17"),
        (
            Aes(),
            {"where": {"S0": "x" * 16}},
            DescriptionError,
            r"where: S0: cell 0: want \* or \. or \?, got 'x'",
        ),
        (Aes(), {"where": {"S1": "*"}}, UnknownName, r"where: word 'S1': not known; one of S0, S'0"),
        (
            Aes(),
            {"goal": "activ"},
            UnknownName,
            r"goal 'activ': not known; one of active, collision, related-key, related-tweak, bias",
        ),
        (Aes(), {"view": "both"}, UnknownName, r"view 'both': not known; one of differential, linear"),
        (Aes(), {"count": "all"}, UnknownName, r"count 'all': not known; one of distinct, executed"),
        (
            get_permutation("haraka-256:3.5"),
            {"rounds": 4},
            DescriptionError,
            r"haraka-256:3.5: bounds are over whole rounds; want haraka-256",
        ),
        (
            get_stream("aegis-128"),
            {"goal": "bias", "view": "differential"},
            DescriptionError,
            r"view: bias is linear, got differential",
        ),
        (
            Aes(),
            {"goal": "collision"},
            DescriptionError,
            r"aes: goal 'collision': want a cipher that absorbs blocks and gives keystream; goal 'active' fits this one",
        ),
    ],
)
def test_refused_in_one_line(it, query, error, text) -> None:
    with pytest.raises(error) as caught:
        cell_bound(it, **query)
    assert re.fullmatch(text, str(caught.value)), str(caught.value)


def test_contradiction_is_no_bound() -> None:
    """Nothing fits: a mistake of who gave the pattern, or of a goal a bound without a number."""
    with pytest.raises(DescriptionError, match=r"^aes: 1 rounds: no difference .* fits; .* for: S0; "):
        cell_bound(Aes(), "active", 1, where={"S0": "." * 16})
    result = cell_bound(get_stream("aegis-128"), "collision", 2)
    assert result.value is None and result.upper is None and result.witness is None
    assert result.side == "exact" and result.method.endswith("no such trail")


def test_wanted_patterns_are_kept() -> None:
    cells = "*" + "." * 15
    result = cell_bound(Aes(), "active", 2, where={"S0": cells})
    assert result.value == 5 and result.witness is not None
    assert result.witness["trail"][0]["cells"] == cells


def test_same_value_is_one_wire() -> None:
    """Equal sums, M(x ^ c) and M(x), and two units of one S-layer; S(x) and S(x ^ c) are two."""
    sbox = random_sbox(random.Random(1), 4)
    mix = Matrix("m", ((0, 1, 1, 1), (1, 0, 1, 1), (1, 1, 0, 1), (1, 1, 1, 0)), 4)

    @unit("A")
    def first(x):
        return x.sub(sbox)

    @unit("B")
    def second(x):
        return x.sub(sbox).mix(mix)

    def counts(round_) -> tuple[int, int, int]:
        net = cell_instance(two(round_), "active", 1).model.net
        times = sum(s.times for s in net.sboxes)
        return len(net.sboxes), times, sum(type(op).__name__ == "Linear" for op in net.ops)

    assert counts(lambda x, y: [first(x) ^ y, second(x)]) == (4, 8, 1)
    assert counts(lambda x, y: [first(x ^ y), second(y ^ x) ^ x]) == (4, 8, 1)
    assert counts(lambda x, y: [first(x) ^ y, first(x ^ 0x5555).mix(mix) ^ x ^ y]) == (8, 8, 1)
    assert counts(lambda x, y: [first(x.mix(mix)) ^ y, (x ^ 0x5555).mix(mix) ^ y]) == (4, 4, 1)
    assert counts(lambda x, y: [first(x) ^ y ^ y, y]) == (4, 4, 0)


COPYING = Matrix("copying", ((1, 1), (0, 1)), 4)


class Copied(Permutation):
    """One S-layer before a matrix and after it: of the cell that the matrix copies, one S-box."""

    name, words, word_bits, rounds = "copied", 2, 8, 4

    def round(self, S, i):
        x, y = S
        return [x.sub(NIBBLES) ^ y, (x ^ 0x35).mix(COPYING).sub(NIBBLES) ^ i]


class ByHand(Permutation):
    """The same without a matrix, a word for each cell."""

    name, words, word_bits, rounds = "by hand", 4, 4, 4

    def round(self, S, i):
        a, b, y, z = S
        c, d = a ^ b ^ 6, b ^ 5
        return [a.sub(NIBBLES) ^ y, b.sub(NIBBLES) ^ z, c.sub(NIBBLES), d.sub(NIBBLES) ^ i]


class Moved(Copied):
    """Nothing is added before the matrix, so its cell and the copy are one value."""

    def round(self, S, i):
        x, y = S
        return [x.sub(NIBBLES) ^ y, x.mix(COPYING).sub(NIBBLES) ^ i]


class MovedByHand(ByHand):
    def round(self, S, i):
        a, b, y, z = S
        return [a.sub(NIBBLES) ^ y, b.sub(NIBBLES) ^ z, (a ^ b).sub(NIBBLES), b.sub(NIBBLES) ^ i]


# The other half of the pairs for `make test-all`.
@pytest.mark.parametrize(
    ("view", "count"), cases(product(VIEWS, COUNTS), short=tuple(zip(VIEWS, COUNTS, strict=True)))
)
@pytest.mark.parametrize(("it", "by_hand"), [(Copied(), ByHand()), (Moved(), MovedByHand())])
def test_a_cell_that_a_matrix_copies_is_one_value(it, by_hand, view, count) -> None:
    for rounds in (1, 2, 3):
        for cells in product(".*", repeat=4):
            if "*" in cells:
                wholes = {"S0": "".join(cells[:2]), "S1": "".join(cells[2:])}
                singles = {f"S{i}": cell for i, cell in enumerate(cells)}
                if view == "linear":
                    wholes = {n.replace("S", "S'"): c for n, c in wholes.items()}
                    singles = {n.replace("S", "S'"): c for n, c in singles.items()}
                results = [
                    cell_bound(one, "active", rounds, view, count, where, ("cadical",))
                    for one, where in ((it, wholes), (by_hand, singles))
                ]
                assert results[0].value == results[1].value, (rounds, cells)


def test_the_recount_knows_values_and_not_their_names() -> None:
    """A sum by a matrix and by XOR is one value, which the model takes for two: no sure bound then."""
    ones = Matrix("m", ((1, 1), (0, 1)), 4)
    swap = CellPermutation("swap", (1, 0), 4)
    subject = two(lambda x, y: [x.mix(ones).sub(NIBBLES) ^ y, (x ^ x.permute(swap)).sub(NIBBLES) ^ x])
    subject.__class__.word_bits = 8
    where = {"S0": "*.", "S1": "??"}
    counted = int(solve(cell_instance(subject, "active", 1, where=where).model.problem).lower)
    result = cell_bound(subject, "active", 1, where=where)
    assert result.value == result.upper < counted
    assert (result.side, result.certainty) == ("lower", "heuristic")


@pytest.mark.parametrize("view", ["differential", "linear"])
@pytest.mark.parametrize("name", ["haraka-256", "pholkos-512"])
def test_columns_taken_by_masks_are_only_moved(name: str, view: View) -> None:
    """Two rounds of two AES rounds each: columns of different words meet, and 25 are active."""
    results = [cell_bound(get_permutation(name), "active", r, view) for r in (1, 2)]
    assert [(b.value, b.upper) for b in results] == [(5, 5), (25, 25)]


def test_a_mask_on_part_of_a_cell_is_refused() -> None:
    class Masked(Permutation):
        name, words, word_bits, rounds = "masked", 1, 8, 1

        def round(self, S, i):
            return [(S[0] & 0xF0 ^ S[0] & 0x0F).sub(SUB_BYTES)]

    with pytest.raises(DescriptionError, match="cell 0: a constant that masks part of a cell of 8"):
        cell_bound(Masked(), "active", 1)
