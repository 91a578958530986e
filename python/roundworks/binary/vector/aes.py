"""AES rounds and affine maps of bytes. [INTEL-SDM]"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from ...reference.aes import (
    INV_MIX_COLUMNS,
    INV_SHIFT_ROWS,
    INV_SUB_BYTES,
    MIX_COLUMNS,
    SHIFT_ROWS,
    SUB_BYTES,
)
from ...reference.components import Matrix
from ..forms import Bits
from ..handlers import handler
from ..machine import DecodedInstruction, Processor
from ..words import BitWord
from .operands import immediate, read_operand, sources_of, write_result

_INVERSE = tuple(
    next((y for y in range(256) if Matrix("GF(2^8)", ((1,),), 8, 0x11B).times(x, y) == 1), 0)
    for x in range(256)
)


def _aes_word(m: Processor, x: Bits) -> BitWord:
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


def _lane(m: Processor, step: Callable[[BitWord], BitWord], lane: Bits) -> Bits:
    return _from_aes(step(_aes_word(m, lane)))


@handler(*(p + n for p in ("", "v") for n in _AES))
def _aes(m: Processor, s: DecodedInstruction) -> None:
    bits, step = s.operands[0].bits, _AES[s.name.lstrip("v")]
    if s.name.endswith("aesimc"):
        x, key = read_operand(m, s.operands[1], bits), [0] * bits
    else:
        x, key = sources_of(m, s, bits)
    out: Bits = []
    for i in range(0, bits, 128):
        lane = x[i : i + 128]
        out += m.once((s.name.lstrip("v"), tuple(lane)), partial(_lane, m, step, lane))
    write_result(m, s, m.symbols.xor_each(out, key), 128)


@handler("gf2p8affineqb", "vgf2p8affineqb", "gf2p8affineinvqb", "vgf2p8affineinvqb")
def _affine(m: Processor, s: DecodedInstruction) -> None:
    bits, imm = s.operands[0].bits, immediate(s)
    x, matrix = sources_of(m, s, bits)
    out: Bits = []
    for i in range(0, bits, 8):
        byte, rows = x[i : i + 8], matrix[i & ~63 : (i & ~63) + 64]
        if "inv" in s.name:
            byte = m.symbols.looked_up(byte, _INVERSE, 8)
        out += m.once(("affine", imm, tuple(byte), tuple(rows)), partial(_parities, m, byte, rows, imm))
    write_result(m, s, out, 8)


def _parities(m: Processor, byte: Bits, matrix: Bits, imm: int) -> Bits:
    """Bit i is the parity of the byte and byte 7 - i of the matrix, and bit i of the constant."""
    times = m.symbols.times
    out = []
    for i in range(8):
        total: Any = imm >> i & 1
        row = 8 * (7 - i)
        for j in range(8):
            a, b = matrix[row + j], byte[j]
            if a == 1:
                total = m.symbols.xor(total, b)
            elif a != 0 and b != 0:
                total = m.symbols.xor(total, times(a, b))
        out.append(total)
    return out


@handler("vzeroall")
def _zero_all(m: Processor, s: DecodedInstruction) -> None:
    m.v[:16] = [[0] * 512 for _ in range(16)]
