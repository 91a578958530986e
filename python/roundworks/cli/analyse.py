"""roundworks analyse"""

from __future__ import annotations

from pathlib import Path

import click

from .common import SECONDS, cipher_options, deliver_page, err, page_options


@click.command(
    "analyse", epilog="Example: roundworks analyse examples/nibble_spn.py --budget 60 -o page.html"
)
@cipher_options()
@click.option(
    "--budget",
    type=SECONDS,
    metavar="SECONDS",
    default=60.0,
    help="Seconds for all of it.",
    show_default=True,
)
@page_options
def command(subject: str | Path, budget: float) -> None:
    """Analyse a cipher or permutation for --budget seconds and print one page: active S-boxes and trails,
    differentials and hulls summed over trails, impossible differentials, correlation zero, integrals. Each
    line says for how many rounds it holds, with which certainty, and the margin to all rounds.
    """
    from ..studies.analyses import analyse

    with deliver_page() as deliver, err.status("") as status:
        deliver(analyse(subject, budget=budget, report=lambda stage: status.update(stage)))
