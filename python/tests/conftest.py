"""What all tests share."""

from __future__ import annotations

import contextlib
import io
import os
import signal
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

SIGNALS = (signal.SIGINT, signal.SIGHUP, signal.SIGTERM, signal.SIGQUIT)

# A runner in the background of a shell has these ignored, and so would every command under test.
for number in SIGNALS:
    if signal.getsignal(number) == signal.SIG_IGN:
        ours = signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL
        signal.signal(number, ours)

Done = subprocess.CompletedProcess
# Files of few tests that take long each: before the others, so that no worker ends with one of them.
FIRST = ("test_wheel", "test_gpu_build", "test_hardware_aes", "test_hardware", "test_capi", "test_fastest",
         "test_hardware_aether", "test_audit_modes", "test_audit", "test_permutations_minima")  # fmt: skip
LEFT_OUT = pytest.StashKey[int]()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    places = {name: place for place, name in enumerate(FIRST)}
    items.sort(key=lambda item: places.get(item.path.stem, len(FIRST)))


def pytest_deselected(items: Sequence[pytest.Item]) -> None:
    stash = items[0].config.stash
    stash[LEFT_OUT] = sum(item.get_closest_marker("long") is not None for item in items)


def pytest_sessionfinish(session: pytest.Session) -> None:
    if (output := getattr(session.config, "workeroutput", None)) is not None:
        output["left out"] = session.config.stash.get(LEFT_OUT, 0)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Every worker collects, and leaves out, the same."""
    node.config.stash[LEFT_OUT] = getattr(node, "workeroutput", {}).get("left out", 0)


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    if number := config.stash.get(LEFT_OUT, 0):
        terminalreporter.write_line(f"{number} long tests left out: `make test-all`, or -m long")


def command(*args: str) -> list[str]:
    return [sys.executable, "-c", "from roundworks.cli import main; main()", *args]


def variables(place: Path) -> dict[str, str]:
    """Those of the environment that keep a verb's rows in `place`, and its tables wide."""
    return {"ROUNDWORKS_RESULTS": str(place / "results"), "COLUMNS": "200"}


@pytest.fixture(autouse=True, scope="session")
def nobody(tmp_path_factory: pytest.TempPathFactory) -> None:
    """The rows of who runs the tests are neither read nor added to."""
    os.environ["XDG_DATA_HOME"] = str(tmp_path_factory.mktemp("nobody"))


def cases(values: Iterable[object], short: Collection[object]) -> list[object]:
    """Every one of `values` as a case of a test, those that are not in `short` for `make test-all`."""
    spread = [value if isinstance(value, tuple) else (value,) for value in values]
    kept = [value if isinstance(value, tuple) else (value,) for value in short]
    return [
        pytest.param(*value, marks=() if value in kept else pytest.mark.long) for value in spread
    ]


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., Done[str]]:
    """Run a verb in an empty folder, its rows kept there too.

    In this process: half a second is saved that Python takes to start. `run_process` is for what
    only a process of its own shows.
    """

    def call(*args: str) -> Done[str]:
        return call_main(args, tmp_path, variables(tmp_path))

    return call


@pytest.fixture
def run_process(tmp_path: Path) -> Callable[..., Done[str]]:
    """Run a verb as a shell does."""

    def call(*args: str) -> Done[str]:
        return subprocess.run(
            command(*args), cwd=tmp_path, env=os.environ | variables(tmp_path),
            capture_output=True, text=True, check=False,
        )  # fmt: skip

    return call


def call_main(args: tuple[str, ...], place: Path, environment: dict[str, str]) -> Done[str]:
    """What `main` prints and its exit code, as if it ran alone: in `place`, its variables, handlers of
    signals and streams put back afterwards. An exception that `main` lets through is the test's."""
    from roundworks.cli import main

    handlers = {number: signal.getsignal(number) for number in SIGNALS}
    before, argv, variables_before = Path.cwd(), sys.argv, dict(os.environ)
    code: object = 0
    with (
        captured(1) as out,
        captured(2) as err,
        warnings.catch_warnings(),
    ):
        # Python's own choice of what is shown, not pytest's, for which a warning is an error.
        warnings.resetwarnings()
        for ignored in (
            DeprecationWarning,
            PendingDeprecationWarning,
            ImportWarning,
            ResourceWarning,
        ):
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
    message: Warning | str, category: type[Warning], filename: str, lineno: int,
    file: object = None, line: str | None = None,
) -> None:  # fmt: skip
    sys.stderr.write(warnings.formatwarning(message, category, filename, lineno, line))
