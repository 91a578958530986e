"""Power if every net but the clock's toggles alike: rules that hold, for the comparison.

Nets are taken to be independent. A toggle is half a rise and half a fall; an output's toggle is
shared among the inputs that can cause it, by how often each toggles where it decides the output.
"""

from __future__ import annotations

from collections.abc import Mapping

from opensta_rules import PinActivity
from roundworks.hardware.library import FALL, RISE, Conditions, Library
from roundworks.hardware.library.logic import LogicFunction
from roundworks.hardware.power.energies import STORED, Energies, Group, of
from roundworks.hardware.power.gates import ONE, CellCircuit, CellGate
from roundworks.hardware.power.loads import EDGES, Loads, cells_of, clock_nets, loads
from roundworks.hardware.power.parts import Power


def uniform(
    circuit: CellCircuit,
    library: Library,
    period: float,
    activity: PinActivity,
    conditions: Conditions,
    known: Loads | None = None,
) -> Power:
    known = known or loads(circuit, library, conditions)
    cells = cells_of(circuit, library)
    clocked = clock_nets(circuit, library, circuit.clock)
    rules = _Rules(known, clocked, activity)
    energies = of(cells)
    leakage = internal = switching = inputs = 0.0
    for gate, cell in zip(circuit.gates, cells, strict=True):
        one = energies[cell.name]
        leakage += rules.leakage(gate, one)
        internal += rules.internal(gate, one)
    for net, driver in enumerate(known.driver):
        charge = 0.25 * sum(known.farad[net]) * library.volt**2 * rules.toggles(net)
        if driver is None:
            inputs += charge
        else:
            switching += charge
    return Power(leakage, internal / period, switching / period, inputs / period)


class _Rules:
    def __init__(self, known: Loads, clocked: set[int], activity: PinActivity) -> None:
        self.known, self.clocked, self.activity = known, clocked, activity
        self.weights: dict[tuple[str, tuple[float, ...]], list[float]] = {}

    def toggles(self, net: int) -> float:
        if net < 0:
            return 0.0
        return 2.0 if net in self.clocked else self.activity.toggles

    def duties(self, gate: CellGate, one: Energies) -> Mapping[str, float]:
        shares = {STORED: self.activity.duty}
        for name in one.inputs:
            net = gate.pins.get(name, -1)
            constant = 1.0 if net == ONE else 0.0
            shares[name] = constant if net < 0 else 0.5 if net in self.clocked else self.activity.duty
        return shares

    def chances(self, gate: CellGate, one: Energies) -> list[float]:
        """Of each code."""
        duties = self.duties(gate, one)
        key = (one.cell.name, tuple(duties[name] for name in one.order))
        if key not in self.weights:
            values = [1.0]
            for name in one.order:
                values = [p * (1 - duties[name]) for p in values] + [p * duties[name] for p in values]
            self.weights[key] = values
        return self.weights[key]

    def leakage(self, gate: CellGate, one: Energies) -> float:
        return sum(p * w for p, w in zip(self.chances(gate, one), one.leakage, strict=True))

    def internal(self, gate: CellGate, one: Energies) -> float:
        chances, total = self.chances(gate, one), 0.0
        for name in one.inputs:
            net = gate.pins.get(name, -1)
            if net >= 0:
                for group in one.hidden[name]:
                    share = _chance(group.mask, chances)
                    slews = self.known.slew[net]
                    total += (
                        share
                        * self.toggles(net)
                        * 0.5
                        * sum(
                            table.at(slews[edge], 0.0)
                            for edge in EDGES
                            if (table := group.tables[edge]) is not None
                        )
                    )
        for name in one.outputs:
            if name in gate.pins:
                total += self.toggles(gate.pins[name]) * self._output(gate, one, name, chances)
        return total

    def _output(self, gate: CellGate, one: Energies, name: str, chances: list[float]) -> float:
        """Joules of a mean toggle."""
        total = weights = 0.0
        for cause, groups in one.outputs[name].items():
            source = gate.pins.get(cause, -1)
            often = self.toggles(source)
            deciding = one.full
            if one.cell.state is None and name in one.functions:
                deciding = _deciding(one.functions[name], cause).table(one.order)
            elif one.cell.state is not None and cause not in one.cell.state.clock.names:
                continue  # clear and preset rest
            for group in groups:
                weight = often * _chance(group.mask & deciding, chances)
                if weight:
                    weights += weight
                    total += weight * self._mean(gate, one, name, cause, group)
        return total / weights if weights else 0.0

    def _mean(self, gate: CellGate, one: Energies, name: str, cause: str, group: Group) -> float:
        slews, net, total = self.known.slew[gate.pins[cause]], gate.pins[name], 0.0
        for edge in (RISE, FALL):
            table = group.tables[edge]
            if table is not None:
                edges = one.cause_edges(name, cause, edge)
                load = self.known.farad[net][edge]
                total += 0.5 * sum(table.at(slews[e], load) for e in edges) / len(edges)
        return total


def _chance(mask: int, chances: list[float]) -> float:
    return sum(p for code, p in enumerate(chances) if mask >> code & 1)


def _deciding(function: LogicFunction, name: str) -> LogicFunction:
    """Where `name` decides: the function with it at 0, differing from the one with it at 1."""
    at = [function.replaced({name: LogicFunction("constant", (), bit)}) for bit in "01"]
    return LogicFunction("xor", tuple(at))
