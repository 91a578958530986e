"""What every verb shares: choosing a cipher, printing rows, storing rows, exit codes."""

from __future__ import annotations

import json
import math
import os
import re
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ..errors import RoundworksError
from ..reference import (
    Described,
    Roundwise,
    analysed,
    get,
    get_analysed,
    load_description,
    load_file,
    names,
)
from ..rows import Store, row
from .names import Name

if TYPE_CHECKING:
    from ..prove.solve import Progress

YES, NO, USAGE = 0, 1, 2
Command = TypeVar("Command", bound=Callable[..., Any])

# A pipe has no width of its own: tables are not squeezed into 80 columns there.
_PIPED = None if sys.stdout.isatty() else 200


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """`| head` is no answer: rich would exit with 1, which means "no" here."""
        raise BrokenPipeError


out = _Console(highlight=False, soft_wrap=True, width=_PIPED)
err = Console(stderr=True, highlight=False)


class Count(click.IntRange):
    """A range whose ends are printed in groups of three digits."""

    def _describe_range(self) -> str:
        return re.sub(r"\d+", lambda digits: f"{int(digits[0]):,}", super()._describe_range())


class FiniteRange(click.FloatRange):
    """Of numbers that a row can hold: nan is in every range, and JSON has no infinity."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        number = float(super().convert(value, param, ctx))
        if not math.isfinite(number):
            self.fail(f"want a finite number, got {value}", param, ctx)
        return number


SECONDS = FiniteRange(min=0, min_open=True)


def cipher_options(kind: str = "descriptions") -> Callable[[Command], Command]:
    """CIPHER, a name of this kind, or --file; the verb gets both and calls `chosen`."""

    def options(command: Command) -> Command:
        command = click.option(
            "--file", "file", type=click.Path(path_type=Path), metavar="FILE",
            help="Read a description of your own from FILE (docs/own-cipher.md).",
        )(command)  # fmt: skip
        name = Name(kind, file=True)
        return click.argument("cipher", required=False, metavar="[CIPHER]", type=name)(command)

    return options


def row_options(command: Command) -> Command:
    """--json and --no-store, for every verb that makes rows."""
    command = click.option(
        "--json", "as_json", is_flag=True, help="Print the rows, one JSON object per line."
    )(command)
    return click.option("--no-store", is_flag=True, help="Do not store the rows.")(command)


def chosen(cipher: str | None, file: Path | None) -> Described:
    if (cipher is None) == (file is None):
        raise click.UsageError(
            "want a cipher (`roundworks list ciphers` prints them) or --file my_cipher.py, and not both"
        )
    if cipher is not None:
        return get(cipher)
    assert file is not None
    found = load_file(file)
    if found.name in names():
        raise click.UsageError(
            f"{file}: name {found.name!r} is taken; give your cipher another name"
        )
    return found


def chosen_rounds(cipher: str | None, file: Path | None) -> Roundwise:
    """Anything with rounds: a cipher, a permutation, or a file of one, also as CIPHER itself."""
    if cipher is not None and file is None and cipher.endswith(".py"):
        file, cipher = Path(cipher), None
    if (cipher is None) == (file is None):
        raise click.UsageError(
            "want a cipher or permutation (`roundworks list descriptions` prints them) or --file"
            " my_cipher.py, and not both"
        )
    if cipher is not None:
        return get_analysed(cipher)
    assert file is not None
    found = load_description(file)
    if found.name in analysed():
        raise click.UsageError(
            f"{file}: name {found.name!r} is taken; give your cipher another name"
        )
    return found


def chosen_label(cipher: str | None, file: Path | None) -> str:
    """The words that name the cipher on a command line. Only a file's name, never where it lies."""
    if cipher is not None:
        return shlex.quote(Path(cipher).name if cipher.endswith(".py") else cipher)
    return f"--file {shlex.quote(Path(file or '').name)}"


def make_rows(kind: str, found: Iterable[dict[str, Any]], command: str) -> list[dict[str, Any]]:
    """Rows of one kind; each dict carries its own ``seconds``."""
    return [row(kind, command=command, **fields) for fields in found]


def deliver(rows: Sequence[dict[str, Any]], *, as_json: bool, no_store: bool) -> None:
    """Store the rows unless told not to, and print them when asked for JSON.

    Before anything else is printed: a reader of a pipe that has seen enough loses no row.
    """
    if rows and not no_store:
        Store().append(rows)
    if as_json:
        try:
            for item in rows:
                sys.stdout.write(json.dumps(item, ensure_ascii=False) + "\n")
            sys.stdout.flush()
        except BrokenPipeError:
            # Without its number: click takes EPIPE for itself and exits with 1, "no" here.
            raise BrokenPipeError from None


def check_file(path: Path | None) -> None:
    """An error where it could not be written, now and not after hours of work."""
    if path is None:
        return
    if not path.parent.is_dir():
        raise click.ClickException(f"{path}: no folder {path.parent}; make it, or name another")
    _check_access(path, path.parent)
    if path.exists():
        if not path.is_file():  # root would put a file in the place of /dev/null
            raise click.ClickException(f"{path}: not a file; name another")
        _check_access(path, path)


def check_folder(path: Path | None) -> None:
    """The same of a folder, which is made with those above it."""
    if path is None:
        return
    there = next(p for p in (path, *path.parents) if p.exists())
    if not there.is_dir():
        raise click.ClickException(f"{path}: no folder {there}, but a file; name another")
    _check_access(path, there)


def _check_access(path: Path, there: Path) -> None:
    if not os.access(there, os.W_OK):
        what = "cannot be written" if there == path else f"{there} cannot be written"
        raise click.ClickException(f"{path}: {what}; name another")


def write_whole(path: Path, data: bytes) -> None:
    """Whole or not at all."""
    check_file(path)
    part = path.with_name(path.name + ".part")
    part.write_bytes(data)
    part.replace(path)


def table(
    title: str,
    columns: Sequence[str],
    lines: Iterable[Sequence[object]],
    *,
    right: Sequence[int] = (),
) -> None:
    """A plain table; ``right`` lists the columns that hold numbers."""
    grid = Table(
        title=Text(title),
        title_justify="left",
        title_style="bold",
        box=None,
        pad_edge=False,
        padding=(0, 2, 0, 0),
    )
    for i, column in enumerate(columns):
        grid.add_column(
            column, justify="right" if i in right else "left", header_style="dim", no_wrap=True
        )
    for line in lines:
        grid.add_row(*(Text(show(value)) for value in line))
    out.print(grid)


def show(value: object) -> str:
    """A cell: numbers grouped by three, nothing as a dash."""
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:,.6g}"
    return str(value)


def fail(error: RoundworksError | OSError) -> None:
    err.print(f"roundworks: error: {error}", markup=False, soft_wrap=True)
    raise SystemExit(USAGE)


@contextmanager
def progress_line() -> Iterator[Callable[[Progress], None] | None]:
    """One line on a terminal: solver, bound, best so far, seconds."""
    if not err.is_terminal:
        yield None
        return
    with err.status("solving") as status:

        def show(p: Progress) -> None:
            best = "none" if p.upper is None else f"{float(p.upper):,g}"
            status.update(
                f"{p.solver}: at least {float(p.lower):,g}, best {best}, {p.seconds:,.0f} s"
            )

        yield show
