"""[AETHER], what wants a cell library: tables 1, 3, 4 and 5, figure 6, and the conclusions from them.

Ours are the stored netlists and powers of a library, that of the default one unless another is named; no
library of ours is the paper's. So columns are compared by their ratios to a named row, gate equivalents too:
of one core they differ by a third between libraries. What depends on no library (cycles) is compared as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from .. import spec
from ..hardware.library.reader import DEFAULT
from ..report.hardware_cipher_ratios import Ciphers, ciphers
from ..report.hardware_ciphers import FIGURE, LONG, PAPER, SHORT, CipherEntry
from ..report.hardware_components import ComponentLine, PartTable, part_tables
from ..rows import Row, Store
from .run import Ours, Run

LIBRARY = DEFAULT.stem
# Table -> the row that its others are divided by.
AGAINST = {"3": "AES", "4": "MDS matrix in AES", "5": "F_AES", FIGURE: "AETHER"}
# Of the netlist that is best for energy; the other columns are of the fastest.
_ENERGY = ("energy, short", "energy, long", "power")
_ABSOLUTE = ("cycles, short", "cycles, long")
# Columns of Table 4 that follow from its others.
_QUOTIENTS = ("delay / BR", "energy / BR", "energy / BR of one")

Rows = Mapping[str, list[Row]]


def stored() -> Rows:
    """Kind -> the stored rows that these tables are made of."""
    return {kind: Store().read(kind) for kind in ("synthesis", "power", "simulation")}


def compared(rows: Rows) -> Ciphers:
    """The ciphers of figure 6, on every library."""
    return ciphers(rows["synthesis"], rows["power"], rows["simulation"])


def parts(number: str, rows: Rows) -> PartTable:
    """Table 3, 4 or 5 with our lines, on every library."""
    return next(t for t in part_tables(rows["synthesis"], rows["power"], ()) if t.number == number)


def part_cells(number: str, rows: Rows, library: str = LIBRARY) -> Iterator[Ours]:
    """The columns of a table of components that were estimated."""
    one = parts(number, rows)
    for line in one.lines:
        if line.library == library:
            for column in one.columns:
                if (value := line.values[column]) is not None:
                    made = line.delay if column.endswith("(L)") else line.energy
                    reason = f"{_where(library)}; {made.made}" if made else _where(library)
                    yield _estimated(line.name, column, value, library, AGAINST[number], reason)


def quotient(row: str, column: str, rows: Rows) -> float | None:
    """Ours of a column of Table 4 that follows from its others."""
    lines = [line for line in parts("4", rows).lines if (line.name, line.library) == (row, LIBRARY)]
    return lines[0].more[column] if lines else None


def cipher_cells(found: Ciphers, library: str = LIBRARY) -> Iterator[Ours]:
    """Figure 6. A printed row that the library has no core for is of the library of ours that has most."""
    table = spec.paper(PAPER).table(FIGURE)
    here = {e.printed_row for e in found.entries if e.library == library}
    for row in table.rows:
        at = library if row.name in here else _library_of(found, row.name, library)
        if at is None:
            continue
        base = {c: v for e in _entries(found, at, AGAINST[FIGURE]) for c, v in _values(e)}
        for entry in _entries(found, at, row.name):
            for column, value in _values(entry):
                if table.value(row.name, column) is not None:
                    against = "" if column in _ABSOLUTE else AGAINST[FIGURE]
                    reason = f"{_where(at)}; {entry.name}, {entry.made}"
                    made = _estimated(row.name, column, value, at, against, reason)
                    yield replace(made, base=base.get(column) if against else None)


def table_1(found: Ciphers, library: str = LIBRARY) -> Iterator[Ours]:
    """The fastest netlist of AETHER; in a table of one row, what depends on the library is not comparable."""
    rate = spec.cipher("aether").rate_bytes * 8
    for entry in _entries(found, library, "AETHER"):
        if entry.goal == "latency":
            for column, value in entry.values.items():
                if value is None or column.startswith("cycles"):
                    continue
                # ns in the figure, ps in the table
                scaled = 1000 * value if column == "latency" else value
                against = "" if column in _ABSOLUTE else "AETHER"
                why = f"{_where(library)}; {entry.made}"
                made = _estimated("AETHER", column, scaled, library, against, why)
                if column == "throughput":
                    latency = found.slip.latency_ps
                    why = f"{rate} bits a round in the printed {latency:g} ps; the printed rate would need"
                    why += f" {found.slip.wanted_ps:.1f} ps"
                    made = replace(made, reason=why, follows=round(found.slip.tbits, 2))
                yield made


def table_figure_6(run: Run) -> list[Ours]:
    """Every cipher of the figure, from the stored netlists and powers."""
    ours = list(cipher_cells(compared(stored())))
    there = {(o.row, o.column) for o in ours}
    why = "no core of ours with this S-box was synthesised; `roundworks hw-table figure-6` does"
    for row in spec.paper(PAPER).table(FIGURE).rows:
        for column, value in zip(spec.paper(PAPER).table(FIGURE).columns, row.values, strict=True):
            if value is not None and (row.name, column.name) not in there:
                ours.append(_left(row.name, column.name, why))
    return ours


def prose(rows: Rows) -> Iterator[Ours]:
    """Ratios of the abstract and of sections 5 and 6, and what section 3.1 concludes."""
    found, text = compared(rows), spec.paper(PAPER).table("text")
    named = {row.name for row in text.rows}
    lines = {line.row: line for line in spec.headlines() if line.row}
    also = {
        "throughput over AES-256-GCM, section 1.3": lines["throughput over AES-256-GCM, abstract"],
        "energy share of AEGIS-256, long": next(
            h
            for h in spec.headlines()
            if (h.core, h.over, h.figure) == ("aether", "aegis256", "energy, long")
        ),
    }
    for row, line in {**lines, **also}.items():
        for r in found.ratios:
            same = (r.library, r.core, r.over, r.figure) == (LIBRARY, line.core, line.over, line.figure)
            if same and r.ours is not None:
                reason = f"{_where(LIBRARY)}; {r.parts}"
                yield _estimated(row, "value", r.ours, LIBRARY, "", reason)
                break
    for number in ("3", "4", "5"):
        for claim in parts(number, rows).claims:
            if claim.library == LIBRARY and claim.text in named and claim.lowest:
                reason = f"{_where(LIBRARY)}: {claim.said}"
                yield Ours(claim.text, "value", claim.lowest, "estimated", reason, platform=LIBRARY)
    yield from _leaders(found)
    yield from _reductions({line.name: line for line in parts("5", rows).lines if line.library == LIBRARY})
    yield from _repeated(found)


def _leaders(found: Ciphers) -> Iterator[Ours]:
    """Who is first in figure 6, and AETHER's short run."""
    here = [e for e in found.entries if e.library == LIBRARY and e.printed_row]
    fastest = [(e.tbits, e) for e in here if e.tbits is not None]
    if fastest:
        rate, first = max(fastest, key=lambda pair: pair[0])
        why = f"{_where(LIBRARY)}: {rate:.3g} Tbit/s, {first.name}"
        row = "maximum throughput of those compared"
        yield Ours(row, "value", first.title, "estimated", why, platform=LIBRARY)
    others = [(nj, e) for e in here if e.core != "aether" and (nj := e.nj(LONG)) is not None]
    if others:
        nj, first = min(others, key=lambda pair: pair[0])
        why = f"{_where(LIBRARY)}: {nj:,.0f} nJ, {first.name}"
        row = "minimum energy of the others, long"
        yield Ours(row, "value", first.title, "estimated", why, platform=LIBRARY)
    short = {
        core: min(nj for e in here if e.core == core and (nj := e.nj(SHORT)) is not None)
        for core in ("aether", "aegis256")
        if any(e.core == core and e.nj(SHORT) is not None for e in here)
    }
    if len(short) == 2:
        ratio = short["aether"] / short["aegis256"]
        why = f"{_where(LIBRARY)}: {short['aether']:.3g} and {short['aegis256']:.3g} nJ"
        yield _estimated("energy over AEGIS-256, short", "value", ratio, LIBRARY, "", why)


def _reductions(by: Mapping[str, ComponentLine]) -> Iterator[Ours]:
    """Quotients of Table 5 that the abstract repeats, with those of our netlists."""
    table = spec.paper(PAPER).table("5")
    for what, column in (("energy", "energy (E)"), ("delay", "delay (L)")):
        aes, f16 = (table.value(name, column) for name in ("F_AES", "F_16"))
        assert isinstance(aes, int | float) and isinstance(f16, int | float)
        ours = [by[name].values[column] if name in by else None for name in ("F_AES", "F_16")]
        quotient = None if None in ours else float(f"{ours[0] / ours[1]:.4g}")  # type: ignore[operator]
        why = f"Table 5: {aes:g} / {f16:g}. Ours: {_where(LIBRARY)}"
        yield Ours(
            row=f"{what} reduction of F",
            column="value",
            value=quotient,
            certainty="estimated",
            reason=why,
            platform=LIBRARY,
            follows=round(aes / f16, 3),
        )


def _repeated(found: Ciphers) -> Iterator[Ours]:
    """Numbers of Table 1 and figure 6 that the prose repeats, and those of the journal version."""
    paper = spec.paper(PAPER)
    best: dict[str, CipherEntry] = {e.goal: e for e in _entries(found, LIBRARY, "AETHER")}
    for row, number, column in (
        ("throughput", "1", "throughput"),
        ("throughput, section 5", FIGURE, "throughput"),
        ("throughput, journal abstract, 15 nm", FIGURE, "throughput"),
        ("energy, short", FIGURE, "energy, short"),
        ("energy, long", FIGURE, "energy, long"),
        ("energy, long, abstract", "1", "energy, long"),
        ("energy, journal abstract, 15 nm", "1", "energy, long"),
    ):
        entry = best.get("latency" if number == "1" or column == "throughput" else "energy")
        value = entry.values[column] if entry else None
        place = f"Table {number}" if number.isdigit() else "Figure 6"
        follows, why = paper.table(number).value("AETHER", column), f"{place} prints it"
        if row == "throughput":
            follows = round(found.slip.tbits, 2)
            why = f"{place}'s latency gives {follows:g}"
        elif row == "throughput, journal abstract, 15 nm":
            assert isinstance(follows, float)
            why, follows = f"{place} prints {follows:g}", round(follows, 1)
        yield Ours(
            row=row,
            column="value",
            value=None if value is None else float(f"{value:.5g}"),
            certainty="estimated",
            reason=f"{why}. Ours: {_where(LIBRARY)}",
            platform=LIBRARY,
            follows=follows,
        )
    for mark in found.marks:
        wanted = {"throughput": "throughput", "energy of the long run at 10 MHz": "energy"}.get(mark.row)
        if wanted:
            row = f"{wanted}, journal abstract, 5 nm"
            why = f"estimated on {mark.library}, before layout, which the journal version names; its clock is not"
            why += " printed, and the energy is at 10 MHz"
            yield _estimated(row, "value", mark.ours, mark.library, "", why)


def _library_of(found: Ciphers, row: str, first: str) -> str | None:
    """The library of ours with most of the printed rows among those that have this one and AETHER."""
    rows = {name: {e.printed_row for e in found.entries if e.library == name} for name in found.libraries}
    have = [name for name in found.libraries if name != first and {row, AGAINST[FIGURE]} <= rows[name]]
    return max(have, key=lambda name: (len(rows[name]), name), default=None)


def _entries(found: Ciphers, library: str, row: str) -> list[CipherEntry]:
    return [e for e in found.entries if (e.library, e.printed_row) == (library, row)]


def _values(entry: CipherEntry) -> Iterator[tuple[str, float]]:
    """The columns that stand for the paper's: energies are of the netlist that is best for energy."""
    for column, value in entry.values.items():
        if value is not None and (column in _ENERGY) == (entry.goal == "energy"):
            yield column, value


def _estimated(row: str, column: str, value: float, library: str, against: str, reason: str) -> Ours:
    short = value if isinstance(value, int) else float(f"{value:.5g}")
    certainty = "measured" if column.startswith("cycles") else "estimated"
    return Ours(row, column, short, certainty, reason, platform=library, against=against)


def _left(row: str, column: str, reason: str) -> Ours:
    return Ours(row, column, None, None, reason, status="not-comparable")


def _where(library: str) -> str:
    return f"estimated on {library}, before layout, not on the paper's 15 nm"
