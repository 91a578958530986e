"""The word-wise division property: against exhaustive sums and the bit-wise one."""

from __future__ import annotations

import random
from itertools import product

import pytest

from roundworks.errors import DescriptionError
from roundworks.prove.division import words as division_words
from roundworks.prove.division.bits import integral
from roundworks.prove.division.words import word_integral
from roundworks.prove.solvers.problem import Problem
from roundworks.prove.solvers.solve import Solution
from roundworks.reference import (
    CellPermutation,
    Graph,
    IntWord,
    Matrix,
    Recording,
    Sbox,
    get_stream,
    record_rounds,
)
from roundworks.reference.record import record_start
from roundworks.reference.recordings import restricted, run
from solving import unsolved

NINE = [f"S'{i}" for i in range(9)]


def feistel(source: random.Random, rounds: int) -> Recording:
    """Two words of eight bits, F = P . S . key, S a random permutation of two or of four bits."""
    size = source.choice([4, 16])
    sbox = Sbox("random", tuple(source.sample(range(size), size)))
    moved = CellPermutation("moved", tuple(source.sample(range(8), 8)), 1)
    graph = Graph()
    left, right = graph.input("S0", 8), graph.input("S1", 8)
    inputs = {"S0": left.id, "S1": right.id}
    for r in range(rounds):
        key = graph.input(f"K{r}", 8)
        inputs[f"K{r}"] = key.id
        left, right = right ^ (left ^ key).sub(sbox).permute(moved), left
    return Recording("feistel", "all", graph, inputs, {"S'0": left.id, "S'1": right.id})


def test_what_is_called_balanced_is() -> None:
    """For every choice of that many bits, all constants at random."""
    claims = 0
    for seed in range(40):
        source = random.Random(seed)
        recording = feistel(source, source.choice([1, 2, 3]))
        count = source.randrange(1, 9)
        active = {"S0": count, "S1": source.randrange(9 - count)}
        result = word_integral(recording, active)
        assert not result.undecided
        claims += len(result.balanced)
        for _ in range(2):
            constants = {name: source.randrange(256) for name in recording.inputs}
            free = {
                name: sum(1 << b for b in source.sample(range(8), count)) for name, count in active.items()
            }
            totals = dict.fromkeys(recording.outputs, 0)
            cubes = [[v for v in range(256) if not v & ~free[n]] for n in ("S0", "S1")]
            for values in product(*cubes):
                inputs = dict(constants)
                for name, value in zip(("S0", "S1"), values, strict=True):
                    inputs[name] = inputs[name] & ~free[name] | value
                words = run(recording, {n: IntWord(v, 8) for n, v in inputs.items()})
                for name, node in recording.outputs.items():
                    totals[name] ^= words[node].value
            assert all(totals[name] == 0 for name in result.balanced), (seed, active)
    assert 0 < claims < 80


def test_bits_know_at_least_as_much() -> None:
    for seed in range(10):
        source = random.Random(seed)
        recording = feistel(source, 2)
        of_words = word_integral(recording, {"S0": 8, "S1": 7})
        of_bits = integral(recording, {"S0": 255, "S1": 127})
        assert all(of_bits.balanced[name] == 255 for name in of_words.balanced)


@pytest.mark.parametrize("solver", ["cadical", "highs"])
def test_aether_from_the_nonce(solver: str) -> None:
    """Five rounds of the initialisation, and by numbers alone none of six."""
    cipher = get_stream("aether")
    assert word_integral(record_start(cipher, 5), {"N0": 128}, solver).balanced == ("S'1", "S'4")
    six = word_integral(record_start(cipher, 6), {"N0": 128}, solver)
    assert six.balanced == six.undecided == ()


def test_aether_from_key_and_nonce() -> None:
    """The eight rounds of [AETHER, section 4.3]: word-wise, with S1, S2, S6 and S7 all active, which
    is where key and nonce stand. Nine rounds have none."""
    active = {f"S{i}": 128 for i in (1, 2, 6, 7)}
    cipher = get_stream("aether")
    eight = restricted(record_rounds(cipher, 8), NINE)
    assert word_integral(eight, active).balanced == ("S'1", "S'2", "S'4")
    nine = word_integral(restricted(record_rounds(cipher, 9), NINE), active)
    assert nine.balanced == nine.undecided == ()


def test_aether_from_the_state() -> None:
    """All bits of the state but one of S2: word 2 is balanced after eleven rounds."""
    cipher = get_stream("aether")
    active = {f"S{i}": 128 - (i == 2) for i in range(9)}
    recording = restricted(record_rounds(cipher, 11), NINE)
    assert word_integral(recording, active).balanced == ("S'2",)


def test_after_ctrl_c_no_other_word_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    problems = []

    def stopped(problem: Problem, *_: object) -> Solution:
        problems.append(problem)
        return unsolved(interrupted=True)

    monkeypatch.setattr(division_words, "solve", stopped)
    recording = record_start(get_stream("aether"), 1)
    result = word_integral(recording, {"N0": 128})
    assert len(problems) == 1 and result.undecided == tuple(recording.outputs)


def test_errors_name_what_is_wrong() -> None:
    graph = Graph()
    x, y = graph.input("S0", 4), graph.input("S1", 4)
    out = (x & y).sub(Sbox("S", (0, 1, 2, 3)))
    recording = Recording("toy", "all", graph, {"S0": x.id, "S1": y.id}, {"S'0": out.id})
    with pytest.raises(DescriptionError, match=r"test_words.*: and : word-wise numbers need bij"):
        word_integral(recording, {"S0": 1})
    with pytest.raises(DescriptionError, match="active bits of S0: want 0 to 4, got 5"):
        word_integral(recording, {"S0": 5})
    with pytest.raises(DescriptionError, match="active bits: want at least one, got none"):
        word_integral(recording, {"S0": 0})
    with pytest.raises(DescriptionError, match="active bits of Q: not an input of toy"):
        word_integral(recording, {"Q": 1})
    singular = Matrix("M", ((1, 1), (1, 1)), 2)
    folded = Recording("toy", "all", graph, {"S0": x.id, "S1": y.id}, {"S'0": x.mix(singular).id})
    with pytest.raises(DescriptionError, match="mix M: word-wise numbers need"):
        word_integral(folded, {"S0": 1})
