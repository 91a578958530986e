"""Ours compared with the fastest peer of the same cipher, and each goal with its figure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median

from roundworks import spec
from roundworks.rows import BenchRow

OURS = "roundworks"
# Slower by more than this share counts as slower: below it, two runs do not agree either.
MARGIN = 0.03


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
class PeerVerdict:
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
    def reason(self) -> str:
        """Why it is missed, if that is known."""
        return self.goal.reason if self.state == "missed" else ""

    @property
    def text(self) -> str:
        """The goal in words: ``1.15 times as fast as libaegis``."""
        if self.goal.cycles_per_byte:
            return f"at most {self.goal.cycles_per_byte:g} cycles/byte"
        other = f"'s {self.goal.other_cipher}" if self.goal.other_cipher != self.goal.cipher else ""
        than = "the Rust core" if self.goal.than == OURS else f"{self.goal.than}{other}"
        if self.goal.other_operation != self.goal.operation:
            than = "one by one"
        return f"{self.goal.times_as_fast:g} times as fast as {than}"


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


def verdicts(benches: Iterable[BenchRow], cpu: spec.Cpu) -> list[PeerVerdict]:
    """Every goal that ``spec/speed.toml`` has for the CPU of these rows, with the newest figure there is."""
    rows = sorted(benches, key=lambda r: r.time, reverse=True)
    return [_verdict(goal, rows) for goal in spec.goals(cpu)]


def chosen(rows: Sequence[BenchRow]) -> BenchRow | None:
    """The row of the back end that a cipher takes by itself: the last that its facts list.

    Of back ends that no facts list, the fastest.
    """
    if not rows:
        return None
    order = next((facts.backends for facts in spec.ciphers() if facts.name == rows[0].cipher), ())
    listed = [row for row in rows if row.backend in order]
    if not listed:
        return min(rows, key=_middle)
    return max(listed, key=lambda r: order.index(r.backend))


def _verdict(goal: spec.Goal, rows: Sequence[BenchRow]) -> PeerVerdict:
    at = [row for row in rows if (row.data_bytes, row.ad_bytes) == (goal.data_bytes, 0)]
    us, them = (OURS, goal.cipher, goal.operation), (goal.than, goal.other_cipher, goal.other_operation)
    for run in dict.fromkeys(row.run for row in at):
        here = [row for row in at if row.run == run]
        ours = chosen(
            [
                row
                for row in here
                if (row.library, row.cipher, row.operation, row.surface) == (*us, goal.surface)
                and goal.backend in (None, row.backend)
            ]
        )
        if ours is None:
            continue
        if goal.than is None:
            if ours.samples_cycles:
                figure = median(ours.samples_cycles) / goal.data_bytes
                return PeerVerdict(goal, figure, ours.backend, run)
            continue
        surface = "rust" if goal.than == OURS else goal.surface
        theirs = [
            row for row in here if (row.library, row.cipher, row.operation, row.surface) == (*them, surface)
        ]
        if goal.backend is not None and goal.than == OURS:
            theirs = [row for row in theirs if row.backend == ours.backend]
        other = chosen(theirs) if goal.than == OURS else min(theirs, key=_middle, default=None)
        if other is not None:
            result = _ratio(ours, other)
            return PeerVerdict(goal, result.ratio, f"{ours.backend} / {result.peer}", run)
    return PeerVerdict(goal, None, "", None)


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
