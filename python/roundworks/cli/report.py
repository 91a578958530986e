"""roundworks report"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path

import click

from .. import spec
from ..rows import Row, Store
from .common import out, table


@click.command(
    "report",
    help="Build the one-page report from the rows stored in a checkout and your own. It needs no network"
    " to read.",
    epilog="Example: roundworks report --out report/build",
)
@click.option(
    "--out",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="[report/build of a checkout, else report beside your own results]",
)
@click.option(
    "--compute",
    "computing",
    is_flag=True,
    help="First compute here what takes seconds: papers' tables, vectors, bounds, audits, speed. The page"
    " says what was computed now and what is stored.",
)
def command(folder: Path | None, computing: bool) -> None:
    from ..report.build import build

    store, checkout = Store(), spec.checkout()
    folder = folder or (checkout / "report" / "build" if checkout else store.path.parent / "report")
    if not computing:
        if not any(place.is_dir() for place in store.places):
            raise click.ClickException(f"{store.path}: no such folder; want one with rows")
        out.print(f"wrote {build(store, folder).resolve().as_uri()}", markup=False)
        return
    from .page import compute

    begun, started = datetime.now(UTC).replace(microsecond=0), time.perf_counter()
    pages: list[Path] = []
    known = store.read()
    outcome = compute(store, known, lambda: pages.append(build(store, folder, begun)))
    table(
        "not computed now",
        ("command", "because", "shown from rows"),
        [
            (step.command, why, _from(known, step.command))
            for step, why in (
                *((step, f"{spent:.0f} s") for step, spent in outcome.longer), *outcome.refused
            )
        ],
    )  # fmt: skip
    out.print(
        f"\ncomputed now on this machine: {len(outcome.computed)} parts, {outcome.rows:,} rows, in"
        f" {time.perf_counter() - started:.0f} s; stored: {len(known):,} rows"
        "\nlonger: roundworks reproduce (minutes), make reproduce-full (hours)"
        f"\n{pages[0].resolve().as_uri()}",
        markup=False,
    )


def _from(known: Iterable[Row], command: str) -> str:
    from ..report.frame import origin

    rows: Sequence[Row] = [row for row in known if row["command"] == command]
    return origin(rows) if rows else "no rows yet"
