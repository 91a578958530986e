"""roundworks reproduce"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from .common import deliver, out, print_result, row_option, row_options
from .names import Name, complete_table

if TYPE_CHECKING:
    from ..rows import Row


@click.command("reproduce", epilog="Example: roundworks reproduce aether --table 6")
@click.argument("paper", required=False, type=Name("papers"))
@click.option(
    "--table",
    "number",
    metavar="N",
    shell_complete=complete_table,
    help="Compute only this table of the paper, such as 6, text or figure-1. All unless set.",
)
@click.option(
    "--profile",
    type=click.Choice(["quick", "full"]),
    default="quick",
    show_default=True,
    help="Choose the amount of work: quick takes under 10 minutes on 2 cores; full sets longer time limits"
    " and takes hours.",
)
@click.option(
    "--stored",
    is_flag=True,
    help="Compare the newest stored measurements again instead of measuring: what a change of the rules of"
    " comparison wants, and a machine that is busy. Values that are computed are computed.",
)
@row_options
def command(paper: str | None, number: str | None, profile: str, stored: bool) -> None:
    """Compute the papers' tables again and print the result next to the printed value. Without a paper,
    compute everything that the report shows: also the test vectors on every back end, bounds, audits,
    drawings, the solver race and speed.

    Papers: aether, aegis128-accelerator, aes-hardware, aesni-permutations, minalpher-gpu. A table that no
    code computes yet is an error.
    """
    if number is not None and paper is None:
        raise click.UsageError("--table: want a paper as well, as in: roundworks reproduce aether --table 6")

    from ..reproduce.run import Run
    from ..studies.papers import Reproduction, counted
    from ..studies.study import conduct
    from .progress import say

    study = Reproduction(paper, number)

    def keep(rows: Sequence[Row]) -> None:
        if deliver(rows):
            print_result(study.reduce(rows))

    run, started = Run(profile, say, stored=stored), time.perf_counter()
    count = counted(conduct(study, run, keep=keep).rows)
    if paper is None:
        from ..studies.papers import Rest

        conduct(Rest(profile), run, begin=lambda unit: say(unit.title), keep=deliver)
    if not row_option("json"):
        counted_words = ", ".join(f"{n} {status.replace('-', ' ')}" for status, n in count.items() if n)
        out.print(f"{counted_words}; {time.perf_counter() - started:.0f} s")
