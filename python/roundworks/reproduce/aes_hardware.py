"""[AES-HW], its tables: software timed on this machine, a core of ours simulated.

The paper's program and its Verilog are not published. Ours are written for the same steps, the core
for the same 72 cycles a block, which is a guess at how the paper comes by them.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from dataclasses import asdict, fields, replace
from statistics import quantiles

from .. import machine, spec
from ..bench import plain_aes
from ..errors import HardwareError, ToolMissing
from ..hardware.cores import core
from ..hardware.flow.fpga import FAMILIES, Routed, route
from ..hardware.flow.workload import CORE, Workload, workload
from ..rows import FpgaRow, Store, SynthesisRow, latest
from .run import Ours, Run, clock
from .source_lines import STEPS

_PAPER = "aes-hardware"
_CORES = ("aes-stepped", "aes-iterative", "aes-unrolled", "aes-pipelined")
_BLOCKS = 150_000  # of 16 bytes, 2.4 MB [AES-HW, table 3]
_SAMPLES = 15  # a quarter of a second each; with three, a busy moment was the median
# [AES-HW, section 5]; the Pentium's clock is in [AES-HW, table 1].
_ARM_MHZ, _PENTIUM_MHZ, _FASTEST_MHZ = 200, 3200, 100


@functools.cache
def _software() -> plain_aes.AesProfile:
    """Once in a process, so that all tables of a run speak of the same times."""
    return plain_aes.profile(_BLOCKS, _SAMPLES)


@functools.cache
def _hardware() -> Workload:
    return workload(_BLOCKS)


def _timed(run: Run) -> plain_aes.AesProfile | None:
    try:
        return _software()
    except plain_aes.CompilerMissing as error:
        run.say(f"  {error}; the software was not timed")
        return None


def _simulated(run: Run, software: plain_aes.AesProfile | None) -> Workload | None:
    try:
        simulated = _hardware()
    except ToolMissing as error:
        run.say(f"  {error}; the core was not simulated")
        return None
    if software and software.digest != simulated.digest:
        raise HardwareError(
            f"{CORE}: XOR of {_BLOCKS} ciphertexts: want {software.digest}, got {simulated.digest}"
        )
    return simulated


def _routed(run: Run) -> Routed | None:
    """The faster of the FPGAs, each of them a row of its own; tables as logic, as for the ASIC.

    A router takes a minute: in a quick run the newest stored rows stand for it.
    """
    stored = [row for row in Store().read(FpgaRow) if row.core == CORE and row.family in FAMILIES]
    if stored and not run.full:
        best = max(latest(stored, ["family"]), key=lambda row: row.fmax_mhz)
        return Routed(**{one.name: best[one.name] for one in fields(Routed)})
    routed = []
    for family in FAMILIES:
        try:
            one = route(core(CORE), {}, family)
        except ToolMissing as error:
            run.say(f"  {error}; {family} was not tried")
            continue
        run.leave("fpga", f"roundworks fpga {CORE} --family {family}", asdict(one))
        routed.append(one)
    return max(routed, key=lambda one: one.fmax_mhz, default=None)


def table_1(run: Run) -> list[Ours]:
    """Run time of each part of AES in software."""
    with clock() as spent:
        software = _timed(run)
        if software is None:
            return []
        seconds = spent()
    where = f"another CPU and program: {machine.slug()}, {software.compiler}"
    samples = len(software.seconds["data input"])
    ours = [_measured("whole", "time", round(software.whole, 4), f"{where}; {samples} samples")]
    for part in plain_aes.PARTS:
        value = software.median(part)
        why = f"{where}; {_spread(software.seconds[part])}"
        ours.append(_measured(part, "time", round(value, 6), why, seconds, against="whole"))
        share = round(100 * value / software.whole, 2)
        # The shares are of the sum of the parts, which is not the printed total.
        follows = round(100 * _printed("1", part) / sum(_printed("1", p) for p in plain_aes.PARTS), 2)
        why = f"the printed times by their sum; ours: {where}; of the whole"
        ours.append(replace(_measured(part, "share", share, why), follows=follows))
    return ours


def table_2(run: Run) -> list[Ours]:
    """Our values of table 2: the length of the description."""
    why = "ours: lines with code, counted by roundworks.reproduce.source_lines"
    ours = []
    for step, count in STEPS.items():
        rust, verilog = count()
        for column, value, what, language in (
            ("C", rust, "Rust in place of C", "our Rust"),
            ("Verilog HDL", verilog, f"SystemVerilog of {CORE}", "our SystemVerilog"),
        ):
            text = f"{why}; {what}"
            ours.append(Ours(step, column, value, "proven", text, platform=language, against="total"))
    return ours


def table_3(run: Run) -> list[Ours]:
    """Cycles from simulation; times from them; the ratio to software timed in this very run."""
    software = _timed(run)
    with clock() as spent:
        simulated = _simulated(run, software)
        if simulated is None:
            return []
        seconds = spent()
    per_block = simulated.repeated / simulated.blocks
    how = (
        f"{CORE} in Verilator {simulated.version}, {simulated.blocks} blocks: {per_block:g} cycles"
        f" in the repeated rounds of each, {simulated.cycles} cycles with first key, last round and"
        " transfers; nine rounds of four steps of two clocks are our guess at the paper's"
    )
    ours = []
    for row in spec.paper(_PAPER).table("3").rows:
        mhz = float(row.name.split()[0])
        time = simulated.repeated / (mhz * 1e6)
        cycles = spec.paper(_PAPER).table("3").value(row.name, "cycles")
        assert isinstance(cycles, int)
        theirs = _printed("1", "repeated step") / _printed("3", row.name)
        why = f"the paper's own times give {theirs:.2f}"
        if software:
            why += f"; ours on {machine.slug()}: {software.median('repeated step'):.3f} s for the same"
            why += f" blocks, {_spread(software.seconds['repeated step'])}, {software.compiler}"
        ours += [
            Ours(row.name, "period", None, "proven", "by the frequency", follows=1000 / mhz),
            Ours(row.name, "cycles", simulated.repeated, "measured", how, seconds, platform=CORE),
            Ours(
                row=row.name,
                column="time",
                value=time,
                certainty="measured",
                reason="the printed cycles by the frequency; ours: those of our core",
                platform=CORE,
                follows=cycles / (mhz * 1e6),
            ),
            Ours(
                row=row.name,
                column="faster than software",
                value=round(software.median("repeated step") / time, 3) if software else None,
                certainty="measured",
                reason=why,
                platform=machine.slug(),
                follows=round(theirs, 3),
            ),
        ]
    return ours


def table_text(run: Run) -> list[Ours]:
    """Our values of the numbers in the paper's text."""
    blocks = spec.paper(_PAPER).table("text").value("repetitions", "value")
    assert isinstance(blocks, int)
    same_cycles = "3.20 GHz by 200 MHz: as if both took the same cycles for a block"
    stated = "what the estimate starts from, no result"
    ours = [
        Ours("data", "value", None, "proven", "the printed blocks of 16 bytes", follows=blocks * 16 / 1e6),
        Ours(
            "ARM slower than the Pentium",
            "value",
            None,
            "proven",
            same_cycles,
            follows=_PENTIUM_MHZ / _ARM_MHZ,
        ),
        Ours("clock of the ARM920T", "value", None, None, stated, status="not-comparable"),
    ]
    software = _timed(run)
    simulated = _simulated(run, software)
    if simulated is None:
        return ours
    if routed := _routed(run):
        time = simulated.repeated / (routed.fmax_mhz * 1e6)
        why = f"{CORE} on {routed.family} {routed.device}, placed and routed, seed {routed.seed};"
        why += f" at it the {simulated.repeated} cycles take {time:.4f} s"
        if software:
            why += f", software {software.median('repeated step') / time:.2f} times as long"
        why += on_cells(Store().read(SynthesisRow))
        ours.append(
            Ours(
                row="highest clock",
                column="value",
                value=round(routed.fmax_mhz, 2),
                certainty="estimated",
                reason=why,
                platform=f"{routed.family} {routed.device}",
            )
        )
    time = simulated.repeated / (_FASTEST_MHZ * 1e6)
    why = (
        f"the printed 2.4 MB in blocks of 16 bytes; ours: {simulated.blocks} blocks simulated, 72 cycles each"
    )
    data = spec.paper(_PAPER).table("text").value("data", "value")
    assert isinstance(data, float)
    follows = round(data * 1e6 / 16)
    ours.append(Ours("repetitions", "value", simulated.blocks, "measured", why, follows=follows))
    printed, at_best = _printed("1", "repeated step"), _printed("3", f"{_FASTEST_MHZ} MHz")
    slower = _PENTIUM_MHZ // _ARM_MHZ
    why = f"the paper's own: {printed} s by {at_best} s is {printed / at_best:.2f}, and {slower}"
    why += f" times that; 160 is {slower} times 10"
    arm = None
    if software:
        ratio = software.median("repeated step") / time
        compared = (
            f"Table 3's {printed} s by {at_best} s; ours: software on {machine.slug()} compared with {CORE}"
        )
        ours.append(
            Ours(
                row="faster than the Pentium",
                column="value",
                value=round(ratio, 2),
                certainty="measured",
                reason=f"{compared} at {_FASTEST_MHZ} MHz, {_spread(software.seconds['repeated step'])}",
                platform=machine.slug(),
                follows=round(printed / at_best, 2),
            )
        )
        if (ghz := plain_aes.clock_ghz()) is not None:
            arm = ratio * ghz * 1000 / _ARM_MHZ
            why += (
                f"; ours: {ghz:.2f} GHz, so with the same cycles for a block an ARM at {_ARM_MHZ}"
                f" MHz would take {arm:.0f} times as long as the core"
            )
    ours.append(
        Ours(
            row="faster than the ARM",
            column="value",
            value=None if arm is None else round(arm, 1),
            certainty="proven",
            reason=why,
            platform=machine.slug(),
            follows=round(slower * printed / at_best, 1),
        )
    )
    return ours


def on_cells(synthesis: Iterable[SynthesisRow]) -> str:
    """The clocks of the cores of AES that were mapped to cell libraries, before layout."""
    clocks: dict[tuple[str, str], float] = {}
    for row in synthesis:
        if row.core in _CORES and "delay" in row.best_for:
            clocks[row.core, row.library] = 1e6 / row.period_ps
    said = [f"{name} on {library} {mhz:.0f} MHz" for (name, library), mhz in sorted(clocks.items())]
    return f"; on cells, before layout: {', '.join(said)}" if said else ""


def _printed(table: str, row: str) -> float:
    """A time of the paper, in seconds."""
    value = spec.paper(_PAPER).table(table).cell(row, "time").value
    assert isinstance(value, float)
    return value


def _measured(row: str, column: str, value: float, why: str, seconds: float = 0.0, against: str = "") -> Ours:
    return Ours(row, column, value, "measured", why, seconds, platform=machine.slug(), against=against)


def _spread(values: tuple[float, ...]) -> str:
    low, _, high = quantiles(values, n=4, method="inclusive")
    return f"median of {len(values)} samples, quartiles {low:.4g} and {high:.4g} s"
