"""A core as gates and flip-flops, its S-boxes kept whole; one cycle of it over forms."""

from __future__ import annotations

import functools
import json
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ... import cache
from ...errors import HardwareError
from ...reference.aes import SUB_BYTES
from ...reference.components import Sbox
from ..cores import Core
from ..flow import tools, yosys
from .forms import Bits, Forms

# The two halves of the cut S-box are functions of their own; of a multiplication nothing is known.
_FRONT, _BACK = "aes_sbox_front", "aes_sbox_back"
PRODUCTS = ("ghash_step", "ghash_product")
KEPT = ("aes_sbox", "aether_sbox", _FRONT, _BACK, *PRODUCTS)
_GATES = {"$_AND_", "$_OR_", "$_XOR_", "$_XNOR_", "$_NOT_", "$_BUF_", "$_MUX_", "$_NAND_", "$_NOR_"}
_FLOP = "$_DFF_P_"
_LIMIT_S = 600


def _boxes() -> dict[str, Sbox]:
    from ...reference.aether import SBOX

    return {"aes_sbox": SUB_BYTES, "aether_sbox": SBOX}


@dataclass(frozen=True, slots=True)
class _Cell:
    kind: str
    inputs: tuple[int, ...]  # bits of the netlist; of an S-box the highest first, the waist after the byte
    outputs: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Netlist:
    """Bits are numbers; 0 and 1 are constants. ``cells`` stand in an order in which they can be evaluated."""

    inputs: Mapping[str, tuple[int, ...]]
    outputs: Mapping[str, tuple[int, ...]]
    cells: Sequence[_Cell]
    flops: Sequence[tuple[int, int]]  # q, d
    size: int
    names: Mapping[int, str]  # of registers, as the source has them

    def cycle(
        self, of: Forms, state: Bits, given: Mapping[str, Bits]
    ) -> tuple[dict[str, Bits], Callable[[], Bits]]:
        """Outputs in one cycle, and what the next state is; ``given`` has a list for every input."""
        values = [0] * self.size
        values[1] = 1
        for port, bits in self.inputs.items():
            for bit, form in zip(bits, given[port], strict=True):
                values[bit] = form
        for (q, _), form in zip(self.flops, state, strict=True):
            values[q] = form
        evaluate(of, self.cells, values)
        outputs = {port: [values[bit] for bit in bits] for port, bits in self.outputs.items()}
        return outputs, lambda: [values[d] for _, d in self.flops]

    def cone(self, port: str) -> Netlist:
        """The cells alone that an output needs in a cycle."""
        need = set(self.outputs[port])
        cells = []
        for cell in reversed(self.cells):
            if not need.isdisjoint(cell.outputs):
                need.update(cell.inputs)
                cells.append(cell)
        outputs = {port: self.outputs[port]}
        return replace(self, outputs=outputs, cells=cells[::-1])


def evaluate(of: Forms, cells: Sequence[_Cell], values: Bits) -> None:
    """Fill in the outputs of all cells."""
    boxes, both, chosen = _boxes(), of.both, of.chosen
    for cell in cells:
        kind, given = cell.kind, [values[bit] for bit in cell.inputs]
        if kind == "$_XOR_":
            made = [given[0] ^ given[1]]
        elif kind == "$_AND_":
            made = [both(given[0], given[1])]
        elif kind == "$_MUX_":
            made = [chosen(given[2], given[1], given[0])]
        elif kind == "$_OR_":
            made = [both(given[0] ^ 1, given[1] ^ 1) ^ 1]
        elif kind == "$_NOT_":
            made = [given[0] ^ 1]
        elif kind == "$_BUF_":
            made = given
        elif kind == "$_XNOR_":
            made = [given[0] ^ given[1] ^ 1]
        elif kind == "$_NAND_":
            made = [both(given[0], given[1]) ^ 1]
        elif kind == "$_NOR_":
            made = [both(given[0] ^ 1, given[1] ^ 1)]
        elif kind == _FRONT:
            made = of.function(_FRONT, given, 4)
        elif kind in PRODUCTS:
            made = of.function(kind, given, len(cell.outputs))
        elif kind == _BACK:
            # Together they are the S-box; a waist of another byte makes another function.
            byte, waist = given[:8], given[8:]
            whole = waist == of.function(_FRONT, byte, 4)
            made = of.sbox(SUB_BYTES, byte) if whole else of.function(_BACK, given, 8)
        else:
            made = of.sbox(boxes[kind], given)
        for bit, form in zip(cell.outputs, made, strict=True):
            values[bit] = form


def netlist(core: Core, parameters: Mapping[str, str]) -> Netlist:
    """The core by Yosys, before any mapping: what it was written as, in gates."""
    tools.need_python("pyosys")
    return _netlist(core, tuple(sorted(core.chosen(parameters).items())))


@functools.lru_cache(4)
def _netlist(core: Core, parameters: tuple[tuple[str, str], ...]) -> Netlist:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        lines = commands(core, dict(parameters), folder)
        lines += ["flatten", "opt_clean", "memory", "techmap", "opt -fast", "async2sync", "dffunmap"]
        lines += ["simplemap", "opt_expr", "clean -purge", "write_json core.json"]
        yosys.run(lines, folder, log(core, "symbolic"), core.name, _LIMIT_S)
        module = json.loads((folder / "core.json").read_text(encoding="utf-8"))["modules"][core.top]
    return _read(core, module)


def commands(
    core: Core, parameters: Mapping[str, str], folder: Path, boxes: Sequence[str] = KEPT
) -> list[str]:
    """Yosys's commands that read a core with these modules as black boxes."""
    kept = "".join(f" --blackboxed-module {name}" for name in boxes)
    line = yosys.read(core, parameters, folder)
    return [line.replace("read_slang", f"read_slang{kept}", 1), f"hierarchy -top {core.top}", "proc"]


def log(core: Core, what: str) -> Path:
    """Where Yosys's words about a core go."""
    file = cache.home() / "logs" / f"{what}-{core.name}.log"
    file.parent.mkdir(parents=True, exist_ok=True)
    return file


def _read(core: Core, module: Mapping[str, Any]) -> Netlist:
    number: dict[int | str, int] = {"0": 0, "1": 1, "x": 0}

    def bits(of: Sequence[int | str]) -> tuple[int, ...]:
        return tuple(number.setdefault(bit, len(number)) for bit in of)

    ports: dict[str, dict[str, tuple[int, ...]]] = {"input": {}, "output": {}}
    for name, port in module["ports"].items():
        ports[port["direction"]][name] = bits(port["bits"])
    cells, flops = [], []
    for cell in module["cells"].values():
        kind, pins = cell["type"], cell["connections"]
        if kind == _FLOP:
            flops.append((bits(pins["Q"])[0], bits(pins["D"])[0]))
        elif kind in _GATES:
            inputs = [bits(pins[pin])[0] for pin in ("A", "B", "S") if pin in pins]
            cells.append(_Cell(kind, tuple(inputs), bits(pins["Y"])))
        elif kind in PRODUCTS:
            (out,) = (pin for pin in pins if pin.endswith("_o"))
            given = tuple(bit for pin in sorted(pins) if pin != out for bit in bits(pins[pin]))
            cells.append(_Cell(kind, given, bits(pins[out])))
        elif kind in KEPT:
            given = bits(pins["data_i"][::-1]) + (bits(pins["waist_i"]) if kind == _BACK else ())
            out = bits(pins["waist_o"]) if kind == _FRONT else bits(pins["data_o"][::-1])
            cells.append(_Cell(kind, given, out))
        elif kind not in ("$scopeinfo", "$print", "$check"):
            raise HardwareError(f"{core.name}: a cell of type {kind}; want gates, flip-flops and S-boxes")
    size = len(number) + 1
    registers = {q for q, _ in flops}
    names = {
        at: f"{name}[{place}]" if len(net["bits"]) > 1 else name
        for name, net in module["netnames"].items()
        for place, at in enumerate(bits(net["bits"]))
        if at in registers
    }
    known = {0, 1, *(bit for port in ports["input"].values() for bit in port), *(q for q, _ in flops)}
    return Netlist(ports["input"], ports["output"], _sorted(core, cells, known), flops, size, names)


def _sorted(core: Core, cells: Sequence[_Cell], known: set[int]) -> list[_Cell]:
    maker = {bit: i for i, cell in enumerate(cells) for bit in cell.outputs}
    order: list[_Cell] = []
    done, begun = [False] * len(cells), [False] * len(cells)
    for start in range(len(cells)):
        todo = [start]
        while todo:
            i = todo[-1]
            missing = [maker[b] for b in cells[i].inputs if b in maker and not done[maker[b]]]
            if done[i] or not missing:
                todo.pop()
                if not done[i]:
                    done[i] = True
                    order.append(cells[i])
                continue
            if begun[i]:
                raise HardwareError(f"{core.name}: want logic without a loop")
            begun[i] = True
            todo += missing
    return order
