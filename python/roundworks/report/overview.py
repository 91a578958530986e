"""What the first screen says: which cipher runs on which back end, and what nobody computed yet."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from roundworks import spec
from roundworks.ratios import OURS
from roundworks.report.figures import Point
from roundworks.report.speed import speed_points
from roundworks.report.tables import Paper, Table
from roundworks.report.values import spread
from roundworks.rows import Row


@dataclass(frozen=True, slots=True)
class Tile:
    """One cipher on one back end; `best` is the cheapest median point, if any was measured."""

    selftest: Row | None
    best: Point | None
    expected: bool  # whether the cipher should have it: the description, or a listed back end

    @property
    def state(self) -> str:
        if self.selftest is None:
            return "open" if self.expected or self.best else "none"
        if not self.selftest["available"]:
            return "absent"
        good = self.selftest["vectors"] > 0 and self.selftest["passed"] == self.selftest["vectors"]
        return "passed" if good else "failed"


@dataclass(frozen=True, slots=True)
class Matrix:
    machine: str
    backends: tuple[str, ...]
    lines: tuple[tuple[str, tuple[Tile, ...]], ...]

    @property
    def tests(self) -> list[Row]:
        return [tile.selftest for _, tiles in self.lines for tile in tiles if tile.selftest]


def matrices(
    selftests: Sequence[Row], benches: Sequence[Row], known: Sequence[spec.CipherFacts]
) -> list[Matrix]:
    """Cipher by back end, one matrix for each machine that ran a self-test or a benchmark.

    `known` are the ciphers of the specification: one that no row names still has its line.
    """
    listed = {facts.name: ("python", *facts.backends) for facts in known}
    made = []
    for machine in dict.fromkeys(row["machine"] for row in [*selftests, *benches]):
        tests = [row for row in selftests if row["machine"] == machine]
        here = [r for r in benches if r["machine"] == machine and r["library"] == OURS]
        points = speed_points(here, "rust")
        backends, ciphers = (
            list(dict.fromkeys([*first, *(item[field] for item in [*tests, *points])]))
            for first, field in (([], "backend"), (listed, "cipher"))
        )
        lines = []
        for cipher in ciphers:
            tiles = []
            for backend in backends:
                at = (cipher, backend)
                test = next((r for r in tests if (r["cipher"], r["backend"]) == at), None)
                best = min((p for p in points if (p["cipher"], p["backend"]) == at),
                           key=lambda p: p["median"], default=None)  # fmt: skip
                tiles.append(Tile(test, best, backend in listed.get(cipher, ())))
            lines.append((cipher, tuple(tiles)))
        made.append(Matrix(machine, tuple(backends), tuple(lines)))
    return made


def open_by_table(papers: Sequence[Paper]) -> list[tuple[Paper, list[tuple[Table, int]]]]:
    """For each paper, how many values of each table have no row at all."""
    found = []
    for paper in papers:
        tables = [(t, sum(cell.row is None for cell in t.cells)) for t in paper.tables]
        if left := [(table, n) for table, n in tables if n]:
            found.append((paper, left))
    return found


def statistics(row: Row) -> dict[str, Any]:
    """A benchmark row with the statistics the table shows, per byte where there are bytes."""
    size = row["data_bytes"] + row["ad_bytes"]
    ns = spread(row["samples_ns"])
    cycles = spread(row["samples_cycles"]) if row["samples_cycles"] else None
    return {
        **row,
        "ns": ns,
        "ns_per_byte": ns["median"] / size if size else None,
        "cycles_per_byte": cycles["median"] / size if cycles and size else None,
        "mib_per_second": size / ns["median"] * 1e9 / 2**20 if size and ns["median"] else None,
    }
