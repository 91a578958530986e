"""What a study gives: its rows, and tables of them that show themselves in a notebook."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Generic, TypeVar

from ..rows import Row

R_co = TypeVar("R_co", bound=Row, covariant=True)
_NUMBER = re.compile(r"[-+]?\d[\d,]*(\.\d+)?(e[-+]?\d+)?( M/s)?|-|")


def text_of(value: object) -> str:
    """A cell: numbers grouped by three, None as a dash."""
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:,.0f}" if 1e6 <= abs(value) < 1e15 else f"{value:,.6g}"
    return str(value)


@dataclass(frozen=True, slots=True)
class Table:
    """A title, the heads of the columns, and the lines under them."""

    title: str
    columns: tuple[str, ...]
    lines: tuple[tuple[object, ...], ...]

    @property
    def texts(self) -> list[list[str]]:
        """The cells as they are shown."""
        return [[text_of(value) for value in line] for line in self.lines]

    @property
    def numeric(self) -> list[int]:
        """Places of the columns that hold numbers and nothing else; they are set to the right."""
        texts = self.texts
        return [
            place
            for place in range(len(self.columns))
            if any(line[place] for line in texts) and all(_NUMBER.fullmatch(line[place]) for line in texts)
        ]

    def _repr_html_(self) -> str:
        def cells(kind: str, texts: Sequence[str]) -> str:
            right = (' style="text-align: right"' if place in numeric else "" for place in range(len(texts)))
            return "".join(f"<{kind}{at}>{escape(t)}</{kind}>" for at, t in zip(right, texts, strict=True))

        numeric = {*self.numeric}
        title = f"<caption>{escape(self.title)}</caption>" if self.title else ""
        body = "".join(f"<tr>{cells('td', line)}</tr>" for line in self.texts)
        return (
            f"<table>{title}<thead><tr>{cells('th', self.columns)}</tr></thead><tbody>{body}</tbody></table>"
        )


@dataclass(frozen=True, slots=True)
class Result(Generic[R_co]):
    """``rows`` are for a store (``Store().append(result.rows)``), tables and notes for a reader."""

    rows: tuple[R_co, ...]
    tables: tuple[Table, ...]
    notes: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[R_co]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def _repr_html_(self) -> str:
        tables = "".join(table._repr_html_() for table in self.tables)
        return tables + f"<pre>{escape(chr(10).join(self.notes))}</pre>" * bool(self.notes)
