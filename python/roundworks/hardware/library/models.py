"""Verilog models of cells, from their liberty functions: what a netlist is simulated with.

Plain ones have no delay. Timed ones carry a `specify` path for every arc, all zero until an SDF
file says how long each takes in its place.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from ... import cache
from ...errors import HardwareError, LibraryError
from .cells import Cell, Library, Pin
from .logic import LogicFunction

_WORD = re.compile(r"^\s*(\w+)\s+\\?\S+\s*\(", re.MULTILINE)
_BOTH = {"L": "1'b0", "H": "1'b1", "N": "stored", "T": "~stored", "X": "1'bx"}


def models(library: Library, names: Iterable[str], *, timed: bool = False, known: bool = False) -> str:
    """Modules for the cells of these names.

    `known` starts every flop at zero instead of unknown. It is for measuring power, where a wire
    that is unknown has no toggles; a bench that checks whether a reset works must not have it.

    Raises
    ------
    LibraryError
        ``ICGx1: is described by a statetable, which is not modelled; ...``
    """
    text = ["`timescale 1ps/1fs"]
    text += [_model(library.cell(name), timed, known) for name in sorted(set(names))]
    return "\n".join(text) + "\n"


def _model(cell: Cell, timed: bool, known: bool) -> str:
    if cell.unsupported:
        raise LibraryError(
            f"{cell.name}: {cell.unsupported}, which is not modelled; make the netlist without it"
        )
    inputs = [pin.name for pin in cell.inputs]
    outputs = cell.outputs
    ports = [f"input {name}" for name in inputs] + [f"output {pin.name}" for pin in outputs]
    lines = ["`celldefine", f"module {cell.name}({', '.join(ports)});"]
    others = {}
    if cell.state is not None:
        lines += _state(cell, known)
        stored = LogicFunction("name", (), "stored")
        others = {cell.state.names[0]: stored, cell.state.names[1]: LogicFunction("not", (stored,))}
    for pin in outputs:
        if pin.function is None or pin.three_state:
            why = "has three states" if pin.three_state else "has no function"
            raise LibraryError(
                f"{cell.name}: {pin.name} {why}, which is not modelled; make the netlist without it"
            )
        lines.append(f"  assign {pin.name} = {pin.function.replaced(others).verilog()};")
    if timed:
        lines += ["  specify", *(p for pin in outputs for p in _paths(cell, pin)), "  endspecify"]
    return "\n".join([*lines, "endmodule", "`endcelldefine", ""])


def _state(cell: Cell, known: bool) -> list[str]:
    state = cell.state
    assert state is not None
    lines = ["  reg stored;", f"  wire clock = {state.clock.verilog()};"]
    if known:
        lines.append("  initial stored = 1'b0;")
    events, branches = ["posedge clock"], []
    for name, function in (("clear", state.clear), ("preset", state.preset)):
        if function is not None:
            lines.append(f"  wire {name} = {function.verilog()};")
            events.append(f"posedge {name}")
    if state.clear is not None and state.preset is not None:
        branches.append(f"if (clear & preset) stored <= {_BOTH[state.both[0]]};")
    if state.clear is not None:
        branches.append("if (clear) stored <= 1'b0;")
    if state.preset is not None:
        branches.append("if (preset) stored <= 1'b1;")
    stored = LogicFunction("name", (), "stored")
    data = state.data.replaced({state.names[0]: stored, state.names[1]: LogicFunction("not", (stored,))})
    if state.kind == "ff":
        head = f"  always @({' or '.join(events)})"
        branches.append(f"stored <= {data.verilog()};")
    else:
        head = "  always @*"
        branches.append(f"if (clock) stored <= {data.verilog()};")
    return [*lines, head, "    " + "\n    else ".join(branches)]


def _paths(cell: Cell, pin: Pin) -> list[str]:
    return [
        f"    ({related} => {pin.name}) = (0, 0);"
        for related in dict.fromkeys(arc.related for arc in pin.arcs)
        if related in cell.pins and cell.pins[related].direction == "input"
    ]


def models_of(netlist: Path, library: Library) -> Path:
    """A file of modules without delay, for the cells of a netlist.

    Raises
    ------
    HardwareError
        ``aes.v: none of its cells is in osu018_stdcells; name its library``
    """
    used = sorted(set(_WORD.findall(verilog(netlist))) & set(library.cells))
    if not used:
        raise HardwareError(f"{netlist}: none of its cells is in {library.name}; name its library")
    text = models(library, used)
    file = cache.home() / "models" / f"{cache.key([], {'text': text})}.v"
    if not file.exists():
        cache.write_text(file, text)
    return file


def verilog(netlist: Path) -> str:
    """The text of a netlist.

    Raises
    ------
    HardwareError
        ``core.v.gz: want Verilog, got bytes that are no UTF-8; name a netlist``
    """
    try:
        return netlist.read_text(encoding="utf-8")
    except OSError as error:
        raise HardwareError(f"{netlist}: {error.strerror}; name a netlist") from None
    except UnicodeDecodeError:
        raise HardwareError(f"{netlist}: want Verilog, got bytes that are no UTF-8; name a netlist") from None
