"""What stands below a table whose values are divided by those of a row before they are compared."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from roundworks.report.values import number

if TYPE_CHECKING:
    from roundworks.report.tables import TableColumn, TableLine


def rule(columns: Sequence[TableColumn], lines: Sequence[TableLine], is_mixed: bool) -> str:
    """By what values are divided; empty where none is. With ``is_mixed`` ours are of several machines or libraries."""
    used = [cell.row for line in lines for cell in line.cells if cell and cell.row]
    divided = dict.fromkeys((row.against, row.platform) for row in used if row.against)
    if not divided:
        return ""
    bases = " or ".join(dict.fromkeys(str(base) for base, _ in divided))
    said = (
        f"Ratios are to the row {bases}: ours over ours of it against the printed value over the printed one"
    )
    said += ", both of ours of one library or machine." if is_mixed else "."
    columns_of = {(row.against, row.column) for row in used}
    own = dict.fromkeys(row.row for row in used if row.ratio and (row.row, row.column) in columns_of)
    if own:
        said += f" The row {' and '.join(own)} itself is compared as it stands."
    shown = {(row.row, row.platform) for row in used}
    for base, platform in divided:
        if (base, platform) not in shown:
            values = "; ".join(_divisors(columns, lines, str(base), str(platform)))
            said += f" Ours of {base} on {platform}, which is in none of the rows: {values}."
    return said


def _divisors(
    columns: Sequence[TableColumn], lines: Sequence[TableLine], base: str, platform: str
) -> Iterator[str]:
    """Ours of a row that the table shows of another library or machine, by the first ratio of each column."""
    own = next((line.cells for line in lines if line.name == base), ())
    for column, of_base, *cells in zip(columns, own, *(line.cells for line in lines), strict=False):
        rows = (cell.row for cell in cells if cell and cell.row)
        row = next((r for r in rows if r.ratio and (r.against, r.platform) == (base, platform)), None)
        if row is None or of_base is None:
            continue
        ours, printed, unit = map(number, (row.value, row.paper_value, of_base.paper_value))
        if ours and printed and unit:
            yield f"{column.name} {ours / row.ratio * unit / printed:.3g} {column.unit}".strip()
