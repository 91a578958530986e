"""Related keys and tweaks: published tables, and small schedules against every difference."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from typing import Any

import pytest

from calls import cases
from roundworks.errors import DescriptionError
from roundworks.prove.cellwise.build import KEYS, netlist
from roundworks.prove.cellwise.instance import cell_instance
from roundworks.prove.cellwise.lanes import lanes
from roundworks.prove.measures import bounds_of
from roundworks.prove.pipeline import Query
from roundworks.prove.solvers.clusters import plan
from roundworks.prove.solvers.solve import solve
from roundworks.reference import (
    BlockCipher,
    CellPermutation,
    IntWord,
    Matrix,
    Sbox,
    get_analysed,
    record_keyed,
)
from roundworks.reference.record import record_schedule
from roundworks.reference.recordings import run


def _minima(it: Any, measure: str, rounds: int) -> list[float | None]:
    results = list(bounds_of(it, measure, Query(rounds)))
    assert all(r.bound.side == "exact" and r.attained is not None for r in results)
    return [r.bound.value for r in results]


# [SKINNY, table 7], [GERAULT] of AES-128, and what truncated models have. The long ones take the same path as the short.
PUBLISHED = {
    "skinny-64-64 key": [0, 0, 1, 2, 3, 6, 10, 13],
    "skinny-64-128 key": [0, 0, 0, 0, 1, 2, 3, 6, 9],
    "skinny-64-192 key": [0, 0, 0, 0, 0, 0, 1, 2, 3, 6],
    "aes-128 key": [0, 1, 5, 12],
    "craft tweak": [0, 1, 2, 4, 6],
}
SHORT = {"craft tweak"}


@pytest.mark.parametrize("case", cases(list(PUBLISHED), short=list(SHORT)), ids=str)
def test_published_minima(case: str) -> None:
    name, what = case.split()
    published = PUBLISHED[case]
    assert _minima(get_analysed(name), f"related-{what}-sboxes", len(published)) == published


# x -> 2x in GF(4): it has order 3, so any two of k ^ 2^i m for i = 0, 1, 2 determine k and m.
DOUBLE = Matrix("double", ((2,),), 2, 0b111)
BOX = Sbox("small", (1, 3, 2, 0))


class Small(BlockCipher[Any]):
    """One cell of two bits a word, and a key of two cells in a lane."""

    name, words, word_bits, key_words, rounds = "small-lane", 1, 2, 2, 3

    def schedule(self, K: Sequence[Any]) -> Iterable[Any]:
        k, m = K
        for _ in range(self.rounds):
            yield k ^ m
            m = m.mix(DOUBLE)

    def encrypt(self, S: Sequence[Any], subkeys: Sequence[Any]) -> Sequence[Any]:
        x = S[0]
        for k in subkeys:
            x = (x ^ k).sub(BOX)
        return [x]


@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_a_lane_against_every_key_difference(rounds: int) -> None:
    """The fewest active S-boxes over all differences of state and key, S-boxes taking any to any."""
    schedule = record_schedule(Small(), rounds)
    fewest = None
    for k, m, s in product(range(4), repeat=3):
        if not (k or m or s):
            continue
        values = run(schedule, {"K0": IntWord(k, 2), "K1": IntWord(m, 2)})
        added = [values[node].value for node in schedule.outputs.values()]
        counts = {s: 0}
        for key in added:
            after: dict[int, int] = {}
            for state, count in counts.items():
                outs = range(1, 4) if state ^ key else (0,)
                for out in outs:
                    after[out] = min(after.get(out, 99), count + bool(state ^ key))
            counts = after
        best = min(counts.values())
        fewest = best if fewest is None else min(fewest, best)
    assert _minima(Small(), "related-key-sboxes", rounds)[-1] == fewest


def test_sums_of_a_lane_are_found() -> None:
    net = netlist(record_keyed(Small(), 3), ("S0", "K0", "K1"), ("S'0",))
    ((cells, wires),) = lanes(net, KEYS)
    assert len(cells) == 2 and len(wires) == 3


class Lanes(BlockCipher[Any]):
    """Four cells in two columns, and a tweakey of two words whose cells move."""

    name, words, word_bits, key_words, rounds = "small-lanes", 1, 8, 2, 3
    moved = CellPermutation("PT", (1, 2, 3, 0), 2)
    crossed = CellPermutation("rows", (0, 2, 3, 1), 2)
    mix = Matrix("M", ((1, 1), (1, 0)), 2)

    def schedule(self, K: Sequence[Any]) -> Iterable[Any]:
        k, m = K
        for _ in range(self.rounds):
            yield k ^ m
            k, m = k.permute(self.moved), m.permute(self.moved).mix(DOUBLE)

    def encrypt(self, S: Sequence[Any], subkeys: Sequence[Any]) -> Sequence[Any]:
        x = S[0]
        for k in subkeys:
            x = (x.sub(BOX) ^ k).mix(self.mix).permute(self.crossed)
        return [x]


def test_dynamic_programming_agrees_with_clauses_where_the_key_differs() -> None:
    for rounds in (1, 2, 4, 6):
        problem = cell_instance(Lanes(), "related-key", rounds).problem
        assert plan(problem, {}) is not None
        assert solve(problem, "frontier").upper == solve(problem, "cadical").upper


@pytest.mark.long  # the cipher above takes the same path
def test_dynamic_programming_of_skinny_with_a_tweakey() -> None:
    instance = cell_instance(get_analysed("skinny-64-64"), "related-key", 8)
    assert solve(instance.problem, "frontier").upper == 13


def test_what_has_no_schedule_is_refused_in_one_line() -> None:
    for name, measure, text in (
        ("aes", "related-key-sboxes", "want a block cipher, which has a key schedule"),
        ("present", "related-key-trail", "want a block cipher, which has a key schedule"),
        ("aes-128", "related-tweak-sboxes", "it has no tweak; want related-key"),
        ("speck-32-64", "related-key-sboxes", r"speck.py:\d+: add: addition modulo 2\^16, for which a cell"),
    ):
        with pytest.raises(DescriptionError, match=text):
            list(bounds_of(get_analysed(name), measure, Query(2)))
    with pytest.raises(DescriptionError, match="related-key is differential, got linear"):
        list(bounds_of(get_analysed("aes-128"), "related-key-sboxes", Query(1, view="linear")))
