"""The exhaustive search of round structures. [AETHER, section 3.2]"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from .. import cache
from ..analysis.bounds import collision
from ..analysis.search import ROW_FIELDS, SearchResult, structure_of
from ..analysis.search import search as run_search
from ..errors import DescriptionError
from ..reference import Roundwise, streaming
from ..reproduce.run import Run
from ..rows import Row, SearchRow
from .result import Result, Table
from .study import Batches, Study, Unit, command_line, conduct


@dataclass(frozen=True, slots=True)
class Search(Study[Result[SearchRow]]):
    """Every structure S'[i] = F(S[i-1]) ^ (X | S[pi(i)]) whose internal collisions cost enough.

    Parameters
    ----------
    words, inputs : int
        Words of the state, and words that one round absorbs.
    active : int
        Minimum number of active F in an internal collision.
    threads : int, optional
        All cores unless given.
    ledger : Path, optional
        Finished parts are kept there, and a later run goes on from there.
    keep : int
        Structures that are named in the notes, at most.
    """

    words: int
    inputs: int
    active: int = 8
    threads: int | None = None
    ledger: Path | None = None
    keep: int = 0

    @property
    def command(self) -> str:
        """The command line of this study."""
        return command_line("search", words=self.words, inputs=self.inputs, active=self.active)

    def plan(self) -> Sequence[Unit]:
        """One unit, whose parts are in its ledger."""
        return [Unit(f"structures ({self.words},{self.inputs})", self.command, partial(_search, self))]

    def reduce(self, rows: Sequence[Row]) -> Result[SearchRow]:
        """One line for each search."""
        searches = tuple(row for row in rows if isinstance(row, SearchRow))
        columns = ("words", "inputs", "active", "candidates", "found", "complete", "seconds", "rate")
        named = (
            f"  blocks at {tuple(a)}, pi {tuple(b)}" for row in searches for a, b in row.structures or ()
        )
        return Result(searches, (Table("", columns, tuple(map(_line, searches))),), tuple(named))


def search(words: int, inputs: int, active: int = 8, **options: Any) -> Result[SearchRow]:
    """Search a class of round structures; `options` are those of `Search`."""
    return conduct(Search(words, inputs, active, **options))


def search_like(cipher: Roundwise, **options: Any) -> Search:
    """The class that a cipher's round is of, and the active F that its own structure has.

    Raises
    ------
    DescriptionError
        The round absorbs as many words as it has, or is not that of a streaming cipher.
    """
    own = streaming(cipher, "search")
    if own.rate_words >= own.words:
        raise DescriptionError(
            f"{own.name}: the structures searched absorb fewer words than they have; this round"
            f" absorbs {own.rate_words} of {own.words}"
        )
    if options.get("active") is None:
        minimum = collision(own).value
        options["active"] = 8 if minimum is None else min(max(1, int(minimum)), 64)
    return Search(own.words, own.rate_words, **options)


def place_of(cipher: Roundwise) -> str:
    """A line that says which of the structures the cipher's own round is."""
    own = streaming(cipher, "search")
    place = structure_of(own)
    if place is None:
        return f"{own.name}: its own round is not of this form, so it is not among them"
    return f"{own.name}: its own round is one of them: blocks at {place[0]}, pi {place[1]}"


def kept_in(study: Search) -> Path:
    """Where the ledger of a search is kept unless another is named: one file for each search."""
    name = f"search-{study.words}-{study.inputs}-{study.active}" + (f"-keep-{study.keep}" * bool(study.keep))
    file = cache.home(".") / f"{name}.ledger.jsonl"
    file.parent.mkdir(parents=True, exist_ok=True)
    return file


def row_of(found: SearchResult, command: str) -> SearchRow:
    """The row of a result."""
    more: dict[str, Any] = {name: getattr(found, name) for name in ROW_FIELDS}
    if found.resumed_chunks:
        more["resumed_chunks"] = found.resumed_chunks
    if found.structures:
        more["structures"] = [[list(positions), list(pi)] for positions, pi in found.structures]
    return SearchRow.make(command=command, **more)


def _search(study: Search, run: Run) -> Batches:
    result = run_search(
        study.words,
        study.inputs,
        study.active,
        threads=study.threads,
        ledger=study.ledger,
        progress=lambda done, total, _: run.counted(done, total),
        keep=study.keep,
    )
    for note in result.notes:
        run.say(f"note: {note}")
    yield [row_of(result, study.command)]


def _line(row: SearchRow) -> tuple[object, ...]:
    # A resumed run did not search all of it in these seconds.
    rate = None if row.resumed_chunks else f"{row.searched / max(row.seconds, 1e-9) / 1e6:,.1f} M/s"
    columns = (row.words, row.inputs, row.active, row.candidates, row.found, row.complete)
    return (*columns, f"{row.seconds:,.3f}", rate)
