"""Signals that end a verb."""

from __future__ import annotations

import signal
from types import FrameType


def stop_on_signals() -> None:
    """A signal that ends the program lets it take its unfinished files away first, and end the tools
    that it runs."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise SystemExit(128 + number)

    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, stop)
