"""Claims about speed, on a table that a reader checks by eye."""

from __future__ import annotations

from roundworks.bench.permutations import PAPER
from roundworks.reproduce.permutation_claims import ahead, behind, faster, first, most, printed
from roundworks.reproduce.permutation_speed import measured
from roundworks.reproduce.run import Run

# Proposed (2-0,2-2) saves a quarter of Haraka's 1.0 on A and loses to its 0.6 on B.
SPEEDS = {
    "A": {"Simpira-2": 2.0, "(2-0,2-2)": 0.75, "(1-0,2-0)": 0.9, "Haraka v2": 1.0},
    "B": {"Simpira-2": 2.0, "(2-0,2-2)": 0.75, "(1-0,2-0)": 0.9, "Haraka v2": 0.6},
}


def test_what_the_best_saves() -> None:
    assert [round(v, 6) for v in ahead(SPEEDS, "AB")] == [25, -25]
    # Of the 0.75 Haraka saves a fifth.
    assert [round(v, 6) for v in behind(SPEEDS, "AB")] == [-25, 20]
    assert most(SPEEDS, "AB") == 62.5
    assert (first(SPEEDS, "A"), first(SPEEDS, "B")) == ("(2-0,2-2)", "Haraka v2")


def test_a_planted_value_changes_who_leads() -> None:
    planted = {"A": {**SPEEDS["A"], "(1-0,2-0)": 0.5}}
    assert (first(planted, "A"), ahead(planted, "A")) == ("(1-0,2-0)", [50])


def test_how_many_lead_everywhere() -> None:
    assert faster(SPEEDS) == "all"
    slower = {**SPEEDS, "B": {**SPEEDS["B"], "(1-0,2-0)": 2.0}}
    assert faster(slower) == "1 of 2"
    assert faster(printed("6")) == faster(printed("8")) == "all"


def test_the_printed_claims_follow_from_the_printed_tables() -> None:
    """27 per cent on Ice Lake: 0.76 and 1.05 cycles per byte."""
    (saved,) = ahead(printed("6"), ["Ice Lake"])
    assert 27 < saved < 28
    (lost,) = behind(printed("7"), ["Kaby Lake"])
    assert 6 < lost < 7


def test_a_stored_run_is_of_one_machine_and_one_table() -> None:
    now = measured(Run(stored=True), "6")
    assert now is not None and now.slug
    low, middle, high = now.cycles_per_byte("6", "Simpira-2", 1) or (0, 0, 0)
    assert 0 < low <= middle <= high
    assert PAPER == "aesni-permutations"
