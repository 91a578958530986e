"""Which configurations of four words could be faster than the best permutation that has its rounds.

Those that have a light trail wherever they would be faster are out; the others have the active S-boxes there, or
are open, and then say what deciding them would cost.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from .. import machine, spec
from ..prove.structures import worth
from ..prove.structures.facts import Facts
from ..prove.structures.feistel import VIEWS, View, structure
from ..prove.structures.spn import spn
from ..rows import FasterRow
from ..rows.kinds import FasterBetween, FasterLeft
from .rounds import RankedDesign

_APART = 18  # every 18th configuration goes first: where it has a light trail, others have one, too


@dataclass(frozen=True, slots=True)
class RankingGoal:
    """What a permutation of four words must undercut: ``cycles`` for one block, or ``work`` AES instructions,
    where one instruction takes ``latency`` cycles on ``cpu``."""

    latency: int
    cycles: int
    work: int
    cpu: str

    @classmethod
    def of(cls, designs: Sequence[RankedDesign]) -> RankingGoal | None:
        """The fastest that has its rounds; None where none has."""
        each = [
            (structure(d.name.partition(":")[2]), d.rounds)
            for d in designs
            if d.rounds is not None and d.name.startswith("feistel512:")
        ]
        if not each:
            return None
        profile = spec.profile_of(machine.describe())
        latency = round(profile.cpu.timing("aesenc").latency)
        cycles = min(worth.path(it, rounds, latency) for it, rounds in each)
        return cls(latency, cycles, min(worth.instructions(it, n) for it, n in each), profile.said)

    def rounds(self) -> dict[str, int]:
        """Of each configuration with the paper's shuffle the most rounds at which it would be faster."""
        return {
            name: worth.cheaper(structure(name), self.latency, self.cycles, self.work)
            for name in worth.names()
        }

    def shares(self, facts: Facts) -> Iterator[tuple[tuple[str, int], ...]]:
        """Those that no light trail rules out, some of them first."""
        left = [one for one in self.left(facts) if not worth.reaches(facts, *one)]
        yield from filter(None, (tuple(left[::_APART]), tuple(left)))

    def left(self, facts: Facts) -> tuple[tuple[str, int], ...]:
        """Those that no light trail rules out, with the rounds at which they would be faster; the fewest first,
        which are decided soonest."""
        every = sorted(self.rounds().items(), key=lambda one: one[1])
        return tuple((name, rounds) for name, rounds in every if not worth.refuted(facts, name, rounds))


def faster_row(
    goal: RankingGoal,
    facts: Facts,
    command: str,
    ranked: Iterable[str] = (),
    most: int = 0,
    costs: bool = True,
) -> FasterRow:
    """What is known of every configuration, with a line for each that no light trail rules out.

    ``ranked``: permutations whose rounds are wanted, up to ``most``; a line for each view in which the fewest
    rounds that may do are open. Without ``costs`` open paths are not counted: of weak ones there are millions.
    """
    every, left = goal.rounds(), goal.left(facts)
    return FasterRow.make(
        command=command,
        seconds=0.0,
        bits=512,
        need=facts.need,
        latency=goal.latency,
        cpu=goal.cpu,
        cycles=goal.cycles,
        instructions=goal.work,
        configurations=len(every),
        out=len(every) - len(left),
        left=[_line(goal, facts, name, rounds, costs) for name, rounds in left],
        between=list(_between(facts, ranked, most)) if costs else None,
    )


def _between(facts: Facts, ranked: Iterable[str], most: int) -> Iterator[FasterBetween]:
    for name, view in product(ranked, VIEWS):
        fewest, reached = facts.bracket(name, most)
        alone = facts.reached(name, view, most)
        # Where a view has the need at the fewest rounds that may do, it does not matter whether fewer have it.
        if spn(name) or reached is None or alone is None or alone <= fewest:
            continue
        paths, wanted = _open(facts, name, view, fewest)
        line = FasterBetween(
            permutation=name,
            view=view,
            rounds=fewest,
            reached=reached,
            spent=_spent(facts, name, view),
            paths=paths,
        )
        if wanted is not None:
            line["wanted"] = round(wanted, 1)
        yield line


def _spent(facts: Facts, name: str, *views: View) -> float:
    return round(sum(fact.seconds for view in views for fact in facts.about(name, view)), 1)


def _line(goal: RankingGoal, facts: Facts, name: str, rounds: int, costs: bool) -> FasterLeft:
    decided = worth.reaches(facts, name, rounds)
    lower = {view: min(facts.need, facts.lower(name, view, rounds)[rounds]) for view in VIEWS}
    line = FasterLeft(
        permutation=name,
        rounds=rounds,
        cycles=worth.path(structure(name), rounds, goal.latency),
        instructions=worth.instructions(structure(name), rounds),
        decided=decided,
        differential=lower["differential"],
        linear=lower["linear"],
        spent=_spent(facts, name, *VIEWS),
    )
    if costs and not decided:
        views = [_open(facts, name, view, rounds) for view in VIEWS if lower[view] < facts.need]
        line["paths"] = sum(paths for paths, _ in views)
        each = [cost for _, cost in views]
        if None not in each:
            line["wanted"] = round(sum(cost for cost in each if cost is not None), 1)
    return line


def _open(facts: Facts, name: str, view: View, rounds: int) -> tuple[int, float | None]:
    """Paths of active words that are not ruled out; the seconds for all, at the mean of those decided."""
    paths = facts.windows(name, view).open(rounds, facts.need)
    decided = [f.seconds for f in facts.about(name, view) if f.path and f.rounds == rounds]
    return len(paths), len(paths) * sum(decided) / len(decided) if decided else None


def said_of(row: FasterRow) -> str:
    """The row in a sentence."""
    there = [line["permutation"] for line in row.left if line["decided"]]
    return (
        f"of {row.configurations} configurations with the paper's shuffle {row.out} have a light trail"
        f" wherever they would take less than {row.cycles} cycles for a block or {row.instructions} AES instructions,"
        f" {len(there)} have no light trail there ({'; '.join(there) or 'none'}), and"
        f" {len(row.left) - len(there)} are not decided. AES takes {row.latency} cycles on this CPU: {row.cpu}"
    )
