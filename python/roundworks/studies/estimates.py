"""The hardware cost of searched round structures: estimated from components, a sample synthesised whole."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from ..analysis.search import search, structure_of
from ..hardware.cores import Core
from ..hardware.flow.scripts import portfolio
from ..hardware.flow.synthesis import synthesise
from ..hardware.flow.tools import versions
from ..hardware.generate import INNER_FUNCTIONS
from ..hardware.generate.components import core as component
from ..hardware.generate.structures import Cost, Structure, adder, estimate, round_core, simulated
from ..hardware.library import Library, load
from ..hardware.power.core import Settings
from ..hardware.power.estimates import estimates
from ..reference import get_stream
from ..reproduce.run import Run
from ..rows import EstimateRow, Row
from .hardware import library_words
from .result import Result, Table
from .study import Batches, Study, Unit, command_line, conduct

_MHZ = 100.0
_KEPT = 10_000  # structures that the search hands over; those synthesised are spread over them


@dataclass(frozen=True, slots=True)
class Estimates(Study[Result[EstimateRow]]):
    """Area, delay and energy of the rounds of a class, a unit for each inner function.

    Parameters
    ----------
    words, inputs, active : int
        The class that `studies.search` takes.
    inner : sequence of str
        Inner functions F; all unless given.
    check : int
        Structures that are also synthesised whole and simulated next to the reference.
    model : str
        Toggle model: ``zero-delay`` ignores glitches, ``glitch`` simulates the delay of every gate.
    libraries : sequence of Path
        Liberty files of one library; Debian's OSU 018 unless given.
    """

    words: int
    inputs: int
    active: int = 8
    inner: tuple[str, ...] = ()
    check: int = 0
    model: str = "zero-delay"
    libraries: tuple[Path, ...] = ()

    def plan(self) -> Sequence[Unit]:
        """One unit for each inner function; each searches the class again, which takes seconds."""
        command = command_line(
            "hw-estimate",
            words=self.words,
            inputs=self.inputs,
            active=self.active,
            inner=self.inner,
            check=self.check or None,
            model=self.model,
        ) + library_words(self.libraries)
        return [
            Unit(f"({self.words},{self.inputs}), {name}", command, partial(_estimated, self, name, command))
            for name in self.inner or tuple(INNER_FUNCTIONS)
        ]

    def reduce(self, rows: Sequence[Row]) -> Result[EstimateRow]:
        """A line for each inner function, and for each structure that was synthesised; nothing where the
        class has no structure."""
        made = tuple(row for row in rows if isinstance(row, EstimateRow))
        if not made:
            return Result((), (), (f"({self.words},{self.inputs}): no structure has {self.active} active F",))
        quantities = ("area_um2", "delay_ps", "energy_pj")
        columns = (
            "inner function",
            "structure",
            *(f"{what}, {how}" for what in ("um2", "ps", "pJ") for how in ("estimate", "made")),
        )
        lines = tuple(
            (
                row.inner,
                "all" if row.structure is None else str(row.structure),
                *(
                    None if row.get(key) is None else f"{row[key]:,.4g}"
                    for what in quantities
                    for key in (what, f"made_{what}")
                ),
            )
            for row in made
        )
        title = f"({self.words},{self.inputs}): {made[0].found:,} structures, {made[0].library}"
        return Result(made, (Table(title, columns, lines),))


def estimate_structures(words: int, inputs: int, active: int = 8, **options: Any) -> Result[EstimateRow]:
    """Estimate a class of round structures; `options` are those of `Estimates`."""
    return conduct(Estimates(words, inputs, active, **options))


def _estimated(study: Estimates, inner: str, command: str, run: Run) -> Batches:
    result = search(study.words, study.inputs, study.active, keep=_KEPT)
    if not result.found:
        return
    library, started = load(study.libraries), time.perf_counter()
    common = {
        "words": study.words,
        "inputs": study.inputs,
        "active": study.active,
        "found": result.found,
        "inner": inner,
        "library": library.name,
        "library_sha256": library.sha256,
        "model": study.model,
        "tools": versions("pyosys", "sta"),
    }
    whole = estimate(study.words, *(cost(c, library, study.model) for c in (component(inner), adder())))
    common |= {"area_um2": whole.area_um2, "delay_ps": whole.delay_ps, "energy_pj": whole.energy_pj}
    yield [_row(command, common, structure=None, seconds=time.perf_counter() - started)]
    sample = spread(result.structures, study.check)
    for number, structure in enumerate(sample, 1):
        started = time.perf_counter()
        core = round_core(study.words, structure, inner)
        simulated(core, study.words, structure, inner)
        real = cost(core, library, study.model)
        made = {
            "made_area_um2": real.area_um2,
            "made_delay_ps": real.delay_ps,
            "made_energy_pj": real.energy_pj,
            "structure": [list(part) for part in structure],
        }
        yield [_row(command, common | made, seconds=time.perf_counter() - started)]
        run.progress(number / len(sample))


def _row(command: str, fields: dict[str, Any], **more: Any) -> EstimateRow:
    return EstimateRow.make(command=command, **(fields | more))


def spread(structures: Sequence[Structure], count: int) -> list[Structure]:
    """`count` of them at equal distances, AETHER's own first if it is there."""
    own = structure_of(get_stream("aether"))
    first = [s for s in structures if s == own][:count]
    others = [s for s in structures if s != own]
    count = min(count - len(first), len(others))
    return first + [others[i * len(others) // count] for i in range(count)]


def cost(core: Core, library: Library, model: str) -> Cost:
    """Of the netlist with the minimum delay of the quick portfolio."""
    made = synthesise(core, core.chosen({}), library, portfolio("quick"))
    best = next(one for one in made if "delay" in one.best_for)
    settings = Settings(model, message=1, clock_mhz=_MHZ)
    (power,) = estimates(core, [best], library, [settings], lambda one, s: False)
    fields = power.fields
    return Cost(best.area_um2, best.period_ps, fields["energy_pj"] / fields["cycles"])
