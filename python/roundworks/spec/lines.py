"""Where each item of a JSON or TOML text stands, so that an error can name its line.

The parsers of the standard library forget line numbers. This scan runs only once an error is
known, over a text that one of them has accepted; it finds places and judges nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

Place = tuple[str | int, ...]

_TOKEN = re.compile(
    r"""(?P<string>\"{3}(?:\\.|[^\\])*?\"{3}|'{3}.*?'{3}|"(?:\\.|[^"\\\n])*"|'[^'\n]*')
      | (?P<comment>\#[^\n]*)
      | (?P<newline>\n)
      | (?P<mark>[\[\]{},:=.])
      | (?P<bare>[^\s"'\#\[\]{},:=.]+)""",
    re.VERBOSE | re.DOTALL,
)
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_PLAIN = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


@dataclass(slots=True)
class Lines:
    """Line of every item, counted from 1, and the first item that stands twice."""

    of: dict[Place, int] = field(default_factory=dict)
    twice: Place | None = None

    def add(self, place: Place, line: int) -> None:
        """Note the line of a place; a second one of the same place is an error that is reported later."""
        if place in self.of and self.twice is None:
            self.twice = place
            self.of[place] = line
        self.of.setdefault(place, line)

    def at(self, place: Place) -> int:
        """Line of an item, or of the nearest one around it."""
        while place not in self.of and place:
            place = place[:-1]
        return self.of.get(place, 1)


def of_json(text: str) -> Lines:
    """Place -> line of a JSON document."""
    lines = Lines({(): 1})
    _Scan(text, lines, toml=False).value(())
    return lines


def of_toml(text: str) -> Lines:
    """Place -> line of a TOML document."""
    lines = Lines({(): 1})
    _Scan(text, lines, toml=True).document()
    return lines


class _Scan:
    def __init__(self, text: str, found: Lines, *, toml: bool) -> None:
        self.found = found
        self.tokens: list[tuple[str, str, int]] = []
        line = 1
        for match in _TOKEN.finditer(text):
            kind, token = match.lastgroup or "", match.group()
            if kind != "comment" and (toml or kind != "newline"):
                self.tokens.append((kind, token, line))
            line += token.count("\n")
        self.tokens.append(("end", "", line))
        self.next = 0

    def peek(self, *, lines: bool = False) -> tuple[str, str, int]:
        """The next token; with `lines`, the next that is no newline."""
        while lines and self.tokens[self.next][0] == "newline":
            self.next += 1
        return self.tokens[self.next]

    def take(self) -> tuple[str, str, int]:
        token = self.tokens[self.next]
        self.next = min(self.next + 1, len(self.tokens) - 1)
        return token

    def key(self, ends: str) -> tuple[list[str], int]:
        """A key, dotted or not, up to and including the mark that ends it."""
        parts, line = [], self.peek(lines=True)[2]
        while (token := self.take())[1] not in ends and token[0] != "end":
            if token[0] in ("string", "bare"):
                parts.append(_text(token[1]))
        return parts, line

    def value(self, place: Place) -> None:
        """One value, whatever it is; leaves the mark after it."""
        kind, token, _ = self.peek(lines=True)
        if kind == "mark" and token == "[":
            self.take()
            index = 0
            while self.peek(lines=True)[1] not in ("]", ""):
                self.found.add((*place, index), self.peek()[2])
                self.value((*place, index))
                index += 1
                if self.peek(lines=True)[1] == ",":
                    self.take()
            self.take()
        elif kind == "mark" and token == "{":
            self.take()
            while self.peek(lines=True)[1] not in ("}", ""):
                parts, line = self.key(":=")
                inner = (*place, *parts)
                self.found.add(inner, line)
                self.value(inner)
                if self.peek(lines=True)[1] == ",":
                    self.take()
            self.take()
        else:
            # A number or a date may hold marks of its own: 1.5, 12:30.
            while self.peek()[1] not in (",", "]", "}", "\n", ""):
                self.take()

    def document(self) -> None:
        table: Place = ()
        counts: dict[Place, int] = {}
        while self.peek(lines=True)[0] != "end":
            if self.peek()[1] != "[":
                parts, line = self.key("=")
                self.found.add((*table, *parts), line)
                self.value((*table, *parts))
                continue
            self.take()
            many = self.peek()[1] == "["
            if many:
                self.take()
            parts, line = self.key("]")
            table = (*self.resolve(parts[:-1], counts), parts[-1])
            if many:
                self.take()
                self.found.of.setdefault(table, line)
                counts[table] = counts.get(table, -1) + 1
                table = (*table, counts[table])
            self.found.of.setdefault(table, line)

    @staticmethod
    def resolve(parts: list[str], counts: dict[Place, int]) -> Place:
        """A header's name for the newest item of every list of tables on its way."""
        place: Place = ()
        for part in parts:
            place = (*place, part)
            if place in counts:
                place = (*place, counts[place])
        return place


def _text(token: str) -> str:
    if token[:1] == "'":
        return token[1:-1]
    if token[:1] != '"':
        return token
    return _ESCAPE.sub(
        lambda m: chr(int(m[1][1:], 16)) if len(m[1]) == 5 else _PLAIN.get(m[1], m[1]), token[1:-1]
    )
