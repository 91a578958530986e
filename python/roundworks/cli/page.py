"""What `roundworks report --compute` does before it writes the page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from rich.progress import (
    BarColumn,
    Progress,
    TaskProgressColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from ..errors import RoundworksError
from ..reproduce import Run
from ..rows import Row, Store, row
from .bench import in_the_core, run_bench
from .common import err
from .steps import Rows, Step, seconds_of, steps_of_ciphers, steps_of_papers, vectors

# A step is computed if it ever took no more than this, and otherwise shown as it is stored.
LIMIT = 2.0
# Windows of each speed: enough for a median, and seconds in all.
SAMPLES = 6
# What a step counts in the bar of which nothing is known.
_UNKNOWN = 0.1


@dataclass
class Outcome:
    """What was computed, and what is stored for one of two reasons."""

    rows: int = 0
    computed: list[Step] = field(default_factory=list)
    longer: list[tuple[Step, float]] = field(default_factory=list)
    refused: list[tuple[Step, str]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Part:
    """A step, and how wide it is in the bar."""

    step: Step
    seconds: float


_PAGE = Step("the page", "roundworks report", lambda run: iter(()))


def compute(store: Store, known: Sequence[Row], finish: Callable[[], object]) -> Outcome:
    """Every quick step, its rows stored as soon as it is done; then `finish`, in the same bar.

    `known` are the rows that say how long a step took when it last ran.
    """
    outcome, bar = Outcome(), Bar()
    speeds = _speeds(bar.show)
    steps = [*steps_of_papers(), *steps_of_ciphers()]
    runs = seconds_of(known, [step.command for step in (*steps, speeds)])
    # By its shortest run: one on a machine that was busy says little of what a step takes.
    least = {command: min(each) for command, each in runs.items()}
    took = {command: each[-1] for command, each in runs.items()}
    outcome.longer = [(s, least[s.command]) for s in steps if least.get(s.command, 0) > LIMIT]
    quick = [step for step in steps if least.get(step.command, 0) <= LIMIT]
    # What is timed comes last, when the rest has warmed the machine up.
    parts = [Part(vectors(every=False), LIMIT)]
    parts += [Part(step, took.get(step.command, _UNKNOWN)) for step in quick]
    parts += [Part(speeds, took.get(speeds.command, 4 * LIMIT))]
    with bar.of([*parts, Part(_PAGE, 3 * LIMIT)]):
        for part in parts:
            bar.begin(part)
            _take(part.step, store, outcome)
        bar.begin(Part(_PAGE, 3 * LIMIT))
        finish()
    return outcome


def _take(step: Step, store: Store, outcome: Outcome) -> None:
    try:
        for rows in step.rows(Run()):
            store.append(rows)
            outcome.rows += len(rows)
    except (RoundworksError, ImportError) as error:  # a tool, or an extra, that is not here
        outcome.refused.append((step, str(error)))
    else:
        outcome.computed.append(step)


def _speeds(progress: Callable[[float], object]) -> Step:
    command = f"roundworks bench --samples {SAMPLES}"

    def compute(run: Run) -> Rows:
        found = run_bench(tuple(in_the_core()), (), (), SAMPLES, "quick", progress)
        yield [row("bench", command=command, **fields) for fields in found]

    return Step("software speed", command, compute)


class Bar:
    """One bar over all parts, each as wide as the seconds it took before."""

    def __init__(self) -> None:
        self._bar = Progress(
            TextColumn("{task.description}"), BarColumn(18), TaskProgressColumn(),
            TimeElapsedColumn(), TextColumn("left"), TimeRemainingColumn(), console=err,
            transient=True, speed_estimate_period=120, disable=not err.is_terminal,
        )  # fmt: skip
        self._task = self._bar.add_task("", total=None)
        self._done, self._part, self._wide = 0.0, Part(_PAGE, 0.0), 0

    @contextmanager
    def of(self, parts: Sequence[Part]) -> Iterator[None]:
        self._bar.update(self._task, total=sum(part.seconds for part in parts))
        self._wide = max(len(part.step.title) for part in parts)
        with self._bar:
            yield

    def begin(self, part: Part) -> None:
        self._done, self._part = self._done + self._part.seconds, part
        self._bar.update(self._task, description=part.step.title.ljust(self._wide))
        self.show(0.0)

    def show(self, share: float) -> None:
        """How much of the part that was begun is done, from 0 to 1."""
        self._bar.update(self._task, completed=self._done + share * self._part.seconds)
