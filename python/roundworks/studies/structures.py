"""The exhaustive search of round structures. [AETHER, section 3.2]"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar

from .. import rows
from ..analysis.bounds import collision
from ..analysis.search import ROW_FIELDS, SearchResult, candidates, ranges, structure_of
from ..analysis.search import search as run_search
from ..errors import DescriptionError
from ..reference import Roundwise, streaming
from ..reproduce.run import Run
from ..rows import Row, SearchRow
from .result import Result, Table
from .runner import distribute
from .study import Batches, Study, Unit, command_line

# A unit has a share of the search, in structures: tenths of a second to half a minute.
_SHARES, _FEWEST, _MOST = 64, 100_000_000, 20_000_000_000


@dataclass(frozen=True, slots=True)
class Search(Study[Result[SearchRow]]):
    """Every structure S'[i] = F(S[i-1]) ^ (X | S[pi(i)]) whose internal collisions cost enough.

    Parameters
    ----------
    words, inputs : int
        Words of the state, and words that one round absorbs.
    active : int
        Minimum number of active F in an internal collision.
    keep : int
        Structures that are named in the notes, at most.
    """

    words: int
    inputs: int
    active: int = 8
    keep: int = 0
    best_of: ClassVar[str] = "found"

    @property
    def command(self) -> str:
        """The command line of this study."""
        keep = self.keep or None
        return command_line("search", words=self.words, inputs=self.inputs, active=self.active, keep=keep)

    def plan(self) -> Sequence[Unit]:
        """Ranges of the parts of the search, whose counts add up."""
        if not 1 <= self.active <= 64:  # said at once, not by each unit as its failure
            raise DescriptionError(f"active: want 1 to 64, got {self.active}")
        title, size = f"structures ({self.words},{self.inputs})", (self.words, self.inputs)
        return [
            Unit(
                f"{title}, parts {first} to {end - 1}",
                self.command,
                partial(_search, self.words, self.inputs, self.active, self.keep, first, end),
            )
            for first, end in ranges(*size, _SHARES, _FEWEST, _MOST)
        ]

    def best(self, so_far: float, rows: Sequence[Row]) -> float:
        """The number of structures found."""
        return so_far + sum(row.found for row in rows if isinstance(row, SearchRow))

    def reduce(self, rows: Sequence[Row]) -> Result[SearchRow]:
        """One row, which adds up those of the units; its seconds are those of one thread."""
        searched = found = 0
        seconds, structures = 0.0, list[list[Any]]()
        for row in rows:
            assert isinstance(row, SearchRow)
            searched, found, seconds = searched + row.searched, found + row.found, seconds + row.seconds
            structures += islice(row.structures or (), self.keep - len(structures))
        whole = candidates(self.words, self.inputs)
        row = SearchRow.make(
            words=self.words,
            inputs=self.inputs,
            active=self.active,
            candidates=whole,
            searched=searched,
            found=found,
            complete=searched == whole,
            threads=1,
            seconds=round(seconds, 3),
            structures=structures or None,
            command=self.command,
        )
        columns = ("words", "inputs", "active", "candidates", "found", "complete", "seconds", "rate")
        named = (f"  blocks at {tuple(a)}, pi {tuple(b)}" for a, b in structures)
        return Result((row,), (Table("", columns, (_line(row),)),), tuple(named))


def search(words: int, inputs: int, active: int = 8, *, keep: int = 0, **options: Any) -> Result[SearchRow]:
    """Search a class of round structures; `options` are those of `distribute`."""
    return distribute(Search(words, inputs, active, keep), **options).value


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
    """The ledger of a search unless another is named."""
    return rows.ledger(f"search-{study.words}-{study.inputs}-{study.active}.sqlite")


def row_of(found: SearchResult, command: str) -> SearchRow:
    """The row of kind search of a result."""
    more: dict[str, Any] = {name: getattr(found, name) for name in ROW_FIELDS}
    if found.structures:
        more["structures"] = [[list(positions), list(pi)] for positions, pi in found.structures]
    return SearchRow.make(command=command, **more)


def _search(words: int, inputs: int, active: int, keep: int, first: int, end: int, run: Run) -> Batches:
    def progress(done: int, total: int, _: int) -> None:
        run.counted(done, total)

    parts = (first, end)
    result = run_search(words, inputs, active, threads=1, parts=parts, progress=progress, keep=keep)
    if not result.complete:
        raise KeyboardInterrupt
    command = command_line("search", words=words, inputs=inputs, active=active, keep=keep or None)
    yield [row_of(result, command)]


def _line(row: SearchRow) -> tuple[object, ...]:
    # Of what took no time that is shown there is no rate.
    rate = f"{row.searched / row.seconds / 1e6:,.1f} M/s" if row.seconds >= 0.001 else "-"
    columns = (row.words, row.inputs, row.active, row.candidates, row.found, row.complete)
    return (*columns, f"{row.seconds:,.3f}", rate)
