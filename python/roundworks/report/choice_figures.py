"""The figures of the page that compares ciphers. What they show is chosen by signals, which the page's
controls set: ``shown`` (ciphers, all where it is null), ``library`` (of cells), ``peers`` (other libraries)."""

from collections.abc import Sequence
from typing import Any

import altair as alt

from roundworks.report.figures import SIZE, Chart, Point, chart, end_names, ends
from roundworks.report.speed import ticks_of, x_of

_HEIGHT = 420
_SHOWN = "!shown || indexof(shown, datum.cipher) >= 0"
# Only these multiples of a power of ten have a line and a number.
_ROUND = (
    "indexof(['1', '2', '3', '5', '7'], format(datum.value /"
    " pow(10, floor(log(datum.value) / LN10 + 0.0001)), '.3~g')) >= 0"
)


def _params() -> list[alt.Parameter]:
    return [alt.param(name="shown", value=None)]


def figure_speeds(points: Sequence[Point], peers: Sequence[Point]) -> Chart:
    """Cost per byte by length of message, a line with its name for each cipher."""
    points = [{**p, "series": p["cipher"]} for p in points]
    peers = [{**p, "library": p["series"], "series": p["cipher"]} for p in peers]
    unit, costs = points[0]["unit"], [p["median"] for p in [*points, *peers]]
    edges = (min(costs) / 1.2, max(costs) * 1.2)
    sizes = sorted({p["bytes"] for p in points})
    names = list(dict.fromkeys(p["cipher"] for p in points))
    scale = alt.Scale(type="log", domain=list(edges), nice=False)
    axis = alt.Axis(format="~g", values=ticks_of(*edges), labelOverlap=True)
    y = alt.Y("median:Q", title=f"{unit} per byte (log scale)", scale=scale, axis=axis)
    colour = alt.Color("series:N", title=None, legend=None, scale=alt.Scale(domain=names, range="category"))

    def lines(drawn: Sequence[Point], where: str, kind: str) -> alt.Chart:
        tooltip = [
            alt.Tooltip("cipher:N"),
            alt.Tooltip(f"{kind}:N", title="back end" if kind == "backend" else kind),
            alt.Tooltip("size:N", title="message"),
            *(
                alt.Tooltip(f"{k}:Q", title=f"{k}, {unit}/byte", format=".3~g")
                for k in ("median", "q1", "q3")
            ),
        ]
        encoded: alt.Chart = (
            chart(drawn).transform_filter(where).encode(x=x_of(sizes), y=y, color=colour, tooltip=tooltip)
        )
        return encoded

    text, space = end_names(ends(points, "bytes", "median", _HEIGHT, edges, log=True))
    ours = lines(points, _SHOWN, "backend")
    layers = [
        text.transform_calculate(cipher="datum.series")
        .transform_filter(_SHOWN)
        .encode(
            x=alt.X("bytes:Q"), y=alt.Y("median:Q", scale=scale), color=colour, text=alt.Text("series:N")
        ),
        ours.mark_rule(strokeWidth=4, opacity=0.4).encode(y=alt.Y("q1:Q", scale=scale), y2=alt.Y2("q3:Q")),
        ours.mark_line(strokeWidth=1.5),
        ours.mark_point(filled=True, size=36, opacity=1),
    ]
    params = _params()
    if peers:
        params.append(alt.param(name="peers", value=False))
        others = lines([p for p in peers if p["cipher"] in names], f"peers && ({_SHOWN})", "library")
        layers += [
            others.mark_line(strokeWidth=1.3, strokeDash=[5, 3]),
            others.mark_point(filled=False, size=30),
        ]
    return alt.layer(*layers).add_params(*params).properties(**SIZE, **space, height=_HEIGHT)


def _log(title: str) -> dict[str, Any]:
    """A log axis of what is shown."""
    return {
        "title": f"{title} (log scale)",
        "scale": alt.Scale(type="log", nice=False, padding=24),
        "axis": alt.Axis(
            labelExpr=f"{_ROUND} ? format(datum.value, '~g') : ''",
            gridOpacity={"condition": {"test": _ROUND, "value": 1}, "value": 0},
            tickOpacity={"condition": {"test": _ROUND, "value": 1}, "value": 0},
        ),
    }


def _labelled(
    points: Sequence[Point], key: str, x: alt.X, y: alt.Y, where: str, tips: Sequence[Any]
) -> Chart:
    """Points with their names next to them, so that no legend is wanted. Of two that are close on both axes
    the second has its name below; `key` keeps those apart that are never shown together."""
    fields = [str(axis["shorthand"]).partition(":")[0] for axis in (x, y)]
    placed: list[Point] = []
    for p in points:
        near = (q for q in placed if not q["low"] and q.get(key) == p.get(key))
        low = any(all(abs(p[f] - q[f]) <= 0.25 * max(p[f], q[f]) for f in fields) for q in near)
        placed.append({**p, "low": low})
    base = chart(placed).transform_filter(where).encode(x=x, y=y)
    return alt.layer(
        base.encode(tooltip=list(tips)).mark_point(filled=True, size=70, opacity=1, style="found"),
        base.encode(text=alt.Text("cipher:N")).mark_text(
            align="left", dx=8, dy=alt.ExprRef("datum.low ? 9 : -5"), style="found-label"
        ),
    ).properties(**SIZE, padding={"left": 5, "top": 8, "right": 80, "bottom": 5}, height=380)


def figure_areas(points: Sequence[Point], library: str) -> Chart:
    """Throughput against area of the ciphers in the library that is chosen, at first `library`."""
    tips = [
        alt.Tooltip("cipher:N"),
        alt.Tooltip("library:N"),
        alt.Tooltip("kge:Q", title="kGE", format=".3~g"),
        alt.Tooltip("tbits:Q", title="Tbit/s", format=".3~g"),
        alt.Tooltip("nj:Q", title="nJ for 1.28 Mbit", format=".4~g"),
    ]
    x, y = alt.X("kge:Q", **_log("area, kGE")), alt.Y("tbits:Q", **_log("Tbit/s of long messages"))
    drawn = _labelled(points, "library", x, y, f"datum.library == library && ({_SHOWN})", tips)
    return drawn.add_params(*_params(), alt.param(name="library", value=library))


def figure_costs(points: Sequence[Point], cost: str) -> Chart:
    """The bound of an internal collision against the cost of a byte."""
    tips = [
        alt.Tooltip("cipher:N"),
        alt.Tooltip("cost:Q", title=cost, format=".3~g"),
        alt.Tooltip("active:Q", title="active functions"),
        alt.Tooltip("certainty:N"),
    ]
    title = "active functions in every internal collision, at least"
    scale, axis = alt.Scale(zero=False, padding=15), alt.Axis(format="d", tickMinStep=1)
    y = alt.Y("active:Q", title=title, scale=scale, axis=axis)
    return _labelled(points, "", alt.X("cost:Q", **_log(cost)), y, _SHOWN, tips).add_params(*_params())
