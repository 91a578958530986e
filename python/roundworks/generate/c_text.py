"""Values and operations of a lowered program as C, one operation an expression."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..lower.columns import INTERLEAVED, is_blend
from ..lower.machines import AARCH64, Machine
from ..lower.program import Op


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a machine's values and operations are written."""

    type: str
    guard: str
    target: str
    """The attribute that lets a compiler use the instructions."""
    available: str
    """Whether this CPU has them, as an expression of C."""

    @property
    def always_inlined(self) -> str:
        """The same of a function that has to be inlined; of scalars the compiler may choose."""
        return f"{self.target} __attribute__((always_inline))" if self.target else ""

    @property
    def registers(self) -> str:
        """Which of them hold values: "any" of those that the whole file is compiled for, or "avx", "avx512", "neon"."""
        if not self.target:
            return "any"
        return "avx512" if "avx512" in self.target else "avx" if "avx" in self.target else "neon"

    @property
    def widest(self) -> str:
        """The type that most bytes are stored of at once."""
        return "__m256i" if self.type == "__m128i" else self.type


# Of clang before 16 arm_neon.h has AES instructions only where the whole file is compiled for them, by these names.
_AARCH64 = (
    "defined(__aarch64__) && (!defined(__clang__) || __clang_major__ >= 16 || defined(__ARM_FEATURE_AES)"
    " || defined(__ARM_FEATURE_CRYPTO))"
)
DIALECTS = {
    "portable": Dialect("uint64_t", "1", "", "1"),
    "aesni": Dialect(
        "__m128i",
        "defined(__x86_64__)",
        '__attribute__((target("aes,avx")))',
        '__builtin_cpu_supports("aes") && __builtin_cpu_supports("avx")',
    ),
    "gfni": Dialect(
        "__m128i",
        "defined(__x86_64__)",
        '__attribute__((target("aes,gfni,avx2")))',
        '__builtin_cpu_supports("aes") && __builtin_cpu_supports("gfni") && __builtin_cpu_supports("avx2")',
    ),
    "avx2": Dialect(
        "__m256i", "defined(__x86_64__)", '__attribute__((target("avx2")))', '__builtin_cpu_supports("avx2")'
    ),
    "avx512": Dialect(
        "__m512i",
        "defined(__x86_64__)",
        '__attribute__((target("avx512f,avx512bw,gfni")))',
        '__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("gfni")',
    ),
    "vaes256": Dialect(
        "__m256i",
        "defined(__x86_64__)",
        '__attribute__((target("vaes,avx2")))',
        'cpu_has_vaes() && __builtin_cpu_supports("avx2")',
    ),
    "vaes512": Dialect(
        "__m512i",
        "defined(__x86_64__)",
        '__attribute__((target("vaes,avx512f,avx512bw,gfni")))',
        'cpu_has_vaes() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")'
        ' && __builtin_cpu_supports("gfni")',
    ),
    **{
        f"evex{bits}": Dialect(
            f"__m{bits}i",
            "defined(__x86_64__)",
            '__attribute__((target("aes,vaes,avx512f,avx512bw,avx512vl,gfni")))',
            'cpu_has_vaes() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")'
            ' && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("gfni")',
        )
        for bits in (128, 256)
    },
    "aarch64": Dialect("uint8x16_t", _AARCH64, "AARCH64_AES", "aarch64_has_aes()"),
}


PLANAR = Dialect("planes", "1", "", "1")
"""Of the portable machine with words in planes."""


def expression(op: Op, args: Sequence[str], machine: Machine, lanes: int) -> str:
    """One operation of a program of that many lanes as C; on a wider machine on every lane alike."""
    if machine.lanes > 1:
        if op.kind == "const" and lanes == 1:
            op = Op("const", (), sum(_any(op.imm) << 128 * k for k in range(machine.lanes)))
        return _wide(op, args, machine.lanes)
    if machine.cell:
        return _planar(op, args)
    return (_scalar if machine.bits == 64 else _neon if machine is AARCH64 else _sse)(op, args)


def _wide(op: Op, a: Sequence[str], lanes: int) -> str:
    """As for one word, with the longer names; constants of words that differ, and moves of words."""
    if op.kind == "lanes":
        return (_lanes_256 if lanes == 2 else _lanes_512)(_any(op.imm), a)
    if op.kind == "const":
        full = _any(op.imm)
        words = [full >> 128 * k & (1 << 128) - 1 for k in range(lanes)]
        if len(set(words)) > 1:
            halves = (f"{word >> 64 * half & (1 << 64) - 1:#018x}" for word in words for half in (0, 1))
            return f"bytes{16 * lanes}({', '.join(halves)})"
        op = Op("const", (), words[0])
    if op.kind == "columns" and lanes == 4 and is_blend(control := _any(op.imm)):
        mask = 0x1111 * sum(1 << k for k, c in enumerate(control) if c > 3)
        return f"_mm512_mask_blend_epi32({mask:#x}, {a[0]}, {a[1]})"
    bits = str(128 * lanes)
    text = re.sub(r"_(aesenc|aesenclast)_si128", r"_\1_epi128", _sse(op, a))
    return (
        text.replace("_mm_", f"_mm{bits}_")
        .replace("si128", f"si{bits}")
        .replace("bytes16(", f"each{16 * lanes}(")
    )


def _lanes_256(control: Sequence[int], a: Sequence[str]) -> str:
    first, second = a[0], a[-1]
    if tuple(control) in ((0, 3), (2, 1)):
        return f"_mm256_blend_epi32({first}, {second}, {0xF0 if control[0] == 0 else 0x0F:#x})"
    return f"_mm256_permute2x128_si256({first}, {second}, {control[0] | control[1] << 4:#x})"


def _lanes_512(control: Sequence[int], a: Sequence[str]) -> str:
    first, second = a[0], a[-1]
    imm = sum((c & 3) << 2 * k for k, c in enumerate(control))
    sides = [c >> 2 for c in control]
    if all(c & 3 == k for k, c in enumerate(control)):
        mask = sum(3 * side << 2 * k for k, side in enumerate(sides))
        return f"_mm512_mask_blend_epi64({mask:#x}, {first}, {second})"
    if sides[0] == sides[1] and sides[2] == sides[3]:
        low, high = (second if sides[k] else first for k in (0, 2))
        return f"_mm512_shuffle_i64x2({low}, {high}, {imm:#x})"
    if all(c == control[0] + k for k, c in enumerate(control)):
        return f"_mm512_alignr_epi64({second}, {first}, {2 * control[0]})"
    return f"_mm512_permutex2var_epi64({first}, lanes64({', '.join(map(str, control))}), {second})"


def _any(value: object) -> Any:
    return value


def _scalar(op: Op, a: Sequence[str]) -> str:
    imm: Any = op.imm
    match op.kind:
        case "const":
            return f"UINT64_C({imm:#x})"
        case "xor" | "and" | "or":
            return f"{a[0]} {dict(xor='^', **{'and': '&', 'or': '|'})[op.kind]} {a[1]}"
        case "andnot":
            return f"{a[0]} & ~{a[1]}"
        case "not":
            return f"~{a[0]}"
        case "shl":
            return f"{a[0]} << {imm[1]}"
        case "shr":
            return f"{a[0]} >> {imm[1]}"
        case "rotl":
            return f"rotl({a[0]}, {imm})"
    raise AssertionError(op.kind)


def _planar(op: Op, a: Sequence[str]) -> str:
    imm: Any = op.imm
    match op.kind:
        case "const":
            return f"(planes){{UINT64_C({imm & (1 << 64) - 1:#x}), UINT64_C({imm >> 64:#x})}}"
        case "shl" | "shr":
            return f"{op.kind}{imm[0]}({a[0]}, {imm[1]})"
        case "low" | "high":
            return f"{op.kind}{imm}({a[0]}, {a[1]})"
    return _scalar(op, a)


def _sse(op: Op, a: Sequence[str]) -> str:
    imm: Any = op.imm
    match op.kind:
        case "const":
            return "_mm_setzero_si128()" if not imm else bytes_sse(imm.to_bytes(16, "little"))
        case "xor" | "and" | "or":
            return f"_mm_{op.kind}_si128({a[0]}, {a[1]})"
        case "andnot":
            return f"_mm_andnot_si128({a[1]}, {a[0]})"
        case "not":
            return f"_mm_xor_si128({a[0]}, _mm_set1_epi8(-1))"
        case "shl" | "shr":
            return f"_mm_{'slli' if op.kind == 'shl' else 'srli'}_epi{imm[0]}({a[0]}, {imm[1]})"
        case "shuffle":
            return f"_mm_shuffle_epi8({a[0]}, {bytes_sse(control(imm))})"
        case "lookup":
            return f"_mm_shuffle_epi8({bytes_sse(bytes(imm))}, {a[0]})"
        case "subtract":
            return f"_mm_subs_epi8({a[0]}, {bytes_sse(bytes([imm]) * 16)})"
        case "affine":
            return f"_mm_gf2p8affine_epi64_epi8({a[0]}, {bytes_sse(matrix(imm[0]))}, {imm[1]})"
        case "inverse":
            return f"_mm_gf2p8affineinv_epi64_epi8({a[0]}, {bytes_sse(matrix(imm[0]))}, {imm[1]})"
        case "flip":
            return f"_mm_gf2p8affine_epi64_epi8({bytes_sse(bytes(imm))}, {a[0]}, 0)"
        case "ternary":
            return f"_mm_ternarylogic_epi64({', '.join(a)}, {imm:#04x})"
        case "columns":
            return _columns(imm, a)
        case "pair":
            return f"_mm_maddubs_epi16({a[0]}, _mm_set1_epi16(0x0110))"
        case "pack":
            return f"_mm_packus_epi16({a[0]}, {a[1]})"
        case "aesenc" | "aesenclast":
            return f"_mm_{op.kind}_si128({a[0]}, {a[1]})"
    raise AssertionError(op.kind)


def _columns(control: tuple[int, ...], a: Sequence[str]) -> str:
    if control in INTERLEAVED:
        return f"_mm_unpack{INTERLEAVED[control]}_epi32({a[0]}, {a[1]})"
    if is_blend(control):
        mask = sum(3 << 2 * k for k, c in enumerate(control) if c > 3)
        return f"_mm_blend_epi16({a[0]}, {a[1]}, {mask})"
    order = sum((c & 3) << 2 * k for k, c in enumerate(control))
    words = ", ".join(f"_mm_castsi128_ps({x})" for x in a)
    return f"_mm_castps_si128(_mm_shuffle_ps({words}, {order}))"


def _neon(op: Op, a: Sequence[str]) -> str:
    imm: Any = op.imm
    match op.kind:
        case "const":
            return "vdupq_n_u8(0)" if not imm else bytes_neon(imm.to_bytes(16, "little"))
        case "xor" | "and" | "or":
            return f"v{dict(xor='eor', **{'and': 'and', 'or': 'orr'})[op.kind]}q_u8({a[0]}, {a[1]})"
        case "andnot":
            return f"vbicq_u8({a[0]}, {a[1]})"
        case "not":
            return f"vmvnq_u8({a[0]})"
        case "shl" | "shr":
            name = f"v{op.kind}q_n_u{imm[0]}"
            cast = f"vreinterpretq_u{imm[0]}_u8({a[0]})"
            return f"vreinterpretq_u8_u{imm[0]}({name}({cast}, {imm[1]}))"
        case "shuffle":
            return f"vqtbl1q_u8({a[0]}, {bytes_neon(control(imm))})"
        case "lookup":
            return f"vqtbl1q_u8({bytes_neon(bytes(imm))}, vandq_u8({a[0]}, vdupq_n_u8(0x8f)))"
        case "subtract":
            signed = [f"vreinterpretq_s8_u8({x})" for x in (a[0], bytes_neon(bytes([imm]) * 16))]
            return f"vreinterpretq_u8_s8(vqsubq_s8({', '.join(signed)}))"
        case "columns":
            if imm in INTERLEAVED:
                words = ", ".join(f"vreinterpretq_u32_u8({x})" for x in a)
                return f"vreinterpretq_u8_u32(vzip{1 + (INTERLEAVED[imm] == 'hi')}q_u32({words}))"
            order = bytes(4 * c + j for c in imm for j in range(4))
            return f"vqtbl2q_u8((uint8x16x2_t){{{{{a[0]}, {a[1]}}}}}, {bytes_neon(order)})"
        case "aesenc":
            return f"veorq_u8(vaesmcq_u8(vaeseq_u8({a[0]}, vdupq_n_u8(0))), {a[1]})"
        case "aesenclast":
            return f"veorq_u8(vaeseq_u8({a[0]}, vdupq_n_u8(0)), {a[1]})"
    raise AssertionError(op.kind)


def bytes_sse(data: bytes) -> str:
    """Sixteen bytes as a constant of SSE, byte 0 first in memory."""
    if len(set(data)) == 1:
        return f"_mm_set1_epi8({_signed(data[0])})"
    low, high = (int.from_bytes(data[i : i + 8], "little") for i in (0, 8))
    return f"bytes16({low:#018x}, {high:#018x})"


def bytes_neon(data: bytes) -> str:
    """Sixteen bytes as an expression of type ``uint8x16_t``."""
    if len(set(data)) == 1:
        return f"vdupq_n_u8({data[0]:#04x})"
    low, high = (int.from_bytes(data[i : i + 8], "little") for i in (0, 8))
    return f"bytes16({low:#018x}, {high:#018x})"


def _signed(byte: int) -> str:
    return str(byte - 256 if byte > 127 else byte)


def control(imm: Sequence[int | None]) -> bytes:
    """The control of a byte shuffle; 0x80 makes a zero."""
    return bytes(0x80 if i is None else i for i in imm)


def matrix(rows: Sequence[int]) -> bytes:
    """A matrix as GFNI has it in memory: row r is byte 7 - r, on both halves."""
    return bytes(reversed(rows)) * 2
