"""`roundworks seal` and `open`: what they say of whole, damaged and foreign files."""

from __future__ import annotations

import errno
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.kdf.argon2 import Argon2id

from roundworks import _native, spec
from roundworks.errors import InvalidTag, RoundworksError
from roundworks.spec.documents import Document
from sealed_files import CHUNK, HEADER, edited, opened, pattern, resealed, roundworks

DOCUMENT = Document(spec.root() / "spec" / "files" / "cases.json", "sealed-files").data
CASES: list[dict[str, Any]] = DOCUMENT["cases"]
KEY = "roundworks-key-1\n" + "42" * 32 + "\n"
CIPHERS = ", ".join(_native.file_ciphers())
LIMIT_BYTES = 1 << 48


def folder_for_files() -> Path:
    """In memory where there is such a file system: it also takes files of 256 TiB, all holes."""
    memory = Path("/dev/shm")
    return Path(tempfile.mkdtemp(dir=memory if os.access(memory, os.W_OK) else None))


@pytest.fixture(scope="module")
def place() -> Iterator[Path]:
    """A folder with keys, a huge file, and what an output may run into."""
    path = folder_for_files()
    for name, text in {
        "plain": "",
        "key": KEY,
        "other-key": KEY.replace("42", "43"),
        "phrase": "correct horse\n",
        "other-phrase": "correct house\n",
        "long-phrase": "x" * 4097,
    }.items():
        (path / name).write_text(text)
        (path / name).chmod(0o600)
    (path / "folder").mkdir()
    (path / "link").symlink_to("other-key")
    yield path
    shutil.rmtree(path)


@pytest.fixture(scope="module")
def sealed(place: Path) -> Callable[[int, list[str]], tuple[bytes, bytes]]:
    """Sealed bytes of so much data under these options, made once; and those of other data."""
    made: dict[Any, tuple[bytes, bytes]] = {}

    def get(length: int, options: list[str]) -> tuple[bytes, bytes]:
        at = (length, *options)
        if at not in made:
            keys = [] if "--passphrase-file" in options else ["--key", "key"]
            both = []
            for data in (pattern(length), pattern(length + 1)[1:]):
                (place / "plain").write_bytes(data)
                done = roundworks("seal", "plain", "-o", "made", *keys, *options, cwd=place)
                assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
                both.append((place / "made").read_bytes())
                (place / "made").unlink()
            made[at] = (both[0], both[1])
        return made[at]

    return get


def grown(path: Path, size: int) -> None:
    try:
        os.truncate(path, size)
    except OSError as error:
        if error.errno not in (errno.EFBIG, errno.EINVAL):
            raise
        pytest.skip(f"no file of {size} bytes fits this file system")


def test_the_cases_are_counted() -> None:
    assert len(CASES) == DOCUMENT["count"] == len({case["id"] for case in CASES})


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_case(
    case: dict[str, Any], place: Path, sealed: Callable[[int, list[str]], tuple[bytes, bytes]]
) -> None:
    data = pattern(case["data_bytes"])
    (place / "sealed").write_bytes(edited(*sealed(len(data), case["seal"]), case["edits"]))
    (place / "plain").write_bytes(data)
    for edit in case["edits"]:
        if "grow" in edit:
            grown(place / "sealed", edit["grow"])
    (place / "huge").write_bytes(b"")
    if "huge" in case["run"]:
        grown(place / "huge", LIMIT_BYTES + 1)
    (place / "out").unlink(missing_ok=True)  # of a case that failed
    before = sorted(os.listdir(place))
    with open(place / case.get("stdin", os.devnull), "rb") as stdin:
        done = roundworks(*case["run"], cwd=place, stdin=stdin)
    said = case["message"].replace("{ciphers}", CIPHERS)
    message = f"roundworks: error: {said}\n" if case["status"] else ""
    assert (done.stderr.decode(), done.returncode) == (message, case["status"])
    assert done.stdout == data[: case.get("released", 0)]
    if case["status"] == 0 and "released" not in case:
        assert (place / "out").read_bytes() == data
        (place / "out").unlink()
    assert sorted(os.listdir(place)) == before


def test_every_byte_counts(place: Path, tmp_path: Path) -> None:
    """Any byte of a small sealed file changed, in any of two ways, or left out: refused."""
    target, changed = tmp_path / "out", tmp_path / "changed"
    (tmp_path / "plain").write_bytes(pattern(40))
    keys = {"key_file": place / "key", "sync": False}
    _native.seal_file(tmp_path / "plain", changed, **keys)
    good = changed.read_bytes()
    assert len(good) == HEADER + 40 + good[11]
    for at in range(len(good)):
        for mask in (0x01, 0x80):
            changed.write_bytes(good[:at] + bytes([good[at] ^ mask]) + good[at + 1 :])
            with pytest.raises(RoundworksError):
                _native.open_file(changed, target, **keys)
        changed.write_bytes(good[:at])
        with pytest.raises(RoundworksError if at == 0 else InvalidTag):
            _native.open_file(changed, target, **keys)
        assert not target.exists()
    changed.write_bytes(good)
    assert _native.open_file(changed, target, **keys) == 40
    assert target.read_bytes() == pattern(40)


def test_a_signal_is_heard_when_a_file_is_refused(place: Path, tmp_path: Path) -> None:
    """Who tries many files and expects refusals could not be stopped otherwise."""

    def ring(*_: int | None) -> None:
        raise KeyboardInterrupt

    sealed, target = tmp_path / "sealed", tmp_path / "target"
    (tmp_path / "plain").write_bytes(b"x" * 40)
    _native.seal_file(tmp_path / "plain", sealed, key_file=place / "key")
    sealed.write_bytes(sealed.read_bytes()[:-1])
    with pytest.raises(KeyboardInterrupt) as raised:
        _native.open_file(sealed, target, key_file=place / "key", watch=ring)
    assert isinstance(raised.value.__cause__, InvalidTag)
    assert not target.exists()


@pytest.mark.parametrize("cipher", _native.file_ciphers())
def test_the_format_is_as_written(cipher: str, place: Path, tmp_path: Path) -> None:
    """A second reader, from the document, opens what every cipher sealed."""
    for length in (0, 1, CHUNK, 3 * CHUNK + 5):
        (tmp_path / "plain").write_bytes(pattern(length))
        _native.seal_file(
            tmp_path / "plain",
            tmp_path / "out",
            key_file=place / "key",
            cipher=cipher,
            research=True,
            replace=True,
            sync=False,
        )
        sealed = (tmp_path / "out").read_bytes()
        with pytest.warns() if cipher.startswith("aether") else pytest.MonkeyPatch.context():
            assert opened(sealed, b"\x42" * 32) == pattern(length)
            assert resealed(pattern(length), b"\x42" * 32, sealed[:80]) == sealed


def test_a_passphrase_is_argon2id(sealed: Callable[[int, list[str]], tuple[bytes, bytes]]) -> None:
    """Stretched a second time by another library."""
    made, _ = sealed(70000, ["--passphrase-file", "phrase"])
    kdf = Argon2id(salt=made[32:64], length=32, iterations=3, lanes=4, memory_cost=65536)
    assert opened(made, kdf.derive(b"correct horse")) == pattern(70000)


def test_lengths_around_boundaries(place: Path, tmp_path: Path) -> None:
    """Sealing and opening at every length near a boundary of chunks, and of runs of chunks."""
    boundaries = [0, CHUNK, 2 * CHUNK, 7 * CHUNK, 8 * CHUNK, 9 * CHUNK, 16 * CHUNK]
    names = {name: tmp_path / name for name in ("plain", "sealed", "out")}
    keys = {"key_file": place / "key", "sync": False, "replace": True}
    data = pattern(17 * CHUNK)
    for boundary in boundaries:
        for near in (-17, -16, -1, 0, 1, 15, 16, 17):
            length = max(0, boundary + near)
            names["plain"].write_bytes(data[:length])
            written = _native.seal_file(names["plain"], names["sealed"], **keys)
            assert written == names["sealed"].stat().st_size
            facts = _native.inspect_file(names["sealed"])
            assert facts["data_bytes"] == length and facts["file_bytes"] == written
            assert _native.open_file(names["sealed"], names["out"], **keys) == length
            assert names["out"].read_bytes() == data[:length], length


def test_research_only_is_what_spec_calls_study(place: Path, tmp_path: Path) -> None:
    (tmp_path / "plain").write_bytes(b"x")
    for name in _native.file_ciphers():
        files = tmp_path / "plain", tmp_path / name
        if spec.cipher(name).status == "study":
            with pytest.raises(RoundworksError, match="for research only"):
                _native.seal_file(*files, key_file=place / "key", cipher=name)
        else:
            _native.seal_file(*files, key_file=place / "key", cipher=name)
    unpadded = {f.name for f in spec.ciphers() if f.backends and not f.padded}
    assert set(_native.file_ciphers()) == unpadded


def test_two_keys_are_refused(place: Path, tmp_path: Path) -> None:
    for call in (_native.seal_file, _native.open_file):
        with pytest.raises(ValueError, match="^key_file, passphrase_file: want one of them, got both$"):
            call(tmp_path / "in", tmp_path / "out", key_file=place / "key", passphrase_file=place / "key")


def test_two_files_share_nothing(place: Path, tmp_path: Path) -> None:
    """The same data twice under one key: other salt, other key check, other chunks."""
    (tmp_path / "plain").write_bytes(bytes(100))
    both = []
    for name in ("a", "b"):
        _native.seal_file(tmp_path / "plain", tmp_path / name, key_file=place / "key")
        both.append((tmp_path / name).read_bytes())
    assert both[0][:32] == both[1][:32]
    for start, end in ((32, 64), (80, HEADER), (HEADER, HEADER + 100)):
        assert both[0][start:end] != both[1][start:end]


def test_inspect(place: Path, tmp_path: Path) -> None:
    (tmp_path / "plain").write_bytes(pattern(200000))
    done = roundworks("seal", "--passphrase-file", str(place / "phrase"), "plain", "-o", "s", cwd=tmp_path)
    assert done.returncode == 0
    result = roundworks("inspect", "--json", "s", cwd=tmp_path)
    facts = json.loads(result.stdout)
    assert result.returncode == 0 and result.stderr == b""
    sealed = (tmp_path / "s").read_bytes()
    assert facts == {
        "version": 1,
        "cipher": _native.file_ciphers()[0],
        "tag_bytes": sealed[11],
        "chunk_bytes": CHUNK,
        "key": "passphrase",
        "argon2id_memory_kib": 65536,
        "argon2id_passes": 3,
        "argon2id_lanes": 4,
        "salt": sealed[32:64].hex(),
        "key_check": sealed[80:112].hex(),
        "file_bytes": len(sealed),
        "chunks": 4,
        "data_bytes": 200000,
    }
    with (tmp_path / "s").open("rb") as stdin:
        lines = roundworks("inspect", cwd=tmp_path, stdin=stdin).stdout.decode().splitlines()
    assert "key from              passphrase" in lines
    assert "data, bytes           200,000" in lines
