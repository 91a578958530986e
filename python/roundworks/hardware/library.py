"""A cell library: any liberty file, or several that make one library.

Read here is only what the flow asks before it starts: areas, which cell is a NAND, an inverter, a
buffer or a flip-flop, and what an input weighs. Delay is OpenSTA's, power has a reader of its own.
"""

from __future__ import annotations

import gzip
import hashlib
import itertools
import re
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from .. import cache
from ..errors import LibraryError

# What Debian's package qflow-tech-osu018 installs.
DEFAULT = Path("/usr/share/qflow/tech/osu018/osu018_stdcells.lib")
_FORM = 2  # of the facts kept: others are read anew


@dataclass(frozen=True, slots=True)
class Cell:
    """``inputs``: pin -> capacitance in fF. ``outputs``: pin -> function, as the file has it.

    ``kind`` is "logic", "flop", "latch", "gate" (of clocks) or "other" (fillers, tri-state cells).
    ``roles`` of a latch's and a gate's pins: clock, enable, test or out -> pin. ``drives_ff``: what its
    weakest output can drive at most; 0 where the library does not say.
    """

    name: str
    area: float
    kind: str
    inputs: Mapping[str, float]
    outputs: Mapping[str, str]
    dont_use: bool
    roles: Mapping[str, str]
    drives_ff: float

    def table(self) -> tuple[bool, ...] | None:
        """Truth table of a cell with one output, first input the lowest bit; None for others."""
        if self.kind != "logic" or len(self.outputs) != 1 or not self.inputs:
            return None
        return _table(next(iter(self.outputs.values())), tuple(self.inputs))

    @property
    def buffers(self) -> bool:
        """Whether it gives on what it gets, whatever it is called."""
        return self.table() == (False, True)

    @property
    def delays(self) -> bool:
        """Whether it is slow on purpose, by its name: to abc it would be a small buffer."""
        return _DELAY.search(self.name) is not None


@dataclass(frozen=True, slots=True)
class Library:
    """``files`` are plain text, whatever was given. ``driver`` and ``load_ff`` are what inputs are
    driven by and outputs drive: the second smallest buffer (inverter, if there is none), and four
    times what it weighs. Lists are ordered by area."""

    name: str
    files: tuple[Path, ...]
    sha256: str
    cells: Mapping[str, Cell]
    time_ps: float
    nand2: Cell
    inverters: tuple[Cell, ...]
    buffers: tuple[Cell, ...]
    flops: tuple[Cell, ...]

    @property
    def usable(self) -> list[Cell]:
        return [c for c in self.cells.values() if _usable(c)]

    @property
    def driver(self) -> Cell:
        drivers = self.buffers or self.inverters
        return drivers[min(1, len(drivers) - 1)]

    @property
    def load_ff(self) -> float:
        return 4 * next(iter(self.driver.inputs.values()))


# Delay cells are buffers by their function, and those for clocks cost more than they give.
_DELAY = re.compile(r"dly|del\d|delay", re.IGNORECASE)
_SPECIAL = re.compile(r"cl?k|dly|del\d|delay|^hb\d", re.IGNORECASE)


def _usable(cell: Cell) -> bool:
    return not cell.dont_use and cell.area > 0 and not _SPECIAL.search(cell.name)


def load(files: Sequence[Path] = ()) -> Library:
    """Read a library; Debian's OSU 018 where no file is named.

    Raises
    ------
    LibraryError
        ``my.lib: no two-input NAND; the flow needs one, an inverter and a flip-flop``
    """
    given = list(files) or [DEFAULT]
    if not files and not DEFAULT.exists():
        raise LibraryError(
            f"{DEFAULT}: not found; install Debian's package qflow-tech-osu018, or name a library"
        )
    texts = [_text(file) for file in given]
    sha256 = hashlib.sha256(
        "".join(hashlib.sha256(t).hexdigest() for t in texts).encode()
    ).hexdigest()
    folder = cache.home() / "libraries" / f"{sha256[:24]}-{_FORM}"
    if not folder.is_dir():
        facts = [_facts(t.decode(errors="replace"), f) for t, f in zip(texts, given, strict=True)]
        with cache.making(folder) as part:
            for number, text in enumerate(texts):
                (part / f"{number}.lib").write_bytes(text)
            cache.write(part / "facts.json", facts)
    known = cache.read(folder / "facts.json")
    cells: dict[str, Cell] = {}
    for one in known:
        for name, fields in one["cells"].items():
            cells.setdefault(name, Cell(name, **fields))
    plain = tuple(folder / f"{number}.lib" for number in range(len(texts)))
    return _library(_name(given), plain, sha256, cells, known[0]["time_ps"], given[0])


def _library(
    name: str, files: tuple[Path, ...], sha256: str, cells: dict[str, Cell], time_ps: float,
    given: Path,
) -> Library:  # fmt: skip
    usable = [c for c in cells.values() if _usable(c)]

    def of(table: tuple[bool, ...]) -> tuple[Cell, ...]:
        return tuple(sorted((c for c in usable if c.table() == table), key=lambda c: c.area))

    found = {
        "two-input NAND": of((True, True, True, False)),
        "inverter": of((True, False)),
        "flip-flop": tuple(
            sorted((c for c in usable if c.kind == "flop"), key=lambda c: (c.area, c.name))
        ),
    }
    for what, some in found.items():
        if not some:
            raise LibraryError(
                f"{given}: no {what}; the flow needs a two-input NAND, an inverter and a flip-flop"
            )
    return Library(
        name, files, sha256, cells, time_ps, found["two-input NAND"][0], found["inverter"],
        of((False, True)), found["flip-flop"],
    )  # fmt: skip


def _name(files: Sequence[Path]) -> str:
    """The file's name without what follows the first dot; of several, what they begin with."""
    names = [file.name.split(".")[0] for file in files]
    same = itertools.takewhile(lambda letters: len(set(letters)) == 1, zip(*names, strict=False))
    return "".join(letters[0] for letters in same).rstrip("_-") or names[0]


def _text(file: Path) -> bytes:
    try:
        raw = file.read_bytes()
        return gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw
    except OSError as error:
        raise LibraryError(f"{file}: cannot be read: {error.strerror or error}") from None
    except (EOFError, zlib.error):
        raise LibraryError(f"{file}: not a whole gzip file; fetch it again") from None


# -- liberty, as far as it is needed ---------------------------------------------------------
_TOKEN = re.compile(
    r"""/\*.*?\*/ | //[^\n]*
      | (?P<open>[\w.]+)\s*\((?P<of>[^(){};]*)\)\s*\{
      | (?P<name>[\w.]+)\s*:\s*(?P<value>"[^"]*"|[^;\s{}]+)
      | (?P<close>\}) | "[^"]*" """,
    re.VERBOSE | re.DOTALL,
)
_UNITS = {"f": 1.0, "p": 1e3, "n": 1e6}
Group = dict[str, Any]


def _facts(text: str, file: Path) -> dict[str, Any]:
    """Units and cells of one file."""
    library = _groups(text, file)
    if library["type"] != "library":
        raise LibraryError(f"{file}:1: want a liberty file, which begins with library (...) {{")
    unit = re.search(r"capacitive_load_unit\s*\(\s*\"?([\d.]+)\"?\s*,\s*\"?([fpn])f", text, re.I)
    time = re.match(r"([\d.]+)\s*([fpn])s", library["values"].get("time_unit", "1ns"))
    if unit is None or time is None:
        what = "capacitive_load_unit" if unit is None else "time_unit"
        raise LibraryError(f"{file}: no {what} that can be understood; want as 1 and ff, 1ns")
    femto = float(unit[1]) * _UNITS[unit[2].lower()]
    cells = {g["of"]: _cell(g, femto, file) for g in library["groups"] if g["type"] == "cell"}
    if not cells:
        raise LibraryError(f"{file}: no cells in it")
    return {"time_ps": float(time[1]) * _UNITS[time[2]] / 1e3, "cells": cells}


def _groups(text: str, file: Path) -> Group:
    """The outermost group, with cells, pins and flip-flops below it and nothing of their tables."""
    top: Group = {"type": "", "of": "", "values": {}, "groups": []}
    stack = [top]
    for token in _TOKEN.finditer(text):
        if token["open"]:
            group: Group = {"type": token["open"], "of": token["of"].strip(' "'), "values": {},
                            "groups": [], "at": token.start()}  # fmt: skip
            stack[-1]["groups"].append(group)
            stack.append(group)
        elif token["close"]:
            if len(stack) == 1:
                line = text.count("\n", 0, token.start()) + 1
                raise LibraryError(f"{file}:{line}: a closing brace too many")
            stack.pop()
            if stack[-1]["type"] == "pin" and stack[-1]["groups"]:
                stack[-1]["groups"].pop()  # tables of delay and power, most of the file
        elif token["name"]:
            stack[-1]["values"][token["name"]] = token["value"].strip('"')
    if len(stack) > 1:
        line = text.count("\n", 0, stack[-1]["at"]) + 1
        raise LibraryError(
            f"{file}:{line}: {stack[-1]['type']} ({stack[-1]['of']}) is not closed; is the file"
            " whole?"
        )
    if not top["groups"]:
        raise LibraryError(f"{file}:1: want a liberty file, which begins with library (...) {{")
    found: Group = top["groups"][0]
    return found


# Clock gates whose latch is open while the clock is low; an input for tests stands in front of it.
_GATES = ("latch_posedge", "latch_posedge_precontrol")
_ROLES = ("clock", "enable", "test", "out")


def _cell(group: Group, femto: float, file: Path) -> dict[str, Any]:
    inputs: dict[str, float] = {}
    outputs: dict[str, str] = {}
    roles: dict[str, str] = {}
    limits = []
    kind = "logic"
    for part in group["groups"]:
        values = part["values"]
        if part["type"] in ("ff", "ff_bank"):
            kind = "flop"
        elif part["type"] in ("latch", "latch_bank", "statetable"):
            kind = "latch"
            if {"enable", "data_in"} <= set(values) and not {"clear", "preset"} & set(values):
                roles |= {"clock": values["enable"], "enable": values["data_in"],
                          "state": part["of"].split(",")[0].strip(' "')}  # fmt: skip
        elif part["type"] == "pin" and values.get("direction") == "input":
            inputs[part["of"]] = _number(values.get("capacitance", "0"), group, file) * femto
        elif part["type"] == "pin" and values.get("direction") == "output":
            outputs[part["of"]] = values.get("function", "")
            limits.append(_number(values.get("max_capacitance", "0"), group, file) * femto)
            if "three_state" in values:
                kind = "other"
        roles |= {role: part["of"] for role in _ROLES if f"clock_gate_{role}_pin" in values}
    gates = group["values"].get("clock_gating_integrated_cell")
    if gates in _GATES and {"clock", "enable", "out"} <= set(roles):
        kind = "gate"
    elif kind != "flop" and (gates or not all(outputs.values())):
        kind = "other"
    return {
        "area": _number(group["values"].get("area", "0"), group, file),
        "kind": kind,
        "inputs": inputs,
        "outputs": outputs,
        "dont_use": group["values"].get("dont_use", "false").lower() == "true",
        "roles": roles if kind in ("latch", "gate") else {},
        "drives_ff": min(limits, default=0.0),
    }


def _number(text: str, group: Group, file: Path) -> float:
    try:
        return float(text)
    except ValueError:
        raise LibraryError(f"{file}: cell {group['of']}: want a number, got {text!r}") from None


# -- functions -------------------------------------------------------------------------------
def _table(function: str, pins: tuple[str, ...]) -> tuple[bool, ...] | None:
    """Values over all inputs; None where the function names something else, such as a state."""
    tokens = re.findall(r"\w+|[!'&*|+^()]", function)
    if len(pins) > 6 or any(t[0].isalpha() and t not in pins for t in tokens):
        return None
    return tuple(
        _sum(tokens[::-1], dict(zip(pins, values[::-1], strict=True)))
        for values in product((False, True), repeat=len(pins))
    )


def _sum(left: list[str], values: Mapping[str, bool]) -> bool:
    """Or, of exclusive ors, of ands, of terms; `left` is reversed and eaten from its end."""
    found = _exclusive(left, values)
    while left and left[-1] in "|+":
        left.pop()
        found |= _exclusive(left, values)
    return found


def _exclusive(left: list[str], values: Mapping[str, bool]) -> bool:
    found = _product(left, values)
    while left and left[-1] == "^":
        left.pop()
        found ^= _product(left, values)
    return found


def _product(left: list[str], values: Mapping[str, bool]) -> bool:
    found = _term(left, values)
    while left and left[-1] not in "|+^)":
        if left[-1] in "&*":
            left.pop()
        found &= _term(left, values)
    return found


def _term(left: list[str], values: Mapping[str, bool]) -> bool:
    token = left.pop() if left else "0"
    if token == "!":
        return not _term(left, values)
    if token == "(":
        found = _sum(left, values)
        if left:
            left.pop()
    else:
        found = values.get(token, token == "1")
    while left and left[-1] == "'":
        left.pop()
        found = not found
    return found
