"""A synthesised circuit: instances of cells on nets of one bit.

Read from flat structural Verilog as Yosys writes it, and written again with plain names (``n7``,
``u12``): what a simulator and OpenSTA are then given needs no escaping and no vectors.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...errors import HardwareError
from ..models import verilog

ZERO, ONE = -1, -2  # nets held at a constant
# To give a gate its delays Icarus goes through all that its module holds, nets too: many small
# modules, each with a file of delays, take seconds where one takes minutes.
PART = 64
_SKIP = re.compile(r"\s+|//[^\n]*|/\*.*?\*/|\(\*.*?\*\)", re.DOTALL)
_TOKEN = re.compile(r"\\\S+|[A-Za-z_$][\w$]*|\d*'s?[bhdo][0-9a-fA-FxXzZ_]+|\d+|[()\[\]{},;:=.#]")
_RADIX = {"b": 2, "o": 8, "d": 10, "h": 16}


@dataclass(frozen=True, slots=True)
class Gate:
    """One instance; ``pins`` says which net each pin is on, unconnected ones are not there."""

    name: str
    cell: str
    pins: dict[str, int]


@dataclass(frozen=True, slots=True)
class Port:
    name: str
    nets: tuple[int, ...]  # bit 0 first


@dataclass(frozen=True, slots=True)
class Circuit:
    name: str
    nets: tuple[str, ...]
    inputs: tuple[Port, ...]
    outputs: tuple[Port, ...]
    gates: tuple[Gate, ...]

    def port(self, name: str) -> Port:
        for port in (*self.inputs, *self.outputs):
            if port.name == name:
                return port
        known = ", ".join(p.name for p in (*self.inputs, *self.outputs))
        raise HardwareError(f"{self.name}: no port {name}; it has {known}")

    def verilog(self) -> str:
        """Plain names: nets n0, n1, ..., gates u0, u1, ..., and each port a vector of its own."""
        lines = [*self._head(), *self._lines(self.gates, 0), "endmodule"]
        return "\n".join([*lines, ""])

    def verilog_in_parts(self, drives: Callable[[Gate], set[str]]) -> str:
        """The same in modules of `PART` gates each, p0, p1, ... Nets stay above them.

        `drives` says which pins of a gate are outputs.
        """
        lines, modules = self._head(), list[str]()
        for number, start in enumerate(range(0, len(self.gates), PART)):
            chunk = self.gates[start : start + PART]
            used = sorted({net for gate in chunk for net in gate.pins.values() if net >= 0})
            driven = {gate.pins[pin] for gate in chunk for pin in drives(gate) if pin in gate.pins}
            names = ", ".join(f"n{net}" for net in used)
            lines.append(f"  part{number} p{number} ({names});")
            modules.append(f"module part{number}({names});")
            modules += [f"  {'output' if net in driven else 'input'} n{net};" for net in used]
            modules += [*self._lines(chunk, start), "endmodule"]
        return "\n".join([*lines, "endmodule", *modules, ""])

    def _head(self) -> list[str]:
        ports = [p.name for p in (*self.inputs, *self.outputs)]
        lines = [f"module circuit({', '.join(ports)});"]
        for kind, group in (("input", self.inputs), ("output", self.outputs)):
            lines += [f"  {kind} [{len(p.nets) - 1}:0] {p.name};" for p in group]
        lines += [f"  wire n{i};" for i in range(len(self.nets))]
        for p in self.inputs:
            lines += [f"  assign n{net} = {p.name}[{i}];" for i, net in enumerate(p.nets)]
        for p in self.outputs:
            lines += [f"  assign {p.name}[{i}] = {_net(net)};" for i, net in enumerate(p.nets)]
        return lines

    def _lines(self, gates: Sequence[Gate], first: int) -> list[str]:
        return [
            f"  {gate.cell} u{i} ({', '.join(f'.{p}({_net(n)})' for p, n in gate.pins.items())});"
            for i, gate in enumerate(gates, first)
        ]


def _net(net: int) -> str:
    return {ZERO: "1'b0", ONE: "1'b1"}.get(net, f"n{net}")


def read(file: Path, top: str | None = None) -> Circuit:
    """The circuit of a file with one module, or of its module `top`.

    Raises
    ------
    HardwareError
        ``core.v: line 12: want ';', got ')'; want flat structural Verilog as Yosys writes it``
    """
    return _Reader(verilog(file), file.name).circuit(top)


class _Reader:
    def __init__(self, text: str, file: str) -> None:
        self.file, self.text = file, text
        self.tokens = list(self._lex())
        self.at = 0
        self.bits: dict[tuple[str, int], int] = {}
        self.widths: dict[str, range] = {}
        self.parents: list[int] = []
        self.names: list[str] = []
        self.directions: dict[str, str] = {}
        self.fixed: dict[int, int] = {}

    def _lex(self) -> Iterator[tuple[str, int]]:
        at, end = 0, len(self.text)
        while at < end:
            if match := _SKIP.match(self.text, at):
                at = match.end()
            elif match := _TOKEN.match(self.text, at):
                yield match[0], at
                at = match.end()
            else:
                self._fail(at, f"{self.text[at]!r} is not understood")

    def _fail(self, at: int, what: str) -> None:
        line = self.text.count("\n", 0, at) + 1
        raise HardwareError(f"{self.file}: line {line}: {what}; "
                            "want flat structural Verilog as Yosys writes it")  # fmt: skip

    def _next(self) -> str:
        if self.at >= len(self.tokens):
            self._fail(len(self.text), "ends too soon")
        self.at += 1
        return self.tokens[self.at - 1][0]

    def _peek(self) -> str:
        return self.tokens[self.at][0] if self.at < len(self.tokens) else ""

    def _want(self, *wanted: str) -> str:
        got = self._next()
        if got not in wanted:
            self._fail(
                self.tokens[self.at - 1][1], f"want {' or '.join(map(repr, wanted))}, got {got!r}"
            )
        return got

    def circuit(self, top: str | None) -> Circuit:
        found = None
        while self.at < len(self.tokens):
            self._want("module")
            name = self._next().lstrip("\\")
            if top in (None, name):
                if found is not None:
                    raise HardwareError(f"{self.file}: want one module, got {found.name} and {name}; "
                                        "flatten it")  # fmt: skip
                found = self._module(name)
            else:
                while self._next() != "endmodule":
                    pass
        if found is None:
            raise HardwareError(
                f"{self.file}: no module {top or 'in it'}; name a netlist of the core"
            )
        return found

    def _module(self, name: str) -> Circuit:
        self._heading()
        gates: list[tuple[str, str, dict[str, list[int]]]] = []
        while (word := self._next()) != "endmodule":
            if word in ("input", "output", "wire", "inout"):
                self._declare(word)
            elif word == "assign":
                left = self._expression()
                self._want("=")
                right = self._expression()
                self._want(";")
                if len(left) != len(right):
                    self._fail(self.tokens[self.at - 1][1],
                               f"want {len(left)} bits on the right, got {len(right)}")  # fmt: skip
                self._join(left, right)
            else:
                gates.append(self._gate(word.lstrip("\\")))
        return self._finish(name, gates)

    def _heading(self) -> None:
        """Ports, told here or below."""
        kind, span = "", range(1)
        while (word := self._next()) != ";":
            if word in ("input", "output", "inout"):
                kind, span = word, range(1)
                if self._peek() == "wire":
                    self._next()
                if self._peek() == "[":
                    span = self._range()
            elif word not in ("(", ")", ",") and kind:
                self._name(word.lstrip("\\"), kind, span)

    def _declare(self, kind: str) -> None:
        if self._peek() == "wire":
            self._next()
        span = self._range() if self._peek() == "[" else range(1)
        while True:
            self._name(self._next().lstrip("\\"), kind, span)
            if self._want(",", ";") == ";":
                return

    def _name(self, name: str, kind: str, span: range) -> None:
        if kind == "inout":
            self._fail(self.tokens[self.at - 1][1], f"{name} is inout")
        if kind != "wire":
            self.directions[name] = kind
        if name not in self.widths:
            self.widths[name] = span
            for i in span:
                self.bits[name, i] = len(self.parents)
                self.parents.append(len(self.parents))
                self.names.append(name if span == range(1) else f"{name}[{i}]")

    def _range(self) -> range:
        self._want("[")
        first = int(self._next())
        last = first
        if self._want(":", "]") == ":":
            last = int(self._next())
            self._want("]")
        low, high = min(first, last), max(first, last)
        return range(low, high + 1)

    def _expression(self) -> list[int]:
        """Nets, bit 0 first; -1 and -2 are the constants."""
        token = self._next()
        if token == "{":
            parts = [self._expression()]
            while self._want(",", "}") == ",":
                parts.append(self._expression())
            return [bit for part in reversed(parts) for bit in part]
        if "'" in token and not token.startswith("\\"):
            width, rest = token.split("'")
            rest = rest.lstrip("s")
            if re.search("[xXzZ]", rest):  # nobody looks at it
                return [ZERO] * int(width or 1)
            value = int(rest[1:].replace("_", ""), _RADIX[rest[0]])
            return [ONE if value >> i & 1 else ZERO for i in range(int(width or 32))]
        name = token.lstrip("\\")
        if name not in self.widths:
            self._fail(self.tokens[self.at - 1][1], f"{name} is not declared")
        span = self._range() if self._peek() == "[" else self.widths[name]
        try:
            return [self.bits[name, i] for i in span]
        except KeyError:
            self._fail(self.tokens[self.at - 1][1], f"{name} has no such bit")
            raise

    def _gate(self, cell: str) -> tuple[str, str, dict[str, list[int]]]:
        name = self._next().lstrip("\\")
        pins: dict[str, list[int]] = {}
        self._want("(")
        while self._want(".", ",", ")") != ")":
            if self.tokens[self.at - 1][0] == ",":
                continue
            pin = self._next().lstrip("\\")
            self._want("(")
            if self._peek() != ")":
                pins[pin] = self._expression()
            self._want(")")
        self._want(";")
        return name, cell, pins

    def _join(self, left: list[int], right: list[int]) -> None:
        for a, b in zip(left, right, strict=True):
            if b < 0:
                self.fixed[self._root(a)] = b
            else:
                self.parents[self._root(a)] = self._root(b)

    def _root(self, net: int) -> int:
        while net >= 0 and self.parents[net] != net:
            self.parents[net] = self.parents[self.parents[net]]
            net = self.parents[net]
        return net

    def _finish(self, name: str, gates: list[tuple[str, str, dict[str, list[int]]]]) -> Circuit:
        fixed = {self._root(net): value for net, value in self.fixed.items()}
        numbers: dict[int, int] = {}
        kept: list[str] = []

        def final(net: int) -> int:
            root = self._root(net)
            if root < 0 or root in fixed:
                return fixed.get(root, root)
            if root not in numbers:
                numbers[root] = len(kept)
                kept.append(self.names[root])
            return numbers[root]

        ports: Mapping[str, list[Port]] = {"input": [], "output": []}
        for port, direction in self.directions.items():
            nets = tuple(final(self.bits[port, i]) for i in self.widths[port])
            ports[direction].append(Port(port, nets))
        found = []
        for instance, cell, pins in gates:
            for pin, bits in pins.items():
                if len(bits) != 1:
                    raise HardwareError(f"{self.file}: {instance}: pin {pin}: want one bit, got "
                                        f"{len(bits)}; want a netlist of cells alone")  # fmt: skip
            found.append(Gate(instance, cell, {pin: final(bits[0]) for pin, bits in pins.items()}))
        return Circuit(
            name, tuple(kept), tuple(ports["input"]), tuple(ports["output"]), tuple(found)
        )
