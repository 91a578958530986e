"""A bound that a second solver reaches is of two solvers; one that it contradicts is an error."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from roundworks.errors import RoundworksError
from roundworks.ledger import Ledger, key_of
from roundworks.prove.division.integrals import bit_wise
from roundworks.prove.measures import bounds_of
from roundworks.prove.pipeline import Query
from roundworks.prove.structures.deepening import deepen
from roundworks.prove.structures.facts import Facts
from roundworks.prove.structures.rounds import count_up
from roundworks.reference import get_analysed
from roundworks.report.known import best_known
from roundworks.rows import BoundRow, Store
from roundworks.studies import confirmations
from roundworks.studies import rounds as rounds_study
from roundworks.studies.confirmations import Confirm, confirm


@pytest.fixture
def stored(tmp_path: Path) -> list[BoundRow]:
    """Two rounds of PRESENT by one solver, stored."""
    query = Query(2, solvers=("highs",))
    results = bounds_of(get_analysed("present"), "active-sboxes", query)
    rows = [BoundRow.make(command="roundworks bound present", **one.bound.fields) for one in results]
    Store(tmp_path).append(rows)
    return rows


def test_a_second_solver_confirms(stored: list[BoundRow], tmp_path: Path) -> None:
    assert {row.certainty for row in stored} == {"one-solver"}
    plan = Confirm(10.0, results=str(tmp_path)).plan()
    assert [unit.command.split("--solver ")[1][:7] for unit in plan] == ["cadical", "cadical"]
    again = confirm(10.0, results=str(tmp_path)).rows
    assert {(row.rounds, row.value) for row in again} == {(1, 1), (2, 2)}
    known = best_known([*stored, *again], [])
    assert {row.certainty for row in known} == {"two-solvers"}
    Store(tmp_path).append(again)
    assert not Confirm(10.0, results=str(tmp_path)).plan()


def test_bounds_of_files_are_left_out_and_counted(stored: list[BoundRow], tmp_path: Path) -> None:
    """The catalogue has no description of a file of one's own, of which each row was an error."""
    Store(tmp_path).append([replace(row, cipher="small-4") for row in stored])
    study = Confirm(10.0, results=str(tmp_path))
    assert study.of_files == 2
    assert [unit.title.split(",")[0] for unit in study.plan()] == ["present", "present"]


def test_trails_are_confirmed_by_clauses(tmp_path: Path) -> None:
    results = bounds_of(get_analysed("present"), "trail", Query(2, solvers=("cadical",)))
    rows = [BoundRow.make(command="roundworks bound", **one.bound.fields) for one in results]
    Store(tmp_path).append(rows)
    again = confirm(60.0, results=str(tmp_path)).rows
    assert sorted((row.rounds, row.value) for row in again) == [(1, 2), (2, 4)]
    assert {(row.solver or "").split()[0] for row in again} == {"Kissat"}
    assert {row.certainty for row in best_known([*rows, *again], [])} == {"two-solvers"}


def test_integrals_are_confirmed(tmp_path: Path) -> None:
    where = {"S0": "." * 8 + "*" * 8}
    results = bounds_of(get_analysed("present"), "integral", Query(5, where=where))
    rows = [BoundRow.make(command="roundworks bound", **one.bound.fields) for one in results]
    Store(tmp_path).append(rows[-1:])
    (again,) = confirm(60.0, results=str(tmp_path)).rows
    assert (again.value, again.witness) == (rows[-1].value, rows[-1].witness)
    assert (again.solver or "").startswith("Kissat")
    assert [row.certainty for row in best_known([rows[-1], again], [])] == ["two-solvers"]
    # Other bits that take all values are another instance.
    assert len({row.fingerprint for row in rows}) == 5
    other = bit_wise(get_analysed("present"), 5, {"S0": "." * 7 + "*" * 9})
    assert other.fingerprint != again.fingerprint
    # Of several the one that leaves the most bits balanced is known, also if it is not the newest.
    fewer = replace(rows[-1], value=0, fingerprint="0" * 64, certainty="two-solvers")
    known = best_known([rows[-1], again, fewer], [])
    assert [(row.value, row.certainty) for row in known] == [(again.value, "two-solvers")]


@pytest.mark.parametrize(
    ("cipher", "measure", "solver", "values", "confirmed_by"),
    [
        ("skinny-64-64", "related-key-sboxes", "frontier", [0, 0, 1, 2], "CaDiCaL"),
        ("craft", "related-tweak-sboxes", "cadical", [0, 1, 2], "Kissat"),
        ("present-80", "related-key-trail", "cadical", [0, 0, 2], "Kissat"),
        ("present", "trail-sboxes", "cadical", [1, 2, 4], "Kissat"),
    ],
)
def test_other_measures_are_confirmed_by_clauses(
    cipher: str, measure: str, solver: str, values: list[int], confirmed_by: str, tmp_path: Path
) -> None:
    results = bounds_of(get_analysed(cipher), measure, Query(len(values), solvers=(solver,)))
    rows = [BoundRow.make(command="roundworks bound", **one.bound.fields) for one in results]
    Store(tmp_path).append(rows)
    again = confirm(60.0, results=str(tmp_path)).rows
    assert sorted((row.rounds, row.value) for row in again) == list(enumerate(values, 1))
    assert {(row.measure, (row.solver or "").split()[0]) for row in again} == {(measure, confirmed_by)}
    assert {row.certainty for row in best_known([*rows, *again], [])} == {"two-solvers"}


def test_what_is_another_instance_now_is_left_alone(stored: list[BoundRow], tmp_path: Path) -> None:
    values = stored[1].as_json() | {"fingerprint": "0" * 64, "time": "2099-01-01T00:00:00Z"}
    Store(tmp_path).append([BoundRow.from_json(values)])
    assert [row.rounds for row in confirm(10.0, results=str(tmp_path))] == [1]


def stored_bounds(facts: Facts, place: Path) -> list[BoundRow]:
    bounds = rounds_study.bounds_of(facts, "2-0,1-1", "linear", 4)
    rows = [BoundRow.make(command="roundworks fastest", **one.fields) for one in bounds]
    Store(place).append(rows)
    return rows


def test_permutations_are_confirmed_along_paths(tmp_path: Path) -> None:
    facts = Facts(10, "distinct")
    list(count_up(facts, "2-0,1-1", "linear", 4, 3600))
    alone = stored_bounds(facts, tmp_path)
    assert [row.value for row in alone if row.side == "lower"] == [10]
    assert [unit.title for unit in Confirm(3600, results=str(tmp_path)).plan()] == [
        "feistel256:2-0,1-1, linear, distinct, kissat"
    ]
    again = confirm(3600, results=str(tmp_path)).rows
    assert [(row.rounds, row.value) for row in again] == [(3, 10)] and "each path" in again[0].method
    assert [row.certainty for row in best_known([*alone, *again], [])][-1] == "two-solvers"


def test_what_ledgers_have_of_paths_says_where_to_look(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    facts = Facts(10, "distinct")
    list(deepen(facts, "2-0,1-1", "linear", 4, 3600))
    stored = stored_bounds(facts, tmp_path)
    (tmp_path / "ledgers").mkdir()
    with Ledger(tmp_path / "ledgers" / "trails.sqlite") as ledger:
        rows = rounds_study.trail_rows(facts, "roundworks fastest")
        ledger.begin("roundworks fastest", "", [key_of("a")])
        ledger.claim(key_of("a"), 0, "a unit")
        ledger.done(key_of("a"), [row.as_json() for row in rows], "", 1.0)
        ledger.flush()
    monkeypatch.setattr(
        confirmations, "deepen", lambda *_: pytest.fail("all minima of paths were wanted again")
    )
    again = confirm(3600, results=str(tmp_path)).rows
    lower = [row for row in stored if row.side != "upper"]
    assert [(row.rounds, row.value) for row in again] == [(row.rounds, row.value) for row in lower]
    assert {(row.solver or "").split()[0] for row in again} == {"Kissat"}
    known = best_known([*stored, *again], [])
    assert {row.certainty for row in known} == {"two-solvers"}
    Store(tmp_path).append(again)
    assert not Confirm(3600, results=str(tmp_path)).plan()


def test_a_contradiction_is_an_error_with_both_values(stored: list[BoundRow], tmp_path: Path) -> None:
    values = stored[1].as_json() | {"value": 7, "upper": 7, "time": "2099-01-01T00:00:00Z"}
    Store(tmp_path).append([BoundRow.from_json(values)])
    with pytest.raises(
        RoundworksError, match=r"present: active-sboxes over 2 rounds: at least 7 by HiGHS .*, at most 2 by"
    ):
        confirm(10.0, results=str(tmp_path))
