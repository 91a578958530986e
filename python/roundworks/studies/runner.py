"""The runner of studies: units that a ledger lacks go to a pool, and their rows to the ledger.

One process writes the ledger, and hands out few units ahead of those that are computed. So at most these are
lost, whatever ends: a worker, this process, the scheduler, or the disk. A task is one unit, or several where they
take milliseconds.
"""

from __future__ import annotations

import pickle
import queue
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Generic, TypeVar, overload

from .. import machine
from ..errors import StudyError
from ..ledger import Ledger, key_of
from ..reproduce.run import Run
from ..rows import Row, typed
from .pools import Outcomes, Pool, WorkerDied, opened
from .study import Study, Unit
from .worker import Outcome, code_of

T = TypeVar("T")

_AHEAD = 3  # tasks handed out for each worker
_TASK = 0.02  # seconds of work in a task of several units: what the way there and back costs twice over
_MOST = 64  # units of a task
_FLUSH = 0.5  # seconds between two transactions
_ATTEMPTS = 3  # of a unit whose worker ends; the last one alone


@dataclass(frozen=True, slots=True)
class StudyStanding:
    """How far a run is; ``best`` in words, ``rate`` in units per second of this run."""

    units: int
    done: int
    failed: int
    in_flight: int
    workers: int
    rate: float
    best: str


@dataclass(frozen=True, slots=True)
class Conducted(Generic[T]):
    """The value of a study, of ``done`` of its ``units``; ``known`` were in the ledger before.

    ``stopped``: by Ctrl-C; ``seconds`` of this run, on ``pool``.
    """

    value: T
    units: int
    done: int
    known: int
    stopped: bool
    seconds: float
    pool: str


def distribute(
    study: Study[T],
    ledger: Path | None = None,
    cluster: str | None = None,
    *,
    run: Run | None = None,
    again: bool = False,
    hear: Callable[[StudyStanding], object] = lambda standing: None,
) -> Conducted[T]:
    """Run the units that `ledger` lacks, and reduce the rows of all.

    Parameters
    ----------
    study : Study
        Its units must be functions of modules, or partials of these over plain values.
    ledger : Path, optional
        Made if it is not there; a later run goes on from it. Without one nothing is kept.
    cluster : str, optional
        The address of a Dask scheduler, ``local:N``, ``slurm:N`` or ``pbs:N``; processes of this machine
        unless given.
    run : Run, optional
        The profile of the units, and who hears their lines.
    again : bool
        Compute again what the ledger has.
    hear : callable
        Called with the standing some times a second.

    Raises
    ------
    LedgerError
        The ledger is in use, cannot be written, or is none.
    StudyError
        Units failed, or the cluster is gone; what is done is kept.
    """
    if ledger is None:
        with tempfile.TemporaryDirectory() as folder:
            return distribute(study, Path(folder, "ledger"), cluster, run=run, hear=hear)
    run, began = run or Run(), time.perf_counter()
    units = study.plan()
    keys = [key_of(*code_of(unit.work), run.profile, *_content(unit)) for unit in units]
    if len(set(keys)) != len(keys):
        raise StudyError("two units of the plan are the same")
    ledger.parent.mkdir(parents=True, exist_ok=True)
    with Ledger(ledger) as kept:
        if again:
            kept.forget(keys)
        others = len({unit.command for unit in units}) - 1
        command = units[0].command + (f" and {others:,} more" if others else "")
        known = kept.begin(command, machine.code(), keys)
        rows = _Rows(kept)
        job = _Job(study, units, keys, kept, run, hear, len(known))
        stopped, pool_name = False, ""
        left = [place for place, key in enumerate(keys) if key not in known]
        if left:
            with closing(opened(cluster, len(left), run)) as pool:
                pool_name = pool.name
                try:
                    job.carry_out(pool, left)
                except KeyboardInterrupt:
                    stopped = True
                finally:
                    job.end()
        if failures := kept.failures():
            (which, reason), many = failures[0], f"{len(failures):,} of {len(units):,} units failed"
            raise StudyError(f"{many}: {which}: {reason}; the same command tries them again")
        value, seconds = study.reduce(rows), time.perf_counter() - began
    return Conducted(value, len(units), job.done, len(known), stopped, seconds, pool_name)


class _Job:
    """The units of one run: handed out, gathered, written down."""

    def __init__(
        self,
        study: Study[Any],
        units: Sequence[Unit],
        keys: Sequence[bytes],
        kept: Ledger,
        run: Run,
        hear: Callable[[StudyStanding], object],
        known: int,
    ) -> None:
        self._study, self._units, self._keys = study, units, keys
        self._kept, self._run, self._hear = kept, run, hear
        self.done, self._known, self._failed = known, known, 0
        self._began = self._flushed = time.monotonic()
        self._best = 0.0
        if study.best_of:
            for rows in kept.rows():
                self._best = study.best(self._best, [typed(row) for row in rows])
        self._back: queue.SimpleQueue[tuple[list[int], Outcomes]] = queue.SimpleQueue()
        self._in_flight: set[int] = set()
        self._tasks, self._share = 0, 1  # in flight; units of the next one
        self._attempts: dict[int, int] = {}
        self._avoid: set[str] = set()

    @property
    def best(self) -> str:
        """The best so far, in words."""
        return f"{self._study.best_of} {self._best:,.15g}" if self._study.best_of else ""

    def carry_out(self, pool: Pool, left: Sequence[int]) -> None:
        """Every unit of `left`, until it is done or has failed."""
        waiting = deque(left)
        alone = deque[int]()  # units that may end their workers: no other is then in flight
        workers = pool.workers()
        while waiting or alone or self._tasks:
            while waiting and self._tasks < _AHEAD * max(workers, 1):
                self._hand_out(pool, self._task(waiting))
            if alone and not waiting and not self._tasks:
                self._hand_out(pool, [alone.popleft()])
            again: list[int] = []
            try:
                places, outcomes = self._back.get(timeout=_FLUSH)
            except queue.Empty:
                if lost := pool.lost():
                    raise StudyError(lost) from None
            else:
                again = self._gathered(places, outcomes)
            for place in again:
                (alone if self._attempts.get(place, 0) == _ATTEMPTS - 1 else waiting).append(place)
            if again and (lost := pool.lost()):
                raise StudyError(lost)
            if time.monotonic() - self._flushed >= _FLUSH:
                self._kept.flush(self.best)
                self._flushed, workers = time.monotonic(), pool.workers()
                self._hear(self._standing(workers))

    def end(self) -> None:
        """Write down the results that have come when the study ends."""
        while not self._back.empty():
            places, outcomes = self._back.get()
            if not isinstance(outcomes, BaseException) and not any(one.refused for one in outcomes):
                self._gathered(places, outcomes)
        self._kept.flush(self.best)

    def _task(self, waiting: deque[int]) -> list[int]:
        """The next units, of one module's code; one that may end its worker alone."""
        places = [waiting.popleft()]
        code = code_of(self._units[places[0]].work)
        while waiting and len(places) < self._share and not self._attempts.keys() & {places[0], waiting[0]}:
            if code_of(self._units[waiting[0]].work) != code:
                break
            places.append(waiting.popleft())
        return places

    def _hand_out(self, pool: Pool, places: list[int]) -> None:
        works = [self._units[place].work for place in places]
        for place in places:
            self._kept.claim(self._keys[place], place, self._units[place].title)
        self._in_flight.update(places)
        self._tasks += 1
        payload, code = pickle.dumps(works), code_of(works[0])
        pool.submit(payload, code, lambda outcomes: self._back.put((places, outcomes)), self._avoid)

    def _gathered(self, places: Sequence[int], outcomes: Outcomes) -> list[int]:
        """Take what a task gave; units that must be computed again."""
        self._tasks -= 1
        self._in_flight.difference_update(places)
        if isinstance(outcomes, WorkerDied):
            return [place for place in places if not self._gave_up(place)]
        if isinstance(outcomes, BaseException):
            raise StudyError(f"a worker cannot run units of roundworks: {outcomes}; install it there")
        if outcomes[0].refused:
            (refused,) = outcomes
            if refused.worker not in self._avoid:
                self._run.say(f"{refused.worker}: has code {refused.code}, not {machine.code()}: refused")
            self._avoid.add(refused.worker)
            return list(places)
        for place, outcome in zip(places, outcomes, strict=False):
            self._take(place, outcome)
        each = max(outcome.seconds for outcome in outcomes)
        self._share = max(1, min(int(_TASK / max(each, 1e-9)), 2 * self._share, _MOST))
        return list(places[len(outcomes) :])

    def _gave_up(self, place: int) -> bool:
        """A worker ended with this unit: whether that was once too often."""
        self._attempts[place] = self._attempts.get(place, 0) + 1
        if self._attempts[place] < _ATTEMPTS:
            return False
        self._fail(self._keys[place], f"its worker ended {_ATTEMPTS} times without a result", "")
        return True

    def _take(self, place: int, outcome: Outcome) -> None:
        key = self._keys[place]
        for line in outcome.said:
            self._run.say(line)
        if outcome.reason:
            self._fail(key, outcome.reason, outcome.worker)
            return
        self._kept.done(key, outcome.rows, outcome.worker, outcome.seconds)
        self.done += 1
        if self._study.best_of:
            self._best = self._study.best(self._best, [typed(row) for row in outcome.rows])

    def _fail(self, key: bytes, reason: str, worker: str) -> None:
        self._kept.failed(key, reason, worker)
        self._failed += 1

    def _standing(self, workers: int) -> StudyStanding:
        rate = (self.done - self._known) / max(time.monotonic() - self._began, 1e-9)
        return StudyStanding(
            len(self._units), self.done, self._failed, len(self._in_flight), workers, rate, self.best
        )


class _Rows(Sequence[Row]):
    """The rows of a ledger's study, read each time: a million of them need not fit in memory."""

    def __init__(self, kept: Ledger) -> None:
        self._kept = kept

    def __iter__(self) -> Iterator[Row]:
        return (typed(row, f"{self._kept.path}: a row") for rows in self._kept.rows() for row in rows)

    def __len__(self) -> int:
        return sum(len(rows) for rows in self._kept.rows())

    @overload
    def __getitem__(self, at: int) -> Row: ...
    @overload
    def __getitem__(self, at: slice) -> list[Row]: ...
    def __getitem__(self, at: int | slice) -> Row | list[Row]:
        return list(self)[at]


def _content(unit: Unit) -> tuple[object, ...]:
    """What a unit computes, of plain values."""
    work = unit.work
    if isinstance(work, partial):
        return (*_name(work.func), work.args, sorted(work.keywords.items()))
    return _name(work)


def _name(function: Any) -> tuple[str, str]:
    return function.__module__, function.__qualname__
