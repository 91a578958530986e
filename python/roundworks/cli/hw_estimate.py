"""roundworks hw-estimate"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..hardware.flow.scripts import portfolio
from ..hardware.generate import INNER_FUNCTIONS
from ..hardware.power import MODELS
from .common import NO, YES, deliver, err, make_rows, row_option, row_options, table
from .hardware import library_option, progress_bar
from .names import Choice
from .signals import stop_on_signals

if TYPE_CHECKING:
    from ..hardware.cores import Core
    from ..hardware.generate.structures import Cost, Structure
    from ..hardware.library import Library
    from ..rows import Row

_MHZ = 100.0
_KEPT = 10_000  # structures that the search hands over; those checked are spread over them


@click.command(
    "hw-estimate",
    help="Estimate area, delay and energy of the rounds that `search` finds from netlists of the"
    " inner function F and of the XOR of two words. All structures with the same --words and --inputs"
    " have the same estimate. With --check N, also synthesise N of the structures whole, simulate them"
    " against the reference, and print their figures next to the estimate. Registers are not counted:"
    " every such structure has the same number. Exits 1 if no structure is found.",
    epilog="Example: roundworks hw-estimate --words 9 --inputs 3 --check 4",
)
@click.option(
    "--words",
    type=click.IntRange(2, 16),
    required=True,
    metavar="S",
    help="Set the number of words of the state.",
)
@click.option(
    "--inputs",
    type=click.IntRange(1, 15),
    required=True,
    metavar="M",
    help="Set the number of words that one round absorbs.",
)
@click.option(
    "--active",
    type=click.IntRange(1, 64),
    default=8,
    show_default=True,
    help="Set the minimum number of active F in an internal collision.",
)
@click.option(
    "--inner",
    "names",
    type=Choice(INNER_FUNCTIONS),
    multiple=True,
    help="Choose the inner function F; may be repeated. All unless set.",
)
@click.option(
    "--check",
    type=click.IntRange(0),
    default=0,
    show_default=True,
    metavar="N",
    help="Synthesise and simulate N of the structures whole.",
)
@click.option(
    "--model",
    type=Choice(MODELS),
    default="zero-delay",
    show_default=True,
    help="Choose the toggle model: glitch simulates the delay of every gate, zero-delay ignores glitches.",
)
@library_option
@row_options
def command(
    words: int,
    inputs: int,
    active: int,
    names: tuple[str, ...],
    check: int,
    model: str,
    libraries: tuple[Path, ...],
) -> int:
    stop_on_signals()

    from ..analysis.search import search
    from ..hardware.flow.tools import versions
    from ..hardware.library import load
    from ..studies.hardware import library_words

    result = search(words, inputs, active, keep=_KEPT)
    if not result.found:
        err.print(f"({words},{inputs}): no structure has {active} active F", markup=False)
        return NO
    label = f"roundworks hw-estimate --words {words} --inputs {inputs} --active {active}"
    label += "".join(f" --inner {name}" for name in names)
    label += (f" --check {check}" if check else "") + f" --model {model}{library_words(libraries)}"
    library = load(libraries)
    chosen, made = spread(result.structures, check), []
    for name in names or INNER_FUNCTIONS:
        common = {
            "words": words,
            "inputs": inputs,
            "active": active,
            "found": result.found,
            "inner": name,
            "library": library.name,
            "library_sha256": library.sha256,
            "model": model,
            "tools": versions("pyosys", "sta"),
        }
        for fields in estimated(words, chosen, name, library, model):
            rows = make_rows("estimate", [common | fields], label)
            deliver(rows)
            made += rows
    if not row_option("json"):
        print_estimates(made)
    return YES


def spread(structures: Sequence[Structure], count: int) -> list[Structure]:
    """`count` of them at equal distances, AETHER's own first if it is there."""
    from ..analysis.search import structure_of
    from ..reference import get_stream

    own = structure_of(get_stream("aether"))
    first = [s for s in structures if s == own][:count]
    others = [s for s in structures if s != own]
    count = min(count - len(first), len(others))
    return first + [others[i * len(others) // count] for i in range(count)]


def estimated(
    words: int, chosen: Sequence[Structure], name: str, library: Library, model: str
) -> Iterator[dict[str, object]]:
    """Fields of a row for the class, then of one for each structure that is made."""
    from ..hardware.generate.components import core as component
    from ..hardware.generate.structures import adder, estimate, round_core, simulated

    started = time.perf_counter()
    whole = estimate(words, *(cost(c, library, model) for c in (component(name), adder())))
    by_parts = {"area_um2": whole.area_um2, "delay_ps": whole.delay_ps, "energy_pj": whole.energy_pj}
    yield by_parts | {"structure": None, "seconds": time.perf_counter() - started}
    for structure in chosen:
        started = time.perf_counter()
        core = round_core(words, structure, name)
        simulated(core, words, structure, name)
        real = cost(core, library, model)
        yield by_parts | {
            "structure": [list(part) for part in structure],
            "made_area_um2": real.area_um2,
            "made_delay_ps": real.delay_ps,
            "made_energy_pj": real.energy_pj,
            "seconds": time.perf_counter() - started,
        }


def cost(core: Core, library: Library, model: str) -> Cost:
    """Of the netlist with the minimum delay of the quick portfolio."""
    from ..hardware.flow.synthesis import synthesise
    from ..hardware.generate.structures import Cost
    from ..hardware.power.core import Settings
    from ..hardware.power.estimates import estimates

    with progress_bar(core.name) as show:
        made = synthesise(core, core.chosen({}), library, portfolio("quick"), progress=show)
    best = next(one for one in made if "delay" in one.best_for)
    (power,) = estimates(
        core, [best], library, [Settings(model, message=1, clock_mhz=_MHZ)], lambda one, s: False
    )
    fields = power.fields
    return Cost(best.area_um2, best.period_ps, fields["energy_pj"] / fields["cycles"])


def print_estimates(made: Sequence[Row]) -> None:
    first = made[0]
    heads = (
        "inner function",
        "structure",
        *(f"{what}, {how}" for what in ("um2", "ps", "pJ") for how in ("estimate", "made")),
    )
    lines = [
        [row["inner"], "all" if row["structure"] is None else str(row["structure"])]
        + [
            f"{row[key]:,.4g}" if key in row else None
            for what in ("area_um2", "delay_ps", "energy_pj")
            for key in (what, f"made_{what}")
        ]
        for row in made
    ]
    table(
        f"({first['words']},{first['inputs']}): {first['found']:,} structures, {first['library']}",
        heads,
        lines,
        right=range(2, 8),
    )
