"""The sections of a sheet on security: components, audit, bounds."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from math import isqrt
from pathlib import Path

from ..analysis.codes import matrix_branch_number
from ..analysis.sboxes import sbox_facts
from ..bounds import CERTAINTY
from ..errors import DescriptionError, RoundworksError
from ..prove.measures import MEASURES
from ..reference import BlockAead, Matrix, Permutation, Recording, Roundwise, Sbox, Sponge, StreamAead
from ..report.frame import origin
from ..report.known import BY_SOLVERS, best_known, of_all_trails
from ..report.overview import current_findings
from ..rows import AuditRow, BoundRow, Row, SolveRow, latest
from .ciphers import audit, bounds, finding_table
from .result import Result, Table

Parts = tuple[tuple[Table, ...], tuple[str, ...]]
# Seconds: of one solver query, and of all of them; a query in progress may go over the second.
QUICK, FULL = (2.0, 20.0), (300.0, 3600.0)
_ROUNDS, _CELL_ROUNDS = 8, 3
# Of a round that absorbs a block and gives keystream.
_OF_BLOCKS = ("active-f", "collision", "bias", "guess-and-determine")
# In the order in which a designer wants them: the last are left out when the time is spent.
_BY_SOLVER = ("active-sboxes", "collision-sboxes", "bias-sboxes")


def inversion(bits: int) -> tuple[int, int]:
    """Differential uniformity and linearity of the inversion in GF(2^bits).

    The values of its Walsh table are all multiples of 4 between -2^(bits/2 + 1) + 1 and
    2^(bits/2 + 1) + 1.
    """
    return 2 if bits % 2 else 4, 4 * ((isqrt(1 << bits + 2) + 1) // 4)


def components(recording: Recording) -> Parts:
    """Properties of every S-box and matrix of the round; a note for each that is weak for its size."""
    details = dict.fromkeys(n.detail for n in recording.graph.nodes if isinstance(n.detail, Sbox | Matrix))
    sboxes, matrices, notes = [], [], []
    for one in details:
        if isinstance(one, Matrix):
            try:
                branch: int | None = matrix_branch_number(one)
            except DescriptionError as error:
                branch = None
                notes.append(str(error))
            matrices.append((one.name, len(one.rows), one.cell_bits, branch, len(one.rows) + 1))
            if not one.invertible:
                notes.append(f"warning: matrix {one.name} is singular: a difference can vanish in it")
            continue
        facts, size = sbox_facts(one), 1 << one.bits
        uniformity, linearity = round(size * 2**facts.dp_log2), round(size * 2 ** (facts.c2_log2 / 2))
        sboxes.append((one.name, one.bits, uniformity, linearity, facts.degree, facts.bijective))
        if not one.bijective:
            notes.append(f"warning: S-box {one.name} is not bijective: a difference can vanish in it")
        for name, value, other in zip(
            ("DDT", "LAT"), (uniformity, linearity), inversion(one.bits), strict=True
        ):
            if value > other:
                notes.append(
                    f"warning: S-box {one.name}: its largest {name} entry is {value}; inversion in"
                    f" GF(2^{one.bits}) has {other}"
                )
    tables = []
    if sboxes:
        columns = ("S-box", "bits", "differential uniformity", "linearity", "degree", "bijective")
        tables.append(Table("S-boxes of the round", columns, tuple(sboxes)))
    if matrices:
        heads = ("matrix", "cells", "bits of a cell", "branch number", "at most")
        tables.append(Table("Matrices of the round", heads, tuple(matrices)))
    if not details:
        notes.append("the round has no S-box and no matrix")
    return tuple(tables), tuple(notes)


def audited(
    subject: str | Path | Roundwise, it: Roundwise, known: Iterable[Row], *, full: bool
) -> Result[AuditRow]:
    """The findings of the newest stored audit, or of one made now; a note where there is no mode."""
    if not isinstance(it, StreamAead | BlockAead):
        kind = "a permutation" if isinstance(it, Permutation) else "a block cipher"
        return Result((), (), (f"not audited: the audit is of a mode, and {kind} has none",))
    stored = [row for row in known if isinstance(row, AuditRow) and row.cipher == it.name]
    if full or not stored:
        try:
            return audit(subject)  # type: ignore[arg-type]  # refused if it has no mode
        except RoundworksError as error:
            return Result((), (), (f"not audited: {error}",))
    rows = current_findings(stored)[it.name]
    return Result((), (finding_table(rows),), (origin(rows),))


def bounded(
    subject: str | Path | Roundwise,
    it: Roundwise,
    known: Iterable[Row],
    *,
    units: bool,
    full: bool,
    report: Callable[[str], None],
    sboxes: bool = True,
) -> Result[BoundRow]:
    """The best that is known by each measure: stored rows, and new ones within a budget of time. Without
    ``units`` in the round nothing that counts F, without ``sboxes`` nothing that counts those."""
    known = list(known)
    stored = [row for row in known if isinstance(row, BoundRow) and row.cipher == it.name]
    solves = [row for row in known if isinstance(row, SolveRow)]
    have: set[str] = set() if full else {row.measure for row in stored if of_all_trails(row)}
    made: list[BoundRow] = []
    notes: list[str] = []
    if isinstance(it, Permutation):
        have |= {measure for measure, facts in MEASURES.items() if facts.word_wise} | set(_BY_SOLVER[1:])
        notes.append("a permutation absorbs nothing and gives no keystream: its S-boxes alone are counted")
    elif not units:
        have |= {measure for measure, facts in MEASURES.items() if facts.word_wise} - {"diffusion"}
        notes.append(
            "the round marks no function as @unit, so there is no F to count; cells and bits are counted"
        )
    if isinstance(it, Sponge):
        have |= {*_OF_BLOCKS, *_BY_SOLVER[1:]}
        notes.append(
            "a sponge's round is that of its permutation, which absorbs nothing and gives no keystream"
        )
    if not sboxes:
        have |= set(_BY_SOLVER)
        notes.append("the round has no S-box to count")
    limit, budget = FULL if full else QUICK
    started = time.perf_counter()
    for measure, facts in MEASURES.items():
        if measure in have or (not facts.word_wise and measure not in _BY_SOLVER):
            continue
        if facts.by_solver and time.perf_counter() - started > budget:
            notes.append(f"{measure}: not computed, the {budget:g} s of the solvers are spent")
            continue
        report(f"bounds: {measure}")
        rounds = _CELL_ROUNDS if facts.by_solver else _ROUNDS if "rounds" in facts.options else None
        try:
            made += bounds(subject, measure, rounds, time_limit=limit if facts.by_solver else None)
        except RoundworksError as error:
            notes.append(f"{measure}: not computed: {error}")
    rows = _until_full(_best([*stored, *made], solves))
    columns = ("measure", "view", "count", "rounds", "side", "value", "unit", "certainty", "from")
    new = {(row.measure, row.rounds, row.time) for row in made}
    lines = tuple(
        (
            row.measure,
            row.view,
            row.count,
            row.rounds,
            row.side,
            row.value,
            row.unit,
            CERTAINTY[row.certainty],
            "computed now" if (row.measure, row.rounds, row.time) in new else row.time[:10],
        )
        for row in rows
    )
    notes += [
        f"{m}: {MEASURES[m].summary}"
        for m in dict.fromkeys(r.measure for r in rows if r.unit.endswith("log2"))
    ]
    notes += absent(rows)
    if stored:
        notes.append(origin(stored))
    tables = (Table("", columns, lines),) if lines else ()
    return Result(tuple(made), tables, tuple(notes))


def _until_full(rows: Sequence[BoundRow]) -> list[BoundRow]:
    """Without the rounds of diffusion that follow one in which every word reaches every word."""
    full = min(
        (row.rounds or 0 for row in rows if row.measure == "diffusion" and row.value == 100), default=None
    )
    return [row for row in rows if row.measure != "diffusion" or full is None or (row.rounds or 0) <= full]


def _best(rows: Sequence[BoundRow], solves: Sequence[SolveRow]) -> list[BoundRow]:
    keys = ["cipher", "measure", "rounds", "unit", "side", "certainty"]
    others = [row for row in rows if row.measure not in BY_SOLVERS and of_all_trails(row)]
    newest = [*latest(others, keys, ["view", "count"]), *best_known(rows, solves)]
    order = list(MEASURES)
    return sorted(newest, key=lambda r: (order.index(r.measure), r.view or "", r.count or "", r.rounds or 0))


def absent(rows: Iterable[BoundRow]) -> list[str]:
    """What a dash for a value says: of a search that is not complete, less."""
    kinds = {row.certainty == "heuristic" for row in rows if row.value is None}
    texts = {
        False: "a dash for a value: there is no such path",
        True: "a dash for a heuristic value: none was found",
    }
    return [texts[heuristic] for heuristic in sorted(kinds)]
