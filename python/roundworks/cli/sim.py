"""roundworks sim"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..hardware.flow import DRIVERS, SIMULATORS
from .common import NO, YES, check_file, err, file_option, give, row_options
from .hardware import core_options
from .names import complete_test
from .signals import stop_on_signals

if TYPE_CHECKING:
    from ..studies.hardware import CoreChoice


@click.command("sim", epilog="Example: roundworks sim aes-sbox --parameter Sbox=canright --simulator icarus")
@functools.partial(core_options, simulated=False)
@click.option(
    "--driver",
    type=click.Choice(DRIVERS),
    help="Drive an AEAD core by something other than its bench in Python. cpp: a bench in C++, with the coverage of"
    " the source. symbolic: unknown bits, which proves that"
    " messages of up to three blocks give what the description gives. control: a user who waits at will,"
    " which proves that the core keeps to ready and valid. leakage: probes of a masked core, exactly, and a"
    " t-test of its toggles.",
)
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
    choice: CoreChoice,
    driver: str | None,
    simulator: str | None,
    netlist: Path | None,
    libraries: tuple[Path, ...],
    tests: tuple[str, ...],
    seed: int,
    waves: Path | None,
) -> int:
    """Simulate a hardware core and compare its outputs with the Python reference, with and without stalls
    and with resets in the middle, and count its cycles. CORE is a name in rtl/cores.toml; `roundworks list
    cores` prints them. Exits 1 if a test fails.
    """
    stop_on_signals()
    if libraries and netlist is None:
        raise click.UsageError("--library: needs --netlist; a source needs no cells")
    check_file(waves)

    from ..studies.hardware import prove, simulate

    if driver and (simulator or netlist or waves):
        raise click.UsageError("--driver: leave --simulator, --netlist and --waves out; it reads the source")
    if driver == "cpp":
        if tests:
            raise click.UsageError("--driver cpp: leave --test out; it has one")
        from ..studies.hardware_bench import drive

        with err.status(f"{choice.core.name}: building and running the C++ bench"):
            result = drive(choice, seed=seed)
    elif driver:
        with err.status("") as status:
            result = prove(choice, driver, tests=tests, seed=seed, progress=status.update)
    else:
        result = simulate(
            choice, simulator, seed=seed, tests=tests, netlist=netlist, libraries=libraries, waves=waves
        )
    give(result)
    return YES if all(test["passed"] for row in result for test in row.tests) else NO
