"""Cells of a library and the boundary conditions of a netlist; all in SI units.

Energies are in joules: liberty's unit of energy is that of capacitance times that of voltage
squared, whatever the leakage is given in.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from ...errors import LibraryError
from .logic import LogicFunction

RISE, FALL = 0, 1
# Delay cells are buffers by their function, and those for clocks cost more than they give.
_DELAY = re.compile(r"dly|del\d|delay", re.IGNORECASE)
_SPECIAL = re.compile(r"cl?k|dly|del\d|delay|^hb\d", re.IGNORECASE)
# Truth tables, bit i the output for inputs that spell i.
_BUFFER, _INVERTER, _NAND2 = 0b10, 0b01, 0b0111


@dataclass(frozen=True, slots=True)
class TimingTable:
    """Values at slews (s) and loads (F), row by row. An axis of one point does not matter."""

    slews: tuple[float, ...]
    loads: tuple[float, ...]
    values: array[float]

    def at(self, slew: float, load: float) -> float:
        """Linear between the points, and beyond them, in either direction."""
        row, across = _place(self.slews, slew)
        column, along = _place(self.loads, load)
        width, values = len(self.loads), self.values
        first = row * width + column
        value = values[first]
        if width > 1:
            value += along * (values[first + 1] - value)
        if len(self.slews) > 1:
            below = values[first + width]
            if width > 1:
                below += along * (values[first + width + 1] - below)
            value += across * (below - value)
        return value


def _place(axis: tuple[float, ...], value: float) -> tuple[int, float]:
    if len(axis) == 1:
        return 0, 0.0
    i = min(max(bisect_right(axis, value) - 1, 0), len(axis) - 2)
    return i, (value - axis[i]) / (axis[i + 1] - axis[i])


Pair = tuple[TimingTable | None, TimingTable | None]  # rise, fall


@dataclass(frozen=True, slots=True)
class Arc:
    """Delay and output slew from one pin. ``sense`` is positive, negative or non."""

    related: str
    sense: str
    kind: str
    when: LogicFunction | None
    delay: Pair
    slew: Pair


@dataclass(frozen=True, slots=True)
class Energy:
    """Joules of one transition of a pin; ``related`` is the input that caused it, if the library names it."""

    related: str | None
    when: LogicFunction | None
    rail: str | None
    tables: Pair
    one: bool  # the library has one table for both edges


@dataclass(frozen=True, slots=True)
class Pin:
    """``farad``: its load while it rises and while it falls; ``capacitance``: the library's one figure
    for both. ``max_farad``: the largest load of an output, 0 where the library gives none. ``role``: of
    a clock gate's pins, clock, enable, test or out."""

    name: str
    direction: str
    farad: tuple[float, float]
    capacitance: float
    max_farad: float
    clock: bool
    role: str
    function: LogicFunction | None
    three_state: bool
    arcs: tuple[Arc, ...]
    energies: tuple[Energy, ...]


@dataclass(frozen=True, slots=True)
class Leak:
    """Watts of leakage in the states of ``when``, in all that no other names if it is None."""

    watt: float
    when: LogicFunction | None
    rail: str | None


@dataclass(frozen=True, slots=True)
class State:
    """A flop (``clock`` takes ``data`` at its rise) or a latch (``clock`` lets it through).

    A clock gate is a latch whose output is its clock, where it holds a one.
    """

    kind: str
    names: tuple[str, str]
    clock: LogicFunction
    data: LogicFunction
    clear: LogicFunction | None
    preset: LogicFunction | None
    both: tuple[str, str]  # the two variables where clear and preset are both on: L H N T X


@dataclass(frozen=True, slots=True)
class Cell:
    """``kind`` is "logic", "flop", "latch", "gate" (of clocks) or "other" (fillers, tri-state cells).
    ``leakage``: watts without regard to the state. ``unsupported``: why it cannot be modelled."""

    name: str
    kind: str
    area: float
    dont_use: bool
    pins: dict[str, Pin]
    rails: dict[str, float]  # the supplies alone: name -> volt
    leaks: tuple[Leak, ...]
    leakage: float | None
    state: State | None
    unsupported: str | None

    @property
    def inputs(self) -> list[Pin]:
        """Pins that the cell reads."""
        return [pin for pin in self.pins.values() if pin.direction == "input"]

    @property
    def outputs(self) -> list[Pin]:
        """Pins that the cell drives."""
        return [pin for pin in self.pins.values() if pin.direction == "output"]

    @property
    def roles(self) -> dict[str, str]:
        """Role -> pin, of a clock gate."""
        return {pin.role: pin.name for pin in self.pins.values() if pin.role}

    @property
    def passing(self) -> frozenset[str]:
        """Inputs that an output follows at once: all of a gate's, of a clock gate its clock."""
        if self.state is None:
            return frozenset(pin.name for pin in self.inputs)
        named = frozenset[str]().union(*(p.function.names for p in self.outputs if p.function))
        return named & {pin.name for pin in self.inputs}

    @property
    def max_farad(self) -> float:
        """The largest load of its weakest output; 0 where the library does not say."""
        return min((pin.max_farad for pin in self.outputs), default=0.0)

    @property
    def delays(self) -> bool:
        """Whether it is slow on purpose, by its name: to abc it would be a small buffer."""
        return _DELAY.search(self.name) is not None

    @property
    def buffers(self) -> bool:
        """Whether its output is its one input, whatever it is called."""
        return self.computes(_BUFFER, 1)

    def computes(self, table: int, inputs: int) -> bool:
        """Whether it is logic of that many inputs and one output with that truth table."""
        if self.kind != "logic" or len(self.outputs) != 1 or len(self.inputs) != inputs:
            return False
        function, names = self.outputs[0].function, [pin.name for pin in self.inputs]
        return function is not None and function.names <= {*names} and function.table(names) == table


@dataclass(frozen=True, slots=True)
class WireLoad:
    """Capacitance by fanout, before there is a layout."""

    name: str
    points: tuple[tuple[int, float], ...]  # fanout and farad, rising; between them it is linear
    slope: float  # beyond them, farad for each more

    def at(self, fanout: int) -> float:
        """Farad of a wire with this fanout, interpolated as the library says."""
        before = (0, 0.0)
        for point in self.points:
            if fanout <= point[0]:
                share = (fanout - before[0]) / (point[0] - before[0])
                return before[1] + share * (point[1] - before[1])
            before = point
        return before[1] + self.slope * (fanout - before[0])


@dataclass(frozen=True, slots=True)
class Conditions:
    """Boundary conditions of a netlist, the same for its period and its energy.

    Every input but clock and reset is driven by the cell ``driver`` from an ideal edge, or, without a
    driver, by edges of ``slew`` seconds (the clock's too). Every output bit carries ``load`` farads, in
    place of its wire where it is not 0. With a driver the clock is ideal: no delay, no transition time.
    """

    driver: Cell | None = None
    slew: float = 0.0
    load: float = 0.0


@dataclass(frozen=True)
class Library:
    """Cells of one or several files at one voltage and temperature.

    ``files`` are plain text, whatever was given; ``sha256`` is of their contents; ``second`` is their
    own unit of time. Lists of cells are ordered by area, and leave out what synthesis must not use.
    """

    name: str
    files: tuple[Path, ...]
    sha256: str
    volt: float
    celsius: float
    second: float
    cells: dict[str, Cell]
    wires: WireLoad | None = None

    def cell(self, name: str) -> Cell:
        """
        Raises
        ------
        LibraryError
            ``osu018_stdcells: no cell NAND9X1; want the library that the netlist was made with``
        """
        if name not in self.cells:
            raise LibraryError(
                f"{self.name}: no cell {name}; want the library that the netlist was made with"
            )
        return self.cells[name]

    @cached_property
    def nand2(self) -> Cell:
        """The smallest two-input NAND: one gate equivalent."""
        return self._chosen("two-input NAND", (c for c in self._usable if c.computes(_NAND2, 2)))[0]

    @cached_property
    def inverters(self) -> list[Cell]:
        """Inverters that may be used; `HardwareError` if there is none."""
        return self._chosen("inverter", (c for c in self._usable if c.computes(_INVERTER, 1)))

    @cached_property
    def flops(self) -> list[Cell]:
        """Flip-flops that may be used; `HardwareError` if there is none."""
        return self._chosen("flip-flop", (c for c in self._usable if c.kind == "flop"))

    @cached_property
    def conditions(self) -> Conditions:
        """Inputs driven by the second smallest buffer (inverter, if there is none), outputs that carry
        four times its input."""
        drivers = sorted((c for c in self._usable if c.buffers), key=_by_area) or self.inverters
        driver = drivers[min(1, len(drivers) - 1)]
        return Conditions(driver, load=4 * driver.inputs[0].capacitance)

    @property
    def condition_fields(self) -> dict[str, Any]:
        """The boundary conditions, for a row of any kind."""
        driver = self.conditions.driver
        assert driver is not None
        return {
            "driver": driver.name,
            "load_ff": round(self.conditions.load * 1e15, 6),
            "voltage": self.volt,
            "temperature_c": self.celsius,
            "wire_load": self.wires.name if self.wires else None,
        }

    @property
    def _usable(self) -> list[Cell]:
        return [
            c for c in self.cells.values() if not c.dont_use and c.area > 0 and not _SPECIAL.search(c.name)
        ]

    def _chosen(self, what: str, cells: Iterable[Cell]) -> list[Cell]:
        candidates = sorted(cells, key=_by_area)
        if not candidates:
            raise LibraryError(
                f"{self.name}: no {what}; the flow needs a two-input NAND, an inverter and a flip-flop"
            )
        return candidates


def _by_area(cell: Cell) -> tuple[float, str]:
    return cell.area, cell.name
