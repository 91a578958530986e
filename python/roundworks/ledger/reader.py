"""What a ledger says, also while another process writes it."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import LedgerError
from .file import check, in_use


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
        running = in_use(path)
    results = []
    for study, command, code, units, began, before, changed, best in studies:
        done, failed, claimed = (counts.get((study, state), 0) for state in ("done", "failed", "claimed"))
        now = running and study == studies[-1][0]
        if now or done or failed or claimed:  # else another plan has its units
            results.append(
                Status(
                    command=command,
                    code=code,
                    units=units,
                    done=done,
                    failed=failed,
                    claimed=claimed,
                    began=began,
                    before=before,
                    changed=changed,
                    best=best,
                    running=now,
                )
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
            yield from (row for row in full_rows(text, fields) if row.get("kind") == kind)


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
            check(path, file)
            yield file
    except sqlite3.OperationalError as error:
        raise LedgerError(f"{path}: {error}; name another file") from None
    except (sqlite3.DatabaseError, UnicodeDecodeError):
        raise LedgerError(f"{path}: not a ledger; name another file") from None


def full_rows(rows: str, fields: str | None) -> list[dict[str, Any]]:
    """Rows with the fields that were stored once for all."""
    shared = json.loads(fields or "{}")
    return [{**shared, **row} for row in json.loads(rows)]
