"""Clock gates: what stands for them in a library, and a word behind one, from source to gates."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest

from hardware_tools import OSU018, need
from power_circuits import TINY, osu018
from roundworks import spec
from roundworks.errors import HardwareError, LibraryError
from roundworks.hardware.cores import Core, core
from roundworks.hardware.flow import clock_gates, fpga
from roundworks.hardware.flow.synthesis import synthesise
from roundworks.hardware.library import load
from roundworks.hardware.power import activity, gates
from roundworks.hardware.power.core import minimum_period
from roundworks.hardware.power.loads import loads
from roundworks.hardware.power.measured import measured
from roundworks.hardware.power.traffic import Traffic

CORES = """schema = "cores-v1"
[[cores]]
name = "word"
family = "test"
title = "a word that is written now and then"
top = "word"
files = ["clock_gate.sv", "gated_word.sv", "word.sv"]
clock = "clk_i"
reset = "rst_ni"
"""
# A counter without a gate feeds it, and its own sum decides: both take the same edge.
WORD = """module word (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic [3:0] add_i,
  output logic [3:0] data_o
);
  logic [3:0] sum_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) sum_q <= '0;
    else sum_q <= sum_q + add_i;
  end
  gated_word #(.Width(4)) u_word (
    .clk_i, .write_i(^sum_q), .data_i(sum_q), .data_o
  );
endmodule
"""
GATE = """  cell ({name}) {{
    area : {area};
    clock_gating_integrated_cell : latch_posedge{test};
    dont_use : true;
    statetable ("CK E", "IQ") {{ table : "L L : - : L , L H : - : H , H - : - : N "; }}
    pin (IQ) {{ direction : internal; internal_node : "IQ"; }}
    pin (CK) {{ direction : input; clock_gate_clock_pin : true; capacitance : 0.01; }}
    pin (E) {{ direction : input; clock_gate_enable_pin : true; capacitance : 0.01; }}
    {pin}
    pin (GCK) {{
      direction : output; clock_gate_out_pin : true; state_function : "CK & IQ";
      max_capacitance : {most};
    }}
  }}
"""


def gate(name: str, area: float, most: float, test: bool = False) -> str:
    pin = "pin (SE) { direction : input; clock_gate_test_pin : true; capacitance : 0.01; }"
    return GATE.format(
        name=name, area=area, most=most, pin=pin if test else "", test="_precontrol" if test else ""
    )


def word(folder: Path) -> Core:
    for name in ("clock_gate.sv", "gated_word.sv"):
        shutil.copy(spec.root() / "rtl" / "common" / name, folder)
    (folder / "word.sv").write_text(WORD)
    (folder / "cores.toml").write_text(CORES)
    return core("word", folder / "cores.toml")


def library_with(folder: Path, *cells: str) -> Path:
    """The tiny library with these in the place of its own gate."""
    text = TINY.read_text()
    file = folder / "mine.lib"
    file.write_text(text[: text.index("  cell (GATE)")] + "".join(cells) + "}\n")
    return file


def test_the_smallest_that_bears_a_word_is_taken(tmp_path: Path) -> None:
    # 64 pins of 0.01 pF, four times.
    cells = [gate("G1", 4, 1.2), gate("G4", 8, 4.8), gate("G2", 6, 2.6), gate("T2", 5, 2.6, test=True)]
    mapping = clock_gates.techmap(load([library_with(tmp_path, *cells)]))
    assert "G2 u_gate (.CK(clk_i), .E(en_i), .GCK(clk_o));" in mapping
    weak = clock_gates.techmap(load([library_with(tmp_path, *cells[:1], cells[3])]))
    assert "G1 u_gate" in weak
    tested = clock_gates.techmap(load([library_with(tmp_path, cells[3])]))
    assert "T2 u_gate (.CK(clk_i), .E(en_i), .SE(1'b0), .GCK(clk_o));" in tested


def test_without_gate_or_latch_it_says_so(tmp_path: Path) -> None:
    with pytest.raises(LibraryError, match=r"^mine: no clock gate and no plain latch; want "):
        clock_gates.techmap(load([library_with(tmp_path)]))


def test_a_latch_where_there_is_no_gate() -> None:
    osu018()
    lines = clock_gates.techmap(load([OSU018])).splitlines()
    assert [line.split()[0] for line in lines[2:-1]] == ["INVX1", "LATCH", "NAND2X1", "INVX8"]


@pytest.mark.parametrize("model", activity.MODELS)
def test_the_gates_do_what_the_source_says(tmp_path: Path, model: str) -> None:
    """On a latch, a NAND and an inverter, compared with a model of three lines."""
    need("iverilog", "sta", "pyosys")
    cells = osu018()
    (made,) = synthesise(word(tmp_path), {}, load([OSU018]), [("dch", None)])
    assert made.flops == 8
    circuit = gates.read(made.netlist, clock="clk_i", reset="rst_ni")
    conditions = cells.conditions
    minimum = minimum_period(word(tmp_path), made.netlist, cells)
    assert minimum == pytest.approx(made.period_ps * 1e-12)
    rng = random.Random(3)
    adds = [rng.randrange(16) for _ in range(64)]
    total = stored = 0
    shown: list[int | None] = []
    for k, add in enumerate(adds):
        shown.append(stored)
        reset = k < 4
        stored = total if not reset and total.bit_count() & 1 else stored
        total = 0 if reset else (total + add) % 16
    ports = {"add_i": adds, "rst_ni": [int(k >= 4) for k in range(64)]}
    traffic = Traffic("clk_i", 64, ports, {"data_o": shown}, range(6, 62))
    seen = activity.simulate(circuit, cells, traffic, 1.1 * minimum, conditions, model=model)
    # A gated clock has two toggles per cycle that it lets through.
    known = loads(circuit, cells, conditions)
    clocks = {g.pins["CLK"] for g in circuit.gates if g.cell.startswith("DFF")}
    (gated,) = clocks - {circuit.port("clk_i").nets[0]}
    assert 20 < len(seen.trace.of(gated)) < 2 * 56 - 20
    assert measured(circuit, cells, seen, conditions, known).power.internal > 0


def test_an_fpga_takes_enables(tmp_path: Path) -> None:
    need("pyosys", "nextpnr-ice40")
    with pytest.raises(HardwareError, match=r"^word: gates its clock, which an FPGA's flip-flops do"):
        fpga.route(word(tmp_path), {}, "ice40")
