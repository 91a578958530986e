"""roundworks designs"""

from __future__ import annotations

import click

from .common import NO, YES, Count, give, row_options


@click.command("designs", epilog="Example: roundworks designs examples/candidates/ten_words.py aether-lb")
@click.argument("designs", nargs=-1, required=True, metavar="DESIGN...")
@click.option(
    "--size",
    "sizes",
    type=click.IntRange(0, 1 << 26),
    multiple=True,
    metavar="BYTES",
    help="Measure messages of this size in bytes; may be repeated. 64 and 16,384 unless set.",
)
@click.option(
    "--samples",
    type=Count(0, 10_000),
    default=30,
    show_default=True,
    help="Set the number of timed windows for each workload; 0 leaves speed out.",
)
@row_options
def command(designs: tuple[str, ...], sizes: tuple[int, ...], samples: int) -> int:
    """Compare streaming ciphers as designs: the word-wise security argument of each, the F that it applies
    for a block, its audit, and the speed of the code generated from it, all in one run. Each DESIGN is a file
    with a description, or a name of the catalogue.

    Exits 1 if the audit forges one of them.
    """
    from ..rows import DesignRow
    from ..studies.designs import Designs
    from ..studies.generated import SIZES
    from ..studies.study import conduct
    from .progress import running

    study = Designs(designs, sizes or SIZES, samples)
    with running(study.plan()[0].title) as run:
        result = conduct(study, run)
    give(result)
    return NO if any(isinstance(row, DesignRow) and row.forgeries for row in result.rows) else YES
