"""Who works on which word in which cycle, from a simulation: the data of a pipeline diagram."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ...errors import HardwareError
from ..cores import core
from ..flow.simulate import Simulation, simulate


@dataclass(frozen=True, slots=True)
class Occupied:
    """In cycle ``cycle`` ``stage`` works on word S_``word``.

    Cycle 0 is that in which the request is first offered. ``update`` is that which made the word,
    0 for the state before the initialisation. Of the byte-serial AO1 it is -1, and ``part`` is the
    byte or, from 16 on, the column.
    """

    cycle: int
    stage: str
    word: int
    update: int
    part: int


def trace(name: str) -> tuple[Simulation, list[Occupied]]:
    """A message with one block of associated data and one of text on a design point, by Icarus.

    Icarus, because it shows every register; the run is kept for the row that it makes.
    """
    traced = core(name)
    if not traced.trace:
        raise HardwareError(f"{name}: no trace; name its bench in cores.toml")
    done = simulate(replace(traced, bench=traced.trace, tests=()), simulator="icarus")
    return done, occupied(done)


def occupied(done: Simulation) -> list[Occupied]:
    """What the reports of a trace say."""
    stages = []
    for report in done.reports:
        for stage, (word, *more) in report["stages"].items():
            update, part = (-1, more[0]) if len(more) == 1 else (more[0], -1)
            stages.append(Occupied(report["cycle"], stage, word, update, part))
    return stages
