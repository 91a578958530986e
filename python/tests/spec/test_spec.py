"""The data under spec/ loads, and a malformed copy of it is an error that names the line."""

from __future__ import annotations

import itertools
import json
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from math import comb, factorial
from pathlib import Path
from typing import Any

import pytest

from places import ROOT
from roundworks import spec
from roundworks.errors import SpecError, UnknownName
from roundworks.spec import lines

VECTORS = "aether/aether.kat.json"
PAPER = "papers/aether.toml"
DATA = sorted(p for p in (ROOT / "spec").rglob("*") if p.suffix in (".json", ".toml"))


@pytest.fixture
def copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Copy spec/, replace one text in one file, load all of it: the error, without the folder."""

    def broken(file: str, old: str, new: str, count: int = 1) -> str:
        shutil.copytree(ROOT / "spec", tmp_path / "spec")
        path = tmp_path / "spec" / file
        text = path.read_text(encoding="utf-8")
        assert text.count(old) >= 1, f"{file} has no {old!r} to break"
        path.write_text(text.replace(old, new, count), encoding="utf-8")
        monkeypatch.setenv("ROUNDWORKS_HOME", str(tmp_path))
        with pytest.raises(SpecError) as error:
            spec.check_all()
        message = str(error.value)
        assert "\n" not in message
        return message.replace(f"{tmp_path}/spec/", "")

    return broken


def line_of(file: str, text: str, nth: int = 1) -> int:
    """Line of the nth occurrence of a text in a file of spec/."""
    results = [n for n, line in enumerate((ROOT / "spec" / file).read_text().splitlines(), 1) if text in line]
    return results[nth - 1]


# -- what is there ---------------------------------------------------------------------------
def test_everything_loads() -> None:
    assert re.fullmatch(
        r"spec: [1-9]\d* ciphers, [1-9]\d* permutations, [1-9]\d* test vectors, [1-9]\d* S-boxes, [1-9]\d* linear layers,"
        r" [1-9]\d* netlists, [1-9]\d* papers with [1-9]\d* printed values, [1-9]\d* goals of speed, the work of [1-9]\d* ciphers,"
        r" [1-9]\d* CPUs, [1-9]\d* hardware designs, [1-9]\d* published figures, [1-9]\d* sources",
        spec.check_all(),
    )


def test_aether_facts() -> None:
    facts = spec.cipher("aether")
    assert (facts.words, facts.rate_bytes, facts.key_bytes, facts.tag_bytes) == (9, 48, 32, 16)
    assert facts.sbox == spec.sboxes()["orthros"].table
    assert [sum(row) for row in facts.matrix] == [7] * 16
    assert facts.permutation[:4] == (0, 16, 1, 17)
    assert facts.round_f == (8, *range(8))
    assert [x for x in facts.round_xor if x.startswith("X")] == ["X0", "X1", "X2"]
    assert "boundary shift" in facts.warning
    assert spec.cipher("aegis-128").warning == ""


def test_aether_constants_are_those_of_sha512() -> None:
    """K0 to K3 are the first 64 bits of the cube roots of 2, 3, 5 and 7; the print of Z1 is not."""

    def cube_root(prime: int) -> int:
        low, high = 0, 2 << 64
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if middle**3 <= prime << 192 else (low, middle)
        return low % 2**64

    k0, k1, k2, k3 = map(cube_root, (2, 3, 5, 7))
    expected = {"Z0": k0 << 64 | k1, "Z1": k2 << 64 | k3, "Z2": k1 << 64 | k0}
    assert dict(spec.cipher("aether").constants) == expected


def test_aegis_constants_are_the_fibonacci_sequence() -> None:
    numbers = [0, 1]
    while len(numbers) < 32:
        numbers.append((numbers[-1] + numbers[-2]) % 256)
    facts = spec.cipher("aegis-128").constants
    assert bytes(numbers) == b"".join(facts[c].to_bytes(16, "big") for c in ("C0", "C1"))


@pytest.mark.parametrize(
    ("name", "cases", "valid", "invalid_flags"),
    [
        ("aegis-128", 475, 367, {"ModifiedTag"}),
        ("aegis-128l", 479, 367, {"ModifiedTag", "OldVersion"}),
        ("aegis-256", 472, 360, {"ModifiedTag", "OldVersion"}),
    ],
)
def test_wycheproof_is_whole(name: str, cases: int, valid: int, invalid_flags: set[str]) -> None:
    (file,) = (f for f in spec.vector_files(name) if "wycheproof" in f.file)
    assert file.licence == "Apache-2.0"
    assert len(file.sha256) == 64
    assert (len(file.vectors), sum(case.valid for case in file.vectors)) == (cases, valid)
    results = {flag for case in file.vectors if not case.valid for flag in case.flags}
    assert results == invalid_flags


def test_rocca_constants_are_those_of_aether_backwards() -> None:
    """Both take K0 K1 and K2 K3 of SHA-512; Rocca-S stores them from the last byte to the first."""
    aether, rocca = spec.cipher("aether").constants, spec.cipher("rocca-s").constants
    for name in ("Z0", "Z1"):
        assert rocca[name].to_bytes(16, "big") == aether[name].to_bytes(16, "little")


@pytest.mark.parametrize("name", ["aether", "aether-lb"])
def test_lengths_around_every_boundary(name: str) -> None:
    lengths = {(len(v.ad), len(v.pt)) for v in spec.aead_vectors(name)}
    around = (0, 1, 15, 16, 17, 47, 48, 49, 95, 96, 97)
    assert lengths >= set(itertools.product(around, around))


@pytest.mark.parametrize("identifier", ["shift-forged", "cut-forged"])
def test_binding_lengths_turns_the_forgeries_away(identifier: str) -> None:
    verdict = {
        name: next(v.valid for v in spec.aead_vectors(name) if v.id == identifier)
        for name in ("aether", "aether-lb")
    }
    assert verdict == {"aether": True, "aether-lb": False}


def test_function_vectors() -> None:
    results = {v.input: v.output for v in spec.function_vectors("aether")}
    assert results[bytes(16)] == bytes(16)
    assert spec.function_vectors("aegis-128") == []


@pytest.mark.parametrize(
    ("paper", "tables"),
    [
        ("aether", "1 2 3 4 5 6 7 figure-1 figure-6 text"),
        ("aegis128-accelerator", "1 2 text"),
        ("aes-hardware", "1 2 3 text"),
        ("aesni-permutations", "1 2 3 4 5 6 7 8 9 text"),
        ("minalpher-gpu", "1 2 3 4 text"),
    ],
)
def test_every_table_is_there(paper: str, tables: str) -> None:
    assert [table.number for table in spec.paper(paper).tables] == tables.split()


def test_cells() -> None:
    aether = spec.paper("aether")
    assert aether.table("6").value("(9,3)", "found") == 8478
    assert aether.table("6").value("(11,4)", "searched") == "2^26"
    assert [cell.value for cell in aether.table("7").cells()][-1] == 50
    assert aether.table("text").cell("linear bias of the ciphertext", "value").unit == "log2"
    assert aether.table("4").value("32x32 binary matrix", "matrices") is None


def test_table_3_has_a_row_for_every_sbox() -> None:
    table = spec.paper("aether").table("3")
    assert [row.name for row in table.rows] == [box.title for box in spec.sboxes().values()]
    assert [row.values[0] for row in table.rows] == [box.bits for box in spec.sboxes().values()]


def test_transcription_agrees_with_what_can_be_recomputed() -> None:
    """A slip of the pen would break one of these; a misprint is listed with its note."""
    wrong = []
    for row in spec.paper("aether").table("6").rows:
        s, m = map(int, row.name.strip("()").split(","))
        if row.values[0] != factorial(s) * comb(s, m) // factorial(m):
            wrong.append((row.name, row.note))
    assert wrong == [("(10,5)", "the paper's own formula gives 7620480; the print is 5 times too large")]
    for row in spec.paper("minalpher-gpu").table("3").rows:
        gcm_ms, minalpher_ms, gcm_mbps, minalpher_mbps = (float(str(v)) for v in row.values)
        assert int(row.name) * 128 / gcm_ms / 1000 == pytest.approx(gcm_mbps, rel=2e-4)
        assert int(row.name) * 256 / minalpher_ms / 1000 == pytest.approx(minalpher_mbps, rel=2e-4)
    cycles = {"Base": 5, "AO2": 5, "TO1": 3, "TO2": 1}
    for name, n in cycles.items():
        printed = spec.paper("aegis128-accelerator").table("2").row(name).values
        assert printed == tuple(round(n * (17 + b // 16) / b, 2) for b in (512, 1024, 4096))


# -- names that do not exist -----------------------------------------------------------------
@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: spec.cipher("aegis"), "cipher 'aegis': not known; did you mean aegis-128, aegis-128l, "),
        (lambda: spec.aead_vectors("x"), "cipher 'x': not known; `roundworks list ciphers` shows all 18"),
        (lambda: spec.paper("aethr"), "paper 'aethr': not known; one of aegis128-accelerator, "),
        (lambda: spec.paper("aether").table("8"), "paper aether: table '8': not known; one of 1, "),
        (lambda: spec.paper("aether").table("7").row("17"), "table 7: row '17': not known; did you mean "),
        (
            lambda: spec.paper("aether").table("7").value("1", "x"),
            "table 7: column 'x': not known; one of active F",
        ),
    ],
)
def test_unknown_names_list_what_exists(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(UnknownName, match=f"^{re.escape(message)}"):
        call()


def test_no_checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROUNDWORKS_HOME", str(tmp_path))
    with pytest.raises(SpecError, match="run from a checkout or set ROUNDWORKS_HOME"):
        spec.cipher("aether")


# -- malformed copies ------------------------------------------------------------------------
BREAKAGES = [
    # file, old, new, what the line holds (nth), message
    (VECTORS, '"ad": "616263", ', "", ('"id": "short"', 1), "vectors[2] (short): field 'ad' is missing"),
    (
        VECTORS,
        '"pt": "68656c6c6f"',
        '"pt": "68656c6c6f", "iv": ""',
        ('"id": "short"', 1),
        "vectors[2] (short).iv: unknown field; want only id, key, nonce, ad, pt, ct, tag, ",
    ),
    (VECTORS, '"count": 3', '"count": 4', ('"count"', 1), "count: want 3 as the file holds, got 4"),
    (
        VECTORS,
        '"pt": "68656c6c6f"',
        '"pt": "68656c6c6g"',
        ('"id": "short"', 1),
        "vectors[2] (short).pt: want pairs of hexadecimal digits 0-9a-f, got '68656c6c6g'",
    ),
    (
        VECTORS,
        "2a0a7b629746baf7a06dfc27870e29fe",
        "2a0a7b629746baf7a06dfc27",
        ('"id": "short"', 1),
        "vectors[2] (short).tag: want 16 bytes, got 12",
    ),
    (
        VECTORS,
        '"ct": "2cd3255951"',
        '"ct": "2cd32559"',
        ('"id": "short"', 1),
        "vectors[2] (short).ct: want 5 bytes, got 4",
    ),
    (
        VECTORS,
        '"id": "short"',
        '"id": "empty"',
        ('"id": "short"', 1),
        "vectors[2] (empty).id: 'empty' stands already at line ",
    ),
    (
        VECTORS,
        '"id": "short", ',
        '"id": "short", "id": "short", ',
        ('"id": "short"', 1),
        "field 'id' stands twice; keep one",
    ),
    (
        VECTORS,
        '["PartialBlock"]',
        '["Partial"]',
        ('"id": "short"', 1),
        "vectors[2] (short).flags[0]: want a flag of the file: Empty, FullBlock, PartialBlock; got ",
    ),
    (
        VECTORS,
        '"Empty": "',
        '"Spare": "None.",\n  "Empty": "',
        ('"Empty": "', 1),
        "flags.Spare: no case carries this flag; remove it",
    ),
    (VECTORS, '"aead-v1"', '"aead-v2"', ('"schema"', 1), "schema: want a schema: aead-v1, "),
    (
        VECTORS,
        '"algorithm": "aether"',
        '"algorithm": "aether-lb"',
        ('"algorithm"', 1),
        "algorithm: want the first part of the file's name, got 'aether-lb'",
    ),
    (VECTORS, "\n ]\n}\n", "", ('"id": "short"', 1), "not JSON: expecting ',' delimiter"),
    (
        "aether/aether.f.json",
        "b7e8d72cb7e8d72c462b65a0462b65a0",
        "b7e8",
        ('"nibbles"', 1),
        "vectors[2] (nibbles).output: want 16 bytes, got 2",
    ),
    ("aether/cipher.toml", 'Z2 = "71', 'Z2 = "', ("Z2 = ", 1), "constants.Z2: want 16 bytes, got 15"),
    (
        "aether/cipher.toml",
        "sbox = [1, 0,",
        "sbox = [1, 1,",
        ("sbox = ", 1),
        "components.sbox: want every value 0..15 once",
    ),
    (
        "aether/cipher.toml",
        "sbox = [1, 0,",
        "sbox = [0, 1,",
        ("sbox = ", 1),
        "components.sbox: want a table of spec/sboxes.toml, got another",
    ),
    (
        "aether/cipher.toml",
        '"S2", "S0"]',
        '"S2", "S9"]',
        ("xor = ", 1),
        "round.xor[8]: want a word: S0, S1, S2, S3, S4, S5, S6, S7, S8, X0, X1, X2; got 'S9'",
    ),
    (
        "aether/cipher.toml",
        "key_bytes = 32\n",
        "",
        ("[[members]]", 1),
        "members[0] (aether): field 'key_bytes' is missing",
    ),
    (
        "aether/cipher.toml",
        'status = "study"',
        'status = "safe"',
        ('status = "study"', 1),
        "members[0] (aether).status: want 'standard' or 'published' or 'study' or 'baseline', got 'safe'",
    ),
    (
        "aegis/cipher.toml",
        'citations = ["AEGIS", "AEGIS-HW"]',
        'citations = ["AEGIS", "AEGES"]',
        ('citations = ["AEGIS", "AEGIS-HW"]', 1),
        "members[0] (aegis-128).citations[1]: want a key of spec/bibliography.toml: AEGIS, ",
    ),
    (
        "aegis/cipher.toml",
        "other_tag_bytes = [32]",
        "other_tag_bytes = [16]",
        ("other_tag_bytes", 1),
        "members[1] (aegis-128l).other_tag_bytes: want sizes next to tag_bytes",
    ),
    (
        "aegis/aegis-128l.mac.json",
        '"data": 0',
        '"data": 1',
        ('"id": "tag-16"', 1),
        "vectors[0] (tag-16).input: want 33 bytes, got 67",
    ),
    (
        "aegis/aegis-128l.mac.json",
        '"nonce": 16',
        '"nonce": 0',
        ('"nonce": 16', 1),
        "parts.nonce: want a size; only the last part may be of any",
    ),
    (
        "aegis/aegis-128l.mac.json",
        '"output_bytes": [\n  16,\n  32',
        '"output_bytes": [\n  16,\n  24',
        ('"id": "tag-32"', 1),
        "vectors[1] (tag-32).output: want 16 or 24 bytes, got 32",
    ),
    (
        "aegis/aegis-128l.ietf.json",
        "abe0ece80c24868a226a35d16bdae37a",
        "abe0",
        ('"id": "tv-1"', 1),
        "vectors[0] (tv-1).tag: want 16 or 32 bytes, got 2",
    ),
    (
        "ascon/cipher.toml",
        "words = 5\n",
        "",
        ("[[members]]", 1),
        "members[0] (ascon-128a): field 'words' is missing",
    ),
    (
        "gcm/cipher.toml",
        "rounds = 10\n",
        "words = 1\nrounds = 10\n",
        ("rounds = 10", 1),
        "members[0] (aes-128-gcm).words: only a streaming cipher has it, and this is 'block'",
    ),
    (
        "gcm/cipher.toml",
        'library = "aws-lc-rs"\n',
        "",
        ("[[members]]", 1),
        "members[0] (aes-128-gcm): want a library exactly where the status is baseline",
    ),
    (
        "gcm/cipher.toml",
        "backends = []",
        'backends = ["aesni"]',
        ("backends = []", 1),
        "members[0] (aes-128-gcm).backends: want only 'library' of a baseline, got 'aesni'",
    ),
    (
        "minalpher/minalpher.kat.json",
        '"ct": "c9b32c42',
        '"ct": "b32c42',
        ('"id": "kat-1"', 1),
        "vectors[0] (kat-1).ct: want 32 bytes, padded always, got 31",
    ),
    (
        PAPER,
        '{ name = "(9,3)", values = [5080320, "All", 8478] }',
        '{ name = "(9,3)", values = [5080320, 8478] }',
        ('"(9,3)"', 1),
        "tables[5] (6).rows[19] ((9,3)): want 3 values, got 2",
    ),
    (
        PAPER,
        '{ name = "16", values',
        '{ name = "15", values',
        ('name = "16", values', 1),
        "tables[6] (7).rows[15] (15).name: '15' stands already at line ",
    ),
    (
        PAPER,
        'cite = "AETHER"',
        'cite = "AETHR"',
        ("cite = ", 1),
        "cite: want a key of spec/bibliography.toml: AEGIS, ",
    ),
    (
        PAPER,
        'number = "7"',
        'number = "6"',
        ('number = "7"', 1),
        "tables[6] (6).number: '6' stands already at line ",
    ),
    (PAPER, 'key = "aether"', 'key = "aethr"', ("key = ", 1), "key: want 'aether', the name of the file"),
    (
        PAPER,
        'name = "8", values = [24] }',
        'name = "8", values = [nan] }',
        ("values = [24]", 1),
        "tables[6] (7).rows[7] (8).values[0]: want a finite number, got nan or infinity",
    ),
    (
        PAPER,
        'name = "8", values = [24] }',
        'name = "8", values = [24 }',
        ("values = [24]", 1),
        "not TOML: unclosed array",
    ),
    (
        "sboxes.toml",
        "table = [1, 0, 2, 4,",
        "table = [1, 0, 2,",
        ("table = [1, 0, 2, 4,", 1),
        "sboxes[4] (orthros).table: want 16 entries, got 15",
    ),
    (
        "cpus.toml",
        'throughput = 1, ports = ["p0"]',
        'throughput = 2, ports = ["p0"]',
        ('throughput = 1, ports = ["p0"]', 1),
        "cpus[0] (skylake).instructions[0].throughput: want 1 / 1, as there are ports, got 2",
    ),
    (
        "cpus.toml",
        'kind = "blend"',
        'kind = "logic"',
        ('kind = "blend"', 1),
        "cpus[0] (skylake).instructions[5]: logic of 128 bits stands already",
    ),
    (
        "cpus.toml",
        '  { kind = "aesenclast", bits = 128, latency = 4, throughput = 1, ports = ["p0"] },\n',
        "",
        ("instructions = [", 1),
        "cpus[0] (skylake).instructions: aesenclast of 128 bits is missing",
    ),
    (
        "cpus.toml",
        "registers_avx2 = 16",
        "registers_avx2 = 17",
        ("registers_avx2 = 16", 1),
        "cpus[0] (skylake).registers_avx2: want at most the 16 of all, got 17",
    ),
    (
        "cpus.toml",
        'citation = "INSTLATX64"',
        'citation = "INSTLAT"',
        ('citation = "INSTLATX64"', 1),
        "cpus[2] (coffee-lake).others[0].citation: want a key of spec/bibliography.toml: AEGIS, ",
    ),
    (
        "bibliography.toml",
        'date = "2001-11-26"',
        'date = "November"',
        ('date = "2001-11-26"', 1),
        "FIPS197.date: want ^",
    ),
]


@pytest.mark.parametrize(("file", "old", "new", "at", "message"), BREAKAGES)
def test_malformed(
    copy: Callable[..., str], file: str, old: str, new: str, at: tuple[str, int], message: str
) -> None:
    where = f"{file}:{line_of(file, *at)}: "
    assert copy(file, old, new).startswith(where + message)


@pytest.mark.parametrize("file", ["aether/cipher.toml", VECTORS, PAPER, "bibliography.toml"])
def test_cut_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str) -> None:
    """A file that ends inside its last text is an error at that line, or at its end."""
    shutil.copytree(ROOT / "spec", tmp_path / "spec")
    monkeypatch.setenv("ROUNDWORKS_HOME", str(tmp_path))
    path = tmp_path / "spec" / file
    text = path.read_text(encoding="utf-8")
    cut = text[: text.rindex('"')]
    path.write_text(cut, encoding="utf-8")
    line = len(cut.splitlines())
    with pytest.raises(SpecError, match=rf"{re.escape(file)}:{line}: not (JSON|TOML): "):
        spec.check_all()


def test_not_utf8(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(ROOT / "spec", tmp_path / "spec")
    path = tmp_path / "spec" / "bibliography.toml"
    path.write_bytes(b"# one\n# two\n# \xff\n")
    monkeypatch.setenv("ROUNDWORKS_HOME", str(tmp_path))
    with pytest.raises(SpecError, match=r"bibliography\.toml:3: want UTF-8, got invalid start"):
        spec.bibliography()


def test_a_cipher_without_vectors(copy: Callable[..., str], tmp_path: Path) -> None:
    for_lb = "aether/aether-lb.kat.json"
    message = copy(for_lb, '"algorithm": "aether-lb"', '"algorithm": "aether"')
    assert message.startswith(f"{for_lb}:3: algorithm: want the first part of the file's name")
    for path in (tmp_path / "spec" / "aether").glob("aether-lb.*.json"):
        path.unlink()
    with pytest.raises(SpecError, match=r"members\[1\] \(aether-lb\): want test vectors in aether-lb"):
        spec.aead_vectors("aether-lb")


def test_module_checks_all(tmp_path: Path) -> None:
    """What `make check` runs: status 1 and one line on a broken checkout."""
    shutil.copytree(ROOT / "spec", tmp_path / "spec")
    (tmp_path / "spec" / "sboxes.toml").write_text("schema = 1\n")
    done = subprocess.run(
        [sys.executable, "-m", "roundworks.spec"],
        capture_output=True,
        text=True,
        cwd=ROOT / "python",
        env={"ROUNDWORKS_HOME": str(tmp_path), "PYTHONPATH": str(ROOT / "python")},
    )
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.endswith("sboxes.toml:1: field 'sboxes' is missing\n")


# -- the scan for lines ----------------------------------------------------------------------
def test_lines_of_toml() -> None:
    text = """# comment with [brackets] and "quotes"
a = 1.5 # a = 2
"b c".d = 'x # y'
[t.u]
text = \"\"\"
two, [lines]
\"\"\"
list = [
  [1, 2], # one
  { k = "]", m.n = 12:30:00 },
]
[[many]]
x = true
[[many]]
x = "\\" , ]"
[many.inner]
y = 1
"""
    result = lines.of_toml(text).of
    expected = {
        ("a",): 2,
        ("b c", "d"): 3,
        ("t", "u"): 4,
        ("t", "u", "text"): 5,
        ("t", "u", "list"): 8,
        ("t", "u", "list", 0): 9,
        ("t", "u", "list", 0, 1): 9,
        ("t", "u", "list", 1, "k"): 10,
        ("t", "u", "list", 1, "m", "n"): 10,
        ("many",): 12,
        ("many", 0): 12,
        ("many", 0, "x"): 13,
        ("many", 1): 14,
        ("many", 1, "x"): 15,
        ("many", 1, "inner"): 16,
        ("many", 1, "inner", "y"): 17,
    }
    assert {place: result.get(place) for place in expected} == expected
    assert tomllib.loads(text)["many"][1]["inner"] == {"y": 1}


@pytest.mark.parametrize("path", DATA, ids=lambda path: path.name)
def test_every_item_of_every_file_has_its_line(path: Path) -> None:
    """Compared with the parser: the scan knows exactly the places that the parser knows."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".json":
        data, result = json.loads(text), lines.of_json(text)
    else:
        data, result = tomllib.loads(text), lines.of_toml(text)

    def places(value: Any, at: tuple[str | int, ...] = ()) -> set[tuple[str | int, ...]]:
        if not isinstance(value, dict | list):
            return {at}
        items = value.items() if isinstance(value, dict) else enumerate(value)
        return {at}.union(*(places(item, (*at, key)) for key, item in items))

    assert set(result.of) == places(data)
    source = text.splitlines()
    for place, line in result.of.items():
        if place and isinstance(place[-1], str):
            assert place[-1] in source[line - 1]
