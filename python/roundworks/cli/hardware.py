"""What the verbs on hardware cores share: naming a core, its parameters, a library."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path

import click

from .common import Command


def core_options(command: Command) -> Command:
    """CORE, --parameter and --cores."""
    command = click.option(
        "--cores", "file", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
        help="A cores.toml of your own (docs/hardware.md).",
    )(command)  # fmt: skip
    command = click.option(
        "--parameter", "parameters", multiple=True, metavar="NAME=CHOICE",
        help="Of the core; its default unless set.",
    )(command)  # fmt: skip
    return click.argument("name", metavar="CORE")(command)


def library_option(command: Command) -> Command:
    """--library, once for each file."""
    return click.option(
        "--library", "libraries", type=click.Path(path_type=Path, dir_okay=False), multiple=True,
        metavar="FILE", help="Liberty, plain or .gz; several make one library. Debian's OSU 018"
        " unless set.",
    )(command)  # fmt: skip


def core_words(name: str, parameters: Mapping[str, str], file: Path | None) -> str:
    """The same as words of a command line. Only a file's name, never where it lies."""
    words = shlex.quote(name)
    words += "".join(f" --parameter {shlex.quote(f'{k}={v}')}" for k, v in parameters.items())
    return words + (f" --cores {shlex.quote(file.name)}" if file else "")


def library_words(libraries: tuple[Path, ...]) -> str:
    return "".join(f" --library {shlex.quote(file.name)}" for file in libraries)
