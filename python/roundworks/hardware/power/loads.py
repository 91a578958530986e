"""What each net weighs and how steep its edges are, from the library's tables.

Slews are propagated as a timing analyser does for the latest arrival: through every arc of a gate
with the slew at its input, and of all arcs into a pin the slowest is kept.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...errors import HardwareError, LibraryError
from ..library.cells import FALL, RISE, Arc, Cell, Conditions, Library
from .gates import CellCircuit

EDGES = (RISE, FALL)
_STATE = ("rising_edge", "falling_edge", "clear", "preset")


@dataclass(frozen=True, slots=True)
class Loads:
    """By net: farad while it rises and while it falls, and the slews of both edges."""

    farad: list[tuple[float, float]]
    slew: list[tuple[float, float]]
    driver: list[tuple[int, str] | None]  # gate and pin; None where an input of the circuit drives

    def worst(self, net: int) -> float:
        """Farad of a net, of rise and fall the greater."""
        return max(self.farad[net])


def cells_of(circuit: CellCircuit, library: Library) -> list[Cell]:
    """The cell of each gate, once each was looked at.

    Raises
    ------
    LibraryError
        ``osu018_stdcells.lib: no cell NAND9X1; ...``
    """
    known: dict[str, Cell] = {}
    for gate in circuit.gates:
        cell = known.get(gate.cell)
        if cell is None:
            cell = known[gate.cell] = library.cell(gate.cell)
            if cell.unsupported:
                raise LibraryError(
                    f"{gate.cell}: {cell.unsupported}, which is not modelled; make the netlist without it"
                )
        for pin in gate.pins:
            if pin not in cell.pins:
                raise LibraryError(
                    f"{gate.cell}: want pins {', '.join(cell.pins)}, got {pin} in the "
                    "netlist; want the library that it was made with"
                )
    return [known[gate.cell] for gate in circuit.gates]


def loads(circuit: CellCircuit, library: Library, conditions: Conditions) -> Loads:
    """Load, fanout, driver and slew of every net, wire load included."""
    cells = cells_of(circuit, library)
    farad = [[0.0, 0.0] for _ in circuit.nets]
    fanout = [0] * len(circuit.nets)
    given: set[int] = set()
    driver: list[tuple[int, str] | None] = [None] * len(circuit.nets)
    for i, (gate, cell) in enumerate(zip(circuit.gates, cells, strict=True)):
        for name, net in gate.pins.items():
            pin = cell.pins[name]
            if pin.direction != "input":
                if net < 0 or driver[net] is not None:
                    raise HardwareError(
                        f"{circuit.name}: {gate.name}: {name} drives what "
                        "something else drives too; correct the netlist"
                    )
                driver[net] = (i, name)
            elif net >= 0:
                fanout[net] += 1
                for edge in EDGES:
                    farad[net][edge] += pin.farad[edge]
    for port in circuit.outputs:
        for net in port.nets:
            if net >= 0:
                fanout[net] += 1
                if conditions.load:
                    given.add(net)
                for edge in EDGES:
                    farad[net][edge] += conditions.load
    if library.wires is not None:
        for net, count in enumerate(fanout):
            if net not in given:
                for edge in EDGES:
                    farad[net][edge] += library.wires.at(count)
    loads = Loads([(f[RISE], f[FALL]) for f in farad], [], driver)
    loads.slew.extend(_slews(circuit, cells, loads, conditions))
    return loads


def order(circuit: CellCircuit, cells: list[Cell], driver: list[tuple[int, str] | None]) -> list[int]:
    """Gates so that each comes after those which drive it; flops and latches begin anew.

    Raises
    ------
    HardwareError
        ``core: a loop without a flop, through u17``
    """
    waits = [0] * len(circuit.gates)
    after: list[list[int]] = [[] for _ in circuit.gates]
    passing = {cell.name: cell.passing for cell in {c.name: c for c in cells}.values()}
    for i, (gate, cell) in enumerate(zip(circuit.gates, cells, strict=True)):
        for name, net in gate.pins.items():
            if name in passing[cell.name] and net >= 0 and driver[net] is not None:
                waits[i] += 1
                after[driver[net][0]].append(i)  # type: ignore[index]
    ready = [i for i, n in enumerate(waits) if n == 0]
    for i in ready:
        for j in after[i]:
            waits[j] -= 1
            if waits[j] == 0:
                ready.append(j)
    if len(ready) != len(circuit.gates):
        stuck = next(i for i, n in enumerate(waits) if n)
        raise HardwareError(
            f"{circuit.name}: a loop without a flop, through {circuit.gates[stuck].name}; correct the netlist"
        )
    return ready


def causes(arc: Arc, edge: int) -> tuple[int, ...]:
    """The edges of the related pin that can make `edge` of the output."""
    if arc.kind == "rising_edge":
        return (RISE,)
    if arc.kind == "falling_edge":
        return (FALL,)
    if arc.sense == "positive":
        return (edge,)
    if arc.sense == "negative":
        return (1 - edge,)
    return EDGES


def clock_nets(circuit: CellCircuit, library: Library, clock: str | None) -> set[int]:
    """What the clock reaches before a flop, through clock gates too."""
    if not clock:
        return set()
    start = circuit.port(clock).nets[0]
    readers: dict[int, list[tuple[int, str]]] = {}
    for i, gate in enumerate(circuit.gates):
        for pin, net in gate.pins.items():
            readers.setdefault(net, []).append((i, pin))
    found, todo = {start}, [start]
    while todo:
        net = todo.pop()
        for i, pin in readers.get(net, ()):
            gate, cell = circuit.gates[i], library.cell(circuit.gates[i].cell)
            if pin in cell.passing:
                for name, other in gate.pins.items():
                    if cell.pins[name].direction != "input" and other not in found:
                        found.add(other)
                        todo.append(other)
    return found


def _driven(driver: Cell, load: tuple[float, float]) -> tuple[float, float]:
    """Slews of an input's edges: a driver's, itself driven by an ideal edge."""
    slews = [0.0, 0.0]
    for arc in driver.outputs[0].arcs:
        for edge in EDGES:
            table = arc.slew[edge]
            if table is not None:
                slews[edge] = max(slews[edge], table.at(0.0, load[edge]))
    return slews[RISE], slews[FALL]


def _slews(
    circuit: CellCircuit, cells: list[Cell], known: Loads, conditions: Conditions
) -> list[tuple[float, float]]:
    given = conditions.slew
    slew = [(given, given)] * len(circuit.nets)
    if conditions.driver is not None:
        for port in circuit.inputs:
            for net in port.nets if port.name not in (circuit.clock, circuit.reset) else ():
                slew[net] = _driven(conditions.driver, known.farad[net])
    for i in order(circuit, cells, known.driver):
        gate, cell = circuit.gates[i], cells[i]
        passing = cell.passing
        for name, net in gate.pins.items():
            pin = cell.pins[name]
            if pin.direction == "input":
                continue
            worst = [-1.0, -1.0]
            for arc in pin.arcs:
                through = arc.kind in _STATE or arc.related in passing
                if arc.related not in gate.pins or not through:
                    continue
                source = gate.pins[arc.related]
                if source < 0:
                    continue
                for edge in EDGES:
                    table = arc.slew[edge]
                    if table is not None:
                        for cause in causes(arc, edge):
                            at = table.at(slew[source][cause], known.farad[net][edge])
                            worst[edge] = max(worst[edge], at)
            rise, fall = worst
            if rise < 0 and fall < 0:
                rise = fall = given  # constant, or without an arc: it never moves
            slew[net] = (rise if rise >= 0 else fall, fall if fall >= 0 else rise)
    return slew
