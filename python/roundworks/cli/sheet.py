"""roundworks sheet"""

from __future__ import annotations

from pathlib import Path

import click

from .common import check_file, cipher_options, err, write_whole

FORMATS = {".html": "html", ".tex": "latex", ".json": "json"}


@click.command(
    "sheet",
    help="Print everything known of a cipher or permutation on one page: sizes, drawing, S-boxes and"
    " matrices, audit, bounds with their certainty, operations of the generated code, predicted and"
    " measured speed, hardware, and the ciphers of the catalogue in the same columns.\n\n"
    "Stored rows are shown where there are any; the rest is computed within a few minutes.",
    epilog="Example: roundworks sheet examples/toy.py -o toy.html",
)
@cipher_options()
@click.option(
    "--format",
    "form",
    type=click.Choice(["markdown", *FORMATS.values()]),
    help="Format of the page. [by the suffix of --output: .html, .tex, .json; else markdown]",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write the page to FILE. [standard output]",
)
@click.option("--full", is_flag=True, help="Compute everything again, with minutes for each bound.")
@click.option("--no-store", is_flag=True, help="Do not store the computed rows.")
def command(subject: str | Path, form: str | None, output: Path | None, full: bool, no_store: bool) -> None:
    check_file(output)
    form = form or FORMATS.get(output.suffix.lower() if output else "", "markdown")

    from ..rows import Store
    from ..studies.sheets import sheet

    with err.status("") as status:
        page = sheet(subject, full=full, report=lambda stage: status.update(stage))
    if not no_store:
        Store().append(page.rows)
    text = page.text(form)
    if output is None:
        click.echo(text, nl=False)
    else:
        write_whole(output, text.encode())
