"""A `no_std` crate of a description: the RustCrypto traits of an AEAD, or a function on blocks.

Operations are those of the C file, rewritten word for word, and are read back the same way.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..errors import DescriptionError
from ..lower.machines import Machine, machines_named
from ..lower.plan import Plan
from ..lower.program import Op
from ..lower.rounds import RoundRun, runs
from ..lower.steps import is_round
from ..reference import Permutation
from . import names
from .c import Cipher, identifier
from .c_context import length_context, length_limit, padding_context, source_lines, stack_bytes
from .c_writer import INLINED, CWriter
from .functions import SINGLE, Bodies, Function, Functions, lowered_stream, prove_stream, words_of
from .permutations import Lowered, lowered, prove_permutation
from .rendering import rendered
from .vectors import vector_fields
from .write import run

# Machine -> (type of a value, configuration, features of the CPU).
DIALECTS = {
    "portable": ("u64", "", ""),
    "aesni": ("__m128i", 'target_arch = "x86_64"', "aes,avx"),
    "gfni": ("__m128i", 'target_arch = "x86_64"', "aes,gfni,avx2"),
    "evex128": ("__m128i", 'target_arch = "x86_64"', "aes,vaes,avx512f,avx512bw,avx512vl,gfni"),
    "aarch64": ("uint8x16_t", 'target_arch = "aarch64"', "aes,neon"),
}
# C to Rust, a whole expression at a time; each has its way back in `_BACK`.
_THERE = (
    (r"UINT64_C\((0x[0-9a-f]+)\)", r"\1_u64"),
    (r"~", "!"),
    (r"rotl\((\w+), (\d+)\)", r"\1.rotate_left(\2)"),
    (r"(_mm_s[lr]li_epi\d+|v(?:shr|shl)q_n_u\d+)\((.*), (\d+)\)", r"\1::<\3>(\2)"),
    (
        r"(_mm_(?:gf2p8affine(?:inv)?_epi64_epi8|ternarylogic_epi64|blend_epi16|shuffle_ps))\((.*), (\w+)\)",
        r"\1::<\3>(\2)",
    ),
    (r"\(uint8x16x2_t\)\{\{(\w+), (\w+)\}\}", r"uint8x16x2_t(\1, \2)"),
)
_BACK = (
    (r"uint8x16x2_t\((\w+), (\w+)\)", r"(uint8x16x2_t){{\1, \2}}"),
    (r"(0x[0-9a-f]+)_u64", r"UINT64_C(\1)"),
    (r"!", "~"),
    (r"(\w+)\.rotate_left\((\d+)\)", r"rotl(\1, \2)"),
    (r"(\w+)::<(\w+)>\((.*?\)?)\)(?=$|\))", r"\1(\3, \2)"),
)


# A function of that many operations or more has no scope for each of its values.
SCOPES = 1000
_LET = re.compile(r"^    let (\w+) = (.*);$")
_DECLARED = re.compile(r"^let \(\w+(?:, \w+)*,?\);$")


def expression(c: str) -> str:
    """An operation of C in Rust."""
    for pattern, new in _THERE:
        c = re.sub(pattern, new, c)
    return c


def in_c_again(text: str) -> str:
    """The lines of a function in Rust as those of C, for `read_c`."""
    lines = []
    for line in text.split("\n"):
        line = line.strip()
        if line.startswith("//"):
            lines.append(f"/* {line[2:].strip()} */")
            continue
        if _DECLARED.match(line):
            continue
        line = re.sub(r"^(?:let )?([a-z]\w*) = (.*);$", r"const V \1 = \2;", line)
        head, equals, value = line.partition(" = ")
        value = value.removesuffix(";")
        for pattern, new in _BACK:
            value = re.sub(pattern, new, value)
        lines.append(f"{head}{equals}{value};" if equals else line)
    return "\n".join(lines)


class RustWriter(CWriter):
    """Writes functions of one machine, each word ``parts`` values."""

    def __init__(
        self, machine: Machine, parts: int, sizes: Mapping[str, int], sources: Mapping[str, str]
    ) -> None:
        super().__init__(machine, parts, sources)
        self.sizes = sizes

    def function(self, f: Function, value: str = "") -> str:
        """As in C; of many values ten are declared at a time. Each ``let`` is a scope within the last one, and some
        ten thousand of them overflow the stack of rustc 1.95 where it writes what a debugger wants."""
        text = super().function(f, value)
        return text if len(f.program.ops) < SCOPES else "\n".join(_declared(text.split("\n")))

    def _head(self, f: Function, value: str) -> list[str]:
        features = DIALECTS[self.machine.name][2]
        arrays = ", ".join(
            f"{a}: &{'mut ' if written else ''}[V; {self.sizes[a] * self.parts}]"
            for a, written in f.arrays.items()
        )
        lines = [f'#[target_feature(enable = "{features}")]'] if features else []
        if len(f.program.ops) <= INLINED:
            lines.append("#[inline]")
        return [*lines, f"fn {f.name}({arrays}) {{"]

    def _named(self, value: str, name: str, text: str) -> str:
        return f"    let {name} = {text};"

    def _comment(self, text: str) -> str:
        return f"    // {text}"

    def _operation(self, op: Op, args: list[str], lanes: int) -> str:
        return expression(super()._operation(op, args, lanes))

    def _word(self, name: str, made: Op) -> str:
        return name

    def call(self, f: Function) -> str:
        """A call, from a function that has the arrays."""
        return f"{f.name}({', '.join(f'&mut {a}' if w else f'&{a}' for a, w in f.arrays.items())});"

    def _times(self, times: int) -> str:
        return f"for _ in 0..{times} {{"


def _declared(lines: Sequence[str]) -> Iterator[str]:
    """The lines with ten values declared at a time, before the first of them is computed."""
    names = [m[1] for line in lines if (m := _LET.match(line))]
    seen = 0
    for line in lines:
        if m := _LET.match(line):
            if seen % 10 == 0:
                some = names[seen : seen + 10]
                yield f"    let ({', '.join(some)}{',' * (len(some) == 1)});"
            seen += 1
            line = f"    {m[1]} = {m[2]};"
        yield line


_FUNCTION = re.compile(r"^fn (?P<name>\w+)\([^)]*\) \{\n(?P<body>.*?)\n\}$", re.MULTILINE | re.DOTALL)
_WRITES = re.compile(r"^    \w\[\d+\] = \w+;$", re.MULTILINE)


def bodies(files: Mapping[str, str]) -> Bodies:
    """(function, machine) to its lines as C, of every straight-line function of the crate."""
    return {
        (m["name"], machine): in_c_again(m["body"])
        for machine in DIALECTS
        for m in _FUNCTION.finditer(files.get(f"src/{machine}.rs", ""))
        if _WRITES.search(m["body"]) and "for " not in re.sub(r"//.*", "", m["body"])
    }


def prove(cipher: Cipher, made: Mapping[str, str]) -> dict[str, Any]:
    """As `c.prove`, of the modules of the crate."""
    if isinstance(cipher, Permutation):
        return prove_permutation(cipher, bodies(made), SINGLE)
    return prove_stream(cipher, bodies(made), SINGLE)


def _names(cipher: Cipher) -> dict[str, str]:
    name = names.identifier(cipher.name, "rust")
    return {"crate": name.replace("_", "-"), "type": "".join(part.capitalize() for part in name.split("_"))}


def files(cipher: Cipher, machines: Sequence[str] = (), seed: int = 0) -> dict[str, str]:
    """The files of a crate by path: Cargo.toml, src/lib.rs, a module for each back end, tests, a bench."""
    context: dict[str, Any] = {
        **_names(cipher),
        "title": cipher.name,
        "summary": (type(cipher).__doc__ or "").strip().split("\n")[0],
        "cipher": cipher,
        "word": cipher.word_bits // 8,
    }
    if isinstance(cipher, Permutation):
        return _permutation(cipher, machines, seed, context)
    if others := [machine.name for machine in machines_named(machines) if machine.name not in DIALECTS]:
        raise DescriptionError(
            f"{cipher.name}: {others[0]} is for C; crates are generated for {', '.join(DIALECTS)}"
        )
    learned, made = lowered_stream(cipher, machines, SINGLE)
    sizes = words_of(learned)
    sources = source_lines(cipher, made)
    context |= {
        "sizes": sizes,
        "key": cipher.key_bytes,
        "nonce": cipher.nonce_bytes,
        "tag": cipher.tag_bytes,
        "rate": cipher.rate_bytes,
        "padding": padding_context(learned.message_padding, cipher.rate_bytes),
        "ad_padding": padding_context(learned.ad_padding, cipher.rate_bytes),
        "has_last": not is_round(learned.last),
        "lengths": [length_context(word) for word in learned.lengths],
        "vectors": vector_fields(cipher, seed),
        "backends": [_backend(learned, f, sources) for f in made],
    }
    templates = {name: name for name in ("Cargo.toml", "rustfmt.toml")} | {"Makefile": "crate.mk"}
    templates |= {"src/lib.rs": "aead.rs", "tests/vectors.rs": "test_aead.rs"}
    out = rendered(templates | {"benches/speed.rs": "bench_aead.rs"}, context)
    if limit := length_limit(learned):
        head, made_by, rest = out["src/lib.rs"].partition("rather than edit it.\n")
        out["src/lib.rs"] = head + made_by + "//!\n" + "".join(f"//! {line}\n" for line in limit) + rest
    for backend in context["backends"]:
        out |= rendered({f"src/{backend['name']}.rs": "aead_backend.rs"}, context | {"b": backend})
    return out


def as_c(cipher: Cipher, made: Mapping[str, str]) -> dict[str, str]:
    """The files of a crate that makes a library of C, for x86-64, of a generated one in the folder above."""
    there = [
        name for name, (_, cfg, _) in DIALECTS.items() if f"src/{name}.rs" in made and "aarch64" not in cfg
    ]
    is_permutation = isinstance(cipher, Permutation)
    context = {
        "name": identifier(cipher.name),
        "backends": there,
        "permutes": is_permutation,
        **_names(cipher),
    }
    return rendered({"Cargo.toml": "crate_c.toml", "src/lib.rs": "crate_c.rs"}, context)


def _backend(learned: Plan, f: Functions, sources: Mapping[str, str]) -> dict[str, Any]:
    cipher, sizes = learned.cipher, words_of(learned)
    parts = f.machine.layout(cipher.word_bits, f.order).parts
    writer = RustWriter(f.machine, parts, {**sizes, "v": max(1, f.kept)}, sources)
    value, configuration, features = DIALECTS[f.machine.name]
    return {
        "name": f.machine.name,
        "bits": f.machine.bits,
        "value": value,
        "cfg": configuration,
        "features": features,
        "registers": "avx512" if "avx512" in features else "avx" if "avx" in features else "",
        "stack": stack_bytes(f, learned),
        "order": f.order,
        "parts": parts,
        "count": {letter: n * parts for letter, n in {**sizes, "v": max(1, f.kept)}.items()},
        "functions": [writer.function(g) for g in f.all() if not g.empty],
        "seal": writer.call(f.straight["seal_block"]),
        "open": writer.call(f.straight["open_block"]),
        "round": writer.call(f.straight["update"]),
        **{name: writer.call(f.straight[name]) for name in ("load", "keystream", "tag")},
        "steps": {name: writer.step(f, name, "        " if name == "absorb" else "    ") for name in f.steps},
        "tails": {"k": cipher.key_bytes % cipher.word_bytes, "n": cipher.nonce_bytes % cipher.word_bytes},
    }


def _permutation(
    cipher: Permutation[Any], machines: Sequence[str], seed: int, context: dict[str, Any]
) -> dict[str, str]:
    made, steps = lowered(cipher, machines), runs(cipher)
    sources = source_lines(cipher, made)
    size = cipher.words * cipher.word_bits // 8
    rng = random.Random(f"{cipher.name} {seed}")
    blocks = [bytes(size), bytes(range(size)), *(rng.randbytes(size) for _ in range(38))]
    context |= {
        "block": size,
        "vectors": [(block.hex(), cipher.permute(block).hex()) for block in blocks],
        "backends": [_rounds(f, steps, sources) for f in made],
    }
    templates = {name: name for name in ("Cargo.toml", "rustfmt.toml")}
    templates |= {"Makefile": "crate.mk", "src/lib.rs": "permutation.rs"}
    out = rendered(
        templates | {"tests/vectors.rs": "test_permutation.rs", "benches/speed.rs": "bench_permutation.rs"},
        context,
    )
    for backend in context["backends"]:
        out |= rendered({f"src/{backend['name']}.rs": "permutation_backend.rs"}, context | {"b": backend})
    return out


def _rounds(f: Lowered, steps: Sequence[RoundRun], sources: Mapping[str, str]) -> dict[str, Any]:
    parts, cipher = f.layout.parts, f.cipher
    value, configuration, features = DIALECTS[f.machine.name]
    rounds = []
    functions = []
    for function, alone, alike in zip(f.functions, f.alone, steps, strict=True):
        count = len(alike.constants[0])
        writer = RustWriter(f.machine, parts, {"s": cipher.words, "c": max(1, count)}, sources)
        functions += [writer.function(g) for g in ([function] if alone is function else [function, alone])]
        rows = [[v for constant in row for v in f.layout.value(constant)] for row in alike.constants]
        if f.machine.bits == 128:
            rows = [[half for v in row for half in (v & (1 << 64) - 1, v >> 64)] for row in rows]
        rounds.append(
            {
                "name": function.name,
                "alone": alone.name,
                "times": alike.times,
                "constants": count * parts,
                "table": [", ".join(f"{v:#x}" for v in row) for row in rows] if count else [],
                "row": len(rows[0]),
            }
        )
    words = cipher.words * parts
    return {
        "name": f.machine.name,
        "bits": f.machine.bits,
        "value": value,
        "cfg": configuration,
        "features": features,
        "order": f.order,
        "parts": parts,
        "words": words,
        "blocks": f.groups,
        "functions": functions,
        "runs": rounds,
        "tails": {"k": 0, "n": 0},
    }


def test(folder: Path) -> str:
    """Compile the files and run their tests; what these print. The crate becomes a workspace of its own: cargo refuses
    one below a workspace that does not name it.

    Raises
    ------
    ToolMissing, BuildFailed
    """
    with (folder / "Cargo.toml").open("a", encoding="utf-8") as manifest:
        manifest.write("\n[workspace]\n")
    return run(folder, ["cargo", "test", "--quiet", "--release"])
