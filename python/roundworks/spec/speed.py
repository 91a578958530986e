"""Goals of speed, and the work of each cipher from which a CPU's own limit follows."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .cpus import Cpu, cpus
from .documents import Document, per_root, value_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """Ours is to be ``times_as_fast`` as a library, or as itself at another operation, or to take at most
    ``cycles_per_byte``.

    On the CPUs of these profiles, and on that back end; on every CPU, and on the fastest, where it names none.
    ``reason``: why it is missed where it is.
    """

    cipher: str
    other_cipher: str
    other_operation: str
    operation: str = "encrypt"
    surface: str = "rust"
    data_bytes: int = 16384
    than: str | None = None
    times_as_fast: float | None = None
    cycles_per_byte: float | None = None
    cpus: tuple[str, ...] = ()
    backend: str | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Recurrence:
    """In ``rounds`` rounds of the state a value passes through that many operations."""

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
    """Of messages in a `place`: `tbits`, or a `share` of what the `resource` allows; the `reason` is of a
    goal that was missed."""

    cipher: str
    place: str
    resource: str
    per_byte: float
    tbits: float | None = None
    share: float | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class GeneratedGoal:
    """Cycles of generated C over those of the code written by hand, for messages of that size: the
    geometric mean and the largest are to be at most these."""

    data_bytes: int
    mean: float
    largest: float


@dataclass(frozen=True, slots=True)
class RandomGoal:
    """Of that many random ciphers: the median of time over the port limit is to be at most this."""

    ciphers: int
    median: float


@dataclass(frozen=True, slots=True)
class GenerationGoal:
    """From the description of that cipher to a program that passed its tests in at most these seconds."""

    cipher: str
    target: str
    seconds: float


def slower_permutation(permutation: str, backend: str, blocks: int, time: str) -> str | None:
    """Why the generated permutation of a row written at that time is slower than the code written by hand."""
    for one in _document().data["generated_permutations"]["slower"]:
        here = one.get("permutation", permutation) == permutation
        here &= "backend" not in one or (one["backend"] == backend and blocks > 1)
        if here and ("before" not in one or time < str(one["before"])):
            return str(one["reason"])
    return None


@dataclass(frozen=True, slots=True)
class CorePair:
    """The generated core of a cipher and the one written by hand, by the names of rows."""

    cipher: str
    generated: str
    hand: str
    reason: str = ""  # why the hand wins, where it does


@dataclass(frozen=True, slots=True)
class GeneratedCoresGoal:
    """Area times period of generated cores over those written by hand: the geometric mean and the largest
    are to be at most these."""

    mean: float
    largest: float
    pairs: tuple[CorePair, ...]


def generated_cores_goal() -> GeneratedCoresGoal:
    """The goal, and what is compared."""
    goal = _document().data["generated_cores"]
    pairs = tuple(CorePair(**pair) for pair in goal["pairs"])
    return GeneratedCoresGoal(goal["mean"], goal["largest"], pairs)


def generated_permutations_mean() -> float:
    """Time of generated permutations over the core's: the geometric mean is to be at most this."""
    return float(_document().data["generated_permutations"]["mean"])


def random_goal() -> RandomGoal:
    """The goal of generated code of random ciphers."""
    return RandomGoal(**_document().data["random"])


def generation_goal() -> GenerationGoal:
    """The goal of `roundworks generate`."""
    return GenerationGoal(**_document().data["generation"])


def generated_goals() -> list[GeneratedGoal]:
    """Every goal of generated code, in the file's order."""
    return [GeneratedGoal(**goal) for goal in _document().data["generated"]]


def slower_generated(cipher: str, backend: str, time: str) -> str | None:
    """Why the generated code of a row written at that time is slower than the code written by hand."""
    for one in _document().data["slower"]:
        here = cipher in one["ciphers"] and backend == one["backend"]
        if here and ("before" not in one or time < str(one["before"])):
            return str(one["reason"])
    return None


def gpu_goals() -> list[GpuGoal]:
    """Every goal on a GPU, in the file's order."""
    return [GpuGoal(**goal) for goal in _document().data["gpu"]]


def _other(goal: dict[str, Any]) -> dict[str, str]:
    """What a goal compares with where it does not say: the same."""
    return {"other_cipher": goal["cipher"], "other_operation": goal.get("operation", "encrypt")}


def goals(of: Cpu | None = None) -> list[Goal]:
    """Every goal of ``spec/speed.toml``, in its order; those for one CPU if it is given."""
    document = _document()
    every = [value_of(Goal, _other(goal) | goal) for goal in document.data["goals"]]
    known = {one.name for one in cpus()}
    for at, goal in enumerate(every):
        for number, name in enumerate(goal.cpus):
            if name not in known:
                document.fail(("goals", at, "cpus", number), f"want a CPU of cpus.toml, got {name}")
    return [goal for goal in every if of is None or not goal.cpus or of.name in goal.cpus]


def work() -> list[Work]:
    """The work of each cipher that is made of AES rounds."""
    return [
        value_of(Work, w, recurrences={o: Recurrence(**w[o]) for o in ("encrypt", "decrypt") if o in w})
        for w in _document().data["work"]
    ]


@per_root
def _document(home: Path) -> Document:
    document = Document(home / "spec" / "speed.toml", "speed")
    document.unique(("work",), "cipher")
    document.unique(("generated",), "data_bytes")
    return document
