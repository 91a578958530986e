"""roundworks hw-report"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import unknown
from .common import deliver, file_option, out, row_option, row_options, table
from .names import Name, complete_parameter
from .signals import stop_on_signals

if TYPE_CHECKING:
    from ..report.hardware import Hardware, LibrarySection, Missing
    from ..report.hardware_rows import NetlistLine, Printed
    from ..report.hardware_sources import Sources
    from ..rows import Row

_KINDS = ("simulation", "synthesis", "power", "fpga")
_CORES = (
    "core",
    "best for",
    "script",
    "ps",
    "MHz",
    "kGE",
    "bits/cycle",
    "Gbit/s",
    "Gbit/s/kGE",
    "bits/cycle/kGE",
    "leak mW",
    "dyn mW",
    "at MHz",
    "pJ/bit",
)
_SHOWN = 3  # names of cores in a line of what is missing


@click.command("hw-report", epilog="Example: roundworks hw-report --core aegis128-to2")
@click.option(
    "--library",
    metavar="NAME",
    help="Print only the cores in this cell library, the name of a Liberty file without its suffix.",
)
@click.option(
    "--core",
    "name",
    metavar="NAME",
    type=Name("cores"),
    help="Print, or with --drawings draw, only this core. All unless set.",
)
@click.option(
    "--drawings",
    is_flag=True,
    help="Draw the block diagram of the core, or of every core, and simulate the path of its words"
    " through the pipeline where the core has a trace.",
)
@click.option(
    "--missing", "in_full", is_flag=True, help="Print the command that computes each missing result."
)
@click.option(
    "--parameter",
    "parameters",
    multiple=True,
    metavar="NAME=CHOICE",
    shell_complete=complete_parameter,
    help="Set a parameter of the core to draw; may be repeated. A parameter that is not set has its default.",
)
@file_option(
    "--cores",
    "file",
    help="Read the cores from FILE, a cores.toml of your own; docs/reference/hardware.md has its form.",
)
@row_options
def command(
    library: str | None,
    name: str | None,
    drawings: bool,
    in_full: bool,
    parameters: tuple[str, ...],
    file: Path | None,
) -> None:
    """Print the stored hardware results as tables: every core in every cell library next to the published
    designs, goals, FPGAs and simulations, and what is missing. Areas, clocks and powers are estimates
    before layout. With --drawings, draw cores for the report instead.
    """
    stop_on_signals()
    if drawings:
        if library or in_full:
            raise click.UsageError("--library, --missing: leave --drawings out")
        draw(name, parameters, file)
        return
    if parameters:
        raise click.UsageError("--parameter: of a core that is drawn; want --drawings with it")
    from ..report.hardware import hardware

    by_kind, newest = chosen_rows(library, name, file)
    tables = hardware(*by_kind, newest=newest)
    if name:
        tables = of_core(tables, name)
    if row_option("json"):
        for line in as_objects(tables):
            sys.stdout.write(json.dumps(line, ensure_ascii=False) + "\n")
    elif in_full:
        print_commands(tables.missing)
    else:
        print_hardware(tables)


def draw(name: str | None, parameters: tuple[str, ...], file: Path | None) -> None:
    """Draw one core or every one, store the rows and say what was drawn."""
    from ..studies.drawings import draw

    if parameters and not name:
        raise click.UsageError("--parameter: of one core; want --core NAME with it")
    drawn = draw(name, parameters, file)
    if deliver(drawn.rows):
        for note in drawn.notes:
            out.print(note, markup=False)


def chosen_rows(library: str | None, name: str | None, file: Path | None) -> tuple[list[list[Row]], Sources]:
    """The rows of each kind, of every core, for goals compare; and the sources that rows of every
    library tell. An unknown name is an error."""
    from ..hardware.cores import cores
    from ..hardware.generate.components import components
    from ..hardware.generate.rav import rav_cores
    from ..report.hardware_sources import sources
    from ..rows import Store

    store = Store()
    by_kind = [store.read(kind) for kind in _KINDS]
    if name:
        known = {row["core"] for rows in by_kind for row in rows} | {each.name for each in cores(file)}
        _known("core", name, known if file else known | {*rav_cores(), *components()})
    newest = sources(*by_kind)
    return (of_library(by_kind, library) if library else by_kind), newest


def of_library(by_kind: Sequence[Sequence[Row]], name: str) -> list[list[Row]]:
    """Rows of one library, and those of none."""
    _known("library", name, {row["library"] for rows in by_kind for row in rows if "library" in row})
    return [[row for row in rows if row.get("library", name) == name] for rows in by_kind]


def _known(kind: str, name: str, known: set[str]) -> None:
    if name not in known:
        raise unknown(kind, name, known, hint="" if known else "make rows with `roundworks synth`")


def of_core(found: Hardware, name: str) -> Hardware:
    """The same of one core alone."""
    libraries = tuple(
        replace(
            library,
            parts=tuple(p for p in library.parts if p.core == name),
            lines=tuple(line for line in library.lines if line.core == name),
        )
        for library in found.libraries
    )
    return replace(
        found,
        libraries=libraries,
        verdicts=tuple(v for v in found.verdicts if v.core == name),
        fpgas=tuple(f for f in found.fpgas if f.row["core"] == name),
        runs=tuple(r for r in found.runs if r.row["core"] == name),
        missing=tuple(m for m in found.missing if m.core == name),
    )


def as_objects(found: Hardware) -> Iterator[dict[str, Any]]:
    """One object for each line of each table."""
    from ..report.hardware_rows import NetlistLine

    for library in found.libraries:
        for line in (*library.lines, *library.parts):
            if isinstance(line, NetlistLine):
                yield {"table": "netlist", **line.facts()}
    tables = (("goal", found.verdicts), ("fpga", found.fpgas), ("bench", found.runs))
    for name, lines in tables:
        yield from ({"table": name, **line.facts()} for line in lines)
    for each in found.missing:
        yield {"table": "missing", "what": each.what, "command": each.command}


def print_hardware(found: Hardware) -> None:
    """Prints every table that has lines: libraries, goals, FPGAs, benches, and what is missing."""
    for library in found.libraries:
        print_library(library)
    if found.verdicts:
        table(
            "Goals",
            ("design", "library", "goal", "ours", "theirs", "figure", "wanted", "verdict"),
            [
                (v.name, v.library or "any", v.goal, *_brief(v.ours, v.theirs, v.figure, v.wanted), v.state)
                for v in found.verdicts
            ],
            right=(3, 4, 5, 6),
        )
    if found.fpgas:
        table(
            "FPGAs, placed and routed",
            ("core", "family", "device", "MHz", "printed", "LUTs", "flip-flops", "RAMs", "harness"),
            [
                (
                    _named(f.row, older=f.older),
                    f.row["family"],
                    f.row["device"],
                    *_brief(f.row["fmax_mhz"]),
                    f.printed and f"{f.printed.mhz:g} [{f.printed.cite}]",
                    f.logic,
                    f.flops,
                    f.memory,
                    f.row["harness_flops"],
                )
                for f in found.fpgas
            ],
            right=(3, 4, 5, 6, 7, 8),
        )
    if found.runs:
        table(
            "Benches",
            ("core", "simulated", "by", "passed", "of", "cycle counts", "failed"),
            [
                (
                    _named(r.row, older=r.older),
                    r.row["netlist"] or "source",
                    f"{r.row['simulator']} {r.row['version']}",
                    r.passed,
                    r.of,
                    r.counted,
                    r.failed,
                )
                for r in found.runs
            ],
            right=(3, 4, 5),
        )
    if found.missing:
        print_missing(found.missing)


def print_missing(found: Sequence[Missing]) -> None:
    """How many cells are empty, by column and library, and in whose lines."""
    groups: dict[tuple[str, str], list[str]] = {}
    for each in found:
        groups.setdefault((each.kind, each.library), []).append(each.core)
    table(
        "Missing: `roundworks hw-report --missing` has the commands",
        ("what", "library", "cells", "of"),
        [
            (kind, library or None, len(cores), _few(cores))
            for (kind, library), cores in sorted(groups.items())
        ],
        right=(2,),
    )


def _few(cores: Iterable[str]) -> str:
    """The first of them, and how many more."""
    names = list(dict.fromkeys(cores))
    rest = f" and {len(names) - _SHOWN:,} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + rest


def print_commands(found: Iterable[Missing]) -> None:
    """Prints the commands that fill empty cells, each in full."""
    for each in found:  # whole, to be copied: a table would cut a long command
        out.print(f"{each.what}\n  {each.command}", markup=False)


def print_library(library: LibrarySection) -> None:
    """Prints the tables of one cell library: cores and components."""
    from ..report.hardware_rows import NetlistLine

    lines = [_of_line(line) if isinstance(line, NetlistLine) else _of_print(line) for line in library.lines]
    if lines:
        table(f"Cores in {library.name}, before layout", _CORES, lines, right=range(3, 14))
        if library.conditions:
            out.print(library.conditions, markup=False)
    if library.parts:
        table(
            f"Components in {library.name}, before layout",
            ("component", "best for", "script", "input to output, ps", "GE", "cells"),
            [
                (
                    _named(p.row, older=p.older),
                    ", ".join(p.best),
                    p.row["script"],
                    *_brief(p.row["period_ps"], 1000 * p.kge),
                    p.row["cells"],
                )
                for p in library.parts
            ],
            right=(3, 4, 5),
        )


def _of_line(line: NetlistLine) -> Sequence[object]:
    power: Mapping[str, Any] = line.power or {}
    return (
        _named(line.row, line.cycles.interleaved, older=line.older),
        ", ".join(line.best),
        line.row["script"],
        *_brief(
            line.row["period_ps"],
            line.mhz,
            line.kge,
            line.rate,
            line.gbits,
            line.gbits_per_kge,
            line.dense,
            power.get("leakage_mw"),
            line.dynamic_mw,
            power.get("clock_mhz"),
            line.pj_per_bit,
        ),
    )


def _of_print(printed: Printed) -> Sequence[object]:
    point, design = printed.point, printed.design
    return (
        f"  {printed.title}",
        point.best_for,
        None,
        *_brief(
            1e6 / point.mhz,
            point.mhz,
            point.kge,
            design.bits_per_cycle,
            printed.gbits,
            printed.gbits_per_kge,
            printed.dense,
            None,
            point.values["power"],
            point.mhz,
            point.values["energy"],
        ),
    )


def _named(row: Row, interleaved: int = 1, *, older: bool = False) -> str:
    """A core with those of its parameters that its name does not say, and if it is as it was."""
    words = (f"{k}={v}" for k, v in row["parameters"].items() if not row["core"].endswith(f"-{v}"))
    return " ".join(
        [
            row["core"],
            *words,
            *([f"{interleaved} messages interleaved"] if interleaved > 1 else []),
            *(["(older source)"] if older else []),
        ]
    )


def _brief(*values: float | None) -> Iterable[str | None]:
    return [None if v is None else f"{v:,.0f}" if v >= 1000 else f"{v:.3g}" for v in values]
