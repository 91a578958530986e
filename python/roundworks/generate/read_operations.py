"""Expressions of generated C as operations of a program: one pattern for each."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from ..lower.program import Op


@dataclass(frozen=True, slots=True)
class Pattern:
    """A kind of operation, and the text by which it is recognised."""

    kind: str
    text: re.Pattern[str]


def _patterns(*rows: tuple[str, str]) -> list[Pattern]:
    """Patterns of whole expressions; A, B and E stand for values, C for a constant of bytes, N for a number."""
    result = []
    for kind, text in rows:
        text = re.escape(text)
        for letter, pattern in (
            ("A", r"(?P<a>\w+)"),
            ("B", r"(?P<b>\w+)"),
            ("E", r"(?P<e>\w+)"),
            ("C", r"(?P<c>_mm_set1_epi8\(-?\d+\)|vdupq_n_u8\(\w+\)|bytes16\(\w+, \w+\))"),
            ("N", r"(?P<n>\w+)"),
            ("M", r"(?P<m>\w+)"),
            ("W", r"(?P<w>\d+)"),
        ):
            text = text.replace(f"«{letter}»", pattern, 1)
            text = text.replace(f"«{letter}»", f"(?P={letter.lower()})")
        result.append(Pattern(kind, re.compile(rf"^{text}$")))
    return result


SCALAR = _patterns(
    ("const", "UINT64_C(«N»)"),
    ("const", "each(UINT64_C(«N»))"),
    ("xor", "«A» ^ «B»"),
    ("andnot", "«A» & ~«B»"),
    ("and", "«A» & «B»"),
    ("or", "«A» | «B»"),
    ("not", "~«A»"),
    ("shl", "«A» << «N»"),
    ("shr", "«A» >> «N»"),
    ("rotl", "rotl(«A», «N»)"),
)
PLANAR = _patterns(
    ("const", "(planes){UINT64_C(«N»), UINT64_C(«M»)}"),
    ("xor", "«A» ^ «B»"),
    ("andnot", "«A» & ~«B»"),
    ("and", "«A» & «B»"),
    ("or", "«A» | «B»"),
    ("not", "~«A»"),
    ("shl", "shl«W»(«A», «N»)"),
    ("shr", "shr«W»(«A», «N»)"),
    ("low", "low«W»(«A», «B»)"),
    ("high", "high«W»(«A», «B»)"),
)
SSE = _patterns(
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
    ("subtract", "_mm_subs_epi8(«A», «C»)"),
    ("flip", "_mm_gf2p8affine_epi64_epi8(«C», «A», 0)"),
    ("affine", "_mm_gf2p8affine_epi64_epi8(«A», «C», «N»)"),
    ("inverse", "_mm_gf2p8affineinv_epi64_epi8(«A», «C», «N»)"),
    ("lo", "_mm_unpacklo_epi32(«A», «B»)"),
    ("hi", "_mm_unpackhi_epi32(«A», «B»)"),
    ("blend", "_mm_blend_epi16(«A», «B», «N»)"),
    ("two", "_mm_castps_si128(_mm_shuffle_ps(_mm_castsi128_ps(«A»), _mm_castsi128_ps(«B»), «N»))"),
    ("ternary", "_mm_ternarylogic_epi64(«A», «B», «E», «N»)"),
    ("pair", "_mm_maddubs_epi16(«A», _mm_set1_epi16(0x0110))"),
    ("pack", "_mm_packus_epi16(«A», «B»)"),
    ("aesenclast", "_mm_aesenclast_si128(«A», «B»)"),
    ("aesenc", "_mm_aesenc_si128(«A», «B»)"),
)
NEON = _patterns(
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
    ("subtract", "vreinterpretq_u8_s8(vqsubq_s8(vreinterpretq_s8_u8(«A»), vreinterpretq_s8_u8(«C»)))"),
    ("lo", "vreinterpretq_u8_u32(vzip1q_u32(vreinterpretq_u32_u8(«A»), vreinterpretq_u32_u8(«B»)))"),
    ("hi", "vreinterpretq_u8_u32(vzip2q_u32(vreinterpretq_u32_u8(«A»), vreinterpretq_u32_u8(«B»)))"),
    ("table", "vqtbl2q_u8((uint8x16x2_t){{«A», «B»}}, «C»)"),
    ("aesenc", "veorq_u8(vaesmcq_u8(vaeseq_u8(«A», vdupq_n_u8(0))), «B»)"),
    ("aesenclast", "veorq_u8(vaeseq_u8(«A», vdupq_n_u8(0)), «B»)"),
)


def operation(text: str, patterns: list[Pattern], places: Mapping[str, int]) -> Op | None:
    """The operation that an expression is; None if it is none of these patterns."""
    for pattern in patterns:
        m = pattern.text.match(text)
        if m is None:
            continue
        result = m.groupdict()
        names = [result[x] for x in ("a", "b", "e") if result.get(x)]
        if any(name not in places for name in names):
            continue
        args = tuple(places[name] for name in names)
        constant = _constant(result["c"]) if result.get("c") else b""
        value = int(result["n"], 0) if result.get("n") else 0
        value |= int(result["m"], 0) << 64 if result.get("m") else 0
        match pattern.kind:
            case "const":
                return Op("const", (), int.from_bytes(constant, "little") if constant else value)
            case "shl" | "shr":
                return Op(pattern.kind, args, (int(result.get("w") or 64), value))
            case "low" | "high":
                return Op(pattern.kind, args, int(result["w"]))
            case "rotl" | "ternary":
                return Op(pattern.kind, args, value)
            case "shuffle":
                return Op("shuffle", args, tuple(None if x & 0x80 else x & 15 for x in constant))
            case "lookup":
                return Op("lookup", args, tuple(constant))
            case "subtract":
                return (
                    Op("subtract", args, constant[0])
                    if len(set(constant)) == 1 and constant[0] < 128
                    else None
                )
            case "lo" | "hi" | "blend" | "two" | "table":
                control = _control(pattern.kind, value, constant)
                return Op("columns", args, control) if control is not None else None
            case "flip":
                return Op("flip", args, tuple(constant))
            case "affine" | "inverse":
                if constant[:8] != constant[8:]:
                    return None
                return Op(pattern.kind, args, (tuple(reversed(constant[:8])), value))
        return Op(pattern.kind, args)
    return None


def _control(kind: str, imm: int, table: bytes) -> tuple[int, ...] | None:
    """For each column of 32 bits its place in both operands, as the manual of the instruction has it."""
    match kind:
        case "lo" | "hi":
            first = 0 if kind == "lo" else 2
            return first, 4 + first, 1 + first, 5 + first
        case "blend":
            pairs = [imm >> 2 * k & 3 for k in range(4)]
            return tuple(k + 4 * (p == 3) for k, p in enumerate(pairs)) if set(pairs) <= {0, 3} else None
        case "two":
            return tuple((imm >> 2 * k & 3) + 4 * (k > 1) for k in range(4))
    columns = [table[i : i + 4] for i in range(0, 16, 4)]
    if any(c != bytes(range(c[0], c[0] + 4)) or c[0] % 4 or c[0] > 28 for c in columns):
        return None
    return tuple(c[0] // 4 for c in columns)


def _constant(text: str) -> bytes:
    """Sixteen bytes in the order of memory."""
    if text.startswith("bytes16"):
        low, high = (int(x, 0) for x in re.findall(r"0x[0-9a-f]+", text))
        return low.to_bytes(8, "little") + high.to_bytes(8, "little")
    number = int(text[text.index("(") + 1 : -1], 0)
    return bytes([number & 0xFF]) * 16
