"""Comparing our values with a paper's: the frame that every paper's file fills."""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from .. import spec
from ..errors import RoundworksError
from ..report.values import number
from ..rows import ReproductionRow, Row, Store, row
from . import verdicts
from .verdicts import Value, Verdict


@dataclass(frozen=True, slots=True)
class Ours:
    """Our value for one cell, and how it is compared with the print.

    status : what no rule decides; None: by the rules of ``verdicts``
    platform : the cell library or machine, where it is not the paper's
    against : a row of the same table that ours and the print are divided by; ``base`` is our value of it
        where the table has none of that platform. Of an estimate, that row itself is not comparable
    follows : what other printed values give for the cell, or a rule or reading of the paper that is no
        computation of ours without it; the verdict is about it
    """

    row: str
    column: str
    value: Value
    certainty: str | None
    reason: str
    seconds: float = 0.0
    status: str | None = None
    platform: str = ""
    against: str = ""
    base: Value = None
    follows: Value = None


@dataclass
class Run:
    """How much of a computation is wanted, who hears of it, and where a table leaves other rows.

    ``profile`` is quick or full; ``say`` takes lines for the user, ``progress`` the share of the
    present unit that is done, from 0 to 1. With ``stored`` the newest stored measurements are compared
    again, and nothing is measured.
    """

    profile: str = "quick"
    say: Callable[[str], object] = lambda text: None
    progress: Callable[[float], object] = lambda share: None
    extra: list[Row] = field(default_factory=list)
    stored: bool = False

    @property
    def full(self) -> bool:
        """Whether everything is wanted, however long it takes."""
        return self.profile == "full"

    def counted(self, done: int, total: int) -> None:
        """Progress in steps that count alike."""
        self.progress(done / total)

    def leave(self, kind: str, command: str, fields: dict[str, Any]) -> None:
        """Keep a row of another kind that came out on the way; `fields` have its ``seconds``."""
        self.extra.append(row(kind, command=command, **fields))

    def recorded(self, kind: str, command: str) -> list[Row]:
        """Rows of the newest stored run of a command, which measured them interleaved.

        Raises
        ------
        RoundworksError
            ``no gpu row of roundworks reproduce minalpher-gpu --table 3 is stored; run it without --stored``
        """
        rows = [r for r in Store().read(kind) if r.command == command]
        if not rows:
            raise RoundworksError(f"no {kind} row of {command} is stored; run it without --stored")
        return [r for r in rows if r["run"] == rows[-1]["run"]]


Compute = Callable[[Run], list[Ours]]


def later(module: str, number: str) -> Compute:
    """The function ``table_<number>`` of a file, which is imported when the table is computed: it may want
    solvers or hardware tools."""

    def compute(run: Run) -> list[Ours]:
        tables = importlib.import_module(f"{__package__}.{module}")
        ours: list[Ours] = getattr(tables, f"table_{number.replace('-', '_')}")(run)
        return ours

    return compute


def compare(
    paper: spec.Paper, table: spec.PrintedTable, values: list[Ours], command: str
) -> list[ReproductionRow]:
    """Rows with our values and the paper's. Every cell must exist in the paper."""
    known = {(ours.platform, ours.row, ours.column): ours.value for ours in values}
    rows = []
    for ours in values:
        cell = table.cell(ours.row, ours.column)
        printed = None if cell.value == "" else cell.value
        base = _base(table, ours, known)
        verdict = _verdict(cell, printed, ours, base)
        rows.append(
            ReproductionRow.make(
                paper=paper.key,
                table=table.number,
                row=ours.row,
                column=ours.column,
                unit=cell.unit,
                paper_value=printed,
                value=ours.value,
                status=verdict.status,
                certainty=ours.certainty,
                reason=ours.reason,
                platform=ours.platform or None,
                against=ours.against if base and verdict.ratio else None,
                ratio=None if verdict.ratio is None else float(f"{verdict.ratio:.4g}"),
                follows=ours.follows,
                seconds=ours.seconds,
                command=command,
            )
        )
    return rows


def _verdict(cell: spec.PrintedCell, printed: Value, ours: Ours, base: tuple[Value, Value] | None) -> Verdict:
    """By the first rule that applies; of what follows from other cells with the ratio of ours, too."""
    if ours.status is not None:
        return Verdict(ours.status)
    if printed is None:
        return Verdict("not-comparable")
    measured = verdicts.elsewhere(printed, ours.value, base, cell.relation)
    if ours.certainty == "estimated" and ours.against and base is None:
        measured = Verdict("not-comparable")
    if ours.follows is not None:
        derived = verdicts.derived(printed, ours.follows, cell.relation)
        return Verdict(derived.status, measured.ratio if ours.platform else None)
    return measured if ours.platform else verdicts.computed(printed, ours.value, cell.relation)


def _base(
    table: spec.PrintedTable, ours: Ours, known: Mapping[tuple[str, str, str], Value]
) -> tuple[Value, Value] | None:
    """The print and ours of the row that a cell is divided by; None where one of them is missing."""
    if not ours.against or ours.against == ours.row:
        return None
    own = ours.base if ours.base is not None else known.get((ours.platform, ours.against, ours.column))
    base = table.value(ours.against, ours.column), own
    return base if all((number(value) or 0) > 0 for value in base) else None


@contextmanager
def clock() -> Iterator[Callable[[], float]]:
    """Seconds since the block began."""
    started = time.perf_counter()
    yield lambda: time.perf_counter() - started
