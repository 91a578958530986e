"""Ledgers: what a long computation has decided, so that a later run computes only what is missing.

A ledger is one SQLite file in WAL mode with one writer, which a lock makes sure of; others may read it
meanwhile. It has studies, and their units of work: each is *claimed* while it is computed, then *done* with
its rows, or *failed* with the reason. A unit is found again by its key, a digest of what is to be computed and
of the code that computes it. A transaction holds a unit together with its rows: after a kill, a full disk or a
loss of power a unit is done with all of them, or is computed again.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from .errors import LedgerError

_APPLICATION = 0x526E644C  # "RndL", in the header of the file
_FORMAT = 1
_TABLES = """
CREATE TABLE study (
  id INTEGER PRIMARY KEY, plan TEXT NOT NULL UNIQUE, command TEXT NOT NULL,
  code TEXT NOT NULL, units INTEGER NOT NULL, began REAL NOT NULL, before INTEGER NOT NULL,
  changed REAL NOT NULL, best TEXT NOT NULL DEFAULT ''
);
CREATE TABLE origin (id INTEGER PRIMARY KEY, fields TEXT NOT NULL UNIQUE);
CREATE TABLE unit (
  id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, study INTEGER NOT NULL REFERENCES study,
  place INTEGER NOT NULL, title TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('claimed', 'done', 'failed')),
  changed REAL NOT NULL, worker TEXT, seconds REAL, reason TEXT, origin INTEGER REFERENCES origin, rows TEXT
);
CREATE INDEX unit_state ON unit (study, state);
"""
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


@dataclass(frozen=True, slots=True)
class Status:
    """How far a study is. Times in seconds since the epoch.

    ``began``: of the present run, or the last one, which found ``before`` units done; ``best`` in words.
    ``running``: whether a run has the ledger now.
    """

    command: str
    code: str
    units: int
    done: int
    failed: int
    claimed: int
    began: float
    before: int
    changed: float
    best: str
    running: bool

    @property
    def rate(self) -> float:
        """Units per second of the present run, or of the last one."""
        return (self.done - self.before) / max(self.changed - self.began, 1e-9)

    @property
    def left(self) -> float | None:
        """Seconds to the end at this rate; None without one."""
        return (self.units - self.done) / self.rate if self.done > self.before else None


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
            self._lock = _locked(path)
        except OSError as error:
            raise LedgerError(f"{path}: {error.strerror or error}; name another file") from None
        try:
            with self._explained():
                self._file = _opened(path)
        except BaseException:
            self._lock.close()
            raise

    def forget(self, keys: Sequence[bytes]) -> None:
        """Units of these keys are no longer done."""
        with self._transaction():
            self._file.executemany("DELETE FROM unit WHERE key = ?", ((key,) for key in keys))

    def begin(self, command: str, code: str, keys: Sequence[bytes]) -> set[bytes]:
        """A run of a study with units of these keys begins; those that are done are returned.

        What an earlier run left claimed is free again.
        """
        now, plan = time.time(), hashlib.sha256(b"".join(keys)).hexdigest()
        with self._transaction():
            self._file.execute("DELETE FROM unit WHERE state = 'claimed'")
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
        """A unit is begun."""
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
            yield _full(text, fields)

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


def statuses(path: Path) -> list[Status]:
    """The studies of a ledger, in the order in which they were begun; reads it while another writes.

    Raises
    ------
    LedgerError
        ``x.sqlite: not a ledger; name another file``
    """
    with reading(path) as file:
        query = "SELECT study, state, COUNT(*) FROM unit GROUP BY study, state"
        counts = {(study, state): count for study, state, count in file.execute(query)}
        studies = file.execute(
            "SELECT id, command, code, units, began, before, changed, best FROM study ORDER BY began"
        ).fetchall()
        running = _in_use(path)
    results = []
    for study, command, code, units, began, before, changed, best in studies:
        done, failed, claimed = (counts.get((study, state), 0) for state in ("done", "failed", "claimed"))
        now = running and study == studies[-1][0]
        if now or done or failed or claimed:  # else another plan has its units
            results.append(
                Status(command, code, units, done, failed, claimed, began, before, changed, best, now)
            )
    return results


def noted(path: Path, of: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The results of a computation that `note` wrote down, in their order; none where there is no ledger.

    Raises
    ------
    LedgerError
        ``x.sqlite: not a ledger; name another file``
    """
    if not path.exists():
        return []
    with reading(path) as file:
        texts = file.execute(
            "SELECT rows FROM unit JOIN study ON study.id = unit.study WHERE plan = ? ORDER BY place",
            (hashlib.sha256(json.dumps(of, sort_keys=True).encode()).hexdigest(),),
        )
        return [fields for (text,) in texts for fields in json.loads(text)]


def kept_rows(path: Path, kind: str) -> Iterator[dict[str, Any]]:
    """The rows of a kind, of all units that are done, whatever study or code they are of.

    Raises
    ------
    LedgerError
        ``x.sqlite: not a ledger; name another file``
    """
    if not path.exists():
        return
    with reading(path) as file:
        for text, fields in file.execute(
            "SELECT rows, fields FROM unit LEFT JOIN origin ON origin.id = unit.origin WHERE state = 'done'"
            " ORDER BY unit.id"
        ):
            yield from (row for row in _full(text, fields) if row.get("kind") == kind)


@contextlib.contextmanager
def reading(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection that reads a ledger, also one that may not be written."""
    if not path.is_file():
        raise LedgerError(f"{path}: no such ledger")
    # In a folder that cannot be written there is no writer either.
    mode = "mode=ro" if os.access(path.parent, os.W_OK) else "immutable=1"
    try:
        file = sqlite3.connect(f"{path.absolute().as_uri()}?{mode}", uri=True, timeout=10)
        with contextlib.closing(file):
            _check(path, file)
            yield file
    except sqlite3.OperationalError as error:
        raise LedgerError(f"{path}: {error}; name another file") from None
    except (sqlite3.DatabaseError, UnicodeDecodeError):
        raise LedgerError(f"{path}: not a ledger; name another file") from None


def _full(rows: str, fields: str | None) -> list[dict[str, Any]]:
    """Rows with the fields that were stored once for all."""
    shared = json.loads(fields or "{}")
    return [{**shared, **row} for row in json.loads(rows)]


def _opened(path: Path) -> sqlite3.Connection:
    if not path.exists() or not path.stat().st_size:
        # A reader finds all of the tables, or no file.
        part = path.with_name(f"{path.name}.part")
        part.unlink(missing_ok=True)
        with contextlib.closing(sqlite3.connect(part)) as file:
            file.executescript(
                f"BEGIN; {_TABLES}; PRAGMA application_id = {_APPLICATION}; PRAGMA user_version = {_FORMAT}; COMMIT;"
            )
        part.replace(path)
    file = sqlite3.connect(path, isolation_level=None, timeout=10)
    try:
        _check(path, file)
        file.execute("PRAGMA journal_mode = WAL")
        file.execute("PRAGMA synchronous = FULL")
    except BaseException:
        file.close()
        raise
    return file


def _check(path: Path, file: sqlite3.Connection) -> None:
    (application,), (version,) = (
        file.execute(f"PRAGMA {n}").fetchone() for n in ("application_id", "user_version")
    )
    if application != _APPLICATION:
        raise LedgerError(f"{path}: not a ledger; name another file")
    if version != _FORMAT:
        raise LedgerError(f"{path}: format {version}; this version reads {_FORMAT}; name another file")


def _lock_file(path: Path) -> Path:
    # Not the ledger itself: to close another descriptor of that would drop SQLite's own locks.
    return path.with_name(f"{path.name}-lock")


def _locked(path: Path) -> Any:
    """The open lock; the system releases it with the process, however that ends."""
    lock = _lock_file(path).open("a+", encoding="utf-8")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        lock.seek(0)
        owner = lock.read().strip() or "unknown"
        lock.close()
        raise LedgerError(
            f"{path}: in use by another run (process {owner}); wait for it, or name another file"
        ) from None
    lock.truncate(0)
    lock.write(f"{os.getpid()} on {os.uname().nodename}")
    # On a full disk the lock is there without its owner's name.
    with contextlib.suppress(OSError):
        lock.flush()
    return lock


def _in_use(path: Path) -> bool:
    try:
        with _lock_file(path).open("r", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except OSError:
        return True
    return False
