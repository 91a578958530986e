"""roundworks generate"""

from __future__ import annotations

from pathlib import Path

import click

from ..generate import TARGETS, Generated, generate
from ..reference import programmed
from ..studies.described import described
from ..studies.generated import generation_row
from .common import cipher_options, deliver, err, out, row_options, table
from .signals import stop_on_signals


@click.command("generate", epilog="Example: roundworks generate examples/toy.py --to c --output build/toy")
@cipher_options("descriptions")
@click.option(
    "--to",
    "target",
    type=click.Choice(list(TARGETS)),
    default="c",
    show_default=True,
    help="Language to generate.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Directory for the files. [the cipher's name]",
)
@click.option(
    "--backend",
    "backends",
    multiple=True,
    metavar="NAME",
    help="Generate this back end only; may be repeated. [the cheapest for each CPU]",
)
@click.option(
    "--core",
    "cores",
    multiple=True,
    metavar="NAME",
    help="Generate this core only, of --to verilog; may be repeated. [all]",
)
@click.option("--force", is_flag=True, help="Write into a directory that holds other files.")
@click.option("--check/--no-check", default=True, help="Compile the files and run their tests. [--check]")
@row_options
def command(
    subject: str | Path,
    target: str,
    output: Path | None,
    backends: tuple[str, ...],
    cores: tuple[str, ...],
    force: bool,
    check: bool,
) -> None:
    """Generate C or Rust whose branches and addresses depend on no secret, or a SystemVerilog core, of a
    cipher or permutation from its description. Every straight-line function of software is proven equal to
    the description, for all inputs, before a file is written. Loops, lengths and padding are tested with
    vectors of the description; on x86-64 `prove` proves whole messages of chosen lengths in machine code. A
    core's round and layers are proven equal by the equivalence checker, and its bench runs on two
    simulators; without a check it does a few messages on one. A row says how long all of it took.
    """
    stop_on_signals()
    it, words = described(subject)
    folder = output or Path(it.name.replace(":", "_"))
    with err.status("") as status:
        made = generate(
            programmed(it),
            target,
            folder,
            backends=backends,
            cores=cores,
            force=force,
            check=check,
            report=lambda stage: status.update(f"{it.name}: {stage}"),
        )
    if deliver([generation_row(made, words, backends, cores)]):
        _print(made, folder)


def _print(made: Generated, folder: Path) -> None:
    rows = []
    for machine, functions in made.proofs.items():
        total = sum(found["operations"] for found in functions.values())
        rows.append([machine, f"{len(functions)}", f"{total:,}", "equal to the description, for all inputs"])
    if rows:
        columns = ["back end", "straight-line functions", "operations", "proven"]
        table(f"{made.cipher} to {made.target}", columns, rows, right=[1, 2])
    for line in (made.tests or "").splitlines():
        if ": " in line and not line.startswith(("make", "cc", "gcc", "clang", "./")):
            out.print(line, markup=False)
    listed = ", ".join(sorted(made.files))
    out.print(f"{folder}: {listed}; {made.seconds:.1f} s", markup=False)
