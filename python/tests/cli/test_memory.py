"""What too little memory does: an exception or one line, never an abort."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from roundworks import _native
from roundworks.cli import main
from sealed_files import roundworks

# For a process of its own, which knows its size: what else a machine loads then does not count.
LIMIT = """
import resource, sys

def limit(spare):
    with open("/proc/self/statm") as sizes:
        most = int(sizes.read().split()[0]) * resource.getpagesize() + spare
    resource.setrlimit(resource.RLIMIT_AS, (most, resource.getrlimit(resource.RLIMIT_AS)[1]))
"""
# The data is there before the limit, which leaves space for half of it.
CALLS = """
from roundworks import aead
data, n, out = bytearray(128 << 20), bytes(range(13)), bytearray(1 << 10)
one, many = aead.Minalpher(bytes(16)), [b""] * (6 << 20)
fast, m = aead.Aegis128L(bytes(16)), bytes(16)
sealed = one.encrypt(n, b"text", b"ad")
calls = {
    "encrypt": lambda: fast.encrypt(m, data),
    "decrypt": lambda: fast.decrypt(m, data),
    "encrypt_into": lambda: fast.encrypt_into(m, b"", data, memoryview(out)[:16]),
    "decrypt_into": lambda: fast.decrypt_into(m, bytes(16), data, bytearray()),
    "seal_many": lambda: fast.seal_many([m], [data]),
    "open_many": lambda: fast.open_many([m], [data]),
    "seal_many of many": lambda: fast.seal_many(many, many),
    "encryptor.ad": lambda: one.encryptor(n).ad(data),
    "encryptor.update": lambda: one.encryptor(n).update(data),
    "encryptor.update of a stream": lambda: fast.encryptor(m).update(data),
    "decryptor.ad": lambda: one.decryptor(n).ad(data),
    "decryptor.update": lambda: one.decryptor(n).update(data),
}
"""


@pytest.fixture(autouse=True, scope="module")
def limited() -> None:
    code = LIMIT + "limit(1 << 20)\ntry:\n    bytearray(64 << 20)\nexcept MemoryError:\n    print(1)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    if done.stdout != b"1\n":
        pytest.skip("no limit on memory can be set here")


def run(code: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", LIMIT + CALLS + code], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    return done.stdout.splitlines()


def test_data_larger_than_memory() -> None:
    lines = run("""
limit(64 << 20)
for name, call in calls.items():
    print(name, end=": ", flush=True)
    try:
        call()
    except MemoryError as error:
        print(error)
""")
    assert len(lines) == 12
    for line in lines:
        assert re.search(r": want 1\d{8} bytes, which the system refuses$", line), line


def test_a_message_in_parts_survives() -> None:
    """What did not fit was not taken in; what was before it and comes behind it counts."""
    lines = run("""
limit(64 << 20)
opening = one.decryptor(n)
for take, part in ((opening.ad, b"ad"), (opening.update, sealed[:-16])):
    take(part)
    try:
        take(data)
    except MemoryError:
        print("refused")
print(opening.finalize(sealed[-16:]))
""")
    assert lines == ["refused", "refused", "b'text'"]


@pytest.fixture
def place(tmp_path: Path) -> Path:
    for name, text in (("plain", "data"), ("phrase", "correct horse\n")):
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o600)
    return tmp_path


def with_little(spare: int, *args: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """The command, loaded before the limit."""
    code = """
import roundworks.cli.open, roundworks.cli.seal
from roundworks.cli import main
"""
    argv = [sys.executable, "-c", f"{LIMIT}{code}limit({spare})\nmain()", *args]
    return subprocess.run(argv, cwd=cwd, capture_output=True, text=True, check=False)


def test_a_passphrase_that_takes_more_than_there_is(place: Path) -> None:
    """A header may want 256 MiB before anything of it is verified."""
    done = roundworks("seal", "--passphrase-file", "phrase", "plain", "-o", "sealed", cwd=place)
    assert done.returncode == 0
    header = bytearray((place / "sealed").read_bytes())
    header[64:68] = (256 << 10).to_bytes(4, "little")
    (place / "evil").write_bytes(header)
    before = sorted(path.name for path in place.iterdir())
    for verb, name, kib in (("open", "evil", 256 << 10), ("seal", "plain", 64 << 10)):
        args = (verb, "--passphrase-file", "phrase", name, "-o", "out")
        done = with_little(32 << 20, *args, cwd=place)
        assert done.stderr == (
            f"roundworks: error: {name}: passphrase: want {kib} KiB of memory for Argon2id, which"
            " the system refuses; free some or raise the limit (ulimit -v)\n"
        )
        assert (done.returncode, done.stdout) == (2, "")
    assert sorted(path.name for path in place.iterdir()) == before


def test_any_other_want_of_memory_is_not_exit_1(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Status 1 would say that the file is not authentic."""

    def inspect(path: object) -> None:
        raise MemoryError

    monkeypatch.setattr(_native, "inspect_file", inspect)
    monkeypatch.setattr(sys, "argv", ["roundworks", "inspect", "x"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    assert capsys.readouterr().err == "roundworks: error: out of memory\n"
