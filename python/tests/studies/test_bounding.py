"""Several bounds as a study: those that each gives alone, on whatever runs them."""

from __future__ import annotations

import json


def test_several_views_are_the_bounds_of_each_alone(run) -> None:  # type: ignore[no-untyped-def]
    alone = []
    for view in ("linear", "differential"):
        done = run("bound", "aes", "--rounds", "3", "--view", view, "--json", "--no-store")
        alone += [json.loads(line) for line in done.stdout.splitlines()]
    words = (
        "bound",
        "aes",
        "--rounds",
        "3",
        "--view",
        "linear",
        "--view",
        "differential",
        "--json",
        "--no-store",
    )
    both = run(*words)
    assert both.returncode == 0, both.stderr
    rows = [json.loads(line) for line in both.stdout.splitlines()]
    facts = ("view", "rounds", "value", "side", "certainty", "fingerprint", "command")
    assert [[r[f] for f in facts] for r in rows] == [[r[f] for f in facts] for r in alone]
    again = run(*words, "--at-least", "10")
    assert again.returncode == 1 and "2 of 2 were in the ledger" in again.stderr
    assert run(*words, "--at-least", "9").returncode == 0


def test_what_a_study_cannot_do_is_refused(run, tmp_path) -> None:  # type: ignore[no-untyped-def]
    done = run("bound", "aes", "--view", "linear", "--view", "differential", "--proof", str(tmp_path / "p"))
    assert done.returncode == 2 and "--proof, --dot: of one bound in this process" in done.stderr
    done = run("bound", "aes", "--measure", "trail", "--measure", "integral", "--view", "linear")
    assert done.returncode == 2 and "view: does nothing for integral" in done.stderr
