"""The C interface of a GPU: a C program under the sanitizers, on the driver whose device is this CPU."""

from __future__ import annotations

import itertools
import os
import random
import struct
import subprocess
from pathlib import Path

import pytest

from c_programs import CRATE, SANITIZERS, WARNINGS, run
from gpu_steps import few
from gpu_tools import driver
from roundworks import aead, spec
from roundworks._native import gpu_cipher_names
from roundworks.gpu import build

# A first build takes minutes.
pytestmark = pytest.mark.timeout(1800)

# Around a block, 1024 lanes of GHASH, a tile of counter mode, and four groups of the device.
SIZES = [0, 1, 15, 16, 17, 31, 32, 33, 1023, 1024, 1025, 4080, 4097, 16367, 16369, 65505]
# One thread has all of a message of these.
ONE_BLOCK_AFTER_ANOTHER = ("aegis-128l", "rocca-s", "aether", "aether-lb")


def case(name: str, valid: bool, tag_bytes: int, *parts: bytes) -> bytes:
    sizes = struct.pack("=7I", *map(len, parts), tag_bytes, valid)
    return name.encode().ljust(16, b"\0") + sizes + b"".join(parts)


def cases() -> list[bytes]:
    """A few vectors, as Python gives all of them to the same functions; then what the CPU's library
    makes of sizes around every boundary."""
    made = []
    for name in gpu_cipher_names():
        facts = spec.cipher(name)
        for v in few(name):
            if len(v.tag) in facts.tag_sizes and len(v.nonce) == facts.nonce_bytes:
                parts = v.key, v.nonce, v.ad, v.pt, v.ct + v.tag
                made.append(case(name, v.valid, len(v.tag), *parts))
        key, nonce = bytes(range(facts.key_bytes)), bytes(range(facts.nonce_bytes))
        sizes = [size for size in SIZES if size < 4080 or name not in ONE_BLOCK_AFTER_ANOTHER]
        for size, tag in itertools.product(sizes, facts.tag_sizes):
            data, ad = (random.Random(size).randbytes(size), random.Random(-size).randbytes(size // 3))
            sealed = aead.get(name)(key, tag_bytes=tag).encrypt(nonce, data, ad)
            made.append(case(name, True, tag, key, nonce, ad, data, sealed))
    return made


@pytest.mark.long
@pytest.mark.filterwarnings("ignore::roundworks.errors.ResearchOnlyWarning")
def test_c_program(installed: Path, tmp_path: Path) -> None:
    library = installed / "lib"
    kernels, other = library / "roundworks", tmp_path / "other"
    for folder in (kernels, other):
        folder.mkdir()
        for family in build.families():
            image = build.host_image(family) if folder == kernels else b"of another"
            (folder / f"{family}.fatbin").write_bytes(image)
    given = cases()
    (tmp_path / "cases").write_bytes(b"".join(given))
    run(
        "cc",
        "-std=c99",
        *WARNINGS,
        *SANITIZERS,
        CRATE / "tests" / "gpu.c",
        "-o",
        tmp_path / "gpu",
        f"-I{installed / 'include'}",
        f"-L{library}",
        "-lroundworks",
        "-ldl",
    )
    done = subprocess.run(
        [tmp_path / "gpu", "cases", kernels, driver()],
        cwd=tmp_path,
        # Some compilers' leak sanitizer fails on thread-local storage of a library that is loaded late.
        env=os.environ | {"LD_LIBRARY_PATH": str(library), "ASAN_OPTIONS": "intercept_tls_get_addr=0"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert f": {len(given)} cases, " in done.stdout
    print(done.stdout)


def test_machine_code_is_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "code.fatbin"
    source.write_bytes(b"machine code")
    monkeypatch.setattr(build, "fat_binary", lambda family: source)
    build.install(tmp_path / "lib" / "roundworks")
    made = (tmp_path / "lib" / "roundworks").iterdir()
    assert {p.name: p.read_bytes() for p in made} == {
        f"{family}.fatbin": b"machine code" for family in build.families()
    }
