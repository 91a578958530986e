"""The trials hold here, and each of them would count a failure."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from calls import cases
from roundworks import _native
from roundworks.cli.trials import PARTS
from roundworks.prove.solvers.second_checker import accepts
from roundworks.reproduce.run import Run
from roundworks.rows import TrialRow
from roundworks.studies import drawn_ciphers, inputs, refusals, sealed_files, trial_runs


def run_some(name: str, count: int) -> TrialRow:
    (one,) = (each for each in trial_runs.TRIALS if each.name == name)
    ((row,),) = trial_runs._run(one, count, 1, "roundworks trials", Run())
    assert isinstance(row, TrialRow) and row.tried == count
    return row


def test_the_parts_of_the_verb_are_those_there_are() -> None:
    assert trial_runs.PARTS == PARTS


def test_the_number_of_attempts_is_that_of_the_verb() -> None:
    (unit,) = trial_runs.Trials(seed=3, parts=("bounds",), attempts=1).plan()
    assert unit.command == "roundworks trials --seed 3 --attempts 1"
    ((row,),) = unit.work(Run())
    assert isinstance(row, TrialRow) and row.tried == 1


# Not of memory: it is measured, and AETHER and AEGIS-256X4 leave secrets on the stack (see the report).
NAMES = [one.name for one in trial_runs.TRIALS if one.part != "memory"]
# Of wrong inputs one kind: each attempt starts a process. Two writers take a second each.
SHORT = [
    one.name
    for one in trial_runs.TRIALS
    if one.name in NAMES
    and one.name != "two writers"
    and (one.part != "inputs" or one.name == "command line")
]


@pytest.mark.parametrize("name", cases(NAMES, short=SHORT))
def test_it_holds(name: str) -> None:
    row = run_some(name, 4)
    assert row.passed == 4 and row.failed == []


@pytest.mark.parametrize("name", ["bit flips", "truncation", "chunks"])
def test_an_opener_that_verifies_nothing_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def careless(source: Path, out: Path, **options: Any) -> int:
        return out.write_bytes(source.read_bytes())

    monkeypatch.setattr(_native, "open_file", careless)
    row = run_some(name, 7)
    assert row.passed == 0 and len(row.failed) == 5 and row.failed[0].endswith(": opened")


def test_a_traceback_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inputs, "PROGRAM", (sys.executable, "-c", "raise ValueError('x')"))
    row = run_some("command line", 2)
    assert row.passed == 0 and "ValueError: x" in row.failed[0]


def test_half_an_output_of_a_program_that_was_killed_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    careless = ("sh", "-c", "head -c 100 large > killed; sleep 9", "sh")
    monkeypatch.setattr(sealed_files, "PROGRAM", careless)
    row = run_some("kill, open", 1)
    assert row.failed == ["attempt 0: half an output"]


def test_a_program_that_hides_an_error_of_the_disk_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sealed_files, "PROGRAM", ("sh", "-c", "head -c 9 small > refused; exit 0", "sh"))
    row = run_some("disks", len(refusals.CASES))
    # Where the shell may write no output is made, and otherwise one without an error.
    assert row.passed == 0 and row.failed[0].startswith("attempt 0: full when written to")
    assert any("no error" in why for why in row.failed)


def test_half_a_file_of_two_writers_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sealed_files, "PROGRAM", ("sh", "-c", 'head -c 99 "$4".sealed > both', "sh"))
    row = run_some("two writers", 4)
    assert row.passed == 0 and row.failed[0].startswith("attempt 0: ")
    forced = ("sh", "-c", 'for last; do :; done; [ "$last" = -f ] && head -c 99 one.sealed > both', "sh")
    monkeypatch.setattr(sealed_files, "PROGRAM", forced)
    assert any(": refused: " in why for why in run_some("two writers", 4).failed)


def test_checkers_that_disagree_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trial_runs, "_accepted", lambda cnf, lrat: True)
    row = run_some("two checkers", 6)
    assert row.failed and "the first checker says True, the second False" in row.failed[0]


@pytest.mark.parametrize(
    ("proof", "verdict"),
    [
        ([ord("a"), 6, 0, 2, 4, 0], True),  # clause 3 is empty: by clauses 1 and 2
        ([ord("a"), 6, 0, 2, 0], False),  # no conflict
        ([ord("a"), 6, 0, 2, 8, 0], False),  # no clause 4
        ([ord("a"), 4, 0, 2, 4, 0], False),  # 2 is taken
        ([ord("d"), 2, 0, ord("a"), 6, 0, 2, 4, 0], False),  # clause 1 is gone
        ([ord("a"), 6, 2, 3, 0, 2, 4, 0], False),  # x and not x
        ([ord("a"), 6, 4, 0, 2, 4, 0], False),  # of a variable that is not there
        ([ord("a"), 6, 0, 3, 0], False),  # RAT
        ([ord("a"), 6, 0, 2], False),  # cut
        ([], False),
    ],
)
def test_the_second_checker(proof: list[int], verdict: bool, tmp_path: Path) -> None:
    assert accepts(1, [[1], [-1]], bytes(proof)) is verdict
    (tmp_path / "f.cnf").write_text("p cnf 1 2\n1 0\n-1 0\n")
    (tmp_path / "f.lrat").write_bytes(bytes(proof))
    assert trial_runs._accepted(tmp_path / "f.cnf", tmp_path / "f.lrat") is verdict


def test_a_bound_above_the_truth_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """One more active S-box, or a weight of one more, is contradicted by some pair."""
    honest = drawn_ciphers._bound

    def boastful(cipher: Any, measure: str, **of: Any) -> Any:
        bound = honest(cipher, measure, **of) if measure in ("active-sboxes", "trail") else None
        return bound and replace(bound, value=(bound.value or 0) + 1)

    monkeypatch.setattr(drawn_ciphers, "_bound", boastful)
    row = run_some("random ciphers", 2)
    assert row.passed < 2 and "seen" in row.failed[0]
