"""The file of a ledger: its tables, and the lock that its writer holds."""

from __future__ import annotations

import contextlib
import fcntl
import os
import sqlite3
from pathlib import Path
from typing import Any

from ..errors import LedgerError
from ..whole import writing

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


def opened(path: Path) -> sqlite3.Connection:
    """The ledger, made if it is not there, as its writer has it.

    Raises
    ------
    LedgerError
        ``x.sqlite: not a ledger; name another file``
    """
    if not path.exists() or not path.stat().st_size:
        # A reader finds all of the tables, or no file.
        with writing(path) as part, contextlib.closing(sqlite3.connect(part)) as file:
            file.executescript(
                f"BEGIN; {_TABLES}; PRAGMA application_id = {_APPLICATION}; PRAGMA user_version = {_FORMAT}; COMMIT;"
            )
    file = sqlite3.connect(path, isolation_level=None, timeout=10)
    try:
        check(path, file)
        file.execute("PRAGMA journal_mode = WAL")
        file.execute("PRAGMA synchronous = FULL")
    except BaseException:
        file.close()
        raise
    return file


def check(path: Path, file: sqlite3.Connection) -> None:
    """`LedgerError` unless the file is a ledger of our format."""
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


def locked(path: Path) -> Any:
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


def in_use(path: Path) -> bool:
    """Whether a process has the lock of a ledger."""
    try:
        with _lock_file(path).open("r", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except OSError:
        return True
    return False
