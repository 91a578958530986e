"""What stands for the module `clock_gate` in a library: its own cell, or a latch, a NAND and an inverter.

Nobody grows a clock tree before there is a layout, so the gate itself drives its flip-flops, and a
flip-flop draws more where its clock rises slowly: the smallest that is far from its limit is taken.
A cell that the library keeps from synthesis (`dont_use`) is not kept from this: it would never be
chosen for logic, and here it is wanted.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...errors import LibraryError
from ..library import Cell, Library

MODULE = "clock_gate"
SINKS = 64  # flip-flops of one gate, as rtl/common/gated_word.sv has it
_MARGIN = 4  # at its limit an output is at its flattest, and wires weigh too


def load(library: Library) -> float:
    """Farads at a gate's output: that many times the heaviest pin of the smallest flip-flop."""
    return SINKS * max(pin.capacitance for pin in library.flops[0].inputs)


def techmap(library: Library) -> str:
    """Verilog that Yosys puts in the module's place.

    Raises
    ------
    LibraryError
        ``my: no clock gate and no plain latch; want a library with one, or a core with enables``
    """
    gates = [cell for cell in library.cells.values() if cell.kind == "gate"]
    # One without an input for tests does the same with less.
    plain = [cell for cell in gates if "test" not in cell.roles] or gates
    if plain:
        cell = _bearing(plain, library)
        pins = {"clock": "clk_i", "enable": "en_i", "test": "1'b0", "out": "clk_o"}
        lines = [_instance(cell, "u_gate", {p: pins[role] for role, p in cell.roles.items()})]
    else:
        lines = _built(library)
    head = f"module {MODULE}(input clk_i, input en_i, output clk_o);"
    return "\n".join([head, *(f"  {line}" for line in lines), "endmodule", ""])


def latch(library: Library) -> Cell | None:
    """The smallest with clock, enable and one output that shows what it stores."""
    latches = [
        cell for cell in library.cells.values() if cell.kind == "latch" and not cell.dont_use and _plain(cell)
    ]
    return min(latches, key=lambda cell: (cell.area, cell.name), default=None)


def _plain(cell: Cell) -> bool:
    state = cell.state
    if state is None or state.clear or state.preset or state.data.kind != "name" or len(cell.outputs) != 1:
        return False
    shown = cell.outputs[0].function
    if shown is None or (shown.kind, shown.name) != ("name", state.names[0]) or len(state.clock.names) != 1:
        return False
    return {pin.name for pin in cell.inputs} == state.clock.names | state.data.names


def _built(library: Library) -> list[str]:
    cell = latch(library)
    if cell is None:
        raise LibraryError(
            f"{library.name}: no clock gate and no plain latch; "
            "want a library with one, or a core with enables"
        )
    assert cell.state is not None
    strong = _bearing(library.inverters, library)
    (opened,), low = cell.state.clock.names, cell.state.clock.kind == "not"
    pins = {opened: "clk_i" if low else "low", cell.state.data.name: "en_i", cell.outputs[0].name: "stored"}
    first, second = (pin.name for pin in library.nand2.inputs)
    nand = {first: "clk_i", second: "stored", library.nand2.outputs[0].name: "stopped"}
    lines = ["wire low, stored, stopped;"]
    lines += [] if low else [_inverter(library.inverters[0], "u_low", "clk_i", "low")]
    lines += [_instance(cell, "u_latch", pins), _instance(library.nand2, "u_nand", nand)]
    return [*lines, _inverter(strong, "u_clock", "stopped", "clk_o")]


def _inverter(cell: Cell, name: str, source: str, target: str) -> str:
    return _instance(cell, name, {cell.inputs[0].name: source, cell.outputs[0].name: target})


def _instance(cell: Cell, name: str, pins: dict[str, str]) -> str:
    return f"{cell.name} {name} ({', '.join(f'.{pin}({net})' for pin, net in pins.items())});"


def _bearing(cells: Sequence[Cell], library: Library) -> Cell:
    """The smallest that drives a gate's flip-flops well, or the strongest if none does."""
    able = [cell for cell in cells if cell.max_farad >= _MARGIN * load(library)]
    if able:
        return min(able, key=lambda cell: (cell.area, cell.name))
    return max(cells, key=lambda cell: cell.max_farad)
