"""The papers' tables, computed again. One file per paper; what has no function here is open."""

from __future__ import annotations

from collections.abc import Iterator

from .. import spec
from ..errors import UnknownName
from ..rows import Row
from .run import Compute, compare, later
from .run import Run as Run

# Paper -> file -> the numbers of the tables that it computes.
FILES: dict[str, dict[str, tuple[str, ...]]] = {
    "aegis128-accelerator": {"aegis_accelerator": ("1", "2", "text")},
    "aether": {
        "aether": ("1", "2", "3", "4", "5", "6", "7", "figure-1", "text"),
        "aether_hardware": ("figure-6",),
    },
    "aes-hardware": {"aes_hardware": ("1", "2", "3", "text")},
    "aesni-permutations": {
        "permutations": ("1", "2", "text"),
        "permutation_cycles": ("3", "4", "5"),
        "permutation_speed": ("6", "7", "8", "9"),
    },
    "minalpher-gpu": {"minalpher_gpu": ("1", "2", "3", "4", "text")},
}
_PAPERS: dict[str, dict[str, Compute]] = {
    paper: {n: later(file, n) for file, numbers in files.items() for n in numbers}
    for paper, files in FILES.items()
}


def tables(paper: str) -> dict[str, Compute]:
    """Table number -> what computes it, for the tables of ``paper`` that are computed."""
    spec.paper(paper)  # an unknown name is an error that lists the papers
    return _PAPERS.get(paper, {})


def command_of(paper: str, table: str) -> str:
    """The command line that computes one table."""
    return f"roundworks reproduce {paper} --table {table}"


def reproduce(run: Run, paper: str | None = None, table: str | None = None) -> Iterator[list[Row]]:
    """Rows of one table at a time: reproduction rows, then rows made on the way.

    Raises
    ------
    UnknownName
        ``paper aether: table '9': not known; one of 1, 2, ...``; also for a table that is in the
        paper and that nothing computes yet.
    """
    for key in [paper] if paper is not None else list(_PAPERS):
        source, computed = spec.paper(key), tables(key)
        if table is not None:
            source.table(table)
        if table is not None and table not in computed:
            have = ", ".join(computed) or "none"
            raise UnknownName(f"paper {key}: table {table!r}: not computed yet; computed: {have}")
        if paper is not None and not computed:
            raise UnknownName(f"paper {key}: no table is computed yet; computed: {', '.join(_PAPERS)}")
        for number in [table] if table is not None else list(computed):
            run.say(f"{key} table {number}")
            run.extra.clear()
            command = command_of(key, number)
            ours = computed[number](run)
            yield [*compare(source, source.table(number), ours, command), *run.extra]
