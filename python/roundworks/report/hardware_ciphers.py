"""Figure 6 and Table 1 of [AETHER]: every cipher by its S-boxes, ratios, energy by message length.

A netlist's power was priced over the short run at the paper's clock, some over one of more blocks too.
The energy of any other message is that and its clocks: as in the paper, whose energy is power by time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from roundworks import spec
from roundworks.report.hardware_rows import current, words
from roundworks.rows import Row

PAPER, FIGURE = "aether", "figure-6"
SHORT = (128, 128)  # bytes of associated data and of message
LONG = (0, 160_000)
_RATE = (65_536, 160_000)  # bytes of message between which bits a clock are counted
_MODELS = ("glitch", "zero-delay")
GOALS = ("latency", "energy")
Run = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Power:
    """What a netlist took in the runs that were priced, by one model; ``clocks`` of any run."""

    runs: Mapping[Run, Row]
    clocks: Mapping[Run, int]

    @property
    def model(self) -> str:
        return str(next(iter(self.runs.values()))["model"])

    @property
    def mhz(self) -> float:
        return float(next(iter(self.runs.values()))["clock_mhz"])

    @property
    def mw(self) -> float:
        """Of the short run, or of the run that there is."""
        return float(self.runs.get(SHORT, next(iter(self.runs.values())))["total_mw"])

    @property
    def bits_per_clock(self) -> float:
        low, high = _RATE
        return 8 * (high - low) / (self.clocks[0, high] - self.clocks[0, low])

    def nj(self, run: Run) -> float:
        """At the clock of the rows: of a run that was priced, and the clocks that it takes more."""
        return self._of(run, "energy_pj")

    def dynamic_nj(self, run: Run) -> float:
        """Without leakage: what no clock changes."""
        return self.nj(run) - self._of(run, "leakage")

    def nj_at(self, run: Run, period_ps: float) -> float:
        """At another clock, whose leakage has another time."""
        share = period_ps * self.mhz / 1e6
        return self.dynamic_nj(run) + share * self._of(run, "leakage")

    def _of(self, run: Run, what: str) -> float:
        # A request may be taken after the initialisation, and is priced from then on: a clock of
        # that is a round as well.
        base = self.runs.get(run) or max(self.runs.values(), key=_clocks)
        more = self.clocks[run] - _clocks(base)
        return (_pj(base, what) + more * self._steady(what)) / 1e3

    def _steady(self, what: str) -> float:
        """pJ of a clock in which blocks pass: between two runs, or the mean of the only one."""
        few, many = (f(self.runs.values(), key=_clocks) for f in (min, max))
        clocks = _clocks(many) - _clocks(few)
        if not clocks:
            return _pj(many, what) / _clocks(many)
        return (_pj(many, what) - _pj(few, what)) / clocks


def _clocks(row: Row) -> int:
    return int(row["cycles"])


def _pj(row: Row, what: str) -> float:
    """Of a run as it was priced."""
    if what == "leakage":
        return 1e3 * float(row["leakage_mw"]) * _clocks(row) / float(row["clock_mhz"])
    return float(row[what])


@dataclass(frozen=True, slots=True)
class Entry:
    """A cipher with an S-box in a library, its netlist that is best for the goal."""

    title: str
    core: str
    style: str
    library: str
    goal: str
    row: Row
    power: Power | None
    printed_row: str

    @property
    def name(self) -> str:
        return f"{self.title}, {self.style}" if self.style else self.title

    @property
    def made(self) -> str:
        return f"{self.row['script']}, {words(self.row['parameters'])}"

    @property
    def tbits(self) -> float | None:
        """Tbit/s of long messages."""
        return self.power.bits_per_clock / float(self.row["period_ps"]) if self.power else None

    def nj(self, run: Run) -> float | None:
        return self.power.nj(run) if self.power else None

    def clocks(self, run: Run) -> int | None:
        return self.power.clocks[run] if self.power else None

    def figure(self, name: str) -> float | None:
        return {
            "throughput": self.tbits,
            "energy, short": self.nj(SHORT),
            "energy, long": self.nj(LONG),
        }[name]

    @property
    def values(self) -> dict[str, Any]:
        """By the paper's columns."""
        return {
            "area": self.row["area_um2"], "gate count": 1000 * self.row["kge"],
            "latency": self.row["period_ps"] / 1000, "throughput": self.tbits,
            "cycles, short": self.clocks(SHORT), "energy, short": self.nj(SHORT),
            "cycles, long": self.clocks(LONG), "energy, long": self.nj(LONG),
            "power": self.power.mw if self.power else None,
        }  # fmt: skip


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


def ciphers(synthesis: Iterable[Row], powers: Iterable[Row]) -> Ciphers:
    entries = list(_entries(synthesis, list(powers)))
    printed = spec.paper(PAPER).table(FIGURE)
    return Ciphers(
        printed.columns, printed.rows, tuple(entries), tuple(_ratios(entries)),
        tuple(_crossings(entries)), tuple(_marks(entries)),
    )  # fmt: skip


def _entries(synthesis: Iterable[Row], powers: Sequence[Row]) -> Iterator[Entry]:
    there = current(synthesis)
    for library in dict.fromkeys(library for library, _ in there):
        for contender in spec.contenders():
            for style, printed in contender.rows.items():
                for (where, (core, chosen)), rows in there.items():
                    if (where, core) != (library, contender.core) or not _is(
                        chosen, contender, style
                    ):
                        continue
                    priced = [(row, _power(row, powers)) for row in rows]
                    for goal, (row, power) in _best(priced).items():
                        yield Entry(
                            contender.title, core, style, library, goal, row, power, printed
                        )


def _is(chosen: Sequence[tuple[str, str]], contender: spec.Contender, style: str) -> bool:
    """Whether these are the defaults but for the S-box: another choice is another design point."""
    given = dict(chosen)
    wanted = contender.parameters(style)
    plain = {"Mix": "plain"}
    return all(given.get(k) == v for k, v in wanted.items()) and all(
        given.get(k, v) == v for k, v in plain.items()
    )


def _best(priced: Sequence[tuple[Row, Power | None]]) -> dict[str, tuple[Row, Power | None]]:
    found = {"latency": min(priced, key=lambda p: (p[0]["period_ps"], p[0]["area_um2"]))}
    # Energies of two models are not compared.
    models = [p.model for _, p in priced if p]
    if models:
        model = min(models, key=lambda m: (-models.count(m), _MODELS.index(m)))
        same = [(row, p) for row, p in priced if p and p.model == model]
        found["energy"] = min(same, key=lambda pair: pair[1].nj(LONG))
    return found


def _power(row: Row, powers: Iterable[Row]) -> Power | None:
    """The runs of a netlist that carry the clocks of other messages, by the best model."""
    of = [p for p in powers if "clocks" in p and p["core"] == row["core"]
          and p["parameters"] == row["parameters"]
          and all(p[k] == row[k] for k in ("netlist_sha256", "library_sha256"))]  # fmt: skip
    if not of:
        return None
    model = min((p["model"] for p in of), key=_MODELS.index)
    runs = {(p.get("ad_bytes", 0), p["message_bytes"]): p for p in of if p["model"] == model}
    clocks = {(c["ad_bytes"], c["msg_bytes"]): c["cycles"] for c in of[-1]["clocks"]}
    return Power(runs, clocks)


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
            if mine is None or theirs is None or not (mine.power and theirs.power):
                yield Ratio(library, line.core, line.over, line.figure, printed, None, "")
                continue
            a, b = mine.figure(line.figure), theirs.figure(line.figure)
            assert a and b
            yield Ratio(library, line.core, line.over, line.figure, printed, a / b,
                        _parts(line.figure, mine, theirs))  # fmt: skip


def _parts(figure: str, mine: Entry, theirs: Entry) -> str:
    """What a ratio is the product of."""
    assert mine.power and theirs.power
    if figure == "throughput":
        bits = mine.power.bits_per_clock / theirs.power.bits_per_clock
        clock = theirs.row["period_ps"] / mine.row["period_ps"]
        return f"{bits:.3g} in bits a clock, {clock:.3g} in the clock"
    run = SHORT if figure == "energy, short" else LONG
    clocks = mine.power.clocks[run] / theirs.power.clocks[run]
    whole = mine.power.nj(run) / theirs.power.nj(run)
    return f"{clocks:.3g} in clocks, {whole / clocks:.3g} in energy a clock"


def curve(entry: Entry) -> list[tuple[int, float]]:
    """Bytes of a message without associated data -> pJ a bit."""
    power = entry.power
    if power is None:
        return []
    sizes = sorted(n for ad, n in power.clocks if not ad and n)
    return [(n, 1e3 * power.nj((0, n)) / (8 * n)) for n in sizes]


def leaders(entries: Iterable[Entry]) -> dict[tuple[str, str], Entry]:
    """(library, core) -> its entry with the least energy of long messages."""
    found: dict[tuple[str, str], Entry] = {}
    for entry in entries:
        key, mine = (entry.library, entry.core), entry.nj(LONG)
        best = found[key].nj(LONG) if key in found else None
        if mine is not None and (best is None or mine < best):
            found[key] = entry
    return found


def _crossings(entries: Sequence[Entry]) -> Iterator[Crossing]:
    """Where two lines meet that each rise by what a byte takes; parts of a block left aside."""
    best = list(leaders(entries).values())
    for first, second in combinations(best, 2):
        if first.library != second.library or not (first.power and second.power):
            continue
        (start, rise), (other, more) = (_line(e.power) for e in (first, second) if e.power)
        meeting = (start - other) / (more - rise) if more != rise else 0.0
        if meeting > 0:
            names = (first.title, second.title) if rise < more else (second.title, first.title)
            yield Crossing(first.library, *names, round(meeting))


def _line(power: Power) -> tuple[float, float]:
    """nJ of an empty message, and of a byte of a long one."""
    low, high = _RATE
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
