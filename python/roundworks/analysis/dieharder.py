"""Statistics of a counter encrypted by few rounds: tests of dieharder, among them those of NIST's suite. [DIEHARDER]

Every test looks at the same bytes, so their p-values are not independent; the smallest is multiplied by their
number, which holds whatever they depend on.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..bounds import Bound
from ..errors import DescriptionError, ToolMissing
from ..reference import Recording, Roundwise, record_rounds
from ..reference.batch import ArrayWord, in_rows
from ..reference.recordings import merged, run

BYTES = 4 << 20
BLOCKS = 1 << 14  # encrypted together
# Number of dieharder, samples of a test and tests: what `BYTES` are enough for. 100 to 102 are of SP 800-22.
TESTS = ((0, 100, 10), (100, 10_000, 20), (101, 10_000, 20), (102, 10_000, 20), (209, 2_000, 10))
ADVICE = "dieharder: not found; apt-get install dieharder"


@dataclass(frozen=True, slots=True)
class Tested:
    """One p-value, with the name of its test and its parameter."""

    name: str
    p: float


def dieharder(it: Roundwise, rounds: int) -> Iterator[Bound]:
    """For 1 to ``rounds`` rounds the smallest p-value, corrected for the number of p-values.

    Raises
    ------
    ToolMissing
        ``dieharder: not found; apt-get install dieharder``
    DescriptionError
        The state is too small for that many blocks, or not of whole bytes.
    """
    if shutil.which("dieharder") is None:
        raise ToolMissing(ADVICE)
    for count in range(1, rounds + 1):
        started = time.perf_counter()
        tested = run_tests(stream(merged(record_rounds(it, count)), BYTES))
        lowest = min(tested, key=lambda one: one.p)
        shown: dict[str, Any] = {one.name: one.p for one in sorted(tested, key=lambda one: one.p)}
        yield Bound(
            cipher=it.name,
            measure="dieharder",
            rounds=count,
            value=min(1.0, lowest.p * len(tested)),
            unit="p-value",
            side="exact",
            certainty="measured",
            method=f"{BYTES >> 20} MiB of a counter after {count} rounds, keys and blocks random and constant; the"
            f" smallest of {len(tested)} p-values of dieharder times their number [HOLM]",
            witness=shown,
            seconds=time.perf_counter() - started,
        )


def stream(recording: Recording, count: int, seed: int = 1) -> bytes:
    """The first ``count`` bytes of the states after the rounds, the last bytes of the state counting up."""
    nodes = recording.graph.nodes
    if any(node.bits % 8 for node in nodes):
        raise DescriptionError(f"{recording.cipher}: dieharder: want words of whole bytes")
    sizes = {name: nodes[id_].bits // 8 for name, id_ in recording.inputs.items()}
    state = [name for name in recording.inputs if name.startswith("S")]
    width = sum(sizes[name] for name in state)
    blocks = -(-count // width)
    if blocks > 1 << 8 * min(width, 7):
        raise DescriptionError(
            f"{recording.cipher}: dieharder: {width} bytes of state do not count to {blocks}"
        )
    random = np.random.default_rng(seed)
    fixed = {name: random.integers(0, 256, (1, size), np.uint8) for name, size in sizes.items()}
    outputs = [id_ for name, id_ in recording.outputs.items() if name.startswith("S'")]
    parts = []
    for first in range(0, blocks, BLOCKS):
        counter = np.arange(first, min(first + BLOCKS, blocks), dtype=">u8").view(np.uint8).reshape(-1, 8)
        rows = np.zeros((len(counter), max(width, 8)), np.uint8)
        rows[:, -8:] = counter
        rows = rows[:, -width:]
        given, place = {}, 0
        for name, size in sizes.items():
            if name in state:
                given[name], place = rows[:, place : place + size], place + size
            else:
                given[name] = np.repeat(fixed[name], len(counter), axis=0)
        values = run(recording, {name: ArrayWord.from_bytes(part) for name, part in given.items()})
        parts.append(in_rows([values[id_] for id_ in outputs], len(counter)).tobytes())
    return b"".join(parts)[:count]


def run_tests(data: bytes) -> list[Tested]:
    """Every p-value of `TESTS`.

    Raises
    ------
    DescriptionError
        ``dieharder: test 102 read its 1,000 bytes more than once; want more``
    """
    results: list[Tested] = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bytes"
        path.write_bytes(data)
        for number, samples, tests in TESTS:
            words = ["dieharder", "-g", "201", "-f", str(path), "-d", str(number)]
            words += [
                "-t",
                str(samples),
                "-p",
                str(tests),
                "-c",
                ",",
                "-D",
                "test_name",
                "-D",
                "ntuple",
                "-D",
                "pvalues",
            ]
            done = subprocess.run(words, check=False, capture_output=True, text=True)
            said = done.stdout + done.stderr
            if "rewound" in said:
                raise DescriptionError(
                    f"dieharder: test {number} read its {len(data):,} bytes more than once; want more"
                )
            results += _parsed(number, said)
    return results


def _parsed(number: int, text: str) -> Iterator[Tested]:
    lines = [re.split(r"\s*,\s*", line.strip()) for line in text.splitlines() if line.count(",") >= 2]
    for order, (name, parameter, p, *_) in enumerate(lines):
        yield Tested(f"{name} {parameter}" + f" ({order + 1})" * (len(lines) > 1), float(p))
    if not lines:
        raise DescriptionError(f"dieharder: test {number}: no p-value in {text.strip()[-80:]!r}")
