"""The C interface: header, libraries, pkg-config file and a C program under the sanitizers."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from roundworks import spec

# A first build takes minutes.
pytestmark = pytest.mark.timeout(1800)

ROOT = Path(__file__).parents[2]
CRATE = ROOT / "crates" / "roundworks-capi"
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror"]
SANITIZERS = ["-g", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]

# Those whose functions are written out in the header; the others go by name.
DETACHED = {
    "aether": "aether", "aether-lb": "aether_lb", "aegis-128": "aegis128",
    "aegis-128l": "aegis128l", "aegis-128x2": "aegis128x2", "aegis-128x4": "aegis128x4",
    "aegis-256": "aegis256", "aegis-256x2": "aegis256x2", "aegis-256x4": "aegis256x4",
    "rocca-s": "rocca_s", "areion-256-opp": "areion256_opp", "areion-512-opp": "areion512_opp",
}  # fmt: skip


def run(*command: str | Path, **environment: str) -> str:
    done = subprocess.run(
        [str(part) for part in command],
        cwd=ROOT, env=os.environ | environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, f"{command[0]}: {done.stdout}{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `make install-c` puts in place."""
    prefix = tmp_path_factory.mktemp("prefix")
    built = "C_PACKAGES=--workspace --exclude roundworks-py"  # as `make test` did
    run("make", "--no-print-directory", "install-c", f"PREFIX={prefix}", built)
    return prefix


def test_installing_wants_no_setup() -> None:
    planned = run("make", "--no-print-directory", "--dry-run", "--always-make", "install-c")
    assert "cargo build" in planned
    assert not [word for word in ("setup", "pip", "venv") if word in planned]


def test_installed_files(installed: Path) -> None:
    have = {str(p.relative_to(installed)) for p in installed.rglob("*") if p.is_file()}
    assert have == {
        "include/roundworks.h", "lib/libroundworks.a", "lib/libroundworks.so",
        "lib/pkgconfig/roundworks.pc",
    }  # fmt: skip


def in_core() -> list[str]:
    """Ciphers that the Rust core has; those of other libraries are not in the C interface."""
    return [c.name for c in spec.ciphers() if c.backends and list(c.backends) != ["library"]]


def of_permutations() -> list[spec.PermutationVector]:
    """Known answers of permutations, and of what is made of them."""
    families = sorted({facts.family for facts in spec.permutations()})
    return [v for family in families for v in spec.permutation_vectors(family)]


def c_array(name: str, data: bytes) -> str:
    body = ",".join(str(b) for b in data) or "0"
    return f"static const uint8_t {name}[] = {{{body}}};"


def vectors_header() -> str:
    """Every vector as C data."""
    lines, entries = [], []
    for cipher in in_core():
        for v in spec.aead_vectors(cipher):
            sealed = v.ct + v.tag
            parts = (v.key, v.nonce, v.ad, v.pt, sealed)
            names = [f"v{len(entries)}_{i}" for i in range(len(parts))]
            lines += [c_array(n, p) for n, p in zip(names, parts, strict=True)]
            sizes = ",".join(str(len(p)) for p in parts)
            entries.append(
                f"{{{json.dumps(cipher)},{json.dumps(f'{cipher}: {v.id}')},{','.join(names)},"
                f"{sizes},{len(v.tag)},{int(v.valid)}}}"
            )
    functions = [
        f'{{"{name}", roundworks_{c}_encrypt_detached, roundworks_{c}_decrypt_detached}}'
        for name, c in DETACHED.items()
    ]
    mapped: list[str] = []
    hashed: list[str] = []
    tweaked: list[str] = []
    for i, p in enumerate(of_permutations()):
        lines += [c_array(f"p{i}_input", p.input), c_array(f"p{i}_output", p.output)]
        name = p.permutation + (f":{p.rounds}" if p.rounds else "")
        name += f"-{p.mode}" if p.mode in ("dm", "md") else ""
        if p.mode == "tweakable":
            lines += [c_array(f"p{i}_key", p.key), c_array(f"p{i}_tweak", p.tweak)]
            tweaked.append(
                f"{{{json.dumps(p.id)},p{i}_key,p{i}_tweak,p{i}_input,p{i}_output,{len(p.input)}}}"
            )
            continue
        (hashed if p.mode else mapped).append(
            f"{{{json.dumps(name)},{json.dumps(f'{name}: {p.id}')},p{i}_input,p{i}_output,"
            f"{len(p.input)}}}"
        )
    lines.append(f"static const struct mapped permutations[] = {{{','.join(mapped)}}};")
    lines.append(f"static const struct mapped hashes[] = {{{','.join(hashed)}}};")
    lines.append(f"static const struct tweaked tweaked[] = {{{','.join(tweaked)}}};")
    lines.append(f"static const struct vector vectors[] = {{{','.join(entries)}}};")
    lines.append(f"static const struct detached functions[] = {{{','.join(functions)}}};")
    return "\n".join(lines)


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("program")
    (folder / "vectors.h").write_text(vectors_header())
    shutil.copy(CRATE / "tests" / "test.c", folder)
    return folder


def compile_c(program: Path, installed: Path, name: str, *more: str) -> Path:
    flags = run(
        "pkg-config", "--cflags", "--libs", *(["--static"] if name == "static" else []),
        "roundworks", PKG_CONFIG_PATH=str(installed / "lib" / "pkgconfig"),
    ).split()  # fmt: skip
    if name == "static":
        flags = [
            str(installed / "lib" / "libroundworks.a") if f == "-lroundworks" else f for f in flags
        ]
    binary = program / name
    run(
        "cc", "-std=c99", *WARNINGS, *more, f"-I{program}", program / "test.c", "-o", binary, *flags
    )
    return binary


@pytest.mark.parametrize("linked", ["shared", "static"])
def test_c_program(program: Path, installed: Path, linked: str) -> None:
    binary = compile_c(program, installed, linked, *SANITIZERS)
    said = run(binary, LD_LIBRARY_PATH=str(installed / "lib"))
    wanted = sum(len(spec.aead_vectors(c)) for c in in_core())
    detached = sum(len(spec.aead_vectors(c)) for c in in_core() if c in DETACHED)
    assert f": {wanted} vectors by name, {detached} detached, " in said
    modes = Counter(v.mode for v in of_permutations())
    hashes = sum(modes[mode] for mode in ("hash", "dm", "md"))
    counted = f" {modes['']} of permutations, {hashes} of hashes, {modes['tweakable']} with tweak, "
    assert counted in said
    print(said)


def test_every_cipher_that_does_not_pad_is_written_out() -> None:
    assert set(DETACHED) == {c.name for c in spec.ciphers() if c.name in in_core() and not c.padded}


def test_header_is_c_plus_plus(tmp_path: Path) -> None:
    source = tmp_path / "use.cpp"
    source.write_text(
        "#include <roundworks.h>\nint main() { return roundworks_version() == nullptr; }\n"
    )
    run("c++", "-std=c++11", *WARNINGS, "-fsyntax-only", f"-I{CRATE / 'include'}", source)


def test_only_our_names_are_exported(installed: Path) -> None:
    symbols = run("nm", "--dynamic", "--defined-only", installed / "lib" / "libroundworks.so")
    names = {line.split()[-1] for line in symbols.splitlines()}
    header = (CRATE / "include" / "roundworks.h").read_text()
    assert names and all(n.startswith("roundworks_") for n in names), names
    assert {n for n in names if f"{n}(" not in header} == set()
