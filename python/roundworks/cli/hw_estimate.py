"""roundworks hw-estimate"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from ..analysis.search import search, structure_of
from ..hardware import liberty
from ..hardware.components import core as part
from ..hardware.components import functions
from ..hardware.cores import Core
from ..hardware.library import DEFAULT, Library, load
from ..hardware.power.activity import MODELS
from ..hardware.priced import Ask, priced
from ..hardware.scripts import portfolio
from ..hardware.structures import (
    Cost,
    Structure,
    adder,
    estimate,
    round_core,
    simulated,
)
from ..hardware.synthesise import synthesise
from ..hardware.tools import versions
from ..reference import get_stream
from ..rows import Row
from .common import NO, YES, deliver, err, make_rows, row_options, table
from .hardware import library_option, library_words
from .names import Choice
from .signals import stop_on_signals
from .synth import progress_bar

_MHZ = 100.0
_KEPT = 10_000  # structures that the search hands over; those checked are spread over them


@click.command(
    "hw-estimate",
    help="Estimate area, delay and energy of the rounds that `search` finds from the figures of the"
    " inner function and of a sum of two words. Every structure of a class costs the same, so classes"
    " and inner functions are ranked. With --check N, N of the structures are also synthesised in"
    " full, compared with the reference in simulation and with the estimate. Registers are left out:"
    " every structure of a class has the same number. Exits 1 if no structure is found.",
    epilog="Example: roundworks hw-estimate --words 9 --inputs 3 --check 4",
)
@click.option("--words", type=click.IntRange(2, 16), required=True, metavar="S",
              help="Words of state.")  # fmt: skip
@click.option("--inputs", type=click.IntRange(1, 15), required=True, metavar="M",
              help="Words absorbed by one round.")  # fmt: skip
@click.option("--active", type=click.IntRange(1, 64), default=8, show_default=True,
              help="Minimum number of active F.")  # fmt: skip
@click.option("--inner", "names", type=Choice(list(functions())), multiple=True,
              help="Inner function; may be repeated. [all]")  # fmt: skip
@click.option("--check", type=click.IntRange(0), default=0, show_default=True, metavar="N",
              help="Synthesise and simulate N of the structures in full.")  # fmt: skip
@click.option("--model", type=Choice(MODELS), default="zero-delay", show_default=True,
              help="Toggle model; zero-delay ignores glitches.")  # fmt: skip
@library_option
@row_options
def command(
    words: int, inputs: int, active: int, names: tuple[str, ...], check: int, model: str,
    libraries: tuple[Path, ...], as_json: bool, no_store: bool,
) -> int:  # fmt: skip
    stop_on_signals()
    found = search(words, inputs, active, keep=_KEPT)
    if not found.found:
        err.print(f"({words},{inputs}): no structure has {active} active F", markup=False)
        return NO
    label = f"roundworks hw-estimate --words {words} --inputs {inputs} --active {active}"
    label += "".join(f" --inner {name}" for name in names)
    label += (f" --check {check}" if check else "") + f" --model {model}{library_words(libraries)}"
    library, cells = load(libraries), liberty.load(libraries or (DEFAULT,))
    chosen, made = spread(found.structures, check), []
    for name in names or tuple(functions()):
        common = {"words": words, "inputs": inputs, "active": active, "found": found.found,
                  "inner": name, "library": library.name, "library_sha256": library.sha256,
                  "model": model, "tools": versions("pyosys", "sta")}  # fmt: skip
        for fields in estimated(words, chosen, name, library, cells, model):
            rows = make_rows("estimate", [common | fields], label)
            deliver(rows, as_json=as_json, no_store=no_store)
            made += rows
    if not as_json:
        print_estimates(made)
    return YES


def spread(structures: Sequence[Structure], count: int) -> list[Structure]:
    """So many of them at equal distances, AETHER's own first if it is there."""
    own = structure_of(get_stream("aether"))
    first = [s for s in structures if s == own][:count]
    others = [s for s in structures if s != own]
    count = min(count - len(first), len(others))
    return first + [others[i * len(others) // count] for i in range(count)]


def estimated(
    words: int, chosen: Sequence[Structure], name: str, library: Library, cells: liberty.Library,
    model: str,
) -> Iterator[dict[str, object]]:  # fmt: skip
    """Fields of a row for the class, then of one for each structure that is made."""
    started = time.perf_counter()
    whole = estimate(words, *(cost(c, library, cells, model) for c in (part(name), adder())))
    by_parts = {
        "area_um2": whole.area_um2,
        "delay_ps": whole.delay_ps,
        "energy_pj": whole.energy_pj,
    }
    yield by_parts | {"structure": None, "seconds": time.perf_counter() - started}
    for structure in chosen:
        started = time.perf_counter()
        core = round_core(words, structure, name)
        simulated(core, words, structure, name)
        real = cost(core, library, cells, model)
        yield by_parts | {
            "structure": [list(part) for part in structure], "made_area_um2": real.area_um2,
            "made_delay_ps": real.delay_ps, "made_energy_pj": real.energy_pj,
            "seconds": time.perf_counter() - started,
        }  # fmt: skip


def cost(core: Core, library: Library, cells: liberty.Library, model: str) -> Cost:
    """Of the netlist with the least delay of the quick portfolio."""
    with progress_bar(core.name) as show:
        made = synthesise(core, core.chosen({}), library, portfolio("quick"), progress=show)
    best = next(one for one in made if "delay" in one.best_for)
    (power,) = priced(core, [best], cells, [Ask(_MHZ, model)], lambda one, ask: False)
    fields = power.fields
    return Cost(best.area_um2, best.period_ps, fields["energy_pj"] / fields["cycles"])


def print_estimates(made: Sequence[Row]) -> None:
    first = made[0]
    heads = ("inner function", "structure", *(f"{what}, {how}" for what in ("um2", "ps", "pJ")
                                             for how in ("estimate", "made")))  # fmt: skip
    lines = [
        [row["inner"], "all" if row["structure"] is None else str(row["structure"])]
        + [f"{row[key]:,.4g}" if key in row else None
           for what in ("area_um2", "delay_ps", "energy_pj") for key in (what, f"made_{what}")]
        for row in made
    ]  # fmt: skip
    table(f"({first['words']},{first['inputs']}): {first['found']:,} structures, {first['library']}",
          heads, lines, right=range(2, 8))  # fmt: skip
