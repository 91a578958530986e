"""The wheel: what it says of itself, and that its AEADs need nothing else."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from email.message import Message
from email.parser import Parser
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

ALONE = """
import sys
from roundworks import aead
from roundworks.errors import InvalidTag

assert sys.prefix in aead.__file__, aead.__file__
for name in set(aead.names()) - {"aether"}:
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


def run(*command: str | Path) -> str:
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """As `make wheel` makes it; the crates are compiled already where `make test` runs."""
    maturin = Path(sys.executable).with_name("maturin")
    if not maturin.exists():
        pytest.skip(f"{maturin} is not there, so no wheel can be built")
    out = tmp_path_factory.mktemp("wheel")
    run(maturin, "build", "--release", "--locked", "--out", out)
    (built,) = out.iterdir()
    return built


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
    assert sorted(metadata.get_all("License-File", [])) == ["LICENSE-APACHE", "LICENSE-MIT"]
    assert "Typing :: Typed" in metadata.get_all("Classifier", [])


@pytest.mark.timeout(1800)
def test_the_types_are_in_it(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    assert {f"roundworks/{f}" for f in ("py.typed", "_native.pyi", "aead.py")} <= names
    assert [n for n in names if n.endswith(".so")] == ["roundworks/_native.abi3.so"]


@pytest.mark.timeout(1800)
def test_installed_alone_it_seals_and_opens(wheel: Path, tmp_path: Path) -> None:
    from roundworks import aead

    run(sys.executable, "-m", "venv", "--without-pip", tmp_path)
    python = tmp_path / "bin" / "python"
    pip = (sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check")
    run(*pip, "install", "--quiet", "--no-index", "--no-deps", wheel)
    sealed = run(python, "-I", "-W", "error", "-c", ALONE).split()
    assert set(sealed) == set(aead.names()) - {"aether"}
