"""Attempts on sealed files: they are cut, changed and mixed, and the programs that make them are killed.

Each tries something in a folder that `prepare` filled, for the n-th time, and returns what went wrong, or nothing.
"""

from __future__ import annotations

import os
import random
import resource
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from .. import _native
from ..errors import RoundworksError
from .refusals import CASES, refusing

HEADER, CHUNK, TAG = 112, 65536, 16  # bytes [docs/reference/files.md]
PROGRAM = (sys.executable, "-c", "from roundworks.cli import main; main()")
_KILLED_MIB = 24  # long enough to be killed at every step of the work


def prepare(folder: Path) -> None:
    """A key, two files of a few chunks and one of a few bytes, each sealed."""
    _native.create_key_file(folder / "key")
    for name, size in (("one", 3 * CHUNK + 1234), ("two", 3 * CHUNK + 1234), ("small", 300)):
        (folder / name).write_bytes(os.urandom(size))
        _native.seal_file(folder / name, folder / f"{name}.sealed", key_file=folder / "key", sync=False)
    (folder / "large").write_bytes(os.urandom(_KILLED_MIB << 20))
    _native.seal_file(folder / "large", folder / "large.sealed", key_file=folder / "key", sync=False)


def _refused(folder: Path, sealed: bytes) -> str:
    """What is wrong unless the file is refused and nothing is written."""
    damaged, out = folder / "damaged", folder / "out"
    damaged.write_bytes(sealed)
    before = set(os.listdir(folder))
    try:
        _native.open_file(damaged, out, key_file=folder / "key", sync=False)
    except RoundworksError:
        left = set(os.listdir(folder)) - before
        for name in left:
            (folder / name).unlink()
        return f"refused, and left {', '.join(sorted(left))}" if left else ""
    out.unlink()
    return "opened"


def flip_bit(rng: random.Random, folder: Path, number: int) -> str:
    """Change one bit of a sealed file; it is refused."""
    sealed = bytearray((folder / "one.sealed").read_bytes())
    bit = rng.randrange(8 * len(sealed))
    sealed[bit // 8] ^= 1 << bit % 8
    return (why := _refused(folder, bytes(sealed))) and f"bit {bit}: {why}"


def truncate(rng: random.Random, folder: Path, number: int) -> str:
    """Keep only the first bytes of a sealed file; it is refused."""
    sealed = (folder / "small.sealed").read_bytes()
    length = 7 * number % len(sealed)  # every length comes once
    return (why := _refused(folder, sealed[:length])) and f"{length} bytes: {why}"


def mix_chunks(rng: random.Random, folder: Path, number: int) -> str:
    """Chunks dropped, doubled, exchanged, or taken from another file under the same key."""
    one, two = ((folder / f"{name}.sealed").read_bytes() for name in ("one", "two"))
    cut = [[s[at : at + CHUNK + TAG] for at in range(HEADER, len(s), CHUNK + TAG)] for s in (one, two)]
    own, foreign = cut
    while True:
        chunks = [rng.choice((own, own, foreign))[rng.randrange(len(own))] for _ in range(rng.randint(0, 6))]
        if chunks != own:
            break
    header = one[:HEADER]
    return (why := _refused(folder, header + b"".join(chunks))) and f"{len(chunks)} chunks: {why}"


def kill(verb: str, rng: random.Random, folder: Path, number: int) -> str:
    """A program killed at a random moment leaves nothing, or everything."""
    source = folder / ("large" if verb == "seal" else "large.sealed")
    out, before = folder / "killed", set(os.listdir(folder))
    words = (*PROGRAM, verb, "--key", "key", source.name, "-o", out.name)
    process = subprocess.Popen(words, cwd=folder, stderr=subprocess.DEVNULL)
    try:
        process.wait(rng.uniform(0, 0.5))
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        process.wait()
    left = set(os.listdir(folder)) - before
    why = ""
    if out.name in left:
        if verb == "open":
            why = "" if out.read_bytes() == (folder / "large").read_bytes() else "half an output"
        else:
            _native.open_file(out, folder / "again", key_file=folder / "key", sync=False)
            (folder / "again").unlink()
    if left - {out.name}:
        why = f"left {', '.join(sorted(left))}"
    for name in left:
        (folder / name).unlink()
    return why


# Below these Python itself does not start: 96 KiB of stack, five file descriptors.
_LIMITS = (
    (resource.RLIMIT_NOFILE, (5, 6, 8)),
    (resource.RLIMIT_STACK, (96 << 10, 128 << 10, 1 << 20)),
    (resource.RLIMIT_FSIZE, (0, 1000, 1 << 20)),
    (resource.RLIMIT_AS, (200 << 20, 400 << 20, 1 << 30)),
)


def limit_resources(rng: random.Random, folder: Path, number: int) -> str:
    """Under a limit of the system: the whole output, or an error of one line and none."""
    which, values = rng.choice(_LIMITS)
    value = rng.choice(values)
    verb, source = rng.choice((("seal", "large"), ("open", "large.sealed")))
    words = (*PROGRAM, verb, "--key", "key", source, "-o", "limited")
    done = _run(words, folder, lambda: resource.setrlimit(which, (value, value)))
    return (why := _half(done, folder, "limited")) and f"limit {which} of {value}, {verb}: {why}"


def _run(words: Sequence[str], folder: Path, first: Callable[[], object]) -> subprocess.CompletedProcess[str]:
    """Run a program that calls ``first`` before it begins, and leaves no compiled Python behind."""
    env = os.environ | {"PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        words, cwd=folder, check=False, capture_output=True, text=True, env=env, preexec_fn=first
    )


def _half(done: subprocess.CompletedProcess[str], folder: Path, name: str) -> str:
    """What is wrong unless a program made its output, or none and an error of one line."""
    is_there = (folder / name).exists()
    (folder / name).unlink(missing_ok=True)
    if (done.returncode == 0) == is_there and (is_there or len(done.stderr.splitlines()) == 1):
        return ""
    return f"status {done.returncode}, {done.stderr.strip()[-200:]!r}"


def damage_disk(rng: random.Random, folder: Path, number: int) -> str:
    """On a disk that is full, damaged or read-only: an error of one line, no output and nothing else."""
    what, error, calls = CASES[number % len(CASES)]
    verb, source = rng.choice((("seal", "one"), ("open", "one.sealed"), ("seal", "small"), ("keygen", "")))
    words = [*PROGRAM, *(("keygen", "refused") if verb == "keygen" else ())]
    if verb != "keygen":
        words += [verb, "--key", "key", source, "-o", "refused"]
    before = set(os.listdir(folder))
    try:
        done = _run(words, folder, refusing(error, calls))
    except subprocess.SubprocessError:
        raise RoundworksError("a filter of system calls cannot be set here") from None
    why = _half(done, folder, "refused")
    if not why and done.returncode == 0:
        why = "no error"
    left = set(os.listdir(folder)) - before
    for name in left:
        (folder / name).unlink()
    why += f"left {', '.join(sorted(left))}" * bool(left)
    return why and f"{what}, {verb}: {why}"


def _opens_to(folder: Path, sealed: str, wanted: Sequence[str]) -> str:
    """What is wrong unless a sealed file has the content of one of these."""
    try:
        _native.open_file(folder / sealed, folder / "opened", key_file=folder / "key", sync=False)
    except RoundworksError as error:
        return f"refused: {error}"
    opened = (folder / "opened").read_bytes()
    (folder / "opened").unlink()
    return "" if any(opened == (folder / name).read_bytes() for name in wanted) else "another content"


def write_twice(rng: random.Random, folder: Path, number: int) -> str:
    """Two programs seal two files to one name at a time: the name is one of both, whole, and nothing else is left."""
    before, force = set(os.listdir(folder)), rng.random() < 0.5
    words = [
        [*PROGRAM, "seal", "--key", "key", name, "-o", "both"] + ["-f"] * force for name in ("one", "two")
    ]
    started = [subprocess.Popen(each, cwd=folder, stderr=subprocess.DEVNULL) for each in words]
    ended = [process.wait() for process in started]
    if ended != [0, 0] if force else sorted(ended) != [0, 2]:
        why = f"status {ended[0]} and {ended[1]}"
    else:
        wanted = [name for name, status in zip(("one", "two"), ended, strict=True) if status == 0]
        why = _opens_to(folder, "both", wanted)
    left = set(os.listdir(folder)) - before - {"both"}
    for name in left | {"both"}:
        (folder / name).unlink(missing_ok=True)
    return why + f"left {', '.join(sorted(left))}" * bool(left)
