"""Energy as an aim of synthesis: every netlist is estimated alike, and the minimum is marked."""

from __future__ import annotations

import ast
import json
from dataclasses import replace
from pathlib import Path

import pytest

from hardware_tools import OSU018, need
from places import TINY_CORES
from power_circuits import osu018
from roundworks.hardware.cores import core
from roundworks.hardware.flow import scripts
from roundworks.hardware.flow.synthesis import synthesise
from roundworks.hardware.library import Library
from roundworks.hardware.power import core as power_core
from roundworks.hardware.power import estimates
from roundworks.hardware.power.core import Settings, core_power
from roundworks.hardware.power.estimates import with_energy

HOW = Settings("zero-delay", 40)


@pytest.fixture
def cells() -> Library:
    need("iverilog", "sta", "cocotb", "pyosys")
    return osu018()


@pytest.mark.long
def test_the_minimum_energy_is_marked_and_kept(cells: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    tested = core("tiny", TINY_CORES)
    jobs = scripts.portfolio("energy")
    netlists = synthesise(tested, {"Kind": "sum"}, cells, jobs)
    marked, rows = with_energy(tested, {"Kind": "sum"}, cells, netlists, HOW)
    assert [one.script for one in marked] == [row["script"] for row in rows] == [n for n, _ in jobs]
    assert {one.estimated for one in marked} == {"zero-delay, message of 40 bytes, seed 1"}
    assert [one.pj_per_bit for one in marked] == [row["pj_per_bit"] for row in rows]
    best = min(marked, key=lambda one: (one.pj_per_bit, one.area_um2))
    assert [one.script for one in marked if "energy" in one.best_for] == [best.script]
    # The figure is that of the verb power for the same netlist.
    alone = core_power(tested, {"Kind": "sum"}, cells, best.netlist, HOW).fields
    assert alone["pj_per_bit"] == pytest.approx(best.pj_per_bit)
    # What was estimated is not estimated again; another message is.
    monkeypatch.setattr(estimates, "core_power", None)
    again, _ = with_energy(tested, {"Kind": "sum"}, cells, netlists, HOW)
    assert again == marked
    with pytest.raises(TypeError):
        with_energy(tested, {"Kind": "sum"}, cells, netlists, replace(HOW, message=48))


def test_a_damaged_estimate_is_made_again(
    cells: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROUNDWORKS_BUILD", str(tmp_path))
    tested = core("tiny-add", TINY_CORES)
    netlists = synthesise(tested, {}, cells, [("nf", None)])
    _, (row,) = with_energy(tested, {}, cells, netlists, HOW)
    (kept,) = (tmp_path / "hw" / "power").glob("*/row.json")
    kept.write_text("")
    _, (again,) = with_energy(tested, {}, cells, netlists, HOW)
    assert again["pj_per_bit"] == row["pj_per_bit"] and kept.stat().st_size > 0


def test_an_estimate_knows_all_the_code_that_makes_it() -> None:
    """What is imported of the package from a file of power, but for what says no number of an estimate."""
    known, named = set(estimates.code()), set[Path]()
    for file in known:
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.ImportFrom) and node.level:
                folder = file.parents[node.level - 1].joinpath(*(node.module or "").split("."))
                names = [folder / alias.name for alias in node.names]
                values = [
                    path.with_suffix(".py") for path in (folder, *names) if path.with_suffix(".py").is_file()
                ]
                named |= {path for path in values if "hardware" in path.parts}
    assert {path.name for path in named} >= {"cells.py", "opensta.py", "reader.py", "simulate.py"}
    assert {path.name for path in named - known} == {"cores.py", "synthesis.py", "tools.py", "yosys.py"}


def test_energy_is_counted_from_the_offer_of_the_request() -> None:
    """A core that takes a request late is busy with it before."""
    fields = {
        "req_valid_i": [0, 0, 1, 1, 1, 0, 0],
        "req_ready_o": [0, 0, 0, 0, 1, 0, 0],
        "rsp_valid_o": [0, 0, 0, 0, 0, 1, 0],
        "rsp_ready_i": [1, 1, 1, 1, 1, 1, 1],
    }
    assert power_core._busy(core("tiny", TINY_CORES), fields) == range(2, 6)


def test_rows_of_both_kinds(run) -> None:  # type: ignore[no-untyped-def]
    need("iverilog", "sta", "cocotb", "pyosys")
    osu018()
    done = run(
        "synth",
        "tiny-add",
        "--cores",
        str(TINY_CORES),
        "--goal",
        "energy",
        "--model",
        "zero-delay",
        "--message",
        "16",
        "--json",
    )
    assert done.returncode == 0, done.stderr
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    nets = [row for row in rows if row["kind"] == "synthesis"]
    powers = [row for row in rows if row["kind"] == "power"]
    assert [row["script"] for row in nets] == [name for name, _ in scripts.portfolio("energy")]
    assert sum("energy" in row["best_for"] for row in nets) == 1
    for net, power in zip(nets, powers, strict=True):
        assert net["netlist_sha256"] == power["netlist_sha256"]
        assert net["pj_per_bit"] == power["pj_per_bit"] and power["model"] == "zero-delay"
        # Energy and period are of one netlist under one set of conditions, and the clock is that period.
        alike = ("driver", "load_ff", "voltage", "temperature_c", "wire_load", "library", "library_sha256")
        assert {key: net.get(key) for key in alike} == {key: power.get(key) for key in alike}
        assert power["period_ps"] == net["period_ps"] == pytest.approx(1e6 / power["clock_mhz"], abs=1e-3)
        assert "--goal energy --model zero-delay --message 16" in net["command"]
    assert OSU018.name not in done.stdout


def test_only_what_is_wanted_is_estimated(run) -> None:  # type: ignore[no-untyped-def]
    need("sta", "pyosys")
    osu018()
    done = run("synth", "tiny-add", "--cores", str(TINY_CORES), "--json")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert {row["kind"] for row in rows} == {"synthesis"}
    assert not any("pj_per_bit" in row for row in rows)
