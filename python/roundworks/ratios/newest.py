"""Which rows are compared."""

from collections.abc import Iterable
from typing import TypeVar

from roundworks.rows import ComparisonRow, FilesRow, RandomRow, ScalingRow

R = TypeVar("R", ComparisonRow, FilesRow, RandomRow, ScalingRow)


def newest_run(rows: Iterable[R]) -> list[R]:
    """The rows of the run that was last; none of no rows."""
    every = list(rows)
    last = max(every, key=lambda row: row.time, default=None)
    return [row for row in every if last is not None and row.run == last.run]
