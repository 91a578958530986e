"""Outside its masked parts, a core keeps the two shares apart: no gate, register or output reads both."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...errors import HardwareError
from ..cores import Core
from ..flow import yosys
from ..formal.netlist import commands, log
from .probing import RANDOM

_PARTS = ("aes_sbox_masked", "dom_product")
# Of the interface of a masked AEAD core.
_SHARED = ("req_key_i", "blk_data_i", "out_data_o", "rsp_tag_o")
# Whether the tag is right: the sum of two shares, by definition.
_SUMMED = ("rsp_ok_o",)
_LIMIT_S = 600
_BOTH = 0b11


@dataclass(frozen=True, slots=True)
class SeparationProof:
    """``parts``: masked S-boxes and products, each with ``random_bits`` of its own."""

    core: str
    parts: int
    registers: int
    random_bits: int
    certainty: str = "proven"


def prove_separation(core: Core, parameters: Mapping[str, str]) -> SeparationProof:
    """Follow each share from the inputs and from the parts, through all gates and registers.

    Share i goes into the i-th half of a part's ports and of the outputs only, whatever the state; each part has
    random bits that no other has, nor anything else.

    Raises
    ------
    HardwareError
        ``aegis128-masked: both shares meet in out_data_o[3]``
    """
    module = _module(core, parameters)
    ports, names = module["ports"], _names(module)
    reads: list[tuple[int | str, list[int | str]]] = []
    registers: list[int | str] = []
    parts: list[dict[str, list[int | str]]] = []
    for cell in module["cells"].values():
        kind, pins = cell["type"], cell["connections"]
        if kind in _PARTS:
            parts.append(pins)
        elif kind.startswith("$_"):
            out = "Q" if "Q" in pins else "Y"
            reads.append((pins[out][0], [bits[0] for pin, bits in pins.items() if pin not in (out, "C")]))
            registers += pins[out] if out == "Q" else []
        elif kind not in ("$scopeinfo", "$print", "$check"):
            raise HardwareError(f"{core.name}: want gates, registers and masked parts, got {kind}")

    shares: dict[int | str, int] = {}
    sources = [ports[name]["bits"] for name in _SHARED if ports[name]["direction"] == "input"]
    sources += [bits for pins in parts for name, bits in pins.items() if name.endswith("_o")]
    for bits in sources:
        shares |= _halves(bits)
    _flow(reads, shares)

    def keep(bits: Mapping[int | str, int]) -> None:
        for bit, allowed in bits.items():
            if shares.get(bit, 0) & ~allowed:
                raise HardwareError(f"{core.name}: both shares meet in {names.get(bit, 'a gate')}")

    keep(dict.fromkeys((bit for bit in registers if shares.get(bit) == _BOTH), 0))
    for name, port in ports.items():
        if port["direction"] == "output" and name not in _SUMMED:
            keep(_halves(port["bits"]) if name in _SHARED else dict.fromkeys(port["bits"], 0))
    used: list[int | str] = []
    for pins in parts:
        used += pins[RANDOM]
        for name, bits in pins.items():
            if name.endswith("_i") and name not in ("clk_i", RANDOM):
                keep(_halves(bits))
    random = set(ports[RANDOM]["bits"])
    if len(set(used)) != len(used) or not set(used) <= random:
        raise HardwareError(f"{core.name}: want random bits of its own for every masked part")
    if random & {bit for _, given in reads for bit in given}:
        raise HardwareError(f"{core.name}: want random bits for masked parts alone")
    return SeparationProof(core.name, len(parts), len(registers), len(used))


def _module(core: Core, parameters: Mapping[str, str]) -> Mapping[str, Any]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        lines = commands(core, parameters, folder, _PARTS)
        lines += ["flatten", "opt_clean", "memory", "techmap", "opt -fast", "async2sync", "dffunmap"]
        lines += ["simplemap", "opt_expr", "clean -purge", "write_json core.json"]
        yosys.run(lines, folder, log(core, "separation"), core.name, _LIMIT_S)
        modules = json.loads((folder / "core.json").read_text(encoding="utf-8"))["modules"]
    module: Mapping[str, Any] = modules[core.top]
    return module


def _halves(bits: list[int | str]) -> dict[int | str, int]:
    """Each bit of a port in shares -> its share, as one of two bits. Constants have none."""
    half = len(bits) // 2
    return {bit: 1 << (i >= half) for i, bit in enumerate(bits) if not isinstance(bit, str)}


def _flow(reads: list[tuple[int | str, list[int | str]]], shares: dict[int | str, int]) -> None:
    """What a gate or register reads it may show, in this cycle or a later one."""
    readers: dict[int | str, list[int | str]] = {}
    for out, given in reads:
        for bit in given:
            readers.setdefault(bit, []).append(out)
    todo = list(shares)
    while todo:
        bit = todo.pop()
        for out in readers.get(bit, ()):
            if shares[bit] & ~shares.get(out, 0):
                shares[out] = shares.get(out, 0) | shares[bit]
                todo.append(out)


def _names(module: Mapping[str, Any]) -> dict[int | str, str]:
    return {
        bit: f"{name}[{i}]" if len(net["bits"]) > 1 else str(name)
        for name, net in module["netnames"].items()
        for i, bit in enumerate(net["bits"])
    }
