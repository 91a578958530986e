"""roundworks hw-table"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from .. import spec
from ..errors import unknown
from ..hardware import liberty
from ..hardware.components import components
from ..hardware.cores import Core, core, cores, label
from ..hardware.cycles.aead import formula
from ..hardware.library import DEFAULT, Library, load
from ..hardware.power.activity import MODELS
from ..hardware.priced import Ask, choices, priced
from ..hardware.scripts import NAMES, PROFILES, portfolio
from ..hardware.synthesise import Job, Synthesis, synthesise
from ..rows import Row, Store, row
from .common import deliver, err, make_rows, row_options
from .hardware import library_option, library_words, power_tools
from .hw_beside import beside, print_table
from .names import Choice, Name
from .signals import stop_on_signals
from .synth import fields, progress_bar

# Table -> what the names of its parts begin with.
_PARTS = {"3": "sbox-", "4": "matrix-", "5": "inner-"}
_CIPHERS = "figure-6"
_PARTS_MHZ, _CIPHERS_MHZ = 100.0, 10.0  # the paper's clocks
_SHORT = 128  # bytes of associated data and of message: the paper's short run
_STEADY = 768  # of message: what it takes more than the short run is blocks of message
_LONG = 160_000  # the paper's long run, 1.28e6 bits: by the formula of clocks, not gate by gate
_LENGTHS = (0, 16, 64, 256, 1024, 4096, 16384, 65536, _LONG)
Subject = tuple[Core, dict[str, str]]


@click.command(
    "hw-table",
    help="Compute Table 3 (S-boxes), 4 (matrices), 5 (inner functions) or figure-6 (ciphers, also"
    " Table 1) of the AETHER paper on a cell library: every component is synthesised in every form,"
    " and the power of each netlist is estimated, which gives the best for delay and for energy."
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
    help="Take only this core of the table; may be repeated.",
)
@click.option("--style", "styles", metavar="CHOICE", multiple=True,
              help="Take only this S-box or form of a component; may be repeated.")  # fmt: skip
@click.option("--steady", is_flag=True,
              help="Estimate a longer message too; the difference is that of blocks alone.")  # fmt: skip
@click.option("--profile", type=Choice(PROFILES), default="quick", show_default=True,
              help="Number of netlists: quick makes two, full two per script, energy five.")  # fmt: skip
@click.option("--script", "more", type=Choice(NAMES), multiple=True,
              help="Add this script, for minimum delay; may be repeated.")  # fmt: skip
@click.option("--model", type=Choice(MODELS), default="glitch", show_default=True,
              help="Toggle model; glitch takes minutes per netlist of a whole cipher.")  # fmt: skip
@click.option("--beside", "beside_print", is_flag=True,
              help="Compare with the paper's cells in the report.")  # fmt: skip
@row_options
def command(
    number: str, libraries: tuple[Path, ...], only: tuple[str, ...], styles: tuple[str, ...],
    steady: bool, profile: str, more: tuple[str, ...], model: str, beside_print: bool,
    as_json: bool, no_store: bool,
) -> None:  # fmt: skip
    stop_on_signals()
    words = f"roundworks hw-table {number}{library_words(libraries)}"
    words += "".join(f" --core {name}" for name in only)
    words += "".join(f" --style {style}" for style in styles)
    words += (" --steady" if steady else "") + f" --profile {profile}"
    words += "".join(f" --script {name}" for name in more) + f" --model {model}"
    jobs = list(dict.fromkeys([*portfolio(profile), *((name, None) for name in more)]))
    known, unstored = Known(Store()), list[Row]()
    library, cells = load(libraries), liberty.load(libraries or (DEFAULT,))
    for it, parameters in subjects(number, only, styles):
        err.print(f"[dim]{it.name} {label(parameters)}[/]")
        for rows in measured(
            it, parameters, library, cells, asks(it, model, steady), jobs, known, words
        ):
            deliver(rows, as_json=as_json, no_store=no_store)
            unstored += rows if no_store else []
    rows_of = {kind: Store().read(kind) + [row for row in unstored if row["kind"] == kind]
               for kind in ("synthesis", "power", "simulation")}  # fmt: skip
    if not as_json:
        print_table(rows_of, number, library.name)
    if beside_print:
        for found in beside(rows_of, number, library.name, f"{words} --beside"):
            rows = [row(each.pop("kind"), **each) for each in found]
            deliver(rows, as_json=as_json, no_store=no_store)


def subjects(number: str, only: Sequence[str], styles: Sequence[str]) -> Iterator[Subject]:
    """What the table compares; a cipher whose core is not there is passed over, and said so."""
    if number in _PARTS:
        names = [name for name in components() if name.startswith(_PARTS[number])]
    else:
        names = [each.core for each in spec.contenders()]
    for name in only:
        if name not in names:
            raise unknown(f"table {number}: part or cipher", name, names, what="not in it")
    there = {each.name for each in cores()}
    found: list[tuple[frozenset[str], Subject]] = []
    for name in names:
        if only and name not in only:
            continue
        if number in _PARTS:
            found += [(frozenset(c.values()), (core(name), c)) for c in choices(core(name))]
        elif name in there:
            found += [(frozenset({style}), subject) for style, subject in styled(core(name))]
        else:
            err.print(f"{name}: no such core yet", markup=False)
    known = {style for of, _ in found for style in of}
    for style in styles:
        if style not in known:
            raise unknown(f"table {number}: style", style, known - {""}, what="not of these cores")
    yield from (subject for of, subject in found if not styles or of & {*styles})


def styled(it: Core) -> Iterator[tuple[str, Subject]]:
    """A core with each S-box that is compared, of those it has."""
    contender = next(c for c in spec.contenders() if c.core == it.name)
    there = {choice for p in it.parameters if p.name == "Sbox" for choice in p.choices} | {""}
    for style in contender.rows:
        if style in there:
            yield style, (it, it.chosen(contender.parameters(style)))
        else:
            err.print(f"{it.name}: no S-box {style} yet", markup=False)


def asks(it: Core, model: str, steady: bool) -> list[Ask]:
    if not it.clock:
        return [Ask(_PARTS_MHZ, model)]
    short = Ask(_CIPHERS_MHZ, model, _SHORT, _SHORT)
    return [short, Ask(_CIPHERS_MHZ, model, _STEADY)] if steady else [short]


def measured(
    it: Core, parameters: dict[str, str], library: Library, cells: liberty.Library,
    wanted: Sequence[Ask], jobs: Sequence[Job], known: Known, words: str,
) -> Iterator[list[Row]]:  # fmt: skip
    """Rows of its netlists if one of them is new, then a row for each power that is not known."""
    with progress_bar(it.name) as show:
        made = synthesise(it, parameters, library, jobs, progress=show)
    if not all(known.netlist(one) for one in made):
        yield make_rows("synthesis", [fields(one) for one in made], words)
    more = {"tools": power_tools(it), **({"clocks": clocks_of(it)} if it.clock else {})}
    for found in priced(it, made, cells, wanted, known.power):
        yield make_rows("power", [found.fields | more], words)


def clocks_of(it: Core) -> list[dict[str, int]]:
    """Clocks of messages by the core's formula, which its bench compares with simulation."""
    one = formula(it.cycles)
    runs = [(_SHORT, _SHORT), *((0, size) for size in _LENGTHS)]
    return [{"ad_bytes": ad, "msg_bytes": n, "cycles": one.cycles(ad, n)} for ad, n in runs]


class Known:
    """What has its row already."""

    def __init__(self, store: Store) -> None:
        self.netlists = {self._netlist(row) for row in store.read("synthesis")}
        self.powers = {self._power(row) for row in store.read("power")}

    def netlist(self, one: Synthesis) -> bool:
        return self._netlist(fields(one)) in self.netlists

    def power(self, one: Synthesis, ask: Ask) -> bool:
        asked = (ask.model, ask.clock_mhz, ask.message, ask.ad)
        return (*self._of(fields(one)), *asked) in self.powers

    @staticmethod
    def _of(row: dict[str, Any]) -> tuple[Any, ...]:
        chosen = tuple(sorted(row["parameters"].items()))
        return row["core"], chosen, row["library_sha256"], row.get("netlist_sha256")

    def _netlist(self, row: dict[str, Any]) -> tuple[Any, ...]:
        # The same gates of another source are shown with that source: they have a row of their own.
        return (*self._of(row), row.get("source_sha256"), row["script"], row["target_ps"])

    def _power(self, row: dict[str, Any]) -> tuple[Any, ...]:
        # What a part is fed with follows from its ports: it is never asked for.
        message = 0 if row["traffic"].startswith("random") else row.get("message_bytes", 0)
        asked = (row["model"], round(row["clock_mhz"], 6), message, row.get("ad_bytes", 0))
        return (*self._of(row), *asked)
