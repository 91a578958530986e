"""What every verb shares: choosing a cipher, printing rows, storing rows, exit codes."""

from __future__ import annotations

import json
import math
import os
import re
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, overload

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ..errors import RoundworksError
from .names import Name

if TYPE_CHECKING:  # each of these takes a tenth of a second, which `--help` need not wait for
    from ..prove.solvers.solve import SolverProgress
    from ..reference import Described, Roundwise
    from ..rows import Row
    from ..studies.result import Result

YES, NO, USAGE = 0, 1, 2
R = TypeVar("R", bound="Row")
Command = TypeVar("Command", bound=Callable[..., Any])

# A pipe has no width of its own: tables are not squeezed into 80 columns there.
_PIPED = None if sys.stdout.isatty() else 200


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """`| head` is no error: rich would exit with 1, which means "no" here."""
        raise BrokenPipeError


out = _Console(highlight=False, soft_wrap=True, width=_PIPED)
err = Console(stderr=True, highlight=False)


class Count(click.IntRange):
    """A range whose ends are printed in groups of three digits."""

    def _describe_range(self) -> str:
        return re.sub(r"\d+", lambda digits: f"{int(digits[0]):,}", super()._describe_range())


class FiniteRange(click.FloatRange):
    """Of numbers that a row can hold: nan is in every range, and JSON has no infinity."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        number = float(super().convert(value, param, ctx))
        if not math.isfinite(number):
            self.fail(f"want a finite number, got {value}", param, ctx)
        return number


SECONDS = FiniteRange(min=0, min_open=True)


def cipher_options(kind: str = "descriptions") -> Callable[[Command], Command]:
    """CIPHER, a name of this kind, or --file; the verb gets both and calls `chosen`."""

    def options(command: Command) -> Command:
        command = click.option(
            "--file",
            "file",
            type=click.Path(path_type=Path),
            metavar="FILE",
            help="Read a description of your own from FILE (docs/how-to/own-cipher.md).",
        )(command)
        name = Name(kind, file=True)
        return click.argument("cipher", required=False, metavar="[CIPHER]", type=name)(command)

    return options


def row_options(command: Command) -> Command:
    """--json and --no-store, for every verb that makes rows."""
    command = click.option(
        "--json", "as_json", is_flag=True, help="Print the rows, one JSON object per line."
    )(command)
    return click.option("--no-store", is_flag=True, help="Do not store the rows among your results.")(command)


def which(cipher: str | None, file: Path | None, what: str = "cipher or permutation") -> str | Path:
    """What the user names, by name or by file: one of the two, and not both."""
    if (cipher is None) == (file is None):
        kind = "ciphers" if what == "cipher" else "descriptions"
        raise click.UsageError(
            f"want a {what} (`roundworks list {kind}` prints them) or --file my_cipher.py, and not both"
        )
    if cipher is None:
        assert file is not None
        return file
    return Path(cipher) if cipher.endswith(".py") else cipher


def chosen(cipher: str | None, file: Path | None) -> Described:
    """A cipher by name, or the one of a file."""
    from ..reference import get, load_file
    from ..studies.described import untaken

    it = which(cipher, file, "cipher")
    return get(it) if isinstance(it, str) else untaken(load_file(it), it)


def chosen_rounds(cipher: str | None, file: Path | None) -> Roundwise:
    """Anything with rounds: a cipher, a permutation, or a file of one, also as CIPHER itself."""
    from ..studies.described import described

    return described(which(cipher, file))[0]


def chosen_label(cipher: str | None, file: Path | None) -> str:
    """The words that name the cipher on a command line. Only a file's name, never where it lies."""
    if cipher is not None:
        return shlex.quote(Path(cipher).name if cipher.endswith(".py") else cipher)
    return f"--file {shlex.quote(Path(file or '').name)}"


@overload
def make_rows(kind: type[R], found: Iterable[Mapping[str, Any]], command: str) -> list[R]: ...
@overload
def make_rows(kind: str, found: Iterable[Mapping[str, Any]], command: str) -> list[Row]: ...
def make_rows(kind: type[Row] | str, found: Iterable[Mapping[str, Any]], command: str) -> Sequence[Row]:
    """Rows of one kind; each mapping carries its own ``seconds``."""
    from ..rows import KINDS

    wanted = KINDS[kind] if isinstance(kind, str) else kind
    return [wanted.make(command=command, **fields) for fields in found]


def deliver(rows: Sequence[Row], *, as_json: bool, no_store: bool) -> None:
    """Store the rows unless `no_store` is set, and print them with `as_json`.

    Before anything else is printed: a reader of a pipe that has seen enough loses no row.
    """
    from ..rows import Store

    if rows and not no_store:
        Store().append(rows)
    if as_json:
        try:
            for item in rows:
                sys.stdout.write(json.dumps(item.as_json(), ensure_ascii=False) + "\n")
            sys.stdout.flush()
        except BrokenPipeError:
            # Without its number: click takes EPIPE for itself and exits with 1, "no" here.
            raise BrokenPipeError from None


def give(result: Result[Any], *, as_json: bool, no_store: bool) -> None:
    """Store the rows of a result, then print them as JSON, or its tables and notes."""
    deliver(result.rows, as_json=as_json, no_store=no_store)
    if not as_json:
        print_result(result)


def print_result(result: Result[Any]) -> None:
    """Tables, and notes under them."""
    for place, shown in enumerate(result.tables):
        out.print("\n" * bool(place), end="")
        table(shown.title, shown.columns, shown.lines, right=shown.numeric)
    if result.notes:
        out.print("\n" * bool(result.tables) + "\n".join(result.notes), markup=False)


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
    title: str, columns: Sequence[str], lines: Iterable[Sequence[object]], *, right: Sequence[int] = ()
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
        grid.add_column(column, justify="right" if i in right else "left", header_style="dim", no_wrap=True)
    for line in lines:
        grid.add_row(*(Text(show(value)) for value in line))
    out.print(grid)


def show(value: object) -> str:
    """A cell: numbers grouped by three, None as a dash."""
    from ..studies.result import text_of

    return text_of(value)


def fail(error: RoundworksError | OSError) -> None:
    """Print an error as one line, and end with the exit code of wrong use."""
    err.print(f"roundworks: error: {error}", markup=False, soft_wrap=True)
    raise SystemExit(USAGE)


@contextmanager
def progress_line() -> Iterator[Callable[[SolverProgress], None] | None]:
    """One line on a terminal: solver, bound, best so far, seconds."""
    if not err.is_terminal:
        yield None
        return
    with err.status("solving") as status:

        def show(p: SolverProgress) -> None:
            best = "none" if p.upper is None else f"{float(p.upper):,g}"
            status.update(f"{p.solver}: at least {float(p.lower):,g}, best {best}, {p.seconds:,.0f} s")

        yield show
