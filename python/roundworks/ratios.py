"""Ours compared with the fastest peer of the same cipher, and each goal with its figure.

A ratio is of two medians of one run, in cycles where both have them; above one ours is faster.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import geometric_mean, median

from roundworks import spec
from roundworks.rows import BenchRow, FilesRow, PermutationRow, RandomRow, ScalingRow, SynthesisRow

OURS = "roundworks"
GENERATED = "generated"
_BOTH = {(OURS, "rust"), (GENERATED, "c")}
# Slower by more than this share counts as slower: below it, two runs do not agree either.
MARGIN = 0.03
# S-boxes as tables, in the words of generated cores and of those written by hand.
_TABLES = ("table", "lut")
# A file is sealed and opened at this share of the speed of `cp`.
FILES_WANTED = 0.80


@dataclass(frozen=True, slots=True)
class Ratio:
    """One workload. `ours` and `theirs` are for one call; `unit` is cycles or ns."""

    cipher: str
    operation: str
    data_bytes: int
    ad_bytes: int
    backend: str
    ours: float
    peer: str
    theirs: float
    unit: str
    run: str

    @property
    def ratio(self) -> float:
        """Their time over ours: above 1 ours is faster."""
        return self.theirs / self.ours

    @property
    def slower(self) -> bool:
        """Whether ours is slower by more than the margin."""
        return self.ratio < 1 / (1 + MARGIN)


@dataclass(frozen=True, slots=True)
class Verdict:
    """A goal and its figure: a ratio, or cycles per byte; None where nothing measured it."""

    goal: spec.Goal
    figure: float | None
    compared: str
    run: str | None

    @property
    def wanted(self) -> float:
        """The goal, as a ratio or in cycles per byte."""
        result = self.goal.times_as_fast or self.goal.cycles_per_byte
        assert result is not None  # the schema wants one of them
        return result

    @property
    def state(self) -> str:
        """``met``, ``missed`` or ``open``."""
        if self.figure is None:
            return "open"
        if self.goal.times_as_fast:
            return "met" if self.figure >= self.wanted else "missed"
        return "met" if self.figure <= self.wanted else "missed"

    @property
    def text(self) -> str:
        """The goal in words: ``1.15 times as fast as libaegis``."""
        if self.goal.cycles_per_byte:
            return f"at most {self.goal.cycles_per_byte:g} cycles/byte"
        other = f"'s {self.goal.other_cipher}" if self.goal.other_cipher != self.goal.cipher else ""
        than = "the Rust core" if self.goal.than == OURS else f"{self.goal.than}{other}"
        return f"{self.goal.times_as_fast:g} times as fast as {than}"


@dataclass(frozen=True, slots=True)
class FileRatio:
    """A file sealed or opened, and `cp` of the same file: median seconds of each."""

    operation: str
    place: str
    synced: bool
    data_bytes: int
    ours: float
    copied: float
    run: str

    @property
    def ratio(self) -> float:
        """Time of a copy over the time of sealing or opening."""
        return self.copied / self.ours

    @property
    def met(self) -> bool:
        """Whether the wanted share of a copy's speed is reached."""
        return self.ratio >= FILES_WANTED


def file_ratios(files: Iterable[FilesRow]) -> list[FileRatio]:
    """Every row of the newest run but those of `cp`, each with the one of `cp` like it."""
    rows = list(files)
    last = max(rows, key=lambda row: row.time, default=None)
    here = [row for row in rows if last is not None and row.run == last.run]
    copies = {_where(row): row for row in here if row.operation == "cp"}
    return [
        FileRatio(
            row.operation,
            *_where(row),
            median(row.samples_ns) / 1e9,
            median(copies[_where(row)].samples_ns) / 1e9,
            row.run,
        )
        for row in here
        if row.operation != "cp" and _where(row) in copies
    ]


def _where(row: FilesRow) -> tuple[str, bool, int]:
    return row.place, row.synced, row.data_bytes


@dataclass(frozen=True, slots=True)
class Scaling:
    """Work on a number of cores, and the same on one: median seconds of each."""

    operation: str
    cipher: str
    messages: int
    data_bytes: int
    cores: int
    seconds: float
    alone: float

    @property
    def ratio(self) -> float:
        """How many times as fast as on one core."""
        return self.alone / self.seconds


def scalings(rows: Iterable[ScalingRow]) -> list[Scaling]:
    """Every row of the newest run, each with the one of the same work on one core."""
    every = list(rows)
    last = max(every, key=lambda row: row.time, default=None)
    here = [row for row in every if last is not None and row.run == last.run]
    alone = {(row.operation, row.cipher): median(row.samples_ns) / 1e9 for row in here if row.cores == 1}
    return [
        Scaling(
            row.operation,
            row.cipher,
            messages=row.messages,
            data_bytes=row.data_bytes,
            cores=row.cores,
            seconds=median(row.samples_ns) / 1e9,
            alone=alone[row.operation, row.cipher],
        )
        for row in here
        if (row.operation, row.cipher) in alone
    ]


def ratios(benches: Iterable[BenchRow]) -> list[Ratio]:
    """For each workload that ours and a peer share in a run, the newest run's; Rust callers."""
    groups: dict[tuple[str, str, str, int, int], list[BenchRow]] = {}
    for row in benches:
        if row.surface == "rust":
            what = (row.run, row.cipher, row.operation, row.data_bytes, row.ad_bytes)
            groups.setdefault(what, []).append(row)
    newest: dict[tuple[str, str, int, int], tuple[str, Ratio]] = {}
    for rows in groups.values():
        ours = chosen([r for r in rows if r.library == OURS])
        theirs = min((r for r in rows if r.library != OURS), key=_middle, default=None)
        if ours is None or theirs is None:
            continue
        result = _ratio(ours, theirs)
        at = (result.cipher, result.operation, result.data_bytes, result.ad_bytes)
        if at not in newest or newest[at][0] <= ours.time:
            newest[at] = (ours.time, result)
    order = {"encrypt": 0, "decrypt": 1}
    return sorted(
        (result for _, result in newest.values()),
        key=lambda r: (r.cipher, order.get(r.operation, 2), r.ad_bytes, r.data_bytes),
    )


def verdicts(benches: Iterable[BenchRow]) -> list[Verdict]:
    """Every goal of ``spec/speed.toml`` with the newest figure there is."""
    rows = sorted(benches, key=lambda r: r.time, reverse=True)
    return [_verdict(goal, rows) for goal in spec.goals()]


def chosen(rows: Sequence[BenchRow]) -> BenchRow | None:
    """The row of the back end that a cipher takes by itself: the last that its facts list.

    Of back ends that no facts list, the fastest.
    """
    if not rows:
        return None
    known = {facts.name: facts.backends for facts in spec.ciphers()}
    order = known.get(rows[0].cipher, ())
    listed = [row for row in rows if row.backend in order]
    if not listed:
        return min(rows, key=_middle)
    return max(listed, key=lambda r: order.index(r.backend))


def _verdict(goal: spec.Goal, rows: Sequence[BenchRow]) -> Verdict:
    at = [
        row
        for row in rows
        if (row.operation, row.data_bytes, row.ad_bytes) == (goal.operation, goal.data_bytes, 0)
    ]
    for run in dict.fromkeys(row.run for row in at):
        here = [row for row in at if row.run == run]
        ours = chosen(
            [
                row
                for row in here
                if (row.library, row.cipher, row.surface) == (OURS, goal.cipher, goal.surface)
            ]
        )
        if ours is None:
            continue
        if goal.than is None:
            if ours.samples_cycles:
                figure = median(ours.samples_cycles) / goal.data_bytes
                return Verdict(goal, figure, ours.backend, run)
            continue
        surface = "rust" if goal.than == OURS else goal.surface
        theirs = [
            row
            for row in here
            if (row.library, row.cipher, row.surface) == (goal.than, goal.other_cipher, surface)
        ]
        other = chosen(theirs) if goal.than == OURS else min(theirs, key=_middle, default=None)
        if other is not None:
            result = _ratio(ours, other)
            return Verdict(goal, result.ratio, f"{ours.backend} / {result.peer}", run)
    return Verdict(goal, None, "", None)


def _ratio(ours: BenchRow, theirs: BenchRow) -> Ratio:
    unit = "cycles" if ours.samples_cycles and theirs.samples_cycles else "ns"
    return Ratio(
        cipher=ours.cipher,
        operation=ours.operation,
        data_bytes=ours.data_bytes,
        ad_bytes=ours.ad_bytes,
        backend=ours.backend,
        ours=median(ours[f"samples_{unit}"]),
        peer=f"{theirs.library} {theirs.version}",
        theirs=median(theirs[f"samples_{unit}"]),
        unit=unit,
        run=ours.run,
    )


def _middle(row: BenchRow) -> float:
    return float(median(row.samples_ns))


@dataclass(frozen=True, slots=True)
class GeneratedRatio:
    """Generated C and the code written by hand, encrypting in one run: medians in `unit` per byte.

    The back end ``fastest`` compares the fastest of each.
    """

    cipher: str
    backend: str
    data_bytes: int
    generated: float
    hand: float
    unit: str
    run: str
    time: str

    @property
    def ratio(self) -> float:
        """Generated over hand-written: above 1 the hand wins."""
        return self.generated / self.hand

    @property
    def reason(self) -> str:
        """Why the hand wins by more than the goal of this size allows; empty where it does not."""
        largest = next((g.largest for g in spec.generated_goals() if g.data_bytes == self.data_bytes), None)
        if largest is None or self.ratio <= largest or self.backend == "fastest":
            return ""
        return spec.slower_generated(self.cipher, self.backend, self.time) or "not known"


@dataclass(frozen=True, slots=True)
class GeneratedVerdict:
    """Ratios of one size over `of` pairs of cipher and back end, and the goal of that size, if any."""

    data_bytes: int
    over: str
    mean: float
    largest: float
    of: int
    goal: spec.GeneratedGoal | None

    @property
    def state(self) -> str:
        """``met`` or ``missed``; empty without a goal."""
        if self.goal is None:
            return ""
        return "met" if self.mean <= self.goal.mean and self.largest <= self.goal.largest else "missed"


def generated_ratios(rows: Iterable[BenchRow]) -> list[GeneratedRatio]:
    """Of each cipher, back end and size that both have in one run, from the newest such run."""
    costs: dict[tuple[str, str, int], dict[str, dict[str, BenchRow]]] = {}
    for row in rows:
        if row.operation == "encrypt" and row.data_bytes and (row.library, row.surface) in _BOTH:
            both = costs.setdefault((row.run, row.cipher, row.data_bytes), {})
            both.setdefault(row.library, {})[row.backend] = row
    newest: dict[tuple[str, str, int], GeneratedRatio] = {}
    for (run, cipher, size), both in costs.items():
        made, hand = both.get(GENERATED, {}), both.get(OURS, {})
        if not made or not hand:
            continue
        pairs = {b: (made[b], hand[b]) for b in made if b in hand}
        unit = "cycles" if all(r.samples_cycles for r in (*made.values(), *hand.values())) else "ns"
        pairs["fastest"] = _fastest(made, unit), _fastest(hand, unit)
        for backend, (ours, theirs) in pairs.items():
            compared = GeneratedRatio(
                cipher, backend, size, _per_byte(ours, unit), _per_byte(theirs, unit), unit, run, ours.time
            )
            newest[cipher, backend, size] = compared
    return list(newest.values())


def _fastest(by_backend: Mapping[str, BenchRow], unit: str) -> BenchRow:
    return min(by_backend.values(), key=lambda row: _per_byte(row, unit))


def _per_byte(row: BenchRow, unit: str) -> float:
    samples = row.samples_cycles if unit == "cycles" else row.samples_ns
    assert samples
    return median(samples) / row.data_bytes


def generated_verdicts(ratios: Sequence[GeneratedRatio]) -> list[GeneratedVerdict]:
    """By size over every back end, then over the fastest of each cipher, with the goals of spec/speed.toml."""
    wanted = {goal.data_bytes: goal for goal in spec.generated_goals()}
    verdicts = []
    for size in sorted({r.data_bytes for r in ratios}):
        here = [r for r in ratios if r.data_bytes == size]
        for over, fastest in (("every back end", False), ("the fastest", True)):
            each = [r.ratio for r in here if (r.backend == "fastest") is fastest]
            if each:
                verdicts.append(
                    GeneratedVerdict(size, over, geometric_mean(each), max(each), len(each), wanted.get(size))
                )
    return verdicts


@dataclass(frozen=True, slots=True)
class PermutationRatio:
    """Generated C of a permutation and the core's code in one run: median cycles per byte, or nanoseconds."""

    permutation: str
    backend: str
    blocks: int
    generated: float
    hand: float
    run: str

    @property
    def ratio(self) -> float:
        """Generated over hand-written: above 1 the hand wins."""
        return self.generated / self.hand

    @property
    def reason(self) -> str:
        """Why the hand wins by more than the goal of the mean; empty where it does not."""
        if self.ratio <= spec.generated_permutations_mean():
            return ""
        known = spec.slower_permutations()
        of_backend = known.get(self.backend) if self.blocks > 1 else None
        return of_backend or known.get(self.permutation) or "not known"


@dataclass(frozen=True, slots=True)
class PermutationVerdict:
    """Ratios of one number of blocks over `of` permutations and back ends, with the goal of their mean."""

    blocks: int
    over: str
    mean: float
    largest: float
    of: int
    goal: float

    @property
    def state(self) -> str:
        """``met`` or ``missed``."""
        return "met" if self.mean <= self.goal else "missed"


_WAYS = {"generated-call": GENERATED, "call": OURS, "generated-many": GENERATED, "many": OURS}


def permutation_ratios(rows: Iterable[PermutationRow]) -> list[PermutationRatio]:
    """Of each permutation, back end and number of blocks that both have in one run, from the newest such
    run; the back end ``fastest`` compares the fastest of each."""
    costs: dict[tuple[str, str, int], dict[str, dict[str, PermutationRow]]] = {}
    for row in rows:
        if row.way in _WAYS and row.operation == "permute":
            both = costs.setdefault((row.run, row.permutation, row.blocks), {GENERATED: {}, OURS: {}})
            both[_WAYS[row.way]][row.backend] = row
    newest: dict[tuple[str, str, int], PermutationRatio] = {}
    for (run, name, blocks), both in costs.items():
        made, hand = both[GENERATED], both[OURS]
        if not made or not hand:
            continue
        cycles = all(r.samples_cycles for r in (*made.values(), *hand.values()))

        def per_byte(row: PermutationRow, cycles: bool = cycles) -> float:
            return median(row.samples_cycles if cycles else row.samples_ns) / row.block_bytes

        pairs = {b: (per_byte(made[b]), per_byte(hand[b])) for b in made if b in hand}
        pairs["fastest"] = min(map(per_byte, made.values())), min(map(per_byte, hand.values()))
        for backend, (ours, theirs) in pairs.items():
            newest[name, backend, blocks] = PermutationRatio(name, backend, blocks, ours, theirs, run)
    return list(newest.values())


def permutation_verdicts(ratios: Sequence[PermutationRatio]) -> list[PermutationVerdict]:
    """By number of blocks over every back end, then over the fastest of each permutation."""
    verdicts = []
    for blocks in sorted({r.blocks for r in ratios}):
        for over, fastest in (("every back end", False), ("the fastest", True)):
            each = [r.ratio for r in ratios if r.blocks == blocks and (r.backend == "fastest") is fastest]
            if each:
                mean, goal = geometric_mean(each), spec.generated_permutations_mean()
                verdicts.append(PermutationVerdict(blocks, over, mean, max(each), len(each), goal))
    return verdicts


@dataclass(frozen=True, slots=True)
class CoreRatio:
    """A generated core and the core written by hand, of table S-boxes, on one library: the netlist of each
    with the smallest product of area and period among those of the scripts that both have."""

    cipher: str
    library: str
    generated: SynthesisRow
    hand: SynthesisRow

    @property
    def area(self) -> float:
        """Generated over hand-written."""
        return self.generated.area_um2 / self.hand.area_um2

    @property
    def period(self) -> float:
        """Generated over hand-written."""
        return self.generated.period_ps / self.hand.period_ps

    @property
    def ratio(self) -> float:
        """Area times period, generated over hand-written: above 1 the hand wins."""
        return self.area * self.period


@dataclass(frozen=True, slots=True)
class CoreVerdict:
    """Ratios of area times period over `of` cores on one library, with the goal."""

    library: str
    mean: float
    largest: float
    of: int
    goal: spec.GeneratedCoresGoal

    @property
    def state(self) -> str:
        """``met`` or ``missed``."""
        return "met" if self.mean <= self.goal.mean and self.largest <= self.goal.largest else "missed"


def core_ratios(rows: Iterable[SynthesisRow]) -> list[CoreRatio]:
    """Of each pair of spec/speed.toml and each library on which both were synthesised; the newest netlists."""
    newest: dict[tuple[str, str], dict[tuple[str, float | None], SynthesisRow]] = {}
    for row in sorted(rows, key=lambda row: row.time):
        if row.parameters.get("Sbox") in _TABLES and row.estimated is None:
            newest.setdefault((row.core, row.library), {})[row.script, row.target_ps] = row
    ratios = []
    for pair in spec.generated_cores_goal().pairs:
        for core, library in newest:
            if core != pair.generated or (pair.hand, library) not in newest:
                continue
            made, hand = newest[core, library], newest[pair.hand, library]
            if both := made.keys() & hand.keys():
                ratios.append(
                    CoreRatio(
                        pair.cipher, library, *(_smallest(each[job] for job in both) for each in (made, hand))
                    )
                )
    return ratios


def _smallest(rows: Iterable[SynthesisRow]) -> SynthesisRow:
    return min(rows, key=lambda row: row.area_um2 * row.period_ps)


def core_verdicts(ratios: Sequence[CoreRatio]) -> list[CoreVerdict]:
    """By library."""
    by_library: dict[str, list[float]] = {}
    for one in ratios:
        by_library.setdefault(one.library, []).append(one.ratio)
    goal = spec.generated_cores_goal()
    return [
        CoreVerdict(n, geometric_mean(each), max(each), len(each), goal) for n, each in by_library.items()
    ]


@dataclass(frozen=True, slots=True)
class RandomCost:
    """A random cipher on its fastest back end: median nanoseconds of a block, and of its operations where
    none waits for another; ``ratio`` is the median over pairs of windows."""

    cipher: str
    backend: str
    ns: float
    limit: float
    ratio: float
    run: str


@dataclass(frozen=True, slots=True)
class RandomVerdict:
    """Ratios over `of` random ciphers of one run."""

    median: float
    largest: float
    of: int
    goal: spec.RandomGoal

    @property
    def state(self) -> str:
        """``met``, ``missed``, or ``open`` where the run had fewer ciphers than the goal."""
        if self.of < self.goal.ciphers:
            return "open"
        return "met" if self.median <= self.goal.median else "missed"


def random_costs(rows: Iterable[RandomRow]) -> list[RandomCost]:
    """The ciphers of the newest run."""
    rows = list(rows)
    last = max(rows, key=lambda row: row.time, default=None)
    return [
        RandomCost(
            row.cipher,
            row.backend,
            median(row.samples_ns),
            median(row.limit_samples_ns),
            median(ns / limit for ns, limit in zip(row.samples_ns, row.limit_samples_ns, strict=True)),
            row.run,
        )
        for row in rows
        if last is not None and row.run == last.run
    ]


def random_verdict(costs: Sequence[RandomCost]) -> RandomVerdict | None:
    """Their median and largest ratio with the goal of spec/speed.toml; None without any."""
    if not costs:
        return None
    ratios = [cost.ratio for cost in costs]
    return RandomVerdict(median(ratios), max(ratios), len(ratios), spec.random_goal())
