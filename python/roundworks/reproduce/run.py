"""Comparing our values with a paper's: the frame that every paper's file fills."""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from .. import spec
from ..rows import ReproductionRow, Row, row

Value = float | int | str | None


@dataclass(frozen=True, slots=True)
class Ours:
    """Our value for one cell. ``status`` None: reproduced if equal to the print, else refuted."""

    row: str
    column: str
    value: Value
    certainty: str
    reason: str
    seconds: float = 0.0
    status: str | None = None


@dataclass
class Run:
    """How much of a computation is wanted, who hears of it, and where a table leaves other rows.

    ``profile`` is quick or full; ``say`` takes lines for the user, ``progress`` the share of the
    present unit that is done, from 0 to 1.
    """

    profile: str = "quick"
    say: Callable[[str], object] = lambda text: None
    progress: Callable[[float], object] = lambda share: None
    extra: list[Row] = field(default_factory=list)

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
    rows = []
    for ours in values:
        cell = table.cell(ours.row, ours.column)
        printed = None if cell.value == "" else cell.value
        rows.append(
            ReproductionRow.make(
                paper=paper.key,
                table=table.number,
                row=ours.row,
                column=ours.column,
                unit=cell.unit,
                paper_value=printed,
                value=ours.value,
                status=ours.status or ("reproduced" if same(printed, ours.value) else "refuted"),
                certainty=ours.certainty,
                reason=ours.reason,
                seconds=ours.seconds,
                command=command,
            )
        )
    return rows


def same(printed: Value, value: Value) -> bool:
    """Equal at the precision that was printed: 2.62 says the same as 2.62625."""
    if isinstance(printed, str) or isinstance(value, str) or printed is None or value is None:
        return printed == value
    text = repr(printed)
    digits = len(text.partition(".")[2]) if "." in text and "e" not in text else 0
    # Printed numbers are rounded or cut; either counts as the same number.
    return abs(printed - value) < 10.0**-digits if digits else printed == value


@contextmanager
def clock() -> Iterator[Callable[[], float]]:
    """Seconds since the block began."""
    started = time.perf_counter()
    yield lambda: time.perf_counter() - started
