"""OpenSTA's report of power, and the rules by which the version of Debian 12 comes to it.

OpenSTA 2.0.17 is of November 2019. `by_its_rules` computes what it would report, with our reading
of the library, our loads and our slews: where the two agree, those are right. The rules are not:
docs/reference/power.md says which of them are wrong, with a circuit of one gate for each, and
`uniform_power` computes the same by rules that hold.
"""

from __future__ import annotations

import re
import tempfile
from dataclasses import dataclass
from pathlib import Path

from roundworks.errors import HardwareError
from roundworks.hardware.flow import opensta, tools
from roundworks.hardware.library import Cell, Conditions, Energy, Library
from roundworks.hardware.library.logic import LogicFunction
from roundworks.hardware.power.gates import CellCircuit, CellGate
from roundworks.hardware.power.loads import EDGES, Loads, cells_of, clock_nets, loads
from roundworks.hardware.power.parts import Power


@dataclass(frozen=True, slots=True)
class PinActivity:
    """The same for every net but the clock's: toggles per cycle, and the share of time at one."""

    toggles: float = 0.2
    duty: float = 0.5


def report(
    circuit: CellCircuit, library: Library, period: float, activity: PinActivity, conditions: Conditions
) -> Power:
    """What `report_power` says, after `set_power_activity -global`."""
    with tempfile.TemporaryDirectory(prefix="roundworks-") as name:
        folder = Path(name)
        (folder / "circuit.v").write_text(circuit.verilog())
        netlist = opensta.MappedNetlist(folder / "circuit.v", "circuit", circuit.clock, circuit.reset)
        lines = opensta.setup(netlist, library, conditions, period_ps=period * 1e12)
        lines += [
            f"set_power_activity -global -activity {activity.toggles} -duty {activity.duty}",
            "report_power -digits 7",
        ]
        text = opensta.run(lines, folder, folder / "log", "report_power")
    match = re.search(r"^Total\s+(\S+)\s+(\S+)\s+(\S+)\s+(\S+)", text, re.MULTILINE)
    if match is None:
        raise HardwareError(f"opensta: want a report of power, got {tools.complaint(text)!r}")
    internal, switching, leakage = (float(match[i]) for i in (1, 2, 3))
    return Power(leakage, internal, switching)


def by_its_rules(
    circuit: CellCircuit,
    library: Library,
    period: float,
    activity: PinActivity,
    conditions: Conditions,
    known: Loads | None = None,
) -> Power:
    """What 2.0.17 reports, computed here."""
    known = known or loads(circuit, library, conditions)
    clocked = clock_nets(circuit, library, circuit.clock)
    rules = _Rules(library, known, clocked, period, activity)
    leakage = internal = switching = 0.0
    for gate, cell in zip(circuit.gates, cells_of(circuit, library), strict=True):
        leakage += _leakage(cell)
        internal += rules.internal(gate, cell)
        switching += rules.switching(gate, cell)
    return Power(leakage, internal, switching)


def _leakage(cell: Cell) -> float:
    """The cell's own figure; else the states', each weighted by 2 / 2^(inputs it names)."""
    if cell.leakage is not None:
        return cell.leakage
    of_states = [leak for leak in cell.leaks if leak.when is not None]
    if not of_states:
        return sum(leak.watt for leak in cell.leaks)
    total = 0.0
    for leak in of_states:
        assert leak.when is not None
        inputs = [n for n in leak.when.names if n in cell.pins and cell.pins[n].direction == "input"]
        total += leak.watt * 2.0 * 0.5 ** len(inputs)
    return total


class _Rules:
    def __init__(
        self, library: Library, known: Loads, clocked: set[int], period: float, activity: PinActivity
    ) -> None:
        self.library, self.known, self.clocked = library, known, clocked
        self.period, self.activity = period, activity

    def toggles(self, net: int) -> float:
        return 2.0 if net in self.clocked else self.activity.toggles

    def duty(self, function: LogicFunction, gate: CellGate) -> float:
        """Of a function's tree, operand by operand; what is no pin is never one."""
        if function.kind == "constant":
            return float(function.name == "1")
        if function.kind == "name":
            if function.name not in gate.pins:
                return 0.0
            return 0.5 if gate.pins[function.name] in self.clocked else self.activity.duty
        parts = [self.duty(part, gate) for part in function.parts]
        if function.kind == "not":
            return 1 - parts[0]
        share = parts[0]
        for part in parts[1:]:
            if function.kind == "and":
                share *= part
            elif function.kind == "or":
                share = 1 - (1 - share) * (1 - part)
            else:
                share = share * (1 - part) + part * (1 - share)
        return share

    def switching(self, gate: CellGate, cell: Cell) -> float:
        total = 0.0
        for name, net in gate.pins.items():
            if cell.pins[name].direction == "output":
                total += 0.5 * self.known.worst(net) * self.library.volt**2 * self.toggles(net)
        return total / self.period

    def internal(self, gate: CellGate, cell: Cell) -> float:
        """Rise and fall both at every toggle, times a duty: twice what a toggle can draw."""
        total = 0.0
        for name, net in gate.pins.items():
            pin = cell.pins[name]
            load = self.known.worst(net) if pin.direction == "output" and net >= 0 else 0.0
            for energy in pin.energies:
                cause = energy.related or name
                if cause not in gate.pins or not self._counts(cell, name, energy):
                    continue
                source = gate.pins[cause]
                slews = self.known.slew[source] if source >= 0 else (0.0, 0.0)
                duty = self._weight(gate, cell, name, energy, source)
                for edge in EDGES:
                    table = energy.tables[edge]
                    if table is not None:
                        total += table.at(slews[edge], load) * duty * self.toggles(net)
        return total / self.period

    def _weight(self, gate: CellGate, cell: Cell, name: str, energy: Energy, source: int) -> float:
        function = cell.pins[name].function
        if energy.when is None and energy.related is not None and function is not None:
            others = _others(function, energy.related)
            if others is not None:
                toggles = self.toggles(gate.pins[name])
                if not toggles:
                    return 0.0
                return self.toggles(source) / toggles * self.duty(others, gate)
        if energy.when is not None:
            return self.duty(energy.when, gate)
        return 1.0 if source in self.clocked else 0.5

    def _counts(self, cell: Cell, name: str, energy: Energy) -> bool:
        """A ground rail's energy too, where not every state has a table without a related pin.

        Never what the library says of both edges at once: it does not know that group.
        """
        if energy.one:
            return False
        if energy.rail is None or energy.rail in cell.rails:
            return True
        if energy.when is None:
            return False
        states, inputs = 0, 0
        for other in cell.pins[name].energies:
            if other.related is None and other.rail == energy.rail and other.when is not None:
                states += 1
                inputs = len(other.when.names)
        return states != 1 << inputs


def _others(function: LogicFunction, name: str) -> LogicFunction | None:
    """When 2.0.17 takes `name` to decide; None where it cannot say."""
    if function.kind == "name":
        return LogicFunction("constant", (), "1") if function.name == name else None
    if function.kind == "not":
        return _others(function.parts[0], name)
    if function.kind not in ("and", "or", "xor"):
        return None
    *first, last = function.parts
    left = first[0] if len(first) == 1 else LogicFunction(function.kind, tuple(first))
    for one, other in ((left, last), (last, left)):
        bare = one.parts[0] if one.kind == "not" else one
        if bare.kind == "name" and bare.name == name:
            if function.kind == "and":
                return other
            return other.parts[0] if other.kind == "not" else LogicFunction("not", (other,))
    return None
