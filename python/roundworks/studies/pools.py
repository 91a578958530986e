"""Where the units of a study are computed: here, in processes of this machine, or on a cluster of Dask.

A pool hands units to `concurrent.futures` or to Dask's scheduler, and schedules nothing itself.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import pickle
import re
import secrets
import signal
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import CancelledError, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from multiprocessing.process import BaseProcess
from typing import Any, TypeAlias

from .. import extras
from ..errors import StudyError
from ..reproduce.run import Run
from .worker import Outcome, begin, computed, execute, noted_interrupt, stopping

# A batch system -> its class in dask_jobqueue.
_QUEUES = {"slurm": "SLURMCluster", "pbs": "PBSCluster"}
_PATIENCE = 3.0  # seconds in which a process may end the tools that it runs
_NAMED = "tcp://HOST:PORT, local:N, slurm:N or pbs:N"


class WorkerDied(Exception):
    """The worker ended before the unit did; another may compute it."""


Outcomes: TypeAlias = "list[Outcome] | BaseException"
Back: TypeAlias = Callable[[Outcomes], object]
Code: TypeAlias = tuple[str, str]  # of the package, and of the unit's module


class Pool(ABC):
    """Takes tasks, which are lists of units, pickled, each with a callback from any thread: it gets an `Outcome` of
    each unit that was computed, in their order, or an exception."""

    name: str

    @abstractmethod
    def workers(self) -> int:
        """Tasks that are computed at a time; 0 while a batch system has started none."""

    @abstractmethod
    def submit(self, payload: bytes, code: Code, back: Back, avoid: Collection[str]) -> None:
        """Compute a task on any worker but those to `avoid`."""

    def lost(self) -> str:
        """Why no unit can be computed any more; empty while they can."""
        return ""

    @abstractmethod
    def close(self) -> None:
        """End, without waiting for units in flight."""


def opened(where: str | None, units: int, run: Run) -> Pool:
    """The pool that ``--cluster`` names; without a name, this process for one unit, else processes.

    Raises
    ------
    StudyError
        ``--cluster: want tcp://HOST:PORT, local:N, slurm:N or pbs:N, got 'locale'``
    """
    if where is None:
        return Here(run) if units == 1 else Processes(min(units, os.cpu_count() or 1), run.profile)
    if not re.fullmatch(r"local:[1-9]\d{0,3}|(slurm|pbs)(:[1-9]\d{0,3})?|\w+://\S+", where):
        raise StudyError(f"--cluster: want {_NAMED}, got {where!r}")
    return Cluster(where, run.profile)


class Here(Pool):
    """This process: one unit at a time, with its progress."""

    name = "this process"

    def __init__(self, run: Run) -> None:
        self._run = run

    def workers(self) -> int:
        return 1

    def submit(self, payload: bytes, code: Code, back: Back, avoid: Collection[str]) -> None:
        with noted_interrupt() as rang:
            back([computed(partial(stopping, work, rang), self._run, []) for work in pickle.loads(payload)])

    def close(self) -> None:
        """Release the workers, when nothing is in flight."""


class Processes(Pool):
    """Processes of this machine, by the standard library."""

    def __init__(self, count: int, profile: str) -> None:
        self.name, self._count, self._profile = f"{count} processes", count, profile
        self._others = {child.pid for child in multiprocessing.active_children()}
        self._executor = self._fresh()
        self._in_flight = set[Future[list[Outcome]]]()
        self._broken = False  # a process died while a task was in flight
        self._started = set[BaseProcess]()

    def workers(self) -> int:
        return self._count

    def submit(self, payload: bytes, code: Code, back: Back, avoid: Collection[str]) -> None:
        if avoid:  # the package was changed under a client that runs
            raise StudyError("the code of this machine has changed; repeat the same command")
        if self._broken:
            self._replace()
        try:
            future = self._send(payload, code)
        except (RuntimeError, OSError):  # a process has died: the executor is broken, or in the act of ending
            self._replace()
            future = self._send(payload, code)
        self._started.update(self._children())
        self._in_flight.add(future)
        future.add_done_callback(self._ended)
        future.add_done_callback(lambda future: back(_result(future)))

    def lost(self) -> str:
        if self._broken or any(not child.is_alive() for child in self._started):
            self._replace()
        return ""

    def close(self) -> None:
        if self._in_flight or self._broken:
            self._executor.shutdown(wait=False, cancel_futures=True)
            self._end_processes()
        else:  # a process that waits for work ends by itself, and says nothing
            self._executor.shutdown()

    def _ended(self, future: Future[list[Outcome]]) -> None:
        self._in_flight.discard(future)
        if not future.cancelled() and isinstance(future.exception(), BrokenProcessPool):
            self._broken = True

    def _replace(self) -> None:
        """Other processes, after one of them died.

        Before Python 3.12 an executor may take a task, and start a process, in the moment in which it ends the
        others: that process would wait for work for ever, and the task for a process.
        """
        self._end_processes()
        self._executor.shutdown()
        for future in list(self._in_flight):
            if not future.cancel() and not future.done():
                future.set_exception(BrokenProcessPool("its process ended"))
        self._executor, self._broken = self._fresh(), False
        self._started.clear()

    def _end_processes(self) -> None:
        ours = self._children()
        for child in ours:
            child.terminate()
        for child in ours:  # a solver may not return to Python for long
            child.join(_PATIENCE)
            if child.is_alive():
                child.kill()

    def _children(self) -> list[BaseProcess]:
        return [child for child in multiprocessing.active_children() if child.pid not in self._others]

    def _send(self, payload: bytes, code: Code) -> Future[list[Outcome]]:
        with _no_interrupts():
            return self._executor.submit(execute, payload, code, self._profile)

    def _fresh(self) -> ProcessPoolExecutor:
        # A fork would copy locks that threads have.
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(self._count, context, initializer=begin)


class Cluster(Pool):
    """The workers of a Dask scheduler: of one that runs, of this machine, or jobs of a batch system.

    Raises
    ------
    StudyError
        ``tcp://a:8786: no scheduler there: ...; start one with `dask scheduler```
    """

    def __init__(self, where: str, profile: str) -> None:
        extras.want("--cluster", "distributed", "dask_jobqueue")
        import dask
        import distributed

        self.name, self._profile = where, profile
        self._cluster: Any = None
        kind, _, count = where.partition(":")
        # Each worker that ends is heard of: the runner counts them, and has a unit that may end one alone.
        heard = dask.config.set({"distributed.scheduler.allowed-failures": 0})
        with _no_interrupts(), heard:
            if kind == "local":
                self._cluster = distributed.LocalCluster(
                    n_workers=int(count), threads_per_worker=1, dashboard_address=None, silence_logs=50
                )
            elif kind in _QUEUES:
                self._cluster = _queue(kind)
                self._cluster.scale(jobs=int(count or 1))
            try:
                self._client = distributed.Client(self._cluster or where, set_as_default=False)
            except (OSError, ValueError) as error:
                said = str(error).splitlines()[0]
                raise StudyError(
                    f"{where}: no scheduler there: {said}; start one with `dask scheduler`"
                ) from None
        self._run, self._count = secrets.token_hex(4), 0

    def workers(self) -> int:
        return sum(self._threads().values())

    def submit(self, payload: bytes, code: Code, back: Back, avoid: Collection[str]) -> None:
        only = None
        if avoid and (every := self._threads()):
            only = [address for address in every if address not in avoid]
            if not only:
                raise StudyError(
                    f"{self.name}: every worker has other code; install roundworks as it is here"
                )
        self._count += 1
        key = f"roundworks-{self._run}-{self._count}"
        future = self._client.submit(execute, payload, code, self._profile, key=key, workers=only, pure=False)
        future.add_done_callback(lambda future: back(_result_of_dask(future)))

    def _threads(self) -> dict[str, int]:
        """Address of each worker -> its threads; none where the scheduler is gone."""
        with contextlib.suppress(OSError, TimeoutError):
            if not self.lost():
                return dict(self._client.nthreads())
        return {}

    def lost(self) -> str:
        if self._client.status == "running":
            return ""
        return f"{self.name}: the scheduler is gone; start it again, and repeat the same command"

    def close(self) -> None:
        # A scheduler that is gone does not hear that the client goes.
        with contextlib.suppress(OSError, TimeoutError):
            self._client.close(timeout=2)
        if self._cluster is not None:
            self._cluster.close(timeout=5)


def _result(future: Future[list[Outcome]]) -> Outcomes:
    if future.cancelled():
        return WorkerDied("cancelled")
    error = future.exception()
    if isinstance(error, BrokenProcessPool):
        return WorkerDied(str(error))
    return error or future.result()


def _result_of_dask(future: Any) -> Outcomes:
    from distributed.scheduler import KilledWorker

    error: BaseException | None
    try:
        if future.status == "finished":
            outcomes: list[Outcome] = future.result()
            return outcomes
        error = future.exception() if future.status == "error" else None
    except (OSError, CancelledError) as lost:  # with the worker that had it, or with the scheduler
        return WorkerDied(str(lost))
    died = error is None or isinstance(error, KilledWorker)
    return WorkerDied(str(error or future.status)) if died or error is None else error


def _queue(kind: str) -> Any:
    """A cluster of jobs of a batch system, as ~/.config/dask/jobqueue.yaml describes one job."""
    import dask_jobqueue

    try:
        return getattr(dask_jobqueue, _QUEUES[kind])(scheduler_options={"dashboard_address": ":0"})
    except (ValueError, TypeError) as error:
        said = str(error).splitlines()[0]
        raise StudyError(f"{kind}: {said}; describe a job in ~/.config/dask/jobqueue.yaml") from None


@contextlib.contextmanager
def _no_interrupts() -> Iterator[None]:
    """Processes that are started here do not hear Ctrl-C, which reaches all of a terminal: the client
    ends them."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
