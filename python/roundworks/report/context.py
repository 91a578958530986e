"""What the pages show: values, figures and drawings of all rows, by the names that the templates use."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import itables
from markupsafe import Markup

from roundworks import __version__, spec
from roundworks.ratios import FILES_WANTED, TOOLS_WANTED, file_ratios, ratios, scalings, tool_ratios, verdicts
from roundworks.report import figures, speed
from roundworks.report.choices import choices_of, library_shown
from roundworks.report.cycles import model
from roundworks.report.designs import compared_designs
from roundworks.report.drawings import Drawn, drawing
from roundworks.report.existence import best_sums, grid, guarantees
from roundworks.report.findings import changes, default_machine, findings, refutations
from roundworks.report.frame import MAKERS, Figure, in_words, is_new, made_by, on_machine, origin
from roundworks.report.generated import generated_code
from roundworks.report.gpu import gpu
from roundworks.report.hardware import hardware
from roundworks.report.hardware_cipher_figures import figures as cipher_figures
from roundworks.report.hardware_cipher_ratios import ciphers
from roundworks.report.hardware_components import part_tables
from roundworks.report.hardware_estimates import estimates
from roundworks.report.hardware_unrolling import unrollings
from roundworks.report.known import ACTIVE_BITS, BY_SOLVERS, RELATED, best_known, of_all_trails
from roundworks.report.overview import VERDICTS, current_findings, matrices, open_by_table, statistics
from roundworks.report.permutations import permutations
from roundworks.report.proving import proving, race
from roundworks.report.published import published
from roundworks.report.tables import STATUSES, PaperTable, PaperTables, count, join
from roundworks.report.trust import evidence
from roundworks.rows import (
    AuditRow,
    BenchRow,
    BoundRow,
    ComparisonRow,
    CyclesRow,
    DesignRow,
    DrawingRow,
    EstimateRow,
    ExistenceRow,
    FasterRow,
    FilesRow,
    FpgaRow,
    GpuRow,
    InnerRow,
    InstructionRow,
    LimitRow,
    PermutationRow,
    PowerRow,
    ReproductionRow,
    Row,
    ScalingRow,
    SearchRow,
    SelftestRow,
    SimulationRow,
    SolveRow,
    Store,
    SumsRow,
    SynthesisRow,
    latest,
)

R = TypeVar("R", bound=Row)
_HERE = Path(__file__).parent
_BUNDLE = Path(itables.__file__).parent / "html" / "dt_bundle.js"


def context(store: Store) -> dict[str, Any]:
    """Everything of the rows that some page shows; what differs by machine is in `of_machine`."""
    rows, machines = store.read(), store.machines()
    by_kind: dict[type[Row], list[Any]] = {}
    for row in rows:
        by_kind.setdefault(type(row), []).append(row)

    def of(kind: type[R]) -> list[R]:
        return by_kind.get(kind, [])

    papers = join(list(spec.papers()), of(ReproductionRow))
    workload = ["machine", "cipher", "library", "backend", "surface", "operation", "data_bytes", "ad_bytes"]
    benches = sorted(latest(of(BenchRow), workload), key=lambda r: [r[k] for k in workload])
    drawn = [Drawn(row, drawing(row.dot, row.title)) for row in latest(of(DrawingRow), ["cipher", "title"])]
    limits = latest(of(LimitRow), ["machine", "cipher", "operation", "measure"])
    compared = ciphers(of(SynthesisRow), of(PowerRow), of(SimulationRow))
    default = default_machine(benches, rows)
    # Of all rows: a ratio is of one run, and the newest row of ours may be of a run without peers.
    compared_speeds = _by_machine(ratios, of(BenchRow))
    cpu = spec.profile_of(machines.get(default, {})).title
    known = best_known(of(BoundRow), of(SolveRow))
    classes = guarantees(of(ExistenceRow), of(SearchRow))
    return {
        "version": __version__,
        "rows": rows,
        "machines": machines,
        "commits": list(dict.fromkeys(row.commit for row in reversed(rows))),
        "tools": _tools(rows),
        "now": _computed_now(rows),
        "newest": rows[-1].time if rows else None,
        "papers": papers,
        "counts": count(cell for paper in papers for cell in paper.printed),
        "refuted": refutations(papers),
        "checked": [
            (p, t, c) for p in papers for t in p.tables for c in t.cells if c.status == "open" and c.row
        ],
        "unchecked": open_by_table(papers),
        "matrices": {
            matrix.machine: matrix
            for matrix in matrices(
                latest(of(SelftestRow), ["machine", "cipher", "backend"]), benches, spec.ciphers()
            )
        },
        "audits": current_findings(of(AuditRow)),
        "verdicts": VERDICTS,
        "bounds": [
            *latest(
                [row for row in of(BoundRow) if row.measure not in BY_SOLVERS and of_all_trails(row)],
                ["cipher", "measure", "rounds", "unit", "side", "certainty"],
                ["view", "count"],
            ),
            *(row for row in known if row.measure in (*RELATED, ACTIVE_BITS)),
        ],
        "cycles": model(of(CyclesRow)),
        "permutations": {
            found.machine: found
            for found in permutations(of(PermutationRow), of(CyclesRow), known, of(InstructionRow), machines)
        },
        "proving": proving(of(BoundRow), of(SolveRow), papers),
        "races": _by_machine(lambda found: [race(found)], of(SolveRow)),
        "searches": latest(of(SearchRow), ["words", "inputs", "active", "threads", "machine"]),
        "designs": compared_designs(
            of(DesignRow), of(BenchRow), of(SynthesisRow), of(PowerRow), of(InnerRow)
        ),
        "guarantees": classes,
        "grid": grid(classes),
        "sums": best_sums(of(SumsRow)),
        "faster": max(of(FasterRow), key=lambda row: row.time, default=None),
        "benches": _by_machine(lambda found: [statistics(row) for row in found], benches),
        "hardware": hardware(of(SimulationRow), of(SynthesisRow), of(PowerRow), of(FpgaRow)),
        "part_tables": part_tables(of(SynthesisRow), of(PowerRow), of(ReproductionRow)),
        "estimates": estimates(of(EstimateRow)),
        "compared": compared,
        "compared_figures": cipher_figures(compared),
        "findings": findings(
            papers,
            of(AuditRow),
            of(BoundRow),
            of(SearchRow),
            compared.slip,
            compared_speeds.get(default, ()),
            f"{default} ({cpu})",
        ),
        "changes": changes(rows, papers),
        "default": default,
        "choices": {
            machine: choices_of(benches, machine, of(BoundRow), compared.entries)
            for machine in dict.fromkeys([row.machine for row in benches] or [default])
        },
        "library_shown": library_shown(compared.entries),
        "deferred": {each.name: str(each.svg) for each in drawn if each.is_heavy},
        "published": published(of(BoundRow)),
        "tools_wanted": TOOLS_WANTED,
        "tool_ratios": tool_ratios(of(ComparisonRow)),
        "trust": evidence(rows, known),
        "unrollings": unrollings(compared),
        "gpu": gpu(of(GpuRow)),
        "cores_drawn": [each for each in drawn if each.row.shows == "core"],
        "drawings": [each for each in drawn if each.row.shows not in ("trail", "core")],
        "trails_drawn": [each for each in drawn if each.row.shows == "trail"],
        "diffusion": _diffusion(of(BoundRow)),
        "growth": _growth(of(BoundRow), papers),
        "search_space": _search_space(of(SearchRow), papers),
        "speeds": _by_machine(lambda found: speed.speed_figures(found, limits), benches),
        "ratios": compared_speeds,
        "generated": generated_code(rows),
        "files_wanted": FILES_WANTED,
        "file_ratios": _by_machine(file_ratios, of(FilesRow)),
        "scalings": _by_machine(scalings, of(ScalingRow)),
        "verdicts_of_speed": _by_machine(
            lambda found: verdicts(found, spec.profile_of(machines.get(found[0].machine, {})).cpu),
            of(BenchRow),
        ),
        "bibliography": spec.bibliography(),
        "makers": MAKERS,
        "statuses": STATUSES,
    }


def _computed_now(rows: Sequence[Row]) -> list[tuple[str, int, str]]:
    """Kind of row, how many of them were made just now, and where the others are from."""
    if not any(map(is_new, rows)):
        return []
    by_kind: dict[str, list[Row]] = {}
    for row in rows:
        by_kind.setdefault(row.kind, []).append(row)
    return [
        (
            kind,
            sum(map(is_new, found)),
            origin([row for row in found if not is_new(row)]) if not all(map(is_new, found)) else "",
        )
        for kind, found in sorted(by_kind.items())
    ]


def _growth(bounds: Sequence[BoundRow], papers: Sequence[PaperTables]) -> Figure:
    points = figures.growth_points(bounds, _table(papers, "7").cells)
    used = [row for row in bounds if row.measure == "active-f" and row.rounds]
    there = bool(used)
    return Figure(
        "growth",
        "Active functions against rounds",
        figures.say_growth(points) if there else "",
        Markup("{} bounds, {}, {}. Printed: [AETHER, Table 7]. ").format(
            len(latest(used, ["cipher", "rounds"])), in_words(used), on_machine(used)
        )
        + made_by(used)
        if there
        else Markup(""),
        figures.figure_growth(points) if there else None,
        MAKERS["bound"],
    )


def _diffusion(bounds: Sequence[BoundRow]) -> Figure:
    points = figures.diffusion_points(bounds)
    used = [row for row in bounds if row.measure == "diffusion"]
    return Figure(
        "diffusion",
        "Diffusion against rounds",
        figures.say_diffusion(points) if points else "",
        Markup("Word-wise, from the recorded round; cancellation aside; {}. ").format(on_machine(used))
        + made_by(used)
        if points
        else Markup(""),
        figures.figure_diffusion(points) if points else None,
        "roundworks bound aether --measure diffusion --rounds 16",
    )


def _search_space(searches: Sequence[SearchRow], papers: Sequence[PaperTables]) -> Figure:
    points = figures.search_points(searches, _table(papers, "6").cells)
    return Figure(
        "search",
        "The search space of Table 6",
        figures.say_search(points) if points else "",
        Markup("{} pairs, exact counts, {}. Printed: [AETHER, Table 6]. ").format(
            len(points), on_machine(searches)
        )
        + made_by(searches)
        if points
        else Markup(""),
        figures.figure_search(points) if points else None,
        MAKERS["search"],
    )


def _by_machine(read: Callable[[list[R]], list[Any]], benches: Sequence[R]) -> dict[str, Any]:
    """Machine -> what `read` finds in its rows: a ratio never crosses machines."""
    machines = dict.fromkeys(row.machine for row in benches)
    return {
        machine: found
        for machine in machines
        if (found := read([row for row in benches if row.machine == machine]))
    }


def _table(papers: Sequence[PaperTables], number: str) -> PaperTable:
    """A table of the AETHER paper, empty if its file has none of that number."""
    tables = [table for paper in papers if paper.key == "aether" for table in paper.tables]
    empty = PaperTable(number, "", "", "", (), ())
    return next((table for table in tables if table.number == number), empty)


def _tools(rows: Sequence[Row]) -> dict[str, list[str]]:
    versions: dict[str, list[str]] = {}
    for row in rows:
        for tool, version in row.tools.items():
            if version not in versions.setdefault(tool, []):
                versions[tool].append(version)
    return dict(sorted(versions.items()))
