"""roundworks results"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from .common import check_file, err, file_option, out, table


@click.command(
    "results", epilog='Example: roundworks results "SELECT words, inputs, found FROM search WHERE complete"'
)
@click.argument("query", required=False, metavar="[QUERY]")
@file_option("--output", help="Also write the result to FILE, which ends in .parquet, .csv or .json.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per line.")
@click.option(
    "--compress", is_flag=True, help="First compress the rows of days before today; they are read as before."
)
def command(query: str | None, output: Path | None, as_json: bool, compress: bool) -> None:
    """Query stored rows and ledgers in SQL. There is a table for each kind of row (search, bound, bench,
    ...), and three of the ledgers: studies, units and unit_rows. A file of Parquet is a table, too: FROM
    'FILE.parquet'.

    Without a query, list the tables.
    """
    from ..rows import Store
    from ..rows import query as rows_query

    if compress:
        before, after = Store().compress()
        err.print(f"{before:,} bytes of rows are {after:,} now", markup=False, style="dim")
    if query is None:
        if compress:
            return
        for name in rows_query.tables():
            out.print(json.dumps({"table": name}) if as_json else name, markup=False)
        return
    check_file(output)
    result = rows_query.query(query, output=output)
    if as_json:
        for line in result.lines:
            sys.stdout.write(json.dumps(dict(zip(result.columns, line, strict=True)), default=str) + "\n")
    elif result.columns:
        right = [
            i
            for i, _ in enumerate(result.columns)
            if any(isinstance(x[i], int | float) for x in result.lines)
        ]
        table("", result.columns, result.lines, right=right)
    if output is not None:
        err.print(f"{len(result.lines):,} lines in {output}", markup=False, style="dim")
