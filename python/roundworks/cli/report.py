"""roundworks report"""

from __future__ import annotations

import contextlib
from pathlib import Path

import click

from .. import spec
from ..rows import Store
from .common import out


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
def command(folder: Path | None) -> None:
    from ..report.build import build

    store, checkout = Store(), spec.checkout()
    folder = folder or (checkout / "report" / "build" if checkout else store.path.parent / "report")
    if not any(place.is_dir() for place in store.places):
        raise click.ClickException(f"{store.path}: no such folder; want one with rows")
    page = build(store, folder)
    with contextlib.suppress(ValueError):  # not below this folder
        page = page.relative_to(Path.cwd())
    out.print(f"wrote {page}", markup=False)
