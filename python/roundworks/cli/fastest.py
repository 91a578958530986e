"""roundworks fastest"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .common import SECONDS, YES, Count, give, row_options
from .studying import conducted, place_options

if TYPE_CHECKING:
    from ..studies.runner import Conducted
    from ..studies.study import Study

_EACH = 2.0  # seconds for a query of --all


@click.command("fastest", epilog="Example: roundworks fastest --bits 256 --time-limit 60")
@click.option(
    "--bits",
    type=click.Choice(["256", "512"]),
    default="256",
    show_default=True,
    help="Choose the block size of the permutations in bits.",
)
@click.option(
    "--time-limit",
    type=SECONDS,
    default=120.0,
    show_default=True,
    metavar="SECONDS",
    help="Stop a query after this many seconds: with 256 bits each query, with 512 bits all queries for one"
    " number of rounds.",
)
@click.option(
    "--samples",
    type=Count(1, 10_000),
    default=30,
    show_default=True,
    help="Set the number of timed windows for each permutation.",
)
@place_options
@click.option(
    "--all",
    "everything",
    is_flag=True,
    help="With --bits 512, also search every configuration with the paper's shuffle for a faster one, by"
    " differential and linear trails.",
)
@click.option(
    "--all-limit",
    type=SECONDS,
    metavar="SECONDS",
    help=f"With --all, stop each of its queries after this many seconds; {_EACH:g} unless set.",
)
@row_options
def command(
    bits: str,
    time_limit: float,
    samples: int,
    cluster: str | None,
    ledger: Path | None,
    everything: bool,
    all_limit: float | None,
) -> int:
    """Rank the permutations by their speed on this CPU at equal security: the rounds at which 43 (of 256
    bits) or 86 (of 512) S-boxes are active, differential and linear, an S-layer on one input counted once.
    All 36 configurations of 256 bits and Simpira, Areion, Haraka, Pholkos; of 512 bits those of the paper
    and the same peers, and with --all every other configuration that could be faster. What is found goes to
    a ledger; a later run computes what is missing, or was open at a shorter time limit. With --cluster
    other machines compute; speeds are measured here.

    After Ctrl-C the same command continues from the ledger.
    """
    if everything and bits != "512":
        raise click.UsageError("--all: of 512 bits alone; want --bits 512 with it")
    if all_limit is not None and not everything:
        raise click.UsageError("--all-limit: of the queries of --all; want that with it")

    from ..studies.ranking import fastest
    from ..studies.study import conduct
    from .progress import running

    def carry_out(study: Study[Any], file: Path) -> Conducted[Any]:
        result = conducted(study, file, cluster, ledger)
        if result.stopped:
            sys.exit(130)
        return result

    def measure(study: Study[Any]) -> Any:
        with running("speed of permutations") as run:
            return conduct(study, run)

    sieve = (all_limit or _EACH) if everything else None
    result = fastest(
        int(bits),
        time_limit=time_limit,
        samples=samples,
        ledger=ledger,
        sieve=sieve,
        carry_out=carry_out,
        measure=measure,
    )
    give(result)
    return YES
