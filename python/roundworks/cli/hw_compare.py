"""What `hw-table` measured on a library, in a terminal; and in the cells of [AETHER], as rows of
reproduction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .. import spec
from ..report.hardware_cipher_ratios import ciphers
from ..report.hardware_ciphers import FIGURE, PAPER
from ..report.hardware_components import part_tables
from ..report.hardware_unrolling import unrollings
from ..reproduce.aether_hardware import cipher_cells, compared, part_cells, table_1
from ..reproduce.run import compare
from ..rows import ReproductionRow, Row
from .common import out, table


def reproductions(
    rows_of: Mapping[str, list[Row]], number: str, library: str, command: str
) -> list[list[ReproductionRow]]:
    """Reproduction rows of each table that was measured on the library; those of figure 6 fill
    Table 1 too. `rows_of`: kind -> its rows."""
    if number == FIGURE:
        figure = compared(rows_of)
        tables = {FIGURE: list(cipher_cells(figure, library)), "1": list(table_1(figure, library))}
    else:
        tables = {number: list(part_cells(number, rows_of, library))}
    paper = spec.paper(PAPER)
    return [compare(paper, paper.table(name), ours, command) for name, ours in tables.items() if ours]


def print_table(
    rows_of: Mapping[str, list[Row]], number: str, library: str, own: Sequence[spec.ComparedCipher] = ()
) -> None:
    """The lines of the library, with the conclusions that its numbers bear out or not; of figure 6 also those of
    the user's `own` ciphers."""
    synthesis, power = rows_of["synthesis"], rows_of["power"]
    if number == FIGURE:
        figure = ciphers(synthesis, power, rows_of["simulation"], own)
        entries = [e for e in figure.entries if e.library == library]
        heads = [column.name for column in figure.columns]
        lines = [[e.name, e.goal, *(_brief(e.values[h]) for h in heads)] for e in entries]
        table(f"figure 6 on {library}", ["cipher", "best for", *heads], lines, right=range(2, 11))
        if figure.conditions:
            out.print(figure.conditions, markup=False)
        for cipher in unrollings(figure):
            if cipher.library == library:
                out.print(cipher.said, markup=False)
        return
    (one,) = (t for t in part_tables(synthesis, power, ()) if t.number == number)
    parts = [
        [line.name, *(_brief(line.values[c]) for c in one.columns)]
        for line in one.lines
        if line.library == library
    ]
    right = range(1, 1 + len(one.columns))
    table(f"table {number} on {library}", ["part", *one.columns], parts, right=right)
    if one.conditions:
        out.print(one.conditions, markup=False)
    verdicts = {True: "holds", False: "does not hold", None: "open"}
    for claim in one.claims:
        if claim.library == library:
            out.print(f"{verdicts[claim.holds]}: {claim.text} ({claim.said})", markup=False)


def _brief(value: float | None) -> str | None:
    return None if value is None else f"{value:,.4g}"
