"""Power of many netlists: energy as a goal of synthesis, and the rows of tables.

A component is estimated with every netlist there is, a core with those that are best for something.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

from ... import cache
from ..cores import Core
from ..flow import tools
from ..flow.synthesis import JOBS, Progress, Synthesis, marked
from ..library import Library
from .core import CorePower, PowerWork, Settings, core_power, work_of
from .gates import read


def combinations(core: Core, given: Mapping[str, str] | None = None) -> list[dict[str, str]]:
    """Every choice of the core's parameters that agrees with those given."""
    given = core.chosen(given or {}) if given else {}
    names = [[(p.name, c) for c in p.choices if given.get(p.name, c) == c] for p in core.parameters]
    return [dict(pairs) for pairs in product(*names)]


def estimates(
    core: Core,
    made: Sequence[Synthesis],
    library: Library,
    wanted: Sequence[Settings],
    known: Callable[[Synthesis, Settings], bool],
) -> Iterator[CorePower]:
    """Power of each netlist with each of the settings, each netlist once, but for those `known`."""
    seen: set[str] = set()
    for one in made:
        if one.netlist_sha256 in seen or (core.clock and not one.best_for):
            continue
        seen.add(one.netlist_sha256)
        for settings in wanted:
            if not known(one, settings):
                yield core_power(core, one.parameters, library, one.netlist, settings, script=one.script)


def with_energy(
    core: Core,
    parameters: Mapping[str, str],
    library: Library,
    found: Sequence[Synthesis],
    settings: Settings,
    *,
    progress: Callable[[Progress], object] = lambda p: None,
) -> tuple[list[Synthesis], list[dict[str, Any]]]:
    """The netlists, that of the minimum energy per bit marked, and a row of power for each, two at once.

    Power of the same gates is taken from the cache.
    """
    chosen = core.chosen(parameters)
    work = work_of(core, chosen, read(found[0].netlist, core.top), settings)
    # Two scripts may end in the same gates.
    distinct = {one.netlist_sha256: one for one in found}
    rows: dict[str, dict[str, Any]] = {}
    pool = ThreadPoolExecutor(JOBS)
    try:
        progress(Progress(0, len(distinct), None, None))
        waiting = {
            pool.submit(_one, core, chosen, library, one, settings, work): sha256
            for sha256, one in distinct.items()
        }
        for future in as_completed(waiting):
            rows[waiting[future]] = future.result()
            progress(Progress(len(rows), len(distinct), distinct[waiting[future]], None))
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        tools.stop()
        pool.shutdown()
    ordered = [rows[one.netlist_sha256] | {"script": one.script} for one in found]
    with_energies = [
        replace(one, pj_per_bit=row["pj_per_bit"], estimated=settings.words)
        for one, row in zip(found, ordered, strict=True)
    ]
    return marked(with_energies), ordered


def _one(
    core: Core, chosen: dict[str, str], library: Library, one: Synthesis, settings: Settings, work: PowerWork
) -> dict[str, Any]:
    """A row's fields, from the cache where they were found before."""
    facts = {
        "netlist": one.netlist_sha256,
        "library": library.sha256,
        "settings": settings.words,
        "form": 1,
        "clock": [core.clock, core.reset],
        "numbers": core.numbers(chosen),
        "tools": [tools.version("iverilog"), tools.version("sta")],
    }
    place = cache.home() / "power" / f"{core.name}-{cache.key([*core.files, *code()], facts)}"
    known = cache.read(place / "row.json")
    if known is None:
        shutil.rmtree(place, ignore_errors=True)
        with cache.making(place) as part:
            power = core_power(core, chosen, library, one.netlist, settings, script=one.script, work=work)
            cache.write(part / "row.json", power.fields)
        known = cache.read(place / "row.json")
    row: dict[str, Any] = known
    return row


def code() -> list[Path]:
    """The files that make an estimate: a change of one is another estimate. The traffic comes from the
    benches."""
    here = Path(__file__).parent.parent
    folders = (here / name for name in ("benches", "library", "power"))
    shared = [here / "flow" / f"{name}.py" for name in ("opensta", "simulate")]
    return [*(file for folder in folders for file in sorted(folder.glob("*.py"))), *shared]
