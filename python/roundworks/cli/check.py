"""roundworks check"""

from __future__ import annotations

from pathlib import Path

import click

from ..prove.solvers.proofs import check
from .common import out


@click.command(
    "check",
    help="Follow a certificate that `roundworks bound --proof` wrote, step by step, by a checker that"
    " shares no code with the solver. Exits 2 for one that is not accepted.\n\nThis shows that the"
    " formula next to it has no solution. That the formula is the one of the query is shown by the"
    " same bound command, which makes it again and compares.",
    epilog="Example: roundworks check certificates/aes-active-differential-distinct-4-*.json",
)
@click.argument(
    "certificates",
    nargs=-1,
    required=True,
    metavar="FILE.json...",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
)
def command(certificates: tuple[Path, ...]) -> None:
    for path in certificates:
        accepted = check(path)
        out.print(
            f"{path.name}: its formula has no solution: accepted, {accepted.steps:,} steps in"
            f" {accepted.seconds:,.2f} s; it claims (not checked here): {accepted.certificate.claim},"
            f" of problem {accepted.certificate.problem}",
            markup=False,
        )
