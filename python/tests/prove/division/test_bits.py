"""The division property: against its definition, exhaustive sums, and published distinguishers."""

from __future__ import annotations

import random
from itertools import combinations

import numpy as np
import pytest

from roundworks.errors import DescriptionError
from roundworks.prove.bitwise import sbox_tables
from roundworks.prove.division import model as division_model
from roundworks.prove.division.bits import integral
from roundworks.reference import CellPermutation, Graph, Matrix, Recording, Sbox, get_stream, record_rounds
from roundworks.reference.batch import ArrayWord
from roundworks.reference.midori import Midori64
from roundworks.reference.present import SBOX, Present
from roundworks.reference.record import record_start
from roundworks.reference.recordings import run


def sums(recording: Recording, active: dict[str, int], seed: int) -> dict[str, int]:
    """XOR of every output over all values of the active bits; the other bits are random."""
    random_ = np.random.default_rng(seed)
    places = [(name, bit) for name, mask in active.items() for bit in range(64) if mask >> bit & 1]
    count = 1 << len(places)
    inputs = {}
    for name, node in recording.inputs.items():
        size = recording.graph.nodes[node].bits // 8
        rows = np.repeat(random_.integers(0, 256, (1, size), np.uint8), count, axis=0)
        for i, (owner, bit) in enumerate(places):
            if owner == name:
                column, shift = size - 1 - bit // 8, bit % 8
                rows[:, column] &= np.uint8(255 ^ 1 << shift)
                rows[:, column] |= ((np.arange(count) >> i & 1) << shift).astype(np.uint8)
        inputs[name] = ArrayWord.from_bytes(rows)
    values = run(recording, inputs)
    results = {}
    for name, node in recording.outputs.items():
        rows = values[node].to_bytes()
        rows = np.broadcast_to(rows, (count, rows.shape[1]))  # a constant is one row for all
        total = np.bitwise_xor.reduce(rows, axis=0)
        results[name] = int.from_bytes(total.tobytes(), "big")
    return results


def test_steps_of_the_sbox_are_the_definition() -> None:
    """k to k' exactly if some monomial of the product over k' contains k; only the minimal k'."""
    source = random.Random(4)
    for bits in (2, 3, 4):
        sbox = Sbox("random", tuple(source.choices(range(1 << bits), k=1 << bits)))
        result = sbox_tables.division_steps(sbox)
        for k in range(1 << bits):
            reached = set()
            for out in range(1 << bits):
                products = [(y & out) == out for y in sbox.table]
                for u in range(1 << bits):
                    # The coefficient of x^u is the sum over all x below u.
                    below = sum(products[x] for x in range(1 << bits) if x & u == x)
                    if below % 2 and u & k == k:
                        reached.add(out)
            minimum = {v for v in reached if not any(w != v and w & v == w for w in reached)}
            assert set(result[k]) == minimum


def test_present_sbox_has_47_division_trails() -> None:
    """As [XIANG] counts them."""
    steps = sbox_tables.division_steps(SBOX)
    assert sum(len(out) for out in steps.values()) == 47
    assert set(steps[0b1110]) == {0b0101, 0b1011, 0b1110}


def test_minors() -> None:
    """Every choice of rows and columns of 3x3 matrices, by the determinant written out."""

    def det(m: list[list[int]]) -> int:
        if not m:
            return 1
        return sum(m[0][j] * det([r[:j] + r[j + 1 :] for r in m[1:]]) for j in range(len(m))) % 2

    source = random.Random(9)
    for _ in range(20):
        rows = tuple(tuple(source.randrange(2) for _ in range(3)) for _ in range(3))
        allowed = division_model.minors(rows)
        for k in range(4):
            for v in combinations(range(3), k):
                for u in combinations(range(3), k):
                    value = sum(1 << j for j in u) | sum(8 << i for i in v)
                    assert (value in allowed) == det([[rows[i][j] for j in u] for i in v])
        assert all((a & 7).bit_count() == (a >> 3).bit_count() for a in allowed)


def spn(source: random.Random, rounds: int) -> Recording:
    """A random network on sixteen bits with keys between; wide matrices go by circuits."""
    bits, cells = source.choice([(4, 4), (2, 8)])
    sbox = Sbox("random", tuple(source.sample(range(1 << bits), 1 << bits)))
    while True:
        rows = tuple(tuple(source.randrange(2) for _ in range(cells)) for _ in range(cells))
        matrix = Matrix("random", rows, bits)
        if matrix.invertible:
            break
    moved = CellPermutation("moved", tuple(source.sample(range(16), 16)), 1)
    graph = Graph()
    state = graph.input("S0", 16)
    inputs = {"S0": state.id}
    for r in range(rounds):
        key = graph.input(f"K{r}", 16)
        inputs[f"K{r}"] = key.id
        state = (state ^ key).sub(sbox)
        state = state.mix(matrix) if source.randrange(3) else state.permute(moved)
        if source.randrange(2):  # two uses of one word, and an AND
            state = state ^ (state.permute(moved) & 0xF0F0) ^ (state & key)
    return Recording("spn", f"{rounds} rounds", graph, inputs, {"S'0": state.id})


def test_what_is_called_balanced_is() -> None:
    """Sums over whole cubes, on random networks and for random constants."""
    claims = kept = 0
    for seed in range(60):
        source = random.Random(seed)
        recording = spn(source, source.choice([1, 2, 3]))
        places = source.sample(range(16), source.choice([2, 4, 6, 9]))
        active = {"S0": sum(1 << p for p in places)}
        balanced = integral(recording, active).balanced["S'0"]
        claims += balanced.bit_count()
        sometimes = 0
        for constants in range(6):
            total = sums(recording, active, constants)["S'0"]
            assert not total & balanced, (seed, active)
            sometimes |= total
        kept += (0xFFFF & ~sometimes).bit_count()
    # Neither all nor nothing is claimed, and most of what six constants did not refute is.
    assert 0 < claims <= kept < 60 * 16
    assert claims > 0.5 * kept


def test_present_by_sums() -> None:
    """Five rounds, sixteen active bits: balanced everywhere, in the model and over 2^16 inputs."""
    recording = record_rounds(Present(), 5)
    active = {"S0": 0xFFFF}
    assert integral(recording, active).balanced["S'0"] == (1 << 64) - 1
    assert sums(recording, active, 3)["S'0"] == 0


def test_present_nine_rounds() -> None:
    """One balanced bit from 60 active ones, the longest of [XIANG, table 1]."""
    recording = record_rounds(Present(), 9)
    result = integral(recording, {"S0": (1 << 64) - 16})
    assert result.balanced == {"S'0": 1} and result.circuits == frozenset()
    shorter = integral(recording, {"S0": (1 << 64) - 1 ^ 0xF << 60})
    assert shorter.count == 0


def test_midori_seven_rounds() -> None:
    """A distinguisher over seven rounds exists with 63 active bits, and over eight none does.
    [ZHANG-RIJMEN]"""
    active = {"S0": (1 << 64) - 2}
    result = integral(record_rounds(Midori64(), 7), active)
    assert result.count > 0 and not result.circuits
    assert integral(record_rounds(Midori64(), 8), active).count == 0


def test_aether_by_sums() -> None:
    """Two rounds of AETHER's initialisation from eight bits of the nonce, key at random."""
    recording = record_start(get_stream("aether"), 2)
    active = {"N0": 0xFF}
    result = integral(recording, active)
    assert 0 < result.count < 9 * 128 and result.circuits == {"M_b"}
    for constants in range(2):
        for name, total in sums(recording, active, constants).items():
            assert not total & result.balanced[name]


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda r: integral(r, {"Q": 1}), "active bits of Q: not an input of present; one of S0"),
        (lambda r: integral(r, {"S0": 1 << 64}), "active bits of S0: want at most 64 bits, got 0x"),
        (lambda r: integral(r, {"S0": 0}), "active bits: want at least one, got none"),
        (lambda r: record_start(get_stream("aether"), 0), "rounds: want at least 1, got 0"),
        (lambda r: record_start(get_stream("aether"), 21), "rounds: aether's initialisation has 20"),
    ],
)
def test_errors_name_what_is_wrong(call, error: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(DescriptionError) as caught:
        call(record_rounds(Present(), 1))
    assert str(caught.value).startswith(error)
