"""A study whose result anyone can check: primes in ranges of numbers, a unit for each range."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import ClassVar

from roundworks.errors import RoundworksError
from roundworks.ledger import statuses
from roundworks.reproduce.run import Run
from roundworks.rows import Row, SearchRow
from roundworks.studies import Study, Unit
from roundworks.studies.runner import distribute
from roundworks.studies.study import Batches


def primes(first: int, end: int) -> int:
    """How many, by trial division."""
    return sum(n > 1 and all(n % d for d in range(2, int(n**0.5) + 1)) for n in range(first, end))


@dataclass(frozen=True, slots=True)
class Counting(Study[tuple[int, int]]):
    """``units`` ranges of ``size`` numbers, each with a pause of ``seconds``; numbers and primes.

    ``log``: a folder where each unit leaves a file when it is computed. ``deadly``: units that end
    their worker. ``wrong``: units that raise an error.
    """

    units: int
    size: int = 100
    seconds: float = 0.0
    log: str = ""
    deadly: tuple[int, ...] = ()
    wrong: tuple[int, ...] = ()
    best_of: ClassVar[str] = "primes"

    def plan(self) -> Sequence[Unit]:
        return [
            Unit(
                f"range {i}",
                "roundworks count",
                partial(count, i, self.size, self.seconds, self.log, i in self.deadly, i in self.wrong),
            )
            for i in range(self.units)
        ]

    def best(self, so_far: float, rows: Sequence[Row]) -> float:
        return so_far + sum(row.found for row in rows if isinstance(row, SearchRow))

    def reduce(self, rows: Sequence[Row]) -> tuple[int, int]:
        counts = [(row.searched, row.found) for row in rows if isinstance(row, SearchRow)]
        return sum(a for a, _ in counts), sum(b for _, b in counts)


def count(place: int, size: int, seconds: float, log: str, deadly: bool, wrong: bool, run: Run) -> Batches:
    time.sleep(seconds)
    if deadly:
        os.kill(os.getpid(), signal.SIGKILL)
    if wrong:
        raise ValueError(f"range {place} is wrong")
    if log:
        Path(log, f"{place}.{os.getpid()}.{time.time_ns()}").touch()
    first = place * size
    yield [
        SearchRow.make(
            words=2,
            inputs=1,
            active=1,
            candidates=size,
            searched=size,
            found=primes(first, first + size),
            complete=True,
            threads=1,
            seconds=seconds,
            command="roundworks count",
        )
    ]


def main() -> None:
    """A client in a process of its own: LEDGER UNITS SECONDS LOG [CLUSTER]; prints numbers and primes."""
    ledger, units, seconds, log, *cluster = sys.argv[1:]
    study = Counting(int(units), seconds=float(seconds), log=log)
    try:
        print(*distribute(study, Path(ledger), *cluster, run=Run(say=print)).value, flush=True)
    except RoundworksError as error:
        sys.exit(str(error))


def wanted(units: int) -> tuple[int, int]:
    """Of `Counting(units)`, here and by one loop."""
    return units * 100, primes(0, units * 100)


def client(
    ledger: Path,
    units: int,
    seconds: float,
    log: Path,
    *cluster: str,
    limit: int = 0,
    environment: Mapping[str, str] | None = None,
) -> subprocess.Popen[str]:
    """A process that runs `main`; ``limit``: bytes that a file of it may have."""
    log.mkdir(exist_ok=True)

    def limited() -> None:
        if limit:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    words = (str(ledger), str(units), str(seconds), str(log), *cluster)
    return subprocess.Popen(
        [sys.executable, "-c", "import counting; counting.main()", *words],
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parent)} | dict(environment or {}),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=limited,
    )


def until(true: Callable[[], object], process: subprocess.Popen[str] | None = None) -> None:
    """Wait for it, at most a minute."""
    end = time.monotonic() + 60
    while not true():
        assert time.monotonic() < end, "a minute is over"
        if process is not None and process.poll() is not None:
            raise AssertionError(f"the client has ended: {process.communicate()}")
        time.sleep(0.02)


def done(ledger: Path) -> int:
    """Units that are done, while another process may write."""
    return max((status.done for status in statuses(ledger)), default=0) if ledger.is_file() else 0


def computed(log: Path) -> Counter[int]:
    """How often each unit was."""
    return Counter(int(name.split(".")[0]) for name in os.listdir(log))


def result(process: subprocess.Popen[str]) -> tuple[int, ...]:
    out, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    return tuple(map(int, out.splitlines()[-1].split()))
