"""C11 of a permutation: blocks in place, several of them interleaved."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from ..lower.rounds import RoundRun, runs
from ..reference import Permutation
from .c import Writer, identifier, rendered, source_lines
from .c_text import DIALECTS
from .permutations import REGISTERS, Lowered, lowered


def permutation_files(cipher: Permutation[Any], machines: Sequence[str], seed: int) -> dict[str, str]:
    """NAME.c, NAME.h, test.c, vectors.h, Makefile."""
    made, steps = lowered(cipher, machines), runs(cipher)
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
        "backends": [_backend(f, steps, sources) for f in made],
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


def _backend(f: Lowered, steps: Sequence[RoundRun], sources: dict[str, str]) -> dict[str, Any]:
    writer = Writer(f.machine, f.layout.parts, sources)
    parts = f.layout.parts
    runs_of = []
    for function, run in zip(f.functions, steps, strict=True):
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
        "lanes": 1,
        "dialect": DIALECTS[f.machine.name],
        "order": f.order,
        "parts": parts,
        "words": words,
        "blocks": max(1, REGISTERS // words) if f.machine.bits == 128 else 1,
        "functions": [writer.function(g) for g in f.functions],
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
