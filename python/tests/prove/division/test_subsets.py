"""Three subsets: against exhaustive sums, and two subsets."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence

import numpy as np
import pytest

from roundworks.errors import DescriptionError, SolverFailed
from roundworks.prove.division import subsets
from roundworks.prove.division.parities import plan
from roundworks.prove.measures import bounds_of
from roundworks.prove.pipeline import Query
from roundworks.reference import BlockCipher, CellPermutation, Graph, Matrix, Recording, Sbox, record_rounds
from roundworks.reference.batch import ArrayWord
from roundworks.reference.catalogue import get_analysed
from roundworks.reference.present import Present
from roundworks.reference.recordings import run
from roundworks.reference.word import W


def network(source: random.Random, rounds: int) -> Recording:
    """A random network on eight bits: S-boxes, matrices, ANDs, keys and constants."""
    sbox = Sbox("random", tuple(source.sample(range(16), 16)))
    matrix = Matrix("m", ((1, 1), (0, 1)), 4)
    moved = CellPermutation("moved", tuple(source.sample(range(8), 8)), 1)
    graph = Graph()
    state = graph.input("S0", 8)
    inputs = {"S0": state.id}
    for r in range(rounds):
        key = graph.input(f"K{r}", 8)
        inputs[f"K{r}"] = key.id
        state = (state ^ key ^ source.getrandbits(8)).sub(sbox)
        state = state.mix(matrix) if source.randrange(2) else state.permute(moved)
        if source.randrange(2):
            state = state ^ (state.permute(moved) & 0x5A) ^ (state & key)
    return Recording("network", f"{rounds} rounds", graph, inputs, {"S'0": state.id})


def sums(recording: Recording, active: int, source: random.Random) -> int:
    """Of all outputs over the active bits, the other inputs at random."""
    places = [bit for bit in range(8) if active >> bit & 1]
    base = source.getrandbits(8) & ~active
    cube = [base | sum(1 << p for k, p in enumerate(places) if x >> k & 1) for x in range(1 << len(places))]
    inputs = {name: ArrayWord.from_ints([source.getrandbits(8)] * len(cube), 8) for name in recording.inputs}
    inputs["S0"] = ArrayWord.from_ints(cube, 8)
    values = run(recording, inputs)[recording.outputs["S'0"]].to_bytes()
    return int(np.bitwise_xor.reduce(np.broadcast_to(values, (len(cube), 1)), axis=0)[0])


class Small(BlockCipher[W]):
    """Two words of eight bits, with the round of Simon and other rotations."""

    name = family = "small"
    words, word_bits, key_words, rounds = 2, 8, 4, 12

    def schedule(self, K: Sequence[W]) -> Iterable[W]:
        return [K[i % 4] for i in range(self.rounds)]

    def encrypt(self, S: Sequence[W], subkeys: Sequence[W]) -> Sequence[W]:
        x, y = S
        for k in subkeys:
            x, y = y ^ (x & x.rotl(2)) ^ x.rotl(3) ^ k, x
        return [x, y]


def test_known_sums_are_those_of_all_inputs() -> None:
    """Most of those that sixteen random keys do not refute are known."""
    known = kept = 0
    for seed in range(40):
        source = random.Random(seed)
        recording = network(source, source.choice([1, 2, 3]))
        active = sum(1 << p for p in source.sample(range(8), source.choice([3, 5, 7])))
        steps = plan(recording, {"S0": active}, {1: recording.outputs})
        subsets.check(recording, steps, 1)
        results = steps.sums(None)[1, "S'0"]
        zero, one = (
            sum(1 << 7 - i for i, odd in enumerate(results) if odd is value) for value in (False, True)
        )
        totals = [sums(recording, active, source) for _ in range(16)]
        for total in totals:
            assert not total & zero and total & one == one, seed
        known += (zero | one).bit_count()
        kept += sum(len({total >> bit & 1 for total in totals}) == 1 for bit in range(8))
    assert 0 < known <= kept < 40 * 8 and known > 0.8 * kept


def test_three_subsets_know_more_than_two() -> None:
    """All that two know, and over a round more; the table of all rounds is one, and each counts for itself."""
    where = {"S0": ".*******", "S1": "*"}
    three, two = (
        [one.bound for one in bounds_of(Small(), measure, Query(12, where=where))]
        for measure in ("integral-three-subsets", "integral")
    )
    assert [bound.rounds for bound in three] == list(range(1, 13))
    for a, b in zip(three, two, strict=True):
        assert a.witness is not None and b.witness is not None
        assert a.witness["keys compared"] == subsets.KEYS
        assert (a.side, a.certainty) == ("lower", "proven")
        for word in ("balanced S'0", "balanced S'1"):
            masks = [int(str(bound.witness.get(word, "0")), 16) for bound in (a, b) if bound.witness]
            assert masks[1] & ~masks[0] == 0
    values = [(bound.value or 0.0) for bound in (*three, *two)]
    assert values[9] > values[12 + 9] == 0 and values[10] == 0


def test_a_sum_that_is_one_is_no_balanced_bit() -> None:
    """Over all four values of two bits, their product sums to 1."""
    graph = Graph()
    word, key = graph.input("S0", 8), graph.input("K0", 8)
    out = word ^ key ^ (word.rotl(1) & word.rotl(2))
    recording = Recording("product", "1 round", graph, {"S0": word.id, "K0": key.id}, {"S'0": out.id})
    steps = plan(recording, {"S0": 0b11}, {1: recording.outputs})
    results = steps.sums(None)[1, "S'0"]
    assert results == [i == 5 for i in range(8)]


def test_time_that_runs_out_claims_nothing() -> None:
    """A table of 2^32 products takes longer than no time."""
    query = Query(3, where={"S0": ".***************", "S1": "*"}, limit=0.0)
    late = [one.bound for one in bounds_of(get_analysed("simon-32-64"), "integral-three-subsets", query)]
    assert [bound.value for bound in late] == [0, 0, 0]
    assert all("time ran out" in bound.method for bound in late)


def test_wrong_sums_are_noticed() -> None:
    recording = record_rounds(Small(), 2)
    steps = plan(recording, {"S0": 0xFF}, {2: recording.outputs})
    known = steps.sums(None)
    assert subsets.compare(recording, steps, known, None) == subsets.KEYS
    wrong = {key: [odd is False for odd in bits] for key, bits in known.items()}
    with pytest.raises(SolverFailed, match=r"S'\d.\d over 2 rounds: the table has"):
        subsets.compare(recording, steps, wrong, None)


def test_other_steps_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    recording = record_rounds(get_analysed("simon-32-64"), 2)
    steps = plan(recording, {"S0": 0xFF}, {2: recording.outputs})
    steps.steps = [step for step in steps.steps if step[1] is None or step[1].bit_count() != 2]
    with pytest.raises(SolverFailed, match="the steps do not compute the description"):
        subsets.check(recording, steps, 2)


def test_wide_states_are_refused() -> None:
    with pytest.raises(DescriptionError, match=r"present: 64 bits of state: want at most 33"):
        list(bounds_of(Present(), "integral-three-subsets", Query(1)))
    with pytest.raises(DescriptionError, match="the table of all products has no rule"):
        list(bounds_of(get_analysed("speck-32-64"), "integral-three-subsets", Query(1)))
