"""roundworks gpu"""

from __future__ import annotations

from pathlib import Path

import click

from .common import file_option, give, row_option, row_options


@click.command("gpu", epilog="Example: roundworks gpu --merge gpu-rows")
@click.option(
    "--merge",
    "folder",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    metavar="FOLDER",
    help="Import the rows that `bench/gpu/run.sh` wrote to FOLDER.",
)
@click.option(
    "--profile",
    type=click.Choice(["quick", "full"]),
    default="quick",
    show_default=True,
    help="Choose the sizes: quick measures messages up to 64 MiB, full up to 1 GiB, which needs 3 GiB of"
    " memory.",
)
@file_option(
    "--file",
    "described",
    help="Measure the generated C of a description of your own next to them, on this CPU: no GPU kernel is"
    " generated from a description.",
)
@row_options
def command(folder: Path | None, profile: str, described: Path | None) -> None:
    """Measure long messages on this CPU, of the same sizes and in the same units as on a GPU, so that the
    report can compare the two.

    On a machine with a GPU, `bench/gpu/run.sh` builds the kernels, checks them, measures them, and writes
    their rows to a folder. Copy that folder to this machine and import it with --merge.
    """
    from ..studies.messages import LongMessages, keep_machine, merged
    from ..studies.study import conduct
    from .progress import running

    if folder and described:
        raise click.UsageError("--file: leave --merge out; it imports what is measured")
    if folder is None:
        with running("long messages") as run:
            result = conduct(LongMessages(profile, described), run)
    else:
        result = merged(folder)
        if not row_option("no_store"):
            keep_machine(folder, result.rows)
    give(result)
