"""A paper's table as LaTeX, CSV and Markdown: nothing lost, nothing that LaTeX stumbles over."""

from __future__ import annotations

import csv
import functools
import re
from dataclasses import replace

import pytest

from roundworks import spec
from roundworks.report.export import FORMS, export
from roundworks.report.tables import PaperTable, PaperTables, join
from roundworks.rows import ReproductionRow, Store

PLAIN = re.compile(r"(?<!\\)&")


@functools.cache
def papers() -> dict[str, PaperTables]:
    rows = Store(spec.root() / "results").read(ReproductionRow)
    return {paper.key: paper for paper in join(spec.papers(), rows)}


def joined(key: str, number: str) -> tuple[PaperTables, PaperTable]:
    paper = papers()[key]
    return paper, next(t for t in paper.tables if t.number == number)


def every() -> list[tuple[str, str]]:
    return [(paper.key, table.number) for paper in spec.papers() for table in paper.tables]


@pytest.mark.parametrize(("key", "number"), every())
def test_latex_is_well_formed(key: str, number: str) -> None:
    text = export(*joined(key, number), "latex")
    # Of every line of the table as many cells as columns, those over two counted twice.
    inside = text.partition(r"\toprule")[2].partition(r"\bottomrule")[0].splitlines()
    (columns,) = re.findall(r"\\begin\{tabular\}\{(l+r*)\}", text)
    for line in (line for line in inside if line.endswith(r"\\")):
        assert len(PLAIN.findall(line)) + 1 + line.count(r"\multicolumn{2}") == len(columns), line
    assert text.count("{") - text.count(r"\{") == text.count("}") - text.count(r"\}")
    bare = re.sub(r"\$[^$]*\$|\\label\{[^}]*\}|^%.*$", "", text, flags=re.M)
    assert not re.search(r"(?<!\\)[%#_^]", bare)
    assert text.count(r"\begin{table}") == text.count(r"\end{table}") == 1


@pytest.mark.parametrize(("key", "number"), every())
def test_csv_has_every_cell(key: str, number: str) -> None:
    paper, table = joined(key, number)
    lines = list(csv.reader(export(paper, table, "csv").splitlines()))
    assert len(lines) == 1 + len(table.lines) and len({len(line) for line in lines}) == 1
    for line, row in zip(lines[1:], table.lines, strict=True):
        assert line[0] == row.name
        printed = [str(c.paper_value) for c in row.cells if c and c.paper_value is not None]
        assert set(printed) <= set(line)


def test_a_verdict_stands_behind_ours() -> None:
    paper, table = joined("aether", "2")
    text = export(paper, table, "markdown")
    assert "| 7 | d | d (reproduced) |" in text
    (line,) = (line for line in table.lines if line.name == "7")
    (cell,) = line.cells
    assert cell is not None and cell.row is not None
    wrong = replace(cell, status="refuted", row=replace(cell.row, value="e", status="refuted"))
    lines = tuple(replace(one, cells=(wrong,)) if one is line else one for one in table.lines)
    planted = replace(table, lines=lines)
    assert "| 7 | d | e (refuted) |" in export(paper, planted, "markdown")
    assert r"7 & d & e $\neq$ \\" in export(paper, planted, "latex")
    assert "7,d,e,refuted" in export(paper, planted, "csv").splitlines()


def test_powers_units_and_signs() -> None:
    text = export(*joined("aether", "5"), "latex")
    assert (
        r"F\_AES & osu018\_stdcells & F\_AES" in text
        and "$2^{-30}$" in text
        and r"\usepackage{booktabs}" in text
    )
    assert "$=$ reproduced" in text
    assert set(FORMS) == {"markdown", "latex", "csv"}


def test_rows_of_two_libraries_name_theirs_and_ratios_their_row() -> None:
    """Of figure 6 some rows are of a library on which AETHER is no row of the table."""
    made = joined("aether", "figure-6")
    rule = "Ratios are to the row AETHER: ours over ours of it"
    for form in ("markdown", "latex"):
        text = export(*made, form)
        assert rule in text and "Ours of AETHER on cnfet5" in text and "ours on" in text
    heads, *lines = csv.reader(export(*made, "csv").splitlines())
    assert heads[:3] == ["row", "ours on", "ratios to"]
    assert {line[1] for line in lines} == {"osu018_stdcells", "cnfet5_tt"}
    assert {line[2] for line in lines if line[0].startswith("AEGIS")} == {"AETHER"}
    # One machine alone is named once.
    assert "ours on" not in export(*joined("minalpher-gpu", "3"), "markdown")
