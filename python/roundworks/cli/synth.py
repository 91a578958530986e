"""roundworks synth"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..hardware.flow.scripts import NAMES, PROFILES
from ..hardware.power import MODELS
from .common import FiniteRange, check_file, file_option, give, row_options
from .hardware import core_options, library_option, progress_bar
from .names import Choice
from .signals import stop_on_signals

if TYPE_CHECKING:
    from ..studies.hardware import CoreChoice

GOALS = ("delay", "area", "area-delay", "energy")


@click.command(
    "synth", epilog="Example: roundworks synth aes-round --library nangate45.lib.gz --profile quick"
)
@core_options
@file_option("--sbox", help="Read your S-box from FILE, in the form of spec/sboxes.toml or as plain numbers.")
@file_option(
    "--matrix", help="Read your matrix from FILE, in the form of spec/matrices.toml or as rows of 0 and 1."
)
@library_option
@click.option(
    "--profile",
    type=Choice(PROFILES),
    default=None,
    help="Make two netlists (quick), five (energy), or two per script (full). quick unless set,"
    " energy with --goal energy.",
)
@click.option(
    "--script",
    "chosen",
    type=Choice(NAMES),
    multiple=True,
    help="Run this abc script, not a profile; may be repeated.",
)
@click.option(
    "--target",
    "targets",
    type=FiniteRange(min=1),
    multiple=True,
    metavar="PS",
    help="Set the target delay in ps; the minimum unless set.",
)
@file_option("--netlist", help="Write the best netlist by --goal to FILE, in Verilog.")
@click.option(
    "--goal",
    type=Choice(GOALS),
    default="area-delay",
    show_default=True,
    help="Choose what the best netlist minimises. energy also stores every power.",
)
@click.option(
    "--model",
    type=Choice(MODELS),
    help="Estimate energy with gate delays (glitch, the default) or without (zero-delay, which ignores glitches).",
)
@click.option(
    "--message", type=click.IntRange(1), metavar="BYTES", help="Set the message length; 64 unless set."
)
@click.option("--path", "show_path", is_flag=True, help="Print the longest path of the best netlist.")
@row_options
def command(
    choice: CoreChoice,
    libraries: tuple[Path, ...],
    profile: str | None,
    chosen: tuple[str, ...],
    targets: tuple[float, ...],
    netlist: Path | None,
    goal: str,
    model: str | None,
    message: int | None,
    show_path: bool,
) -> None:
    """Synthesise a hardware core: its area and minimum clock period on a cell library, by Yosys, a
    portfolio of abc scripts, and OpenSTA for every netlist. Stored netlists are used again. CORE is a name
    that `roundworks list cores` prints; with --sbox or --matrix it is the name of an entry of that file,
    and may be left out where the file has one.

    docs/reference/hardware.md explains scripts and figures.
    """
    stop_on_signals()
    if targets and not chosen:
        raise click.UsageError("--target: needs --script; a profile sets its own")
    if profile and chosen:
        raise click.UsageError("--profile: leave --script out; a profile sets its own")
    if goal != "energy" and (model or message):
        raise click.UsageError("--model, --message: need --goal energy")
    check_file(netlist)

    from ..studies.netlists import synthesise

    give(
        synthesise(
            choice,
            libraries,
            profile=profile,
            scripts=chosen,
            targets=targets,
            goal=goal,
            model=model or "glitch",
            message_bytes=message or 64,
            netlist=netlist,
            longest_path=show_path,
            shown=progress_bar,
        )
    )
