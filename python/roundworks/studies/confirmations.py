"""Bounds that one solver alone has reached, computed again by others: what agrees is of two solvers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from ..errors import DescriptionError, RoundworksError
from ..prove.bitwise.instance import bit_instance
from ..prove.cellwise.instance import cell_instance
from ..prove.pipeline import Instance, Query, solved
from ..prove.solvers import installed
from ..reference import get_analysed
from ..report.known import best_known
from ..reproduce.run import Run
from ..rows import BoundRow, Row, SolveRow, Store
from .ciphers import bound_command
from .result import Result, Table
from .study import Batches, Study, Unit, conduct

GOALS = {"active-sboxes": "active", "collision-sboxes": "collision", "bias-sboxes": "bias", "trail": ""}
PREFERRED = ("highs", "cadical", "scip")
"""Solvers in the order in which they confirm: the first two were the fastest on most stored instances."""


@dataclass(frozen=True, slots=True)
class Confirm(Study[Result[BoundRow]]):
    """A unit for each stored bound of one solver that took less than ``limit`` seconds.

    ``limit`` is also what each further solver gets for it, in seconds. A bound whose instance is another
    one now, because the description or the model changed, has no unit result. ``results``: the folder of
    rows; the user's and the stored ones unless given.
    """

    limit: float = 10.0
    ciphers: tuple[str, ...] = ()
    results: str | None = None

    def plan(self) -> Sequence[Unit]:
        """The quickest first, so that a run that is stopped has confirmed the most."""
        rows = Store(self.results).read()
        known = best_known(
            [row for row in rows if isinstance(row, BoundRow)],
            [row for row in rows if isinstance(row, SolveRow)],
        )
        wanted = [
            row
            for row in known
            if row.certainty == "one-solver"
            and row.measure in GOALS
            and row.side != "upper"
            and row.as_over is None  # what fewer rounds have is confirmed there
            and row.seconds < self.limit
            and (not self.ciphers or row.cipher in self.ciphers)
        ]
        units = []
        for row in sorted(wanted, key=lambda row: row.seconds):
            for solver in _others(row):
                query = _query(row, solver, self.limit)
                title = f"{row.cipher}, {row.measure}, {row.rounds} rounds, {solver}"
                command = bound_command([row.cipher], row.measure, query)
                units.append(Unit(title, command, partial(_again, row, query, command)))
        return units

    def reduce(self, rows: Sequence[Row]) -> Result[BoundRow]:
        """How many were computed again by each solver."""
        again = tuple(row for row in rows if isinstance(row, BoundRow))
        count = Counter((row.solver or "", row.side) for row in again)
        lines = tuple((solver, side, n) for (solver, side), n in sorted(count.items()))
        return Result(again, (Table("bounds computed again", ("solver", "side", "bounds"), lines),))


def confirm(
    limit: float = 10.0, ciphers: Sequence[str] = (), *, results: str | None = None
) -> Result[BoundRow]:
    """Compute stored bounds again by other solvers; see `Confirm`."""
    return conduct(Confirm(limit, tuple(ciphers), results))


def _others(row: BoundRow) -> list[str]:
    """Who confirms: one more than the solver named; two where several are named, of which one is not known."""
    named = [version.split()[0].lower() for version in (row.solver or "").split(", ")]
    there = [solver for solver in PREFERRED if solver in installed()]
    if len(named) == 1:
        return [solver for solver in there if solver not in named][:1]
    return there[:2]


def _query(row: BoundRow, solver: str, limit: float) -> Query:
    return Query(row.rounds or 1, row.view, row.count or "distinct", solvers=(solver,), limit=limit)


def _again(row: BoundRow, query: Query, command: str, run: Run) -> Batches:
    try:
        instance = _instance(row, query)
    except DescriptionError as error:
        run.say(f"{row.cipher}: {error}")
        return
    if instance.problem.fingerprint != row.fingerprint:
        run.say(f"{row.cipher}, {row.measure}, {row.rounds} rounds: the instance is another one now")
        return
    try:
        bound = solved(instance, query).bound
    except RoundworksError as error:  # two solvers that contradict each other are said, and end nothing
        run.say(f"{row.cipher}, {row.measure}, {row.rounds} rounds: {error}")
        return
    if row.value is not None and bound.side == "exact" and bound.value != row.value and row.side == "exact":
        raise RoundworksError(
            f"{row.cipher}: {row.measure} over {row.rounds} rounds: {row.value:g} by {row.solver},"
            f" {bound.value} by {bound.solver}; one of the two is wrong"
        )
    # Whether it holds over more rounds follows from the description, not from the solver.
    yield [BoundRow.make(command=command, **replace(bound, monotone=bool(row.monotone)).fields)]


def _instance(row: BoundRow, query: Query) -> Instance:
    description = get_analysed(row.cipher)
    if row.measure == "trail":
        view = query.view or "differential"
        return bit_instance(description, query.rounds, view, query.count, up_to_rotation=True)
    return cell_instance(description, GOALS[row.measure], query.rounds, query.view, query.count)
