"""The head of a module: its parameters and its ports, a line for each, and instances of it."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...errors import HardwareError

_HEAD = re.compile(r"^module (\w+)(?: #\(\n(.*?)^\))? \(\n(.*?)^\);\n", re.DOTALL | re.MULTILINE)
_PARAMETER = re.compile(r"  parameter int (\w+) = (.*?),?\s*(//.*)?")
_PORT = re.compile(r"  (?:input |output) logic\s+(?:\[(\w+)(-1)?:0\]\s+)?(\w+),?\s*(?://.*)?")
_ANY_PORT = re.compile(r"\s*(?:input|output)\b.*?(\w+),?\s*(?://.*)?")
# Ports of an AEAD core behind which a buffer or streams may stand.
OUT = ("out_valid_o", "out_ready_i", "out_data_o", "out_bytes_o", "out_last_o")
RSP = ("rsp_valid_o", "rsp_ready_i", "rsp_ok_o", "rsp_tag_o")
WIDTH = 100


@dataclass(frozen=True, slots=True)
class Module:
    """``parameters``: name -> value and comment. ``ports``: their lines. ``names``: those of the ports."""

    module: str
    parameters: Mapping[str, tuple[str, str]]
    ports: Sequence[str]
    names: Sequence[str]


@dataclass(frozen=True, slots=True)
class Interface:
    """Of an AEAD core. ``parameters``: name -> value and comment. ``widths``: port -> how many bits, as text."""

    module: str
    parameters: Mapping[str, tuple[str, str]]
    ports: Sequence[str]
    widths: Mapping[str, str]


def read_module(source: str) -> Module:
    """Of the first module in `source`, which may be any of ours.

    Raises
    ------
    HardwareError
        ``aegis128: want parameter int Name = value, got 'int Sbox'``
    """
    head = _HEAD.search(source)
    if head is None:
        raise HardwareError("source: want a module with parameters and ports, a line for each")
    module, parameters, ports = head.groups()
    values = {}
    for line in filter(None, (parameters or "").splitlines()):
        one = _PARAMETER.fullmatch(line)
        if one is None:
            raise HardwareError(f"{module}: want parameter int Name = value, got {line.strip()!r}")
        values[one[1]] = one[2], one[3] or ""
    names = []
    for line in ports.splitlines():
        if line.strip() and not line.strip().startswith("//"):
            port = _ANY_PORT.fullmatch(line)
            if port is None:
                raise HardwareError(f"{module}: want a port and its direction, got {line.strip()!r}")
            names.append(port[1])
    return Module(module, values, ports.splitlines(), names)


def read_interface(source: str) -> Interface:
    """The same of an AEAD core, with the widths of its ports.

    Raises
    ------
    HardwareError
        ``aegis128: want a port rsp_ok_o, as every AEAD core has it``
    """
    head = read_module(source)
    widths = {}
    for line in filter(None, head.ports):
        one = _PORT.fullmatch(line)
        if one is None:
            raise HardwareError(f"{head.module}: want a port of type logic, got {line.strip()!r}")
        top, less, name = one.groups()
        widths[name] = "1" if top is None else top if less else str(int(top) + 1)
    for name in (*OUT, *RSP):
        if name not in widths:
            raise HardwareError(f"{head.module}: want a port {name}, as every AEAD core has it")
    return Interface(head.module, head.parameters, head.ports, widths)


def instance(module: str, name: str, parameters: Mapping[str, str], pins: Sequence[str]) -> list[str]:
    """Lines of an instance of a module."""
    values = [f".{p}({value})" for p, value in parameters.items()]
    head = f"  {module} #({', '.join(values)}) {name} ("
    lines = [head] if len(head) <= WIDTH else [f"  {module} #(", *_filled(values), f"  ) {name} ("]
    return [*lines, *_filled(pins), "  );"]


def _filled(items: Sequence[str]) -> list[str]:
    lines = textwrap.wrap(", ".join(items), WIDTH - 4, break_on_hyphens=False)
    return [f"    {line}" for line in lines]
