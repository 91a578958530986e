"""roundworks report"""

from __future__ import annotations

import time
from datetime import UTC, datetime
from pathlib import Path

import click

from .common import out, table


@click.command("report", epilog="Example: roundworks report --out report/build")
@click.option(
    "--out",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Write the pages to DIR; report/build of a checkout, else report next to your own results unless set.",
)
@click.option(
    "--compute",
    "computing",
    is_flag=True,
    help="First compute what takes seconds: papers' tables, vectors, bounds, audits, speed. The pages say"
    " which results were computed now and which are stored.",
)
def command(folder: Path | None, computing: bool) -> None:
    """Build the report, a small site, from the rows stored in a checkout and your own. It needs no network
    to read.
    """
    from .. import spec
    from ..report.build import build
    from ..rows import Store

    store, checkout = Store(), spec.checkout()
    folder = folder or (checkout / "report" / "build" if checkout else store.path.parent / "report")
    if not computing:
        if not any(place.is_dir() for place in store.places):
            raise click.ClickException(f"{store.path}: no such folder; want one with rows")
        out.print(f"wrote {build(store, folder).resolve().as_uri()}", markup=False)
        return

    from ..reproduce.run import Run
    from ..studies import page
    from .progress import ProgressBar

    begun, started = datetime.now(UTC).replace(microsecond=0), time.perf_counter()
    plan = page.planned(store.read())
    widths = [(part.unit.title, part.seconds) for part in plan.parts]
    with ProgressBar([*widths, ("the pages", 3 * page.LIMIT)]).shown() as bar:
        done = page.compute(store, plan, Run(progress=bar.show), bar.begin)
        bar.begin()
        written = build(store, folder, begun)
    left = done.left_out
    table(left.title, left.columns, left.lines)
    out.print(
        f"\ncomputed now on this machine: {len(done.units)} parts, {len(done.rows):,} rows, in"
        f" {time.perf_counter() - started:.0f} s; stored: {len(plan.known):,} rows"
        "\nlonger: roundworks reproduce (minutes), make reproduce-full (hours)"
        f"\n{written.resolve().as_uri()}",
        markup=False,
    )
