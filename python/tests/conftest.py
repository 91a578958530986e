"""What all tests share."""

from __future__ import annotations

import signal

# A runner in the background of a shell has these ignored, and so would every command under test.
for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
    if signal.getsignal(number) == signal.SIG_IGN:
        ours = signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL
        signal.signal(number, ours)
