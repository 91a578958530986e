"""Goals of speed, and the work of each cipher from which a CPU's own limit follows."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from .documents import Document, per_root


@dataclass(frozen=True, slots=True)
class Goal:
    """Ours is to be ``times_as_fast`` as a library, or to take at most ``cycles_per_byte``."""

    cipher: str
    operation: str
    surface: str
    data_bytes: int
    than: str | None
    other_cipher: str
    times_as_fast: float | None
    cycles_per_byte: float | None


@dataclass(frozen=True, slots=True)
class Recurrence:
    """In ``rounds`` rounds of the state a value passes through so many operations."""

    rounds: int
    aes: int
    xors: int


@dataclass(frozen=True, slots=True)
class Work:
    """AES rounds and message bytes of one round of the state.

    ``recurrences`` has one for each operation whose rounds wait for each other.
    """

    cipher: str
    aes_rounds: int
    bytes: int
    lanes: int
    recurrences: dict[str, Recurrence]


@dataclass(frozen=True, slots=True)
class GpuGoal:
    """Of messages in a `place`: `tbits`, or a `share` of what the `resource` allows."""

    cipher: str
    place: str
    resource: str
    per_byte: float
    tbits: float | None = None
    share: float | None = None


def gpu_goals() -> list[GpuGoal]:
    """Every goal on a GPU, in the file's order."""
    return [GpuGoal(**goal) for goal in _document().data["gpu"]]


def goals() -> list[Goal]:
    """Every goal of ``spec/speed.toml``, in its order."""
    return [
        Goal(
            g["cipher"], g.get("operation", "encrypt"), g.get("surface", "rust"),
            g.get("data_bytes", 16384), g.get("than"), g.get("other_cipher", g["cipher"]),
            g.get("times_as_fast"), g.get("cycles_per_byte"),
        )
        for g in _document().data["goals"]
    ]  # fmt: skip


def work() -> list[Work]:
    """The work of each cipher that is made of AES rounds."""
    return [
        Work(
            w["cipher"], w["aes_rounds"], w["bytes"], w["lanes"],
            {o: Recurrence(**w[o]) for o in ("encrypt", "decrypt") if o in w},
        )
        for w in _document().data["work"]
    ]  # fmt: skip


@per_root
def _document(home: Path) -> Document:
    document = Document(home / "spec" / "speed.toml", "speed")
    document.unique(("work",), "cipher")
    return document
