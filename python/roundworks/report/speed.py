"""Speed by message length: ours by back end, the peers, and what the CPU allows."""

import math
from collections.abc import Iterable, Sequence

import altair as alt
from markupsafe import Markup

from roundworks.ratios import OURS
from roundworks.report.figures import SIZE, Chart, Point, chart
from roundworks.report.frame import MAKERS, Figure, made_by, on_machine
from roundworks.report.values import data_size, spread
from roundworks.rows import BenchRow, LimitRow

_HEIGHT, _LABEL = 340, 16  # of a figure, and of a name on its line, in pixels
# Dashes tell the peers apart; colours are the back ends'.
_DASHES = ([5, 3], [1.5, 2], [9, 3], [9, 3, 1.5, 3], [3, 1.5], [1, 4])


def is_plotted(row: BenchRow, surface: str, operation: str = "encrypt") -> bool:
    """Whether a benchmark row is one of the figures': encryption without associated data."""
    plain = row.operation == operation and row.ad_bytes == 0 and row.data_bytes > 0
    return plain and bool(row.surface == surface)


def speed_points(benches: Iterable[BenchRow], surface: str) -> list[Point]:
    """Per-byte cost with its spread, in cycles if every row has them and else in nanoseconds."""
    plotted = [row for row in benches if is_plotted(row, surface)]
    unit = "cycles" if all(row.samples_cycles for row in plotted) else "ns"
    points = []
    for row in plotted:
        size, backend, peer = row.data_bytes, row.backend, row.library != OURS
        points.append(
            {
                "cipher": row.cipher,
                "backend": backend,
                "surface": surface,
                "unit": unit,
                "peer": peer,
                "series": _series(row, peer),
                "bytes": size,
                "size": data_size(size),
                **{k: v / size for k, v in spread(row[f"samples_{unit}"]).items()},
            }
        )
    return sorted(points, key=lambda p: (p["cipher"], p["backend"], p["series"], p["bytes"]))


def _series(row: BenchRow, peer: bool) -> str:
    """The core is drawn a cipher a figure; from Python all ciphers share one."""
    if row.surface != "rust":
        return f"{row.cipher}, {row.library if peer else row.backend}"
    return f"{row.library} {row.version}" if peer else str(row.backend)


def limit_points(limits: Iterable[LimitRow], cipher: str, operation: str = "encrypt") -> list[Point]:
    """The CPU's own limits of one cipher, the higher of which no kernel beats."""
    return [
        {
            "name": f"limit by {row.measure}",
            "cycles": row.cycles_per_byte,
            "because": row.derivation,
            "bits": row.bits,
        }
        for row in limits
        if (row.cipher, row.operation) == (cipher, operation)
    ]


def figure_speed(points: Sequence[Point], frame: Sequence[Point], limits: Sequence[Point] = ()) -> Chart:
    """Median cost per byte by message size and series, with quartiles and extremes.

    Message lengths and colours are those of all points of `frame`. The frame leaves out what is
    far slower than the rest, so that the rest can be told apart.
    """
    ours = [p for p in points if not p["peer"]] or list(points)
    peers = [p for p in points if p["peer"]] if len(ours) < len(points) else []
    unit = points[0]["unit"]
    lines = [*limits] if unit == "cycles" else []
    low, high = _range(points, [p["cycles"] for p in lines])
    scale_y = alt.Scale(type="log", domain=[low, high], nice=False)
    sizes = sorted({p["bytes"] for p in frame})
    base = _encoded(chart(ours), ours, frame, sizes, scale_y, (low, high))

    def bars(width: float, lower: str, upper: str) -> alt.Chart:
        bar: alt.Chart = base.mark_rule(strokeWidth=width, opacity=0.45, clip=True)
        return bar.encode(y=alt.Y(f"{lower}:Q", scale=scale_y), y2=alt.Y2(f"{upper}:Q"))

    shape = alt.Shape(
        "series:N",
        title=None,
        scale=alt.Scale(domain=_names(frame)),
        legend=alt.Legend(values=_drawn(ours, high)),
    )
    layers = [
        *_limit_layers(lines, sizes, scale_y, _HEIGHT / math.log(high / low)),
        *_peer_layers(peers, sizes, scale_y),
        bars(1.2, "min", "max"),
        bars(5, "q1", "q3"),
        base.mark_line(strokeWidth=1.5, clip=True),
        base.mark_point(filled=True, size=44, opacity=1, clip=True).encode(shape=shape),
    ]
    return alt.layer(*layers).properties(**SIZE, height=_HEIGHT)


def _names(points: Iterable[Point]) -> list[str]:
    """Series of ours: a back end keeps its colour and mark in every figure."""
    points = list(points)
    return sorted({p["series"] for p in points if not p["peer"]} or {p["series"] for p in points})


def _drawn(ours: Sequence[Point], high: float) -> list[str]:
    """Series with a point in the frame; the others have no place in the legend."""
    return [name for name in _names(ours) if any(p["series"] == name and p["median"] <= high for p in ours)]


def say_outside(points: Sequence[Point], limits: Sequence[Point] = ()) -> str:
    """Series of ours that are slower than the frame is high, at every length."""
    ours = [p for p in points if not p["peer"]] or list(points)
    lines = limits if points[0]["unit"] == "cycles" else ()
    _, high = _range(points, [p["cycles"] for p in lines])
    drawn, said = _drawn(ours, high), []
    for name in _names(ours):
        if name not in drawn:
            medians = [p["median"] for p in ours if p["series"] == name]
            said.append(f"{name}, {min(medians):.3g} to {max(medians):.3g} {points[0]['unit']}")
    return f"Above the frame: {'; '.join(said)} per byte. " if said else ""


def _range(points: Sequence[Point], limits: Sequence[float]) -> tuple[float, float]:
    near = [p for p in points if p["backend"] != "portable"] or points
    low = min([p["q1"] for p in near] + list(limits))
    return low / 1.3, max(p["q3"] for p in near) * 1.3


def x_of(sizes: Sequence[int]) -> alt.X:
    """The axis of message lengths, on a log scale."""
    label = (
        "datum.value % 1048576 == 0 ? datum.value / 1048576 + ' MiB' : "
        "datum.value % 1024 == 0 ? datum.value / 1024 + ' KiB' : datum.value + ' B'"
    )
    scale = alt.Scale(type="log", domain=[sizes[0] / 1.4, sizes[-1] * 1.4], nice=False)
    axis = alt.Axis(values=list(sizes), labelExpr=label, grid=False, labelOverlap="greedy", labelSeparation=8)
    return alt.X("bytes:Q", title="message length", scale=scale, axis=axis)


def ticks_of(low: float, high: float) -> list[float]:
    """1, 2 and 5 times each power of ten: left alone, the library draws a grid line at every multiple."""
    return [step * 10.0**k for k in range(-6, 9) for step in (1, 2, 5) if low <= step * 10.0**k <= high]


def _tooltip(name: str, unit: str) -> list[alt.Tooltip]:
    return [
        alt.Tooltip("series:N", title=name),
        alt.Tooltip("size:N", title="message"),
        *(
            alt.Tooltip(f"{k}:Q", title=f"{k}, {unit}/byte", format=".3~g")
            for k in ("median", "q1", "q3", "min", "max")
        ),
    ]


def _encoded(
    drawn: alt.Chart,
    ours: Sequence[Point],
    frame: Sequence[Point],
    sizes: Sequence[int],
    scale_y: alt.Scale,
    ends: tuple[float, float],
) -> alt.Chart:
    unit = ours[0]["unit"]
    ticks = ticks_of(*ends)
    colour = alt.Scale(domain=_names(frame), range="category")
    encoded: alt.Chart = drawn.encode(
        x=x_of(sizes),
        y=alt.Y(
            "median:Q",
            title=f"{unit} per byte (log scale)",
            scale=scale_y,
            axis=alt.Axis(format="~g", values=ticks, labelOverlap=True),
        ),
        color=alt.Color(
            "series:N", title=None, scale=colour, legend=alt.Legend(values=_drawn(ours, ends[1]))
        ),
        tooltip=_tooltip("back end", unit),
    )
    return encoded


def _peer_layers(peers: Sequence[Point], sizes: Sequence[int], scale_y: alt.Scale) -> list[alt.Chart]:
    if not peers:
        return []
    names = sorted({p["series"] for p in peers})
    dashes = [_DASHES[i % len(_DASHES)] for i in range(len(names))]
    line: alt.Chart = chart(peers).mark_line(style="peer", strokeWidth=1.2, clip=True)
    return [
        line.encode(
            x=x_of(sizes),
            y=alt.Y("median:Q", scale=scale_y),
            strokeDash=alt.StrokeDash("series:N", title=None, scale=alt.Scale(domain=names, range=dashes)),
            tooltip=_tooltip("peer", peers[0]["unit"]),
        )
    ]


def _limit_layers(
    limits: Sequence[Point], sizes: Sequence[int], scale_y: alt.Scale, pixels: float
) -> list[alt.Chart]:
    """``pixels`` are those of a factor of e."""
    if not limits:
        return []
    y = alt.Y("cycles:Q", scale=scale_y)
    tooltip = [
        alt.Tooltip("name:N", title="of this CPU"),
        alt.Tooltip("because:N"),
        alt.Tooltip("cycles:Q", title="cycles/byte", format=".3~g"),
    ]
    rule: alt.Chart = chart(limits).mark_rule(style="limit", strokeWidth=1.2)
    start = alt.XDatum(sizes[0] / 1.3)
    layers = [rule.encode(y=y, tooltip=tooltip)]
    # Close below another limit there is no space above: the name goes under its line.
    under = [
        p
        for p in limits
        if any(
            q is not p
            and p["cycles"] <= q["cycles"]
            and pixels * math.log(q["cycles"] / p["cycles"]) < _LABEL
            and (p["cycles"] < q["cycles"] or p["name"] < q["name"])
            for q in limits
        )
    ]
    for named, dy in (([p for p in limits if p not in under], -5), (under, 8)):
        if named:
            text: alt.Chart = chart(named).mark_text(style="limit-label", align="left", dy=dy)
            layers.append(text.encode(x=start, y=y, text=alt.Text("name:N")))
    return layers


def say_speed(points: Sequence[Point], limits: Sequence[Point] = ()) -> str:
    """The sentence next to a figure: the best of ours, the best peer, the CPU's limit."""
    ours = [p for p in points if not p["peer"]]
    best = min(ours or points, key=lambda p: p["median"])
    said = (
        f"Fastest here: {best['median']:.3g} {best['unit']} per byte with {best['series']}, "
        f"messages of {best['size']}."
    )
    peers = [p for p in points if p["peer"] and p["bytes"] == best["bytes"]] if ours else []
    if peers:
        peer = min(peers, key=lambda p: p["median"])
        said += f" The best peer takes {peer['median']:.3g}: {peer['series']}."
    if limits and best["unit"] == "cycles":
        bound = max(limits, key=lambda p: p["cycles"])
        said += f" This CPU's {bound['name']} is {bound['cycles']:.3g}."
    return said


def speed_figures(benches: Sequence[BenchRow], limits: Sequence[LimitRow]) -> list[Figure]:
    """Figures of one machine after another: times of two machines never share an axis."""
    made = []
    for machine in dict.fromkeys(row.machine for row in benches):
        here = [row for row in benches if row.machine == machine]
        allowed = [row for row in limits if row.machine == machine]
        core = speed_points(here, "rust")
        ours = dict.fromkeys(p["cipher"] for p in core if not p["peer"])
        others = dict.fromkeys(p["cipher"] for p in core if p["cipher"] not in ours)
        for cipher in [*ours, *others]:
            used = [row for row in here if row.cipher == cipher]
            made.append(
                _figure_of(
                    f"{cipher}: encryption, cost by message length",
                    used,
                    core,
                    [p for p in core if p["cipher"] == cipher],
                    limit_points(allowed, cipher),
                )
            )
        for surface, words in (("python", "call and all"), ("python-into", "into a buffer of the caller")):
            if python := speed_points(here, surface):
                made.append(_figure_of(f"From Python, {words}", here, python, python))
    return made or [Figure("speed", "Software speed", "", Markup(""), None, MAKERS["bench"])]


def _figure_of(
    title: str,
    rows: Sequence[BenchRow],
    frame: Sequence[Point],
    points: Sequence[Point],
    limits: Sequence[Point] = (),
) -> Figure:
    """`frame` are the points whose lengths and colours this figure shares."""
    used = [row for row in rows if is_plotted(row, points[0]["surface"])]
    samples = sorted({len(row.samples_ns) for row in used})
    many = "–".join(str(n) for n in dict.fromkeys((samples[0], samples[-1])))
    caption = Markup(
        "Median of {} samples a point; thick bars from the first to the third quartile, thin ones "
        "from minimum to maximum, cut at the frame; no associated data, {}. "
    ).format(many, on_machine(used))
    if any(row.library != OURS for row in used) and points[0]["surface"] == "rust":
        caption += "Thin lines are other libraries, in the same process. "
    caption += say_outside(points, limits)
    for limit in limits:
        caption += f"{limit['name'].capitalize()}: {limit['because']}. "
    slug = "-".join([used[0]["machine"], points[0]["surface"], points[0]["cipher"]])
    return Figure(
        f"speed-{slug}",
        title,
        say_speed(points, limits),
        caption + made_by(used),
        figure_speed(points, frame, limits),
        MAKERS["bench"],
    )
