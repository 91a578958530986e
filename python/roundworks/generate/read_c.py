"""Reading a generated C file back into programs: what is proven is the text that a compiler sees.

Every operation is one line, `const TYPE tN = EXPRESSION;`, so a line is understood or the file is
refused; nothing of what wrote it is used.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from ..errors import DescriptionError
from ..lower.program import Op, Program

_FUNCTION = re.compile(
    r"^(?:[^\n]* )?static (?:inline )?void (?P<name>\w+)_(?P<machine>[a-z0-9]+)\([^)]*\)\n\{\n(?P<body>.*?)\n\}$",
    re.MULTILINE | re.DOTALL,
)
_INPUT = re.compile(r"^const \w+ (?P<name>\w+) = (?P<array>[a-z])\[(?P<index>\d+)\];$")
_VALUE = re.compile(r"^const \w+ (?P<name>t\d+) = (?P<text>.*);$")
_OUTPUT = re.compile(r"^(?P<array>[a-z])\[(?P<index>\d+)\] = (?P<name>\w+);$")
_WRITES = re.compile(r"^    \w\[\d+\] = ", re.MULTILINE)
_LETTERS = {"s": "S", "k": "K", "n": "N", "x": "X", "l": "L", "v": "V", "c": "C", "z": "Z", "t": "T"}
_BITS = {"portable": 64, "aesni": 128, "gfni": 128, "aarch64": 128}


@dataclass(frozen=True, slots=True)
class _Pattern:
    kind: str
    text: re.Pattern[str]


def _patterns(*rows: tuple[str, str]) -> list[_Pattern]:
    """Patterns of whole expressions; A and B stand for values, C for a constant of bytes, N for a number."""
    result = []
    for kind, text in rows:
        text = re.escape(text)
        for letter, pattern in (
            ("A", r"(?P<a>\w+)"),
            ("B", r"(?P<b>\w+)"),
            ("C", r"(?P<c>_mm_set1_epi8\(-?\d+\)|vdupq_n_u8\(\w+\)|bytes16\(\w+, \w+\))"),
            ("N", r"(?P<n>\w+)"),
            ("W", r"(?P<w>\d+)"),
        ):
            text = text.replace(f"«{letter}»", pattern, 1)
            text = text.replace(f"«{letter}»", f"(?P={letter.lower()})")
        result.append(_Pattern(kind, re.compile(rf"^{text}$")))
    return result


_SCALAR = _patterns(
    ("const", "UINT64_C(«N»)"),
    ("xor", "«A» ^ «B»"),
    ("andnot", "«A» & ~«B»"),
    ("and", "«A» & «B»"),
    ("or", "«A» | «B»"),
    ("not", "~«A»"),
    ("shl", "«A» << «N»"),
    ("shr", "«A» >> «N»"),
    ("rotl", "rotl(«A», «N»)"),
)
_SSE = _patterns(
    ("const", "_mm_setzero_si128()"),
    ("const", "«C»"),
    ("not", "_mm_xor_si128(«A», _mm_set1_epi8(-1))"),
    ("xor", "_mm_xor_si128(«A», «B»)"),
    ("and", "_mm_and_si128(«A», «B»)"),
    ("or", "_mm_or_si128(«A», «B»)"),
    ("andnot", "_mm_andnot_si128(«B», «A»)"),
    ("shl", "_mm_slli_epi«W»(«A», «N»)"),
    ("shr", "_mm_srli_epi«W»(«A», «N»)"),
    ("shuffle", "_mm_shuffle_epi8(«A», «C»)"),
    ("lookup", "_mm_shuffle_epi8(«C», «A»)"),
    ("saturate", "_mm_adds_epu8(«A», «C»)"),
    ("flip", "_mm_gf2p8affine_epi64_epi8(«C», «A», 0)"),
    ("affine", "_mm_gf2p8affine_epi64_epi8(«A», «C», «N»)"),
    ("inverse", "_mm_gf2p8affineinv_epi64_epi8(«A», «C», «N»)"),
    ("aesenclast", "_mm_aesenclast_si128(«A», «B»)"),
    ("aesenc", "_mm_aesenc_si128(«A», «B»)"),
)
_NEON = _patterns(
    ("const", "«C»"),
    ("not", "vmvnq_u8(«A»)"),
    ("xor", "veorq_u8(«A», «B»)"),
    ("and", "vandq_u8(«A», «B»)"),
    ("or", "vorrq_u8(«A», «B»)"),
    ("andnot", "vbicq_u8(«A», «B»)"),
    ("shl", "vreinterpretq_u8_u«W»(vshlq_n_u«W»(vreinterpretq_u«W»_u8(«A»), «N»))"),
    ("shr", "vreinterpretq_u8_u«W»(vshrq_n_u«W»(vreinterpretq_u«W»_u8(«A»), «N»))"),
    ("shuffle", "vqtbl1q_u8(«A», «C»)"),
    ("lookup", "vqtbl1q_u8(«C», vandq_u8(«A», vdupq_n_u8(0x8f)))"),
    ("saturate", "vqaddq_u8(«A», «C»)"),
    ("aesenc", "veorq_u8(vaesmcq_u8(vaeseq_u8(«A», vdupq_n_u8(0))), «B»)"),
    ("aesenclast", "veorq_u8(vaeseq_u8(«A», vdupq_n_u8(0)), «B»)"),
)


def bodies(text: str) -> dict[tuple[str, str], str]:
    """(function, machine) to the lines between its braces, of every straight-line function."""
    return {
        (m["name"], m["machine"]): m["body"]
        for m in _FUNCTION.finditer(text)
        if m["machine"] in _BITS and "for (" not in m["body"] and _WRITES.search(m["body"])
    }


def program(body: str, machine: str, like: Program) -> Program:
    """The program that the lines of a function are.

    Parameters
    ----------
    like
        Names the inputs and outputs, and hints at cuts; values and operations are read.

    Raises
    ------
    DescriptionError
        ``update: line 12: not understood: const uint64_t t3 = s0 + s1;``
    """
    bits = _BITS[machine]
    patterns = _SCALAR if bits == 64 else _NEON if machine == "aarch64" else _SSE
    parts = len(next(iter(like.outputs.values())))
    places: dict[str, int] = {}
    ops: list[Op] = []
    outputs = {name: list(values) for name, values in like.outputs.items()}
    written: set[tuple[str, int]] = set()
    line = ""
    for number, raw in enumerate(body.split("\n"), 1):
        text = raw.strip()
        if text.startswith("/*"):
            line = text[2:].split()[0]
        elif m := _INPUT.match(text):
            index = int(m["index"])
            name = (f"{_LETTERS[m['array']]}{index // parts}", index % parts)
            if name not in like.inputs or written:
                raise _not(like, number, text)
            places[m["name"]] = like.inputs.index(name)
        elif m := _VALUE.match(text):
            op = _operation(m["text"], patterns, places)
            if op is None:
                raise _not(like, number, text)
            places[m["name"]] = len(like.inputs) + len(ops)
            ops.append(replace(op, line=line))
        elif m := _OUTPUT.match(text):
            word, part = divmod(int(m["index"]), parts)
            letter = _LETTERS[m["array"]]
            name_out = f"{letter}{word}" if letter in "ZT" else f"{letter}'{word}"
            if name_out not in outputs:
                name_out = f"{letter}{word}'"
            if name_out not in outputs or m["name"] not in places:
                raise _not(like, number, text)
            outputs[name_out][part] = places[m["name"]]
            written.add((name_out, part))
        else:
            raise _not(like, number, text)
    _check_unwritten(like, outputs, written)
    total = len(like.inputs) + len(ops)
    cuts = tuple((node, values) for node, values in like.cuts if max(values) < total)
    return Program(
        like.function, bits, like.inputs, tuple(ops), {k: tuple(v) for k, v in outputs.items()}, cuts
    )


def _check_unwritten(like: Program, outputs: Mapping[str, list[int]], written: set[tuple[str, int]]) -> None:
    """An output that no line writes is the input of its name."""
    for name, values in outputs.items():
        letter, index = name[0], "".join(c for c in name if c.isdigit())
        for part in range(len(values)):
            if (name, part) not in written:
                same = (f"{letter}{index}", part)
                if same not in like.inputs:
                    raise DescriptionError(f"{like.function}: {name}: written by no line")
                values[part] = like.inputs.index(same)


def _not(like: Program, number: int, text: str) -> DescriptionError:
    return DescriptionError(f"{like.function}: line {number}: not understood: {text}")


def _operation(text: str, patterns: list[_Pattern], places: Mapping[str, int]) -> Op | None:
    for pattern in patterns:
        m = pattern.text.match(text)
        if m is None:
            continue
        result = m.groupdict()
        names = [result[x] for x in ("a", "b") if result.get(x)]
        if any(name not in places for name in names):
            continue
        args = tuple(places[name] for name in names)
        constant = _constant(result["c"]) if result.get("c") else b""
        value = int(result["n"], 0) if result.get("n") else 0
        match pattern.kind:
            case "const":
                return Op("const", (), int.from_bytes(constant, "little") if constant else value)
            case "shl" | "shr":
                return Op(pattern.kind, args, (int(result.get("w") or 64), value))
            case "rotl":
                return Op("rotl", args, value)
            case "shuffle":
                return Op("shuffle", args, tuple(None if x & 0x80 else x & 15 for x in constant))
            case "lookup":
                return Op("lookup", args, tuple(constant))
            case "saturate":
                return Op("saturate", args, constant[0]) if len(set(constant)) == 1 else None
            case "flip":
                return Op("flip", args, tuple(constant))
            case "affine" | "inverse":
                if constant[:8] != constant[8:]:
                    return None
                return Op(pattern.kind, args, (tuple(reversed(constant[:8])), value))
        return Op(pattern.kind, args)
    return None


def _constant(text: str) -> bytes:
    """Sixteen bytes in the order of memory."""
    if text.startswith("bytes16"):
        low, high = (int(x, 0) for x in re.findall(r"0x[0-9a-f]+", text))
        return low.to_bytes(8, "little") + high.to_bytes(8, "little")
    number = int(text[text.index("(") + 1 : -1], 0)
    return bytes([number & 0xFF]) * 16
