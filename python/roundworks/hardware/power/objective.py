"""Energy as an aim of synthesis: the netlists of a portfolio, each priced under the same traffic."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ... import cache
from .. import tools
from ..cores import Core
from ..liberty import Library
from ..synthesise import JOBS, Progress, Synthesis, marked
from .core import Work, core_power, work_of
from .gates import read

_SHARED = ("cell_models", "liberty", "liberty_reader", "logic", "models", "simulate")


@dataclass(frozen=True, slots=True)
class Pricing:
    """What the power is calculated of; each netlist runs as fast as OpenSTA allows it."""

    model: str = "glitch"
    message: int = 64
    seed: int = 1

    @property
    def words(self) -> str:
        return f"{self.model}, message of {self.message} bytes, seed {self.seed}"


def priced(
    core: Core, parameters: Mapping[str, str], library: Library, found: Sequence[Synthesis],
    how: Pricing, *, progress: Callable[[Progress], object] = lambda p: None,
) -> tuple[list[Synthesis], list[dict[str, Any]]]:  # fmt: skip
    """The netlists, that of the least energy a bit marked, and a row of power for each, two at once.

    What was priced before, of the same gates, is not priced again.
    """
    chosen = core.chosen(parameters)
    work = work_of(core, chosen, read(found[0].netlist, core.top), how.message, 0, how.seed)
    # Two scripts may end in the same gates.
    distinct = {one.netlist_sha256: one for one in found}
    rows: dict[str, dict[str, Any]] = {}
    pool = ThreadPoolExecutor(JOBS)
    try:
        progress(Progress(0, len(distinct), None, None))
        waiting = {
            pool.submit(_one, core, chosen, library, one, how, work): sha256
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
    with_prices = [
        replace(one, pj_per_bit=row["pj_per_bit"], priced=how.words)
        for one, row in zip(found, ordered, strict=True)
    ]
    return marked(with_prices), ordered


def _one(
    core: Core, chosen: dict[str, str], library: Library, one: Synthesis, how: Pricing, work: Work
) -> dict[str, Any]:
    """A row's fields, from the cache where they were found before."""
    facts = {
        "netlist": one.netlist_sha256, "library": library.digest, "how": how.words, "form": 1,
        "clock": [core.clock, core.reset], "numbers": core.numbers(chosen),
        "tools": [tools.version("iverilog"), tools.version("sta")],
    }  # fmt: skip
    place = cache.home() / "power" / f"{core.name}-{cache.key([*core.files, *code()], facts)}"
    known = cache.read(place / "row.json")
    if known is None:
        shutil.rmtree(place, ignore_errors=True)
        with cache.making(place) as part:
            power = core_power(
                core, chosen, library, one.netlist, script=one.script, model=how.model,
                message=how.message, seed=how.seed, work=work,
            )  # fmt: skip
            cache.write(part / "row.json", power.fields)
        known = cache.read(place / "row.json")
    row: dict[str, Any] = known
    return row


def code() -> list[Path]:
    """The files that make a price: a change of one is another price. The traffic comes from the
    benches, cells and their models from beside this folder."""
    here = Path(__file__).parent
    folders = (here.parent / "benches", here)
    shared = [here.parent / f"{name}.py" for name in _SHARED]
    return [*(file for folder in folders for file in sorted(folder.glob("*.py"))), *shared]
