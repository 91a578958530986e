"""What a worker does with a unit, in whatever process and on whatever machine."""

from __future__ import annotations

import contextlib
import hashlib
import inspect
import os
import pickle
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache, partial
from multiprocessing import connection, parent_process
from pathlib import Path
from typing import Any

from .. import machine
from ..reproduce.run import Run
from .study import Batches

_LONG = 0.5  # seconds for units that were expected to be short


@dataclass(frozen=True, slots=True)
class Outcome:
    """Rows of a unit as JSON objects, the lines for the user, and who computed them.

    ``refused``: the worker has another code, named by ``code``, and computed nothing. ``reason``: why the
    unit failed, else empty.
    """

    code: str
    worker: str
    rows: list[dict[str, Any]] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    seconds: float = 0.0
    refused: bool = False
    reason: str = ""


def execute(payload: bytes, code: tuple[str, str], profile: str) -> list[Outcome]:
    """Compute the units that were pickled to `payload`, one after the other, if the code here is that of the
    client: of the package, which is compared before anything of them is read, and of their module. What is
    not begun after `_LONG` seconds is left to others.
    """
    if machine.code() != code[0]:
        return [Outcome(machine.code(), _name(), refused=True)]
    works = pickle.loads(payload)
    for own in map(code_of, works):
        if own != code:
            return [Outcome(" ".join(own), _name(), refused=True)]
    outcomes, began = list[Outcome](), time.perf_counter()
    for work in works:
        if outcomes and time.perf_counter() - began > _LONG:
            break
        said = list[str]()
        outcomes.append(computed(work, Run(profile, say=said.append), said))
    return outcomes


def code_of(work: Callable[[Run], Any]) -> tuple[str, str]:
    """Digests of the package and, if a unit is of a module outside of it, of that module's file."""
    function = work.func if isinstance(work, partial) else work
    if function.__module__.partition(".")[0] == __package__.partition(".")[0]:
        return machine.code(), ""
    return machine.code(), _digest(inspect.getsourcefile(function) or "")


@cache
def _digest(file: str) -> str:
    return hashlib.sha256(Path(file).read_bytes()).hexdigest()[:12] if file else ""


def computed(work: Callable[[Run], Any], run: Run, said: list[str]) -> Outcome:
    """The outcome of a unit in this process; an error of the unit is its reason."""
    began, rows = time.perf_counter(), []
    try:
        for batch in work(run):
            rows += [row.as_json() for row in batch]
    except Exception as error:
        reason = f"{type(error).__name__}: {error}".splitlines()[0]
        return Outcome(machine.code(), _name(), said=said, reason=reason)
    return Outcome(machine.code(), _name(), rows, said, time.perf_counter() - began)


def stopping(work: Callable[[Run], Batches], rang: list[int], run: Run) -> Batches:
    """The rows of a unit, up to Ctrl-C: what a solver found until then would pass for all that it can find."""
    for batch in work(run):
        if rang:
            break
        yield batch
    if rang:
        raise KeyboardInterrupt


@contextlib.contextmanager
def noted_interrupt() -> Iterator[list[int]]:
    """Ctrl-C is raised, and noted for where a solver ends by it with what it has. Only the main thread hears it."""
    rang, before = list[int](), signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield rang
        return

    def ring(*_: object) -> None:
        rang.append(1)
        raise KeyboardInterrupt

    signal.signal(signal.SIGINT, ring)
    try:
        yield rang
    finally:
        signal.signal(signal.SIGINT, before)


def begin() -> None:
    """A process of a pool begins. It ends the tools that it runs when it is terminated, and ends when the
    process that began it does, however that ends."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    parent = parent_process()
    if parent is None:
        return

    def watch() -> None:
        connection.wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _name() -> str:
    """Of a worker of Dask its address, as its scheduler names it."""
    if (distributed := sys.modules.get("distributed")) is not None:
        with contextlib.suppress(ValueError):  # the client has that module, too
            return str(distributed.get_worker().address)
    return f"process {os.getpid()} on {os.uname().nodename}"
