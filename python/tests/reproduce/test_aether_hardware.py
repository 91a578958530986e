"""Figure 6 from netlists: which library stands for a printed row, and what ratios are of."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from roundworks import spec
from roundworks.report.tables import said
from roundworks.reproduce import aether_claims, aether_hardware
from roundworks.reproduce.run import compare

HEADS = [column.name for column in spec.paper("aether").table("figure-6").columns]


def entry(library: str, row: str, area: float, energy: float) -> SimpleNamespace:
    """A netlist that is best for latency, with round numbers: 1 in every column but these."""
    values = dict.fromkeys(HEADS, 1.0) | {"area": area, "energy, long": energy}
    return SimpleNamespace(
        library=library, printed_row=row, goal="latency", values=values, name=row, made="made"
    )


def ciphers(*entries: SimpleNamespace) -> Any:
    libraries = list(dict.fromkeys(e.library for e in entries))
    return SimpleNamespace(entries=entries, libraries=libraries)


def verdicts(found: Any) -> dict[tuple[str, str], tuple[str, str | None, str | None]]:
    """(row, column) -> the verdict in words, the library, the row that it is divided by."""
    paper = spec.paper("aether")
    rows = compare(paper, paper.table("figure-6"), list(aether_hardware.cipher_cells(found, "mine")), "made")
    return {(r.row, r.column): (said(r), r.platform, r.against) for r in rows}


def test_a_row_is_compared_by_its_ratio_to_aether() -> None:
    """Printed: 10504 and 7789 um2, a ratio of 0.7415."""
    cells = verdicts(ciphers(entry("mine", "AETHER", 1000, 1), entry("mine", "Ascon-128a", 741.5, 1)))
    assert cells["Ascon-128a", "area"] == ("same within 10 %", "mine", "AETHER")
    # Of AETHER itself a library says nothing about another; cycles are of none.
    assert cells["AETHER", "area"] == ("not comparable", "mine", None)
    assert cells["AETHER", "cycles, long"] == ("differs: 0.0003 x", "mine", None)
    planted = verdicts(ciphers(entry("mine", "AETHER", 1000, 1), entry("mine", "Ascon-128a", 1483, 1)))
    assert planted["Ascon-128a", "area"] == ("differs: 2 x", "mine", "AETHER")
    # Gate equivalents depend on the library as well.
    assert cells["Ascon-128a", "gate count"][2] == "AETHER"
    assert cells["AETHER", "gate count"] == ("not comparable", "mine", None)
    # Of the netlist that is best for latency, energies are not taken.
    assert ("AETHER", "energy, long") not in cells


def test_what_the_library_lacks_is_of_the_one_with_most_rows() -> None:
    """Ratios are to the AETHER of the same library: 2000 to 1197 is the printed 17520 to 10504."""
    compared = ciphers(
        entry("mine", "AETHER", 1000, 1),
        entry("few", "AEGIS-256, DSE", 1, 1),
        entry("far", "AETHER", 1199.1, 1),
        entry("far", "AEGIS-256, DSE", 2000, 1),
    )
    assert verdicts(compared)["AEGIS-256, DSE", "area"] == ("same within 10 %", "far", "AETHER")
    # Without AETHER there is nothing to divide by, so a library of that row alone does not stand for it.
    assert ("AEGIS-256, DSE", "area") not in verdicts(ciphers(*compared.entries[:2]))


def test_what_synthesis_gives_is_estimated_and_what_was_counted_is_measured() -> None:
    compared = ciphers(entry("mine", "AETHER", 1000, 1))
    made = {
        ours.column: (ours.certainty, ours.reason) for ours in aether_hardware.cipher_cells(compared, "mine")
    }
    assert made["area"] == (
        "estimated",
        "estimated on mine, before layout, not on the paper's 15 nm; AETHER, made",
    )
    assert {column for column, (sure, _) in made.items() if sure == "measured"} == {
        "cycles, short",
        "cycles, long",
    }


def test_of_table_1_nothing_is_compared_and_the_slip_is_the_papers() -> None:
    slip = SimpleNamespace(latency_ps=130, wanted_ps=121.9, tbits=2.954)
    compared = SimpleNamespace(**vars(ciphers(entry("mine", "AETHER", 1000, 1))), slip=slip)
    paper = spec.paper("aether")
    rows = compare(paper, paper.table("1"), list(aether_hardware.table_1(compared, "mine")), "made")
    cells = {r.column: (said(r), r.ratio) for r in rows}
    assert cells["area"] == cells["latency"] == cells["gate count"] == ("not comparable", None)
    assert cells["throughput"] == ("refuted: 2.95 follows", None)
    (reason,) = (r.reason for r in rows if r.column == "throughput")
    assert reason == "384 bits a round in the printed 130 ps; the printed rate would need 121.9 ps"


# The tests of the audit run the same forgery.
@pytest.mark.long
def test_the_forgery_is_run() -> None:
    forged = aether_claims.forgery()
    assert (forged.value, forged.status) == (0, None) and "Accepted after one query" in forged.reason


def test_without_a_forgery_the_claim_is_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(aether_claims, "audit", lambda cipher: [])
    assert (aether_claims.forgery().value, aether_claims.forgery().status) == (None, "open")
