"""Additions whose summands depend on each other, against every state, and what no bound may say of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from roundworks.analysis.independence import dependent_addition
from roundworks.errors import ProofRefused
from roundworks.prove.bitwise.instance import SHARED_ADD
from roundworks.prove.measures import bounds_of
from roundworks.prove.pipeline import Query
from roundworks.reference import BlockCipher, Sbox, get_analysed, record_rounds
from roundworks.reference.graph import Graph, NodeWord, Recording
from roundworks.reference.recordings import merged, run
from roundworks.reference.word import IntWord

BITS = 4
BOX = Sbox("box", (12, 5, 6, 11, 9, 0, 10, 13, 3, 14, 15, 8, 4, 7, 1, 2))
Body = Callable[..., Sequence[NodeWord]]


def recorded(body: Body, names: str = "xyzk") -> Recording:
    graph = Graph()
    words = {name: graph.input(name, BITS) for name in names}
    outputs = {f"out{i}": word.id for i, word in enumerate(body(*words.values()))}
    return Recording("small", "all", graph, {name: word.id for name, word in words.items()}, outputs)


INDEPENDENT: dict[str, Body] = {
    "plain": lambda x, y, z, k: [x + y],
    "of sums": lambda x, y, z, k: [(x ^ y) + (y ^ z)],
    "one after another with a key": lambda x, y, z, k: [((x + y) ^ k) + z],
    "Speck's round twice": lambda x, y, z, k: [((x + y) ^ k).rotr(1) + (y.rotl(1) ^ ((x + y) ^ k))],
    "a gate with a key": lambda x, y, z, k: [((x & y) ^ k) + z],
    "two apart": lambda x, y, z, k: [x + y, z + k],
    "an S-box with a key": lambda x, y, z, k: [(x.sub(BOX) ^ k) + y],
}
DEPENDENT: dict[str, Body] = {
    "itself": lambda x, y, z, k: [x + x.rotl(1)],
    "rotations": lambda x, y, z, k: [x.rotl(1) + x.rotl(3)],
    "a common word": lambda x, y, z, k: [(x ^ y.rotl(1)) + (x ^ y.rotl(1)).rotl(2)],
    "one after another": lambda x, y, z, k: [(x + y) + z],
    "a summand twice": lambda x, y, z, k: [x + y, x + z],
    "one sum, differently": lambda x, y, z, k: [x + y, x + y.rotl(1)],
    "a key of both": lambda x, y, z, k: [((x & y) ^ k) + (x ^ k)],
    "a gate": lambda x, y, z, k: [(x & y) + z],
    "a gate of a summand": lambda x, y, z, k: [((x & y) ^ k) + z, (z & x) ^ y],
    "shifted": lambda x, y, z, k: [(x << 1) + y],
    "an S-box of a sum": lambda x, y, z, k: [(x + y).sub(BOX)],
}


@pytest.mark.parametrize("body", INDEPENDENT.values(), ids=list(INDEPENDENT))
def test_independent_summands_are_seen_and_are_uniform(body: Body) -> None:
    """Summands of one addition take every pair of values equally often, over all inputs."""
    recording = recorded(body)
    assert dependent_addition(recording) is None
    adding = [node for node in recording.graph.nodes if node.op == "add"]
    seen: list[Counter[tuple[int, ...]]] = [Counter() for _ in adding]
    for values in product(range(1 << BITS), repeat=4):
        words = {name: IntWord(v, BITS) for name, v in zip("xyzk", values, strict=True)}
        made = run(recording, words)
        for counts, node in zip(seen, adding, strict=True):
            counts[tuple(made[i].value for i in node.inputs)] += 1
    for counts in seen:
        assert len(counts) == 4**BITS and len(set(counts.values())) == 1


@pytest.mark.parametrize("body", DEPENDENT.values(), ids=list(DEPENDENT))
def test_dependent_summands_are_named(body: Body) -> None:
    node = dependent_addition(recorded(body))
    assert node is not None and node.op in ("add", "and", "sub")


def test_what_has_no_addition_has_no_dependent_one() -> None:
    assert dependent_addition(merged(record_rounds(get_analysed("present"), 2))) is None


@pytest.mark.parametrize(("name", "rounds"), [("speck-32-64", 22), ("speck-64-128", 8)])
def test_round_keys_keep_the_additions_of_speck_apart(name: str, rounds: int) -> None:
    assert dependent_addition(merged(record_rounds(get_analysed(name), rounds))) is None


@pytest.mark.parametrize("name", ["chacha-column", "sparkle-256"])
def test_without_keys_additions_follow_from_each_other(name: str) -> None:
    assert dependent_addition(merged(record_rounds(get_analysed(name), 2))) is not None


class Own(BlockCipher[Any]):
    """Both summands are of one word: no difference through two rounds costs what the weight says."""

    name, words, word_bits, rounds = "own-sum", 2, 8, 4
    key_words, key_word_bits = 4, 8

    def schedule(self, K: Sequence[Any]) -> Sequence[Any]:
        return K

    def encrypt(self, S: Sequence[Any], subkeys: Sequence[Any]) -> list[Any]:
        x, y = S
        for k in subkeys:
            x, y = y ^ self.function(x) ^ k, x
        return [x, y]

    def function(self, x: Any) -> Any:
        return (x + x.rotl(4)).rotl(1) + x


@pytest.mark.parametrize("view", ["differential", "linear"])
@pytest.mark.parametrize("measure", ["trail", "cluster"])
def test_bounds_of_dependent_summands_are_heuristic(measure: str, view: Any, tmp_path: Path) -> None:
    *_, last = bounds_of(Own(), measure, Query(3, view, limit=3))
    assert (last.bound.side, last.bound.certainty) == ("lower", "heuristic")
    assert SHARED_ADD in last.bound.method
    if measure == "trail":
        with pytest.raises(ProofRefused, match="summands that depend on each other"):
            list(bounds_of(Own(), measure, Query(3, view, proof=tmp_path)))


def test_the_weight_of_dependent_summands_is_not_that_of_all_states() -> None:
    """Every state and difference of one addition to itself: the reason for which nothing may be called exact."""

    class Once(Own):
        name = "once"

        def function(self, x: Any) -> Any:
            return x + x.rotl(1)

    best = 0
    for difference in range(1, 256):
        changes = Counter(_own(Once(), x) ^ _own(Once(), x ^ difference) for x in range(256))
        best = max(best, max(changes.values()))
    (_, second) = (r.bound for r in bounds_of(Once(), "trail", Query(2)))
    # Two rounds whose first one is free weigh what the function does.
    assert second.value is not None and 2**-second.value != best / 256
    assert second.certainty == "heuristic"


def _own(cipher: Own, x: int) -> int:
    value: int = cipher.function(IntWord(x, 8)).value
    return value
