"""The hardware flow on two small cores: simulators, lints, Yosys, OpenSTA, nextpnr, bad input.

What a tool that is missing would have tested counts as skipped; with ROUNDWORKS_REQUIRE_TOOLS=1 it
fails.
"""

from __future__ import annotations

import gzip
import importlib.util
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from calls import cases, command
from hardware_tools import need, need_osu018
from places import ROOT, TINY_CORES
from roundworks import cache
from roundworks.errors import HardwareError, LibraryError, SpecError, ToolMissing, UnknownName
from roundworks.hardware import library
from roundworks.hardware.cores import Parameter, assignments, core, cores
from roundworks.hardware.flow import fpga, scripts, tools, yosys
from roundworks.hardware.flow import simulate as simulate_module
from roundworks.hardware.flow.fpga import FAMILIES, harness, route
from roundworks.hardware.flow.lint import lint
from roundworks.hardware.flow.simulate import simulate
from roundworks.hardware.flow.synthesis import Synthesis, marked, synthesise
from roundworks.hardware.library.models import models_of
from roundworks.rows import Store

NAMES = [one.name for one in cores()]


@pytest.fixture(autouse=True)
def build(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """One cache for all tests here: Verilator's own part takes half a minute."""
    folder = tmp_path_factory.getbasetemp() / "hardware"
    monkeypatch.setenv("ROUNDWORKS_BUILD", str(folder))
    return folder


# -- cores -----------------------------------------------------------------------------------
def test_every_core_of_ours_is_well_formed() -> None:
    for one in cores():
        assert one.chosen({}) == {p.name: p.default for p in one.parameters}
        own = one.bench and not one.bench.endswith(".py")
        if own:
            assert importlib.util.find_spec(f"roundworks.hardware.benches.{one.bench}")


def test_parameters_by_name() -> None:
    tiny = core("tiny", TINY_CORES)
    assert tiny.numbers({"Kind": "sum"}) == {"Kind": 1, "Depth": 1}
    assert tiny.chosen(assignments(("Depth=2",))) == {"Kind": "xor", "Depth": "2"}


@pytest.mark.parametrize(
    ("name", "given", "message"),
    [
        ("tinny", (), "cores.toml: core 'tinny': not known; one of tiny, tiny-add, tiny-sums"),
        ("tiny", ("Kind=or",), "tiny: parameter Kind: choice 'or': not known; one of xor, sum"),
        ("tiny", ("Width=8",), "tiny: parameter 'Width': not known; one of Kind, Depth"),
        ("tiny", ("Depth",), "parameter: want Name=choice, got 'Depth'"),
        ("tiny", ("Depth=1", "Depth=2"), "parameter Depth: want it once, got '1' and '2'"),
    ],
)
def test_unknown_names_list_those_that_exist(name: str, given: tuple[str, ...], message: str) -> None:
    with pytest.raises(UnknownName) as caught:
        core(name, TINY_CORES).chosen(assignments(given))
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('top = "tiny"', 'top = "Tiny"', "8: cores[0] (tiny).top: want ^[a-z][a-z0-9_]*$, got 'Tiny'"),
        ('"tiny.sv"', '"gone.sv"', "9: cores[0] (tiny).files[1]: no file 'gone.sv' next to this one"),
        ("default = 1", "default = 3", "14: cores[0] (tiny).parameters.Depth.default: want 1 or 2, got '3'"),
        ('clock = "clk_i"\n', "", "4: cores[0] (tiny): reset: want clock too"),
        ('"tiny-add"', '"tiny"', "17: cores[1] (tiny).name: 'tiny' stands already at line 4"),
    ],
)
def test_an_error_of_a_malformed_list_names_its_line(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    for file in TINY_CORES.parent.iterdir():
        if file.is_file():
            shutil.copy(file, tmp_path)
    text = TINY_CORES.read_text()
    assert old in text
    (tmp_path / "cores.toml").write_text(text.replace(old, new, 1))
    with pytest.raises(SpecError) as caught:
        cores(tmp_path / "cores.toml")
    assert str(caught.value) == f"{tmp_path / 'cores.toml'}:{message}"


def test_a_core_of_ones_own_has_a_name_of_its_own(tmp_path: Path) -> None:
    for file in TINY_CORES.parent.iterdir():
        if file.is_file():
            shutil.copy(file, tmp_path)
    text = TINY_CORES.read_text()
    for name in ("aes-stepped", "aether-rav", "inner-f-16"):
        (tmp_path / "cores.toml").write_text(text.replace('"tiny-add"', f'"{name}"'))
        with pytest.raises(SpecError) as caught:
            core(name, tmp_path / "cores.toml")
        assert core("tiny", tmp_path / "cores.toml").name == "tiny"
        assert str(caught.value) == (
            f"{tmp_path / 'cores.toml'}: name '{name}' is taken by a core of ours; give yours another name"
        )
    # The same circuit may keep it: a copy of the list, or the list itself.
    rtl = tmp_path / "rtl"
    shutil.copytree(cores()[0].folder, rtl)
    assert [c.name for c in cores(rtl / "cores.toml")] == [c.name for c in cores()]
    source = rtl / "aes" / "aes_round.sv"
    source.write_text(source.read_text() + "// a word\n")
    assert core("aes-round", rtl / "cores.toml").name == "aes-round"
    source.write_text(source.read_text().replace("assign", "assign #1", 1))
    with pytest.raises(SpecError, match=r"cores.toml: name 'aes-\w+' is taken by a core of ours"):
        cores(rtl / "cores.toml")


# -- simulators and lints --------------------------------------------------------------------
@pytest.mark.parametrize("simulator", cases(["verilator", "icarus"], short=["icarus"]))
@pytest.mark.long
def test_both_simulators_agree_to_the_cycle(simulator: str) -> None:
    need("verilator" if simulator == "verilator" else "iverilog", "cocotb")
    for depth in ("1", "2"):
        simulation = simulate(core("tiny", TINY_CORES), {"Kind": "sum", "Depth": depth}, simulator=simulator)
        assert [(t.name, t.passed) for t in simulation.tests] == [
            ("without_stalls", True),
            ("with_stalls", True),
        ]
        assert simulation.reports == ({"messages": 50, "cycles": 49 + int(depth)},)


@pytest.mark.parametrize("simulator", cases(["verilator", "icarus"], short=["icarus"]))
def test_no_negation_is_lost_in_a_sum(simulator: str) -> None:
    need("verilator" if simulator == "verilator" else "iverilog", "cocotb")
    (test,) = simulate(core("tiny-sums", TINY_CORES), simulator=simulator).tests
    assert (test.name, test.message) == ("keeps_every_negation", "")


def test_a_test_that_fails_says_why_and_exits_with_1(tmp_path: Path) -> None:
    need("iverilog", "cocotb")
    for file in TINY_CORES.parent.iterdir():
        if file.is_file():
            shutil.copy(file, tmp_path)
    source = tmp_path / "tiny_add.sv"
    source.write_text(source.read_text().replace("data_i + key_i", "data_i - key_i"))
    simulation = simulate(core("tiny-add", tmp_path / "cores.toml"), simulator="icarus")
    assert [t.message.partition(":")[0] for t in simulation.failed] == ["AssertionError"]
    done = subprocess.run(
        command(
            "sim", "tiny-add", "--cores", str(tmp_path / "cores.toml"), "--simulator", "icarus", "--no-store"
        ),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1 and "0 passed, 1 failed, seed 1" in done.stdout


def test_source_that_no_tool_can_read_is_one_line(tmp_path: Path) -> None:
    need("iverilog", "cocotb")
    for file in TINY_CORES.parent.iterdir():
        if file.is_file():
            shutil.copy(file, tmp_path)
    (tmp_path / "tiny_add.sv").write_text("module tiny_add (\nendmodule\n")
    with pytest.raises(HardwareError, match=r"tiny-add: iverilog: .*syntax error") as caught:
        simulate(core("tiny-add", tmp_path / "cores.toml"), simulator="icarus")
    assert "\n" not in str(caught.value)


def test_waves_hold_the_signals(tmp_path: Path) -> None:
    need("iverilog", "cocotb")
    simulate(core("tiny-add", TINY_CORES), simulator="icarus", waves=tmp_path / "add.vcd")
    assert "data_o" in (tmp_path / "add.vcd").read_text()


def test_waves_that_cannot_be_written_are_no_failing_row(run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    need("iverilog", "cocotb")
    words = ("sim", "tiny", "--cores", str(TINY_CORES), "--simulator", "icarus")
    done = run(*words, "--waves", str(tmp_path / "none" / "tiny.vcd"))
    assert done.returncode == 2 and done.stdout == ""
    assert f"no folder {tmp_path / 'none'}; make it, or name another" in done.stderr
    os.mkfifo(tmp_path / "pipe")  # as a device: it would be no more
    done = run(*words, "--waves", "pipe")
    assert (done.returncode, done.stderr) == (2, "roundworks: error: pipe: not a file; name another\n")
    (tmp_path / "pipe").unlink()
    assert Store(tmp_path / "results").read("simulation") == []
    with pytest.raises(HardwareError, match="tiny: simulation: no waves in .*tiny.vcd"):
        simulate(core("tiny", TINY_CORES), simulator="icarus", waves=tmp_path / "none" / "tiny.vcd")
    done = run(*words, "--waves", "tiny.vcd", "--no-store")
    assert done.returncode == 0, done.stderr
    assert [file.name for file in tmp_path.iterdir()] == ["tiny.vcd"]


def test_lints_find_what_they_are_there_for(tmp_path: Path) -> None:
    need("verilator", "verible-verilog-lint")
    for one in cores(TINY_CORES):
        assert lint(one) == ()
    for file in TINY_CORES.parent.iterdir():
        if file.is_file():
            shutil.copy(file, tmp_path)
    source = tmp_path / "tiny_add.sv"
    source.write_text(source.read_text().replace("[7:0] data_o", "[6:0] data_o") + "\t\n")
    warnings = lint(core("tiny-add", tmp_path / "cores.toml"))
    assert any("WIDTH" in line for line in warnings) and any("no-tabs" in line for line in warnings)


# One of each family has nearly all of its modules.
FIRST = {one.family: one.name for one in reversed(cores())}


@pytest.mark.parametrize("name", cases(NAMES, short=FIRST.values()))
def test_every_core_of_ours_is_lint_clean(name: str) -> None:
    need("verilator", "verible-verilog-lint")
    assert lint(core(name)) == ()


def test_a_missing_tool_names_what_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(ToolMissing, match=r"^sta: not found; install Debian's package opensta$"):
        tools.find("sta")
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ToolMissing, match=r"^pyosys: Python package not found; pip install 'round"):
        tools.need_python("pyosys")


# -- libraries -------------------------------------------------------------------------------
def liberty(*cells: str, unit: str = "1ns") -> str:
    return (
        f'library (small) {{\n time_unit : "{unit}";\n capacitive_load_unit (1, pf);\n'
        " nom_voltage : 1.8;\n nom_temperature : 25;\n" + "\n".join(cells) + "\n}\n"
    )


def gate(name: str, area: float, function: str, *inputs: str) -> str:
    pins = " ".join(f"pin ({p}) {{ direction : input; capacitance : 0.002; }}" for p in inputs)
    return f'cell ({name}) {{ area : {area}; {pins} pin (Y) {{ direction : output; function : "{function}"; }} }}'


FLOP = 'cell (DFF) { area : 9; ff (IQ, IQN) { clocked_on : "C"; next_state : "D"; } pin (D) { direction : input; capacitance : 0.001; } pin (C) { direction : input; capacitance : 0.001; clock : true; } pin (Q) { direction : output; function : "IQ"; } }'
NAND = gate("ND", 4, "(A' + !B)", "A", "B")
INV = gate("IV", 2, "!A", "A")


def test_cells_are_known_by_what_they_compute(tmp_path: Path) -> None:
    first, second = tmp_path / "small_a.lib", tmp_path / "small_b.lib.gz"
    first.write_text(liberty(gate("BIG", 6, "!(A B)", "A", "B"), NAND, FLOP, gate("AND", 3, "A*B", "A", "B")))
    second.write_bytes(
        gzip.compress(liberty(INV, gate("BF", 3, "A", "A"), gate("B2", 5, "(A)", "A")).encode())
    )
    cells = library.load([first, second])
    assert (cells.name, cells.nand2.name, cells.second) == ("small", "ND", 1e-9)
    assert cells.condition_fields == {
        "driver": "B2",
        "load_ff": 8.0,
        "voltage": 1.8,
        "temperature_c": 25.0,
        "wire_load": None,
    }
    assert [c.name for c in cells.flops] == ["DFF"]
    with pytest.raises(LibraryError, match="no inverter; the flow needs"):
        _ = library.load([first]).inverters


def test_a_library_without_a_flip_flop_is_one_line(tmp_path: Path) -> None:
    need("liberty")
    (tmp_path / "small.lib").write_text(liberty(NAND, INV))
    with pytest.raises(LibraryError) as caught:
        _ = library.load([tmp_path / "small.lib"]).flops
    assert str(caught.value) == (
        "small: no flip-flop; the flow needs a two-input NAND, an inverter and a flip-flop"
    )


# -- synthesis -------------------------------------------------------------------------------
def osu018() -> library.Library:
    need("pyosys", "sta")
    need_osu018()
    return library.load()


def test_small_cores_become_gates() -> None:
    lib = osu018()
    netlists = synthesise(core("tiny", TINY_CORES), {"Depth": "2"}, lib, scripts.portfolio("quick"))
    # Two registers of a byte and its mark.
    assert {one.flops for one in netlists} == {18}
    assert all(one.kge == pytest.approx(one.area_um2 / 24 / 1000) for one in netlists)
    again = synthesise(core("tiny", TINY_CORES), {"Depth": "2"}, lib, scripts.portfolio("quick"))
    assert again == netlists
    add, xor = (
        min(
            synthesise(core("tiny-add", TINY_CORES), {"Kind": kind}, lib, [("dch", None)]),
            key=lambda s: s.period_ps,
        )
        for kind in ("sum", "xor")
    )
    # Eight two-input gates without a chain, and an adder.
    assert xor.cells == 8 and xor.flops == 0 and add.period_ps > 2 * xor.period_ps


def test_the_period_is_the_sum_of_the_path_that_opensta_prints() -> None:
    (one,) = synthesise(core("tiny-add", TINY_CORES), {"Kind": "sum"}, osu018(), [("nf", None)])
    path = one.netlist.with_name("path.txt").read_text()
    arrival = next(line for line in path.splitlines() if line.endswith("data arrival time"))
    assert float(arrival.split()[0]) == pytest.approx(one.period_ps, abs=0.01)


def test_constants_around_the_bits_in_use_are_no_concatenation(tmp_path: Path) -> None:
    """OpenSTA reads none on the left of an assignment."""
    (tmp_path / "gaps.sv").write_text(
        "module gaps (input logic clk_i, rst_ni, a_i, b_i, output logic o);\n"
        "  logic [7:0] kept;\n"
        "  always_ff @(posedge clk_i or negedge rst_ni)\n"
        "    if (!rst_ni) kept <= '0;\n"
        "    else kept <= {2'b0, b_i, 3'b0, a_i, 1'b0};\n"
        "  assign o = ^kept;\n"
        "endmodule\n"
    )
    (tmp_path / "cores.toml").write_text(
        'schema = "cores-v1"\n[[cores]]\nname = "gaps"\nfamily = "tests"\ntitle = "gaps"\ntop = "gaps"\n'
        'files = ["gaps.sv"]\nclock = "clk_i"\nreset = "rst_ni"\n'
    )
    (one,) = synthesise(core("gaps", tmp_path / "cores.toml"), {}, osu018(), [("nf", None)])
    assert one.flops == 2 and re.search(r"assign kept\[\d", one.netlist.read_text())


@pytest.mark.long
def test_every_script_makes_a_netlist_that_computes_the_same() -> None:
    """Proven by Yosys, with the functions that the library gives its cells."""
    lib = osu018()
    names = [name for name in scripts.NAMES if name != "deepsyn"]  # which takes its time
    first, *others = synthesise(
        core("tiny-add", TINY_CORES), {"Kind": "sum"}, lib, [(name, None) for name in names]
    )
    assert [one.script for one in (first, *others)] == names
    (other,) = synthesise(core("tiny-add", TINY_CORES), {"Kind": "xor"}, lib, [("dch", None)])
    assert all(equivalent(lib, first, one) for one in others)
    assert not equivalent(lib, first, other)


def equivalent(lib: library.Library, first: Synthesis, other: Synthesis) -> bool:
    lines = [
        f"read_liberty -ignore_miss_func {lib.files[0]}",
        f"read_verilog {first.netlist}",
        "rename tiny_add gold",
        f"read_verilog {other.netlist}",
        "rename tiny_add gate",
        "miter -equiv -flatten gold gate both",
        "hierarchy -top both",
        "flatten",
        "sat -verify -prove trigger 0 both",
    ]
    try:
        yosys.run(lines, first.netlist.parent, first.netlist.with_name("proof.log"), "proof")
    except HardwareError:
        # Wrong, and not merely broken: the last word is on the proof.
        return "SAT proof finished - model found" not in first.netlist.with_name("proof.log").read_text()
    return True


def test_the_hash_of_a_source_is_of_what_makes_the_circuit(tmp_path: Path) -> None:
    for file in TINY_CORES.parent.iterdir():
        if file.is_file():
            shutil.copy(file, tmp_path)

    def source(**given: str) -> str:
        return core("tiny", tmp_path / "cores.toml").source_sha256(given)

    first, file = source(), tmp_path / "tiny.sv"
    assert first == source(Kind="xor") and first != source(Kind="sum") and len(first) == 64
    text = file.read_text()
    file.write_text("/* another\n word */ " + text.replace("  logic ", "\tlogic  // a state\n "))
    assert source() == first
    file.write_text(text.replace("<= sum", "<= ~sum"))
    assert source() not in (first, "")


def test_the_best_are_marked() -> None:
    one = Synthesis(
        core="c",
        parameters={},
        source_sha256="",
        library="l",
        library_sha256="",
        netlist_sha256="",
        script="s",
        target_ps=None,
        period_ps=10.0,
        area_um2=8.0,
        nand2_um2=1.0,
        kge=1.0,
        cells=1,
        flops=0,
        flop_um2=0.0,
        buffers=0,
        conditions={},
        seconds=1.0,
        netlist=Path(),
    )
    fast, small, both = (
        replace(one, period_ps=5.0, area_um2=20.0),
        replace(one, area_um2=7.0, period_ps=30.0),
        one,
    )
    assert [s.best_for for s in marked([fast, small, both])] == [("delay",), ("area",), ("area-delay",)]
    dear, cheap = replace(fast, pj_per_bit=0.9), replace(small, pj_per_bit=0.3)
    assert [s.best_for for s in marked([dear, cheap])] == [("delay", "area-delay"), ("area", "energy")]
    # One without a estimate says nothing of the others.
    assert [s.best_for for s in marked([dear, small])] == [("delay", "area-delay"), ("area",)]


def test_nothing_half_made_is_left_or_read(build: Path) -> None:
    lib = osu018()
    parameters = {"Kind": "sum", "Depth": "1"}
    slow = (
        "import time; from roundworks.hardware.flow import yosys; yosys.run = lambda *a: time.sleep(600);"
        " from roundworks.cli import main; main()"
    )
    child = subprocess.Popen(
        [
            sys.executable,
            "-c",
            slow,
            "synth",
            "tiny",
            "--cores",
            str(TINY_CORES),
            "--no-store",
            "--parameter",
            "Kind=sum",
        ]
    )
    parts: list[Path] = []
    while not parts:
        assert child.poll() is None
        time.sleep(0.1)
        parts = list((build / "hw" / "elaborated").glob("tiny-*.part"))
    child.kill()
    child.wait()
    (part,) = parts
    whole = part.with_name(part.name.split(".")[0])
    assert part.exists() and not whole.exists()
    (found,) = synthesise(core("tiny", TINY_CORES), parameters, lib, [("dch", None)])
    assert found.flops == 9 and whole.exists() and not part.exists()


@pytest.mark.parametrize("number", cases([signal.SIGTERM, signal.SIGHUP], short=[signal.SIGTERM]))
def test_a_signal_ends_the_tools_too(number: signal.Signals, tmp_path: Path) -> None:
    need("pyosys", "sta")
    osu018()
    pid_file = tmp_path / "pid"
    sleeps = f"import os, pathlib, time; pathlib.Path({str(pid_file)!r}).write_text(str(os.getpid()))"
    code = (
        f"from roundworks.hardware.flow import yosys; yosys._RUN = {sleeps + '; time.sleep(600)'!r};"
        " from roundworks.cli import main; main()"
    )
    words = ("synth", "tiny", "--cores", str(TINY_CORES), "--parameter", "Kind=sum", "--no-store")
    own = os.environ | {"ROUNDWORKS_BUILD": str(tmp_path / "build")}
    child = subprocess.Popen([sys.executable, "-c", code, *words], env=own)
    while not (pid_file.is_file() and pid_file.read_text()):
        assert child.poll() is None
        time.sleep(0.1)
    tool = int(pid_file.read_text())
    child.send_signal(number)
    assert child.wait() == 128 + number
    with pytest.raises(ProcessLookupError):
        os.kill(tool, signal.SIGKILL)
    assert list((tmp_path / "build" / "hw" / "elaborated").iterdir()) == []


@pytest.mark.parametrize(("code", "steps"), [(130, 1), (143, 1), (2, 20)])
def test_the_script_of_all_rows_stops_where_a_step_is_stopped(tmp_path: Path, code: int, steps: int) -> None:
    script = ROOT / "tools" / "hardware_tables.sh"
    verb = tmp_path / ".venv" / "bin" / "roundworks"
    verb.parent.mkdir(parents=True)
    verb.write_text(f'#!/bin/sh\necho "$@" >>"{tmp_path}/said"\nexit {code}\n')
    verb.chmod(0o755)
    (tmp_path / "tools").mkdir()
    shutil.copy(script, tmp_path / "tools")
    done = subprocess.run([tmp_path / "tools" / script.name], capture_output=True, text=True)
    said = (tmp_path / "said").read_text().splitlines()
    if steps == 1:
        assert (done.returncode, said) == (code, ["--results results synth aegis128-base --profile quick"])
    else:  # a step that fails is no reason to leave the others
        assert done.returncode == 1 and len(said) > steps


def test_a_folder_is_whole_or_absent(tmp_path: Path) -> None:
    def fails() -> None:
        with cache.making(tmp_path / "made") as part:
            (part / "half").write_text("half")
            raise HardwareError("stopped")

    with pytest.raises(HardwareError):
        fails()
    assert list(tmp_path.iterdir()) == []
    with cache.making(tmp_path / "made") as part:
        (part / "whole").write_text("whole")
    assert (tmp_path / "made" / "whole").read_text() == "whole"


def test_rows_of_a_synthesis(run) -> None:  # type: ignore[no-untyped-def]
    osu018()
    done = run("synth", "tiny-add", "--cores", str(TINY_CORES), "--json")
    assert done.returncode == 0, done.stderr
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [row["script"] for row in rows] == ["dch", "nf"]
    assert {goal for row in rows for goal in row["best_for"]} == {"delay", "area", "area-delay"}
    assert "/" not in "".join(row["command"] + row["library"] for row in rows)


def test_rows_know_their_source_and_their_tools(run) -> None:  # type: ignore[no-untyped-def]
    osu018()
    need("iverilog", "cocotb", FAMILIES["ice40"].place[0])
    words = ("--cores", str(TINY_CORES), "--parameter", "Kind=sum", "--json")
    made = [
        run("synth", "tiny", *words, "--script", "dch", "--netlist", "tiny.v"),
        run("sim", "tiny", *words, "--simulator", "icarus"),
        run("power", "tiny", *words, "--netlist", "tiny.v", "--message", "8"),
        run("fpga", "tiny", *words, "--family", "ice40"),
        run("sim", "tiny", *words, "--simulator", "icarus", "--netlist", "tiny.v"),
    ]
    rows = [json.loads(done.stdout) for done in made]
    common = {"roundworks", "python", "rustc"}
    assert [set(row["tools"]) - common for row in rows] == [
        {"pyosys", "opensta"},
        {"iverilog", "cocotb"},
        {"opensta", "iverilog", "cocotb"},
        {"pyosys", "nextpnr-ice40"},
        {"iverilog", "cocotb"},
    ]
    assert rows[0]["tools"]["opensta"] == tools.version("sta")
    source = core("tiny", TINY_CORES).source_sha256({"Kind": "sum"})
    assert [row.get("source_sha256") for row in rows] == [source, source, None, source, None]


def test_a_job_that_is_given_twice_is_done_once(run) -> None:  # type: ignore[no-untyped-def]
    osu018()
    words = ("synth", "tiny", "--cores", str(TINY_CORES), "--parameter", "Depth=2", "--json")
    done = run(*words, "--script", "dch", "--script", "dch", "--target", "900", "--target", "900")
    assert done.returncode == 0, done.stderr
    (row,) = [json.loads(line) for line in done.stdout.splitlines()]
    assert row["command"].endswith(" --script dch --target 900")


def test_two_threads_make_one_folder(tmp_path: Path) -> None:
    def make(word: str) -> None:
        with cache.making(tmp_path / "made") as part:
            (part / word).write_text(word)
            time.sleep(0.2)
            assert [file.name for file in part.iterdir()] == [word]

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(make, ["first", "second"]))
    assert [folder.name for folder in tmp_path.iterdir()] == ["made"]


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (("--model", "zero-delay"), "--model, --message: need --goal energy"),
        (("--message", "64"), "--model, --message: need --goal energy"),
        (("--profile", "full", "--script", "dch"), "--profile: leave --script out"),
    ],
)
def test_what_would_be_ignored_is_refused(run, more: tuple[str, ...], message: str) -> None:  # type: ignore[no-untyped-def]
    done = run("synth", "tiny", "--cores", str(TINY_CORES), *more)
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr.startswith(f"roundworks: error: {message}")


@pytest.mark.parametrize("simulator", cases(["verilator", "icarus"], short=["icarus"]))
def test_the_same_bench_on_the_netlist(simulator: str, monkeypatch: pytest.MonkeyPatch) -> None:
    need("verilator" if simulator == "verilator" else "iverilog", "cocotb", "liberty")
    (one,) = synthesise(core("tiny", TINY_CORES), {"Kind": "sum"}, osu018(), [("sop", None)])
    monkeypatch.chdir(one.netlist.parent)  # named as a user names it, from where the user stands
    simulation = simulate(
        core("tiny", TINY_CORES),
        {"Kind": "sum"},
        simulator=simulator,
        netlist=Path(one.netlist.name),
        models=[models_of(one.netlist, library.load())],
    )
    assert not simulation.failed and simulation.reports == ({"messages": 50, "cycles": 50},)


def test_a_netlist_of_another_library_is_one_line(tmp_path: Path) -> None:
    need("liberty")
    osu018()
    (tmp_path / "other.v").write_text("module tiny (input a, output b);\n  MINE_X1 u (.A(a));\n")
    with pytest.raises(HardwareError, match="none of its cells is in osu018_stdcells; name its"):
        models_of(tmp_path / "other.v", library.load())


# -- FPGA ------------------------------------------------------------------------------------
# The families differ in the tool's options; ECP5 takes it six times as long.
@pytest.mark.parametrize("family", cases(FAMILIES, short=["ice40"]))
def test_a_small_core_is_routed(family: str, build: Path) -> None:
    need("pyosys", FAMILIES[family].place[0])
    routed = route(core("tiny", TINY_CORES), {}, family)
    assert routed.fmax_mhz > 50 and sum(routed.resources.values()) > routed.harness_flops
    assert route(core("tiny", TINY_CORES), {}, family) == routed
    # One that was spoilt is made again.
    for file in (build / "hw" / "fpga").glob(f"tiny-{family}-*/result.json"):
        file.write_text("")
    again = route(core("tiny", TINY_CORES), {}, family)
    assert replace(again, seconds=routed.seconds) == routed


def test_the_harness_reaches_every_port() -> None:
    tiny = core("tiny", TINY_CORES)
    text, flops = harness(tiny, [("clk_i", 1, "input"), ("a_i", 3, "input"), ("b_o", 2, "output")])
    assert ".a_i(in_q[2:0])" in text and ".b_o(out[1:0])" in text and ".clk_i(clk)" in text
    assert flops == 3 + 2 + 1


def test_waves_that_a_simulator_cannot_write_name_one_that_can(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    need("verilator", "cocotb")

    def dies(*_: object, **__: object) -> str:
        raise HardwareError("tiny: simulation: exit code -11; all of it is in LOG")

    tested = core("tiny", TINY_CORES)
    monkeypatch.setattr(simulate_module, "build", lambda *_, **__: tmp_path / "simulation")
    monkeypatch.setattr(simulate_module.tools, "run", dies)
    with pytest.raises(HardwareError, match="LOG; Icarus records every core: --simulator icarus"):
        simulate(tested, simulator="verilator", waves=tmp_path / "tiny.vcd")
    with pytest.raises(HardwareError, match="LOG$"):
        simulate(tested, simulator="verilator")


def test_the_error_of_a_core_too_big_for_a_device_names_what_is_smaller() -> None:
    said = """Info: Device utilisation:
Info: \t         ICESTORM_LC:  9215/ 7680   119%
Info: \t        ICESTORM_RAM:     0/   32     0%
ERROR: Unable to place cell 'x', no Bels remaining of type 'ICESTORM_LC'
"""
    assert fpga.too_full(said) == "want at most 7680 ICESTORM_LC, got 9215"
    assert fpga.too_full(said.replace("9215", "7000")) == ""
    small = "--parameter Sbox=boyar-peralta --parameter Decrypt=0"
    ice40, ecp5 = fpga.FAMILIES.values()
    aes, none = core("aes-iterative"), "no device here is larger; `roundworks synth` has its area"
    assert fpga.smaller(aes, aes.chosen({"Sbox": "lut"}), ice40) == f"take {small} or --family ecp5"
    assert fpga.smaller(aes, aes.chosen({"Sbox": "lut"}), ecp5) == f"take {small}"
    assert fpga.smaller(aes, aes.chosen({"Sbox": "boyar-peralta", "Decrypt": "0"}), ecp5) == none
    # A core that is generated has no S-box of AES.
    form = Parameter("Sbox", "circuit of an S-box", {"table": 0, "circuit": 1}, "table")
    own = replace(aes, parameters=(form,))
    assert fpga.smaller(own, own.chosen({}), ecp5) == "take --parameter Sbox=circuit"


def test_the_error_of_a_tool_that_a_signal_ended_says_so(tmp_path: Path) -> None:
    says = "import os; print('[3/9] reading', flush=True); os.kill(os.getpid(), 9)"
    with pytest.raises(HardwareError) as error:
        tools.run([sys.executable, "-c", says], tmp_path, log=tmp_path / "log", what="tiny: reader")
    words = "tiny: reader: ended by signal 9, its last words '[3/9] reading'; all of it is in "
    assert str(error.value).startswith(words)


def test_two_that_share_a_log_read_their_own_words(tmp_path: Path) -> None:
    def said(word: str) -> str:
        says = f"import time; print('{word}', flush=True); time.sleep(0.3); print('{word}')"
        argv = [sys.executable, "-c", says]
        return tools.run(argv, tmp_path, log=tmp_path / "one.log", what=word)

    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(said, ["first", "second"])) == ["first\nfirst\n", "second\nsecond\n"]
    assert [file.name for file in tmp_path.iterdir()] == ["one.log"]
