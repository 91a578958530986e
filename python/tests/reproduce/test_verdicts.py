"""The rules of comparison, on tables small enough to check by eye."""

from __future__ import annotations

import pytest

from roundworks import reproduce, spec
from roundworks.errors import RoundworksError, UnknownName
from roundworks.report.tables import STATUSES, PaperTable, join, said
from roundworks.reproduce.run import Ours, Run, compare
from roundworks.reproduce.verdicts import Value, computed, derived, elsewhere
from roundworks.rows import ReproductionRow, Store
from roundworks.studies.papers import MARKS


def printed(rows: dict[str, tuple[Value, ...]], relation: str = "", number: str = "1") -> spec.Paper:
    """A paper with one table of the columns area and delay."""
    columns = tuple(spec.Column(name=name, unit=unit) for name, unit in (("area", "um2"), ("delay", "ps")))
    lines = tuple(
        spec.PrintedRow(name=name, values=values, relation=relation) for name, values in rows.items()
    )
    table = spec.PrintedTable(number=number, caption="made", page="1", columns=columns, rows=lines)
    return spec.Paper(key="made", cite="AETHER", title="Made", tables=(table,))


AREAS = printed({"a": (10, 1.0), "b": (20, 2.0), "c": (40, 4.0)})


def verdicts(paper: spec.Paper, ours: list[Ours]) -> dict[tuple[str, str], str]:
    """(row, column) -> the verdict in words."""
    rows = compare(paper, paper.tables[0], ours, "made")
    return {(r.row, r.column): said(r) for r in rows}


def on_library(row: str, value: Value, against: str = "a", column: str = "area") -> Ours:
    return Ours(row, column, value, "measured", "made", platform="lib", against=against)


def test_a_ratio_to_a_named_row_is_compared() -> None:
    """Ours are 100 times the print: twice as much for b, as printed; five times for c in place of four."""
    ours = [on_library("a", 1000), on_library("b", 2000), on_library("c", 5000)]
    assert verdicts(AREAS, ours) == {
        ("a", "area"): "differs: 100 x",
        ("b", "area"): "same within 10 %",
        ("c", "area"): "differs: 1.2 x",
    }
    rows = {r.row: r for r in compare(AREAS, AREAS.tables[0], ours, "made")}
    # The row that the others are divided by is compared as it is.
    assert (rows["a"].ratio, rows["a"].against) == (100, None)
    assert (rows["c"].ratio, rows["c"].against, rows["c"].platform) == (1.25, "a", "lib")


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (2000, "same within 10 %"),
        (2200, "same within 10 %"),
        (2201, "differs: 1.1 x"),
        (1819, "same within 10 %"),
        (1818, "differs: 0.91 x"),
        (1000, "differs: 0.5 x"),
    ],
)
def test_ten_per_cent_either_way(value: float, words: str) -> None:
    assert verdicts(AREAS, [on_library("a", 1000), on_library("b", value)])["b", "area"] == words


def test_a_base_of_another_library_is_given() -> None:
    """Of the library that has b, a is 500: twice that is the print."""
    ours = [
        on_library("a", 1000),
        Ours("b", "area", 1000, "measured", "", platform="far", against="a", base=500),
    ]
    assert verdicts(AREAS, ours)["b", "area"] == "same within 10 %"
    # A value of one library is never divided by that of another.
    ours[1] = Ours("b", "area", 22, "measured", "", platform="far", against="a")
    rows = {r.row: r for r in compare(AREAS, AREAS.tables[0], ours, "made")}
    assert (rows["b"].status, rows["b"].against, rows["b"].ratio) == ("agrees", None, 1.1)


def test_what_other_printed_values_give_is_consistent_or_refuted() -> None:
    """The verdict is about the print, and ours stands next to it."""
    good = Ours("b", "delay", 99.0, "measured", "", platform="lib", follows=2.01)
    assert [*verdicts(AREAS, [good]).values()] == ["consistent"]
    (row,) = compare(AREAS, AREAS.tables[0], [good], "made")
    assert (row.value, row.follows, row.ratio) == (99.0, 2.01, 49.5)
    bad = Ours("b", "delay", 2.0, "measured", "", platform="lib", follows=2.2)
    assert [*verdicts(AREAS, [bad]).values()] == ["refuted: 2.2 follows"]
    # Without the paper: reproduced, and of a planted wrong value refuted.
    assert [*verdicts(AREAS, [Ours("b", "delay", 2.0, "proven", "")]).values()] == ["reproduced"]
    assert [*verdicts(AREAS, [Ours("b", "delay", 2.2, "proven", "")]).values()] == ["refuted"]


def test_a_bound_and_a_name_hold_or_not() -> None:
    bound = printed({"faster": (17, 0)}, relation="at least")
    for value, words in ((17, "holds"), (30, "holds"), (16.9, "differs"), (-3, "differs")):
        assert verdicts(bound, [on_library("faster", value, "")])["faster", "area"] == words
    name = printed({"first": ("Haraka", 0)})
    for mine, words in (("Haraka", "holds"), ("Pholkos", "differs")):
        assert verdicts(name, [on_library("first", mine, "")])["first", "area"] == words


def test_about_is_within_ten_per_cent() -> None:
    """Of 2.1 and 8.4, printed as about, the same share is missing, and both verdicts are the same."""
    about = printed({"slow": (2.1, 8.4), "far": (2.1, 160)}, relation="about")
    ours = [Ours("slow", c, None, "proven", "", follows=v) for c, v in (("area", 2.168), ("delay", 8.674))]
    ours += [Ours("far", c, None, "proven", "", follows=v) for c, v in (("area", 2.4), ("delay", 173.5))]
    assert [*verdicts(about, ours).values()] == [
        "consistent",
        "consistent",
        "refuted: 2.4 follows",
        "consistent",
    ]
    assert elsewhere(2, 1.69, relation="about") == elsewhere(2, 1.69)
    ratios = spec.paper("aes-hardware").table("3")
    assert {ratios.cell(row.name, "faster than software").relation for row in ratios.rows} == {"about"}
    assert ratios.cell("40 MHz", "cycles").relation == ""


def test_a_bound_of_ours_allows_the_print_or_refutes_it() -> None:
    for mine, word in (("at least 10", "within bounds"), ("at least 11", "refuted")):
        assert [*verdicts(AREAS, [Ours("a", "area", mine, "proven", "")]).values()] == [word]
    for mine, word in (("at most 10", "within bounds"), ("at most 9", "refuted")):
        assert [*verdicts(AREAS, [Ours("a", "area", mine, "proven", "")]).values()] == [word]


def test_nothing_of_ours_or_of_theirs_is_not_comparable() -> None:
    assert verdicts(AREAS, [on_library("a", None)]) == {("a", "area"): "not comparable"}
    blank = printed({"a": ("", 1.0)})
    assert verdicts(blank, [on_library("a", 5)]) == {("a", "area"): "not comparable"}


def test_a_share_is_compared_as_a_number() -> None:
    assert elsewhere("1/2", 0.25).ratio == 0.5
    assert (elsewhere(-6, -6).status, elsewhere(-6, -5).status) == ("agrees", "differs")
    assert (computed(2, 2.5, "at least").status, derived(2, 1.9, "at least").status) == (
        "reproduced",
        "refuted",
    )


def joined(paper: spec.Paper, ours: list[Ours]) -> PaperTable:
    rows: list[ReproductionRow] = compare(paper, paper.tables[0], ours, "made")
    (one,) = join([paper], rows)
    return one.tables[0]


def test_what_values_are_divided_by_is_said() -> None:
    """Of the row itself the ratio is another; where it is of another library, its value is said."""
    table = joined(AREAS, [on_library("a", 1000), on_library("b", 2000)])
    assert table.rule.endswith("printed one. The row a itself is compared as it stands.")
    far = Ours("b", "area", 1500, "estimated", "", platform="far", against="a", base=500)
    table = joined(AREAS, [Ours("a", "area", 1000, "estimated", "", platform="lib", against="a"), far])
    assert table.rule.endswith(
        "of one library or machine. Ours of a on far, which is in none of the rows: area 500 um2."
    )


def test_a_row_with_nothing_in_it_is_left_out() -> None:
    """One that the paper does not print, and that nobody has computed."""
    paper = printed({"a": (10, 1.0), "further": (None, None)})
    assert [line.name for line in joined(paper, [on_library("a", 1000)]).lines] == ["a"]
    shown = joined(paper, [on_library("a", 1000), Ours("further", "area", 7, "proven", "")])
    assert [line.name for line in shown.lines] == ["a", "further"]


def test_a_paper_says_on_which_machines_ours_was_measured() -> None:
    machines = {"a": "intel-xeon-2c-c59e7d", "b": "amd-epyc-2c-38bbc7", "c": "osu018_stdcells"}
    ours = [Ours(name, "area", 5, "measured", "", platform=place) for name, place in machines.items()]
    (paper,) = join([AREAS], compare(AREAS, AREAS.tables[0], ours, "made"))
    assert paper.machines == {machines["a"]: ["Table 1"], machines["b"]: ["Table 1"]}


def test_the_order_of_a_column_is_counted_over_the_rows_that_have_both() -> None:
    straight = joined(AREAS, [on_library(name, value) for name, value in zip("abc", (5, 6, 7), strict=True)])
    (order,) = straight.orders
    assert (order.column, order.platform, order.rows, order.spearman, order.kendall) == (
        "area",
        "lib",
        3,
        1,
        1,
    )
    # One pair of three exchanged: Spearman 1 - 6 * 2 / 24, Kendall (2 - 1) / 3.
    exchanged = joined(AREAS, [on_library(name, value) for name, value in zip("abc", (6, 5, 7), strict=True)])
    (order,) = exchanged.orders
    assert (order.spearman, order.kendall) == (0.5, pytest.approx(1 / 3))
    # Two rows have no order, and numbers of prose are of different things.
    assert joined(AREAS, [on_library("a", 1), on_library("b", 2)]).orders == ()


def test_what_contradicts_the_print_stands_in_the_table() -> None:
    """Of a refuted sum the verdict has what the paper's own numbers give; ours is our measurement as elsewhere."""
    bad = Ours("b", "delay", 99.0, "measured", "", platform="lib", follows=2.2)
    good = Ours("c", "delay", 99.0, "measured", "", platform="lib", follows=4.0)
    cells = {c.row_name: c for c in joined(AREAS, [bad, good]).cells if c.row}
    assert (cells["b"].value, cells["b"].said) == (99.0, "refuted: 2.2 follows")
    assert (cells["c"].value, cells["c"].said) == (99.0, "consistent")
    assert (cells["b"].follows, cells["c"].follows) == (2.2, 4.0)


def test_every_status_has_its_mark() -> None:
    schema = spec.root() / "python" / "roundworks" / "report" / "templates" / "macros.html"
    text = schema.read_text(encoding="utf-8")
    assert set(STATUSES) == set(MARKS)
    assert all(f'"{status}": "M' in text for status in STATUSES)


def test_every_printed_table_is_computed_and_one_that_is_not_is_an_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for paper in spec.papers():
        assert [t.number for t in paper.tables if t.number not in reproduce.tables(paper.key)] == []
    monkeypatch.setattr(reproduce, "_PAPERS", {"aether": {"1": lambda run: []}})
    with pytest.raises(UnknownName, match=r"paper aether: table '2': not computed yet; computed: 1$"):
        next(reproduce.reproduce(Run(), "aether", "2"))


def test_without_a_stored_run_the_error_says_what_makes_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Store, "read", lambda self, kind=None: [])
    with pytest.raises(
        RoundworksError, match=r"no gpu row of roundworks x is stored; run it without --stored"
    ):
        Run(stored=True).recorded("gpu", "roundworks x")


def test_every_printed_cell_has_a_stored_verdict() -> None:
    """A cell added to a paper's file is computed and stored with it."""
    papers = join(spec.papers(), Store(spec.root() / "results").read(ReproductionRow))
    left = [
        (p.key, t.number, c.row_name, c.column)
        for p in papers
        for t in p.tables
        for c in t.cells
        if c.status == "open"
    ]
    assert left == []
    assert all(paper.cite for paper in papers)  # no row is of a table or cell that no paper has
