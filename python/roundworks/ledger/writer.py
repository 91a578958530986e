"""The one writer of a ledger."""

from __future__ import annotations

import contextlib
import hashlib
import json
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from ..errors import LedgerError
from .file import locked, opened
from .reader import full_rows

_SIGN_OF_LIFE = 5.0  # seconds
# Fields of a row that most rows of a study share: each combination is stored once.
_SHARED = ("kind", "machine", "commit", "tools", "command")
_CLAIM = """INSERT INTO unit (key, study, place, title, state, changed) VALUES (?, ?, ?, ?, 'claimed', ?)
  ON CONFLICT (key) DO UPDATE SET study = excluded.study, place = excluded.place, title = excluded.title,
  state = 'claimed', changed = excluded.changed, worker = NULL, seconds = NULL, reason = NULL
  WHERE state != 'done'"""
_END = """UPDATE unit SET state = ?, changed = ?, worker = ?, seconds = ?, reason = ?, origin = ?, rows = ?
  WHERE key = ? AND state != 'done'"""


def key_of(*content: object) -> bytes:
    """The key of a unit: a digest of what is to be computed, of plain values.

    Raises
    ------
    TypeError
        A value without a text of its own, such as an open file: two runs would never agree on it.
    """
    text = repr(content)
    if " at 0x" in text:
        raise TypeError(f"a unit is of plain values and functions of modules, not of {text}")
    return hashlib.sha256(text.encode()).digest()[:16]


class Ledger:
    """A ledger that is written; a context manager.

    Raises
    ------
    LedgerError
        ``x.sqlite: in use by another run (process 17 on host a); wait for it, or name another file``;
        not a ledger; the disk is full.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._pending: list[tuple[str, tuple[Any, ...]]] = []
        self._origins: dict[str, int] = {}
        self._study, self._flushed = 0, 0.0
        try:
            self._lock = locked(path)
        except OSError as error:
            raise LedgerError(f"{path}: {error.strerror or error}; name another file") from None
        try:
            with self._explained():
                self._file = opened(path)
        except BaseException:
            self._lock.close()
            raise

    def forget(self, keys: Sequence[bytes]) -> None:
        """Units of these keys are no longer done."""
        with self._transaction():
            self._file.executemany("DELETE FROM unit WHERE key = ?", ((key,) for key in keys))

    def begin(self, command: str, code: str, keys: Sequence[bytes]) -> set[bytes]:
        """A run of a study with units of these keys begins; those that are done are returned.

        What an earlier run left claimed is free again, and of these keys what failed.
        """
        now, plan = time.time(), hashlib.sha256(b"".join(keys)).hexdigest()
        with self._transaction():
            self._file.execute("DELETE FROM unit WHERE state = 'claimed'")
            self._file.executemany(
                "DELETE FROM unit WHERE key = ? AND state = 'failed'", ((key,) for key in keys)
            )
            self._file.execute(
                "INSERT INTO study (plan, command, code, units, began, before, changed)"
                " VALUES (?, ?, ?, ?, ?, 0, ?) ON CONFLICT (plan) DO UPDATE"
                " SET began = excluded.began, changed = excluded.changed",
                (plan, command, code, len(keys), now, now),
            )
            ((self._study,),) = self._file.execute("SELECT id FROM study WHERE plan = ?", (plan,))
            stored = {key for (key,) in self._file.execute("SELECT key FROM unit WHERE state = 'done'")}
            known = [(self._study, place, key) for place, key in enumerate(keys) if key in stored]
            # Also those that another plan began.
            move = "UPDATE unit SET study = ?1, place = ?2 WHERE key = ?3 AND (study != ?1 OR place != ?2)"
            self._file.executemany(move, known)
            self._file.execute("UPDATE study SET before = ? WHERE id = ?", (len(known), self._study))
        return {key for _, _, key in known}

    def claim(self, key: bytes, place: int, title: str) -> None:
        """Write down that a unit is begun."""
        self._pending.append((_CLAIM, (key, self._study, place, title, time.time())))

    def done(self, key: bytes, rows: Sequence[Mapping[str, Any]], worker: str, seconds: float) -> None:
        """A unit has its rows; they are on the disk after the next `flush`."""
        first = rows[0] if rows else {}
        shared = {
            name: first[name]
            for name in _SHARED
            if all(row.get(name) == first.get(name) for row in rows) and name in first
        }
        own = [{n: v for n, v in row.items() if n not in shared} for row in rows]
        text = json.dumps(own, ensure_ascii=False, separators=(",", ":"))
        origin = self._origin(shared) if shared else None
        end = ("done", time.time(), worker, round(seconds, 3), None, origin, text, key)
        self._pending.append((_END, end))

    def failed(self, key: bytes, reason: str, worker: str) -> None:
        """A unit has no result, for this reason."""
        self._pending.append((_END, ("failed", time.time(), worker, None, reason, None, None, key)))

    def flush(self, best: str = "") -> None:
        """Bring to the disk what is pending, all of it or nothing; now and then a sign of life."""
        if not self._pending and time.monotonic() - self._flushed < _SIGN_OF_LIFE:
            return
        self._flushed = time.monotonic()
        with self._transaction():
            for statement, values in self._pending:
                self._file.execute(statement, values)
            self._file.execute(
                "UPDATE study SET changed = ?, best = ? WHERE id = ?", (time.time(), best, self._study)
            )
        self._pending.clear()

    def note(self, of: Mapping[str, Any], title: str, results: Sequence[Mapping[str, Any]]) -> None:
        """Results of a computation without a plan, which `of` describes: a unit that is done, for each."""
        text, now = json.dumps(of, sort_keys=True), time.time()
        origin, plan = self._origin(of), hashlib.sha256(text.encode()).hexdigest()
        with self._transaction():
            self._file.execute(
                "INSERT OR IGNORE INTO study (plan, command, code, units, began, before, changed)"
                " VALUES (?, ?, '', 0, ?, 0, ?)",
                (plan, ", ".join(map(str, of.values())), now, now),
            )
            ((study, units),) = self._file.execute("SELECT id, units FROM study WHERE plan = ?", (plan,))
            for place, fields in enumerate(results, units):
                own = json.dumps([fields], ensure_ascii=False, separators=(",", ":"))
                self._file.execute(
                    "INSERT OR IGNORE INTO unit (key, study, place, title, state, changed, seconds, origin, rows)"
                    " VALUES (?, ?, ?, ?, 'done', ?, ?, ?, ?)",
                    (key_of(text, own), study, place, title, now, fields.get("seconds"), origin, own),
                )
            self._file.execute(
                "UPDATE study SET changed = ?, units = (SELECT COUNT(*) FROM unit WHERE study = ?) WHERE id = ?",
                (now, study, study),
            )

    def rows(self) -> Iterator[list[dict[str, Any]]]:
        """The rows of each unit of the present study that is done, in the order of its plan."""
        for text, fields in self._file.execute(
            "SELECT rows, fields FROM unit LEFT JOIN origin ON origin.id = unit.origin"
            " WHERE study = ? AND state = 'done' ORDER BY place",
            (self._study,),
        ):
            yield full_rows(text, fields)

    def failures(self) -> list[tuple[str, str]]:
        """Title and reason of each unit of the present study that has failed."""
        query = "SELECT title, reason FROM unit WHERE study = ? AND state = 'failed' ORDER BY place"
        return list(self._file.execute(query, (self._study,)))

    def close(self) -> None:
        """Release the lock; what was not flushed is lost."""
        with contextlib.suppress(sqlite3.Error):
            self._file.close()
        self._lock.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _origin(self, fields: Mapping[str, Any]) -> int:
        text = json.dumps(fields, ensure_ascii=False, sort_keys=True)
        if text not in self._origins:
            with self._transaction():
                self._file.execute("INSERT OR IGNORE INTO origin (fields) VALUES (?)", (text,))
                (row,) = self._file.execute("SELECT id FROM origin WHERE fields = ?", (text,))
            self._origins[text] = row[0]
        return self._origins[text]

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        with self._explained():
            self._file.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._file.execute("COMMIT")
            except BaseException:
                # A full disk may have ended the transaction already.
                with contextlib.suppress(sqlite3.Error):
                    self._file.execute("ROLLBACK")
                raise

    @contextlib.contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.OperationalError as error:
            what = f"{error}; what was stored before is whole: free space, and repeat the same command"
            raise LedgerError(f"{self.path}: {what}") from None
        except sqlite3.DatabaseError:
            raise LedgerError(f"{self.path}: not a ledger; name another file") from None
