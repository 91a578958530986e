"""C11 of a permutation: blocks in place, several of them interleaved."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from ..lower.rounds import RoundRun, runs
from ..reference import Permutation
from .c import identifier
from .c_context import planes_context, source_lines
from .c_writer import CWriter
from .functions import passes
from .permutations import BLOCKWISE, Lowered, lowered
from .rendering import rendered


def permutation_files(cipher: Permutation[Any], machines: Sequence[str], seed: int) -> dict[str, str]:
    """NAME.c, NAME.h, test.c, vectors.h, Makefile."""
    made, steps = lowered(cipher, machines, BLOCKWISE), runs(cipher)
    sources = source_lines(cipher, made)
    name = identifier(cipher.name)
    context = {
        "name": name,
        "NAME": name.upper(),
        "title": cipher.name,
        "summary": (type(cipher).__doc__ or "").strip().split("\n")[0],
        "cipher": cipher,
        "block": cipher.words * cipher.word_bits // 8,
        "word": cipher.word_bits // 8,
        "backends": [_backend(f, steps, sources, _narrow(f, made)) for f in made],
    }
    out = rendered(
        {
            f"{name}.h": "permutation.h",
            f"{name}.c": "permutation.c",
            "test.c": "test_permutation.c",
            "Makefile": "Makefile",
        },
        context,
    )
    return out | {"vectors.h": _vectors(cipher, seed)}


def _narrow(f: Lowered, made: Sequence[Lowered]) -> str:
    """The last back end of one block a register that a CPU with this one has, for blocks that fill none."""
    machine = f.machine
    names = [m.name for m in (other.machine for other in made) if m.aes and m.lanes == 1 and machine.has(m)]
    return names[-1] if machine.lanes > 1 and names else ""


def _backend(f: Lowered, steps: Sequence[RoundRun], sources: dict[str, str], narrow: str) -> dict[str, Any]:
    routines = passes(f.all())
    writer = CWriter(f.machine, f.layout.parts, sources, routines)
    parts = f.layout.parts
    runs_of = []
    for function, alone, run in zip(f.functions, f.alone, steps, strict=True):
        table = (
            [[v for constant in row for v in f.layout.value(constant)] for row in run.constants]
            if run.constants[0]
            else []
        )
        cells = [
            f"UINT64_C({v:#x})"
            for row in table
            for value in row
            for v in ([value] if f.machine.bits == 64 else [value & (1 << 64) - 1, value >> 64])
        ]
        runs_of.append(
            {
                "name": function.name,
                "alone": alone.name,
                "times": run.times,
                "table": cells,
                "row": len(cells) // run.times if cells else 0,
                "constants": len(run.constants[0]) * parts,
            }
        )
    words = f.cipher.words * parts
    return {
        "name": f.machine.name,
        "bits": f.machine.bits,
        "lanes": f.machine.lanes,
        "planes": planes_context(f.machine, f.slices + f.all()) if f.machine.cell else None,
        "slices": [writer.function(g) for g in f.slices],
        "together": f.together,
        "dialect": writer.dialect,
        "order": f.order,
        "parts": parts,
        "words": words,
        "groups": f.groups,
        "blocks": f.groups * f.machine.lanes,
        "narrow": narrow,
        "functions": [writer.function(g) for g in routines + f.all()],
        "pairs": [writer.function(g, "pair") for g in f.pairs],
        "runs": runs_of,
        "tails": {"k": 0, "n": 0},
    }


def _vectors(cipher: Permutation[Any], seed: int, count: int = 40) -> str:
    rng = random.Random(f"{cipher.name} {seed}")
    size = cipher.words * cipher.word_bits // 8
    rows = []
    for block in (bytes(size), bytes(range(size)), *(rng.randbytes(size) for _ in range(count - 2))):
        rows.append(f'    {{"{block.hex()}", "{cipher.permute(block).hex()}"}},')
    return (
        f"/* Vectors of the description of {cipher.name}, in hexadecimal: a block and its image. */\n"
        "static const char *const vectors[][2] = {\n" + "\n".join(rows) + "\n};\n"
    )
