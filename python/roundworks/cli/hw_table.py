"""roundworks hw-table"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import click

from ..errors import DescriptionError, unknown
from ..hardware.flow.scripts import NAMES, PROFILES, portfolio
from ..hardware.power import MODELS
from .common import YES, deliver, err, file_option, row_option, row_options
from .hardware import library_option
from .names import Choice, Name
from .studying import conducted, ledger_file, study_options

if TYPE_CHECKING:
    from .. import spec
    from ..hardware.cores import Core

# Table -> what the names of its parts begin with.
_PARTS = {"3": "sbox-", "4": "matrix-", "5": "inner-"}
_CIPHERS = "figure-6"
Subject: TypeAlias = "tuple[Core, dict[str, str]]"


@click.command("hw-table", epilog="Example: roundworks hw-table 3 --library nangate45.lib.gz")
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
@file_option(
    "--file",
    "described",
    help="Put the generated core of a description of your own into figure-6, with every S-box it can have, in"
    " place of the paper's.",
)
@study_options
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
    described: Path | None,
    **how: Any,
) -> int:
    """Compute Table 3 (S-boxes), 4 (matrices), 5 (inner functions) or figure-6 (ciphers, also Table 1) of
    the AETHER paper on a cell library: synthesise every component in every form, estimate the power of each
    netlist, and print the best for delay and the best for energy. Stored rows and finished units are used
    again, so an interrupted run continues. With --file, your own cipher stands next to those of figure-6 that
    have rows.
    """
    from .. import spec
    from ..hardware.library import load
    from ..rows import Store
    from ..studies.hardware import library_words
    from ..studies.hardware_table import HardwareTable
    from .hw_compare import print_table, reproductions

    cores_file, own = None, list[spec.ComparedCipher]()
    if described is None:
        chosen = list(subjects(number, only, styles))
    else:
        if number != _CIPHERS or only or compare_print:
            raise click.UsageError(
                f"--file: want TABLE {_CIPHERS} without --core and --compare; `roundworks synth --file"
                " FILE CORE` synthesises one layer of your cipher"
            )
        with err.status("") as status:
            one, chosen = own_subjects(described, styles, status.update)
        cores_file, own = chosen[0][0].file, [one]
    words = f"roundworks hw-table {number}{library_words(libraries)}"
    words += f" --file {shlex.quote(described.name)}" if described else ""
    words += "".join(f" --core {name}" for name in only)
    words += "".join(f" --style {style}" for style in styles)
    words += (" --steady" if steady else "") + f" --profile {profile}"
    words += "".join(f" --script {name}" for name in more) + f" --model {model}"
    library = load(libraries)
    study = HardwareTable(
        tuple((it.name, tuple(parameters.items())) for it, parameters in chosen),
        tuple(file.absolute() for file in libraries),
        library.sha256,
        tuple(dict.fromkeys([*portfolio(profile), *((name, None) for name in more)])),
        model,
        steady,
        words,
        cores_file,
    )
    result = conducted(study, ledger_file(f"hw-table-{number}.sqlite"), **how)
    deliver(result.value)
    if result.stopped:
        return 130
    unstored = result.value if row_option("no_store") else ()
    rows_of = {
        kind: Store().read(kind) + [row for row in unstored if row["kind"] == kind]
        for kind in ("synthesis", "power", "simulation")
    }
    if not row_option("json"):
        print_table(rows_of, number, library.name, own)
    if compare_print:
        for compared in reproductions(rows_of, number, library.name, f"{words} --compare"):
            deliver(compared)
    return YES


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


def own_subjects(
    file: Path, styles: Sequence[str], progress: Callable[[str], object]
) -> tuple[spec.ComparedCipher, list[Subject]]:
    """A description of the user's as figure 6 has ciphers, and its generated core with each of its S-boxes, or
    with the chosen ones.

    Raises
    ------
    DescriptionError
        ``feistel.py: feistel: a permutation, without messages; ...``
    """
    from .. import spec
    from ..reference import Permutation
    from ..studies.described import described
    from ..studies.hardware import choose_generated

    it, _ = described(file)
    if isinstance(it, Permutation):
        raise DescriptionError(
            f"{file}: {it.name}: a permutation, and figure-6 compares messages; `roundworks synth --file {file}`"
            " has its area and period"
        )
    core = choose_generated(file, progress=progress).core
    known = [choice for p in core.parameters if p.name == "Sbox" for choice in p.choices] or [""]
    for style in styles:
        if style not in known:
            raise unknown(f"{core.name}: style", style, known)
    defaults = {k: v for k, v in core.chosen({}).items() if k != "Sbox"}
    compared = spec.ComparedCipher(core.name, it.name, dict.fromkeys(known, ""), defaults=defaults)
    wanted = [style for style in known if not styles or style in styles]
    return compared, [(core, core.chosen(compared.parameters(style))) for style in wanted]


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
