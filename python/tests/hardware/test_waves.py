"""Dumps: the quick reader compared with one that can be checked by eye, and netlists."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from roundworks.errors import HardwareError
from roundworks.hardware.power import gates, waves


def dump(folder: Path, names: list[str], changes: list[tuple[int, int, str]]) -> Path:
    """A file of these changes (time, which, value), in order of time."""
    codes = [chr(33 + i % 90) + ("" if i < 90 else chr(33 + i // 90)) for i in range(len(names))]
    lines = ["$timescale 1ps $end", "$scope module top $end"]
    lines += [f"$var wire 1 {code} {name} $end" for code, name in zip(codes, names, strict=True)]
    lines += ["$var wire 8 zz bus [7:0] $end", "$upscope $end", "$enddefinitions $end", "#0", "$dumpvars"]
    lines += [f"0{code}" for code in codes] + ["b00000000 zz", "$end"]
    now = 0
    for time, which, value in changes:
        if time != now:
            lines.append(f"#{time}")
            now = time
        lines += [f"{value}{codes[which]}", f"b{time % 256:b} zz"]
    file = folder / "dump.vcd"
    file.write_text("\n".join(lines) + "\n")
    return file


@pytest.mark.parametrize("chunk", [64, 1000, 1 << 25])
def test_toggles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chunk: int) -> None:
    monkeypatch.setattr(waves, "_CHUNK", chunk)
    rng = random.Random(chunk)
    names = [f"n{i}" for i in range(200)]
    changes, time = [], 0
    for _ in range(5000):
        time += rng.choice((0, 0, 1, 7, 100))
        changes.append((time, rng.randrange(200), rng.choice("01")))
    start, stop = time // 4, 3 * time // 4
    trace = waves.read(dump(tmp_path, names, changes), names, start * 1e-12, stop * 1e-12)
    assert trace.toggles == sum(len(trace.of(i)) for i in range(200)) > 500
    for which in range(200):
        value, first, seen = 0, 0, []
        for at, who, bit in changes:
            if who == which and int(bit) != value:
                value = int(bit)
                if at < start:
                    first = value
                elif at < stop:
                    seen.append(at)
        assert trace.first[which] == first
        assert trace.of(which).tolist() == seen
    when = np.array([start, stop - 1])
    assert trace.at(-2, when).tolist() == [1, 1] and trace.at(-1, when).tolist() == [0, 0]


def test_what_is_unknown_is_an_error(tmp_path: Path) -> None:
    changes = [(10, 0, "x"), (20, 0, "1"), (30, 1, "1")]
    file = dump(tmp_path, ["a", "b"], changes)
    assert waves.read(file, ["a", "b"], 25e-12, 40e-12).toggles == 1
    for start in (5e-12, 15e-12):
        with pytest.raises(HardwareError, match=r"^dump.vcd: a is unknown within the window; "):
            waves.read(file, ["a", "b"], start, 40e-12)
    with pytest.raises(HardwareError, match=r"want 2 nets, got 1; c is not in it$"):
        waves.read(file, ["a", "c"], 0, 1)
    file.write_text("nothing")
    with pytest.raises(HardwareError, match=r"no value change dump"):
        waves.read(file, ["a"], 0, 1)


def test_samples_at_the_clock(tmp_path: Path) -> None:
    text = """$timescale 1ns $end
$scope module top $end
$var wire 1 ! clk $end
$var wire 8 " in [7:0] $end
$var wire 1 # out $end
$scope module inner $end
$var wire 8 % in [7:0] $end
$upscope $end
$upscope $end
$enddefinitions $end
#0
0!
bx "
0#
#5
1!
b101 "
1#
#10
0!
#15
1!
b11111111 "
#20
0!
x#
#25
1!
"""
    file = tmp_path / "core.vcd"
    file.write_text(text)
    samples = waves.samples(file, "clk", ["in", "out"])
    assert samples == {"in": [None, 5, 255], "out": [0, 1, None]}
    with pytest.raises(HardwareError, match="no signal other"):
        waves.samples(file, "clk", ["other"])


def test_netlists(tmp_path: Path) -> None:
    text = r"""/* Generated */
module top (\in , b, y);
  input [3:0] \in ;
  wire [3:0] \in ;
  input b;
  output [1:0] y;
  wire \a.b[3] ;
  wire same;
  (* src = "x" *)
  INV \u$1  ( .A(\in [2]), .Y(\a.b[3] ) );
  NAND2 g ( .A(1'h1), .B(same), .Y(y[0]) );
  assign same = \a.b[3] ;
  assign { y[1] } = 1'b0;
endmodule
"""
    file = tmp_path / "top.v"
    file.write_text(text)
    one = gates.read(file)
    assert [(p.name, len(p.nets)) for p in (*one.inputs, *one.outputs)] == [("in", 4), ("b", 1), ("y", 2)]
    inv, nand = sorted(one.gates, key=lambda gate: gate.cell)
    assert inv.pins["A"] == one.port("in").nets[2]
    assert nand.pins["B"] == inv.pins["Y"] and nand.pins["A"] == gates.ONE
    assert one.port("y").nets == (nand.pins["Y"], gates.ZERO)
    again = tmp_path / "again.v"
    again.write_text(one.verilog())
    second = gates.read(again)
    assert sorted(g.cell for g in second.gates) == ["INV", "NAND2"]
    assert [len(p.nets) for p in second.inputs] == [4, 1]
    with pytest.raises(HardwareError, match="no port z; it has in, b, y"):
        one.port("z")
