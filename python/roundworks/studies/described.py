"""The cipher or permutation that a user means: by name, by file, or as an object."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

from ..errors import DescriptionError
from ..reference import Roundwise, analysed, get_analysed, load_description

T = TypeVar("T", bound=Roundwise)


def described(it: str | Path | Roundwise) -> tuple[Roundwise, list[str]]:
    """What is meant, and the words of a command line for it.

    Of a file only the name is kept, never where it lies.

    Raises
    ------
    UnknownName, DescriptionError
        ``toy.py: name 'aether' is taken; give your cipher another name``
    """
    if isinstance(it, Path) or (isinstance(it, str) and it.endswith(".py")):
        path = Path(it)
        return untaken(load_description(path), path), ["--file", path.name]
    return (get_analysed(it), [it]) if isinstance(it, str) else (it, [it.name])


def untaken(found: T, file: Path) -> T:
    """A description from a file, whose rows differ in name from those of ours."""
    if found.name in analysed():
        raise DescriptionError(f"{file}: name {found.name!r} is taken; give your cipher another name")
    return found
