"""Instructions on vectors of 128, 256 and 512 bits, in the encodings of SSE, AVX and AVX-512. [INTEL-SDM]

A vector is a list of bits, the lowest first. An instruction that has one meaning per element is a function
of the elements of its sources; masks, the part of the register above the result and operands that are
repeated are the same for all, in `_result` and `_sources`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..reference.aes import INV_MIX_COLUMNS, INV_SHIFT_ROWS, INV_SUB_BYTES, MIX_COLUMNS, SHIFT_ROWS, SUB_BYTES
from ..reference.components import Matrix
from .forms import Bits, NotFollowed
from .machine import Machine, Operand, Step, as_bits, settled
from .scalar import added, chosen, either
from .words import BitWord

Handler = Callable[[Machine, Step], None]
HANDLERS: dict[str, Handler] = {}
_INVERSE = tuple(
    next((y for y in range(256) if Matrix("GF(2^8)", ((1,),), 8, 0x11B).times(x, y) == 1), 0)
    for x in range(256)
)


def _handler(*names: str) -> Callable[[Handler], Handler]:
    def keep(body: Handler) -> Handler:
        HANDLERS.update(dict.fromkeys(names, body))
        return body

    return keep


def _read(m: Machine, op: Operand, bits: int) -> Bits:
    """An operand as that many bits."""
    if op.kind == "v":
        return m.v[op.number][:bits]
    if op.kind == "k":
        return m.k[op.number][:bits]
    if op.repeated:
        element = m.read_bits(m.address(op), op.repeated // 8)
        return element * (bits // op.repeated)
    if op.kind == "m":
        return m.read_bits(m.address(op), min(op.bits, bits) // 8)
    return as_bits(m.get(op), op.bits)


def _sources(m: Machine, s: Step, bits: int) -> list[Bits]:
    """The vectors that go in: of an instruction of SSE the destination is the first of them."""
    operands = [op for op in s.operands if op.kind != "i"]
    vex = s.name.startswith("v")
    return [_read(m, op, bits) for op in (operands[1:] if vex else operands)]


def _imm(s: Step) -> int:
    return s.operands[-1].value & 255


def _result(m: Machine, s: Step, value: Bits, element: int) -> None:
    """Write a result, under the mask of the instruction, and zeros above it."""
    op = s.operands[0]
    bits = len(value)
    if s.mask:
        mask = m.k[s.mask]
        old: Bits = [0] * bits if s.zeroing else []
        if op.kind == "m":
            address = m.address(op)
            for i in range(0, bits, element):
                if mask[i // element] == 1:
                    m.write_bits(address + i // 8, value[i : i + element])
                elif mask[i // element] != 0:
                    raise NotFollowed("a store under a secret mask")
            return
        if not s.zeroing:
            old = m.v[op.number][:bits]
        out: Bits = []
        for i in range(0, bits, element):
            bit = mask[i // element]
            yes, no = value[i : i + element], old[i : i + element]
            out += yes if bit == 1 else no if bit == 0 else chosen(m.symbols, bit, yes, no)
        value = out
    if op.kind == "m":
        m.write_bits(m.address(op), value)
    elif s.name.startswith("v"):
        m.v[op.number] = [*value, *[0] * (512 - bits)]
    else:
        m.v[op.number] = [*value, *m.v[op.number][bits:]]


def _xor(a: Bits, b: Bits) -> Bits:
    return [x ^ y for x, y in zip(a, b, strict=True)]


def _and(m: Machine, a: Bits, b: Bits) -> Bits:
    times = m.symbols.times
    return [times(x, y) for x, y in zip(a, b, strict=True)]


def _element(name: str) -> int:
    """Bits of the elements that a mask selects, by the last letters of a name."""
    for suffix, bits in (
        ("32x2", 32),
        ("32x4", 32),
        ("32x8", 32),
        ("64x2", 64),
        ("64x4", 64),
        ("dqu8", 8),
        ("dqu16", 16),
        ("dqu32", 32),
        ("dqa32", 32),
        ("dqu64", 64),
        ("dqa64", 64),
        ("dqu", 64),
        ("dqa", 64),
        ("128", 128),
        ("ps", 32),
        ("pd", 64),
        ("b", 8),
        ("w", 16),
        ("d", 32),
        ("q", 64),
    ):
        if name.endswith(suffix):
            return bits
    return 64


# -- moves ------------------------------------------------------------------------------------------------
@_handler(
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
def _move(m: Machine, s: Step) -> None:
    to, source = s.operands
    bits = to.bits if to.kind == "v" else source.bits
    element = _element(s.name)
    if s.mask and source.kind == "m":
        # What the mask leaves out is not read.
        address, value = m.address(source), [0] * bits
        for i in range(0, bits, element):
            if m.k[s.mask][i // element] == 1:
                value[i : i + element] = m.read_bits(address + i // 8, element // 8)
        _result(m, s, value, element)
        return
    _result(m, s, _read(m, source, bits), element)


@_handler("movq", "vmovq", "movd", "vmovd")
def _move_low(m: Machine, s: Step) -> None:
    to, source = s.operands
    bits = 64 if s.name.endswith("q") else 32
    value = _read(m, source, bits) if source.kind in "vm" else as_bits(m.get(source), 64)[:bits]
    if to.kind == "v":
        value = [*value[:bits], *[0] * (128 - bits)]
        m.v[to.number] = [*value, *([0] * 384 if s.name[0] == "v" else m.v[to.number][128:])]
    else:
        m.put(to, settled(value[: to.bits]))


@_handler("movlps", "movhps", "movlpd", "movhpd", "vmovlps", "vmovhps", "vmovlpd", "vmovhpd")
def _move_half(m: Machine, s: Step) -> None:
    at = 64 * ("movh" in s.name)
    if s.operands[0].kind == "m":
        m.write_bits(m.address(s.operands[0]), m.v[s.operands[1].number][at : at + 64])
        return
    value = list(m.v[s.operands[-2].number][:128])
    value[at : at + 64] = _read(m, s.operands[-1], 64)
    _result(m, s, value, 64)


@_handler("movlhps", "movhlps", "vmovlhps", "vmovhlps")
def _move_across(m: Machine, s: Step) -> None:
    a, b = (m.v[op.number] for op in s.operands[-2:])
    _result(m, s, [*a[:64], *b[:64]] if "lh" in s.name else [*b[64:128], *a[64:128]], 64)


@_handler("movss", "movsd", "vmovss", "vmovsd")
def _move_one(m: Machine, s: Step) -> None:
    bits = 32 if s.name.endswith("s") else 64
    if s.operands[0].kind == "m":
        m.write_bits(m.address(s.operands[0]), m.v[s.operands[1].number][:bits])
    elif s.operands[-1].kind == "m":
        _result(m, s, [*_read(m, s.operands[-1], bits), *[0] * (128 - bits)], bits)
    else:
        a, b = (m.v[op.number] for op in s.operands[-2:])
        _result(m, s, [*b[:bits], *a[bits:128]], bits)


@_handler("pextrb", "pextrw", "pextrd", "pextrq", "vpextrb", "vpextrw", "vpextrd", "vpextrq")
def _extract(m: Machine, s: Step) -> None:
    bits = _element(s.name)
    at = _imm(s) % (128 // bits) * bits
    value = settled(m.v[s.operands[1].number][at : at + bits])
    to = s.operands[0]
    if to.kind == "r" and to.bits > bits:
        value = settled([*as_bits(value, bits), *[0] * (to.bits - bits)])
    if to.kind == "m":
        m.write(m.address(to), value, bits // 8)
    else:
        m.put(to, value)


@_handler("pinsrb", "pinsrw", "pinsrd", "pinsrq", "vpinsrb", "vpinsrw", "vpinsrd", "vpinsrq")
def _insert(m: Machine, s: Step) -> None:
    bits = _element(s.name)
    at = _imm(s) % (128 // bits) * bits
    value = list(m.v[s.operands[-3].number][:128])
    value[at : at + bits] = _read(m, s.operands[-2], bits)[:bits]
    _result(m, s, value, bits)


_WIDTHS = {"128": 128, "32x4": 128, "64x2": 128, "64x4": 256, "32x8": 256}


def _width(name: str) -> int:
    return next(bits for suffix, bits in _WIDTHS.items() if name.endswith(suffix))


@_handler(
    *(
        f"vextract{t}"
        for t in ("i128", "f128", "i32x4", "f32x4", "i64x2", "f64x2", "i64x4", "f64x4", "i32x8", "f32x8")
    )
)
def _extract_lane(m: Machine, s: Step) -> None:
    width = _width(s.name)
    source = s.operands[1]
    at = _imm(s) % (source.bits // width) * width
    _result(m, s, m.v[source.number][at : at + width], _element(s.name))


@_handler(
    *(
        f"vinsert{t}"
        for t in ("i128", "f128", "i32x4", "f32x4", "i64x2", "f64x2", "i64x4", "f64x4", "i32x8", "f32x8")
    )
)
def _insert_lane(m: Machine, s: Step) -> None:
    width, bits = _width(s.name), s.operands[0].bits
    at = _imm(s) % (bits // width) * width
    value = list(m.v[s.operands[1].number][:bits])
    value[at : at + width] = _read(m, s.operands[2], width)
    _result(m, s, value, _element(s.name))


@_handler(
    *(
        f"vbroadcast{t}"
        for t in ("i128", "f128", "i32x4", "f32x4", "i64x2", "f64x2", "i64x4", "f64x4", "ss", "sd")
    ),
    "vpbroadcastb",
    "vpbroadcastw",
    "vpbroadcastd",
    "vpbroadcastq",
)
def _broadcast(m: Machine, s: Step) -> None:
    element = {"ss": 32, "sd": 64}.get(s.name[-2:]) or (
        _element(s.name) if s.name.startswith("vp") else _width(s.name)
    )
    value = _read(m, s.operands[1], element)[:element]
    mask = {"ss": 32, "sd": 64}.get(s.name[-2:]) or _element(s.name)
    _result(m, s, value * (s.operands[0].bits // element), mask)


# -- bitwise ----------------------------------------------------------------------------------------------
def _names(*stems: str) -> list[str]:
    made = []
    for stem in stems:
        made += [stem, "v" + stem]
        if stem.startswith("p"):
            made += [f"v{stem}d", f"v{stem}q"]
    return made


@_handler(*_names("pxor", "xorps", "xorpd"))
def _pxor(m: Machine, s: Step) -> None:
    a, b = _sources(m, s, s.operands[0].bits)
    _result(m, s, _xor(a, b), _element(s.name))


@_handler(*_names("pand", "andps", "andpd"))
def _pand(m: Machine, s: Step) -> None:
    a, b = _sources(m, s, s.operands[0].bits)
    _result(m, s, _and(m, a, b), _element(s.name))


@_handler(*_names("pandn", "andnps", "andnpd"))
def _pandn(m: Machine, s: Step) -> None:
    a, b = _sources(m, s, s.operands[0].bits)
    _result(m, s, _and(m, [x ^ 1 for x in a], b), _element(s.name))


@_handler(*_names("por", "orps", "orpd"))
def _por(m: Machine, s: Step) -> None:
    a, b = _sources(m, s, s.operands[0].bits)
    _result(m, s, [either(m.symbols, x, y) for x, y in zip(a, b, strict=True)], _element(s.name))


@_handler("vpternlogd", "vpternlogq")
def _ternary(m: Machine, s: Step) -> None:
    bits, imm = s.operands[0].bits, _imm(s)
    a = m.v[s.operands[0].number][:bits]
    b, c = (_read(m, op, bits) for op in s.operands[1:3])
    times = m.symbols.times
    # The algebraic normal form: row r of the table is the bits (a, b, c) of r, a the highest.
    anf = [imm >> r & 1 for r in range(8)]
    for half in (1, 2, 4):
        for r in range(8):
            if r & half:
                anf[r] ^= anf[r ^ half]
    out = []
    for x, y, z in zip(a, b, c, strict=True):
        total: Any = anf[0]
        if anf[4]:
            total = total ^ x
        if anf[2]:
            total = total ^ y
        if anf[1]:
            total = total ^ z
        for r, terms in ((6, (x, y)), (5, (x, z)), (3, (y, z))):
            if anf[r]:
                total = total ^ times(*terms)
        if anf[7]:
            total = total ^ times(times(x, y), z)
        out.append(total)
    _result(m, s, out, _element(s.name))


# -- shifts -----------------------------------------------------------------------------------------------
@_handler(
    *(p + f"ps{d}l{e}" for p in ("", "v") for d in "lr" for e in "wdq"),
    *(p + f"psra{e}" for p in ("", "v") for e in "wd"),
)
def _shift(m: Machine, s: Step) -> None:
    bits, element = s.operands[0].bits, _element(s.name)
    stem = s.name.lstrip("v")
    count_op = s.operands[-1]
    count = count_op.value & 255 if count_op.kind == "i" else settled(_read(m, count_op, 64)[:64])
    if not isinstance(count, int):
        raise NotFollowed("a shift by a secret")
    source = s.operands[1] if s.name[0] == "v" else s.operands[0]
    value = _read(m, source, bits)
    out: Bits = []
    for i in range(0, bits, element):
        x = value[i : i + element]
        n = min(count, element)
        if stem.startswith("psll"):
            out += [*[0] * n, *x[: element - n]]
        else:
            fill = x[-1] if stem.startswith("psra") else 0
            out += [*x[n:], *[fill] * n]
    _result(m, s, out, element)


@_handler("vpsllvq", "vpsrlvq", "vpsllvd", "vpsrlvd", "vprolq", "vprold", "vprorq", "vprord")
def _shift_each(m: Machine, s: Step) -> None:
    bits, element = s.operands[0].bits, _element(s.name)
    value = _read(m, s.operands[1], bits)
    counts = [_imm(s)] * bits if s.operands[2].kind == "i" else _read(m, s.operands[2], bits)
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
    _result(m, s, out, element)


@_handler("pslldq", "psrldq", "vpslldq", "vpsrldq")
def _shift_bytes(m: Machine, s: Step) -> None:
    bits = s.operands[0].bits
    value = _read(m, s.operands[-2], bits)
    n = 8 * min(_imm(s), 16)
    out: Bits = []
    for i in range(0, bits, 128):
        x = value[i : i + 128]
        out += [*[0] * n, *x[: 128 - n]] if "psll" in s.name else [*x[n:], *[0] * n]
    _result(m, s, out, 128)


@_handler("palignr", "vpalignr")
def _align(m: Machine, s: Step) -> None:
    bits = s.operands[0].bits
    a, b = _sources(m, s, bits)
    n = 8 * _imm(s)
    out: Bits = []
    for i in range(0, bits, 128):
        both = [*b[i : i + 128], *a[i : i + 128], *[0] * 256]
        out += both[n : n + 128]
    _result(m, s, out, 8)


@_handler("valignq", "valignd")
def _align_elements(m: Machine, s: Step) -> None:
    bits, element = s.operands[0].bits, _element(s.name)
    a, b = _sources(m, s, bits)
    n = element * (_imm(s) % (bits // element))
    _result(m, s, [*b, *a][n : n + bits], element)


# -- shuffles ---------------------------------------------------------------------------------------------
def _lanes(bits: int, body: Callable[[int], Bits]) -> Bits:
    out: Bits = []
    for i in range(0, bits, 128):
        out += body(i)
    return out


def _part(x: Bits, i: int, element: int, lane: int = 0) -> Bits:
    return x[lane + element * i : lane + element * i + element]


@_handler("pshufd", "vpshufd", "vpermilps")
def _pshufd(m: Machine, s: Step) -> None:
    bits, imm = s.operands[0].bits, _imm(s)
    if s.operands[-1].kind != "i":
        raise NotFollowed("a shuffle by a register")
    x = _read(m, s.operands[1], bits)
    _result(
        m, s, _lanes(bits, lambda i: [b for k in range(4) for b in _part(x, imm >> 2 * k & 3, 32, i)]), 32
    )


@_handler("pshuflw", "pshufhw", "vpshuflw", "vpshufhw")
def _pshufw(m: Machine, s: Step) -> None:
    bits, imm = s.operands[0].bits, _imm(s)
    x = _read(m, s.operands[1], bits)
    high = "hw" in s.name

    def lane(i: int) -> Bits:
        base = i + 64 * high
        moved = [b for k in range(4) for b in _part(x, imm >> 2 * k & 3, 16, base)]
        return [*x[i : i + 64], *moved] if high else [*moved, *x[i + 64 : i + 128]]

    _result(m, s, _lanes(bits, lane), 16)


@_handler("shufps", "vshufps", "shufpd", "vshufpd")
def _shufp(m: Machine, s: Step) -> None:
    bits, imm = s.operands[0].bits, _imm(s)
    a, b = _sources(m, s, bits)

    def lane(i: int) -> Bits:
        if s.name.endswith("d"):
            k = i // 64
            return [*_part(a, imm >> k & 1, 64, i), *_part(b, imm >> k + 1 & 1, 64, i)]
        return [x for k in range(4) for x in _part(a if k < 2 else b, imm >> 2 * k & 3, 32, i)]

    _result(m, s, _lanes(bits, lane), _element(s.name))


_UNPACK = {"bw": 8, "wd": 16, "dq": 32, "qdq": 64}


@_handler(
    *(p + f"punpck{h}{e}" for p in ("", "v") for h in "lh" for e in _UNPACK),
    *(p + f"unpck{h}p{e}" for p in ("", "v") for h in "lh" for e in "sd"),
)
def _unpack(m: Machine, s: Step) -> None:
    bits = s.operands[0].bits
    a, b = _sources(m, s, bits)
    stem = s.name.lstrip("v")
    if stem.startswith("p"):
        element, high = _UNPACK[stem[7:]], stem[6] == "h"
    else:
        element, high = (32 if stem.endswith("s") else 64), stem[5] == "h"
    first = 64 // element if high else 0

    def lane(i: int) -> Bits:
        out: Bits = []
        for k in range(first, first + 64 // element):
            out += [*_part(a, k, element, i), *_part(b, k, element, i)]
        return out

    _result(m, s, _lanes(bits, lane), element)


@_handler("pblendw", "vpblendw", "vpblendd", "blendps", "vblendps", "blendpd", "vblendpd")
def _blend(m: Machine, s: Step) -> None:
    bits, imm = s.operands[0].bits, _imm(s)
    a, b = _sources(m, s, bits)
    element = _element(s.name)
    out: Bits = []
    for k in range(bits // element):
        at = k % 8 if element == 16 else k
        out += _part(b if imm >> at & 1 else a, k, element)
    _result(m, s, out, element)


@_handler("vpblendmb", "vpblendmw", "vpblendmd", "vpblendmq", "vblendmps", "vblendmpd")
def _blend_mask(m: Machine, s: Step) -> None:
    bits, element = s.operands[0].bits, _element(s.name)
    a, b = _sources(m, s, bits)
    mask = m.k[s.mask] if s.mask else [1] * 64
    out: Bits = []
    for k in range(bits // element):
        out += chosen(m.symbols, mask[k], _part(b, k, element), _part(a, k, element))
    m.v[s.operands[0].number] = [*out, *[0] * (512 - bits)]


@_handler("vperm2i128", "vperm2f128")
def _perm2(m: Machine, s: Step) -> None:
    a, b = _sources(m, s, 256)
    parts, imm = [a[:128], a[128:], b[:128], b[128:]], _imm(s)
    _result(m, s, [x for k in (0, 4) for x in ([0] * 128 if imm >> k & 8 else parts[imm >> k & 3])], 64)


@_handler("vshufi64x2", "vshuff64x2", "vshufi32x4", "vshuff32x4")
def _shuffle_lanes(m: Machine, s: Step) -> None:
    bits, imm = s.operands[0].bits, _imm(s)
    a, b = _sources(m, s, bits)
    lanes = bits // 128
    width = 2 if lanes == 4 else 1
    out: Bits = []
    for k in range(lanes):
        chosen_lane = imm >> width * k & (1 << width) - 1
        out += _part(a if k < lanes // 2 else b, chosen_lane, 128)
    _result(m, s, out, _element(s.name))


@_handler("vpermq", "vpermpd")
def _permq(m: Machine, s: Step) -> None:
    bits = s.operands[0].bits
    if s.operands[2].kind != "i":
        _permute(m, s)
        return
    x, imm = _read(m, s.operands[1], bits), _imm(s)
    out: Bits = []
    for base in range(0, bits, 256):
        out += [b for k in range(4) for b in _part(x, imm >> 2 * k & 3, 64, base)]
    _result(m, s, out, 64)


@_handler("vpermb", "vpermw", "vpermd", "vpermps")
def _permute(m: Machine, s: Step) -> None:
    """Elements of one vector by the indices in another."""
    bits, element = s.operands[0].bits, _element(s.name)
    index, x = _sources(m, s, bits)
    _result(m, s, _picked(m, index, x, element), element)


@_handler(*(f"vperm{k}2{e}" for k in "it" for e in ("b", "w", "d", "q", "ps", "pd")))
def _permute2(m: Machine, s: Step) -> None:
    """Elements of two vectors: the destination is the indices (i) or the first vector (t)."""
    bits, element = s.operands[0].bits, _element(s.name)
    first = m.v[s.operands[0].number][:bits]
    second, third = (_read(m, op, bits) for op in s.operands[1:])
    index, low = (first, second) if s.name[5] == "i" else (second, first)
    _result(m, s, _picked(m, index, [*low, *third], element), element)


def _picked(m: Machine, index: Bits, x: Bits, element: int) -> Bits:
    """For each element of ``index`` that element of x; bits of an index above are not used."""
    count = len(x) // element
    width = count.bit_length() - 1
    out: Bits = []
    for i in range(0, len(index), element):
        out += _chosen_element(m, index[i : i + width], x, element)
    return out


def _chosen_element(m: Machine, at: Bits, x: Bits, element: int) -> Bits:
    n = settled(at)
    if isinstance(n, int):
        return _part(x, n, element)
    table = [settled(_part(x, k, element)) for k in range(len(x) // element)]
    if not all(isinstance(value, int) for value in table):
        raise NotFollowed("a look-up of secrets in secrets")
    return m.symbols.looked_up(at, table, element)


@_handler("pshufb", "vpshufb")
def _pshufb(m: Machine, s: Step) -> None:
    bits = s.operands[0].bits
    x, index = _sources(m, s, bits)
    out: Bits = []
    for i in range(0, bits, 8):
        byte, lane = index[i : i + 8], i & ~127
        if byte[7] == 1:
            out += [0] * 8
        elif byte[7] == 0:
            out += _chosen_element(m, byte[:4], x[lane : lane + 128], 8)
        else:
            table = [settled(_part(x, k, 8, lane)) for k in range(16)]
            if not all(isinstance(value, int) for value in table):
                raise NotFollowed("a look-up of secrets in secrets")
            out += m.symbols.looked_up([*byte[:4], byte[7]], [*table, *[0] * 16], 8)
    _result(m, s, out, 8)


@_handler("vpmultishiftqb")
def _multishift(m: Machine, s: Step) -> None:
    bits = s.operands[0].bits
    control, x = _sources(m, s, bits)
    out: Bits = []
    for i in range(0, bits, 8):
        n, q = settled(control[i : i + 6]), i & ~63
        if not isinstance(n, int):
            raise NotFollowed("a shift by a secret")
        word = x[q : q + 64]
        out += [word[(n + j) % 64] for j in range(8)]
    _result(m, s, out, 8)


# -- arithmetic -------------------------------------------------------------------------------------------
@_handler(*(p + f"padd{e}" for p in ("", "v") for e in "bwdq"))
def _padd(m: Machine, s: Step) -> None:
    bits, element = s.operands[0].bits, _element(s.name)
    a, b = _sources(m, s, bits)
    out: Bits = []
    for i in range(0, bits, element):
        x, y = a[i : i + element], b[i : i + element]
        out += [0, *x[:-1]] if x == y else added(m.symbols, x, y)[0]
    _result(m, s, out, element)


@_handler(*(p + f"psub{e}" for p in ("", "v") for e in "bwdq"))
def _psub(m: Machine, s: Step) -> None:
    bits, element = s.operands[0].bits, _element(s.name)
    a, b = _sources(m, s, bits)
    out: Bits = []
    for i in range(0, bits, element):
        x, y = a[i : i + element], b[i : i + element]
        out += added(m.symbols, x, [bit ^ 1 for bit in y], 1)[0]
    _result(m, s, out, element)


@_handler("pmaddubsw", "vpmaddubsw")
def _maddubs(m: Machine, s: Step) -> None:
    """Unsigned bytes of a times signed ones of b, summed in pairs; here without saturation."""
    bits = s.operands[0].bits
    a, b = _sources(m, s, bits)
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
    _result(m, s, out, 16)


@_handler("packuswb", "vpackuswb", "packusdw", "vpackusdw")
def _pack(m: Machine, s: Step) -> None:
    bits = s.operands[0].bits
    a, b = _sources(m, s, bits)
    wide = 16 if s.name.endswith("wb") else 32

    def narrowed(x: Bits) -> Bits:
        value = settled(x)
        if isinstance(value, int):
            top = 1 << wide // 2
            value = 0 if value >> wide - 1 else min(value, top - 1)
            return as_bits(value, wide // 2)
        if any(bit != 0 for bit in x[wide // 2 :]):
            raise NotFollowed("a pack that may saturate")
        return x[: wide // 2]

    def lane(i: int) -> Bits:
        return [b2 for x in (a, b) for k in range(128 // wide) for b2 in narrowed(_part(x, k, wide, i))]

    _result(m, s, _lanes(bits, lane), wide // 2)


@_handler("vpmovwb", "vpmovqd", "vpmovdw", "vpmovqb")
def _truncate(m: Machine, s: Step) -> None:
    source = s.operands[1]
    wide, narrow = ({"b": 8, "w": 16, "d": 32, "q": 64}[c] for c in s.name[-2:])
    x = _read(m, source, source.bits)
    out: Bits = []
    for i in range(0, source.bits, wide):
        out += x[i : i + narrow]
    if s.operands[0].kind == "v" and len(out) < 128:
        out += [0] * (128 - len(out))
    _result(m, s, out, narrow)


@_handler(
    *(p + f"pmov{z}x{t}" for p in ("", "v") for z in "sz" for t in ("bw", "bd", "bq", "wd", "wq", "dq"))
)
def _extend(m: Machine, s: Step) -> None:
    bits = s.operands[0].bits
    narrow, wide = ({"b": 8, "w": 16, "d": 32, "q": 64}[c] for c in s.name[-2:])
    x = _read(m, s.operands[1], bits * narrow // wide)
    out: Bits = []
    for i in range(0, bits * narrow // wide, narrow):
        part = x[i : i + narrow]
        out += [*part, *[part[-1] if "movs" in s.name else 0] * (wide - narrow)]
    _result(m, s, out, wide)


def _compared(m: Machine, kind: str, x: Bits, y: Bits) -> Any:
    p, q = settled(x), settled(y)
    n = len(x)
    if isinstance(p, int) and isinstance(q, int):
        if kind == "eq":
            return int(p == q)
        flip = 1 << n - 1 if kind == "gt" else 0
        return int((p ^ flip) > (q ^ flip))
    if kind == "eq":
        differ = _xor(x, y)
        known = [bit for bit in differ if bit != 0]
        if len(known) == 1:
            return known[0] ^ 1
        if all(isinstance(bit, int) for bit in known) and len(known) > 8:
            return m.symbols.any_of(known) ^ 1
        total: Any = 1
        for bit in known:
            total = m.symbols.times(total, bit ^ 1)
        return total
    if kind == "gt" and p == 0:
        return y[-1]
    if kind == "gt" and q == (1 << n) - 1:
        return x[-1] ^ 1
    # x > y: y - x borrows, with the sign bits exchanged where numbers are signed.
    if kind == "gt":
        x, y = [*x[:-1], x[-1] ^ 1], [*y[:-1], y[-1] ^ 1]
    return added(m.symbols, y, [bit ^ 1 for bit in x], 1)[1] ^ 1


@_handler(*(p + f"pcmp{k}{e}" for p in ("", "v") for k in ("gt", "eq") for e in "bwdq"))
def _pcmp(m: Machine, s: Step) -> None:
    element = _element(s.name)
    kind = "gt" if "gt" in s.name else "eq"
    if s.operands[0].kind == "k":
        bits = s.operands[1].bits
        a, b = (_read(m, op, bits) for op in s.operands[1:3])
    else:
        bits = s.operands[0].bits
        a, b = _sources(m, s, bits)
    selected = [_compared(m, kind, a[i : i + element], b[i : i + element]) for i in range(0, bits, element)]
    if s.operands[0].kind == "k":
        _mask_result(m, s, selected)
    else:
        _result(m, s, [bit for bit in selected for _ in range(element)], element)


@_handler(*(f"vpcmp{u}{e}" for u in ("", "u") for e in "bwdq"))
def _vpcmp(m: Machine, s: Step) -> None:
    element, bits = _element(s.name), s.operands[1].bits
    a, b = (_read(m, op, bits) for op in s.operands[1:3])
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
    _mask_result(m, s, selected)


@_handler("pminub", "vpminub", "pmaxub", "vpmaxub", "vpminuq", "vpmaxuq")
def _minimum(m: Machine, s: Step) -> None:
    element, bits = _element(s.name), s.operands[0].bits
    a, b = _sources(m, s, bits)
    out: Bits = []
    for i in range(0, bits, element):
        x, y = a[i : i + element], b[i : i + element]
        above = _compared(m, "ugt", x, y)
        yes, no = (y, x) if "min" in s.name else (x, y)
        out += chosen(m.symbols, above, yes, no)
    _result(m, s, out, element)


# -- masks ------------------------------------------------------------------------------------------------
def _mask_result(m: Machine, s: Step, bits: Bits) -> None:
    if s.mask:
        bits = [m.symbols.times(bit, m.k[s.mask][i]) for i, bit in enumerate(bits)]
    m.k[s.operands[0].number] = [*bits, *[0] * (64 - len(bits))]


@_handler(*(f"vptest{n}{e}" for n in ("", "n") for e in ("mb", "mw", "md", "mq")))
def _test_mask(m: Machine, s: Step) -> None:
    element, bits = _element(s.name), s.operands[1].bits
    a, b = (_read(m, op, bits) for op in s.operands[1:3])
    both = _and(m, a, b)
    selected = []
    for i in range(0, bits, element):
        bit = m.symbols.any_of(both[i : i + element])
        selected.append(bit ^ 1 if "testn" in s.name else bit)
    _mask_result(m, s, selected)


@_handler("ptest", "vptest")
def _ptest(m: Machine, s: Step) -> None:
    bits = s.operands[0].bits
    a, b = (_read(m, op, bits) for op in s.operands)
    m.zero = settled(_and(m, a, b))
    m.carry = m.symbols.any_of(_and(m, [x ^ 1 for x in a], b)) ^ 1
    m.sign = m.overflow = 0


@_handler(*(f"vpmov{e}2m" for e in "bwdq"))
def _signs(m: Machine, s: Step) -> None:
    element = {"b": 8, "w": 16, "d": 32, "q": 64}[s.name[5]]
    x = _read(m, s.operands[1], s.operands[1].bits)
    _mask_result(m, s, x[element - 1 :: element])


@_handler(*(f"vpmovm2{e}" for e in "bwdq"))
def _from_mask(m: Machine, s: Step) -> None:
    element, bits = _element(s.name), s.operands[0].bits
    _result(m, s, [m.k[s.operands[1].number][i // element] for i in range(bits)], element)


@_handler("movmskps", "vmovmskps", "movmskpd", "vmovmskpd", "pmovmskb", "vpmovmskb")
def _sign_mask(m: Machine, s: Step) -> None:
    element = 8 if s.name.endswith("b") else _element(s.name)
    x = m.v[s.operands[1].number][: s.operands[1].bits]
    selected = x[element - 1 :: element]
    m.put(s.operands[0], settled([*selected, *[0] * (s.operands[0].bits - len(selected))]))


_K = {"b": 8, "w": 16, "d": 32, "q": 64}


@_handler(*(f"kmov{e}" for e in _K))
def _kmov(m: Machine, s: Step) -> None:
    bits = _K[s.name[-1]]
    value = as_bits(m.get(s.operands[1]), 64 if s.operands[1].kind == "k" else s.operands[1].bits)[:bits]
    to = s.operands[0]
    if to.kind == "k":
        m.k[to.number] = [*value, *[0] * (64 - len(value))]
    elif to.kind == "r":
        m.put(to, settled([*value, *[0] * (to.bits - len(value))]))
    else:
        m.write_bits(m.address(to), value)


@_handler(*(f"k{o}{e}" for o in ("and", "or", "xor", "xnor", "andn", "not") for e in _K))
def _klogic(m: Machine, s: Step) -> None:
    bits, kind = _K[s.name[-1]], s.name[1:-1]
    sources = [m.k[op.number][:bits] for op in s.operands[1:]]
    if kind == "not":
        out = [x ^ 1 for x in sources[0]]
    else:
        a, b = sources
        if kind in ("xor", "xnor"):
            out = [x ^ y ^ int(kind == "xnor") for x, y in zip(a, b, strict=True)]
        elif kind == "or":
            out = [either(m.symbols, x, y) for x, y in zip(a, b, strict=True)]
        else:
            out = _and(m, [x ^ 1 for x in a] if kind == "andn" else a, b)
    m.k[s.operands[0].number] = [*out, *[0] * (64 - bits)]


@_handler(*(f"kshift{d}{e}" for d in "lr" for e in _K))
def _kshift(m: Machine, s: Step) -> None:
    bits, n = _K[s.name[-1]], _imm(s)
    x = m.k[s.operands[1].number][:bits]
    n = min(n, bits)
    out = [*x[n:], *[0] * n] if s.name[6] == "r" else [*[0] * n, *x[: bits - n]]
    m.k[s.operands[0].number] = [*out, *[0] * (64 - bits)]


@_handler("kunpckbw", "kunpckwd", "kunpckdq")
def _kunpack(m: Machine, s: Step) -> None:
    half = {"bw": 8, "wd": 16, "dq": 32}[s.name[6:]]
    a, b = (m.k[op.number][:half] for op in s.operands[1:])
    m.k[s.operands[0].number] = [*b, *a, *[0] * (64 - 2 * half)]


@_handler(*(f"kortest{e}" for e in _K), *(f"ktest{e}" for e in _K))
def _ktest(m: Machine, s: Step) -> None:
    bits = _K[s.name[-1]]
    a, b = (m.k[op.number][:bits] for op in s.operands)
    if s.name.startswith("kor"):
        both = [either(m.symbols, x, y) for x, y in zip(a, b, strict=True)]
        m.zero, m.carry = settled(both), m.symbols.any_of([x ^ 1 for x in both]) ^ 1
    else:
        m.zero = settled(_and(m, a, b))
        m.carry = m.symbols.any_of(_and(m, [x ^ 1 for x in a], b)) ^ 1
    m.sign = m.overflow = 0


# -- AES and GF(2^8) --------------------------------------------------------------------------------------
def _aes_word(m: Machine, x: Bits) -> BitWord:
    """A lane of 128 bits as the word of a description, whose first byte is the most significant."""
    return BitWord([bit for i in range(120, -8, -8) for bit in x[i : i + 8]], m.symbols)


def _from_aes(word: BitWord) -> Bits:
    return [bit for i in range(120, -8, -8) for bit in word.forms[i : i + 8]]


def _aesenc(x: BitWord) -> BitWord:
    return x.sub(SUB_BYTES).permute(SHIFT_ROWS).mix(MIX_COLUMNS)


def _aesenclast(x: BitWord) -> BitWord:
    return x.sub(SUB_BYTES).permute(SHIFT_ROWS)


def _aesdec(x: BitWord) -> BitWord:
    return x.permute(INV_SHIFT_ROWS).sub(INV_SUB_BYTES).mix(INV_MIX_COLUMNS)


def _aesdeclast(x: BitWord) -> BitWord:
    return x.permute(INV_SHIFT_ROWS).sub(INV_SUB_BYTES)


def _aesimc(x: BitWord) -> BitWord:
    return x.mix(INV_MIX_COLUMNS)


_AES = {
    "aesenc": _aesenc,
    "aesenclast": _aesenclast,
    "aesdec": _aesdec,
    "aesdeclast": _aesdeclast,
    "aesimc": _aesimc,
}


@_handler(*(p + n for p in ("", "v") for n in _AES))
def _aes(m: Machine, s: Step) -> None:
    bits, step = s.operands[0].bits, _AES[s.name.lstrip("v")]
    if s.name.endswith("aesimc"):
        x, key = _read(m, s.operands[1], bits), [0] * bits
    else:
        x, key = _sources(m, s, bits)
    out = _lanes(bits, lambda i: _from_aes(step(_aes_word(m, x[i : i + 128]))))
    _result(m, s, _xor(out, key), 128)


@_handler("gf2p8affineqb", "vgf2p8affineqb", "gf2p8affineinvqb", "vgf2p8affineinvqb")
def _affine(m: Machine, s: Step) -> None:
    bits, imm = s.operands[0].bits, _imm(s)
    x, matrix = _sources(m, s, bits)
    out: Bits = []
    for i in range(0, bits, 8):
        byte, q = x[i : i + 8], i & ~63
        if "inv" in s.name:
            byte = m.symbols.looked_up(byte, _INVERSE, 8)
        out += _parities(m, byte, matrix[q : q + 64], imm)
    _result(m, s, out, 8)


def _parities(m: Machine, byte: Bits, matrix: Bits, imm: int) -> Bits:
    """Bit i is the parity of the byte and byte 7 - i of the matrix, and bit i of the constant."""
    times = m.symbols.times
    out = []
    for i in range(8):
        total: Any = imm >> i & 1
        row = 8 * (7 - i)
        for j in range(8):
            a, b = matrix[row + j], byte[j]
            if a == 1:
                total = total ^ b
            elif a != 0 and not (type(b) is int and b == 0):
                total = total ^ times(a, b)
        out.append(total)
    return out


@_handler("vzeroall")
def _zero_all(m: Machine, s: Step) -> None:
    m.v[:16] = [[0] * 512 for _ in range(16)]
