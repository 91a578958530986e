"""The rule by which a bound over some rounds is one over more."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from roundworks.bounds import OF_SHAPES, Bound, carried, is_at_least
from roundworks.rows import row

BEFORE = Bound(
    cipher="x",
    measure="active-sboxes",
    rounds=2,
    value=5,
    unit="active S-boxes",
    side="exact",
    certainty="two-solvers",
    method="m",
    monotone=True,
    upper=5,
    view="differential",
    count="distinct",
    solver="A, B",
)
MORE = replace(BEFORE, rounds=3, value=0, side="lower", certainty="one-solver", upper=9, solver="A")


def test_a_monotone_bound_is_carried_with_its_certainty() -> None:
    longer = carried(MORE, BEFORE)
    assert (longer.value, longer.side, longer.certainty) == (5, "lower", "two-solvers")
    assert (longer.solver, longer.as_over, longer.upper) == ("A, B", 2, 9)
    again = carried(replace(MORE, rounds=4), longer)
    assert again.as_over == 2 and again.value == 5
    assert carried(replace(MORE, upper=5), BEFORE).side == "exact"
    # Patterns of shapes that have it are no differences that have it.
    assert carried(replace(MORE, upper=5, method=f"{OF_SHAPES}; x"), BEFORE).side == "lower"


@pytest.mark.parametrize(
    ("row", "before"),
    [
        ({}, None),
        ({}, {"monotone": False}),
        ({}, {"value": None}),
        ({}, {"side": "upper"}),
        ({"value": None}, {}),
        ({"value": 5}, {}),
        ({"side": "exact"}, {}),
        ({"upper": 4}, {}),  # of another description
    ],
)
def test_nothing_else_is_carried(row: dict[str, Any], before: dict[str, Any] | None) -> None:
    given = replace(MORE, **row)
    assert carried(given, None if before is None else replace(BEFORE, **before)) == given


def test_a_row_that_does_not_say_is_not_monotone() -> None:
    old = {name: value for name, value in BEFORE.fields.items() if name != "monotone"}
    before, more = (row("bound", command="c", **fields) for fields in (old, MORE.fields))
    assert carried(more, before) == more
    said = row("bound", command="c", **BEFORE.fields)
    assert carried(more, said).as_over == 2


def test_a_trail_alone_has_no_bound_of_its_own() -> None:
    longer = carried(replace(MORE, side="upper", value=9), BEFORE)
    assert (longer.value, longer.side, longer.upper) == (5, "lower", 9)


def test_heuristic_stays_heuristic() -> None:
    guessed = {"certainty": "heuristic"}
    for more, before in (
        (replace(MORE, upper=5, **guessed), BEFORE),
        (replace(MORE, upper=5), replace(BEFORE, **guessed)),
    ):
        longer = carried(more, before)
        assert (longer.value, longer.side, longer.certainty) == (5, "lower", "heuristic")


@pytest.mark.parametrize(
    ("changes", "number", "shown"),
    [
        ({}, 5, True),
        ({}, 6, False),
        ({"side": "lower"}, 5, True),
        ({"side": "upper"}, 5, False),
        ({"side": "lower", "certainty": "heuristic"}, 5, False),
        ({"value": None}, 99, True),  # no such path
        ({"value": None, "side": "upper"}, 1, False),  # nothing was found
        ({"value": None, "measure": "superpoly"}, 0, False),  # the polynomial 0
        ({"value": 3, "measure": "superpoly"}, 3, True),
    ],
)
def test_what_is_at_least_a_number_is_bounded_from_below(
    changes: dict[str, Any], number: float, shown: bool
) -> None:
    assert is_at_least(replace(BEFORE, **changes), number) is shown
