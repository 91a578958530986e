"""roundworks confirm"""

from __future__ import annotations

import click

from .common import SECONDS, deliver, print_result, row_option, row_options
from .names import Name


@click.command("confirm", epilog="Example: roundworks confirm --cipher present --time-limit 1")
@click.option(
    "--cipher",
    "ciphers",
    metavar="NAME",
    type=Name("descriptions"),
    multiple=True,
    help="Confirm only bounds of this cipher or permutation; may be repeated. All unless set.",
)
@click.option(
    "--time-limit",
    "limit",
    type=SECONDS,
    default=10.0,
    show_default=True,
    metavar="SECONDS",
    help="Confirm the bounds that were computed in less than this, and stop each further solver after it.",
)
@row_options
def command(ciphers: tuple[str, ...], limit: float) -> None:
    """Compute again, by another solver, the stored bounds that one solver alone has reached. Where both
    come as far, the report counts the bound as agreed by two solvers. The quickest come first, and a run
    that is stopped keeps what it has. Exits 2 if two solvers contradict each other.
    """
    from ..reproduce.run import Run
    from ..studies.confirmations import Confirm
    from ..studies.study import conduct
    from .progress import ProgressBar, say

    study = Confirm(limit, ciphers)
    units = study.plan()
    if left_out := study.of_files:
        say(
            f"{left_out} stored bounds are of files of your own, which are left out;"
            " `roundworks bound FILE --solver NAME --solver NAME` has two solvers agree on them"
        )
    if not units:
        say("no stored bound is left to confirm; a longer --time-limit takes more")
        return
    bar = ProgressBar([(unit.title, 1.0) for unit in units])
    with bar.shown():
        result = conduct(study, Run("quick", say), begin=bar.begin, keep=deliver)
    if not row_option("json"):
        print_result(result)
