"""What the first page says: the headline findings, all computed from rows, and what the newest rows changed."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import geometric_mean, median, quantiles

from roundworks import spec
from roundworks.bounds import CERTAINTY
from roundworks.ratios import GENERATED, OURS, Ratio
from roundworks.report.figures import SEARCHED_ACTIVE
from roundworks.report.hardware_cipher_ratios import Slip
from roundworks.report.overview import current_findings
from roundworks.report.tables import PaperTable, PaperTables, TableCell, join
from roundworks.report.values import data_size, number
from roundworks.rows import AuditRow, BenchRow, BoundRow, ReproductionRow, Row, SearchRow

_CIPHER, _PEERED, _LENGTH = "aether", "aegis-128l", 16384
# Quartiles of a call this near to each other, as a share of the median: the machine was steady.
_STEADY = 0.15


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar of a small picture; `role` is ``printed``, ``ours``, ``wrong`` or ``peer``."""

    label: str
    value: float
    text: str
    role: str


@dataclass(frozen=True, slots=True)
class FrontFinding:
    """A sentence with its number, a picture, how sure it is, and where the evidence is."""

    number: str
    sentence: str
    sure: str
    link: str
    evidence: str
    bars: tuple[Bar, ...] = ()
    blocks: tuple[tuple[str, str, str], ...] = ()
    """Query and forgery as (name, associated data, message): the same blocks, cut elsewhere."""


def findings(
    papers: Sequence[PaperTables],
    audits: Sequence[AuditRow],
    bounds: Sequence[BoundRow],
    searches: Sequence[SearchRow],
    slip: Slip,
    best: Sequence[Ratio],
    machine: str,
) -> list[FrontFinding]:
    """The headlines for which there are rows, in the order of the page.

    `best` are our speeds next to the fastest peer on `machine`, which names itself and its CPU.
    """
    made = (
        _forged(audits),
        _probability(bounds, papers),
        _no_structure(searches),
        _throughput(slip),
        _faster(best, machine),
    )
    return [finding for finding in made if finding]


def _forged(audits: Sequence[AuditRow]) -> FrontFinding | None:
    forgeries = [row for row in current_findings(audits).get(_CIPHER, ()) if row.verdict == "forgery"]
    if not forgeries:
        return None
    sure = [row for row in forgeries if row.proof and row.proof.get("attempts") == 1]
    title = spec.cipher(_CIPHER).title
    return FrontFinding(
        number=f"{len(forgeries)} forgeries" if len(forgeries) > 1 else "forged",
        sentence=f"{title} as published is forgeable after one query, in {len(forgeries)} ways, of which"
        f" {len(sure)} succeed at the first attempt: blocks move between associated data and message"
        " under the same tag.",
        sure="demonstrated: the inputs and outputs are on the page",
        link="audit-of-aether",
        evidence="the forgeries, byte by byte",
        blocks=(("query", "A", "M₁ M₂"), ("forgery", "A M₁", "M₂")),
    )


def _probability(bounds: Sequence[BoundRow], papers: Sequence[PaperTables]) -> FrontFinding | None:
    rows = [r for r in bounds if (r.cipher, r.measure, r.unit) == (_CIPHER, "differential", "log2")]
    printed = _cell(papers, _CIPHER, "differential probability of one F")
    row, claim = rows[-1] if rows else None, number(printed.paper_value) if printed else None
    if row is None or row.value is None or claim is None:
        return None
    value, needed = row.value, f"{-(-128 // -row.value):.0f} active functions are needed for 2^-128"
    best = row.side == "exact"
    return FrontFinding(
        number=f"2^{value:.2f}",
        sentence=f"{'The best' if best else 'A'} differential of AETHER's inner function has probability"
        f" 2^{value:.2f}, where the paper's argument takes 2^{claim:g} as the maximum:"
        f" {'' if best else 'at least '}{needed}, not {128 / -claim:.0f}.",
        sure=CERTAINTY[row.certainty] + ("" if best else ": one exists, and a heavier one may be likelier"),
        link="bounds",
        evidence=row.method,
        bars=(
            Bar("printed", -claim, f"{-claim:g} bits", "wrong"),
            Bar("here", -value, f"{-value:.2f} bits", "ours"),
        ),
    )


def _no_structure(searches: Sequence[SearchRow]) -> FrontFinding | None:
    empty = [row for row in searches if row.complete and row.found == 0 and row.active == SEARCHED_ACTIVE]
    if not empty:
        return None
    row = max(empty, key=lambda row: row.candidates)
    return FrontFinding(
        number=f"({row.words}, {row.inputs}): none",
        sentence=f"No structure of {row.words} words with {row.inputs} inputs keeps {row.active} functions"
        f" active in every collision: all {row.candidates:,} were searched, in {row.seconds:.2g} s on"
        f" {row.threads} threads.",
        sure=CERTAINTY["proven"],
        link="searches",
        evidence="every search, with its count",
        bars=(
            Bar("searched", float(row.searched), f"{row.searched:,}", "ours"),
            Bar("found", 0.0, "0", "wrong"),
        ),
    )


def _throughput(slip: Slip) -> FrontFinding:
    return FrontFinding(
        number=f"{slip.tbits:.3g} Tbit/s",
        sentence=f"AETHER's printed {slip.printed:g} Tbit/s is {slip.tbits:.3g}: {slip.bits} bits in the"
        f" printed {slip.latency_ps:g} ps; {slip.printed:g} would require {slip.wanted_ps:.3g} ps.",
        sure="arithmetic on the paper's own table",
        link="ciphers",
        evidence="table 1 next to our netlists",
        bars=(
            Bar("printed", slip.printed, f"{slip.printed:g}", "wrong"),
            Bar("follows", slip.tbits, f"{slip.tbits:.3g}", "ours"),
        ),
    )


def _faster(best: Sequence[Ratio], machine: str) -> FrontFinding | None:
    wanted = (_PEERED, "encrypt", _LENGTH, 0)
    one = next((r for r in best if (r.cipher, r.operation, r.data_bytes, r.ad_bytes) == wanted), None)
    if one is None:
        return None
    ahead = sum(r.ratio >= 1 for r in best)
    title, size = spec.cipher(_PEERED).title, data_size(_LENGTH)
    mean = geometric_mean([r.ratio for r in best])
    ours, theirs = one.ours / _LENGTH, one.theirs / _LENGTH
    return FrontFinding(
        number=f"{one.ratio:.2f} ×",
        sentence=f"{title} runs {one.ratio:.2f} times as fast as the fastest other library on messages of"
        f" {size}, with the back end {one.backend} on {machine}; of {len(best)} workloads that a peer"
        f" has there, ours is ahead in {ahead}, {mean:.2f} times as fast in the geometric mean.",
        sure=CERTAINTY["measured"] + ", in one process",
        link="speed",
        evidence="every ratio and its run",
        bars=(
            Bar(one.peer.split()[0], theirs, f"{theirs:.3g} {one.unit}/byte", "peer"),
            Bar("roundworks", ours, f"{ours:.3g} {one.unit}/byte", "ours"),
        ),
    )


def _cell(papers: Iterable[PaperTables], key: str, row_name: str) -> TableCell | None:
    cells = (cell for paper in papers if paper.key == key for cell in paper.cells)
    return next((cell for cell in cells if cell.row_name == row_name), None)


@dataclass(frozen=True, slots=True)
class Changes:
    """What the rows of the newest day changed: how many of each kind, and which cells have another verdict."""

    day: str
    kinds: tuple[tuple[str, int], ...]
    cells: tuple[tuple[PaperTables, TableCell, str], ...]
    """Paper, cell as it is now, and the verdict that it had before."""

    @property
    def moves(self) -> list[tuple[str, str, list[tuple[PaperTables, TableCell]]]]:
        """Verdict before and now, and the cells that went so; most cells first."""
        groups: dict[tuple[str, str], list[tuple[PaperTables, TableCell]]] = {}
        for paper, cell, was in self.cells:
            groups.setdefault((was, cell.status), []).append((paper, cell))
        return sorted(((*key, cells) for key, cells in groups.items()), key=lambda each: -len(each[2]))


def changes(rows: Sequence[Row], papers: Sequence[PaperTables]) -> Changes | None:
    """Of rows sorted by time; None where all are of one day, for there is nothing to compare with."""
    day = rows[-1].time[:10] if rows else ""
    older = [row for row in rows if row.time[:10] < day]
    if not older:
        return None
    kinds = Counter(row.kind for row in rows if row.time[:10] == day)
    before = {
        (paper.key, table.number, cell.row_name, cell.column): cell.status
        for paper in join(list(spec.papers()), [r for r in older if isinstance(r, ReproductionRow)])
        for table in paper.tables
        for cell in table.cells
    }
    other = [
        (paper, cell, was)
        for paper in papers
        for table in paper.tables
        for cell in table.cells
        if (was := before.get((paper.key, table.number, cell.row_name, cell.column)))
        not in (None, cell.status)
    ]
    return Changes(day, tuple(kinds.most_common()), tuple(other))


def refutations(papers: Sequence[PaperTables]) -> list[tuple[PaperTables, PaperTable, str, list[TableCell]]]:
    """Paper, table, reason, and the cells that it refutes; reasons that differ in their numbers alone are
    one, and the first stands for all."""
    groups: dict[tuple[str, str, str], tuple[PaperTables, PaperTable, str, list[TableCell]]] = {}
    for paper in papers:
        for table in paper.tables:
            for cell in table.cells:
                if cell.status == "refuted":
                    key = (paper.key, table.number, re.sub(r"\d+", "", cell.reason))
                    groups.setdefault(key, (paper, table, cell.reason, []))[3].append(cell)
    return list(groups.values())


def default_machine(benches: Sequence[BenchRow], rows: Sequence[Row]) -> str:
    """The newest steady machine of those that measured other libraries too, or else the newest of all.

    Steady: in the median over workloads of a KiB and more, the quartiles of a call are within 15 % of
    its median of each other.
    """
    newest = {row.machine: row.time for row in benches if row.library not in (OURS, GENERATED)} or {
        row.machine: row.time for row in benches or rows
    }
    steady = [machine for machine in newest if _spread(benches, machine) <= _STEADY]
    return max(steady or newest, key=lambda machine: newest[machine], default="")


def _spread(benches: Sequence[BenchRow], machine: str) -> float:
    spreads = []
    for row in benches:
        if row.machine == machine and row.data_bytes >= 1024 and len(row.samples_ns) > 2:
            low, middle, high = quantiles(row.samples_ns, n=4)
            spreads.append((high - low) / middle if middle else 0.0)
    return median(spreads) if spreads else 0.0
