"""Speed of the large permutations: one block, and many in a call, interleaved. [AESNI-PERM,
section 5]

A name may carry rounds: those of the paper here, and in `roundworks fastest` those at which S-boxes
that are counted once reach what the paper wants, which is the speed that a designer gets.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from .. import _native, spec
from ..errors import RoundworksError
from ..permutations import Permutation, names
from .compiled import CompiledPermutation

PAPER = "aesni-permutations"
# What the paper's rows of other designs are here: with its rounds.
_OTHERS = {
    ("Simpira-2", 32): "simpira-2:8",
    ("Simpira-4", 64): "simpira-4:10",
    ("Haraka v2", 32): "haraka-256:3.5",
    ("Haraka v2", 64): "haraka-512:4.5",
    ("Pholkos", 32): "pholkos-256:3.5",
    ("Pholkos", 64): "pholkos-512:4.5",
}
BATCHES = (4, 8, 16, 64)
GENERATED = "generated"
GENERATED_WAYS = (("generated-call", 1), ("generated-many", BATCHES[-1]))
_WINDOW_NS = 200_000


@dataclass(frozen=True, slots=True)
class PermutationSubject:
    """A permutation on one back end, in one way of calling it."""

    permutation: str
    backend: str
    operation: str
    way: str
    blocks: int


@dataclass(frozen=True, slots=True)
class OwnPermutation:
    """What the core does not have: its rounds, and a block's image by its description."""

    rounds: int
    permute: Callable[[bytes], bytes]


def core_name(row: str, block_bytes: int) -> str:
    """A row of the paper's tables 6 to 9, as the Rust core names it."""
    if (row, block_bytes) in _OTHERS:
        return _OTHERS[row, block_bytes]
    return f"feistel{8 * block_bytes}:{row.strip('()').replace(' ', '')}"


def standard() -> list[str]:
    """Every permutation with its own rounds, and with those of the paper."""
    result = names()
    for number, size in (("6", 32), ("8", 64)):
        result += [core_name(row.name, size) for row in spec.paper(PAPER).table(number).rows]
    return list(dict.fromkeys(result))


def subjects(chosen: Sequence[str], backends: Sequence[str] = ()) -> list[PermutationSubject]:
    """One block by both ways, batches, and the inverse, on each back end that runs here."""
    here = [b for b in Permutation.backends() if not backends or b in backends]
    results = []
    for name in chosen:
        for backend in here:
            for operation in ("permute", "inverse"):
                results += [PermutationSubject(name, backend, operation, way, 1) for way in ("chain", "call")]
                batches = BATCHES if operation == "permute" else BATCHES[-1:]
                results += [PermutationSubject(name, backend, operation, "many", n) for n in batches]
    return results


def generated_subjects(
    programs: Mapping[str, CompiledPermutation], compared: Sequence[str], backends: Sequence[str] = ()
) -> list[PermutationSubject]:
    """One block and many, of generated code and of the core, on each back end that runs here."""
    results = []
    for name, program in programs.items():
        for backend in program.backends():
            if not backends or backend in backends:
                results += [PermutationSubject(name, backend, "permute", w, n) for w, n in GENERATED_WAYS]
    for name in compared:
        for backend in Permutation.backends():
            if not backends or backend in backends:
                results += [
                    PermutationSubject(name, backend, "permute", w, n)
                    for w, n in (("call", 1), ("many", BATCHES[-1]))
                ]
    return results


def measure(
    chosen: Sequence[PermutationSubject],
    *,
    samples: int,
    progress: Callable[[int, int], object] | None = None,
    programs: Mapping[str, CompiledPermutation] | None = None,
    own: Mapping[str, OwnPermutation] | None = None,
) -> list[dict[str, Any]]:
    """Fields of one row for each, without the run; interleaved, a few windows at a time. `programs` are
    generated code by permutation, compared before it is measured with the core, or with what `own` has."""
    programs, own = programs or {}, own or {}
    taken: list[tuple[list[float], list[float], float]] = [([], [], 0.0) for _ in chosen]
    for s in chosen:
        if s.way.startswith(GENERATED):
            _check_generated(s, programs[s.permutation], own.get(s.permutation))
    core = [place for place, s in enumerate(chosen) if not s.way.startswith(GENERATED)]
    given = [
        (s.permutation, s.backend, s.operation == "inverse", s.way, s.blocks)
        for s in (chosen[place] for place in core)
    ]
    step = 3
    for done in range(0, samples, step):
        count = min(step, samples - done)
        result = list(zip(core, _native.bench_permutations(given, count, _WINDOW_NS), strict=True))
        for place, s in enumerate(chosen):
            if s.way.startswith(GENERATED):
                started = time.perf_counter()
                ns, cycles = programs[s.permutation].sample(s.backend, s.blocks, count, _WINDOW_NS)
                result.append((place, (ns, cycles, time.perf_counter() - started)))
        for place, (ns, cycles, seconds) in result:
            before = taken[place]
            taken[place] = (before[0] + ns, before[1] + cycles, before[2] + seconds)
        if progress:
            progress(min(done + step, samples), samples)
    rows = []
    for s, (ns, cycles, seconds) in zip(chosen, taken, strict=True):
        if s.permutation in own:
            rounds: float = own[s.permutation].rounds
            block_bytes = programs[s.permutation].block_bytes
        else:
            permutation = Permutation(s.permutation)
            rounds, block_bytes = permutation.rounds, permutation.block_bytes
        rows.append(
            {
                **asdict(s),
                "rounds": rounds,
                "block_bytes": block_bytes,
                "samples_ns": [round(x, 3) for x in ns],
                "samples_cycles": [round(x, 3) for x in cycles],
                "seconds": seconds,
            }
        )
    return rows


def _check_generated(s: PermutationSubject, program: CompiledPermutation, own: OwnPermutation | None) -> None:
    data = bytes(i * 7 & 0xFF for i in range(BATCHES[-1] * program.block_bytes))
    images = bytearray(data)
    if own is None:
        Permutation(s.permutation).permute(memoryview(images).cast("B", (BATCHES[-1], program.block_bytes)))
    else:
        size = program.block_bytes
        images = bytearray().join(own.permute(data[i : i + size]) for i in range(0, len(data), size))
    if program.permute(s.backend, data) != images:
        than = "the description" if own else "the core"
        raise RoundworksError(f"{s.permutation}/{s.backend}: generated code gives other blocks than {than}")
