"""Integrals as measures: the words of --where, and what is counted."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from roundworks.errors import RoundworksError
from roundworks.prove.division import bits as division
from roundworks.prove.division import integrals
from roundworks.prove.division.bits import integral
from roundworks.prove.division.integrals import bit_wise, mask_of, query_of, where_of, word_wise
from roundworks.prove.measures import bounds_of
from roundworks.prove.pipeline import Query
from roundworks.reference import get_stream, record_rounds
from roundworks.reference.catalogue import get_analysed
from roundworks.reference.present import Present
from roundworks.reference.record import record_start


def test_patterns() -> None:
    assert mask_of("S0", "*", 64) == (1 << 64) - 1
    assert mask_of("S0", "*" * 15 + ".", 64) == (1 << 64) - 16
    assert mask_of("S0", "." * 63 + "*", 64) == 1


def test_counts_are_those_of_the_property() -> None:
    result = bit_wise(Present(), 7, {"S0": "." * 8 + "*" * 8})
    known = integral(record_rounds(Present(), 7), {"S0": (1 << 32) - 1})
    assert result.value == known.count > 0
    assert result.witness is not None
    mask = known.balanced["S'0"]
    assert result.witness["balanced S'0"] == f"{mask:016x}"
    assert (result.side, result.certainty) == ("lower", "one-solver")


def test_two_solvers_agree_or_it_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    where = {"S0": "." * 14 + "*" * 2}
    result = bit_wise(Present(), 4, where, by=("cadical", "kissat"))
    assert (result.certainty, len((result.solver or "").split(", "))) == ("two-solvers", 2)
    alone = bit_wise(Present(), 4, where, by=("kissat",))
    assert (alone.value, alone.certainty) == (result.value, "one-solver")
    assert alone.fingerprint == result.fingerprint == bit_wise(Present(), 4, where).fingerprint
    assert where_of(alone.witness or {}) == {"S0": "." * 56 + "*" * 8}

    def wrong(*arguments: Any, solver: str, **options: Any) -> division.Integral:
        result = integral(*arguments, solver=solver, **options)
        return result if solver == "cadical" else replace(result, balanced={"S'0": 0})

    monkeypatch.setattr(integrals, "integral", wrong)
    with pytest.raises(RoundworksError, match="differ in the bits that are balanced"):
        bit_wise(Present(), 4, where, by=("cadical", "kissat"))
    # One whose time ran out may have fewer, and then says nothing.
    result = bit_wise(Present(), 4, where, limit=0.0, by=("kissat",))
    assert (result.value, result.fingerprint) == (0, None)


def test_default_is_all_but_a_bit_and_the_nonce() -> None:
    recording, active, _ = query_of(Present(), 3, {})
    assert active == {"S0": (1 << 64) - 2} and list(recording.outputs) == ["S'0"]
    recording, active, what = query_of(get_stream("aether"), 3, {})
    assert active == {"N0": (1 << 128) - 1} and "initialisation" in what
    assert recording.inputs.keys() == record_start(get_stream("aether"), 3).inputs.keys()
    recording, _, what = query_of(get_stream("aether"), 3, {"S2": "*"})
    assert "each state word on its own" in what
    assert all(name.startswith("S'") for name in recording.outputs)


def test_words_of_aether() -> None:
    """The measure of one round count after another, as in [AETHER, section 4.3]."""
    counts = [result.bound.value for result in bounds_of(get_stream("aether"), "integral-words", Query(6))]
    assert counts[4:] == [256, 0] and counts == sorted(counts, reverse=True)
    assert word_wise(get_stream("aether"), 5, {"N0": "*"}).value == 256


def test_time_that_runs_out_claims_nothing() -> None:
    late = bit_wise(Present(), 9, {}, limit=1e-9)
    assert late.value == 0 and "time ran out for 64 bits" in late.method
    assert bit_wise(Present(), 3, {}, limit=3600).value == 64


def test_without_time_no_model_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of Haraka's outputs each takes seconds."""
    monkeypatch.setattr(division, "model", None)
    late = bit_wise(get_analysed("haraka-512"), 2, {}, limit=1e-9)
    assert late.value == 0 and "time ran out for 512 bits" in late.method


@pytest.mark.parametrize(
    ("name", "where", "error"),
    [
        ("present", {"S0": "***"}, "where: S0: want a number of cells that divides its 64 bits, got 3"),
        ("present", {"S0": ""}, "where: S0: want a number of cells that divides its 64 bits, got 0"),
        ("present", {"S0": "*?"}, "where: S0: want * or . in an integral, got '?'"),
        ("present", {"S0": "."}, "where: want at least one active bit, such as S0=*, got none"),
        ("present", {"N0": "*"}, "where: word 'N0': not known; one of S0"),
        ("aether", {"N1": "*"}, "where: word 'N1': not known; one of K0, K1, N0"),
        ("aether", {"S0": "*", "N0": "*"}, "where: want words of the state, or of key and nonce, got S0"),
    ],
)
def test_errors_name_what_is_wrong(name: str, where: dict[str, str], error: str) -> None:
    with pytest.raises(RoundworksError) as caught:
        bit_wise(get_analysed(name), 2, where)
    assert str(caught.value).startswith(error)


@pytest.mark.parametrize(
    "wrong",
    [Query(1, view="linear"), Query(1, count="executed"), Query(1, solvers=("highs",))],
    ids=["view", "count", "solver"],
)
def test_options_that_do_nothing_are_refused(wrong: Query) -> None:
    for measure in ("integral", "integral-words")[wrong.solvers != ("auto",) :]:
        with pytest.raises(RoundworksError, match=r"^(view|count|solver): does nothing for integ"):
            list(bounds_of(Present(), measure, wrong))
