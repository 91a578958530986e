"""What the first page says: each headline is what its rows say, and no more."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from made_rows import made
from report_rows import sample
from roundworks import spec
from roundworks.report.context import context
from roundworks.report.figures import figure_search
from roundworks.report.findings import FrontFinding
from roundworks.report.tables import join
from roundworks.rows import BenchRow, BoundRow, ReproductionRow, Row, Store


def headlines(folder: Path, rows: list[Row]) -> list[FrontFinding]:
    store = Store(folder)
    store.append(rows)
    shown: list[FrontFinding] = context(store)["findings"]
    return shown


def _differential(row: Row, side: str) -> Row:
    if not isinstance(row, BoundRow) or row.measure != "differential":
        return row
    return replace(row, side=side, certainty="proven", method="exact over the lightest patterns")


@pytest.mark.parametrize(("side", "says"), [("lower", "A differential"), ("exact", "The best differential")])
def test_a_differential_of_the_lightest_patterns_is_not_called_the_best(
    tmp_path: Path, side: str, says: str
) -> None:
    rows = [_differential(row, side) for row in sample()]
    (one,) = [f for f in headlines(tmp_path, rows) if f.number.startswith("2^")]
    assert one.sentence.startswith(says) and one.evidence == "exact over the lightest patterns"
    assert ("likelier" in one.sure) == ("at least 10 active" in one.sentence) == (side == "lower")


def test_a_later_run_of_ours_alone_leaves_the_ratios(tmp_path: Path) -> None:
    rows = sample()
    alone = [
        replace(row, run="alone", time="2026-11-21T10:00:00Z")
        for row in rows
        if isinstance(row, BenchRow) and row.library == "roundworks"
    ]
    before, after = (
        next(f.sentence for f in headlines(tmp_path / name, some) if f.link == "speed")
        for name, some in (("before", rows), ("after", rows + alone))
    )
    assert after == before and f"the back end aesni on {rows[0].machine} (" in after


def test_only_what_a_paper_prints_is_counted() -> None:
    """Of Figure 1 ours alone is there."""
    (figure,) = (t for t in spec.paper("aether").tables if t.number == "figure-1")
    row = {"paper": "aether", "table": "figure-1", "row": figure.rows[0].name, "column": "value"}
    row |= {"unit": "", "paper_value": None, "value": 1, "status": "not-comparable", "certainty": "proven"}
    one = made(row | {"reason": "x", "command": "x", "seconds": 1.0}, "reproduction")
    assert isinstance(one, ReproductionRow)
    (paper,) = join([spec.paper("aether")], [one])
    assert len(paper.printed) == len(paper.cells) - 1 == sum(paper.counts.values())
    assert paper.counts["not-comparable"] == 0


def test_counts_in_the_search_figure_have_all_their_digits() -> None:
    """The format of a comma alone has twelve digits, and then an exponent."""
    drawn = figure_search(
        [
            {
                "pair": "(15, 4)",
                "candidates": 685260632772,
                "searched": 685260632772,
                "found": 685260632772,
                "printed": None,
                "agrees": True,
            }
        ]
    ).to_dict(validate=False)
    assert drawn["padding"]["right"] >= 100
    assert '"format": ","' not in json.dumps(drawn)
