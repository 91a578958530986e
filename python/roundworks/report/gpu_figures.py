"""The figures of GPUs: throughput by blocks and by bytes, and the shares of the parts."""

from collections.abc import Callable, Iterable, Mapping, Sequence

import altair as alt

from roundworks.report.figures import SIZE, Chart, Point, chart
from roundworks.report.values import data_size
from roundworks.rows import Row

_DASHES: dict[str, Sequence[float]] = {
    "printed": [5, 3],
    "a CPU": [1, 0],
    "a GPU, in its memory": [1.5, 2],
    "a GPU, over the bus": [5, 3],
}
# 64 KiB, 4 MiB, 1 GiB: what the axis says of a power of two.
_BYTES = (
    "datum.value >= 1073741824 ? datum.value / 1073741824 + ' GiB' :"
    " datum.value >= 1048576 ? datum.value / 1048576 + ' MiB' : datum.value / 1024 + ' KiB'"
)
_STROKE = alt.Legend(symbolType="stroke", symbolStrokeWidth=1.5)


def _lines_of(base: alt.Chart, places: Sequence[str], size: float) -> Chart:
    """Dashes by place, and points on them, those of a paper hollow. Of points the legend has no stroke."""
    dashes = alt.StrokeDash(
        "where:N",
        title=None,
        legend=_STROKE,
        scale=alt.Scale(domain=places, range=[_DASHES[where] for where in places]),
    )
    marks = [base.transform_filter("datum.where != 'printed'").mark_point(filled=True, size=size, opacity=1)]
    if "printed" in places:
        hollow = base.transform_filter("datum.where == 'printed'")
        marks.append(hollow.mark_point(filled=False, size=1.4 * size, strokeWidth=1.3))
    return alt.layer(base.mark_line(strokeWidth=1.5).encode(strokeDash=dashes), *marks)


def _decades(values: Iterable[float]) -> tuple[alt.Scale, alt.Axis]:
    """Left alone the library draws a line at every multiple of a power."""
    ordered = sorted(values)
    low, high = ordered[0] / 1.3, ordered[-1] * 1.3
    steps = (1,) if high / low > 1000 else (1, 2, 5)
    ticks = [s * 10.0**k for k in range(-6, 9) for s in steps if low <= s * 10.0**k <= high]
    return (alt.Scale(type="log", domain=[low, high], nice=False), alt.Axis(format="~s", values=ticks))


def figure_blocks(points: Sequence[Point]) -> Chart:
    """A colour for each cipher, dashes for what is printed."""
    ciphers = sorted({p["cipher"] for p in points})
    places: list[str] = list(dict.fromkeys(p["where"] for p in points))
    scale, axis = _decades(p["mbits"] for p in points)
    base = chart(points).encode(
        x=alt.X("blocks:Q", title="blocks", axis=alt.Axis(format=",d", grid=False)),
        y=alt.Y("mbits:Q", title="Mbit/s (log scale)", scale=scale, axis=axis),
        color=alt.Color("cipher:N", title=None, scale=alt.Scale(domain=ciphers, range="category")),
        tooltip=[
            alt.Tooltip("cipher:N"),
            alt.Tooltip("where:N"),
            alt.Tooltip("blocks:Q"),
            alt.Tooltip("mbits:Q", title="Mbit/s", format=",.4~g"),
        ],
    )
    return _lines_of(base, places, 24).properties(**SIZE, height=300)


def part_points(shown: Iterable[tuple[str, str, Mapping[str, float]]]) -> list[Point]:
    """A bar for each cipher and place; `share` of the sum of its parts."""
    return [
        {
            "bar": f"{cipher}, {where}",
            "part": part,
            "ms": ms,
            "order": order,
            "share": 100 * ms / sum(parts.values()),
        }
        for cipher, where, parts in shown
        for order, (part, ms) in enumerate(parts.items())
    ]


def figure_parts(points: Sequence[Point]) -> Chart:
    """A bar for each cipher and place: the share of each part of its time in percent."""
    bars = list(dict.fromkeys(p["bar"] for p in points))
    parts = list(dict.fromkeys(p["part"] for p in points))
    base = chart(points).encode(
        x=alt.X("share:Q", title="share of the parts, %", scale=alt.Scale(domain=[0, 100])),
        y=alt.Y("bar:N", title=None, sort=bars, axis=alt.Axis(ticks=False, domain=False)),
        color=alt.Color("part:N", title=None, scale=alt.Scale(domain=parts, range="category")),
        order=alt.Order("order:Q"),
        tooltip=[
            alt.Tooltip("bar:N"),
            alt.Tooltip("part:N"),
            alt.Tooltip("ms:Q", title="ms", format=".4~g"),
            alt.Tooltip("share:Q", title="%", format=".1f"),
        ],
    )
    return alt.layer(base.mark_bar(height={"band": 0.7})).properties(**SIZE, height=34 * len(bars))


def size_points(rows: Iterable[Row], gbits: Callable[[Row], float]) -> list[Point]:
    """A point for each size: bytes of message and `gbits` of the row."""
    return sorted(
        (
            {
                "bytes": r["data_bytes"] * r["messages"],
                "size": f"{r['messages']:,} x {data_size(r['data_bytes'])}",
                "gbits": gbits(r),
                "cipher": r["subject"],
                "where": _where(r),
            }
            for r in rows
        ),
        key=lambda p: (p["where"], p["cipher"], p["bytes"]),
    )


def _where(row: Row) -> str:
    if row["device"] == "cpu":
        return "a CPU"
    return "a GPU, " + ("in its memory" if row["place"] == "device" else "over the bus")


def figure_sizes(points: Sequence[Point]) -> Chart:
    """Throughput by message size, both axes logarithmic."""
    ciphers = sorted({p["cipher"] for p in points})
    places: list[str] = list(dict.fromkeys(p["where"] for p in points))
    sizes = sorted({p["bytes"] for p in points})
    scale, axis = _decades(p["gbits"] for p in points)
    base = chart(points).encode(
        x=alt.X(
            "bytes:Q",
            title="bytes of message (log scale)",
            scale=alt.Scale(type="log", base=2),
            axis=alt.Axis(values=sizes, labelExpr=_BYTES, grid=False, labelOverlap=True),
        ),
        y=alt.Y("gbits:Q", title="Gbit/s (log scale)", scale=scale, axis=axis),
        color=alt.Color("cipher:N", title=None, scale=alt.Scale(domain=ciphers, range="category")),
        tooltip=[
            alt.Tooltip("cipher:N"),
            alt.Tooltip("where:N"),
            alt.Tooltip("size:N"),
            alt.Tooltip("gbits:Q", title="Gbit/s", format=",.4~g"),
        ],
    )
    return _lines_of(base, places, 36).properties(**SIZE, height=300)
