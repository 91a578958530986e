"""Rows of one call on a GPU: what is timed, by which clock, and until when."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .. import spec
from .device import Bytes, Device

Fields = dict[str, Any]
# Of [MINALPHER-GPU, table 4]; and from 16 KiB to 1 GiB.
PARTS_BLOCKS = 40_000
SIZES = range(14, 31, 2)


@dataclass
class Bench:
    """Rows of one run, as long as there is time: what is asked first is had first."""

    device: Device
    say: Callable[[str], object]
    deadline: float
    run: str
    samples: int = 15
    rows: list[Fields] = field(default_factory=list)

    def late(self) -> bool:
        return time.monotonic() > self.deadline

    def on_device(self, work: Callable[[], object]) -> list[float]:
        """By the device's clock; the first call is not counted. What the host takes to start kernels
        is in it where they are shorter than that."""
        work()
        return [self.device.elapsed_ns(work) for _ in range(self.samples)]

    def by_the_wall(self, work: Callable[[], object]) -> list[float]:
        work()
        taken = []
        for _ in range(self.samples):
            begin = time.perf_counter_ns()
            work()
            self.device.wait()
            taken.append(float(time.perf_counter_ns() - begin))
        return taken

    def add(
        self, subject: str, stage: str, backend: str, samples: list[float], *, place: str,
        data_bytes: int, messages: int = 1, work: float | None = None, unit: str = "bytes",
        digest: str | None = None,
    ) -> None:  # fmt: skip
        self.rows.append({
            "run": self.run, "device": self.device.name, "subject": subject, "stage": stage,
            "backend": backend, "place": place, "messages": messages, "data_bytes": data_bytes,
            "work": work or float(messages * data_bytes), "unit": unit,
            "samples_ns": [round(s, 1) for s in samples], "digest": digest,
            "seconds": sum(samples) / 1e9,
        })  # fmt: skip


def pattern(size: int) -> Bytes:
    return np.resize(np.arange(251, dtype=np.uint8), size)


def paper_counts() -> list[int]:
    """The 23 numbers of blocks of [MINALPHER-GPU, table 3]."""
    return [int(row.name) for row in spec.paper("minalpher-gpu").table("3").rows]


def digest(sealed: bytes) -> str:
    return hashlib.sha256(sealed).hexdigest()
