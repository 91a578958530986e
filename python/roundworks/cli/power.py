"""roundworks power"""

from __future__ import annotations

from pathlib import Path

import click

from ..hardware.cores import assignments, core, label
from ..hardware.liberty import load
from ..hardware.power.activity import MODELS
from ..hardware.power.core import CorePower, core_power
from .common import deliver, make_rows, out, row_options, table
from .hardware import core_options, core_words

DEFAULT = Path("/usr/share/qflow/tech/osu018/osu018_stdcells.lib")


@click.command(
    "power",
    help="Power of a core's netlist while it encrypts a message: leakage, internal and switching,"
    " from a simulation of its gates, with the delays of every gate, so that glitches count, or"
    " without. docs/power.md says how each part is computed.",
    epilog="Example: roundworks power aes-iterative --netlist aes.v --clock 10 --message 256",
)
@core_options
@click.option("--library", "libraries", multiple=True, metavar="FILE",
              type=click.Path(path_type=Path, dir_okay=False),
              help="Liberty, plain or .gz; several are read as one. Debian's osu018 unless set.")  # fmt: skip
@click.option("--netlist", required=True, metavar="FILE",
              type=click.Path(path_type=Path, exists=True, dir_okay=False),
              help="Flat Verilog of the library's cells.")  # fmt: skip
@click.option("--clock", type=click.FloatRange(0, min_open=True), metavar="MHZ",
              help="The fastest that OpenSTA allows unless set.")  # fmt: skip
@click.option("--model", type=click.Choice(MODELS), default="glitch", show_default=True)
@click.option("--message", type=click.IntRange(1), default=1024, show_default=True, metavar="BYTES")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True)
@row_options
def command(
    name: str, parameters: tuple[str, ...], file: Path | None, libraries: tuple[Path, ...],
    netlist: Path, clock: float | None, model: str, message: int, seed: int, as_json: bool,
    no_store: bool,
) -> None:  # fmt: skip
    it = core(name, file)
    found = core_power(
        it, assignments(parameters), load(libraries or (DEFAULT,)), netlist, model=model,
        period=1e-6 / clock if clock else None, message=message, seed=seed,
    )  # fmt: skip
    words = f"roundworks power {core_words(name, found.parameters, file)}"
    words += "".join(f" --library {one.name}" for one in libraries)
    words += f" --netlist {netlist.name}" + (f" --clock {clock:g}" if clock else "")
    words += f" --model {model} --message {message} --seed {seed}"
    rows = make_rows("power", [found.fields], words)
    deliver(rows, as_json=as_json, no_store=no_store)
    if not as_json:
        print_power(found)


def print_power(found: CorePower) -> None:
    one = found.fields
    power = found.breakdown.at(found.period, found.simulated)
    held = found.breakdown.clocked
    share = found.simulated / found.period
    table(
        f"{found.core}  {label(found.parameters)}  {one['library']}, {one['voltage']:g} V,"
        f" {one['clock_mhz']:.4g} MHz; mW",
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
        f"{one['energy_pj'] / found.clocks:.4g} pJ a clock, {one['pj_per_bit']:.4g} pJ a bit of"
        f" {found.what}", markup=False,
    )  # fmt: skip
    out.print(
        f"{found.model}: {found.toggles:.5g} toggles a clock on {found.nets} nets, over"
        f" {found.clocks} clocks; OpenSTA allows {1e-6 / found.least:.4g} MHz", markup=False,
    )  # fmt: skip
