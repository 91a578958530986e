"""What the first screen says: which cipher runs on which back end, and what nobody computed yet."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from statistics import median
from typing import Any

from roundworks import spec
from roundworks.ratios import OURS
from roundworks.report.figures import Point
from roundworks.report.speed import speed_points
from roundworks.report.tables import PaperTable, PaperTables
from roundworks.report.values import spread
from roundworks.rows import AuditRow, BenchRow, SelftestRow, latest

VERDICTS = ("forgery", "leak", "note", "pass")
_ONE_AUDIT = timedelta(seconds=2)


@dataclass(frozen=True, slots=True)
class Tile:
    """One cipher on one back end; `best` is the cheapest median point, if any was measured."""

    selftest: SelftestRow | None
    best: Point | None
    expected: bool  # whether the cipher should have it: the description, or a listed back end
    elsewhere: SelftestRow | None = None  # of another machine, where this one has not run the vectors

    @property
    def state(self) -> str:
        """``passed``, ``failed``, ``absent``, ``open`` or ``none``."""
        if self.test is None:
            return "open" if self.expected or self.best else "none"
        if not self.test.available:
            return "absent"
        good = self.test.vectors > 0 and self.test.passed == self.test.vectors
        return "passed" if good else "failed"

    @property
    def test(self) -> SelftestRow | None:
        """The row that says whether it passes: this machine's, or else another's."""
        return self.selftest or self.elsewhere


@dataclass(frozen=True, slots=True)
class Overview:
    """Ciphers by back ends, on one machine."""

    machine: str
    backends: tuple[str, ...]
    lines: tuple[tuple[str, tuple[Tile, ...]], ...]

    @property
    def tests(self) -> list[SelftestRow]:
        """The rows of the self-tests that are shown."""
        return [tile.test for _, tiles in self.lines for tile in tiles if tile.test]

    @property
    def others(self) -> list[str]:
        """Other machines whose self-tests stand where this one has none."""
        others = {tile.elsewhere.machine for _, tiles in self.lines for tile in tiles if tile.elsewhere}
        return sorted(others)


def matrices(
    selftests: Sequence[SelftestRow], benches: Sequence[BenchRow], known: Sequence[spec.CipherFacts]
) -> list[Overview]:
    """Cipher by back end, one matrix for each machine that ran a self-test or a benchmark.

    `known` are the ciphers of the specification: one that no row names still has its line.
    """
    listed = {facts.name: ("python", *facts.backends) for facts in known}
    made = []
    for machine in dict.fromkeys(row.machine for row in [*selftests, *benches]):
        tests = [row for row in selftests if row.machine == machine]
        here = [r for r in benches if r.machine == machine and r.library == OURS]
        points = speed_points(here, "rust")
        backends, ciphers = (
            list(dict.fromkeys([*first, *(test[field] for test in tests), *(p[field] for p in points)]))
            for first, field in (([], "backend"), (listed, "cipher"))
        )
        lines = []
        for cipher in ciphers:
            tiles = []
            for backend in backends:
                at = (cipher, backend)
                test = next((r for r in tests if (r.cipher, r.backend) == at), None)
                best = min(
                    (p for p in points if (p["cipher"], p["backend"]) == at),
                    key=lambda p: p["median"],
                    default=None,
                )
                others = (r for r in selftests if (r.cipher, r.backend) == at and r.available)
                elsewhere = None if test else max(others, key=lambda r: r.time, default=None)
                tiles.append(Tile(test, best, backend in listed.get(cipher, ()), elsewhere))
            lines.append((cipher, tuple(tiles)))
        made.append(Overview(machine, tuple(backends), tuple(lines)))
    return made


def open_by_table(papers: Sequence[PaperTables]) -> list[tuple[PaperTables, list[tuple[PaperTable, int]]]]:
    """For each paper, how many values of each table have no row at all."""
    papers_left = []
    for paper in papers:
        tables = [(t, sum(cell.row is None for cell in t.cells)) for t in paper.tables]
        if left := [(table, n) for table, n in tables if n]:
            papers_left.append((paper, left))
    return papers_left


def current_findings(audits: Sequence[AuditRow]) -> dict[str, list[AuditRow]]:
    """Cipher -> the newest findings of each check, the gravest first.

    One check may have several findings, so a title belongs to the key; but a title that the newest
    run of the check does not have any more must go. One audit makes its rows within a second.
    """
    newest = {(row.cipher, row.check): row.when for row in audits}
    run = [r for r in audits if newest[r.cipher, r.check] - r.when <= _ONE_AUDIT]
    groups: dict[str, list[AuditRow]] = {}
    for row in sorted(latest(run, ["cipher", "check", "title"]), key=lambda row: VERDICTS.index(row.verdict)):
        groups.setdefault(row.cipher, []).append(row)
    return dict(sorted(groups.items()))


def moved(proof: Mapping[str, Any]) -> str:
    """Hex that is associated data in one and message in the other, of a query and its forgery; empty if
    the proof is of another kind."""
    query, forgery = proof.get("query"), proof.get("forgery")
    if not isinstance(query, Mapping) or not isinstance(forgery, Mapping):
        return ""
    if query.get("tag") != forgery.get("tag"):
        return ""
    queried, forged = str(query.get("ad", "")), str(forgery.get("ad", ""))
    longer, shorter, message = (
        (forged, queried, query.get("data"))
        if len(forged) > len(queried)
        else (queried, forged, forgery.get("accepted_as"))
    )
    part = longer.removeprefix(shorter) if longer.startswith(shorter) else ""
    return part if part and str(message or "").startswith(part) else ""


@dataclass(frozen=True, slots=True)
class Statistics:
    """A benchmark row with the statistics the table shows, per byte where there are bytes."""

    row: BenchRow
    ns: dict[str, float]
    ns_per_byte: float | None
    cycles_per_byte: float | None
    mib_per_second: float | None


def statistics(row: BenchRow) -> Statistics:
    """Median and spread of a row, in nanoseconds for one call and in either unit for one byte."""
    size = row.data_bytes + row.ad_bytes
    ns = spread(row.samples_ns)
    middle = ns["median"]
    return Statistics(
        row,
        ns,
        middle / size if size else None,
        median(row.samples_cycles) / size if row.samples_cycles and size else None,
        size / middle * 1e9 / 2**20 if size and middle else None,
    )
