"""roundworks inner"""

from __future__ import annotations

from typing import Any

import click

from .common import YES, give, row_options
from .studying import conducted, ledger_file, study_options


@click.command("inner", epilog="Example: roundworks inner aether")
@click.argument("cipher", default="aether")
@study_options
@row_options
def command(cipher: str, **how: Any) -> int:
    """Rank inner functions S . M . S around the matrix of CIPHER by the exact probability of one F over its
    lightest patterns: every class of optimal 4-bit S-boxes with all linear maps behind it, and the known
    S-boxes with each order of their output wires.

    After Ctrl-C the same command continues from the ledger.
    """
    from ..studies.inner import Inner

    if cipher.endswith(".py"):
        raise click.UsageError(
            f"{cipher}: a file; want a name (`roundworks list ciphers` prints them), as `inner` takes no file"
        )
    result = conducted(Inner(cipher), ledger_file(f"inner-{cipher}.sqlite"), **how)
    give(result.value)
    return 130 if result.stopped else YES
