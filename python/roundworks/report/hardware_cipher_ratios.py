"""The ciphers compared: ratios next to the printed ones, crossings, what is to be beaten, glitches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from roundworks import spec
from roundworks.report.hardware_ciphers import (
    FIGURE,
    LONG,
    PAPER,
    SHORT,
    CipherEntry,
    entries_of,
    leaders,
    nj_by_size,
)
from roundworks.report.hardware_rows import conditions_note
from roundworks.rows import Row


@dataclass(frozen=True, slots=True)
class CipherRatio:
    """A figure of one core over another's, by the best entries; None while one is not there.
    ``model``: of an energy, the activity that both were estimated by."""

    library: str
    core: str
    over: str
    figure: str
    printed: float | None
    ours: float | None
    parts: str
    model: str = ""


@dataclass(frozen=True, slots=True)
class Crossing:
    """From about ``message_bytes`` on ``better`` takes less energy than ``worse``, before it more."""

    library: str
    better: str
    worse: str
    message_bytes: int
    pj: float  # a bit of message, of both


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
class Glitches:
    """What one netlist toggles over the long run without glitches and with them, nJ; leakage is the
    same."""

    name: str
    made: str
    library: str
    without: float
    toggles: float
    leakage: float

    @property
    def times(self) -> float:
        """Energy with glitches over energy without."""
        return self.toggles / self.without

    @property
    def whole(self) -> float:
        """How many times the energy of the run is, leakage included."""
        return (self.toggles + self.leakage) / (self.without + self.leakage)


@dataclass(frozen=True, slots=True)
class Slip:
    """A printed throughput, and the one of the printed latency."""

    printed: float
    latency_ps: float
    bits: int

    @property
    def tbits(self) -> float:
        """Throughput in Tbit/s by the printed block size and latency."""
        return self.bits / self.latency_ps

    @property
    def wanted_ps(self) -> float:
        """The latency in ps that the printed throughput would need."""
        return self.bits / self.printed


@dataclass(frozen=True, slots=True)
class Ciphers:
    """The ciphers of a figure, printed and ours."""

    columns: tuple[spec.Column, ...]
    printed: tuple[spec.PrintedRow, ...]
    entries: tuple[CipherEntry, ...]
    ratios: tuple[CipherRatio, ...]
    crossings: tuple[Crossing, ...]
    marks: tuple[Mark, ...]
    glitches: tuple[Glitches, ...]
    by_model: Mapping[str, Sequence[CipherEntry]]  # entries by the powers of one activity alone

    @property
    def libraries(self) -> list[str]:
        """Libraries with an entry, in the order of the rows."""
        return list(dict.fromkeys(e.library for e in self.entries))

    @property
    def slip(self) -> Slip:
        """Table 1's: a round of AETHER takes a rate of bits in a latency."""
        table = spec.paper(PAPER).table("1")
        printed, latency = (table.value("AETHER", c) for c in ("throughput", "latency"))
        assert isinstance(printed, int | float) and isinstance(latency, int | float)
        return Slip(printed, latency, 8 * spec.cipher("aether").rate_bytes)

    @property
    def conditions(self) -> str:
        """A note on powers estimated under older boundary conditions; empty if there is none."""
        return conditions_note(p for e in self.entries if e.power for p in e.power.runs.values())

    @property
    def rows(self) -> list[Row]:
        """The rows behind the comparison."""
        return [row for e in self.entries for row in (e.row, *(e.power.runs.values() if e.power else ()))]


def ciphers(
    synthesis: Iterable[Row],
    powers: Iterable[Row],
    simulations: Iterable[Row] = (),
    own: Sequence[spec.ComparedCipher] = (),
) -> Ciphers:
    """Compare the newest netlists of every cipher, and of the user's `own`, library by library."""
    made, estimated, simulated = list(synthesis), list(powers), list(simulations)
    entries = list(entries_of(made, estimated, simulated, own))
    models = {str(p["model"]) for p in estimated if "message_cycles" in p}
    by_model = {
        model: list(entries_of(made, [p for p in estimated if p["model"] == model], simulated, own))
        for model in sorted(models)
    }
    printed = spec.paper(PAPER).table(FIGURE)
    return Ciphers(
        columns=printed.columns,
        printed=printed.rows,
        entries=tuple(entries),
        ratios=tuple(_all_ratios(entries, by_model)),
        crossings=tuple(_crossings(entries)),
        marks=tuple(_marks(entries)),
        glitches=tuple(_glitches(by_model)),
        by_model=by_model,
    )


def _of(entries: Iterable[CipherEntry], core: str, figure: str) -> CipherEntry | None:
    """The best entry of a core: the most throughput, the lowest energy."""
    pairs = [(v, e) for e in entries if e.core == core and (v := e.figure(figure)) is not None]
    if not pairs:
        return None
    pick = max if figure == "throughput" else min
    return pick(pairs, key=lambda pair: pair[0])[1]


def _all_ratios(
    entries: Sequence[CipherEntry], by_model: Mapping[str, Sequence[CipherEntry]]
) -> Iterator[CipherRatio]:
    """Of each library those by its main model, then the energies that another model has of both."""
    for library in dict.fromkeys(e.library for e in entries):
        ratios = list(_ratios(library, [e for e in entries if e.library == library]))
        yield from ratios
        for model, others in by_model.items():
            again = _ratios(library, [e for e in others if e.library == library])
            known = {(r.core, r.over, r.figure) for r in ratios if r.model == model}
            yield from (r for r in again if r.model == model and (r.core, r.over, r.figure) not in known)


def _ratios(library: str, here: Sequence[CipherEntry]) -> Iterator[CipherRatio]:
    for line in spec.headlines():
        mine, theirs = (_of(here, core, line.figure) for core in (line.core, line.over))
        printed = None if line.printed is None else float(line.printed)
        named = (library, line.core, line.over, line.figure, printed)
        if mine is None or theirs is None:
            yield CipherRatio(*named, None, "")
        elif line.figure == "throughput":
            assert mine.tbits and theirs.tbits
            yield CipherRatio(*named, mine.tbits / theirs.tbits, _parts(line.figure, mine, theirs))
        elif mine.model != theirs.model:
            yield CipherRatio(*named, None, f"estimated by {mine.model} and by {theirs.model}")
        else:
            a, b = mine.figure(line.figure), theirs.figure(line.figure)
            assert a and b
            yield CipherRatio(*named, a / b, _parts(line.figure, mine, theirs), mine.model)


def _parts(figure: str, mine: CipherEntry, theirs: CipherEntry) -> str:
    """What a ratio is the product of."""
    if figure == "throughput":
        assert mine.bits_per_cycle and theirs.bits_per_cycle
        bits = mine.bits_per_cycle / theirs.bits_per_cycle
        clock = theirs.row["period_ps"] / mine.row["period_ps"]
        return f"{bits:.3g} in bits per cycle, {clock:.3g} in the period"
    assert mine.power and theirs.power
    run = SHORT if figure == "energy, short" else LONG
    clocks = mine.power.clocks[run] / theirs.power.clocks[run]
    whole = mine.power.nj(run) / theirs.power.nj(run)
    return f"{clocks:.3g} in cycles, {whole / clocks:.3g} in energy per cycle"


def _crossings(entries: Sequence[CipherEntry]) -> Iterator[Crossing]:
    """Where two lines of the figure meet: between two sizes the energy of a message is a straight
    line, for parts of a block are left aside."""
    for first, second in combinations(leaders(entries).values(), 2):
        if first.library != second.library or not (first.power and second.power):
            continue
        if first.power.model != second.power.model:  # glitches on one side alone
            continue
        lines = [dict(nj_by_size(p)) for p in (first.power, second.power)]
        shared = sorted(lines[0].keys() & lines[1].keys())
        for low, high in pairwise(shared):
            before, after = (lines[0][n] - lines[1][n] for n in (low, high))
            if before * after < 0:
                share = before / (before - after)
                size = low + share * (high - low)
                nj = lines[0][low] + share * (lines[0][high] - lines[0][low])
                names = (first.title, second.title)
                better, worse = names if after < 0 else names[::-1]
                yield Crossing(first.library, better, worse, round(size), 1e3 * nj / (8 * size))


def _glitches(by_model: Mapping[str, Sequence[CipherEntry]]) -> Iterator[Glitches]:
    """Of each netlist that was estimated by both models over the same runs."""
    both = [by_model.get(model, ()) for model in ("zero-delay", "glitch")]
    plain, glitched = (
        {(e.library, e.core, e.style, e.row["netlist_sha256"]): e for e in entries if e.power}
        for entries in both
    )
    for key, one in plain.items():
        other = glitched.get(key)
        if other is None or not one.power or not other.power:
            continue
        # Only what differs by the model alone: the same messages, the same boundary conditions.
        if one.power.runs.keys() == other.power.runs.keys() and one.power.driver == other.power.driver:
            toggles = one.power.dynamic_nj(LONG), other.power.dynamic_nj(LONG)
            leakage = one.power.nj(LONG) - toggles[0]
            yield Glitches(one.name, one.made, one.library, *toggles, leakage)


def _marks(entries: Sequence[CipherEntry]) -> Iterator[Mark]:
    """What the journal version prints for the library of ours that it names. Its clock is not
    printed: energy stands there at that of the rows, most of it leakage, and at the highest."""
    prose = spec.paper(PAPER).table("text")
    wanted = {
        name: prose.value(f"{name}, journal abstract, 5 nm", "value") for name in ("throughput", "energy")
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
