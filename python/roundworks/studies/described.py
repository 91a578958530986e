"""The cipher or permutation that a user means: by name, by file, or as an object."""

from __future__ import annotations

from pathlib import Path

from ..errors import DescriptionError
from ..reference import (
    Roundwise,
    StreamAead,
    analysed,
    catalogued,
    get,
    get_analysed,
    load_description,
    load_file,
)


def described(subject: str | Path | Roundwise, *, cipher: bool = False) -> tuple[Roundwise, list[str]]:
    """What is meant, and the words of a command line for it.

    Of a file only the name is kept, never where it lies. ``cipher``: a permutation will not do.

    Raises
    ------
    UnknownName, DescriptionError
        ``toy.py: name 'aether' is taken; give your cipher another name``
    """
    if isinstance(subject, Path) or (isinstance(subject, str) and subject.endswith(".py")):
        path = Path(subject)
        own = (load_file if cipher else load_description)(path)
        if own.name in (*analysed(), *catalogued()):  # its rows would pass for ours
            raise DescriptionError(f"{path}: name {own.name!r} is taken; give your cipher another name")
        return own, ["--file", path.name]
    if isinstance(subject, str):
        if not cipher:
            return get_analysed(subject), [subject]
        sponge = get_analysed(subject) if subject in catalogued() else None
        return sponge if isinstance(sponge, StreamAead) else get(subject), [subject]
    return subject, [subject.name]
