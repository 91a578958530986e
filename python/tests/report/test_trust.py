"""The page of trust: what is counted, and that what is missing is named."""

from __future__ import annotations

import re

import pytest

from places import ROOT
from roundworks.bench.fuzz import fuzz_row
from roundworks.errors import RoundworksError
from roundworks.report import trust
from roundworks.rows import BoundRow, Row

LOG = """INFO: seed corpus: files: 211
#2048	pulse  cov: 5100 ft: 9000 corp: 200/40Kb lim: 600 exec/s: 1024 rss: 80Mb
#4100	NEW    cov: 5301 ft: 9120 corp: 240/51Kb lim: 600 exec/s: 1100 rss: 80Mb L: 9/600 MS: 1 EraseBytes-
Done 4321 runs in 61 second(s)
stat::number_of_executed_units: 4321
"""


def test_the_row_of_a_fuzz_run() -> None:
    row = fuzz_row("seal", 60, LOG, [], "none")
    assert (row.executions, row.edges, row.inputs, row.seconds) == (4321, 5301, 240, 61.0)
    assert row.command == "make fuzz FUZZ_SECONDS=60"
    crashed = fuzz_row(
        "seal", 60, LOG.replace("Done 4321 runs in 61 second(s)\n", ""), ["crash-ab"], "address"
    )
    assert crashed.seconds == 60.0 and crashed.findings == ["crash-ab"]
    with pytest.raises(RoundworksError, match="open: its log has no number of executions"):
        fuzz_row("open", 60, "", [], "none")


def test_what_was_found_is_counted_and_named() -> None:
    runs = [fuzz_row("seal", 60, LOG, found, "none") for found in ([], ["crash-ab"])]
    (line,) = trust._fuzz(runs)
    assert (line.passed, line.tried, line.is_met) == (8641, 8642, False)
    assert line.shows.endswith("seal 8,642; seal: crash-ab") and line.command == "make fuzz"


def bound(key: tuple[str, int, str], **more: object) -> Row:
    fields: dict[str, object] = {
        "cipher": key[0],
        "rounds": key[1],
        "count": key[2],
        "measure": "active-sboxes",
        "view": "differential",
        "value": 43,
        "unit": "active S-boxes",
        "side": "lower",
        "certainty": "proven",
        "method": "a test",
        "witness": None,
    }
    return BoundRow.make(seconds=1.0, command="roundworks bound", **fields | more)


def test_a_bound_without_a_certificate_is_named() -> None:
    whole = [bound(key) for key in trust.headline()]
    assert len(whole) == 7
    (line,) = trust._certificates(whole)
    assert (line.passed, line.tried) == (7, 8)  # no collision of AETHER among them
    for spoilt in ({"certainty": "two-solvers"}, {"side": "upper"}, {"view": "linear"}, {"rounds": 3}):
        (line,) = trust._certificates([bound(trust.headline()[0], **spoilt), *whole[1:]])
        assert line.passed == 6 and "not finished in time: aes, 4 rounds" in line.shows


def test_the_command_proves_the_bounds_that_are_shown() -> None:
    makefile = (ROOT / "Makefile").read_text()
    (listed,) = re.findall(r"^TABLE_1 := (.*)$", makefile, re.M)
    rows = {("aes", 4, "distinct")}
    for entry in listed.split():
        rounds, _, name = entry.partition(":")
        rows.add((f"feistel256:{name}", int(rounds), "executed"))
    assert rows == set(trust.headline())
    assert "bound aes --rounds 4 --proof" in makefile
