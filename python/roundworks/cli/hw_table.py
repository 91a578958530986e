"""roundworks hw-table"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import click

from ..errors import unknown
from ..hardware.flow.scripts import NAMES, PROFILES, portfolio
from ..hardware.power import MODELS
from .common import deliver, err, make_rows, row_option, row_options
from .hardware import library_option, no_file, progress_bar
from .names import Choice, Name
from .signals import stop_on_signals

if TYPE_CHECKING:
    from ..hardware.cores import Core
    from ..hardware.flow.synthesis import Job, Synthesis
    from ..hardware.library import Library
    from ..hardware.power.core import Settings
    from ..rows import Row, Store

# Table -> what the names of its parts begin with.
_PARTS = {"3": "sbox-", "4": "matrix-", "5": "inner-"}
_CIPHERS = "figure-6"
_COMPONENTS_MHZ, _CIPHERS_MHZ = 100.0, 10.0  # the paper's clocks
_SHORT = 128  # bytes of associated data and of message: the paper's short run
_STEADY = 768  # of message: what it takes more than the short run is blocks of message
_LONG = 160_000  # the paper's long run, 1.28e6 bits: by the formula of clocks, not gate by gate
_LENGTHS = (0, 16, 64, 256, 1024, 4096, 16384, 65536, _LONG)
Subject: TypeAlias = "tuple[Core, dict[str, str]]"


@click.command(
    "hw-table",
    help="Compute Table 3 (S-boxes), 4 (matrices), 5 (inner functions) or figure-6 (ciphers, also"
    " Table 1) of the AETHER paper on a cell library: synthesise every component in every form,"
    " estimate the power of each netlist, and print the best for delay and the best for energy."
    " Stored rows are used again, so an interrupted run continues.",
    epilog="Example: roundworks hw-table 3 --library nangate45.lib.gz",
)
@click.argument("number", metavar="TABLE", type=Choice([*_PARTS, _CIPHERS]))
@library_option
@click.option(
    "--core",
    "only",
    metavar="NAME",
    type=Name("cores"),
    multiple=True,
    help="Compute only this core of the table; may be repeated. All unless set.",
)
@click.option(
    "--style",
    "styles",
    metavar="CHOICE",
    multiple=True,
    help="Compute only this S-box or form of a component; may be repeated. All unless set.",
)
@click.option(
    "--steady",
    is_flag=True,
    help="Also estimate a longer message: the difference of the two runs is the energy of the added message"
    " blocks alone, without initialisation and tag.",
)
@click.option(
    "--profile",
    type=Choice(PROFILES),
    default="quick",
    show_default=True,
    help="Choose the number of netlists: quick makes two, energy five, full two for each script.",
)
@click.option(
    "--script",
    "more",
    type=Choice(NAMES),
    multiple=True,
    help="Add the netlist of this abc script for minimum delay; may be repeated.",
)
@click.option(
    "--model",
    type=Choice(MODELS),
    default="glitch",
    show_default=True,
    help="Choose the toggle model: glitch simulates the delay of every gate and takes minutes for each"
    " netlist of a whole cipher; zero-delay ignores glitches.",
)
@click.option(
    "--compare",
    "compare_print",
    is_flag=True,
    help="Also store the comparison with the cells of the paper's table, for the report.",
)
@no_file(
    "the tables are those of the paper; `roundworks synth --file FILE --goal energy` makes the rows of"
    " your own core"
)
@row_options
def command(
    number: str,
    libraries: tuple[Path, ...],
    only: tuple[str, ...],
    styles: tuple[str, ...],
    steady: bool,
    profile: str,
    more: tuple[str, ...],
    model: str,
    compare_print: bool,
) -> None:
    stop_on_signals()

    from ..hardware.cores import label
    from ..hardware.library import load
    from ..rows import Store
    from ..studies.hardware import library_words
    from .hw_compare import print_table, reproductions

    words = f"roundworks hw-table {number}{library_words(libraries)}"
    words += "".join(f" --core {name}" for name in only)
    words += "".join(f" --style {style}" for style in styles)
    words += (" --steady" if steady else "") + f" --profile {profile}"
    words += "".join(f" --script {name}" for name in more) + f" --model {model}"
    jobs = list(dict.fromkeys([*portfolio(profile), *((name, None) for name in more)]))
    unstored: list[Row]
    known, unstored = Known(Store()), []
    library = load(libraries)
    for it, parameters in subjects(number, only, styles):
        err.print(f"[dim]{it.name} {label(parameters)}[/]")
        for rows in measured(it, parameters, library, settings_of(it, model, steady), jobs, known, words):
            deliver(rows)
            unstored += rows if row_option("no_store") else []
    rows_of = {
        kind: Store().read(kind) + [row for row in unstored if row["kind"] == kind]
        for kind in ("synthesis", "power", "simulation")
    }
    if not row_option("json"):
        print_table(rows_of, number, library.name)
    if compare_print:
        for compared in reproductions(rows_of, number, library.name, f"{words} --compare"):
            deliver(compared)


def subjects(number: str, only: Sequence[str], styles: Sequence[str]) -> Iterator[Subject]:
    """What the table compares; a cipher whose core is not there is passed over, and said so."""
    from .. import spec
    from ..hardware.cores import core, cores
    from ..hardware.generate.components import components
    from ..hardware.power.estimates import combinations

    if number in _PARTS:
        names = [name for name in components() if name.startswith(_PARTS[number])]
    else:
        names = [each.core for each in spec.compared_ciphers()]
    for name in only:
        if name not in names:
            raise unknown(f"table {number}: part or cipher", name, names, what="not in it")
    there = {each.name for each in cores()}
    candidates: list[tuple[frozenset[str], Subject]] = []
    for name in names:
        if only and name not in only:
            continue
        if number in _PARTS:
            candidates += [(frozenset(c.values()), (core(name), c)) for c in combinations(core(name))]
        elif name in there:
            candidates += [(frozenset({style}), subject) for style, subject in styled(core(name))]
        else:
            err.print(f"{name}: no such core yet", markup=False)
    known = {style for of, _ in candidates for style in of}
    for style in styles:
        if style not in known:
            raise unknown(f"table {number}: style", style, known - {""}, what="not of these cores")
    yield from (subject for of, subject in candidates if not styles or of & {*styles})


def styled(it: Core) -> Iterator[tuple[str, Subject]]:
    """A core with each S-box that is compared, of those it has."""
    from .. import spec

    compared = next(c for c in spec.compared_ciphers() if c.core == it.name)
    there = {choice for p in it.parameters if p.name == "Sbox" for choice in p.choices} | {""}
    for style in compared.rows:
        if style in there:
            yield style, (it, it.chosen(compared.parameters(style)))
        else:
            err.print(f"{it.name}: no S-box {style} yet", markup=False)


def settings_of(it: Core, model: str, steady: bool) -> list[Settings]:
    from ..hardware.power.core import Settings

    if not it.clock:
        return [Settings(model, message=1, clock_mhz=_COMPONENTS_MHZ)]
    short = Settings(model, message=_SHORT, ad=_SHORT, clock_mhz=_CIPHERS_MHZ)
    return [short, Settings(model, message=_STEADY, clock_mhz=_CIPHERS_MHZ)] if steady else [short]


def measured(
    it: Core,
    parameters: dict[str, str],
    library: Library,
    wanted: Sequence[Settings],
    jobs: Sequence[Job],
    known: Known,
    words: str,
) -> Iterator[list[Row]]:
    """Rows of its netlists if one of them is new, then a row for each power that is not known."""
    from ..hardware.flow.synthesis import synthesise
    from ..hardware.power.estimates import estimates
    from ..studies.hardware import power_tools
    from ..studies.netlists import synthesis_fields

    with progress_bar(it.name) as show:
        made = synthesise(it, parameters, library, jobs, progress=show)
    if not all(known.netlist(one) for one in made):
        yield make_rows("synthesis", [synthesis_fields(one) for one in made], words)
    more = {"tools": power_tools(it), **({"message_cycles": message_cycles(it)} if it.clock else {})}
    for found in estimates(it, made, library, wanted, known.power):
        yield make_rows("power", [found.fields | more], words)


def message_cycles(it: Core) -> list[dict[str, int]]:
    """Cycles of messages by the core's formula, which its bench compares with simulation."""
    from ..hardware.cycles.aead import of

    one = of(it)
    runs = [(_SHORT, _SHORT), *((0, size) for size in _LENGTHS)]
    return [{"ad_bytes": ad, "msg_bytes": n, "cycles": one.cycles(ad, n)} for ad, n in runs]


class Known:
    """What has its row already."""

    def __init__(self, store: Store) -> None:
        from ..studies.netlists import synthesis_fields

        self._fields = synthesis_fields
        self.netlists = {self._netlist(row) for row in store.read("synthesis")}
        # One under older boundary conditions is estimated again.
        self.powers = {self._power(row) for row in store.read("power") if "driver" in row}

    def netlist(self, one: Synthesis) -> bool:
        return self._netlist(self._fields(one)) in self.netlists

    def power(self, one: Synthesis, settings: Settings) -> bool:
        message = settings.message if settings.message > 1 else 0
        wanted = (settings.model, settings.clock_mhz, message, settings.ad)
        return (*self._of(self._fields(one)), *wanted) in self.powers

    @staticmethod
    def _of(row: Mapping[str, Any]) -> tuple[Any, ...]:
        chosen = tuple(sorted(row["parameters"].items()))
        return row["core"], chosen, row["library_sha256"], row.get("netlist_sha256")

    def _netlist(self, row: Mapping[str, Any]) -> tuple[Any, ...]:
        # The same gates of another source are shown with that source: they have a row of their own.
        return (*self._of(row), row.get("source_sha256"), row["script"], row["target_ps"])

    def _power(self, row: Mapping[str, Any]) -> tuple[Any, ...]:
        # The random inputs of a component follow from its ports.
        message = 0 if row["traffic"].startswith("random") else row.get("message_bytes", 0)
        estimated = (row["model"], round(row["clock_mhz"], 6), message, row.get("ad_bytes", 0))
        return (*self._of(row), *estimated)
