"""Netlists of a core on a cell library: area, minimum clock period, and power."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeAlias

from ..errors import HardwareError
from ..hardware import cores
from ..hardware.flow.scripts import LOOSE_PS, portfolio
from ..hardware.flow.synthesis import Job, Progress, Synthesis
from ..hardware.flow.synthesis import synthesise as run_synthesis
from ..hardware.flow.tools import versions
from ..hardware.library import Library, load
from ..hardware.power.core import CorePower, Settings, core_power
from ..hardware.power.estimates import with_energy
from ..rows import PowerRow, SynthesisRow
from ..whole import writing
from .hardware import CoreChoice, library_words, power_tools
from .result import Result, Table

Shown: TypeAlias = Callable[[str], AbstractContextManager[Callable[[Progress], object]]]
"""A title -> a context whose value hears how many netlists are done."""


@contextmanager
def _not_shown(title: str) -> Iterator[Callable[[Progress], object]]:
    yield lambda progress: None


def synthesise(
    choice: CoreChoice,
    libraries: Sequence[Path] = (),
    *,
    profile: str | None = None,
    scripts: Sequence[str] = (),
    targets: Sequence[float] = (),
    goal: str = "area-delay",
    model: str = "glitch",
    message_bytes: int = 64,
    netlist: Path | None = None,
    longest_path: bool = False,
    shown: Shown = _not_shown,
) -> Result[SynthesisRow | PowerRow]:
    """Area and minimum clock period of a core, by Yosys, abc and OpenSTA. Stored netlists are used again.

    Parameters
    ----------
    libraries : sequence of Path
        Liberty files of one library; Debian's OSU 018 unless given.
    profile : str, optional
        Of `hardware.flow.scripts.PROFILES`: ``quick`` unless given, ``energy`` where that is the goal.
    scripts, targets : sequence
        Scripts of abc in place of a profile, each with every target in ps; minimum delay unless given.
    goal : str
        What ``netlist`` and ``longest_path`` are the best for: delay, area, area-delay or energy. With energy
        every netlist's power is estimated, with the toggle ``model`` and a message of ``message_bytes``.
    netlist : Path, optional
        The best netlist is written there, whole or not at all, in Verilog.
    longest_path : bool
        The notes end with the longest path of the best netlist.
    """
    core, library = choice.core, load(libraries)
    scripts, targets = tuple(dict.fromkeys(scripts)), tuple(dict.fromkeys(targets))
    profile = profile or ("energy" if goal == "energy" else "quick")
    jobs: list[Job] = [(s, t) for s in scripts for t in targets or (None,)] or portfolio(profile)
    with shown(core.name) as progress:
        made = run_synthesis(core, choice.parameters, library, jobs, progress=progress)
    command = f"roundworks synth {choice.words}{library_words(libraries)}"
    command += "".join(f" --script {s}" for s in scripts) or f" --profile {profile}"
    command += "".join(f" --target {t:g}" for t in targets)
    powers: list[dict[str, Any]] = []
    if goal == "energy":
        settings = Settings(model, message_bytes)
        with shown(f"{core.name}: power") as progress:
            made, powers = with_energy(core, choice.parameters, library, made, settings, progress=progress)
        command += f" --goal energy --model {model} --message {message_bytes}"
    rows: tuple[SynthesisRow | PowerRow, ...] = (
        *(SynthesisRow.make(command=command, **synthesis_fields(one)) for one in made),
        *(PowerRow.make(command=command, tools=power_tools(core), **one) for one in powers),
    )
    best = next(one for one in made if goal in one.best_for)
    if netlist is not None:
        with writing(netlist) as part:
            shutil.copyfile(best.netlist, part)
    notes = [f"energy: {made[0].estimated}, at the period of each"] if made[0].estimated else []
    notes.append(
        f"inputs driven by {made[0].conditions['driver']}, {made[0].conditions['load_ff']:.3g} fF at outputs;"
        f" 1 GE = {made[0].nand2_um2:g} um2 ({library.nand2.name})"
    )
    if longest_path:
        notes.append(best.netlist.with_name("path.txt").read_text())
    return Result(rows, (_synthesis_table(made),), tuple(notes))


def synthesis_fields(one: Synthesis) -> dict[str, Any]:
    """Fields of a row; where the netlist lies is nobody else's."""
    row = asdict(one) | {"best_for": list(one.best_for)}
    del row["netlist"]
    row |= row.pop("conditions")
    if one.pj_per_bit is None:
        del row["pj_per_bit"], row["estimated"]
    return row | {
        "tools": versions("pyosys", "sta"),
        "period_ps": round(one.period_ps, 3),
        "kge": round(one.kge, 4),
        "seconds": round(one.seconds, 2),
    }


def _synthesis_table(made: Sequence[Synthesis]) -> Table:
    first = made[0]
    energy = ("pJ/bit",) if first.estimated else ()
    columns = (
        *("script", "target", "period, ps", "MHz", "kGE", "um2", "cells", "flops", "buffers"),
        *(*energy, "best for"),
    )
    lines = tuple(
        (
            s.script,
            _target(s.target_ps),
            f"{s.period_ps:,.1f}",
            f"{1e6 / s.period_ps:,.1f}",
            f"{s.kge:,.3f}",
            f"{s.area_um2:,.5g}",
            s.cells,
            s.flops,
            s.buffers,
            *((f"{s.pj_per_bit:,.4g}",) if first.estimated else ()),
            ", ".join(s.best_for),
        )
        for s in sorted(made, key=lambda s: s.period_ps)
    )
    return Table(f"{first.core}  {cores.label(first.parameters)}  {first.library}", columns, lines)


def _target(target: float | None) -> str:
    if target is None:
        return "minimum delay"
    return "minimum area" if target == LOOSE_PS else f"{target:,g} ps"


def estimate_power(
    choice: CoreChoice,
    libraries: Sequence[Path] = (),
    settings: Settings | None = None,
    *,
    goals: Sequence[str] = ("area-delay",),
    scripts: Sequence[str] = (),
    netlist: Path | None = None,
    keep: Callable[[Result[PowerRow]], object] = lambda one: None,
    shown: Shown = _not_shown,
) -> Result[PowerRow]:
    """Power of a core while it encrypts a message: leakage, internal and switching, from simulated toggles.

    Parameters
    ----------
    settings : Settings, optional
        Toggle model, bytes of message and of associated data, seed, and clock in MHz; the maximum clock by
        OpenSTA unless it has one.
    goals, scripts : sequence of str
        The netlists of `synthesise` that are best for these, also of these scripts of abc next to the
        profile ``quick``.
    netlist : Path, optional
        Flat Verilog of the library's cells in place of those.
    keep : callable
        Gets the result of each netlist as soon as it is there.

    Raises
    ------
    HardwareError
        ``feistel-aes: a permutation, to which no message is sent; ...``
    """
    if choice.core.bench == "permutation":
        raise HardwareError(
            f"{choice.core.name}: a permutation, to which no message is sent; `roundworks synth` with the same"
            " core has its area and period"
        )
    library, settings = load(libraries), settings or Settings()
    if netlist is not None:
        made = {netlist: "given"}
    else:
        best = _best(choice, library, goals, scripts, shown)
        made = {one.netlist: one.script for one in best}
    command = _power_command(choice, libraries, settings, goals, scripts, netlist)
    results = []
    for gates, script in made.items():
        power = core_power(choice.core, choice.parameters, library, gates, settings, script=script)
        row = PowerRow.make(command=command, tools=power_tools(choice.core), **power.fields)
        results.append(Result((row,), (_power_table(power),), _power_notes(power)))
        keep(results[-1])
    if not results:
        raise HardwareError(f"{choice.core.name}: no netlist is best for {', '.join(goals)}")
    return Result(
        tuple(row for one in results for row in one.rows),
        tuple(table for one in results for table in one.tables),
        tuple(note for one in results for note in one.notes),
    )


def _power_command(
    choice: CoreChoice,
    libraries: Sequence[Path],
    settings: Settings,
    goals: Sequence[str],
    scripts: Sequence[str],
    netlist: Path | None,
) -> str:
    words = f"roundworks power {choice.words}{library_words(libraries)}"
    words += f" --netlist {netlist.name}" if netlist else ""
    words += f" --clock {settings.clock_mhz:g}" if settings.clock_mhz else ""
    words += f" --model {settings.model} --message {settings.message}"
    words += "".join(f" --goal {goal}" for goal in goals if goals != ("area-delay",))
    words += "".join(f" --script {script}" for script in scripts)
    return words + (f" --ad {settings.ad}" if settings.ad else "") + f" --seed {settings.seed}"


def _best(
    choice: CoreChoice, library: Library, goals: Sequence[str], scripts: Sequence[str], shown: Shown
) -> list[Synthesis]:
    """The netlists that `roundworks synth` writes for these goals, each once."""
    jobs = portfolio("quick")
    jobs += [job for script in scripts if (job := (script, None)) not in jobs]
    with shown(choice.core.name) as progress:
        made = run_synthesis(choice.core, choice.parameters, library, jobs, progress=progress)
    return [one for one in made if set(goals) & set(one.best_for)]


def _power_table(one: CorePower) -> Table:
    fields: Mapping[str, Any] = one.fields
    power, flops = one.breakdown.at(one.period, one.simulated), one.breakdown.clocked
    share = one.simulated / one.period
    title = (
        f"{one.core}  {cores.label(one.parameters)}  {fields['library']}, {fields['voltage']:g} V,"
        f" {fields['clock_mhz']:,.4g} MHz; mW"
    )
    lines = (
        ("leakage", power.leakage * 1e3, flops.leakage * 1e3),
        ("internal", power.internal * 1e3, flops.internal * share * 1e3),
        ("switching", power.switching * 1e3, flops.switching * share * 1e3),
        ("total", power.total * 1e3, None),
        ("charging inputs and clock, outside the core", power.inputs * 1e3, None),
    )
    return Table(title, ("component", "all", "flip-flops"), lines)


def _power_notes(one: CorePower) -> tuple[str, str]:
    fields: Mapping[str, Any] = one.fields
    return (
        f"{fields['energy_pj'] / one.cycles:,.4g} pJ per cycle, {fields['pj_per_bit']:,.4g} pJ per bit of"
        f" {one.work.what}",
        f"{one.settings.model}: {one.activity.toggles_per_cycle:,.1f} toggles per cycle on {one.nets:,} nets,"
        f" over {one.cycles:,} cycles; OpenSTA allows {1e-6 / one.minimum:,.4g} MHz",
    )
