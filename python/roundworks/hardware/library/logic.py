"""Boolean functions as liberty writes them: `!(A1 & A2)`, `A B' + C`, `(D * !QN)`.

From high to low: ``!`` or ``'``, ``^``, ``&`` or ``*`` or a space, ``|`` or ``+``.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

_TOKEN = re.compile(r"\s*(?:([A-Za-z_][\w\[\]]*)|([01])|([!'^&*|+()]))")


@dataclass(frozen=True, slots=True)
class LogicFunction:
    """A tree: ``kind`` is name, constant, not, and, or, xor; ``parts`` are its operands."""

    kind: str
    parts: tuple[LogicFunction, ...] = ()
    name: str = ""

    @property
    def names(self) -> frozenset[str]:
        """The pins that the function reads."""
        if self.kind == "name":
            return frozenset({self.name})
        return frozenset().union(*(part.names for part in self.parts))

    def verilog(self) -> str:
        """The function as an expression of SystemVerilog."""
        match self.kind:
            case "name":
                return self.name
            case "constant":
                return f"1'b{self.name}"
            case "not":
                inner = self.parts[0]
                # Two in a row would be one token.
                text = inner.verilog()
                return f"~({text})" if inner.kind == "not" else f"~{text}"
        sign = {"and": " & ", "or": " | ", "xor": " ^ "}[self.kind]
        return "(" + sign.join(part.verilog() for part in self.parts) + ")"

    def replaced(self, others: Mapping[str, LogicFunction]) -> LogicFunction:
        """The function with other functions in the place of names."""
        if self.kind == "name":
            return others.get(self.name, self)
        return LogicFunction(self.kind, tuple(p.replaced(others) for p in self.parts), self.name)

    def table(self, order: Sequence[str]) -> int:
        """Bit i: the value where variable k of `order` is bit k of i."""
        return _table(self, tuple(order))

    def probability(self, ones: Mapping[str, float]) -> float:
        """That it is one, if its variables are independent and one with these probabilities."""
        order = sorted(self.names)
        table, total = self.table(order), 0.0
        for i in range(1 << len(order)):
            if table >> i & 1:
                weight = 1.0
                for k, name in enumerate(order):
                    weight *= ones[name] if i >> k & 1 else 1 - ones[name]
                total += weight
        return total


def _table(function: LogicFunction, order: tuple[str, ...]) -> int:
    size = 1 << len(order)
    full = (1 << size) - 1
    if function.kind == "constant":
        return full if function.name == "1" else 0
    if function.kind == "name":
        half = 1 << order.index(function.name)
        block = ((1 << half) - 1) << half
        table = 0
        for start in range(0, size, 2 * half):
            table |= block << start
        return table
    values = [_table(part, order) for part in function.parts]
    if function.kind == "not":
        return full ^ values[0]
    table = values[0]
    for value in values[1:]:
        if function.kind == "and":
            table &= value
        elif function.kind == "or":
            table |= value
        else:
            table ^= value
    return table


@functools.lru_cache(maxsize=65536)
def parse(text: str) -> LogicFunction:
    """The function that liberty's text stands for.

    Raises
    ------
    ValueError
        ``'A & ': ends too soon``
    """
    tokens = _tokens(text)
    found, rest = _sum(tokens, 0, text)
    if rest != len(tokens):
        raise ValueError(f"{text!r}: want an operator, got {tokens[rest]!r}")
    return found


def _tokens(text: str) -> list[str]:
    found, at = [], 0
    text = text.strip()
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise ValueError(f"{text!r}: {text[at]!r} is no part of a function")
        found.append(match[0].strip())
        at = match.end()
    return found


def _join(kind: str, parts: list[LogicFunction]) -> LogicFunction:
    return parts[0] if len(parts) == 1 else LogicFunction(kind, tuple(parts))


def _sum(tokens: list[str], at: int, text: str) -> tuple[LogicFunction, int]:
    part, at = _product(tokens, at, text)
    parts = [part]
    while at < len(tokens) and tokens[at] in "|+":
        part, at = _product(tokens, at + 1, text)
        parts.append(part)
    return _join("or", parts), at


def _product(tokens: list[str], at: int, text: str) -> tuple[LogicFunction, int]:
    part, at = _difference(tokens, at, text)
    parts = [part]
    while at < len(tokens) and tokens[at] not in ("|", "+", ")"):
        part, at = _difference(tokens, at + (tokens[at] in "&*"), text)
        parts.append(part)
    return _join("and", parts), at


def _difference(tokens: list[str], at: int, text: str) -> tuple[LogicFunction, int]:
    part, at = _factor(tokens, at, text)
    parts = [part]
    while at < len(tokens) and tokens[at] == "^":
        part, at = _factor(tokens, at + 1, text)
        parts.append(part)
    return _join("xor", parts), at


def _factor(tokens: list[str], at: int, text: str) -> tuple[LogicFunction, int]:
    if at == len(tokens):
        raise ValueError(f"{text!r}: ends too soon")
    token = tokens[at]
    if token == "!":
        inner, at = _factor(tokens, at + 1, text)
        return LogicFunction("not", (inner,)), at
    if token == "(":
        found, at = _sum(tokens, at + 1, text)
        if at == len(tokens):
            raise ValueError(f"{text!r}: a bracket is not closed")
        at += 1
    elif token in "01":
        found, at = LogicFunction("constant", (), token), at + 1
    elif token[0].isalpha() or token[0] == "_":
        found, at = LogicFunction("name", (), token), at + 1
    else:
        raise ValueError(f"{text!r}: want a name, got {token!r}")
    while at < len(tokens) and tokens[at] == "'":
        found, at = LogicFunction("not", (found,)), at + 1
    return found, at
