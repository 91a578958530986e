"""roundworks power"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..hardware.flow.scripts import NAMES, portfolio
from ..hardware.power import MODELS
from .common import FiniteRange, deliver, file_option, make_rows, out, row_options, table
from .hardware import core_options, core_words, library_option, library_words, the_name
from .names import Choice
from .signals import stop_on_signals
from .synth import progress_bar

if TYPE_CHECKING:
    from ..hardware.cores import Core
    from ..hardware.flow.synthesis import Synthesis
    from ..hardware.library import Library
    from ..hardware.power.core import CorePower

GOALS = ("delay", "area", "area-delay")


@click.command(
    "power",
    help="Estimate the power of a synthesised core while it encrypts a message: leakage, internal and"
    " switching power, from the toggles of a gate-level simulation. docs/reference/power.md"
    " explains how each component is computed.",
    epilog="Example: roundworks power aes-iterative --clock 10 --message 256",
)
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
    name: str | None,
    parameters: tuple[str, ...],
    file: Path | None,
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
    stop_on_signals()
    name = the_name(name)

    from ..hardware.cores import assignments, core
    from ..hardware.library import load
    from ..hardware.power.core import Settings, core_power
    from ..studies.hardware_table import power_tools

    subject = core(name, file)
    chosen = subject.chosen(assignments(parameters))
    words = f"roundworks power {core_words(name, chosen, file)}{library_words(libraries)}"
    words += f" --netlist {netlist.name}" if netlist else ""
    words += (f" --clock {clock:g}" if clock else "") + f" --model {model} --message {message}"
    if netlist is not None and (goals or scripts):
        raise click.UsageError("--goal, --script: leave --netlist out; they choose a netlist")
    words += "".join(f" --goal {goal}" for goal in goals)
    words += "".join(f" --script {script}" for script in scripts)
    cells = load(libraries)
    if netlist is not None:
        made = {netlist: "given"}
    else:
        best = synthesised(subject, chosen, cells, goals or ("area-delay",), scripts)
        made = {one.netlist: one.script for one in best}
    words += (f" --ad {ad}" if ad else "") + f" --seed {seed}"
    for gates, script in made.items():
        estimate = core_power(
            subject, chosen, cells, gates, Settings(model, message, ad, seed, clock), script=script
        )
        rows = make_rows("power", [estimate.fields | {"tools": power_tools(subject)}], words)
        if deliver(rows):
            print_power(estimate)


def synthesised(
    it: Core, chosen: dict[str, str], library: Library, goals: tuple[str, ...], scripts: tuple[str, ...]
) -> list[Synthesis]:
    """The netlists that `roundworks synth` writes for these goals, each once."""
    from ..hardware.flow.synthesis import synthesise

    jobs = portfolio("quick")
    jobs += [job for script in scripts if (job := (script, None)) not in jobs]
    with progress_bar(it.name) as show:
        made = synthesise(it, chosen, library, jobs, progress=show)
    return [one for one in made if set(goals) & set(one.best_for)]


def print_power(found: CorePower) -> None:
    from ..hardware.cores import label

    one = found.fields
    power = found.breakdown.at(found.period, found.simulated)
    flops = found.breakdown.clocked
    share = found.simulated / found.period
    table(
        f"{found.core}  {label(found.parameters)}  {one['library']}, {one['voltage']:g} V,"
        f" {one['clock_mhz']:,.4g} MHz; mW",
        ("component", "all", "flip-flops"),
        [
            ("leakage", power.leakage * 1e3, flops.leakage * 1e3),
            ("internal", power.internal * 1e3, flops.internal * share * 1e3),
            ("switching", power.switching * 1e3, flops.switching * share * 1e3),
            ("total", power.total * 1e3, None),
            ("charging inputs and clock, outside the core", power.inputs * 1e3, None),
        ],
        right=(1, 2),
    )
    out.print(
        f"{one['energy_pj'] / found.cycles:,.4g} pJ per cycle, {one['pj_per_bit']:,.4g} pJ per bit of"
        f" {found.work.what}",
        markup=False,
    )
    out.print(
        f"{found.settings.model}: {found.activity.toggles_per_cycle:,.1f} toggles per cycle on"
        f" {found.nets:,} nets, over"
        f" {found.cycles:,} cycles; OpenSTA allows {1e-6 / found.minimum:,.4g} MHz",
        markup=False,
    )
