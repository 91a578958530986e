"""The sections of a sheet on cost: generated code, cycles, speed, hardware; and the cipher in one row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import inf
from pathlib import Path
from typing import Any

from ..errors import RoundworksError
from ..generate import generate
from ..reference import (
    BlockCipher,
    Permutation,
    Roundwise,
    StreamAead,
    get,
    get_permutation,
    names,
    permutations,
    programmed,
)
from ..reference.aead import BlockAead
from ..report.frame import origin
from ..report.hardware_ciphers import LONG, CipherEntry, entries_of, is_core_of, leaders
from ..report.overview import statistics
from ..report.permutation_speed import speed_of
from ..rows import (
    BenchRow,
    BoundRow,
    CodeRow,
    CyclesRow,
    PermutationRow,
    PowerRow,
    Row,
    SimulationRow,
    SynthesisRow,
)
from ..rows import latest as newest
from .ciphers import cycles
from .generated import GeneratedSpeed
from .generated_code import GeneratedCode
from .generated_permutations import GeneratedPermutationSpeed
from .result import Table
from .study import conduct

Parts = tuple[tuple[Table, ...], tuple[str, ...]]
# Of each workload of a file: a page is there in minutes, and `roundworks bench` takes more.
_WINDOWS = 6
_NO_CORE = "no stored netlist; cores are generated from streaming AEADs and permutations alone"
_NO_NETLIST = "no stored netlist; `roundworks synth` makes one, of a description with --file FILE"


def generated(it: Roundwise) -> Parts:
    """Operations of the generated C by back end.

    Raises
    ------
    DescriptionError
        ``aes-128-gcm: a mode of blocks; code is generated from streaming ciphers and permutations``
    """
    made = generate(programmed(it), "c")
    lines = tuple(
        (machine, len(functions), sum(found["operations"] for found in functions.values()))
        for machine, functions in made.proofs.items()
    )
    note = "every straight-line function is proven equal to the description, for all inputs"
    return (Table("C", ("back end", "functions", "operations"), lines),), (note,)


def proven(it: Roundwise, file: Path | None, known: Iterable[Row]) -> tuple[Parts, tuple[CodeRow, ...]]:
    """Whole messages in machine code: of a file those of its generated C, computed now; else the newest stored rows of
    the library; else a note that says why not."""
    if file is None:
        stored = [
            row for row in known if isinstance(row, CodeRow) and row.cipher == it.name and not row.compiler
        ]
        last = {
            (r.backend, r.processor, r.operation): r for r in sorted(stored, key=lambda row: str(row.time))
        }
        rows = tuple(last[key] for key in sorted(last))
        note = origin(rows) if rows else "no stored proof; `make prove` computes those of the library"
    elif not isinstance(it, StreamAead | Permutation):
        return (
            (),
            ("not proven: want a streaming AEAD or a permutation; code is generated from no other",),
        ), ()
    else:
        try:
            rows = conduct(GeneratedCode(file)).rows
        except (RoundworksError, ImportError) as error:
            return ((), (f"not proven: {error}",)), ()
        note = f"generated C, compiled by {rows[0].compiler}"
    heads = ("back end", "processor", "operation", "calls proven", "of", "bytes left", "in registers")
    lines = tuple(
        (r.backend, r.processor, r.operation, r.proven, r.tried, r.left, r.in_registers) for r in rows
    )
    return ((Table("calls proven for all inputs", heads, lines),) if rows else (), (note,)), rows


def modelled(subject: str | Path | Roundwise) -> tuple[Parts, tuple[CyclesRow, ...]]:
    """The prediction for each CPU, of descriptions on AES rounds; else a note that says why not."""
    try:
        model = cycles(subject)
    except RoundworksError as error:
        return ((), (f"not estimated: {error}",)), ()
    return (model.tables, model.notes), model.rows


def timed(it: Roundwise, file: Path) -> tuple[Parts, tuple[BenchRow | PermutationRow, ...]]:
    """Generated code of a file, measured now next to a cipher or permutation of the catalogue; else a note
    that says why not."""
    try:
        if isinstance(it, Permutation):
            blocks = conduct(GeneratedPermutationSpeed(samples=_WINDOWS, file=file))
            return (blocks.tables, blocks.notes), blocks.rows
        calls = conduct(GeneratedSpeed(samples=_WINDOWS, file=file))
    except RoundworksError as error:
        return ((), (f"not measured: {error}",)), ()
    rows = tuple(row for row in calls.rows if isinstance(row, BenchRow))
    return (calls.tables, calls.notes), rows


def measured(name: str, known: Iterable[Row]) -> Parts:
    """The newest stored speed of each machine and back end, of the longest message."""
    known = list(known)
    rows = _benches(name, known)
    if rows:
        lines = tuple(
            (r.machine, r.backend, r.data_bytes, s.ns_per_byte, s.cycles_per_byte)
            for r in rows
            for s in [statistics(r)]
        )
        columns = ("machine", "back end", "message, bytes", "ns/byte", "cycles/byte")
        return (Table("Encryption, Rust", columns, lines),), (origin(rows),)
    blocks = _permuted(name, known)
    if not blocks:
        return (), ("no stored measurement",)
    runs = tuple((r.machine, r.backend, r.way, r.blocks, speed_of(r).median) for r in blocks)
    heads = ("machine", "back end", "way", "blocks", "cycles/byte")
    return (Table("Permutation", heads, runs),), (origin(blocks),)


def hardware(it: Roundwise, known: Iterable[Row]) -> Parts:
    """Its netlists that are best for a goal, then the compared cipher with the minimum energy of each core."""
    name = it.name
    none = _NO_NETLIST if isinstance(it, StreamAead | Permutation) else _NO_CORE
    entries = _entries(known)
    if not entries:
        return (), (none,)
    own = [entry for entry in entries if is_core_of(entry.core, name)]
    columns = (
        *("cipher", "library", "goal", "period, ns", "area, um2"),
        *("area, kGE", f"energy of {LONG[1]:,} bytes, nJ"),
    )
    tables = [Table(name, columns, tuple(map(_line, own)))] if own else []
    tables.append(Table("Minimum energy of each core", columns, tuple(map(_line, leaders(entries).values()))))
    return tuple(tables), (() if own else (f"{name}: {none}",))


def compared(
    it: Roundwise,
    bounds: Sequence[BoundRow],
    known: Sequence[Row],
    new: Sequence[BenchRow | PermutationRow] = (),
) -> tuple[list[dict[str, Any]], str]:
    """The cipher in one row, then those of the catalogue, by the same columns; and where these are from.

    Speeds are of one machine, that of ``new`` measurements of the cipher if there are any, and netlists of one
    library: those that have the most.
    """
    others: list[Roundwise] = []
    if isinstance(it, Permutation):
        others = [get_permutation(name) for name in permutations()]
    elif not isinstance(it, BlockCipher):
        others = [get(name) for name in names()]
    kind = PermutationRow if isinstance(it, Permutation) else BenchRow
    machine = _most(row.machine for row in new or known if isinstance(row, kind))
    best = leaders(_entries(known)).values()
    library = _most(entry.library for entry in best)
    entries = [entry for entry in best if entry.library == library]
    there = [row for row in (*known, *new) if row.machine == machine]
    notes = [f"cycles/byte: the fastest back end on {machine}, of several runs"] if machine else []
    if library and not isinstance(it, Permutation):
        notes.append(f"hardware: the netlist of minimum energy in {library}")
    every = [it, *(other for other in others if other.name != it.name)]
    return [_row(one, bounds, there, entries) for one in every], "; ".join(notes)


def _most(values: Iterable[str]) -> str | None:
    counted = Counter(values).most_common(1)
    return counted[0][0] if counted else None


def _row(
    it: Roundwise, bounds: Sequence[BoundRow], known: Sequence[Row], entries: Sequence[CipherEntry]
) -> dict[str, Any]:
    line: dict[str, Any] = {"name": it.name, "state, bits": it.words * it.word_bits}
    if isinstance(it, Permutation):
        line["rounds"] = it.rounds
        speeds: list[float | None] = [speed_of(row).median for row in _permuted(it.name, known)]
    else:
        line |= dict.fromkeys(("block, bytes", "key, bytes", "nonce, bytes", "tag, bytes"))
        if isinstance(it, StreamAead | BlockAead):
            sizes = (it.rate_bytes, it.key_bytes, it.nonce_bytes, it.tag_bytes)
            line |= dict(zip(list(line)[2:], sizes, strict=True))
        values = [r.value for r in bounds if (r.cipher, r.measure) == (it.name, "collision")]
        line["active F of a collision"] = values[-1] if values else None
        speeds = [statistics(row).cycles_per_byte for row in _benches(it.name, known)]
    line["cycles/byte"] = min((round(speed, 3) for speed in speeds if speed is not None), default=None)
    if not isinstance(it, Permutation):
        own = [e for e in entries if is_core_of(e.core, it.name)]
        first = min(own, key=lambda e: e.nj(LONG) or inf, default=None)
        line["area, kGE"] = first and first.row["kge"]
        line["period, ns"] = first and first.row["period_ps"] / 1000
        line[f"nJ of {LONG[1]:,} bytes"] = first and first.nj(LONG)
    return line


def _benches(name: str, known: Iterable[Row]) -> list[BenchRow]:
    rows = [
        row
        for row in known
        if isinstance(row, BenchRow)
        and (row.cipher, row.operation) == (name, "encrypt")
        and (row.surface, row.library) in (("rust", "roundworks"), ("c", "generated"))
    ]
    # Generated code of what the core does not have.
    rows = [row for row in rows if row.surface == "rust"] or rows
    longest = max((row.data_bytes for row in rows), default=0)
    return newest([row for row in rows if row.data_bytes == longest], ["machine", "backend", "ad_bytes"])


def _permuted(name: str, known: Iterable[Row]) -> list[PermutationRow]:
    rows = [
        row
        for row in known
        if isinstance(row, PermutationRow)
        and (row.permutation, row.operation) == (name, "permute")
        and row.samples_cycles
    ]
    return newest(rows, ["machine", "backend", "way", "blocks"])


def _entries(known: Iterable[Row]) -> list[CipherEntry]:
    known = list(known)
    return list(
        entries_of(
            [row for row in known if isinstance(row, SynthesisRow)],
            [row for row in known if isinstance(row, PowerRow)],
            [row for row in known if isinstance(row, SimulationRow)],
        )
    )


def _line(entry: CipherEntry) -> tuple[object, ...]:
    row = entry.row
    return (
        entry.name,
        entry.library,
        entry.goal,
        row["period_ps"] / 1000,
        row["area_um2"],
        row["kge"],
        entry.nj(LONG),
    )
