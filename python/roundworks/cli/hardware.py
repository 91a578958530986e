"""What the verbs on hardware cores share: naming a core, its parameters, a library."""

from __future__ import annotations

import functools
import shlex
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, cast

import click

from .common import Command, err, file_option
from .names import Name, complete_parameter

_FROM: dict[Path | None, tuple[str | None, list[str]]] = {}
"""cores.toml in the cache -> the cipher of the catalogue whose core is generated, and the option that says so."""


def core_options(command: Command) -> Command:
    """[CORE], --parameter, --cores, and --file in place of CORE."""
    argument = click.argument("name", metavar="[CORE]", required=False, type=Name("cores"))
    return argument(parameter_options(command))


def parameter_options(command: Command) -> Command:
    """--parameter, --cores, --file and --generated; the verb gets the name and the file of the core of a
    description."""

    @functools.wraps(command)
    def verb(
        *args: Any,
        name: str | None,
        file: Path | None,
        described: Path | None,
        generated: bool,
        **options: Any,
    ) -> object:
        if generated:
            if file is not None or described is not None:
                raise click.UsageError("--generated: leave --cores and --file out; CORE names the cipher")
            name, file = generated_core(None, None, the_name(name))
        elif described is not None:
            name, file = generated_core(name, file, described)
        return command(*args, name=name, file=file, **options)

    made = file_option(
        "--file",
        "described",
        help="Take the core of a description of your own: generated, proven, and kept by its content."
        " CORE may name another core of it (docs/how-to/generate.md).",
    )(verb)
    made = click.option(
        "--generated",
        is_flag=True,
        help="CORE is a cipher of `roundworks list`: take the core that is generated of its description.",
    )(made)
    made = file_option(
        "--cores",
        "file",
        help="Read the cores from FILE, a cores.toml of your own (docs/reference/hardware.md).",
    )(made)
    made = click.option(
        "--parameter",
        "parameters",
        multiple=True,
        metavar="NAME=CHOICE",
        shell_complete=complete_parameter,
        help="Set a parameter of the core; may be repeated.",
    )(made)
    return cast(Command, made)


def generated_core(name: str | None, file: Path | None, described: str | Path) -> tuple[str, Path]:
    """A core's name, and the cores.toml that was generated of a file, or of a cipher of the catalogue.

    Raises
    ------
    click.UsageError
        ``--file: leave --cores out; ...``
    DescriptionError, NotEqual
    """
    if file is not None:
        raise click.UsageError("--file: leave --cores out; the core comes from the description")
    from ..errors import DescriptionError
    from ..generate.verilog_target import cached_core
    from ..reference import Permutation, StreamAead
    from ..studies.described import described as subject_of

    it, _ = subject_of(described)
    if not isinstance(it, StreamAead | Permutation):
        raise DescriptionError(
            f"{it.name}: a mode of blocks; cores are generated of streaming ciphers and permutations"
        )
    with err.status(f"{it.name}: core, proven equal to the description"):
        own, cores = cached_core(it)
    if isinstance(described, Path):
        _FROM[cores] = None, ["--file", described.name]
    else:
        _FROM[cores] = described, ["--generated"]
    return name or own, cores


def no_file(why: str) -> Callable[[Command], Command]:
    """--file of a verb that takes no description: the error says `why`, and which verb does."""

    def refuse(ctx: click.Context, param: click.Parameter, value: str | None) -> None:
        if value is not None:
            raise click.UsageError(f"--file: {why}", ctx)

    return click.option(
        "--file", metavar="FILE", expose_value=False, callback=refuse, help=f"Not taken: {why}."
    )


def the_name(name: str | None) -> str:
    """The name of a core, where it was given.

    Raises
    ------
    click.UsageError
        ``want CORE, or --file my_cipher.py``
    """
    if name is None:
        raise click.UsageError("want CORE (`roundworks list cores` prints them), or --file my_cipher.py")
    return name


def library_option(command: Command) -> Command:
    """--library, once for each file."""
    return file_option(
        "--library",
        "libraries",
        multiple=True,
        help="Read a cell library in Liberty, plain or .gz; repeat for one in "
        "several files. Debian's OSU 018 unless set.",
    )(command)


def core_words(name: str | None, parameters: Mapping[str, str], file: Path | None) -> str:
    """The same as words of a command line. Only a file's name, never where it lies."""
    words = [name] if name else []
    words += [word for k, v in parameters.items() for word in ("--parameter", f"{k}={v}")]
    if file in _FROM:
        cipher, options = _FROM[file]
        if cipher is not None:
            words[: bool(name)] = [cipher]
        return shlex.join([*words, *options])
    return shlex.join(words + (["--cores", file.name] if file else []))


def library_words(libraries: tuple[Path, ...]) -> str:
    return "".join(f" --library {shlex.quote(file.name)}" for file in libraries)
