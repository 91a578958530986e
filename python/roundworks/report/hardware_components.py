"""Tables 3, 4 and 5 of [AETHER] on our libraries: parts by delay and by energy, ranks, conclusions.

The best for delay is of every form and script that was run, the best for energy of all netlists that
were estimated; a library is compared with the print by order only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from roundworks import spec
from roundworks.report.hardware_rows import (
    Choice,
    choice_of,
    conditions_note,
    current,
    newest_conditions,
    words,
)
from roundworks.report.rank import kendall, spearman
from roundworks.report.values import number as number_of
from roundworks.rows import Row, latest

PAPER = "aether"
NUMBERS = ("3", "4", "5")
PRINTED = "printed, 15 nm"
COLUMNS = tuple(f"{what} ({goal})" for what in ("area", "delay", "energy") for goal in "LE")
# The cores of the rows of Table 4, in its order.
_MATRICES = ("matrix-aes", "matrix-midori", "matrix-m8", "matrix-aether", "matrix-m32")
_MODELS = ("glitch", "zero-delay")


@dataclass(frozen=True, slots=True)
class Pick:
    """A netlist and its power; without one its energy is not known."""

    row: Row
    power: Row | None

    @property
    def energy(self) -> float | None:
        """pJ for each input, leakage of a cycle at 100 MHz included."""
        return self.power["energy_pj"] / self.power["cycles"] if self.power else None

    @property
    def made(self) -> str:
        """The synthesis script and the parameters."""
        return f"{self.row['script']}, {words(self.row['parameters'])}"


@dataclass(frozen=True, slots=True)
class ComponentLine:
    """A part in a library, or as printed. ``values`` by column, ``more`` as the paper has it."""

    name: str
    library: str
    values: Mapping[str, float | None]
    more: Mapping[str, Any]
    delay: Pick | None = None
    energy: Pick | None = None

    @property
    def printed(self) -> bool:
        """Whether the line is of the paper."""
        return self.library == PRINTED


@dataclass(frozen=True, slots=True)
class Rank:
    """How a column's order is the print's, over the parts that have both."""

    column: str
    library: str
    parts: int
    spearman: float | None
    kendall: float | None


@dataclass(frozen=True, slots=True)
class ComponentClaim:
    """A conclusion of section 3.1 by the numbers of a library; ``holds`` None where some lack.
    ``lowest``: of a conclusion that names who has the minimum, who has it here."""

    text: str
    library: str
    holds: bool | None
    said: str
    lowest: str = ""


@dataclass(frozen=True, slots=True)
class PartTable:
    """A printed table of components with our lines."""

    number: str
    caption: str
    columns: tuple[str, ...]
    more: tuple[str, ...]
    lines: tuple[ComponentLine, ...]
    ranks: tuple[Rank, ...]
    claims: tuple[ComponentClaim, ...]
    rows: tuple[Row, ...]

    @property
    def conditions(self) -> str:
        """A note on powers estimated under older boundary conditions; empty if there is none."""
        picks = (pick for line in self.lines for pick in (line.delay, line.energy) if pick)
        return conditions_note(pick.power for pick in picks if pick.power)

    @property
    def measured(self) -> bool:
        """Whether the table has a line of ours."""
        return any(not line.printed for line in self.lines)


def cores_of(number: str) -> dict[str, str]:
    """Row of the paper's table -> our core."""
    rows = [row.name for row in spec.paper(PAPER).table(number).rows]
    if number == "3":
        return {box.title: f"sbox-{box.name}" for box in spec.sboxes().values()}
    if number == "4":
        return dict(zip(rows, _MATRICES, strict=True))
    return {name: f"inner-{name.lower().replace('_', '-')}" for name in rows}


def part_names() -> set[str]:
    """Cores that are components of the paper's tables."""
    return {core for number in NUMBERS for core in cores_of(number).values()}


def part_tables(
    synthesis: Iterable[Row], powers: Iterable[Row], reproduced: Iterable[Row]
) -> list[PartTable]:
    """Each table of components, from the newest netlists and powers."""
    names = part_names()
    netlists: dict[tuple[str, str], list[Row]] = {}
    for (library, (core, _)), rows in current(r for r in synthesis if r["core"] in names).items():
        netlists.setdefault((library, core), []).extend(rows)
    estimated = _estimated(r for r in powers if r["core"] in names)
    # What holds on every library; ours of one library are no facts of the others.
    computed = {
        (r["table"], r["row"], r["column"]): r.get("follows", r["value"])
        for r in latest(reproduced, ["paper", "table", "row", "column"])
        if r["paper"] == PAPER and ("follows" in r or "platform" not in r)
    }
    return [_table(number, netlists, estimated, computed) for number in NUMBERS]


NetlistKey = tuple[Choice, str, str]


def _estimated(powers: Iterable[Row]) -> dict[NetlistKey, Row]:
    """Netlist -> its power by the best model there is."""
    by_netlist: dict[NetlistKey, list[Row]] = {}
    for row in powers:
        by_netlist.setdefault(_netlist_of(row), []).append(row)
    by_model = {key: min((p["model"] for p in rows), key=_MODELS.index) for key, rows in by_netlist.items()}
    return {
        key: newest_conditions([p for p in rows if p["model"] == by_model[key]])[-1]
        for key, rows in by_netlist.items()
    }


def _netlist_of(row: Row) -> NetlistKey:
    return choice_of(row), row.get("netlist_sha256", ""), row.get("library_sha256", "")


def _table(
    number: str,
    netlists: Mapping[tuple[str, str], list[Row]],
    estimated: Mapping[NetlistKey, Row],
    computed: Mapping[tuple[str, str, str], Any],
) -> PartTable:
    printed = spec.paper(PAPER).table(number)
    heads = [column.name for column in printed.columns]
    columns = tuple(c for c in COLUMNS if c in heads)
    more = tuple(h for h in heads if h not in COLUMNS)
    cores = cores_of(number)
    libraries = sorted({library for library, core in netlists if core in cores.values()})
    lines, used = [], []
    facts: dict[str, dict[str, Any]] = {}
    for row in printed.rows:
        theirs = {h: printed.value(row.name, h) for h in more}
        # Ours where it was computed: the print has two S-boxes' properties wrong.
        ours = {h: v if (o := computed.get((number, row.name, h))) is None else o for h, v in theirs.items()}
        facts[row.name] = {h: None if v == "" else v for h, v in ours.items()}
        values = {c: number_of(printed.value(row.name, c)) for c in columns}
        lines.append(ComponentLine(row.name, PRINTED, values, theirs))
        for library in libraries:
            rows = netlists.get((library, cores[row.name]))
            if rows:
                lines.append(_measured(row.name, library, rows, estimated, columns, facts[row.name]))
                used += rows
    ranks = [r for c in columns for library in libraries if (r := _rank(lines, c, library))]
    by_text: dict[str, list[ComponentClaim]] = {}
    for library in [PRINTED, *libraries]:
        for claim in _CLAIMS[number](_by_name(lines, library, facts), library):
            by_text.setdefault(claim.text, []).append(claim)
    claims = tuple(claim for same in by_text.values() for claim in same)
    return PartTable(
        number=number,
        caption=printed.caption,
        columns=columns,
        more=more,
        lines=tuple(lines),
        ranks=tuple(ranks),
        claims=claims,
        rows=tuple(used),
    )


def _measured(
    name: str,
    library: str,
    rows: Sequence[Row],
    estimated: Mapping[NetlistKey, Row],
    columns: Sequence[str],
    facts: Mapping[str, Any],
) -> ComponentLine:
    picks = [Pick(row, estimated.get(_netlist_of(row))) for row in rows]
    delay = min(picks, key=lambda p: (p.row["period_ps"], p.row["area_um2"]))
    known = [(p.energy, p) for p in picks if p.energy is not None]
    energy = min(known, key=lambda pair: (pair[0], pair[1].row["area_um2"]))[1] if known else None
    values = {column: _value(column, delay if column.endswith("(L)") else energy) for column in columns}
    return ComponentLine(name, library, values, {**facts, **_quotients(values, facts)}, delay, energy)


def _quotients(values: Mapping[str, float | None], facts: Mapping[str, Any]) -> dict[str, float | None]:
    """The columns of Table 4 that follow from its others: the better of two by branch number."""
    if "matrices" not in facts:
        return {}
    number, copies = facts["branch number"], facts["matrices"] or 1
    one = {what: better(values, what) for what in ("delay", "energy")}
    each = {what: None if value is None else value / number for what, value in one.items()}
    return {
        "delay / BR": each["delay"],
        "energy / BR": None if each["energy"] is None else copies * each["energy"],
        "energy / BR of one": each["energy"] if copies > 1 else None,
    }


def better(values: Mapping[str, float | None], what: str) -> float | None:
    """The smaller of a value of the two netlists, for latency and for energy; None without both."""
    known = [v for goal in "LE" if (v := values[f"{what} ({goal})"]) is not None]
    return min(known) if known else None


def _value(column: str, pick: Pick | None) -> float | None:
    if pick is None or column.startswith("energy"):
        return pick.energy if pick else None
    return float(pick.row["area_um2" if column.startswith("area") else "period_ps"])


def _rank(lines: Sequence[ComponentLine], column: str, library: str) -> Rank | None:
    theirs = {line.name: line.values[column] for line in lines if line.printed}
    pairs = [
        (value, printed)
        for line in lines
        if line.library == library
        if (value := line.values[column]) is not None and (printed := theirs[line.name]) is not None
    ]
    if len(pairs) < 2:
        return None
    ours, print_ = zip(*pairs, strict=True)
    return Rank(column, library, len(pairs), spearman(ours, print_), kendall(ours, print_))


# Conclusions --------------------------------------------------------------------------------------

Named = Mapping[str, ComponentLine]


def _by_name(
    lines: Sequence[ComponentLine], library: str, facts: Mapping[str, Mapping[str, Any]]
) -> dict[str, ComponentLine]:
    """Every part; one that was not measured there has no values."""
    by = {line.name: line for line in lines if line.library == library}
    for line in lines:
        if line.printed and line.name not in by:
            none, own = dict.fromkeys(line.values), facts[line.name]
            by[line.name] = ComponentLine(line.name, library, none, {**own, **_quotients(none, own)})
    return by


def _lowest(
    text: str, winner: str, library: str, values: Mapping[str, float | None], unit: str
) -> ComponentClaim:
    """Whether the winner has the minimum; a tie is enough."""
    known = {name: value for name, value in values.items() if value is not None}
    if len(known) < len(values) or winner not in known:
        return ComponentClaim(text, library, None, "some were not measured")
    rest = {name: value for name, value in known.items() if name != winner}
    other = min(rest, key=lambda name: rest[name])
    said = f"{winner} {known[winner]:.4g}, {other} {rest[other]:.4g} {unit}"
    holds = known[winner] <= rest[other]
    return ComponentClaim(text, library, holds, said, winner if holds else other)


def _sboxes(by: Named, library: str) -> Iterator[ComponentClaim]:
    four = {n: line for n, line in by.items() if line.more["width"] == 4}
    best = {
        n: line
        for n, line in four.items()
        if (line.more["DP"], line.more["C2"], line.more["degree"], line.more["full diffusion"])
        == (-2, -2, 3, "yes")
    }
    for names, winner, whose in (
        (four, "Midori (Sb0)", "of 4 bits"),
        (best, "Orthros", "of 4 bits with degree 3 and full diffusion"),
    ):
        for column, what, unit in (("delay (L)", "delay", "ps"), ("energy (E)", "energy", "pJ")):
            yield _lowest(
                f"{winner} has the minimum {what} of the S-boxes {whose}",
                winner,
                library,
                {n: line.values[column] for n, line in names.items()},
                unit,
            )


def _matrices(by: Named, library: str) -> Iterator[ComponentClaim]:
    small, large = "4x4 binary matrix", "32x32 binary matrix"
    for what, unit in (("delay", "ps"), ("energy", "pJ")):
        yield _lowest(
            f"the {small} has the minimum {what}",
            small,
            library,
            {n: better(line.values, what) for n, line in by.items()},
            unit,
        )
        yield _lowest(
            f"the {large} has the minimum {what} by branch number",
            large,
            library,
            {n: line.more[f"{what} / BR"] for n, line in by.items()},
            unit,
        )


def _functions(by: Named, library: str) -> Iterator[ComponentClaim]:
    prose = spec.paper(PAPER).table("text")
    for column, what, unit in (("delay (L)", "delay", "ps"), ("energy (E)", "energy", "pJ")):
        values = {n: line.values[column] for n, line in by.items()}
        yield _lowest(f"F_16 has the minimum {what}", "F_16", library, values, unit)
        wanted = prose.value(f"{what} reduction of F", "value")
        assert isinstance(wanted, int | float)
        text = f"F_16 has {wanted:g} times less {what} than F_AES"
        aes, ours = values.get("F_AES"), values.get("F_16")
        if aes is None or ours is None:
            yield ComponentClaim(text, library, None, "some were not measured")
        else:
            # Printed with two decimals; what rounds to it is it.
            yield ComponentClaim(text, library, round(aes / ours, 2) >= wanted, f"{aes / ours:.3g} times")


_CLAIMS: Mapping[str, Callable[[Named, str], Iterator[ComponentClaim]]] = {
    "3": _sboxes,
    "4": _matrices,
    "5": _functions,
}
