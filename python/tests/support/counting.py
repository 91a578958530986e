"""A study whose result anyone can check: primes in ranges of numbers, a unit for each range."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import ClassVar

from roundworks.errors import RoundworksError
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


def client() -> None:
    """A client in a process of its own: LEDGER UNITS SECONDS LOG [CLUSTER]; prints numbers and primes."""
    ledger, units, seconds, log, *cluster = sys.argv[1:]
    study = Counting(int(units), seconds=float(seconds), log=log)
    try:
        print(*distribute(study, Path(ledger), *cluster, run=Run(say=print)).value, flush=True)
    except RoundworksError as error:
        sys.exit(str(error))
