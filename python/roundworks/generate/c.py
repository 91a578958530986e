"""C11 of a description: one source file, one header, a test program with vectors, a Makefile.

Every operation of a lowered program is one line of C, so that the file itself can be read back and
proven (``proof``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..lower.plan import Plan
from ..lower.steps import is_round
from ..reference import Permutation, StreamAead
from . import names
from .c_context import (
    WAYS,
    in_registers,
    length_context,
    length_halves,
    length_limit,
    padding_context,
    planes_context,
    source_lines,
    stack_bytes,
    ways_stack_bytes,
)
from .c_writer import CWriter
from .functions import Functions, lowered_stream, passes, prove_stream, words_of
from .permutations import prove_permutation
from .read_c import bodies
from .rendering import rendered
from .vectors import vectors
from .write import run

Cipher = StreamAead[Any] | Permutation[Any]


def files(cipher: Cipher, machines: Sequence[str] = (), seed: int = 0) -> dict[str, str]:
    """The files of a cipher by name: NAME.c, NAME.h, test.c, vectors.h, Makefile.

    Parameters
    ----------
    machines
        Names of `lower.machines.MACHINES`; all that can have the cipher, unless given.
    """
    if isinstance(cipher, Permutation):
        from .c_permutation import permutation_files

        return permutation_files(cipher, machines, seed)
    learned, made = lowered_stream(cipher, machines)
    return _render(learned, made, seed)


def prove(cipher: Cipher, made: Mapping[str, str]) -> dict[str, Any]:
    """Prove every straight-line function of the C file equal to its part of the description.

    The text is read back, executed symbolically and compared, see `lower.proof`; nothing else of the
    file (loops, lengths, padding) is proven, the test program compares that.

    Returns
    -------
    dict
        ``machine -> {function: {"operations": n, "cuts": n}}``.

    Raises
    ------
    NotEqual
        ``update: toy.py:17: bit 3 of the program differs from the description``
    """
    text = made[f"{identifier(cipher.name)}.c"]
    if isinstance(cipher, Permutation):
        return prove_permutation(cipher, bodies(text))
    return prove_stream(cipher, bodies(text))


def identifier(name: str) -> str:
    """A cipher's name as an identifier of C, which its files have, too."""
    return names.identifier(name, "c")


def _render(learned: Plan, made: Sequence[Functions], seed: int) -> dict[str, str]:
    cipher = learned.cipher
    sizes = words_of(learned)
    sources = source_lines(cipher, made)
    name = identifier(cipher.name)
    last = not is_round(learned.last)
    context = {
        "name": name,
        "NAME": name.upper(),
        "past": " " * len(name),  # arguments on a second line begin where those on the first do
        "title": cipher.name,
        "summary": (type(cipher).__doc__ or "").strip().split("\n")[0],
        "warning": "\n * ".join(filter(None, [cipher.warning, *length_limit(learned)])),
        "cipher": cipher,
        "key": cipher.key_bytes,
        "nonce": cipher.nonce_bytes,
        "tag": cipher.tag_bytes,
        "rate": cipher.rate_bytes,
        "word": cipher.word_bytes,
        "sizes": sizes,
        "backends": [_backend(learned, f, sources) for f in made],
        "state": max(f.limbs(cipher.words) for f in made),
        "padding": padding_context(learned.message_padding, cipher.rate_bytes),
        "ad_padding": padding_context(learned.ad_padding, cipher.rate_bytes),
        "has_last": last,
        "lengths": [length_context(word) for word in learned.lengths],
        "ways": WAYS,
        "halves": length_halves([length_context(word) for word in learned.lengths]),
        "keyed": any("k" in m.arrays("finalise") for m in made),
    }
    templates = {
        f"{name}.h": "aead.h",
        f"{name}.c": "aead.c",
        "test.c": "test_aead.c",
        "Makefile": "Makefile",
    }
    return rendered(templates, context) | {"vectors.h": vectors(cipher, seed)}


def _backend(learned: Plan, f: Functions, sources: Mapping[str, str]) -> dict[str, Any]:
    cipher = learned.cipher
    routines = passes(f.all())
    parts = f.machine.layout(cipher.word_bits, f.order).parts
    writer = CWriter(f.machine, parts, sources, routines, in_order=True)
    size = cipher.word_bytes
    pairs = [writer.function(f.pair, "pair")] if f.pair else []
    calls = {
        "seal_pair": writer.call(f.pair) if f.pair else "",
        "load": writer.call(f.straight["load"]),
        "round": writer.call(f.straight["update"]),
        "seal": writer.call(f.straight["seal_block"]),
        "open": "" if f.straight["open_block"].parts else writer.call(f.straight["open_block"]),
        "keystream": writer.call(f.straight["keystream"]),
        "tag": writer.call(f.straight["tag"]),
        **{name: writer.step(f, name, " " * (8 if name == "absorb" else 4)) for name in f.steps},
    }
    functions = [
        g for g in routines + f.all() if not g.empty and (not g.parts or g.name in writer.called_whole)
    ]
    return calls | {
        "name": f.machine.name,
        "bits": f.machine.bits,
        "lanes": f.machine.lanes,
        "masks": f.machine.ternary,
        "planes": planes_context(f.machine, f.slices + f.all()) if f.machine.cell else None,
        "dialect": writer.dialect,
        "order": f.order,
        "parts": writer.parts,
        "count": f.counts({**words_of(learned), "v": max(1, f.kept)}, writer.parts),
        "functions": [writer.function(g) for g in functions] + pairs,
        "slices": [writer.function(g) for g in f.slices],
        "pairs": pairs,
        "zeros": in_registers(f, learned.message_padding),
        "ad_zeros": in_registers(f, learned.ad_padding),
        "keeps": [name for name in f.steps if "v" in f.arrays(name)],
        "apart": [_part(writer, f, k) for k in range(len(f.straight["update"].parts))],
        "stack": stack_bytes(f, learned),
        "optimised_stack": stack_bytes(f, learned, optimised=True),
        "ways_stack": ways_stack_bytes(f, learned),
        "tails": {"k": cipher.key_bytes % size, "n": cipher.nonce_bytes % size},
    }


def _part(writer: CWriter, f: Functions, k: int) -> dict[str, Any]:
    """How one part of the state takes a block: its calls, and the registers of the block that it has."""
    seal, opening = f.straight["seal_block"].parts[k], f.straight["open_block"].parts[k]
    taken = sorted({index for array, index, _ in seal.writes if array == "z"})
    return {"seal": writer.call(seal), "open": writer.call(opening), "registers": taken}


def test(folder: Path) -> str:
    """Compile the files and run their tests; what these print.

    Raises
    ------
    ToolMissing, BuildFailed
    """
    return run(folder, ["make", "--no-print-directory", "test"])
