"""Reading liberty: units, tables, functions, and errors that are one line."""

from __future__ import annotations

import gzip
import hashlib
from itertools import product
from pathlib import Path

import pytest

from hardware_tools import need
from power_circuits import TINY, osu018, tiny
from roundworks.errors import LibraryError
from roundworks.hardware.library import FALL, RISE, load
from roundworks.hardware.library.logic import parse
from roundworks.hardware.library.models import models


@pytest.mark.parametrize(
    ("text", "python"),
    [
        ("!(A & B)", lambda a, b, c: 1 - (a & b)),
        ("(A B)'", lambda a, b, c: 1 - (a & b)),
        ("A B' + C", lambda a, b, c: a & (1 - b) | c),
        ("A^B*C", lambda a, b, c: (a ^ b) & c),  # the difference binds tighter than the product
        ("A | B ^ C", lambda a, b, c: a | b ^ c),
        ("!A !B + 1 C", lambda a, b, c: (1 - a) & (1 - b) | c),
        ("(A + 0)''", lambda a, b, c: a),
    ],
)
def test_functions(text: str, python) -> None:
    function = parse(text)
    table = function.table(["A", "B", "C"])
    weights = {"A": 0.25, "B": 0.5, "C": 0.875}
    chance = 0.0
    for c, b, a in product((0, 1), repeat=3):
        assert table >> (a | b << 1 | c << 2) & 1 == python(a, b, c)
        p = 1.0
        for name, bit in (("A", a), ("B", b), ("C", c)):
            p *= weights[name] if bit else 1 - weights[name]
        chance += p * python(a, b, c)
    assert function.probability(weights) == pytest.approx(chance)


@pytest.mark.parametrize("text", ["A &", "(A", "A)", "", "A ? B", "& A"])
def test_broken_functions(text: str) -> None:
    with pytest.raises(ValueError, match=r"^'"):
        parse(text)


def test_units_and_tables() -> None:
    library = tiny()
    assert (library.volt, library.second) == (2.0, 1e-9)
    inv, xor = library.cell("INV"), library.cell("XOR2")
    assert inv.pins["A"].farad == (0.012e-12, 0.008e-12)
    assert [leak.watt for leak in inv.leaks] == pytest.approx([3e-9, 1e-9])
    rise, fall = inv.pins["Y"].energies[0].tables
    assert rise is not None and fall is not None
    assert (rise.at(0, 0), fall.at(0, 0)) == pytest.approx((0.02e-12, 0.01e-12))
    # values(load, slew) = 0.5 + load + 0.1 slew, and so beyond the table
    table = xor.pins["Y"].energies[2].tables[RISE]
    assert table is not None
    for slew, farad in product((0.0, 0.5, 1.0, 3.0), (0.0, 0.25, 2.0)):
        assert table.at(slew * 1e-9, farad * 1e-12) == pytest.approx((0.5 + farad + 0.1 * slew) * 1e-12)
    assert xor.pins["Y"].energies[2].tables[FALL].at(0, 0) == pytest.approx(0.5e-12)
    assert library.cell("NAND2").pins["Y"].arcs[1].related == "B"


def test_debians_library() -> None:
    library = osu018()
    flop = library.cell("DFFSR")
    assert len(library.cells) == 32 and library.volt == 1.8
    assert flop.state is not None and flop.state.clear is not None
    assert flop.state.clear.verilog() == "~R"
    assert library.cell("NAND2X1").leakage == pytest.approx(0.0393659e-9)


@pytest.mark.parametrize("comment", ["/* in µA */".encode("latin-1"), "/* in µA */\r\n".encode()])
def test_a_library_has_one_hash(tmp_path: Path, comment: bytes) -> None:
    need("liberty")
    plain, packed = tmp_path / "mine.lib", tmp_path / "mine.lib.gz"
    plain.write_bytes(comment + TINY.read_bytes())
    packed.write_bytes(gzip.compress(comment + TINY.read_bytes()))
    digest = hashlib.sha256(plain.read_bytes()).hexdigest()
    want = hashlib.sha256(digest.encode()).hexdigest()
    for file in (plain, packed):
        assert load([file]).sha256 == want


def test_files_are_merged_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    need("liberty")
    monkeypatch.setenv("ROUNDWORKS_BUILD", str(tmp_path))
    packed = tmp_path / "packed.lib.gz"
    text = TINY.read_text()
    packed.write_bytes(gzip.compress(text.replace("cell (INV)", "cell (NOT)").encode()))
    both = load([TINY, packed])
    assert {"INV", "NOT"} <= set(both.cells)
    (kept,) = (tmp_path / "hw" / "libraries").glob("*/library.pickle")
    import liberty.parser

    monkeypatch.setattr(liberty.parser, "parse_liberty", None)  # not read again
    assert load([TINY, packed]) == both
    kept.write_bytes(kept.read_bytes()[:100])
    monkeypatch.undo()
    monkeypatch.setenv("ROUNDWORKS_BUILD", str(tmp_path))
    assert load([TINY, packed]) == both


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda t: t[:4000], "my.lib: line 115: ends too soon; "),
        (lambda t: "hello", "my.lib: line 1: ends too soon; "),
        (lambda t: t.replace("area : 1;", "area 1;"), "my.lib: line 40: want "),
        (lambda t: t.replace("library (tiny)", "cell (tiny)"), "my.lib: want a library group, got cell; "),
        (
            lambda t: t.replace('"1ns"', '"fast"'),
            "my.lib: time_unit: want a number and s as 1ns, got 'fast'; ",
        ),
        (lambda t: t.replace("(1, pf)", "(1, kg)"), "my.lib: capacitive_load_unit: want (1,pf), got "),
        (lambda t: t.replace('"!A"', '"!A &"'), "my.lib: cell INV: '!A &': ends too soon; "),
        (
            lambda t: t.replace('"0.006, 0.007"', '"0.006"'),
            "my.lib: cell NAND2: rise_power: want 2 values, got 1; ",
        ),
        (
            lambda t: t.replace("input_transition_time", "temperature"),
            "my.lib: cell INV: rise_power: axis temperature is not known here; ",
        ),
        (
            lambda t: t.replace("rise_power (energy)", "rise_power (other)"),
            "my.lib: cell INV: rise_power: no template other; ",
        ),
        (lambda t: t.replace("cell (", "shell ("), "my.lib: no cell in it; "),
    ],
)
def test_broken_libraries_are_one_line(tmp_path: Path, change, message: str) -> None:
    need("liberty")
    file = tmp_path / "my.lib"
    file.write_text(change(TINY.read_text()))
    with pytest.raises(LibraryError) as caught:
        load([file])
    assert str(caught.value).startswith(message) and "\n" not in str(caught.value)


def test_files_that_are_none(tmp_path: Path) -> None:
    need("liberty")
    with pytest.raises(LibraryError, match="no such file; name a liberty file$"):
        load([tmp_path / "none.lib"])
    cut = tmp_path / "cut.lib.gz"
    cut.write_bytes(gzip.compress(TINY.read_bytes())[:200])
    with pytest.raises(LibraryError, match="cannot be read: .*; get the file again$"):
        load([cut])
    other = tmp_path / "low.lib"
    other.write_text(TINY.read_text().replace("voltage : 2.0", "voltage : 1.5"))
    with pytest.raises(LibraryError, match=r"^low.lib: want 2 V as in tiny.lib, got 1.5 V; "):
        load([TINY, other])
    hot = tmp_path / "hot.lib"
    hot.write_text(TINY.read_text().replace("temperature : 25", "temperature : 85"))
    with pytest.raises(LibraryError, match=r"^hot.lib: want 25 °C as in tiny.lib, got 85 °C; "):
        load([TINY, hot])


def test_models_of_cells() -> None:
    assert parse("!(!(A B))").verilog() == "~(~(A & B))"  # Icarus does not read ~~
    library = tiny()
    text = models(library, ["DFF", "NAND2", "NAND2"], timed=True)
    assert text.count("module NAND2") == 1
    assert "assign Y = ~(A & B);" in text and "(A => Y) = (0, 0);" in text
    assert "stored <= D;" in text and "initial" not in text
    assert "initial stored = 1'b0;" in models(library, ["DFF"], known=True)
    with pytest.raises(LibraryError, match="no cell LATCH"):
        models(library, ["LATCH"])
    with pytest.raises(LibraryError, match="has three states, which is not modelled"):
        models(osu018(), ["TBUFX1"])
