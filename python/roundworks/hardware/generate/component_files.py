"""A user's own S-box or matrix: a file in the form of spec/sboxes.toml or spec/matrices.toml, of
which only name and table or rows are needed, or plain numbers."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from ...errors import SpecError, unknown
from ...reference.components import Matrix, Sbox
from ...spec.documents import Document
from ...spec.lines import Place
from . import components
from .components import Component

_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_NUMBER = re.compile(r"0[xX][0-9a-fA-F]+|[0-9]+")
_MOST_BITS = 512


@dataclass(frozen=True, slots=True)
class _Read:
    """``fail(row, column, message)`` knows the line of an entry, or of a row where column is None."""

    name: str
    title: str
    rows: list[list[int]]
    fail: Callable[[int, int | None, str], NoReturn]
    more: dict[str, int] = field(default_factory=dict)


def sbox(file: Path, name: str | None = None) -> Component:
    """The S-box in `file`, or the one of that name.

    Raises
    ------
    SpecError
        ``mine.txt:3: want entries 0..15, got 16``
    """
    read = _toml(file, "sboxes", "table", name) if _is_toml(file) else _plain(file, name)
    places = [(r, c) for r, row in enumerate(read.rows) for c in range(len(row))]
    table = [read.rows[r][c] for r, c in places]
    if len(table) not in [1 << bits for bits in range(2, 9)]:
        read.fail(0, None, f"want 2^b entries for b = 2..8 bits, got {len(table)}")
    for (r, c), value in zip(places, table, strict=True):
        if value >= len(table):
            read.fail(r, c, f"want entries 0..{len(table) - 1}, got {value}")
    return components.sbox(read.name, read.title, Sbox(read.name, tuple(table)))


def matrix(file: Path, name: str | None = None) -> Component:
    """The matrix in `file`, or the one of that name, over cells of 4 bits. A TOML file may say
    ``cell_bits``, and with ``polynomial`` have entries that are elements of a field.

    Raises
    ------
    SpecError
        ``mine.txt:3: want 4 entries, as there are rows, got 5``
    """
    read = _toml(file, "matrices", "rows", name) if _is_toml(file) else _plain(file, name)
    bits, polynomial = read.more.get("cell_bits", 4), read.more.get("polynomial", 0)
    size = len(read.rows)
    if not 1 <= bits <= 64 or not 2 <= size * bits <= _MOST_BITS:
        read.fail(0, None, f"want 2 to {_MOST_BITS} bits, got {size} cells of {bits}")
    if polynomial and polynomial.bit_length() - 1 != bits:
        read.fail(0, None, f"want a polynomial of degree {bits}, got {polynomial:#x}")
    most = (1 << bits) - 1 if polynomial else 1
    for r, row in enumerate(read.rows):
        if len(row) != size:
            read.fail(r, None, f"want {size} entries, as there are rows, got {len(row)}")
        for c, value in enumerate(row):
            if value > most:
                read.fail(r, c, f"want entries 0..{most}, got {value}")
        if not any(row):
            read.fail(r, None, "want an entry that is not 0")
    one = Matrix(read.name, tuple(map(tuple, read.rows)), bits, polynomial)
    return components.matrix(read.name, read.title, one)


def _is_toml(file: Path) -> bool:
    return file.suffix == ".toml"


def _plain(file: Path, name: str | None) -> _Read:
    """Numbers, decimal or 0x.., blanks or commas between them, a row to a line; # begins a comment.

    A line of 0 and 1 alone is a row without blanks.
    """
    own = re.sub(r"[^a-z0-9]+", "-", file.stem.lower()).strip("-") or "own"
    if name is not None and name != own:
        raise unknown("component", name, [own])
    rows, lines = [], []
    for number, text in enumerate(_text(file).splitlines(), 1):
        words = re.sub(r"[\[\](){},;]", " ", text.partition("#")[0]).split()
        if len(words) == 1 and re.fullmatch(r"[01]{2,}", words[0]):
            words = list(words[0])
        for word in words:
            if not _NUMBER.fullmatch(word):
                raise SpecError(f"{file}:{number}: want numbers, decimal or 0x.., got {word!r}")
        if words:
            rows.append([int(word, 16 if word[:2] in ("0x", "0X") else 10) for word in words])
            lines.append(number)
    if not rows:
        raise SpecError(f"{file}:1: want numbers, got none")

    def fail(row: int, column: int | None, message: str) -> NoReturn:
        raise SpecError(f"{file}:{lines[row]}: {message}")

    return _Read(own, own, rows, fail)


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except OSError as error:
        raise SpecError(f"{file}:1: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise SpecError(f"{file}:1: want UTF-8, got {error.reason}") from None


def _toml(file: Path, kind: str, field_name: str, name: str | None) -> _Read:
    document = Document(file, None)
    entries = document.data.get(kind)
    if not isinstance(entries, list) or not all(isinstance(e, dict) for e in entries):
        document.fail((), f"want entries [[{kind}]], as spec/{kind}.toml has them")
    for index, entry in enumerate(entries):
        if not isinstance(entry.get("name"), str) or not _NAME.fullmatch(entry["name"]):
            document.fail((kind, index), "want a name of small letters, digits and hyphens")
    document.unique((kind,), "name")
    names = [entry["name"] for entry in entries]
    if name is None and len(names) != 1:
        document.fail((), f"want one entry, or its name with the file: {', '.join(names)}")
    if name is not None and name not in names:
        raise unknown("component", name, names)
    index = names.index(name) if name is not None else 0
    entry, place = entries[index], (kind, index, field_name)
    listed = entry.get(field_name)
    if not isinstance(listed, list) or not listed:
        document.fail((kind, index), f"want {field_name}, a list")
    single = field_name == "table"
    rows = [
        _row(document, place if single else (*place, i), row)
        for i, row in enumerate([listed] if single else listed)
    ]
    more = {key: entry[key] for key in ("cell_bits", "polynomial") if key in entry}
    for key, value in more.items():
        _row(document, (kind, index, key), [value])

    def fail(row: int, column: int | None, message: str) -> NoReturn:
        spot: Place = place if single else (*place, row)
        document.fail(spot if column is None else (*spot, column), message)

    return _Read(entry["name"], str(entry.get("title", entry["name"])), rows, fail, more)


def _row(document: Document, place: Place, row: Any) -> list[int]:
    """Numbers, or a text of 0 and 1."""
    if isinstance(row, str) and re.fullmatch(r"[01]+", row):
        return list(map(int, row))
    if not isinstance(row, list):
        document.fail(place, f"want a list of numbers or a text of 0 and 1, got {row!r}")
    for i, value in enumerate(row):
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            document.fail((*place, i), f"want a number of 0 or more, got {value!r}")
    return row
