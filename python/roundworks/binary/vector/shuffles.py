"""Elements and bytes in another order. [INTEL-SDM]"""

from __future__ import annotations

from ...errors import NotFollowed
from ..forms import Bits
from ..handlers import handler
from ..machine import DecodedInstruction, Processor, settled
from ..scalar.operands import chosen
from .operands import by_lanes, element_bits, immediate, part_of, read_operand, sources_of, write_result


@handler("pshufd", "vpshufd", "vpermilps")
def _pshufd(m: Processor, s: DecodedInstruction) -> None:
    bits, imm = s.operands[0].bits, immediate(s)
    if s.operands[-1].kind != "i":
        raise NotFollowed("a shuffle by a register")
    x = read_operand(m, s.operands[1], bits)
    write_result(
        m, s, by_lanes(bits, lambda i: [b for k in range(4) for b in part_of(x, imm >> 2 * k & 3, 32, i)]), 32
    )


@handler("pshuflw", "pshufhw", "vpshuflw", "vpshufhw")
def _pshufw(m: Processor, s: DecodedInstruction) -> None:
    bits, imm = s.operands[0].bits, immediate(s)
    x = read_operand(m, s.operands[1], bits)
    high = "hw" in s.name

    def lane(i: int) -> Bits:
        base = i + 64 * high
        moved = [b for k in range(4) for b in part_of(x, imm >> 2 * k & 3, 16, base)]
        return [*x[i : i + 64], *moved] if high else [*moved, *x[i + 64 : i + 128]]

    write_result(m, s, by_lanes(bits, lane), 16)


@handler("shufps", "vshufps", "shufpd", "vshufpd")
def _shufp(m: Processor, s: DecodedInstruction) -> None:
    bits, imm = s.operands[0].bits, immediate(s)
    a, b = sources_of(m, s, bits)

    def lane(i: int) -> Bits:
        if s.name.endswith("d"):
            k = i // 64
            return [*part_of(a, imm >> k & 1, 64, i), *part_of(b, imm >> k + 1 & 1, 64, i)]
        return [x for k in range(4) for x in part_of(a if k < 2 else b, imm >> 2 * k & 3, 32, i)]

    write_result(m, s, by_lanes(bits, lane), element_bits(s.name))


_UNPACK = {"bw": 8, "wd": 16, "dq": 32, "qdq": 64}


@handler(
    *(p + f"punpck{h}{e}" for p in ("", "v") for h in "lh" for e in _UNPACK),
    *(p + f"unpck{h}p{e}" for p in ("", "v") for h in "lh" for e in "sd"),
)
def _unpack(m: Processor, s: DecodedInstruction) -> None:
    bits = s.operands[0].bits
    a, b = sources_of(m, s, bits)
    stem = s.name.lstrip("v")
    if stem.startswith("p"):
        element, high = _UNPACK[stem[7:]], stem[6] == "h"
    else:
        element, high = (32 if stem.endswith("s") else 64), stem[5] == "h"
    first = 64 // element if high else 0

    def lane(i: int) -> Bits:
        out: Bits = []
        for k in range(first, first + 64 // element):
            out += [*part_of(a, k, element, i), *part_of(b, k, element, i)]
        return out

    write_result(m, s, by_lanes(bits, lane), element)


@handler("pblendw", "vpblendw", "vpblendd", "blendps", "vblendps", "blendpd", "vblendpd")
def _blend(m: Processor, s: DecodedInstruction) -> None:
    bits, imm = s.operands[0].bits, immediate(s)
    a, b = sources_of(m, s, bits)
    element = element_bits(s.name)
    out: Bits = []
    for k in range(bits // element):
        at = k % 8 if element == 16 else k
        out += part_of(b if imm >> at & 1 else a, k, element)
    write_result(m, s, out, element)


@handler("vpblendmb", "vpblendmw", "vpblendmd", "vpblendmq", "vblendmps", "vblendmpd")
def _blend_mask(m: Processor, s: DecodedInstruction) -> None:
    bits, element = s.operands[0].bits, element_bits(s.name)
    a, b = sources_of(m, s, bits)
    mask = m.k[s.mask] if s.mask else [1] * 64
    out: Bits = []
    for k in range(bits // element):
        out += chosen(m.symbols, mask[k], part_of(b, k, element), part_of(a, k, element))
    m.v[s.operands[0].number] = [*out, *[0] * (512 - bits)]


@handler("vperm2i128", "vperm2f128")
def _perm2(m: Processor, s: DecodedInstruction) -> None:
    a, b = sources_of(m, s, 256)
    parts, imm = [a[:128], a[128:], b[:128], b[128:]], immediate(s)
    write_result(m, s, [x for k in (0, 4) for x in ([0] * 128 if imm >> k & 8 else parts[imm >> k & 3])], 64)


@handler("vshufi64x2", "vshuff64x2", "vshufi32x4", "vshuff32x4")
def _shuffle_lanes(m: Processor, s: DecodedInstruction) -> None:
    bits, imm = s.operands[0].bits, immediate(s)
    a, b = sources_of(m, s, bits)
    lanes = bits // 128
    width = 2 if lanes == 4 else 1
    out: Bits = []
    for k in range(lanes):
        chosen_lane = imm >> width * k & (1 << width) - 1
        out += part_of(a if k < lanes // 2 else b, chosen_lane, 128)
    write_result(m, s, out, element_bits(s.name))


@handler("vpermq", "vpermpd")
def _permq(m: Processor, s: DecodedInstruction) -> None:
    bits = s.operands[0].bits
    if s.operands[2].kind != "i":
        _permute(m, s)
        return
    x, imm = read_operand(m, s.operands[1], bits), immediate(s)
    out: Bits = []
    for base in range(0, bits, 256):
        out += [b for k in range(4) for b in part_of(x, imm >> 2 * k & 3, 64, base)]
    write_result(m, s, out, 64)


@handler("vpermb", "vpermw", "vpermd", "vpermps")
def _permute(m: Processor, s: DecodedInstruction) -> None:
    """Elements of one vector by the indices in another."""
    bits, element = s.operands[0].bits, element_bits(s.name)
    index, x = sources_of(m, s, bits)
    write_result(m, s, _picked(m, index, x, element), element)


@handler(*(f"vperm{k}2{e}" for k in "it" for e in ("b", "w", "d", "q", "ps", "pd")))
def _permute2(m: Processor, s: DecodedInstruction) -> None:
    """Elements of two vectors: the destination is the indices (i) or the first vector (t)."""
    bits, element = s.operands[0].bits, element_bits(s.name)
    first = m.v[s.operands[0].number][:bits]
    second, third = (read_operand(m, op, bits) for op in s.operands[1:])
    index, low = (first, second) if s.name[5] == "i" else (second, first)
    write_result(m, s, _picked(m, index, [*low, *third], element), element)


class _Elements:
    """Elements that are chosen by number: one of them, or if the number is secret, a look-up in what they are."""

    def __init__(self, m: Processor, x: Bits, element: int) -> None:
        self.m, self.x, self.element = m, x, element
        self.values: list[int] = []

    def at(self, index: Bits, zeros: int = 0) -> Bits:
        """The element with this number; zeros follow the last."""
        n, count = settled(index), len(self.x) // self.element
        if isinstance(n, int):
            return part_of(self.x, n, self.element) if n < count else [0] * self.element
        if not self.values:
            self.values = [settled(part_of(self.x, k, self.element)) for k in range(count)]
            if not all(isinstance(value, int) for value in self.values):
                raise NotFollowed("a look-up of secrets in secrets")
        table = (*self.values, *[0] * zeros)
        look_up = self.m.symbols.looked_up
        return self.m.once(("look-up", tuple(index), table), lambda: look_up(index, table, self.element))


def _picked(m: Processor, index: Bits, x: Bits, element: int) -> Bits:
    """For each element of ``index`` that element of x; bits of an index above are not used."""
    width, elements = (len(x) // element).bit_length() - 1, _Elements(m, x, element)
    out: Bits = []
    for i in range(0, len(index), element):
        out += elements.at(index[i : i + width])
    return out


@handler("pshufb", "vpshufb")
def _pshufb(m: Processor, s: DecodedInstruction) -> None:
    bits = s.operands[0].bits
    x, index = sources_of(m, s, bits)
    out: Bits = []
    for lane in range(0, bits, 128):
        elements = _Elements(m, x[lane : lane + 128], 8)
        for i in range(lane, lane + 128, 8):
            low, negative = index[i : i + 4], index[i + 7]
            if negative == 1:
                out += [0] * 8
            else:
                out += elements.at(low) if negative == 0 else elements.at([*low, negative], 16)
    write_result(m, s, out, 8)


@handler("vpmultishiftqb")
def _multishift(m: Processor, s: DecodedInstruction) -> None:
    bits = s.operands[0].bits
    control, x = sources_of(m, s, bits)
    out: Bits = []
    for i in range(0, bits, 8):
        n, q = settled(control[i : i + 6]), i & ~63
        if not isinstance(n, int):
            raise NotFollowed("a shift by a secret")
        word = x[q : q + 64]
        out += [word[(n + j) % 64] for j in range(8)]
    write_result(m, s, out, 8)
