"""AES as a programmer writes it from the standard, timed part by part: a Rust program of its own."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from .. import _native, spec
from ..errors import RoundworksError

SOURCE = "crates/roundworks-bench/examples/plain_aes.rs"
PARTS = ("data input", "first step", "repeated step", "last step")
_FLAGS = ("-C", "opt-level=3", "--edition", "2024")


class CompilerMissing(RoundworksError, RuntimeError):
    """There is no Rust compiler to build the program with."""


@dataclass(frozen=True, slots=True)
class AesProfile:
    """Seconds of every part, a value for each sample; ``digest``: XOR of all ciphertexts."""

    blocks: int
    seconds: dict[str, tuple[float, ...]]
    digest: str
    compiler: str

    def median(self, part: str) -> float:
        """Median seconds of one part."""
        return median(self.seconds[part])

    @property
    def whole(self) -> float:
        """Median of the sums of a sample."""
        return median(map(sum, zip(*self.seconds.values(), strict=True)))


def counter_blocks(blocks: int) -> bytes:
    """What is encrypted: block i holds i, least significant byte first."""
    return b"".join(i.to_bytes(16, "little") for i in range(blocks))


def profile(blocks: int, samples: int) -> AesProfile:
    """Encrypt counter blocks under the key 00 01 .. 0f, all of it `samples` times.

    Raises
    ------
    CompilerMissing
        ``rustc: not found; make setup installs it``
    """
    compiler = shutil.which("rustc")
    if compiler is None:
        raise CompilerMissing("rustc: not found; make setup installs it")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "data").write_bytes(counter_blocks(blocks))
        program = folder / "plain_aes"
        _run([compiler, *_FLAGS, "-o", str(program), str(spec.root() / SOURCE)])
        lines = _run([str(program), str(folder / "data"), str(samples)]).splitlines()
        version = _run([compiler, "--version"]).split()[1]
    rows = [line.split() for line in lines]
    if len({row[4] for row in rows}) != 1:
        raise RoundworksError(f"{SOURCE}: its samples give different ciphertexts")
    columns = zip(*(map(float, row[:4]) for row in rows), strict=True)
    seconds = {part: tuple(ns / 1e9 for ns in values) for part, values in zip(PARTS, columns, strict=True)}
    return AesProfile(blocks, seconds, rows[0][4], f"rustc {version} {' '.join(_FLAGS)}")


def clock_ghz(samples: int = 30) -> float | None:
    """The clock of the core we run on, by the add chain; None where no chain is written for it."""
    ns, cycles, _ = _native.bench("aegis-128", "portable", "encrypt", 1024, 0, samples, 0)
    return median(c / n for c, n in zip(cycles, ns, strict=True)) if cycles else None


def _run(argv: list[str]) -> str:
    done = subprocess.run(argv, capture_output=True, text=True)
    if done.returncode:
        words = (done.stderr or done.stdout).strip().splitlines() or ["no words"]
        raise RoundworksError(f"{Path(argv[0]).name}: {words[0]}")
    return done.stdout
