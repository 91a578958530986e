"""roundworks search"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from .common import NO, YES, cipher_options, give, out, row_option, row_options
from .studying import conducted, study_options


@click.command("search", epilog="Example: roundworks search --words 9 --inputs 3 --active 8")
@cipher_options("ciphers", required=False)
@click.option(
    "--words", type=click.IntRange(2, 16), metavar="S", help="Set the number of words of the state."
)
@click.option(
    "--inputs",
    type=click.IntRange(1, 15),
    metavar="M",
    help="Set the number of words that one round absorbs.",
)
@click.option(
    "--active",
    type=click.IntRange(1, 64),
    help="Set the minimum number of active F; 8, or that of the cipher, unless set.",
)
@study_options
@click.option(
    "--keep",
    type=click.IntRange(0),
    default=0,
    metavar="N",
    help="Print up to N of the structures found; none unless set.",
)
@row_options
def command(
    subject: str | Path | None,
    words: int | None,
    inputs: int | None,
    active: int | None,
    keep: int,
    **how: Any,
) -> int:
    """Search every round structure S'[i] = F(S[i-1]) ^ (X | S[pi(i)]) with --words words and --inputs
    inputs, and count those whose internal collisions all have at least --active active F. The search is
    exhaustive. With CIPHER or --file, search with the words and inputs of that cipher.

    After Ctrl-C the same command continues from the ledger. Exits 1 if no structure is found.
    """
    if subject is not None and (words or inputs):
        raise click.UsageError("want a cipher or --words and --inputs, not both")
    if subject is None and (words is None or inputs is None):
        raise click.UsageError("want --words and --inputs, or a cipher")
    if words is not None and inputs is not None and inputs >= words:
        raise click.UsageError(f"--inputs: want fewer than --words ({words}), got {inputs}")

    from ..studies import structures
    from ..studies.described import described

    own = None if subject is None else described(subject, cipher=True)[0]
    if own is not None:
        study = structures.search_like(own, active=active, keep=keep)
    else:
        study = structures.Search(words or 0, inputs or 0, active or 8, keep)
    result = conducted(study, structures.kept_in(study), **how)
    give(result.value)
    if own is not None and not row_option("json"):
        out.print(structures.place_of(own), markup=False)
    (row,) = result.value.rows
    if result.stopped:
        return 130
    return YES if row.found else NO
