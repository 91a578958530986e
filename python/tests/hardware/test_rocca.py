"""Rocca-S in hardware: clocks by formula, constants as in spec/, a short bench; the counter of
lengths that it shares with others."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from roundworks import spec
from roundworks.hardware.cores import core
from roundworks.hardware.cycles.aead import formula
from roundworks.hardware.flow.simulate import simulate

RTL = spec.root() / "rtl"
icarus = pytest.mark.skipif(shutil.which("iverilog") is None, reason="no iverilog")


def test_cycles_are_compared_with_the_paper() -> None:
    """It counts 36 + blocks; two clocks of those are not in what [ROCCA-S-DRAFT] describes."""
    printed = spec.paper("aether").table("figure-6").value("Rocca-S, one of four", "cycles, long")
    cycles = formula(core("rocca-s").cycles)
    assert cycles.cycles(0, 160_000) == printed - 2  # type: ignore[operator]
    assert [cycles.cycles(*sizes) for sizes in ((0, 0), (1, 0), (33, 64))] == [34, 35, 38]


def test_the_package_has_the_constants_of_spec() -> None:
    text = (RTL / "rocca" / "rocca_pkg.sv").read_text()
    matches = re.findall(r"logic \[127:0\] (Z\d) = 128'h([0-9a-f_]+);", text)
    words = {name: bytes.fromhex(digits.replace("_", ""))[::-1] for name, digits in matches}
    facts = spec.cipher("rocca-s")
    assert words == {z: v.to_bytes(16, "big") for z, v in facts.constants.items()}


@icarus
@pytest.mark.long
@pytest.mark.parametrize("sbox", ["lut", "t-table"])
def test_the_short_bench_passes(sbox: str) -> None:
    pytest.importorskip("cocotb")
    done = simulate(core("rocca-s"), {"Sbox": sbox}, simulator="icarus", tests=("back_to_back",))
    assert not done.failed and done.tests, done.failed


@icarus
@pytest.mark.parametrize(("width", "rate"), [(5, 16), (6, 32), (7, 48), (8, 128)])
def test_lengths_are_those_of_a_sum(width: int, rate: int, tmp_path: Path) -> None:
    """Blocks in every cycle, from just below each power of two; the register is written for that."""
    bench = tmp_path / "bench.sv"
    bench.write_text(f"""
module bench;
  logic clk = 0, clear = 0, add = 0;
  logic [{width - 1}:0] bytes = {rate};
  logic [60:0] length, want;
  int bad = 0, seen = 0;
  aead_length #(.Width({width})) u_length (
    .clk_i(clk), .clear_i(clear), .add_i(add), .bytes_i(bytes), .length_o(length)
  );
  always #1 clk = ~clk;
  initial begin
    for (int k = 9; k < 62; k++) begin
      @(negedge clk);
      want = (62'd1 << k) - 62'd1 - 62'd{rate} * 40 - 62'(k % {rate});
      u_length.length_q = want;
      @(negedge clk);
      add = 1;
      for (int i = 0; i < 80; i++) begin
        bytes = i == 79 ? {rate // 2 + 1} : {rate};
        want = want + 61'(bytes);
        @(negedge clk);
        seen++;
        if (length !== want) bad++;
      end
      add = 0;
    end
    clear = 1;
    @(negedge clk);
    $display("seen %0d, bad %0d, cleared %0d", seen, bad, length == 0);
    $finish;
  end
endmodule
""")
    program = tmp_path / "bench"
    source = RTL / "common" / "aead_length.sv"
    subprocess.run(["iverilog", "-g2012", "-o", program, source, bench], check=True)
    done = subprocess.run(["vvp", program], check=True, capture_output=True, text=True)
    assert done.stdout.splitlines()[0] == f"seen {53 * 80}, bad 0, cleared 1"
