"""The page where a reader chooses a cipher: every cipher by speed, by size in hardware, and by its bounds."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import altair as alt
from markupsafe import Markup

from roundworks import spec
from roundworks.ratios import OURS
from roundworks.report.figures import SIZE, Chart, Point, chart
from roundworks.report.frame import MAKERS, Figure, made_by, on_machine
from roundworks.report.hardware_ciphers import LONG, CipherEntry, is_core_of, leaders
from roundworks.report.speed import is_plotted, speed_points, x_of
from roundworks.report.values import data_size
from roundworks.rows import BenchRow, BoundRow, latest

_LENGTH = 16384
_DEFAULT = "osu018_stdcells"  # the library that the project can install by itself


@dataclass(frozen=True, slots=True)
class CipherChoice:
    """One cipher in one line: cycles per byte short and long, hardware of one library, its collision bound."""

    cipher: str
    backend: str
    short: float | None
    long: float | None
    unit: str
    collision: BoundRow | None
    entry: CipherEntry | None


@dataclass(frozen=True, slots=True)
class Choices:
    """What the page of all ciphers shows."""

    machine: str
    library: str
    lines: tuple[CipherChoice, ...]
    figures: tuple[Figure, ...]


def choices_of(
    benches: Sequence[BenchRow], machine: str, bounds: Sequence[BoundRow], entries: Sequence[CipherEntry]
) -> Choices:
    """Each cipher of ours with its fastest back end on `machine`, and the netlist of minimum energy in the
    cell library that has the most ciphers."""
    count = Counter(library for library, _ in leaders(entries))
    library = max(count, key=lambda name: (count[name], name == _DEFAULT), default="")
    here = [r for r in benches if r.machine == machine and r.library == OURS and is_plotted(r, "rust")]
    points = _fastest(speed_points(here, "rust"))
    netlists = [entry for entry in leaders(entries).values() if entry.library == library]
    best = {
        name: entry
        for facts in spec.ciphers()
        for entry in netlists
        if is_core_of(entry.core, name := facts.name)
    }
    collisions = {
        row.cipher: row for row in latest([b for b in bounds if b.measure == "collision"], ["cipher"])
    }
    names = list(dict.fromkeys([*(p["cipher"] for p in points), *collisions, *best]))
    lines = []
    for name in names:
        own = {p["bytes"]: p for p in points if p["cipher"] == name}
        long = own.get(_LENGTH)
        lines.append(
            CipherChoice(
                cipher=name,
                backend=long["backend"] if long else "",
                short=own[64]["median"] if 64 in own else None,
                long=long["median"] if long else None,
                unit=points[0]["unit"] if points else "",
                collision=collisions.get(name),
                entry=best.get(name),
            )
        )
    figures = (
        _speeds(points, here),
        _areas([line for line in lines if line.entry], library),
        _costs([line for line in lines if line.collision and line.long], machine),
    )
    return Choices(machine, library, tuple(lines), figures)


def _fastest(points: Sequence[Point]) -> list[Point]:
    """Of each cipher the points of the back end that is fastest on long messages."""
    kept = []
    for cipher in dict.fromkeys(p["cipher"] for p in points):
        own = [p for p in points if p["cipher"] == cipher]
        longest = max(p["bytes"] for p in own)
        best = min((p for p in own if p["bytes"] == longest), key=lambda p: p["median"])
        kept += [p for p in own if p["backend"] == best["backend"]]
    return kept


def _speeds(points: Sequence[Point], rows: Sequence[BenchRow]) -> Figure:
    name, title = "all-speeds", "Every cipher on its fastest back end"
    if not points:
        return Figure(name, title, "", Markup(""), None, MAKERS["bench"])
    unit = points[0]["unit"]
    long = sorted((p for p in points if p["bytes"] == _LENGTH), key=lambda p: p["median"])
    said = ""
    if long:
        first, last = long[0], long[-1]
        said = (
            f"{first['cipher']} is the fastest at {data_size(_LENGTH)}, {first['median']:.3g} {unit} per byte;"
            f" {last['cipher']} takes {last['median']:.3g}. Choose names to tell lines apart."
        )
    used = [r for r in rows if any((r.cipher, r.backend) == (p["cipher"], p["backend"]) for p in points)]
    caption = Markup("Medians of encryption without associated data, called from Rust, {}. ").format(
        on_machine(used)
    )
    return Figure(name, title, said, caption + made_by(used), figure_speeds(points), MAKERS["bench"])


def figure_speeds(points: Sequence[Point]) -> Chart:
    """Cost per byte by length of message, a line for each cipher; a name chosen leaves the others pale."""
    sizes = sorted({p["bytes"] for p in points})
    unit = points[0]["unit"]
    chosen = alt.selection_point(fields=["cipher"], bind="legend", name="chosen", toggle="true")
    base = chart(points).encode(
        x=x_of(sizes),
        y=alt.Y(
            "median:Q",
            title=f"{unit} per byte (log scale)",
            scale=alt.Scale(type="log"),
            axis=alt.Axis(format="~g", labelOverlap=True),
        ),
        color=alt.Color("cipher:N", title=None, scale=alt.Scale(range="category")),
        opacity=alt.condition(chosen, alt.value(1.0), alt.value(0.12)),
        tooltip=[
            alt.Tooltip("cipher:N"),
            alt.Tooltip("backend:N", title="back end"),
            alt.Tooltip("size:N", title="message"),
            alt.Tooltip("median:Q", title=f"{unit}/byte", format=".3~g"),
        ],
    )
    return alt.layer(
        base.mark_line(strokeWidth=1.5), base.mark_point(filled=True, size=36).add_params(chosen)
    ).properties(**SIZE, height=420)


def _labelled(points: Sequence[Point], x: alt.X, y: alt.Y, tooltip: Sequence[alt.Tooltip]) -> Chart:
    """Points with their names next to them, so that no legend is wanted."""
    base = chart(points).encode(x=x, y=y, tooltip=list(tooltip))
    marks = base.mark_point(filled=True, size=70, style="found")
    names = base.mark_text(align="left", dx=8, style="found-label").encode(text="cipher:N")
    return alt.layer(marks, names).properties(**SIZE, height=380)


def _areas(lines: Sequence[CipherChoice], library: str) -> Figure:
    name, title = "all-areas", "Throughput against area in hardware"
    points: list[Point] = [
        {
            "cipher": line.cipher,
            "kge": line.entry.row["kge"],
            "tbits": line.entry.tbits,
            "nj": line.entry.nj(LONG),
        }
        for line in lines
        if line.entry and line.entry.tbits
    ]
    if not points:
        return Figure(name, title, "", Markup(""), None, MAKERS["power"])
    dense = max(points, key=lambda p: p["tbits"] / p["kge"])
    drawn = _labelled(
        points,
        alt.X("kge:Q", title="area, kGE (log scale)", scale=alt.Scale(type="log", nice=True, padding=30)),
        alt.Y(
            "tbits:Q", title="Tbit/s of long messages (log scale)", scale=alt.Scale(type="log", padding=15)
        ),
        [
            alt.Tooltip("cipher:N"),
            alt.Tooltip("kge:Q", title="kGE", format=".3~g"),
            alt.Tooltip("tbits:Q", title="Tbit/s", format=".3~g"),
            alt.Tooltip("nj:Q", title="nJ for 1.28 Mbit", format=".4~g"),
        ],
    )
    said = f"{dense['cipher']} has the most throughput for its area, of the netlists of minimum energy in {library}."
    caption = Markup("Before layout, in the cell library {}. ").format(library)
    rows = [line.entry.row for line in lines if line.entry]
    return Figure(name, title, said, caption + made_by(rows), drawn, MAKERS["power"])


def _costs(lines: Sequence[CipherChoice], machine: str) -> Figure:
    name, title = "all-costs", "Security against cost"
    points: list[Point] = [
        {
            "cipher": line.cipher,
            "active": line.collision.value,
            "cost": line.long,
            "certainty": line.collision.certainty,
        }
        for line in lines
        if line.collision and line.long
    ]
    if not points:
        return Figure(name, title, "", Markup(""), None, MAKERS["bound"])
    unit = next(line.unit for line in lines)
    drawn = _labelled(
        points,
        alt.X(
            "cost:Q",
            title=f"{unit} per byte at {data_size(_LENGTH)} (log scale)",
            scale=alt.Scale(type="log", padding=30),
        ),
        alt.Y(
            "active:Q",
            title="active functions in every internal collision, at least",
            scale=alt.Scale(zero=False, padding=15),
        ),
        [
            alt.Tooltip("cipher:N"),
            alt.Tooltip("cost:Q", title=f"{unit}/byte", format=".3~g"),
            alt.Tooltip("active:Q", title="active functions"),
            alt.Tooltip("certainty:N"),
        ],
    )
    most = max(points, key=lambda p: (p["active"], -p["cost"]))
    said = (
        f"{most['cipher']} has the highest bound, {most['active']:g} active functions, at"
        f" {most['cost']:.3g} {unit} per byte."
    )
    caption = Markup(
        "The functions are the ciphers' own: an AES round, or AETHER's F. Speeds on machine <code>{}</code>. "
    ).format(machine)
    rows = [line.collision for line in lines if line.collision]
    return Figure(name, title, said, caption + made_by(rows), drawn, MAKERS["bound"])
