"""A Dask scheduler and workers, each a process of its own that a test may kill."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from places import ROOT

SUPPORT = Path(__file__).parent


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


class Dask:
    """Processes of one scheduler's address."""

    def __init__(self, log: Path) -> None:
        self.port, self._log = free_port(), log
        self.address = f"tcp://127.0.0.1:{self.port}"
        self.scheduler = self.start_scheduler()
        self.workers: list[subprocess.Popen[bytes]] = []

    def start_scheduler(self) -> subprocess.Popen[bytes]:
        self.scheduler = self._start(
            "dask_scheduler", "--host", "127.0.0.1", "--port", str(self.port), "--no-show"
        )
        return self.scheduler

    def start_worker(self, package: Path | None = None) -> subprocess.Popen[bytes]:
        self.workers.append(
            self._start("dask_worker", self.address, "--nthreads", "1", "--no-nanny", package=package)
        )
        return self.workers[-1]

    def kill_worker(self) -> None:
        """The one that was started first."""
        first = self.workers.pop(0)
        first.kill()
        first.wait()

    def _start(self, what: str, *args: str, package: Path | None = None) -> subprocess.Popen[bytes]:
        paths = os.pathsep.join(str(path) for path in (package, SUPPORT) if path is not None)
        with self._log.open("ab") as log:
            return subprocess.Popen(
                [sys.executable, "-m", f"distributed.cli.{what}", *args, "--no-dashboard"],
                env=os.environ | {"PYTHONPATH": paths},
                stdout=log,
                stderr=log,
                cwd=self._log.parent,
            )

    def close(self) -> None:
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()


@contextmanager
def dask(folder: Path, workers: int) -> Iterator[Dask]:
    """A scheduler and that many workers of one thread, whose log is in a folder."""
    them = Dask(folder / "dask.log")
    try:
        for _ in range(workers):
            them.start_worker()
        yield them
    finally:
        them.close()


def changed_package(folder: Path) -> Path:
    """A copy of the package with a line more, for PYTHONPATH."""
    shutil.copytree(ROOT / "python" / "roundworks", folder / "roundworks", symlinks=True)
    with (folder / "roundworks" / "bounds.py").open("a") as file:
        file.write("\n# changed\n")
    return folder
