"""The delay of a netlist: OpenSTA's word, under one set of constraints.

Every input but the clock is driven by the library's driver and arrives with the clock's edge; every
output carries the library's load and is wanted by the next edge. The clock is ideal and wires weigh
nothing: there is no layout. The asynchronous reset is not timed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from ..errors import HardwareError
from . import clock_gates, tools
from .cores import Core
from .library import Library

# Only the difference to the worst slack counts, and a number is told in seven figures: so the shorter
# the period, the better.
_PERIOD_PS = 1.0
# The slack that OpenSTA tells where it has no path is 1e30 s.
_NO_PATH_PS = 1e30


@dataclass(frozen=True, slots=True)
class Timing:
    """``period_ps``: the least clock period, or input to output. ``path``: OpenSTA's words on it."""

    period_ps: float
    path: str


def constraints(core: Core, library: Library) -> list[str]:
    """Lines of SDC, in ps and fF."""
    inputs = f"[remove_from_collection_by_name [all_inputs] {{{core.clock} {core.reset}}}]"
    clock = f" [get_ports {core.clock}]" if core.clock else ""
    lines = [
        "proc remove_from_collection_by_name {ports names} {",
        "  set left {}",
        "  foreach port $ports {",
        "    if {[lsearch $names [get_property $port full_name]] < 0} {lappend left $port}",
        "  }",
        "  return $left",
        "}",
        "set_cmd_units -time ps -capacitance fF",
        f"create_clock -name clock -period {_PERIOD_PS:g}{clock}",
        f"set timed {inputs}",
        "set_input_delay 0 -clock clock $timed",
        f"set_driving_cell -lib_cell {library.driver.name} $timed",
        "set_output_delay 0 -clock clock [all_outputs]",
        f"set_load {library.load_ff:.6g} [all_outputs]",
    ]
    # A latch is that of a clock gate: what it is given must be there when it closes, as at a flop, and
    # what it gives has the half clock for which it is open.
    if (latch := clock_gates.latch(library)) is not None:
        (out,) = latch.outputs
        lines += [
            f"set_disable_timing -from {pin} -to {out} [get_lib_cells */{latch.name}]"
            for pin in latch.inputs
        ]
    return lines + ([f"set_false_path -from [get_ports {core.reset}]"] if core.reset else [])


def start(core: Core, library: Library, netlist: Path) -> list[str]:
    """A script for OpenSTA up to the first question."""
    return [
        *(f"read_liberty {{{file.resolve()}}}" for file in library.files),
        f"read_verilog {{{netlist.resolve()}}}", f"link_design {core.top}", *constraints(core, library),
    ]  # fmt: skip


def run(lines: list[str], folder: Path, log: Path, what: str) -> str:
    """OpenSTA's words; it goes on after an error unless told not to."""
    script = folder / "timing.tcl"
    body = "\n".join(lines)
    script.write_text(
        f'if {{[catch {{\n{body}\n}} message]}} {{puts "Error: $message"; exit 1}}\nexit 0\n'
    )
    return tools.run(
        [tools.find("sta"), "-no_splash", "-no_init", "-exit", script], folder, log=log, what=what
    )


def timing(core: Core, library: Library, netlist: Path, folder: Path, log: Path) -> Timing:
    """Time a netlist; scratch files go to `folder`."""
    said = run(
        [*start(core, library, netlist), 'puts "slack [worst_slack -max]"',
         "report_checks -path_delay max -digits 4 -fields {cap slew fanout}"],
        folder, log, f"{core.name}: sta",
    )  # fmt: skip
    return Timing(period(said, core, log), said[said.find("Startpoint") :])


def period(said: str, core: Core, log: Path) -> float:
    """From the last slack that OpenSTA printed."""
    found = re.findall(r"^slack (-?[\d.e+]+)", said, re.MULTILINE)
    if not found or float(found[-1]) > _NO_PATH_PS:
        raise HardwareError(f"{core.name}: sta: found no path to time; {log} has its words")
    return _PERIOD_PS - float(found[-1])
