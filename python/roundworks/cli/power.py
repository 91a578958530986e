"""roundworks power"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..hardware.flow.scripts import NAMES
from ..hardware.power import MODELS
from .common import FiniteRange, file_option, give, row_options
from .hardware import core_options, library_option, progress_bar
from .names import Choice
from .signals import stop_on_signals

if TYPE_CHECKING:
    from ..studies.hardware import CoreChoice

GOALS = ("delay", "area", "area-delay")


@click.command("power", epilog="Example: roundworks power aes-iterative --clock 10 --message 256")
@core_options
@library_option
@file_option(
    "--netlist",
    help="Read the flat Verilog netlist of the library's cells from FILE; the best one of `synth`"
    " unless set.",
    exists=True,
)
@click.option(
    "--goal",
    "goals",
    type=Choice(GOALS),
    multiple=True,
    help="Choose what the netlist of `synth` minimises; may be repeated. area-delay unless set.",
)
@click.option(
    "--script",
    "scripts",
    type=Choice(NAMES),
    multiple=True,
    help="Add the netlist of this abc script to the two of `synth --profile quick`; may be repeated.",
)
@click.option(
    "--clock",
    type=FiniteRange(0, min_open=True),
    metavar="MHZ",
    help="Set the clock frequency in megahertz; the maximum by OpenSTA's timing analysis unless set.",
)
@click.option(
    "--model",
    type=Choice(MODELS),
    default="glitch",
    show_default=True,
    help="Choose the toggle model: glitch simulates the delay of every gate, zero-delay ignores glitches.",
)
@click.option(
    "--message",
    type=click.IntRange(1),
    default=1024,
    show_default=True,
    metavar="BYTES",
    help="Set the length of the message in bytes.",
)
@click.option(
    "--ad",
    type=click.IntRange(0),
    default=0,
    show_default=True,
    metavar="BYTES",
    help="Set the length of the associated data in bytes.",
)
@click.option(
    "--seed",
    type=click.IntRange(0),
    default=1,
    show_default=True,
    help="Set the seed of the random key and message.",
)
@row_options
def command(
    choice: CoreChoice,
    libraries: tuple[Path, ...],
    netlist: Path | None,
    goals: tuple[str, ...],
    scripts: tuple[str, ...],
    clock: float | None,
    model: str,
    message: int,
    ad: int,
    seed: int,
) -> None:
    """Estimate the power of a synthesised core while it encrypts a message: leakage, internal and switching
    power, from the toggles of a gate-level simulation. docs/reference/power.md explains how each component
    is computed.
    """
    stop_on_signals()
    if netlist is not None and (goals or scripts):
        raise click.UsageError("--goal, --script: leave --netlist out; they choose a netlist")

    from ..hardware.power.core import Settings
    from ..studies.netlists import estimate_power

    estimate_power(
        choice,
        libraries,
        Settings(model, message, ad, seed, clock),
        goals=goals or ("area-delay",),
        scripts=scripts,
        netlist=netlist,
        keep=give,
        shown=progress_bar,
    )
