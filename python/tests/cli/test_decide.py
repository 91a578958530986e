"""roundworks decide: what it prints, stores and refuses, and the report's table of it."""

from __future__ import annotations

import dataclasses
import json

from roundworks.report.existence import grid, guarantees
from roundworks.rows import ExistenceRow, SearchRow


def test_it_goes_up_to_the_first_number_that_no_structure_reaches(run) -> None:
    done = run("decide", "--words", "6", "--inputs", "2", "--active", "7", "--up-to", "12", "--json")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(row["active"], row["exists"]) for row in rows] == [(7, True), (8, True), (9, False)]
    assert rows[1]["added"].count(None) == 2 and rows[2]["certainty"] == "one-solver"
    assert done.returncode == 0


def test_a_proof_makes_it_proven(run, tmp_path) -> None:
    options = ("--words", "6", "--inputs", "2", "--active", "9", "--json", "--certificates", str(tmp_path))
    row = json.loads(run("decide", *options).stdout)
    assert (row["exists"], row["certainty"], row["method"]) == (False, "proven", "refinement")
    assert [*tmp_path.glob("*.lrat")]


def test_no_structure_is_returncode_1_and_wrong_sizes_are_refused(run) -> None:
    done = run("decide", "--words", "16", "--inputs", "6")
    assert done.returncode == 1 and "lower bound on F per block" in done.stdout
    done = run("decide", "--words", "4", "--inputs", "4")
    assert done.returncode == 2 and "--inputs: want fewer than --words (4), got 4" in done.stderr


def _decided(active: int, exists: bool | None, certainty: str | None = "proven") -> ExistenceRow:
    added = [None, 3, 0, 1] if exists else None
    return ExistenceRow.make(
        command=f"decide {active}",
        seconds=1.0,
        words=4,
        inputs=1,
        active=active,
        exists=exists,
        certainty=certainty,
        method="refinement",
        added=added,
        proposals=1,
        paths=1,
    )


def test_the_report_joins_decisions_and_enumerations() -> None:
    search = SearchRow.make(
        command="search",
        seconds=1.0,
        words=4,
        inputs=1,
        active=10,
        candidates=96,
        searched=96,
        found=0,
        complete=True,
        threads=1,
    )
    (line,) = guarantees([_decided(8, True), _decided(10, False, "one-solver")], [search])
    assert (line.reached, line.refuted, line.certainty, line.method) == (8, 10, "proven", "enumeration")
    assert not line.is_settled and line.structure == "X 3 0 1" and line.per_block == 4
    # A search that found and kept some names one, with the positions of its blocks.
    kept = dataclasses.replace(search, active=9, found=2, structures=[[[1], [3, 0, 2]]])
    (line,) = guarantees([_decided(8, True)], [search, kept])
    assert (line.reached, line.is_settled, line.structure) == (9, True, "3 X 0 2")
    # What counting would cost is said only where the next number is open: 96 structures took a second.
    assert line.counting is None
    (line,) = guarantees([_decided(8, True)], [kept])
    assert line.refuted is None and line.counting == 1.0
    (line,) = guarantees([_decided(8, True), _decided(9, None, None)], [])
    assert (line.reached, line.refuted, line.is_settled) == (8, None, False)
    assert line.tried == "9 open after 1 s, 0 partitions into chains left"
    (line,) = guarantees([_decided(8, True), _decided(9, False)], [])
    assert line.is_settled and not line.tried
    settled = line
    (open_,) = guarantees([_decided(8, True)], [])
    below = dataclasses.replace(open_, inputs=2, reached=None, refuted=8)
    wider = dataclasses.replace(open_, inputs=3, repeats=True)
    assert grid([below, wider, settled]) == [(4, [(1, "8"), (2, "< 8")])]
    assert (open_.text, dataclasses.replace(below, refuted=None).text) == ("≥ 8", "open")
