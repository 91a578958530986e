"""The pages of all results, after computing what takes seconds."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from .. import spec
from ..errors import RoundworksError
from ..report.build import build
from ..report.frame import origin
from ..reproduce.run import Run
from ..rows import Row, Store
from .ciphers import units_of, vector_unit
from .papers import Reproduction
from .result import Table
from .software import Speed
from .study import Unit

# A unit is computed if it ever took no more than this, and otherwise shown as it is stored.
LIMIT = 2.0
# Seconds after which a unit that has rows is no longer begun: on a slow machine the page is not kept waiting.
BUDGET = 20.0
# Windows of each speed: enough for a median, and seconds in all.
SAMPLES = 6
# Rows of one run of a command are written within this, each batch at once.
_ONE_RUN = timedelta(seconds=2)
# What a unit of which nothing is known counts in a bar, in seconds.
_UNKNOWN = 0.1


@dataclass(frozen=True, slots=True)
class PagePart:
    """A unit, and the seconds it took before. It ``must`` run where no stored row stands for it."""

    unit: Unit
    seconds: float
    must: bool = True


@dataclass(frozen=True, slots=True)
class PagePlan:
    """What is quick, in order, by the rows of earlier runs, which are ``known``; and what is not."""

    known: Sequence[Row]
    parts: tuple[PagePart, ...]
    longer: tuple[tuple[Unit, float], ...]


@dataclass
class Computed:
    """What was computed, and what is shown as it is stored for one of two reasons."""

    plan: PagePlan
    rows: list[Row] = field(default_factory=list)
    units: list[Unit] = field(default_factory=list)
    refused: list[tuple[Unit, str]] = field(default_factory=list)

    @property
    def left_out(self) -> Table:
        """A line for each unit that was not computed."""
        slow = [(unit, f"{spent:.0f} s") for unit, spent in self.plan.longer]
        lines = []
        for unit, why in [*slow, *self.refused]:
            rows = [row for row in self.plan.known if row.command == unit.command]
            lines.append((unit.command, why, origin(rows) if rows else "no rows yet"))
        return Table("not computed now", ("command", "because", "shown from rows"), tuple(lines))


def everything() -> list[Unit]:
    """A unit for each table of a paper, and for each thing that a cipher's description gives."""
    ciphers = (unit for facts in spec.ciphers() for unit in units_of(facts.name))
    return [*Reproduction().plan(), *ciphers]


def planned(known: Sequence[Row]) -> PagePlan:
    """Vectors, every unit that was quick whenever it ran, and last of all speed."""
    units, (speeds,) = everything(), Speed(samples=SAMPLES).plan()
    runs = seconds_of(known, [unit.command for unit in (*units, speeds)])
    # By its shortest run: one on a machine that was busy says little of what a unit takes.
    minimum = {command: min(each) for command, each in runs.items()}
    took = {command: each[-1] for command, each in runs.items()}
    longer = tuple((unit, minimum[unit.command]) for unit in units if minimum.get(unit.command, 0) > LIMIT)
    quick = [unit for unit in units if minimum.get(unit.command, 0) <= LIMIT]
    parts = [PagePart(vector_unit(every=False), LIMIT)]
    parts += [PagePart(u, took.get(u.command, _UNKNOWN), must=u.command not in took) for u in quick]
    # What is timed comes last, when the rest has warmed the machine up.
    return PagePlan(known, (*parts, PagePart(speeds, took.get(speeds.command, 4 * LIMIT))), longer)


def compute(
    store: Store,
    plan: PagePlan,
    run: Run | None = None,
    begin: Callable[[PagePart], object] = lambda part: None,
) -> Computed:
    """Run every part of the plan, its rows stored as soon as they are made.

    After `BUDGET` seconds a part that has rows of before is left to them.
    """
    done, end = Computed(plan), time.monotonic() + BUDGET
    for part in plan.parts:
        begin(part)
        if not part.must and time.monotonic() > end:
            done.refused.append((part.unit, f"{BUDGET:.0f} s were over"))
            continue
        try:
            for rows in part.unit.work(run or Run()):
                store.append(rows)
                done.rows += rows
        except (RoundworksError, ImportError) as error:  # a tool, or an extra, that is not here
            done.refused.append((part.unit, str(error)))
        else:
            done.units.append(part.unit)
    return done


def report(out: Path, *, results: Path | None = None, computing: bool = False) -> Path:
    """Write the pages of all stored rows, and return where the first one is.

    Parameters
    ----------
    out : Path
        The folder for them.
    results : Path, optional
        Where the rows are; by default those stored and the user's own.
    computing : bool
        First compute what takes seconds; the pages then say what is of now.
    """
    store, since = Store(results), datetime.now(UTC).replace(microsecond=0)
    if computing:
        compute(store, planned(store.read()))
    return build(store, out, since if computing else None)


def seconds_of(rows: Iterable[Row], commands: Iterable[str]) -> dict[str, list[float]]:
    """Command -> what each of its runs took, by all rows of it; `rows` are the oldest first."""
    runs: dict[str, list[float]] = {}
    ends: dict[str, datetime] = {}
    wanted = set(commands)
    for row in rows:
        if (command := row.command) in wanted:
            if command not in ends or row.when - ends[command] > _ONE_RUN:
                runs.setdefault(command, []).append(0.0)
            ends[command] = row.when
            runs[command][-1] += row.seconds
    return runs
