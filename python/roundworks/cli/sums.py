"""roundworks sums"""

from __future__ import annotations

from typing import Any

import click

from .common import NO, YES, Count, give, row_options
from .studying import conducted, ledger_file, study_options


@click.command("sums", epilog="Example: roundworks sums --words 7 --inputs 2 --functions 5")
@click.option(
    "--words",
    type=click.IntRange(2, 16),
    metavar="S",
    required=True,
    help="Set the number of words of the state.",
)
@click.option(
    "--inputs",
    type=click.IntRange(1, 8),
    metavar="M",
    required=True,
    help="Set the number of words that one round absorbs.",
)
@click.option(
    "--functions",
    type=click.IntRange(1, 16),
    metavar="K",
    required=True,
    help="Set the number of words that F changes in a round.",
)
@click.option(
    "--active",
    type=click.IntRange(1, 64),
    default=8,
    show_default=True,
    metavar="N",
    help="Stop at this number of active F.",
)
@click.option(
    "--terms",
    type=click.IntRange(0, 15),
    default=2,
    show_default=True,
    metavar="T",
    help="Add at most this many words to the first term of a sum.",
)
@click.option(
    "--starts",
    type=Count(1, 100_000),
    default=16,
    show_default=True,
    help="Start the search so often, each time somewhere else.",
)
@study_options
@row_options
def command(words: int, inputs: int, functions: int, active: int, terms: int, starts: int, **how: Any) -> int:
    """Look for a round whose words are sums S'[i] = S[i-1] ^ S[j] ^ ... ^ X[k] ^ ..., the first term through F
    at --functions positions, such that every internal collision has at least --active active F. The search is
    local: what it finds is proven, and that it finds no more says nothing. Every round can be inverted.

    After Ctrl-C the same command continues from the ledger. Exits 1 if it found fewer than --active.
    """
    if inputs > words:
        raise click.UsageError(f"--inputs: want at most --words ({words}), got {inputs}")
    if functions > words:
        raise click.UsageError(f"--functions: want at most --words ({words}), got {functions}")

    from ..studies.sums import Sums

    study = Sums(words, inputs, functions, active, terms, starts)
    result = conducted(study, ledger_file("sums.sqlite"), **how)
    give(result.value)
    if result.stopped:
        return 130
    return YES if any(row.active >= active for row in result.value.rows) else NO
