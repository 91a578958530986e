"""roundworks reproduce"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import click

from .. import spec
from ..bench.peers import program
from ..errors import RoundworksError
from ..reproduce import Run
from ..rows import row
from .bench import in_the_core, print_beside, print_speeds, run_bench, run_peers
from .common import deliver, err, out, row_options, table
from .names import Name, complete_table
from .search import as_row, run_with_bar
from .steps import paper_rows, steps_of_ciphers, vectors

# The paper tables show these marks and words.
_MARK = {"reproduced": "=", "refuted": "≠", "not-comparable": "~", "open": "·"}


@click.command(
    "reproduce",
    help="Compute the papers' tables again and print theirs beside ours. Without a paper: everything"
    " the report shows, which is also the vectors on every back end, bounds, audits, drawings, the"
    " solver race and speed.\n\nPapers: aether, aegis128-accelerator, aes-hardware, aesni-permutations,"
    " minalpher-gpu. A table nothing computes yet is an error.",
    epilog="Example: roundworks reproduce aether --table 6",
)
@click.argument("paper", required=False, type=Name("papers"))
@click.option(
    "--table",
    "number",
    metavar="N",
    shell_complete=complete_table,
    help="Only this table: 6, text, figure-1, ...",
)
@click.option(
    "--profile",
    type=click.Choice(["quick", "full"]),
    default="quick",
    show_default=True,
    help="quick: under 10 minutes on 2 cores.",
)
@row_options
def command(
    paper: str | None, number: str | None, profile: str, as_json: bool, no_store: bool
) -> None:
    if number is not None and paper is None:
        raise click.UsageError(
            "--table: want a paper as well, as in: roundworks reproduce aether --table 6"
        )

    def say(text: str) -> None:
        err.print(f"[dim]{text}[/]")

    run = Run(profile=profile, say=say, search_bar=run_with_bar)
    started = time.perf_counter()
    count = dict.fromkeys(_MARK, 0)
    for whole in paper_rows(run, paper, number):
        ours = [r for r in whole if r["kind"] == "reproduction"]
        for r in ours:
            count[r["status"]] += 1
        deliver(whole, as_json=as_json, no_store=no_store)
        if not as_json:
            print_table(ours)
    if paper is None:
        for rows in everything_else(run):
            deliver(rows, as_json=as_json, no_store=no_store)
    if not as_json:
        out.print(
            f"{count['reproduced']} reproduced, {count['refuted']} refuted,"
            f" {count['not-comparable']} not comparable; {time.perf_counter() - started:.0f} s"
        )


def print_table(rows: list[dict[str, Any]]) -> None:
    """Paper beside ours; a line a row where the columns are few, else a line a cell."""
    first = rows[0]
    printed = spec.paper(first["paper"]).table(first["table"])
    title = f"\n{first['paper']} table {first['table']}: {printed.caption}"
    columns = list(dict.fromkeys(r["column"] for r in rows))
    if len(columns) <= 3:
        heads = [
            "row",
            *(f"{c}, {who}" for c in columns for who in ("paper", "ours")),
            "",
            "seconds",
        ]
        lines = []
        for name in dict.fromkeys(r["row"] for r in rows):
            cells = {r["column"]: r for r in rows if r["row"] == name}
            marks = [_MARK[c["status"]] + " " + c["status"] for c in cells.values()]
            worst = next((m for m in marks if not m.startswith("=")), marks[0])
            pairs = [
                cells[c][key] if c in cells else None
                for c in columns
                for key in ("paper_value", "value")
            ]
            spent = max(c["seconds"] for c in cells.values())
            lines.append([name, *pairs, worst, f"{spent:.3f}"])
        table(title, heads, lines, right=[*range(1, len(heads) - 2), len(heads) - 1])
    else:
        table(
            title,
            ("row", "column", "paper", "ours", "unit", "", "seconds"),
            [
                (
                    r["row"], r["column"], r["paper_value"], r["value"], r["unit"],
                    f"{_MARK[r['status']]} {r['status']}", f"{r['seconds']:.3f}",
                )
                for r in rows
            ],
            right=(2, 3, 6),
        )  # fmt: skip
    for r in rows:
        if r["status"] != "reproduced":
            out.print(f"  {r['row']}, {r['column']}: {r['reason']}", markup=False)


def everything_else(run: Run) -> Iterator[list[dict[str, Any]]]:
    """What the report shows beside the papers' tables."""
    for step in (vectors(every=True), *steps_of_ciphers()):
        run.say(step.title)
        yield from step.rows(run)
    from .proving import proving  # solvers

    yield from proving(run)
    yield from _speeds(run)
    if run.full:
        for words, inputs in ((12, 4), (12, 5)):
            run.say(f"beyond the table: ({words},{inputs})")
            result = run_with_bar(words, inputs, 8)
            command = f"roundworks search --words {words} --inputs {inputs} --active 8"
            yield [row("search", command=command, **as_row(result))]
            if not result.complete:
                raise KeyboardInterrupt


def _speeds(run: Run) -> Iterator[list[dict[str, Any]]]:
    """Beside the peers where their program was built, else ours alone."""
    full, samples = (" --profile full", 60) if run.full else ("", 30)
    run.say("software speed")
    try:
        program()
    except RoundworksError as error:
        run.say(f"  ours alone; {error}")
        speeds = run_bench(tuple(in_the_core()), (), (), samples, run.profile)
        print_speeds(speeds) if run.full else None
        yield [row("bench", command="roundworks bench" + full, **s) for s in speeds]
        return
    label = f"roundworks bench{full} --peers"
    for rows in run_peers((), (), samples, 600 if run.full else 60, run.profile, label):
        print_beside(rows) if run.full else None
        yield rows
