"""This CPU, measured as a GPU is: whole messages in memory, of one size up to a gibibyte.

Subjects are interleaved, a window each, through the Python classes and in place: a call's overhead,
some tenths of a microsecond, is in every sample, of the baseline's as of ours. What is counted is
time of this thread on its core: a long call is rarely left alone, and to wait is no work.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .. import _native, aead
from ..errors import RoundworksError
from .compiled import Compiled

CIPHERS = ("minalpher", "aes-128-gcm")
STAGES = ("whole", "authentication", "copy", "set")
_WINDOW_NS = 200_000
# Above this a second back end takes longer than it is worth; smaller messages run the same code.
_COMPARED_BYTES = 1 << 21
_POISON = 0xA5


@dataclass(frozen=True, slots=True)
class MessageSubject:
    """`authentication` is of associated data of the same length, in the core: Python would copy them
    first. `copy` is of the message to another buffer and of the ciphertext back; `set` clears a
    buffer of the ciphertext's size."""

    cipher: str
    stage: str
    data_bytes: int


def measure(
    subjects: Sequence[MessageSubject],
    *,
    samples: int,
    progress: Callable[[int, int], object] | None = None,
    programs: Mapping[str, Compiled] | None = None,
) -> list[dict[str, Any]]:
    """Fields of one ``gpu`` row for each, without the run; interleaved, one window at a time. `programs` are the
    ciphers of subjects that the core has not."""
    # Subjects of one size share memory: at a gibibyte there is no space for a set of each.
    sizes = dict.fromkeys(s.data_bytes for s in subjects)
    rows: dict[MessageSubject, dict[str, Any]] = {}
    for done, size in enumerate(sizes):
        here = [s for s in subjects if s.data_bytes == size]
        rows |= zip(here, _of_one_size(here, samples, programs or {}), strict=True)
        if progress:
            progress(done + 1, len(sizes))
    return [rows[s] for s in subjects]


def _of_one_size(
    subjects: Sequence[MessageSubject], samples: int, programs: Mapping[str, Compiled]
) -> list[dict[str, Any]]:
    memory = _Memory(subjects[0].data_bytes, programs)
    calls = [memory.call(s) for s in subjects]
    digests = [memory.digest(s.cipher) for s in subjects]
    for s in subjects:
        memory.compare(s.cipher)
    counts = [1 if call is None else _repeats(call) for call in calls]
    taken: list[list[float]] = [[] for _ in subjects]
    for _ in range(samples):
        for s, call, count, times in zip(subjects, calls, counts, taken, strict=True):
            times.append(_authentication(s, memory) if call is None else _window(call, count))
    return [
        {
            "device": "cpu",
            "subject": s.cipher,
            "stage": s.stage,
            "backend": memory.of(s.cipher).backend,
            "place": "host",
            "messages": 1,
            "data_bytes": s.data_bytes,
            "work": s.data_bytes,
            "unit": "bytes",
            "samples_ns": [round(t, 1) for t in times],
            "digest": digest,
            "seconds": sum(times) * count / 1e9,
        }
        for s, times, count, digest in zip(subjects, taken, counts, digests, strict=True)
    ]


class _Memory:
    """The memory of one size: the message, and one buffer that all subjects write."""

    def __init__(self, data_bytes: int, programs: Mapping[str, Compiled]) -> None:
        self.size, self.programs = data_bytes, programs
        self.ciphers: dict[str, Any] = {name: aead.get(name)(bytes(range(16))) for name in CIPHERS}
        self.ciphers |= {name: program.keyed() for name, program in programs.items()}
        most = max(c.sealed_bytes(data_bytes) for c in self.ciphers.values())
        self.message, self.buffer = np.empty(data_bytes, np.uint8), np.empty(most, np.uint8)
        # A page that was never written is a page of zeros shared by all, and quicker to read.
        self.message[:] = np.resize(np.arange(251, dtype=np.uint8), data_bytes)
        self.buffer[:] = _POISON

    def of(self, cipher: str) -> Any:
        return self.ciphers[cipher]

    def nonce(self, cipher: str) -> bytes:
        if own := self.programs.get(cipher):
            return bytes(own.nonce_bytes)
        return bytes(13 if cipher == "minalpher" else 12)

    def call(self, s: MessageSubject) -> Callable[[], object] | None:
        """What is timed here; None of what the core times."""
        subject, nonce = self.of(s.cipher), self.nonce(s.cipher)
        sealed = self.buffer[: subject.sealed_bytes(self.size)]
        inside = sealed[: self.size]
        if s.stage == "whole":
            return lambda: subject.encrypt_into(nonce, inside, b"", sealed)
        if s.stage == "authentication":
            return None
        if s.stage == "copy":

            def copy() -> None:
                np.copyto(inside, self.message)
                np.copyto(self.message, inside)

            return copy
        if s.stage == "set":
            return lambda: sealed.fill(0)
        raise ValueError(f"stage: want one of {', '.join(STAGES)}, got {s.stage!r}")

    def digest(self, cipher: str) -> str:
        """SHA-256 of ciphertext and tag, of the message opened again."""
        subject, nonce = self.of(cipher), self.nonce(cipher)
        sealed = self.buffer[: subject.sealed_bytes(self.size)]
        subject.encrypt_into(nonce, self.message, b"", sealed)
        result = hashlib.sha256(sealed.data).hexdigest()
        opened = sealed[: subject.opened_bytes(len(sealed))]
        subject.decrypt_into(nonce, sealed, b"", opened)
        if not np.array_equal(opened[: self.size], self.message):
            raise RoundworksError(f"{cipher}: {self.size} bytes do not open to what was sealed")
        return result

    def compare(self, cipher: str) -> None:
        """Every other back end must give the same bytes."""
        if self.size > _COMPARED_BYTES:
            return
        data, nonce = self.message.tobytes(), self.nonce(cipher)
        want = self.of(cipher).encrypt(nonce, data)
        own = self.programs.get(cipher)
        for name, here in self.of(cipher).backends():
            if here and name != self.of(cipher).backend:
                other = own.keyed(name) if own else aead.get(cipher)(bytes(range(16)), backend=name)
                if other.encrypt(nonce, data) != want:
                    raise RoundworksError(
                        f"{cipher}/{name} differs from {self.of(cipher).backend} at {self.size} bytes"
                    )


def _authentication(s: MessageSubject, memory: _Memory) -> float:
    backend = memory.of(s.cipher).backend
    times, _, _ = _native.bench(s.cipher, backend, "encrypt", 0, s.data_bytes, 1, _WINDOW_NS)
    return times[0]


def _window(call: Callable[[], object], count: int) -> float:
    """Nanoseconds of one call."""
    begin = time.thread_time_ns()
    for _ in range(count):
        call()
    return (time.thread_time_ns() - begin) / count


def _repeats(call: Callable[[], object]) -> int:
    """How many calls fill a window."""
    count = 1
    while True:
        took = round(count * _window(call, count))
        if took > _WINDOW_NS // 4:
            return max(1, count * _WINDOW_NS // took)
        count *= 2
