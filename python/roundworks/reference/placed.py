"""Errors of words, with the line of the user's own file that led to them, whenever it runs."""

from __future__ import annotations

import os
import sys

from ..errors import DescriptionError

OWN = "roundworks_user_"
"""How the modules are called that `own` makes of users' files."""


def refusal(text: str) -> DescriptionError:
    """The error, behind ``file:line: `` where a user's file leads here; ours have a traceback."""
    frame = sys._getframe(1)
    while frame is not None and not _own(frame.f_globals):
        frame = frame.f_back  # type: ignore[assignment]
    if frame is None:
        return DescriptionError(text)
    return DescriptionError(f"{os.path.basename(frame.f_code.co_filename)}:{frame.f_lineno}: {text}")


def called_by_own_file() -> bool:
    """Whether what called the caller is a line of a user's file."""
    return _own(sys._getframe(2).f_globals)


def _own(names: dict[str, object]) -> bool:
    return str(names.get("__name__", "")).startswith(OWN)
