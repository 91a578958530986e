"""The figures of hardware: area against throughput, energy a bit against message size, pipelines."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import altair as alt

from roundworks.report.figures import SIZE, Chart, Point, chart
from roundworks.report.hardware_rows import (
    Netlist,
    NetlistLine,
    message_bytes,
    of_netlists,
    powers_of,
    printed_of,
)
from roundworks.report.values import data_size
from roundworks.rows import Row

# One shape a design, with an area to fill; the library's own, then a path each.
SHAPES = (
    "circle",
    "square",
    "diamond",
    "triangle-up",
    "triangle-down",
    "cross",
    "triangle-right",
    "triangle-left",
    "M-1,-.7L-.7,-1L0,-.3L.7,-1L1,-.7L.3,0L1,.7L.7,1L0,.3L-.7,1L-1,.7L-.3,0Z",  # an X
    "M-1,-.5H1V.5H-1Z",
    "M-.5,-1H.5V1H-.5Z",  # bars
    "M0,-1L.95,-.31L.59,.81L-.59,.81L-.95,-.31Z",
    "M-.5,-.87H.5L1,0L.5,.87H-.5L-1,0Z",  # 5, 6 corners
    "M-1,-1H1L-1,1H1Z",
    "M-1,-1V1L1,-1V1Z",  # hourglasses
    "M0,-1L.3,-.3L1,0L.3,.3L0,1L-.3,.3L-1,0L-.3,-.3Z",  # a star
    "M-1,.5A1,1,0,0,1,1,.5Z",
    "M-1,-.5A1,1,0,0,0,1,-.5Z",  # half a disc
    "M-.5,-1A1,1,0,0,1,-.5,1Z",
    "M.5,-1A1,1,0,0,0,.5,1Z",
    "M-1,-1H1V-.4H.3V1H-.3V-.4H-1Z",
    "M-1,-1H-.4V.4H1V1H-1Z",  # T and L
    "M0,-1L1,0H.4V1H-.4V0H-1Z",
    "M0,1L1,0H.4V-1H-.4V0H-1Z",  # arrows
    "M-.5,-.7H1L.5,.7H-1Z",
    "M-.5,-.7H.5L1,.7H-1Z",
)


def shapes(names: Iterable[str]) -> alt.Scale:
    """A shape for each name, in order; names beyond the last begin again."""
    domain = list(dict.fromkeys(names))
    return alt.Scale(domain=domain, range=[SHAPES[i % len(SHAPES)] for i in range(len(domain))])


def log_axis(values: Iterable[float]) -> tuple[alt.Scale, alt.Axis]:
    """A scale and its axis; left alone the library draws a line at every multiple of a power."""
    ordered = sorted(values)
    low, high = ordered[0] / 1.35, ordered[-1] * 1.35
    steps = (1, 2, 5) if high / low < 300 else (1,)
    ticks = [s * 10.0**k for k in range(-9, 10) for s in steps if low <= s * 10.0**k <= high]
    return (
        alt.Scale(type="log", domain=[low, high], nice=False),
        alt.Axis(format="~g", values=ticks, labelOverlap=True),
    )


# Area and throughput ----------------------------------------------------------------------------


def family(core: str) -> str:
    """aegis of aegis128-interleaved: more designs than those of one family nobody can tell apart."""
    match = re.match("[a-z]+", core)
    return match[0] if match else core


def area_points(found: Sequence[NetlistLine]) -> list[Point]:
    """A point for every netlist with a rate, and the printed ones of their designs."""
    points: list[Point] = [
        {
            "design": line.name,
            "core": f"{line.core} {line.parameters}".strip(),
            "family": family(line.core),
            "library": line.row["library"],
            "best": ", ".join(line.best),
            "kge": line.kge,
            "gbits": line.gbits,
            "dense": line.gbits_per_kge,
            "mhz": line.mhz,
            "printed": False,
        }
        for line in found
        if line.gbits is not None
    ]
    compared = {p["design"] for p in points}
    points += [
        {
            "design": p.design.name,
            "core": p.title,
            "family": family(p.design.core),
            "library": "printed, 65 nm",
            "best": p.point.best_for,
            "kge": p.point.kge,
            "gbits": p.gbits,
            "dense": p.gbits_per_kge,
            "mhz": p.point.mhz,
            "printed": True,
        }
        for p in printed_of(found)
        if p.design.name in compared
    ]
    return points


def figure_area(points: Sequence[Point]) -> Chart:
    """Of one family. Filled marks are ours, hollow ones printed; a shape for each design, a colour
    for a library."""
    x_scale, x_axis = log_axis([p["kge"] for p in points])
    y_scale, y_axis = log_axis([p["gbits"] for p in points])
    libraries = sorted({p["library"] for p in points if not p["printed"]})
    shape = alt.Shape("design:N", title=None, scale=shapes(p["design"] for p in points))

    def encoded(drawn: alt.Chart) -> alt.Chart:
        placed: alt.Chart = drawn.encode(
            x=alt.X("kge:Q", title="area, kGE (log scale)", scale=x_scale, axis=x_axis),
            y=alt.Y("gbits:Q", title="Gbit/s, long messages (log scale)", scale=y_scale, axis=y_axis),
            shape=shape,
            tooltip=[
                alt.Tooltip("design:N"),
                alt.Tooltip("core:N"),
                alt.Tooltip("library:N"),
                alt.Tooltip("best:N", title="best for"),
                alt.Tooltip("kge:Q", title="kGE", format=".4~g"),
                alt.Tooltip("mhz:Q", title="MHz", format=".4~g"),
                alt.Tooltip("gbits:Q", title="Gbit/s", format=".4~g"),
                alt.Tooltip("dense:Q", title="Gbit/s per kGE", format=".3~g"),
            ],
        )
        return placed

    ours = chart([p for p in points if not p["printed"]]).mark_point(filled=True, size=80, opacity=1)
    printed = chart([p for p in points if p["printed"]]).mark_point(
        filled=False, size=80, style="hollow", strokeWidth=1.4
    )
    colour = alt.Color("library:N", title=None, scale=alt.Scale(domain=libraries, range="category"))
    return alt.layer(encoded(printed), encoded(ours).encode(color=colour)).properties(**SIZE, height=380)


def say_area(points: Sequence[Point]) -> str:
    """The most throughput per area in each library."""
    said, first = [], Counter[str]()
    for library in sorted({p["library"] for p in points if not p["printed"]}):
        best = max((p for p in points if p["library"] == library), key=lambda p: p["dense"])
        first[best["design"]] += 1
        said.append(f"{best['design']} in {library}, {best['dense']:.3g}")
    printed = [p for p in points if p["printed"]]
    head = ""
    if first:
        design, n = first.most_common(1)[0]
        head = f"{design} has the most throughput for its area in {n} of {len(said)} cell libraries. "
    text = f"{head}Most Gbit/s per kGE: {'; '.join(said)}."
    if printed:
        best = max(printed, key=lambda p: p["dense"])
        text += f" Of those printed, at 65 nm: {best['design']}, {best['dense']:.3g}."
    return text


# Energy -----------------------------------------------------------------------------------------


def energy_points(found: Sequence[NetlistLine], powers: Sequence[Row]) -> list[Point]:
    """Energy a bit by message size, of one netlist for each design and library.

    Where power was calculated over messages of more than one size it is what is drawn. Else one
    power gives the energy of a cycle, and the simulation the cycles of a message.
    """
    best: dict[tuple[str, str, str], tuple[int, list[Point]]] = {}
    by_netlist = of_netlists(powers)
    for line in found:
        mine = _at_sizes(line, by_netlist) or _by_clocks(line)
        key = (line.name, line.parameters, str(line.row["library"]))
        # Of the netlists of a design the one with most to show, then the one for both aims.
        rank = 2 * len(mine) + ("area-delay" in line.best)
        if mine and rank > best.get(key, (0, []))[0]:
            best[key] = (rank, mine)
    return [point for _, points in best.values() for point in points]


def _at_sizes(line: NetlistLine, powers: Mapping[Netlist, Sequence[Row]]) -> list[Point]:
    by_size = {
        size: p for p in powers_of(line.row, powers) if (size := message_bytes(p)) and "pj_per_bit" in p
    }
    if len(by_size) < 2:
        return []
    return [
        _energy(line, size, p["pj_per_bit"], p["clock_mhz"], "power at this size")
        for size, p in sorted(by_size.items())
    ]


def _by_clocks(line: NetlistLine) -> list[Point]:
    cycles = line.cycles
    if line.power is None or line.clock_pj is None:
        return []
    return [
        _energy(
            line,
            size,
            line.clock_pj * cycles.of_message(size) / (8 * size),
            line.power["clock_mhz"],
            "energy per cycle x cycles",
        )
        for size in sorted(cycles.by_bytes)
    ]


def _energy(line: NetlistLine, size: int, pj: float, mhz: float, basis: str) -> Point:
    return {
        "design": line.name,
        "library": line.row["library"],
        "bytes": size,
        "size": data_size(size),
        "pj": pj,
        "mhz": mhz,
        "basis": basis,
        "core": f"{line.core} {line.parameters}".strip(),
    }


def figure_energy(points: Sequence[Point]) -> Chart:
    """A line for each design; dashed where one power stands for every size."""
    designs = sorted({p["design"] for p in points})
    x_scale, _ = log_axis([p["bytes"] for p in points])
    y_scale, y_axis = log_axis([p["pj"] for p in points])
    label = "datum.value % 1024 == 0 ? datum.value / 1024 + ' KiB' : datum.value + ' B'"
    ticks = [
        2**k for k in range(21) if min(p["bytes"] for p in points) <= 2**k <= max(p["bytes"] for p in points)
    ]
    bases = ["power at this size", "energy per cycle x cycles"]
    base = chart(points).encode(
        x=alt.X(
            "bytes:Q",
            title="message (log scale)",
            scale=x_scale,
            axis=alt.Axis(values=ticks, labelExpr=label, grid=False, labelOverlap="greedy"),
        ),
        y=alt.Y("pj:Q", title="pJ per bit of message (log scale)", scale=y_scale, axis=y_axis),
        color=alt.Color("design:N", title=None, scale=alt.Scale(domain=designs, range="category")),
        tooltip=[
            alt.Tooltip("design:N"),
            alt.Tooltip("core:N"),
            alt.Tooltip("library:N"),
            alt.Tooltip("size:N", title="message"),
            alt.Tooltip("pj:Q", title="pJ/bit", format=".3~g"),
            alt.Tooltip("mhz:Q", title="at MHz", format=".4~g"),
            alt.Tooltip("basis:N", title="from"),
        ],
    )
    dash = alt.StrokeDash("basis:N", legend=None, scale=alt.Scale(domain=bases, range=[[1, 0], [4, 3]]))
    return alt.layer(
        base.mark_line(strokeWidth=1.5).encode(strokeDash=dash),
        base.mark_point(filled=True, size=40, opacity=1).encode(
            shape=alt.Shape("design:N", title=None, scale=shapes(designs))
        ),
    ).properties(**SIZE, height=320)


def say_energy(points: Sequence[Point]) -> str:
    """The minimum, and what the lines are made of."""
    lowest = min(points, key=lambda p: p["pj"])
    series: dict[str, str] = {p["design"]: p["basis"] for p in points}
    derived = sum(basis != "power at this size" for basis in series.values())
    said = (
        f"Lowest here: {lowest['pj']:.3g} pJ a bit, {lowest['design']}, messages of "
        f"{lowest['size']} at {lowest['mhz']:,.0f} MHz."
    )
    if derived < len(series):
        said += f" {len(series) - derived} of {len(series)} lines have a power for each size."
    if derived:
        said += (
            f" {'Dashed' if derived < len(series) else 'Every line is dashed'}: the energy of"
            " a cycle, from one power, times the cycles of the message, from simulation."
        )
    return said
