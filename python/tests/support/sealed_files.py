"""Sealed files taken apart and made wrong, and the format read a second time, from docs/reference/files.md."""

from __future__ import annotations

import hashlib
import hmac
import os
import pty
import select
import subprocess
import sys
from pathlib import Path
from typing import Any

from roundworks import _native, aead

HEADER, CHUNK = 112, 65536


def pattern(length: int) -> bytes:
    """Bytes without a period that a chunk could hide."""
    return hashlib.shake_256(b"roundworks").digest(length)


def roundworks(*args: str, cwd: Path, stdin: Any = subprocess.DEVNULL, **more: Any) -> Any:
    """The command as a shell runs it."""
    environment = {k: v for k, v in os.environ.items() if k != "ROUNDWORKS_PASSPHRASE"}
    return subprocess.run(
        command(*args),
        cwd=cwd,
        stdin=stdin,
        capture_output=True,
        check=False,
        env=environment | more.pop("env", {}),
        **more,
    )


def command(*args: str) -> list[str]:
    return [sys.executable, "-c", "from roundworks.cli import main; main()", *args]


def chunks_of(sealed: bytes) -> list[bytes]:
    whole = CHUNK + sealed[11]
    return [sealed[at : at + whole] for at in range(HEADER, len(sealed), whole)]


def edited(sealed: bytes, other: bytes, edits: list[dict[str, Any]]) -> bytes:
    """`sealed` after the edits of a case; `other` lends its chunks. Growing is left to the file."""
    for edit in edits:
        ((what, how),) = edit.items()
        if what == "flip":
            part, number, byte, bit = how
            chunks = [sealed[:HEADER], *chunks_of(sealed)]
            chunk = bytearray(chunks[0 if part == "header" else 1 + number])
            chunk[byte] ^= 1 << bit
            chunks[0 if part == "header" else 1 + number] = bytes(chunk)
            sealed = b"".join(chunks)
        elif what == "put":
            at, new = how[0], bytes.fromhex(how[1])
            sealed = sealed[:at] + new + sealed[at + len(new) :]
        elif what == "chunks":
            sealed = sealed[:HEADER] + b"".join(chunks_of(sealed)[i] for i in how)
        elif what == "borrow":
            chunks = chunks_of(sealed)
            chunks[how] = chunks_of(other)[how]
            sealed = sealed[:HEADER] + b"".join(chunks)
        elif what == "keep":
            sealed = sealed[:how]
        elif what == "append":
            sealed += bytes.fromhex(how)
        elif what == "replace":
            sealed = bytes.fromhex(how)
        else:
            assert what == "grow", what
    return sealed


class SecondReader:
    """The format once more, by docs/reference/files.md and with nothing of the engine but its cipher."""

    def __init__(self, bound: bytes, secret: bytes) -> None:
        """`bound` is the header without its key check."""
        assert bound[:10] == b"\x89RWK\r\n\x1a\n\x01\x00" and len(bound) == 80
        self.bound = bound
        self.root = hmac.digest(bound[32:64], secret, "sha256")
        cipher = aead.get(bound[12:28].rstrip(b"\0").decode())
        assert bound[11] == cipher.TAG_BYTES
        self.cipher = cipher(self.expand(b"cipher key", cipher.KEY_BYTES))
        self.prefix = self.expand(b"nonce prefix", 64)[: cipher.NONCE_BYTES - 9]
        self.check = self.expand(b"key check", 32)

    def expand(self, label: bytes, length: int) -> bytes:
        info, made, block = b"roundworks file 1, " + label + b"\0" + self.bound, b"", b""
        while len(made) < length:
            number = bytes([len(made) // 32 + 1])
            block = hmac.digest(self.root, block + info + number, "sha256")
            made += block
        return made[:length]

    def nonce(self, index: int, last: bool) -> bytes:
        return self.prefix + index.to_bytes(8, "big") + bytes([last])


def opened(sealed: bytes, secret: bytes) -> bytes:
    """The data of a sealed file."""
    reader = SecondReader(sealed[:80], secret)
    assert reader.check == sealed[80:HEADER]
    chunks = chunks_of(sealed)
    return b"".join(
        reader.cipher.decrypt(reader.nonce(index, index + 1 == len(chunks)), chunk)
        for index, chunk in enumerate(chunks)
    )


def resealed(data: bytes, secret: bytes, bound: bytes) -> bytes:
    """The one sealed file of this data with this header."""
    reader = SecondReader(bound, secret)
    chunks = [data[at : at + CHUNK] for at in range(0, len(data), CHUNK)] or [b""]
    return (bound + reader.check) + b"".join(
        reader.cipher.encrypt(reader.nonce(index, index + 1 == len(chunks)), chunk)
        for index, chunk in enumerate(chunks)
    )


KEY = "roundworks-key-1\n" + "42" * 32 + "\n"


def sealed(place: Path, length: int) -> bytes:
    (place / "plain").write_bytes(pattern(length))
    _native.seal_file(place / "plain", place / "sealed", key_file=place / "key", sync=False)
    return (place / "sealed").read_bytes()


def started(*args: str, cwd: Path, **more: object) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        command(*args), cwd=cwd, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more
    )  # type: ignore[call-overload, no-any-return]


def at_a_terminal(place: Path, typed: list[bytes], *args: str) -> tuple[int, str]:
    """Run with a terminal of its own; one line is typed at each prompt. Status, screen."""
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(place)
        os.execvp(command()[0], command(*args))
    screen, lines = b"", list(typed)
    while select.select([terminal], [], [], 60)[0]:
        try:
            actual = os.read(terminal, 4096)
        except OSError:  # the other end is closed
            break
        if not actual:
            break
        screen += actual
        if screen.endswith(b": ") and lines:
            os.write(terminal, lines.pop(0))
    os.close(terminal)
    _, status = os.waitpid(child, 0)
    assert not lines
    return os.waitstatus_to_exitcode(status), screen.decode().replace("\r\n", "\n")
