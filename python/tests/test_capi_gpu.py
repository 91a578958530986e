"""The C interface of a GPU: a C program under the sanitizers, on the driver whose device is this CPU."""

from __future__ import annotations

import itertools
import os
import random
import re
import struct
import subprocess
from pathlib import Path

import pytest

from gpu_tools import host_cuda
from roundworks import aead, spec
from roundworks.gpu import build, gcm, gcm_many, streams
from test_capi import CRATE, ROOT, SANITIZERS, WARNINGS, installed, run

# A first build takes minutes.
pytestmark = pytest.mark.timeout(1800)
__all__ = ["installed"]  # the fixture

NAMES = ("minalpher", "aes-128-gcm", "aes-256-gcm", *streams.ENTRIES)
# Around a block, 1024 lanes of GHASH, a tile of counter mode, and four groups of the device.
SIZES = [0, 1, 15, 16, 17, 31, 32, 33, 1023, 1024, 1025, 4080, 4097, 16367, 16369, 65505]


def case(name: str, valid: bool, tag_bytes: int, *parts: bytes) -> bytes:
    sizes = struct.pack("=7I", *map(len, parts), tag_bytes, valid)
    return name.encode().ljust(16, b"\0") + sizes + b"".join(parts)


def cases() -> list[bytes]:
    """The vectors, then what the CPU's library makes of sizes around every boundary."""
    made = []
    for name in NAMES:
        facts = spec.cipher(name)
        for v in spec.aead_vectors(name):
            if len(v.tag) in facts.tag_sizes and len(v.nonce) == facts.nonce_bytes:
                parts = v.key, v.nonce, v.ad, v.pt, v.ct + v.tag
                made.append(case(name, v.valid, len(v.tag), *parts))
        key, nonce = bytes(range(facts.key_bytes)), bytes(range(facts.nonce_bytes))
        for size, tag in itertools.product(SIZES, facts.tag_sizes):
            data, ad = (
                random.Random(size).randbytes(size),
                random.Random(-size).randbytes(size // 3),
            )
            sealed = aead.get(name)(key, tag_bytes=tag).encrypt(nonce, data, ad)
            made.append(case(name, True, tag, key, nonce, ad, data, sealed))
    return made


@pytest.mark.filterwarnings("ignore::roundworks.errors.ResearchOnlyWarning")
def test_c_program(installed: Path, tmp_path: Path) -> None:
    library = installed / "lib"
    kernels, other = library / "roundworks", tmp_path / "other"
    for folder in (kernels, other):
        folder.mkdir()
        for family in build.OF_C:
            image = build.host_library(family)._name if folder == kernels else "of another"
            (folder / f"{family}.fatbin").write_text(image)
    given = cases()
    (tmp_path / "cases").write_bytes(b"".join(given))
    run(
        "cc", "-std=c99", *WARNINGS, *SANITIZERS, CRATE / "tests" / "gpu.c", "-o", tmp_path / "gpu",
        f"-I{installed / 'include'}", f"-L{library}", "-lroundworks", "-ldl",
    )  # fmt: skip
    done = subprocess.run(
        [tmp_path / "gpu", "cases", kernels, host_cuda()],
        cwd=tmp_path, env=os.environ | {"LD_LIBRARY_PATH": str(library)}, capture_output=True,
        text=True, check=False,
    )  # fmt: skip
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
        f"{family}.fatbin": b"machine code" for family in build.OF_C
    }


def test_entries_are_called_as_from_python() -> None:
    """What a launch's block shares is nothing to the driver of these tests."""
    source = (ROOT / "crates" / "roundworks-gpu" / "src" / "entries.rs").read_text()
    sizes: dict[str, str] = dict(re.findall(r"const (\w+): u32 = ([\d_]+);", source))
    entries: dict[str, str] = dict(re.findall(r'\("(\w+_\w+)", (\w+)\)', source))
    assert len(entries) == 43
    called = {
        f"{streams.prefix(name, tag)}_{way}_many": of
        for name, of in streams.ENTRIES.items()
        for tag in spec.cipher(name).tag_sizes
        for way in ("seal", "open")
    }
    assert set(called) < set(entries)
    for entry, shared in entries.items():
        family = next(f for f in build.OF_C if entry.startswith(f))
        assert hasattr(build.host_library(family), entry), entry
        batch, table = (
            entry.endswith(("_batch", "_warps")),
            entry.endswith(("_ctr", "_sum", "_part")),
        )
        want = gcm_many.BATCH_BYTES if batch else gcm.TABLE_BYTES if table else 0
        want = called[entry].shared_bytes if entry in called else want
        assert int(sizes.get(shared, shared)) == want, entry
