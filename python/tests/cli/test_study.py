"""`roundworks study` and `roundworks results`: what ledgers and rows say, as a person reads it."""

from __future__ import annotations

import json
from pathlib import Path

import duckdb
import pytest


def test_status_and_sql_over_a_study(run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    assert run("study", "status").stdout == "no study has a ledger yet\n"
    ledger, parquet = str(tmp_path / "l.sqlite"), tmp_path / "units.parquet"
    search = ("search", "--words", "6", "--inputs", "2", "--active", "8")
    assert run(*search).returncode == 0
    (line,) = run("study", "status").stdout.splitlines()[1:]
    assert (
        line.startswith("search --words 6 --inputs 2 --active 8 ") and "found 54" in line and "done" in line
    )
    assert run(*search, "--ledger", ledger).returncode == 0
    (status,) = map(json.loads, run("study", "status", "--ledger", ledger, "--json").stdout.splitlines())
    assert (status["units"], status["done"], status["failed"], status["left"]) == (1, 1, 0, 0.0)
    done = run("results", "SELECT words, found FROM search", "--json")
    assert [json.loads(line) for line in done.stdout.splitlines()] == [{"words": 6, "found": 54}] * 2
    done = run("results", "SELECT kind, words, found, command FROM unit_rows", "--output", str(parquet))
    assert done.returncode == 0 and parquet.read_bytes().startswith(b"PAR1")
    done = run("results", f"SELECT sum(found)::INT AS n FROM '{parquet}'", "--json")
    assert json.loads(done.stdout) == {"n": 54}
    done = run("results", "SELECT state, count(*) AS n FROM units GROUP BY ALL")
    assert done.stdout.split() == ["state", "n", "done", "1"]
    assert run("results", "SELECT count(*) FROM audit").stdout.split()[-1] == "0"


def test_errors_are_one_line(run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    for words, said in (
        (
            ("results", "SELECT * FROM nothing"),
            "query: Catalog Error: Table with name nothing does not exist!",
        ),
        (("results", "SELECT"), "query: Parser Error: "),
        (
            ("results", "SELECT 1", "--output", "x.txt"),
            "x.txt: want a name that ends in .parquet, .csv or .json",
        ),
        (("study", "status", "--ledger", str(Path(__file__))), "not a ledger; name another file"),
        (
            ("search", "--words", "4", "--inputs", "1", "--cluster", "x"),
            "--cluster: want tcp://HOST:PORT, local:N,",
        ),
    ):
        done = run(*words)
        assert done.returncode == 2 and done.stderr.count("\n") == 1 and said in done.stderr, done.stderr
    tables = run("results").stdout.split()
    assert {"search", "bound", "studies", "units", "unit_rows"} <= set(tables)
    listed = [json.loads(line) for line in run("results", "--json").stdout.splitlines()]
    assert listed == [{"table": name} for name in tables]


def test_an_error_that_duckdb_loses_is_found_apart(run, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    def lost(**_: object) -> None:
        raise SystemError("the exception could not be translated")

    monkeypatch.setattr(duckdb, "connect", lost)
    done = run("results", "SELECT * FROM nothing")
    assert (done.returncode, done.stderr.splitlines()) == (
        2,
        ["roundworks: error: query: Catalog Error: Table with name nothing does not exist!"],
    )
    assert run("results", "SELECT 1 AS one", "--json").stdout == '{"one": 1}\n'
