"""The rows of results/ are valid, no two bounds contradict each other, and the stored audit of a cipher has every check
that an audit makes now."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

from roundworks.analysis.audit import CHECKS
from roundworks.report.known import contradictions
from roundworks.rows import AuditRow, BoundRow, Store

ROOT = Path(__file__).resolve().parent.parent


def missing(rows: Iterable[AuditRow]) -> list[str]:
    """Checks that were added after a cipher was audited."""
    made: dict[str, set[str]] = {}
    commands: dict[str, str] = {}
    for row in rows:
        made.setdefault(row.cipher, set()).add(row.check)
        commands[row.cipher] = row.command
    return [
        f"audit of {cipher}: lacks {', '.join(lacking)}; `{commands[cipher]}` stores it again"
        for cipher, checks in made.items()
        if (lacking := [check for check in CHECKS if check not in checks])
    ]


def main() -> int:
    """Prints what is missing; 1 if anything is."""
    store = Store(ROOT / "results")
    store.read()
    problems = missing(store.read(AuditRow))
    problems += [
        f"bounds that contradict each other: {found}" for found in contradictions(store.read(BoundRow))
    ]
    for problem in problems:
        print(f"rows: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
