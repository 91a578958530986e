"""What the report shows of the cell-wise and bit-wise models: bounds, trails, the solver race."""

from __future__ import annotations

import heapq
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from ..analysis import bounds as word_wise
from ..bounds import CERTAINTY, COUNTS, VIEWS, Bound, Count, View
from ..errors import DescriptionError
from ..prove.cellwise.instance import cell_instance
from ..prove.measures import bounds_of
from ..prove.pipeline import BoundResult, Query, extends, no_less, solved
from ..prove.race import load
from ..prove.race import race as run_race
from ..prove.solvers import installed
from ..prove.solvers.proofs import check as check
from ..prove.solvers.solve import SolverProgress
from ..reference import Rounds, Sbox, StreamAead, analysed, get_analysed, record_rounds
from ..reproduce.run import Run
from ..rows import BoundRow, DrawingRow, Row, SolveRow
from .bound_queries import bound_command
from .result import Result as Shown
from .result import Table
from .study import command_line

# A count that everybody knows, one where two branches share an S-layer, and a collision.
_DRAWN = (("aes", "active", 4), ("feistel256:2-0,1-1", "active", 3), ("aegis-128l", "collision", 5))


@dataclass(frozen=True, slots=True)
class ProofPlan:
    """Seconds: ``limit`` for one query, the others for all queries of a part."""

    limit: float
    counts: float
    goals: float
    trails: float
    trail: float  # for one query of those
    drawing: float  # for each trail to draw
    race: float  # for each solver and instance
    rounds: int


QUICK = ProofPlan(limit=0.7, counts=34, goals=12, trails=28, trail=8, drawing=3, race=1.5, rounds=12)
FULL = ProofPlan(
    limit=300, counts=4 * 3600, goals=7200, trails=7200, trail=300, drawing=1200, race=120, rounds=24
)


@dataclass
class _Part:
    """Queries under one budget of time; an instance that was solved before is not solved again."""

    run: Run
    limit: float
    budget: float
    started: float = field(default_factory=time.perf_counter)
    known: dict[str, Bound] = field(default_factory=dict)
    refused: set[str] = field(default_factory=set)

    @property
    def left(self) -> float:
        return self.budget - (time.perf_counter() - self.started)

    @property
    def each(self) -> float:
        return max(0.2, min(self.limit, self.left))

    def solve(self, name: str, goal: str, rounds: int, view: View, count: Count = "distinct") -> Bound | None:
        """The bound, maybe from another cipher of the same round; None where it does not apply."""
        description, started = get_analysed(name), time.perf_counter()
        try:
            instance = cell_instance(description, goal, rounds, view, count)
            same = instance.problem.fingerprint
            if (first := self.known.get(same)) is None:
                first = self.known[same] = solved(instance, Query(rounds, limit=self.each)).bound
            else:
                as_for = f"{first.cipher}, {first.view}, {first.count}"
                first = replace(
                    first,
                    cipher=name,
                    view=view,
                    count=count,
                    method=f"{instance.method}; the same problem instance as for {as_for}",
                    seconds=time.perf_counter() - started,
                )
        except DescriptionError as error:
            if str(error) not in self.refused:
                self.run.say(f"  {goal}: {error}")
            self.refused.add(str(error))
            return None
        is_monotone = goal == "active" and view == "differential" and extends(description, rounds)
        return replace(first, monotone=is_monotone)


def proving(run: Run) -> Iterator[list[Row]]:
    """Every part, in the order of the report."""
    plan = FULL if run.full else QUICK
    load(installed())
    yield from _counts(_Part(run, plan.limit, plan.counts), plan.rounds)
    yield from _goals(_Part(run, plan.limit, plan.goals))
    yield from _trails(_Part(run, plan.trail, plan.trails), plan.rounds)
    yield from _drawings(run, plan.drawing)
    run.say("solver race")
    yield list(race(limit=plan.race))


def _quickest_first(
    part: _Part, curves: Sequence[Iterator[Bound]], start: float = 0.0003
) -> Iterator[list[Row]]:
    """Bounds by rounds; the next is of the curve whose last bound took the shortest time.

    A curve ends with its first bound that is not exact: of more rounds less would be known.
    """
    # Before its first bound a curve counts as if one had taken ``start`` times its place: small
    # states come first, and go on while their bounds are quick.
    queue = [(start * place, place, curve) for place, curve in enumerate(curves)]
    while queue and part.left > 0:
        _, place, curve = heapq.heappop(queue)
        started = time.perf_counter()
        bound = next(curve, None)
        spent = time.perf_counter() - started
        if bound is None:
            continue
        yield [_bound_row(bound, part.limit)]
        if bound.ended:
            heapq.heappush(queue, (spent, place, curve))
    if queue:
        part.run.say(f"  time is over; {len(queue)} of {len(curves)} curves go no further")


def _counts(part: _Part, most: int) -> Iterator[list[Row]]:
    """Active S-boxes by rounds."""
    curves = [
        _count_curve(part, name, view, count, most)
        for name in _smallest_first()
        for view in VIEWS
        for count in COUNTS  # one instance where no layer is shared
    ]
    part.run.say(f"active S-boxes by rounds: {len(curves)} curves")
    yield from _quickest_first(part, curves)


def _count_curve(part: _Part, name: str, view: View, count: Count, most: int) -> Iterator[Bound]:
    before: Bound | None = None
    for rounds in range(1, most + 1):
        bound = part.solve(name, "active", rounds, view, count)
        if bound is None:
            return
        before = bound if before is None else no_less(bound, before)
        yield before


def _smallest_first() -> list[str]:
    """By the bits of the state: a given time has the most bounds of small ones."""
    sizes = {name: get_analysed(name) for name in analysed()}
    return sorted(sizes, key=lambda name: sizes[name].words * sizes[name].word_bits)


def _goals(part: _Part) -> Iterator[list[Row]]:
    """Collisions and biases, of as many rounds as the cheapest word-wise path has."""
    late = []
    for name in _smallest_first():
        cipher = get_analysed(name)
        if not isinstance(cipher, StreamAead) or isinstance(cipher, Rounds):
            continue
        for goal, view in zip(("collision", "bias"), VIEWS, strict=True):
            rounds = (word_wise.collision if goal == "collision" else word_wise.bias)(cipher).rounds
            if rounds is None:
                part.run.say(f"{name}: {goal}: no word-wise path, so none at all")
            elif part.left <= 0:
                late.append(f"{name} {goal}")
            else:
                part.run.say(f"{name}: {goal} of at most {rounds} rounds")
                if (bound := part.solve(name, goal, rounds, view)) is not None:
                    yield [_bound_row(bound, part.limit)]
    if late:
        part.run.say(f"  time is over; not computed: {', '.join(late)}")


def _trails(part: _Part, most: int) -> Iterator[list[Row]]:
    """Minimum weights bit-wise, where every S-box is small enough for more than a few rounds."""
    curves = [
        (result.bound for result in bounds_of(description, "trail", Query(most, view, limit=part.limit)))
        for description in map(get_analysed, _smallest_first())
        if all(
            node.detail.bits <= 5
            for node in record_rounds(description, 1).graph.nodes
            if isinstance(node.detail, Sbox)
        )
        for view in VIEWS
    ]
    part.run.say(f"weights of trails by rounds: {len(curves)} curves")
    # The model of one round of a large state takes as long as five rounds of PRESENT.
    yield from _quickest_first(part, curves, start=1)


def _drawings(run: Run, limit: float) -> Iterator[list[Row]]:
    for name, goal, rounds in _DRAWN:
        run.say(f"{name}: trail plotted")
        query = Query(rounds, limit=limit)
        result: BoundResult = solved(cell_instance(get_analysed(name), goal, rounds), query)
        yield [_bound_row(result.bound, limit)]
        if result.attained is None:
            run.say(f"  no trail found in {limit:g} seconds")
            continue
        command = f"{_command(result.bound, limit)} --dot trail.dot"
        yield [DrawingRow.make(seconds=result.bound.seconds, command=command, **drawn(result))]


def _bound_row(bound: Bound, limit: float) -> Row:
    return BoundRow.make(command=_command(bound, limit), **bound.fields)


def _command(bound: Bound, limit: float) -> str:
    view = bound.view if bound.measure in ("active-sboxes", "trail") else None
    query = Query(bound.rounds or 1, view, bound.count or "distinct", limit=limit)
    return bound_command([bound.cipher], bound.measure, query)


def race(
    instances: Sequence[str] = (),
    solvers: Sequence[str] = (),
    limit: float = 60.0,
    progress: Callable[[SolverProgress], None] | None = None,
) -> Shown[SolveRow]:
    """Every solver on the same problem instances; all instances and all installed solvers unless named.

    ``limit`` is in seconds for each pair.
    """
    command = command_line("race", instance=tuple(instances), solver=tuple(solvers), time_limit=limit)
    results = run_race(instances, solvers, limit, progress)
    rows = tuple(SolveRow.make(command=command, **asdict(one)) for one in results)
    lines = tuple(
        (r.instance, r.solver, r.status, r.lower, r.upper, r.unit, f"{r.seconds:,.3f}", r.version)
        for r in rows
    )
    columns = ("instance", "solver", "status", "at least", "best", "unit", "seconds", "version")
    return Shown(rows, (Table("solver race", columns, lines),))


def drawn(result: BoundResult) -> dict[str, Any]:
    """The fields of the drawing row of a result's trail."""
    bound = result.bound
    what = {"collision-sboxes": "collision", "bias-sboxes": "biased keystream"}.get(
        bound.measure, f"{bound.view} trail"
    )
    size = f"weight {bound.upper:g}" if bound.unit == "-log2" else f"{bound.upper:g} {bound.unit}"
    needed = "the minimum" if bound.side == "exact" else f"at least {bound.value:g} needed"
    where = result.instance.where if result.instance else {}
    ends = "".join(f", {name}={cells}" for name, cells in where.items())
    return {
        "cipher": bound.cipher,
        "title": f"{bound.cipher}: {what} over {bound.rounds} rounds{ends}",
        "caption": f"{size[0].upper()}{size[1:]}, {needed}, {CERTAINTY[bound.certainty]}; checked on the"
        " description. A black cell is active, a pale word is left alone; matrices and permutations"
        " are on the arrows.",
        "dot": result.drawing,
        "shows": "trail",
    }
