"""What a cell draws in each state and at each transition, as tables over the codes of its state.

A code has a bit for each input of the cell, in order, and one more for what a flop or latch holds.
Liberty's conditions may name outputs too; these are replaced by their functions.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..library import FALL, RISE, Arc, Cell, Energy, Leak, Pair
from ..library.logic import LogicFunction
from .loads import causes

STORED = "stored"


@dataclass(frozen=True, slots=True)
class Group:
    """Tables that hold where the code's bit is set in `mask`."""

    mask: int
    tables: Pair


@dataclass(frozen=True, slots=True)
class Share:
    """A part of one transition's energy: a table at the slew of an edge of the pin that caused it."""

    weight: float
    cause: str
    cause_edge: int
    tables: Pair


class Energies:
    """One cell's. ``hidden`` is drawn at an input's transitions, ``outputs`` at an output's."""

    def __init__(self, cell: Cell) -> None:
        self.cell = cell
        self.inputs = [pin.name for pin in cell.inputs]
        self.order = [*self.inputs, STORED] if cell.state else list(self.inputs)
        self.size = 1 << len(self.order)
        self.full = (1 << self.size) - 1
        self.functions = {p.name: self._whole(p.function) for p in cell.outputs if p.function}
        self.hidden = {name: self._groups(cell.pins[name].energies) for name in self.inputs}
        self.outputs: dict[str, dict[str, list[Group]]] = {}
        for pin in cell.outputs:
            related = sorted({e.related for e in pin.energies if e.related in self.inputs})
            whole = [e for e in pin.energies if e.related is None]
            if whole and not related:
                related = [arc.related for arc in pin.arcs if arc.related in self.inputs]
            self.outputs[pin.name] = {
                name: self._groups([e for e in pin.energies if e.related in (name, None)])
                for name in dict.fromkeys(related)
            }
        self.leakage = self._leaks()
        self._shares: dict[tuple[str, int, int, int], list[Share]] = {}

    def _whole(self, function: LogicFunction) -> LogicFunction:
        """In terms of inputs and of what is stored."""
        others: dict[str, LogicFunction] = {}
        if self.cell.state:
            stored = LogicFunction("name", (), STORED)
            first, second = self.cell.state.names
            others = {first: stored, second: LogicFunction("not", (stored,))}
        for pin in self.cell.outputs:
            if pin.function is not None and pin.name in function.names:
                others[pin.name] = pin.function.replaced(others)
        return function.replaced(others)

    def _mask(self, when: LogicFunction | None) -> int:
        return self.full if when is None else self._whole(when).table(self.order)

    def _groups(self, energies: Iterable[Energy]) -> list[Group]:
        """Of the supplies alone: a ground rail's table is the same energy, seen where it leaves."""
        groups: list[Group] = []
        covered, plain = 0, []
        for energy in energies:
            if energy.rail is not None and energy.rail not in self.cell.rails:
                continue
            if energy.when is None:
                plain.append(energy.tables)
            else:
                mask = self._mask(energy.when)
                covered |= mask
                groups.append(Group(mask, energy.tables))
        # A group without a condition speaks for the states that no condition names.
        groups += [Group(self.full & ~covered, tables) for tables in plain if covered != self.full]
        return groups

    def _leaks(self) -> list[float]:
        """Of each code, over the supplies. A figure without a state is for those not given."""
        by_rail: dict[str | None, list[Leak]] = {}
        for leak in self.cell.leaks:
            if leak.rail is None or leak.rail in self.cell.rails:
                by_rail.setdefault(leak.rail, []).append(leak)
        if not by_rail:
            return [self.cell.leakage or 0.0] * self.size
        watts = [0.0] * self.size
        for leaks in by_rail.values():
            given = [(self._mask(one.when), one.watt) for one in leaks if one.when is not None]
            plain = [one.watt for one in leaks if one.when is None]
            if plain:
                rest = plain[0]
            elif self.cell.leakage is not None:
                rest = self.cell.leakage
            else:
                rest = sum(watt for _, watt in given) / len(given)
            for code in range(self.size):
                hit = [watt for mask, watt in given if mask >> code & 1]
                watts[code] += sum(hit) / len(hit) if hit else rest
        return watts

    def bit(self, name: str) -> int:
        """The bit of an input in a code of all inputs."""
        return 1 << self.order.index(name)

    def shares(self, output: str, edge: int, old: int, new: int) -> list[Share]:
        """Which tables an edge of an output is read from, if the inputs went from `old` to `new`.

        It is caused by the inputs that changed and that decide the output in the new state; if
        several changed at once, by each to an equal part. Where none explains it (a glitch that
        outlived its cause) every arc takes an equal part.
        """
        key = (output, edge, old, new)
        if key not in self._shares:
            self._shares[key] = self._find_shares(output, edge, old, new)
        return self._shares[key]

    def _find_shares(self, output: str, edge: int, old: int, new: int) -> list[Share]:
        groups = self.outputs[output]
        changed = [name for name in groups if (old ^ new) & self.bit(name)]
        deciding = [name for name in changed if self._decides(output, name, new)]
        names = deciding or changed or list(groups)
        shares = []
        for name in names:
            here = [g for g in groups[name] if g.mask >> new & 1] or groups[name]
            edges: tuple[int, ...]
            if name in changed:
                edges = (RISE,) if new & self.bit(name) else (FALL,)
            else:
                edges = self.cause_edges(output, name, edge)
            for group in here:
                for cause in edges:
                    weight = 1 / (len(names) * len(here) * len(edges))
                    shares.append(Share(weight, name, cause, group.tables))
        return shares

    def _decides(self, output: str, name: str, code: int) -> bool:
        if self.cell.state is not None or output not in self.functions:
            return True
        table = self.functions[output].table(self.order)
        return bool((table >> code ^ table >> (code ^ self.bit(name))) & 1)

    def cause_edges(self, output: str, name: str, edge: int) -> tuple[int, ...]:
        """The edges of input `name` that make `edge` at the output; both where the library does not say."""
        arcs: list[Arc] = [a for a in self.cell.pins[output].arcs if a.related == name]
        edges = sorted({cause for arc in arcs for cause in causes(arc, edge)})
        return tuple(edges) or (RISE, FALL)


def of(cells: list[Cell]) -> dict[str, Energies]:
    """One for each cell that occurs."""
    return {cell.name: Energies(cell) for cell in {c.name: c for c in cells}.values()}
