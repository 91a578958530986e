"""Sealing and opening a file, interleaved with `cp` of the same file; and the memory it takes.

`python -m roundworks.bench.files speed|memory [MIB]`: the commands run as a user runs them, start of
Python included. `speed` stores rows. What each side does is in docs/reference/files.md.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Sequence
from pathlib import Path

from roundworks.ratios import FILES_WANTED, file_ratios
from roundworks.rows import FilesRow, Store

COMMAND = (sys.executable, "-c", "from roundworks.cli import main; main()")
ROUNDS = 7
MOST_MEMORY_MIB = 64


def runs(sync: bool) -> dict[str, Sequence[str]]:
    """What is timed, in a folder with `data` of some size and `data.roundworks`; all make `out`."""
    more = [] if sync else ["--no-sync"]
    roundworks = [*COMMAND, "{verb}", "--key", "key", "-o", "out", *more, "{input}"]
    return {
        "cp": ["sh", "-c", "cp data out && sync out"] if sync else ["cp", "data", "out"],
        "seal": [a.format(verb="seal", input="data") for a in roundworks],
        "open": [a.format(verb="open", input="data.roundworks") for a in roundworks],
    }


def timed(folder: Path, argv: Sequence[str]) -> float:
    """Seconds; what an earlier run made is removed before, on nobody's time."""
    (folder / "out").unlink(missing_ok=True)
    started = time.perf_counter()
    subprocess.run(argv, cwd=folder, check=True)
    return time.perf_counter() - started


def prepared(folder: Path, size_mib: int) -> None:
    """A key, data that no file system can make smaller, and the sealed file, all in the cache."""
    subprocess.run([*COMMAND, "keygen", "key"], cwd=folder, check=True, capture_output=True)
    with (folder / "data").open("wb") as file:
        for _ in range(size_mib):
            file.write(os.urandom(1 << 20))
    timed(folder, [*COMMAND, "seal", "--key", "key", "data"])


def measured(size_mib: int, rounds: int) -> list[FilesRow]:
    """A row for each place, kind of sync and operation."""
    rows = []
    run, command = uuid.uuid4().hex, f"python -m roundworks.bench.files speed {size_mib}"
    places = {"memory": (Path("/dev/shm"), (False,)), "disk": (Path.cwd() / "build", (False, True))}
    for place, (parent, syncs) in places.items():
        parent.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(dir=parent) as name:
            folder = Path(name)
            prepared(folder, size_mib)
            for sync in syncs:
                seconds: dict[str, list[float]] = {}
                for _ in range(rounds):
                    for what, argv in runs(sync).items():
                        seconds.setdefault(what, []).append(timed(folder, argv))
                rows += [
                    FilesRow.make(
                        command=command,
                        seconds=sum(taken),
                        run=run,
                        operation=what,
                        place=place,
                        synced=sync,
                        data_bytes=size_mib << 20,
                        samples_ns=[round(s * 1e9) for s in taken],
                    )
                    for what, taken in seconds.items()
                ]
    return rows


def speed(size_mib: int) -> int:
    """0 if every median is at least FILES_WANTED of cp's; the rows are stored."""
    rows = measured(size_mib, ROUNDS)
    Store().append(rows)
    result = file_ratios(rows)
    print("place   synced  what   median s  MB/s   cp s    ratio, cp / it")
    for r in result:
        print(
            f"{r.place:<7} {r.synced!s:<7} {r.operation:<6} {r.ours:>8.3f}"
            f"  {r.data_bytes / 1e6 / r.ours:>5.0f}  {r.copied:.3f}  {r.ratio:.2f}"
        )
    print(f"wanted: {FILES_WANTED:.2f}")
    return 0 if all(r.met for r in result) else 1


def memory(size_mib: int) -> int:
    """0 if no run took more than MOST_MEMORY_MIB."""
    good = True
    with tempfile.TemporaryDirectory(dir=Path.cwd() / "build") as name:
        folder = Path(name)
        prepared(folder, size_mib)
        for what, argv in runs(sync=True).items():
            if what == "cp":
                continue
            (folder / "out").unlink(missing_ok=True)
            process = subprocess.Popen(argv, cwd=folder)
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            peak = used.ru_maxrss / 1024
            good &= process.returncode == 0 and peak < MOST_MEMORY_MIB
            print(f"{what}: {size_mib} MiB of data, at most {peak:.1f} MiB of memory")
        with (folder / "data").open("rb") as one, (folder / "out").open("rb") as other:
            while block := one.read(1 << 20):
                good &= block == other.read(1 << 20)
            good &= other.read(1) == b""
    return 0 if good else 1


if __name__ == "__main__":
    run, size = {"speed": (speed, 1024), "memory": (memory, 4096)}[sys.argv[1]]
    sys.exit(run(int(sys.argv[2]) if len(sys.argv) > 2 else size))
