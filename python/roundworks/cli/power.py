"""roundworks power"""

from __future__ import annotations

from pathlib import Path

import click

from ..hardware import library
from ..hardware.cores import Core, assignments, core, label
from ..hardware.liberty import load
from ..hardware.library import DEFAULT
from ..hardware.power.activity import MODELS
from ..hardware.power.core import CorePower, core_power
from ..hardware.scripts import NAMES, portfolio
from ..hardware.synthesise import Synthesis, synthesise
from .common import FiniteRange, deliver, make_rows, out, row_options, table
from .hardware import (
    core_options,
    core_words,
    library_option,
    library_words,
    power_tools,
)
from .names import Choice
from .signals import stop_on_signals
from .synth import progress_bar

GOALS = ("delay", "area", "area-delay")


@click.command(
    "power",
    help="Estimate the power of a synthesised core while it encrypts a message: leakage, internal and"
    " switching power, from a gate-level simulation with the delay of every gate, which counts"
    " glitches, or without. docs/power.md explains how each component is computed.",
    epilog="Example: roundworks power aes-iterative --clock 10 --message 256",
)
@core_options
@library_option
@click.option(
    "--netlist",
    metavar="FILE",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Flat Verilog netlist of the library's cells; the best of `synth` unless set.",
)
@click.option(
    "--goal",
    "goals",
    type=Choice(GOALS),
    multiple=True,
    help="What the netlist of `synth` minimises; may be repeated. area-delay unless set.",
)
@click.option("--script", "scripts", type=Choice(NAMES), multiple=True,
              help="Add the netlist of this script to the two of `synth --profile quick`.")  # fmt: skip
@click.option("--clock", type=FiniteRange(0, min_open=True), metavar="MHZ",
              help="Clock frequency; the maximum that OpenSTA allows unless set.")  # fmt: skip
@click.option("--model", type=Choice(MODELS), default="glitch", show_default=True,
              help="Toggle model; zero-delay ignores glitches.")  # fmt: skip
@click.option("--message", type=click.IntRange(1), default=1024, show_default="1,024",
              metavar="BYTES", help="Length of the message.")  # fmt: skip
@click.option("--ad", type=click.IntRange(0), default=0, show_default=True, metavar="BYTES",
              help="Length of the associated data.")  # fmt: skip
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True,
              help="Seed of the key and message.")  # fmt: skip
@row_options
def command(
    name: str, parameters: tuple[str, ...], file: Path | None, libraries: tuple[Path, ...],
    netlist: Path | None, goals: tuple[str, ...], scripts: tuple[str, ...], clock: float | None,
    model: str, message: int, ad: int, seed: int, as_json: bool, no_store: bool,
) -> None:  # fmt: skip
    stop_on_signals()
    it = core(name, file)
    chosen = it.chosen(assignments(parameters))
    words = f"roundworks power {core_words(name, chosen, file)}{library_words(libraries)}"
    words += f" --netlist {netlist.name}" if netlist else ""
    words += (f" --clock {clock:g}" if clock else "") + f" --model {model} --message {message}"
    if netlist is not None and (goals or scripts):
        raise click.UsageError("--goal, --script: want no --netlist beside them; they choose one")
    words += "".join(f" --goal {goal}" for goal in goals)
    words += "".join(f" --script {script}" for script in scripts)
    if netlist is not None:
        made = {netlist: "given"}
    else:
        best = synthesised(it, chosen, libraries, goals or ("area-delay",), scripts)
        made = {one.netlist: one.script for one in best}
    words += (f" --ad {ad}" if ad else "") + f" --seed {seed}"
    cells = load(libraries or (DEFAULT,))
    for gates, script in made.items():
        found = core_power(
            it, chosen, cells, gates, script=script, model=model,
            period=1e-6 / clock if clock else None, message=message, ad=ad, seed=seed,
        )  # fmt: skip
        rows = make_rows("power", [found.fields | {"tools": power_tools(it)}], words)
        deliver(rows, as_json=as_json, no_store=no_store)
        if not as_json:
            print_power(found)


def synthesised(
    it: Core, chosen: dict[str, str], libraries: tuple[Path, ...], goals: tuple[str, ...],
    scripts: tuple[str, ...],
) -> list[Synthesis]:  # fmt: skip
    """The netlists that `roundworks synth` writes for these goals, each once."""
    jobs = portfolio("quick")
    jobs += [job for script in scripts if (job := (script, None)) not in jobs]
    with progress_bar(it.name) as show:
        made = synthesise(it, chosen, library.load(libraries), jobs, progress=show)
    return [one for one in made if set(goals) & set(one.best_for)]


def print_power(found: CorePower) -> None:
    one = found.fields
    power = found.breakdown.at(found.period, found.simulated)
    held = found.breakdown.clocked
    share = found.simulated / found.period
    table(
        f"{found.core}  {label(found.parameters)}  {one['library']}, {one['voltage']:g} V,"
        f" {one['clock_mhz']:,.4g} MHz; mW",
        ("", "all", "flops"),
        [
            ("leakage", power.leakage * 1e3, held.leakage * 1e3),
            ("internal", power.internal * 1e3, held.internal * share * 1e3),
            ("switching", power.switching * 1e3, held.switching * share * 1e3),
            ("total", power.total * 1e3, None),
            ("outside, for its inputs and clock", power.inputs * 1e3, None),
        ],
        right=(1, 2),
    )
    out.print(
        f"{one['energy_pj'] / found.clocks:,.4g} pJ a clock, {one['pj_per_bit']:,.4g} pJ a bit of"
        f" {found.what}", markup=False,
    )  # fmt: skip
    out.print(
        f"{found.model}: {found.toggles:,.1f} toggles a clock on {found.nets:,} nets, over"
        f" {found.clocks:,} clocks; OpenSTA allows {1e-6 / found.least:,.4g} MHz", markup=False,
    )  # fmt: skip
