"""Ctrl-C while a solver's own code runs."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def kept_signal(interrupted: list[BaseException]) -> Iterator[None]:
    """Ctrl-C is noted, and raised when the solver has ended: on its way through the solver's frames
    it can be lost. Only the main thread receives signals."""
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield
        return
    rang = []

    def ring(*_: object) -> None:
        rang.append(1)
        interrupted.append(KeyboardInterrupt())

    signal.signal(signal.SIGINT, ring)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if rang:
        before(signal.SIGINT, None)
