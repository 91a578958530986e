"""Circuits whose power is worked out by hand, and what the tests of power share."""

from __future__ import annotations

import random
from pathlib import Path

from hardware_tools import need, need_osu018
from places import TINY_LIBRARY
from roundworks.hardware.library import Library, load
from roundworks.hardware.power import gates
from roundworks.hardware.power.traffic import Traffic

TINY = TINY_LIBRARY


def tiny() -> Library:
    need("liberty")
    return load([TINY])


def osu018() -> Library:
    need("liberty")
    return load([need_osu018()])


def circuit(folder: Path, text: str, clock: str = "") -> gates.CellCircuit:
    file = folder / "circuit.v"
    file.write_text(text)
    return gates.read(file, clock=clock)


def every_cycle(clock: str | None, clocks: int, **ports: list[int]) -> Traffic:
    """Ports that repeat their values; measured from the second clock on, an even number of them."""
    inputs = {name: [values[k % len(values)] for k in range(clocks)] for name, values in ports.items()}
    return Traffic(clock, clocks, inputs, {}, range(2, clocks - 2))


CHAIN = """module chain(input a, output y);
  wire p, q;
  INV i0 (.A(a), .Y(p));
  INV i1 (.A(p), .Y(q));
  INV i2 (.A(q), .Y(y));
endmodule
"""

NAND = """module one(input a, input b, output y);
  NAND2 g (.A(a), .B(b), .Y(y));
endmodule
"""

TOGGLE = """module toggle(input clk, output q);
  wire d;
  DFF f (.CK(clk), .D(d), .Q(q));
  INV i (.A(q), .Y(d));
endmodule
"""

# The flop's clock arrives where en was high before it.
GATED = """module gated(input clk, input en, output q);
  wire g, d;
  GATE c (.CK(clk), .E(en), .GCK(g));
  DFF f (.CK(g), .D(d), .Q(q));
  INV i (.A(q), .Y(d));
endmodule
"""

# y is one, but for a pulse of three inverters after each change of a.
PULSE = """module pulse(input a, output y);
  wire p, q, r;
  INV i0 (.A(a), .Y(p));
  INV i1 (.A(p), .Y(q));
  INV i2 (.A(q), .Y(r));
  XOR2 x (.A(a), .B(r), .Y(y));
endmodule
"""


def heap(library: Library, size: int, seed: int) -> str:
    """Gates of many kinds, wired at random without a loop, a fifth of them flops."""
    rng = random.Random(seed)
    plain = [
        cell
        for cell in library.cells.values()
        if cell.state is None
        and len(cell.outputs) == 1
        and cell.inputs
        and cell.outputs[0].function is not None
        and not cell.outputs[0].three_state
    ]
    flops = [c for c in library.cells.values() if c.state and c.state.kind == "ff" and not c.state.clear]
    lines = ["module heap(input clk, input [7:0] in, output [7:0] out);"]
    nets = [f"in[{i}]" for i in range(8)]
    for i in range(size):
        cell = rng.choice(flops if i % 5 == 4 else plain)
        pins = []
        for pin in cell.inputs:
            pins.append(f".{pin.name}({'clk' if pin.clock else rng.choice(nets[-24:])})")
        named = [p for p in cell.outputs if p.function is not None]
        pins.append(f".{named[0].name}(w{i})")
        lines += [f"  wire w{i};", f"  {cell.name} g{i} ({', '.join(pins)});"]
        nets.append(f"w{i}")
    lines += [f"  assign out[{i}] = {net};" for i, net in enumerate(nets[-8:])]
    return "\n".join([*lines, "endmodule", ""])
