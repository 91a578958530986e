"""What every verb shares: choosing a cipher, printing rows, storing rows, exit codes."""

from __future__ import annotations

import codecs
import functools
import json
import math
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ..errors import RoundworksError, printable
from ..whole import writing
from .names import Name

if TYPE_CHECKING:  # each of these takes a tenth of a second, which `--help` need not wait for
    from ..prove.solvers.solve import SolverProgress
    from ..rows import Row
    from ..studies.result import Result
    from ..studies.sheets import Sheet

YES, NO, USAGE = 0, 1, 2
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
        """The number of a word of the command line; nan and infinity are usage errors."""
        number = float(super().convert(value, param, ctx))
        if not math.isfinite(number):
            self.fail(f"want a finite number, got {value}", param, ctx)
        return number


SECONDS = FiniteRange(min=0, min_open=True)


def naming(**lists: str) -> Callable[[Command], Command]:
    """The same with lists that the program knows in its docstring, which is its help: ``{scripts}`` names one."""

    def named(command: Command) -> Command:
        command.__doc__ = (command.__doc__ or "").format(**lists)
        return command

    return named


def cipher_options(
    kind: str = "descriptions", *, required: bool = True
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """CIPHER, a name of this kind, or --file; the verb gets the one that is given as ``subject``."""
    what = "cipher" if kind == "ciphers" else "cipher or permutation"

    def options(command: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(command)
        def call(*, cipher: str | None, file: Path | None, **others: Any) -> Any:
            if (cipher and file) or (required and not cipher and not file):
                raise click.UsageError(
                    f"want a {what} (`roundworks list {kind}` prints them) or --file my_cipher.py, and not both"
                )
            is_file = cipher is not None and cipher.endswith(".py")
            return command(subject=Path(cipher or "") if is_file else cipher or file, **others)

        option = click.option(
            "--file",
            type=click.Path(path_type=Path),
            metavar="FILE",
            help="Read a description of your own from FILE (docs/how-to/own-cipher.md).",
        )
        name = Name(kind, file=True)
        return click.argument("cipher", required=False, metavar="[CIPHER]", type=name)(option(call))

    return options


def file_option(*names: str, exists: bool = False, **settings: Any) -> Callable[[Command], Command]:
    """An option whose value is FILE, a path and no folder; with `exists` it must be there."""
    path = click.Path(path_type=Path, exists=exists, dir_okay=False)
    return click.option(*names, type=path, metavar="FILE", **settings)


def row_options(command: Command) -> Command:
    """--json and --no-store, for every verb that makes rows; `deliver` reads them."""
    for option, text in (
        ("--json", "Print the rows, one JSON object per line."),
        ("--no-store", "Do not store the rows among your results."),
    ):
        command = click.option(option, is_flag=True, expose_value=False, callback=_note, help=text)(command)
    return command


def _note(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    ctx.meta[str(param.name)] = value


_SUFFIXES = {".html": "html", ".tex": "latex", ".json": "json"}


def page_options(command: Command) -> Command:
    """--format, --output and --no-store, for every verb that makes a page; `deliver_page` reads them."""
    form = click.Choice(["markdown", *_SUFFIXES.values()])
    path = click.Path(dir_okay=False, path_type=Path)
    options = (
        click.option("--no-store", is_flag=True, help="Do not store the computed rows."),
        click.option(
            "-o", "--output", type=path, metavar="FILE", help="Write the page to FILE. [standard output]"
        ),
        click.option(
            "--format",
            type=form,
            help="Format of the page. [by the suffix of --output: .html, .tex, .json; else markdown]",
        ),
    )

    @functools.wraps(command)
    def call(*, no_store: bool, output: Path | None, format: str | None, **others: Any) -> Any:
        check_file(output)
        click.get_current_context().meta["page"] = no_store, output, format
        return command(**others)

    for option in options:
        call = option(call)
    return call  # type: ignore[return-value]  # called with the same options


@contextmanager
def deliver_page() -> Iterator[Callable[[Sheet], None]]:
    """Takes the page inside, and at the end stores its rows and writes or prints its text."""
    pages: list[Sheet] = []
    yield pages.append
    from ..rows import Store

    no_store, output, form = click.get_current_context().meta["page"]
    for page in pages:
        if not no_store:
            Store().append(page.rows)
        text = page.text(form or _SUFFIXES.get(output.suffix.lower() if output else "", "markdown"))
        if output is None:
            click.echo(text, nl=False)
        else:
            write_whole(output, text.encode())


def row_option(name: str) -> bool:
    """Whether ``json`` or ``no_store`` was given to the verb that runs."""
    return bool(click.get_current_context().meta[name])


def make_rows(kind: str, fields: Iterable[Mapping[str, Any]], command: str) -> list[Row]:
    """Rows of one kind; each mapping carries its own ``seconds``."""
    from ..rows import row

    return [row(kind, command=command, **values) for values in fields]


def deliver(rows: Sequence[Row]) -> bool:
    """Store the rows unless --no-store is given, and print them with --json; else True: print a text.

    Before anything else is printed: a reader of a pipe that has seen enough loses no row.
    """
    from ..rows import Store

    if rows and not row_option("no_store"):
        Store().append(rows)
    if not row_option("json"):
        return True
    # JSON is UTF-8; an output of another encoding gets what is the same in all.
    plain = codecs.lookup(sys.stdout.encoding or "utf-8").name != "utf-8"
    try:
        for item in rows:
            sys.stdout.write(json.dumps(item.as_json(), ensure_ascii=plain) + "\n")
        sys.stdout.flush()
    except BrokenPipeError:
        # Without its number: click takes EPIPE for itself and exits with 1, "no" here.
        raise BrokenPipeError from None
    return False


def give(result: Result[Any]) -> None:
    """Store the rows of a result, then print them as JSON, or its tables and notes."""
    if deliver(result.rows):
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
    """Write a file whole or not at all; an error if it may not be written."""
    check_file(path)
    with writing(path) as part:
        part.write_bytes(data)


# A longer cell is prose: where all have no space it goes on in the next line, and numbers stay whole.
_PROSE = 40


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
    cells = [[show(value) for value in line] for line in lines]
    for i, column in enumerate(columns):
        prose = any(len(line[i]) > _PROSE for line in cells)
        justify: Literal["left", "right"] = "right" if i in right else "left"
        grid.add_column(column, justify=justify, header_style="dim", no_wrap=not prose)
    for line in cells:
        grid.add_row(*map(Text, line))
    out.print(grid)


def show(value: object) -> str:
    """A cell: numbers grouped by three, None as a dash."""
    from ..studies.result import text_of

    return text_of(value)


def fail(error: RoundworksError | OSError) -> None:
    """Print an error as one line, and end with the exit code of wrong use."""
    err.print(f"roundworks: error: {printable(str(error))}", markup=False, soft_wrap=True)
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
