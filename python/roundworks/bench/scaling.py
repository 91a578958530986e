"""Sealing on one core, two and so on up to all: files, and many messages in one call.

`python -m roundworks.bench.scaling [MIB]` times them interleaved, stores rows and prints how many times as
fast each is as on one core.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from rich.progress import track

from roundworks import aead
from roundworks.bench.files import prepared, runs, timed
from roundworks.ratios import scalings
from roundworks.rows import ScalingRow, Store

ROUNDS = 7
MESSAGE_BYTES = 16384
CIPHERS = ("aegis-128l", "aegis-128x2", "minalpher")
# What the command line seals files with.
OF_FILES = "aegis-256x2"

Work = tuple[str, str, int, int, Callable[[], float]]
"""Operation, cipher, messages, bytes in all, and what does it and returns the seconds."""


@contextmanager
def limited(cores: int) -> Iterator[None]:
    """The process and what it starts may run on that many cores."""
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, sorted(allowed)[:cores])
    try:
        yield
    finally:
        os.sched_setaffinity(0, allowed)


def steps(cores: int) -> list[int]:
    """1, 2, 4 and so on, and all."""
    return sorted({*(1 << i for i in range(cores.bit_length())), cores})


def messages(size_mib: int) -> list[Work]:
    """Calls of `seal_many` into an array that is there."""

    def work(name: str) -> Work:
        kind = aead.get(name)
        cipher, count = kind(bytes(kind.KEY_BYTES)), (size_mib << 20) // MESSAGE_BYTES
        # In Python 3.11 no array says to mypy that it is a buffer.
        nonces: Any = np.zeros((count, kind.NONCE_BYTES), np.uint8)
        nonces[:, :4] = np.arange(count, dtype="<u4").view(np.uint8).reshape(-1, 4)
        data: Any = np.ones((count, MESSAGE_BYTES), np.uint8)
        out: Any = np.zeros((count, cipher.sealed_bytes(MESSAGE_BYTES)), np.uint8)

        def call() -> float:
            started = time.perf_counter()
            cipher.seal_many(nonces, data, out=out)
            return time.perf_counter() - started

        return "seal-many", name, count, size_mib << 20, call

    return [work(name) for name in CIPHERS]


def files(folder: Path, size_mib: int) -> list[Work]:
    """A file sealed and opened as a user does it, in memory and not synced."""
    prepared(folder, size_mib)
    commands = runs(sync=False)

    def work(what: str) -> Work:
        return what, OF_FILES, 1, size_mib << 20, lambda: timed(folder, commands[what])

    return [work("seal"), work("open")]


def measured(works: Sequence[Work], rounds: int, command: str) -> list[ScalingRow]:
    """A row for each work and number of cores."""
    taken: dict[tuple[int, int], list[float]] = {}
    todo = [(i, cores) for i in range(len(works)) for cores in steps(len(os.sched_getaffinity(0)))]
    for each in track(todo * rounds, "scaling", transient=True):
        with limited(each[1]):
            taken.setdefault(each, []).append(works[each[0]][-1]())
    run = uuid.uuid4().hex
    return [
        ScalingRow.make(
            command=command,
            seconds=sum(seconds),
            run=run,
            operation=works[i][0],
            cipher=works[i][1],
            cores=cores,
            messages=works[i][2],
            data_bytes=works[i][3],
            samples_ns=[round(s * 1e9) for s in seconds],
        )
        for (i, cores), seconds in taken.items()
    ]


def main(size_mib: int) -> None:
    """Measure, store the rows and print them."""
    command = f"python -m roundworks.bench.scaling {size_mib}"
    with tempfile.TemporaryDirectory(dir="/dev/shm") as name:
        rows = measured([*messages(size_mib), *files(Path(name), size_mib)], ROUNDS, command)
    Store().append(rows)
    print("operation  cipher       cores  median s  GB/s   times one core")
    for each in scalings(rows):
        speed = each.data_bytes / 1e9 / each.seconds
        what = f"{each.operation:<9}  {each.cipher:<11}  {each.cores:>5}"
        print(f"{what}  {each.seconds:>8.3f}  {speed:>5.2f}  {each.ratio:.2f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 256)
