"""Errors of words, with the line of the user's own file that led to them, and operators that are none of words."""

from __future__ import annotations

import os
import sys

from ..errors import DescriptionError

OWN = "roundworks_user_"
"""How the modules are called that `own` makes of users' files."""


def refusal(text: str, kind: type[DescriptionError] = DescriptionError) -> DescriptionError:
    """The error, behind ``file:line: `` where a user's file leads here; ours have a traceback."""
    frame = sys._getframe(1)
    while frame is not None and not _own(frame.f_globals):
        frame = frame.f_back  # type: ignore[assignment]
    if frame is None:
        return kind(text)
    return kind(f"{os.path.basename(frame.f_code.co_filename)}:{frame.f_lineno}: {text}")


def called_by_own_file() -> bool:
    """Whether what called the caller is a line of a user's file."""
    return _own(sys._getframe(2).f_globals)


def _own(names: dict[str, object]) -> bool:
    return str(names.get("__name__", "")).startswith(OWN)


def compared(operator: str) -> DescriptionError:
    """The error of a comparison of words."""
    return refusal(
        f"a word cannot be compared ({operator}), as both ways have to be computed; write it with &, ^ and shifts"
    )


class Undecided:
    """No condition on a word: it would be decided once, when the description is recorded, and the other way be lost."""

    __slots__ = ()

    def __bool__(self) -> bool:
        raise refusal(
            "a word cannot be a condition, as both ways have to be computed; write it with &, ^ and shifts"
        )

    def __eq__(self, other: object) -> bool:
        raise compared("==")

    def __ne__(self, other: object) -> bool:
        raise compared("!=")

    def __lt__(self, other: object) -> bool:
        raise compared("<")

    def __le__(self, other: object) -> bool:
        raise compared("<=")

    def __gt__(self, other: object) -> bool:
        raise compared(">")

    def __ge__(self, other: object) -> bool:
        raise compared(">=")

    def __index__(self) -> int:
        raise refusal(
            "a word cannot be an index or an integer; a table is read with x.sub(Sbox(name, table))"
        )

    __hash__ = object.__hash__
