"""OpenSTA: one set-up, under the boundary conditions of the library, for a netlist's minimum period, for
the delays of its gates and for reports of its power.

The clock is ideal, the asynchronous reset is not timed, and of wires only the library's default wire
load is known: there is no layout.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ...errors import HardwareError
from ..library import Conditions, Library
from . import tools

# Only the difference to the worst slack counts, and OpenSTA computes with seven figures: so the shorter
# the period, the better.
_PERIOD_PS = 1.0
# The slack that OpenSTA reports where it has no path is 1e30 s.
_NO_PATH_PS = 1e30


@dataclass(frozen=True, slots=True)
class MappedNetlist:
    """A flat Verilog file, its top module, and the names of its clock and reset ports, if it has them."""

    file: Path
    top: str
    clock: str = ""
    reset: str = ""


@dataclass(frozen=True, slots=True)
class NetlistTiming:
    """``period_ps``: the minimum clock period, or the delay from input to output. ``path``: OpenSTA's
    report of the worst path."""

    period_ps: float
    path: str


def setup(
    netlist: MappedNetlist, library: Library, conditions: Conditions, *, period_ps: float = _PERIOD_PS
) -> list[str]:
    """Commands that read a netlist and constrain it; times are then in ps, capacitances in fF."""
    untimed = " ".join(filter(None, (netlist.clock, netlist.reset)))
    clock = f" [get_ports {netlist.clock}]" if netlist.clock else ""
    lines = [
        *(f"read_liberty {{{file.resolve()}}}" for file in library.files),
        f"read_verilog {{{netlist.file.resolve()}}}",
        f"link_design {netlist.top}",
        "set_cmd_units -time ps -capacitance fF",
        f"create_clock -name clock -period {period_ps:.9g}{clock}",
        "set timed {}",
        "foreach port [all_inputs] {",
        f"  if {{[lsearch {{{untimed}}} [get_property $port full_name]] < 0}} {{lappend timed $port}}",
        "}",
        # A pin that no clock reaches has no period, and 2.0.17 then counts its toggles a second.
        "set_input_delay 0 -clock clock $timed",
        "set_output_delay 0 -clock clock [all_outputs]",
    ]
    if conditions.driver is not None:
        lines.append(f"set_driving_cell -lib_cell {conditions.driver.name} $timed")
    else:
        lines.append(f"set_input_transition {conditions.slew * 1e12:.9g} [all_inputs]")
    if conditions.load:
        lines.append(f"set_load {conditions.load * 1e15:.9g} [all_outputs]")
    return lines


def run(lines: Sequence[str], folder: Path, log: Path, what: str) -> str:
    """OpenSTA's output; an error it reports is ours, for by default it goes on after one."""
    script = folder.resolve() / "script.tcl"
    body = "\n".join(lines)
    script.write_text(f'if {{[catch {{\n{body}\n}} message]}} {{puts "Error: $message"; exit 1}}\nexit 0\n')
    argv: list[str | Path] = [tools.find("sta"), "-no_splash", "-no_init", "-exit", script]
    return tools.run(argv, folder, log=log, what=what, limit=1800)


def timing(netlist: MappedNetlist, library: Library, *, name: str, folder: Path, log: Path) -> NetlistTiming:
    """The minimum period of a netlist; scratch files go to `folder`, `name` is its core's in errors.

    Raises
    ------
    HardwareError
        ``aes-round: sta: found no path to time; LOG has its words``
    """
    lines = setup(netlist, library, library.conditions)
    # A latch is that of a clock gate: what it is given must be there when it closes, as at a flop, and
    # what it gives has the half clock for which it is open.
    lines += [
        f"set_disable_timing -from {pin.name} -to {out.name} [get_lib_cells */{cell.name}]"
        for cell in library.cells.values()
        if cell.kind == "latch"
        for pin in cell.inputs
        for out in cell.outputs
    ]
    if netlist.reset:
        lines.append(f"set_false_path -from [get_ports {netlist.reset}]")
    # Not worst_slack: 2.0.17 dies of it on some netlists.
    lines.append("report_checks -path_delay max -digits 4 -fields {cap slew fanout}")
    text = run(lines, folder, log, f"{name}: sta")
    return NetlistTiming(period(text, name, log), text[text.find("Startpoint") :])


def period(text: str, name: str, log: Path) -> float:
    """The minimum period, in ps, by OpenSTA's report of the worst path of each path group."""
    slacks = [float(s) for s in re.findall(r"^\s*(-?[\d.e+]+)\s+slack \(", text, re.MULTILINE)]
    if not slacks or min(slacks) > _NO_PATH_PS:
        raise HardwareError(f"{name}: sta: found no path to time; {log} has its words")
    return _PERIOD_PS - min(slacks)
