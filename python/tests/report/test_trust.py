"""The page of trust: what is counted, and that what is missing is named."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence
from typing import Any

import pytest

from places import ROOT
from roundworks import spec
from roundworks.bench.checked import CHECKS, checked_row
from roundworks.bench.fuzz import fuzz_row
from roundworks.errors import RoundworksError
from roundworks.report import trust, trust_software
from roundworks.report.trust_hardware import hardware
from roundworks.rows import BoundRow, CodeRow, Row, SelftestRow, SimulationRow

LOG = """INFO: seed corpus: files: 211
#2048	pulse  cov: 5100 ft: 9000 corp: 200/40Kb lim: 600 exec/s: 1024 rss: 80Mb
#4100	NEW    cov: 5301 ft: 9120 corp: 240/51Kb lim: 600 exec/s: 1100 rss: 80Mb L: 9/600 MS: 1 EraseBytes-
Done 4321 runs in 61 second(s)
stat::number_of_executed_units: 4321
"""


def test_the_row_of_a_fuzz_run() -> None:
    row = fuzz_row("seal", 60, 59.5, LOG, [], "none")
    assert (row.executions, row.edges, row.inputs, row.seconds) == (4321, 5301, 240, 59.5)
    assert row.command == "make fuzz FUZZ_SECONDS=60"
    crashed = fuzz_row(
        "seal", 60, 59.5, LOG.replace("Done 4321 runs in 61 second(s)\n", ""), ["crash-ab"], "address"
    )
    assert crashed.seconds == 59.5 and crashed.findings == ["crash-ab"]
    with pytest.raises(RoundworksError, match="open: its log has no number of executions"):
        fuzz_row("open", 60, 59.5, "", [], "none")


def test_what_was_found_is_counted_and_named() -> None:
    runs = [fuzz_row("seal", 60, 59.5, LOG, found, "none") for found in ([], ["crash-ab"])]
    (line,) = trust._fuzz(runs)
    assert (line.passed, line.tried, line.state) == (8641, 8642, "missed")
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


def test_what_one_solver_alone_has_shown_is_counted_and_named() -> None:
    rows = [bound(("aes", rounds, "distinct")) for rounds in (1, 2)]
    rows.append(bound(("aes", 3, "distinct"), certainty="one-solver"))
    rows.append(bound(("simpira-4", 9, "distinct"), side="upper", certainty="one-solver"))
    slow = dataclasses.replace(bound(("aes", 4, "distinct"), certainty="one-solver"), seconds=601.0)
    # What five rounds have of four took as long.
    carried = dataclasses.replace(
        bound(("aes", 5, "distinct"), certainty="one-solver", as_over=4), seconds=0.0
    )
    lines = {line.claim: line for line in trust._bounds([*rows, slow, carried])}
    assert {claim: (line.passed, line.tried) for claim, line in lines.items()} == {
        "Results of solvers that are proven": (2, 5),
        "Results of solvers that are one solver, unconfirmed": (3, 5),
        "A result that took less than 10 minutes is agreed by two solvers or proven": (2, 3),
        "Trails that stand alone, without a lower bound": (1, 6),
    }
    # A share of all results is no check that could fail.
    assert [line.claim for line in lines.values() if not line.is_share] == [
        "A result that took less than 10 minutes is agreed by two solvers or proven"
    ]
    assert next(line.shows for claim, line in lines.items() if "minutes" in claim) == "1 of aes not"


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


def code(library: str, time: str, **more: object) -> CodeRow:
    fields: dict[str, object] = {
        "cipher": "aegis-128l",
        "backend": "aesni",
        "processor": "aes",
        "operation": "seal",
        "lengths": "few",
        "verdict": "proven",
        "proven": 4,
        "tried": 4,
        "instructions": 9,
        "left": 0,
        "in_registers": 0,
        "reason": "",
        "library": 64 * library,
    }
    row = CodeRow.make(seconds=1.0, command="roundworks prove", **fields | more)
    return dataclasses.replace(row, time=time)


def test_a_proof_is_shown_of_the_newest_library() -> None:
    old = code("a", "2026-01-01T00:00:00Z", left=32, lengths="edges", proven=24, tried=24)
    rows = [code("b", f"2026-01-0{day}T00:00:00Z") for day in (2, 3)]
    rows.append(code("b", "2026-01-02T00:00:00Z", operation="open"))
    rows.append(
        code("b", "2026-01-02T00:00:00Z", operation="open-many", proven=1, tried=2, verdict="differs")
    )
    rows.append(code("b", "2026-01-02T00:00:00Z", operation="refuse", proven=3))
    other = code("a", "2026-01-01T00:00:00Z", cipher="rocca-s", backend="vaes512")
    pairs, refused, many, aesni, vaes512, left, registers = trust_software.software([old, *rows, other])
    assert (refused.passed, refused.tried) == (3, 4) and "aegis-128l; for all keys" in refused.shows
    assert (many.passed, many.tried) == (1, 2) and "together, of no cipher" in many.shows
    assert pairs.passed == 1 and pairs.tried > 40
    assert "not aegis-128l on vaes512" in pairs.shows and "not aegis-128l on aesni" not in pairs.shows
    assert "of an earlier one: rocca-s on vaes512" in pairs.shows
    assert (aesni.passed, aesni.tried) == (12, 14) and "lengths: few in 4 of 4" in aesni.shows
    assert (vaes512.passed, left.passed, left.tried, registers.passed) == (4, 4, 4, 4)


def test_the_most_calls_of_one_library_are_shown() -> None:
    rows = [
        code("a", "2026-01-01T00:00:00Z", left=32, lengths="edges", proven=24, tried=24),
        code("a", "2026-01-02T00:00:00Z"),
    ]
    _, aesni, left, _ = trust_software.software(rows)
    assert (aesni.tried, left.passed) == (24, 0)
    assert left.shows == "aegis-128l, aesni, seal: 32 bytes"


def test_vectors_count_for_each_back_end_that_there_is() -> None:
    def tested(backend: str, passed: int = 3, available: bool = True) -> Row:
        fields = {"backend": backend, "available": available, "vectors": 3, "passed": passed, "of": 3}
        return SelftestRow.make(cipher="rocca-s", seconds=1.0, command="roundworks list --selftest", **fields)

    every = 2 * len(list(spec.ciphers()))
    rows = [
        tested("python"),
        tested("aesni"),
        tested("vaes512", passed=2),
        tested("vaes256", available=False),
    ]
    (line,) = trust_software.software(rows)
    assert line.passed == 2 and line.tried > every and line.state == "missed"
    assert line.shows.startswith("8 vectors, stored: ")
    assert "; failed on vaes512: rocca-s; " in line.shows
    (absent,) = (part for part in line.shows.split("; ") if part.startswith("not run on vaes256"))
    assert "rocca-s" in absent and "aegis-128l" in absent


def test_what_was_not_run_is_said() -> None:
    names = [check.name for check in CHECKS.values()]
    assert set(trust._WANTED) == set(names)
    missing = list(trust._not_run([]))
    assert [line.command for line in missing] == [
        *(check.command for check in CHECKS.values()),
        "make fuzz FUZZ_TOOLCHAIN=nightly",
    ]
    assert {line.shows for line in missing} == {"not run: no row is stored"}
    log = "wheel: two builds are the same, 4 bytes, without a path of this machine"
    run = [checked_row("wheel", log, 1.0, 0), fuzz_row("seal", 60, 59.5, LOG, [], "address")]
    assert [line.group for line in trust._not_run(run)] == ["Constant time", "Constant time", "Supply"]
    (line,) = trust._trials(run)
    assert (line.group, line.passed, line.shows) == ("Supply", 1, "the wheel built twice")


def test_times_have_a_line_for_each_machine() -> None:
    log = "rocca-s/aesni, tag of 32: sealing, fixed or random key and data: t = +0.3, +0.1 ticks: none found, 1 would have been"
    first = checked_row("timing", log, 1.0, 0)
    second = dataclasses.replace(first, machine="another")
    lines = list(trust._trials([first, second, first]))
    assert [(line.group, line.passed) for line in lines] == [("Constant time", 1)] * 2
    assert [line.shows for line in lines] == [f"times compared, {first.machine}", "times compared, another"]


def simulated(
    core: str, driver: str, tests: dict[str, str], reports: Sequence[dict[str, Any]] = ()
) -> SimulationRow:
    """``tests``: name -> what is said of one that passed."""
    return SimulationRow.make(
        command=f"roundworks sim {core} --driver {driver}",
        core=core,
        parameters={},
        source_sha256="0" * 64,
        driver=driver,
        simulator="verilator",
        version="5",
        netlist=None,
        seed=1,
        tests=[{"name": name, "passed": True, "message": said} for name, said in tests.items()],
        reports=list(reports),
        seconds=1.0,
    )


def test_blocks_that_other_parameters_reach_are_not_counted() -> None:
    def driven(core: str, missed: list[str], reached: list[str], toggles: int) -> SimulationRow:
        report = {
            "kind": "coverage",
            "lines": len(missed) + len(reached),
            "lines_hit": len(reached),
            "toggles": 100,
            "toggles_hit": toggles,
            "missed": [f"{place} (1)" for place in missed],
            "lines_missed": missed,
            "lines_reached": reached,
            "constant": 7,
        }
        return simulated(core, "cpp", {"messages": ""}, [report])

    rows = [
        driven("one", ["a.sv:1 if", "a.sv:2 if"], ["a.sv:3 if"], 96),
        driven("two", ["a.sv:2 if"], ["a.sv:1 if", "a.sv:3 if"], 94),
    ]
    lines, toggles = [one for one in hardware(rows) if "reaches 95%" in one.claim]
    # The first is reached by the second core; nothing reaches the block of line 2.
    assert (lines.passed, lines.tried) == (0, 2) and "fewest in one, 50.0%" in lines.shows
    assert (toggles.passed, toggles.tried) == (1, 2) and "fewest in two, 94.0%" in toggles.shows


def test_a_proof_counts_once_whichever_machines_found_it() -> None:
    def proven(machine: str, time: str, late: str) -> SimulationRow:
        row = simulated("one", "control", {"early": "", "late": late})
        return dataclasses.replace(row, machine=machine, time=time)

    bounded = proven("first", "2026-11-22T10:00:00Z", "to cycle 9 only")
    (line,) = hardware([bounded])
    assert (line.passed, line.tried) == (1, 2)
    (line,) = hardware([bounded, proven("second", "2026-11-23T10:00:00Z", "")])
    assert (line.passed, line.tried) == (2, 2)
