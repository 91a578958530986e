"""Rows of one call on a GPU: what is timed, by which clock, and until when."""

from __future__ import annotations

import hashlib
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import spec
from ..errors import ResearchOnlyWarning
from . import aead
from .device import Device

Bytes = npt.NDArray[np.uint8]
Fields = dict[str, Any]
# Of [MINALPHER-GPU, table 4]; and from 16 KiB to 1 GiB.
PARTS_BLOCKS = 40_000
SIZES = range(14, 31, 2)


@dataclass
class DeviceBench:
    """Rows of one run, as long as there is time, in the order of the steps.

    Parameters
    ----------
    say : callable
        Of a line for whoever waits.
    deadline : float
        Of `time.monotonic`: no step begins after it.
    run : str
        A name that no other run has.
    samples : int
        Of each row; the first call is not counted.
    """

    device: Device
    say: Callable[[str], object]
    deadline: float
    run: str
    samples: int = 15
    rows: list[Fields] = field(default_factory=list)

    def late(self) -> bool:
        """Whether the time of the whole measurement is over."""
        return time.monotonic() > self.deadline

    def fits(self, what: str, size_bytes: int) -> bool:
        """Whether there is time, and that much memory on the device; says it where not."""
        if fits := not self.late() and size_bytes <= self.device.free_bytes():
            return fits
        self.say(f"  {what}: left out")
        return False

    def on_device(self, work: Callable[[], object]) -> list[float]:
        """Nanoseconds of each sample by the device's clock, with what the host takes to start kernels
        where they are shorter than that."""
        work()
        return [self.device.elapsed_ns(work) for _ in range(self.samples)]

    def entries(self, work: Callable[[], object]) -> dict[str, list[float]]:
        """Nanoseconds of each sample by the device's clock, of every entry that is launched."""
        work()
        taken: dict[str, list[float]] = {}
        for sample in range(self.samples):
            for entry, ns in self.device.timeline(work):
                samples = taken.setdefault(entry, [0.0] * self.samples)
                samples[sample] += ns
        return taken

    def by_the_wall(self, work: Callable[[], object]) -> list[float]:
        """Nanoseconds of each sample by the host's clock, until the device is done."""
        work()
        taken = []
        for _ in range(self.samples):
            begin = time.perf_counter_ns()
            work()
            self.device.wait()
            taken.append(float(time.perf_counter_ns() - begin))
        return taken

    def add(
        self,
        subject: str,
        stage: str,
        backend: str,
        samples: list[float],
        *,
        place: str,
        data_bytes: int,
        messages: int = 1,
        work: float | None = None,
        unit: str = "bytes",
        digest: str | None = None,
    ) -> None:
        """A row of kind ``gpu``; `work` of `unit` is what a sample does, all bytes unless given."""
        self.rows.append(
            {
                "run": self.run,
                "device": self.device.name,
                "subject": subject,
                "stage": stage,
                "backend": backend,
                "place": place,
                "messages": messages,
                "data_bytes": data_bytes,
                "work": work or float(messages * data_bytes),
                "unit": unit,
                "samples_ns": [round(s, 1) for s in samples],
                "digest": digest,
                "seconds": sum(samples) / 1e9,
            }
        )


def keyed(name: str, device: Device, key: bytes | None = None, tag_bytes: int | None = None) -> aead.GpuAead:
    """A cipher with a key, 00 01 02 .. unless given; what is for study alone is no surprise here."""
    key = bytes(range(spec.cipher(name).key_bytes)) if key is None else key
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResearchOnlyWarning)
        cipher: aead.GpuAead = aead.get(name)(key, tag_bytes=tag_bytes, machine=device)
    return cipher


def nonce(name: str) -> bytes:
    """The nonce 00 01 02 .."""
    return bytes(range(spec.cipher(name).nonce_bytes))


def counted(name: str, count: int) -> Bytes:
    """Nonces 0, 1, .. of shape (count, nonce bytes)."""
    size = spec.cipher(name).nonce_bytes
    numbers = np.zeros((count, size), np.uint8)
    numbers[:, size - 4 :] = np.arange(count, dtype=">u4").view(np.uint8).reshape(count, 4)
    return numbers


def pattern(size: int) -> Bytes:
    """Bytes 0 .. 250, again and again."""
    return np.resize(np.arange(251, dtype=np.uint8), size)


def paper_counts() -> list[int]:
    """The 23 numbers of blocks of [MINALPHER-GPU, table 3]."""
    return [int(row.name) for row in spec.paper("minalpher-gpu").table("3").rows]


def digest(sealed: bytes) -> str:
    """SHA-256, in hexadecimal digits."""
    return hashlib.sha256(sealed).hexdigest()
