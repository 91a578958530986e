"""Active S-boxes and trail weights against rounds, of every primitive that has rows."""

import re
from collections.abc import Iterable, Sequence

import altair as alt

from roundworks import spec
from roundworks.bounds import CERTAINTY
from roundworks.report.figures import SIZE, Chart, Point, chart, end_names, ends
from roundworks.report.known import of
from roundworks.report.tables import PaperTables
from roundworks.report.values import number
from roundworks.report.values import rounds as in_rounds
from roundworks.rows import BoundRow

VIEWS = ("differential", "linear")
ONCE, EXECUTED = "distinct", "executed"
_SAID = {ONCE: "one input, one S-box", EXECUTED: "as often as executed"}


def group_of(cipher: str) -> str:
    """Which figure a primitive is in: what has one size of state is compared."""
    listed = spec.ciphers()
    # A variant that is described only has no entry of its own, but its family has.
    if cipher in {f.name for f in listed} or cipher.partition("-")[0] in {f.family for f in listed}:
        return "ciphers"
    sizes = {
        facts.name.partition(":")[0]: 8 * facts.word_bytes * facts.words for facts in spec.permutations()
    }
    bits = sizes.get(cipher.partition(":")[0])
    return f"permutations of {bits} bits" if bits else "block ciphers and own descriptions"


def wanted(papers: Sequence[PaperTables], group: str) -> list[Point]:
    """What a paper wants of permutations of this size, as its file has it."""
    points = []
    for paper in papers:
        for cell in paper.cells:
            match = re.match(r"active S-boxes wanted, (\d+) bits", cell.row_name)
            value = number(cell.paper_value)
            if match and value is not None and group == f"permutations of {match[1]} bits":
                label = f"{value:g} wanted [{paper.cite or paper.key}]"
                points.append({"value": value, "label": label})
    return points


def is_drawn(row: BoundRow) -> bool:
    """Whether it has a place in the figures: a trail alone bounds nothing."""
    return row.value is not None and bool(row.rounds) and row.side != "upper"


def points_by_rounds(rows: Iterable[BoundRow]) -> list[Point]:
    """A point for each result; ``exact`` False is a lower bound.

    Primitives whose curves are the same in every view and count share one series; ``results`` says how
    many there are of it.
    """
    curves: dict[str, dict[tuple[str, str, int], Point]] = {}
    for row in rows:
        if row.value is None or row.rounds is None or not is_drawn(row):
            continue
        view, count = of(row)
        curves.setdefault(row.cipher, {})[view, count, row.rounds] = {
            "rounds": row.rounds,
            "value": row.value,
            "view": view,
            "count": count,
            "exact": row.side == "exact",
            "upper": row.upper,
            "side": "exactly" if row.side == "exact" else at_least(row),
            "certainty": CERTAINTY[row.certainty],
            "solver": row.solver or "",
        }
    shared: dict[str, list[str]] = {}
    for cipher, curve in curves.items():
        shape = sorted((*key, point["value"], point["exact"]) for key, point in curve.items())
        shared.setdefault(repr(shape), []).append(cipher)
    return sorted(
        (
            {**point, "series": _joined(ciphers), "results": len(ciphers)}
            for ciphers in shared.values()
            for point in curves[ciphers[0]].values()
        ),
        key=lambda p: (p["series"], p["view"], p["count"], p["rounds"]),
    )


def at_least(row: BoundRow) -> str:
    """``at least``, and over how many rounds that was shown."""
    return f"at least, as over {in_rounds(row.as_over)}" if row.as_over else "at least"


def _joined(ciphers: Sequence[str]) -> str:
    """At most two names, without what the figure's title says of them all."""
    names = [re.sub(r"^feistel\d+:(.*)", r"(\1)", name) for name in sorted(ciphers)]
    return ", ".join(names) if len(names) < 3 else f"{names[0]} and {len(names) - 1} more"


def figure_by_rounds(points: Sequence[Point], title: str, limits: Sequence[Point] = ()) -> Chart:
    """Exact values filled and lower bounds hollow, a step for each round; buttons choose the view."""
    names = sorted({p["series"] for p in points})
    views = [view for view in VIEWS if any(p["view"] == view for p in points)]
    chosen = [_radio("view", views, [f"{view} " for view in views])]
    shown = "datum.view == view"
    if differs(points):
        chosen.append(_radio("count", [ONCE, EXECUTED], [f"{_SAID[c]} " for c in _SAID]))
        shown += " && datum.count == count"
    else:
        points = [p for p in points if p["count"] != EXECUTED] or points
    top = 1.06 * max(p["value"] for p in [*points, *limits]) or 1
    last = max(p["rounds"] for p in points)
    height = max(320, 14 * len(names))  # the names at the ends of lines, one below the other
    across = alt.Scale(domain=[0.7, last + 0.5], nice=False)
    scale = alt.Scale(domain=[0, top], nice=False)
    colour = alt.Color("series:N", title=None, legend=None, scale=alt.Scale(domain=names, range="category"))
    base = (
        chart(points)
        .transform_filter(shown)
        .encode(
            x=alt.X(
                "rounds:Q",
                title="rounds",
                scale=across,
                axis=alt.Axis(values=list(range(1, last + 1)), grid=False, format="d"),
            ),
            y=alt.Y("value:Q", title=title, scale=scale, axis=alt.Axis(tickMinStep=1)),
            color=colour,
            tooltip=[
                alt.Tooltip("series:N", title="primitive"),
                alt.Tooltip("rounds:Q"),
                alt.Tooltip("side:N", title="is"),
                alt.Tooltip("value:Q", title=title),
                alt.Tooltip("upper:Q", title="best trail"),
                alt.Tooltip("certainty:N"),
                alt.Tooltip("solver:N"),
            ],
        )
    )
    shape = alt.Shape("series:N", title=None, legend=None, scale=alt.Scale(domain=names))
    named = [
        {**name, "view": view, "count": count, "rounds": last + 0.5}
        for view, count in dict.fromkeys((p["view"], p["count"]) for p in points)
        for name in ends(
            [p for p in points if (p["view"], p["count"]) == (view, count)],
            "rounds",
            "value",
            height,
            (0, top),
            log=False,
        )
    ]
    text, space = end_names(named)
    layers = [
        text.transform_filter(shown).encode(
            x=alt.X("rounds:Q", scale=across),
            y=alt.Y("value:Q", scale=scale),
            color=colour,
            text=alt.Text("series:N"),
        ),
        base.mark_line(strokeWidth=1.3, interpolate="step-after", opacity=0.75),
        base.transform_filter("datum.exact").mark_point(filled=True, size=60, opacity=1).encode(shape=shape),
        base.transform_filter("!datum.exact")
        .mark_point(filled=False, size=70, strokeWidth=1.6, opacity=1)
        .encode(shape=shape),
    ]
    if limits:
        y = alt.Y("value:Q", scale=scale)
        text = chart(limits).mark_text(style="limit-label", align="left", baseline="bottom", dy=-3)
        layers = [
            chart(limits).mark_rule(style="limit", strokeWidth=1.2).encode(y=y),
            text.encode(y=y, x=alt.XDatum(0.7, scale=across), text=alt.Text("label:N")),
            *layers,
        ]
    return alt.layer(*layers).add_params(*chosen).properties(**SIZE, **space, height=height)


def _radio(name: str, options: Sequence[str], labels: Sequence[str]) -> alt.Parameter:
    bind = alt.binding_radio(options=list(options), labels=list(labels), name=f"{name}: ")
    return alt.param(name=name, value=options[0], bind=bind)


def differs(points: Sequence[Point]) -> bool:
    """Whether any count as executed is another than that of distinct S-boxes."""

    def at(p: Point) -> tuple[str, str, int]:
        return p["series"], p["view"], p["rounds"]

    once = {at(p): p["value"] for p in points if p["count"] != EXECUTED}
    return any(once.get(at(p), p["value"]) != p["value"] for p in points if p["count"] == EXECUTED)


def say_by_rounds(points: Sequence[Point], what: str, limits: Sequence[Point] = ()) -> str:
    """How far the exact results go, and which primitive reaches what a paper wants.

    ``what`` has a place for a number: ``{:g} active S-boxes``.
    """
    of = sum(p["results"] for p in points)
    shown = sum(p["results"] for p in points if p["exact"])
    said = f"{shown} of {of} results are exact, the others lower bounds."
    if shown == of:
        said = f"All {of} results are exact." if of > 1 else "The one result is exact."
    if exact := [p for p in points if p["exact"] and p["count"] != EXECUTED] or [
        p for p in points if p["exact"]
    ]:
        most = max(exact, key=lambda p: (p["value"], -p["rounds"]))
        have = "has" if most["rounds"] == 1 else "have"
        said = (
            f"{in_rounds(most['rounds'])} of {most['series']} {have} {what.format(most['value'])}"
            f" ({most['view']}), the most that is shown exactly. {said}"
        )
    for limit in limits:
        paper = [p for p in points if p["count"] == EXECUTED and p["view"] == "differential"]
        first: dict[str, int] = {}
        for p in paper:
            if p["value"] >= limit["value"]:
                first.setdefault(p["series"], p["rounds"])
        reached = ", ".join(f"{name} in {in_rounds(rounds)}" for name, rounds in first.items())
        said += f" {limit['label']}: " + (
            f"reached by {reached}, counted as executed."
            if reached
            else "nothing here is shown to reach it yet."
        )
    return said
