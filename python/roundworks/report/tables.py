"""Every table of a paper with our rows next to it; no row and no cell is lost."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from roundworks import spec
from roundworks.report.divided import rule
from roundworks.report.frame import origin
from roundworks.report.rank import kendall, spearman
from roundworks.report.values import number
from roundworks.rows import ReproductionRow, latest

# What a reader has to look at first stands first.
STATUSES = ("refuted", "differs", "open", "not-comparable", "bounded", "agrees", "consistent", "reproduced")
# Where ours is the printed value, or stands for it, there is nothing to explain.
AGREEING = ("reproduced", "consistent", "agrees")
_NOBODY = "nobody has computed it yet"
_MACHINE = re.compile(r"-\d+c-[0-9a-f]{6}$")  # the end of a machine's name; other platforms are libraries
_NARROW = 7  # columns of a table whose verdicts are written out


@dataclass(frozen=True, slots=True)
class TableCell:
    """One value of a paper next to ours. `row` is the result row, None where there is none."""

    row_name: str
    column: str
    unit: str
    paper_value: Any
    status: str
    reason: str
    row: ReproductionRow | None = None

    @property
    def value(self) -> Any:
        """Our value; None where there is none."""
        return self.row.value if self.row else None

    @property
    def follows(self) -> Any:
        """What other printed values give, where the verdict is about that; else None."""
        return self.row.follows if self.row and self.status in ("consistent", "refuted") else None

    @property
    def said(self) -> str:
        """The verdict in words."""
        return said(self.row) if self.row and self.row.status == self.status else self.status

    @property
    def words(self) -> tuple[str, ...]:
        """The verdict in words, its factor apart: a wide table shows the factor alone."""
        before, sign, factor = self.said.partition(": ")
        return (before + sign, factor.replace("x", "×")) if sign else (before,)


def said(row: ReproductionRow) -> str:
    """A verdict in words: ``reproduced``, ``same within 10 %``, ``differs: 1.7 x``; of names, bounds and what
    is not above zero there is no ratio, and ``holds`` or ``differs``."""
    if row.status == "agrees":
        return "same within 10 %" if row.ratio else "holds"
    if row.status == "differs":
        return f"differs: {_times(row.ratio)} x" if row.ratio else "differs"
    if row.status == "bounded":
        return "within bounds"
    if row.status == "refuted" and row.follows is not None:
        return f"refuted: {f'{row.follows:.6g}' if isinstance(row.follows, float) else row.follows} follows"
    return row.status.replace("-", " ")


def _times(ratio: float) -> str:
    return f"{ratio:,.0f}" if ratio >= 100 else f"{ratio:.2g}"


@dataclass(frozen=True, slots=True)
class ColumnOrder:
    """Whether a column of ours puts the rows in the printed order, over those that have both values.
    ``platform``: the cell library or machine of ours."""

    column: str
    platform: str
    rows: int
    spearman: float | None
    kendall: float | None


@dataclass(frozen=True, slots=True)
class TableColumn:
    """The head of a column."""

    name: str
    unit: str
    ours: bool  # whether any value here was computed: else one column is enough
    numeric: bool


@dataclass(frozen=True, slots=True)
class Making:
    """One command and what it made in this table."""

    command: str
    values: int
    seconds: float
    certainties: tuple[str, ...]
    origin: str


@dataclass(frozen=True, slots=True)
class TableLine:
    """One row of a table; `unit` only where it is not the columns' own."""

    name: str
    unit: str
    note: str
    cells: tuple[TableCell | None, ...]  # None where the paper prints nothing

    @property
    def platforms(self) -> list[str]:
        """The machines and cell libraries of ours, where they are not the paper's."""
        return list(dict.fromkeys(c.row.platform for c in self.cells if c and c.row and c.row.platform))


@dataclass(frozen=True, slots=True)
class PaperTable:
    """A printed table, or the numbers of a paper's prose or of a figure, with ours."""

    number: str
    caption: str
    page: str
    note: str
    columns: tuple[TableColumn, ...]
    lines: tuple[TableLine, ...]

    @property
    def name(self) -> str:
        """``Table 6``, ``Figure 6`` or ``In the text``."""
        if self.number.isdigit():
            return f"Table {self.number}"
        kind, _, number = self.number.partition("-")
        if kind == "figure":
            return f"Figure {number}"
        return "In the text" if kind == "text" else self.number

    @property
    def anchor(self) -> str:
        """The number as the target of a link."""
        return re.sub("[^a-z0-9]+", "-", self.number.lower())

    @property
    def is_wide(self) -> bool:
        """Whether its cells have no space for words on a screen."""
        return len(self.columns) + sum(column.ours for column in self.columns) > _NARROW

    @property
    def rule(self) -> str:
        """By what values are divided before they are compared; empty where none is."""
        return rule(self.columns, self.lines, self.is_mixed)

    @property
    def platforms(self) -> list[str]:
        """The machines and cell libraries of ours, where they are not the paper's."""
        return list(dict.fromkeys(platform for line in self.lines for platform in line.platforms))

    @property
    def is_mixed(self) -> bool:
        """Whether rows are of different machines or libraries, so that each has to name its own."""
        return len({tuple(line.platforms) for line in self.lines if line.platforms}) > 1

    @property
    def touched(self) -> bool:
        """Whether anything here was computed; a table where nothing was is folded."""
        return any(column.ours for column in self.columns)

    @property
    def cells(self) -> tuple[TableCell, ...]:
        """Cells of the table, line by line."""
        return tuple(cell for line in self.lines for cell in line.cells if cell)

    @property
    def counts(self) -> dict[str, int]:
        """How many cells have each status."""
        return count(self.cells)

    @property
    def differences(self) -> dict[tuple[str, str], list[str]]:
        """(status, reason) -> the cells where ours is not the printed value for that reason."""
        places: dict[tuple[str, str], list[str]] = {}
        for cell in self.cells:
            if cell.row and cell.status not in AGREEING:
                place = f"{cell.row_name}, {cell.column}"
                places.setdefault((cell.status, cell.reason), []).append(place)
        return places

    @property
    def agreements(self) -> dict[str, list[str]]:
        """How the values that agree were obtained: each way once, with the cells it gave."""
        places: dict[str, list[str]] = {}
        for cell in self.cells:
            if cell.status in AGREEING and cell.reason:
                places.setdefault(cell.reason, []).append(f"{cell.row_name}, {cell.column}")
        return places

    @property
    def orders(self) -> tuple[ColumnOrder, ...]:
        """Of the columns that were measured on another machine or library, where three rows or more
        have two numbers; numbers of prose and of one row have no order."""
        if self.number == "text":
            return ()
        orders = []
        for index, column in enumerate(self.columns):
            pairs: dict[str, list[tuple[float, float]]] = {}
            for cell in (line.cells[index] for line in self.lines):
                if cell and cell.row and cell.row.platform:
                    theirs, ours = number(cell.paper_value), number(cell.row.value)
                    if theirs is not None and ours is not None:
                        pairs.setdefault(cell.row.platform, []).append((theirs, ours))
            for platform, both in pairs.items():
                if len(both) >= 3:
                    printed, measured = zip(*both, strict=True)
                    rho, tau = spearman(printed, measured), kendall(printed, measured)
                    orders.append(ColumnOrder(column.name, platform, len(both), rho, tau))
        return tuple(orders)

    @property
    def used(self) -> list[ReproductionRow]:
        """The rows of ours next to the printed values."""
        return [cell.row for cell in self.cells if cell.row]

    @property
    def makings(self) -> list[Making]:
        """Each command that made values of this table."""
        groups: dict[str, list[ReproductionRow]] = {}
        for row in self.used:
            groups.setdefault(row.command, []).append(row)
        return [
            Making(
                command,
                len(rows),
                sum(row.seconds for row in rows),
                tuple(sorted({row.certainty for row in rows if row.certainty})),
                origin(rows),
            )
            for command, rows in groups.items()
        ]


@dataclass(frozen=True, slots=True)
class PaperTables:
    """A paper of spec/papers, or one that only rows name; then `cite` is empty."""

    key: str
    cite: str
    title: str
    note: str
    tables: tuple[PaperTable, ...]

    @property
    def machines(self) -> dict[str, list[str]]:
        """Machine -> the tables with what was measured on it: numbers of two machines are not to be compared."""
        tables_of: dict[str, list[str]] = {}
        for table in self.tables:
            for platform in filter(_MACHINE.search, table.platforms):
                tables_of.setdefault(platform, []).append(table.name)
        return tables_of

    @property
    def cells(self) -> tuple[TableCell, ...]:
        """Cells of all tables."""
        return tuple(cell for table in self.tables for cell in table.cells)

    @property
    def printed(self) -> tuple[TableCell, ...]:
        """Cells that the paper prints a value for; of others ours alone is in the tables."""
        return tuple(cell for cell in self.cells if cell.paper_value is not None)

    @property
    def counts(self) -> dict[str, int]:
        """How many printed cells have each status."""
        return count(self.printed)


def count(cells: Iterable[TableCell]) -> dict[str, int]:
    """How many cells have each status."""
    counts = dict.fromkeys(STATUSES, 0)
    for cell in cells:
        counts[cell.status] += 1
    return counts


def join(papers: Sequence[spec.Paper], rows: Iterable[ReproductionRow]) -> list[PaperTables]:
    """Put the newest reproduction row next to each value of each paper's tables.

    Rows that name a paper, table, row or column that no file of spec/papers has make tables of
    their own at the end: a typing error in a name must be seen, not swallowed.
    """
    newest = latest(rows, ["paper", "table", "row", "column"])
    left = {(r.paper, r.table, r.row, r.column): r for r in newest}
    known = {
        paper.key: (paper, [_table(paper.key, table, left) for table in paper.tables]) for paper in papers
    }
    joined = []
    for key in dict.fromkeys([*known, *(row.paper for row in left.values())]):
        strays = _stray_tables([row for row in left.values() if row.paper == key])
        if key in known:
            paper, tables = known[key]
            joined.append(PaperTables(key, paper.cite, paper.title, paper.note, (*tables, *strays)))
        else:
            joined.append(PaperTables(key, "", f"Rows of {key}", "", tuple(strays)))
    # Papers with values of ours come first; sorting keeps the files' order among equals.
    return sorted(joined, key=lambda paper: -sum(cell.row is not None for cell in paper.cells))


def _table(
    paper: str, table: spec.PrintedTable, left: dict[tuple[str, str, str, str], ReproductionRow]
) -> PaperTable:
    lines = []
    for row in table.rows:
        cells: list[TableCell | None] = []
        for column, value in zip(table.columns, row.values, strict=True):
            ours = left.pop((paper, table.number, row.name, column.name), None)
            unit = column.unit if row.unit is None else row.unit
            made = _cell(row.name, column.name, unit, value, ours)
            cells.append(made if ours or value is not None else None)
        if any(cells):
            lines.append(TableLine(row.name, row.unit or "", row.note, tuple(cells)))
    columns = [
        _column(column.name, column.unit, [line.cells[i] for line in lines])
        for i, column in enumerate(table.columns)
    ]
    return PaperTable(table.number, table.caption, table.page, table.note, tuple(columns), tuple(lines))


def _stray_tables(rows: Sequence[ReproductionRow]) -> list[PaperTable]:
    tables = []
    for name in dict.fromkeys(row.table for row in rows):
        here = [row for row in rows if row.table == name]
        columns = list(dict.fromkeys((row.column, row.unit) for row in here))
        lines = []
        for row_name in dict.fromkeys(row.row for row in here):
            at = {(r.column, r.unit): r for r in here if r.row == row_name}
            cells = tuple(
                _cell(row_name, *head, at[head].paper_value, at[head]) if head in at else None
                for head in columns
            )
            lines.append(TableLine(row_name, "", "", cells))
        heads = [_column(*head, [line.cells[i] for line in lines]) for i, head in enumerate(columns)]
        note = "These rows match no table, row or column of the paper's file."
        tables.append(PaperTable(name, "rows without a place", "", note, tuple(heads), tuple(lines)))
    return tables


def _cell(name: str, column: str, unit: str, value: Any, row: ReproductionRow | None) -> TableCell:
    if row is None:
        return TableCell(name, column, unit, value, "open", _NOBODY)
    status, reason = row.status, row.reason
    if row.paper_value != value:
        # The paper's file was corrected after the row was made: the comparison is void.
        status = "open"
        reason = (
            f"compared with {row.paper_value}, but the paper's file now says {value}; "
            f"run again: {row.command}"
        )
    return TableCell(
        row_name=name, column=column, unit=unit, paper_value=value, status=status, reason=reason, row=row
    )


def _column(name: str, unit: str, cells: list[TableCell | None]) -> TableColumn:
    there = [cell for cell in cells if cell]
    return TableColumn(
        name,
        unit,
        ours=any(cell.row for cell in there),
        numeric=any(number(cell.paper_value) is not None for cell in there),
    )
