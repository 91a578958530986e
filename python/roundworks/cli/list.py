"""roundworks list"""

from __future__ import annotations

import click

from .common import NO, YES, err, give, out, row_options
from .names import KINDS, Choice


@click.command(
    "list",
    help="List the ciphers and their back ends on this machine. Every back end runs every test"
    " vector; the descriptions run a sample, or all with --selftest. Exits 1 if one failed.\n\n"
    "With a KIND, print the names of that kind that other verbs take, one on each line: "
    + ", ".join(KINDS)
    + ".",
    epilog="Example: roundworks list; roundworks list cores",
)
@click.argument("kind", required=False, type=Choice(KINDS), metavar="[KIND]")
@click.option("--selftest", "every", is_flag=True, help="Run every vector on the descriptions too.")
@row_options
def command(kind: str | None, every: bool, as_json: bool, no_store: bool) -> int:
    if kind is not None:
        if every or as_json or no_store:
            raise click.UsageError(f"{kind}: names alone; leave --selftest, --json and --no-store out")
        out.print("\n".join(KINDS[kind]()), markup=False)
        return YES
    from ..studies.ciphers import vectors

    with err.status("running test vectors"):
        result = vectors(every=every)
    give(result, as_json=as_json, no_store=no_store)
    return YES if all(row.passed == row.vectors or not row.available for row in result.rows) else NO
