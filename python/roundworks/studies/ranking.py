"""Permutations ranked by speed at equal security: the rounds that each needs, then their speeds.

The rounds are those at which 43 (of 256 bits) or 86 (of 512) S-boxes are active in both views, an
S-layer on one input counted once. [AESNI-PERM, section 4]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from pathlib import Path
from statistics import median

from .. import machine, rows, spec
from ..bench.permutations import BATCHES, PAPER, PermutationSubject, core_name
from ..bounds import Bound
from ..permutations import Permutation
from ..prove.cellwise.instance import cell_instance
from ..prove.pipeline import Query, extends, solved
from ..prove.structures import worth
from ..prove.structures.deepening import deepen
from ..prove.structures.facts import Facts
from ..prove.structures.feistel import VIEWS, View, structure
from ..prove.structures.rounds import Needed, name_in_the_core
from ..prove.structures.rounds import table as rounds_table
from ..prove.structures.spn import spn
from ..reference import get_permutation
from ..reference.feistel import CODES
from ..reproduce.minima import NEED, Minimum, MinimumQuery, bound
from ..reproduce.run import Run
from ..rows import BoundRow, PermutationRow, Row
from .result import Result, Table
from .software import time_permutations
from .study import Batches, Study, Unit, command_line, conduct

MOST = {256: 13, 512: 15}  # rounds that are looked at
EACH = 2.0  # seconds for each query of the sieve
_SUMS = 32  # so far sums of proven windows are looked at, which cost nothing
_SPN = {256: ("haraka-256", "pholkos-256"), 512: ("haraka-512", "pholkos-512")}
_PEERS = {256: ("simpira-2", "areion-256"), 512: ("simpira-4", "areion-512")}
_BATCH = 64
_LEDGER = {256: "feistel-256-rounds.sqlite", 512: "feistel-512-bounds.sqlite"}


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
class RoundsNeeded(Study[tuple[RankedDesign, ...]]):
    """How many rounds each permutation of a size needs: a unit for each of them.

    Parameters
    ----------
    bits : {256, 512}
        Block size.
    time_limit : float
        Seconds for one query; of 512 bits, for one number of rounds.
    ledger : Path
        Results are kept there; a later run computes what is missing, or was open with less time.
    command : str
        What the rows say made them.
    """

    bits: int
    time_limit: float
    ledger: Path
    command: str

    @property
    def names(self) -> list[str]:
        """The permutations, as the models name them."""
        if self.bits == 256:
            named = [",".join(codes) for codes in product(CODES, repeat=2)]
        else:
            named = [row.name.strip("()").replace(" ", "") for row in spec.paper(PAPER).table("2").rows]
        return [*named, *_PEERS[self.bits], *_SPN[self.bits]]

    def plan(self) -> Sequence[Unit]:
        """A unit for each permutation."""
        work = _of_two_words if self.bits == 256 else _of_four_words
        return [Unit(name, self.command, partial(work, self, name)) for name in self.names]

    def reduce(self, rows: Sequence[Row]) -> tuple[RankedDesign, ...]:
        """The bracket of each permutation, by the bounds of both views."""
        kept = [row for row in rows if isinstance(row, BoundRow)]
        names = (name_in_the_core(name) for name in self.names)
        return tuple(design_of(name, NEED[self.bits // 128], kept) for name in names)


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
        peers = [d for d in self.designs if d.name in _PEERS[self.bits] and d.after <= MOST[self.bits]]
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


def fastest(
    bits: int = 256,
    *,
    time_limit: float = 120.0,
    samples: int = 30,
    ledger: Path | None = None,
    sieve: float | None = None,
    run: Run | None = None,
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
    run : Run, optional
        Who hears of the progress.
    """
    run = run or Run()
    ledger = ledger or rows.ledger(_LEDGER[bits])
    command = command_line("fastest", bits=bits, time_limit=time_limit)
    bounded = list[Row]()
    designs = conduct(RoundsNeeded(bits, time_limit, ledger, command), run, keep=bounded.extend)
    notes = [_sieve(designs, Facts(ledger, NEED[4], "distinct"), sieve, run)] if bits == 512 else []
    speeds = conduct(Timed(bits, designs, samples, command), run)
    undecided = ", ".join(d.name for d in designs if d.rounds is None) or "none"
    fewer = ", ".join(f"{d.name} {d.said}" for d in designs if d.rounds is not None and d.after < d.rounds)
    said = [f"not within {MOST[bits]} rounds, or not decided: {undecided}"]
    said += [f"fewer may do: {fewer}"] if fewer else []
    return Result((*bounded, *speeds.rows), speeds.tables, (*said, *notes))


def _of_two_words(study: RoundsNeeded, name: str, run: Run) -> Batches:
    """Both views of one permutation, by the ledger or by the solver of its family."""
    need, most, limit = NEED[2], MOST[256], study.time_limit
    if name in _SPN[256]:
        bounds = list(_cell_wise(name, need, most, limit))
    else:
        # With `stop` the solver has a process of its own: hundreds of queries, and one may crash it.
        both = rounds_table([name], need, "distinct", most, study.ledger, limit, stop=lambda: False)
        bounds = [each for needed in both for each in _of_needed(needed, need)]
    yield _bound_rows(study, name, need, bounds, run)


def _of_four_words(study: RoundsNeeded, name: str, run: Run) -> Batches:
    """A bracket, from bounds of fewer rounds; each result is reported as it comes."""
    need, most, limit = NEED[4], MOST[512], study.time_limit
    facts = Facts(study.ledger, need, "distinct")
    # Constants of a design that is no Feistel permutation end with its rounds.
    last = min(most, int(get_permutation(name).rounds)) if name in _SPN[512] else most
    sums = last if name in _SPN[512] else _SUMS
    for view in VIEWS:
        for fact in deepen(facts, name, view, last, limit):
            weight = {True: f"a trail of {fact.weight}", False: "none", None: "open"}[fact.light]
            query = f"{name}, {view}, {fact.rounds} rounds, at most {fact.most}"
            run.say(f"{query}: {weight}, {fact.seconds:.0f} s")
    bounds = [one for view in VIEWS for one in _of_facts(facts, name, view, sums)]
    yield _bound_rows(study, name, need, bounds, run)


def _bound_rows(
    study: RoundsNeeded, name: str, need: int, found: Sequence[Bound], run: Run
) -> list[BoundRow]:
    made = [BoundRow.make(command=study.command, **one.fields) for one in found]
    design = design_of(name_in_the_core(name), need, made)
    run.say(f"{design.name}: {design.said}")
    return made


def _of_needed(it: Needed, need: int) -> list[Bound]:
    """Reached at the rounds, and not at those before."""
    bounds = []
    if it.rounds is not None:
        query = MinimumQuery(it.name, it.rounds, it.view, "distinct")
        bounds.append(bound(Minimum(query, need, None, "one-solver", it.solver, it.seconds)))
    if it.below:
        query = MinimumQuery(it.name, it.below, it.view, "distinct")
        bounds.append(bound(Minimum(query, 0, need - 1, "one-solver", it.solver, 0.0)))
    return bounds


def _cell_wise(name: str, need: int, most: int, limit: float) -> Iterator[Bound]:
    """Of what is no Feistel permutation, by the model of its description.

    More rounds never have fewer, so a view that had time run out is computed no further.
    """
    it, views = get_permutation(name), list(VIEWS)
    for rounds in range(1, min(most, int(it.rounds)) + 1):
        for view in tuple(views):
            query = Query(rounds, solvers=("highs",), limit=limit)
            one = solved(cell_instance(it, "active", rounds, view), query).bound
            one = replace(one, monotone=view == "differential" and extends(it, rounds))
            if not one.ended and one.seconds < limit:  # Ctrl-C
                raise KeyboardInterrupt
            yield one
            if (one.value or 0) >= need or not one.ended:
                views.remove(view)


def _of_facts(facts: Facts, name: str, view: View, most: int) -> Iterator[Bound]:
    """What is known of each number of rounds, as far as there was a query or it is enough."""
    lower, own = facts.lower(name, view, most), facts.of(name, view)
    last = facts.reached(name, view, most) or max((f.rounds for f in own), default=0)
    for rounds in range(1, last + 1):
        here = [f for f in own if f.rounds == rounds]
        weights = [f.weight for f in here if f.weight is not None]
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
            sum(f.seconds for f in here),
        )
        way = "by active-cell count of columns" if spn(name) else "along each path of active words"
        words = f"byte-wise truncated trails {way}"
        yield bound(minimum, method=words if alone or not lower[rounds] else f"{words}; sums of fewer rounds")


def _sieve(designs: Sequence[RankedDesign], facts: Facts, limit: float | None, run: Run) -> str:
    """How many configurations could be faster than the fastest that has its rounds; what is open is
    tried for `limit` seconds."""
    known = [d for d in designs if d.rounds is not None and d.name.startswith("feistel512:")]
    if not known:
        return "no configuration reaches the need, so none is compared with the others"
    profile = spec.profile_of(machine.describe())
    latency = round(profile.cpu.timing("aesenc").latency)
    each = [(structure(d.name.partition(":")[2]), d.rounds or 0) for d in known]
    cycles = min(worth.path(it, rounds, latency) for it, rounds in each)
    work = min(worth.instructions(it, rounds) for it, rounds in each)
    names = list(worth.names())
    if limit is not None:
        results = worth.sieve(facts, latency, cycles, work, limit)
        for done, (name, rounds, gone) in enumerate(results, 1):
            what = "cannot be faster" if gone else "could be"
            run.say(f"{done} of {len(names)}: {name}, {rounds} rounds: {what}")
    at = {name: worth.cheaper(structure(name), latency, cycles, work) for name in names}
    refuted = sum(worth.refuted(facts, name, rounds) for name, rounds in at.items())
    return (
        f"of {len(names)} configurations with the paper's shuffle {refuted} have a light trail wherever"
        f" they would take less than {cycles} cycles for a block or {work} AES instructions;"
        f" {len(names) - refuted} could still be faster. AES takes {latency} cycles on this CPU:"
        f" {profile.said}"
    )


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
