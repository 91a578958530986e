"""The figures of the ciphers: area, throughput and energy; energy a bit by message length."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt
from markupsafe import Markup

from roundworks import spec
from roundworks.report.figures import SIZE, Chart, Point, chart, end_names, ends
from roundworks.report.frame import Figure
from roundworks.report.hardware_cipher_ratios import Ciphers, Crossing
from roundworks.report.hardware_ciphers import LONG, CipherEntry, curve, leaders
from roundworks.report.hardware_figures import log_axis, shapes
from roundworks.report.values import data_size

_MAKER = "roundworks hw-table figure-6"
_CURVE = 320  # pixels of the height
_STEPS = 6  # of a line between two sizes: straight in bytes is bent on two log scales


def pareto_points(entries: Sequence[CipherEntry]) -> list[Point]:
    """A point for each netlist; ``best``: none of its library is as good in all three and better in one."""
    points: list[Point] = []
    for e in entries:
        tbits, nj = e.tbits, e.nj(LONG)
        if tbits is None or nj is None or any(p["sha"] == e.row["netlist_sha256"] for p in points):
            continue
        points.append(
            {
                "cipher": _cipher(e),
                "core": e.title,
                "name": e.name,
                "library": e.library,
                "goal": e.goal,
                "made": e.made,
                "kge": e.row["kge"],
                "tbits": tbits,
                "nj": nj,
                "sha": e.row["netlist_sha256"],
                "model": e.model,
            }
        )
    for p in points:
        p["best"] = not any(_beats(q, p) for q in points if q["library"] == p["library"])
    return points


def _cipher(entry: CipherEntry) -> str:
    """The title of what the core is a design point of, or its own."""
    compared = {c.core: c for c in spec.compared_ciphers()}
    return compared[compared[entry.core].point_of or entry.core].title


def _colour(points: Sequence[Point], legend: bool) -> alt.Color:
    """A cipher has its colour in every library; in the legend are those that are there."""
    domain = [c.title for c in spec.compared_ciphers() if not c.point_of]
    there = {p["cipher"] for p in points}
    shown = alt.Legend(values=[title for title in domain if title in there]) if legend else None
    scale = alt.Scale(domain=domain, range="category")
    return alt.Color("cipher:N", title=None, scale=scale, legend=shown)


def _shape(field: str, points: Sequence[Point], legend: bool = True) -> alt.Shape:
    """A mark for each cipher, or for each core."""
    domain = [c.title for c in spec.compared_ciphers() if field == "core" or not c.point_of]
    there = {p[field] for p in points}
    shown = alt.Legend(values=[title for title in domain if title in there]) if legend else None
    return alt.Shape(f"{field}:N", title=None, scale=shapes(domain), legend=shown)


def _beats(one: Point, other: Point) -> bool:
    """No worse in area, throughput and energy, and not the same in all."""
    a, b = ((p["kge"], -p["tbits"], p["nj"]) for p in (one, other))
    return a != b and all(x <= y for x, y in zip(a, b, strict=True))


def figure_pareto(points: Sequence[Point]) -> Chart:
    """Of one library. Filled: nothing is better; the size of a mark grows with energy."""
    x_scale, x_axis = log_axis([p["kge"] for p in points])
    y_scale, y_axis = log_axis([p["tbits"] for p in points])
    encoded = {
        "x": alt.X("kge:Q", title="area, kGE (log scale)", scale=x_scale, axis=x_axis),
        "y": alt.Y("tbits:Q", title="Tbit/s, long messages (log scale)", scale=y_scale, axis=y_axis),
        "shape": _shape("core", points),
        "size": alt.Size(
            "nj:Q", title="nJ, long run", scale=alt.Scale(type="log", range=[40, 400]), legend=None
        ),
        "color": _colour(points, legend=False),
        "tooltip": [
            alt.Tooltip("name:N"),
            alt.Tooltip("made:N"),
            alt.Tooltip("kge:Q", title="kGE", format=".4~g"),
            alt.Tooltip("tbits:Q", title="Tbit/s", format=".3~g"),
            alt.Tooltip("nj:Q", title="nJ, long run", format=".4~g"),
        ],
    }
    best = chart([p for p in points if p["best"]]).mark_point(filled=True, opacity=1)
    rest = chart([p for p in points if not p["best"]]).mark_point(filled=False, style="hollow")
    return alt.layer(rest.encode(**encoded), best.encode(**encoded)).properties(**SIZE, height=360)


def say_pareto(points: Sequence[Point]) -> str:
    """Who leads in what, of one library."""
    fast = max(points, key=lambda p: p["tbits"])
    small = min(points, key=lambda p: p["kge"])
    lowest = min(points, key=lambda p: p["nj"])
    return (
        f"The most throughput: {fast['name']}. The smallest area: {small['name']}. The lowest energy:"
        f" {lowest['name']}."
    )


def curve_points(entries: Sequence[CipherEntry]) -> dict[str, list[Point]]:
    """Of each library; `known`: a size whose clocks are known, marked in the figure."""
    points: dict[str, list[Point]] = {}
    for e in leaders(entries).values():
        points.setdefault(e.library, []).extend(
            {
                "cipher": e.title,
                "bytes": n,
                "size": data_size(round(n)),
                "pj": pj,
                "name": e.name,
                "known": known,
                "model": e.model,
            }
            for n, pj, known in curve(e, _STEPS)
        )
    return {library: points for library, points in points.items() if points}


def crossing_points(crossings: Sequence[Crossing]) -> list[Point]:
    """A point for each crossing: message size and energy per bit at which two ciphers take the same."""
    return [
        {
            "bytes": c.message_bytes,
            "pj": c.pj,
            "size": f"{c.message_bytes:,} B",
            "said": f"from here on {c.better} takes less than {c.worse}",
        }
        for c in crossings
    ]


def figure_curve(points: Sequence[Point], crossings: Sequence[Point]) -> Chart:
    """A line for each cipher of a library: the netlist with the lowest energy. A ring where two cross."""
    x_scale, x_axis = log_axis([p["bytes"] for p in points])
    y_scale, y_axis = log_axis([p["pj"] for p in points])
    x = alt.X("bytes:Q", title="message, bytes (log scale)", scale=x_scale, axis=x_axis)
    y = alt.Y("pj:Q", title="pJ per bit of message at 10 MHz (log scale)", scale=y_scale, axis=y_axis)
    tips = [alt.Tooltip("size:N", title="message"), alt.Tooltip("pj:Q", title="pJ/bit", format=".3~g")]
    color = _colour(points, legend=False)
    domain = y_scale.to_dict()["domain"]
    series = [{**p, "series": p["cipher"]} for p in points]
    named = [
        {**p, "cipher": p["series"]}
        for p in ends(series, "bytes", "pj", _CURVE, (domain[0], domain[1]), log=True)
    ]
    text, space = end_names(named)
    drawn = chart(points).encode(x=x, y=y, color=color, tooltip=[alt.Tooltip("name:N"), *tips])
    known = chart([p for p in points if p["known"]]).mark_point(filled=True, size=40, opacity=1)
    marks = known.encode(
        x=x,
        y=y,
        color=color,
        tooltip=[alt.Tooltip("name:N"), *tips],
        shape=_shape("cipher", points, legend=False),
    )
    names = text.encode(x=x, y=y, color=color, text=alt.Text("cipher:N"))
    layers = [drawn.mark_line(strokeWidth=1.5), marks, names]
    if crossings:
        rings = chart(crossings).mark_point(filled=False, size=130, strokeWidth=1.5, style="hollow")
        layers.append(rings.encode(x=x, y=y, tooltip=[alt.Tooltip("said:N", title="crossing"), *tips]))
    return alt.layer(*layers).properties(**SIZE, **space, height=_CURVE)


def figures(found: Ciphers) -> list[Figure]:
    """Of each library area against throughput, then energy by message size."""
    return [*_paretos(found), *_curves(found)]


def _paretos(found: Ciphers) -> list[Figure]:
    title = "Ciphers by area, throughput and energy"
    points = pareto_points(found.entries)
    if not points:
        return [Figure("ciphers-pareto", title, "", Markup(""), None, _MAKER)]
    caption = Markup(
        "Filled: no other of its library has as little area and energy and as much"
        " throughput. A larger mark takes more energy for 1.28 Mbit at 10 MHz."
    )
    made = []
    for library in dict.fromkeys(p["library"] for p in points):
        here = [p for p in points if p["library"] == library]
        made.append(
            Figure(
                f"ciphers-pareto-{library}",
                f"{title}: {library}",
                say_pareto(here),
                caption + _activity(here),
                figure_pareto(here),
                _MAKER,
            )
        )
    return made


def _activity(points: Sequence[Point]) -> str:
    """Many rounds per cycle have the most glitches: where there are none, it is said."""
    without = any(p["model"] == "zero-delay" for p in points)
    return " Without glitches." if without else ""


def _curves(found: Ciphers) -> list[Figure]:
    title = "Energy per bit of the ciphers against message length"
    lines = curve_points(found.entries)
    if not lines:
        return [Figure("ciphers-energy", title, "", Markup(""), None, _MAKER)]
    made = []
    for library, points in lines.items():
        crossings = crossing_points([c for c in found.crossings if c.library == library])
        first, last = (
            min((p for p in points if p["bytes"] == edge), key=lambda p: p["pj"])["cipher"]
            for edge in (min(p["bytes"] for p in points), max(p["bytes"] for p in points))
        )
        said = (
            f"{first} takes the minimum energy for the shortest messages and for the longest."
            if first == last
            else (f"{first} takes the minimum energy for the shortest messages, {last} for the longest.")
        )
        said += (
            f" Lines cross {len(crossings)} time{'s' * (len(crossings) > 1)}, at the rings: the"
            " table below says whose."
            if crossings
            else " No two lines cross."
        )
        caption = Markup("No associated data, at 10 MHz, leakage included.") + _activity(points)
        made.append(
            Figure(
                f"ciphers-energy-{library}",
                f"{title}: {library}",
                said,
                caption,
                figure_curve(points, crossings),
                _MAKER,
            )
        )
    return made
