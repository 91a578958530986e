"""Which word is in which stage of a core in which cycle, as a simulation saw it.

A bench reports a ``trace``: for every cycle, stage -> the word in it, and what else it knows of it. What
follows the word is the update that made it and what the round has done to it so far; of a core that
works byte by byte it is a cycle of its step instead, and alone.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import altair as alt
from markupsafe import Markup

from roundworks import spec
from roundworks.report.figures import SIZE, Chart, Point, chart
from roundworks.report.frame import Figure, made_by
from roundworks.report.hardware_rows import newest_runs, words
from roundworks.rows import Row

# Three updates of five words through one stage: enough to see the pattern come again.
_WORDS = 15
# A cell narrower than this part of the whole cannot show its word.
_LEGIBLE = 1 / 26


def is_trace(row: Row) -> bool:
    """Whether a row of a simulation says which word was where."""
    return bool(_traces(row))


def _traces(row: Row) -> list[dict[str, Any]]:
    return [report for report in row["reports"] if report.get("kind") == "trace"]


def pipelines(simulations: Iterable[Row]) -> list[Figure]:
    """A diagram for each core that was traced, of its newest run."""
    figures = []
    for row in newest_runs([row for row in simulations if is_trace(row)]):
        points = pipeline_points(row)
        if not points:
            continue
        design = next((d.name for d in spec.designs() if d.core == row["core"]), "")
        title = f"{row['core']}{f' ({design})' if design else ''}: which word is where"
        slug = "-".join([row["core"], *row["parameters"].values()])
        caption = Markup(
            "Clock 0 is that of the request. Words are those of the state, found by their"
            " values in {} {}, {}. "
        ).format(row["simulator"], row["version"], words(row["parameters"]) or "no parameters")
        figures.append(
            Figure(
                f"pipeline-{slug}",
                title,
                say_pipeline(points, row),
                caption + made_by([row]),
                figure_pipeline(points, stages_of(row)),
                "",
            )
        )
    return figures


def pipeline_points(row: Row) -> list[Point]:
    """A point for every stretch of clocks with one word in a stage, from the request on.

    They end where a stage has had `_WORDS` words.
    """
    points: list[Point] = []
    last: dict[str, Point] = {}
    had = Counter[str]()
    for now in sorted(_traces(row), key=lambda report: int(report["cycle"])):
        for stage, values in now["stages"].items():
            point = _point(int(now["cycle"]), str(stage), values)
            before = last.get(stage)
            if before and before["end"] == point["cycle"] and _same(before, point):
                before["end"] = point["end"]
            elif had[stage] < _WORDS:
                points.append(point)
                last[stage] = point
                had[stage] += 1
            else:
                return [p for p in points if p["cycle"] < point["cycle"]]
    return points


def _point(cycle: int, stage: str, values: Sequence[Any]) -> Point:
    word, *more = values
    update = more[0] if len(more) > 1 else None
    return {"cycle": cycle, "end": cycle + 1, "stage": stage, "word": f"S{word}", "update": update}


def _same(one: Point, other: Point) -> bool:
    return (one["word"], one["update"]) == (other["word"], other["update"])


def stages_of(row: Row) -> list[str]:
    """In the bench's order: that of the clock with most stages at work, then as they come."""
    stages = [list(t["stages"]) for t in _traces(row)]
    return list(dict.fromkeys([*max(stages, key=len), *(name for names in stages for name in names)]))


def figure_pipeline(points: Sequence[Point], order: Sequence[str]) -> Chart:
    """Clocks across, stages down, a colour for each word."""
    shown = {p["stage"] for p in points}
    stages = [stage for stage in order if stage in shown]
    names = sorted({p["word"] for p in points})
    last = max(p["end"] for p in points)
    step = next((s for s in (1, 2, 5, 10, 20, 50, 100) if last / s <= 16), 200)
    axis = alt.Axis(values=list(range(0, last + 1, step)), grid=False, format="d")
    update = [alt.Tooltip("update:Q", title="made by update")]
    y = alt.Y("stage:N", title=None, sort=stages, axis=alt.Axis(labelLimit=150, ticks=False, domain=False))
    base = chart(points)
    cells = base.mark_rect(cornerRadius=2, height={"band": 0.84}).encode(
        x=alt.X("cycle:Q", title="cycle", scale=alt.Scale(domain=[0, last], nice=False), axis=axis),
        x2=alt.X2("end:Q"),
        y=y,
        color=alt.Color("word:N", title=None, scale=alt.Scale(domain=names, range="category")),
        tooltip=[
            alt.Tooltip("stage:N"),
            alt.Tooltip("word:N"),
            alt.Tooltip("cycle:Q", title="from cycle"),
            alt.Tooltip("end:Q", title="to, without"),
            *(update if points[0]["update"] is not None else []),
        ],
    )
    named = (
        base.transform_filter(f"datum.end - datum.cycle >= {last * _LEGIBLE}")
        .transform_calculate(middle="(datum.cycle + datum.end) / 2")
        .mark_text(style="cell", fontSize=10)
        .encode(x=alt.X("middle:Q"), y=y, text=alt.Text("word:N"))
    )
    return alt.layer(cells, named).properties(**SIZE, height=26 * len(stages) + 10)


def say_pipeline(points: Sequence[Point], row: Row) -> str:
    """How much of the time the stages have work, and how much of the message is shown."""
    stages = {p["stage"] for p in points}
    clocks = max(p["end"] for p in points)
    whole = max(int(report["cycle"]) for report in _traces(row))
    busy = sum(p["end"] - p["cycle"] for p in points) / (len(stages) * clocks)
    many = f"{len(stages)} stages" if len(stages) > 1 else "One stage"
    return (
        f"{many}, the first {clocks} of {whole} clocks of a message; a word was seen in"
        f" {busy:.0%} of their cells."
    )
