"""The solver race: the time of every solver at every instance."""

from collections import Counter
from collections.abc import Iterable, Sequence

import altair as alt

from roundworks.report.figures import SIZE, Chart, Point, chart
from roundworks.report.values import seconds
from roundworks.rows import Row, latest

_FLOOR = 0.001  # a log scale has no zero; nothing here is timed more finely


def race_rows(solves: Iterable[Row]) -> list[Row]:
    """The newest row of each pair on each machine, by instance."""
    newest = latest(solves, ["machine", "instance", "solver"])
    order = list(dict.fromkeys(row["instance"] for row in newest))
    return sorted(newest, key=lambda row: (order.index(row["instance"]), row["solver"]))


def race_points(rows: Iterable[Row]) -> list[Point]:
    """A point for each solver and instance: seconds, and whether it was stopped."""
    return [
        {
            "instance": row["instance"],
            "solver": row["solver"],
            "version": row["version"],
            "seconds": max(row["seconds"], _FLOOR),
            "said": seconds(row["seconds"]),
            "stopped": row["status"] == "bounded",
            "outcome": outcome(row),
        }
        for row in rows
    ]


def outcome(row: Row) -> str:
    """What a solver showed, in words."""
    if row["status"] == "infeasible":
        return "no solution exists"
    if row["status"] == "optimal":
        return f"weight {row['upper']:g}" if row["unit"] == "-log2" else f"{row['upper']:g} {row['unit']}"
    best = "nothing found" if row["upper"] is None else f"best {row['upper']:g}"
    return f"stopped: at least {row['lower']:g}, {best}"


def figure_race(points: Sequence[Point]) -> Chart:
    """Bars of time, hollow where the limit came first."""
    instances = list(dict.fromkeys(p["instance"] for p in points))
    solvers = sorted({p["solver"] for p in points})
    low, high = min(p["seconds"] for p in points) / 2, max(p["seconds"] for p in points) * 6
    scale = alt.Scale(type="log", domain=[low, high], nice=False)
    ticks = [step * 10.0**k for k in range(-4, 5) for step in (1, 3) if low <= step * 10.0**k <= high]
    colour = alt.Color("solver:N", title=None, scale=alt.Scale(domain=solvers, range="category"))
    base = chart(points).encode(
        x=alt.X(
            "seconds:Q",
            title="seconds (log scale)",
            scale=scale,
            axis=alt.Axis(format="~g", values=ticks, labelOverlap=True),
        ),
        y=alt.Y(
            "instance:N",
            title=None,
            sort=instances,
            axis=alt.Axis(
                labelExpr="split(datum.label, ', ')",
                labelLimit=140,
                labelPadding=6,
                ticks=False,
                domain=False,
            ),
        ),
        yOffset=alt.YOffset("solver:N", sort=solvers),
        tooltip=[
            alt.Tooltip("instance:N"),
            alt.Tooltip("version:N", title="solver"),
            alt.Tooltip("said:N", title="time"),
            alt.Tooltip("outcome:N"),
        ],
    )
    start = alt.X2Datum(low)
    done, stopped = "!datum.stopped", "datum.stopped"
    height = {"band": 0.8}
    return alt.layer(
        base.transform_filter(done).mark_bar(height=height).encode(x2=start, color=colour),
        base.transform_filter(stopped)
        .mark_bar(height=height, filled=False, strokeWidth=1.4, strokeDash=[4, 2])
        .encode(x2=start, color=colour),
        base.transform_filter(done)
        .mark_text(style="found-label", align="left", dx=5, dy=7)
        .encode(text=alt.Text("said:N")),
        base.transform_filter(stopped).mark_text(style="none-label", align="left", dx=5, dy=7, text="limit"),
    ).properties(**SIZE, height=(16 * len(solvers) + 14) * len(instances))


def say_race(points: Sequence[Point]) -> str:
    """The fastest solver of each instance, in a sentence."""
    said, first = [], Counter[str]()
    names = list(dict.fromkeys(p["instance"] for p in points))
    for name in names:
        here = [p for p in points if p["instance"] == name]
        done = sorted((p for p in here if not p["stopped"]), key=lambda p: p["seconds"])
        if not done:
            said.append(f"{name}: none of {len(here)} within the limit")
        else:
            first[done[0]["solver"]] += 1
            said.append(f"{name}: {done[0]['solver']} in {done[0]['said']}")
    stopped = sum(p["stopped"] for p in points)
    head = ", ".join(f"{solver} is the fastest on {n}" for solver, n in first.most_common())
    return (
        f"Of {len(names)} instances {head or 'none was solved'}. {'; '.join(said)}."
        f" {stopped} of {len(points)} runs came to their limit."
    )
