"""The papers' tables, computed again. One file per paper; what has no function here is open."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .. import spec
from ..errors import UnknownName
from . import aegis_accelerator, aes_hardware, aether, minalpher_gpu, permutations
from .run import Compute, Run, compare

_PAPERS: dict[str, dict[str, Compute]] = {
    "aegis128-accelerator": aegis_accelerator.TABLES,
    "aether": aether.TABLES,
    "aes-hardware": aes_hardware.TABLES,
    "aesni-permutations": permutations.TABLES,
    "minalpher-gpu": minalpher_gpu.TABLES,
}


def tables(paper: str) -> dict[str, Compute]:
    """Table number -> what computes it, for the tables of ``paper`` that are computed."""
    spec.paper(paper)  # an unknown name is an error that lists the papers
    return _PAPERS.get(paper, {})


def reproduce(
    run: Run, paper: str | None = None, table: str | None = None
) -> Iterator[list[dict[str, Any]]]:
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
            raise UnknownName(
                f"paper {key}: no table is computed yet; computed: {', '.join(_PAPERS)}"
            )
        for number in [table] if table is not None else list(computed):
            run.say(f"{key} table {number}")
            run.extra.clear()
            command = f"roundworks reproduce {key} --table {number}"
            found = computed[number](run)
            yield compare(source, source.table(number), found, command) + list(run.extra)


__all__ = ["Run", "reproduce", "tables"]
