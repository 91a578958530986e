"""roundworks sums: what it finds, where it ends, and what the report makes of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from roundworks.report.existence import best_sums
from roundworks.rows import SumsRow


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--words", "4", "--inputs", "5", "--functions", "2"), "--inputs: want at most --words (4), got 5"),
        (
            ("--words", "4", "--inputs", "1", "--functions", "5"),
            "--functions: want at most --words (4), got 5",
        ),
    ],
)
def test_wrong_use(run, options: tuple[str, ...], said: str) -> None:
    done = run("sums", *options)
    assert done.returncode == 2 and said in done.stderr


def test_a_round_or_none(run, tmp_path: Path) -> None:
    ledger = ("--ledger", str(tmp_path / "l.sqlite"), "--no-store", "--json", "--starts", "1")
    size = ("--words", "4", "--inputs", "1", "--functions", "2")
    done = run("sums", *size, "--active", "4", *ledger)
    row = json.loads(done.stdout)
    assert done.returncode == 0 and row["active"] == 4 and len(row["equations"]) == 4
    # No round of this class has 60.
    assert run("sums", *size, "--active", "60", *ledger).returncode == 1
    one = SumsRow.from_json(row)
    other = SumsRow.from_json(row | {"active": 3, "functions": 1})
    assert best_sums([one, other, SumsRow.from_json(row | {"active": 2})]) == [other, one]
