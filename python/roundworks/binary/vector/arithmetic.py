"""Sums, comparisons, and elements made wider or narrower. [INTEL-SDM]"""

from __future__ import annotations

from typing import Any

from ...errors import NotFollowed
from ..forms import Bits
from ..handlers import handler
from ..machine import DecodedInstruction, Processor, as_bits, settled
from ..scalar.operands import added, chosen
from .operands import (
    by_lanes,
    element_bits,
    part_of,
    read_operand,
    sources_of,
    write_elements,
    write_mask,
    write_result,
)


@handler(*(p + f"padd{e}" for p in ("", "v") for e in "bwdq"))
def _padd(m: Processor, s: DecodedInstruction) -> None:
    write_elements(m, s, lambda x, y: [0, *x[:-1]] if x == y else added(m.symbols, x, y)[0])


@handler(*(p + f"psub{e}" for p in ("", "v") for e in "bwdq"))
def _psub(m: Processor, s: DecodedInstruction) -> None:
    write_elements(m, s, lambda x, y: added(m.symbols, x, [bit ^ 1 for bit in y], 1)[0])


@handler("pmuludq", "vpmuludq")
def _muludq(m: Processor, s: DecodedInstruction) -> None:
    """The lower halves of 64 bits multiplied."""

    def product(x: Bits, y: Bits) -> Bits:
        a, b = settled(x[:32]), settled(y[:32])
        if not isinstance(a, int) or not isinstance(b, int):
            raise NotFollowed("a product of secrets")
        return as_bits(a * b, 64)

    write_elements(m, s, product)


@handler("pmaddubsw", "vpmaddubsw")
def _maddubs(m: Processor, s: DecodedInstruction) -> None:
    """Unsigned bytes of a times signed ones of b, summed in pairs; here without saturation."""
    bits = s.operands[0].bits
    a, b = sources_of(m, s, bits)
    out: Bits = []
    for i in range(0, bits, 16):
        total: Bits = [0] * 17
        for j in (i, i + 8):
            factor = settled(b[j : j + 8])
            if not isinstance(factor, int) or factor > 127:
                raise NotFollowed("a product of secrets, or by a negative number")
            for shift in range(7):
                if factor >> shift & 1:
                    part = [*[0] * shift, *a[j : j + 8], *[0] * 17][:17]
                    total, _ = added(m.symbols, total, part)
        if total[15] != 0 or total[16] != 0:
            raise NotFollowed("a sum that may saturate")
        out += total[:16]
    write_result(m, s, out, 16)


@handler(*(p + f"pack{s}s{t}" for p in ("", "v") for s in "us" for t in ("wb", "dw")))
def _pack(m: Processor, s: DecodedInstruction) -> None:
    bits = s.operands[0].bits
    a, b = sources_of(m, s, bits)
    wide = 16 if s.name.endswith("wb") else 32
    narrow = wide // 2
    signed = "packss" in s.name

    def narrowed(x: Bits) -> Bits:
        value = settled(x)
        if isinstance(value, int):
            value -= value >> wide - 1 << wide
            lowest, highest = (
                (-(1 << narrow - 1), (1 << narrow - 1) - 1) if signed else (0, (1 << narrow) - 1)
            )
            return as_bits(min(max(value, lowest), highest) % (1 << narrow), narrow)
        if any(bit != (x[narrow - 1] if signed else 0) for bit in x[narrow:]):
            raise NotFollowed("a pack that may saturate")
        return x[:narrow]

    def lane(i: int) -> Bits:
        return [b2 for x in (a, b) for k in range(128 // wide) for b2 in narrowed(part_of(x, k, wide, i))]

    write_result(m, s, by_lanes(bits, lane), wide // 2)


@handler("vpmovwb", "vpmovqd", "vpmovdw", "vpmovqb")
def _truncate(m: Processor, s: DecodedInstruction) -> None:
    source = s.operands[1]
    wide, narrow = ({"b": 8, "w": 16, "d": 32, "q": 64}[c] for c in s.name[-2:])
    x = read_operand(m, source, source.bits)
    out: Bits = []
    for i in range(0, source.bits, wide):
        out += x[i : i + narrow]
    if s.operands[0].kind == "v" and len(out) < 128:
        out += [0] * (128 - len(out))
    write_result(m, s, out, narrow)


@handler(*(p + f"pmov{z}x{t}" for p in ("", "v") for z in "sz" for t in ("bw", "bd", "bq", "wd", "wq", "dq")))
def _extend(m: Processor, s: DecodedInstruction) -> None:
    bits = s.operands[0].bits
    narrow, wide = ({"b": 8, "w": 16, "d": 32, "q": 64}[c] for c in s.name[-2:])
    x = read_operand(m, s.operands[1], bits * narrow // wide)
    out: Bits = []
    for i in range(0, bits * narrow // wide, narrow):
        part = x[i : i + narrow]
        out += [*part, *[part[-1] if "movs" in s.name else 0] * (wide - narrow)]
    write_result(m, s, out, wide)


def _compared(m: Processor, kind: str, x: Bits, y: Bits) -> Any:
    p, q = settled(x), settled(y)
    n = len(x)
    if isinstance(p, int) and isinstance(q, int):
        if kind == "eq":
            return int(p == q)
        flip = 1 << n - 1 if kind == "gt" else 0
        return int((p ^ flip) > (q ^ flip))
    if kind == "eq":
        differ = m.symbols.xor_each(x, y)
        known = [bit for bit in differ if bit != 0]
        if len(known) == 1:
            return known[0] ^ 1
        if all(map(m.symbols.is_sum, known)) and len(known) > 8:
            return m.symbols.any_of(known) ^ 1
        total: Any = 0
        for bit in known:
            (total,) = m.symbols.either_each([total], [bit])
        return total ^ 1
    if kind == "gt" and p == 0:
        return y[-1]
    if kind == "gt" and q == (1 << n) - 1:
        return x[-1] ^ 1
    # x > y: y - x borrows, with the sign bits exchanged where numbers are signed.
    if kind == "gt":
        x, y = [*x[:-1], x[-1] ^ 1], [*y[:-1], y[-1] ^ 1]
    return added(m.symbols, y, [bit ^ 1 for bit in x], 1)[1] ^ 1


@handler(*(p + f"pcmp{k}{e}" for p in ("", "v") for k in ("gt", "eq") for e in "bwdq"))
def _pcmp(m: Processor, s: DecodedInstruction) -> None:
    element = element_bits(s.name)
    kind = "gt" if "gt" in s.name else "eq"
    if s.operands[0].kind == "k":
        bits = s.operands[1].bits
        a, b = (read_operand(m, op, bits) for op in s.operands[1:3])
    else:
        bits = s.operands[0].bits
        a, b = sources_of(m, s, bits)
    selected = [_compared(m, kind, a[i : i + element], b[i : i + element]) for i in range(0, bits, element)]
    if s.operands[0].kind == "k":
        write_mask(m, s, selected)
    else:
        write_result(m, s, [bit for bit in selected for _ in range(element)], element)


@handler(*(f"vpcmp{u}{e}" for u in ("", "u") for e in "bwdq"))
def _vpcmp(m: Processor, s: DecodedInstruction) -> None:
    element, bits = element_bits(s.name), s.operands[1].bits
    a, b = (read_operand(m, op, bits) for op in s.operands[1:3])
    predicate, unsigned = s.operands[3].value & 7, s.name[5:6] == "u"
    selected = []
    for i in range(0, bits, element):
        x, y = a[i : i + element], b[i : i + element]
        gt = "ugt" if unsigned else "gt"
        match predicate:
            case 0:
                bit = _compared(m, "eq", x, y)
            case 1:
                bit = _compared(m, gt, y, x)
            case 2:
                bit = _compared(m, gt, x, y) ^ 1
            case 4:
                bit = _compared(m, "eq", x, y) ^ 1
            case 5:
                bit = _compared(m, gt, y, x) ^ 1
            case 6:
                bit = _compared(m, gt, x, y)
            case _:
                bit = int(predicate == 7)
        selected.append(bit)
    write_mask(m, s, selected)


@handler("pminub", "vpminub", "pmaxub", "vpmaxub", "vpminuq", "vpmaxuq")
def _minimum(m: Processor, s: DecodedInstruction) -> None:
    def picked(x: Bits, y: Bits) -> Bits:
        yes, no = (y, x) if "min" in s.name else (x, y)
        return chosen(m.symbols, _compared(m, "ugt", x, y), yes, no)

    write_elements(m, s, picked)
