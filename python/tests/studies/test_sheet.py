"""The sheet of a cipher: what it says is what the studies say, in every format."""

from __future__ import annotations

import dataclasses
import json
import re
from pathlib import Path

import pytest

from places import ROOT
from roundworks import rows, studies
from roundworks.analysis.audit import integrity
from roundworks.analysis.audit.subject import AuditSubject
from roundworks.analysis.sboxes import sbox_facts
from roundworks.bounds import CERTAINTY
from roundworks.prove.measures import bounds_of
from roundworks.prove.pipeline import Query
from roundworks.reference import Sbox, get_analysed, load_description, record_round
from roundworks.reference.aes import SUB_BYTES
from roundworks.report.known import best_known
from roundworks.studies import sheet_code
from roundworks.studies.bound_queries import bound_command
from roundworks.studies.code import ALONE, INCREMENTAL
from roundworks.studies.proofs import drawn
from roundworks.studies.sheet_security import absent, bounded, components, inversion
from roundworks.studies.sheets import Section, Sheet, latex
from wanted import require

TOY, TWO = ROOT / "examples" / "toy.py", ROOT / "examples" / "two_word.py"


@pytest.fixture(scope="module")
def toy() -> Sheet:
    require("cc")
    return studies.sheet(TOY)


def section(page: Sheet, title: str) -> studies.Table:
    return next(one.tables[0] for one in page.sections if one.title == title)


def test_a_file_has_every_section_and_its_values(toy: Sheet) -> None:
    assert toy.name == "toy" and toy.line["key, bytes"] and toy.line["active F of a collision"] is not None
    assert section(toy, "S-boxes and matrices").lines[0][:5] == ("PRESENT", 4, 4, 8, 3)
    verdicts = [line[0] for line in section(toy, "Audit").lines]
    assert "forgery" in verdicts and len(verdicts) == len(studies.audit(TOY))
    assert not any(line[2].startswith(line[1]) for line in section(toy, "Audit").lines)
    collision = next(line for line in section(toy, "Bounds").lines if line[0] == "collision")
    (again,) = studies.bounds(TOY, "collision")
    assert collision[5] == again.value and collision[7] == "proven" and collision[8] == "computed now"
    backends = {line[0] for line in section(toy, "Generated code").lines}
    assert {"portable", "aesni"} <= backends
    proofs = section(toy, "Machine code").lines
    assert {line[0] for line in proofs} == backends - {"aarch64"}
    assert {line[2] for line in proofs} == {*ALONE, *INCREMENTAL, "seal-many"}
    assert all(line[3] == line[4] and line[5] == 0 for line in proofs)
    assert section(toy, "Next to the catalogue").lines[0][0] == "toy"
    assert {row.kind for row in toy.rows} == {"drawing", "audit", "bound", "code", "bench"}
    speeds = section(toy, "Measured speed").lines
    assert {line[0] for line in speeds} == {"toy", "aegis-128l"} and toy.line["cycles/byte"]


def test_proofs_of_the_library_are_those_that_are_stored() -> None:
    from roundworks.reference import get
    from roundworks.studies.sheet_code import proven

    (tables, notes), computed = proven(get("rocca-s"), None, ())
    assert not tables and "no stored proof" in notes[0] and not computed
    row = rows.CodeRow.make(
        command="roundworks prove",
        seconds=1.0,
        cipher="rocca-s",
        backend="aesni",
        processor="aes",
        operation="open",
        lengths="few",
        verdict="proven",
        proven=3,
        tried=3,
        instructions=9,
        left=0,
        in_registers=0,
        reason="",
        library="a" * 64,
    )
    other = dataclasses.replace(row, cipher="aether")
    generated = dataclasses.replace(row, compiler="cc 12 -O3", backend="gfni")
    ((table,), _), _ = proven(get("rocca-s"), None, (row, other, generated))
    assert table.lines == (("aesni", "aes", "open", 3, 3, 0, 0),)
    (tables, notes), _ = proven(load_description(ROOT / "examples" / "arx_block.py"), ROOT, ())
    assert not tables and "want a streaming AEAD" in notes[0]


def test_a_round_without_units_has_no_f_to_count() -> None:
    from roundworks.reference import get

    result = bounded("ascon-128a", get("ascon-128a"), (), units=False, full=False, report=lambda stage: None)
    assert "no F to count" in result.notes[0]
    assert {row.measure for row in result.rows} & {"active-f", "collision", "bias"} == set()


def test_without_rows_nothing_is_said_of_where_they_are_from() -> None:
    from roundworks.studies.sheet_code import compared

    lines, note = compared(load_description(TOY), (), ())
    assert lines[0]["name"] == "toy" and note == ""


def test_a_dash_says_no_more_than_its_search() -> None:
    (row,) = studies.bounds(ROOT / "examples" / "byte_mds.py", "guess-and-determine").rows
    assert (row.value, row.certainty) == (None, "heuristic")
    assert absent([row]) == ["a dash for a heuristic value: none was found"]
    (none,) = absent([dataclasses.replace(row, certainty="proven")])
    assert none.endswith("there is no such path") and absent([dataclasses.replace(row, value=2)]) == []


def test_of_a_sponge_one_line_says_what_its_round_lacks() -> None:
    sponge = load_description(ROOT / "examples" / "sponge.py")
    result = bounded(sponge, sponge, (), units=True, full=False, report=lambda stage: None, sboxes=False)
    assert {row.measure for row in result.rows} == {"diffusion"}
    assert not [note for note in result.notes if "needs a round that absorbs" in note]


def test_json_is_the_same_page(toy: Sheet) -> None:
    page = json.loads(toy.text("json"))
    assert page["name"] == "toy" and page["row"] == toy.line
    assert [one["title"] for one in page["sections"]] == [one.title for one in toy.sections]
    assert page["drawings"][0]["dot"].startswith("digraph")


def test_html_has_a_drawing_and_no_outside_address(toy: Sheet) -> None:
    html = toy._repr_html_()
    assert html == toy.text("html") and "<svg" in html and "PRESENT" in html
    noted = dataclasses.replace(toy, sections=(Section("Hardware", notes=("`synth` < 1",)),))
    assert "<p><code>synth</code> &lt; 1</p>" in noted.text("html")
    assert not re.search(r"""(src|href)\s*=\s*["'](?!#)|url\(|@import""", html)
    assert set(re.findall(r"https?://[^\"' <]+", html)) <= {"http://www.w3.org/2000/svg"}


def test_latex_has_no_unescaped_special_character(toy: Sheet) -> None:
    text = toy.text("latex")
    body = "".join(line for line in text.splitlines(True) if not line.startswith("%"))
    assert not re.search(r"(?<!\\)[#$%_^~]", re.sub(r"\\textasciicircum\{\}", "", body))
    assert body.count("\\begin{longtable}") == body.count("\\end{longtable}") > 5
    assert latex("  S0 = `K0`") == r"\ \ S0 = \texttt{K0}"
    plain = re.sub(r"\\[{}]", "", body)
    assert plain.count("{") == plain.count("}")
    assert latex("a_b & 5% {x} \\ ~^<") == (
        r"a\_b \& 5\% \{x\} \textbackslash{} \textasciitilde{}\textasciicircum{}\textless{}"
    )


def test_markdown_tables_are_even(toy: Sheet) -> None:
    blocks = re.findall(r"(?:^\|.*\n)+", toy.text(), re.M)
    assert len(blocks) >= 6
    for block in blocks:
        assert len({len(re.findall(r"(?<!\\)\|", line)) for line in block.splitlines()}) == 1


def test_an_unknown_format_is_an_error(toy: Sheet) -> None:
    with pytest.raises(LookupError, match="format 'pdf': not known"):
        toy.text("pdf")


@pytest.mark.long
def test_a_second_file_and_a_permutation_of_the_catalogue() -> None:
    two = studies.sheet(TWO)
    assert section(two, "Bounds").lines and "```text" in two.text()
    page = studies.sheet("simpira-2")
    assert section(page, "Cycle model").lines and section(page, "Measured speed").lines
    lines = section(page, "Bounds").lines
    assert lines and {line[7] for line in lines} <= {*CERTAINTY.values()}
    assert section(page, "S-boxes and matrices").lines[0][1:5] == (8, 4, 32, 7)


def test_a_mode_of_blocks_says_what_does_not_apply() -> None:
    page = studies.sheet("aes-128-gcm")
    notes = [note for one in page.sections for note in one.notes]
    assert any("a mode of blocks; code is generated from streaming ciphers" in note for note in notes)


def test_inversion_in_a_field_is_what_its_tables_say() -> None:
    def multiply(a: int, b: int, modulus: int, bits: int) -> int:
        product = 0
        for i in range(bits):
            product ^= (a << i) * (b >> i & 1)
        for i in reversed(range(bits, 2 * bits)):
            product ^= (modulus << i - bits) * (product >> i & 1)
        return product

    for bits, modulus in {3: 0b1011, 4: 0b10011, 5: 0b100101, 6: 0b1000011, 7: 0b10000011}.items():
        size = 1 << bits
        table = [0] * size
        for a in range(1, size):
            table[a] = next(b for b in range(1, size) if multiply(a, b, modulus, bits) == 1)
        facts = sbox_facts(Sbox("inverse", tuple(table)))
        properties = round(size * 2**facts.dp_log2), round(size * 2 ** (facts.c2_log2 / 2))
        assert properties == inversion(bits), bits
    facts = sbox_facts(SUB_BYTES)
    assert (round(256 * 2**facts.dp_log2), round(256 * 2 ** (facts.c2_log2 / 2))) == inversion(8)


def test_a_weak_sbox_is_a_warning(tmp_path: Path) -> None:
    text = TOY.read_text().replace('"toy"', '"weak"')
    table = re.search(r'Sbox\("PRESENT", (\(.*\))\)', text)
    assert table
    notes = []
    for source in (text, text.replace(table[1], "tuple(range(16))")):
        path = tmp_path / "weak.py"
        path.write_text(source)
        notes.append(components(record_round(load_description(path)))[1])
    assert notes[0] == ()
    assert notes[1] == (
        "warning: S-box PRESENT: its largest DDT entry is 16; inversion in GF(2^4) has 4",
        "warning: S-box PRESENT: its largest LAT entry is 16; inversion in GF(2^4) has 8",
    )


SINGULAR = (
    "((0, 1, 1, 1), (1, 0, 1, 1), (1, 1, 0, 1), (1, 1, 1, 0))",
    "((0, 1, 1, 0), (1, 0, 1, 0), (1, 1, 0, 0), (0, 0, 0, 1))",
)
LOSSY = ("7, 1, 2))", "7, 1, 1))")


@pytest.mark.parametrize(
    ("change", "layer"),
    [(SINGULAR, "matrix Midori is singular"), (LOSSY, "S-box PRESENT takes the value 1 2 times")],
)
def test_a_layer_that_loses_information_is_a_warning(
    change: tuple[str, str], layer: str, tmp_path: Path
) -> None:
    path = tmp_path / "lossy.py"
    text = TOY.read_text().replace('"toy"', '"lossy"')
    assert change[0] in text
    path.write_text(text.replace(*change))
    (line,) = (line for line in studies.describe(path).notes if "warning" in line)
    assert line.startswith("warning: lossy.py:") and layer in line
    own = load_description(path)
    name, what = layer.split(" ")[:2], "is singular" if change is SINGULAR else "is not bijective"
    warning = f"warning: {' '.join(name)} {what}: a difference can vanish in it"
    assert warning in components(record_round(own))[1]
    # A unit of the state alone: every block still follows. In front of it, a block may not.
    path.write_text(path.read_text().replace("f(S[3]) ^ X[0]", "f(S[3] ^ X[0])"))
    first, note = (
        integrity.check(AuditSubject(own))[:1],
        integrity.check(AuditSubject(load_description(path))),
    )
    assert (
        first[0].verdict == "pass" and "and no block difference leaves the state unchanged" in first[0].detail
    )
    assert [finding.verdict for finding in note] == ["pass", "note"]
    assert "no block difference was found that leaves every state unchanged" in note[0].detail
    assert note[1].title == "a difference can vanish in the round" and layer in note[1].detail


@pytest.mark.long
def test_rows_of_a_file_that_has_changed_are_not_shown(toy: Sheet, tmp_path: Path) -> None:
    store = rows.Store(tmp_path / "results")
    store.append(toy.rows)
    path = tmp_path / "toy.py"
    path.write_text(TOY.read_text().replace("f(S[0]) ^ S[2]", "f(S[0])"))
    page = studies.sheet(path, store=store)
    (again,) = studies.bounds(path, "collision")
    assert page.line["active F of a collision"] == again.value != toy.line["active F of a collision"]
    assert {line[8] for line in section(page, "Bounds").lines} == {"computed now"}


@pytest.mark.long
def test_the_verb_writes_a_file_and_refuses_in_one_line(run, tmp_path: Path) -> None:
    done = run("sheet", str(TWO), "-o", "two.json")
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    assert json.loads((tmp_path / "two.json").read_text())["row"]["name"]
    assert rows.Store(tmp_path / "results").read("bound")
    done = run("sheet", str(TWO), "-o", "absent/two.md")
    assert done.returncode == 2 and done.stderr.count("\n") == 1 and "no folder absent" in done.stderr
    done = run("sheet", "aess")
    assert done.returncode == 2 and done.stderr.count("\n") == 1 and "did you mean aes" in done.stderr


def test_what_no_code_or_core_is_generated_from_says_so() -> None:
    """A block cipher has neither; a permutation of a file has its code proven."""
    block = get_analysed("simon-32-64")
    (parts, _) = sheet_code.proven(block, ROOT / "examples" / "arx_block.py", [])
    assert "want a streaming AEAD or a permutation" in parts[1][0]
    assert sheet_code.hardware(block, [])[1] == (
        "no stored netlist; cores are generated from streaming AEADs and permutations alone",
    )
    assert "with --file FILE" in sheet_code.hardware(get_analysed("aegis-128"), [])[1][0]


def _made(query: Query) -> list[rows.BoundRow]:
    command = bound_command(["aes"], "active-sboxes", query)
    results = bounds_of(get_analysed("aes"), "active-sboxes", query)
    return [rows.BoundRow.make(command=command, **result.bound.fields) for result in results]


def test_a_bound_of_trails_with_a_pattern_is_none_of_the_cipher() -> None:
    """It is not shown as one, and not carried to more rounds."""
    (some,) = _made(Query(2, where={"S0": "*" * 16}, alone=True))
    assert (some.value, some.side, some.monotone) == (20, "exact", False)
    assert some.method.endswith(f"of trails with S0={'*' * 16} alone")
    (stopped,) = _made(Query(3, limit=1e-9, alone=True))
    assert best_known([stopped, some], []) == [stopped]
    page = bounded(
        "aes", get_analysed("aes"), [stopped, some], units=False, full=False, report=lambda stage: None
    )
    counts = [line[3:6] for line in page.tables[0].lines if line[0] == "active-sboxes"]
    assert counts == [(3, "lower", stopped.value)] and (stopped.value or 0) <= 9


def test_a_plotted_trail_with_a_pattern_says_so() -> None:
    query = Query(2, where={"S0": "*" * 16}, alone=True)
    (result,) = bounds_of(get_analysed("aes"), "active-sboxes", query)
    assert drawn(result)["title"] == f"aes: differential trail over 2 rounds, S0={'*' * 16}"


def test_stored_rows_of_the_catalogue_are_shown(tmp_path: Path) -> None:
    store = rows.Store(tmp_path)
    stored = studies.bounds("craft", "active-sboxes", 3).rows
    store.append(stored)
    page = studies.sheet("craft", store=store)
    shown = [line for line in section(page, "Bounds").lines if line[0] == "active-sboxes"]
    assert [line[8] for line in shown] == [row.time[:10] for row in stored]
    (note,) = next(one.notes for one in page.sections if one.title == "Audit")
    assert note == "not audited: the audit is of a mode, and a block cipher has none"
