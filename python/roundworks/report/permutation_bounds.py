"""Bound against cycles, and the speed at the rounds that a bound demands.

S-boxes of one input are counted once here: that is what a trail has to pay for.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import altair as alt
from markupsafe import Markup

from roundworks import spec
from roundworks.bounds import CERTAINTY
from roundworks.report.counts import VIEWS
from roundworks.report.figures import SIZE, Chart, Point, chart
from roundworks.report.frame import MAKERS, Figure, in_words, made_by, on_machine
from roundworks.report.known import COUNTS
from roundworks.report.permutation_speed import (
    PAPER,
    PLAIN,
    TABLES,
    Key,
    MeasuredSpeed,
    facts_of,
    key_of,
    speed_of,
)
from roundworks.report.values import number as number_of
from roundworks.rows import PermutationRow, Row

Bounds = Mapping[Key, Mapping[str, Row]]
"""Permutation and rounds -> view -> what is known."""
_ONE, _MANY = "one block", "many blocks"


def bounds_of(known: Sequence[Row]) -> Bounds:
    """The best bound of each permutation and number of rounds, S-boxes of one input counted once."""
    by_key: dict[Key, dict[str, Row]] = {}
    for row in known:
        counted = row["measure"] == COUNTS and row.get("count") == "distinct"
        if counted and row.get("view") in VIEWS and row["rounds"] and row["value"] is not None:
            by_key.setdefault(key_of(row["cipher"], row["rounds"]), {})[row["view"]] = row
    return by_key


# Speeds of one run: permutation and rounds -> one block, and the best batch.
Speeds = Mapping[Key, Mapping[str, MeasuredSpeed]]


def by_run(rows: Sequence[PermutationRow]) -> list[Speeds]:
    """On registers of 128 bits, the newest run first."""
    runs: dict[str, dict[Key, dict[str, MeasuredSpeed]]] = {}
    for row in rows:
        way = {"chain": _ONE, "many": _MANY}.get(row["way"])
        if row["backend"] == PLAIN and way:
            key = key_of(row["permutation"], row["rounds"])
            ways = runs.setdefault(row["run"], {}).setdefault(key, {})
            mine = speed_of(row)
            ways[way] = min(mine, ways.get(way, mine), key=lambda s: s.median)
    return [*reversed(runs.values())]


def lower_bounds(views: Mapping[str, Row]) -> Mapping[str, Row]:
    """Without the views of which a trail alone is known."""
    return {view: row for view, row in views.items() if row["side"] != "upper"}


def scatter_points(bounds: Bounds, runs: Sequence[Speeds]) -> list[Point]:
    """Where a bound and a speed are known; the lower bound of two views, or that of the only one."""
    points: list[Point] = []
    for key, known in bounds.items():
        if not (views := lower_bounds(known)):
            continue
        lower = min(views.values(), key=lambda row: row["value"])
        for way in (_ONE, _MANY):
            speed = next((run[key][way] for run in runs if way in run.get(key, {})), None)
            if speed is not None:
                points.append(
                    {
                        "permutation": key[0],
                        "rounds": key[1],
                        "bound": lower["value"],
                        "cycles": speed.median,
                        "blocks": way,
                        "bits": f"{8 * speed.row['block_bytes']} bits",
                        "views": "both" if len(views) == len(VIEWS) else f"{lower['view']} only",
                        "both": len(views) == len(VIEWS),
                        "certainty": CERTAINTY[lower["certainty"]],
                    }
                )
    return points


def scatter(machine: str, bounds: Bounds, runs: Sequence[Speeds]) -> Figure:
    """Bounds against speeds as a figure with its sentence; without a chart if nothing has both."""
    name, title = f"permutations-{machine}", "Active S-boxes against cycles"
    points = scatter_points(bounds, runs)
    if not points:
        return Figure(name, title, "", Markup(""), None, MAKERS["permutation"])
    there = {(p["permutation"], p["rounds"]) for p in points}
    both = {(p["permutation"], p["rounds"]) for p in points if p["both"]}
    best = max(points, key=lambda p: (p["bound"] / p["cycles"], p["permutation"]))
    sentence = (
        f"{best['permutation']} over {best['rounds']:g} rounds has the most active S-boxes for its cycles:"
        f" {best['bound']:g} at {best['cycles']:.3g} cycles per byte, {best['blocks']}."
        f" {len(there)} pairs of permutation and rounds have a bound and a speed, {len(both)} of them"
        " a bound in both views. Further right and further down is better."
    )
    used = [row for key in there for row in lower_bounds(bounds[key]).values()]
    timed = [s.row for run in runs for key, ways in run.items() if key in there for s in ways.values()]
    caption = Markup(
        "The lower of differential and linear, S-boxes of one input once, {}; hollow where one view"
        " alone is known. Medians, {}. "
    ).format(in_words(used), on_machine(timed))
    return Figure(
        name, title, sentence, caption + made_by(timed), figure_scatter(points), MAKERS["permutation"]
    )


def figure_scatter(points: Sequence[Point]) -> Chart:
    """Minimum active S-boxes against cycles per byte, a mark for each permutation and rounds."""
    # Of a layer without points the library cannot tell where its axes end.
    across, up = (
        alt.Scale(domain=[0, 1.05 * max(p[field] for p in points) or 1], nice=False)
        for field in ("bound", "cycles")
    )
    base = chart(points).encode(
        x=alt.X("bound:Q", title="active S-boxes, at least", scale=across, axis=alt.Axis(tickMinStep=1)),
        y=alt.Y("cycles:Q", title="cycles per byte", scale=up),
        color=alt.Color("blocks:N", title=None, scale=alt.Scale(domain=[_ONE, _MANY], range="category")),
        shape=alt.Shape("bits:N", title=None, scale=alt.Scale(domain=["256 bits", "512 bits"])),
        tooltip=[
            alt.Tooltip("permutation:N"),
            alt.Tooltip("rounds:Q"),
            alt.Tooltip("blocks:N"),
            alt.Tooltip("bound:Q", title="active S-boxes"),
            alt.Tooltip("views:N"),
            alt.Tooltip("certainty:N"),
            alt.Tooltip("cycles:Q", title="cycles/byte", format=".3f"),
        ],
    )
    solid = base.transform_filter("datum.both").mark_point(filled=True, size=60, opacity=1)
    hollow = base.transform_filter("!datum.both").mark_point(filled=False, size=60)
    return alt.layer(solid, hollow).properties(**SIZE, height=320)


@dataclass(frozen=True, slots=True)
class Choice:
    """What a designer gets: `paper` and `once` are rounds, with one block and many at each. No fewer
    than ``minimum`` do; where nothing is shown to do, `once` is that."""

    name: str
    bits: int
    wanted: int
    paper: float | None
    at_paper: Mapping[str, MeasuredSpeed]
    once: float | None
    at_once: Mapping[str, MeasuredSpeed]
    minimum: float | None
    shown: bool
    why: str

    @property
    def rounds(self) -> str:
        """Rounds that the wanted bound demands: a number, a range, or ``open``."""
        if self.once is None:
            return "open"
        if not self.shown:
            return f"{self.once:g} or more"
        return f"{self.once:g}" if self.minimum in (None, self.once) else f"{self.minimum:g} to {self.once:g}"

    def speed(self, once: bool, many: bool) -> float | None:
        """Median cycles per byte, at the demanded rounds or at the paper's; None if not measured."""
        speed = (self.at_once if once else self.at_paper).get(_MANY if many else _ONE)
        return speed.median if speed else None

    @property
    def cost(self) -> float | None:
        """One block at the rounds demanded over one block at those of the paper, in one run."""
        a, b = self.speed(True, False), self.speed(False, False)
        return None if a is None or b is None else a / b


def choices(bounds: Bounds, runs: Sequence[Speeds]) -> list[Choice]:
    """For each permutation of the paper the rounds that the wanted bound demands, and their speed."""
    chosen = []
    for number in ("6", "8"):
        words = TABLES[number][0]
        goal = f"active S-boxes wanted, {128 * words} bits"
        wanted = round(number_of(spec.paper(PAPER).table("text").value(goal, "value")) or 0)
        compared = [
            (row.name, facts.name, float(facts.timed_rounds))
            for row in spec.paper(PAPER).table(number).rows
            for facts in (facts_of(row.name, words),)
        ]
        bits = 128 * words
        for title, name, paper in (*compared, (f"Areion-{bits}", f"areion-{bits}", None)):
            once, why = demanded(bounds, name, wanted)
            minimum, shown = fewest(bounds, name, wanted), once is not None
            once = once if shown else minimum
            keys = [(name, rounds) for rounds in (paper, once) if rounds is not None]
            # A factor is of one run: the one that has most of the four.
            run = max(runs, key=lambda r: sum(len(r.get(k, {})) for k in keys), default={})
            at = [{} if n is None else run.get((name, n), {}) for n in (paper, once)]
            chosen.append(
                Choice(
                    name=title,
                    bits=bits,
                    wanted=wanted,
                    paper=paper,
                    at_paper=at[0],
                    once=once,
                    at_once=at[1],
                    minimum=minimum,
                    shown=shown,
                    why=why,
                )
            )
    return chosen


def demanded(bounds: Bounds, name: str, wanted: int) -> tuple[float | None, str]:
    """The fewest rounds that are shown to reach it in both views, and how sure that is."""
    needed, said = [], []
    for view in VIEWS:
        known = {
            rounds: views[view]
            for (base, rounds), views in bounds.items()
            if base == name and view in lower_bounds(views)
        }
        reached = [rounds for rounds, row in known.items() if row["value"] >= wanted]
        if reached:
            needed.append(min(reached))
            said.append(
                f"{view} {known[min(reached)]['value']:g} in {min(reached):g},"
                f" {CERTAINTY[known[min(reached)]['certainty']]}"
            )
        elif known:
            most = max(known, key=lambda rounds: (known[rounds]["value"], -rounds))
            said.append(f"{view} no more than {known[most]['value']:g} shown in {most:g}")
        else:
            said.append(f"{view} unknown")
    return max(needed) if len(needed) == len(VIEWS) else None, "; ".join(said)


def fewest(bounds: Bounds, name: str, wanted: int) -> float | None:
    """One more than the most rounds over which a lighter trail is known."""
    light = [
        rounds
        for (base, rounds), views in bounds.items()
        if base == name
        for row in views.values()
        if row.get("upper") is not None and row["upper"] < wanted
    ]
    return max(light) + 1 if light else None
