"""Long messages on this CPU, measured as a GPU is, and the rows that a machine with a GPU left."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median

from .. import machine
from ..bench.compiled import Compiled
from ..bench.messages import CIPHERS, MessageSubject, measure
from ..errors import RowError
from ..reproduce.run import Run
from ..rows import GpuRow, Row, Store, typed
from .generated import compiled, stream_of
from .result import Result, Table
from .software import of_one_run
from .study import Batches, Study, Unit, command_line, conduct

# Four times from one to the next: 16 KiB, .. 64 MiB, and to 1 GiB.
_SIZES = {"quick": range(14, 27, 2), "full": range(14, 31, 2)}
_SAMPLES = {"quick": 9, "full": 15}


@dataclass(frozen=True, slots=True)
class LongMessages(Study[Result[GpuRow]]):
    """Messages up to 64 MiB, or with the full profile up to 1 GiB, which needs 3 GiB of memory.

    With a ``file``, the generated C of its cipher is measured next to the others.

    Raises
    ------
    DescriptionError
        ``feistel-aes: want a streaming AEAD ...``
    """

    profile: str = "quick"
    file: Path | None = None

    def __post_init__(self) -> None:
        if self.file is not None:
            stream_of(self.file)

    def plan(self) -> Sequence[Unit]:
        """One unit: the ciphers are interleaved."""
        profile = None if self.profile == "quick" else self.profile
        command = command_line("gpu", profile=profile, file=self.file.name if self.file else None)
        return [Unit("long messages", command, partial(_measured, self.profile, command, self.file))]

    def reduce(self, rows: Sequence[Row]) -> Result[GpuRow]:
        """A table of the medians and rates of all rows."""
        return shown([row for row in rows if isinstance(row, GpuRow)])


def long_messages(profile: str = "quick") -> Result[GpuRow]:
    """Measure long messages on this CPU, in the way a GPU is measured."""
    return conduct(LongMessages(profile))


def merged(folder: Path) -> Result[GpuRow]:
    """The rows that a machine with a GPU left in a folder, each checked.

    Raises
    ------
    RowError
        ``gpu.jsonl:3: unit: want 'bytes' or 'lop3', got 'miles'``, or the run is stored already.
    """
    file = folder / "gpu.jsonl"
    if not file.is_file():
        raise RowError(f"{file}: not there; want the folder that bench/gpu/run.sh wrote")
    rows = []
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        try:
            given = json.loads(line)
        except ValueError as error:
            raise RowError(f"{file}:{number}: not JSON: {error}") from None
        row = typed(given, f"{file}:{number}")
        if not isinstance(row, GpuRow):
            raise RowError(f"{file}:{number}: kind: want 'gpu', got {row.kind!r}")
        rows.append(row)
    known = {(r.run, r.time) for r in Store().read(GpuRow)}
    if again := [r for r in rows if (r.run, r.time) in known]:
        raise RowError(f"{file}: run {again[0].run} is stored already")
    return shown(rows)


def keep_machine(folder: Path, rows: Sequence[GpuRow]) -> None:
    """Store what the page says of the machine, unless it is there."""
    for slug in {row.machine for row in rows} - {machine.slug()}:
        place = Store().path / slug / "machine.json"
        if not place.exists():
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes((folder / "machine.json").read_bytes())


def shown(rows: Sequence[GpuRow]) -> Result[GpuRow]:
    """A line for each row."""
    lines = tuple(
        (
            r.device,
            r.subject,
            r.stage,
            r.backend,
            r.place,
            r.messages,
            r.data_bytes,
            f"{median(r.samples_ns) / 1e6:,.4g}",
            f"{rate(r):,.4g}",
        )
        for r in rows
    )
    columns = ("device", "subject", "stage", "by", "place", "messages", "bytes", "ms", "rate")
    title = "Gbit/s, medians; of a ceiling 10^9 of its unit each second"
    note = "this measures a machine that may be shared: compare within one run only"
    return Result(tuple(rows), (Table(title, columns, lines),), (note,))


def rate(row: GpuRow) -> float:
    """Gbit/s of a message, 10^9 of its unit each second of a ceiling."""
    per_ns = row.work / median(row.samples_ns)
    return per_ns * 8 if row.unit == "bytes" else per_ns


def _measured(profile: str, command: str, file: Path | None, run: Run) -> Batches:
    programs = dict[str, Compiled]()
    if file is not None:
        own = stream_of(file)
        programs[own.name] = compiled(own, file)
    names = [*CIPHERS, *programs]
    subjects = [MessageSubject(name, "whole", 1 << n) for n in _SIZES[profile] for name in names]
    timed = measure(subjects, samples=_SAMPLES[profile], progress=run.counted, programs=programs)
    yield [GpuRow.make(command=command, **fields) for fields in of_one_run(timed)]
