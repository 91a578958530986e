"""Published figures next to ours: what is the same, what differs, what nobody has computed."""

from __future__ import annotations

import re
import shlex
from dataclasses import replace
from pathlib import Path

import pytest

from made_rows import made
from roundworks import spec
from roundworks.reference import get_analysed
from roundworks.report.build import build
from roundworks.report.published import published
from roundworks.rows import BoundRow, Store


def bound(rounds: int, value: float, side: str = "exact", command: str = "roundworks bound aes") -> BoundRow:
    values = {"cipher": "aes", "measure": "active-sboxes", "rounds": rounds, "value": value, "side": side}
    values |= {
        "seconds": 1.0,
        "unit": "active S-boxes",
        "certainty": "one-solver",
        "view": "differential",
        "count": "distinct",
        "command": command,
    }
    row = made(values | {"method": "x", "witness": None, "time": "2026-11-24T10:00:00Z"}, "bound")
    assert isinstance(row, BoundRow)
    return row


@pytest.mark.parametrize(
    ("rows", "verdict", "ours"),
    [
        ([], "not computed yet", ""),
        ([bound(1, 1), bound(4, 25)], "same over 2 numbers of rounds; 12 not computed", "1, 25"),
        ([bound(1, 1), bound(2, 6)], "differs over 2 rounds", "1, 6"),
        ([bound(1, 1), bound(4, 20, "lower")], "same over 1 numbers of rounds; 13 not computed", "1, ≥ 20"),
        ([bound(1, 1), bound(4, 26, "lower")], "differs over 4 rounds", "1, ≥ 26"),
        ([bound(1, 1), bound(1, 0, "lower")], "same over 1 numbers of rounds; 13 not computed", "1"),
        ([bound(15, 81)], "not computed yet", ""),
        (
            [bound(2, 20, command="roundworks bound aes --where 'S0=****************'")],
            "not computed yet",
            "",
        ),
    ],
)
def test_verdicts(rows: list[BoundRow], verdict: str, ours: str) -> None:
    line = next(line for line in published(rows) if line.description == "aes")
    assert (line.verdict, line.ours) == (verdict, ours)


@pytest.mark.parametrize(
    ("value", "side", "verdict"),
    [
        (-28.557, "exact", "same"),
        (-28.4, "exact", "differs"),
        (-30, "lower", "a bound on the same side of the print"),
        (-28, "lower", "a bound on the other side of the print"),
    ],
)
def test_one_value(value: float, side: str, verdict: str) -> None:
    """Rounded as the print is; -28.56 is that of 13 rounds of Simon32."""
    fields = {"cipher": "simon-32-64", "measure": "cluster", "rounds": 13, "value": value, "side": side}
    fields |= {"seconds": 1.0, "unit": "log2", "certainty": "measured", "view": "differential", "method": "x"}
    fields["command"] = """roundworks bound simon-32-64 --where S1=0040 --where "S'0=4000\""""
    row = made(fields | {"witness": None, "time": "2026-11-24T10:00:00Z"}, "bound")
    assert isinstance(row, BoundRow)
    line = next(line for line in published([row]) if "summed over trails" in line.about)
    assert line.verdict == verdict


def test_the_print_of_aether_is_its_own_and_not_ours() -> None:
    """[AETHER] prints 2^-16 for one F; that a differential has 2^-13.65 contradicts it."""
    row = {"cipher": "aether", "measure": "differential", "rounds": None, "value": -13.65, "side": "lower"}
    row |= {"unit": "log2", "certainty": "proven", "method": "x", "witness": None, "command": "x"}
    one = made(row | {"seconds": 1.0, "time": "2026-11-24T10:00:00Z"}, "bound")
    assert isinstance(one, BoundRow)
    (line,) = (line for line in published([one]) if line.description == "aether")
    printed = spec.paper("aether").table("text").value("differential probability of one F", "value")
    assert (line.printed, line.verdict) == (str(printed), "a bound on the other side of the print")


def test_rows_are_known_by_their_query() -> None:
    """Two cubes of one permutation; a superpoly that is 0 has no degree."""
    entries = [entry for entry in spec.published_reaches() if entry.description == "ascon-p"]
    options = "".join(f" --where {shlex.quote(word)}" for word in entries[0].where)
    fields = {"cipher": "ascon-p", "measure": "superpoly", "rounds": 4, "value": None, "side": "exact"}
    fields |= {"seconds": 1.0, "unit": "degree", "certainty": "one-solver", "method": "x", "witness": None}
    row = made(
        fields | {"command": f"roundworks bound ascon-p{options}", "time": "2026-11-24T10:00:00Z"}, "bound"
    )
    assert isinstance(row, BoundRow)
    lines = [
        line for line in published([row]) if line.measure == "superpoly" and line.description == "ascon-p"
    ]
    assert [line.verdict for line in lines] == ["same", "not computed yet"]
    assert lines[0].command.count("--where") == len(entries[0].where)
    lines = published([replace(row, value=3.0)])
    assert next(line for line in lines if line.measure == "superpoly").verdict == "not computed yet"


def test_a_reach_is_of_its_view() -> None:
    """Correlation zero of CRAFT: a row of differences says nothing of it."""
    fields = {"cipher": "craft", "measure": "impossible", "rounds": 13, "value": 4.0, "side": "lower"}
    fields |= {"seconds": 1.0, "unit": "pairs", "certainty": "proven", "method": "x", "witness": None}
    for view, verdict in (("differential", "not computed yet"), ("linear", "same")):
        row = made(fields | {"view": view, "time": "2026-11-24T10:00:00Z"}, "bound")
        assert isinstance(row, BoundRow)
        line = next(line for line in published([row]) if line.description == "craft")
        assert line.verdict == verdict


def test_the_weakest_row_counts() -> None:
    lines = published([bound(1, 1), replace(bound(2, 5), certainty="proven")])
    line = next(line for line in lines if line.description == "aes")
    assert line.certainty == "one solver, unconfirmed"


@pytest.mark.parametrize(
    ("others", "certainty"),
    [
        ([], "one solver, unconfirmed"),
        ([{}], "one solver, unconfirmed"),  # the same solver again
        ([{"solver": "Kissat 4"}], "agreed by two solvers"),
        ([{"solver": "Kissat 4", "value": 0.0, "side": "lower"}], "one solver, unconfirmed"),  # not as far
        ([{"solver": "Kissat 4", "fingerprint": "b" * 64}], "one solver, unconfirmed"),  # another problem
    ],
)
def test_another_row_may_confirm_it(others: list[dict[str, object]], certainty: str) -> None:
    first = replace(bound(1, 1), solver="CaDiCaL 1", fingerprint="a" * 64)
    rows = [*(replace(first, **other) for other in others), first]
    line = next(line for line in published(rows) if line.description == "aes")
    assert line.certainty == certainty


@pytest.mark.parametrize(
    ("description", "measure", "source", "confirmed"),
    [
        ("speck-32-64", "trail", "[BIRYUKOV-SPECK, table 4]", True),
        ("skinny-64-192", "related-key-sboxes", "[SKINNY], as quoted by skinny/differential.py of", True),
        ("present", "impossible-bits", "[TEZCAN], not confirmed against its source", False),
    ],
)
def test_the_source_says_what_confirms_it(
    description: str, measure: str, source: str, confirmed: bool
) -> None:
    line = next(line for line in published([]) if (line.description, line.measure) == (description, measure))
    assert line.source.startswith(source)
    assert line.confirmed == confirmed


def test_every_figure_is_of_the_catalogue() -> None:
    for entry in (*spec.published_curves(), *spec.published_figures(), *spec.published_reaches()):
        assert get_analysed(entry.description)


def test_a_minimum_of_patterns_is_what_is_printed() -> None:
    row = bound(4, 25, "lower")
    line = next(line for line in published([replace(row, upper=25)]) if line.description == "aes")
    assert (line.verdict, line.ours) == ("same over 1 numbers of rounds; 13 not computed", "≥ 25")


def test_what_has_no_print_stands_with_its_rows() -> None:
    row = replace(bound(2, 0.25), certainty="measured", measure="avalanche")
    lines = [line for line in published([row]) if not line.source]
    line = next(line for line in lines if line.description == "aes")
    assert (line.ours, line.verdict, line.certainty) == ("0.25 over 2", "nothing to compare with", "measured")
    assert all(line.verdict == "not computed yet" for line in lines if line.description != "aes")


@pytest.mark.parametrize(
    ("value", "verdict"),
    [(1.415037499278844, "same over 1 numbers of rounds"), (1.4, "differs over 1 rounds")],
)
def test_a_print_has_fewer_digits(monkeypatch: pytest.MonkeyPatch, value: float, verdict: str) -> None:
    curve = replace(spec.published_curves()[0], description="gift-64", measure="trail", values=(1.415,))
    monkeypatch.setattr(spec, "published_curves", lambda: (curve,))
    row = replace(bound(1, 0), cipher="gift-64", measure="trail", value=value, upper=value)
    line = next(line for line in published([row]) if line.measure == "trail")
    assert line.verdict == verdict


def test_other_tools_stand_next_to_ours(tmp_path: Path) -> None:
    """What is missed says so, and of several runs of a tool the newest counts."""
    fields = {
        "kind": "comparison",
        "seconds": 5.0,
        "command": "c",
        "tool": "OCP",
        "version": "0123456789ab",
        "their_solver": "SAT",
        "cipher": "aes",
        "measure": "active-sboxes",
        "view": "differential",
        "rounds": 4,
        "limit": 300,
        "their_value": 25,
        "their_seconds": 4.0,
        "their_cpu_seconds": 4.0,
        "our_value": 25,
        "our_seconds": 1.0,
        "our_cpu_seconds": 1.0,
        "side": "exact",
        "certainty": "one-solver",
        "agreement": "same",
    }
    old = {"run": "old", "time": "2026-11-20T10:00:00Z", "cipher": "present"}
    new = {"run": "new", "time": "2026-11-21T10:00:00Z"}
    wrong = {"our_value": 24, "agreement": "differ"}
    Store(tmp_path / "rows").append(
        [fields | old, fields | new, fields | new | {"rounds": 3, "our_seconds": 2.0}, fields | new | wrong]
    )
    build(Store(tmp_path / "rows"), tmp_path / "site")
    page = (tmp_path / "site" / "published.html").read_text()
    table = page[page.index('data-table="other-tools"') :].partition("</table>")[0]
    verdicts = re.findall(r'<td class="state-(\w+)">([^<]+)</td>', table)
    assert verdicts == [("met", "met"), ("missed", "missed"), ("missed", "the values differ")]
    assert "theirs 25, ours 24" in table and "present" not in table
    assert "1 of 3 queries meet it" in page
