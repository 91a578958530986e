"""A bar on standard error: the parts of a study, each as wide as the seconds it took before."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskProgressColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from .common import err

if TYPE_CHECKING:
    from ..reproduce.run import Run
    from ..studies.runner import StudyStanding


class ProgressBar:
    """One bar over parts: their titles, and how wide each is."""

    def __init__(self, parts: Sequence[tuple[str, float]]) -> None:
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(18),
            TaskProgressColumn(),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
            console=err,
            transient=True,
            speed_estimate_period=120,
            disable=not err.is_terminal,
        )
        self._task = self._bar.add_task("", total=sum(width for _, width in parts))
        self._parts, self._widest = iter(parts), max(len(title) for title, _ in parts)
        self._done = self._width = 0.0

    def begin(self, part: object = None) -> None:
        """Show that the next part begins."""
        self._done += self._width
        title, self._width = next(self._parts)
        self._bar.update(self._task, description=title.ljust(self._widest))
        self.show(0.0)

    def show(self, share: float) -> None:
        """How much of the part that was begun is done, from 0 to 1."""
        self._bar.update(self._task, completed=self._done + share * self._width)

    @contextmanager
    def shown(self) -> Iterator[ProgressBar]:
        """The bar while it is on the terminal."""
        with self._bar:
            yield self


class Board:
    """One bar over the units of a study on all workers, with their rate and the best so far."""

    def __init__(self) -> None:
        self._bar = Progress(
            BarColumn(18),
            MofNCompleteColumn(),
            TextColumn("units"),
            TextColumn("{task.fields[said]}"),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
            console=err,
            transient=True,
            speed_estimate_period=600,
            disable=not err.is_terminal,
        )
        self._task = self._bar.add_task("", total=1, said="")

    def hear(self, now: StudyStanding) -> None:
        """Show how far all workers are."""
        said = [f"{now.rate:,.3g}/s", f"{now.workers} workers", now.best]
        said += [f"{now.failed} failed"] if now.failed else []
        text = ", ".join(word for word in said if word)
        self._bar.update(self._task, total=now.units, completed=now.done, said=text)

    def show(self, share: float) -> None:
        """How much of the only unit is done, from 0 to 1."""
        self._bar.update(self._task, total=1, completed=share)

    @contextmanager
    def shown(self) -> Iterator[Board]:
        """The bar while it is on the terminal."""
        with self._bar:
            yield self


@contextmanager
def running(title: str, profile: str = "quick") -> Iterator[Run]:
    """A run of one part with a bar, whose lines go to standard error."""
    from ..reproduce.run import Run

    with ProgressBar([(title, 1.0)]).shown() as bar:
        bar.begin()
        yield Run(profile, say=say, progress=bar.show)


def say(text: str) -> None:
    """Print a line on standard error."""
    err.print(text, markup=False, style="dim")
