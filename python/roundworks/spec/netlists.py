"""Straight-line programs of gates: the circuits of S-boxes and of MixColumns, as published."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ..errors import named
from .documents import Document, per_root, value_of
from .library import check_citations

# Gate -> how many inputs it has.
ARITY: Mapping[str, int] = {"XOR": 2, "XNOR": 2, "AND": 2, "NAND": 2, "OR": 2, "NOR": 2, "NOT": 1, "MUX": 3}
# What a netlist computes -> bits in, bits out.
WIDTHS: Mapping[str, tuple[int, int]] = {"aes-sbox": (8, 8), "aes-mix-column": (32, 32)}
_CONSTANTS = ("0", "1")


@dataclass(frozen=True, slots=True)
class Gate:
    """``out = op(inputs)``; MUX is inputs[0] ? inputs[1] : inputs[2]."""

    op: str
    out: str
    inputs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Netlist:
    """Gates in an order in which every wire is driven before it is read; bits least significant
    first."""

    name: str
    title: str
    computes: str
    citations: tuple[str, ...]
    source: str
    licence: str
    note: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    gates: tuple[Gate, ...]


def netlists() -> dict[str, Netlist]:
    """Name -> netlist, in the order of the alphabet."""
    return dict(_netlists())


def netlist(name: str) -> Netlist:
    """Raises ``UnknownName``: ``netlist 'aes-sbx': not known; one of aes-mix-column-92, ...``."""
    return named("netlist", name, _netlists())


@per_root
def _netlists(home: Path) -> dict[str, Netlist]:
    files = sorted((home / "spec" / "netlists").glob("*.toml"))
    return {path.stem: _netlist(path) for path in files}


def _netlist(path: Path) -> Netlist:
    document = Document(path, "netlist")
    data = document.data
    if data["name"] != path.stem:
        document.fail(("name",), f"want {path.stem!r}, the name of the file")
    check_citations(document, ("citations",), data["citations"])
    for place, bits in zip(("inputs", "outputs"), WIDTHS[data["computes"]], strict=True):
        document.size((place,), len(data[place]), bits, f"wires for {data['computes']}")
    driven = {*data["inputs"], *_CONSTANTS}
    gates = []
    for index, text in enumerate(data["gates"]):
        gate = _gate(document, index, text, driven)
        driven.add(gate.out)
        gates.append(gate)
    for index, wire in enumerate(data["outputs"]):
        if wire not in driven:
            document.fail(("outputs", index), f"wire {wire!r}: no gate drives it")
    read = {*data["outputs"], *(wire for gate in gates for wire in gate.inputs)}
    for index, gate in enumerate(gates):
        if gate.out not in read:
            document.fail(("gates", index), f"wire {gate.out!r} is read by no gate and no output")
    return value_of(Netlist, {"note": ""} | data, gates=tuple(gates))


def _gate(document: Document, index: int, text: str, driven: set[str]) -> Gate:
    place = ("gates", index)
    op, out, *inputs = text.split()
    if op not in ARITY:
        document.fail(place, f"want a gate: {', '.join(ARITY)}; got {op!r}")
    if len(inputs) != ARITY[op]:
        document.fail(place, f"{op}: want {ARITY[op]} inputs, got {len(inputs)}")
    if out in driven:
        document.fail(place, f"wire {out!r} is driven already")
    for wire in inputs:
        if wire not in driven:
            document.fail(place, f"wire {wire!r} is read before a gate drives it")
    return Gate(op, out, tuple(inputs))
