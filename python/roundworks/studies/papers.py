"""The papers' tables, computed again and compared with the printed ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from .. import spec
from ..bench.peers import program
from ..errors import RoundworksError
from ..report.tables import AGREEING, STATUSES, join, said
from ..reproduce import command_of, reproduce, tables
from ..reproduce.run import Run
from ..rows import ReproductionRow, Row
from .ciphers import units_of, vector_unit
from .proofs import proving
from .result import Result, Table
from .software import Speed
from .structures import Search
from .study import Batches, Study, Unit, conduct

# The page of all results shows these marks and words.
MARKS = {
    "reproduced": "=",
    "consistent": "→",
    "agrees": "≈",
    "differs": "≉",
    "bounded": "∈",
    "refuted": "≠",
    "not-comparable": "~",
    "open": "·",
}


@dataclass(frozen=True, slots=True)
class Reproduction(Study[Result[Row]]):
    """A unit for each table: of one paper, or of all where none is named.

    Raises
    ------
    UnknownName
        ``paper aether: table '9': not computed yet; computed: 1, 2, ...``
    """

    paper: str | None = None
    table: str | None = None

    def plan(self) -> Sequence[Unit]:
        """A unit for each table that something computes."""
        papers = [spec.paper(self.paper)] if self.paper is not None else spec.papers()
        places = [(p.key, number) for p in papers for number in tables(p.key)]
        if self.paper is not None and (self.table is not None or not places):
            places = [(self.paper, self.table or "")]
        return [unit_of(paper, number) for paper, number in places]

    def reduce(self, rows: Sequence[Row]) -> Result[Row]:
        """A table for each of the papers', with a note for every cell where ours is not the print, and for
        every column that has an order."""
        ours = [row for row in rows if isinstance(row, ReproductionRow)]
        places = dict.fromkeys((row.paper, row.table) for row in ours)
        shown = tuple(comparison([r for r in ours if (r.paper, r.table) == place]) for place in places)
        return Result(tuple(rows), shown, (*differences(ours), *orders(ours)))


def reproduction(paper: str, table: str | None = None, *, run: Run | None = None) -> Result[Row]:
    """Compute a paper's tables, or one of them, and compare them with the printed values."""
    return conduct(Reproduction(paper, table), run)


def unit_of(paper: str, table: str) -> Unit:
    """The work of one table; of an empty name, an error that says what is computed."""
    return Unit(f"{paper} table {table}", command_of(paper, table), partial(_table, paper, table))


def differences(rows: Sequence[ReproductionRow]) -> list[str]:
    """A line for every cell where ours is not the print and does not stand for it, with the reason."""
    return [f"  {r.row}, {r.column}: {r.reason}" for r in rows if r.status not in AGREEING]


def orders(rows: Sequence[ReproductionRow]) -> list[str]:
    """A line for every column that was measured elsewhere: whether it puts the rows in the printed order."""
    lines = []
    for key in dict.fromkeys(row.paper for row in rows):
        (joined,) = join([spec.paper(key)], [row for row in rows if row.paper == key])
        for table in joined.tables:
            for o in table.orders:
                tied = "all are tied" if o.spearman is None or o.kendall is None else ""
                same = tied or f"Spearman {o.spearman:.2f}, Kendall {o.kendall:.2f}"
                lines.append(f"  order of {o.rows} rows by {o.column} on {o.platform}: {same}")
    return lines


def counted(rows: Sequence[Row]) -> dict[str, int]:
    """How many cells have each status."""
    count = dict.fromkeys(MARKS, 0)
    for row in rows:
        if isinstance(row, ReproductionRow):
            count[row.status] += 1
    return count


def comparison(rows: Sequence[ReproductionRow]) -> Table:
    """The rows of one table: a line a row where the columns are few, else a line a cell."""
    first = rows[0]
    printed = spec.paper(first.paper).table(first.table)
    title = f"{first.paper} table {first.table}: {printed.caption}"
    columns = list(dict.fromkeys(r.column for r in rows))
    if len(columns) > 3:
        lines = [
            (r.row, r.column, r.paper_value, r.value, r.unit, _marked(r), f"{r.seconds:.3f}") for r in rows
        ]
        return Table(title, ("row", "column", "paper", "ours", "unit", "status", "seconds"), tuple(lines))
    pairs = []
    for name in dict.fromkeys(r.row for r in rows):
        cells = {r.column: r for r in rows if r.row == name}
        worst = min(cells.values(), key=lambda r: STATUSES.index(r.status))
        values = ((c.paper_value, c.value) if (c := cells.get(at)) else (None, None) for at in columns)
        spent = max(c.seconds for c in cells.values())
        pairs.append((name, *(v for both in values for v in both), _marked(worst), f"{spent:.3f}"))
    heads = (f"{column}, {who}" for column in columns for who in ("paper", "ours"))
    return Table(title, ("row", *heads, "status", "seconds"), tuple(pairs))


def _marked(row: ReproductionRow) -> str:
    return f"{MARKS[row.status]} {said(row)}"


def _table(paper: str, table: str, run: Run) -> Batches:
    yield from reproduce(run, paper, table or None)


@dataclass(frozen=True, slots=True)
class Rest(Study[tuple[Row, ...]]):
    """What the page of all results shows next to the papers' tables.

    Parameters
    ----------
    profile : {"quick", "full"}
        Full measures more sizes of messages, and searches two classes that the paper left out.
    """

    profile: str

    def plan(self) -> Sequence[Unit]:
        """Vectors, each cipher, proofs, speed, and with the full profile larger searches."""
        full = self.profile == "full"
        ciphers = [unit for facts in spec.ciphers() for unit in units_of(facts.name)]
        proofs = Unit("bounds by solvers", "roundworks reproduce", proving)
        larger = [Search(12, inputs).plan()[0] for inputs in (4, 5)] if full else []
        return [vector_unit(every=True), *ciphers, proofs, *_speed(full), *larger]

    def reduce(self, rows: Sequence[Row]) -> tuple[Row, ...]:
        """The rows of all units, as they are."""
        return tuple(rows)


def _speed(full: bool) -> Sequence[Unit]:
    """Next to the peers where their program was built, else ours alone."""
    study = Speed(samples=60 if full else 30, profile="full" if full else "quick")
    try:
        program()
    except RoundworksError:
        return study.plan()
    return replace(study, peers=True, seconds=600 if full else 60).plan()
