"""roundworks search"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from .. import cache
from ..analysis.bounds import collision
from ..analysis.search import ROW_FIELDS, SearchResult, candidates, search, structure_of
from ..reference import streaming
from .common import NO, YES, check_file, chosen, deliver, err, make_rows, out, row_options, table
from .names import Name


@click.command(
    "search",
    help="Search every round structure S'[i] = F(S[i-1]) ^ (X | S[pi(i)]) with --words words and"
    " --inputs inputs, and count those whose internal collisions all have at least --active active"
    " F. The search is exhaustive. With a cipher, its own words and inputs are taken.\n\nAfter"
    " Ctrl-C the same command continues from the ledger. Exits 1 if no structure is found.",
    epilog="Example: roundworks search --words 9 --inputs 3 --active 8",
)
@click.argument("cipher", required=False, metavar="[CIPHER]", type=Name("ciphers"))
@click.option(
    "--file",
    "file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Read a description of your own from FILE (docs/own-cipher.md).",
)
@click.option(
    "--words", type=click.IntRange(2, 16), metavar="S", help="Number of words of the state."
)
@click.option(
    "--inputs",
    type=click.IntRange(1, 15),
    metavar="M",
    help="Number of words that one round absorbs.",
)
@click.option(
    "--active",
    type=click.IntRange(1, 64),
    help="Minimum number of active F. [8, or the cipher's own]",
)
@click.option("--threads", type=click.IntRange(1), help="Number of threads. [all cores]")
@click.option(
    "--ledger",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="PATH",
    help="Keep finished parts in this file. [one in build/]",
)
@click.option(
    "--keep",
    type=click.IntRange(0),
    default=0,
    metavar="N",
    help="Print up to N of the structures found.",
)
@row_options
def command(
    cipher: str | None, file: Path | None, words: int | None, inputs: int | None, active: int | None,
    threads: int | None, ledger: Path | None, keep: int, as_json: bool, no_store: bool,
) -> int:  # fmt: skip
    own = None
    if cipher or file:
        if words or inputs:
            raise click.UsageError("want a cipher or --words and --inputs, not both")
        own = streaming(chosen(cipher, file), "search")
        words, inputs = own.words, own.rate_words
        if active is None:
            least = collision(own)[0].value
            active = 8 if least is None else min(max(1, int(least)), 64)
        if inputs >= words:
            raise click.UsageError(
                f"{own.name}: the structures searched absorb fewer words than they have; this round"
                f" absorbs {inputs} of {words}"
            )
    if words is None or inputs is None:
        raise click.UsageError("want --words and --inputs, or a cipher")
    if inputs >= words:
        raise click.UsageError(f"--inputs: want fewer than --words ({words}), got {inputs}")
    active = 8 if active is None else active
    # A ledger belongs to one search with one --keep; each has a file of its own.
    own_file = f"search-{words}-{inputs}-{active}" + (f"-keep-{keep}" if keep else "")
    kept = ledger or cache.home(".") / f"{own_file}.ledger.jsonl"
    if ledger is None:
        kept.parent.mkdir(parents=True, exist_ok=True)
    check_file(kept)
    result = run_with_bar(words, inputs, active, threads=threads, ledger=kept, keep=keep)
    label = f"roundworks search --words {words} --inputs {inputs} --active {active}"
    rows = make_rows("search", [as_row(result)], label)
    for note in result.notes:
        err.print(f"roundworks: note: {note}", markup=False)
    deliver(rows, as_json=as_json, no_store=no_store)
    if not as_json:
        print_result(result)
        if own is not None:
            place = structure_of(own)
            if place is None:
                out.print(f"{own.name}: its own round is not of this form, so it is not among them")
            else:
                out.print(
                    f"{own.name}: its own round is one of them: blocks at {place[0]}, pi {place[1]}"
                )
        for positions, pi in result.structures:
            out.print(f"  blocks at {positions}, pi {pi}", markup=False)
    if not result.complete:
        err.print(f"roundworks: stopped; the same command goes on from {kept.name}", markup=False)
        return 130
    if ledger is None:
        kept.unlink(missing_ok=True)
    return YES if result.found else NO


def run_with_bar(
    words: int, inputs: int, active: int, *, threads: int | None = None,
    ledger: Path | None = None, keep: int = 0,
) -> SearchResult:  # fmt: skip
    """The search with rate and time left on standard error."""
    bar = Progress(
        TextColumn(f"({words},{inputs})"), BarColumn(), TextColumn("{task.percentage:>3.0f}%"),
        TextColumn("{task.fields[rate]}"), TextColumn("found {task.fields[found]:,}"),
        TimeRemainingColumn(), console=err, transient=True, disable=not err.is_terminal,
    )  # fmt: skip
    with bar:
        task = bar.add_task("", total=candidates(words, inputs), rate="", found=0)

        def progress(searched: int, total: int, found: int) -> None:
            elapsed = bar.tasks[0].elapsed or 0
            rate = f"{searched / elapsed / 1e6:,.0f} M/s" if elapsed > 0.2 else ""
            bar.update(task, completed=searched, total=total, found=found, rate=rate)

        return search(
            words, inputs, active, threads=threads, ledger=ledger, progress=progress, keep=keep
        )


def as_row(result: SearchResult) -> dict[str, Any]:
    return {name: getattr(result, name) for name in ROW_FIELDS}


def print_result(result: SearchResult) -> None:
    table(
        "",
        ("words", "inputs", "active", "candidates", "found", "complete", "seconds", "rate"),
        [(
            result.words, result.inputs, result.active, result.candidates, result.found,
            result.complete, f"{result.seconds:,.3f}",
            # A resumed run did not search all of it in these seconds.
            None if result.resumed_chunks
            else f"{result.searched / max(result.seconds, 1e-9) / 1e6:,.1f} M/s",
        )],
        right=(0, 1, 2, 3, 4, 6, 7),
    )  # fmt: skip
