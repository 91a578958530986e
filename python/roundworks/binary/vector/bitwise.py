"""Bit-wise logic, and shifts. [INTEL-SDM]"""

from __future__ import annotations

from ...errors import NotFollowed
from ..forms import Bits
from ..handlers import handler
from ..machine import DecodedInstruction, Processor, settled
from .operands import and_bits, element_bits, immediate, read_operand, sources_of, write_result


def _names(*stems: str) -> list[str]:
    made = []
    for stem in stems:
        made += [stem, "v" + stem]
        if stem.startswith("p"):
            made += [f"v{stem}d", f"v{stem}q"]
    return made


@handler(*_names("pxor", "xorps", "xorpd"))
def _pxor(m: Processor, s: DecodedInstruction) -> None:
    a, b = sources_of(m, s, s.operands[0].bits)
    out = m.once(("xor", tuple(a), tuple(b)), lambda: m.symbols.xor_each(a, b))
    write_result(m, s, out, element_bits(s.name))


@handler(*_names("pand", "andps", "andpd"))
def _pand(m: Processor, s: DecodedInstruction) -> None:
    a, b = sources_of(m, s, s.operands[0].bits)
    out = m.once(("and", tuple(a), tuple(b)), lambda: and_bits(m, a, b))
    write_result(m, s, out, element_bits(s.name))


@handler(*_names("pandn", "andnps", "andnpd"))
def _pandn(m: Processor, s: DecodedInstruction) -> None:
    a, b = sources_of(m, s, s.operands[0].bits)
    out = m.once(("andn", tuple(a), tuple(b)), lambda: and_bits(m, [x ^ 1 for x in a], b))
    write_result(m, s, out, element_bits(s.name))


@handler(*_names("por", "orps", "orpd"))
def _por(m: Processor, s: DecodedInstruction) -> None:
    a, b = sources_of(m, s, s.operands[0].bits)
    out = m.once(("or", tuple(a), tuple(b)), lambda: m.symbols.either_each(a, b))
    write_result(m, s, out, element_bits(s.name))


@handler("vpternlogd", "vpternlogq")
def _ternary(m: Processor, s: DecodedInstruction) -> None:
    bits, imm = s.operands[0].bits, immediate(s)
    a = m.v[s.operands[0].number][:bits]
    b, c = (read_operand(m, op, bits) for op in s.operands[1:3])
    key = "three", imm, tuple(a), tuple(b), tuple(c)
    out = m.once(key, lambda: m.symbols.of_three_each(a, b, c, imm))
    write_result(m, s, out, element_bits(s.name))


@handler(
    *(p + f"ps{d}l{e}" for p in ("", "v") for d in "lr" for e in "wdq"),
    *(p + f"psra{e}" for p in ("", "v") for e in "wd"),
)
def _shift(m: Processor, s: DecodedInstruction) -> None:
    bits, element = s.operands[0].bits, element_bits(s.name)
    stem = s.name.lstrip("v")
    count_op = s.operands[-1]
    count = count_op.value & 255 if count_op.kind == "i" else settled(read_operand(m, count_op, 64)[:64])
    if not isinstance(count, int):
        raise NotFollowed("a shift by a secret")
    source = s.operands[1] if s.name[0] == "v" else s.operands[0]
    value = read_operand(m, source, bits)
    out: Bits = []
    for i in range(0, bits, element):
        x = value[i : i + element]
        n = min(count, element)
        if stem.startswith("psll"):
            out += [*[0] * n, *x[: element - n]]
        else:
            fill = x[-1] if stem.startswith("psra") else 0
            out += [*x[n:], *[fill] * n]
    write_result(m, s, out, element)


@handler(
    "vpsllvq", "vpsrlvq", "vpsllvd", "vpsrlvd", "vpsllvw", "vpsrlvw", "vprolq", "vprold", "vprorq", "vprord"
)
def _shift_each(m: Processor, s: DecodedInstruction) -> None:
    bits, element = s.operands[0].bits, element_bits(s.name)
    value = read_operand(m, s.operands[1], bits)
    counts = [immediate(s)] * bits if s.operands[2].kind == "i" else read_operand(m, s.operands[2], bits)
    out: Bits = []
    for i in range(0, bits, element):
        x = value[i : i + element]
        count = counts[i] if s.operands[2].kind == "i" else settled(counts[i : i + element])
        if not isinstance(count, int):
            raise NotFollowed("a shift by a secret")
        if s.name.startswith("vpro"):
            n = count % element if s.name.startswith("vpror") else -count % element
            out += [*x[n:], *x[:n]]
        else:
            n = min(count, element)
            out += [*[0] * n, *x[: element - n]] if s.name.startswith("vpsll") else [*x[n:], *[0] * n]
    write_result(m, s, out, element)


@handler("pslldq", "psrldq", "vpslldq", "vpsrldq")
def _shift_bytes(m: Processor, s: DecodedInstruction) -> None:
    bits = s.operands[0].bits
    value = read_operand(m, s.operands[-2], bits)
    n = 8 * min(immediate(s), 16)
    out: Bits = []
    for i in range(0, bits, 128):
        x = value[i : i + 128]
        out += [*[0] * n, *x[: 128 - n]] if "psll" in s.name else [*x[n:], *[0] * n]
    write_result(m, s, out, 128)


@handler("palignr", "vpalignr")
def _align(m: Processor, s: DecodedInstruction) -> None:
    bits = s.operands[0].bits
    a, b = sources_of(m, s, bits)
    n = 8 * immediate(s)
    out: Bits = []
    for i in range(0, bits, 128):
        both = [*b[i : i + 128], *a[i : i + 128], *[0] * 256]
        out += both[n : n + 128]
    write_result(m, s, out, 8)


@handler("valignq", "valignd")
def _align_elements(m: Processor, s: DecodedInstruction) -> None:
    bits, element = s.operands[0].bits, element_bits(s.name)
    a, b = sources_of(m, s, bits)
    n = element * (immediate(s) % (bits // element))
    write_result(m, s, [*b, *a][n : n + bits], element)
