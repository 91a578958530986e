"""Simulation of the gates: when each net toggles, without delay or with every gate's own.

Icarus runs both. With delays, each path of each gate takes what OpenSTA's tables say for its slew
and load; a pulse shorter than the gate that it meets is swallowed, as the standard has it.
"""

from __future__ import annotations

import hashlib
import re
import tempfile
import time
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ... import cache
from ...errors import HardwareError
from ..flow import opensta, tools
from ..library import Conditions, Library, models
from . import MODELS as MODELS
from .gates import PART, CellCircuit, Port
from .loads import clock_nets
from .traffic import Traffic

if TYPE_CHECKING:  # numpy takes a tenth of a second, which `--help` need not wait for
    from . import waves


@dataclass(frozen=True, slots=True)
class Activity:
    """What was seen in a window of ``cycles`` cycles of ``period`` seconds each."""

    model: str
    trace: waves.Trace
    cycles: int
    period: float
    seconds: float  # that the simulation took

    @property
    def toggles_per_cycle(self) -> float:
        """Toggles of all nets in a mean cycle."""
        return self.trace.toggles / self.cycles


def simulate(
    circuit: CellCircuit,
    library: Library,
    traffic: Traffic,
    period: float,
    conditions: Conditions,
    *,
    model: str = "glitch",
    limit: float = 3600,
) -> Activity:
    """Run the traffic over the gates.

    Raises
    ------
    HardwareError
        ``core: data_o differs at clock 17, want 0x3f, got 0x3e; ...``
    """
    if model not in MODELS:
        raise HardwareError(f"model: want {' or '.join(MODELS)}, got {model!r}")
    started = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="roundworks-") as name:
        folder = Path(name)
        timed = model == "glitch"
        used = [gate.cell for gate in circuit.gates]
        (folder / "cells.v").write_text(models.models(library, used, timed=timed, known=True))
        outputs = {name: {pin.name for pin in library.cells[name].outputs} for name in used}
        text = circuit.verilog_in_parts(lambda gate: outputs[gate.cell])
        (folder / "parts.v").write_text(text)
        if timed:
            _delays(circuit, library, conditions, folder)
        _bench(circuit, traffic, period, timed, folder)
        what = f"{circuit.name}: simulating the gates"
        # Two netlists of one core may run at once.
        digest = hashlib.sha256(text.encode()).hexdigest()[:12]
        log = _log(f"{circuit.name}-{digest}")
        tools.run(
            [
                tools.find("iverilog"),
                "-g2012",
                "-gspecify",
                "-o",
                "bench.vvp",
                "-s",
                "bench",
                "bench.v",
                "parts.v",
                "cells.v",
            ],
            folder,
            log=log,
            what=what,
            limit=limit,
        )
        said = tools.run([tools.find("vvp"), "-n", "bench.vvp"], folder, log=log, what=what, limit=limit)
        _check(said, circuit, traffic)
        start, stop = _window(traffic, period)
        names = [f"n{i}" for i in range(len(circuit.nets))]
        from . import waves

        trace = waves.read(folder / "nets.vcd", names, start, stop)
    return Activity(model, trace, len(traffic.window), period, time.perf_counter() - started)


def _log(name: str) -> Path:
    log = cache.home() / "logs" / f"power-{name}.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    return log


def _window(traffic: Traffic, period: float) -> tuple[float, float]:
    """From just before one rise of the clock to just before another. Rise k is at k + 1 periods."""
    first, last = traffic.window.start, traffic.window.stop
    return (first + 0.99) * period, (last + 0.99) * period


def _delays(circuit: CellCircuit, library: Library, conditions: Conditions, folder: Path) -> None:
    """OpenSTA's delays in the little of SDF that Icarus 11 reads: no conditions, all three values."""
    (folder / "circuit.v").write_text(circuit.verilog())
    netlist = opensta.MappedNetlist(folder / "circuit.v", "circuit", circuit.clock, circuit.reset)
    lines = opensta.setup(netlist, library, conditions)
    lines.append("write_sdf -divider . -digits 6 -no_timestamp -no_version theirs.sdf")
    text = opensta.run(lines, folder, _log("write_sdf"), f"{circuit.name}: write_sdf")
    theirs = folder / "theirs.sdf"
    if not theirs.is_file():
        raise HardwareError(f"opensta: want delays, got {tools.complaint(text)!r}")
    # The clock is ideal behind its gates too: else a gated flop took what others do at that edge.
    clocked = clock_nets(circuit, library, circuit.clock)
    ideal = {
        f"u{i}"
        for i, gate in enumerate(circuit.gates)
        if any(
            net in clocked
            for pin, net in gate.pins.items()
            if library.cells[gate.cell].pins[pin].direction != "input"
        )
    }
    for number, found in enumerate(plain_sdf(theirs.read_text(), len(circuit.gates), ideal)):
        (folder / f"delays{number}.sdf").write_text(found)


_CELL = re.compile(r'\(CELLTYPE "([^"]+)"\)\s*\(INSTANCE (\w+)\)(.*?)(?=\(CELLTYPE|\Z)', re.DOTALL)
_PATH = re.compile(r"\(IOPATH (?:\(posedge |\(negedge )?(\w+)\)? (\w+) (\([^()]*\))(?: (\([^()]*\)))?\)")


def plain_sdf(text: str, gates: int, ideal: Collection[str] = ()) -> list[str]:
    """Each path once, with the slowest of the delays given for it: a rise's and a fall's. A file
    for each part of the circuit. Gates that are `ideal` have none."""
    scale = re.search(r"\(TIMESCALE (\w+)\)", text)
    assert scale is not None
    parts: list[list[str]] = [
        ['(DELAYFILE (SDFVERSION "3.0") (DESIGN "circuit") (DIVIDER .)', f"(TIMESCALE {scale[1]})"]
        for _ in range(-(-gates // PART))
    ]
    for cell, gate, body in _CELL.findall(text):
        if gate in ideal:
            continue
        paths: dict[tuple[str, str], list[float | None]] = {}
        for source, target, rise, fall in _PATH.findall(body):
            both = paths.setdefault((source, target), [None, None])
            for i, given in enumerate((rise, fall or rise)):
                numbers = [float(n) for n in re.findall(r"-?\d[\d.e+-]*", given)]
                if numbers:
                    both[i] = max([*numbers, both[i] or 0.0])
        lines = parts[int(gate[1:]) // PART]
        if paths:
            lines.append(f'(CELL (CELLTYPE "{cell}") (INSTANCE {gate}) (DELAY (ABSOLUTE')
            for (source, target), (up, down) in paths.items():
                one = up if up is not None else down or 0.0
                two = down if down is not None else one
                lines.append(f" (IOPATH {source} {target} ({one}:{one}:{one}) ({two}:{two}:{two}))")
            lines.append(")))")
    return ["\n".join([*lines, ")", ""]) for lines in parts]


def _bench(circuit: CellCircuit, traffic: Traffic, period: float, timed: bool, folder: Path) -> None:
    """A module that plays the inputs, looks at the outputs and records the nets."""
    inputs = [p for p in circuit.inputs if p.name != traffic.clock]
    watched = [p for p in circuit.outputs if p.name in traffic.outputs]
    _columns(folder / "inputs.txt", inputs, traffic.inputs, traffic.cycles)
    _columns(folder / "outputs.txt", watched, traffic.outputs, traffic.cycles, masked=True)
    wide, seen = (sum(len(p.nets) for p in ports) for ports in (inputs, watched))
    start, stop = (t * 1e12 for t in _window(traffic, period))
    every = period * 1e12
    pins = [f".{p.name}({{{p.name}}})" for p in circuit.inputs]
    pins += [f".{p.name}({p.name})" for p in circuit.outputs]
    declared = [f"  reg [{len(p.nets) - 1}:0] {p.name};" for p in inputs]
    declared += [f"  wire [{len(p.nets) - 1}:0] {p.name};" for p in circuit.outputs]
    if traffic.clock:
        declared.append(f"  wire [0:0] {traffic.clock} = clock;")
    if not inputs:
        declared.append("  reg nothing;")
    play = f"{{{', '.join(p.name for p in reversed(inputs)) or 'nothing'}}}"
    look = f"{{{', '.join(p.name for p in reversed(watched))}}}" if watched else "1'b0"
    parts = range(-(-len(circuit.gates) // PART) if timed else 0)
    sdf = [f'  initial $sdf_annotate("delays{n}.sdf", dut.p{n});' for n in parts]
    (folder / "bench.v").write_text(f"""`timescale 1ps/1fs
module bench;
  reg clock = 0;
  integer k = 0;
  integer wrong = 0;
{chr(10).join(declared)}
  reg [{max(wide, 1) - 1}:0] stimulus [0:{traffic.cycles}];
  reg [{2 * max(seen, 1) - 1}:0] expected [0:{traffic.cycles}];
  wire [{max(seen, 1) - 1}:0] got = {look};
  wire [{max(seen, 1) - 1}:0] want = expected[k][{max(seen, 1) - 1}:0];
  wire [{max(seen, 1) - 1}:0] mask = expected[k][{2 * max(seen, 1) - 1}:{max(seen, 1)}];
  circuit dut({", ".join(pins)});
{chr(10).join(sdf)}
  initial begin
    $readmemh("inputs.txt", stimulus);
    $readmemh("outputs.txt", expected);
    {play} = stimulus[0];
  end
  initial begin
    #{every / 2:.6f};
    forever begin
      #{every / 2:.6f} clock = 1;
      #{every / 2:.6f} clock = 0;
    end
  end
  always @(posedge clock) begin
    if (((got ^ want) & mask) !== 0 && !wrong) begin
      wrong = 1;
      $display("DIFFERS %0d %h %h %h", k, want, got, mask);
    end
    k <= k + 1;
    {play} <= stimulus[k + 1];
  end
  initial begin
    $dumpfile("nets.vcd");
    #{start - 0.005 * every:.6f} $dumpvars(1, dut);
    #{stop - start + 0.006 * every:.6f} $display("DONE");
    $finish;
  end
endmodule
""")


def _columns(file: Path, ports: list[Port], values: object, cycles: int, masked: bool = False) -> None:
    """A line of hexadecimal digits per cycle; with a mask above it where one is wanted."""
    assert isinstance(values, dict)
    lines = []
    for k in range(cycles + 1):
        word = mask = at = 0
        for port in ports:
            value = values[port.name][min(k, cycles - 1)]
            if value is not None and (k < cycles or not masked):
                word |= value << at
                mask |= ((1 << len(port.nets)) - 1) << at
            at += len(port.nets)
        lines.append(f"{mask << max(at, 1) | word:x}" if masked else f"{word:x}")
    file.write_text("\n".join(lines) + "\n")


def _check(text: str, circuit: CellCircuit, traffic: Traffic) -> None:
    if found := re.search(r"DIFFERS (\d+) (\w+) (\w+) (\w+)", text):
        clock = int(found[1])
        want, got, mask = found[2], found[3], int(found[4], 16)
        at = 0
        for port in circuit.outputs:
            if port.name not in traffic.outputs:
                continue
            wide = (1 << len(port.nets)) - 1
            numbers = [None if set(t.lower()) & set("xz") else int(t, 16) for t in (want, got)]
            if None in numbers:
                break
            a, b = ((n or 0) >> at & wide for n in numbers)
            if (a ^ b) & mask >> at & wide:
                raise HardwareError(
                    f"{circuit.name}: {port.name} differs at clock {clock}, want "
                    f"{a:#x}, got {b:#x}; is the clock slower than the circuit?"
                )
            at += len(port.nets)
        raise HardwareError(
            f"{circuit.name}: its output differs at clock {clock}, want {want}, got "
            f"{got}; does the reset reach every flop?"
        )
    if "DONE" not in text:
        raise HardwareError(f"{circuit.name}: the simulation ended early: {text.strip()[-200:]!r}")
