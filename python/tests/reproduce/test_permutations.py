"""[AESNI-PERM], of what the verdicts of its tables are."""

from __future__ import annotations

import pytest

from roundworks import spec
from roundworks.reproduce import permutation_cycles, permutations, tables
from roundworks.reproduce.minima import MinimaTable, Minimum, MinimumQuery
from roundworks.reproduce.run import Run, compare
from roundworks.rows import BoundRow, Store

PAPER = spec.paper("aesni-permutations")


def test_cycles_by_a_rule_that_is_an_approximation_are_not_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    """(1-0,2-0): six rounds of two instructions of three cycles, by the rule, where the critical path has 27."""
    monkeypatch.setattr(permutation_cycles, "leave", lambda *_: None)  # rows of other CPUs, which take long
    for number in ("4", "5"):
        rows = compare(PAPER, PAPER.table(number), tables(PAPER.key)[number](Run()), "test")
        assert {row.status for row in rows} == {"reproduced", "consistent"}
        if number == "4":
            (short,) = (row for row in rows if (row.row, row.column) == ("(1-0,2-0)", "latency 3"))
            assert (short.paper_value, short.value, short.follows) == (36, 27, 36)


def test_a_minimum_of_patterns_is_a_lower_bound_and_the_chosen_wiring_confirms_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """(2-0,2-0): the minima over patterns are 40 and 50, where differences need 52 over 4 rounds, and 60 over 5."""
    printed = [("(2-0,2-0)", *(MinimumQuery("2-0,2-0", rounds, exact=True) for rounds in (5, 6)))]
    stored = [
        row for row in Store(spec.root() / "results").read(BoundRow) if row.cipher == "feistel256:2-0,2-0"
    ]
    monkeypatch.setattr(Store, "read", lambda self, kind=None: stored)
    run = Run()
    with MinimaTable(run, "1", 60.0, 60.0) as table:
        rows = compare(PAPER, PAPER.table("1"), permutations._rows(table, printed), "test")
    assert [(row.column, row.value, row.status) for row in rows] == [
        ("rounds", 6, "consistent"),
        ("instructions", 24, "consistent"),
    ]
    assert "the minimum over patterns is 40 active S-boxes in 5 rounds (proven" in rows[0].reason
    assert "The description itself has at least 52 in 4 rounds" in rows[0].reason
    made = [row for row in run.extra if isinstance(row, BoundRow)]
    assert [(row.side, row.value, row.upper) for row in made] == [("lower", 40, 40), ("lower", 50, 50)]


def test_seven_rounds_of_six_instructions_are_not_49(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the print contradicts itself in does not depend on the wiring."""
    name, found = (
        "(1-0,2-0,2-0,1-0)",
        Minimum(MinimumQuery("1-0,2-0,2-0,1-0", 7), 86, None, "one-solver", "x", 1.0),
    )
    short = Minimum(MinimumQuery("1-0,2-0,2-0,1-0", 6), 0, 85, "one-solver", "x", 1.0)
    monkeypatch.setattr(MinimaTable, "minimum", lambda self, query: found if query.rounds == 7 else short)
    with MinimaTable(Run(), "2", 1.0, 1.0) as table:
        ours = permutations._rows(table, [(name, short.query, found.query)])
    rows = compare(PAPER, PAPER.table("2"), ours, "test")
    assert [(row.value, row.status) for row in rows] == [(7, "consistent"), (42, "refuted")]
