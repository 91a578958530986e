"""roundworks gpu"""

from __future__ import annotations

from pathlib import Path

import click

from .common import give, row_options


@click.command(
    "gpu",
    help="Measure messages of up to one gibibyte on this CPU in the way a GPU is measured, and print"
    " them next to the stored rows of GPUs.\n\nOn a machine with a GPU, `bench/gpu/run.sh` builds,"
    " checks and measures the kernels and leaves a folder of rows; --merge stores them here.",
    epilog="Example: roundworks gpu --merge gpu-rows",
)
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
    help="quick measures up to 64 MiB; full up to 1 GiB and needs 3 GiB of memory.",
)
@row_options
def command(folder: Path | None, profile: str, as_json: bool, no_store: bool) -> None:
    from ..studies.messages import LongMessages, keep_machine, merged
    from ..studies.study import conduct
    from .progress import running

    if folder is None:
        with running("long messages") as run:
            result = conduct(LongMessages(profile), run)
    else:
        result = merged(folder)
        if not no_store:
            keep_machine(folder, result.rows)
    give(result, as_json=as_json, no_store=no_store)
