"""A core to gates: elaborated once, mapped by a portfolio of scripts, sized, timed by OpenSTA."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ... import cache
from ...errors import HardwareError
from ..cores import Core
from ..library import Library
from . import checks, clock_gates, opensta, scripts, tools, yosys

JOBS = 2


@dataclass(frozen=True, slots=True)
class Synthesis:
    """One netlist. ``netlist`` is where the cache keeps it; ``path`` OpenSTA's words on the worst.

    ``period_ps``: the minimum clock period, or input to output of a combinational core.
    ``pj_per_bit``: by `power.objective`, of what ``estimated`` says; None where it was not wanted.
    """

    core: str
    parameters: dict[str, str]
    source_sha256: str
    library: str
    library_sha256: str
    netlist_sha256: str
    script: str
    target_ps: float | None
    period_ps: float
    area_um2: float
    nand2_um2: float
    kge: float
    cells: int
    flops: int
    flop_um2: float
    buffers: int
    conditions: dict[str, Any]
    seconds: float
    netlist: Path
    best_for: tuple[str, ...] = ()
    pj_per_bit: float | None = None
    estimated: str = ""


@dataclass(frozen=True, slots=True)
class Progress:
    """``done`` of ``total`` netlists are there; ``latest`` is the last, None before the first."""

    done: int
    total: int
    latest: Synthesis | None
    best: Synthesis | None


Job = tuple[str, float | None]


def synthesise(
    core: Core,
    parameters: Mapping[str, str],
    library: Library,
    jobs: Sequence[Job],
    *,
    progress: Callable[[Progress], object] = lambda p: None,
) -> list[Synthesis]:
    """A netlist for each job (script, target in ps or None), two at a time; the best are marked.

    One that a script cannot make is left out; an error only if none could.
    """
    jobs = list(dict.fromkeys(jobs))
    for name, _ in jobs:
        scripts.script(name)
    tools.find("sta")
    chosen = core.chosen(parameters)
    folder = elaborated(core, chosen)
    netlists: dict[Job, Synthesis] = {}
    failed: list[HardwareError] = []
    progress(Progress(0, len(jobs), None, None))
    pool = ThreadPoolExecutor(JOBS)
    try:
        waiting = {pool.submit(one, core, chosen, library, job, folder): job for job in jobs}
        for future in as_completed(waiting):
            try:
                netlists[waiting[future]] = future.result()
            except HardwareError as error:
                failed.append(error)
            latest = netlists.get(waiting[future])
            fastest = min(netlists.values(), key=lambda s: s.period_ps, default=None)
            progress(Progress(len(netlists) + len(failed), len(jobs), latest, fastest))
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        tools.stop()
        pool.shutdown()
    if not netlists:
        raise failed[0]
    return marked([netlists[job] for job in jobs if job in netlists])


def marked(found: Sequence[Synthesis]) -> list[Synthesis]:
    """The same, with those marked that are best for delay, for area, for their product, and, once
    all of them are estimated, for energy."""
    best = {
        "delay": min(found, key=lambda s: (s.period_ps, s.area_um2)),
        "area": min(found, key=lambda s: (s.area_um2, s.period_ps)),
        "area-delay": min(found, key=lambda s: s.area_um2 * s.period_ps),
    }
    energies = [one.pj_per_bit for one in found if one.pj_per_bit is not None]
    if len(energies) == len(found):
        best["energy"] = min(found, key=lambda s: (s.pj_per_bit, s.area_um2))
    return [
        replace(one, best_for=tuple(goal for goal, winner in best.items() if winner is one)) for one in found
    ]


def elaborated(core: Core, chosen: Mapping[str, str]) -> Path:
    """A folder with design.il: the core in Yosys's own gates, before any library is known.

    One with latches or loops is refused here, for every library and every FPGA.
    """
    facts = {"top": core.top, "numbers": core.numbers(chosen), "form": 2, "tools": [tools.version("pyosys")]}
    folder = cache.home() / "elaborated" / f"{core.name}-{cache.key(core.files, facts)}"
    if not folder.is_dir():
        with cache.making(folder) as part:
            yosys.run(
                # -nordff: or flip-flops in front of a table become that table's, in copies.
                # A clock gate stays what it is until a library is known.
                [
                    f"{yosys.read(core, chosen, part)} --blackboxed-module {clock_gates.MODULE}",
                    f"synth -flatten -nordff -top {core.top}",
                    "opt_clean -purge",
                    *checks.COMMANDS,
                    "write_rtlil design.il",
                ],
                part,
                _log(folder),
                f"{core.name}: yosys",
            )
            checks.refuse(core.name, part, _log(folder))
    return folder


def gates_clocks(folder: Path) -> bool:
    """Whether an elaborated design has clock gates."""
    return f"cell \\{clock_gates.MODULE} " in (folder / "design.il").read_text()


def one(core: Core, chosen: dict[str, str], library: Library, job: Job, folder: Path) -> Synthesis:
    """One netlist, from the cache where it was made before."""
    name, target = job
    gates = clock_gates.techmap(library) if gates_clocks(folder) else ""
    conditions = library.condition_fields
    slow = [cell.name for cell in library.cells.values() if cell.delays]
    facts = {
        "design": folder.name,
        "library": library.sha256,
        "conditions": conditions,
        "script": scripts.commands(scripts.script(name), target),
        "clock": [core.clock, core.reset],
        "form": 2,
        "tools": [tools.version("pyosys"), tools.version("sta")],
        **({"gates": gates} if gates else {}),
        **({"left out": slow} if slow else {}),
    }
    place = cache.home() / "synthesis" / f"{core.name}-{cache.key([], facts)}"
    known = cache.read(place / "result.json")
    if known is None:
        shutil.rmtree(place, ignore_errors=True)
        with cache.making(place) as part:
            made = _make(core, library, job, folder / "design.il", gates, part, _log(place))
            cache.write(part / "result.json", made)
        known = cache.read(place / "result.json")
    return Synthesis(
        core.name,
        chosen,
        core.source_sha256(chosen),
        library.name,
        library.sha256,
        script=name,
        target_ps=target,
        nand2_um2=library.nand2.area,
        kge=known["area_um2"] / library.nand2.area / 1e3,
        conditions=conditions,
        netlist=place / "netlist.v",
        **known | _counted(place / "netlist.v", library),
    )


def _make(
    core: Core, library: Library, job: Job, design: Path, gates: str, folder: Path, log: Path
) -> dict[str, object]:
    """Map, size and time; the facts of a netlist that is then in `folder`."""
    started = time.perf_counter()
    name, target = job
    conditions = library.condition_fields
    liberty = " ".join(f'-liberty "{file}"' for file in library.files)
    unused = "".join(
        f" -dont_use {c.name}"
        for c in library.cells.values()
        if c.dont_use or c.kind in ("gate", "other") or c.delays
    )
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        work = Path(scratch)
        (work / "abc.script").write_text(scripts.commands(scripts.script(name), target))
        (work / "abc.constr").write_text(
            f"set_driving_cell {conditions['driver']}\nset_load {conditions['load_ff']:g}\n"
        )
        (work / "gates.v").write_text(gates)
        yosys.run(
            [
                f'read_rtlil "{design}"',
                *(["techmap -map gates.v"] if gates else []),
                f"dfflibmap {liberty}{unused}",
                "opt -fast",
                f"abc {liberty}{unused} -constr abc.constr -script abc.script",
                "setundef -zero",
                "opt_clean -purge",
                "tee -o stat.json stat -json",
                # OpenSTA knows no braces on the left of an assignment, where unused bits are constants.
                "write_verilog -noattr -noexpr -nohex -simple-lhs netlist.v",
            ],
            work,
            log,
            f"{core.name}: {name}",
        )
        (work / "netlist.v").replace(folder / "netlist.v")
        used = _cells(json.loads((work / "stat.json").read_text()), core.top)
        facts = facts_of(used, library, core, folder / "netlist.v")
        netlist = opensta.MappedNetlist(folder / "netlist.v", core.top, core.clock, core.reset)
        timed = opensta.timing(netlist, library, name=core.name, folder=work, log=log)
    (folder / "path.txt").write_text(timed.path)
    return facts | {"period_ps": timed.period_ps, "seconds": time.perf_counter() - started}


def facts_of(used: Mapping[str, int], library: Library, core: Core, netlist: Path) -> dict[str, object]:
    """What can be counted: area, cells, flip-flops."""
    if not used:
        raise HardwareError(
            f"{core.name}: want gates, got none: its outputs are constants or its own "
            "inputs; there is nothing to measure"
        )
    if missing := sorted(set(used) - set(library.cells)):
        raise HardwareError(f"{core.name}: {missing[0]}: not mapped; {library.name} has no such cell")
    return {
        "netlist_sha256": hashlib.sha256(netlist.read_bytes()).hexdigest(),
        "area_um2": round(sum(library.cells[c].area * n for c, n in used.items()), 6),
        "cells": sum(used.values()),
        "flops": sum(n for c, n in used.items() if library.cells[c].kind == "flop"),
    }


_INSTANCE = re.compile(r"^  (\w+) \S+ \($", re.MULTILINE)


def _counted(netlist: Path, library: Library) -> dict[str, Any]:
    """What of the area is flip-flops, and how many of the cells are buffers."""
    used = Counter(_INSTANCE.findall(netlist.read_text()))
    cells = library.cells.values()
    return {
        "flop_um2": round(sum(c.area * used[c.name] for c in cells if c.kind == "flop"), 6),
        "buffers": sum(used[c.name] for c in cells if c.buffers),
    }


def _cells(stat: Mapping[str, Any], top: str) -> dict[str, int]:
    """Type -> number of cells of a flat design."""
    counts: dict[str, int] = stat["modules"][f"\\{top}"]["num_cells_by_type"]
    return counts


def _log(folder: Path) -> Path:
    log = cache.home() / "logs" / f"{folder.name}.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    return log
