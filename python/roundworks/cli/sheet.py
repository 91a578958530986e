"""roundworks sheet"""

from __future__ import annotations

from pathlib import Path

import click

from .common import cipher_options, deliver_page, err, page_options


@click.command("sheet", epilog="Example: roundworks sheet examples/toy.py -o toy.html")
@cipher_options()
@click.option("--full", is_flag=True, help="Compute everything again, with minutes for each bound.")
@page_options
def command(subject: str | Path, full: bool) -> None:
    """Print everything known of a cipher or permutation on one page: sizes, drawing, S-boxes and matrices,
    audit, bounds with their certainty, operations of the generated code, predicted and measured speed,
    hardware, and the ciphers of the catalogue in the same columns.

    Stored rows are shown where there are any; the rest is computed within a few minutes.
    """
    from ..studies.sheets import sheet

    with deliver_page() as deliver, err.status("") as status:
        deliver(sheet(subject, full=full, report=lambda stage: status.update(stage)))
