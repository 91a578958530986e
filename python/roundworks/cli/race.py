"""roundworks race"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from ..prove.race import CONTESTS
from ..prove.solvers import NAMES
from .common import SECONDS, deliver, progress_line, row_options, table
from .names import Choice

if TYPE_CHECKING:
    from ..rows import Row


@click.command(
    "race",
    help="Run every installed solver on the same problem instances, one after another, and print the"
    " time of each, or its bounds at the time limit.\n\nInstances: "
    + "; ".join(f"{key} ({instance.label})" for key, instance in CONTESTS.items()),
    epilog="Example: roundworks race --instance aes-4 --time-limit 10",
)
@click.option(
    "--instance",
    "instances",
    type=Choice(list(CONTESTS)),
    multiple=True,
    help="Choose the problem instance; may be repeated. All unless set.",
)
@click.option(
    "--solver",
    "solvers",
    type=Choice(NAMES),
    multiple=True,
    help="Choose the solver; may be repeated. All that are installed unless set.",
)
@click.option(
    "--time-limit",
    type=SECONDS,
    default=60.0,
    show_default=True,
    metavar="SECONDS",
    help="Stop each solver on each instance after this many seconds.",
)
@row_options
def command(
    instances: tuple[str, ...], solvers: tuple[str, ...], time_limit: float, as_json: bool, no_store: bool
) -> None:
    rows = race_rows(instances, solvers, time_limit)
    deliver(rows, as_json=as_json, no_store=no_store)
    if not as_json:
        print_race(rows)


def race_rows(instances: Sequence[str], solvers: Sequence[str], limit: float) -> list[Row]:
    from ..prove.race import race as run_race
    from ..rows import row

    label = "roundworks race" + "".join(f" --instance {name}" for name in instances)
    label += "".join(f" --solver {name}" for name in solvers) + f" --time-limit {limit:g}"
    with progress_line() as show:
        return [
            row("solve", command=label, **asdict(one)) for one in run_race(instances, solvers, limit, show)
        ]


def print_race(rows: Sequence[Row]) -> None:
    table(
        "solver race",
        ("instance", "solver", "status", "at least", "best", "unit", "seconds", "version"),
        [
            (
                r["instance"],
                r["solver"],
                r["status"],
                r["lower"],
                r["upper"],
                r["unit"],
                f"{r['seconds']:,.3f}",
                r["version"],
            )
            for r in rows
        ],
        right=(3, 4, 6),
    )
