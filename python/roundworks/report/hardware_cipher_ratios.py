"""The ciphers side by side: ratios beside the printed ones, crossings, what is to be beaten."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from roundworks import spec
from roundworks.report.hardware_ciphers import (
    FIGURE,
    LONG,
    PAPER,
    RATE,
    SHORT,
    Entry,
    Power,
    entries_of,
    leaders,
)
from roundworks.rows import Row


@dataclass(frozen=True, slots=True)
class Ratio:
    """A figure of one core over another's, by the best entries; None while one is not there."""

    library: str
    core: str
    over: str
    figure: str
    printed: float | None
    ours: float | None
    parts: str


@dataclass(frozen=True, slots=True)
class Crossing:
    """From about ``message_bytes`` on ``better`` takes less energy than ``worse``, below it more."""

    library: str
    better: str
    worse: str
    message_bytes: int


@dataclass(frozen=True, slots=True)
class Mark:
    """A printed value of AETHER that ours is to beat."""

    library: str
    row: str
    unit: str
    printed: float
    ours: float
    beaten: bool


@dataclass(frozen=True, slots=True)
class Slip:
    """A printed throughput, and the one of the printed latency."""

    printed: float
    latency_ps: float
    bits: int

    @property
    def tbits(self) -> float:
        return self.bits / self.latency_ps

    @property
    def wanted_ps(self) -> float:
        return self.bits / self.printed


@dataclass(frozen=True, slots=True)
class Ciphers:
    columns: tuple[spec.Column, ...]
    printed: tuple[spec.Row, ...]
    entries: tuple[Entry, ...]
    ratios: tuple[Ratio, ...]
    crossings: tuple[Crossing, ...]
    marks: tuple[Mark, ...]

    @property
    def libraries(self) -> list[str]:
        return list(dict.fromkeys(e.library for e in self.entries))

    @property
    def slip(self) -> Slip:
        """Table 1's: a round of AETHER takes a rate of bits in a latency."""
        table = spec.paper(PAPER).table("1")
        printed, latency = (table.value("AETHER", c) for c in ("throughput", "latency"))
        assert isinstance(printed, int | float) and isinstance(latency, int | float)
        return Slip(printed, latency, 8 * spec.cipher("aether").rate_bytes)

    @property
    def rows(self) -> list[Row]:
        return [
            row
            for e in self.entries
            for row in (e.row, *(e.power.runs.values() if e.power else ()))
        ]


def ciphers(
    synthesis: Iterable[Row], powers: Iterable[Row], simulations: Iterable[Row] = ()
) -> Ciphers:
    entries = list(entries_of(synthesis, list(powers), simulations))
    printed = spec.paper(PAPER).table(FIGURE)
    return Ciphers(
        printed.columns, printed.rows, tuple(entries), tuple(_ratios(entries)),
        tuple(_crossings(entries)), tuple(_marks(entries)),
    )  # fmt: skip


def _of(entries: Iterable[Entry], core: str, figure: str) -> Entry | None:
    """The best entry of a core: the most throughput, the least energy."""
    found = [(v, e) for e in entries if e.core == core and (v := e.figure(figure)) is not None]
    if not found:
        return None
    pick = max if figure == "throughput" else min
    return pick(found, key=lambda pair: pair[0])[1]


def _ratios(entries: Sequence[Entry]) -> Iterator[Ratio]:
    for library in dict.fromkeys(e.library for e in entries):
        here = [e for e in entries if e.library == library]
        for line in spec.headlines():
            mine, theirs = (_of(here, core, line.figure) for core in (line.core, line.over))
            printed = None if line.printed is None else float(line.printed)
            if mine is None or theirs is None:
                yield Ratio(library, line.core, line.over, line.figure, printed, None, "")
                continue
            if line.figure != "throughput" and mine.model != theirs.model:
                why = f"priced by {mine.model} and by {theirs.model}"
                yield Ratio(library, line.core, line.over, line.figure, printed, None, why)
                continue
            a, b = mine.figure(line.figure), theirs.figure(line.figure)
            assert a and b
            yield Ratio(library, line.core, line.over, line.figure, printed, a / b,
                        _parts(line.figure, mine, theirs))  # fmt: skip


def _parts(figure: str, mine: Entry, theirs: Entry) -> str:
    """What a ratio is the product of."""
    if figure == "throughput":
        assert mine.bits_per_clock and theirs.bits_per_clock
        bits = mine.bits_per_clock / theirs.bits_per_clock
        clock = theirs.row["period_ps"] / mine.row["period_ps"]
        return f"{bits:.3g} in bits a clock, {clock:.3g} in the clock"
    assert mine.power and theirs.power
    run = SHORT if figure == "energy, short" else LONG
    clocks = mine.power.clocks[run] / theirs.power.clocks[run]
    whole = mine.power.nj(run) / theirs.power.nj(run)
    return f"{clocks:.3g} in clocks, {whole / clocks:.3g} in energy a clock"


def _crossings(entries: Sequence[Entry]) -> Iterator[Crossing]:
    """Where two lines meet that each rise by what a byte takes; parts of a block left aside."""
    best = list(leaders(entries).values())
    for first, second in combinations(best, 2):
        if first.library != second.library or not (first.power and second.power):
            continue
        if first.power.model != second.power.model:  # glitches on one side alone
            continue
        (start, rise), (other, more) = (_line(e.power) for e in (first, second) if e.power)
        meeting = (start - other) / (more - rise) if more != rise else 0.0
        if meeting > 0:
            names = (first.title, second.title) if rise < more else (second.title, first.title)
            yield Crossing(first.library, *names, round(meeting))


def _line(power: Power) -> tuple[float, float]:
    """nJ of an empty message, and of a byte of a long one."""
    low, high = RATE
    rise = (power.nj((0, high)) - power.nj((0, low))) / (high - low)
    return power.nj((0, 0)), rise


def _marks(entries: Sequence[Entry]) -> Iterator[Mark]:
    """What the journal version prints for the library of ours that it names. Its clock is not
    printed: energy stands there at that of the rows, most of it leakage, and at the highest."""
    prose = spec.paper(PAPER).table("text")
    wanted = {
        name: prose.value(f"{name}, journal abstract, 5 nm", "value")
        for name in ("throughput", "energy")
    }
    rate, energy = wanted["throughput"], wanted["energy"]
    assert isinstance(rate, int | float) and isinstance(energy, int | float)
    for library in dict.fromkeys(e.library for e in entries if "cnfet5" in e.library):
        here = [e for e in entries if e.library == library and e.core == "aether" and e.power]
        if not here:
            continue
        best = max(e.tbits or 0 for e in here)
        yield Mark(library, "throughput", "Tbit/s", rate, best, best > rate)
        for what, value in (
            (
                f"energy of the long run at {here[0].power.mhz:g} MHz" if here[0].power else "",
                min(e.nj(LONG) or 0 for e in here),
            ),
            (
                "energy of the long run at the highest clock",
                min(e.power.nj_at(LONG, e.row["period_ps"]) for e in here if e.power),
            ),
        ):
            yield Mark(library, what, "nJ", energy, value, value < energy)
