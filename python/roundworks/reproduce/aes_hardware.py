"""[AES-HW], its tables: software timed on this machine, a core of ours simulated.

The paper's program and its Verilog are not published. Ours are written for the same steps, the core
for the same 72 cycles a block, which is a guess at how the paper comes by them.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from dataclasses import asdict
from statistics import quantiles

from .. import machine, spec
from ..bench import plain_aes
from ..errors import HardwareError, ToolMissing
from ..hardware.cores import core
from ..hardware.flow.fpga import FAMILIES, Routed, route
from ..hardware.flow.workload import CORE, Workload, workload
from ..rows import Store, SynthesisRow
from .run import Ours, Run, clock
from .source_lines import STEPS

_PAPER = "aes-hardware"
_CORES = ("aes-stepped", "aes-iterative", "aes-unrolled", "aes-pipelined")
_BLOCKS = 150_000  # of 16 bytes, 2.4 MB [AES-HW, table 3]
_SAMPLES = {False: 3, True: 15}
# [AES-HW, section 5]; the Pentium's clock is in [AES-HW, table 1].
_ARM_MHZ, _PENTIUM_MHZ, _FASTEST_MHZ = 200, 3200, 100


@functools.cache
def _software(samples: int) -> plain_aes.AesProfile:
    """Once in a process, so that all tables of a run speak of the same times."""
    return plain_aes.profile(_BLOCKS, samples)


@functools.cache
def _hardware() -> Workload:
    return workload(_BLOCKS)


def _timed(run: Run) -> plain_aes.AesProfile | None:
    try:
        return _software(_SAMPLES[run.full])
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
    """The faster of the FPGAs, each of them a row of its own; tables as logic, as for the ASIC."""
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
        ours.append(_measured(part, "time", round(value, 6), why, seconds))
        share = round(100 * value / software.whole, 2)
        ours.append(_measured(part, "share", share, f"{where}; of the whole"))
    return ours


def table_2(run: Run) -> list[Ours]:
    """Length of the description."""
    why = "ours: lines with code, counted by roundworks.reproduce.source_lines"
    ours = []
    for step, count in STEPS.items():
        rust, verilog = count()
        for column, value, what in (
            ("C", rust, "Rust in place of C"),
            ("Verilog HDL", verilog, f"SystemVerilog of {CORE}"),
        ):
            text = f"{why}; {what}"
            ours.append(Ours(step, column, value, "proven", text, status="not-comparable"))
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
        ours += [
            Ours(row.name, "period", 1000 / mhz, "proven", "by the frequency"),
            Ours(row.name, "cycles", simulated.repeated, "measured", how, seconds),
            Ours(row.name, "time", time, "measured", "cycles by frequency"),
        ]
        if software:
            ratio = round(software.median("repeated step") / time, 3)
            theirs = _printed("1", "repeated step") / _printed("3", row.name)
            why = (
                f"ours on {machine.slug()}: {software.median('repeated step'):.3f} s for the same"
                f" blocks, {software.compiler}; the paper's own times give {theirs:.2f}"
            )
            ours.append(_measured(row.name, "faster than software", ratio, why))
    return ours


def table_text(run: Run) -> list[Ours]:
    """Numbers of the prose."""
    ours = [
        Ours("data", "value", _BLOCKS * 16 / 1e6, "proven", "blocks of 16 bytes"),
        Ours(
            "ARM slower than the Pentium",
            "value",
            _PENTIUM_MHZ / _ARM_MHZ,
            "proven",
            "3.20 GHz by 200 MHz: as if both took the same cycles for a block",
        ),
        _measured("clock of the ARM920T", "value", _ARM_MHZ, "what the estimate starts from, no result"),
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
        ours.append(_measured("highest clock", "value", round(routed.fmax_mhz, 2), why))
    time = simulated.repeated / (_FASTEST_MHZ * 1e6)
    ours.append(
        Ours("repetitions", "value", simulated.blocks, "measured", "blocks simulated, 72 cycles each")
    )
    printed, at_best = _printed("1", "repeated step"), _printed("3", f"{_FASTEST_MHZ} MHz")
    slower = _PENTIUM_MHZ // _ARM_MHZ
    why = f"the paper's own: {printed} s by {at_best} s is {printed / at_best:.2f}, and {slower}"
    why += f" times that; 160 is {slower} times 10"
    if software:
        ratio = software.median("repeated step") / time
        ours.append(
            _measured(
                "faster than the Pentium",
                "value",
                round(ratio, 2),
                f"ours: software on {machine.slug()} compared with {CORE} at {_FASTEST_MHZ} MHz",
            )
        )
        if (ghz := plain_aes.clock_ghz()) is not None:
            arm = ratio * ghz * 1000 / _ARM_MHZ
            why += (
                f"; ours: {ghz:.2f} GHz, so with the same cycles for a block an ARM at {_ARM_MHZ}"
                f" MHz would take {arm:.0f} times as long as the core"
            )
    ours.append(Ours("faster than the ARM", "value", round(slower * printed / at_best, 1), "proven", why))
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


def _measured(row: str, column: str, value: float, why: str, seconds: float = 0.0) -> Ours:
    return Ours(row, column, value, "measured", why, seconds, "not-comparable")


def _spread(values: tuple[float, ...]) -> str:
    low, _, high = quantiles(values, n=4, method="inclusive")
    return f"median of {len(values)} samples, quartiles {low:.4g} and {high:.4g} s"
