"""Power under traffic: each toggle of each pin estimated in the state of its cell at that time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..library import FALL, RISE, Conditions, Library
from .activity import Activity
from .energies import STORED, Energies, Group, of
from .gates import CellCircuit, CellGate
from .loads import EDGES, Loads, cells_of, loads
from .parts import Power
from .waves import Trace

Codes = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Breakdown:
    """Power at the simulated clock, and where it goes."""

    power: Power
    clocked: Power  # of flops and latches alone
    by_cell: dict[str, Power]
    toggles: int

    def at(self, period: float, simulated: float) -> Power:
        """At another clock: leakage stays, the rest goes with the frequency."""
        share = simulated / period
        one = self.power
        return Power(one.leakage, one.internal * share, one.switching * share, one.inputs * share)


def measured(
    circuit: CellCircuit,
    library: Library,
    activity: Activity,
    conditions: Conditions,
    known: Loads | None = None,
) -> Breakdown:
    """Watts of a circuit by its simulated activity, split by leakage, internal and switching power."""
    known = known or loads(circuit, library, conditions)
    cells = cells_of(circuit, library)
    energies = of(cells)
    reader = _Reader(known, activity.trace)
    span = activity.cycles * activity.period
    volt2 = library.volt**2
    sums: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0])
    inputs = 0.0
    for net, driver in enumerate(known.driver):
        rises, falls = reader.counts(net)
        charge = 0.5 * volt2 * (rises * known.farad[net][RISE] + falls * known.farad[net][FALL])
        if driver is None:
            inputs += charge
        else:
            sums[circuit.gates[driver[0]].cell][2] += charge
    for gate, cell in zip(circuit.gates, cells, strict=True):
        leakage, internal = reader.gate(gate, energies[cell.name])
        sums[cell.name][0] += leakage
        sums[cell.name][1] += internal
    by_cell = {name: Power(s[0], s[1] / span, s[2] / span) for name, s in sums.items()}
    stateful = {cell.name for cell in cells if cell.state is not None}
    return Breakdown(
        _sum(by_cell.values(), inputs / span),
        _sum([p for name, p in by_cell.items() if name in stateful], 0.0),
        by_cell,
        activity.trace.toggles,
    )


def _sum(parts: Iterable[Power], inputs: float) -> Power:
    sums = [0.0, 0.0, 0.0]
    for part in parts:
        sums[0] += part.leakage
        sums[1] += part.internal
        sums[2] += part.switching
    return Power(sums[0], sums[1], sums[2], inputs)


@dataclass(frozen=True, slots=True)
class _Stored:
    """What a cell holds at the start, and from each of these times on."""

    times: Codes
    values: Codes  # one more

    def at(self, when: Codes, after: bool) -> Codes:
        """At these times, after what happens then or before it."""
        return self.values[np.searchsorted(self.times, when, "right" if after else "left")]


_NOTHING = _Stored(np.zeros(0, dtype=np.int64), np.zeros(1, dtype=np.int64))


class _Reader:
    def __init__(self, known: Loads, trace: Trace) -> None:
        self.known, self.trace = known, trace

    def counts(self, net: int) -> tuple[int, int]:
        """Rises and falls."""
        toggles = len(self.trace.of(net))
        first = int(self.trace.first[net])
        falls = (toggles + first) // 2
        return toggles - falls, falls

    def gate(self, gate: CellGate, one: Energies) -> tuple[float, float]:
        """Watts of leakage, and joules drawn inside within the window."""
        nets = [gate.pins.get(name, -1) for name in one.inputs]
        moving = [self.trace.of(net) for net in nets if net >= 0]
        when = np.unique(np.concatenate(moving)) if moving else np.zeros(0, dtype=np.int64)
        first, after = self._codes(nets, when)
        before = np.r_[first, after[:-1]] if len(when) else after
        stored = self._stored(gate, one, when, first, after)
        internal = self._hidden(one, nets, when, before, after, stored)
        for name in one.outputs:
            if gate.pins.get(name, -1) >= 0:
                internal += self._output(gate, one, name, when, before, after, stored)
        return self._leakage(one, when, first, after, stored), internal

    def _codes(self, nets: list[int], when: Codes) -> tuple[int, Codes]:
        """Of the inputs: at the start, and after each time at which one of them moves."""
        after = np.zeros(len(when), dtype=np.int64)
        first = 0
        for i, net in enumerate(nets):
            after |= self.trace.at(net, when) << i
            first |= (-net - 1 if net < 0 else int(self.trace.first[net])) << i
        return first, after

    def _stored(self, gate: CellGate, one: Energies, when: Codes, first: int, after: Codes) -> _Stored:
        """What a flop or a latch holds, from a net that shows it. A clock gate has none: what it
        holds follows from its inputs."""
        if one.cell.state is None:
            return _NOTHING
        for name, function in one.functions.items():
            net = gate.pins.get(name, -1)
            if net >= 0:
                inverted = function.kind == "not"
                shown = function.parts[0] if inverted else function
                if shown.kind == "name" and shown.name == STORED:
                    times = self.trace.of(net)
                    start = int(self.trace.first[net]) ^ inverted
                    return _Stored(times, start ^ np.arange(len(times) + 1) & 1)
        if not one.cell.passing:
            return _NOTHING
        is_open, data = (
            np.array([f.table(one.inputs) >> code & 1 for code in range(1 << len(one.inputs))])
            for f in (one.cell.state.clock, one.cell.state.data)
        )
        codes = np.r_[first, after]
        # Of each time the last at which the latch was open; before that it holds nothing.
        last = np.maximum.accumulate(np.where(is_open[codes], np.arange(len(codes)), -1))
        return _Stored(when, np.where(last < 0, 0, data[codes[last]]))

    def _with_stored(self, one: Energies, codes: Codes, when: Codes, stored: _Stored, after: bool) -> Codes:
        if one.cell.state is None:
            return codes
        return codes | stored.at(when, after) << len(one.inputs)

    def _hidden(
        self, one: Energies, nets: list[int], when: Codes, before: Codes, after: Codes, stored: _Stored
    ) -> float:
        """An input's own energy, in the state that its cell is in when it moves.

        A flop's clock finds the state of before, for what it makes the flop do comes after it. A
        clock gate's must find it before and after: else the edge is the output's, and estimated there.
        """
        total = 0.0
        clocks = one.cell.state.clock.names if one.cell.state else frozenset[str]()
        gate_clocks = clocks & one.cell.passing
        for i, (name, net) in enumerate(zip(one.inputs, nets, strict=True)):
            groups = one.hidden[name]
            if net < 0 or not groups:
                continue
            moved = np.flatnonzero((before ^ after) >> i & 1)
            if not len(moved):
                continue
            early = name in clocks
            codes = before[moved] & ~(1 << i) | after[moved] & 1 << i if early else after[moved]
            codes = self._with_stored(one, codes, when[moved], stored, not early)
            many = np.bincount(codes, minlength=one.size)
            if name in gate_clocks:
                groups = [Group(g.mask & _flipped(g.mask, i, one), g.tables) for g in groups]
            total += self._netlist_of(groups, many, 1 << i, net)
        return total

    def _netlist_of(self, groups: list[Group], many: Codes, bit: int, net: int) -> float:
        total = 0.0
        for code in np.flatnonzero(many):
            edge = RISE if int(code) & bit else FALL
            for group in groups:
                table = group.tables[edge]
                if table is not None and group.mask >> int(code) & 1:
                    total += int(many[code]) * table.at(self.known.slew[net][edge], 0.0)
        return total

    def _output(
        self,
        gate: CellGate,
        one: Energies,
        name: str,
        when: Codes,
        before: Codes,
        after: Codes,
        stored: _Stored,
    ) -> float:
        net = gate.pins[name]
        times = self.trace.of(net)
        if not len(times) or not one.outputs[name]:
            return 0.0
        edges = (np.arange(len(times)) + self.trace.first[net]) & 1  # 0 rises, 1 falls
        causes = np.arange(len(when))
        if one.cell.state is not None:
            # A flop's data may move between its clock edge and its output.
            active = 0
            for cause in one.outputs[name]:
                active |= one.bit(cause)
            changed = before ^ after
            data = sum(1 << i for i, n in enumerate(one.inputs) if n not in _starters(one))
            causes = np.flatnonzero(changed & active & ~data)
            if one.cell.passing:  # what moves with a gate's clock comes too late for this edge
                after = before & ~active | after & active
        if not len(causes):
            return self._unexplained(gate, one, name, edges)
        place = np.searchsorted(when[causes], times, "right") - 1
        late = place < 0
        total = self._unexplained(gate, one, name, edges[late]) if late.any() else 0.0
        chosen, edges = causes[place[~late]], edges[~late]
        early = self._with_stored(one, before[chosen], when[chosen], stored, False)
        # What a flop stored before decides which table its clock's energy is read from.
        now = self._with_stored(one, after[chosen], when[chosen], stored, False)
        keys, many = np.unique((early * one.size + now) * 2 + edges, return_counts=True)
        for key, count in zip(keys.tolist(), many.tolist(), strict=True):
            old, new = divmod(key >> 1, one.size)
            total += count * self._toggle(gate, one, name, key & 1, old, new)
        return total

    def _unexplained(self, gate: CellGate, one: Energies, name: str, edges: Codes) -> float:
        """The cause is before the window: every arc an equal part."""
        many = np.bincount(edges, minlength=2)
        return sum(int(many[e]) * self._toggle(gate, one, name, e, 0, 0) for e in EDGES if many[e])

    def _toggle(self, gate: CellGate, one: Energies, name: str, edge: int, old: int, new: int) -> float:
        net, total = gate.pins[name], 0.0
        for share in one.shares(name, edge, old, new):
            table = share.tables[edge]
            if table is not None:
                source = gate.pins.get(share.cause, -1)
                slew = self.known.slew[source][share.cause_edge] if source >= 0 else 0.0
                total += share.weight * table.at(slew, self.known.farad[net][edge])
        return total

    def _leakage(self, one: Energies, when: Codes, first: int, after: Codes, stored: _Stored) -> float:
        """Weighted by the time in each state."""
        start, stop = self.trace.start, self.trace.stop
        marks = np.unique(np.concatenate([when, stored.times]))
        place = np.searchsorted(when, np.r_[start - 1, marks], "right")
        codes = np.r_[first, after][place]
        if one.cell.state is not None:
            codes = codes | np.r_[stored.values[0], stored.at(marks, True)] << len(one.inputs)
        spans = np.diff(np.r_[start, marks, stop])
        many = np.bincount(codes, weights=spans, minlength=one.size)
        return float(many @ np.array(one.leakage)) / (stop - start)


def _flipped(mask: int, bit: int, one: Energies) -> int:
    """The codes whose neighbour by that bit is in the mask."""
    return sum((mask >> (code ^ 1 << bit) & 1) << code for code in range(one.size))


def _starters(one: Energies) -> frozenset[str]:
    """The pins that make a flop's output change."""
    state = one.cell.state
    assert state is not None
    pins = state.clock.names
    for function in (state.clear, state.preset):
        if function is not None:
            pins |= function.names
    return pins | (state.data.names if state.kind == "latch" else frozenset())
