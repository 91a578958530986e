"""What all tests share."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

# A runner in the background of a shell has these ignored, and so would every command under test.
for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM, signal.SIGQUIT):
    if signal.getsignal(number) == signal.SIG_IGN:
        ours = signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL
        signal.signal(number, ours)


def command(*args: str) -> list[str]:
    return [sys.executable, "-c", "from roundworks.cli import main; main()", *args]


@pytest.fixture
def run(tmp_path: Path):
    """Run a verb in an empty folder, its rows kept there too."""

    def call(*args: str) -> subprocess.CompletedProcess[str]:
        environment = os.environ | {
            "ROUNDWORKS_RESULTS": str(tmp_path / "results"),
            "COLUMNS": "200",
        }
        return subprocess.run(
            command(*args),
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )

    return call
