"""What seal and open share. It imports little: a file is often small, and starting up counts."""

from __future__ import annotations

import functools
import os
import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from .. import _native
from ..errors import printable
from .signals import stop_on_signals
from .streams import say

if TYPE_CHECKING:
    from rich.progress import Progress

SUFFIX = ".roundworks"
# A name as it was given: to `pathlib`, `./-` were a standard stream and `new/` a file.
PATH = click.Path()

# A bar that is gone before it is read is none; rich takes its time to load.
_CALLS_BEFORE_BAR = 6


def file_options(command: Callable[..., None]) -> Callable[..., None]:
    """INPUT, --output, the three kinds of key, and the options of both verbs. The verb gets both names,
    and the other options as arguments of the native function."""

    @functools.wraps(command)
    def call(
        *,
        input: str,
        output: str | None,
        key: str | None,
        passphrase: bool,
        passphrase_file: str | None,
        research: bool,
        force: bool,
        no_sync: bool,
        **others: Any,
    ) -> None:
        given: dict[str, Any] = {"research": research, "replace": force, "sync": not no_sync}
        given |= key_arguments(key, passphrase, passphrase_file)
        command(input=input, output=output, arguments=given, **others)

    options = [
        click.argument("input", type=PATH, default="-", metavar="[INPUT]"),
        click.option(
            "-o",
            "--output",
            type=PATH,
            metavar="FILE",
            help="Write the output to FILE; - is standard output.",
        ),
        click.option(
            "-k",
            "--key",
            type=PATH,
            metavar="FILE",
            help="Take the key from FILE, which `roundworks keygen` wrote.",
        ),
        click.option(
            "-p",
            "--passphrase",
            is_flag=True,
            help="Read the passphrase from $ROUNDWORKS_PASSPHRASE, or else from the terminal.",
        ),
        click.option(
            "--passphrase-file",
            type=PATH,
            metavar="FILE",
            help="Read the passphrase from the first line of FILE.",
        ),
        click.option(
            "--research", is_flag=True, help="Accept ciphers that are for study only and protect nothing."
        ),
        click.option("-f", "--force", is_flag=True, help="Replace the output file if it exists."),
        click.option(
            "--no-sync",
            is_flag=True,
            help="Do not wait until the output is on the disk; a power cut may then lose it.",
        ),
    ]
    wrapped: Callable[..., None] = call
    for option in reversed(options):
        wrapped = option(wrapped)
    return wrapped


def key_arguments(key: str | None, passphrase: bool, passphrase_file: str | None) -> dict[str, str | None]:
    """The key for the native module; a key that others can read is worth a warning."""
    if sum((key is not None, passphrase, passphrase_file is not None)) != 1:
        raise click.UsageError("want one of --key, --passphrase and --passphrase-file")
    for path in (key, passphrase_file):
        if path is not None and (mode := _native.readable_by_others(path)) is not None:
            said = f"{path}: others may read it (mode {mode:04o}); run: chmod 600 {shlex.quote(path)}"
            say(f"roundworks: warning: {printable(said)}")
    return {"key_file": key, "passphrase_file": passphrase_file}


def stream(name: str | None) -> str | None:
    """The native module calls a standard stream None."""
    return None if name == "-" else name


@contextmanager
def watching(verb: str) -> Iterator[Callable[[int, int | None], None]]:
    """Called about twenty times a second: a bar on a terminal once that is worth while."""
    stop_on_signals()
    bar: Progress | None = None
    calls = 0

    def watch(read: int, total: int | None) -> None:
        nonlocal bar, calls
        calls += read > 0
        if bar is None and calls == _CALLS_BEFORE_BAR:
            bar = started_bar(verb, total)
        if bar is not None:
            bar.update(bar.task_ids[0], completed=read)

    try:
        yield watch if os.isatty(2) else lambda read, total: None
    finally:
        if bar is not None:
            bar.stop()


def started_bar(verb: str, total: int | None) -> Progress:
    """A started progress bar of bytes on standard error; ``total`` None where the length is unknown."""
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TimeRemainingColumn, TransferSpeedColumn

    bar = Progress(
        verb,
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    bar.add_task("", total=total)
    bar.start()
    return bar
