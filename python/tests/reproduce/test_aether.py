"""[AETHER], of what the verdicts of its analysis are."""

from __future__ import annotations

from dataclasses import replace

from roundworks import spec
from roundworks.analysis import bounds
from roundworks.reference import get_stream
from roundworks.reproduce.aether import linear_bias, table_7
from roundworks.reproduce.run import Run, compare

PAPER = spec.paper("aether")


def test_a_weaker_bound_on_the_bias_does_not_confirm_the_printed_one() -> None:
    """The print takes 2^-16 for one F, whose best squared correlation is 2^-12.83."""
    cipher = get_stream("aether")
    ours = linear_bias(bounds.bias(cipher), bounds.correlation(cipher))
    (row,) = compare(PAPER, PAPER.table("text"), [ours], "test")
    assert (row.paper_value, row.value, row.follows) == (-208, "at most -166.8", None)
    assert row.status == "bounded"


def test_the_table_that_the_wiring_was_chosen_by_is_not_computed_without_the_paper() -> None:
    rows = compare(PAPER, PAPER.table("7"), table_7(Run()), "test")
    assert len(rows) == 16 and {row.status for row in rows} == {"consistent"}
    assert all(row.value == row.paper_value for row in rows)
    other = compare(PAPER, PAPER.table("7"), [replace(table_7(Run())[0], value=3, follows=3)], "test")
    assert other[0].status == "refuted"
