"""The parts of [AETHER, tables 3 to 5] as circuits: proofs, sharing, files of a user's own."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from calls import cases
from places import ROOT
from roundworks import spec
from roundworks.errors import HardwareError, SpecError, UnknownName
from roundworks.hardware.cores import core
from roundworks.hardware.flow.equivalence import prove_definition
from roundworks.hardware.flow.lint import lint
from roundworks.hardware.generate import component_files, components
from roundworks.hardware.generate.component_verilog import shared, tree
from roundworks.hardware.generate.components import Component, core_of, definition
from roundworks.reference import IntWord, Matrix
from roundworks.reference.aes import MIX_COLUMNS
from roundworks.reference.aether import M_B, PERMUTATION, SBOX, f
from roundworks.studies.hardware import choose

ALL = components.components()


def proven(one: Component, **parameters: str) -> bool:
    tested = core_of(one)
    return prove_definition(tested, parameters, definition(one)).certainty == "proven"


# -- ours ------------------------------------------------------------------------------------
def test_all_of_tables_3_to_5_are_there() -> None:
    kinds = [name.partition("-")[0] for name in ALL]
    paper = spec.paper("aether")
    for kind, table in (("sbox", "3"), ("matrix", "4"), ("inner", "5")):
        assert kinds.count(kind) == len(paper.table(table).rows)
    assert [f"S-box {row.name}" for row in paper.table("3").rows] == [
        one.title for one in ALL.values() if one.name.startswith("sbox-")
    ]
    assert ALL["inner-f-16"].layers == (SBOX, M_B, SBOX, PERMUTATION)


@pytest.mark.parametrize("form", ["table", "dse"])
@pytest.mark.parametrize("name", [n for n in ALL if n.startswith("sbox-")])
def test_an_s_box_is_its_table(name: str, form: str) -> None:
    assert proven(ALL[name], Form=form)


@pytest.mark.parametrize("form", ["plain", "shared"])
@pytest.mark.parametrize("name", [n for n in ALL if n.startswith("matrix-")])
def test_a_matrix_is_its_rows(name: str, form: str) -> None:
    assert proven(ALL[name], Form=form)


INNER = [n for n in ALL if n.startswith("inner-")]


@pytest.mark.parametrize("forms", [("table", "plain"), ("dse", "shared")])
@pytest.mark.parametrize("name", cases(INNER, short=["inner-f-8"]))
def test_an_inner_function_is_its_description(name: str, forms: tuple[str, str]) -> None:
    assert proven(ALL[name], Sbox=forms[0], Mix=forms[1])


def test_a_definition_is_what_the_description_computes() -> None:
    """The BLIF that proofs rest on, walked here by its own meaning."""
    word = 0x0123456789ABCDEF0123456789ABCDEF
    want = f(IntWord(word, 128)).value.to_bytes(16, "big")
    values = {f"i{n}": word.to_bytes(16, "big")[n // 8] >> n % 8 & 1 for n in range(128)}
    for node in definition(ALL["inner-f-16"]).split(".names ")[1:]:
        head, *patterns = node.splitlines()
        *inputs, out = head.split()
        now = "".join(str(values[wire]) for wire in inputs)
        values[out] = int(f"{now} 1" in patterns)
    assert bytes(sum(values[f"o{8 * i + b}"] << b for b in range(8)) for i in range(16)) == want


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("sbox-orthros", "4'd5: data_o = 4'd8", "4'd5: data_o = 4'd9"),
        ("matrix-m8", "assign data_o[3:0] = (x0 ^ ", "assign data_o[3:0] = (x0 | "),
        ("inner-f-8", "assign x3[83:80] = x2[3:0]", "assign x3[83:80] = x2[7:4]"),
    ],
)
def test_a_wrong_circuit_is_refused(tmp_path: Path, name: str, old: str, new: str) -> None:
    tested = core(name)
    *parts, top = tested.files
    text = top.read_text()
    assert text.count(old) == 1
    wrong = tmp_path / top.name
    wrong.write_text(text.replace(old, new))
    broken = replace(tested, files=(*parts, wrong))
    with pytest.raises(HardwareError, match=f"^{name} .*: differs from its definition$"):
        prove_definition(broken, {}, definition(ALL[name]))


@pytest.mark.parametrize("name", cases(ALL, short=[name for name in ALL if name != "inner-f-aes"]))
def test_lint(name: str) -> None:
    tested = core(name)
    last = {p.name: list(p.choices)[-1] for p in tested.parameters}
    assert lint(tested) == () and lint(tested, last) == ()


def test_sharing_saves_what_greedy_search_is_known_to_save() -> None:
    """108 for MixColumns and 52 for M_b are those of others' greedy search. [PAAR]"""
    matrices = [(n, one.layers[0]) for n, one in ALL.items() if n.startswith("matrix-")]
    values = {n: len(shared(m).lines) for n, m in matrices if isinstance(m, Matrix)}
    assert values == {
        "matrix-aes": 108,
        "matrix-midori": 6,
        "matrix-m8": 18,
        "matrix-aether": 52,
        "matrix-m32": 168,
    }


def test_a_sum_is_no_deeper_than_it_must_be() -> None:
    for count in range(1, 40):
        text = tree([f"a{i}" for i in range(count)])
        assert re.findall(r"a\d+", text) == [f"a{i}" for i in range(count)]
        depth = max(
            text[:at].count("(") - text[:at].count(")") for at in (m.start() for m in re.finditer("a", text))
        )
        assert depth == (count - 1).bit_length()


# -- a user's own ----------------------------------------------------------------------------
PRESENT = "# [PRESENT]\n0xc 5 6 0xb, 9 0 0xa 0xd\n3 0xe 0xf 8 4 7 1 2\n"


def test_plain_files(tmp_path: Path) -> None:
    box, rows = tmp_path / "My Box.txt", tmp_path / "rows.txt"
    box.write_text(PRESENT)
    rows.write_text("0111\n1 0 1 1\n[1,1,0,1],\n1110  # the last\n")
    mine = component_files.sbox(box)
    assert mine.name == "sbox-my-box" and mine.layers[0].table[:4] == (12, 5, 6, 11)  # type: ignore[union-attr]
    assert proven(mine, Form="dse")
    matrix = component_files.matrix(rows)
    assert matrix.bits == 16 and matrix.layers[0].rows[0] == (0, 1, 1, 1)  # type: ignore[union-attr]
    assert proven(matrix, Form="shared")


def test_an_s_box_need_not_be_a_permutation(tmp_path: Path) -> None:
    box = tmp_path / "constant.txt"
    box.write_text("1 1 1 1 1 1 1 0\n")
    for form in ("table", "dse"):
        assert proven(component_files.sbox(box), Form=form)


def test_files_in_the_form_of_spec(tmp_path: Path) -> None:
    mine = component_files.sbox(ROOT / "spec" / "sboxes.toml", "prince")
    assert mine.layers[0].table == ALL["sbox-prince"].layers[0].table  # type: ignore[union-attr]
    matrix = component_files.matrix(ROOT / "spec" / "matrices.toml", "m8")
    assert matrix.layers == ALL["matrix-m8"].layers
    own = tmp_path / "own.toml"
    own.write_text(
        '[[matrices]]\nname = "mds"\ncell_bits = 8\npolynomial = 0x11b\n'
        "rows = [[2, 3, 1, 1], [1, 2, 3, 1], [1, 1, 2, 3], [3, 1, 1, 2]]\n"
    )
    mds = component_files.matrix(own)
    assert mds.layers == (replace_name(MIX_COLUMNS, "mds"),)
    tested = core_of(mds)
    assert prove_definition(tested, {"Form": "plain"}, definition(ALL["matrix-aes"])).core == "matrix-mds"


def replace_name(matrix: Matrix, name: str) -> Matrix:
    return Matrix(name, matrix.rows, matrix.cell_bits, matrix.polynomial)


@pytest.mark.parametrize(
    ("kind", "text", "message"),
    [
        ("sbox.txt", "1 2 3\n", "1: want 2^b entries for b = 2..8 bits, got 3"),
        ("sbox.txt", "0 1\n2 4\n", "2: want entries 0..3, got 4"),
        ("sbox.txt", "0 1\n2 x\n", "2: want numbers, decimal or 0x.., got 'x'"),
        ("sbox.txt", "# nothing\n", "1: want numbers, got none"),
        ("matrix.txt", "01\n\n101\n", "3: want 2 entries, as there are rows, got 3"),
        ("matrix.txt", "0 1\n1 2\n", "2: want entries 0..1, got 2"),
        ("matrix.txt", "01\n00\n", "2: want an entry that is not 0"),
        (
            "sbox.toml",
            '[[sboxes]]\nname = "a"\ntable = [0, 1,\n 2, -3]\n',
            "4: sboxes[0] (a).table[3]: want a number of 0 or more, got -3",
        ),
        ("sbox.toml", '[[sboxes]]\nname = "a"\n', "1: sboxes[0] (a): want table, a list"),
        ("sbox.toml", '[[boxes]]\nname = "a"\n', "1: want entries [[sboxes]], as spec/sboxes.toml has them"),
        (
            "sbox.toml",
            '[[sboxes]]\nname = "A"\n',
            "1: sboxes[0] (A): want a name of small letters, digits and hyphens",
        ),
        (
            "matrix.toml",
            '[[matrices]]\nname = "a"\nrows = ["01",\n "21"]\n',
            "4: matrices[0] (a).rows[1]: want a list of numbers or a text of 0 and 1, got '21'",
        ),
        (
            "matrix.toml",
            '[[matrices]]\nname = "a"\npolynomial = 0x11b\nrows = ["01",\n "11"]\n',
            "4: matrices[0] (a).rows[0]: want a polynomial of degree 4, got 0x11b",
        ),
    ],
)
def test_a_wrong_file_names_its_line(tmp_path: Path, kind: str, text: str, message: str) -> None:
    file = tmp_path / kind
    file.write_text(text)
    with pytest.raises(SpecError) as caught:
        (component_files.sbox if kind.startswith("sbox") else component_files.matrix)(file)
    assert str(caught.value) == f"{file}:{message}"


def test_a_file_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match=r"none\.txt:1: cannot be read: No such file"):
        component_files.sbox(tmp_path / "none.txt")


def test_an_entry_is_named() -> None:
    with pytest.raises(UnknownName, match="component 'm9': not known; one of m"):
        component_files.matrix(ROOT / "spec" / "matrices.toml", "m9")
    with pytest.raises(SpecError, match="want one entry, or its name with the file: m8, m32"):
        component_files.matrix(ROOT / "spec" / "matrices.toml")
    with pytest.raises(UnknownName, match="core 'sbox-nobody': not known; did you mean sbox-"):
        core("sbox-nobody")


@pytest.mark.parametrize("option", ["--sbox", "--matrix"])
def test_a_part_of_ones_own_does_not_pass_for_ours(run, tmp_path: Path, option: str) -> None:  # type: ignore[no-untyped-def]
    name = {"--sbox": "orthros", "--matrix": "midori"}[option]
    mine = tmp_path / f"{name}.txt"
    mine.write_text(PRESENT if option == "--sbox" else "0111\n1011\n1101\n1111\n")
    done = run("synth", option, str(mine), "--script", "dch", "--json")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        f"roundworks: error: {mine}: name '{option[2:]}-{name}' is taken by a core of ours;"
        " give yours another name\n"
    )


def test_a_part_of_ours_from_its_file_has_its_name() -> None:
    assert choose("prince", sbox=ROOT / "spec" / "sboxes.toml").core.name == "sbox-prince"


def test_synth_of_a_file(run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "mine.txt").write_text(PRESENT)
    done = run("synth", "--sbox", str(tmp_path / "mine.txt"), "--script", "dch", "--json", "--no-store")
    if "not found" in done.stderr:
        pytest.skip(done.stderr)
    (row,) = [json.loads(line) for line in done.stdout.splitlines()]
    assert row["core"] == "sbox-mine" and row["parameters"] == {"Form": "table"}
    assert "synth --parameter Form=table --sbox mine.txt" in row["command"]
    done = run("synth", "--sbox", "a", "--matrix", "b")
    assert done.returncode == 2 and "want one of --cores, --sbox and --matrix" in done.stderr
    done = run("synth")
    assert done.returncode == 2 and "want CORE, or --file, --sbox or --matrix with a file" in done.stderr
