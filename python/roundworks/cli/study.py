"""roundworks study"""

from __future__ import annotations

import json
import sys
import time
from dataclasses import asdict
from pathlib import Path

import click

from .common import file_option, out, table


@click.command("study", epilog="Example: roundworks study status")
@click.argument("what", type=click.Choice(["status"]))
@file_option(
    "--ledger", exists=True, help="Print the studies of FILE; of all ledgers next to the rows unless set."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per line.")
def command(what: str, ledger: Path | None, as_json: bool) -> None:
    """Print how far studies are, also while they run: units done, failed and in flight, units per second,
    the time left at this rate, and the best so far. A study is what search and fastest compute in units of
    work; its ledger has every unit.
    """
    from ..ledger import statuses
    from ..rows.query import ledgers

    studies = [(file, status) for file in ([ledger] if ledger else ledgers()) for status in statuses(file)]
    if as_json:
        for file, status in studies:
            more = {"ledger": str(file), "rate": status.rate, "left": status.left}
            sys.stdout.write(json.dumps(asdict(status) | more) + "\n")
        return
    columns = ("study", "units", "done", "failed", "in flight", "rate", "left", "best so far", "changed")
    lines = [
        (
            status.command.removeprefix("roundworks "),
            status.units,
            status.done,
            status.failed,
            status.claimed if status.running else 0,
            f"{status.rate:.3g}/s",
            _duration(status.left) if status.running else "stopped" if status.done < status.units else "done",
            status.best,
            f"{_duration(time.time() - status.changed)} ago",
        )
        for _, status in studies
    ]
    if lines:
        table("", columns, lines, right=(1, 2, 3, 4, 5))
    else:
        out.print("no study has a ledger yet", markup=False)


def _duration(seconds: float | None) -> str:
    """``3 h 20 min``; None as a dash."""
    if seconds is None:
        return "-"
    minutes, hours, days = seconds / 60, seconds / 3600, seconds / 86400
    if minutes < 2:
        return f"{seconds:.0f} s"
    if hours < 2:
        return f"{minutes:.0f} min"
    return f"{int(hours)} h {int(minutes) % 60} min" if days < 2 else f"{days:.1f} d"
