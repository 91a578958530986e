"""Bounds that one solver alone has reached, computed again by others: what agrees is of two solvers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, partial

from ..bounds import Bound
from ..errors import DescriptionError, RoundworksError
from ..prove.bitwise.instance import bit_instance
from ..prove.cellwise.instance import cell_instance
from ..prove.division.integrals import bit_wise, where_of
from ..prove.pipeline import Instance, Query, solved
from ..prove.solvers import installed
from ..prove.structures.again import shown_again
from ..prove.structures.deepening import deepen
from ..prove.structures.facts import Fact, Facts
from ..prove.structures.feistel import VIEWS, model
from ..prove.structures.paths import shape
from ..reference import Roundwise, get_analysed
from ..report.known import ACTIVE_BITS, RELATED, best_known, of
from ..reproduce.run import Run
from ..rows import BoundRow, Row, SolveRow, Store
from ..rows.query import ledgers
from .bound_queries import bound_command
from .result import Result, Table
from .rounds import bounds_of, facts_of
from .study import Batches, Given, Study, Unit, command_line, conduct

# Measure -> its goal cell-wise; none bit-wise.
GOALS = {
    "active-sboxes": "active",
    "collision-sboxes": "collision",
    "bias-sboxes": "bias",
    "related-key-sboxes": "related-key",
    "related-tweak-sboxes": "related-tweak",
    "trail": "",
    ACTIVE_BITS: "",
    "related-key-trail": "",
    "integral": "",
}
PREFERRED = ("highs", "cadical", "scip")
"""Solvers in the order in which they confirm: the first two were the fastest on most stored instances."""
# Bit-wise, along paths of active words, or where a key or tweak differs: queries that these two decide soon.
BY_CLAUSES = ("cadical", "kissat")
# What the first runs along paths had not, so that it confirms the most of them.
ALONG_PATHS = ("kissat", "cadical")


@dataclass(frozen=True, slots=True)
class Confirm(Study[Result[BoundRow]]):
    """A unit for each stored bound of one solver that took less than ``limit`` seconds.

    Bounds of one permutation of AES instructions that are of the model of its shape have one unit for a view,
    because over more rounds they follow from those over fewer. ``limit`` is also what each further solver
    gets for it, in seconds, or there for one number of rounds. A bound whose instance is another
    one now, because the description or the model changed, has no unit result. ``results``: the folder of
    rows; the user's and the stored ones unless given.
    """

    limit: float = 10.0
    ciphers: tuple[str, ...] = ()
    results: str | None = None

    def plan(self) -> Sequence[Unit]:
        """The quickest first, so that a run that is stopped has confirmed the most; shapes take minutes each."""
        wanted = [row for row in self._unconfirmed() if not _of_a_file(row)]
        units, together = [], dict[tuple[str, ...], list[BoundRow]]()
        for row in sorted(wanted, key=lambda row: row.seconds):
            if _of_a_shape(row):
                together.setdefault((row.cipher, *of(row)), []).append(row)
        for row in sorted(wanted, key=lambda row: row.seconds):
            for solver in () if _of_a_shape(row) else _others(row, _preferred(row)):
                query = _query(row, solver, self.limit)
                title = f"{row.cipher}, {row.measure}, {row.rounds} rounds, {solver}"
                command = bound_command([row.cipher], row.measure, query)
                units.append(Unit(title, command, partial(_again, row, query, command)))
        facts = self._facts() if together else ()
        for rows in together.values():
            by_solver: dict[str, list[BoundRow]] = {}
            for row in rows:
                for solver in _others(row, ALONG_PATHS):
                    by_solver.setdefault(solver, []).append(row)
            about = Given(tuple(f for f in facts if (f.name, f.view) == (_name(rows[0]), rows[0].view)))
            for solver, some in by_solver.items():
                command = command_line("confirm", cipher=rows[0].cipher, time_limit=self.limit)
                title = f"{rows[0].cipher}, {rows[0].view}, {rows[0].count}, {solver}"
                units.append(
                    Unit(title, command, partial(_along_paths, some, solver, self.limit, command, about))
                )
        return units

    @property
    def of_files(self) -> int:
        """Bounds of files of one's own, whose descriptions are not in the catalogue: they are left out."""
        return sum(map(_of_a_file, self._unconfirmed()))

    def _unconfirmed(self) -> list[BoundRow]:
        """The stored bounds of one solver that took less than the limit."""
        stored = Store(self.results).read()
        best = best_known(
            [row for row in stored if isinstance(row, BoundRow)],
            [row for row in stored if isinstance(row, SolveRow)],
        )
        return [
            row
            for row in best
            if row.certainty == "one-solver"
            and row.measure in GOALS
            and row.side != "upper"
            and row.as_over is None  # what fewer rounds have is confirmed there
            and row.seconds < self.limit
            and (not self.ciphers or row.cipher in self.ciphers)
        ]

    def _facts(self) -> Sequence[Fact]:
        """What the ledgers next to the rows have of trails: along paths it says where another solver has to look."""
        return [fact for ledger in ledgers(Store(self.results)) for fact in facts_of(ledger)]

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


def _of_a_file(row: BoundRow) -> bool:
    return not _catalogued(row.cipher)


@cache
def _catalogued(name: str) -> bool:
    try:
        get_analysed(name)
    except RoundworksError:
        return False
    return True


def _preferred(row: BoundRow) -> Sequence[str]:
    return BY_CLAUSES if row.measure in ("trail", ACTIVE_BITS, "integral", *RELATED) else PREFERRED


def _others(row: BoundRow, preferred: Sequence[str]) -> list[str]:
    """Who confirms: one more than the solver named; two where several are named, of which one is not known."""
    named = [version.split()[0].lower() for version in (row.solver or "").split(", ")]
    there = [solver for solver in preferred if solver in installed()]
    if len(named) == 1:
        return [solver for solver in there if solver not in named][:1]
    return there[:2]


def _query(row: BoundRow, solver: str, limit: float) -> Query:
    where = where_of(row.witness) if row.measure == "integral" and isinstance(row.witness, dict) else {}
    return Query(row.rounds or 1, row.view, row.count or "distinct", where, (solver,), limit)


def _again(row: BoundRow, query: Query, command: str, run: Run) -> Batches:
    try:
        bound = _solved(row, query)
    except RoundworksError as error:  # two solvers that contradict each other are said, and end nothing
        run.say(f"{row.cipher}, {row.measure}, {row.rounds} rounds: {error}")
        return
    if bound is None:
        run.say(f"{row.cipher}, {row.measure}, {row.rounds} rounds: the instance is another one now")
        return
    _compared(row, bound)
    # Whether it holds over more rounds follows from the description, not from the solver.
    yield [BoundRow.make(command=command, **replace(bound, monotone=bool(row.monotone)).fields)]


def _compared(row: BoundRow, again: Bound) -> None:
    """A lower bound of one above a trail of the other is an error."""
    for low, high in ((row, again), (again, row)):
        if low.value is not None and high.upper is not None and low.value > high.upper:
            raise RoundworksError(
                f"{row.cipher}: {row.measure} over {row.rounds} rounds: at least {low.value:g} by {low.solver},"
                f" at most {high.upper:g} by {high.solver}; one of the two is wrong"
            )


def _name(row: BoundRow) -> str:
    """As the models of permutations name it: of ``feistel512:2-0,1-0,2-0,1-0`` what is behind the colon."""
    return row.cipher.partition(":")[2] or row.cipher


def _of_a_shape(row: BoundRow) -> bool:
    """Whether it is a bound of the model of words and columns, and not of the description's graph."""
    if row.measure != "active-sboxes" or row.view not in VIEWS or row.count not in ("distinct", "executed"):
        return False
    try:
        permutation = shape(_name(row))
    except DescriptionError:
        return False
    return model(permutation, row.rounds or 1, row.view, row.count).fingerprint == row.fingerprint


def _along_paths(
    rows: Sequence[BoundRow],
    solver: str,
    limit: float,
    command: str,
    about: Given[tuple[Fact, ...]],
    run: Run,
) -> Batches:
    name, view, count = _name(rows[0]), rows[0].view, rows[0].count
    assert view in VIEWS and count in ("distinct", "executed")
    most, need = max(row.rounds or 1 for row in rows), max(int(row.value or 0) for row in rows)
    facts = Facts(need, count, solver=solver)
    if count == "distinct" and any(fact.path for fact in about.value):
        wanted = {row.rounds or 1: int(row.value or 0) for row in rows}
        shown = shown_again(Facts(need, count, about.value), facts, name, view, wanted, limit)
    else:
        shown = deepen(facts, name, view, most, limit)
    for fact in shown:
        run.say(f"{name}, {view}, {count}, {fact.rounds} rounds")
    stored = {row.rounds or 1: row for row in rows}
    again = [
        one for one in bounds_of(facts, name, view, most) if one.rounds in stored and one.side != "upper"
    ]
    for one in again:
        _compared(stored[one.rounds or 1], one)
    yield [BoundRow.make(command=command, **one.fields) for one in again]


def _solved(row: BoundRow, query: Query) -> Bound | None:
    """The bound again; None where the instance is another one."""
    description = get_analysed(row.cipher)
    if row.measure == "integral":
        bound = bit_wise(description, query.rounds, query.where, query.limit, by=query.solvers)
        return bound if bound.fingerprint == row.fingerprint else None
    instance = _instance(description, row, query)
    return solved(instance, query).bound if instance.problem.fingerprint == row.fingerprint else None


def _instance(description: Roundwise, row: BoundRow, query: Query) -> Instance:
    if not GOALS[row.measure]:
        view, related = query.view or "differential", row.measure in RELATED
        return bit_instance(
            description,
            query.rounds,
            view,
            query.count,
            active_only=row.measure == ACTIVE_BITS,
            related=related,
            up_to_rotation=not related,
        )
    return cell_instance(description, GOALS[row.measure], query.rounds, query.view, query.count)
