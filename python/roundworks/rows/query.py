"""SQL over stored rows, the units of ledgers, and files of Parquet, by DuckDB."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import extras
from ..errors import RowError
from ..ledger import reading
from .base import KINDS
from .store import Store

if TYPE_CHECKING:
    import duckdb

_TIME = "%Y-%m-%dT%H:%M:%SZ"  # else DuckDB's times have a zone, for which Python lacks a class
# Table -> the query by which SQLite makes a line of JSON for each of its rows. A row of a unit has again the
# fields that were stored once for all.
_OF_LEDGERS = {
    "studies": """SELECT json_object('command', command, 'code', code, 'units', units, 'best', best,
      'began', datetime(began, 'unixepoch'), 'changed', datetime(changed, 'unixepoch')) FROM study""",
    "units": """SELECT json_object('command', study.command, 'code', study.code, 'place', place, 'title', title,
      'state', state, 'changed', datetime(unit.changed, 'unixepoch'), 'worker', worker, 'seconds', seconds,
      'reason', reason) FROM unit JOIN study ON study.id = unit.study""",
    "unit_rows": """SELECT json_patch(json_object('title', unit.title), json_patch(origin.fields, row.value))
      FROM unit JOIN origin ON origin.id = unit.origin, json_each(unit.rows) AS row""",
}
_EMPTY = {
    "studies": "command VARCHAR, code VARCHAR, units BIGINT, best VARCHAR, began TIMESTAMP, changed TIMESTAMP",
    "units": "command VARCHAR, code VARCHAR, place BIGINT, title VARCHAR, state VARCHAR, changed TIMESTAMP,"
    " worker VARCHAR, seconds DOUBLE, reason VARCHAR",
    "unit_rows": "title VARCHAR, kind VARCHAR",
}


@dataclass(frozen=True, slots=True)
class Queried:
    """The columns of the result of a query, and its lines."""

    columns: tuple[str, ...]
    lines: tuple[tuple[Any, ...], ...]


def tables() -> list[str]:
    """What a query may name: a table for each kind of row, and those of the ledgers."""
    return [*KINDS, *_OF_LEDGERS]


def query(sql: str, store: Store | None = None, output: Path | None = None) -> Queried:
    """The result of one statement in SQL; with `output`, also as a file of Parquet, CSV or JSON.

    Parameters
    ----------
    sql : str
        May name `tables`, and files as DuckDB has them: ``FROM 'units.parquet'``.
    store : Store, optional
        Where rows and ledgers are; the user's and those of the checkout unless given.
    output : Path, optional
        Its suffix, ``.parquet``, ``.csv`` or ``.json``, says in which format.

    Raises
    ------
    RowError
        ``query: Catalog Error: Table with name x does not exist!``
    """
    extras.want("roundworks results", "duckdb")
    if output is not None and output.suffix not in (".parquet", ".csv", ".json"):
        raise RowError(f"{output}: want a name that ends in .parquet, .csv or .json")
    store = store or Store()
    try:
        return _queried(sql, store, output)
    except SystemError:
        # Where another C++ library came into the process before DuckDB, its errors can be lost on their way to
        # Python, which says no more than this; a process of its own has no other library.
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as apart:
            return apart.submit(_queried, sql, store, output).result()


def _queried(sql: str, store: Store, output: Path | None) -> Queried:
    """What `query` returns, computed in this process."""
    import duckdb

    # A name in SQL is a table, never a variable of this program.
    own: dict[str, str | bool | int | float | list[str]] = {"python_enable_replacements": False}
    with tempfile.TemporaryDirectory() as folder, duckdb.connect(config=own) as base:
        for name in tables():
            if re.search(rf"\b{name}\b", sql):
                _load(base, name, store, Path(folder, f"{name}.jsonl"))
        try:
            relation = base.sql(sql)
            if relation is None:
                return Queried((), ())
            if output is not None:
                relation.create_view("result")
                where = str(output).replace("'", "''")
                base.execute(f"COPY result TO '{where}' (FORMAT {output.suffix[1:]})")
            return Queried(tuple(relation.columns), tuple(relation.fetchall()))
        except duckdb.Error as error:
            raise RowError(f"query: {str(error).splitlines()[0]}") from None


def _load(base: duckdb.DuckDBPyConnection, name: str, store: Store, file: Path) -> None:
    """A table of the lines that the store has of that name."""
    some = False
    with file.open("w", encoding="utf-8") as sink:
        for line in _lines(name, store):
            sink.write(line + "\n")
            some = True
    if some:
        how = f"format = 'newline_delimited', sample_size = -1, timestampformat = '{_TIME}'"
        source = f"read_json('{file}', {how})"
        base.execute(f'CREATE TABLE "{name}" AS SELECT * FROM {source}')
    else:
        columns = _EMPTY.get(name) or ", ".join(f'"{column}" VARCHAR' for column in KINDS[name].names())
        base.execute(f'CREATE TABLE "{name}" ({columns})')


def _lines(name: str, store: Store) -> Iterator[str]:
    if name in KINDS:
        yield from (json.dumps(row.as_json()) for row in store.read(name))
        return
    for ledger in ledgers(store):
        with reading(ledger) as file:
            yield from (line for (line,) in file.execute(_OF_LEDGERS[name]))


def ledgers(store: Store | None = None) -> Sequence[Path]:
    """The ledgers next to the rows; one that was copied from the stored ones stands for both."""
    by_name = {
        file.name: file for place in (store or Store()).places for file in place.glob("ledgers/*.sqlite")
    }
    return [by_name[name] for name in sorted(by_name)]
