"""A core's blocks, from its elaborated source: registers, modules without any, and what joins them.

A module that holds no register is a box; one that does is opened, down to its registers. Between
them is plain logic, which is not drawn: an arrow says that bits of its end depend on its start.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ... import cache
from ..cores import Core
from ..flow import yosys

# Narrower ones steer, and would cross everything.
MINIMUM_BITS = 8
_BITWISE = frozenset({"$and", "$or", "$xor", "$xnor", "$not", "$mux", "$pmux", "$pos"})
_STEERING = {"$mux": "S", "$pmux": "S"}
Bit = int | str  # a constant is a string
Start = tuple[str, Bit | None]
Driver = tuple[str, int, int]  # cell, which bit of its output, of how many
Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Block:
    """``kind``: "register", "part", "input" or "output". ``place``: the modules it stands in.

    ``widths`` are those of its ends: what it has where an arrow can come in.
    """

    key: str
    kind: str
    name: str
    place: tuple[str, ...]
    bits: int
    widths: frozenset[int]
    holds: str = ""


@dataclass
class Blocks:
    """What is to be drawn. ``wires``: (start, end) -> bits of the end that depend on the start."""

    blocks: list[Block] = field(default_factory=list)
    wires: dict[tuple[str, str], int] = field(default_factory=dict)
    modules: dict[tuple[str, ...], str] = field(default_factory=dict)
    flops: int = 0

    @property
    def drawn_flops(self) -> int:
        """Flip-flops in the drawing."""
        return sum(block.bits for block in self.blocks if block.kind == "register")


def elaborated(core: Core, chosen: Mapping[str, str]) -> tuple[Json, Json]:
    """The design as written, and with every module opened that holds a register; from the cache."""
    facts = {"top": core.top, "numbers": core.numbers(chosen), "form": 1}
    folder = cache.home() / "blocks" / f"{core.name}-{cache.key(core.files, facts)}"
    log = cache.home() / "logs" / f"{folder.name}-blocks.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    if not folder.is_dir():
        with cache.making(folder) as part:
            read = yosys.read(core, chosen, part).replace(" ", " --keep-hierarchy ", 1)
            yosys.run(
                [
                    read,
                    f"hierarchy -check -top {core.top}",
                    "proc",
                    "memory -nomap",
                    "opt_clean",
                    "write_rtlil design.il",
                    "write_json tree.json",
                ],
                part,
                log,
                f"{core.name}: yosys",
            )
            modules = json.loads((part / "tree.json").read_text())["modules"]
            kept = [name for name in modules if name != core.top and not _holds(modules, name)]
            yosys.run(
                [
                    "read_rtlil design.il",
                    *(f"setattr -mod -set keep_hierarchy 1 {m}" for m in kept),
                    "flatten",
                    "opt_clean",
                    "write_json flat.json",
                ],
                part,
                log,
                f"{core.name}: yosys",
            )
    tree, flat = (json.loads((folder / f"{name}.json").read_text())["modules"] for name in ("tree", "flat"))
    return tree, flat


def _holds(modules: Json, name: str) -> bool:
    """Whether a module, or one inside it, has a register."""
    return any(
        _is_register(cell) or (cell["type"] in modules and _holds(modules, cell["type"]))
        for cell in modules[name]["cells"].values()
    )


def _is_register(cell: Json) -> bool:
    kind = cell["type"]
    written = kind == "$mem_v2" and int(str(cell["parameters"]["WR_PORTS"]), 2) > 0
    return written or (kind.startswith("$") and "Q" in cell["connections"])


def read(tree: Json, flat: Json, top: str, omitted: Iterable[str] = ()) -> Blocks:
    """Blocks and wires of a flattened module; ports in `omitted`, the clock say, are left out."""
    module = flat[top]
    reading = _Reading(tree, module, Blocks(modules=dict(_modules(tree, top, ()))))
    reading.ports(set(omitted))
    reading.cells()
    reading.wires()
    return reading.found


@dataclass
class _Reading:
    """A bit is driven by a cell of logic, or starts at a block: at which of its bits, if it has any."""

    tree: Json
    module: Json
    found: Blocks
    drivers: dict[Bit, Driver] = field(default_factory=dict)
    starts: dict[Bit, Start] = field(default_factory=dict)
    ends: list[tuple[str, list[Bit], list[Bit]]] = field(default_factory=list)

    def ports(self, omitted: set[str]) -> None:
        for name, port in self.module["ports"].items():
            kind, bits = port["direction"], port["bits"]
            if name in omitted or len(bits) < MINIMUM_BITS:
                continue
            key = f"{kind} {name}"
            self._block(Block(key, kind, name, (), len(bits), frozenset({len(bits)})))
            if kind == "input":
                self.starts |= dict.fromkeys(bits, (key, None))
            else:
                self.ends.append((key, bits, []))

    def cells(self) -> None:
        names = _register_names(self.module)
        registers: dict[str, list[tuple[list[Bit], list[Bit]]]] = {}
        for name, cell in self.module["cells"].items():
            pins, ways = cell["connections"], cell["port_directions"]
            outputs = {pin: bits for pin, bits in pins.items() if ways[pin] == "output"}
            if _is_register(cell):
                q, d = ("RD_DATA", "WR_DATA") if "RD_DATA" in pins else ("Q", "D")
                self.found.flops += len(pins[q])
                registers.setdefault(names.get(pins[q][0], name), []).append((pins[q], pins[d]))
            elif cell["type"].startswith("$"):
                for bits in outputs.values():
                    self.drivers |= {bit: (name, i, len(bits)) for i, bit in enumerate(bits)}
            else:
                self._part(name, cell, outputs)
        for name, halves in registers.items():
            self._register(name, halves)

    def _part(self, name: str, cell: Json, outputs: Mapping[str, list[Bit]]) -> None:
        key, (*place, own) = f"part {name}", name.split(".")
        inputs = [bits for pin, bits in cell["connections"].items() if pin not in outputs]
        widths = frozenset({*map(len, inputs), sum(map(len, inputs))})
        self._block(Block(key, "part", own, tuple(place), 0, widths, _inside(self.tree, cell["type"])))
        for bits in outputs.values():
            self.starts |= dict.fromkeys(bits, (key, None))
        self.ends += [(key, bits, []) for bits in inputs]

    def _register(self, name: str, halves: list[tuple[list[Bit], list[Bit]]]) -> None:
        width = sum(len(q) for q, _ in halves)
        if width < MINIMUM_BITS:
            return
        key, (*place, own) = f"register {name}", name.split(".")
        self._block(Block(key, "register", own, tuple(place), width, frozenset({width})))
        for q, d in halves:
            self.starts |= {bit: (key, bit) for bit in q}
            self.ends.append((key, d, q))

    def _block(self, block: Block) -> None:
        self.found.blocks.append(block)

    def wires(self) -> None:
        reach = _Reach(self.module["cells"], self.drivers, self.starts)
        wires = Counter[tuple[str, str]]()
        for key, bits, own in self.ends:
            for place, bit in enumerate(bits):
                # A bit that a register keeps is no wire.
                kept = (key, own[place]) if own else None
                wires.update({(start[0], key) for start in reach.of(bit) if start != kept})
        self.found.wires = dict(wires)


class _Reach:
    """Where what a bit depends on starts, through logic alone."""

    def __init__(self, cells: Json, drivers: Mapping[Bit, Driver], starts: Mapping[Bit, Start]) -> None:
        self.cells, self.drivers = cells, drivers
        self.known = {bit: frozenset({start}) for bit, start in starts.items()}

    def of(self, bit: Bit) -> frozenset[Start]:
        """Without recursion: a chain of logic may be longer than Python's stack."""
        if bit not in self.known:
            path = {bit: self._before(bit)}
            starts: dict[Bit, set[Start]] = {bit: set()}
            while path:
                at, before = next(reversed(path.items()))
                for b in before:
                    if b in self.known:
                        starts[at] |= self.known[b]
                    elif b not in path:  # else a loop, which adds nothing
                        path[b], starts[b] = self._before(b), set()
                        break
                else:
                    del path[at]
                    self.known[at] = frozenset(starts.pop(at))
                    if path:
                        starts[next(reversed(path))] |= self.known[at]
        return self.known[bit]

    def _before(self, bit: Bit) -> Iterator[Bit]:
        if bit not in self.drivers:
            return
        name, index, width = self.drivers[bit]
        cell = self.cells[name]
        ways, bitwise = cell["port_directions"], cell["type"] in _BITWISE
        pins = {
            pin: bits
            for pin, bits in cell["connections"].items()
            if ways[pin] == "input" and pin != _STEERING.get(cell["type"])
        }
        if width == 1 and not bitwise:
            return  # a comparison: it steers
        for bits in pins.values():
            yield from (b for b in (bits[index::width] if bitwise else bits) if isinstance(b, int))


def _register_names(module: Json) -> dict[Bit, str]:
    """Bit -> its name in the source; of several one that ends in _q, for so a register is called."""
    names: dict[Bit, str] = {}
    for name, net in module["netnames"].items():
        rank = (not name.endswith("_q"), len(name))
        for bit in () if net["hide_name"] else net["bits"]:
            other = names.get(bit)
            if other is None or rank < (not other.endswith("_q"), len(other)):
                names[bit] = name
    return names


def _modules(tree: Json, name: str, place: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
    """Where a module stands -> its name, for all below one."""
    for own, cell in tree[name]["cells"].items():
        if cell["type"] in tree:
            below = (*place, *own.split("."))
            yield below, _plain(cell["type"])
            yield from _modules(tree, cell["type"], below)


def _plain(module: str) -> str:
    """``aes_round$aegis128.u_data`` -> ``aes_round``."""
    return module.partition("$")[0]


def _inside(tree: Json, module: str) -> str:
    """``aes_sub_bytes: 16 aes_sbox``."""
    below = Counter(_plain(c["type"]) for c in tree[module]["cells"].values() if c["type"] in tree)
    contents = ", ".join(f"{count} {name}" if count > 1 else name for name, count in below.items())
    return _plain(module) + (f"\\n{contents}" if contents else "")
