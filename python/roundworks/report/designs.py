"""The page of designs: what the argument of each gives, what it costs, and which none of the others dominates."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

import altair as alt
from markupsafe import Markup

from roundworks.ratios import GENERATED, MARGIN
from roundworks.report.figures import SIZE, Chart, Point, chart
from roundworks.report.frame import MAKERS, Figure, made_by
from roundworks.rows import BenchRow, DesignRow, InnerRow, PowerRow, SynthesisRow, latest

BASE = "aether-lb"  # AETHER with its lengths bound, as the candidates bind theirs
_LONG, _SHORT = 16384, 64
_MESSAGE = 1024  # of the energy
_BEST = 10  # orders of wires that are shown


# Cycles per byte of each back end, of long and of short messages.
Speeds = dict[str, tuple[float, float | None]]


@dataclass(frozen=True, slots=True)
class Margin:
    """A design's figure over that of AETHER, on one back end or from one cell library."""

    design: str
    figure: str
    where: str
    ratio: float


@dataclass(frozen=True, slots=True)
class ComparedDesign:
    """One line: logs are of probabilities, `cycles` per byte of a long message, the rest from one netlist.

    ``short_cycles``: of the same back end, for a byte of a short message.

    ``long_pj_per_bit``: the mean energy of a cycle of the message that was simulated, for the bits of a round.
    """

    row: DesignRow
    cycles: float | None
    short_cycles: float | None
    backend: str
    kge: float | None
    period_ps: float | None
    pj_per_bit: float | None
    long_pj_per_bit: float | None
    speeds: Speeds
    energies: dict[str, float]  # pJ per bit from each cell library

    @property
    def collision_log2(self) -> float | None:
        """Active F of a collision times the maximum of the lightest patterns of one F; None where one is not known."""
        return _product(self.row.collision, self.row.differential)

    @property
    def bias_log2(self) -> float | None:
        """The same of a biased sum of keystream, squared."""
        return _product(self.row.bias, self.row.correlation)

    @property
    def figures(self) -> dict[str, float | None]:
        """What is compared; small is good."""
        return {
            "collision": self.collision_log2,
            "bias": self.bias_log2,
            "F": self.row.f_per_block,
            "cycles": self.cycles,
            "energy": self.pj_per_bit,
            "energy of long messages": self.long_pj_per_bit,
            "forgeries": float(self.row.forgeries),
        }

    @property
    def sheet(self) -> str:
        """The command that prints its sheet."""
        source = self.row.source
        of = f"--file examples/candidates/{source}" if source.endswith(".py") else source
        return f"roundworks sheet {of}"


@dataclass(frozen=True, slots=True)
class Compared:
    """The designs, whose names `front` has those that no other dominates, and the inner functions."""

    designs: tuple[ComparedDesign, ...]
    front: frozenset[str]
    library: str
    figures: tuple[Figure, ...]
    classes: tuple[InnerRow, ...]
    wires: tuple[InnerRow, ...]
    sentence: str
    margins: tuple[Margin, ...]


def compared_designs(
    designs: Sequence[DesignRow],
    benches: Sequence[BenchRow],
    netlists: Sequence[SynthesisRow],
    powers: Sequence[PowerRow],
    inner: Sequence[InnerRow],
) -> Compared:
    """Each design with its fastest back end of the latest run, and the netlist whose energy was estimated."""
    rows = latest(designs, ["cipher"])
    speeds = _speeds(benches, {row.cipher for row in rows})
    of_cores = {row.cipher: _powers(row.cipher, powers) for row in rows}
    # One library for all: that of the most designs.
    counts = Counter(library for some in of_cores.values() for library in {p.library for p in some})
    library = max(counts, key=lambda name: (counts[name], name), default="")
    lines = tuple(
        _line(row, speeds.get(row.cipher, {}), netlists, of_cores[row.cipher], library) for row in rows
    )
    front = frozenset(one.row.cipher for one in lines if not any(_dominates(other, one) for other in lines))
    shown = latest(inner, ["unit", "sbox", "wires"])
    wires = sorted(
        (row for row in shown if row.wires is not None),
        key=lambda row: (max(row.differential, row.correlation), row.differential + row.correlation),
    )
    figures = tuple(_figure(lines, rows, *axis) for axis in _AXES) if lines else ()
    classes = tuple(row for row in shown if row.wires is None)
    margins = tuple(_margins(lines))
    sentence = _better(lines, margins)
    return Compared(
        designs=lines,
        front=front,
        library=library,
        figures=figures,
        classes=classes,
        wires=tuple(wires[:_BEST]),
        sentence=sentence,
        margins=margins,
    )


def _speeds(benches: Sequence[BenchRow], names: set[str]) -> dict[str, Speeds]:
    """Of each design, in the latest run."""
    runs: dict[str, list[BenchRow]] = {}
    for row in benches:
        if row.command.startswith("roundworks designs ") and row.library == GENERATED:
            runs.setdefault(row.run, []).append(row)
    if not runs:
        return {}
    run = max(runs.values(), key=lambda rows: rows[0].time)
    costs = {
        (row.cipher, row.backend, row.data_bytes): median(row.samples_cycles or row.samples_ns)
        / row.data_bytes
        for row in run
    }
    of_design: dict[str, Speeds] = {}
    for (cipher, backend, size), cost in costs.items():
        if size == _LONG and cipher in names:
            of_design.setdefault(cipher, {})[backend] = cost, costs.get((cipher, backend, _SHORT))
    return of_design


def _powers(cipher: str, powers: Sequence[PowerRow]) -> list[PowerRow]:
    """Of its generated core, with glitches."""
    cores = (cipher, f"{cipher}-generated")
    return [p for p in powers if p.core in cores and p.model == "glitch" and p.message_bytes == _MESSAGE]


def _line(
    row: DesignRow, speeds: Speeds, netlists: Sequence[SynthesisRow], powers: Sequence[PowerRow], library: str
) -> ComparedDesign:
    energies: dict[str, float] = {}
    for power in powers:
        if power.pj_per_bit:
            energies[power.library] = min(power.pj_per_bit, energies.get(power.library, power.pj_per_bit))
    of_one = (p for p in powers if p.library == library)
    best = min(of_one, key=lambda p: p.pj_per_bit or float("inf"), default=None)
    netlist = best and next((n for n in netlists if n.netlist_sha256 == best.netlist_sha256), None)
    backend = min(speeds, key=lambda name: speeds[name][0], default="")
    cycles, short = speeds.get(backend, (None, None))
    return ComparedDesign(
        row=row,
        cycles=cycles,
        short_cycles=short,
        backend=backend,
        kge=netlist.kge if netlist else None,
        period_ps=netlist.period_ps if netlist else None,
        pj_per_bit=best.pj_per_bit if best else None,
        long_pj_per_bit=best.energy_pj / best.cycles / (8 * row.block_bytes)
        if best and best.energy_pj and best.cycles
        else None,
        speeds=speeds,
        energies=energies,
    )


def _margins(lines: Sequence[ComparedDesign]) -> Iterator[Margin]:
    """Speed on each back end and energy from each library that a design and AETHER both have."""
    base = next((one for one in lines if one.row.cipher == BASE), None)
    for one in lines:
        if base is None or one is base:
            continue
        for backend in sorted(one.speeds.keys() & base.speeds.keys()):
            ratio = one.speeds[backend][0] / base.speeds[backend][0]
            yield Margin(one.row.cipher, "cycles per byte of 16 KiB", backend, ratio)
        for library in sorted(one.energies.keys() & base.energies.keys()):
            ratio = one.energies[library] / base.energies[library]
            yield Margin(one.row.cipher, "pJ per bit of 1,024 bytes", library, ratio)


def _product(active: int | None, each: float | None) -> float | None:
    return None if active is None or each is None else active * each


def _dominates(one: ComparedDesign, other: ComparedDesign) -> bool:
    """No worse in any figure that both have, and better in one."""
    pairs = [
        (a, b)
        for a, b in zip(one.figures.values(), other.figures.values(), strict=True)
        if a is not None and b is not None
    ]
    return all(a <= b for a, b in pairs) and any(a < b for a, b in pairs)


def _better(lines: Sequence[ComparedDesign], margins: Sequence[Margin]) -> str:
    """Which designs are better than AETHER in every figure, and by a margin wherever it was measured."""
    base = next((one for one in lines if one.row.cipher == BASE), None)
    if base is None:
        return ""
    argued = [
        one
        for one in lines
        if all(_below(one.figures[name], base.figures[name]) for name in ("collision", "bias", "F"))
    ]
    # What was measured counts by the share that two runs may differ by.
    ahead = [
        one.row.cipher
        for one in argued
        if all(m.ratio < 1 / (1 + MARGIN) for m in margins if m.design == one.row.cipher)
        and all(
            _below(one.figures[name], base.figures[name], 1 / (1 + MARGIN))
            for name in ("cycles", "energy", "energy of long messages")
        )
    ]
    figures = f"in security argument and F per block and, by more than {100 * MARGIN:.0f} %, in speed of long messages"
    figures += " on every back end and in energy from every library"
    said = f"Better than {BASE} {figures}: {', '.join(ahead) or 'no design'}."
    if argued:
        said += " Those with a better argument and fewer F, compared on the same back end: "
        said += "; ".join(f"{one.row.cipher}, {_span(one.row.cipher, margins)}" for one in argued) + "."
    return said


def _span(design: str, margins: Sequence[Margin]) -> str:
    """``0.80 to 0.97 of the cycles on 5 back ends, 0.98 of the energy from 1 library``."""
    said = []
    for start, word, where in (("cycles", "cycles on", "back end"), ("pJ", "energy from", "library")):
        ratios = [m.ratio for m in margins if m.design == design and m.figure.startswith(start)]
        if ratios:
            low, high = f"{min(ratios):.2f}", f"{max(ratios):.2f}"
            many = where if len(ratios) == 1 else {"library": "libraries"}.get(where, f"{where}s")
            said.append(f"{low if low == high else f'{low} to {high}'} of the {word} {len(ratios)} {many}")
    return ", ".join(said)


def _below(one: float | None, other: float | None, share: float = 1) -> bool:
    """Whether one is below this share of the other, which may be a logarithm where the share is 1."""
    return one is not None and other is not None and one < share * other


_AXES = (
    ("designs-f", "Security against F per block", "F for each block", "f"),
    ("designs-cycles", "Security against speed", "cycles per byte of 16 KiB", "cycles"),
    ("designs-energy", "Security against energy", "pJ per bit of a long message", "energy"),
)


def _figure(
    lines: Sequence[ComparedDesign], rows: Sequence[DesignRow], name: str, title: str, axis: str, key: str
) -> Figure:
    points: list[Point] = [
        {"design": one.row.cipher, "security": -one.collision_log2, key: cost}
        for one in lines
        if one.collision_log2 is not None
        and (cost := {"f": one.row.f_per_block, "cycles": one.cycles, "energy": one.long_pj_per_bit}[key])
        is not None
    ]
    drawn = _scatter(points, key, axis) if len(points) > 1 else None
    return Figure(
        name,
        title,
        _say(points, key, axis) if drawn is not None else "",
        Markup(
            "Active F of the cheapest internal collision times the maximum of the lightest patterns of one F. "
        )
        + made_by(rows),
        drawn,
        MAKERS["design"],
    )


def _say(points: Sequence[Point], key: str, axis: str) -> str:
    cheap, strong = min(points, key=lambda p: p[key]), max(points, key=lambda p: p["security"])
    first = (
        f"{cheap['design']} takes the fewest {axis}"
        if key != "energy"
        else f"{cheap['design']} takes the lowest energy of long messages"
    )
    return f"{first}. The strongest argument is that of {strong['design']}, 2^-{strong['security']:.0f}."


def _scatter(points: Sequence[Point], key: str, title: str) -> Chart:
    scale = alt.Scale(zero=False, padding=24, nice=False)
    x = alt.X(f"{key}:Q", title=title, scale=scale)
    y = alt.Y("security:Q", title="bits of the collision argument", scale=scale)
    tips = [
        alt.Tooltip("design:N"),
        alt.Tooltip("security:Q", title="bits", format=".1f"),
        alt.Tooltip(f"{key}:Q", title=title, format=".3~g"),
    ]
    base = chart(points).encode(x=x, y=y)
    return alt.layer(
        base.encode(tooltip=tips).mark_point(filled=True, size=70, opacity=1, style="found"),
        base.encode(text=alt.Text("design:N")).mark_text(align="left", dx=8, dy=-5, style="found-label"),
    ).properties(**SIZE, padding={"left": 5, "top": 8, "right": 90, "bottom": 5}, height=300)
