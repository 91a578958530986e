"""The solver race, and what `reproduce` makes of the models within its time."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from roundworks.errors import UnknownName
from roundworks.prove import solvers
from roundworks.prove.race import CONTESTS
from roundworks.prove.race import race as run_race
from roundworks.prove.solvers.choice import SPECIAL
from roundworks.reference import get_analysed
from roundworks.reproduce import Run
from roundworks.studies import proofs as proving

# The licence of gurobi is small, and matsui takes none of these problems.
SOLVERS = [name for name in solvers.installed() if name not in ("gurobi", "matsui")]


@pytest.mark.long
def test_every_solver_counts_aes_alike() -> None:
    results = list(run_race(["aes-4"], SOLVERS, 120))
    assert [one.solver for one in results] == SOLVERS
    assert {(one.status, one.lower, one.upper) for one in results} == {("optimal", 25, 25)}
    assert len({one.fingerprint for one in results}) == 1
    assert {one.version.split()[0].lower() for one in results} == set(SOLVERS)


def test_a_limit_leaves_a_bound_and_says_so() -> None:
    (one,) = run_race(["present-4"], ["highs"], 0.5)
    assert one.status == "bounded"
    assert one.upper is None or one.lower < one.upper
    assert 0.25 <= one.seconds < 20
    assert one.time_limit == 0.5


def test_ctrl_c_is_not_taken_for_the_best_of_a_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(run: Any) -> None:
        if len(run.problem.names) > 2:  # not the one that loads the library
            raise KeyboardInterrupt

    monkeypatch.setattr(type(solvers.find("highs")), "run", lambda self, run: stopped(run))
    with pytest.raises(KeyboardInterrupt):
        list(run_race(["aes-4"], ["highs"], 60))


def test_an_unknown_instance_is_named() -> None:
    with pytest.raises(UnknownName, match="instance 'aes-5': not known; one of aes-4, "):
        list(run_race(["aes-5"]))


def test_solvers_that_take_few_problems_are_loaded_too() -> None:
    special = [f"roundworks.prove.solvers.{name}" for name in SPECIAL]
    code = (
        "import sys; from roundworks.prove.race import load;"
        f" load(['cadical', *{list(SPECIAL)}]); print([m in sys.modules for m in {special}])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == str([True] * len(special)).split()


def test_race_rows_are_valid_and_name_their_command() -> None:
    (row,) = proving.race(["aes-4"], ["highs"], 60)
    assert row["kind"] == "solve"
    assert row["instance"] == CONTESTS["aes-4"].label
    assert row["command"] == "roundworks race --instance aes-4 --solver highs --time-limit 60"


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ["aes", "aes-128-gcm", "feistel256:2-0,1-1", "present"]
    monkeypatch.setattr(proving, "analysed", lambda: names)


def _part(seconds: float) -> proving._Part:
    return proving._Part(Run(), 30, seconds)


@pytest.mark.usefixtures("few")
def test_counts_go_by_rounds_and_one_query_is_solved_once() -> None:
    rows = [row for rows in proving._counts(_part(300), 2) for row in rows]
    results = {(r["cipher"], r["view"], r["count"], r["rounds"]): r for r in rows}
    assert len(results) == len(rows)
    for view in ("differential", "linear"):
        for name in ("aes", "aes-128-gcm"):
            assert [results[name, view, "distinct", r]["value"] for r in (1, 2)] == [1, 5]
    # No S-box twice, and one round: four names for one query, which was solved once.
    aes = [
        results[name, "linear", count, 2]
        for name in ("aes", "aes-128-gcm")
        for count in ("distinct", "executed")
    ]
    assert len({row["fingerprint"] for row in aes}) == 1
    assert sum("the same problem instance as for" not in row["method"] for row in aes) == 1
    # One S-layer feeds two branches of (2-0,1-1).
    once, executed = (
        results["feistel256:2-0,1-1", "differential", count, 2] for count in ("distinct", "executed")
    )
    assert once["fingerprint"] != executed["fingerprint"]
    assert once["value"] <= executed["value"]
    assert executed["command"].startswith("roundworks bound feistel256:2-0,1-1 --measure active-sb")
    assert " --count executed" in executed["command"]


def test_a_curve_goes_on_before_a_large_state_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first model of a large state alone took the time of all curves, which then had one round
    each."""
    monkeypatch.setattr(proving, "analysed", lambda: ["minalpher", "present"])
    results = []
    for (row,) in proving._trails(_part(300), 3):
        assert row["measure"] == "trail"
        results.append((row["cipher"], row["view"], row["rounds"], row["value"]))
        if len(results) == 2:
            break
    assert results == [("present", "differential", 1, 2), ("present", "differential", 2, 4)]


@pytest.mark.usefixtures("few")
def test_when_the_time_is_over_it_says_how_much_is_left() -> None:
    said: list[str] = []
    part = replace(_part(0), run=Run(say=said.append))
    assert list(proving._counts(part, 2)) == []
    assert said[-1] == "  time is over; 16 of 16 curves go no further"


def test_a_trail_is_plotted_with_its_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proving, "_DRAWN", (("aes", "active", 2),))
    (bound,), (drawing,) = proving._drawings(Run(), 60)
    assert bound["value"] == bound["upper"] == 5
    assert drawing["shows"] == "trail"
    assert drawing["title"] == "aes: differential trail over 2 rounds"
    assert drawing["caption"].startswith("5 active S-boxes, the minimum, one solver, unconfirmed;")
    assert drawing["dot"].count("■") == 5


def test_collisions_take_their_rounds_from_the_lightest_path(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(proving, "analysed", lambda: ["aegis-128l", "aes"])
    rows = [row for rows in proving._goals(replace(_part(60), limit=0.5)) for row in rows]
    assert [(r["measure"], r["rounds"]) for r in rows] == [("collision-sboxes", 5), ("bias-sboxes", 3)]
    assert all(r["cipher"] == get_analysed("aegis-128l").name for r in rows)
