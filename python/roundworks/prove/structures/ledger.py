"""What a long search has decided, one JSON line each, so that a later run decides only what is missing."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Generic, TypeVar

from ...errors import RoundworksError

Line = TypeVar("Line")


class LedgerError(RoundworksError, ValueError):
    """The ledger is of another search, or damaged."""


class Ledger(Generic[Line]):
    """A file whose first line says what search it is of. A last line that was cut is decided again.

    ``made``: a line from its fields. ``of``: what the file holds, for errors. ``known_as``: a header of
    before whose lines are read as they are.

    Raises
    ------
    LedgerError
        ``x.jsonl: made for {...}; this is {...}; name another file``
    """

    def __init__(
        self,
        path: Path,
        header: Mapping[str, object],
        made: Callable[[dict[str, Any]], Line],
        of: str,
        known_as: Mapping[str, object] | None = None,
    ) -> None:
        self.path, self.header = path, dict(header)
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        lines = text.splitlines(keepends=True)
        if lines and not lines[-1].endswith("\n"):
            lines.pop()
        try:
            actual = json.loads(lines[0]) if lines else self.header
            self.lines = [made(json.loads(line)) for line in lines[1:]]
        except (ValueError, TypeError, KeyError) as error:
            raise LedgerError(f"{path}: not a ledger of {of}: {error}; name another file") from None
        if actual not in (self.header, known_as):
            raise LedgerError(f"{path}: made for {actual}; this is {self.header}; name another file")
        if actual != self.header:
            lines[0] = json.dumps(self.header) + "\n"
        if "".join(lines) != text:
            path.write_text("".join(lines), encoding="utf-8")

    def keep(self, fields: Mapping[str, object]) -> None:
        """Add a line at once."""
        with self.path.open("a", encoding="utf-8") as file:
            if file.tell() == 0:
                file.write(json.dumps(self.header) + "\n")
            file.write(json.dumps(fields) + "\n")
