"""The rounds that permutations need for a number of active S-boxes, and which could be faster than one that is known.

The rounds are those at which 43 (of 256 bits) or 86 (of 512) S-boxes are active in both views, an
S-layer on one input counted once. [AESNI-PERM, section 4]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

from .. import spec
from ..bench.permutations import PAPER
from ..bounds import OF_SHAPES, Bound
from ..ledger import kept_rows
from ..prove.cellwise.instance import cell_instance
from ..prove.pipeline import Query, extends, solved
from ..prove.structures import worth
from ..prove.structures.deepening import deepen, light_trail
from ..prove.structures.facts import Fact, Facts
from ..prove.structures.feistel import VIEWS, View
from ..prove.structures.rounds import count_up, name_in_the_core
from ..prove.structures.spn import spn
from ..reference import get_permutation
from ..reference.feistel import CODES
from ..reproduce.minima import NEED, Minimum, MinimumQuery, bound
from ..reproduce.run import Run
from ..rows import BoundRow, Row, TrailRow, typed
from .study import Batches, Given, Study, Unit

MOST = {256: 13, 512: 15}  # rounds that are looked at
_SUMS = 32  # so far sums of proven windows are looked at, which cost nothing
_HINTS = 60  # paths where other permutations have a light trail
_SPN = {256: ("haraka-256", "pholkos-256"), 512: ("haraka-512", "pholkos-512")}
PEERS = {256: ("simpira-2", "areion-256"), 512: ("simpira-4", "areion-512")}


@dataclass(frozen=True, slots=True)
class RankedDesign:
    """A permutation, and the minimum number of rounds that reach the need in both views.

    ``rounds`` is None where this is not decided, or is more than `MOST`; fewer than ``after`` do not.
    """

    name: str
    rounds: int | None
    after: int = 1

    @property
    def earliest(self) -> str | None:
        """Its name at the fewest rounds that could do, if it is not known whether they do."""
        return None if self.after == self.rounds else f"{self.name}:{self.after}"

    @property
    def said(self) -> str:
        """The rounds in words."""
        if self.rounds is None:
            return f"{self.after} rounds or more, not decided"
        return (
            f"{self.rounds} rounds" if self.after == self.rounds else f"{self.after} to {self.rounds} rounds"
        )


@dataclass(frozen=True, slots=True)
class RoundsNeeded(Study[tuple[BoundRow, ...]]):
    """How many rounds each permutation of a size needs: a unit for each of them and each view.

    Parameters
    ----------
    bits : {256, 512}
        Block size.
    time_limit : float
        Seconds for one query; of 512 bits, for one number of rounds.
    ledger : Path
        What it knows of trails is not computed again.
    command : str
        What the rows say made them.
    wanted : tuple of (name, rounds)
        Only these, of 512 bits, over at most that many rounds.
    """

    bits: int
    time_limit: float
    ledger: Path
    command: str
    wanted: tuple[tuple[str, int], ...] = ()

    @property
    def names(self) -> list[str]:
        """The permutations, as the models name them."""
        if self.wanted:
            return [name for name, _ in self.wanted]
        if self.bits == 256:
            named = [",".join(codes) for codes in product(CODES, repeat=2)]
        else:
            named = [row.name.strip("()").replace(" ", "") for row in spec.paper(PAPER).table("2").rows]
        return [*named, *PEERS[self.bits], *_SPN[self.bits]]

    def plan(self) -> Sequence[Unit]:
        """A unit for each permutation and view."""
        facts = known(self.ledger, NEED[self.bits // 128])
        last = dict(self.wanted)
        units = []
        for name, view in product(self.names, VIEWS):
            how = (self.bits, last.get(name, MOST[self.bits]), self.time_limit, self.command)
            work = partial(_rounds, name, view, *how, Given(tuple(facts.about(name, view))))
            units.append(Unit(f"{name}, {view}", self.command, work))
        return units

    def reduce(self, rows: Sequence[Row]) -> tuple[BoundRow, ...]:
        """The rows of kind bound, of all units."""
        return tuple(row for row in rows if isinstance(row, BoundRow))

    def designs(self, bounds: Sequence[BoundRow]) -> tuple[RankedDesign, ...]:
        """The bracket of each permutation, by the bounds of both views."""
        names = (name_in_the_core(name) for name in self.names)
        return tuple(design_of(name, NEED[self.bits // 128], bounds) for name in names)


def design_of(name: str, need: int, bounds: Sequence[BoundRow]) -> RankedDesign:
    """What bounds say of the rounds of a permutation: by which it has the need, and before which not."""
    mine = [row for row in bounds if row.cipher == name]
    short = [row.rounds or 0 for row in mine if row.upper is not None and row.upper < need]
    reached = []
    for view in VIEWS:
        enough = (r for r in mine if r.view == view and r.side != "upper" and (r.value or 0) >= need)
        reached.append(min((row.rounds or 0 for row in enough), default=0))
    return RankedDesign(name, max(reached) if all(reached) else None, max(short, default=0) + 1)


@dataclass(frozen=True, slots=True)
class LightTrails(Study[None]):
    """Light trails of permutations over rounds at which they would be faster than one that is known: a unit for
    each. Where others have one it is looked for first.

    Parameters
    ----------
    wanted : tuple of (name, rounds)
        What no trail rules out yet.
    limit : float
        Seconds for each view.
    ledger : Path
        What it knows of trails is not computed again.
    command : str
        What the rows say made them.
    """

    wanted: tuple[tuple[str, int], ...]
    limit: float
    ledger: Path
    command: str

    def plan(self) -> Sequence[Unit]:
        """A unit for each permutation."""
        facts = known(self.ledger, NEED[4])
        near = sorted({some for _, rounds in self.wanted for some in (rounds - 1, rounds)})
        hints = {(view, some): facts.light(view, some)[:_HINTS] for view in VIEWS for some in near}
        units = []
        for name, rounds in self.wanted:
            given = [fact for view in VIEWS for fact in facts.about(name, view)]
            given += [fact for view in VIEWS for some in (rounds, rounds - 1) for fact in hints[view, some]]
            work = partial(_light, name, rounds, self.limit, self.command, Given(tuple(given)))
            units.append(Unit(f"{name}, {rounds} rounds", self.command, work))
        return units

    def reduce(self, rows: Sequence[Row]) -> None:
        """What was found is in the ledger."""


def known(ledger: Path, need: int) -> Facts:
    """What a ledger has of trails, an S-layer on one input counted once.

    Raises
    ------
    LedgerError
        ``x.sqlite: not a ledger; name another file``
    """
    return Facts(need, "distinct", facts_of(ledger))


def facts_of(ledger: Path) -> Iterator[Fact]:
    """The rows of trails of a ledger, as facts; an S-layer on one input counted once."""
    for row in kept_rows(ledger, TrailRow.kind):
        one = typed(row, f"{ledger}: a row")
        assert isinstance(one, TrailRow)
        if one.count == "distinct":
            path = None if one.path is None else tuple(one.path)
            more: tuple[Any, ...] = one.weight, one.solver, one.limit, one.seconds, path
            yield Fact(one.permutation, one.view, one.rounds, one.most, one.light, *more)


def trail_rows(facts: Facts, command: str) -> list[TrailRow]:
    """A row for each query that is new."""
    return [
        TrailRow.make(
            command=command,
            seconds=fact.seconds,
            permutation=fact.name,
            view=fact.view,
            count=facts.count,
            rounds=fact.rounds,
            most=fact.most,
            light=fact.light,
            weight=fact.weight,
            solver=fact.solver,
            limit=fact.limit,
            path=None if fact.path is None else list(fact.path),
        )
        for fact in facts.new
    ]


def _rounds(
    name: str,
    view: View,
    bits: int,
    most: int,
    limit: float,
    command: str,
    given: Given[tuple[Fact, ...]],
    run: Run,
) -> Batches:
    """Bounds of one permutation in one view, by what is given or by the solver of its family."""
    need = NEED[bits // 128]
    facts = Facts(need, "distinct", given.value)
    if name in _SPN[256]:
        bounds = list(_cell_wise(name, view, need, most, limit))
    elif bits == 256:
        # With `stop` the solver has a process of its own: hundreds of queries, and one may crash it.
        _heard(count_up(facts, name, view, most, limit, stop=lambda: False), run)
        bounds = list(bounds_of(facts, name, view, most))
    else:
        # Constants of a design that is no Feistel permutation end with its rounds.
        last = min(most, int(get_permutation(name).rounds)) if name in _SPN[512] else most
        _heard(deepen(facts, name, view, last, limit), run)
        bounds = list(bounds_of(facts, name, view, last if name in _SPN[512] else _SUMS))
    yield trail_rows(facts, command)
    yield [BoundRow.make(command=command, **one.fields) for one in bounds]


def _light(
    name: str, rounds: int, limit: float, command: str, given: Given[tuple[Fact, ...]], run: Run
) -> Batches:
    """Of differences, and of masks if there is none of these."""
    facts = Facts(NEED[4], "distinct", given.value)
    for view in VIEWS:
        tired = facts.was_open(name, view, rounds, facts.need - 1, limit)
        if not (worth.refuted(facts, name, rounds) or facts.reached(name, view, rounds) or tired):
            _heard([light_trail(facts, name, view, rounds, limit)], run)
    yield trail_rows(facts, command)


def _heard(found: Iterable[Fact], run: Run) -> None:
    for fact in found:
        weight = {True: f"a trail of {fact.weight}", False: "none", None: "open"}[fact.light]
        query = f"{fact.name}, {fact.view}, {fact.rounds} rounds, at most {fact.most}"
        run.say(f"{query}: {weight}, {fact.seconds:.0f} s")


def _cell_wise(name: str, view: View, need: int, most: int, limit: float) -> Iterator[Bound]:
    """Of what is no Feistel permutation, by the model of its description.

    More rounds never have fewer, so it ends where time ran out.
    """
    described = get_permutation(name)
    for rounds in range(1, min(most, int(described.rounds)) + 1):
        query = Query(rounds, solvers=("highs",), limit=limit)
        one = solved(cell_instance(described, "active", rounds, view), query).bound
        one = replace(one, monotone=view == "differential" and extends(described, rounds))
        if not one.ended and one.seconds < limit:  # Ctrl-C
            raise KeyboardInterrupt
        yield one
        if (one.value or 0) >= need or not one.ended:
            return


def bounds_of(facts: Facts, name: str, view: View, most: int) -> Iterator[Bound]:
    """What is known of each number of rounds, as far as there was a query or it is enough."""
    lower, own = facts.lower(name, view, most), facts.of(name, view)
    last = facts.reached(name, view, most) or max((f.rounds for f in own), default=0)
    # Of single paths a bound takes all queries over no more rounds.
    along = [f for f in facts.about(name, view) if f.path is not None]
    for rounds in range(1, last + 1):
        here = [f for f in own if f.rounds == rounds]
        weights = [f.most if f.weight is None else f.weight for f in here if f.light]
        alone = any(f.light is False and f.most + 1 == lower[rounds] for f in here)
        if not weights and not lower[rounds]:
            continue
        solvers = facts.behind(name, view, rounds) or {f.solver for f in here if f.light}
        minimum = Minimum(
            MinimumQuery(name, rounds, view, facts.count),
            lower[rounds],
            min(weights, default=None),
            "one-solver",
            ", ".join(sorted(solvers)),
            sum(f.seconds for f in along if f.rounds <= rounds) if along else sum(f.seconds for f in here),
        )
        if not (spn(name) or facts.solvers(name, view)):
            yield bound(minimum)
            continue
        way = "by active-cell count of columns" if spn(name) else "along each path of active words"
        words = f"{OF_SHAPES} {way}"
        yield bound(minimum, method=words if alone or not lower[rounds] else f"{words}; sums of fewer rounds")
