"""Files sealed and opened compared with a copy, and work on several cores with the same on one."""

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median

from roundworks.rows import FilesRow, ScalingRow

from .newest import newest_run

# A file is sealed and opened at this share of the speed of `cp`.
FILES_WANTED = 0.80


@dataclass(frozen=True, slots=True)
class FileRatio:
    """A file sealed or opened, and `cp` of the same file: median seconds of each."""

    operation: str
    place: str
    synced: bool
    data_bytes: int
    ours: float
    copied: float
    run: str

    @property
    def ratio(self) -> float:
        """Time of a copy over the time of sealing or opening."""
        return self.copied / self.ours

    @property
    def met(self) -> bool:
        """Whether the wanted share of a copy's speed is reached."""
        return self.ratio >= FILES_WANTED


def file_ratios(files: Iterable[FilesRow]) -> list[FileRatio]:
    """Every row of the newest run but those of `cp`, each with the one of `cp` like it."""
    here = newest_run(files)
    copies = {_where(row): row for row in here if row.operation == "cp"}
    return [
        FileRatio(
            row.operation,
            *_where(row),
            median(row.samples_ns) / 1e9,
            median(copies[_where(row)].samples_ns) / 1e9,
            row.run,
        )
        for row in here
        if row.operation != "cp" and _where(row) in copies
    ]


def _where(row: FilesRow) -> tuple[str, bool, int]:
    return row.place, row.synced, row.data_bytes


@dataclass(frozen=True, slots=True)
class Scaling:
    """Work on a number of cores, and the same on one: median seconds of each."""

    operation: str
    cipher: str
    messages: int
    data_bytes: int
    cores: int
    seconds: float
    alone: float

    @property
    def ratio(self) -> float:
        """How many times as fast as on one core."""
        return self.alone / self.seconds


def scalings(rows: Iterable[ScalingRow]) -> list[Scaling]:
    """Every row of the newest run, each with the one of the same work on one core."""
    here = newest_run(rows)
    alone = {(row.operation, row.cipher): median(row.samples_ns) / 1e9 for row in here if row.cores == 1}
    return [
        Scaling(
            row.operation,
            row.cipher,
            messages=row.messages,
            data_bytes=row.data_bytes,
            cores=row.cores,
            seconds=median(row.samples_ns) / 1e9,
            alone=alone[row.operation, row.cipher],
        )
        for row in here
        if (row.operation, row.cipher) in alone
    ]
