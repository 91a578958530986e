"""What all tests share."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from calls import SIGNALS, Done, call_main, command, variables
from places import TESTS

# A runner in the background of a shell has these ignored, and so would every command under test.
for number in SIGNALS:
    if signal.getsignal(number) == signal.SIG_IGN:
        ours = signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL
        signal.signal(number, ours)

# Files of few tests that take long each: before the others, so that no worker ends with one of them.
FIRST = (
    "test_wheel_installed.py",
    "studies/test_designs.py",
    "test_guide.py",
    "test_wheel.py",
    "gpu/test_build.py",
    "hardware/test_aes.py",
    "hardware/test_flow.py",
    "crates/test_capi.py",
    "cli/test_fastest.py",
    "hardware/test_aether.py",
    "analysis/test_audit_modes.py",
    "analysis/test_audit.py",
    "prove/structures/test_minima.py",
)
LEFT_OUT = pytest.StashKey[int]()
# Seconds since 1970 after which no test is begun: a slow machine leaves out what is left, and says so.
DEADLINE = float(os.environ.get("TEST_DEADLINE", "inf"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    files = list(dict.fromkeys(item.path for item in items))
    if "TEST_DEADLINE" in os.environ:
        # What comes last may be left out, so that is another file every day.
        day = int(DEADLINE) // 86400 % max(len(files), 1)
        files = files[day:] + files[:day]
    places = {path: len(FIRST) + place for place, path in enumerate(files)}
    places |= {TESTS / name: place for place, name in enumerate(FIRST)}
    items.sort(key=lambda item: places[item.path])


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    if time.time() >= DEADLINE:
        pytest.skip("left out: the time for all tests is over; run `make test-all` for it")


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


@pytest.fixture(autouse=True, scope="session")
def nobody(tmp_path_factory: pytest.TempPathFactory) -> None:
    """The rows of who runs the tests are neither read nor added to."""
    os.environ["XDG_DATA_HOME"] = str(tmp_path_factory.mktemp("nobody"))


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
            command(*args),
            cwd=tmp_path,
            env=os.environ | variables(tmp_path),
            capture_output=True,
            text=True,
            check=False,
        )

    return call
