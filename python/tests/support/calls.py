"""Running a verb in a test, and which cases of a test are long."""

from __future__ import annotations

import contextlib
import io
import os
import signal
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path

import pytest

SIGNALS = (signal.SIGINT, signal.SIGHUP, signal.SIGTERM, signal.SIGQUIT)

Done = subprocess.CompletedProcess


def command(*args: str) -> list[str]:
    return [sys.executable, "-c", "from roundworks.cli import main; main()", *args]


def variables(place: Path) -> dict[str, str]:
    """Those of the environment that keep a verb's rows in `place`, and its tables wide."""
    return {"ROUNDWORKS_RESULTS": str(place / "results"), "COLUMNS": "200"}


def cases(values: Iterable[object], short: Collection[object]) -> list[object]:
    """Every one of `values` as a case of a test, those that are not in `short` for `make test-all`."""
    spread = [value if isinstance(value, tuple) else (value,) for value in values]
    kept = [value if isinstance(value, tuple) else (value,) for value in short]
    return [pytest.param(*value, marks=() if value in kept else pytest.mark.long) for value in spread]


def call_main(args: tuple[str, ...], place: Path, environment: dict[str, str]) -> Done[str]:
    """What `main` prints and its exit code, as if it ran alone: in `place`, its variables, handlers of
    signals and streams put back afterwards. An exception that `main` lets through is the test's."""
    from roundworks.cli import main

    handlers = {number: signal.getsignal(number) for number in SIGNALS}
    before, argv, variables_before = Path.cwd(), sys.argv, dict(os.environ)
    code: object = 0
    with captured(1) as out, captured(2) as err, warnings.catch_warnings():
        # Python's own choice of what is shown, not pytest's, for which a warning is an error.
        warnings.resetwarnings()
        for ignored in (DeprecationWarning, PendingDeprecationWarning, ImportWarning, ResourceWarning):
            warnings.simplefilter("ignore", ignored)
        warnings.showwarning = shown
        try:
            os.chdir(place)
            os.environ.update(environment)
            sys.argv = ["roundworks", *args]
            main()
        except SystemExit as end:
            code = end.code
        finally:
            os.chdir(before)
            sys.argv = argv
            os.environ.clear()
            os.environ.update(variables_before)
            for number, handler in handlers.items():
                signal.signal(number, handler)
    assert isinstance(code, int), f"want a number as exit code, got {code!r}"
    return subprocess.CompletedProcess(args, code, out(), err())


@contextlib.contextmanager
def captured(descriptor: int) -> Iterator[Callable[[], str]]:
    """What this process and its children write to standard output (1) or error (2)."""
    name = {1: "stdout", 2: "stderr"}[descriptor]
    stream = getattr(sys, name)
    stream.flush()
    kept = os.dup(descriptor)
    with tempfile.TemporaryFile() as file:
        os.dup2(file.fileno(), descriptor)
        writer = io.TextIOWrapper(os.fdopen(os.dup(descriptor), "wb"), encoding="utf-8")
        setattr(sys, name, writer)
        written = ""
        try:
            yield lambda: written
        finally:
            writer.close()
            setattr(sys, name, stream)
            os.dup2(kept, descriptor)
            os.close(kept)
            file.seek(0)
            written = file.read().decode()


def shown(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: object = None,
    line: str | None = None,
) -> None:
    sys.stderr.write(warnings.formatwarning(message, category, filename, lineno, line))
