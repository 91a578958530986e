"""A module that holds back what an AEAD core answers, written from the border of that core."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..errors import HardwareError

_HEAD = re.compile(r"^module (\w+) #\(\n(.*?)^\) \(\n(.*?)^\);\n", re.DOTALL | re.MULTILINE)
_PARAMETER = re.compile(r"  parameter int (\w+) = (.*?),?\s*(//.*)?")
_PORT = re.compile(r"  (?:input |output) logic\s+(?:\[(\w+)(-1)?:0\]\s+)?(\w+),?\s*(?://.*)?")
# What the core gives to aead_hold in place of its user.
_OUT = ("out_valid_o", "out_ready_i", "out_data_o", "out_bytes_o", "out_last_o")
_RSP = ("rsp_valid_o", "rsp_ready_i", "rsp_ok_o", "rsp_tag_o")
_WIDTH = 100


@dataclass(frozen=True, slots=True)
class _Border:
    """``parameters``: name -> value and comment. ``widths``: port -> how many bits, as text."""

    module: str
    parameters: Mapping[str, tuple[str, str]]
    ports: Sequence[str]
    widths: Mapping[str, str]


def wrapper(source: str) -> str:
    """The module in `source` with aead_hold behind it: its border, and rsp_long_o.

    Raises
    ------
    HardwareError
        ``aegis128: want a port rsp_ok_o, as every AEAD core has it``
    """
    it = _read(source)
    module, widths = it.module, it.widths
    core_pins = [f".{p}({_wire(p)})" if p in (*_OUT, *_RSP) else f".{p}" for p in widths]
    sizes = {"Rate": widths["out_data_o"], "Tag": widths["rsp_tag_o"], "Depth": "Depth"}
    lines = [
        f"// {module} that releases nothing before the tag is checked: aead_hold stands behind it.",
        "// Written by roundworks.hardware.held; change that.",
        "//",
        f"// The border is that of {module}, and rsp_long_o.",
        f"module {module}_held #(",
        *(f"  parameter int {n} = {v},  {about}".rstrip() for n, (v, about) in it.parameters.items()),
        "  parameter int Depth = 16  // blocks of plaintext that wait for their tag",
        ") (",
        *_ports(it.ports),
        ");",
        *_wires(widths),
        "",
        *_instance(module, "u_core", {name: name for name in it.parameters}, core_pins),
        "",
        *_instance("aead_hold", "u_hold", sizes, _hold_pins()),
        "endmodule",
    ]  # fmt: skip
    return "\n".join(lines) + "\n"


def _read(source: str) -> _Border:
    found = _HEAD.search(source)
    if found is None:
        raise HardwareError("AEAD core: want a module with parameters and ports, a line for each")
    module, parameters, ports = found.groups()
    names, widths = {}, {}
    for line in filter(None, parameters.splitlines()):
        one = _PARAMETER.fullmatch(line)
        if one is None:
            raise HardwareError(f"{module}: want parameter int Name = value, got {line.strip()!r}")
        names[one[1]] = one[2], one[3] or ""
    for line in filter(None, ports.splitlines()):
        one = _PORT.fullmatch(line)
        if one is None:
            raise HardwareError(f"{module}: want a port of type logic, got {line.strip()!r}")
        top, less, name = one.groups()
        widths[name] = "1" if top is None else top if less else str(int(top) + 1)
    for name in (*_OUT, *_RSP):
        if name not in widths:
            raise HardwareError(f"{module}: want a port {name}, as every AEAD core has it")
    return _Border(module, names, ports.splitlines(), widths)


def _ports(lines: Sequence[str]) -> Iterator[str]:
    """The core's own, and one more behind rsp_ok_o, its comment under the others."""
    column = max(line.find("//") for line in lines)
    for line in lines:
        yield line
        if "rsp_ok_o" in line:
            port = line.partition("rsp_ok_o")[0] + "rsp_long_o,"
            yield f"{port:{column}}// the message had more than Depth blocks"


def _wires(widths: Mapping[str, str]) -> Iterator[str]:
    by_width: dict[str, list[str]] = {}
    for port in (*_OUT, *_RSP):
        by_width.setdefault(widths[port], []).append(_wire(port))
    ranges = {
        w: "" if w == "1" else f"[{int(w) - 1 if w.isdigit() else w + '-1'}:0]" for w in by_width
    }
    column = max(map(len, ranges.values()))
    for width, names in by_width.items():
        yield f"  logic {ranges[width]:{column}} {', '.join(names)};"


def _wire(port: str) -> str:
    """``out_valid_o`` -> ``out_valid``."""
    return port.rpartition("_")[0]


def _hold_pins() -> list[str]:
    other_side = {"o": "i", "i": "o"}
    from_core = [f".core_{p[:-1]}{other_side[p[-1]]}({_wire(p)})" for p in (*_OUT, *_RSP)]
    return [
        ".clk_i", ".rst_ni", ".req_valid_i", ".req_ready_i(req_ready_o)", ".req_decrypt_i",
        *from_core, *(f".{p}" for p in (*_OUT, *_RSP)), ".rsp_long_o",
    ]  # fmt: skip


def _instance(
    module: str, name: str, parameters: Mapping[str, str], pins: Sequence[str]
) -> list[str]:
    values = [f".{p}({value})" for p, value in parameters.items()]
    head = f"  {module} #({', '.join(values)}) {name} ("
    lines = [head] if len(head) <= _WIDTH else [f"  {module} #(", *_filled(values), f"  ) {name} ("]
    return [*lines, *_filled(pins), "  );"]


def _filled(items: Sequence[str]) -> list[str]:
    lines = textwrap.wrap(", ".join(items), _WIDTH - 4, break_on_hyphens=False)
    return [f"    {line}" for line in lines]
