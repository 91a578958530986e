"""Names of ciphers that mean something else in the language that is generated."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from hardware_tools import need
from places import ROOT, TOY
from roundworks.generate import c, generate, rust, verilog
from roundworks.generate.names import VERILOG_KEYWORDS, identifier
from roundworks.generate.write import write
from roundworks.hardware.cores import cores
from roundworks.hardware.flow.lint import lint
from roundworks.reference import load_description
from wanted import require


def named(name: str, file: str = "toy.py") -> Any:
    """A description of the examples under another name."""
    cipher = load_description(TOY.with_name(file))
    cipher.name = name
    return cipher


@pytest.mark.parametrize(
    ("name", "made"),
    [
        ("AEGIS-128L", ("aegis_128l", "aegis_128l", "aegis_128l")),
        ("3way", ("cipher_3way", "cipher_3way", "cipher_3way")),
        ("test", ("cipher_test", "cipher_test", "cipher_test")),
        ("vectors", ("cipher_vectors", "cipher_vectors", "vectors")),
        ("string", ("cipher_string", "cipher_string", "cipher_string")),
        ("core", ("core", "cipher_core", "core")),
        ("std", ("std", "cipher_std", "cipher_std")),
        ("table", ("table", "table", "cipher_table")),
        ("reg", ("reg", "reg", "cipher_reg")),
        ("logic", ("logic", "logic", "cipher_logic")),
        ("key", ("key", "cipher_key", "key")),
        ("Größe 2.1", ("gr_e_2_1", "gr_e_2_1", "gr_e_2_1")),
        ("暗号", ("cipher", "cipher", "cipher")),
    ],
)
def test_an_identifier_is_free_in_its_language(name: str, made: tuple[str, str, str]) -> None:
    assert tuple(identifier(name, target) for target in ("c", "rust", "verilog")) == made


@pytest.mark.parametrize("name", ["test", "vectors"])
def test_c_of_a_cipher_named_as_one_of_its_files_passes_its_tests(name: str, tmp_path: Path) -> None:
    require("make")
    made = generate(named(name), "c", tmp_path / "made", backends=["portable"])
    assert {f"cipher_{name}.c", f"cipher_{name}.h", "test.c", "vectors.h"} < set(made.files)
    assert made.tests is not None and "portable: 40 vectors" in made.tests


def test_a_crate_has_no_name_of_another_crate_or_type() -> None:
    text = rust.files(named("key"), ["portable"])
    assert 'name = "cipher-key"' in text["Cargo.toml"] and "pub struct CipherKey {" in text["src/lib.rs"]
    assert 'name = "cipher-3way"' in rust.files(named("3way"), ["portable"])["Cargo.toml"]


@pytest.mark.long
@pytest.mark.parametrize("name", ["test", "core", "3way"])
def test_a_crate_with_such_a_name_passes_its_tests(name: str, tmp_path: Path) -> None:
    cargo = require("cargo")
    write(rust.files(named(name, "feistel_aes.py"), ["portable", "aesni"]), tmp_path / "crate")
    command = [cargo, "test", "--offline", "--quiet", "--target-dir", str(ROOT / "target" / "generated")]
    subprocess.run(command, cwd=tmp_path / "crate", check=True)


@pytest.mark.parametrize("name", ["table", "3way", "test"])
def test_modules_and_cores_have_no_keyword_for_a_name(name: str) -> None:
    made = verilog.files(named(name, "feistel_aes.py"))
    modules = set(re.findall(r"^(?:module|package) (\w+)", "\n".join(made.values()), re.M))
    assert f"cipher_{name}" in modules and not modules & VERILOG_KEYWORDS
    assert f'name = "cipher-{name}"' in made["cores.toml"]


def test_a_layer_with_a_keyword_for_a_name_gives_a_wire_of_another(tmp_path: Path) -> None:
    text = TOY.read_text().replace('CellPermutation("spread"', 'CellPermutation("table"')
    file = tmp_path / "own.py"
    file.write_text(
        text.replace("x.sub(PRESENT).mix(MIDORI).permute(SPREAD)", "x.permute(SPREAD).sub(PRESENT)")
    )
    cipher: Any = load_description(file)
    cipher.name = "logic"
    made = verilog.files(cipher)
    assert "logic [31:0] table_1, " in made["rtl/cipher_logic_f.sv"]
    need("verilator", "verible-verilog-lint")
    for name, content in made.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content)
    (unit,) = [one for one in cores(tmp_path / "cores.toml") if one.name == "cipher-logic-round"]
    assert lint(unit) == ()


def test_an_identifier_of_c_is_the_one_of_its_files() -> None:
    assert f"{c.identifier('3way')}.c" in c.files(named("3way"), ["portable"])
