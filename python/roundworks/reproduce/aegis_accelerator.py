"""[AEGIS-HW]: cycles per byte, and speed, area and power of the design points.

Table 2 is ours in full: formulas of cycles, confirmed by the simulated cores. Of Table 1, throughput,
efficiency and energy only follow from the paper's own clock, area and power. The rest is of a 65 nm library
that is not ours: clocks, powers and gate equivalents are compared by their ratios to a named row.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from .. import spec
from ..hardware.cores import core
from ..hardware.cycles.aead import AeadCycles, formula
from ..hardware.flow.simulate import simulate
from ..hardware.library.reader import DEFAULT
from ..rows import BenchRow, PowerRow, Store, SynthesisRow
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
# The row by which clocks and powers are divided.
_AGAINST = "Base, speed"


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
    return [*ours, *software(Store().read(BenchRow))]


def software(measured: Iterable[BenchRow]) -> Iterator[Ours]:
    """The row of software, from the newest run of our AEGIS-128 with AES-NI. The cost of a message is that
    of its blocks, so between two measured sizes it is a straight line."""
    rows = [
        r
        for r in measured
        if (r.cipher, r.library, r.backend, r.surface) == ("aegis-128", "roundworks", "aesni", "rust")
        if r.operation == "encrypt" and r.ad_bytes == 0 and r.samples_cycles
    ]
    runs: dict[str, dict[int, BenchRow]] = {}
    for row in rows:
        runs.setdefault(row.run, {})[row.data_bytes] = row
    # A run of one size or of two far ones says nothing of the sizes between.
    known = next((run for run in reversed(runs.values()) if {256, 4096} <= run.keys()), {})
    for column in ("512 B", "1024 B", "4096 B"):
        size = int(column.split()[0])
        for low, high in pairwise(sorted(known)):
            if low <= size <= high:
                below, above = (median(known[n].samples_cycles) for n in (low, high))
                cycles = below + (above - below) * (size - low) / (high - low)
                row = known[high]
                how = f"between {low} and {high} bytes" if size != high else f"{high} bytes"
                why = (
                    f"another CPU: {row.machine}, AES-NI; median of {len(row.samples_cycles)} samples, {how}"
                )
                value = round(cycles / size, 4)
                yield Ours("Software", column, value, "measured", why, platform=row.machine)
                break


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
    """What follows from the printed figures, and ours of the default library. [AEGIS-HW, table 1]"""
    paper = spec.paper(_PAPER)
    first, second = paper.table("1"), paper.table("2")
    points = list(design_points(Store().read(SynthesisRow), Store().read(PowerRow)))
    cells = []
    for row in first.rows:
        name, _, goal = row.name.partition(", ")
        frequency, area, power = (_number(first, row.name, c) for c in ("clock", "area", "power"))
        per_byte = _number(second, name, "1024 B")
        rate = throughput(frequency, per_byte)
        point = chosen(points, CORES[name], goal)
        estimated = chosen([p for p in points if p.power_mw is not None], CORES[name], goal)
        own = {
            "throughput": (point, point and point.gbps),
            "efficiency": (point, point and point.gbps / point.kge),
            "energy": (estimated, estimated and estimated.pj_per_bit),
        }
        for column, value, how in (
            ("throughput", rate, f"{frequency:g} MHz * 8 / {per_byte:g} cycles a byte, in 2^30 bit/s"),
            ("efficiency", rate / area, "that throughput over the paper's area"),
            ("energy", power * 1e9 / (rate * _GIBI), "the paper's power over that throughput"),
        ):
            source, mine = own[column]
            why = f"paper's own: {how}"
            cells.append(
                Ours(
                    row=row.name,
                    column=column,
                    value=round(mine, 4) if mine else None,
                    certainty="estimated" if mine else "proven",
                    reason=f"{why}; ours: {_where(source)}" if source else why,
                    platform=source.library if source else "",
                    follows=round(value, 4),
                )
            )
        if point:
            cells += _compared(row.name, "clock", point.clock_mhz, point, points)
            cells += _compared(row.name, "area", point.kge, point, points)
        if estimated and estimated.power_mw:
            cells += _compared(row.name, "power", estimated.power_mw, estimated, points)
    there = {(cell.row, cell.column) for cell in cells}
    why = "no netlist of ours of this core was estimated; `roundworks synth` and `roundworks power` do"
    return cells + [
        Ours(row.name, column.name, None, None, why, status="not-comparable")
        for row in first.rows
        for column in first.columns
        if (row.name, column.name) not in there
    ]


def chosen(points: Sequence[Point], core: str, goal: str) -> Point | None:
    """A design point on the default library, else on one of ours that has it and the row of reference;
    Nangate's first, whose 45 nm are nearest to the paper's 65."""
    have = [p for p in points if (p.core, p.goal) == (core, goal)]

    def preferred(point: Point) -> tuple[bool, bool, str]:
        return point.library == DEFAULT.stem, "nangate" in point.library, point.library

    return max(have, key=preferred, default=None)


def _compared(row: str, column: str, value: float, point: Point, points: Sequence[Point]) -> list[Ours]:
    """By its ratio to the row of reference on the same library."""
    reference = next(
        (p for p in points if (p.core, p.goal, p.library) == (CORES["Base"], "speed", point.library)), None
    )
    base = None
    if reference:
        base = {"clock": reference.clock_mhz, "area": reference.kge, "power": reference.power_mw}[column]
    return [
        Ours(
            row=row,
            column=column,
            value=round(value, 4),
            certainty="estimated",
            reason=_where(point),
            platform=point.library,
            against=_AGAINST,
            base=base,
        )
    ]


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


def _where(point: Point) -> str:
    energy = "" if point.pj_per_bit is None else f", {point.pj_per_bit:.3g} pJ a bit"
    return f"{point.core} on {point.library}, not the paper's 65 nm{energy}"


def _fastest() -> Ours:
    """The conclusion: who has the maximum throughput of Table 1 and of the designs quoted; and of our cores."""
    paper = spec.paper(_PAPER)
    first, text = paper.table("1"), paper.table("text")
    rates = {row.name.partition(",")[0]: _number(first, row.name, "throughput") for row in first.rows}
    rates |= {row.name: _number(text, row.name, "value") for row in text.rows if row.unit == "Gbps"}
    follows = max(rates, key=lambda name: rates[name])
    points = [
        p
        for p in design_points(Store().read(SynthesisRow), Store().read(PowerRow))
        if p.library == DEFAULT.stem and p.core != OURS
    ]
    best = max(points, key=lambda p: p.gbps, default=None)
    names = {key: name for name, key in CORES.items()}
    return Ours(
        row="maximum throughput of those reported",
        column="value",
        value=names[best.core] if best else None,
        certainty="estimated" if best else "proven",
        reason="by Table 1 and the designs that the slides quote; ours: of our five cores on the default library",
        platform=best.library if best else "",
        follows=follows,
    )


def table_text(run: Run) -> list[Ours]:
    """Numbers of the slides: sizes by the description, cycles by the formulas of our cores."""
    facts, one = spec.cipher("aegis-128"), {name: formula(core(key).cycles) for name, key in CORES.items()}
    state = facts.words * facts.word_bytes
    # A word is a block of AES of 16 bytes in four columns.
    word, columns = facts.word_bytes, facts.word_bytes // 4
    by_cores = "by the formula of our core, which its bench compares with simulation"
    ours = [
        Ours("state", "value", state, "proven", "of the description, in bytes"),
        Ours("AES rounds in a StateUpdate128", "value", facts.words, "proven", "one for each word"),
        Ours("updates of the initialisation", "value", facts.init_rounds, "proven", "of the description"),
        Ours("updates of the finalisation", "value", facts.final_rounds, "proven", "of the description"),
        Ours("tag", "value", 8 * facts.tag_bytes, "proven", "of the description"),
        Ours("cycles of an update, Base", "value", one["Base"].update, "proven", by_cores),
        Ours("cycles of an update, TO2", "value", one["TO2"].update, "proven", by_cores),
        Ours("cycles for the S-box, AO1", "value", word, "proven", "the bytes of a word through one S-box"),
        Ours("cycles for MixColumns, AO1", "value", columns, "proven", "the columns of a word, one a cycle"),
        Ours("cycles for AddRoundKey, AO1", "value", word, "proven", "the bytes of a word, one a cycle"),
        _fastest(),
    ]
    stepped = one["AO1"].update // facts.words
    design = "a choice of the design, which our core of the same name repeats"
    reasons = {
        "cycles for ShiftRows, AO1": "a step of the paper's design; ours reads in that order and takes no cycle:"
        f" {stepped} a word in all",
        "pipeline stages, AO2": design,
        "pipelines, TO1": design,
        "pipeline stages, TO1": design,
        "next-state registers removed, Base": design,
        "next-state registers, AO1": design,
        "state processed per cycle, AO1": design,
        "data path, AO2": design,
        "entries of CAESAR": "a number about the competition",
        "share of them based on AES": "a number about the competition",
    }
    for row in spec.paper(_PAPER).table("text").rows:
        if row.name not in {o.row for o in ours}:
            why = reasons.get(row.name, "quoted from the designers of another cipher; no core of ours is it")
            ours.append(Ours(row.name, "value", None, None, why, status="not-comparable"))
    return ours
