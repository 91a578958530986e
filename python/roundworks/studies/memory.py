"""Secrets that a process leaves in its memory after use, as a core dump would show them."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from ..errors import RoundworksError
from ..reference import StreamAead, get
from ..reference.areion_opp import Opp
from ..reference.minalpher import FLAG_AD, FLAG_MAC, FLAG_MESSAGE, Minalpher

_PROGRAM = """
import sys
name, backend, how = sys.argv[1:4]
a, b = map(int, sys.argv[4:])
from roundworks import aead
kind = next(k for k in vars(aead).values() if isinstance(k, type) and getattr(k, "NAME", "") == name)
key, nonce = bytearray(kind.KEY_BYTES), bytearray(kind.NONCE_BYTES)
# Byte for byte, so that no other object ever holds it.
for i in range(len(key)):
    key[i] = (a * (i + 1) >> 7) & 255
for i in range(len(nonce)):
    nonce[i] = (b * (i + 1) >> 7) & 255
cipher = kind(key, backend=backend)
sealed = cipher.encrypt(nonce, b"m" * 100, b"a" * 50)
assert cipher.decrypt(nonce, sealed, b"a" * 50) == b"m" * 100
if "incremental" in how:
    encryptor = cipher.encryptor(nonce)
    encryptor.update(b"m" * 70)
    encryptor.finalize()
    del encryptor
del cipher
if "keep" not in how:
    for i in range(len(key)):
        key[i] = 0
print("ready", flush=True)
sys.stdin.read()
"""


def bytes_from(seed: int, count: int) -> bytes:
    """What the program computes, byte after byte."""
    return bytes(seed * (i + 1) >> 7 & 255 for i in range(count))


def secrets_of(name: str, key: bytes, nonce: bytes) -> dict[str, bytes]:
    """The key, and what a cipher derives of it before the first block: words of the state, or masks."""
    cipher = get(name)
    secrets = {f"key, from byte {at}": key[at : at + 16] for at in range(0, len(key), 16)}
    if isinstance(cipher, StreamAead):
        for i, word in enumerate(cipher.start(cipher.split(key), cipher.split(nonce))):
            secrets[f"state word {i}"] = cipher.join([word])
    elif isinstance(cipher, Minalpher):
        for what, flag, given in (
            ("message", FLAG_MESSAGE, nonce),
            ("associated data", FLAG_AD, bytes(13)),
            ("MAC", FLAG_MAC, bytes(13)),
        ):
            secrets[f"mask of {what}"] = cipher.mask(key, flag, given).to_bytes(32, "big")
    elif isinstance(cipher, Opp):
        secrets["mask"] = cipher.bytes_of(cipher.mask(key, nonce))
    return secrets


def left_in(pid: int, secrets: Mapping[str, bytes]) -> list[str]:
    """The secrets that are in memory which a process may write, as a core dump has it.

    Raises
    ------
    RoundworksError
        ``process 12: its memory cannot be read``
    """
    seen = []
    try:
        lines = Path(f"/proc/{pid}/maps").read_text().splitlines()
        with Path(f"/proc/{pid}/mem").open("rb", 0) as memory:
            for line in lines:
                span, rights, *_ = line.split()
                if "w" not in rights or line.endswith("[vvar]"):
                    continue
                first, last = (int(x, 16) for x in span.split("-"))
                memory.seek(first)
                data = memory.read(last - first)
                place = line.split(None, 5)[5] if len(line.split(None, 5)) > 5 else "heap"
                seen += [f"{name}, in {place}" for name, secret in secrets.items() if secret in data]
    except OSError as error:
        raise RoundworksError(f"process {pid}: its memory cannot be read: {error.strerror}") from None
    return seen


def python_leaves(
    name: str, backend: str, rng: random.Random, *, incremental: bool = True, keep: bool = False
) -> list[str]:
    """What a Python program leaves that sealed, opened, sealed incrementally if wanted, and wiped its own key.

    With ``keep`` the program does not wipe its key, so that the key must be seen.
    """
    a, b = (rng.getrandbits(40) | 1 << 39 for _ in range(2))
    cipher = get(name)
    secrets = secrets_of(name, bytes_from(a, cipher.key_bytes), bytes_from(b, cipher.nonce_bytes))
    how = "-" + "incremental" * incremental + "keep" * keep
    command = [sys.executable, "-c", _PROGRAM, name, backend, how, str(a), str(b)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as child:
        try:
            assert child.stdout is not None
            if child.stdout.readline() != "ready\n":
                raise RoundworksError(f"{name}, {backend}: the program failed")
            return left_in(child.pid, secrets)
        finally:
            child.kill()
