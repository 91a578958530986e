"""roundworks table"""

from __future__ import annotations

import click

from .names import Choice, Name, complete_table


@click.command("table", epilog="Example: roundworks table aether figure-6 --format latex")
@click.argument("paper", type=Name("papers"))
@click.argument("number", metavar="N", shell_complete=complete_table)
@click.option(
    "--format",
    "form",
    type=Choice(["markdown", "latex", "csv"]),
    default="markdown",
    show_default=True,
    help="Choose the form. LaTeX wants the package booktabs.",
)
def command(paper: str, number: str, form: str) -> None:
    """Print a table of a paper with our stored values and verdicts next to the printed ones: as LaTeX with
    booktabs, as CSV or as Markdown. Nothing is computed; `roundworks reproduce` does that.

    Papers: aether, aegis128-accelerator, aes-hardware, aesni-permutations, minalpher-gpu.
    """
    from .. import spec
    from ..report.export import export
    from ..report.tables import join
    from ..rows import ReproductionRow, Store

    source = spec.paper(paper)
    source.table(number)
    rows = [row for row in Store().read(ReproductionRow) if row.paper == paper]
    (joined,) = join([source], rows)
    click.echo(export(joined, next(t for t in joined.tables if t.number == number), form), nl=False)
