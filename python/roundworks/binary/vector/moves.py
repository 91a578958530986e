"""Moves of vectors, of lanes and of elements. [INTEL-SDM]"""

from __future__ import annotations

from ...errors import NotFollowed
from ..handlers import handler
from ..machine import DecodedInstruction, Processor, as_bits, settled
from ..scalar.operands import signed
from .operands import element_bits, immediate, part_of, read_operand, write_result


@handler(
    *(
        p + n
        for p in ("", "v")
        for n in ("movaps", "movups", "movapd", "movupd", "movdqa", "movdqu", "lddqu")
    ),
    *(f"vmovdq{a}{n}" for a in "au" for n in (8, 16, 32, 64)),
    "movntdq",
    "vmovntdq",
    "movntps",
    "vmovntps",
)
def _move(m: Processor, s: DecodedInstruction) -> None:
    to, source = s.operands
    bits = to.bits if to.kind == "v" else source.bits
    element = element_bits(s.name)
    if s.mask and source.kind == "m":
        # What the mask leaves out is not read.
        address, value = m.address(source), [0] * bits
        for i in range(0, bits, element):
            if m.k[s.mask][i // element] == 1:
                value[i : i + element] = m.read_bits(address + i // 8, element // 8)
        write_result(m, s, value, element)
        return
    write_result(m, s, read_operand(m, source, bits), element)


@handler("movq", "vmovq", "movd", "vmovd", "vmovw")
def _move_low(m: Processor, s: DecodedInstruction) -> None:
    to, source = s.operands
    bits = {"q": 64, "d": 32, "w": 16}[s.name[-1]]
    value = read_operand(m, source, bits) if source.kind in "vm" else as_bits(m.get(source), 64)[:bits]
    if to.kind == "v":
        value = [*value[:bits], *[0] * (128 - bits)]
        m.v[to.number] = [*value, *([0] * 384 if s.name[0] == "v" else m.v[to.number][128:])]
    else:
        m.put(to, settled([*value[:bits], *[0] * (to.bits - bits)][: to.bits]))


@handler("movlps", "movhps", "movlpd", "movhpd", "vmovlps", "vmovhps", "vmovlpd", "vmovhpd")
def _move_half(m: Processor, s: DecodedInstruction) -> None:
    at = 64 * ("movh" in s.name)
    if s.operands[0].kind == "m":
        m.write_bits(m.address(s.operands[0]), m.v[s.operands[1].number][at : at + 64])
        return
    value = list(m.v[s.operands[-2].number][:128])
    value[at : at + 64] = read_operand(m, s.operands[-1], 64)
    write_result(m, s, value, 64)


@handler("movlhps", "movhlps", "vmovlhps", "vmovhlps")
def _move_across(m: Processor, s: DecodedInstruction) -> None:
    a, b = (m.v[op.number] for op in s.operands[-2:])
    write_result(m, s, [*a[:64], *b[:64]] if "lh" in s.name else [*b[64:128], *a[64:128]], 64)


@handler("movss", "movsd", "vmovss", "vmovsd")
def _move_one(m: Processor, s: DecodedInstruction) -> None:
    bits = 32 if s.name.endswith("s") else 64
    if s.operands[0].kind == "m":
        m.write_bits(m.address(s.operands[0]), m.v[s.operands[1].number][:bits])
    elif s.operands[-1].kind == "m":
        write_result(m, s, [*read_operand(m, s.operands[-1], bits), *[0] * (128 - bits)], bits)
    else:
        a, b = (m.v[op.number] for op in s.operands[-2:])
        write_result(m, s, [*b[:bits], *a[bits:128]], bits)


@handler("pextrb", "pextrw", "pextrd", "pextrq", "vpextrb", "vpextrw", "vpextrd", "vpextrq")
def _extract(m: Processor, s: DecodedInstruction) -> None:
    bits = element_bits(s.name)
    at = immediate(s) % (128 // bits) * bits
    value = settled(m.v[s.operands[1].number][at : at + bits])
    to = s.operands[0]
    if to.kind == "r" and to.bits > bits:
        value = settled([*as_bits(value, bits), *[0] * (to.bits - bits)])
    if to.kind == "m":
        m.write(m.address(to), value, bits // 8)
    else:
        m.put(to, value)


@handler("pinsrb", "pinsrw", "pinsrd", "pinsrq", "vpinsrb", "vpinsrw", "vpinsrd", "vpinsrq")
def _insert(m: Processor, s: DecodedInstruction) -> None:
    bits = element_bits(s.name)
    at = immediate(s) % (128 // bits) * bits
    value = list(m.v[s.operands[-3].number][:128])
    value[at : at + bits] = read_operand(m, s.operands[-2], bits)[:bits]
    write_result(m, s, value, bits)


_WIDTHS = {"128": 128, "32x4": 128, "64x2": 128, "64x4": 256, "32x8": 256}


def _width(name: str) -> int:
    return next(bits for suffix, bits in _WIDTHS.items() if name.endswith(suffix))


@handler(
    *(
        f"vextract{t}"
        for t in ("i128", "f128", "i32x4", "f32x4", "i64x2", "f64x2", "i64x4", "f64x4", "i32x8", "f32x8")
    )
)
def _extract_lane(m: Processor, s: DecodedInstruction) -> None:
    width = _width(s.name)
    source = s.operands[1]
    at = immediate(s) % (source.bits // width) * width
    write_result(m, s, m.v[source.number][at : at + width], element_bits(s.name))


@handler(
    *(
        f"vinsert{t}"
        for t in ("i128", "f128", "i32x4", "f32x4", "i64x2", "f64x2", "i64x4", "f64x4", "i32x8", "f32x8")
    )
)
def _insert_lane(m: Processor, s: DecodedInstruction) -> None:
    width, bits = _width(s.name), s.operands[0].bits
    at = immediate(s) % (bits // width) * width
    value = list(m.v[s.operands[1].number][:bits])
    value[at : at + width] = read_operand(m, s.operands[2], width)
    write_result(m, s, value, element_bits(s.name))


@handler("movddup", "vmovddup")
def _double(m: Processor, s: DecodedInstruction) -> None:
    """The lower half of each 128 bits in both halves; from memory only those 64 bits are read at 128 bits."""
    bits, source = s.operands[0].bits, s.operands[1]
    value = read_operand(m, source, 64 if bits == 128 else bits)
    write_result(m, s, [bit for at in range(0, bits, 128) for bit in value[at : at + 64] * 2], 64)


@handler(
    *(
        f"vbroadcast{t}"
        for t in ("i128", "f128", "i32x4", "f32x4", "i64x2", "f64x2", "i64x4", "f64x4", "ss", "sd")
    ),
    "vpbroadcastb",
    "vpbroadcastw",
    "vpbroadcastd",
    "vpbroadcastq",
)
def _broadcast(m: Processor, s: DecodedInstruction) -> None:
    element = {"ss": 32, "sd": 64}.get(s.name[-2:]) or (
        element_bits(s.name) if s.name.startswith("vp") else _width(s.name)
    )
    value = read_operand(m, s.operands[1], element)[:element]
    mask = {"ss": 32, "sd": 64}.get(s.name[-2:]) or element_bits(s.name)
    write_result(m, s, value * (s.operands[0].bits // element), mask)


@handler(*(f"vp{way}{e}" for way in ("gather", "scatter") for e in ("dd", "dq", "qq")))
def _gather(m: Processor, s: DecodedInstruction) -> None:
    """Elements at addresses that a vector has; only those whose mask is 1 are read or written, and it is 0 then."""
    place = next(op for op in s.operands if op.kind == "m")
    vector = next(op for op in s.operands if op.kind == "v")
    if not s.mask:
        raise NotFollowed("a gather under a mask that is no mask register")
    width, element = ({"d": 32, "q": 64}[c] for c in s.name[-2:])
    value, mask = m.v[vector.number], m.k[s.mask]
    out = list(value[: vector.bits])
    for i in range(vector.bits // element):
        index = settled(part_of(m.v[place.indices], i, width))
        if mask[i] == 1:
            address = m.address(place, signed(index, width) if isinstance(index, int) else index)
            at = slice(element * i, element * (i + 1))
            if s.name.startswith("vpg"):
                out[at] = m.read_bits(address, element // 8)
            else:
                m.write_bits(address, value[at])
        elif mask[i] != 0:
            raise NotFollowed("a gather under a secret mask")
    if s.name.startswith("vpg"):
        m.v[vector.number] = [*out, *[0] * (512 - vector.bits)]
    m.k[s.mask] = [0] * 64
