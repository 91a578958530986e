"""The C interface: header, libraries, files for pkg-config, CMake and man, C programs under the sanitizers."""

from __future__ import annotations

import functools
import json
import os
import random
import re
import subprocess
import tomllib
from collections import Counter
from pathlib import Path

import pytest

from c_programs import CRATE, SANITIZERS, WARNINGS, run
from calls import cases
from places import ROOT
from roundworks import spec
from roundworks.reference import get
from wanted import require

# A first build takes minutes.
pytestmark = pytest.mark.timeout(1800)

VERSION = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]["version"]
# Before 1.0 a new minor version may change the interface.
SONAME = f"libroundworks.so.{VERSION.rpartition('.')[0]}"
LIMIT = 5_300_000


def test_installing_wants_no_setup() -> None:
    planned = run("make", "--no-print-directory", "--dry-run", "--always-make", "install-c")
    assert "cargo build" in planned
    assert not [word for word in ("setup", "pip", "venv") if word in planned]


def test_installed_files(installed: Path) -> None:
    have = {str(p.relative_to(installed)) for p in installed.rglob("*") if p.is_file()}
    version = VERSION
    assert have == {
        "include/roundworks.h",
        "lib/libroundworks.a",
        f"lib/libroundworks.so.{version}",
        f"lib/{SONAME}",
        "lib/libroundworks.so",
        "lib/pkgconfig/roundworks.pc",
        "lib/cmake/roundworks/roundworksConfig.cmake",
        "lib/cmake/roundworks/roundworksConfigVersion.cmake",
        "share/man/man3/roundworks.3",
        "share/doc/roundworks/libroundworks.cdx.json",
        *(f"share/doc/roundworks/LICENSE-{name}" for name in ("APACHE", "MIT", "THIRD-PARTY")),
    }
    made_of = json.loads((installed / "share" / "doc" / "roundworks" / "libroundworks.cdx.json").read_text())
    assert made_of["metadata"]["component"]["purl"] == f"pkg:generic/libroundworks@{version}"
    links = {p.name: str(p.readlink()) for p in installed.rglob("*") if p.is_symlink()}
    assert links == {"libroundworks.so": SONAME, SONAME: f"libroundworks.so.{version}"}


@pytest.mark.long
def test_a_distribution_chooses_the_folders(installed: Path, tmp_path: Path) -> None:
    """`make install-c` with its own folders, below DESTDIR."""
    target = os.environ.get("CARGO_TARGET_DIR", str(ROOT / "target"))
    run(
        "bash",
        CRATE / "install" / "install.sh",
        f"{target}/release/libroundworks.a",
        "1.2.3",
        DESTDIR=str(tmp_path),
        PREFIX="/usr",
        LIBDIR="/usr/lib/some-linux-gnu",
    )
    lib = tmp_path / "usr" / "lib" / "some-linux-gnu"
    assert (lib / "libroundworks.so").resolve() == lib / "libroundworks.so.1.2.3"
    assert "libdir=/usr/lib/some-linux-gnu\n" in (lib / "pkgconfig" / "roundworks.pc").read_text()
    config = (lib / "cmake" / "roundworks" / "roundworksConfig.cmake").read_text()
    assert '"${_roundworks_lib}/../../include"' in config
    assert "[libroundworks.so.1]" in run("readelf", "-d", lib / "libroundworks.so")


def test_an_archive_without_our_functions_is_refused(tmp_path: Path) -> None:
    archive = tmp_path / "empty.a"
    run("ar", "rc", archive)
    done = subprocess.run(
        ["bash", CRATE / "install" / "install.sh", archive, "0.1.0"],
        env=os.environ | {"PREFIX": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1 and "build roundworks-capi first" in done.stderr
    assert list(tmp_path.iterdir()) == [archive]


def in_core() -> list[str]:
    """Ciphers that the Rust core has; those of other libraries are not in the C interface."""
    return [c.name for c in spec.ciphers() if c.backends and list(c.backends) != ["library"]]


def in_c(cipher: str) -> str:
    """What its own functions are called by in the header: aegis128l of aegis-128l, rocca_s of rocca-s."""
    return re.sub(r"-(?=\d)", "", cipher).replace("-", "_")


@functools.cache
def detached() -> list[str]:
    """Those that have functions of their own, as their ciphertext is as long as their data."""
    return [c.name for c in spec.ciphers() if c.name in in_core() and not c.padded]


def of_permutations() -> list[spec.PermutationVector]:
    """Known answers of permutations, and of what is made of them."""
    families = sorted({facts.family for facts in spec.permutations()})
    return [v for family in families for v in spec.permutation_vectors(family)]


def c_array(name: str, data: bytes) -> str:
    body = ",".join(str(b) for b in data) or "0"
    return f"static const uint8_t {name}[] = {{{body}}};"


@functools.cache
def of_macs() -> list[tuple[str, str, dict[str, bytes]]]:
    """AEGIS as a MAC: cipher, label, and the known answer; then what the reference says of messages
    that end before, at and after a block of every width."""
    made = []
    for name in detached():
        known = [v for v in spec.function_vectors(name) if v.function == "AEGISMAC"]
        for v in known:
            made.append((name, v.id, {**v.parts, "tag": v.output}))
            cipher = get(name, len(v.output))
            for size in (0, 1, 16, 63, 64, 129, 256):
                part = random.Random(f"{name} {size}").randbytes
                key, nonce, data = part(cipher.key_bytes), part(cipher.nonce_bytes), part(size)
                tag = cipher.mac(key, nonce, data)  # type: ignore[attr-defined]
                parts = {"key": key, "nonce": nonce, "data": data, "tag": tag}
                made.append((name, f"reference, {size} bytes, tag of {len(tag)}", parts))
    return made


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
        for name, c in ((name, in_c(name)) for name in detached())
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
            f"{{{json.dumps(name)},{json.dumps(f'{name}: {p.id}')},p{i}_input,p{i}_output,{len(p.input)}}}"
        )
    macs = []
    for i, (name, label, parts) in enumerate(of_macs()):
        lines += [c_array(f"m{i}_{part}", data) for part, data in parts.items()]
        c = f"roundworks_{in_c(name)}_mac"
        at = ",".join(f"m{i}_{part}" for part in ("key", "nonce", "data", "tag"))
        sizes = ",".join(str(len(parts[part])) for part in ("key", "data", "tag"))
        quoted = json.dumps(f"MAC of {name}: {label}")
        macs.append(f"{{{json.dumps(name)},{quoted},{c},{c}_verify,{at},{sizes}}}")
    lines.append(f"static const struct authenticated macs[] = {{{','.join(macs)}}};")
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
    return folder


def compile_c(program: Path, installed: Path, name: str, *more: str, source: str = "test.c") -> Path:
    flags = run(
        "pkg-config",
        "--cflags",
        "--libs",
        *(["--static"] if name == "static" else []),
        "roundworks",
        PKG_CONFIG_PATH=str(installed / "lib" / "pkgconfig"),
    ).split()
    if name == "static":
        flags = [str(installed / "lib" / "libroundworks.a") if f == "-lroundworks" else f for f in flags]
    binary = program / name
    run("cc", "-std=c99", *WARNINGS, *more, f"-I{program}", CRATE / "tests" / source, "-o", binary, *flags)
    return binary


@pytest.mark.parametrize("linked", cases(["shared", "static"], short=["shared"]))
def test_c_program(program: Path, installed: Path, linked: str) -> None:
    binary = compile_c(program, installed, linked, *SANITIZERS)
    said = run(binary, LD_LIBRARY_PATH=str(installed / "lib"))
    wanted = sum(len(spec.aead_vectors(c)) for c in in_core())
    alone = sum(len(spec.aead_vectors(c)) for c in detached())
    assert f": {wanted} vectors by name, {alone} detached, " in said
    modes = Counter(v.mode for v in of_permutations())
    hashes = sum(modes[mode] for mode in ("hash", "dm", "md"))
    counted = f" {modes['']} of permutations, {hashes} of hashes, {modes['tweakable']} with tweak, "
    counted += f"{len(of_macs())} of MACs, "
    assert len(of_macs()) == 12 * (1 + 7)  # two sizes of tag for each of six
    assert counted in said
    print(said)


def test_no_call_ends_a_process_that_is_short_of_memory(program: Path, installed: Path) -> None:
    binary = compile_c(program, installed, "memory", source="memory.c")
    print(run(binary, LD_LIBRARY_PATH=str(installed / "lib")))


def test_every_cipher_that_does_not_pad_is_written_out() -> None:
    header = (CRATE / "include" / "roundworks.h").read_text()
    written = set(re.findall(r"roundworks_(\w+)_encrypt_detached\(", header)) - {"minalpher"}
    assert written == {in_c(name) for name in detached()}


def test_header_is_c_plus_plus(tmp_path: Path) -> None:
    source = tmp_path / "use.cpp"
    source.write_text("#include <roundworks.h>\nint main() { return roundworks_version() == nullptr; }\n")
    run("c++", "-std=c++11", *WARNINGS, "-fsyntax-only", f"-I{CRATE / 'include'}", source)


def declared() -> set[str]:
    """Functions of the header."""
    header = (CRATE / "include" / "roundworks.h").read_text()
    return set(re.findall(r"^(?:\w[^*/#\n]*[ *])(roundworks_\w+)\(", header, re.MULTILINE))


def test_what_the_header_declares_is_exported_with_its_version(installed: Path) -> None:
    library = installed / "lib" / "libroundworks.so"
    symbols = run("nm", "--dynamic", "--defined-only", library)
    names = {line.split()[-1] for line in symbols.splitlines()} - {"ROUNDWORKS_0.1"}
    assert len(declared()) > 90
    assert names == {f"{name}@@ROUNDWORKS_0.1" for name in declared()}
    assert f"Library soname: [{SONAME}]" in run("readelf", "-d", library)


def test_static_library_shows_only_our_names(installed: Path) -> None:
    symbols = run("nm", "--extern-only", "--defined-only", installed / "lib" / "libroundworks.a")
    names = {line.split()[-1] for line in symbols.splitlines() if " T " in line}
    assert names == declared()


@pytest.mark.parametrize("library", ["libroundworks.a", "libroundworks.so"])
def test_libraries_are_stripped(installed: Path, library: str) -> None:
    path = installed / "lib" / library
    sections = run("readelf", "--section-headers", "--wide", path)
    assert ".text" in sections
    assert not re.search(r"\.debug_|\.llvmbc", sections)
    size = path.stat().st_size
    print(f"{library}: {size} bytes")
    assert size < LIMIT, f"{library}: want less than {LIMIT} bytes, got {size}"


ONE_CIPHER = """
#include <roundworks.h>
#include <stdio.h>
int main(void) {
  const uint8_t key[roundworks_aegis128l_KEYBYTES] = {0};
  const uint8_t nonce[roundworks_aegis128l_NPUBBYTES] = {0};
  uint8_t tag[roundworks_aegis128l_ABYTES_MIN];
  puts(roundworks_version());
  return roundworks_aegis128l_encrypt_detached(key, nonce, NULL, 0, NULL, 0, NULL, tag, sizeof tag);
}
"""


def test_a_static_program_keeps_the_cipher_that_it_uses(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "one.c").write_text(ONE_CIPHER)
    whole = (installed / "lib" / "libroundworks.a").stat().st_size
    binary = tmp_path / "one"
    flags = (
        run(
            "pkg-config",
            "--cflags",
            "--libs",
            "--static",
            "roundworks",
            PKG_CONFIG_PATH=str(installed / "lib" / "pkgconfig"),
        )
        .replace("-lroundworks", "-l:libroundworks.a")
        .split()
    )
    for of_all in ((), ("-static",)):
        run("cc", tmp_path / "one.c", "-o", binary, *of_all, *flags, "-Wl,--gc-sections", "-Wl,--strip-all")
        assert run(binary) == VERSION + "\n"
        assert of_all or binary.stat().st_size < whole / 4


PROJECT = """
cmake_minimum_required(VERSION 3.13)
project(use C)
find_package(roundworks {version} REQUIRED)
foreach(kind roundworks shared static)
  add_executable(with_${{kind}} one.c)
  target_link_libraries(with_${{kind}} roundworks::${{kind}})
endforeach()
"""


def test_cmake_finds_the_package(installed: Path, tmp_path: Path) -> None:
    require("cmake")
    (tmp_path / "one.c").write_text(ONE_CIPHER)
    (tmp_path / "CMakeLists.txt").write_text(PROJECT.format(version="0.1"))
    build = tmp_path / "build"
    run("cmake", "-S", tmp_path, "-B", build, f"-DCMAKE_PREFIX_PATH={installed}")
    run("cmake", "--build", build)
    for kind in ("roundworks", "shared", "static"):
        binary = build / f"with_{kind}"
        assert run(binary) == VERSION + "\n"
        assert (SONAME in run("readelf", "-d", binary)) == (kind != "static")


@pytest.mark.parametrize(("wanted", "found"), [("", True), ("0", True), ("0.2", False), ("1", False)])
def test_cmake_refuses_another_version(installed: Path, tmp_path: Path, wanted: str, found: bool) -> None:
    require("cmake")
    (tmp_path / "one.c").write_text(ONE_CIPHER)
    (tmp_path / "CMakeLists.txt").write_text(PROJECT.format(version=wanted))
    done = subprocess.run(
        ["cmake", "-S", tmp_path, "-B", tmp_path / "b", f"-DCMAKE_PREFIX_PATH={installed}"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode == 0) == found, done.stderr


def test_manual_page(installed: Path) -> None:
    require("mandoc")
    page = installed / "share" / "man" / "man3" / "roundworks.3"
    said = run("mandoc", "-T", "lint", "-W", "warning", page)
    assert said == ""
    named = set(re.findall(r"roundworks_\w+", page.read_text())) - {"roundworks_cipher"}
    header = (CRATE / "include" / "roundworks.h").read_text()
    assert {name for name in named if name not in header} == set()
