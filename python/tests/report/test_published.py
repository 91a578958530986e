"""Published figures next to ours: what is the same, what differs, what nobody has computed."""

from __future__ import annotations

import pytest

from made_rows import made
from roundworks import spec
from roundworks.reference import get_analysed
from roundworks.report.published import published
from roundworks.rows import BoundRow


def bound(rounds: int, value: float, side: str = "exact", certainty: str = "one-solver") -> BoundRow:
    values = {"cipher": "aes", "measure": "active-sboxes", "rounds": rounds, "value": value, "side": side}
    values |= {
        "seconds": 1.0,
        "unit": "active S-boxes",
        "certainty": certainty,
        "view": "differential",
        "count": "distinct",
    }
    row = made(values | {"method": "x", "witness": None, "time": "2026-11-24T10:00:00Z"}, "bound")
    assert isinstance(row, BoundRow)
    return row


@pytest.mark.parametrize(
    ("rows", "verdict", "ours"),
    [
        ([], "not computed yet", ""),
        ([bound(1, 1), bound(4, 25)], "same over 2 numbers of rounds; 2 not computed", "1, 25"),
        ([bound(1, 1), bound(2, 6)], "differs over 2 rounds", "1, 6"),
        ([bound(1, 1), bound(4, 20, "lower")], "same over 1 numbers of rounds; 3 not computed", "1, ≥ 20"),
        ([bound(1, 1), bound(4, 26, "lower")], "differs over 4 rounds", "1, ≥ 26"),
        ([bound(1, 1), bound(1, 0, "lower")], "same over 1 numbers of rounds; 3 not computed", "1"),
        ([bound(5, 26)], "not computed yet", ""),
    ],
)
def test_verdicts(rows: list[BoundRow], verdict: str, ours: str) -> None:
    (line,) = (line for line in published(rows) if line.description == "aes")
    assert (line.verdict, line.ours) == (verdict, ours)


def test_the_weakest_row_counts() -> None:
    (line,) = (
        line
        for line in published([bound(1, 1), bound(2, 5, certainty="proven")])
        if line.description == "aes"
    )
    assert line.certainty == "one solver, unconfirmed"


def test_every_figure_is_of_the_catalogue() -> None:
    for entry in (*spec.published_curves(), *spec.published_reaches()):
        assert get_analysed(entry.description)
