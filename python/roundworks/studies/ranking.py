"""Permutations ranked by speed at equal security: the rounds that each needs, then their speeds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any, TypeVar

from .. import rows, spec
from ..bench.permutations import BATCHES, PAPER, PermutationSubject, core_name
from ..permutations import Permutation
from ..permutations import names as permutation_names
from ..reproduce.minima import NEED
from ..rows import FasterRow, PermutationRow, Row
from .faster import RankingGoal, faster_row, said_of
from .result import Result, Table
from .rounds import MOST, PEERS, LightTrails, RankedDesign, RoundsNeeded, known
from .runner import Conducted, distribute
from .software import time_permutations
from .study import Study, Unit, command_line, conduct

_BATCH = 64


@dataclass(frozen=True, slots=True)
class Timed(Study[Result[PermutationRow]]):
    """The speeds of designs in one run, and next to them the paper's at its own rounds."""

    bits: int
    designs: tuple[RankedDesign, ...]
    samples: int
    command: str

    @property
    def named(self) -> list[str]:
        """What is ranked: designs at their rounds, and peers also at the fewest that could do."""
        names = [f"{d.name}:{d.rounds}" for d in self.designs if d.rounds is not None]
        # The others' brackets are narrow, or left open to see that they are slow.
        peers = [d for d in self.designs if d.name in PEERS[self.bits] and d.after <= MOST[self.bits]]
        return names + [d.earliest for d in peers if d.earliest]

    def plan(self) -> Sequence[Unit]:
        """One unit: a factor is of one run."""
        paper = spec.paper(PAPER).table("6" if self.bits == 256 else "8")
        printed = [core_name(row.name, self.bits // 8) for row in paper.rows]
        here = Permutation.backends()
        narrow = "aesni" if "aesni" in here else here[-1]
        ways = [(narrow, "chain", 1), *((narrow, "many", n) for n in BATCHES), (here[-1], "many", _BATCH)]
        subjects = tuple(
            PermutationSubject(name, backend, "permute", way, blocks)
            for name in dict.fromkeys([*self.named, *printed])
            for backend, way, blocks in ways
        )
        work = partial(time_permutations, subjects, self.samples, self.command)
        return [Unit("speed of permutations", self.command, work)]

    def reduce(self, rows: Sequence[Row]) -> Result[PermutationRow]:
        """The ranking by one block, with the place of each by many blocks."""
        kept = tuple(row for row in rows if isinstance(row, PermutationRow))
        return Result(kept, (_ranking(self, [row for row in kept if row.permutation in self.named]),))


T = TypeVar("T")


def ledger_of(bits: int) -> Path:
    """The ledger next to the rows, which starts as a copy of the stored one."""
    return rows.ledger(f"trails-{bits}.sqlite")


def fastest(
    bits: int = 256,
    *,
    time_limit: float = 120.0,
    samples: int = 30,
    ledger: Path | None = None,
    sieve: float | None = None,
    carry_out: Callable[[Study[Any], Path], Conducted[Any]] = distribute,
    measure: Callable[[Study[Any]], Any] = conduct,
) -> Result[Row]:
    """Rank the permutations of a size by their speed on this CPU at equal security.

    Parameters
    ----------
    bits : {256, 512}
        Block size: all 36 configurations of 256 bits, or those of the paper, and the same peers.
    time_limit : float
        Seconds for one query; of 512 bits, for one number of rounds.
    samples : int
        Timed windows of each.
    ledger : Path, optional
        Of results; by default one next to the rows, which starts as a copy of the stored one.
    sieve : float, optional
        Of 512 bits, seconds for each query whether any other configuration could be faster; without it
        the note counts by what the ledger knows.
    carry_out, measure : callable
        The first runs a study on a ledger, wherever, as `distribute` does; the other on this machine, as
        `conduct` does.

    Raises
    ------
    KeyboardInterrupt
        Units are missing; what is done is in the ledger.
    """
    ledger = ledger or ledger_of(bits)
    command = command_line("fastest", bits=bits, time_limit=time_limit)
    needed = RoundsNeeded(bits, time_limit, ledger, command)
    bounds = _whole(carry_out(needed, ledger))
    designs = needed.designs(bounds)
    goal = RankingGoal.of(designs) if bits == 512 else None
    if goal and sieve is not None:
        every = f"{command} --all"
        for some in goal.shares(known(ledger, NEED[4])):
            _whole(carry_out(LightTrails(some, sieve, ledger, every), ledger))
        if left := goal.left(known(ledger, NEED[4])):
            decided = RoundsNeeded(bits, time_limit, ledger, every, left)
            more = _whole(carry_out(decided, ledger))
            bounds += more
            designs += tuple(
                design
                for design, (_, rounds) in zip(decided.designs(more), left, strict=True)
                if design.rounds is not None and design.rounds <= rounds
            )
    notes, faster = list[str](), list[FasterRow]()
    if goal:
        facts = known(ledger, NEED[4])
        row = faster_row(goal, facts, f"{command} --all", needed.names, MOST[bits], costs=sieve is not None)
        faster, notes = [row] if sieve is not None else [], [said_of(row)]
    elif bits == 512:
        notes = ["no configuration reaches the need, so none is compared with the others"]
    speeds = measure(Timed(bits, designs, samples, command))
    undecided = ", ".join(d.name for d in designs if d.rounds is None) or "none"
    fewer = ", ".join(f"{d.name} {d.said}" for d in designs if d.rounds is not None and d.after < d.rounds)
    said = [f"not within {MOST[bits]} rounds, or not decided: {undecided}"]
    said += [f"fewer may do: {fewer}"] if fewer else []
    slow = [d.name for d in designs if d.name not in permutation_names() and d.rounds is not None]
    if slow:
        said.append(
            f"interpreted, and slower for it, so that generated code compares them: {'; '.join(slow)}"
        )
    return Result((*bounds, *faster, *speeds.rows), speeds.tables, (*said, *notes))


def _whole(it: Conducted[T]) -> T:
    if it.stopped:
        raise KeyboardInterrupt
    return it.value


def _ranking(study: Timed, speeds: Sequence[PermutationRow]) -> Table:
    """By one block; of many blocks the widest back end's."""
    unit = "cycles" if all(r.samples_cycles for r in speeds) else "ns"
    widest, earliest = Permutation.backends()[-1], {d.earliest for d in study.designs}
    lines: dict[str, dict[str, float]] = {}
    for r in speeds:
        if r.way == "chain" or (r.backend, r.blocks) == (widest, _BATCH):
            lines.setdefault(r.permutation, {})[r.way] = median(r[f"samples_{unit}"]) / r.block_bytes
    ranked = sorted(lines, key=lambda name: lines[name]["chain"])
    many = sorted(lines, key=lambda name: lines[name]["many"])
    need = NEED[study.bits // 128]
    return Table(
        f"{need} active S-boxes, both views, counted once: {unit} for a byte",
        ("", "permutation:rounds", "one block", f"{_BATCH} blocks", "rank"),
        tuple(
            (
                place,
                name + " or more" * (name in earliest),
                f"{lines[name]['chain']:.3f}",
                f"{lines[name]['many']:.3f}",
                many.index(name) + 1,
            )
            for place, name in enumerate(ranked, 1)
        ),
    )
