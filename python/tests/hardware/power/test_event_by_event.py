"""The estimate by numpy compared with one that walks through time, event by event."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from hardware_tools import need
from power_circuits import circuit, heap, osu018
from roundworks.hardware.library import FALL, RISE, Conditions, Library
from roundworks.hardware.power import activity
from roundworks.hardware.power.energies import STORED, Energies, of
from roundworks.hardware.power.gates import CellCircuit, CellGate
from roundworks.hardware.power.loads import Loads, cells_of, loads
from roundworks.hardware.power.measured import measured
from roundworks.hardware.power.traffic import Traffic
from roundworks.hardware.power.waves import Trace

PERIOD = 20e-9


def walked(one: CellCircuit, library: Library, trace: Trace, known: Loads) -> tuple[float, float]:
    """Watts of leakage and joules drawn inside."""
    cells = cells_of(one, library)
    energies = of(cells)
    now = {net: int(trace.first[net]) for net in range(len(one.nets))} | {-1: 0, -2: 1}
    moves: dict[int, list[int]] = {}
    for net in range(len(one.nets)):
        for time in trace.of(net).tolist():
            moves.setdefault(time, []).append(net)

    def code(gate: CellGate, e: Energies, values: dict[int, int]) -> int:
        total = sum(values[gate.pins.get(n, -1)] << i for i, n in enumerate(e.inputs))
        if e.cell.state:
            (shown,) = (f for f in e.functions.items() if f[0] in gate.pins)
            bit = values[gate.pins[shown[0]]] ^ (shown[1].kind == "not")
            total |= bit << e.order.index(STORED)
        return total

    leakage = joules = 0.0
    causes: dict[int, tuple[int, int]] = {}
    last = trace.start
    for time in [*sorted(moves), trace.stop]:
        for gate, cell in zip(one.gates, cells, strict=True):
            e = energies[cell.name]
            leakage += e.leakage[code(gate, e, now)] * (time - last)
        last = time
        moved = set(moves.get(time, ()))
        old = dict(now)
        for net in moved:
            now[net] ^= 1
        for number, (gate, cell) in enumerate(zip(one.gates, cells, strict=True)):
            e = energies[cell.name]
            inputs = [n for n in e.inputs if gate.pins.get(n, -1) in moved]
            stored = (1 << len(e.inputs)) if cell.state else 0
            before, after = code(gate, e, old), code(gate, e, now)
            for name in inputs:
                edge = RISE if now[gate.pins[name]] else FALL
                clock = cell.state is not None and name in cell.state.clock.names
                state = before ^ e.bit(name) if clock else after
                for group in e.hidden[name]:
                    table = group.tables[edge]
                    if group.mask >> state & 1 and table is not None:
                        joules += table.at(known.slew[gate.pins[name]][edge], 0.0)
            if inputs and (cell.state is None or any(n in cell.state.clock.names for n in inputs)):
                causes[number] = (before, after & ~stored | before & stored)
            for name in e.outputs:
                net = gate.pins.get(name, -1)
                if net in moved and e.outputs[name]:
                    edge = RISE if now[net] else FALL
                    for share in e.shares(name, edge, *causes.get(number, (0, 0))):
                        table = share.tables[edge]
                        assert table is not None
                        slew = known.slew[gate.pins[share.cause]][share.cause_edge]
                        joules += share.weight * table.at(slew, known.farad[net][edge])
    return leakage / (trace.stop - trace.start), joules


@pytest.mark.parametrize("model", activity.MODELS)
def test_two_estimates_agree(tmp_path: Path, model: str) -> None:
    need("iverilog", "sta")
    library, around = osu018(), Conditions(slew=0.2e-9, load=0.05e-12)
    one = circuit(tmp_path, heap(library, 60, 5))
    rng = random.Random(7)
    traffic = Traffic("clk", 34, {"in": [rng.getrandbits(8) for _ in range(34)]}, {}, range(4, 32))
    seen = activity.simulate(one, library, traffic, PERIOD, around, model=model)
    assert seen.trace.toggles > 500
    known = loads(one, library, around)
    estimate = measured(one, library, seen, around)
    leakage, joules = walked(one, library, seen.trace, known)
    assert estimate.power.leakage == pytest.approx(leakage)
    assert estimate.power.internal * 28 * PERIOD == pytest.approx(joules)
