"""The figures: one function each from points to a chart, with the sentence the chart supports.

Colours are named by role (`style`, `range="category"`) and given by the page, which has a light
and a dark set; nothing here fixes a colour.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Any

import altair as alt

from roundworks.report.tables import Cell
from roundworks.report.values import data_size, number, spread
from roundworks.rows import Row, latest

Point = dict[str, Any]
_RING = ("M-1,0A1,1,0,1,1,1,0A1,1,0,1,1,-1,0Z"
         "M-0.76,0A0.76,0.76,0,1,0,0.76,0A0.76,0.76,0,1,0,-0.76,0Z")  # fmt: skip
# The page gives the width; only that is fitted, so the heights below stay as written.
_SIZE = {"width": "container", "autosize": alt.AutoSizeParams(type="fit-x", contains="padding")}
Chart = alt.LayerChart | alt.FacetChart  # what altair's layer().properties() is typed to give


def _chart(points: Sequence[Point]) -> alt.Chart:
    return alt.Chart(alt.InlineData(values=list(points)))


# Growth of the number of active functions ---------------------------------------------------


def growth_points(bounds: Iterable[Row], printed: Iterable[Cell]) -> list[Point]:
    """Active functions by rounds: ours for each cipher, and the paper's own where it has a table.

    The round count of a printed cell is the name of its row or of its column, whichever is a
    number: the paper lies its table down.
    """
    points = []
    for cell in printed:
        rounds = next((int(n) for n in (cell.row_name, cell.column) if n.isdigit()), None)
        active = number(cell.paper_value)
        if rounds is not None and active is not None:
            points.append({"rounds": rounds, "active": active, "series": "AETHER, as printed"})
    for name, curve in _curves(bounds, "active-f"):
        points += [{"rounds": rounds, "active": active, "series": f"{name}, computed here"}
                   for rounds, active in curve.items()]  # fmt: skip
    return sorted(points, key=lambda p: ("printed" in p["series"], p["series"], p["rounds"]))


def _curves(
    bounds: Iterable[Row], measure: str, full: float | None = None
) -> list[tuple[str, dict[int, float]]]:
    """Value by rounds, for each cipher, up to the round that reaches ``full``.

    Variants with one round function have one curve: drawn twice, the first would be hidden.
    """
    curves: dict[str, dict[int, float]] = {}
    for row in latest(bounds, ["cipher", "measure", "rounds"]):
        if row["measure"] == measure and row["rounds"] and row["value"] is not None:
            curves.setdefault(row["cipher"], {})[row["rounds"]] = row["value"]
    shared: dict[str, list[str]] = {}
    for cipher, curve in curves.items():
        if full is not None:
            end = min((r for r, value in curve.items() if value >= full), default=max(curve))
            curves[cipher] = curve = {r: v for r, v in sorted(curve.items()) if r <= end}
        shared.setdefault(repr(sorted(curve.items())), []).append(cipher)
    return [(" and ".join(name.upper() for name in sorted(ciphers)), curves[ciphers[0]])
            for ciphers in shared.values()]  # fmt: skip


def diffusion_points(bounds: Iterable[Row]) -> list[Point]:
    """Share of dependent word pairs by rounds, from the start to where it is full."""
    points = []
    for name, curve in _curves(bounds, "diffusion", full=100):
        points += [{"rounds": r, "share": share, "series": name} for r, share in curve.items()]
    return sorted(points, key=lambda p: (p["series"], p["rounds"]))


def figure_diffusion(points: Sequence[Point]) -> Chart:
    """Share of word pairs with a dependence against rounds."""
    names = sorted({p["series"] for p in points})
    base = _chart(points).encode(
        x=alt.X("rounds:Q", title="rounds", axis=alt.Axis(tickMinStep=1, grid=False),
                scale=alt.Scale(zero=False)),
        y=alt.Y("share:Q", title="dependent word pairs, %", scale=alt.Scale(domain=[0, 100])),
        color=alt.Color("series:N", title=None,
                        scale=alt.Scale(domain=names, range="category")),
        tooltip=[alt.Tooltip("series:N", title="cipher"), alt.Tooltip("rounds:Q"),
                 alt.Tooltip("share:Q", title="% of word pairs", format=".1f")],
    )  # fmt: skip
    return alt.layer(
        base.mark_line(strokeWidth=1.5), base.mark_point(filled=True, size=44, opacity=1)
    ).properties(**_SIZE, height=220)


def say_diffusion(points: Sequence[Point]) -> str:
    full = {p["series"]: p["rounds"] for p in points if p["share"] >= 100}
    said = [f"after {rounds} rounds in {name}" for name, rounds in full.items()]
    if not said:
        return "No cipher here reaches full diffusion in the rounds computed."
    return f"Every word depends on every word of the first state {', '.join(said)}."


def figure_growth(points: Sequence[Point]) -> Chart:
    """Fewest active functions in the initialisation against rounds, print and ours."""
    names = list(dict.fromkeys(p["series"] for p in points))
    ours = _chart([p for p in points if "printed" not in p["series"]])
    printed = _chart([p for p in points if "printed" in p["series"]])
    # A ring for the print and a dot for ours: a dot inside its ring reads as agreement.
    shapes = [_RING if "printed" in name else "circle" for name in names]

    def encoded(chart: alt.Chart) -> alt.Chart:
        return chart.encode(
            x=alt.X("rounds:Q", title="rounds", axis=alt.Axis(tickMinStep=1, grid=False),
                    scale=alt.Scale(zero=False)),
            y=alt.Y("active:Q", title="fewest active functions (F, or AES rounds)"),
            color=alt.Color("series:N", title=None,
                            scale=alt.Scale(domain=names, range="category")),
            tooltip=[alt.Tooltip("series:N", title="series"), alt.Tooltip("rounds:Q"),
                     alt.Tooltip("active:Q", title="active functions")],
        )  # fmt: skip

    # The shape is not shared with the line: a line with a shape draws points of its own.
    shape = alt.Shape("series:N", title=None, scale=alt.Scale(domain=names, range=shapes))
    return alt.layer(
        encoded(ours.mark_line(strokeWidth=1.5)),
        encoded(printed.mark_point(filled=True, size=170, opacity=1)).encode(shape=shape),
        encoded(ours.mark_point(filled=True, size=38, opacity=1)).encode(shape=shape),
    ).properties(**_SIZE, height=300)


def say_growth(points: Sequence[Point]) -> str:
    ours = {p["rounds"]: p["active"] for p in points
            if re.match(r"AETHER\b.* computed here", p["series"])}  # fmt: skip
    printed = {p["rounds"]: p["active"] for p in points if "printed" in p["series"]}
    both = sorted(ours.keys() & printed.keys())
    if not both:
        return "No round count has both a printed value and one computed here."
    wrong = [str(r) for r in both if ours[r] != printed[r]]
    if wrong:
        return (f"At {len(both) - len(wrong)} of {len(both)} round counts the printed number and "
                f"ours agree; they differ at {', '.join(wrong)}.")  # fmt: skip
    return (f"At all {len(both)} round counts that were printed and computed, "
            f"from {both[0]} to {both[-1]}, the two numbers agree.")  # fmt: skip


# The search space ---------------------------------------------------------------------------


def search_points(searches: Iterable[Row], printed: Iterable[Cell]) -> list[Point]:
    """One point per (words, inputs), a complete search before a partial one, newest last."""
    totals = {}
    for cell in printed:
        pair = re.findall(r"\d+", cell.row_name)
        if len(pair) == 2 and "total" in cell.column.lower():
            totals[int(pair[0]), int(pair[1])] = number(cell.paper_value)
    ranked = sorted(searches, key=lambda row: (row["complete"], row["time"]))
    best = {(row["words"], row["inputs"]): row for row in ranked}
    return [
        {
            "pair": f"({words}, {inputs})",
            "candidates": row["candidates"],
            "searched": row["searched"],
            "found": row["found"],
            "printed": totals.get((words, inputs)),
            "agrees": totals.get((words, inputs)) in (None, row["candidates"]),
        }
        for (words, inputs), row in sorted(best.items())
        if row["candidates"] > 0
    ]


def figure_search(points: Sequence[Point]) -> Chart:
    """Structures by (words, inputs): all, searched, found, and the paper's total."""
    chart = _chart(points)
    order = [p["pair"] for p in points]
    top = max(p["printed"] or 0 for p in points)
    top = max(top, *(p["candidates"] for p in points)) * 4
    scale = alt.Scale(type="log", domain=[0.7, top], nice=False)
    y = alt.Y("pair:N", title="(words, inputs)", sort=order)
    axis = alt.Axis(format="~s", tickCount=6, labelOverlap=True)

    def x(field: str) -> alt.X:
        return alt.X(f"{field}:Q", title="structures (log scale)", scale=scale, axis=axis)

    tooltip = [alt.Tooltip("pair:N", title="(words, inputs)")] + [
        alt.Tooltip(f"{field}:Q", title=title, format=",")
        for field, title in (("candidates", "structures"), ("searched", "searched"),
                             ("found", "found"), ("printed", "printed total"))
    ]  # fmt: skip
    start = alt.X2Datum(0.7)
    wrong = chart.transform_filter("!datum.agrees")
    some, none = "datum.found > 0", "datum.found == 0 && datum.searched == datum.candidates"
    return alt.layer(
        chart.mark_bar(style="all", height={"band": 0.72}).encode(
            x=x("candidates"), x2=start, y=y, tooltip=tooltip
        ),
        chart.mark_bar(style="searched", height={"band": 0.72}).encode(
            x=x("searched"), x2=start, y=y, tooltip=tooltip
        ),
        chart.transform_filter("datum.printed && datum.agrees")
        .mark_tick(style="printed", thickness=2)
        .encode(x=x("printed"), y=y, tooltip=tooltip),
        wrong.mark_tick(style="wrong", thickness=3).encode(x=x("printed"), y=y, tooltip=tooltip),
        wrong.transform_calculate(label="'printed ' + format(datum.printed, ',')")
        .mark_text(style="wrong-label", align="right", dx=-6)
        .encode(x=x("printed"), y=y, text="label:N"),
        chart.transform_filter(some)
        .mark_point(style="found", filled=True, size=70, opacity=1)
        .encode(x=x("found"), y=y, tooltip=tooltip),
        chart.transform_filter(some)
        .mark_text(style="found-label", align="left", dx=9)
        .encode(x=x("found"), y=y, text=alt.Text("found:Q", format=",")),
        chart.transform_filter(none)
        .mark_text(style="none-label", align="left", dx=4, text="none")
        .encode(x=alt.XDatum(0.7, scale=scale), y=y),
    ).properties(**_SIZE, height=19 * len(points) + 8)


def say_search(points: Sequence[Point]) -> str:
    some = [p for p in points if p["found"]]
    full = [p for p in points if p["searched"] == p["candidates"]]
    wrong = [p for p in points if not p["agrees"]]
    named = ", ".join(f"{p['found']:,} at {p['pair']}" for p in some)
    said = (f"{len(full)} of {len(points)} pairs were searched to the end. Structures that reach "
            f"the limit: {named or 'none'}.")  # fmt: skip
    for p in wrong:
        said += (f" The printed total of {p['pair']} is {p['printed']:,.0f}; "
                 f"the formula beside it gives {p['candidates']:,}.")  # fmt: skip
    return said


# Speed --------------------------------------------------------------------------------------


def is_plotted(row: Row, surface: str, operation: str = "encrypt") -> bool:
    """Whether a benchmark row is one of the figures': encryption without associated data."""
    plain = row["operation"] == operation and row["ad_bytes"] == 0 and row["data_bytes"] > 0
    return plain and bool(row["surface"] == surface)


def speed_points(benches: Iterable[Row], surface: str) -> list[Point]:
    """Per-byte cost with its spread, in cycles if every row has them and else in nanoseconds."""
    plotted = [row for row in benches if is_plotted(row, surface)]
    unit = "cycles" if all(row["samples_cycles"] for row in plotted) else "ns"
    points = []
    for row in plotted:
        size, backend = row["data_bytes"], row["backend"]
        points.append({
            "cipher": row["cipher"], "backend": backend, "surface": surface, "unit": unit,
            # The core is drawn a cipher a figure; from Python all ciphers share one.
            "series": backend if surface == "rust" else f"{row['cipher']}, {backend}",
            "bytes": size, "size": data_size(size),
            **{k: v / size for k, v in spread(row[f"samples_{unit}"]).items()},
        })  # fmt: skip
    return sorted(points, key=lambda p: (p["cipher"], p["backend"], p["bytes"]))


def figure_speed(points: Sequence[Point], frame: Sequence[Point]) -> Chart:
    """Median cost per byte by message size and series, with quartiles and extremes.

    The axes and the colours are those of all points of `frame`.
    """
    low, high = min(p["q1"] for p in frame) / 1.3, max(p["q3"] for p in frame) * 1.3
    # A back end keeps its colour and mark in every figure; the legend names those drawn here.
    every = sorted({p["series"] for p in frame})
    legend = alt.Legend(values=sorted({p["series"] for p in points}))
    sizes, unit = sorted({p["bytes"] for p in frame}), frame[0]["unit"]
    scale_x = alt.Scale(type="log", domain=[sizes[0] / 1.4, sizes[-1] * 1.4], nice=False)
    scale_y = alt.Scale(type="log", domain=[low, high], nice=False)
    # Left alone, the library draws a grid line at every multiple of every power of ten.
    ticks = [step * 10.0**k for k in range(-6, 9) for step in (1, 2, 5)
             if low <= step * 10.0**k <= high]  # fmt: skip
    label = (
        "datum.value % 1048576 == 0 ? datum.value / 1048576 + ' MiB' : "
        "datum.value % 1024 == 0 ? datum.value / 1024 + ' KiB' : datum.value + ' B'"
    )
    base = _chart(points).encode(
        x=alt.X("bytes:Q", title="message length", scale=scale_x,
                axis=alt.Axis(values=sizes, labelExpr=label, grid=False,
                              labelOverlap="greedy", labelSeparation=8)),
        y=alt.Y("median:Q", title=f"{unit} per byte (log scale)", scale=scale_y,
                axis=alt.Axis(format="~g", values=ticks, labelOverlap=True)),
        color=alt.Color("series:N", title=None,
                        scale=alt.Scale(domain=every, range="category"), legend=legend),
        tooltip=[alt.Tooltip("series:N", title="back end"), alt.Tooltip("size:N", title="message"),
                 *(alt.Tooltip(f"{k}:Q", title=f"{k}, {unit}/byte", format=".3~g")
                   for k in ("median", "q1", "q3", "min", "max"))],
    )  # fmt: skip

    shape = alt.Shape("series:N", title=None, scale=alt.Scale(domain=every), legend=legend)

    def bars(width: float, lower: str, upper: str) -> alt.Chart:
        bar: alt.Chart = base.mark_rule(strokeWidth=width, opacity=0.45, clip=True)
        return bar.encode(y=alt.Y(f"{lower}:Q", scale=scale_y), y2=f"{upper}:Q")

    return alt.layer(
        bars(1.2, "min", "max"),
        bars(5, "q1", "q3"),
        base.mark_line(strokeWidth=1.5),
        base.mark_point(filled=True, size=44, opacity=1).encode(shape=shape),
    ).properties(**_SIZE, height=300)


def say_speed(points: Sequence[Point]) -> str:
    best = min(points, key=lambda p: p["median"])
    return (f"Fastest here: {best['median']:.3g} {best['unit']} per byte with {best['series']}, "
            f"messages of {best['size']}.")  # fmt: skip
