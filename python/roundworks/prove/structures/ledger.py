"""What a long search has decided, in a ledger, so that a later run decides only what is missing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Generic, TypeVar

from ...errors import LedgerError
from ...ledger import Ledger, noted

Line = TypeVar("Line")


class Notes(Generic[Line]):
    """Results of one kind of search. ``of`` says which, and ``made`` makes one from its fields.

    A ledger may have those of others, too. ``path`` None: they are kept in memory, for `new`.

    Raises
    ------
    LedgerError
        ``x.sqlite: not a ledger; name another file``
    """

    def __init__(
        self, path: Path | None, of: Mapping[str, object], made: Callable[[dict[str, Any]], Line]
    ) -> None:
        self.path, self.of = path, dict(of)
        self.new: list[Mapping[str, object]] = []
        try:
            self.lines = [made(fields) for fields in noted(path, self.of)] if path else []
        except (ValueError, TypeError, KeyError) as error:
            if isinstance(error, LedgerError):
                raise
            raise LedgerError(f"{path}: not results of {self.of}: {error}; name another file") from None

    def keep(self, title: str, fields: Mapping[str, object]) -> None:
        """Write a result down at once."""
        if self.path is None:
            self.new.append(fields)
            return
        with Ledger(self.path) as ledger:
            ledger.note(self.of, title, [fields])
