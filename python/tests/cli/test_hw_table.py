"""`roundworks hw-table`: the rows of a table, made once."""

from __future__ import annotations

import json

import pytest

from hardware_tools import need
from power_circuits import osu018


@pytest.mark.long
def test_every_form_is_estimated_once(run) -> None:  # type: ignore[no-untyped-def]
    need("iverilog", "sta", "pyosys")
    osu018()
    words = ("hw-table", "3", "--core", "sbox-gleeok-chi3", "--model", "zero-delay", "--json")
    done = run(*words)
    assert done.returncode == 0, done.stderr
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    netlists = {r["netlist_sha256"] for r in rows if r["kind"] == "synthesis"}
    estimated = [r for r in rows if r["kind"] == "power"]
    assert {r["parameters"]["Form"] for r in rows} == {"table", "dse"}
    assert {r["netlist_sha256"] for r in estimated} == netlists
    assert all(r["clock_mhz"] == 100 and r["energy_pj"] > 0 for r in estimated)
    assert all(r["command"].startswith("roundworks hw-table 3 --core sbox-gleeok") for r in rows)
    again = run(*words)
    assert (again.returncode, again.stdout) == (0, "")
    # Another model is another estimate of the same netlists.
    other = run(*words[:-2], "glitch", "--json", "--style", "table")
    kinds = {json.loads(line)["kind"] for line in other.stdout.splitlines()}
    assert kinds == {"power"}


def test_what_is_not_in_the_table_is_named(run) -> None:  # type: ignore[no-untyped-def]
    osu018()
    done = run("hw-table", "4", "--core", "sbox-aes")
    assert done.returncode == 2
    assert "table 4: part or cipher 'sbox-aes': not in it; one of matrix-aes, " in done.stderr
    done = run("hw-table", "figure-6", "--core", "aegis256", "--style", "table")
    assert done.returncode == 2
    assert "table figure-6: style 'table': not of these cores; one of boyar-peralta, " in done.stderr


def test_what_was_measured_can_stand_in_the_papers_cells(run) -> None:  # type: ignore[no-untyped-def]
    need("iverilog", "sta", "pyosys")
    osu018()
    words = ("hw-table", "3", "--core", "sbox-gleeok-chi3", "--style", "table")
    done = run(*words, "--model", "zero-delay", "--compare", "--json")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    cells = {r["column"]: r for r in rows if r["kind"] == "reproduction"}
    made = [r for r in rows if r["kind"] == "synthesis"]
    assert len(cells) == 6 and {c["platform"] for c in cells.values()} == {"osu018_stdcells"}
    # Without the row that others are divided by, 180 nm say nothing of 15 nm.
    assert {(c["status"], c.get("ratio")) for c in cells.values()} == {("not-comparable", None)}
    assert cells["delay (L)"]["row"] == "Gleeok (chi3)"
    minimum = min(r["period_ps"] for r in made)
    assert cells["delay (L)"]["value"] == float(f"{minimum:.5g}")
    # In a terminal: the part, and that the others are not there yet.
    text = run(*words, "--model", "zero-delay").stdout
    assert "table 3 on osu018_stdcells" in text and "Gleeok (chi3)" in text
    assert "open: Orthros has the minimum delay" in text


def test_what_is_not_stored_is_shown(run) -> None:  # type: ignore[no-untyped-def]
    need("iverilog", "sta", "pyosys")
    osu018()
    words = ("hw-table", "3", "--core", "sbox-gleeok-chi3", "--style", "table", "--no-store")
    done = run(*words, "--model", "zero-delay", "--compare")
    assert done.returncode == 0, done.stderr
    assert "Gleeok (chi3)" in done.stdout
    rows = [
        json.loads(line)
        for line in run(*words, "--model", "zero-delay", "--compare", "--json").stdout.splitlines()
    ]
    assert {r["kind"] for r in rows} == {"synthesis", "power", "reproduction"}
