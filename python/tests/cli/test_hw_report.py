"""`roundworks hw-report`: the hardware rows in a terminal, and drawings of cores."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from hardware_samples import hardware_rows, sha256
from places import TINY_CORES
from report_rows import MACHINE
from roundworks.report.hardware_pipelines import pipelines
from roundworks.rows import Store


@pytest.fixture
def stored(tmp_path: Path) -> Path:
    store(tmp_path, hardware_rows())
    return tmp_path


def store(folder: Path, rows: Iterable[dict[str, Any]]) -> None:
    common = {"machine": MACHINE, "commit": "0123456789ab", "seconds": 1.0, "time": "2026-11-22T10:00:00Z"}
    Store(folder / "results").append([{**common, **row} for row in rows])


def test_the_tables_are_those_of_the_rows(stored: Path, run) -> None:  # type: ignore[no-untyped-def]
    done = run("hw-report")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    start = lines.index("Cores in alpha45, before layout")
    to2 = [line for line in lines[start:] if line.startswith("aegis128-to2")]
    assert to2[0].split()[1:] == [
        "Sbox=lut",
        "delay,",
        "area-delay",
        "sop",
        "800",
        "1,250",
        "81.6",
        "128",
        "160",
        "1.96",
        "1.57",
        "0.5",
        "2.5",
        "100",
        "0.304",
    ]
    printed = next(line for line in lines if "[AEGIS-HW] TO2, speed" in line)
    assert printed.split()[-5:] == ["0.741", "-", "233", "1,300", "1.79"]
    assert any("3 messages interleaved" in line for line in lines)
    assert "FPGAs, placed and routed" in lines and "Components in alpha45, before layout" in lines
    start = next(n for n, line in enumerate(lines) if line.startswith("Missing: "))
    assert [line.split() for line in lines[start + 1 :]] == [
        ["what", "library", "cells", "of"],
        ["power", "alpha45", "10", "aegis128-ao1,", "aegis128-ao2,", "aegis128-base", "and", "3", "more"],
        ["power", "beta7", "6", "aegis128-base,", "aegis128-interleaved,", "aegis128-to2"],
    ]


def test_what_is_missing_has_the_commands_of_that_netlist(stored: Path, run) -> None:  # type: ignore[no-untyped-def]
    lines = run("hw-report", "--missing", "--core", "aegis128-to1").stdout.splitlines()
    common = "aegis128-to1 --parameter Sbox=lut --library alpha45.lib"
    of = [line for line in lines if not line.startswith(" ")]
    assert of == ["power of aegis128-to1 Sbox=lut, alpha45"] * 2
    assert lines[1::2] == [
        f"  roundworks synth {common} --script {script} --netlist aegis128-to1.v"
        f" && roundworks power {common} --netlist aegis128-to1.v"
        for script in ("sop", "area")
    ]


def test_one_core_in_one_library_keeps_its_goal(stored: Path, run) -> None:  # type: ignore[no-untyped-def]
    done = run("hw-report", "--core", "aegis128-interleaved", "--library", "alpha45", "--json")
    results = [json.loads(line) for line in done.stdout.splitlines()]
    assert {f["core"] for f in results if "core" in f} == {"aegis128-interleaved"}
    (goal,) = [f for f in results if f["table"] == "goal"]
    # The five it is compared with are not shown, and compared with all the same.
    assert (goal["state"], round(goal["figure"], 2)) == ("met", 1.58)
    netlists = [f for f in results if f["table"] == "netlist"]
    assert [(n["script"], n["best_for"]) for n in netlists] == [
        ("sop", ["delay", "area-delay"]),
        ("area", ["area"]),
    ]


def test_an_older_source_is_known_by_another_library_too(tmp_path: Path, run) -> None:  # type: ignore[no-untyped-def]
    made = [row for row in hardware_rows() if row["kind"] == "synthesis"]
    store(tmp_path, [row | {"source_sha256": sha256(row["library"])} for row in made])
    for library, older in (("alpha45", True), ("beta7", False)):
        words = ("hw-report", "--core", "aegis128-to2", "--library", library)
        assert ("Sbox=lut (older source)" in run(*words).stdout) is older


def test_without_rows_it_says_what_makes_them(run) -> None:  # type: ignore[no-untyped-def]
    done = run("hw-report", "--core", "tiny", "--cores", str(TINY_CORES))
    assert (done.returncode, done.stdout) == (0, "")
    for name in ("aether-three-rav", "sbox-orthros"):  # in no cores.toml
        assert run("hw-report", "--core", name).returncode == 0
    done = run("hw-report", "--missing")
    assert "roundworks synth aegis128-base" in done.stdout
    assert "roundworks sim aegis128-to2" in done.stdout


@pytest.mark.parametrize(
    ("args", "error"),
    [
        (("--core", "nope"), "core 'nope': not known; `roundworks list cores` shows all "),
        (("--library", "nope"), "library 'nope': not known; one of alpha45, beta7"),
        (("--parameter", "Sbox=lut"), "--parameter: of a core that is drawn; want --drawings with it"),
        (("--drawings", "--library", "nope"), "--library, --missing: leave --drawings out"),
        (("--drawings", "--missing"), "--library, --missing: leave --drawings out"),
        (("--drawings", "--parameter", "Sbox=lut"), "--parameter: of one core; want --core NAME with it"),
    ],
)
def test_wrong_use_is_one_line(stored: Path, run, args, error) -> None:  # type: ignore[no-untyped-def]
    done = run("hw-report", *args)
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"roundworks: error: {error}")


def test_a_drawing_is_stored_and_made_again_by_its_command(tmp_path: Path, run) -> None:  # type: ignore[no-untyped-def]
    done = run(
        "hw-report", "--drawings", "--core", "tiny", "--parameter", "Depth=2", "--cores", str(TINY_CORES)
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("drew tiny, Kind=xor Depth=2: blocks\n")
    (row,) = Store(tmp_path / "results").read("drawing")
    assert (row["cipher"], row["shows"]) == ("tiny", "core")
    assert row["command"] == (
        "roundworks hw-report --drawings --core tiny --parameter Kind=xor --parameter Depth=2"
        " --cores cores.toml"
    )


@pytest.mark.long
def test_a_core_with_a_trace_is_drawn_and_traced(tmp_path: Path, run) -> None:  # type: ignore[no-untyped-def]
    done = run("hw-report", "--drawings", "--core", "aegis128-to1")
    assert done.returncode == 0, done.stderr
    assert "and which word is where" in done.stdout
    store = Store(tmp_path / "results")
    (drawn,), (row,) = store.read("drawing"), store.read("simulation")
    assert drawn["command"] == row["command"]
    assert 'label="u_data: aegis128_to1"' in drawn["dot"]
    figure = pipelines([row])[0]
    # Two pipelines of three stages, 22 updates of three clocks and the ends.
    assert figure.sentence.startswith("6 stages, the first 16 of 61 clocks of a message")
    # A trace is no bench: the table of these has nothing to show.
    assert "Benches" not in run("hw-report", "--core", "aegis128-to1").stdout
