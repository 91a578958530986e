"""A core as gates and flip-flops, its S-boxes kept whole; one cycle of it over forms."""

from __future__ import annotations

import functools
import json
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ... import cache, spec
from ...errors import HardwareError
from ...reference.aes import SUB_BYTES
from ...reference.components import Sbox
from ..cores import Core
from ..flow import tools, yosys
from .forms import Bits, Forms

# The two halves of the cut S-box are functions of their own; of a multiplication nothing is known.
_FRONT, _BACK = "aes_sbox_front", "aes_sbox_back"
PRODUCTS = ("ghash_step", "ghash_product")
GATED = "gated_word.sv"
KEPT = ("aes_sbox", "aether_sbox", _FRONT, _BACK, *PRODUCTS)
_GATES = {"$_AND_", "$_OR_", "$_XOR_", "$_XNOR_", "$_NOT_", "$_BUF_", "$_MUX_", "$_NAND_", "$_NOR_"}
_FLOP = "$_DFF_P_"
_CLOCK = "clk_i"
_LIMIT_S = 600


@dataclass(frozen=True, slots=True)
class _Cell:
    kind: str
    inputs: tuple[int, ...]  # bits of the netlist; of an S-box the highest first, the waist after the byte
    outputs: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class BitNetlist:
    """Bits are numbers; 0 and 1 are constants. ``cells`` stand in an order in which they can be evaluated."""

    inputs: Mapping[str, tuple[int, ...]]
    outputs: Mapping[str, tuple[int, ...]]
    cells: Sequence[_Cell]
    flops: Sequence[tuple[int, int]]  # q, d
    size: int
    names: Mapping[int, str]  # of registers, as the source has them
    steps: bool = True  # whether a cycle gives the next state too
    _known: dict[Any, Any] = field(init=False, default_factory=dict)

    def cycle(
        self, of: Forms, state: Bits, given: Mapping[str, Bits]
    ) -> tuple[dict[str, Bits], Callable[[], Bits]]:
        """Outputs in one cycle, and what the next state is; ``given`` has a list for every input."""
        values = self._run()(of, state, [form for port in self.inputs for form in given[port]])
        outputs, at = {}, 0
        for port, bits in self.outputs.items():
            outputs[port] = values[at : at + len(bits)]
            at += len(bits)
        return outputs, lambda: values[at:]

    @property
    def whole_bits(self) -> int:
        """Outputs of cells that were kept whole."""
        return sum(len(cell.outputs) for cell in self.cells if cell.kind not in _GATES)

    def cone(self, *ports: str, following: bool = False) -> BitNetlist:
        """The cells alone that these outputs need in a cycle, and with ``following`` the next state."""
        if (ports, following) not in self._known:
            need = {bit for port in ports for bit in self.outputs[port]}
            need |= {d for _, d in self.flops if following}
            cells = []
            for cell in reversed(self.cells):
                if not need.isdisjoint(cell.outputs):
                    need.update(cell.inputs)
                    cells.append(cell)
            outputs = {port: self.outputs[port] for port in ports}
            self._known[ports, following] = replace(self, outputs=outputs, cells=cells[::-1], steps=following)
        made: BitNetlist = self._known[ports, following]
        return made

    def _run(self) -> Callable[[Forms, Bits, Bits], Bits]:
        """All cells as one function of Python: many times as fast as a loop over them."""
        if "run" not in self._known:
            known: dict[str, Any] = {"both": Forms.both, **_functions()}
            exec(compile(_source(self), "netlist", "exec"), known)
            self._known["run"] = known["run"]
        made: Callable[[Forms, Bits, Bits], Bits] = self._known["run"]
        return made


# Of gates that are no sums: the value where both forms are known or one is, before the product.
_TEXT = {
    "$_XOR_": "{0} ^ {1}",
    "$_XNOR_": "{0} ^ {1} ^ 1",
    "$_NOT_": "{0} ^ 1",
    "$_BUF_": "{0}",
    "$_AND_": "both(of, {0}, {1}) if {0} > 1 < {1} else {1} if {0} == 1 else {0} if {1} == 1 else 0",
    "$_NAND_": "both(of, {0}, {1}) ^ 1",
    "$_OR_": "both(of, {0} ^ 1, {1} ^ 1) ^ 1 if {0} > 1 < {1} else 1 if {0} == 1 or {1} == 1 else {0} | {1}",
    "$_NOR_": "both(of, {0} ^ 1, {1} ^ 1)",
    "$_MUX_": "({1} if {2} else {0}) if {2} < 2 else both(of, {2}, {0} ^ {1}) ^ {0}",
}


def _source(net: BitNetlist) -> str:
    """A function from the state and the inputs to the outputs and the next state, a line for each cell."""
    names = ["0", "1", *(f"b{bit}" for bit in range(2, net.size))]
    lines = ["def run(of, state, given):"]
    for values, bits in (
        ("state", [q for q, _ in net.flops]),
        ("given", [bit for port in net.inputs.values() for bit in port]),
    ):
        lines += [f" {', '.join(names[bit] for bit in bits)}, = {values}"] if bits else []
    for cell in net.cells:
        given = [names[bit] for bit in cell.inputs]
        if cell.kind in _TEXT:
            lines.append(f" {names[cell.outputs[0]]} = {_TEXT[cell.kind].format(*given)}")
        else:
            made = ", ".join(names[bit] for bit in cell.outputs)
            lines.append(f" {made}, = {cell.kind}(of, ({', '.join(given)},), {len(cell.outputs)})")
    ends = [bit for port in net.outputs.values() for bit in port]
    ends += [d for _, d in net.flops if net.steps]
    return "\n".join([*lines, f" return [{', '.join(names[bit] for bit in ends)}]"])


def _functions() -> dict[str, Callable[[Forms, Sequence[int], int], Bits]]:
    """What a cell that was kept whole makes of its inputs."""
    from ...reference.aether import SBOX

    def front(of: Forms, given: Sequence[int], bits: int) -> Bits:
        return of.function(_FRONT, given, bits)

    def back(of: Forms, given: Sequence[int], bits: int) -> Bits:
        # Together they are the S-box; a waist of another byte makes another function.
        byte, waist = given[:8], list(given[8:])
        whole = waist == of.function(_FRONT, byte, 4)
        return of.sbox(SUB_BYTES, byte) if whole else of.function(_BACK, given, bits)

    def sbox(box: Sbox) -> Callable[[Forms, Sequence[int], int], Bits]:
        return lambda of, given, bits: of.sbox(box, given)

    def product(name: str) -> Callable[[Forms, Sequence[int], int], Bits]:
        return lambda of, given, bits: of.function(name, given, bits)

    made = {"aes_sbox": sbox(SUB_BYTES), "aether_sbox": sbox(SBOX), _FRONT: front, _BACK: back}
    return {**made, **{name: product(name) for name in PRODUCTS}}


def netlist(core: Core, parameters: Mapping[str, str]) -> BitNetlist:
    """The core by Yosys, before any mapping: what it was written as, in gates."""
    tools.need_python("pyosys")
    return _netlist(core, tuple(sorted(core.chosen(parameters).items())))


@functools.lru_cache(4)
def _netlist(core: Core, parameters: tuple[tuple[str, str], ...]) -> BitNetlist:
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
    """Yosys's commands that read a core with these modules as black boxes, and with registers that have an enable,
    from ``rtl/formal``, where the clock of a word is gated, so that one clock is left."""
    kept = "".join(f" --blackboxed-module {name}" for name in boxes)
    gated = spec.root() / "rtl/formal" / GATED
    files = (gated if file.name == GATED else file for file in core.files)
    line = yosys.read(replace(core, files=tuple(files)), parameters, folder)
    return [line.replace("read_slang", f"read_slang{kept}", 1), f"hierarchy -top {core.top}", "proc"]


def log(core: Core, what: str) -> Path:
    """Where Yosys's words about a core go."""
    file = cache.home() / "logs" / f"{what}-{core.name}.log"
    file.parent.mkdir(parents=True, exist_ok=True)
    return file


def _read(core: Core, module: Mapping[str, Any]) -> BitNetlist:
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
            if bits(pins["C"]) != ports["input"][_CLOCK]:
                raise HardwareError(f"{core.name}: want one clock, {_CLOCK}; a flip-flop has another")
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
    return BitNetlist(ports["input"], ports["output"], _sorted(core, cells, known), flops, size, names)


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
