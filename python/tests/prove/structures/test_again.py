"""Bounds along paths, shown again by a solver to which nothing of the first one is known."""

from __future__ import annotations

import pytest

from roundworks.errors import RoundworksError
from roundworks.prove.structures import again
from roundworks.prove.structures.again import shown_again
from roundworks.prove.structures.deepening import deepen, query
from roundworks.prove.structures.facts import Fact, Facts
from roundworks.prove.structures.feistel import VIEWS, View, structure
from roundworks.prove.structures.paths import Path, Windows

NEED, ROUNDS, NAME = 12, 3, "2-0,1-1"


def deepened(view: View) -> Facts:
    facts = Facts(NEED, "distinct")
    list(deepen(facts, NAME, view, ROUNDS, 3600))
    return facts


def whole(rounds: int, most: int, path: Path | None = None) -> Fact:
    return Fact(NAME, "linear", rounds, most, False, None, "A 1", 1.0, 0.1, path)


@pytest.mark.parametrize("view", VIEWS)
def test_another_solver_comes_as_far(view: View, monkeypatch: pytest.MonkeyPatch) -> None:
    known = deepened(view)
    lower = known.lower(NAME, view, ROUNDS)
    wanted = {rounds: lower[rounds] for rounds in range(1, ROUNDS + 1) if lower[rounds]}
    begun: list[tuple[Path, int]] = []

    def heard(
        facts: Facts, windows: Windows, name: str, path: Path, most: int, limit: float, minimum: bool
    ) -> bool:
        begun.append((path, most))
        return query(facts, windows, name, path, most, limit, minimum)

    monkeypatch.setattr(again, "query", heard)
    facts = Facts(NEED, "distinct", solver="kissat")
    shown = list(shown_again(known, facts, NAME, view, wanted, 3600))
    assert {fact.rounds: fact.most + 1 for fact in shown}.items() <= wanted.items()
    assert facts.lower(NAME, view, ROUNDS) == lower
    assert all(fact.solver.startswith("Kissat") and fact.light is False for fact in facts.about(NAME, view))
    # No window is decided twice, and none that the bounds do not need: there are fewer than at first.
    assert len(set(begun)) == len(begun) <= len([f for f in known.about(NAME, view) if f.path])
    # What is shown is not shown again.
    assert not list(shown_again(known, facts, NAME, view, wanted, 3600))


def test_what_single_paths_do_not_say_stays_open() -> None:
    known = deepened("linear")
    high = {ROUNDS: known.lower(NAME, "linear", ROUNDS)[ROUNDS] + NEED}
    known.keep(whole(ROUNDS, high[ROUNDS] - 1))
    assert not list(shown_again(known, Facts(NEED, "distinct", solver="kissat"), NAME, "linear", high, 3600))
    low = {ROUNDS: known.lower(NAME, "linear", ROUNDS)[ROUNDS]}
    assert not list(shown_again(known, Facts(NEED, "distinct", solver="kissat"), NAME, "linear", low, 0.0))


def test_a_contradiction_is_an_error_with_both_values() -> None:
    known = deepened("linear")
    windows, minimum = known.windows(NAME, "linear"), known.lower(NAME, "linear", 1)[1] + 5
    for path in windows.open(1, minimum):
        known.keep(whole(1, minimum - 1, path))
    known.keep(whole(1, minimum - 1))
    facts = Facts(NEED, "distinct", solver="kissat")
    with pytest.raises(
        RoundworksError,
        match=r"2-0,1-1: along \(.*\): at least \d+ by A 1, a trail of \d+ by Kissat .*one of the two",
    ):
        list(shown_again(known, facts, NAME, "linear", {1: minimum}, 3600))


def test_parts_add_up_and_leave_out_what_is_there() -> None:
    windows, have = (Windows(structure(NAME), "differential") for _ in range(2))
    path = next(path for path in windows.open(4, 1) if len(set(path)) > 1)
    for first in range(4):
        windows.tell(windows.window(path, first, first + 1), 1 + first)
    windows.tell(windows.window(path, 0, 2), 9)
    parts = windows.parts(path, have)
    for part in parts:
        have.tell(part, windows.minimum(part))
    assert parts and have.minimum(path) >= windows.minimum(path) and not windows.parts(path, have)
    one = next(iter(parts))
    less = Windows(structure(NAME), "differential")
    less.tell(one, windows.minimum(one))
    assert one not in windows.parts(path, less)


def test_paths_of_which_there_are_too_many_are_given_up() -> None:
    windows = Windows(structure(NAME), "linear")
    assert windows.open(4, 1)
    with pytest.raises(TimeoutError):
        windows.open(4, 1, until=0.0)
