"""[AEGIS-HW], tables 1 and 2: cycles per byte, and speed, area and power of the design points.

Table 2 is ours in full: formulas of clocks, confirmed by the simulated cores. Of Table 1, throughput,
efficiency and energy follow from the paper's own clock, area and power, and are computed so; clock,
area and power are of a 65 nm library that is not ours, so ours are shown with them and not compared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from .. import spec
from ..hardware.cores import core
from ..hardware.cycles.aead import AeadCycles, formula
from ..hardware.flow.simulate import simulate
from ..rows import PowerRow, Store, SynthesisRow
from .run import Ours, Run, clock

_PAPER = "aegis128-accelerator"
# Row of Table 2, or the head of one of Table 1 -> our core.
CORES = {
    "Base": "aegis128-base",
    "AO1": "aegis128-ao1",
    "AO2": "aegis128-ao2",
    "TO1": "aegis128-to1",
    "TO2": "aegis128-to2",
}
OURS = "aegis128-interleaved"
_GIBI = 2.0**30


def table_2(run: Run) -> list[Ours]:
    """Cycles per byte, of the formula; with the long form every core is simulated as well."""
    ours = []
    for name, key in CORES.items():
        one = formula(core(key).cycles)
        with clock() as seconds:
            seen = simulated(key, run) if run.full else {}
        for column in ("512 B", "1024 B", "4096 B"):
            size = int(column.split()[0])
            if size in seen and seen[size] != one.cycles(0, size):
                raise AssertionError(
                    f"{key}, {size} bytes: formula {one.cycles(0, size)}, simulated {seen[size]}"
                )
            slides = one.update * one.updates(0, size)
            why = (
                f"{one.cycles(0, size)} clocks: {slides} by the slides' formula and"
                f" {one.cycles(0, size) - slides} to load, drain and verify;"
                f" {'simulated as well' if size in seen else 'the bench of the core simulates it'}"
            )
            certainty = "measured" if size in seen else "proven"
            value = round(one.per_byte(size), 4)
            ours.append(Ours(name, column, value, certainty, why, seconds()))
    return ours


def simulated(key: str, run: Run) -> dict[int, int]:
    """Bytes of message -> clocks that the core took, of Verilator."""
    run.say(key)
    done = simulate(core(key), tests=("published",), env={"ROUNDWORKS_FULL": "1"})
    if done.failed:
        raise AssertionError(f"{key}: {done.failed[0].name}: {done.failed[0].message}")
    return {r["msg_bytes"]: r["cycles"] for r in done.reports if r["kind"] == "cycles"}


def throughput(clock_mhz: float, cycles_per_byte: float) -> float:
    """Gibit/s. The paper's unit is 2^30, its messages have 1024 bytes, initialisation included."""
    return clock_mhz * 1e6 * 8 / cycles_per_byte / _GIBI


def table_1(run: Run) -> list[Ours]:
    """Power and energy per bit, from the printed figures and from ours. [AEGIS-HW, table 1]"""
    paper = spec.paper(_PAPER)
    first, second = paper.table("1"), paper.table("2")
    measured = list(design_points(Store().read(SynthesisRow), Store().read(PowerRow)))
    library, cells = _one_library(measured), []
    for row in first.rows:
        name, _, goal = row.name.partition(", ")
        frequency, area, power = (_number(first, row.name, c) for c in ("clock", "area", "power"))
        per_byte = _number(second, name, "1024 B")
        rate = throughput(frequency, per_byte)
        for column, value, how in (
            ("throughput", rate, f"{frequency:g} MHz * 8 / {per_byte:g} cycles a byte, in 2^30 bit/s"),
            ("efficiency", rate / area, "that throughput over the paper's area"),
            ("energy", power * 1e9 / (rate * _GIBI), "the paper's power over that throughput"),
        ):
            cells.append(Ours(row.name, column, round(value, 4), "proven", f"paper's own: {how}"))
        ours = [m for m in measured if m.core == CORES[name] and m.goal == goal]
        cells += [cell for m in ours if m.library == library for cell in _ours(row.name, m)]
    return cells


def _one_library(points: Sequence[Point]) -> str | None:
    """The one that stands for all in the table; every row of synthesis is in the report.

    That with most of the points; among equals Nangate's, whose 45 nm are nearest to 65.
    """
    counts = Counter(point.library for point in points)
    return max(counts, key=lambda name: (counts[name], "nangate" in name, name), default=None)


@dataclass(frozen=True, slots=True)
class Point:
    """A design point on a library: the columns of Table 1, throughput by our own clocks."""

    core: str
    library: str
    goal: str
    clock_mhz: float
    kge: float
    gbps: float
    bits_per_cycle: float
    power_mw: float | None
    pj_per_bit: float | None


def design_points(synthesis: Iterable[SynthesisRow], power: Iterable[PowerRow]) -> Iterator[Point]:
    """What the rows say of our design points: of each core, library and goal the latest best."""
    latest: dict[tuple[str, str, str], SynthesisRow] = {}
    for row in synthesis:
        if row.core in {*CORES.values(), OURS}:
            for goal, name in (("delay", "speed"), ("area", "area")):
                if goal in row.best_for:
                    latest[row.core, row.library, name] = row
    consumed = {r.netlist_sha256: r for r in power if r.model == "glitch"}
    for (key, library, goal), row in latest.items():
        one, mhz = formula(core(key).cycles), 1e6 / row.period_ps
        used = consumed.get(row.netlist_sha256)
        yield Point(
            core=key,
            library=library,
            goal=goal,
            clock_mhz=mhz,
            kge=row.kge,
            gbps=throughput(mhz, per_byte(one)),
            bits_per_cycle=one.bits_per_cycle,
            power_mw=used.total_mw if used else None,
            pj_per_bit=_pj_per_bit(used, per_byte(one)) if used else None,
        )


def _pj_per_bit(power: PowerRow, cycles_per_byte: float) -> float | None:
    """Of messages of 1024 bytes with initialisation, as in the table: the energy of a cycle, which
    hardly depends on what is under way, times their clocks."""
    if power.total_mw is None:
        return None
    return 1000 * power.total_mw / power.clock_mhz * cycles_per_byte / 8


def per_byte(one: AeadCycles) -> float:
    """Cycles per byte of messages of 1024 bytes; interleaved ones share every cycle."""
    return one.cycles(0, 1024) / (1024 * one.interleaved)


def _number(table: spec.PrintedTable, row: str, column: str) -> float:
    value = table.value(row, column)
    assert isinstance(value, int | float), f"table {table.number}: {row}, {column}: {value!r}"
    return value


def _ours(row: str, point: Point) -> Iterator[Ours]:
    where = f"{point.core} on {point.library}, not the paper's 65 nm"
    values = [("clock", point.clock_mhz), ("area", point.kge)]
    if point.power_mw is not None and point.pj_per_bit is not None:
        values.append(("power", point.power_mw))
        where += f", {point.pj_per_bit:.3g} pJ a bit"
    for column, value in values:
        yield Ours(row, column, round(value, 4), "measured", where, 0.0, "not-comparable")
