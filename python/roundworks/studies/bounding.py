"""Many bounds of one description: a unit for each measure and view."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from ..bounds import Count, View
from ..errors import DescriptionError
from ..prove.measures import bounds_of
from ..prove.pipeline import Query
from ..reference import BlockCipher, Recording, Roundwise, StreamAead
from ..reference.record import record_end, record_init, record_keyed, record_load, record_rounds
from ..reproduce.run import Run
from ..rows import BoundRow, Row
from .bound_queries import bound_command
from .described import described
from .result import Result, Table
from .study import Batches, Study, Unit


@dataclass(frozen=True, slots=True)
class PlainQuery:
    """A query of plain values, which a unit can be known by; fields as those of `Query`."""

    measure: str
    rounds: int
    view: View | None = None
    count: Count = "distinct"
    where: tuple[tuple[str, str], ...] = ()
    solvers: tuple[str, ...] = ("auto",)
    limit: float | None = None
    alone: bool = False

    @property
    def query(self) -> Query:
        """The query as the measures take it."""
        return Query(
            self.rounds, self.view, self.count, dict(self.where), self.solvers, self.limit, alone=self.alone
        )


@dataclass(frozen=True, slots=True)
class Bounds(Study[Result[BoundRow]]):
    """Bounds of a cipher or permutation, each with the certainty that it would have alone.

    Parameters
    ----------
    subject : str or Path
        A name, or a file, which every worker must have at the same place.
    queries : tuple of PlainQuery
    """

    subject: str | Path
    queries: tuple[PlainQuery, ...]

    def plan(self) -> Sequence[Unit]:
        """A unit for each query."""
        it, words = described(self.subject)
        return [
            Unit(
                ", ".join(filter(None, (it.name, one.measure, one.view or ""))),
                bound_command(words, one.measure, one.query),
                partial(_bounds, self.subject, _digest(self.subject, it, one.rounds), one),
            )
            for one in self.queries
        ]

    def reduce(self, rows: Sequence[Row]) -> Result[BoundRow]:
        """The last bound of each query: that of all its rounds."""
        kept = tuple(row for row in rows if isinstance(row, BoundRow))
        last = {(row.measure, row.view): row for row in kept}
        columns = ("cipher", "measure", "view", "rounds", "side", "value", "unit", "certainty", "seconds")
        lines = tuple(
            (r.cipher, r.measure, r.view, r.rounds, r.side, r.value, r.unit, r.certainty, f"{r.seconds:.3f}")
            for r in last.values()
        )
        return Result(kept, (Table("", columns, lines),))


def _bounds(subject: str | Path, digest: str, one: PlainQuery, run: Run) -> Batches:
    it, words = described(subject)
    if _digest(subject, it, one.rounds) != digest:
        raise DescriptionError(
            f"{subject}: this file, or one that it imports, is another on this machine; copy those of the client"
        )
    command = bound_command(words, one.measure, one.query)
    for result in bounds_of(it, one.measure, one.query):
        yield [BoundRow.make(command=command, **result.bound.fields)]


def _digest(subject: str | Path, it: Roundwise, rounds: int) -> str:
    """Of a file of the user's, and of what it describes: that may be of other files, which it imports or reads."""
    if not (isinstance(subject, Path) or subject.endswith(".py")):
        return ""
    digest = hashlib.sha256(Path(subject).read_bytes())
    for recording in _recordings(it, rounds):
        nodes = recording.graph.nodes
        digest.update(repr((nodes, recording.graph.units, recording.inputs, recording.outputs)).encode())
    return digest.hexdigest()[:16]


def _recordings(it: Roundwise, rounds: int) -> Iterator[Recording]:
    """All that a measure may read."""
    yield record_rounds(it, rounds)
    if isinstance(it, BlockCipher):
        yield record_keyed(it, rounds)
    elif isinstance(it, StreamAead):
        yield from (record_load(it), *record_init(it), record_end(it))
