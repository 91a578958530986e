"""`roundworks power`: a message through the source, replayed on the gates; errors of one line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hardware_tools import need
from places import TESTS, TINY_CORES, TINY_LIBRARY
from power_circuits import osu018

TINY_CORE = ("power", "tiny", "--cores", str(TINY_CORES))
NETLIST = TINY_LIBRARY.with_name("tiny_osu018.v")


def rows(run, *more: str) -> dict:
    need("iverilog", "sta", "cocotb")
    osu018()
    actual = run(*TINY_CORE, "--netlist", str(NETLIST), "--message", "40", "--json", *more)
    assert actual.returncode == 0, actual.stderr
    return json.loads(actual.stdout)


def test_rows(run) -> None:
    fast = rows(run, "--model", "glitch")
    slow = rows(run, "--model", "glitch", "--clock", "10")
    still = rows(run, "--model", "zero-delay", "--clock", "10")
    # A byte per cycle, and one for the result of the last.
    assert fast["cycles"] == 41 and fast["bits"] == 320
    for row in (fast, slow, still):
        parts = (row["leakage_mw"], row["internal_mw"], row["switching_mw"])
        assert all(part > 0 for part in parts)
        assert row["total_mw"] == pytest.approx(sum(parts))
        clocks = row["cycles"] / row["clock_mhz"]  # in us
        assert row["energy_pj"] == pytest.approx(row["total_mw"] * clocks * 1e3)
        assert row["pj_per_bit"] == pytest.approx(row["energy_pj"] / 320)
        assert "--netlist tiny_osu018.v" in row["command"] and str(TESTS) not in row["command"]
    # Leakage does not depend on the clock frequency; the rest does.
    assert slow["leakage_mw"] == pytest.approx(fast["leakage_mw"], rel=0.05)
    for part in ("internal_mw", "switching_mw"):
        share = slow["clock_mhz"] / fast["clock_mhz"]
        assert slow[part] == pytest.approx(fast[part] * share, rel=0.02)
        assert still[part] <= slow[part] * 1.001
    assert still["toggles"] <= slow["toggles"]


def test_without_a_netlist_it_is_synthesised(run) -> None:
    need("iverilog", "sta", "cocotb", "pyosys")
    osu018()
    cores = str(TINY_CORES)
    actual = run("power", "tiny-add", "--cores", cores, "--message", "16", "--clock", "10", "--json")
    assert actual.returncode == 0, actual.stderr
    row = json.loads(actual.stdout)
    assert (
        row["script"] != "given" and row["cycles"] == 64 and row["bits"] == 64 * 16 and row["internal_mw"] > 0
    )
    assert "--netlist" not in row["command"]


def test_the_best_for_each_goal_is_estimated_once(run) -> None:
    need("iverilog", "sta", "cocotb", "pyosys")
    osu018()
    cores = ("--cores", str(TINY_CORES), "--json")
    actual = run("synth", "tiny-add", *cores, "--profile", "quick")
    made = [json.loads(line) for line in actual.stdout.splitlines()]
    goals = {"delay", "area"}
    best = {row["netlist_sha256"] for row in made if goals & set(row["best_for"])}
    more = ("--goal", "delay", "--goal", "area", "--message", "16")
    actual = run("power", "tiny-add", *cores, *more)
    assert actual.returncode == 0, actual.stderr
    estimated = [json.loads(line) for line in actual.stdout.splitlines()]
    assert sorted(row["netlist_sha256"] for row in estimated) == sorted(best)
    assert all(" --goal delay --goal area " in row["command"] for row in estimated)


def test_random_inputs_have_no_associated_data(run) -> None:
    need("sta", "pyosys")
    osu018()
    cores = ("--cores", str(TINY_CORES))
    actual = run("power", "tiny-add", *cores, "--message", "16", "--clock", "10", "--ad", "16")
    assert actual.returncode == 2 and actual.stdout == ""
    assert actual.stderr.startswith(
        "roundworks: error: tiny-add: associated data: want none, for it has no port"
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--goal", "area"], "--goal, --script: leave --netlist out"),
        (["--clock", "100000"], "tiny: clock: want at most "),
        (["--ad", "16"], "tiny: associated data: want none, for it has no port blk_valid_i"),
        (["--parameter", "Depth=2"], "tiny: rsp_valid_o differs at clock "),
        (["--library", "TINY"], "tiny: no cell "),
        (["--library", "none.lib"], "none.lib: no such file; name a liberty file"),
    ],
)
def test_what_does_not_fit_is_one_line(run, arguments: list[str], message: str) -> None:
    need("iverilog", "sta", "cocotb")
    osu018()
    given = [str(TINY_LIBRARY) if a == "TINY" else a for a in arguments]
    actual = run(*TINY_CORE, "--netlist", str(NETLIST), "--message", "16", *given)
    assert actual.returncode == 2 and actual.stdout == ""
    assert actual.stderr.startswith(f"roundworks: error: {message}")
    assert actual.stderr.count("\n") == 1


def xors(module: str, bits: int = 8, last: str = "key_i") -> str:
    """A netlist of tiny-add, Kind=xor, or nearly."""
    gates = "".join(
        f"  XOR2X1 g{i} (.A(data_i[{i}]), .B({last}[{i}]), .Y(data_o[{i}]));\n" for i in range(bits)
    )
    wide = f"[{bits - 1}:0]"
    return (
        f"module {module}(data_i, {last}, data_o);\n  input {wide} data_i;\n"
        f"  input {wide} {last};\n  output {wide} data_o;\n{gates}endmodule\n"
    )


@pytest.mark.parametrize("model", ["glitch", "zero-delay"])
@pytest.mark.parametrize(
    ("netlist", "kind", "message"),
    [
        (xors("tiny_add"), "xor", None),
        (xors("tiny_add"), "sum", "tiny_add: data_o differs at clock 0, want 0x"),
        (xors("other"), "xor", "own.v: no module tiny_add; name a netlist of the core"),
        (xors("tiny_add", 4), "xor", "tiny-add: data_i: want 8 bits, as its source has, got 4; name a"),
        (xors("tiny_add", last="word_i"), "xor", "tiny-add: iverilog: bench.v:"),
    ],
)
def test_the_gates_must_be_those_of_the_core(
    run, tmp_path: Path, netlist: str, kind: str, message: str | None, model: str
) -> None:
    """A combinational core is compared with its source too."""
    need("iverilog", "sta")
    osu018()
    (tmp_path / "own.v").write_text(netlist)
    cores = str(TINY_CORES)
    actual = run(
        "power",
        "tiny-add",
        "--cores",
        cores,
        "--netlist",
        "own.v",
        "--parameter",
        f"Kind={kind}",
        "--message",
        "16",
        "--model",
        model,
        "--json",
    )
    if message is None:
        assert actual.returncode == 0, actual.stderr
        row = json.loads(actual.stdout)
        assert (row["cycles"], row["bits"]) == (64, 64 * 16) and row["switching_mw"] > 0
    else:
        assert (actual.returncode, actual.stdout) == (2, "")
        assert actual.stderr.startswith(f"roundworks: error: {message}")
        assert actual.stderr.count("\n") == 1
