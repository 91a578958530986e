"""A solver in a process of its own: what it finds comes back line by line, and it can be stopped.

Two libraries of solvers in one process can clash, a crash would take the caller along, and a race
needs to end its losers. The child is a fresh interpreter, so threads and locks of ours stay here.
"""

from __future__ import annotations

import json
import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
from fractions import Fraction
from types import TracebackType
from typing import Any

from ...errors import SolverFailed
from . import find
from .interface import START, Contradiction, SolverProgress, SolverRun, Stopped

Message = dict[str, Any]


class Apart:
    """One child at work on one problem; a context that ends it."""

    def __init__(self, solver: str, run: SolverRun, inbox: queue.Queue[tuple[str, Message | None]]) -> None:
        self.solver, self._inbox = solver, inbox
        self._child = subprocess.Popen(
            [sys.executable, "-m", __name__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
        assert self._child.stdin is not None
        query = (solver, run.problem, run.seconds_left, run.lower, run.ceiling, run.assignment)
        self._child.stdin.write(pickle.dumps(query))
        self._child.stdin.flush()  # and left open: the child ends when it closes
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> Apart:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._child.kill()
        self._child.wait()
        self._reader.join()
        for pipe in (self._child.stdin, self._child.stdout):
            if pipe is not None:
                pipe.close()

    def _read(self) -> None:
        assert self._child.stdout is not None
        for line in self._child.stdout:
            try:
                self._inbox.put((self.solver, json.loads(line)))
            except ValueError:  # cut off with the child, whose exit status says so
                continue
        if status := self._child.wait():
            self._inbox.put((self.solver, {"failed": f"{self.solver}: exit status {status}"}))
        self._inbox.put((self.solver, None))


def race(run: SolverRun, names: list[str]) -> None:
    """All at once until one settles the run, whose bounds are those of all."""
    inbox: queue.Queue[tuple[str, Message | None]] = queue.Queue()
    children: list[Apart] = []
    working, failures = set(names), []
    try:
        children.extend(Apart(name, run, inbox) for name in names)
        while working and not run.over:
            left = run.seconds_left
            try:
                name, message = inbox.get(timeout=0.2 if left is None else min(0.2, left))
            except queue.Empty:
                run.tell()
                continue
            if message is None:
                working.discard(name)
            elif "failed" in message:
                failures.append(message["failed"])
            else:
                _hear(run, name, message)
    finally:
        for child in children:
            child.__exit__(None, None, None)
    # What else was said before the end changes no bound, unless it contradicts.
    while not inbox.empty():
        name, message = inbox.get()
        if message is not None and "failed" not in message:
            _hear(run, name, message)
    if failures and not working and not run.settled:
        raise SolverFailed("; ".join(failures))


def _hear(run: SolverRun, name: str, message: Message) -> None:
    if "wrong" in message:  # which no solution of another makes good
        raise Contradiction(message["wrong"])
    if message["assignment"] is not None and not run.found([c == "1" for c in message["assignment"]], name):
        raise SolverFailed(f"{name}: its assignment breaks a constraint")
    if message["infeasible"]:
        run.exhausted(None, name)
    else:
        run.proven(Fraction(message["lower"]), name)


def _serve() -> None:
    """The child: a query from standard input, a line of standard output for each news."""
    solver, problem, limit, lower, ceiling, start = pickle.load(sys.stdin.buffer)
    said: list[Message] = []
    # Ctrl-C is for the caller, who ends us; so does the caller's own end.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_caller, daemon=True).start()

    def say(message: Message) -> None:
        if said[-1:] != [message]:
            said[:] = [message]
            print(json.dumps(message), flush=True)

    def news(_: SolverProgress | None = None) -> None:
        best = run.assignment
        say(
            {
                "lower": str(run.lower),
                "assignment": best and "".join("01"[value] for value in best),
                "infeasible": run.infeasible,
            }
        )

    run = SolverRun(problem, solver, limit, news, lower=lower, ceiling=ceiling)
    try:
        if start is not None:
            run.found(start, START)
        find(solver).run(run)
    except Stopped:
        pass
    except Exception as error:
        what = "wrong" if isinstance(error, Contradiction) else "failed"
        say({what: str(error) or repr(error)})
        return
    news()


def _end_with_caller() -> None:
    os.read(sys.stdin.fileno(), 1)  # not through its buffer, whose lock would break our own end
    os._exit(1)


if __name__ == "__main__":
    _serve()
