"""Sums of forms and flags, for instructions of every kind. [INTEL-SDM]"""

from __future__ import annotations

from typing import Any

from ..forms import Bits, Symbols
from ..machine import DecodedInstruction, Operand, Processor, as_bits, settled


def added(symbols: Symbols, a: Bits, b: Bits, carry: Any = 0) -> tuple[Bits, Any]:
    """(sum, carry) of two numbers of unknown bits."""
    out = []
    for x, y in zip(a, b, strict=True):
        out.append(symbols.xor(symbols.xor(x, y), carry))
        carry = majority(symbols, x, y, carry)
    return out, carry


def majority(symbols: Symbols, x: Any, y: Any, z: Any) -> Any:
    """What at least two of three bits are; linear where two are equal, or one is the negation of another."""
    for a, b, c in ((x, y, z), (x, z, y), (y, z, x)):
        differ = symbols.xor(a, b)
        if differ <= 1:
            return c if differ else a
    return symbols.xor(symbols.times(x, y), symbols.times(symbols.xor(x, y), z))


def signed(value: int, bits: int) -> int:
    """A number of that many bits, as one in two's complement."""
    return value - (1 << bits) if value >> bits - 1 else value


def logic_flags(m: Processor, value: Any, bits: int) -> None:
    """The flags of a result that has no carry."""
    m.carry = m.overflow = 0
    result_flags(m, value, bits)


def result_flags(m: Processor, value: Any, bits: int) -> None:
    """Zero, sign and parity of a result."""
    m.zero = value
    m.sign = value >> bits - 1 if isinstance(value, int) else value[bits - 1]
    if isinstance(value, int):
        m.parity = 1 - (value & 255).bit_count() % 2
    else:
        m.parity = None


def extended(m: Processor, op: Operand, bits: int) -> Any:
    """An operand; an immediate one cut to that many bits."""
    value = m.get(op)
    return value & (1 << bits) - 1 if op.kind == "i" and isinstance(value, int) else value


def pair(m: Processor, s: DecodedInstruction) -> tuple[Any, Any, int]:
    """Both operands, and their bits."""
    bits = s.operands[0].bits
    return m.get(s.operands[0]), extended(m, s.operands[1], bits), bits


def sum_with_flags(m: Processor, a: Any, b: Any, carry: Any, bits: int) -> Any:
    """a + b + carry, and its flags."""
    if isinstance(a, int) and isinstance(b, int) and carry in (0, 1):
        total = a + b + carry
        value = total & (1 << bits) - 1
        m.carry = total >> bits
        m.overflow = int(bool((a ^ value) & (b ^ value) & 1 << bits - 1))
        result_flags(m, value, bits)
        return value
    out, m.carry = added(m.symbols, as_bits(a, bits), as_bits(b, bits), carry)
    m.overflow = None
    result = settled(out)
    result_flags(m, result, bits)
    return result


def difference_with_flags(m: Processor, a: Any, b: Any, borrow: Any, bits: int) -> Any:
    """a - b - borrow, and its flags: a sum with the complement of b, whose carry is no borrow."""
    complement = b ^ (1 << bits) - 1 if isinstance(b, int) else [bit ^ 1 for bit in b]
    result = sum_with_flags(m, a, complement, borrow ^ 1, bits)
    m.carry ^= 1
    if borrow == 0 and not isinstance(result, int):
        # Equal operands, which says more than the difference that borrows run through.
        m.zero = differing(m, a, b, bits)
    return result


def differing(m: Processor, a: Any, b: Any, bits: int) -> Any:
    """The bits in which two numbers differ."""
    return settled(m.symbols.xor_each(as_bits(a, bits), as_bits(b, bits)))


def chosen(symbols: Symbols, bit: Any, yes: Bits, no: Bits) -> Bits:
    """``yes`` where the bit is 1."""
    return symbols.xor_each(no, symbols.times_each([bit] * len(yes), symbols.xor_each(yes, no)))
