"""The report without a browser: what is chosen, joined and refused, and how values are shown."""

import itertools
import json
import re
import sys
from contextlib import nullcontext
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from markupsafe import Markup

from made_rows import made
from places import ROOT
from report_rows import SOLVERS, sample
from report_site import pages_of, text_of
from roundworks import report, rows, spec
from roundworks.errors import RoundworksError, RowError
from roundworks.prove.pipeline import extends
from roundworks.reference import get_analysed
from roundworks.report import values
from roundworks.report.build import build
from roundworks.report.context import context
from roundworks.report.counts import figure_by_rounds, group_of, points_by_rounds, say_by_rounds
from roundworks.report.cycles import model
from roundworks.report.drawings import drawing
from roundworks.report.figures import ends
from roundworks.report.findings import default_machine
from roundworks.report.frame import Figure, script_json
from roundworks.report.glance import glance
from roundworks.report.known import best_known, contradictions
from roundworks.report.overview import matrices, moved
from roundworks.report.speed import figure_speed, say_outside
from roundworks.report.tables import TableCell
from roundworks.rows import Store


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    store = Store(folder / "results")
    store.append(sample())
    return build(store, folder / "build")


def test_without_rows_the_page_says_what_makes_them(tmp_path: Path) -> None:
    text = text_of(build(Store(tmp_path / "none"), tmp_path / "site"))
    assert text.count("No rows for this figure yet") >= 15
    for verb in (
        "list",
        "bench",
        "bound",
        "audit",
        "search|reproduce",
        "describe",
        "race",
        "gpu",
        "synth",
        "power",
        "sim",
        "hw-report",
        "hw-table",
        "hw-estimate",
    ):
        assert re.search(f"<code>roundworks ({verb})", text), verb
    assert 'class="chart"' not in text


def test_a_broken_row_leaves_the_earlier_page(tmp_path: Path) -> None:
    store = Store(tmp_path / "results")
    folder = store.append([row for row in sample() if row["kind"] == "search"])
    page = build(store, tmp_path / "build")
    before = {path: path.read_bytes() for path in page.parent.rglob("*.*")}
    with (folder / "search.jsonl").open("a") as sink:
        sink.write("{}\n")
    with pytest.raises(RowError, match=r"search\.jsonl:8: kind: missing"):
        build(store, tmp_path / "build")
    assert {path: path.read_bytes() for path in page.parent.rglob("*.*")} == before


def test_the_same_rows_give_the_same_page(tmp_path: Path) -> None:
    store = Store(tmp_path / "results")
    store.append(sample())
    first, second = build(store, tmp_path / "a").parent, build(store, tmp_path / "b").parent
    names = sorted(path.relative_to(first) for path in first.rglob("*.*"))
    assert names == sorted(path.relative_to(second) for path in second.rglob("*.*"))
    assert [name for name in names if (first / name).read_bytes() != (second / name).read_bytes()] == []


def test_the_race_names_the_solvers_that_ran(site: Path) -> None:
    text = (site.parent / "solvers.html").read_text(encoding="utf-8")
    names = sorted({version.split()[0] for version in SOLVERS.values()}, key=str.lower)
    assert f"Solvers that ran: {', '.join(names)};" in text and "that is installed" not in text


class _Places(HTMLParser):
    """What a page links to, and what can be linked to on it."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: list[str] = []
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.links += [value or "" for name, value in attrs if name in ("src", "href", "srcset", "action")]
        self.anchors += [value or "" for name, value in attrs if name == "id"]


def test_every_link_of_every_page_has_its_target(site: Path) -> None:
    places = {page.name: _Places(page) for page in pages_of(site)}
    missing = []
    for name, here in places.items():
        assert len(here.anchors) == len(set(here.anchors)), name
        for link in here.links:
            file, _, anchor = link.partition("#")
            if link.startswith(("https://", "http://", "data:")):
                continue
            there = places.get(file or name)
            if there is None:
                missing += [(name, link)] * (not (site.parent / file).is_file())
            elif anchor and anchor not in there.anchors:
                missing.append((name, link))
    assert missing == []


# What the report had when it was one page; a link to it must still find its place.
_FORMER = (
    "overview papers audit bounds counts closed trails solvers searches cycles permutations speed hardware"
    " gpu drawings about bibliography paper-aether aether-6 ciphers estimates cite-AETHER figure-growth"
)


def test_anchors_of_the_former_single_page_lead_to_a_page(site: Path) -> None:
    text = (site.parent / "data" / "site.js").read_text(encoding="utf-8")
    anchors = json.loads(text[text.index("(") + 1 : text.rindex(")")])["anchors"]
    for anchor in _FORMER.split():
        assert f' id="{anchor}"' in (site.parent / anchors[anchor]).read_text(encoding="utf-8"), anchor


def test_every_page_is_light(site: Path) -> None:
    """What a page loads before its reader does anything: itself, the style and our three scripts."""
    own = sum(
        (site.parent / "data" / name).stat().st_size
        for name in ("style.css", "page.js", "charts.js", "tables.js")
    )
    heavy = {page.name: page.stat().st_size for page in pages_of(site) if page.stat().st_size + own > 1e6}
    assert heavy == {}


def test_a_later_report_removes_what_it_does_not_have_and_nothing_else(tmp_path: Path) -> None:
    store = Store(tmp_path / "results")
    store.append([row for row in sample() if row["kind"] == "synthesis"])
    site = build(store, tmp_path / "build").parent
    (site / "notes.html").write_text("mine", encoding="utf-8")
    libraries = {path.name for path in site.glob("library-*.html")}
    assert libraries
    build(Store(tmp_path / "none"), site)
    assert {path.name for path in site.glob("library-*.html")} == set()
    assert (site / "notes.html").read_text(encoding="utf-8") == "mine"
    assert [path.name for path in site.iterdir() if path.name.startswith(".new")] == []


def test_headlines_are_those_of_the_rows(tmp_path: Path) -> None:
    partly = next(r for r in sample() if r["kind"] == "search" and r["words"] == 11)
    assert not partly["complete"]
    search = {**partly, "searched": partly["candidates"], "complete": True}
    store = Store(tmp_path / "results")
    store.append([search])
    text = build(store, tmp_path / "a").read_text(encoding="utf-8")
    assert "(11, 4): none" in text and "548,856,000 were searched" in text
    assert "forgeable" not in text and "times as fast as the fastest other library" not in text
    other = Store(tmp_path / "other")
    other.append([partly, {**search, "found": 3}])
    assert "(11, 4): none" not in build(other, tmp_path / "b").read_text(encoding="utf-8")


def test_the_newest_rows_say_which_verdicts_they_changed(tmp_path: Path) -> None:
    row = next(r for r in sample() if r.get("table") == "7")
    old = {**row, "time": "2026-11-20T00:00:00Z", "status": "refuted", "reason": "too few rounds"}
    store = Store(tmp_path / "results")
    store.append([old])
    assert "What the newest rows changed" not in build(store, tmp_path / "a").read_text(encoding="utf-8")
    store.append([{**row, "time": "2026-11-22T00:00:00Z"}])
    text = " ".join(Markup(build(store, tmp_path / "b").read_text(encoding="utf-8")).striptags().split())
    assert "22 November 2026 added 1 result rows: 1 reproduction" in text
    assert f"refuted → {row['status']} 1 :" in text
    assert f"{row['row']}, {row['column']}" in text.partition("→")[2]


def test_the_machine_that_is_shown_is_the_newest_steady_one() -> None:
    def bench(machine: str, day: int, samples: list[float], library: str = "libaegis") -> rows.Row:
        one = next(r for r in sample() if r["kind"] == "bench" and r["data_bytes"] == 16384)
        time = f"2026-11-{day}T00:00:00Z"
        return made({**one, "machine": machine, "time": time, "library": library, "samples_ns": samples})

    steady, noisy = [100.0, 101.0, 102.0, 103.0], [100.0, 150.0, 200.0, 300.0]
    old, new = bench("old", 20, steady), bench("new", 21, steady)
    assert default_machine([old, new], []) == "new"
    assert default_machine([old, bench("new", 21, noisy)], []) == "old"
    assert default_machine([bench("old", 20, noisy), bench("new", 21, noisy)], []) == "new"
    assert default_machine([old, bench("alone", 22, steady, "roundworks")], []) == "old"
    assert default_machine([], []) == ""


def test_a_cell_stands_at_its_ratio_in_the_strip_of_a_table() -> None:
    def cell(name: str, ours: float, printed: float, **more: object) -> TableCell:
        row = made({**next(r for r in sample() if r.get("table") == "7"), "value": ours, **more})
        return TableCell(name, "area", "", printed, row.status, "", row)

    relative = cell("d", 100, 1, status="differs", ratio=0.5)  # the verdict is about the ratio to a row
    strip = glance([cell("a", 1, 1), cell("b", 2, 1), cell("c", 1, 64), relative])
    places = (re.findall(rf'cx="([\d.]+)"[^/]*<title>{name},', strip)[0] for name in "abcd")
    middle, twice, edge, half = map(float, places)
    wide = (640 - 2 * 24) / 6  # a factor of two
    assert (middle, edge) == (pytest.approx(320, abs=4), pytest.approx(24, abs=4))
    assert twice - middle == pytest.approx(wide, abs=8)  # marks stand in columns
    assert middle - half == pytest.approx(wide, abs=8)
    # What others are divided by is not over the print as they are.
    against = cell("d", 100, 1, status="differs", ratio=0.5, against="e", column="area")
    strip = glance([cell("a", 1, 1), cell("b", 2, 1), cell("e", 64, 1), against])
    assert "b, area" in strip and "e, area" not in strip
    assert glance([cell("a", 1, 1)]) == ""
    assert glance([cell(name, 1, 1) for name in "abcd"]) == ""  # nothing to see


def test_names_at_the_ends_of_lines_do_not_overlap_and_stay_in_order() -> None:
    last = [("a", 10.0), ("b", 10.1), ("c", 90.0), ("d", 0.0)]
    points = [{"series": name, "x": x, "y": y} for name, y in last for x in (1, 2 if name != "d" else 1)]
    named = ends(points, "x", "y", 200, (0, 100), log=False)
    assert {p["x"] for p in named} == {2}
    assert [p["series"] for p in named] == ["c", "b", "a", "d"]
    pixels = [200 * (100 - p["y"]) / 100 for p in named]
    assert all(below - above >= 12.9 for above, below in itertools.pairwise(pixels))
    assert max(pixels) <= 200
    assert pixels[0] == pytest.approx(20)  # alone it is where its line ends


def test_every_chart_is_what_vega_lite_accepts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page is built without these checks, which would take most of its time."""
    checked = []

    def as_json(figure: Figure) -> Markup:
        if figure.name not in checked:  # it may stand on several pages
            checked.append(figure.name)
            return script_json(figure.chart.to_dict(validate=True))
        return Markup("{}")

    monkeypatch.setattr(Figure, "json", property(as_json))
    monkeypatch.setattr(sys.modules["roundworks.report.build"], "debug_mode", nullcontext)
    store = Store(tmp_path / "results")
    store.append(sample())
    build(store, tmp_path)
    assert len(checked) > 18


def test_a_drawing_is_made_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ROUNDWORKS_BUILD", str(tmp_path))
    first = drawing("digraph { made -> once }", "a drawing")
    assert len(list((tmp_path / "report").iterdir())) == 1
    monkeypatch.setenv("PATH", "/nowhere")
    assert drawing("digraph { made -> once }", "a drawing") == first
    with pytest.raises(RoundworksError, match="dot: program not found"):
        drawing("digraph { made -> twice }", "a drawing")


def test_missing_dot_is_an_error_with_the_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(RoundworksError, match="dot: program not found on PATH; install Graphviz"):
        drawing("digraph { a }", "a drawing")


def test_dot_that_is_not_dot_names_the_drawing() -> None:
    with pytest.raises(RoundworksError, match=r"drawing 'one round': dot refused it: .*syntax error"):
        drawing("digraph { a -> }", "one round")


def test_a_cipher_without_back_ends_has_its_line_and_waits_for_its_description() -> None:
    tests = [
        made(
            {
                "machine": "m",
                "cipher": cipher,
                "backend": backend,
                "available": True,
                "vectors": 9,
                "passed": 9,
            },
            "selftest",
        )
        for cipher, backend in (("aegis-128", "python"), ("aegis-128", "portable"), ("ascon-128a", "python"))
    ]
    (matrix,) = matrices(tests, [], spec.ciphers())
    assert matrix.others == []
    states = {name: [tile.state for tile in tiles] for name, tiles in matrix.lines}
    assert matrix.backends == ("python", "portable")
    assert states["ascon-128a"] == ["passed", "none"]
    assert states["aes-128-gcm"] == ["open", "none"] and states["aether"] == ["open", "open"]
    # Vectors that this machine has not run, and another has.
    away = replace(tests[0], machine="other", cipher="aether")
    here = next(each for each in matrices([*tests, away], [], spec.ciphers()) if each.machine != "other")
    ((python, portable),) = (tiles for name, tiles in here.lines if name == "aether")
    assert (python.state, portable.state, here.others) == ("passed", "open", ["other"])
    assert python.selftest is None and python.test is away


def test_the_palette_has_a_colour_for_every_cipher_and_the_print() -> None:
    templates = Path(report.__file__).parent / "templates"
    (used,) = re.findall(r"category: \[(.*?)\]", (templates / "charts.js").read_text(), re.S)
    names = re.findall(r'"(\w+)"', used)
    style = (templates / "style.css").read_text()
    colours = {re.findall(rf"--{name}: (.*);", style)[0] for name in names}
    assert len(colours) == len(names) >= len(spec.ciphers()) + 1


@pytest.mark.parametrize(
    ("value", "number"),
    [
        ("2^-208", 2.0**-208),
        ("2^{26}", 2.0**26),
        ("38,102,400", 38102400.0),
        (3, 3.0),
        (">= 8", 8.0),
        ("3.15 Tbps", 3.15),
        ("−4", -4.0),
        ("1.28e6", 1.28e6),
        ("2^2000", float("inf")),
        ("All", None),
        ("AES-256", None),
        ("", None),
        (None, None),
        (True, None),
        ("1/32", 1 / 32),
        ("1/0", None),
        ("20-50", None),
    ],
)
def test_the_number_of_a_value(value: object, number: float | None) -> None:
    assert values.number(value) == number


@pytest.mark.parametrize(
    ("value", "unit", "html"),
    [
        (38102400, "", "38,102,400"),
        (5400, "", "5400"),
        (-13.65, "log2", "2<sup>−13.65</sup>"),
        ("at most -166.8", "log2", "at most 2<sup>−166.8</sup>"),
        ("2^-208", "", "2<sup>−208</sup>"),
        (7.0, "", "7"),
        (0.1 + 0.2, "", "0.3"),
        ("<i>", "", "&lt;i&gt;"),
        (-3, "", "−3"),
    ],
)
def test_how_a_value_is_shown(value: object, unit: str, html: str) -> None:
    assert values.show(value, unit) == html


def test_a_row_made_for_another_print_counts_as_open(tmp_path: Path) -> None:
    stale = next(row for row in sample() if row.get("table") == "7")
    store = Store(tmp_path / "results")
    store.append([{**stale, "paper_value": 999}])
    text = text_of(build(store, tmp_path / "site"))
    assert "compared with 999, but the paper" in text
    assert 'data-count="open"' in text and 'data-count="reproduced"' not in text


def test_the_newest_row_wins(tmp_path: Path) -> None:
    row = next(r for r in sample() if r.get("table") == "7")
    store = Store(tmp_path / "results")
    store.append([{**row, "time": "2026-11-21T00:00:00Z"}, {**row, "status": "refuted", "value": 777}])
    assert len(store.read("reproduction")) == 2
    assert rows.latest(store.read(), ["table"])[0]["value"] == row["value"]
    assert "777" not in text_of(build(store, tmp_path / "site"))


def _bound(**changes: object) -> rows.Row:
    row = next(r for r in sample() if r.get("measure") == "active-sboxes" and r["rounds"] == 5)
    return made({**row, **changes})


def test_a_shorter_run_takes_nothing_back() -> None:
    exact = _bound(value=26, upper=26, side="exact")
    shorter, better = _bound(value=14), _bound(value=22, upper=30)
    assert best_known([exact, shorter], []) == [exact]
    assert best_known([better, shorter], []) == [better]
    assert best_known([shorter, better, exact], []) == [exact]


def test_another_description_is_another_query() -> None:
    exact = _bound(value=26, upper=26, side="exact")
    changed = _bound(value=14, fingerprint="0" * 64)
    assert best_known([exact, changed], []) == [changed]


def test_two_solvers_agree_where_both_came_as_far() -> None:
    first, second = _bound(value=20), _bound(value=20, solver="SCIP 9.9")
    (both,) = best_known([first, second], [])
    assert both["certainty"] == "two-solvers"
    assert set(both["solver"].split(", ")) == {first["solver"], "SCIP 9.9"}
    (one,) = best_known([first, _bound(value=19, solver="SCIP 9.9")], [])
    assert one["certainty"] == "one-solver"
    (newer,) = best_known([first, _bound(value=20, solver="HiGHS 9.9")], [])
    assert newer["certainty"] == "one-solver"  # a solver does not confirm itself


def test_bounds_with_a_related_key_have_a_line_of_both_solvers(tmp_path: Path) -> None:
    store = Store(tmp_path)
    related = [
        _bound(measure="related-key-sboxes", cipher="skinny-64-64", value=10, solver=solver, upper=10)
        for solver in ("frontier 1", "SCIP 9.9")
    ]
    store.append([*related, _bound(value=20)])
    (line,) = [row for row in context(store)["bounds"] if row.measure not in ("active-f", "diffusion")]
    assert (line.cipher, line.measure, line.value) == ("skinny-64-64", "related-key-sboxes", 10)
    assert line.certainty == "two-solvers" and line.solver == "frontier 1, SCIP 9.9"


def test_a_minimum_of_patterns_is_exact_by_another_trail_alone() -> None:
    patterns = _bound(value=10, upper=10, side="lower")
    (alone,) = best_known([patterns], [])
    assert (alone["value"], alone["upper"], alone["side"]) == (10, 10, "lower")
    (kept,) = best_known([patterns, _bound(value=9, upper=11)], [])
    assert (kept["upper"], kept["side"]) == (10, "lower")
    (met,) = best_known([patterns, _bound(value=9, upper=10)], [])
    assert met["side"] == "exact"


def _of_shapes(**changes: object) -> rows.Row:
    return _bound(method="byte-wise truncated trails; x", fingerprint="1" * 64, side="exact", **changes)


def test_a_minimum_of_shapes_is_a_lower_bound_and_hides_no_exact_one() -> None:
    """Patterns that do not relate the functions of a pair have 40, where the description has 60 exactly."""
    exact, older = _bound(value=60, upper=60, side="exact"), _of_shapes(value=40, upper=40)
    (alone,) = best_known([older], [])
    assert (alone["value"], alone["upper"], alone["side"]) == (40, 40, "lower")
    for order in ([exact, older], [older, exact]):
        assert best_known(order, []) == [exact]
        assert contradictions(order) == []
    (higher,) = best_known([_bound(value=50), older], [])
    assert (higher["value"], higher.upper, higher["side"]) == (50, None, "lower")
    # At least 61 and exactly 60: one of the two is wrong.
    (found,) = contradictions([exact, _bound(value=61)])
    assert "exact 60 by " in found and "lower 61 by " in found


def test_a_trail_alone_is_no_lower_bound() -> None:
    trail = _bound(value=22, upper=22, side="upper", solver="SCIP 9.9")
    (alone,) = best_known([trail], [])
    assert alone["side"] == "upper"
    assert points_by_rounds([alone]) == []
    # Next to a bound it is the best trail, and no second solver.
    (both,) = best_known([_bound(value=14, upper=30), trail], [])
    assert (both["value"], both["upper"], both["side"]) == (14, 22, "lower")
    (met,) = best_known([_bound(value=22, upper=None), trail], [])
    assert (met["side"], met["certainty"]) == ("exact", "one-solver")
    (none,) = best_known([_bound(value=0, upper=0, side="upper")], [])
    assert (none["side"], none["certainty"]) == ("exact", "proven")


def test_differences_of_more_rounds_take_the_bound_of_fewer() -> None:
    def of(rounds: int, value: int, **changes: object) -> rows.Row:
        one = {
            "cipher": "simpira-4",
            "view": "differential",
            "side": "lower",
            "upper": None,
            "monotone": True,
        }
        return _bound(rounds=rounds, value=value, fingerprint=str(rounds), **one | changes)

    ten, eleven, twelve = of(10, 86), of(11, 70), of(12, 90)
    known = best_known([twelve, of(13, 92, side="upper", upper=92), eleven, ten], [])
    assert [(r["rounds"], r["value"], r.get("as_over")) for r in known] == [
        (12, 90, None),
        (13, 90, 12),
        (11, 86, 10),
        (10, 86, None),
    ]
    assert known[1]["upper"] == 92
    assert [p["side"] for p in points_by_rounds(known)] == [
        "at least",
        "at least, as over 10 rounds",
        "at least",
        "at least, as over 12 rounds",
    ]
    # Where a trail attains it, it is exact; a lighter one is of another description.
    (_, exact) = best_known([ten, of(11, 70, upper=86)], [])
    assert (exact["value"], exact["side"]) == (86, "exact")
    (_, other) = best_known([ten, of(11, 70, upper=80)], [])
    assert other["value"] == 70
    # Another view, another count, and what does not begin alike take nothing.
    for changes in ({"monotone": False}, {"view": "linear", "monotone": False}):
        (_, kept) = best_known([of(10, 86, **changes), of(11, 70, **changes)], [])
        assert kept["value"] == 70
    (_, kept) = best_known([ten, of(11, 70, count="executed")], [])
    assert kept["value"] == 70


def test_stored_bounds_say_whether_they_hold_over_more_rounds() -> None:
    """As `prove` has it, which the report may not import: of every stored bound on differences."""
    stored = {
        (row["cipher"], row["rounds"], row["monotone"])
        for row in rows.Store(ROOT / "results").read("bound")
        if row.get("view") == "differential" and row["measure"] in ("active-sboxes", "trail")
        if " --where " not in row["command"]
    }
    queries = {(name, rounds) for name, rounds, _ in stored}
    assert len(stored) == len(queries) > 100
    for name, rounds, monotone in sorted(stored)[:: max(1, len(stored) // 60)]:
        assert monotone is extends(get_analysed(name), rounds), (name, rounds)


def _speed(backend: str, median: float) -> dict[str, object]:
    spread = dict.fromkeys(("q1", "median", "q3", "min", "max"), median)
    return {
        "cipher": "aegis-128",
        "backend": backend,
        "surface": "rust",
        "unit": "cycles",
        "peer": False,
        "series": backend,
        "bytes": 64,
        "size": "64 B",
        **spread,
    }


@pytest.mark.parametrize(
    ("latency", "labels"),
    [
        (0.33, [(["limit by throughput"], -5), (["limit by latency"], 8)]),
        (0.335, [(["limit by throughput"], -5), (["limit by latency"], 8)]),
        (0.1, [(["limit by latency", "limit by throughput"], -5)]),
    ],
)
def test_limits_that_are_close_have_their_names_on_two_sides(
    latency: float, labels: list[tuple[list[str], int]]
) -> None:
    points = [_speed("vaes256", 0.9)]
    limits = [
        {"name": "limit by latency", "cycles": latency, "because": "", "bits": 128},
        {"name": "limit by throughput", "cycles": 0.335, "because": "", "bits": 128},
    ]
    drawn = figure_speed(points, points, limits).to_dict()
    values = [
        (sorted(p["name"] for p in drawn["datasets"][layer["data"]["name"]]), layer["mark"]["dy"])
        for layer in drawn["layer"]
        if layer["mark"]["type"] == "text"
    ]
    assert values == labels


def test_what_is_above_the_frame_is_not_in_the_legend_but_in_the_caption() -> None:
    points = [_speed("vaes256", 0.9), _speed("portable", 30.0)]
    drawn = figure_speed(points, points).to_dict()
    legends = [
        layer["encoding"]["color"]["legend"]["values"]
        for layer in drawn["layer"]
        if "color" in layer["encoding"]
    ]
    assert legends
    assert all(names == ["vaes256"] for names in legends)
    assert say_outside(points) == "Above the frame: portable, 30 to 30 cycles per byte. "
    assert say_outside([_speed("vaes256", 0.9), _speed("portable", 1.0)]) == ""


def test_solvers_that_did_not_agree_are_not_two() -> None:
    """As where time stopped both, or a value is the sum of results of either."""
    either = _bound(value=20, solver="CaDiCaL 9.9, HiGHS 9.9")
    assert best_known([either], []) == [either]
    assert best_known([either, _bound(value=20)], [])[0]["certainty"] == "one-solver"
    agreed = replace(either, certainty="two-solvers")
    (exact,) = best_known([_bound(value=20, upper=20, side="exact"), agreed], [])
    assert exact["certainty"] == "two-solvers"


def test_primitives_are_grouped_by_what_they_are() -> None:
    assert [group_of(name) for name in ("aether", "aether-always-pad", "aes", "simpira-2")] == [
        "ciphers",
        "ciphers",
        "block ciphers and own descriptions",
        "permutations of 256 bits",
    ]
    assert group_of("feistel512:1-1,2-0,1-0,2-2") == "permutations of 512 bits"


def test_counts_as_executed_alone_are_plotted_and_said() -> None:
    """The first rows of a newcomer may be of `bound --count executed`, and no others."""
    points = points_by_rounds([_bound(count="executed", value=20, upper=20, side="exact")])
    drawn = figure_by_rounds(points, "active S-boxes").to_dict()
    data, names = sorted(drawn["datasets"].values(), key=lambda rows: "side" not in rows[0])
    assert {(p["rounds"], p["value"]) for p in data} == {(5, 20)}
    assert [name["series"] for name in names] == ["aes"]
    assert say_by_rounds(points, "{:g} active S-boxes").endswith("The one result is exact.")


def test_equal_curves_share_a_series() -> None:
    points = points_by_rounds([_bound(cipher=name) for name in ("b", "a", "c")])
    assert {p["series"] for p in points} == {"a and 2 more"}
    apart = points_by_rounds([_bound(cipher="a"), _bound(cipher="b", value=9)])
    assert {p["series"] for p in apart} == {"a", "b"}
    # A result each, as the table below the figure counts them.
    assert say_by_rounds(points, "{:g}").startswith("0 of 3 results are exact")


def test_the_bytes_that_a_forgery_moves_are_marked() -> None:
    query = {"ad": "aa", "data": "bbcc"}
    assert moved({"query": query, "forgery": {"ad": "aabb", "accepted_as": "cc"}}) == "bb"
    assert (
        moved({"query": {"ad": "aabb", "data": "cc"}, "forgery": {"ad": "aa", "accepted_as": "bbcc"}}) == "bb"
    )
    assert moved({"query": query, "forgery": {"ad": "aadd", "accepted_as": "cc"}}) == ""
    assert moved({"attempts": 1}) == ""
    assert values.marked("<aabb>", "bb") == "&lt;aa<mark>bb</mark>&gt;"


def test_a_check_may_have_two_findings_and_an_old_one_goes(tmp_path: Path) -> None:
    pattern = next(r for r in sample() if r["kind"] == "audit")
    store = Store(tmp_path / "results")
    old, new = {"time": "2026-11-20T09:00:00Z"}, {"time": "2026-11-20T10:00:00Z"}
    store.append(
        [
            {**pattern, **old, "title": "it was harmless", "verdict": "pass"},
            {**pattern, **new, "title": "first forgery"},
            {**pattern, **new, "title": "second forgery"},
        ]
    )
    text = text_of(build(store, tmp_path / "site"))
    assert "first forgery" in text
    assert "second forgery" in text
    assert "it was harmless" not in text


def test_no_row_can_end_the_script_it_stands_in(tmp_path: Path) -> None:
    bench = next(r for r in sample() if r["kind"] == "bench" and r["data_bytes"])
    store = Store(tmp_path / "results")
    store.append([{**bench, "backend": "</script><i>out</i>"}])
    text = text_of(build(store, tmp_path / "site"))
    assert "<i>out</i>" not in text
    assert text.count("\\u003c/script>") >= 1


def test_a_gap_of_the_cycle_model_is_explained_by_the_numbers_of_its_row() -> None:
    explained = model([row for row in sample() if row["kind"] == "cycles"])
    simpira, haraka = explained.lines
    # 1.51 and 1.05 cycles per byte of 32 bytes, [AESNI-PERM, table 6]
    assert [round(e.line.measured, 1) for e in explained.lines] == [48.3, 33.6]
    assert (simpira.line.theory, haraka.line.theory, simpira.words) == (48, None, ())
    assert explained.gaps == (haraka,) and haraka.name == "Haraka v2, 256 bits, Ice Lake, one block"
    assert haraka.text == (
        "Latency binds in the model; the critical path leaves the AES instructions 3 times, and 3.2"
        " cycles more at each would close the gap (on Sapphire Rapids it is 2 by [LLVM-SCHED])"
    )
    assert [row["cipher"] for row in explained.others] == ["aegis-128l"]
    assert "1 are within" in explained.figure.sentence


def test_registers_ports_and_calls_explain_gaps_too() -> None:
    alone = next(row for row in sample() if row["kind"] == "cycles")
    names = ["simpira-2", "feistel256:1-0,2-0", "feistel256:2-0,1-0", "feistel256:2-0,2-0"]
    many = [
        replace(
            alone,
            cipher=name,
            blocks=8,
            expected=8.0,
            registers_avx2=9.6,
            crowded=9.0 if name == names[1] else 8.0,
            mixing=4,
            binds="ports",
        )
        for name in names
    ]
    texts = {e.line.permutation: e.text for e in model(many).lines}
    wanted = "24 words are live, and AES-NI without AVX-512 names 16 registers: "
    assert texts["Simpira-2"].startswith("Ports bind in the model; " + wanted)
    assert "or fewer blocks are under way: 9.6 cycles" in texts["Simpira-2"]
    assert "if all 4 other instructions took the ports of AES" in texts["(1-0,2-0)"]
    assert "is the median of the permutations of AES instructions alone" in texts["(1-0,2-0)"]
