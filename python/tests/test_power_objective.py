"""Energy as an aim of synthesis: every netlist priced alike, and the least of them marked."""

from __future__ import annotations

import ast
import json
from dataclasses import replace
from pathlib import Path

import pytest

from hardware_tools import OSU018, need
from power_circuits import osu018
from roundworks.hardware import liberty, library, scripts
from roundworks.hardware.cores import core
from roundworks.hardware.power import core as power_core
from roundworks.hardware.power import objective
from roundworks.hardware.power.core import core_power
from roundworks.hardware.power.objective import Pricing, priced
from roundworks.hardware.synthesise import synthesise

CORES = Path(__file__).parent / "rtl" / "cores.toml"
HOW = Pricing("zero-delay", 40)


@pytest.fixture
def cells() -> liberty.Library:
    need("iverilog", "sta", "cocotb", "pyosys")
    return osu018()


def test_the_least_energy_is_marked_and_kept(
    cells: liberty.Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    it = core("tiny", CORES)
    jobs = scripts.portfolio("energy")
    found = synthesise(it, {"Kind": "sum"}, library.load(), jobs)
    marked, rows = priced(it, {"Kind": "sum"}, cells, found, HOW)
    assert [one.script for one in marked] == [row["script"] for row in rows] == [n for n, _ in jobs]
    assert {one.priced for one in marked} == {"zero-delay, message of 40 bytes, seed 1"}
    assert [one.pj_per_bit for one in marked] == [row["pj_per_bit"] for row in rows]
    least = min(marked, key=lambda one: (one.pj_per_bit, one.area_um2))
    assert [one.script for one in marked if "energy" in one.best_for] == [least.script]
    # The figure is that of the verb power for the same netlist.
    alone = core_power(
        it, {"Kind": "sum"}, cells, least.netlist, model="zero-delay", message=40
    ).fields
    assert alone["pj_per_bit"] == pytest.approx(least.pj_per_bit)
    # What was priced is not priced again; another message is.
    monkeypatch.setattr(objective, "core_power", None)
    again, _ = priced(it, {"Kind": "sum"}, cells, found, HOW)
    assert again == marked
    with pytest.raises(TypeError):
        priced(it, {"Kind": "sum"}, cells, found, replace(HOW, message=48))


def test_a_price_that_was_spoilt_is_made_again(
    cells: liberty.Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROUNDWORKS_BUILD", str(tmp_path))
    it = core("tiny-add", CORES)
    found = synthesise(it, {}, library.load(), [("nf", None)])
    _, (row,) = priced(it, {}, cells, found, HOW)
    (kept,) = (tmp_path / "hw" / "power").glob("*/row.json")
    kept.write_text("")
    _, (again,) = priced(it, {}, cells, found, HOW)
    assert again["pj_per_bit"] == row["pj_per_bit"] and kept.stat().st_size > 0


def test_a_price_knows_all_the_code_that_makes_it() -> None:
    """What is imported of the package from a file of power, but for what says no number of a price."""
    here = Path(objective.__file__).parent
    known = {file.stem for file in objective.code()}
    named = set[str]()
    for file in (*here.glob("*.py"), here.parent / "liberty.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            level = 2 if file.parent == here else 1
            if isinstance(node, ast.ImportFrom) and node.level == level:
                named |= {node.module} if node.module else {alias.name for alias in node.names}
    assert {"liberty", "cell_models", "liberty_reader", "simulate"} <= named
    assert named - known == {"cores", "synthesise", "tools"}


def test_energy_is_counted_from_the_offer_of_the_request() -> None:
    """A core that takes a request late is busy with it before."""
    found = {
        "req_valid_i": [0, 0, 1, 1, 1, 0, 0], "req_ready_o": [0, 0, 0, 0, 1, 0, 0],
        "rsp_valid_o": [0, 0, 0, 0, 0, 1, 0], "rsp_ready_i": [1, 1, 1, 1, 1, 1, 1],
    }  # fmt: skip
    assert power_core._busy(core("tiny", CORES), found) == range(2, 6)


def test_rows_of_both_kinds(run) -> None:  # type: ignore[no-untyped-def]
    need("iverilog", "sta", "cocotb", "pyosys")
    osu018()
    done = run("synth", "tiny-add", "--cores", str(CORES), "--goal", "energy", "--model",
               "zero-delay", "--message", "16", "--json")  # fmt: skip
    assert done.returncode == 0, done.stderr
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    nets = [row for row in rows if row["kind"] == "synthesis"]
    powers = [row for row in rows if row["kind"] == "power"]
    assert [row["script"] for row in nets] == [name for name, _ in scripts.portfolio("energy")]
    assert sum("energy" in row["best_for"] for row in nets) == 1
    for net, power in zip(nets, powers, strict=True):
        assert net["netlist_sha256"] == power["netlist_sha256"]
        assert net["pj_per_bit"] == power["pj_per_bit"] and power["model"] == "zero-delay"
        assert "--goal energy --model zero-delay --message 16" in net["command"]
    assert OSU018.name not in done.stdout


def test_what_is_not_asked_for_is_not_priced(run) -> None:  # type: ignore[no-untyped-def]
    need("sta", "pyosys")
    osu018()
    done = run("synth", "tiny-add", "--cores", str(CORES), "--json")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert {row["kind"] for row in rows} == {"synthesis"}
    assert not any("pj_per_bit" in row for row in rows)
