"""Rounds for a number of active S-boxes, and the ranking of what has them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from roundworks.cli.main import cli
from roundworks.prove.solvers.problem import Problem
from roundworks.prove.solvers.solve import Solution, solve
from roundworks.prove.structures import feistel
from roundworks.prove.structures.facts import Facts
from roundworks.prove.structures.rounds import count_up
from roundworks.reproduce.minima import NEED as GOALS
from roundworks.studies import faster, rounds, runner
from roundworks.studies.pools import Here
from solving import unsolved

NEED = 7
LONG = 3600.0  # seconds for a query that must be decided, however slow the machine


@pytest.mark.parametrize(
    ("name", "view"),
    [
        ("1-0,1-0", "differential"),
        ("1-0,1-0", "linear"),
        # Four times the queries of the same kind.
        *(pytest.param("2-0,1-1", view, marks=pytest.mark.long) for view in feistel.VIEWS),
    ],
)
def test_the_fewest_rounds(name: str, view: feistel.View) -> None:
    structure_ = feistel.structure(name)
    minima = [
        int(solve(feistel.model(structure_, rounds, view, "distinct"), "highs", LONG).lower)
        for rounds in range(1, 4)
    ]
    want = next((r for r, minimum in enumerate(minima, 1) if minimum >= NEED), None)
    facts = Facts(NEED, "distinct")
    every = list(count_up(facts, name, view, 3, LONG))
    assert every == facts.new and facts.reached(name, view, 3) == want
    assert facts.below(name, view) == (3 if want is None else want - 1)
    # A later run decides only what is missing.
    assert not list(count_up(Facts(NEED, "distinct", every), name, view, 3, LONG))


def bounded(**changes: Any) -> Callable[..., Solution]:
    """A solver without a result."""

    def solver(problem: Problem, *_: object, **__: object) -> Solution:
        return unsolved(**changes)

    return solver


def test_ctrl_c_is_not_taken_for_a_result(monkeypatch: pytest.MonkeyPatch) -> None:
    facts = Facts(NEED, "distinct")
    monkeypatch.setattr(feistel, "solve", bounded(interrupted=True))
    with pytest.raises(KeyboardInterrupt):
        list(count_up(facts, "2-0,1-1", "linear", 5, 60))
    assert not facts.new


def test_what_was_open_is_tried_again_with_more_time(monkeypatch: pytest.MonkeyPatch) -> None:
    facts, query = Facts(NEED, "distinct"), ("2-0,1-1", "linear", 5)
    with monkeypatch.context() as patched:
        patched.setattr(feistel, "solve", bounded())
        open_ = list(count_up(facts, *query, 20))
    assert [(fact.rounds, fact.light, fact.limit) for fact in open_] == [(5, None, 10), (1, None, 20)]
    again = Facts(NEED, "distinct", open_)
    assert not list(count_up(again, *query, 20))
    assert list(count_up(again, *query, LONG)) and again.reached("2-0,1-1", "linear", 5)


@pytest.mark.long  # that of four words takes the same way with fewer queries
def test_the_verb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounds, "CODES", ("2-0", "1-0"))
    monkeypatch.setitem(GOALS, 2, NEED)
    monkeypatch.setitem(rounds.MOST, 256, 5)
    monkeypatch.setattr(runner, "opened", lambda where, units, run: Here(run))  # where the changes are
    done = CliRunner().invoke(
        cli,
        [
            "fastest",
            "--ledger",
            str(tmp_path / "l"),
            "--samples",
            "1",
            "--no-store",
            "--json",
            "--time-limit",
            str(LONG),
        ],
        catch_exceptions=False,
    )
    assert done.exit_code == 0
    rows = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    speeds = [row for row in rows if row["kind"] == "permutation"]
    reached = {
        (row["cipher"], row["rounds"], row["view"])
        for row in rows
        if row["kind"] == "bound" and row["side"] != "upper" and row["value"] >= NEED
    }
    at_need = {(cipher, at) for cipher, at, _ in reached}
    assert len({row["run"] for row in speeds}) == 1
    assert {row["way"] for row in speeds} == {"chain", "many"}
    assert "feistel256:1-0,2-0" in {row["permutation"] for row in speeds}  # at the paper's rounds
    needed = [r for r in speeds if (r["permutation"].rpartition(":")[0], r["rounds"]) in at_need]
    for row in needed:
        name, _, at_rounds = row["permutation"].rpartition(":")
        assert float(at_rounds) == row["rounds"]
        # In one of the views it is the fewest; in the other it may have been reached before.
        views = {view for cipher, at, view in reached if cipher == name and at <= row["rounds"]}
        assert views == set(feistel.VIEWS), row["permutation"]
    assert {"simpira-2", "areion-256", "haraka-256", "pholkos-256"} <= {
        r["permutation"].rpartition(":")[0] for r in needed
    }


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--all",), "--all: of 512 bits alone; want --bits 512 with it"),
        (("--bits", "512", "--all-limit", "9"), "--all-limit: of the queries of --all"),
    ],
)
def test_an_option_that_would_do_nothing_is_refused(words: tuple[str, ...], said: str) -> None:
    done = CliRunner().invoke(cli, ["fastest", *words])
    assert done.exit_code == 2 and said in done.output


def test_a_bracket_has_a_lower_end_to_time() -> None:
    assert rounds.RankedDesign("areion-512", None, 12).earliest == "areion-512:12"
    assert rounds.RankedDesign("areion-512", 21, 12).earliest == "areion-512:12"
    assert rounds.RankedDesign("simpira-4", 10, 10).earliest is None


def test_the_verb_of_four_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    need, ledger = 6, tmp_path / "l"
    monkeypatch.setitem(GOALS, 4, need)
    monkeypatch.setitem(rounds.MOST, 512, 4)
    monkeypatch.setattr(runner, "opened", lambda where, units, run: Here(run))  # where the changes are
    monkeypatch.setitem(rounds._SPN, 512, ())
    monkeypatch.setattr(faster.worth, "names", lambda: iter(["1-1,1-1,1-1,1-1"]))
    arguments = [
        "fastest",
        "--bits",
        "512",
        "--all",
        "--ledger",
        str(ledger),
        "--samples",
        "1",
        "--no-store",
        "--time-limit",
        str(LONG),
        "--all-limit",
        str(LONG),
    ]
    done = CliRunner().invoke(cli, [*arguments, "--json"], catch_exceptions=False)
    assert done.exit_code == 0
    rows = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    bounds = [row for row in rows if row["kind"] == "bound"]
    timed = {row["permutation"] for row in rows if row["kind"] == "permutation"}
    assert {row["cipher"] for row in bounds} >= {"areion-512", "simpira-4"}
    for name in ("feistel512:2-0,2-2,2-0,2-2", "simpira-4"):
        reached = [
            min(
                r["rounds"]
                for r in bounds
                if (r["cipher"], r["view"]) == (name, view) and r["value"] >= need and r["side"] != "upper"
            )
            for view in feistel.VIEWS
        ]
        assert f"{name}:{max(reached)}" in timed
    assert "feistel512:2-0,2-2,2-0,2-2" in timed  # at the paper's rounds
    again = CliRunner().invoke(cli, arguments, catch_exceptions=False)
    assert "a trail of" not in again.stderr  # all of it is in the ledger
    assert "of 1 configurations with the paper's shuffle" in again.stdout
