"""The page where a reader chooses a cipher: every cipher by speed, by size in hardware, and by its bounds."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt
from markupsafe import Markup

from roundworks import spec
from roundworks.ratios import OURS
from roundworks.report.figures import SIZE, Chart, Point, chart
from roundworks.report.frame import MAKERS, Figure, made_by, on_machine
from roundworks.report.hardware_ciphers import LONG, CipherEntry, is_core_of, leaders
from roundworks.report.speed import is_plotted, speed_points, ticks_of, x_of
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
    default cell library, or else in the one that has the most ciphers."""
    count = Counter(library for library, _ in leaders(entries))
    library = _DEFAULT if _DEFAULT in count else max(count, key=lambda name: count[name], default="")
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
    unit, costs = points[0]["unit"], [p["median"] for p in points]
    ends = (min(costs) / 1.2, max(costs) * 1.2)
    chosen = alt.selection_point(fields=["cipher"], bind="legend", name="chosen", toggle="true")
    base = chart(points).encode(
        x=x_of(sizes),
        y=alt.Y(
            "median:Q",
            title=f"{unit} per byte (log scale)",
            scale=alt.Scale(type="log", domain=list(ends), nice=False),
            axis=alt.Axis(format="~g", values=ticks_of(*ends), labelOverlap=True),
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


def _log(points: Sequence[Point], key: str, title: str) -> dict[str, Any]:
    """A log axis with space for names at its end."""
    values = [p[key] for p in points]
    low, high = min(values) / 1.4, max(values) * 2.2
    return {
        "title": f"{title} (log scale)",
        "scale": alt.Scale(type="log", domain=[low, high], nice=False),
        "axis": alt.Axis(format="~g", values=ticks_of(low, high), labelOverlap=True),
    }


def _labelled(
    points: Sequence[Point], x: alt.X, y: alt.Y, at: tuple[str, str], tooltip: Sequence[alt.Tooltip]
) -> Chart:
    """Points with their names next to them, so that no legend is wanted; `at` are the fields of the axes.
    Of two that are close the second has its name below."""
    low: list[Point] = []
    for i, p in enumerate(points):
        near = (q for q in points[:i] if q not in low)
        if any(all(abs(p[key] - q[key]) <= 0.15 * max(p[key], q[key]) for key in at) for q in near):
            low.append(p)
    high = [p for p in points if p not in low]
    marks = (
        chart(points).encode(x=x, y=y, tooltip=list(tooltip)).mark_point(filled=True, size=70, style="found")
    )
    names = [
        chart(named)
        .encode(x=x, y=y, text="cipher:N")
        .mark_text(align="left", dx=8, dy=dy, style="found-label")
        for named, dy in ((high, -5), (low, 9))
        if named
    ]
    return alt.layer(marks, *names).properties(**SIZE, height=380)


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
        alt.X("kge:Q", **_log(points, "kge", "area, kGE")),
        alt.Y("tbits:Q", **_log(points, "tbits", "Tbit/s of long messages")),
        ("kge", "tbits"),
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
        alt.X("cost:Q", **_log(points, "cost", f"{unit} per byte at {data_size(_LENGTH)}")),
        alt.Y(
            "active:Q",
            title="active functions in every internal collision, at least",
            scale=alt.Scale(zero=False, padding=15),
        ),
        ("cost", "active"),
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
