"""What the verbs on hardware cores share: naming a core, its parameters, a library."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path

import click

from ..hardware.cores import Core
from ..hardware.tools import versions
from .common import Command
from .names import Name, complete_parameter


def core_options(command: Command) -> Command:
    """CORE, --parameter and --cores."""
    return click.argument("name", metavar="CORE", type=Name("cores"))(parameter_options(command))


def parameter_options(command: Command) -> Command:
    """--parameter and --cores."""
    command = click.option(
        "--cores", "file", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
        help="Read the cores of a cores.toml of your own (docs/hardware.md).",
    )(command)  # fmt: skip
    return click.option(
        "--parameter", "parameters", multiple=True, metavar="NAME=CHOICE",
        shell_complete=complete_parameter, help="Set a parameter of the core; its default unless set.",
    )(command)  # fmt: skip


def library_option(command: Command) -> Command:
    """--library, once for each file."""
    return click.option(
        "--library", "libraries", type=click.Path(path_type=Path, dir_okay=False), multiple=True,
        metavar="FILE", help="Cell library in Liberty, plain or .gz; several files make one"
        " library. Debian's OSU 018 unless set.",
    )(command)  # fmt: skip


def power_tools(core: Core) -> dict[str, str]:
    """What a row of power comes from; a core without a clock needs no bench."""
    return versions("sta", "iverilog", *(("cocotb",) if core.clock else ()))


def core_words(name: str | None, parameters: Mapping[str, str], file: Path | None) -> str:
    """The same as words of a command line. Only a file's name, never where it lies."""
    words = [name] if name else []
    words += [word for k, v in parameters.items() for word in ("--parameter", f"{k}={v}")]
    return shlex.join(words + (["--cores", file.name] if file else []))


def library_words(libraries: tuple[Path, ...]) -> str:
    return "".join(f" --library {shlex.quote(file.name)}" for file in libraries)
