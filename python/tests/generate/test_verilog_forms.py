"""Cores of descriptions of every form, by whole messages: what stands before the rounds of a phase, between them
and behind them, and phases without a round."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from calls import cases
from hardware_tools import need
from roundworks import cache
from roundworks.errors import DescriptionError, UnknownName
from roundworks.generate import generate, verilog
from roundworks.generate.verilog import files
from roundworks.hardware.cores import core
from roundworks.hardware.flow.lint import lint
from roundworks.hardware.flow.simulate import simulate
from roundworks.reference.own import load_description
from unseen_ciphers import write

_PARTS = """
from roundworks.reference import CellPermutation, Permutation, Sbox, Sponge, StreamAead, unit

BOX = Sbox("box", (6, 15, 0, 9, 11, 2, 13, 4, 1, 8, 14, 7, 12, 3, 5, 10))
MOVE = CellPermutation("move", (0, 4, 2, 5, 1, 3), 4)


@unit("F")
def f(x):
    y = x.sub(BOX).permute(MOVE)
    return y ^ y.rotl(5) ^ y.rotl(14)

"""
_STREAM = f'''"""A streaming cipher whose ends have rounds or none."""
{_PARTS}
class Form(StreamAead):
    name = "form"
    key_bytes, nonce_bytes, tag_bytes = 9, 3, 3
    words, rate_words, word_bits = 4, 1, 24

    def load(self, K, N):
        return [K[0], K[1] ^ N[0], K[2], N[0]]

    def update(self, S, X):
        return [f(S[3]) ^ S[0] ^ X[0], f(S[0]) ^ S[1], f(S[1]) ^ S[2], f(S[2]) ^ S[3]]

    def init(self, S, K, N):
        INIT

    def keystream(self, S):
        return [S[1] ^ (S[2] & S[3])]

    def finalise(self, S, K, ad_bits, msg_bits):
        FINALISE

    def tag(self, S):
        return [f(S[0] ^ S[2]) ^ f(S[1]) ^ S[3]]
'''
_SPONGE = f'''"""A sponge whose blocks may take one cycle."""
{_PARTS}
class Inner(Permutation):
    name, words, word_bits, rounds = "inner", 4, 24, 4

    def round(self, S, i):
        a, b, c, d = map(f, S)
        return [b ^ c ^ d ^ (0x9E37 * (i + 1)), a ^ c ^ d, a ^ b ^ d, a ^ b ^ c]


class Form(Sponge):
    name = "form"
    key_bytes, nonce_bytes, tag_bytes = 6, 3, 6
    permutation, rate, rounds = Inner(), 24, 2

    def load(self, K, N):
        return [0x526F75, K[0], K[1], N[0]]

    def absorb(self, S, X):
        ABSORB

    def last(self, S, X):
        return self.update(S, X)

    def finalise(self, S, K, ad_bits, msg_bits):
        FINALISE

    def tag(self, S):
        return S[2:]
'''
_ROUNDS = "for i in range(5): S = self.update(S, [K[i % 3]])\n        return S"
_OF_STATE = "for i in range(5): S = self.update(S, [K[i % 3] ^ S[2]])\n        return S"
_ADDED = "[S[0] ^ ad_bits, S[1] ^ msg_bits, S[2] ^ K[0], S[3]]"
_LENGTHS_FIRST = f"S = {_ADDED}\n        {_ROUNDS}"
_SPONGE_LENGTHS = f"return super().finalise({_ADDED}, K, ad_bits, msg_bits)"
_PLAIN = "return super().absorb(S, X)"
_FORWARD = "T = self.added(S, X)\n        return [s ^ t for s, t in zip(self.permute(T, 2), T)]"
FORMS = {
    "blocks of the state": _STREAM.replace("INIT", _OF_STATE).replace("FINALISE", _ROUNDS),
    "lengths before rounds": _STREAM.replace("INIT", _ROUNDS).replace("FINALISE", _LENGTHS_FIRST),
    "no rounds at first": _STREAM.replace("INIT", "return [S[0] ^ K[1], *S[1:]]").replace(
        "FINALISE", _ROUNDS
    ),
    "no rounds at last": _STREAM.replace("INIT", _ROUNDS).replace("FINALISE", f"return {_ADDED}"),
    "sponge": _SPONGE.replace("ABSORB", _PLAIN).replace("FINALISE", _SPONGE_LENGTHS),
    "forward": _SPONGE.replace("ABSORB", _FORWARD).replace("FINALISE", _SPONGE_LENGTHS),
}
# Form -> its cores, without those that have a buffer.
CORES = {
    "blocks of the state": ("form",),
    "lengths before rounds": ("form", "form-2", "form-3", "form-4"),
    "no rounds at first": ("form",),
    "no rounds at last": ("form",),
    "sponge": ("form", "form-2"),
}


def generated(form: str, folder: Path) -> Path:
    for name, text in files(load_description(write(FORMS[form], folder, "form"))).items():
        path = folder / "out" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder / "out" / "cores.toml"


@pytest.mark.parametrize("form", CORES)
def test_a_form_has_the_cores_that_are_right(form: str, tmp_path: Path) -> None:
    text = generated(form, tmp_path).read_text(encoding="utf-8")
    listed = [line.split('"')[1] for line in text.splitlines() if line.startswith("name =")]
    assert [name for name in listed if "sbox" not in name and "round" not in name] == [
        name + suffix for name in CORES[form] for suffix in ("", "-rav")
    ]


_EVERY = [(form, name) for form, names in CORES.items() for name in names]
_SHORT = [(form, names[0]) for form, names in CORES.items() if form != "sponge"] + [("sponge", "form-2")]


@pytest.mark.parametrize(("form", "name"), cases(_EVERY, short=_SHORT))
def test_messages_of_a_core_of_every_form(form: str, name: str, tmp_path: Path) -> None:
    """With no part, either and both, of whole blocks and not."""
    need("iverilog", "cocotb")
    run = simulate(core(name, generated(form, tmp_path)), {}, simulator="icarus", tests=("back_to_back",))
    assert len(run.tests) == 1 and run.failed == ()


@pytest.mark.long
@pytest.mark.parametrize(("form", "name"), [*_EVERY, *((form, "form-rav") for form in CORES)])
def test_whole_benches_of_a_core_of_every_form(form: str, name: str, tmp_path: Path) -> None:
    """All lengths, with stalls, forgeries and resets; and it is clean to lint."""
    need("verilator", "cocotb", "verible-verilog-lint")
    one = core(name, generated(form, tmp_path))
    assert lint(one) == ()
    assert simulate(one, {}).failed == ()


def test_a_block_that_is_added_again_behind_its_rounds_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DescriptionError, match=r"^form: absorb: takes words from before a round behind it; "):
        files(load_description(write(FORMS["forward"], tmp_path, "form")))


@pytest.fixture
def wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The words of a description whose core has a round where there is none: its layers and its round are
    proven all the same."""
    need("pyosys", "iverilog", "cocotb")
    monkeypatch.setenv("ROUNDWORKS_BUILD", str(tmp_path / "build"))

    def broken(*args: Any) -> dict[str, str]:
        right, bad = "assign a = (finish) ? s : out;", "assign a = out;"
        made = files(*args)
        assert right in made["rtl/form.sv"]
        return {name: text.replace(right, bad) for name, text in made.items()}

    monkeypatch.setattr(verilog, "files", broken)
    return ["--file", str(write(FORMS["no rounds at last"], tmp_path, "form"))]


def test_a_core_whose_messages_are_wrong_is_not_written(run: Any, wrong: list[str], tmp_path: Path) -> None:
    """Not even unchecked; that is a bug, and said in a line that fits a screen."""
    done = run("generate", *wrong, "--to", "verilog", "--output", "made", "--no-check")
    assert done.returncode == 70 and done.stderr.count("\n") == 1 and len(done.stderr) < 200
    assert "form-rav Sbox=table Rounds=1 Depth=16: icarus: back_to_back: " in done.stderr
    assert not (tmp_path / "made").exists()


def test_no_row_is_made_of_a_core_whose_messages_are_wrong(
    run: Any, wrong: list[str], tmp_path: Path
) -> None:
    """But `sim` says in how far it is wrong."""
    done = run("synth", *wrong, "--script", "nf")
    assert done.returncode == 70 and "form Sbox=table Rounds=1: icarus: back_to_back: " in done.stderr
    assert not list((tmp_path / "results").rglob("*.jsonl"))
    done = run("sim", *wrong, "--simulator", "icarus", "--test", "wrong")
    assert done.returncode == 1 and "1 failed" in done.stdout


def test_messages_are_simulated_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    need("iverilog", "cocotb")
    monkeypatch.setenv("ROUNDWORKS_BUILD", str(tmp_path / "build"))
    one = core("form", generated("no rounds at last", tmp_path))
    assert verilog.brief(one).certainty == "measured"
    assert [file.suffix for file in (cache.home() / "brief").iterdir()] == [".json"]
    monkeypatch.setattr(verilog, "simulate", None)
    assert verilog.brief(one).certainty == "measured"


def test_the_cores_that_are_wanted(tmp_path: Path) -> None:
    form = load_description(write(FORMS["lengths before rounds"], tmp_path, "form"))
    made = files(form, ["form-2"])
    assert 'name = "form-2"' in made["cores.toml"] and 'name = "form-round"' in made["cores.toml"]
    assert 'name = "form"' not in made["cores.toml"] and "rtl/form_rav.sv" not in made
    with pytest.raises(UnknownName, match=r"^form: core 'form-9': not known; "):
        files(form, ["form-9"])
    with pytest.raises(DescriptionError, match=r"^form: rust has no cores; got form-2$"):
        generate(form, "rust", cores=["form-2"])
