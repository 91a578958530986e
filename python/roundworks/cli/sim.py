"""roundworks sim"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..hardware.flow import SIMULATORS
from .common import NO, YES, check_file, deliver, file_option, make_rows, out, row_options, show, table
from .hardware import core_options, core_words, library_words, the_name
from .names import complete_test
from .signals import stop_on_signals

if TYPE_CHECKING:
    from ..hardware.flow.simulate import Simulation


@click.command(
    "sim",
    help="Simulate a hardware core and compare its outputs with the Python reference, with and"
    " without stalls and with resets in the middle, and count its cycles. CORE is a name in"
    " rtl/cores.toml; `roundworks list cores` prints them. Exits 1 if a test fails.",
    epilog="Example: roundworks sim aes-sbox --parameter Sbox=canright --simulator icarus",
)
@core_options
@click.option(
    "--simulator",
    type=click.Choice(SIMULATORS),
    help="Choose the simulator. verilator unless set; with --waves icarus, which can record every core.",
)
@file_option("--netlist", help="Simulate this Verilog netlist in place of the core's source.", exists=True)
@file_option(
    "--library",
    "libraries",
    multiple=True,
    help="Read the cell library of the netlist from FILE, in Liberty, plain or .gz; may be repeated."
    " Debian's OSU 018 unless set.",
)
@click.option(
    "--test",
    "tests",
    multiple=True,
    metavar="NAME",
    shell_complete=complete_test,
    help="Run only this test of the core; may be repeated. All tests unless set.",
)
@click.option(
    "--seed",
    type=click.IntRange(0),
    default=1,
    show_default=True,
    help="Set the seed of the random messages and stalls.",
)
@file_option("--waves", help="Record every signal in FILE, in VCD.")
@row_options
def command(
    name: str | None,
    parameters: tuple[str, ...],
    file: Path | None,
    simulator: str | None,
    netlist: Path | None,
    libraries: tuple[Path, ...],
    tests: tuple[str, ...],
    seed: int,
    waves: Path | None,
) -> int:
    stop_on_signals()
    name = the_name(name)
    if libraries and netlist is None:
        raise click.UsageError("--library: needs --netlist; a source needs no cells")
    check_file(waves)

    from ..hardware.cores import assignments, core
    from ..hardware.flow.simulate import simulate
    from ..hardware.library import load
    from ..hardware.library.models import models_of

    subject = core(name, file)
    simulator = simulator or ("icarus" if waves else "verilator")
    models = (models_of(netlist, load(libraries)),) if netlist else ()
    simulation = simulate(
        subject,
        assignments(parameters),
        simulator=simulator,
        seed=seed,
        netlist=netlist,
        models=models,
        tests=tests,
        waves=waves,
    )
    words = f"roundworks sim {core_words(name, simulation.parameters, file)} --simulator {simulator}"
    words += (f" --netlist {netlist.name}" if netlist else "") + f" --seed {seed}"
    words += library_words(libraries)
    words += "".join(f" --test {test}" for test in tests)
    rows = make_rows("simulation", [fields(simulation)], words)
    if deliver(rows):
        print_simulation(simulation)
    return NO if simulation.failed else YES


def fields(found: Simulation) -> dict[str, Any]:
    """Fields of a row."""
    from ..hardware.flow.tools import versions

    made = asdict(found) | {"tests": [asdict(t) for t in found.tests], "reports": list(found.reports)}
    if found.source_sha256 is None:
        del made["source_sha256"]
    program = "iverilog" if found.simulator == "icarus" else found.simulator
    return made | {"tools": versions(program, "cocotb")}


def print_simulation(found: Simulation) -> None:
    from ..hardware.cores import label

    where = f"{found.simulator} {found.version}" + (", netlist" if found.netlist else "")
    table(
        f"{found.core}  {label(found.parameters)}  {where}",
        ("test", "result", ""),
        [(t.name, "passed" if t.passed else "failed", t.message) for t in found.tests],
    )
    for report in found.reports:
        out.print("  ".join(f"{k} {show(v)}" for k, v in report.items()), markup=False)
    passed = len(found.tests) - len(found.failed)
    out.print(f"{passed:,} passed, {len(found.failed):,} failed, seed {found.seed}", markup=False)
