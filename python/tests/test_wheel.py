"""The wheel: what it says of itself, and that it works where nothing else is."""

from __future__ import annotations

import struct
import sysconfig
import zipfile
from email.message import Message
from email.parser import Parser
from pathlib import Path

import pytest

from wheels import build, install, run

ALONE = """
import sys
from roundworks import aead
from roundworks.errors import InvalidTag

assert sys.prefix in aead.__file__, aead.__file__
for name in set(aead.names()) - {"aether", "aether-lb"}:
    cls = aead.get(name)
    cipher, nonce = cls(cls.generate_key()), bytes(cls.NONCE_BYTES)
    sealed = cipher.encrypt(nonce, b"attack at dawn", b"header")
    assert cipher.decrypt(nonce, sealed, b"header") == b"attack at dawn"
    try:
        cipher.decrypt(nonce, sealed, b"Header")
    except InvalidTag:
        print(name)
loaded = {name.split(".")[0] for name in sys.modules} - set(sys.stdlib_module_names)
assert {m for m in loaded if not m.startswith("_")} == {"roundworks"}, loaded
"""


# What others wrote is found where these tests run; the package is the installed one.
DATA = """
from pathlib import Path
from roundworks import cache, reference, spec
from roundworks.errors import HardwareError
from roundworks.hardware import cores
from roundworks.hardware.generate import rav
from roundworks.hardware.generate import netlists
from roundworks.reproduce import source_lines

package = Path(spec.__file__).parents[1]
assert spec.root() == package / "data" and spec.checkout() is None, spec.root()
assert cache.home() == Path.cwd() / "cache" / "roundworks" / "hw", cache.home()
print(spec.check_all())
print(len(cores.cores()), source_lines.rust_total())
for write in (netlists.write, rav.write):
    try:
        print(write())
    except HardwareError as error:
        print(error)
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def metadata(wheel: Path) -> Message:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = [n for n in archive.namelist() if n.endswith(".dist-info/METADATA")]
        return Parser().parsestr(archive.read(name).decode())


@pytest.mark.timeout(1800)
def test_one_wheel_for_every_python(wheel: Path, metadata: Message) -> None:
    name, version, python, abi, _platform = wheel.stem.split("-")
    assert (name, python, abi) == ("roundworks", "cp311", "abi3")
    assert metadata["Name"] == "roundworks" and metadata["Version"] == version
    assert metadata["License-Expression"] == "Apache-2.0 OR MIT"
    assert metadata["Requires-Python"] == ">=3.11"
    licences = ["LICENSE-APACHE", "LICENSE-MIT", "LICENSE-THIRD-PARTY"]
    assert sorted(metadata.get_all("License-File", [])) == licences
    assert "Typing :: Typed" in metadata.get_all("Classifier", [])


@pytest.mark.timeout(1800)
def test_the_types_are_in_it(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    assert {f"roundworks/{f}" for f in ("py.typed", "_native.pyi", "aead.py")} <= names
    assert [n for n in names if n.endswith(".so")] == ["roundworks/_native.abi3.so"]


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return install(wheel, tmp_path_factory.mktemp("alone"))


@pytest.mark.timeout(1800)
def test_the_data_are_in_it(wheel: Path) -> None:
    from roundworks.bench import plain_aes

    tracked = run("git", "ls-files", "spec", "rtl", "kernels").split()
    wanted = {f"roundworks/data/{name}" for name in (*tracked, plain_aes.SOURCE)}
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    assert len(wanted) > 200
    assert wanted == {n for n in names if n.startswith("roundworks/data/")}
    assert not [n for n in names if "__pycache__" in n or n.endswith(".pyc")]


@pytest.mark.timeout(1800)
def test_the_native_module_is_stripped(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        module = archive.read("roundworks/_native.abi3.so")
    (table,) = struct.unpack_from("<Q", module, 40)  # of a 64-bit ELF header
    size, count, names = struct.unpack_from("<HHH", module, 58)
    (start,) = struct.unpack_from("<Q", module, table + names * size + 24)
    sections = {
        module[start + at : module.index(b"\0", start + at)].decode()
        for (at,) in (struct.unpack_from("<I", module, table + i * size) for i in range(count))
    }
    assert ".text" in sections
    assert not {s for s in sections if s == ".symtab" or s.startswith(".debug")}
    assert len(module) < 12 << 20


@pytest.mark.timeout(1800)
def test_installed_it_reads_its_own_data(python: Path, tmp_path: Path) -> None:
    others = sysconfig.get_path("purelib")
    env = {"PYTHONPATH": others, "XDG_CACHE_HOME": str(tmp_path / "cache")}
    spec_line, counts, *refused = run(python, "-c", DATA, cwd=tmp_path, env=env).splitlines()
    assert spec_line.startswith("spec: ")
    assert int(counts.split()[0]) > 10 and int(counts.split()[1]) > 50
    assert refused == [
        f"{folder}: want a checkout to write to, got an installed package;"
        " run it from a checkout, or set ROUNDWORKS_HOME to one"
        for folder in ("rtl/aes", "rtl")
    ]
    assert not any(tmp_path.iterdir()), "nothing is written by reading"


@pytest.mark.timeout(1800)
def test_installed_alone_it_seals_and_opens(python: Path) -> None:
    from roundworks import aead

    sealed = run(python, "-I", "-W", "error", "-c", ALONE).split()
    assert set(sealed) == set(aead.names()) - {"aether", "aether-lb"}
