"""The groups of a liberty file, as liberty-parser returns them, to the types of `cells`."""

from __future__ import annotations

import itertools
import re
from array import array
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ...errors import LibraryError
from .cells import Arc, Cell, Energy, Leak, Library, Pair, Pin, State, TimingTable, WireLoad
from .logic import LogicFunction, parse

_PREFIX = {"": 1.0, "k": 1e3, "m": 1e-3, "u": 1e-6, "n": 1e-9, "p": 1e-12, "f": 1e-15, "a": 1e-18}
_SLEW = {"input_net_transition", "input_transition_time"}
_LOAD = {"total_output_net_capacitance"}
_DELAYS = {
    "combinational",
    "combinational_rise",
    "combinational_fall",
    "rising_edge",
    "falling_edge",
    "clear",
    "preset",
    "three_state_enable",
    "three_state_disable",
}
# Clock gates whose latch is open while the clock is low.
_GATES = {"latch_posedge", "latch_posedge_precontrol"}
_ROLES = ("clock", "enable", "test", "out")


def library(group: Any, file: Path) -> Library:
    """The library of a parsed group; its ``sha256`` is empty.

    Raises
    ------
    LibraryError
        ``my.lib: cell INVX1: cell_rise: want 25 values, got 24; correct the file``
    """
    return _Reader(group, file).library()


class _Reader:
    def __init__(self, group: Any, file: Path) -> None:
        self.group, self.file = group, file
        self.second = self._unit("time_unit", "s", "1ns")
        volt = self._unit("voltage_unit", "V", "1V")
        self.watt = self._unit("leakage_power_unit", "W", "1nW")
        self.farad = self._capacitance()
        self.joule = self.farad * volt * volt
        self.slew_derate = float(_text(group.get("slew_derate_from_library")) or 1)
        self.axes: dict[tuple[float, ...], tuple[float, ...]] = {}
        self.templates = {
            (kind, _text(g.args[0])): g
            for kind in ("lu_table_template", "power_lut_template")
            for g in group.get_groups(kind)
            if g.args
        }
        self.volt = self._operating("voltage") * volt
        self.celsius = self._operating("temperature")
        self.supplies = {
            _text(a.value[0]): float(_text(a.value[1])) * volt
            for a in group.attributes
            if a.name == "voltage_map"
        }
        self.where = ""

    def library(self) -> Library:
        cells = {}
        for group in self.group.get_groups("cell"):
            name = _text(group.args[0])
            self.where = f"{self.file.name}: cell {name}"
            try:
                cells[name] = self._cell(name, group)
            except (ValueError, TypeError, IndexError, KeyError) as error:
                raise LibraryError(f"{self.where}: {error}; correct the file") from None
        if not cells:
            raise LibraryError(f"{self.file.name}: no cell in it; name a liberty file of cells")
        return Library(
            name=self.file.name,
            files=(self.file,),
            sha256="",
            volt=self.volt,
            celsius=self.celsius,
            second=self.second,
            cells=cells,
            wires=self._wires(),
        )

    def _unit(self, name: str, letter: str, default: str) -> float:
        text = _text(self.group.get(name)) or default
        match = re.fullmatch(rf"([\d.eE+-]+)\s*([kmunpfa]?){letter}", text, re.IGNORECASE)
        if match is None:
            raise LibraryError(
                f"{self.file.name}: {name}: want a number and {letter} as {default}, "
                f"got {text!r}; correct the file"
            )
        return float(match[1]) * _PREFIX[match[2].lower()]

    def _capacitance(self) -> float:
        given = self.group.get("capacitive_load_unit")
        try:
            number, unit = (_text(v) for v in given)
            return float(number) * _PREFIX[unit.lower().removesuffix("f")]
        except (TypeError, ValueError, KeyError):
            raise LibraryError(
                f"{self.file.name}: capacitive_load_unit: want (1,pf), got {given!r}; correct the file"
            ) from None

    def _operating(self, what: str) -> float:
        """Voltage or temperature of the default operating conditions, or the nominal one."""
        name = _text(self.group.get("default_operating_conditions"))
        for conditions in self.group.get_groups("operating_conditions"):
            if not name or _text(conditions.args[0]) == name:
                return float(_text(conditions.get(what)))
        given = _text(self.group.get(f"nom_{what}"))
        if not given:
            raise LibraryError(f"{self.file.name}: no nom_{what}; correct the file")
        return float(given)

    def _wires(self) -> WireLoad | None:
        name = _text(self.group.get("default_wire_load"))
        for group in self.group.get_groups("wire_load"):
            if name and _text(group.args[0]) == name:
                each = float(_text(group.get("capacitance"))) * self.farad
                points = sorted(
                    (int(a.value[0]), float(a.value[1]) * each)
                    for a in group.attributes
                    if a.name == "fanout_length"
                )
                slope = float(_text(group.get("slope")) or 0) * each
                return WireLoad(name, tuple(points), slope) if points else None
        return None

    def _cell(self, name: str, group: Any) -> Cell:
        rails = {}
        for supply in group.get_groups("pg_pin"):
            if _text(supply.get("pg_type")) == "primary_power":
                key = _text(supply.get("voltage_name"))
                rails[_text(supply.args[0])] = self.supplies.get(key, self.volt)
        pins: dict[str, Pin] = {}
        for kind in ("pin", "bus", "bundle"):
            for one in group.get_groups(kind):
                for arg in one.args:
                    pins[_text(arg)] = self._pin(_text(arg), one)
        leaks = tuple(
            Leak(float(_text(g.get("value"))) * self.watt, self._when(g), self._rail(g))
            for g in group.get_groups("leakage_power")
        )
        plain = _text(group.get("cell_leakage_power"))
        state, why = self._state(group)
        return Cell(
            name=name,
            kind=_kind(group, pins.values()),
            area=float(_text(group.get("area")) or 0),
            dont_use=_text(group.get("dont_use")) == "true",
            pins=pins,
            rails=rails,
            leaks=leaks,
            leakage=float(plain) * self.watt if plain else None,
            state=state,
            unsupported=why,
        )

    def _state(self, group: Any) -> tuple[State | None, str | None]:
        if _text(group.get("clock_gating_integrated_cell")) in _GATES:
            return self._gate(group)
        for kind in ("statetable", "ff_bank", "latch_bank"):
            if group.get_groups(kind):
                return None, f"is described by a {kind}"
        states = [(k, g) for k in ("ff", "latch") for g in group.get_groups(k)]
        if not states:
            return None, None
        if len(states) > 1:
            return None, "holds more than one bit"
        kind, one = states[0]
        names = (_text(one.args[0]), _text(one.args[1]))
        clock = one.get("clocked_on" if kind == "ff" else "enable")
        data = one.get("next_state" if kind == "ff" else "data_in")
        if clock is None or data is None:
            return None, f"has a {kind} without clock or data"
        both = tuple(_text(one.get(f"clear_preset_var{i}")) or "X" for i in (1, 2))
        return State(
            kind,
            names,
            parse(_text(clock)),
            parse(_text(data)),
            self._function(one, "clear"),
            self._function(one, "preset"),
            (both[0], both[1]),
        ), None

    def _gate(self, group: Any) -> tuple[State | None, str | None]:
        """Its table of states is known by its name; an input for tests stands next to the enable."""
        roles = {
            role: _text(pin.args[0])
            for pin in group.get_groups("pin")
            for role in ("clock", "enable", "test")
            if _text(pin.get(f"clock_gate_{role}_pin")) == "true"
        }
        stored = [
            _text(pin.get("internal_node"))
            for pin in group.get_groups("pin")
            if pin.get("internal_node") is not None
        ]
        if not {"clock", "enable"} <= set(roles) or len(stored) != 1:
            return None, "is a clock gate without clock, enable and one internal node"
        data = " | ".join(roles[role] for role in ("enable", "test") if role in roles)
        return State(
            "latch", (stored[0], ""), parse(f"!{roles['clock']}"), parse(data), None, None, ("X", "X")
        ), None

    def _pin(self, name: str, group: Any) -> Pin:
        def farad(key: str, default: float = 0.0) -> float:
            text = _text(group.get(key))
            return float(text) * self.farad if text else default

        edges = farad("rise_capacitance"), farad("fall_capacitance")
        plain = farad("capacitance", max(edges))
        arcs = [arc for g in group.get_groups("timing") for arc in self._arcs(g)]
        energies = [e for g in group.get_groups("internal_power") for e in self._energies(g)]
        roles = (role for role in _ROLES if _text(group.get(f"clock_gate_{role}_pin")) == "true")
        return Pin(
            name=name,
            direction=_text(group.get("direction")),
            farad=(edges[0] or plain, edges[1] or plain),
            capacitance=plain,
            max_farad=farad("max_capacitance"),
            clock=_text(group.get("clock")) == "true",
            role=next(roles, ""),
            function=self._function(group, "function") or self._function(group, "state_function"),
            three_state=group.get("three_state") is not None,
            arcs=tuple(arcs),
            energies=tuple(energies),
        )

    def _arcs(self, group: Any) -> Iterable[Arc]:
        kind = _text(group.get("timing_type")) or "combinational"
        if kind not in _DELAYS:
            return
        delay = self._pair(group, "cell_rise", "cell_fall", self.second)
        slew = self._pair(group, "rise_transition", "fall_transition", self.second)
        sense = _text(group.get("timing_sense")).removesuffix("_unate") or "non"
        for related in _text(group.get("related_pin")).split():
            yield Arc(related, sense, kind, self._when(group), delay, slew)

    def _energies(self, group: Any) -> Iterable[Energy]:
        tables = self._pair(group, "rise_power", "fall_power", self.joule)
        one = tables == (None, None)
        if one:
            tables = self._pair(group, "power", "power", self.joule)
        related_pins: list[str | None] = [*_text(group.get("related_pin")).split()]
        for related in related_pins or [None]:
            yield Energy(related, self._when(group), self._rail(group), tables, one)

    def _pair(self, group: Any, rise: str, fall: str, unit: float) -> Pair:
        return self._table(group, rise, unit), self._table(group, fall, unit)

    def _table(self, group: Any, name: str, unit: float) -> TimingTable | None:
        tables = group.get_groups(name)
        if not tables:
            return None
        one = tables[0]
        template = None
        if one.args:
            called = _text(one.args[0])
            kind = "power_lut_template" if "power" in name else "lu_table_template"
            # Some libraries take a template of the other kind.
            template = self.templates.get((kind, called)) or next(
                (g for (_, n), g in self.templates.items() if n == called), None
            )
            if template is None and called != "scalar":
                raise ValueError(f"{name}: no template {called}")
        axes: dict[str, tuple[float, ...]] = {"slew": (0.0,), "load": (0.0,)}
        order: list[str] = []
        for i in (1, 2, 3):
            variable = _text(template.get(f"variable_{i}")) if template is not None else ""
            if not variable:
                continue
            assert template is not None
            index = one.get(f"index_{i}")
            points = _numbers(index if index is not None else template.get(f"index_{i}"))
            which = "slew" if variable in _SLEW else "load" if variable in _LOAD else None
            if which is None:
                raise ValueError(f"{name}: axis {variable} is not known here")
            if any(b <= a for a, b in itertools.pairwise(points)):
                raise ValueError(f"{name}: index_{i} does not rise")
            scaled = tuple(
                p * (self.second * self.slew_derate if which == "slew" else self.farad) for p in points
            )
            axes[which] = self.axes.setdefault(scaled, scaled)
            order.append(which)
        values = _numbers(one.get("values"))
        want = len(axes["slew"]) * len(axes["load"])
        if len(values) != want:
            raise ValueError(f"{name}: want {want} values, got {len(values)}")
        if order == ["load", "slew"]:
            wide = len(axes["slew"])
            values = [values[j * wide + i] for i in range(wide) for j in range(len(axes["load"]))]
        if "transition" in name:
            unit *= self.slew_derate
        return TimingTable(axes["slew"], axes["load"], array("d", [v * unit for v in values]))

    def _when(self, group: Any) -> LogicFunction | None:
        return self._function(group, "when")

    @staticmethod
    def _function(group: Any, name: str) -> LogicFunction | None:
        text = _text(group.get(name))
        return parse(text) if text else None

    @staticmethod
    def _rail(group: Any) -> str | None:
        return _text(group.get("related_pg_pin")) or None


def _kind(group: Any, pins: Iterable[Pin]) -> str:
    """A clock gate only if it is one of `_GATES`: cells of other kinds nothing here can place."""
    outputs = [pin for pin in pins if pin.direction == "output"]
    if any(group.get_groups(kind) for kind in ("ff", "ff_bank")):
        return "flop"
    gates = _text(group.get("clock_gating_integrated_cell"))
    if gates in _GATES and {"clock", "enable", "out"} <= {pin.role for pin in pins}:
        return "gate"
    if gates or any(pin.function is None or pin.three_state for pin in outputs):
        return "other"
    if any(group.get_groups(kind) for kind in ("latch", "latch_bank", "statetable")):
        return "latch"
    return "logic"


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    return str(getattr(value, "value", value)).strip().strip('"')


def _numbers(value: Any) -> list[float]:
    if value is None:
        raise ValueError("a table without index or values")
    items = value if isinstance(value, list) else [value]
    return [float(n) for item in items for n in _text(item).replace(",", " ").split()]
