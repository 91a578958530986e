"""roundworks check"""

from __future__ import annotations

from pathlib import Path

import click

from ..prove.solvers.proofs import check
from .common import out


@click.command(
    "check",
    epilog="Example: roundworks check certificates/aes-active-differential-distinct-4-*.json\n\n"
    "Exit codes: 0 all are accepted; 2 one is not, or wrong use or input/output.",
)
@click.argument(
    "certificates",
    nargs=-1,
    required=True,
    metavar="FILE.json...",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
)
def command(certificates: tuple[Path, ...]) -> None:
    """Check the certificate of a bound, which `roundworks bound --proof` wrote. The checker follows the
    proof step by step and shares no code with the solver. It stops at a certificate that it does not accept.

    An accepted certificate shows that its formula has no solution. It does not show that the formula is the
    one of your query: for that, run the same bound command again, which makes the formula anew and compares
    the two.
    """
    for path in certificates:
        accepted = check(path)
        out.print(
            f"{path.name}: its formula has no solution: accepted, {accepted.steps:,} steps in"
            f" {accepted.seconds:,.2f} s; it claims (not checked here): {accepted.certificate.claim},"
            f" of problem {accepted.certificate.problem}",
            markup=False,
        )
