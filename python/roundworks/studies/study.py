"""What every study has: a plan of independent units of work, and one value made of their rows."""

from __future__ import annotations

import shlex
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Generic, TypeVar

from ..reproduce.run import Run
from ..rows import Row

T_co = TypeVar("T_co", covariant=True)
Batches = Iterator[Sequence[Row]]


@dataclass(frozen=True, slots=True)
class Unit:
    """A part of the work that needs no other.

    ``command`` is the command line that does it alone, which its rows carry. ``work`` yields its rows
    in batches as they are made; it is a function of a module, or a partial of one over plain values,
    so that a unit can be sent to another process.
    """

    title: str
    command: str
    work: Callable[[Run], Batches]


@dataclass(frozen=True, slots=True, repr=False)
class Given(Generic[T_co]):
    """What a unit may begin with: it saves work and changes nothing of what the unit is known by."""

    value: T_co

    def __repr__(self) -> str:
        return "Given()"


class Study(ABC, Generic[T_co]):
    """Plan, run each unit, reduce. Plan and reduction are pure: what is between them may be elsewhere."""

    @abstractmethod
    def plan(self) -> Sequence[Unit]:
        """The units, in the order in which one process would run them."""

    def run(self, unit: Unit, run: Run) -> Batches:
        """The rows of one unit; `run` says how much is wanted and hears how far the work is."""
        return unit.work(run)

    best_of: ClassVar[str] = ""  # what `best` is, for progress; nothing unless a study says so

    def best(self, so_far: float, rows: Sequence[Row]) -> float:
        """The best so far, with the rows of one more unit; a study begins with 0."""
        return so_far

    @abstractmethod
    def reduce(self, rows: Sequence[Row]) -> T_co:
        """The value of the study, from the rows of all its units in the order of the plan."""


def conduct(
    study: Study[T_co],
    run: Run | None = None,
    *,
    begin: Callable[[Unit], object] = lambda unit: None,
    keep: Callable[[Sequence[Row]], object] = lambda rows: None,
) -> T_co:
    """Run every unit here, one after another, and reduce what they gave.

    `begin` hears of each unit before it runs; `keep` gets each batch of rows as soon as it is made.
    """
    run, rows = run or Run(), list[Row]()
    for unit in study.plan():
        begin(unit)
        for batch in study.run(unit, run):
            keep(batch)
            rows += batch
    return study.reduce(rows)


def command_line(verb: str, *words: str, **options: object) -> str:
    """``roundworks VERB WORD --option VALUE``, as a row has it.

    An option that is None, False or empty is left out, one that is True has no value, and one that is
    a sequence is repeated.
    """
    parts = ["roundworks", verb, *map(shlex.quote, words)]
    for name, value in options.items():
        flag = f"--{name.replace('_', '-')}"
        if value is True:
            parts.append(flag)
        elif value is not None and value is not False:
            for one in value if isinstance(value, list | tuple) else [value]:
                text = f"{one:g}" if isinstance(one, float) else str(one)
                parts += [flag, shlex.quote(text)]
    return " ".join(parts)
