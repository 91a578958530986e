"""Generated C as a compiler made machine code of it: proven, and what is wrong in it noticed."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("iced_x86")

from roundworks.binary import proof
from roundworks.binary.generated import GeneratedCall, backends_of
from roundworks.binary.library import CompiledLibrary
from roundworks.binary.machine import SecretBranch
from roundworks.errors import NotFollowed, RoundworksError
from roundworks.generate import c, generate, rust
from roundworks.generate.write import write
from roundworks.reference import Permutation, StreamAead, get_stream, load_description, load_file
from roundworks.studies.code import ALONE, INCREMENTAL
from wanted import require

pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc: not here")

Build = Callable[..., Path]


TOY = Path(__file__).parents[3] / "examples" / "toy.py"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Build:
    """The toy cipher's portable code as a library, where a text in the C is replaced if one is given."""
    folder = tmp_path_factory.mktemp("toy")
    generate(load_file(TOY), "c", folder, backends=["portable"], force=True, check=False)
    text = (folder / "toy.c").read_text()

    def build(old: str = "", new: str = "", level: str = "-O2") -> Path:
        assert old in text
        spoilt = folder / "spoilt.c"
        spoilt.write_text(text.replace(old, new) if old else text)
        library = folder / f"lib{abs(hash((old, new, level)))}.so"
        subprocess.run(["gcc", level, "-shared", "-fPIC", "-o", library, spoilt], cwd=folder, check=True)
        return library

    return build


def target() -> proof.Target:
    return proof.Target("toy", "portable", "plain", load_file(TOY))


@pytest.mark.parametrize("level", ["-O0", "-O3"])
def test_whole_messages_are_proven(built: Build, level: str) -> None:
    library = CompiledLibrary(built(level=level))
    for call in (proof.prove_seal, proof.prove_open, proof.prove_refusal):
        for ad_bytes, data_bytes in ((0, 0), (3, 9)):
            shown = call(library, target(), ad_bytes, data_bytes)
            # Without optimisation more of the stack is used than is cleared.
            assert shown.instructions > 1000 and (level == "-O0" or not shown.left)
            assert not shown.in_registers
    many = proof.prove_seal_many(library, target(), [(5, 21)] * 5)
    assert many.instructions > 1000 and not many.in_registers and (level == "-O0" or not many.left)


@pytest.mark.parametrize("wiped", [True, False])
def test_a_message_that_is_abandoned_leaves_nothing(built: Build, wiped: bool) -> None:
    old = "        return;\n    wipe(m, sizeof *m);\n"
    library = CompiledLibrary(built(*(() if wiped else (old, "        return;\n"))))
    call = proof.call_of(library, target(), [(3, 21)], 0)
    assert isinstance(call, GeneratedCall)
    key, (message,) = call.start(), call.messages
    state, _ = call._incrementally(key, message, message.data, 4, "seal")
    call.machine.call("toy_abandon", state)
    shown = call.finish(key)
    assert bool(shown.left) is not wiped and not shown.in_registers


def test_what_no_straight_line_function_shows_is_noticed(built: Build) -> None:
    shorter = CompiledLibrary(built("size_t left = ad_bytes;", "size_t left = ad_bytes & ~(size_t)1;"))
    proof.prove_seal(shorter, target(), 2, 5)
    # Products that the description does not have are followed by no form.
    with pytest.raises((proof.NotProven, NotFollowed), match="toy, portable: ciphertext"):
        proof.prove_seal(shorter, target(), 3, 5)
    accepting = CompiledLibrary(built("refused = different(want, tag);", "refused = different(want, want);"))
    proof.prove_open(accepting, target(), 3, 5)
    with pytest.raises(proof.NotProven, match="open returned 0 for another tag"):
        proof.prove_refusal(accepting, target(), 3, 5)
    partly = CompiledLibrary(built("for (int i = 0; i < TAG; i++)", "for (int i = 1; i < TAG; i++)"))
    with pytest.raises(SecretBranch, match="a branch depends on more than whether a tag is right"):
        proof.prove_refusal(partly, target(), 3, 5)
    unverified = CompiledLibrary(
        built("    if (refused && data_bytes)\n        memset(out, 0, data_bytes);\n", "")
    )
    with pytest.raises(proof.NotProven, match="output after another tag, byte 0"):
        proof.prove_refusal(unverified, target(), 3, 5)
    uncleared = CompiledLibrary(built("    b->clear();\n", ""))
    assert proof.prove_seal(uncleared, target(), 3, 5).left
    alone = CompiledLibrary(built("        b->clear_ways();\n", ""))
    assert proof.prove_seal_many(alone, target(), [(5, 21)] * 4).left
    shown = proof.prove_seal(CompiledLibrary(built("    CLEAR_ANY;\n", "")), target(), 3, 5)
    assert shown.in_registers and not shown.left


@pytest.mark.long
@pytest.mark.parametrize("name", ["aegis-128", "aegis-128x2", "rocca-s"])
@pytest.mark.parametrize("command", ["gcc -O1", "gcc -Os", "clang -O2", "clang -O3"])
def test_other_compilers_and_levels_leave_nothing(name: str, command: str, tmp_path: Path) -> None:
    require(command.split()[0])
    cipher = get_stream(name)
    write(c.files(cipher), tmp_path / "made")
    library = tmp_path / "lib.so"
    source = tmp_path / "made" / f"{c.identifier(name)}.c"
    subprocess.run([*command.split(), "-shared", "-fPIC", "-o", library, source], check=True)
    for backend, cpu in backends_of(library).items():
        if not cpu or backend == "portable":
            continue
        of = proof.Target(name, backend, cpu, cipher)
        end = cipher.rate_bytes + 5
        for call in (proof.prove_seal, proof.prove_open, proof.prove_refusal):
            shown = call(CompiledLibrary(library), of, 5, end)
            assert not shown.left and not shown.in_registers, (backend, call)
        many = proof.prove_seal_many(CompiledLibrary(library), of, [(5, 4 * cipher.rate_bytes + 5)] * 5)
        assert not many.left and not many.in_registers, backend


@pytest.mark.parametrize(("backend", "command"), [("vaes256", "gcc -O3"), ("aesni", "clang -O2")])
def test_a_message_in_increments_leaves_nothing(backend: str, command: str, tmp_path: Path) -> None:
    """Its functions call others, which leave more below them than a message in one call does."""
    require(command.split()[0])
    cipher = get_stream("aegis-128x2")
    write(c.files(cipher, (backend,)), tmp_path / "made")
    library, source = tmp_path / "lib.so", tmp_path / "made" / "aegis_128x2.c"
    subprocess.run([*command.split(), "-shared", "-fPIC", "-o", library, source], check=True)
    of = proof.Target("aegis-128x2", backend, backends_of(library)[backend], cipher)
    rate = cipher.rate_bytes
    for call in (proof.prove_seal, proof.prove_open, proof.prove_refusal):
        shown = call(CompiledLibrary(library), of, rate + 3, 2 * rate + 5, 0, proof.Way(block=rate))
        assert not shown.left and not shown.in_registers, call


def test_back_ends_and_their_processors_are_found(built: Build, tmp_path: Path) -> None:
    assert backends_of(built()) == {"portable": "plain"}
    other = tmp_path / "other.c"
    other.write_text("int f(void) { return 1; }")
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", "other.so", other], cwd=tmp_path, check=True)
    with pytest.raises(RoundworksError, match=r"other\.so: want a library of generated C"):
        backends_of(tmp_path / "other.so")


def test_the_verb_proves_a_permutation(run: Callable[..., Any]) -> None:
    file = str(TOY.with_name("feistel_aes.py"))
    done = run("prove", "--file", file, "--backend", "aesni", "--json", "--no-store")
    (row,) = map(json.loads, done.stdout.splitlines())
    assert (done.returncode, row["operation"], row["verdict"], row["proven"]) == (0, "permute", "proven", 2)
    assert "left" not in row or row["left"] is None


def test_blocks_that_a_loop_forgets_are_noticed(tmp_path: Path) -> None:
    of = load_description(TOY.with_name("feistel_aes.py"))
    assert isinstance(of, Permutation)
    text, loop = c.files(of, ("aesni",))["feistel_aes.c"], "for (; count; count--, in"
    assert loop in text
    made = {**c.files(of, ("aesni",)), "feistel_aes.c": text.replace(loop, "for (; count > 1; count--, in")}
    write(made, tmp_path / "made")
    command = [
        "gcc",
        "-O2",
        "-shared",
        "-fPIC",
        "-o",
        tmp_path / "lib.so",
        tmp_path / "made" / "feistel_aes.c",
    ]
    subprocess.run(command, check=True)
    where = proof.Target("feistel-aes", "aesni", "avx", permutation=of)
    with pytest.raises(proof.NotProven, match="feistel-aes, aesni: byte 0: not what the description has"):
        proof.prove_permutation(CompiledLibrary(tmp_path / "lib.so"), where, of, 1)


@pytest.mark.long
def test_a_crate_is_proven_and_what_is_wrong_in_it_noticed(tmp_path: Path) -> None:
    require("cargo")
    toy = load_file(TOY)
    assert isinstance(toy, StreamAead)
    made = rust.files(toy, ("portable",))
    write(made, tmp_path / "crate")
    write(rust.as_c(toy, made), tmp_path / "crate" / "c")
    text = made["src/lib.rs"]

    def built(old: str = "", new: str = "") -> CompiledLibrary:
        assert old in text
        (tmp_path / "crate" / "src" / "lib.rs").write_text(text.replace(old, new) if old else text)
        command = ["cargo", "build", "--quiet", "--release", "--target-dir", "target"]
        subprocess.run(command, cwd=tmp_path / "crate" / "c", check=True)
        return CompiledLibrary(tmp_path / "crate" / "c" / "target" / "release" / "libtoy_c.so")

    for call in (proof.prove_seal, proof.prove_open, proof.prove_refusal):
        shown = call(built(), target(), 3, 9)
        assert shown.instructions > 1000 and not shown.left and not shown.in_registers
    shown = proof.prove_seal(built("        on!(self.backend, clear());\n"), target(), 3, 9)
    assert shown.left and shown.in_registers
    shown = proof.prove_seal(built("    clear_registers!(sse);\n"), target(), 3, 9)
    assert not shown.left and shown.in_registers
    with pytest.raises(proof.NotProven, match="output after another tag, byte 0"):
        proof.prove_refusal(built("            data.zeroize();\n"), target(), 3, 9)
    with pytest.raises(proof.NotProven, match="open returned 0 for another tag"):
        proof.prove_refusal(built("different(&want, tag)", "different(&want, &want)"), target(), 3, 9)


def test_the_verb_proves_a_description_of_ones_own(run: Callable[..., Any]) -> None:
    done = run("prove", "--file", str(TOY), "--backend", "portable", "--json", "--no-store")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0, done.stderr
    assert [row["operation"] for row in rows] == [*ALONE, *INCREMENTAL, "seal-many"]
    for row in rows:
        assert (row["cipher"], row["verdict"], row["proven"]) == ("toy", "proven", row["tried"])
        assert row["left"] == 0 and row["compiler"].endswith(" -O3")
    for words, said in (
        (("--file", str(TOY), "aegis-128"), "want NAME, or --file"),
        (("--file", str(TOY), "--backend", "avx512"), "toy: no back end avx512; want one of portable, "),
        (("aegis-128", "--to", "rust"), "--to rust: with --file or --generated"),
        (("--generated", "minalpher"), "minalpher: want a streaming AEAD or a permutation; C is"),
        (("--generated", "--library", str(TOY)), "--library: not with --file or --generated"),
    ):
        done = run("prove", *words, "--no-store")
        assert done.returncode == 2 or done.returncode == 1
        assert said in done.stderr
