"""roundworks synth"""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

import click

from ..hardware.flow.scripts import LOOSE_PS, NAMES, PROFILES, portfolio
from ..hardware.power import MODELS
from .common import FiniteRange, check_file, deliver, err, file_option, make_rows, out, row_options, table
from .hardware import core_words, library_option, library_words, parameter_options
from .names import Choice, Name
from .signals import stop_on_signals

if TYPE_CHECKING:
    from ..hardware.cores import Core
    from ..hardware.flow.synthesis import Progress, Synthesis
    from ..hardware.library import Library

GOALS = ("delay", "area", "area-delay", "energy")


@click.command(
    "synth",
    help="Synthesise a hardware core: its area and minimum clock period on a cell library, by Yosys,"
    " a portfolio of abc scripts, and OpenSTA for every netlist. Stored netlists are used again."
    " CORE is a name that `roundworks list cores` prints; with --sbox or --matrix it is the name of"
    " an entry of that file, and may be left out where the file has one.\n\nScripts: "
    + ", ".join(NAMES)
    + ". docs/reference/hardware.md explains the figures.",
    epilog="Example: roundworks synth aes-round --library nangate45.lib.gz --profile quick",
)
@click.argument("name", metavar="[CORE]", required=False, type=Name("cores"))
@parameter_options
@file_option("--sbox", help="Read your S-box: as spec/sboxes.toml, or plain numbers.")
@file_option("--matrix", help="Read your matrix: as spec/matrices.toml, or rows of 0 and 1.")
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
    name: str | None,
    parameters: tuple[str, ...],
    file: Path | None,
    sbox: Path | None,
    matrix: Path | None,
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
    stop_on_signals()
    if targets and not chosen:
        raise click.UsageError("--target: needs --script; a profile sets its own")
    if profile and chosen:
        raise click.UsageError("--profile: leave --script out; a profile sets its own")
    if goal != "energy" and (model or message):
        raise click.UsageError("--model, --message: need --goal energy")
    check_file(netlist)

    from ..hardware.cores import assignments
    from ..hardware.flow.synthesis import synthesise
    from ..hardware.library import load
    from ..hardware.power.core import Settings
    from ..hardware.power.estimates import with_energy
    from ..studies.hardware_table import power_tools, synthesis_fields

    chosen, targets = tuple(dict.fromkeys(chosen)), tuple(dict.fromkeys(targets))
    subject = the_core(name, file, sbox, matrix)
    library = load(libraries)
    profile = profile or ("energy" if goal == "energy" else "quick")
    jobs = [(s, t) for s in chosen for t in targets or (None,)] or portfolio(profile)
    with progress_bar(subject.name) as show:
        netlists = synthesise(subject, assignments(parameters), library, jobs, progress=show)
    words = f"roundworks synth {core_words(name, netlists[0].parameters, file)}"
    words += own_words(sbox, matrix)
    words += library_words(libraries)
    words += "".join(f" --script {s}" for s in chosen) or f" --profile {profile}"
    words += "".join(f" --target {t:g}" for t in targets)
    powers: list[dict[str, Any]] = []
    if goal == "energy":
        settings = Settings(model or "glitch", message or 64)
        with progress_bar(f"{subject.name}: power") as show:
            netlists, powers = with_energy(
                subject, netlists[0].parameters, library, netlists, settings, progress=show
            )
        words += f" --goal energy --model {settings.model} --message {settings.message}"
    rows = make_rows("synthesis", [synthesis_fields(one) for one in netlists], words)
    rows += make_rows("power", [one | {"tools": power_tools(subject)} for one in powers], words)
    best = next(one for one in netlists if goal in one.best_for)
    if netlist is not None:
        part = netlist.with_name(netlist.name + ".part")
        shutil.copy(best.netlist, part)
        part.replace(netlist)
    if deliver(rows):
        print_synthesis(netlists, library)
        if show_path:
            out.print(best.netlist.with_name("path.txt").read_text(), markup=False)


def the_core(name: str | None, file: Path | None, sbox: Path | None, matrix: Path | None) -> Core:
    """A core by its name, or what a file of one S-box or matrix says."""
    if sum(given is not None for given in (file, sbox, matrix)) > 1:
        raise click.UsageError("want one of --cores, --sbox and --matrix")

    from ..hardware.cores import core, own
    from ..hardware.generate import component_files
    from ..hardware.generate.components import core_of

    if sbox is not None:
        return own(core_of(component_files.sbox(sbox, name)), sbox)
    if matrix is not None:
        return own(core_of(component_files.matrix(matrix, name)), matrix)
    if name is None:
        raise click.UsageError("want CORE, or --file, --sbox or --matrix with a file")
    return core(name, file)


def own_words(sbox: Path | None, matrix: Path | None) -> str:
    given = (("--sbox", sbox), ("--matrix", matrix))
    return "".join(f" {option} {shlex.quote(file.name)}" for option, file in given if file)


def print_synthesis(found: Sequence[Synthesis], library: Library) -> None:
    from ..hardware.cores import label

    first = found[0]
    table(
        f"{first.core}  {label(first.parameters)}  {first.library}",
        (
            "script",
            "target",
            "period, ps",
            "MHz",
            "kGE",
            "um2",
            "cells",
            "flops",
            "buffers",
            *(("pJ/bit",) if first.estimated else ()),
            "best for",
        ),
        [
            (
                s.script,
                target_of(s.target_ps),
                f"{s.period_ps:,.1f}",
                f"{1e6 / s.period_ps:,.1f}",
                f"{s.kge:,.3f}",
                f"{s.area_um2:,.5g}",
                s.cells,
                s.flops,
                s.buffers,
                *((f"{s.pj_per_bit:,.4g}",) if first.estimated else ()),
                ", ".join(s.best_for),
            )
            for s in sorted(found, key=lambda s: s.period_ps)
        ],
        right=(2, 3, 4, 5, 6, 7, 8, 9) if first.estimated else (2, 3, 4, 5, 6, 7, 8),
    )
    if first.estimated:
        out.print(f"energy: {first.estimated}, at the period of each", markup=False)
    out.print(
        f"inputs driven by {first.conditions['driver']}, {first.conditions['load_ff']:.3g} fF at outputs;"
        f" 1 GE = {first.nand2_um2:g} um2 ({library.nand2.name})",
        markup=False,
    )


def target_of(target: float | None) -> str:
    if target is None:
        return "minimum delay"
    return "minimum area" if target == LOOSE_PS else f"{target:,g} ps"


@contextmanager
def progress_bar(name: str) -> Iterator[Any]:
    """Netlists done, time left by those that are, the fastest so far. On a terminal only."""
    if not err.is_terminal:
        yield lambda p: None
        return

    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    columns = (
        TextColumn("{task.description}"),
        BarColumn(30),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[left]}  {task.fields[best]}"),
    )
    started = monotonic()
    with Bar(*columns, console=err, transient=True) as bar:
        task = bar.add_task(f"{name}: elaborating", total=None, left="", best="")

        def show(p: Progress) -> None:
            rest = (monotonic() - started) / p.done * (p.total - p.done) if p.done else 0
            bar.update(
                task,
                description=name,
                total=p.total,
                completed=p.done,
                left=f"about {rest:.0f} s left" if p.done else "",
                best=f"fastest {p.best.period_ps:,.1f} ps, {p.best.kge:.2f} kGE" if p.best else "",
            )

        yield show
