"""The power of a core's netlist while it works on a message."""

from __future__ import annotations

import hashlib
import random
import re
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ...errors import HardwareError
from ..cores import Core
from ..liberty import FALL, RISE, Library
from ..simulate import simulate as simulate_source
from . import activity, opensta, waves
from .answers import answers
from .gates import Circuit, read
from .loads import Conditions, cells_of, loads
from .measured import Breakdown, measured
from .traffic import Traffic

_BENCH = "traffic"
_SPARE = 1.1  # the simulated period beside OpenSTA's least: its paths start at an ideal clock
_LEAST = 64  # clocks, of a core without a clock of its own


@dataclass(frozen=True, slots=True)
class CorePower:
    """``breakdown`` is at the simulated period, ``fields`` at the clock that was asked for."""

    core: str
    parameters: dict[str, str]
    library: Library
    netlist: Path
    script: str
    model: str
    what: str
    message: int  # bytes of one
    ad: int
    bits: int  # of all
    clocks: int
    period: float  # of the clock asked for
    least: float  # OpenSTA's
    simulated: float
    toggles: float
    nets: int
    breakdown: Breakdown
    seconds: float

    @property
    def fields(self) -> dict[str, Any]:
        """For a row of kind power."""
        power = self.breakdown.at(self.period, self.simulated)
        energy = power.total * self.clocks * self.period
        return {
            "core": self.core,
            "parameters": self.parameters,
            "library": self.library.name,
            "library_sha256": self.library.digest,
            "netlist_sha256": hashlib.sha256(self.netlist.read_bytes()).hexdigest(),
            "script": self.script,
            "model": self.model,
            "traffic": self.what,
            "activity": self.toggles / self.nets,
            "toggles": self.toggles,
            "cycles": self.clocks,
            "clock_mhz": 1e-6 / self.period,
            "voltage": self.library.volt,
            "leakage_mw": power.leakage * 1e3,
            "internal_mw": power.internal * 1e3,
            "switching_mw": power.switching * 1e3,
            "total_mw": power.total * 1e3,
            "inputs_mw": power.inputs * 1e3,
            "energy_pj": energy * 1e12,
            "bits": self.bits,
            "message_bytes": self.message,
            "ad_bytes": self.ad,
            "pj_per_bit": energy * 1e12 / self.bits,
            "seconds": self.seconds,
        }


def around(library: Library) -> Conditions:
    """What stands around a core: inputs as steep as a small inverter's output that drives four of
    its kind, outputs that drive as much. Wires weigh what the library's default wire load says."""
    found = sorted(
        (cell for cell in library.cells.values()
         if not cell.state and len(cell.inputs) == len(cell.outputs) == 1
         and cell.outputs[0].function is not None and cell.outputs[0].function.kind == "not"
         and cell.outputs[0].arcs),
        key=lambda cell: (cell.area, cell.name),
    )  # fmt: skip
    if not found:
        raise HardwareError(f"{library.name}: no inverter in it; add the file that has one")
    one = found[min(1, len(found) - 1)]
    load, slew = 4 * max(one.inputs[0].farad), 0.0
    for _ in range(8):  # driven by its own kind, and so on: it settles
        tables = (one.outputs[0].arcs[0].slew[edge] for edge in (RISE, FALL))
        slew = max(table.at(slew, load) for table in tables if table is not None)
    return Conditions(slew, load)


@dataclass(frozen=True, slots=True)
class Work:
    """Traffic that is the same for every netlist of a core; ``what`` it is, and how many ``bits``,
    in messages of so many bytes."""

    traffic: Traffic
    what: str
    message: int
    bits: int


def core_power(
    core: Core, parameters: Mapping[str, str], library: Library, netlist: Path, *,
    script: str = "given", model: str = "glitch", period: float | None = None,
    message: int = 1024, ad: int = 0, seed: int = 1, work: Work | None = None,
) -> CorePower:  # fmt: skip
    """Simulate the source with a message, replay it on the gates, and price every toggle.

    `script` is what made the netlist, for the row; `work` what was simulated before.
    """
    chosen = core.chosen(parameters)
    circuit = read(netlist, core.top)
    cells_of(circuit, library)  # a cell that the library lacks is named before OpenSTA skips it
    conditions = around(library)
    clock = core.clock or None
    least = least_period(circuit, library, clock, conditions)
    if period is not None and period < least:
        raise HardwareError(f"{core.name}: clock: want at most {1e-6 / least:.6g} MHz, which OpenSTA "
                            f"allows, got {1e-6 / period:.6g}; ask for less")  # fmt: skip
    simulated = max(period or least, _SPARE * least)
    work = work or work_of(core, chosen, circuit, message, ad, seed)
    seen = activity.simulate(circuit, library, work.traffic, simulated, conditions, model=model)
    found = measured(circuit, library, seen, conditions, loads(circuit, library, conditions))
    return CorePower(
        core.name, chosen, library, netlist, script, model, work.what, work.message, ad, work.bits,
        len(work.traffic.window), period or least, least, simulated, seen.toggles_per_clock,
        len(circuit.nets), found, seen.seconds,
    )  # fmt: skip


def work_of(
    core: Core, chosen: Mapping[str, str], circuit: Circuit, message: int, ad: int, seed: int
) -> Work:
    """A message for a core with a clock, random inputs for one without."""
    if ad and "blk_valid_i" not in {port.name for port in circuit.inputs}:
        raise HardwareError(
            f"{core.name}: associated data: want none, for it has no port blk_valid_i, got {ad} bytes"
        )
    if core.clock:
        return _recorded(core, chosen, circuit, message, ad, seed)
    return _random(core, chosen, circuit, message, seed)


def least_period(
    circuit: Circuit, library: Library, clock: str | None, conditions: Conditions
) -> float:
    """OpenSTA's, from port to port, flop to flop and between them."""
    latches = [
        cell for cell in {c.name: c for c in cells_of(circuit, library)}.values()
        if cell.state and cell.state.kind == "latch" and not cell.passing
    ]  # fmt: skip
    # Not more: OpenSTA computes with seven digits. A latch opens half a period late, so that must be
    # nothing where there is one.
    trial = (1e-3 if latches else 1e4) * library.second
    with tempfile.TemporaryDirectory(prefix="roundworks-") as name:
        folder = Path(name)
        lines = opensta.setup(circuit, library, clock, trial, conditions, folder)
        # As in `timing`: a clock gate's latch ends a path, and begins none.
        lines += [
            f"set_disable_timing -from {pin.name} -to {out.name} [get_lib_cells */{cell.name}]"
            for cell in latches for pin in cell.inputs for out in cell.outputs
        ]  # fmt: skip
        # Not worst_slack: 2.0.17 dies of it on some netlists, aegis128-to2's among them.
        lines.append("report_checks -path_delay max -digits 7")
        text = opensta.run(lines, folder, "report_checks")
    # One path for each group of paths, that of asynchronous pins among them.
    slacks = re.findall(r"^\s*(-?[\d.]+)\s+slack \(", text, re.MULTILINE)
    if not slacks:
        raise HardwareError(f"{circuit.name}: OpenSTA finds no path to time; correct the netlist")
    return trial - min(map(float, slacks)) * library.second


def _recorded(
    core: Core, chosen: Mapping[str, str], circuit: Circuit, message: int, ad: int, seed: int
) -> Work:
    # Not Verilator, which cannot record every core.
    with tempfile.TemporaryDirectory(prefix="roundworks-") as name:
        file = Path(name) / "ports.vcd"
        ran = simulate_source(
            replace(core, bench=_BENCH), chosen, simulator="icarus", seed=seed,
            tests=("message",), waves=file,
            env={"ROUNDWORKS_MESSAGE": str(message), "ROUNDWORKS_AD": str(ad)},
        )  # fmt: skip
        if ran.failed:
            raise HardwareError(f"{core.name}: traffic: {ran.failed[0].message}; does it have the "
                                "ports req_* and rsp_*?")  # fmt: skip
        inputs = [p.name for p in circuit.inputs if p.name != core.clock]
        outputs = [p.name for p in circuit.outputs]
        found = waves.samples(file, core.clock, [*inputs, *outputs])
    window = _busy(core, found)
    shown = {name: _shown(name, found, window.start) for name in outputs}
    # As many messages as the bench sent: what a core with turns serves at once.
    turns = int(ran.reports[0]["messages"])
    many = "one message" if turns == 1 else f"{turns} messages in turn, each"
    before = f"{ad} bytes of associated data" if ad else "no associated data"
    what = f"{many} of {message} bytes, encrypted, {before}, no stalls"
    if "blk_valid_i" not in inputs:
        data = circuit.port("req_block_i" if "req_block_i" in inputs else "req_data_i")
        message = -(-8 * message // len(data.nets)) * len(data.nets) // 8
        what = f"{message} bytes in blocks one after another, one key, no stalls"
    clocks = len(found[inputs[0]])
    traffic = Traffic(core.clock, clocks, {n: found[n] for n in inputs}, shown, window)
    return Work(traffic, what, message, 8 * message * turns)


def _busy(core: Core, found: Mapping[str, list[int | None]]) -> range:
    """From the clock in which the first request is offered to that of the last response: a core
    that has no register for the key takes the request at the end of its initialisation."""
    offered = [k for k, valid in enumerate(found["req_valid_i"]) if valid == 1]
    pairs = zip(found["rsp_valid_o"], found["rsp_ready_i"], strict=True)
    given = [k for k, pair in enumerate(pairs) if pair == (1, 1)]
    if not offered or not given:
        raise HardwareError(f"{core.name}: traffic: no request was answered; does its bench pass?")
    return range(offered[0], given[-1] + 1)


def _shown(name: str, found: Mapping[str, list[int | None]], start: int) -> list[int | None]:
    """What an output must be: data only while it is valid, and nothing before the first request."""
    valid = found.get(f"{name.split('_')[0]}_valid_o")
    return [
        value if k >= start and (valid is None or valid[k] == 1 or value is None
                                 or name.endswith(("_valid_o", "_ready_o"))) else None
        for k, value in enumerate(found[name])
    ]  # fmt: skip


def _random(
    core: Core, chosen: Mapping[str, str], circuit: Circuit, message: int, seed: int
) -> Work:
    """Other inputs at every clock."""
    wide = sum(len(port.nets) for port in circuit.inputs)
    clocks = max(_LEAST, -(-8 * message // wide))
    rng = random.Random(seed)
    inputs = {
        port.name: [rng.getrandbits(len(port.nets)) for _ in range(clocks + 3)]
        for port in circuit.inputs
    }
    what = "random inputs, all new at every clock"
    outputs = answers(core, chosen, circuit, inputs)
    traffic = Traffic(None, clocks + 3, inputs, outputs, range(2, clocks + 2))
    return Work(traffic, what, clocks * wide // 8, clocks * wide)
