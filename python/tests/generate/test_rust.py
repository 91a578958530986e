"""Generated crates: proven from their text, compiled and tested by cargo; a changed text is refused."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from places import ROOT, TOY
from roundworks import reference
from roundworks.errors import DescriptionError
from roundworks.generate import rust
from roundworks.generate.write import write
from roundworks.lower.proof import NotEqual
from roundworks.reference import load_description, load_file
from wanted import require

TARGET = ROOT / "target" / "generated"


def cargo(folder: Path, *words: str) -> str:
    """Offline: what the crates need is in this workspace's lock file, and was fetched with it."""
    done = subprocess.run(
        [require("cargo"), words[0], "--offline", "--target-dir", str(TARGET), *words[1:]],
        cwd=folder,
        text=True,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.mark.long
@pytest.mark.parametrize("name", ["toy.py", "two_word.py", "aegis-128l", "ascon-aead128", "haraka-512"])
def test_a_crate_passes_its_tests(name: str, tmp_path: Path) -> None:
    example = name.endswith(".py")
    cipher = load_description(ROOT / "examples" / name) if example else reference.get_analysed(name)
    made = rust.files(cipher)  # type: ignore[arg-type]
    proofs = rust.prove(cipher, made)  # type: ignore[arg-type]
    assert "portable" in proofs and all(proofs.values())
    write(made, tmp_path / "crate")
    out = cargo(tmp_path / "crate", "test", "--quiet")
    assert "warning" not in out and "test result: ok." in out
    # Without its default feature it has no `std`.
    words = ("clippy", "--quiet", "--all-targets", "--no-default-features", "--", "-D", "warnings")
    cargo(tmp_path / "crate", *words)
    subprocess.run(["cargo", "fmt", "--check"], cwd=tmp_path / "crate", check=True)


_PANICS = """
use {name}::{{Backend, {uses}}};

#[test]
#[should_panic(expected = "this CPU has no back end of this crate")]
fn no_back_end() {{
    assert!(Backend::ALL.iter().all(|b| !b.is_available()));
    {call};
}}
"""


@pytest.mark.parametrize(
    ("name", "uses", "call"),
    [
        ("toy", "Toy, aead::KeyInit", "Toy::new(&Default::default())"),
        ("two_word", "permute", "permute(&mut [])"),
    ],
)
@pytest.mark.parametrize("machine", ["aesni", "aarch64"])
def test_a_crate_without_portable_panics_where_the_cpu_has_none_of_its_back_ends(
    machine: str, name: str, uses: str, call: str, tmp_path: Path
) -> None:
    """Without `std` it has what it is compiled for, which is no AES; and nothing of another architecture."""
    crate = tmp_path / "crate"
    cipher = load_description(ROOT / "examples" / f"{name}.py")
    write(rust.files(cipher, (machine,)), crate)  # type: ignore[arg-type]
    (crate / "tests/none.rs").write_text(_PANICS.format(name=name, uses=uses, call=call))
    out = cargo(crate, "test", "--quiet", "--no-default-features", "--test", "none")
    assert "test result: ok. 1 passed" in out and ("warning" not in out or machine == "aarch64")


def test_a_function_of_many_values_declares_ten_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a debugger wants of one scope in another overflows the stack of rustc from some ten thousand on."""
    toy = load_file(TOY)
    monkeypatch.setattr(rust, "SCOPES", 100)
    files = rust.files(toy, ("portable",))
    (update,) = re.findall(r"^fn update\(.*?^\}$", files["src/portable.rs"], re.MULTILINE | re.DOTALL)
    values = len(re.findall(r"^    \w+ = ", update, re.MULTILINE))
    assert values > 100 and update.count("    let ") == -(-values // 10)
    assert rust.prove(toy, files)
    wrong = re.sub(r"= (t\d+) \^ (t\d+);", r"= \1 & \2;", update, count=1)
    with pytest.raises(NotEqual):
        rust.prove(toy, files | {"src/portable.rs": files["src/portable.rs"].replace(update, wrong)})


CHANGES = {
    "portable": (r"= (t\d+) \^ (t\d+);", r"= \1 & \2;"),
    "aesni": (r"(_mm_srli_epi16)::<4>", r"\1::<5>"),
    "gfni": (r"(_mm_gf2p8affine_epi64_epi8::<)0>", r"\g<1>1>"),
    "aarch64": (r"(vshrq_n_u16)::<4>", r"\1::<3>"),
}


@pytest.mark.parametrize("machine", CHANGES)
def test_a_changed_text_is_refused(machine: str) -> None:
    toy = load_file(TOY)
    files = rust.files(toy, tuple(CHANGES))
    name = f"src/{machine}.rs"
    text, count = re.subn(*CHANGES[machine], files[name], count=1)
    assert count == 1
    with pytest.raises((NotEqual, DescriptionError)):
        rust.prove(toy, files | {name: text})


def test_operations_there_and_back() -> None:
    """Every operation of C in Rust, and as C again."""
    for text in (
        "UINT64_C(0x1f)",
        "t1 & ~t2",
        "~t1",
        "rotl(t1, 7)",
        "t1 << 4",
        "_mm_srli_epi16(t1, 4)",
        "_mm_gf2p8affine_epi64_epi8(t1, bytes16(0x1, 0x2), 0)",
        "vreinterpretq_u8_u16(vshrq_n_u16(vreinterpretq_u16_u8(t1), 4))",
    ):
        there = rust.expression(text)
        back = rust.in_c_again(f"    let t9 = {there};")
        assert back == f"const V t9 = {text};", there
