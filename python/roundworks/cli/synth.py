"""roundworks synth"""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from time import monotonic
from typing import Any

import click
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bar

from ..hardware import component_files, liberty
from ..hardware.components import core_of
from ..hardware.cores import Core, assignments, core, label, own
from ..hardware.library import DEFAULT, Library, load
from ..hardware.power.activity import MODELS
from ..hardware.power.objective import Pricing, priced
from ..hardware.scripts import LOOSE_PS, NAMES, PROFILES, portfolio
from ..hardware.synthesise import Progress, Synthesis, synthesise
from ..hardware.tools import versions
from .common import FiniteRange, check_file, deliver, err, make_rows, out, row_options, table
from .hardware import (
    core_words,
    library_option,
    library_words,
    parameter_options,
    power_tools,
)
from .names import Choice, Name
from .signals import stop_on_signals

GOALS = ("delay", "area", "area-delay", "energy")


@click.command(
    "synth",
    help="Synthesise a hardware core: its area and minimum clock period on a cell library, by Yosys,"
    " a portfolio of abc scripts, and OpenSTA for every netlist. Stored netlists are used again."
    " CORE is a name that `roundworks list cores` prints; with --sbox or --matrix it is the name of"
    " an entry of that file, and may be left out where the file has one.\n\nScripts: "
    + ", ".join(NAMES)
    + ". docs/hardware.md explains the figures.",
    epilog="Example: roundworks synth aes-round --library nangate45.lib.gz --profile quick",
)
@click.argument("name", metavar="[CORE]", required=False, type=Name("cores"))
@parameter_options
@click.option("--sbox", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
              help="S-box of your own: as spec/sboxes.toml, or plain numbers.")  # fmt: skip
@click.option("--matrix", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
              help="Matrix of your own: as spec/matrices.toml, or rows of 0 and 1.")  # fmt: skip
@library_option
@click.option("--profile", type=Choice(PROFILES), default=None,
              help="Number of netlists: quick makes two, full two per script, energy five. quick"
              " unless set, energy with --goal energy.")  # fmt: skip
@click.option("--script", "chosen", type=Choice(NAMES), multiple=True,
              help="Run this script instead of a profile; may be repeated.")  # fmt: skip
@click.option("--target", "targets", type=FiniteRange(min=1), multiple=True, metavar="PS",
              help="Target delay of these scripts; the minimum unless set.")  # fmt: skip
@click.option("--netlist", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
              help="Write the best netlist to FILE, in Verilog.")  # fmt: skip
@click.option("--goal", type=Choice(GOALS), default="area-delay", show_default=True,
              help="What the best netlist minimises. energy also estimates and stores the power"
              " of every netlist.")  # fmt: skip
@click.option("--model", type=Choice(MODELS),
              help="Toggle model of the energy estimate; zero-delay ignores glitches. [glitch]")  # fmt: skip
@click.option("--message", type=click.IntRange(1), metavar="BYTES",
              help="Message length for the energy estimate. [64]")  # fmt: skip
@click.option(
    "--path", "show_path", is_flag=True, help="Print the longest path of the best netlist."
)
@row_options
def command(
    name: str | None, parameters: tuple[str, ...], file: Path | None, sbox: Path | None,
    matrix: Path | None, libraries: tuple[Path, ...],
    profile: str | None, chosen: tuple[str, ...], targets: tuple[float, ...], netlist: Path | None,
    goal: str, model: str | None, message: int | None, show_path: bool, as_json: bool, no_store: bool,
) -> None:  # fmt: skip
    stop_on_signals()
    if targets and not chosen:
        raise click.UsageError("--target: want --script beside it; a profile has its own")
    if profile and chosen:
        raise click.UsageError("--profile: want no --script beside it; a profile has its own")
    if goal != "energy" and (model or message):
        raise click.UsageError("--model, --message: want --goal energy beside them")
    check_file(netlist)
    chosen, targets = tuple(dict.fromkeys(chosen)), tuple(dict.fromkeys(targets))
    it = the_core(name, file, sbox, matrix)
    library = load(libraries)
    profile = profile or ("energy" if goal == "energy" else "quick")
    jobs = [(s, t) for s in chosen for t in targets or (None,)] or portfolio(profile)
    with progress_bar(it.name) as show:
        found = synthesise(it, assignments(parameters), library, jobs, progress=show)
    words = f"roundworks synth {core_words(name, found[0].parameters, file)}"
    words += own_words(sbox, matrix)
    words += library_words(libraries)
    words += "".join(f" --script {s}" for s in chosen) or f" --profile {profile}"
    words += "".join(f" --target {t:g}" for t in targets)
    powers: list[dict[str, Any]] = []
    if goal == "energy":
        how = Pricing(model or "glitch", message or 64)
        cells = liberty.load(libraries or (DEFAULT,))
        with progress_bar(f"{it.name}: power") as show:
            found, powers = priced(it, found[0].parameters, cells, found, how, progress=show)
        words += f" --goal energy --model {how.model} --message {how.message}"
    rows = make_rows("synthesis", [fields(one) for one in found], words)
    rows += make_rows("power", [one | {"tools": power_tools(it)} for one in powers], words)
    best = next(one for one in found if goal in one.best_for)
    if netlist is not None:
        part = netlist.with_name(netlist.name + ".part")
        shutil.copy(best.netlist, part)
        part.replace(netlist)
    deliver(rows, as_json=as_json, no_store=no_store)
    if not as_json:
        print_synthesis(found, library)
        if show_path:
            out.print(best.netlist.with_name("path.txt").read_text(), markup=False)


def the_core(name: str | None, file: Path | None, sbox: Path | None, matrix: Path | None) -> Core:
    """A core by its name, or what a file of one S-box or matrix says."""
    if sum(given is not None for given in (file, sbox, matrix)) > 1:
        raise click.UsageError("want one of --cores, --sbox and --matrix")
    if sbox is not None:
        return own(core_of(component_files.sbox(sbox, name)), sbox)
    if matrix is not None:
        return own(core_of(component_files.matrix(matrix, name)), matrix)
    if name is None:
        raise click.UsageError("want CORE, or --sbox or --matrix with a file")
    return core(name, file)


def own_words(sbox: Path | None, matrix: Path | None) -> str:
    given = (("--sbox", sbox), ("--matrix", matrix))
    return "".join(f" {option} {shlex.quote(file.name)}" for option, file in given if file)


def fields(one: Synthesis) -> dict[str, Any]:
    """Fields of a row; where the netlist lies is nobody else's."""
    found = asdict(one) | {"best_for": list(one.best_for)}
    del found["netlist"]
    if one.pj_per_bit is None:
        del found["pj_per_bit"], found["priced"]
    return found | {
        "tools": versions("pyosys", "sta"),
        "period_ps": round(one.period_ps, 3), "kge": round(one.kge, 4),
        "seconds": round(one.seconds, 2), "load_ff": round(one.load_ff, 6),
    }  # fmt: skip


def print_synthesis(found: Sequence[Synthesis], library: Library) -> None:
    first = found[0]
    table(
        f"{first.core}  {label(first.parameters)}  {first.library}",
        ("script", "asked for", "ps", "MHz", "kGE", "um2", "cells", "flops", "buffers",
         *(("pJ/bit",) if first.priced else ()), "best for"),
        [
            (s.script, asked(s.target_ps), f"{s.period_ps:,.1f}", f"{1e6 / s.period_ps:,.1f}",
             f"{s.kge:,.3f}", f"{s.area_um2:,.5g}", s.cells, s.flops, s.buffers,
             *((f"{s.pj_per_bit:,.4g}",) if first.priced else ()), ", ".join(s.best_for))
            for s in sorted(found, key=lambda s: s.period_ps)
        ],
        right=(2, 3, 4, 5, 6, 7, 8, 9) if first.priced else (2, 3, 4, 5, 6, 7, 8),
    )  # fmt: skip
    if first.priced:
        out.print(f"energy: {first.priced}, at the period of each", markup=False)
    out.print(
        f"inputs driven by {first.driver}, {first.load_ff:.3g} fF at outputs; 1 GE ="
        f" {first.nand2_um2:g} um2 ({library.nand2.name})",
        markup=False,
    )


def asked(target: float | None) -> str:
    if target is None:
        return "least delay"
    return "least area" if target == LOOSE_PS else f"{target:,g} ps"


@contextmanager
def progress_bar(name: str) -> Iterator[Any]:
    """Netlists done, time left by those that are, the fastest so far. On a terminal only."""
    if not err.is_terminal:
        yield lambda p: None
        return
    columns = (
        TextColumn("{task.description}"), BarColumn(30), MofNCompleteColumn(),
        TimeElapsedColumn(), TextColumn("{task.fields[left]}  {task.fields[best]}"),
    )  # fmt: skip
    started = monotonic()
    with Bar(*columns, console=err, transient=True) as bar:
        task = bar.add_task(f"{name}: elaborating", total=None, left="", best="")

        def show(p: Progress) -> None:
            rest = (monotonic() - started) / p.done * (p.total - p.done) if p.done else 0
            bar.update(
                task, description=name, total=p.total, completed=p.done,
                left=f"about {rest:.0f} s left" if p.done else "",
                best=f"fastest {p.best.period_ps:,.1f} ps, {p.best.kge:.2f} kGE" if p.best else "",
            )  # fmt: skip

        yield show
