"""roundworks race"""

from __future__ import annotations

import click

from ..prove.race import CONTESTS
from ..prove.solvers import NAMES
from .common import SECONDS, give, naming, progress_line, row_options
from .names import Choice


@click.command("race", epilog="Example: roundworks race --instance aes-4 --time-limit 10")
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
@naming(instances="; ".join(f"{key} ({instance.label})" for key, instance in CONTESTS.items()))
def command(instances: tuple[str, ...], solvers: tuple[str, ...], time_limit: float) -> None:
    """Run every installed solver on the same problem instances, one after another, and print the time of
    each, or its bounds at the time limit.

    Instances: {instances}
    """
    from ..studies.proofs import race

    with progress_line() as progress:
        result = race(instances, solvers, time_limit, progress)
    give(result)
