"""Sums over trails, against all values of small permutations, and what the field knows."""

from __future__ import annotations

from dataclasses import replace
from math import log2
from typing import Any

import numpy as np
import pytest

from roundworks.analysis.bounds import differential
from roundworks.bounds import VIEWS
from roundworks.errors import DescriptionError, UnknownName
from roundworks.prove.bitwise.cluster import UNSURE, cluster, trail_sum
from roundworks.prove.bitwise.instance import bit_instance
from roundworks.prove.pipeline import Query
from roundworks.prove.solvers.solve import Solution, solve
from roundworks.reference import get, get_analysed
from small_ciphers import Shape
from transitions import correlations, permutation, random_spn, through

SHAPES = (Shape(2, 4), Shape(3, 3))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("view", VIEWS)
def test_all_trails_add_up_to_the_mean_over_keys(seed: int, view: str) -> None:
    rounds = 2 + seed % 2
    spn = random_spn(seed, rounds, SHAPES[seed // 2])
    truth = through(spn, rounds, view)
    a, b = np.argwhere((truth > 0) & (truth < 1))[seed * 997 % 1000]
    digits = -(-spn.word_bits // 4)
    where = {"S0": f"{a:0{digits}x}", "S'0": f"{b:0{digits}x}"}
    (bound,) = cluster(spn, Query(rounds, view, where=where))  # type: ignore[arg-type]
    assert bound.side == "exact" and bound.value == pytest.approx(log2(truth[a, b]))
    assert bound.witness is not None
    assert sum(bound.witness["by_weight"].values()) == bound.witness["trails"] > 0
    if view == "linear":  # without keys the signs are those of the constants: every value is tried
        exact = correlations(permutation(spn, rounds))[a, b] ** 2
        signed = bound.witness["squared_correlation_without_keys_log2"]
        assert signed == pytest.approx(log2(exact)) if exact else signed is None


@pytest.mark.parametrize("most", [1, 2, 5])
def test_some_trails_are_a_lower_bound(most: int) -> None:
    spn = random_spn(7, 3, SHAPES[0])
    truth = through(spn, 3, "differential")[1:]
    a, b = np.unravel_index(truth.argmax(), truth.shape)
    instance, ends = bit_instance(spn, 3), {"S0": int(a) + 1, "S'0": int(b)}
    for name, value in ends.items():
        instance.model.fix(name, value)
    summed = trail_sum(instance, ends, 100, most=most)
    assert summed.count == most and not summed.complete
    assert 0 < summed.best <= summed.worth < truth[a, b]


@pytest.mark.long
def test_present_and_what_is_measured_there() -> None:
    ends = {"S0": "000000000000d00d", "S'0": "0000004400000044"}
    (bound,) = cluster(get_analysed("present"), Query(4, where=ends))
    # The lightest trail over four rounds weighs 12. [PRESENT]
    assert bound.upper == 12 and bound.value is not None and -12 < bound.value < -11
    assert bound.witness is not None and bound.witness["arrived"] / bound.witness["pairs"] == pytest.approx(
        2**bound.value, rel=0.5
    )


@pytest.mark.long  # test_present_and_what_is_measured_there has one that is quick
def test_one_function_is_not_the_mean_over_keys() -> None:
    """AETHER's F without keys: its exact probability, 2^-13.65, is what is measured; the trails sum to less."""
    exact = differential(get("aether"))
    assert exact.witness is not None and exact.value is not None
    where = {"S0": exact.witness["before"], "S'0": exact.witness["after"]}
    (bound,) = cluster(get_analysed("aether-f-16"), Query(1, where=where))
    assert bound.witness is not None and bound.value is not None
    assert bound.value < exact.value
    assert bound.witness["measured_log2"] == pytest.approx(exact.value, abs=0.25)


def test_wrong_use() -> None:
    present = get_analysed("present")
    with pytest.raises(DescriptionError, match="where: S0: want 16 hexadecimal digits, got 1"):
        list(cluster(present, Query(1, where={"S0": "1"})))
    with pytest.raises(UnknownName, match="where: word 'T0': not known; one of S0, S'0"):
        list(cluster(present, Query(1, where={"T0": "1"})))
    with pytest.raises(DescriptionError, match="present: 1 rounds: no trail has these ends"):
        list(cluster(present, Query(1, where={"S0": f"{1:016x}", "S'0": f"{1:016x}"})))


@pytest.mark.parametrize(("status", "side"), [("optimal", "exact"), ("bounded", "lower")])
def test_the_ends_of_a_trail_that_may_not_be_the_lightest_give_a_lower_bound(
    monkeypatch: pytest.MonkeyPatch, status: str, side: str
) -> None:
    """A solver that ran out of time has some trail, and the best differential may have another."""

    def stopped(*arguments: Any, **options: Any) -> Solution:
        return replace(solve(*arguments, **options), status=status)

    monkeypatch.setattr("roundworks.prove.bitwise.cluster.solve", stopped)
    (bound,) = cluster(get_analysed("present"), Query(1))
    assert bound.side == side
    assert (UNSURE in bound.method) == (side == "lower")
