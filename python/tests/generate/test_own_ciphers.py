"""Ciphers of a user's own, from the file to every language, a core, a measurement and a sheet; and what is
on the disk after an error or an interruption."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shlex
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from calls import cases, command, variables
from guide import tutorial_cipher
from hardware_tools import need
from places import ROOT, TOY
from power_circuits import osu018
from roundworks.errors import HardwareError, RoundworksError
from roundworks.generate import c, generate, verilog
from roundworks.generate.write import NotWritten, write
from roundworks.hardware.cores import core
from roundworks.lower.proof import NotEqual
from roundworks.reference import load_description
from roundworks.studies.generated import compiled, stream_of
from roundworks.studies.hardware import CoreChoice
from roundworks.studies.netlists import estimate_power
from wanted import require

EXAMPLES = ROOT / "examples"
OWN = ["nibble_spn", "byte_mds", "feistel_aes", "and_rotate", "sponge"]


@pytest.mark.parametrize("name", cases(OWN, short=["and_rotate"]))
def test_c_of_an_own_cipher_is_compiled_and_tested(name: str, run: Any, tmp_path: Path) -> None:
    require("make")
    done = run("generate", "--file", str(EXAMPLES / f"{name}.py"), "--to", "c", "--output", "made")
    assert done.returncode == 0, done.stderr
    assert "equal to the description, for all inputs" in done.stdout
    assert re.search(r"portable: \d+ vectors", done.stdout)
    again = subprocess.run(
        ["make", "test"], cwd=tmp_path / "made", check=False, capture_output=True, text=True
    )
    assert again.returncode == 0, again.stdout + again.stderr


def test_a_file_that_is_given_without_its_option(run: Any) -> None:
    """Verbs on cores take it as others do; a verb that takes no file says so."""
    for verb in ("sim", "power"):
        assert "no.py: no such file; want a Python file" in run(verb, "no.py").stderr
    assert "no.py: a file; want a name" in run("inner", "no.py").stderr


def test_the_cipher_of_the_tutorial_becomes_c(run: Any, tmp_path: Path) -> None:
    """Its lengths are words of 32 bits, which the header says."""
    require("make")
    (tmp_path / "my_toy.py").write_text(tutorial_cipher())
    done = run("generate", "my_toy.py", "--to", "c", "--output", "made", "--backend", "portable")
    assert done.returncode == 0, done.stderr
    assert "equal to the description, for all inputs" in done.stdout and "40 vectors" in done.stdout
    header = (tmp_path / "made" / "toy.h").read_text()
    assert "Longest associated data: 2^29 - 1 bytes. Longest message: 2^29 - 1 bytes." in header
    assert (
        "Longest" not in c.files(load_description(EXAMPLES / "aes_sponge.py"), ["portable"])["aes_sponge.h"]
    )


@pytest.mark.long  # ten seconds
def test_the_code_of_the_cipher_of_the_tutorial_is_proven(run: Any, tmp_path: Path) -> None:
    (tmp_path / "my_toy.py").write_text(tutorial_cipher())
    done = run("prove", "--file", "my_toy.py", "--lengths", "few", "--backend", "portable")
    assert done.returncode == 0, done.stderr + done.stdout
    rust = generate(load_description(tmp_path / "my_toy.py"), "rust").files["src/lib.rs"]
    assert "//! Longest associated data: 2^29 - 1 bytes." in rust


@pytest.mark.long  # four seconds; the generators' own tests call the same function
def test_the_program_of_the_guide_runs_in_an_empty_folder(tmp_path: Path) -> None:
    require("make")
    (block,) = re.findall(r"```python\n(.*?)```", (ROOT / "docs/how-to/generate.md").read_text(), re.S)
    done = subprocess.run(
        [sys.executable, "-c", block], cwd=tmp_path, check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert re.search(r"'operations': \d+, 'cuts': \d+", done.stdout) and "portable: 40 vectors" in done.stdout


# The generators see the same descriptions in C above, and the toy in each language in their own tests.
# The cores of a permutation and of an AEAD; those of the others take minutes to build in every form.
@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    ("name", "target"),
    [*((name, "rust") for name in OWN), *((name, "verilog") for name in ("and_rotate", "feistel_aes"))],
)
def test_an_own_cipher_in_every_language(name: str, target: str, run: Any, tmp_path: Path) -> None:
    require("cargo" if target == "rust" else "verilator")
    done = run("generate", "--file", str(EXAMPLES / f"{name}.py"), "--to", target, "--output", "made")
    assert done.returncode == 0, done.stderr
    if target == "verilog":
        assert ": proof: proven" in done.stdout
        assert all(re.search(rf": {each}: measured", done.stdout) for each in ("icarus", "verilator"))
    else:
        assert "test result: ok." in done.stdout
    # Of a core that is long: what would be simulated.
    words = ["make", *(["--dry-run"] if target == "verilog" else []), "test"]
    again = subprocess.run(words, cwd=tmp_path / "made", check=False, capture_output=True, text=True)
    assert again.returncode == 0, again.stdout + again.stderr
    simulated = f"sim {name.replace('_', '-')} --cores cores.toml"
    assert simulated in again.stdout or "test result: ok." in again.stdout


@pytest.mark.long  # as above, the cores that take minutes in every form
@pytest.mark.timeout(900)
@pytest.mark.parametrize("name", ["nibble_spn", "byte_mds", "sponge"])
def test_make_simulates_a_core_of_an_own_cipher(name: str, run: Any, tmp_path: Path) -> None:
    """The layers and the round are proven, one round in a cycle is simulated."""
    for tool in ("verilator", "iverilog", "make"):
        require(tool)
    done = run(
        *("generate", "--file", str(EXAMPLES / f"{name}.py"), "--to", "verilog", "--output", "made"),
        "--no-check",
    )
    assert done.returncode == 0, done.stderr
    again = subprocess.run(
        ["make", f"ROUNDWORKS={shlex.join(command())}", load_description(EXAMPLES / f"{name}.py").name],
        cwd=tmp_path / "made",
        env=os.environ | variables(tmp_path),
        check=False,
        capture_output=True,
        text=True,
    )
    assert again.returncode == 0, again.stdout + again.stderr
    assert len(re.findall(r"\d+ passed, 0 failed", again.stdout)) == 2


# `test_sheet.py` has the sheet of the toy and of a permutation.
@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.parametrize("name", OWN)
def test_the_sheet_of_an_own_cipher(name: str, run: Any) -> None:
    done = run("sheet", "--file", str(EXAMPLES / f"{name}.py"), "--format", "json")
    assert done.returncode == 0, done.stderr
    page = json.loads(done.stdout)
    assert page["row"]["name"] == load_description(EXAMPLES / f"{name}.py").name
    sections = {one["title"]: one for one in page["sections"]}
    assert sections["Generated code"]["tables"] and sections["Description"]["code"]


@pytest.mark.long
def test_bench_measures_a_generated_permutation_next_to_the_core(run: Any) -> None:
    require("cc")
    done = run(
        *("bench", "areion-256", "--permutations", "--generated", "--backend", "portable", "--samples", "3"),
        "--json",
    )
    assert done.returncode == 0, done.stderr
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(row["permutation"], row["way"], row["blocks"]) for row in rows] == [
        ("areion-256", way, blocks)
        for way, blocks in (("generated-call", 1), ("generated-many", 64), ("call", 1), ("many", 64))
    ]
    assert len({row["run"] for row in rows}) == 1


@pytest.mark.long
def test_bench_measures_a_permutation_of_a_file(run: Any) -> None:
    require("cc")
    file = str(EXAMPLES / "feistel_aes.py")
    done = run(
        "bench", "--file", file, "--backend", "aesni", "--backend", "portable", "--samples", "3", "--json"
    )
    assert done.returncode == 0, done.stderr
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert {(row["permutation"], row["way"], row["blocks"]) for row in rows} == {
        *(("feistel-aes", way, blocks) for way, blocks in (("generated-call", 1), ("generated-many", 64))),
        *(("areion-256", way, blocks) for way, blocks in (("call", 1), ("many", 64))),
    }
    assert len({row["run"] for row in rows}) == 1
    assert all(row["command"].endswith("--samples 3 --file feistel_aes.py") for row in rows)
    done = run("bench", "--file", file, "--size", "64")
    assert done.returncode == 2 and "a permutation has blocks of one size" in done.stderr


@pytest.mark.long
def test_bench_measures_generated_code_next_to_the_catalogue(run: Any) -> None:
    require("cc")
    done = run(
        "bench", "--file", str(TOY), "--size", "64", "--backend", "portable", "--samples", "3", "--json"
    )
    assert done.returncode == 0, done.stderr
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert {(row["cipher"], row["library"], row["surface"]) for row in rows} == {
        ("toy", "generated", "c"),
        ("aegis-128l", "roundworks", "rust"),
    }
    assert len({row["run"] for row in rows}) == 1
    assert all(row["samples_ns"] and row["command"].endswith("--file toy.py") for row in rows)


@pytest.mark.long  # the test above measures generated code too
def test_generated_code_of_the_catalogue_gives_the_same_bytes_as_the_core(run: Any) -> None:
    """`measure` compares the digests; that there are ratios says that both were measured."""
    require("cc")
    done = run(
        "bench", "aegis-128l", "--generated", "--size", "64", "--backend", "portable", "--samples", "3"
    )
    assert done.returncode == 0, done.stderr
    assert "generated and hand-written code" in done.stdout and "fastest" in done.stdout


@pytest.mark.parametrize("verb", [("gpu",), ("hw-table", "figure-6")])
def test_a_verb_on_messages_says_which_takes_a_permutation(verb: tuple[str, ...], run: Any) -> None:
    done = run(*verb, "--file", str(EXAMPLES / "feistel_aes.py"))
    assert done.returncode == 2 and done.stderr.count("\n") == 1
    assert re.search(r"feistel-aes: .*permutation.*`roundworks (bench|synth) --file ", done.stderr)


def test_power_of_a_permutation_is_refused_before_its_synthesis() -> None:
    own = replace(core("aether"), name="feistel-aes", bench="permutation")
    choice = CoreChoice(own, {}, ("feistel-aes",), ("--file", "feistel_aes.py"))
    with pytest.raises(
        HardwareError, match="feistel-aes: a permutation.*`roundworks synth` with the same core"
    ):
        estimate_power(choice)


def test_a_table_of_components_names_the_verb_for_a_layer(run: Any) -> None:
    for words in (("3",), ("figure-6", "--compare"), ("figure-6", "--core", "aether")):
        done = run("hw-table", *words, "--file", str(TOY))
        assert done.returncode == 2 and "`roundworks synth --file FILE CORE`" in done.stderr


@pytest.mark.long  # the tests of `hw-table` make the rows of our cores; here is a generated one
def test_a_description_stands_in_figure_6(run: Any) -> None:
    require("iverilog")
    need("sta", "pyosys")
    osu018()
    words = ("hw-table", "figure-6", "--file", str(TOY), "--style", "table", "--model", "zero-delay")
    done = run(*words)
    assert done.returncode == 0, done.stderr
    assert "figure 6 on osu018_stdcells" in done.stdout
    assert len([line for line in done.stdout.splitlines() if line.startswith("toy")]) == 2  # latency, energy
    assert run(*words, "--json").stdout == ""  # all rows are stored


def test_compiled_code_takes_buffers_as_the_library_does() -> None:
    require("cc")
    toy = stream_of(TOY)
    sealer = compiled(toy, TOY).keyed("portable")
    key, nonce, data = bytes(range(toy.key_bytes)), bytes(toy.nonce_bytes), bytes(range(100))
    assert sealer.encrypt(nonce, data) == toy.encrypt(key, nonce, data, b"")
    sealed = np.frombuffer(sealer.encrypt(nonce, data), np.uint8).copy()
    opened = sealed[: sealer.opened_bytes(len(sealed))]
    sealer.decrypt_into(nonce, sealed, b"", opened)  # in place
    assert opened.tobytes() == data
    with pytest.raises(RoundworksError, match=r"toy/portable: .*refused"):
        sealer.decrypt_into(nonce, sealed, b"", opened)


@pytest.mark.long  # `test_verilog.py` simulates generated cores; here the verb makes them
def test_hardware_verbs_take_a_description(run: Any) -> None:
    require("iverilog")
    done = run("sim", "--file", str(TOY), "--simulator", "icarus", "--test", "stalls", "--json")
    assert done.returncode == 0, done.stderr
    (row,) = map(json.loads, done.stdout.splitlines())
    assert row["core"] == "toy" and "--file toy.py" in row["command"]
    done = run("synth", "--file", str(TOY), "--script", "nf", "--json")
    assert done.returncode == 0, done.stderr
    assert all(json.loads(line)["core"] == "toy" for line in done.stdout.splitlines())


def test_a_hardware_verb_wants_one_core(run: Any) -> None:
    for words, message in (
        (("sim",), "want CORE"),
        (("sim", "--file", str(TOY), "--cores", "x"), "--cores out"),
        (("sim", "aether", "--generated", "--cores", "x"), "--cores and --file out"),
        (("sim", "--generated"), "want CORE"),
        (("sim", "areion-256-opp", "--generated"), "a mode of blocks"),
    ):
        done = run(*words)
        assert done.returncode == 2 and message in done.stderr and done.stderr.count("\n") == 1


def test_a_core_that_is_not_proven_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = verilog.CheckResult("toy-round", {}, "proof", "", "not equal")
    monkeypatch.setattr(verilog, "proven", lambda directory: [broken])
    with pytest.raises(NotEqual, match="toy-round: proof: not equal"):
        generate(load_description(TOY), "verilog", tmp_path / "core")
    assert list(tmp_path.iterdir()) == []


class Interrupted:
    """A function that is interrupted at one of its calls."""

    def __init__(self, original: Any, stop: int) -> None:
        self.original, self.stop, self.calls = original, stop, 0

    def __call__(self, *args: Any, **options: Any) -> Any:
        self.calls += 1
        if self.calls == self.stop:
            raise KeyboardInterrupt
        return self.original(*args, **options)


@pytest.mark.parametrize("fresh", [True, False])
@pytest.mark.parametrize("name", ["write_text", "replace"])
@pytest.mark.parametrize("stop", [1, 2, 3])
def test_an_interrupted_run_leaves_no_half_written_file(
    fresh: bool, name: str, stop: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is there afterwards is what was, or the whole of a new file."""
    before, after = {"a.c": "old a", "b.c": "old b"}, {"a.c": "new a", "b.c": "new b"}
    folder = tmp_path / "made"
    if not fresh:
        write(before, folder)
    if name == "write_text":
        patched = Interrupted(Path.write_text, stop)
        monkeypatch.setattr(Path, name, lambda *args, **options: patched(*args, **options))
    else:
        patched = Interrupted(os.replace, stop)
        monkeypatch.setattr(os, name, patched)
    with contextlib.suppress(KeyboardInterrupt):
        write(after, folder)
    assert patched.calls
    assert [path for path in tmp_path.iterdir() if path != folder] == []
    if fresh and patched.calls == stop:
        assert not folder.exists()
    else:
        texts = {file.name: file.read_text() for file in folder.glob("*.c")}
        assert all(texts[file] in (after[file], "" if fresh else before[file]) for file in after)


def test_a_folder_with_other_files_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(NotWritten, match="holds other files"):
        write({"a.c": "x"}, tmp_path)


def test_the_help_says_what_is_proven_and_what_is_tested(run: Any) -> None:
    text = " ".join(run("generate", "--help").stdout.split())
    assert (
        "Every straight-line function of software is proven equal to the description, for all inputs" in text
    )
    assert "Loops, lengths and padding are tested" in text and "machine code" in text
