"""The figures: one function each from points to a chart, with the sentence the chart supports.

Colours are named by role (`style`, `range="category"`) and given by the page, which has a light
and a dark set; nothing here fixes a colour.
"""

import math
import re
from collections.abc import Iterable, Sequence
from typing import Any

import altair as alt

from roundworks.report.tables import TableCell
from roundworks.report.values import number
from roundworks.report.values import rounds as in_rounds
from roundworks.rows import BoundRow, SearchRow, latest

Point = dict[str, Any]
_GROWTH = 340  # pixels of the height
_RING = "M-1,0A1,1,0,1,1,1,0A1,1,0,1,1,-1,0ZM-0.76,0A0.76,0.76,0,1,0,0.76,0A0.76,0.76,0,1,0,-0.76,0Z"
# The page gives the width; only that is fitted, so the heights below stay as written.
SIZE = {"width": "container", "autosize": alt.AutoSizeParams(type="fit-x", contains="padding")}
Chart = alt.LayerChart | alt.FacetChart  # what altair's layer().properties() is typed to give


class PointsChart(alt.Chart):
    """A chart over points that stand in the page.

    Altair copies every part of a chart, and each of its points, several times for each layer and changes
    the outermost part alone: here copies share the rest.
    """

    def __deepcopy__(self, memo: object) -> "PointsChart":
        return self.copy(deep=False)


def chart(points: Sequence[Point]) -> alt.Chart:
    """A chart over points that stand in the page."""
    return PointsChart(alt.InlineData(values=list(points)))


# Names at the ends of lines ------------------------------------------------------------------

_LINE, _LETTER = 13, 6.6  # pixels of a line of text, and of a letter


def ends(
    points: Sequence[Point], x: str, y: str, height: int, domain: tuple[float, float], log: bool
) -> list[Point]:
    """Where the name of each series stands, to the right of its last point; names that would overlap are
    moved apart. `domain` is the range of the axis, `height` its pixels."""
    low, high = (math.log(v) for v in domain) if log else domain
    last: dict[str, Point] = {}
    for p in points:
        if p["series"] not in last or p[x] > last[p["series"]][x]:
            last[p["series"]] = p

    def pixel(p: Point) -> float:
        return height * (high - (math.log(p[y]) if log else p[y])) / (high - low)

    order = sorted(last.values(), key=pixel)
    places = [pixel(p) for p in order]
    for i in range(1, len(places)):
        places[i] = max(places[i], places[i - 1] + _LINE)
    places[-1:] = [min(place, height) for place in places[-1:]]
    for i in reversed(range(len(places) - 1)):
        places[i] = min(places[i], places[i + 1] - _LINE)
    values = [high - place / height * (high - low) for place in places]
    right = max(p[x] for p in points)
    return [
        {"series": p["series"], x: right, y: math.exp(value) if log else value}
        for p, value in zip(order, values, strict=True)
    ]


def end_names(names: Sequence[Point]) -> tuple[alt.Chart, dict[str, Any]]:
    """The names of `ends` as a layer without its encoding, and the properties that leave space for them."""
    wide = max(len(p["series"]) for p in names) * _LETTER + 14
    layer: alt.Chart = chart(names).mark_text(align="left", dx=8, style="end-name", clip=False)
    return layer, {"padding": {"left": 5, "top": 8, "right": min(wide, 190), "bottom": 5}}


# Growth of the number of active functions ---------------------------------------------------


def growth_points(bounds: Iterable[BoundRow], printed: Iterable[TableCell]) -> list[Point]:
    """Active functions by rounds: ours for each cipher, and the paper's own where it has a table.

    The round count of a printed cell is the name of its row or of its column, whichever is a
    number: the paper lies its table down.
    """
    points = []
    for cell in printed:
        rounds = next((int(n) for n in (cell.row_name, cell.column) if n.isdigit()), None)
        active = number(cell.paper_value)
        if rounds is not None and active is not None:
            points.append({"rounds": rounds, "active": active, "series": "AETHER as printed"})
    for name, curve in _curves(bounds, "active-f"):
        points += [{"rounds": rounds, "active": active, "series": name} for rounds, active in curve.items()]
    return sorted(points, key=lambda p: ("printed" in p["series"], p["series"], p["rounds"]))


def _curves(
    bounds: Iterable[BoundRow], measure: str, full: float | None = None
) -> list[tuple[str, dict[int, float]]]:
    """Value by rounds, for each cipher, up to the round that reaches ``full``.

    Variants with one round function have one curve: drawn twice, the first would be hidden.
    """
    curves: dict[str, dict[int, float]] = {}
    for row in latest(bounds, ["cipher", "measure", "rounds"]):
        if row.measure == measure and row.rounds and row.value is not None:
            curves.setdefault(row.cipher, {})[row.rounds] = row.value
    shared: dict[str, list[str]] = {}
    for cipher, curve in curves.items():
        if full is not None:
            end = min((r for r, value in curve.items() if value >= full), default=max(curve))
            curves[cipher] = curve = {r: v for r, v in sorted(curve.items()) if r <= end}
        shared.setdefault(repr(sorted(curve.items())), []).append(cipher)
    return [
        (" and ".join(name.upper() for name in sorted(ciphers)), curves[ciphers[0]])
        for ciphers in shared.values()
    ]


def diffusion_points(bounds: Iterable[BoundRow]) -> list[Point]:
    """Share of dependent word pairs by rounds, from the start to where it is full."""
    points = []
    for name, curve in _curves(bounds, "diffusion", full=100):
        points += [{"rounds": r, "share": share, "series": name} for r, share in curve.items()]
    return sorted(points, key=lambda p: (p["series"], p["rounds"]))


def figure_diffusion(points: Sequence[Point]) -> Chart:
    """Share of word pairs with a dependence, a row for each cipher and a column for each round."""
    last = {p["series"]: (-p["share"], p["rounds"], p["series"]) for p in points}
    names = sorted(last, key=lambda name: last[name])
    base = chart(points).encode(
        x=alt.X(
            "rounds:O",
            title="rounds",
            axis=alt.Axis(labelAngle=0, ticks=False, domain=False, labelOverlap=True),
        ),
        y=alt.Y("series:N", title=None, sort=names, axis=alt.Axis(labelLimit=220, ticks=False, domain=False)),
        tooltip=[
            alt.Tooltip("series:N", title="cipher"),
            alt.Tooltip("rounds:Q"),
            alt.Tooltip("share:Q", title="% of word pairs", format=".1f"),
        ],
    )
    shade = alt.Color("share:Q", legend=None, scale=alt.Scale(domain=[0, 100], range="ramp"))
    return alt.layer(
        base.mark_rect().encode(color=shade),
        *(
            base.transform_filter(where).mark_text(style=style).encode(text=alt.Text("share:Q", format=".0f"))
            for where, style in (("datum.share > 60", "share-on"), ("datum.share <= 60", "share"))
        ),
    ).properties(**SIZE, height=22 * len(names))


def say_diffusion(points: Sequence[Point]) -> str:
    """After how many rounds each cipher has full diffusion, the fastest and the slowest first."""
    full = {p["series"]: p["rounds"] for p in points if p["share"] >= 100}
    if not full:
        return "No cipher here reaches full diffusion in the rounds computed."
    by_rounds: dict[int, list[str]] = {}
    for name, rounds in sorted(full.items(), key=lambda each: (each[1], each[0])):
        by_rounds.setdefault(rounds, []).append(name)
    fast, slow = min(by_rounds), max(by_rounds)
    first = by_rounds[fast][0]
    said = f"{first} {'have' if ' and ' in first else 'has'} full diffusion after {in_rounds(fast)}"
    if slow > fast:
        said += f", {' and '.join(by_rounds[slow])} after {slow}"
    said += ". Every word then depends on every word of the first state."
    if never := sorted({p["series"] for p in points} - set(full)):
        said += f" {', '.join(never)} do not come to it in the rounds computed."
    return said


def figure_growth(points: Sequence[Point]) -> Chart:
    """Fewest active functions in the initialisation against rounds, print and ours."""
    names = list(dict.fromkeys(p["series"] for p in points))
    top = 1.05 * max(p["active"] for p in points)
    scale = alt.Scale(domain=[0, top], nice=False)
    colour = alt.Color("series:N", title=None, legend=None, scale=alt.Scale(domain=names, range="category"))
    named = ends(points, "rounds", "active", _GROWTH, (0, top), log=False)
    ours = chart([p for p in points if "printed" not in p["series"]])
    printed = chart([p for p in points if "printed" in p["series"]])
    # A ring for the print and a dot for ours: a dot inside its ring reads as agreement.
    shapes = [_RING if "printed" in name else "circle" for name in names]

    def encoded(chart: alt.Chart) -> alt.Chart:
        return chart.encode(
            x=alt.X(
                "rounds:Q",
                title="rounds",
                axis=alt.Axis(tickMinStep=1, grid=False),
                scale=alt.Scale(zero=False),
            ),
            y=alt.Y("active:Q", title="fewest active functions (F, or AES rounds)", scale=scale),
            color=colour,
            tooltip=[
                alt.Tooltip("series:N", title="series"),
                alt.Tooltip("rounds:Q"),
                alt.Tooltip("active:Q", title="active functions"),
            ],
        )

    # The shape is not shared with the line: a line with a shape draws points of its own.
    shape = alt.Shape("series:N", legend=None, scale=alt.Scale(domain=names, range=shapes))
    text, space = end_names(named)
    return alt.layer(
        text.encode(
            x=alt.X("rounds:Q"), y=alt.Y("active:Q", scale=scale), color=colour, text=alt.Text("series:N")
        ),
        encoded(ours.mark_line(strokeWidth=1.5)),
        encoded(printed.mark_point(filled=True, size=170, opacity=1)).encode(shape=shape),
        encoded(ours.mark_point(filled=True, size=38, opacity=1)).encode(shape=shape),
    ).properties(**SIZE, **space, height=_GROWTH)


def say_growth(points: Sequence[Point]) -> str:
    """At how many numbers of rounds print and computation agree."""
    ours = {p["rounds"]: p["active"] for p in points if re.match(r"AETHER(?! as printed)\b", p["series"])}
    printed = {p["rounds"]: p["active"] for p in points if "printed" in p["series"]}
    both = sorted(ours.keys() & printed.keys())
    if not both:
        return "No round count has both a printed value and one computed here."
    wrong = [str(r) for r in both if ours[r] != printed[r]]
    if wrong:
        return (
            f"At {len(both) - len(wrong)} of {len(both)} round counts the printed number and "
            f"ours agree; they differ at {', '.join(wrong)}."
        )
    return (
        f"All {len(both)} bounds that the paper prints for AETHER, over {both[0]} to {both[-1]} rounds, are"
        " those of the wiring that was chosen to give them. A dot in a ring is ours on the print."
    )


# The search space ---------------------------------------------------------------------------


# Active F that [AETHER, Table 6] wants of an internal collision.
SEARCHED_ACTIVE = 8


def search_points(searches: Iterable[SearchRow], printed: Iterable[TableCell]) -> list[Point]:
    """One point per (words, inputs) with the limit of the paper, a complete search before a partial one."""
    totals = {}
    for cell in printed:
        pair = re.findall(r"\d+", cell.row_name)
        if len(pair) == 2 and "total" in cell.column.lower():
            totals[int(pair[0]), int(pair[1])] = number(cell.paper_value)
    of_table = (row for row in searches if row.active == SEARCHED_ACTIVE)
    ranked = sorted(of_table, key=lambda row: (row.complete, row.time))
    best = {(row.words, row.inputs): row for row in ranked}
    return [
        {
            "pair": f"({words}, {inputs})",
            "candidates": row.candidates,
            "searched": row.searched,
            "found": row.found,
            "printed": totals.get((words, inputs)),
            "agrees": totals.get((words, inputs)) in (None, row.candidates),
        }
        for (words, inputs), row in sorted(best.items())
        if row.candidates > 0
    ]


def figure_search(points: Sequence[Point]) -> Chart:
    """Structures by (words, inputs): all, searched, found, and the paper's total."""
    drawn = chart(points)
    order = [p["pair"] for p in points]
    top = max(p["printed"] or 0 for p in points)
    top = max(top, *(p["candidates"] for p in points)) * 4
    scale = alt.Scale(type="log", domain=[0.7, top], nice=False)
    y = alt.Y("pair:N", title="(words, inputs)", sort=order)
    axis = alt.Axis(format="~s", tickCount=6, labelOverlap=True)

    def x(field: str) -> alt.X:
        return alt.X(f"{field}:Q", title="structures (log scale)", scale=scale, axis=axis)

    tooltip = [alt.Tooltip("pair:N", title="(words, inputs)")] + [
        alt.Tooltip(f"{field}:Q", title=title, format=",d")
        for field, title in (
            ("candidates", "structures"),
            ("searched", "searched"),
            ("found", "found"),
            ("printed", "printed total"),
        )
    ]
    start = alt.X2Datum(0.7)
    beyond = 7 * max(len(f"{p['found']:,}") for p in points)  # pixels of the longest label
    wrong = drawn.transform_filter("!datum.agrees")
    some, none = "datum.found > 0", "datum.found == 0 && datum.searched == datum.candidates"
    return alt.layer(
        drawn.mark_bar(style="all", height={"band": 0.72}).encode(
            x=x("candidates"), x2=start, y=y, tooltip=tooltip
        ),
        drawn.mark_bar(style="searched", height={"band": 0.72}).encode(
            x=x("searched"), x2=start, y=y, tooltip=tooltip
        ),
        drawn.transform_filter("datum.printed && datum.agrees")
        .mark_tick(style="printed", thickness=2)
        .encode(x=x("printed"), y=y, tooltip=tooltip),
        wrong.mark_tick(style="wrong", thickness=3).encode(x=x("printed"), y=y, tooltip=tooltip),
        wrong.transform_calculate(label="'printed ' + format(datum.printed, ',d')")
        .mark_text(style="wrong-label", align="right", dx=-6)
        .encode(x=x("printed"), y=y, text=alt.Text("label:N")),
        drawn.transform_filter(some)
        .mark_point(style="found", filled=True, size=70, opacity=1)
        .encode(x=x("found"), y=y, tooltip=tooltip),
        drawn.transform_filter(some)
        .mark_text(style="found-label", align="left", dx=9)
        .encode(x=x("found"), y=y, text=alt.Text("found:Q", format=",d")),
        drawn.transform_filter(none)
        .mark_text(style="none-label", align="left", dx=4, text="none")
        .encode(x=alt.XDatum(0.7, scale=scale), y=y),
    ).properties(
        **SIZE, padding={"left": 5, "top": 5, "right": beyond, "bottom": 5}, height=19 * len(points) + 8
    )


def say_search(points: Sequence[Point]) -> str:
    """How many pairs were searched to the end, and what was found."""
    some = [p for p in points if p["found"]]
    full = [p for p in points if p["searched"] == p["candidates"]]
    wrong = [p for p in points if not p["agrees"]]
    named = ", ".join(f"{p['found']:,} at {p['pair']}" for p in some)
    said = (
        f"{len(some)} of {len(points)} pairs of words and inputs have structures that reach the limit"
        f"{': ' + named if some else ''}. {len(full)} of {len(points)} were searched to the end."
    )
    for p in wrong:
        said += (
            f" The printed total of {p['pair']} is {p['printed']:,.0f}; "
            f"the formula gives {p['candidates']:,}."
        )
    return said
