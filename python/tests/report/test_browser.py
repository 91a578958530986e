"""The page as a reader meets it: built from sample rows and opened in a real browser."""

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.support.ui import WebDriverWait

import browser
from report_rows import ACTIVE, AES, DIFFUSION, MACHINE, SEARCHES, sample
from roundworks import spec
from roundworks.report import values
from roundworks.report.build import build
from roundworks.report.tables import STATUSES
from roundworks.rows import Store


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    store = Store(folder / "results")
    store.append(sample())
    return build(store, folder / "build")


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    with browser.browser(tmp_path_factory.mktemp("profile")) as chrome:
        yield chrome


@pytest.fixture
def opened(chromium: webdriver.Chrome, page: Path) -> webdriver.Chrome:
    """The page, loaded for this test."""
    browser.emulate(chromium)
    browser.open_page(chromium, page)
    return chromium


@pytest.fixture
def seen(chromium: webdriver.Chrome, page: Path, request: pytest.FixtureRequest) -> webdriver.Chrome:
    """The page for a test that reads only: loaded, which takes a second or two, if the test before it
    was one that clicks."""
    if not chromium.execute_script("return window.onlyRead"):
        request.getfixturevalue("opened")
        chromium.execute_script("window.onlyRead = true")
    return chromium


def test_loads_without_a_word_on_the_console(opened: webdriver.Chrome) -> None:
    assert opened.title == "Roundworks: results"
    assert opened.get_log("browser") == []


def test_nothing_leaves_the_page(opened: webdriver.Chrome, page: Path) -> None:
    assert (
        opened.execute_script(
            "return performance.getEntriesByType('resource').map(e => e.name)"
            ".filter(name => !name.startsWith('blob:') && !name.startsWith('data:'))"
        )
        == []
    )
    loads = [(tag, link) for tag, link in _links(page) if tag != "a"]
    assert [link for _, link in loads if not link.startswith(("data:", "#"))] == []
    # The policy is what keeps it so; without it the two checks above see only this one visit.
    refused = opened.execute_async_script(
        "const done = arguments[0];"
        "document.addEventListener('securitypolicyviolation', e => done(e.violatedDirective));"
        "fetch('http://127.0.0.1:9/').then(() => done('fetched'), () => 0);"
    )
    assert refused == "connect-src"


class _Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [(tag, v or "") for k, v in attrs if k in ("src", "href", "srcset", "action")]


def _links(page: Path) -> list[tuple[str, str]]:
    parser = _Links()
    parser.feed(page.read_text(encoding="utf-8"))
    return parser.found


def test_every_link_inside_the_page_has_its_target(seen: webdriver.Chrome) -> None:
    assert (
        seen.execute_script(
            "return [...document.querySelectorAll('a[href^=\"#\"]')].map(a => a.hash)"
            ".filter(hash => !document.getElementById(decodeURIComponent(hash.slice(1))))"
        )
        == []
    )


def _column(chrome: webdriver.Chrome, table: str, index: int) -> list[str]:
    column: list[str] = chrome.execute_script(
        "return [...document.querySelector(`table[data-table='${arguments[0]}']`).tBodies[0].rows]"
        ".map(row => row.cells[arguments[1]].textContent.trim())",
        table,
        index,
    )
    return column


def _sort(chrome: webdriver.Chrome, table: str, index: int) -> str:
    """Click a header, as a reader does; what aria-sort says once it has changed."""
    head = chrome.execute_script(
        "const head = document.querySelector(`table[data-table='${arguments[0]}']`)"
        ".tHead.rows[0].cells[arguments[1]];"
        "head.scrollIntoView({block: 'center', behavior: 'instant'});"
        "return head",
        table,
        index,
    )
    before = head.get_attribute("aria-sort")
    head.click()
    WebDriverWait(chrome, 60).until(lambda _: head.get_attribute("aria-sort") != before)
    return str(head.get_attribute("aria-sort"))


def test_numbers_sort_as_numbers_both_ways(opened: webdriver.Chrome) -> None:
    # As text, "96" stands after "548,856,000" and "5,080,320" before "72".
    numbers = [values.number(text) for text in _column(opened, "aether/6", 1)]
    assert _sort(opened, "aether/6", 1) == "ascending"
    up = [values.number(text) for text in _column(opened, "aether/6", 1)]
    assert up == sorted(n for n in numbers if n is not None)
    assert up != numbers
    assert _sort(opened, "aether/6", 1) == "descending"
    assert [values.number(text) for text in _column(opened, "aether/6", 1)] == up[::-1]


def test_a_printed_power_of_two_sorts_among_words_by_its_value(opened: webdriver.Chrome) -> None:
    # As text "2^26" stands before "All"; as a number it stands after what is none.
    assert _sort(opened, "aether/6", 3) == "ascending"
    shown = _column(opened, "aether/6", 3)
    assert shown[0] == "All"
    assert shown[-1] == "226"  # the 26 is raised


def test_row_names_sort_by_the_numbers_in_them(opened: webdriver.Chrome) -> None:
    assert _sort(opened, "aether/6", 0) == "ascending"
    names = [name.split(")")[0] + ")" for name in _column(opened, "aether/6", 0)]
    assert names.index("(9,8)") < names.index("(10,4)") < names.index("(11,4)")


def test_powers_of_two_sort_by_value(opened: webdriver.Chrome) -> None:
    assert _sort(opened, "bounds", 3) == "ascending"
    shown = _column(opened, "bounds", 3)
    assert shown[:3] == ["2−109", "2−13.65", "1"]
    assert shown[-1] == "100"


def test_times_and_sizes_sort_by_what_they_are_not_by_their_unit(opened: webdriver.Chrome) -> None:
    assert _sort(opened, "searches", 8) == "ascending"
    assert _column(opened, "searches", 8)[0] == "48 µs"
    assert _column(opened, "searches", 8)[-1] == "4.57 min"
    assert _sort(opened, "benches", 5) == "ascending"
    sizes = list(dict.fromkeys(_column(opened, "benches", 5)))
    assert sizes == ["0 B", "16 B", "64 B", "256 B", "1,500 B", "4 KiB", "16 KiB"]


def test_every_figure_holds_its_marks(seen: webdriver.Chrome) -> None:
    count = """return Object.fromEntries([...document.querySelectorAll('.chart')].map(chart =>
      [chart.closest('figure').id, Object.fromEntries(
        ['symbol', 'rect', 'line', 'rule', 'text'].map(kind => [kind,
          chart.querySelectorAll(`.mark-${kind}[aria-roledescription$='mark container'] > *`).length
        ]))]))"""
    marks: dict[str, dict[str, int]] = seen.execute_script(count)
    assert len(marks) == 17
    assert marks["figure-growth"]["symbol"] == len(ACTIVE) * 3  # two ciphers and the print
    assert marks["figure-growth"]["line"] == 2  # two ciphers with one round share theirs
    assert marks["figure-diffusion"]["symbol"] == DIFFUSION.index(100) + 1
    hits = sum(found > 0 for _, found in SEARCHES.values())
    assert marks["figure-search"]["symbol"] == hits
    assert marks["figure-search"]["rect"] >= 3 * len(SEARCHES)  # all, searched, printed
    # One view at a time, differential first: AES, and next to the limit of 256 bits the Feistel.
    assert marks["figure-counts-1"]["symbol"] == len(AES)
    feistel = marks["figure-counts-2"]
    assert (feistel["symbol"], feistel["rule"], feistel["text"]) == (4, 1, 1)
    assert marks["figure-weights"]["symbol"] == 3
    assert (marks["figure-cycles"]["symbol"], marks["figure-cycles"]["line"]) == (2, 1)
    assert marks[f"figure-permutations-{MACHINE}"]["symbol"] == 1  # one bound at rounds with a speed
    # Two netlists of a design in a library, and the printed ten.
    assert marks["figure-area-aegis"]["symbol"] == 2 * (6 + 3) + 10
    # Power at three sizes for one design; for another one power and three counts of clocks.
    energy = marks["figure-energy-alpha45"]
    assert (energy["symbol"], energy["line"]) == (3 + 3, 2)
    # Fifteen words in each of six stages, of which the later two have fewer by then; in AO1 columns
    # take four clocks, too few for a name.
    to1, ao1 = (marks["figure-pipeline-aegis128-to1-lut"], marks["figure-pipeline-aegis128-ao1-canright"])
    assert (to1["rect"], to1["text"]) == (2 * (15 + 14 + 13), 2 * (15 + 14 + 13))
    assert (ao1["rect"], ao1["text"]) == (15 + 15, 15)
    race = marks["figure-race"]
    assert (race["rect"], race["text"]) == (4, 4)  # a bar and its label for each run
    core = {name.rpartition("-rust-")[2]: m for name, m in marks.items() if "-rust-" in name}
    assert {name: m["symbol"] for name, m in core.items()} == {
        "aether": 3 * 6,
        "aegis-128l": 2 * 6,
        "aes-256-gcm": 6,
    }
    limits = {"aegis-128l": 2}
    for name, m in core.items():
        assert m["rule"] == 2 * m["symbol"] + limits.get(name, 0)
        assert m["text"] == limits.get(name, 0)
    # Back ends, and peers; a cipher that only others have is drawn as ours are.
    assert {name: m["line"] for name, m in core.items()} == {
        "aether": 3,
        "aegis-128l": 2 + 2,
        "aes-256-gcm": 1,
    }


def _filled(chrome: webdriver.Chrome, figure: str) -> list[tuple[bool, str]]:
    """Marks by round, left to right: whether each is filled, and what it says of itself."""
    marks: list[tuple[bool, str]] = chrome.execute_script(
        "return [...document.querySelectorAll(`#figure-${arguments[0]} .mark-symbol"
        "[aria-roledescription$='mark container'] > *`)]"
        ".map(m => [m.getBoundingClientRect().left, getComputedStyle(m).fill !== 'none' &&"
        " m.getAttribute('fill') !== 'transparent', m.getAttribute('aria-label')])"
        ".sort((a, b) => a[0] - b[0]).map(([, filled, label]) => [filled, label])",
        figure,
    )
    return marks


def test_lower_bounds_are_hollow_and_exact_values_filled(seen: webdriver.Chrome) -> None:
    filled = [mark for mark, _ in _filled(seen, "counts-1")]
    assert filled == [upper is not None for _, upper in AES.values()]
    assert filled.count(False) == 1


def test_the_buttons_choose_view_and_count(opened: webdriver.Chrome) -> None:
    def values() -> list[str]:
        labels = [label for _, label in _filled(opened, "counts-2")]
        return [re.findall(r"minimum active S-boxes: (\d+)", label)[0] for label in labels]

    once = values()
    assert once == ["0", "5", "10", "25"]
    opened.execute_script("document.querySelector('#figure-counts-2 input[value=executed]').click()")
    WebDriverWait(opened, 60).until(lambda _: values() != once)
    assert values() == ["0", "6", "12", "43"]
    said = opened.execute_script("return document.getElementById('figure-counts-2').textContent")
    assert "43 wanted [AESNI-PERM]: reached by (2-0,1-1) in 4 rounds, counted as executed" in said


def test_a_bound_that_a_second_solver_reached_says_so(seen: webdriver.Chrome) -> None:
    rows = list(zip(*(_column(seen, "active-sboxes", i) for i in (0, 1, 3, 7, 8)), strict=True))
    by_two = [row for row in rows if row[3] == "agreed by two solvers"]
    assert by_two == [("aes", "differential", "4", by_two[0][3], "HiGHS 1.2.3, CaDiCaL 1.2.3")]
    assert {row[3] for row in rows if row not in by_two} == {"one solver, unconfirmed"}


def test_collisions_stand_next_to_word_wise_ones(seen: webdriver.Chrome) -> None:
    rows = list(zip(*(_column(seen, "closed", i) for i in (0, 1, 2, 5, 6, 7)), strict=True))
    assert ("aegis-128l", "internal collision", "", "13", "35", "at least") in rows
    assert ("aegis-128l", "keystream bias", "", "no trail", "", "exact") in rows
    assert ("aether", "internal collision", "2−109", "", "", "not solved") in rows


def test_a_solver_that_hit_its_limit_is_marked(seen: webdriver.Chrome) -> None:
    said = seen.execute_script("return document.getElementById('figure-race').textContent")
    assert said.count("limit") >= 2
    assert "AES, 4 rounds: highs in 70 ms" in said
    assert "AEGIS-128L collision, 5 blocks: none of 2 within the limit" in said
    assert "2 of 4 runs came to their limit" in said
    results = _column(seen, "race", 2)
    assert results[2:] == ["stopped: at least 5, nothing found", "stopped: at least 13, best 35"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_a_trail_leaves_alone_is_pale(opened: webdriver.Chrome, page: Path, scheme: str) -> None:
    browser.emulate(opened, scheme=scheme)
    browser.wait(
        opened, f"[...document.querySelectorAll('.chart')].every(c => c.dataset.ready === '{scheme}')"
    )
    strokes = opened.execute_script(
        "document.querySelector('.drawing.trail').closest('details').open = true;"
        "const stroke = s => getComputedStyle(document.querySelector(`.trail ${s}`)).stroke;"
        "return ['.node.f.on polygon', '.node.f:not(.on) polygon', '.edge.on path',"
        " '.edge.off path'].map(stroke)"
    )
    active, isolated, on, off = strokes
    assert active == on
    assert isolated == off
    assert on != off


def test_goals_and_ratios_have_a_word_for_their_verdict(seen: webdriver.Chrome) -> None:
    goals = f"goals-{MACHINE}"
    names, operations, words = (_column(seen, goals, i) for i in (0, 1, 6))
    verdicts = dict(zip(zip(names, operations, strict=True), words, strict=True))
    assert verdicts["aegis-128l", "encrypt"] == "met"
    assert verdicts["aether", "encrypt"] == "missed"
    assert verdicts["rocca-s", "encrypt"] == "open"
    files = f"files-{MACHINE}"
    of_files = zip(*(_column(seen, files, i) for i in (0, 7, 8)), strict=True)
    assert set(of_files) == {("seal", "0.857", "met"), ("open", "0.75", "missed")}
    ratios = f"ratios-{MACHINE}"
    assert set(_column(seen, ratios, 0)) == {"aegis-128l"}
    # The fastest at each size; where libsodium decrypts slowly, short messages are libaegis's.
    assert set(_column(seen, ratios, 6)) == {"libaegis 1.2.3", "libsodium 1.2.3"}
    decided = zip(_column(seen, ratios, 1), _column(seen, ratios, 2), _column(seen, ratios, 10), strict=True)
    # By the speeds of report_rows.py: 4.1 % at 16 KiB, 2.5 % at 4 KiB.
    assert {(o, n) for o, n, word in decided if word == "slower"} == {("encrypt", "16 KiB")}


def test_printed_designs_are_hollow_marks(seen: webdriver.Chrome) -> None:
    marks = [(filled, "printed, 65 nm" in label) for filled, label in _filled(seen, "area-aegis")]
    assert set(marks) == {(True, False), (False, True)}
    said = seen.execute_script("return document.getElementById('figure-area-aegis').textContent")
    assert "aegis128-interleaved in alpha45, 3.51; aegis128-interleaved in beta7, 17.5" in said
    assert "Of those printed, at 65 nm: TO2, 0.963." in said


def test_goals_of_hardware_have_a_word_for_their_verdict(seen: webdriver.Chrome) -> None:
    rows = list(zip(*(_column(seen, "hardware-goals", i) for i in (0, 1, 5, 7)), strict=True))
    assert ("TO2", "alpha45", "2.12", "met") in rows
    assert ("AO2", "beta7", "", "open") in rows
    assert ("aegis128-interleaved", "alpha45", "1.58", "met") in rows


def test_cores_stand_next_to_the_printed_ones_and_components_apart(seen: webdriver.Chrome) -> None:
    names, best, bits, pj = (_column(seen, "cores-alpha45", i) for i in (0, 1, 8, 15))
    lines = list(zip(names, best, bits, pj, strict=True))
    assert lines[6] == ("[AEGIS-HW] AO2, speed", "delay", "25.6", "0.82")
    interleaved = [line for line in lines if line[0].startswith("aegis128-interleaved")]
    assert [line[1:3] for line in interleaved] == [("delay, area-delay", "128"), ("area", "128")]
    assert all("3 messages" in line[0] for line in interleaved), interleaved
    assert _column(seen, "parts-alpha45", 0) == ["aes-sbox"]
    assert _column(seen, "fpga", 6) == ["402", ""]


def test_a_bench_that_failed_says_which_test(seen: webdriver.Chrome) -> None:
    rows = list(zip(*(_column(seen, "simulations", i) for i in (0, 3, 4, 8)), strict=True))
    assert ("aegis128-to2", "icarus 5.006", "2", "failed: stalls") in rows
    assert [row[3] for row in rows].count("passed") == len(rows) - 1


def test_a_core_is_drawn_in_its_own_section(seen: webdriver.Chrome) -> None:
    before = seen.execute_script(
        "const core = document.querySelector('.drawing.core');"
        "return [...document.querySelectorAll('h2')].filter(h =>"
        " h.compareDocumentPosition(core) & Node.DOCUMENT_POSITION_FOLLOWING).at(-1).id"
    )
    assert before == "hardware"


def test_claims_of_a_paper_have_a_word_and_numbers(seen: webdriver.Chrome) -> None:
    claims, words, numbers = (_column(seen, f"claims-{MACHINE}", i) for i in (0, 3, 4))
    plain = [claim.replace("\u00a0", " ") for claim in claims]
    by_claim = dict(zip(plain, zip(words, numbers, strict=True), strict=True))
    one = "is the fastest for one block of 256 bits"
    over = "over Simpira, Haraka and Pholkos"
    ice = by_claim[f"(1-0,1-1) {one} on Ice Lake, by 27 % and more {over}"]
    others = by_claim[f"(2-0,2-2) {one}, except on Ice Lake, by 2 % and more {over}"]
    assert (ice[0], others[0]) == ("holds", "does not hold")
    margin, fastest = others[1].split("; ")
    assert margin.endswith("2% wanted")
    assert fastest.startswith("(2-0,2-2) 0.770 (0.769 to 0.771), (1-0,1-1) 0.760")
    assert words.count("not decided") == 7
    titles, demanded = (_column(seen, f"demanded-{MACHINE}", i) for i in (0, 5))
    known = {t: d for t, d in zip(titles, demanded, strict=True) if d != "open"}
    # No permutation of the sample has linear bounds; of one, a trail over 4 rounds is too light.
    assert known == {"(2-0,1-1)": "5 or more"}


def test_the_wrong_total_is_marked_and_named(seen: webdriver.Chrome) -> None:
    figure = seen.execute_script("return document.getElementById('figure-search').textContent")
    assert "printed 38,102,400" in figure
    assert "The printed total of (10, 5) is 38,102,400" in figure
    assert "gives 7,620,480" in figure


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_is_legible_in_both_schemes(opened: webdriver.Chrome, page: Path, scheme: str) -> None:
    browser.emulate(opened, scheme=scheme)
    browser.wait(
        opened, f"[...document.querySelectorAll('.chart')].every(c => c.dataset.ready === '{scheme}')"
    )
    poor: list[Any] = opened.execute_script(_CONTRAST)
    assert poor == []
    background = opened.execute_script("return getComputedStyle(document.body).backgroundColor")
    red = int(re.findall(r"\d+", background)[0])
    assert (red > 200) if scheme == "light" else (red < 60)


# Every element with text of its own against the nearest opaque ground behind it, after WCAG 2.
_CONTRAST = """
const parse = (c) => {
  const n = c.match(/[\\d.]+/g).map(Number);
  return n.length < 4 ? [...n, 1] : n;
};
const linear = (v) => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
const light = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
function ground(e) {
  for (; e; e = e.parentElement) {
    const c = parse(getComputedStyle(e).backgroundColor);
    if (c[3] === 1) return c;
  }
  return [255, 255, 255, 1];
}
const labels = '.chart .role-axis-label text, .chart .role-legend-label text';
const poor = [];
for (const e of document.querySelectorAll('body *')) {
  if (e.closest('script, style') || (e.closest('.chart') && !e.matches(labels))) continue;
  if (![...e.childNodes].some(n => n.nodeType === 3 && n.data.trim())) continue;
  if (!e.checkVisibility()) continue;
  const style = getComputedStyle(e);
  const ink = parse(e instanceof SVGElement ? style.fill : style.color);
  const [a, b] = [light(ink), light(ground(e))].sort((x, y) => y - x);
  const ratio = (a + 0.05) / (b + 0.05);
  if (ratio < 4.5) poor.push([e.outerHTML.slice(0, 90), ratio]);
}
return poor.slice(0, 10);
"""


def test_the_button_overrides_the_system(opened: webdriver.Chrome) -> None:
    ground = "return getComputedStyle(document.body).backgroundColor"
    axis = "return document.querySelector('.chart .role-axis-label text').getAttribute('fill')"
    before = opened.execute_script(ground), opened.execute_script(axis)
    opened.execute_script("document.getElementById('theme').click()")
    browser.wait(opened, "[...document.querySelectorAll('.chart')].every(c => c.dataset.ready === 'dark')")
    after = opened.execute_script(ground), opened.execute_script(axis)
    assert before[0] != after[0]
    assert before[1] != after[1]


@pytest.mark.parametrize("width", [390, 768, 1280])
def test_no_sideways_scrolling_of_the_page(chromium: webdriver.Chrome, page: Path, width: int) -> None:
    browser.emulate(chromium, width=width)
    browser.open_page(chromium, page)
    chromium.execute_script("document.querySelectorAll('details').forEach(d => d.open = true)")
    inner, outer = chromium.execute_script(
        "return [document.documentElement.scrollWidth, document.documentElement.clientWidth]"
    )
    assert outer <= width
    assert inner <= outer
    if width == 390:  # the wide tables must then scroll in boxes of their own
        assert chromium.execute_script(
            "return [...document.querySelectorAll('.dt-layout-table')]"
            ".some(box => box.scrollWidth > box.clientWidth)"
        )


def test_values_in_the_page_are_those_of_the_rows(seen: webdriver.Chrome) -> None:
    shown = seen.execute_script(
        "const ours = table => [...table.querySelectorAll('td.ours[data-value]')]"
        ".map(cell => cell.dataset.value);"
        "return Object.fromEntries([...document.querySelectorAll('table[data-table]')]"
        ".map(t => [t.dataset.table, ours(t)]))"
    )
    made = [row for row in sample() if row["kind"] == "reproduction"]
    for table in ("6", "7", "99"):
        wanted = [json.dumps(row["value"]) for row in made if row["table"] == table]
        assert shown[f"aether/{table}"] == wanted
        assert wanted
    counts = seen.execute_script(
        "return Object.fromEntries([...document.querySelectorAll('[data-count]')]"
        ".map(e => [e.dataset.count, +e.textContent.replaceAll(',', '')]))"
    )
    values_printed = sum(
        cell.value is not None for p in spec.papers() for t in p.tables for cell in t.cells()
    )
    refuted = sum(row["status"] == "refuted" for row in made)
    reproduced = sum(row["status"] == "reproduced" for row in made)
    stray = 1
    assert counts == {
        **dict.fromkeys(STATUSES, 0),
        "refuted": refuted,
        "reproduced": reproduced,
        "open": values_printed + stray - refuted - reproduced,
    }
    assert refuted == 1


def test_each_status_has_a_word_or_a_name_and_not_only_a_colour(seen: webdriver.Chrome) -> None:
    nameless = seen.execute_script(
        "return [...document.querySelectorAll('svg.mark')].filter(m =>"
        "!m.getAttribute('aria-label') && !m.parentElement.textContent.trim()).length"
    )
    assert nameless == 0


def test_row_text_is_text_and_not_markup(seen: webdriver.Chrome) -> None:
    article = seen.execute_script("return document.querySelector('.verdict-pass').innerHTML")
    assert "&lt;b&gt;found&lt;/b&gt;" in article


def test_a_link_into_a_folded_table_opens_it(opened: webdriver.Chrome) -> None:
    closed = "return !document.getElementById('aether-3').closest('details').open"
    assert opened.execute_script(closed)
    opened.execute_script("location.hash = '#aether-3'")
    browser.wait(opened, "document.getElementById('aether-3').closest('details').open")


def test_drawing_scales_inside_its_box_and_takes_the_text_colour(opened: webdriver.Chrome) -> None:
    browser.emulate(opened, width=390)
    opened.execute_script("document.querySelector('[data-zoom=fit]').click()")
    fitted = opened.execute_script("return document.querySelector('.drawing svg').clientWidth")
    assert 0 < fitted <= 390
    opened.execute_script("document.querySelector('[data-zoom=in]').click()")
    larger = opened.execute_script("return document.querySelector('.drawing svg').clientWidth")
    assert larger == pytest.approx(fitted * 1.3, rel=0.02)
    ink, text = opened.execute_script(
        "const t = document.querySelector('.drawing svg text');"
        "return [getComputedStyle(t).fill, getComputedStyle(document.body).color]"
    )
    assert ink == text
