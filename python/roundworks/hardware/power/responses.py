"""What the source of a combinational core computes for given words, by Icarus: its gates must too."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from ... import cache
from ...errors import HardwareError
from ..cores import Core
from ..flow import tools
from .gates import CellCircuit

_HINT = "name a netlist of this core"


def responses(
    core: Core, chosen: Mapping[str, str], circuit: CellCircuit, inputs: Mapping[str, Sequence[int]]
) -> dict[str, list[int | None]]:
    """Values of every output, one for each word of the inputs; None where a bit is unknown.

    Raises
    ------
    HardwareError
        ``aes-round: state_i: want 128 bits, as its source has, got 8; name a netlist of this core``
    """
    tools.find("iverilog")
    words = _words(circuit, inputs)
    with tempfile.TemporaryDirectory(prefix="roundworks-") as name:
        folder = Path(name)
        (folder / "bench.v").write_text(_bench(core, chosen, circuit, len(words)))
        (folder / "inputs.txt").write_text("\n".join(words) + "\n")
        log = cache.home() / "logs" / f"responses-{core.name}.log"
        log.parent.mkdir(parents=True, exist_ok=True)
        files = [file.resolve() for file in core.files]
        try:
            tools.run(
                [tools.find("iverilog"), "-g2012", "-o", "bench.vvp", "-s", "bench", "bench.v", *files],
                folder,
                log=log,
                what=f"{core.name}: iverilog",
            )
        except HardwareError as error:  # a port that the source has not, or the netlist
            raise HardwareError(f"{error}; {_HINT}") from None
        said = tools.run(
            [tools.find("vvp"), "-n", "bench.vvp"],
            folder,
            log=log,
            what=f"{core.name}: simulating the source",
        )
    widths, *lines = [line.split()[1:] for line in said.splitlines() if line.startswith("= ")]
    ports = (*circuit.inputs, *circuit.outputs)
    for port, width in zip(ports, map(int, widths), strict=True):
        if width != len(port.nets):
            raise HardwareError(
                f"{core.name}: {port.name}: want {width} bits, as its source has, got "
                f"{len(port.nets)}; {_HINT}"
            )
    columns = zip(*lines, strict=True)
    return {
        port.name: [None if set("xzXZ") & set(text) else int(text, 16) for text in column]
        for port, column in zip(circuit.outputs, columns, strict=True)
    }


def _words(circuit: CellCircuit, inputs: Mapping[str, Sequence[int]]) -> list[str]:
    """All inputs in one number, the first the lowest; a line of hexadecimal digits per cycle."""
    lines = []
    for values in zip(*(inputs[port.name] for port in circuit.inputs), strict=True):
        word = at = 0
        for port, value in zip(circuit.inputs, values, strict=True):
            word |= value << at
            at += len(port.nets)
        lines.append(f"{word:x}")
    return lines


def _bench(core: Core, chosen: Mapping[str, str], circuit: CellCircuit, cycles: int) -> str:
    """`.*` wants every port of the source, `$bits` every port of the netlist."""
    ports = (*circuit.inputs, *circuit.outputs)
    declared = [f"  reg [{len(p.nets) - 1}:0] {p.name};" for p in circuit.inputs]
    declared += [f"  wire [{len(p.nets) - 1}:0] {p.name};" for p in circuit.outputs]
    numbers = ", ".join(f".{name}({value})" for name, value in core.numbers(chosen).items())
    widths = ", ".join(f"$bits(dut.{p.name})" for p in ports)
    return f"""`timescale 1ns/1ps
module bench;
{chr(10).join(declared)}
  {core.top} {f"#({numbers}) " if numbers else ""}dut(.*);
  reg [{sum(len(p.nets) for p in circuit.inputs) - 1}:0] words [0:{cycles - 1}];
  integer k;
  initial begin
    $display("={" %0d" * len(ports)}", {widths});
    $readmemh("inputs.txt", words);
    for (k = 0; k < {cycles}; k = k + 1) begin
      {{{", ".join(p.name for p in reversed(circuit.inputs))}}} = words[k];
      #1 $display("={" %h" * len(circuit.outputs)}", {", ".join(p.name for p in circuit.outputs)});
    end
    $finish;
  end
endmodule
"""
