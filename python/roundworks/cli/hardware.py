"""What the verbs on hardware cores share: naming a core, its parameters, a library."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .common import Command
from .names import Name, complete_parameter

if TYPE_CHECKING:
    from ..hardware.cores import Core


def core_options(command: Command) -> Command:
    """CORE, --parameter and --cores."""
    return click.argument("name", metavar="CORE", type=Name("cores"))(parameter_options(command))


def parameter_options(command: Command) -> Command:
    """--parameter and --cores."""
    command = click.option(
        "--cores",
        "file",
        type=click.Path(path_type=Path, dir_okay=False),
        metavar="FILE",
        help="Read the cores from FILE, a cores.toml of your own (docs/reference/hardware.md).",
    )(command)
    return click.option(
        "--parameter",
        "parameters",
        multiple=True,
        metavar="NAME=CHOICE",
        shell_complete=complete_parameter,
        help="Set a parameter of the core; may be repeated.",
    )(command)


def library_option(command: Command) -> Command:
    """--library, once for each file."""
    return click.option(
        "--library",
        "libraries",
        type=click.Path(path_type=Path, dir_okay=False),
        multiple=True,
        metavar="FILE",
        help="Read a cell library in Liberty, plain or .gz; repeat for one in "
        "several files. Debian's OSU 018 unless set.",
    )(command)


def power_tools(core: Core) -> dict[str, str]:
    """Tools behind a row of power; a combinational core needs no bench."""
    from ..hardware.flow.tools import versions

    return versions("sta", "iverilog", *(("cocotb",) if core.clock else ()))


def core_words(name: str | None, parameters: Mapping[str, str], file: Path | None) -> str:
    """The same as words of a command line. Only a file's name, never where it lies."""
    words = [name] if name else []
    words += [word for k, v in parameters.items() for word in ("--parameter", f"{k}={v}")]
    return shlex.join(words + (["--cores", file.name] if file else []))


def library_words(libraries: tuple[Path, ...]) -> str:
    return "".join(f" --library {shlex.quote(file.name)}" for file in libraries)
