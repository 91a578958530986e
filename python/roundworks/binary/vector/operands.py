"""Operands and results of vector instructions: masks, what lies above a result, repeated operands. [INTEL-SDM]"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from ...errors import NotFollowed
from ..forms import Bits
from ..machine import DecodedInstruction, Operand, Processor, as_bits
from ..scalar.operands import chosen


def read_operand(m: Processor, op: Operand, bits: int) -> Bits:
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


def sources_of(m: Processor, s: DecodedInstruction, bits: int) -> list[Bits]:
    """The vectors that go in: of an instruction of SSE the destination is the first of them."""
    operands = [op for op in s.operands if op.kind != "i"]
    vex = s.name.startswith("v")
    return [read_operand(m, op, bits) for op in (operands[1:] if vex else operands)]


def immediate(s: DecodedInstruction) -> int:
    """The last operand, of 8 bits."""
    return s.operands[-1].value & 255


def write_result(m: Processor, s: DecodedInstruction, value: Bits, element: int) -> None:
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
        m.v[op.number][:bits] = value


def and_bits(m: Processor, a: Bits, b: Bits) -> Bits:
    """Bit-wise, of one length."""
    return m.symbols.times_each(a, b)


@cache
def element_bits(name: str) -> int:
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


def by_lanes(bits: int, body: Callable[[int], Bits]) -> Bits:
    """What `body` makes of each lane of 128 bits, given where it starts."""
    out: Bits = []
    for i in range(0, bits, 128):
        out += body(i)
    return out


def write_elements(m: Processor, s: DecodedInstruction, body: Callable[[Bits, Bits], Bits]) -> None:
    """Write what `body` makes of each element of the first source and the one of the second."""
    bits, element = s.operands[0].bits, element_bits(s.name)
    a, b = sources_of(m, s, bits)
    out: Bits = []
    for i in range(0, bits, element):
        out += body(a[i : i + element], b[i : i + element])
    write_result(m, s, out, element)


def part_of(x: Bits, i: int, element: int, lane: int = 0) -> Bits:
    """The bits of element `i` of a lane."""
    return x[lane + element * i : lane + element * i + element]


def write_mask(m: Processor, s: DecodedInstruction, bits: Bits) -> None:
    """A mask as the result, under the mask of the instruction, and zeros above it."""
    if s.mask:
        bits = m.symbols.times_each(bits, m.k[s.mask][: len(bits)])
    m.k[s.operands[0].number] = [*bits, *[0] * (64 - len(bits))]
