"""The three standard streams of the program, of which any may be closed, full or gone."""

from __future__ import annotations

import contextlib
import io
import os
import sys


def keep_apart() -> None:
    """Give each standard stream that is closed its number again, so that no file which is opened gets it: what is said
    would be written into that file. A closed stream stays one that cannot be read, or written; what would be said on a
    closed standard error is not said."""
    for number, mode in ((0, os.O_WRONLY), (1, os.O_RDONLY), (2, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, mode)  # the lowest free number
    if sys.stdout is None:
        sys.stdout = os.fdopen(1, "w", closefd=False)
    if sys.stderr is None:
        sys.stderr = os.fdopen(2, "w", closefd=False)
    if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.errors == "strict":
        sys.stdout.reconfigure(errors="backslashreplace")  # what its encoding lacks is no fault


def say(text: str) -> None:
    """A line for the user on standard error. That it cannot be written changes nothing of what was done."""
    with contextlib.suppress(OSError):
        print(text, file=sys.stderr, flush=True)


def give_up(number: int) -> None:
    """Let what is left for a stream go nowhere, as Python writes it once more when it ends."""
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), number)
