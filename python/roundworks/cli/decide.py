"""roundworks decide"""

from __future__ import annotations

from pathlib import Path

import click

from .common import NO, SECONDS, YES, give, row_options


@click.command("decide", epilog="Example: roundworks decide --words 17 --inputs 6 --active 8")
@click.option(
    "--words",
    type=click.IntRange(2, 32),
    metavar="S",
    required=True,
    help="Set the number of words of the state.",
)
@click.option(
    "--inputs",
    type=click.IntRange(1, 31),
    metavar="M",
    required=True,
    help="Set the number of words that one round absorbs.",
)
@click.option(
    "--active",
    type=click.IntRange(2, 64),
    default=8,
    show_default=True,
    metavar="N",
    help="Set the minimum number of active F.",
)
@click.option("--up-to", type=click.IntRange(2, 64), metavar="N", help="Go on up to this number of active F.")
@click.option(
    "--time-limit", type=SECONDS, metavar="SECONDS", help="Stop after this many CPU seconds for each number."
)
@click.option(
    "--certificates",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Prove in DIR that no structure exists, and follow the proofs.",
)
@click.option("--repeats", is_flag=True, help="Let pi name a word several times: the wider class.")
@row_options
def command(
    words: int,
    inputs: int,
    active: int,
    up_to: int | None,
    time_limit: float | None,
    certificates: Path | None,
    repeats: bool,
) -> int:
    """Decide whether any round structure S'[i] = F(S[i-1]) ^ (X | S[pi(i)]) with --words words and --inputs
    inputs has at least --active active F in every internal collision, without counting the structures: by a
    lower bound on F per block, or by a solver whose proposals are checked. With --up-to, go on to larger
    numbers until none exists.

    Exits 1 if no structure exists or the time limit came first.
    """
    if inputs >= words:
        raise click.UsageError(f"--inputs: want fewer than --words ({words}), got {inputs}")
    if up_to is not None and up_to < active:
        raise click.UsageError(f"--up-to: want at least --active ({active}), got {up_to}")

    from ..studies.decide import Decide
    from ..studies.study import conduct
    from .progress import running

    study = Decide(words, inputs, active, up_to or active, time_limit, certificates, repeats)
    with running(study.plan()[0].title) as run:
        result = conduct(study, run)
    give(result)
    return YES if result.rows[0].exists else NO
