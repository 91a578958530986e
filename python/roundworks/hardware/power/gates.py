"""A synthesised circuit: instances of cells on nets of one bit.

Read from flat structural Verilog, and written again with plain names (``n7``,
``u12``): what a simulator and OpenSTA are then given needs no escaping and no vectors.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ... import cache
from ...errors import HardwareError
from ..flow import yosys
from ..library.models import verilog

ZERO, ONE = -1, -2  # nets tied to a constant
# To give a gate its delays Icarus goes through all that its module holds, nets too: many small
# modules, each with a file of delays, take seconds where one takes minutes.
PART = 64
_WANTED = "want flat structural Verilog as Yosys writes it"


@dataclass(frozen=True, slots=True)
class CellGate:
    """One instance; ``pins`` says which net each pin is on, unconnected ones are not there."""

    name: str
    cell: str
    pins: dict[str, int]


@dataclass(frozen=True, slots=True)
class Port:
    """A port of the circuit and the nets of its bits."""

    name: str
    nets: tuple[int, ...]  # bit 0 first


@dataclass(frozen=True, slots=True)
class CellCircuit:
    """``clock`` and ``reset``: names of these ports, empty where there are none."""

    name: str
    nets: tuple[str, ...]
    inputs: tuple[Port, ...]
    outputs: tuple[Port, ...]
    gates: tuple[CellGate, ...]
    clock: str = ""
    reset: str = ""

    def port(self, name: str) -> Port:
        """The port of this name; `HardwareError` lists the ports if there is none."""
        for port in (*self.inputs, *self.outputs):
            if port.name == name:
                return port
        known = ", ".join(p.name for p in (*self.inputs, *self.outputs))
        raise HardwareError(f"{self.name}: no port {name}; it has {known}")

    def verilog(self) -> str:
        """Plain names: nets n0, n1, ..., gates u0, u1, ..., and each port a vector of its own."""
        lines = [*self._head(), *self._lines(self.gates, 0), "endmodule"]
        return "\n".join([*lines, ""])

    def verilog_in_parts(self, drives: Callable[[CellGate], set[str]]) -> str:
        """The same in modules of `PART` gates each, p0, p1, ... Nets stay above them.

        `drives` says which pins of a gate are outputs.
        """
        lines, modules = self._head(), list[str]()
        for number, start in enumerate(range(0, len(self.gates), PART)):
            chunk = self.gates[start : start + PART]
            used = sorted({net for gate in chunk for net in gate.pins.values() if net >= 0})
            driven = {gate.pins[pin] for gate in chunk for pin in drives(gate) if pin in gate.pins}
            names = ", ".join(f"n{net}" for net in used)
            lines.append(f"  part{number} p{number} ({names});")
            modules.append(f"module part{number}({names});")
            modules += [f"  {'output' if net in driven else 'input'} n{net};" for net in used]
            modules += [*self._lines(chunk, start), "endmodule"]
        return "\n".join([*lines, "endmodule", *modules, ""])

    def _head(self) -> list[str]:
        ports = [p.name for p in (*self.inputs, *self.outputs)]
        lines = [f"module circuit({', '.join(ports)});"]
        for kind, group in (("input", self.inputs), ("output", self.outputs)):
            lines += [f"  {kind} {_span(p)}{p.name};" for p in group]
        lines += [f"  wire n{i};" for i in range(len(self.nets))]
        for p in self.inputs:
            lines += [f"  assign n{net} = {bit};" for bit, net in zip(_bits(p), p.nets, strict=True)]
        for p in self.outputs:
            lines += [f"  assign {bit} = {_net(net)};" for bit, net in zip(_bits(p), p.nets, strict=True)]
        return lines

    def _lines(self, gates: Sequence[CellGate], first: int) -> list[str]:
        return [
            f"  {gate.cell} u{i} ({', '.join(f'.{p}({_net(n)})' for p, n in gate.pins.items())});"
            for i, gate in enumerate(gates, first)
        ]


def _span(port: Port) -> str:
    return f"[{len(port.nets) - 1}:0] " if len(port.nets) > 1 else ""


def _bits(port: Port) -> list[str]:
    """OpenSTA knows the clock by its name: a port of one bit is no vector."""
    return [f"{port.name}[{i}]" for i in range(len(port.nets))] if len(port.nets) > 1 else [port.name]


def _net(net: int) -> str:
    return {ZERO: "1'b0", ONE: "1'b1"}.get(net, f"n{net}")


def read(file: Path, top: str | None = None, *, clock: str = "", reset: str = "") -> CellCircuit:
    """The circuit of a file with one module, or of its module `top`, read by Yosys; these ports are its
    clock and its reset.

    Raises
    ------
    HardwareError
        ``core.v: line 12: syntax error, unexpected ')'; want flat structural Verilog as Yosys writes it``
    """
    text = verilog(file)
    log = cache.home() / "logs" / f"netlist-{file.name}.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="roundworks-") as name:
        folder = Path(name)
        (folder / "circuit.v").write_text(text, encoding="utf-8")
        try:
            yosys.run(
                ["read_verilog -noautowire circuit.v", "write_json circuit.json"], folder, log, file.name
            )
        except HardwareError as error:
            raise HardwareError(f"{file.name}: {_complaint(str(error))}; {_WANTED}") from None
        modules = json.loads((folder / "circuit.json").read_text())["modules"]
    if (top is not None and top not in modules) or not modules:
        raise HardwareError(f"{file.name}: no module {top or 'in it'}; name a netlist of the core")
    if top is None and len(modules) > 1:
        raise HardwareError(f"{file.name}: want one module, got {' and '.join(modules)}; flatten it")
    top = top or next(iter(modules))
    return replace(_circuit(file.name, top, modules[top]), clock=clock, reset=reset)


def _complaint(error: str) -> str:
    """Yosys names a file and a line before what it says."""
    where = re.search(r"circuit\.v:(\d+): (?:ERROR: ?)?(.*?)\.?(?:; all of it|$)", error)
    return f"line {where[1]}: {where[2]}" if where else error.partition(": ")[2].partition("; all of it")[0]


def _circuit(file: str, top: str, module: Mapping[str, Any]) -> CellCircuit:
    numbers: dict[int, int] = {}

    def net(bit: int | str) -> int:
        if isinstance(bit, str):  # of an unknown value nobody looks at it
            return ONE if bit == "1" else ZERO
        return numbers.setdefault(bit, len(numbers))

    ports: dict[str, list[Port]] = {"input": [], "output": []}
    for name, port in module["ports"].items():
        if port["direction"] not in ports:
            raise HardwareError(f"{file}: {name} is {port['direction']}; {_WANTED}")
        ports[port["direction"]].append(Port(name, tuple(map(net, port["bits"]))))
    gates = []
    for instance, cell in module["cells"].items():
        pins = {pin: bits for pin, bits in cell["connections"].items() if bits}
        for pin, bits in pins.items():
            if len(bits) != 1:
                raise HardwareError(
                    f"{file}: {instance}: pin {pin}: want one bit, got {len(bits)}; want a netlist of cells alone"
                )
        gates.append(CellGate(instance, cell["type"], {pin: net(bits[0]) for pin, bits in pins.items()}))
    names: dict[int, str] = {}
    for name, wire in module["netnames"].items():
        for i, bit in enumerate(wire["bits"]):
            names.setdefault(bit, f"{name}[{i}]" if len(wire["bits"]) > 1 else name)
    nets = tuple(names.get(bit, str(bit)) for bit in numbers)
    return CellCircuit(top, nets, tuple(ports["input"]), tuple(ports["output"]), tuple(gates))
