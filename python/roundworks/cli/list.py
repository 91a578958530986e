"""roundworks list"""

from __future__ import annotations

import click

from .common import NO, YES, err, give, naming, out, row_option, row_options
from .names import KINDS, Choice


@click.command("list", epilog="Example: roundworks list; roundworks list cores")
@click.argument("kind", required=False, type=Choice(KINDS), metavar="[KIND]")
@click.option(
    "--selftest",
    "every",
    is_flag=True,
    help="Run every vector on the Python descriptions, which takes minutes.",
)
@row_options
@naming(kinds=", ".join(KINDS))
def command(kind: str | None, every: bool) -> int:
    """List the ciphers and their back ends on this machine, and run their test vectors. Each back end runs
    every vector. The Python descriptions, which are slow, run a sample, or all with --selftest. The exit
    code is 1 if a vector fails.

    With a KIND, only print the names of that kind, one on each line; other verbs take these names. The
    kinds are: {kinds}.
    """
    if kind is not None:
        if every or row_option("json") or row_option("no_store"):
            raise click.UsageError(f"{kind}: names alone; leave --selftest, --json and --no-store out")
        out.print("\n".join(KINDS[kind]()), markup=False)
        return YES
    from ..studies.ciphers import vectors

    with err.status("running test vectors"):
        result = vectors(every=every)
    give(result)
    return YES if all(row.passed == row.vectors or not row.available for row in result.rows) else NO
