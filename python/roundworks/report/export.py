"""A paper's table with ours next to it, as LaTeX (booktabs), CSV or Markdown."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator
from typing import Any

from roundworks.report.tables import PaperTable, PaperTables, TableCell, TableColumn, TableLine
from roundworks.report.values import number

# Status -> its sign in LaTeX, and in words for the line under the table.
_SIGNS = {
    "reproduced": ("=", "reproduced"),
    "consistent": (r"\rightarrow", "follows from other printed values, or a rule or reading of the paper"),
    "agrees": (r"\approx", "same within 10\\,\\% on another machine or library, or holds there"),
    "differs": (r"\not\approx", "differs there"),
    "bounded": (r"\in", "within our bounds, not decided"),
    "refuted": (r"\neq", "refuted"),
    "not-comparable": ("-", "nothing of ours to compare"),
    "open": (r"\cdot", "open"),
}
_ESCAPES = {c: "\\" + c for c in "&%$#_{}"} | {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
}
_UNITS = {"um2": r"$\mu$m$^2$"}


def export(paper: PaperTables, table: PaperTable, form: str) -> str:
    """The table as text that ends in a newline.

    Parameters
    ----------
    form : {"latex", "csv", "markdown"}
    """
    return FORMS[form](paper, table)


def latex(paper: PaperTables, table: PaperTable) -> str:
    """A table environment; it wants the package booktabs."""
    heads, rules, seconds = _heads(table), [], ["", *["ours on"] * table.is_mixed]
    line, at = ["", *[""] * table.is_mixed], 2 + table.is_mixed
    for column in table.columns:
        head = latex_text(column.name) + (
            f" ({_UNITS.get(column.unit, latex_text(column.unit))})" if _shown(column) else ""
        )
        if column.ours:
            line.append(rf"\multicolumn{{2}}{{c}}{{{head}}}")
            rules.append(rf"\cmidrule(lr){{{at}-{at + 1}}}")
            seconds += ["paper", "ours"]
        else:
            line.append(head)
            seconds.append("paper")
        at += 1 + column.ours
    body = [
        " & ".join(
            [*map(latex_text, _named(row, table)), *_cells(row.cells, table, _latex_value, _latex_ours)]
        )
        + r" \\"
        for row in table.lines
    ]
    used = [status for status in _SIGNS if any(c.status == status for c in table.cells)]
    signs = "; ".join(f"${_SIGNS[s][0]}$ {_SIGNS[s][1]}" for s in used)
    note = " ".join([f"{signs}.", *map(latex_text, _notes(table))])
    name = f"{paper.key}-{table.anchor}"
    return "\n".join(
        [
            f"% roundworks table {paper.key} {table.number} --format latex; wants \\usepackage{{booktabs}}",
            r"\begin{table}",
            r"\centering",
            rf"\caption{{{latex_text(f'{table.name} of {paper.title}: {table.caption}')}, printed and ours}}",
            rf"\label{{tab:{name}}}",
            rf"\begin{{tabular}}{{{'l' * (1 + table.is_mixed)}{'r' * (len(heads) - 1 - table.is_mixed)}}}",
            r"\toprule",
            " & ".join(line) + r" \\",
            *(["".join(rules)] if rules else []),
            " & ".join(seconds) + r" \\",
            r"\midrule",
            *body,
            r"\bottomrule",
            r"\end{tabular}",
            rf"\par\smallskip\footnotesize {note}",
            r"\end{table}",
            "",
        ]
    )


def comma_separated(paper: PaperTables, table: PaperTable) -> str:
    """A line of heads, then a line for each row; units stand in the heads, and each row that is divided by
    another names it."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    bases = bool(table.rule)
    heads = ["row", *["ours on"] * table.is_mixed, *["ratios to"] * bases]
    for column in table.columns:
        unit = f" [{column.unit}]" if column.unit else ""
        heads.append(f"{column.name}{unit}, paper")
        heads += [f"{column.name}{unit}, ours", f"{column.name}, verdict"] if column.ours else []
    writer.writerow(heads)
    for line in table.lines:
        row: list[Any] = _named(line, table)
        if bases:
            divided = (cell.row.against for cell in line.cells if cell and cell.row and cell.row.against)
            row.append(", ".join(dict.fromkeys(divided)))
        for column, cell in zip(table.columns, line.cells, strict=True):
            row.append("" if cell is None else cell.paper_value)
            if column.ours:
                row += ["", ""] if cell is None else [_blank(cell.value), cell.said]
        writer.writerow(row)
    return text.getvalue()


def markdown(paper: PaperTables, table: PaperTable) -> str:
    """A table of GitHub's Markdown; the verdict stands behind ours."""

    def row(cells: list[str]) -> str:
        return "| " + " | ".join(cell.replace("|", r"\|") for cell in cells) + " |"

    heads = _heads(table)
    lines = [
        f"**{table.name} of {paper.title}: {table.caption}, printed and ours**",
        "",
        row(heads),
        row(["---"] * (1 + table.is_mixed) + ["---:"] * (len(heads) - 1 - table.is_mixed)),
    ]
    for line in table.lines:
        lines.append(row([*_named(line, table), *_cells(line.cells, table, _plain_value, _plain_ours)]))
    notes = _notes(table)
    return "\n".join([*lines, *["", " ".join(notes)] * bool(notes), ""])


FORMS: dict[str, Callable[[PaperTables, PaperTable], str]] = {
    "markdown": markdown,
    "latex": latex,
    "csv": comma_separated,
}


def _heads(table: PaperTable) -> list[str]:
    heads = ["", *["ours on"] * table.is_mixed]
    for column in table.columns:
        name = column.name + (f" ({column.unit})" if _shown(column) else "")
        heads += [f"{name}, paper", "ours"] if column.ours else [name]
    return heads


def _named(line: TableLine, table: PaperTable) -> list[str]:
    """The name of a row, and where ours of it are of where the table has several such places."""
    return [line.name, *["; ".join(line.platforms)] * table.is_mixed]


def _notes(table: PaperTable) -> list[str]:
    """What stands below the table."""
    where = [f"Ours on {'; '.join(table.platforms)}."] if table.platforms else []
    return [*([table.rule] if table.rule else []), *where]


def _shown(column: TableColumn) -> bool:
    """A power of two shows its unit itself."""
    return bool(column.unit) and column.unit != "log2"


def _cells(
    cells: tuple[TableCell | None, ...],
    table: PaperTable,
    printed: Callable[[TableCell], str],
    ours: Callable[[TableCell], str],
) -> Iterator[str]:
    for column, cell in zip(table.columns, cells, strict=True):
        yield "" if cell is None else printed(cell)
        if column.ours:
            yield "" if cell is None else ours(cell)


def _digits(value: Any, digits: int = 12) -> str:
    """Ours with six digits, printed values with all that they have."""
    return f"{value:.{digits}g}" if isinstance(value, float) else str(value)


def _blank(value: Any) -> Any:
    return "" if value is None else value


def _plain_value(cell: TableCell) -> str:
    value = cell.paper_value
    return f"2^{value}" if cell.unit == "log2" and number(value) is not None else str(_blank(value))


def _plain_ours(cell: TableCell) -> str:
    if cell.value is None:
        return cell.said
    power = cell.unit == "log2" and isinstance(cell.value, int | float)
    return f"{'2^' if power else ''}{_digits(cell.value, 6)} ({cell.said})"


def _latex_number(value: Any, unit: str, digits: int = 12) -> str:
    if unit == "log2" and isinstance(value, int | float):
        return f"$2^{{{_digits(value, digits)}}}$"
    return latex_text(_digits(value, digits))


def _latex_value(cell: TableCell) -> str:
    return "" if cell.paper_value is None else _latex_number(cell.paper_value, cell.unit)


def _latex_ours(cell: TableCell) -> str:
    sign = f"${_SIGNS[cell.status][0]}$"
    if cell.row is not None and cell.row.ratio and cell.status == "differs":
        sign = (
            f"${_SIGNS[cell.status][0]}$\\,{cell.said.removeprefix('differs: ').removesuffix(' x')}$\\times$"
        )
    if cell.status == "refuted" and cell.follows is not None:
        sign += f" ({_latex_number(cell.follows, cell.unit, 6)} follows)"
    return sign if cell.value is None else f"{_latex_number(cell.value, cell.unit, 6)} {sign}"


def latex_text(text: str) -> str:
    """Text with every character that LaTeX reads as a command escaped."""
    return "".join(_ESCAPES.get(character, character) for character in text)
