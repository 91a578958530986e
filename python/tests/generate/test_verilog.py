"""SystemVerilog of descriptions: the same bytes at every call, clean to lint, proven and simulated; and
a lowering that is wrong on purpose is caught."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from calls import cases
from hardware_tools import need
from roundworks.errors import DescriptionError
from roundworks.generate.verilog import check, files
from roundworks.generate.verilog_cores import Described
from roundworks.hardware.cores import core, cores
from roundworks.hardware.cycles.aead import of
from roundworks.hardware.flow.lint import lint
from roundworks.hardware.flow.simulate import simulate
from roundworks.reference import Permutation, StreamAead
from roundworks.reference.catalogue import get, get_analysed
from roundworks.reference.own import load_description
from unseen_ciphers import EXAMPLES, ODD, SPN, write

SHORT = ("back_to_back", "stalls", "wrong", "resets")


def generated(folder: Path, it: Described) -> Path:
    for name, text in files(it).items():
        path = folder / "out" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder / "out"


def described(folder: Path, name: str) -> Described:
    """A cipher of the library, an example, or one of those that nobody has seen."""
    if name in ("spn", "odd"):
        return load_description(write({"spn": SPN, "odd": ODD}[name], folder, name))
    if name in ("toy", "two_word"):
        return load_description(EXAMPLES / f"{name}.py")
    result = get_analysed(name)  # one of the library
    assert isinstance(result, StreamAead | Permutation)
    return result


@pytest.mark.parametrize("name", ["toy", "odd", "spn", "areion-256", "ascon-128a", "aegis-128x2"])
def test_the_same_bytes_again(name: str, tmp_path: Path) -> None:
    first = files(described(tmp_path, name))
    assert first == files(described(tmp_path, name))
    for text in first.values():
        assert text.endswith("\n") and not re.search(r"[ \t]\n", text)
        assert not re.search(r"(verilog_\w+|plan)\.py", text)


def test_lines_of_the_description_stand_with_what_came_from_them(tmp_path: Path) -> None:
    text = files(described(tmp_path, "toy"))["rtl/toy_round.sv"]
    source = (EXAMPLES / "toy.py").read_text(encoding="utf-8").splitlines()
    place = next(i for i, line in enumerate(source, 1) if "f(S[3]) ^ X[0]" in line)
    assert f"assign state[1] = s[2] ^ f_s0;  // toy.py:{place}" in text


@pytest.mark.parametrize("name", cases(["toy", "odd", "spn", "ascon-128a"], short=["odd", "spn"]))
def test_lint_is_clean(name: str, tmp_path: Path) -> None:
    need("verilator", "verible-verilog-lint")
    listed = generated(tmp_path, described(tmp_path, name)) / "cores.toml"
    for one in cores(listed):
        assert lint(one) == (), one.name


# What is short of it: a lowering that is wrong is caught by the same proof.
@pytest.mark.long
@pytest.mark.parametrize("name", ["toy", "odd", "spn"])
def test_layers_and_round_are_proven(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    need("pyosys")
    monkeypatch.setattr("roundworks.generate.verilog.SIMULATORS", ())
    result = check(generated(tmp_path, described(tmp_path, name)))
    assert result and {one.certainty for one in result} == {"proven"}
    assert any("-round" in one.core for one in result)


@pytest.mark.parametrize(
    ("name", "file", "right", "wrong"),
    [
        pytest.param(
            "toy",
            "toy_sbox_present",
            "4'h3: data_o = 4'hb",
            "4'h3: data_o = 4'ha",
            id="entry",
            marks=pytest.mark.long,
        ),
        pytest.param("toy", "toy_round", "s[2] ^ f_s0", "s[1] ^ f_s0", id="term", marks=pytest.mark.long),
        pytest.param(
            "toy",
            "toy_f",
            "mix[31:28], mix[23:20]",
            "mix[23:20], mix[31:28]",
            id="cell",
            marks=pytest.mark.long,
        ),
        pytest.param("toy", "toy_round", "(s[2] & stream[0])", "(s[2] | stream[0])", id="mask"),
        pytest.param("spn", "spn_128_round0", "c[0]", "~c[0]", id="constant", marks=pytest.mark.long),
    ],
)
def test_a_wrong_lowering_is_caught(
    name: str, file: str, right: str, wrong: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One S-box entry, one term of a sum, one place of a permutation."""
    need("pyosys")
    monkeypatch.setattr("roundworks.generate.verilog.SIMULATORS", ())
    folder = generated(tmp_path, described(tmp_path, name))
    path = folder / "rtl" / f"{file}.sv"
    text = path.read_text(encoding="utf-8")
    assert right in text
    path.write_text(text.replace(right, wrong, 1), encoding="utf-8")
    failed = [one for one in check(folder) if not one.certainty]
    assert any("-round" in one.core for one in failed)
    assert all("differs from its description" in one.message for one in failed)


@pytest.mark.parametrize(
    ("name", "given"),
    [
        pytest.param("toy", {}, marks=pytest.mark.long),
        pytest.param("odd", {"Sbox": "circuit"}, marks=pytest.mark.long),
        pytest.param("spn", {"Rounds": "1"}, marks=pytest.mark.long),
        ("spn", {"Rounds": "3"}),
        pytest.param("areion-256", {"Rounds": "4"}, marks=pytest.mark.long),  # as spn, with AES
        pytest.param("ascon-128a", {}, marks=pytest.mark.long),  # as odd, with rounds of a sponge
    ],
)
def test_the_bench_passes(name: str, given: dict[str, str], tmp_path: Path) -> None:
    need("verilator", "cocotb")
    listed = generated(tmp_path, described(tmp_path, name)) / "cores.toml"
    one = next(core(c.name, listed) for c in cores(listed) if c.bench)
    tests = () if one.bench == "permutation" else SHORT
    assert simulate(one, given, tests=tests).failed == ()


@pytest.mark.parametrize(
    ("name", "rounds"),
    [
        pytest.param("toy", 3, marks=pytest.mark.long),  # of 12 rounds at either end none is left
        pytest.param("aether-always-pad-generated", 3, marks=pytest.mark.long),  # feeds, padding, a rest
        pytest.param("aegis-256", 3, marks=pytest.mark.long),  # four kinds of block, a word that is kept
    ],
)
def test_several_blocks_in_a_cycle(name: str, rounds: int, tmp_path: Path) -> None:
    need("verilator", "cocotb", "verible-verilog-lint")
    listed = generated(tmp_path, described(tmp_path, name.removesuffix("-generated"))) / "cores.toml"
    one = core(f"{name}-{rounds}", listed)
    assert lint(one) == ()
    assert simulate(one, {}, tests=SHORT).failed == ()


@pytest.mark.long
def test_the_core_that_releases_after_verification(tmp_path: Path) -> None:
    need("verilator", "cocotb")
    listed = generated(tmp_path, described(tmp_path, "toy")) / "cores.toml"
    one = core("toy-rav", listed)
    result = simulate(one, {"Depth": "4"}, tests=("back_to_back", "released", "too_long"))
    assert result.failed == () and len(result.tests) == 3


HAND = [("rocca-s", "rocca-s"), ("aegis-256", "aegis256"), ("aether-always-pad", "aether-always-pad")]


@pytest.mark.parametrize(("name", "ours"), cases(HAND, short=HAND[1:2]))
def test_a_core_has_its_cycles(name: str, ours: str, tmp_path: Path) -> None:
    """As those of the cores that are written by hand."""
    listed = generated(tmp_path, described(tmp_path, name)) / "cores.toml"
    one = of(next(c for c in cores(listed) if c.bench == "aead"))
    for ad, message in ((0, 0), (1, 31), (32, 48), (100, 1000), (144, 144)):
        assert one.cycles(ad, message) == of(core(ours)).cycles(ad, message)


def test_what_cannot_be_lowered_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(
        DescriptionError,
        match=r"^minalpher: want a streaming AEAD or a permutation; this is a mode of blocks$",
    ):
        files(get("minalpher"))  # type: ignore[arg-type]
    text = ODD.replace("bytes([length + 1])", 'bytes([length + 1]) + (bytes(8) if length == 7 else b"")')
    with pytest.raises(
        DescriptionError, match=r"^odd: padding of associated data: 7 bytes: want 1 bytes"
    ) as error:
        files(load_description(write(text, tmp_path, "long")))
    assert "\n" not in str(error.value)
