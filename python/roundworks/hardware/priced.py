"""Netlists of one core and what each takes: the least energy of a portfolio is known only then.

A part is priced with every netlist there is, a core with those that are best for something.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from .cores import Core
from .liberty import Library as Cells
from .power.core import CorePower, core_power
from .synthesise import Synthesis


@dataclass(frozen=True, slots=True)
class Ask:
    """How power is asked for; a core without a clock is fed with random words instead of a message."""

    clock_mhz: float
    model: str
    message: int = 0
    ad: int = 0


def choices(core: Core, given: Mapping[str, str] | None = None) -> list[dict[str, str]]:
    """Every combination of its parameters that has those given."""
    given = core.chosen(given or {}) if given else {}
    names = [[(p.name, c) for c in p.choices if given.get(p.name, c) == c] for p in core.parameters]
    return [dict(pairs) for pairs in product(*names)]


def priced(
    core: Core, made: Sequence[Synthesis], cells: Cells, asks: Sequence[Ask],
    known: Callable[[Synthesis, Ask], bool],
) -> Iterator[CorePower]:  # fmt: skip
    """Power of each netlist for each of `asks`, each netlist once, but for those `known`."""
    seen: set[str] = set()
    for one in made:
        if one.netlist_sha256 in seen or (core.clock and not one.best_for):
            continue
        seen.add(one.netlist_sha256)
        for ask in asks:
            if not known(one, ask):
                yield core_power(
                    core, one.parameters, cells, one.netlist, script=one.script, model=ask.model,
                    period=1e-6 / ask.clock_mhz, message=ask.message or 1, ad=ask.ad,
                )  # fmt: skip
