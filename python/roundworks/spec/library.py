"""What is not bound to one cipher: the bibliography, the S-boxes, the papers' tables."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from ..errors import named
from .documents import Document, per_root, value_of
from .documents import root as _root
from .lines import Place
from .types import (
    CellPermutationFacts,
    Column,
    MatrixFacts,
    Paper,
    PrintedRow,
    PrintedTable,
    SboxFacts,
    Source,
)

T = TypeVar("T")


def bibliography() -> dict[str, Source]:
    """Key -> source, in the file's order."""
    return dict(_bibliography())


def sboxes() -> dict[str, SboxFacts]:
    """Name -> published S-box, in the order of [AETHER, table 3]."""
    return dict(_sboxes())


def matrices() -> dict[str, MatrixFacts]:
    """Name -> matrix that stands in for one we could not read."""
    return dict(_matrices())


def cell_permutations() -> dict[str, CellPermutationFacts]:
    """Name -> permutation of cells that stands in for one we could not read."""
    return dict(_cell_permutations())


def papers() -> list[Paper]:
    """Every paper of ``spec/papers``, by key."""
    return [_paper(path) for path in _paper_files().values()]


def paper(key: str) -> Paper:
    """The printed tables of one paper.

    Raises
    ------
    UnknownName
        ``paper 'aethr': not known; one of aegis128-accelerator, aes-hardware, aether, ...``
    SpecError
        ``spec/papers/aether.toml:31: tables[5] (6).rows[3] (5,2): want 3 values, got 2``
    """
    return _paper(named("paper", key, _paper_files()))


def check_citations(document: Document, place: Place, keys: Iterable[str]) -> None:
    """An error where a key is not in the bibliography."""
    document.known(place, keys, bibliography(), "key of spec/bibliography.toml")


@per_root
def _bibliography(home: Path) -> dict[str, Source]:
    entries = Document(home / "spec" / "bibliography.toml", "bibliography").data
    return {key: value_of(Source, entry, key=key) for key, entry in entries.items()}


@per_root
def _sboxes(home: Path) -> dict[str, SboxFacts]:
    return dict(_entries(home, "sboxes", "sboxes", SboxFacts, _check_sbox))


@per_root
def _matrices(home: Path) -> dict[str, MatrixFacts]:
    return dict(_entries(home, "matrices", "matrices", MatrixFacts, _check_matrix))


@per_root
def _cell_permutations(home: Path) -> dict[str, CellPermutationFacts]:
    return dict(_entries(home, "matrices", "permutations", CellPermutationFacts, _check_permutation))


def _entries(
    home: Path,
    file: str,
    tables: str,
    kind: type[T],
    check: Callable[[Document, Place, dict[str, Any]], dict[str, Any]],
) -> Iterator[tuple[str, T]]:
    """Name and value of each of the tables of a file. ``check`` returns the fields that it computes."""
    document = Document(home / "spec" / f"{file}.toml", file)
    document.unique((tables,), "name")
    for index, entry in enumerate(document.data[tables]):
        computed = check(document, (tables, index), entry)
        check_citations(document, (tables, index, "citations"), entry["citations"])
        yield entry["name"], value_of(kind, entry, **computed)


def _check_sbox(document: Document, place: Place, entry: dict[str, Any]) -> dict[str, Any]:
    document.size((*place, "table"), len(entry["table"]), 1 << entry["bits"], "entries")
    document.each_once((*place, "table"), entry["table"])
    return {}


def _check_matrix(document: Document, place: Place, entry: dict[str, Any]) -> dict[str, Any]:
    rows = tuple(tuple(map(int, row)) for row in entry["rows"])
    for i, row in enumerate(rows):
        document.size((*place, "rows", i), len(row), len(rows), "entries, as there are rows")
    return {"rows": rows}


def _check_permutation(document: Document, place: Place, entry: dict[str, Any]) -> dict[str, Any]:
    document.each_once((*place, "to"), entry["to"])
    return {}


def _paper_files() -> dict[str, Path]:
    return {path.stem: path for path in sorted((_root() / "spec" / "papers").glob("*.toml"))}


@functools.cache
def _paper(path: Path) -> Paper:
    document = Document(path, "paper")
    data = document.data
    if data["key"] != path.stem:
        document.fail(("key",), f"want {path.stem!r}, the name of the file")
    check_citations(document, ("cite",), [data["cite"]])
    document.unique(("tables",), "number")
    tables = tuple(_table(document, ("tables", i), t) for i, t in enumerate(data["tables"]))
    return value_of(Paper, data, tables=tables)


def _table(document: Document, place: Place, table: dict[str, Any]) -> PrintedTable:
    document.unique((*place, "columns"), "name")
    document.unique((*place, "rows"), "name")
    columns = tuple(value_of(Column, column) for column in table["columns"])
    rows = []
    for index, row in enumerate(table["rows"]):
        document.size((*place, "rows", index), len(row["values"]), len(columns), "values")
        values = tuple(None if value == "" else value for value in row["values"])
        rows.append(value_of(PrintedRow, row, values=values))
    return value_of(PrintedTable, table, page=str(table["page"]), columns=columns, rows=tuple(rows))
