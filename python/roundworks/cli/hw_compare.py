"""What `hw-table` measured on a library, in a terminal; and in the cells of [AETHER], as rows of
reproduction: next to the printed values; no library of ours is the paper's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from .. import spec
from ..report.hardware_cipher_ratios import ciphers
from ..report.hardware_ciphers import FIGURE, PAPER
from ..report.hardware_components import part_tables
from ..report.hardware_unrolling import unrollings
from ..reproduce.run import Ours, compare
from ..rows import ReproductionRow, Row
from .common import out, table

# Of the netlist that is best for energy; the other columns are of the fastest.
_ENERGY = ("energy, short", "energy, long", "power")


def reproductions(
    rows_of: Mapping[str, list[Row]], number: str, library: str, command: str
) -> list[list[ReproductionRow]]:
    """Reproduction rows of each table that was measured on the library; those of figure 6 fill
    Table 1 too. `rows_of`: kind -> its rows."""
    synthesis, power = rows_of["synthesis"], rows_of["power"]
    if number == FIGURE:
        tables = {
            FIGURE: list(_ciphers(synthesis, power, library)),
            "1": list(_table_1(synthesis, power, library)),
        }
    else:
        tables = {number: list(_parts(number, synthesis, power, library))}
    paper = spec.paper(PAPER)
    return [compare(paper, paper.table(name), ours, command) for name, ours in tables.items() if ours]


def print_table(rows_of: Mapping[str, list[Row]], number: str, library: str) -> None:
    """The lines of the library, with the conclusions that its numbers bear out or not."""
    synthesis, power = rows_of["synthesis"], rows_of["power"]
    if number == FIGURE:
        compared = ciphers(synthesis, power, rows_of["simulation"])
        entries = [e for e in compared.entries if e.library == library]
        heads = [column.name for column in compared.columns]
        lines = [[e.name, e.goal, *(_brief(e.values[h]) for h in heads)] for e in entries]
        table(f"figure 6 on {library}", ["cipher", "best for", *heads], lines, right=range(2, 11))
        if compared.conditions:
            out.print(compared.conditions, markup=False)
        for cipher in unrollings(compared):
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


def _parts(number: str, synthesis: list[Row], power: list[Row], library: str) -> Iterator[Ours]:
    (one,) = (t for t in part_tables(synthesis, power, ()) if t.number == number)
    for line in one.lines:
        if line.library == library:
            for column in one.columns:
                if (value := line.values[column]) is not None:
                    yield _ours(line.name, column, value, library)


def _ciphers(synthesis: list[Row], power: list[Row], library: str) -> Iterator[Ours]:
    for entry in ciphers(synthesis, power).entries:
        if entry.library == library and entry.printed_row:
            for column, value in entry.values.items():
                if value is not None and (column in _ENERGY) == (entry.goal == "energy"):
                    yield _ours(entry.printed_row, column, value, library)


def _table_1(synthesis: list[Row], power: list[Row], library: str) -> Iterator[Ours]:
    """The fastest netlist of AETHER, whose throughput is computed from the print elsewhere."""
    for entry in ciphers(synthesis, power).entries:
        if (entry.core, entry.printed_row, entry.goal, entry.library) == (
            "aether",
            "AETHER",
            "latency",
            library,
        ):
            for column, value in entry.values.items():
                if value is not None and column not in ("throughput", "cycles, short", "cycles, long"):
                    scale = 1000 if column == "latency" else 1  # ns in the figure, ps in the table
                    yield _ours("AETHER", column, scale * value, library)


def _ours(row: str, column: str, value: float, library: str) -> Ours:
    short = value if isinstance(value, int) else float(f"{value:.5g}")
    where = f"measured on {library}, before layout, not on the paper's 15 nm"
    return Ours(row, column, short, "measured", where, 0.0, "not-comparable")
