"""Assemble the page: rows and spec in, one HTML file without any outside reference out."""

import functools
import json
import os
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from importlib import metadata
from pathlib import Path
from typing import Any

import altair as alt
import itables
import jinja2
import vl_convert
from altair.utils.schemapi import debug_mode
from markupsafe import Markup

from roundworks import __version__, cache, spec
from roundworks.ratios import FILES_WANTED, file_ratios, ratios, verdicts
from roundworks.report import figures, speed, values
from roundworks.report.counts import at_least
from roundworks.report.cycles import model
from roundworks.report.drawings import drawing
from roundworks.report.frame import (
    CERTAINTY,
    MAKERS,
    SINCE,
    Figure,
    in_words,
    is_new,
    made_by,
    on_machine,
    origin,
    script_json,
)
from roundworks.report.gpu import gpu
from roundworks.report.hardware import hardware
from roundworks.report.hardware_cipher_figures import figures as cipher_figures
from roundworks.report.hardware_cipher_ratios import ciphers
from roundworks.report.hardware_estimates import estimates
from roundworks.report.hardware_parts import part_tables
from roundworks.report.hardware_unrolling import unrollings
from roundworks.report.known import BY_SOLVERS, best_known
from roundworks.report.overview import matrices, open_by_table, statistics
from roundworks.report.permutations import permutations
from roundworks.report.proving import proving
from roundworks.report.race import answer
from roundworks.report.tables import STATUSES, Paper, Table, count, join
from roundworks.rows import Row, Store, latest

_ONE_AUDIT = timedelta(seconds=2)
_VERDICTS = ("forgery", "leak", "note", "pass")
_HERE = Path(__file__).parent
_BUNDLE = Path(itables.__file__).parent / "html" / "dt_bundle.js"


def build(store: Store, out: Path, since: datetime | None = None) -> Path:
    """Write the report.

    Parameters
    ----------
    store : Store
        Where the rows are; all are validated on reading.
    out : Path
        The page to write, or a folder to write ``index.html`` into. An earlier page stays
        whole until the new one is complete.
    since : datetime, optional
        Rows from then on are said to be computed now, on this machine; all others are stored.

    Raises
    ------
    RowError
        A line under the store's folder is not a valid row.
    RoundworksError
        ``dot: program not found on PATH; install Graphviz, for example apt install graphviz``
    """
    page = out if out.suffix == ".html" else out / "index.html"
    # Altair checks every chart many times over; a test does so once, for each.
    before = SINCE.set(since)
    try:
        with debug_mode(False):
            html = _environment().get_template("page.html").render(_context(store))
    finally:
        SINCE.reset(before)
    page.parent.mkdir(parents=True, exist_ok=True)
    partial = page.with_name(f".{page.name}.{os.getpid()}.tmp")
    try:
        partial.write_text(html, encoding="utf-8")
        partial.replace(page)
    finally:
        partial.unlink(missing_ok=True)
    return page


def _context(store: Store) -> dict[str, Any]:
    rows = store.read()
    by_kind: dict[str, list[Row]] = {kind: [] for kind in MAKERS}
    for row in rows:
        by_kind[row["kind"]].append(row)
    papers = join(list(spec.papers()), by_kind["reproduction"])
    cells = [cell for paper in papers for cell in paper.cells]
    workload = ["machine", "cipher", "library", "backend", "surface", "operation", "data_bytes",
                "ad_bytes"]  # fmt: skip
    benches = sorted(latest(by_kind["bench"], workload), key=lambda r: [r[k] for k in workload])
    drawings = [(row, drawing(row["dot"], row["title"]))
                for row in latest(by_kind["drawing"], ["cipher", "title"])]  # fmt: skip
    limits = latest(by_kind["limit"], ["machine", "cipher", "operation", "measure"])
    compared = ciphers(by_kind["synthesis"], by_kind["power"], by_kind["simulation"])
    return {
        "version": __version__,
        "rows": rows,
        "machines": store.machines(),
        "commits": list(dict.fromkeys(row["commit"] for row in reversed(rows))),
        "tools": _tools(rows),
        "now": _computed_now(rows),
        "newest": rows[-1]["time"] if rows else None,
        "papers": papers,
        "counts": count(cells),
        "refuted": [(p, t, c) for p in papers for t in p.tables for c in t.cells
                    if c.status == "refuted"],
        "asked": [(p, t, c) for p in papers for t in p.tables for c in t.cells
                  if c.status == "open" and c.row],
        "unasked": open_by_table(papers),
        "matrices": matrices(latest(by_kind["selftest"], ["machine", "cipher", "backend"]), benches,
                             spec.ciphers()),
        "audits": _findings(by_kind["audit"]),
        "verdicts": _VERDICTS,
        "bounds": latest([row for row in by_kind["bound"] if row["measure"] not in BY_SOLVERS],
                         ["cipher", "measure", "rounds", "unit", "side", "certainty"], ["view", "count"]),
        "cycles": model(by_kind["cycles"]),
        "permutations": permutations(
            by_kind["permutation"], by_kind["cycles"],
            best_known(by_kind["bound"], by_kind["solve"]), by_kind["instruction"],
            store.machines(),
        ),
        "proving": proving(by_kind["bound"], by_kind["solve"], papers),
        "searches": latest(by_kind["search"], ["words", "inputs", "active", "threads", "machine"]),
        "benches": [statistics(row) for row in benches],
        "hardware": hardware(*(by_kind[kind] for kind in ("simulation", "synthesis", "power", "fpga"))),
        "part_tables": part_tables(by_kind["synthesis"], by_kind["power"], by_kind["reproduction"]),
        "estimates": estimates(by_kind["estimate"]),
        "compared": compared,
        "compared_figures": cipher_figures(compared),
        "unrollings": unrollings(compared),
        "gpu": gpu(by_kind["gpu"]),
        "cores_drawn": [pair for pair in drawings if pair[0].get("shows") == "core"],
        "drawings": [pair for pair in drawings if pair[0].get("shows") not in ("trail", "core")],
        "trails_drawn": [pair for pair in drawings if pair[0].get("shows") == "trail"],
        "diffusion": _diffusion(by_kind["bound"]),
        "growth": _growth(by_kind["bound"], papers),
        "search_space": _search_space(by_kind["search"], papers),
        "speeds": speed.speed_figures(benches, limits),
        "limits": limits,
        "ratios": _by_machine(ratios, by_kind["bench"]),
        "files_wanted": FILES_WANTED,
        "file_ratios": _by_machine(file_ratios, by_kind["files"]),
        "verdicts_of_speed": _by_machine(verdicts, by_kind["bench"]),
        "bibliography": spec.bibliography(),
        "makers": MAKERS,
        "statuses": STATUSES,
        "css": Markup((_HERE / "templates" / "style.css").read_text(encoding="utf-8")),
        "script": Markup((_HERE / "templates" / "page.js").read_text(encoding="utf-8")),
        "vega": Markup(_vega()),
        "datatables": script_json(_BUNDLE.read_text(encoding="utf-8")),
    }  # fmt: skip


def _computed_now(rows: Sequence[Row]) -> list[tuple[str, int, str]]:
    """Kind of row, how many of them were made just now, and where the others are from."""
    if not any(map(is_new, rows)):
        return []
    by_kind: dict[str, list[Row]] = {}
    for row in rows:
        by_kind.setdefault(row["kind"], []).append(row)
    return [
        (kind, sum(map(is_new, found)), origin([row for row in found if not is_new(row)])
         if not all(map(is_new, found)) else "")
        for kind, found in sorted(by_kind.items())
    ]  # fmt: skip


def _growth(bounds: Sequence[Row], papers: Sequence[Paper]) -> Figure:
    points = figures.growth_points(bounds, _table(papers, "7").cells)
    used = [row for row in bounds if row["measure"] == "active-f" and row["rounds"]]
    there = bool(used)
    return Figure(
        "growth", "Active functions against rounds",
        figures.say_growth(points) if there else "",
        Markup("{} bounds, {}, {}. Printed: [AETHER, Table 7]. ").format(
            len(latest(used, ["cipher", "rounds"])), in_words(used), on_machine(used))
        + made_by(used) if there else Markup(""),
        figures.figure_growth(points) if there else None,
        MAKERS["bound"],
    )  # fmt: skip


def _diffusion(bounds: Sequence[Row]) -> Figure:
    points = figures.diffusion_points(bounds)
    used = [row for row in bounds if row["measure"] == "diffusion"]
    return Figure(
        "diffusion", "Diffusion against rounds",
        figures.say_diffusion(points) if points else "",
        Markup("Word by word, from the recorded round; cancellation aside; {}. ").format(
            on_machine(used)) + made_by(used) if points else Markup(""),
        figures.figure_diffusion(points) if points else None,
        "roundworks bound aether --measure diffusion --rounds 16",
    )  # fmt: skip


def _search_space(searches: Sequence[Row], papers: Sequence[Paper]) -> Figure:
    points = figures.search_points(searches, _table(papers, "6").cells)
    return Figure(
        "search", "The search space of Table 6",
        figures.say_search(points) if points else "",
        Markup("{} pairs, exact counts, {}. Printed: [AETHER, Table 6]. ").format(
            len(points), on_machine(searches))
        + made_by(searches) if points else Markup(""),
        figures.figure_search(points) if points else None,
        MAKERS["search"],
    )  # fmt: skip


def _by_machine(read: Callable[[list[Row]], list[Any]], benches: Sequence[Row]) -> dict[str, Any]:
    """Machine -> what `read` finds in its rows: a ratio never crosses machines."""
    machines = dict.fromkeys(row["machine"] for row in benches)
    return {
        machine: found
        for machine in machines
        if (found := read([row for row in benches if row["machine"] == machine]))
    }


def _table(papers: Sequence[Paper], number: str) -> Table:
    """A table of the AETHER paper, empty if its file has none of that number."""
    tables = [table for paper in papers if paper.key == "aether" for table in paper.tables]
    empty = Table(number, "", "", "", (), ())
    return next((table for table in tables if table.number == number), empty)


def _tools(rows: Sequence[Row]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for row in rows:
        for tool, version in row["tools"].items():
            if version not in found.setdefault(tool, []):
                found[tool].append(version)
    return dict(sorted(found.items()))


def _findings(audits: Sequence[Row]) -> dict[str, list[Row]]:
    """Cipher -> the newest findings of each check, the gravest first.

    One check may have several findings, so a title belongs to the key; but a title that the newest
    run of the check does not have any more must go. One audit makes its rows within a second.
    """

    def when(row: Row) -> datetime:
        return datetime.fromisoformat(row["time"])

    newest = {(row["cipher"], row["check"]): when(row) for row in audits}
    run = [r for r in audits if newest[r["cipher"], r["check"]] - when(r) <= _ONE_AUDIT]
    groups: dict[str, list[Row]] = {}
    for row in sorted(latest(run, ["cipher", "check", "title"]),
                      key=lambda row: _VERDICTS.index(row["verdict"])):  # fmt: skip
        groups.setdefault(row["cipher"], []).append(row)
    return dict(sorted(groups.items()))


@functools.cache
def _vega() -> str:
    version = ".".join(alt.SCHEMA_VERSION.removeprefix("v").split(".")[:2])
    made = {"vega-lite": version, "vl-convert": metadata.version("vl-convert-python")}
    kept = cache.home("report") / f"vega-{cache.key((), made)}.js"
    if not kept.is_file():  # seconds
        cache.write_text(kept, vl_convert.javascript_bundle(vl_version=version))  # type: ignore[call-arg]
    bundle = kept.read_text(encoding="utf-8")
    # The bundle is code and cannot be escaped as data is; today it has none of these.
    if "</script" in bundle or "<!--" in bundle:
        raise ValueError("vega bundle: holds </script or <!--, which ends the element it stands in")
    return bundle


@functools.cache
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_HERE / "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "show": values.show,
        "number": values.number,
        "seconds": values.seconds,
        "data_size": values.data_size,
        "brief": values.brief,
        "natural": values.natural,
        "answer": answer,
        "at_least": at_least,
        "certain": CERTAINTY.__getitem__,
        "commands": made_by,
        "origin": origin,
        "every_new": lambda rows: all(map(is_new, rows)),
        "day": lambda text: datetime.fromisoformat(text).strftime("%-d %B %Y"),
        "raw": lambda value: json.dumps(value, ensure_ascii=False),
    }
    return environment
