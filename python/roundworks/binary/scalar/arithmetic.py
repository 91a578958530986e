"""Arithmetic, logic and shifts. [INTEL-SDM]"""

from __future__ import annotations

from typing import Any

from ...errors import NotFollowed
from ..forms import Bits
from ..handlers import handler
from ..machine import RAX, RDX, DecodedInstruction, Operand, Processor, as_bits, settled
from .operands import (
    added,
    difference_with_flags,
    differing,
    extended,
    logic_flags,
    pair,
    result_flags,
    signed,
    sum_with_flags,
)


@handler("add")
def _add(m: Processor, s: DecodedInstruction) -> None:
    a, b, bits = pair(m, s)
    m.put(s.operands[0], sum_with_flags(m, a, b, 0, bits))


@handler("adc")
def _adc(m: Processor, s: DecodedInstruction) -> None:
    a, b, bits = pair(m, s)
    m.put(s.operands[0], sum_with_flags(m, a, b, m.carry, bits))


@handler("sub")
def _sub(m: Processor, s: DecodedInstruction) -> None:
    a, b, bits = pair(m, s)
    m.put(s.operands[0], difference_with_flags(m, a, b, 0, bits))


@handler("sbb")
def _sbb(m: Processor, s: DecodedInstruction) -> None:
    a, b, bits = pair(m, s)
    if s.operands[0] == s.operands[1] and m.carry not in (0, 1):
        m.put(s.operands[0], [m.carry] * bits)
        return
    m.put(s.operands[0], difference_with_flags(m, a, b, m.carry, bits))


@handler("cmp")
def _cmp(m: Processor, s: DecodedInstruction) -> None:
    a, b, bits = pair(m, s)
    if isinstance(a, int) and isinstance(b, int):
        difference_with_flags(m, a, b, 0, bits)
        return
    x, y = as_bits(a, bits), as_bits(b, bits)
    m.zero = differing(m, a, b, bits)
    m.overflow = m.sign = m.parity = None
    if isinstance(b, int) and b == 1:
        m.carry = m.symbols.any_of(x) ^ 1
    elif isinstance(b, int) and not b:
        m.carry, m.overflow, m.sign = 0, 0, x[-1]
    else:
        m.carry = added(m.symbols, x, [bit ^ 1 for bit in y], 1)[1] ^ 1


@handler("inc", "dec")
def _step(m: Processor, s: DecodedInstruction) -> None:
    carry, bits = m.carry, s.operands[0].bits
    change = sum_with_flags if s.name == "inc" else difference_with_flags
    m.put(s.operands[0], change(m, m.get(s.operands[0]), 1, 0, bits))
    m.carry = carry


@handler("neg")
def _neg(m: Processor, s: DecodedInstruction) -> None:
    value, bits = m.get(s.operands[0]), s.operands[0].bits
    if isinstance(value, int) or any(bit != 0 for bit in value[1:]):
        m.put(s.operands[0], difference_with_flags(m, 0, value, 0, bits))
        if not isinstance(value, int):
            m.carry = m.symbols.any_of(value)  # which says more than what borrows ran through
    else:
        # Minus a bit is that bit everywhere.
        result = [value[0]] * bits
        m.carry, m.overflow = value[0], 0
        result_flags(m, result, bits)
        m.put(s.operands[0], result)


@handler("not")
def _not(m: Processor, s: DecodedInstruction) -> None:
    value, bits = m.get(s.operands[0]), s.operands[0].bits
    m.put(s.operands[0], value ^ (1 << bits) - 1 if isinstance(value, int) else [b ^ 1 for b in value])


@handler("andn")
def _and_not(m: Processor, s: DecodedInstruction) -> None:
    bits = s.operands[0].bits
    a, b = (as_bits(m.get(op), bits) for op in s.operands[1:])
    value = settled(m.symbols.times_each([bit ^ 1 for bit in a], b))
    logic_flags(m, value, bits)
    m.put(s.operands[0], value)


@handler("and", "or", "xor", "test")
def _logic(m: Processor, s: DecodedInstruction) -> None:
    a, b, bits = pair(m, s)
    if isinstance(a, int) and isinstance(b, int):
        value: Any = {"and": a & b, "test": a & b, "or": a | b, "xor": a ^ b}[s.name]
    else:
        x, y = as_bits(a, bits), as_bits(b, bits)
        symbols = m.symbols
        name = "and" if s.name == "test" else s.name
        each = {"xor": symbols.xor_each, "or": symbols.either_each, "and": symbols.times_each}[name]
        value = settled(m.once((name, tuple(x), tuple(y)), lambda: each(x, y)))
    logic_flags(m, value, bits)
    if s.name != "test":
        m.put(s.operands[0], value)


@handler("shl", "shr", "sar", "rol", "ror")
def _shift(m: Processor, s: DecodedInstruction) -> None:
    bits = s.operands[0].bits
    value = m.get(s.operands[0])
    count = m.get(s.operands[1]) if len(s.operands) > 1 else 1
    if not isinstance(count, int):
        raise NotFollowed("a shift by a secret")
    count &= 63 if bits == 64 else 31
    if not count:
        return
    x = as_bits(value, bits)
    if s.name in ("rol", "ror"):
        n = count % bits if s.name == "ror" else -count % bits
        m.put(s.operands[0], settled([*x[n:], *x[:n]]))
        m.carry = None
        return
    if s.name == "shl":
        out = [*[0] * count, *x][:bits]
        m.carry = x[bits - count] if count <= bits else 0
    else:
        fill = x[-1] if s.name == "sar" else 0
        out = [*x[count:], *[fill] * min(count, bits)][:bits]
        m.carry = x[count - 1] if count <= bits else fill
    result = settled(out)
    m.overflow = None if count > 1 else m.symbols.xor(x[-1], out[-1])
    result_flags(m, result, bits)
    m.put(s.operands[0], result)


@handler("shld", "shrd")
def _double_shift(m: Processor, s: DecodedInstruction) -> None:
    bits = s.operands[0].bits
    count = m.get(s.operands[2])
    if not isinstance(count, int):
        raise NotFollowed("a shift by a secret")
    count &= 63 if bits == 64 else 31
    a, b = (as_bits(m.get(op), bits) for op in s.operands[:2])
    out = [*b[bits - count :], *a][:bits] if s.name == "shld" else [*a, *b][count : count + bits]
    result = settled(out)
    m.carry = m.overflow = None
    result_flags(m, result, bits)
    m.put(s.operands[0], result)


@handler("rorx", "shlx", "shrx", "sarx")
def _shift_x(m: Processor, s: DecodedInstruction) -> None:
    bits = s.operands[0].bits
    x, count = as_bits(m.get(s.operands[1]), bits), m.get(s.operands[2])
    if not isinstance(count, int):
        raise NotFollowed("a shift by a secret")
    count &= bits - 1
    fill = x[-1] if s.name == "sarx" else 0
    if s.name == "rorx":
        out = [*x[count:], *x[:count]]
    elif s.name == "shlx":
        out = [*[0] * count, *x][:bits]
    else:
        out = [*x[count:], *[fill] * count]
    m.put(s.operands[0], settled(out))


@handler("imul")
def _imul(m: Processor, s: DecodedInstruction) -> None:
    bits = s.operands[0].bits
    if len(s.operands) == 1:
        _mul(m, s)
        return
    a, b = (
        (m.get(s.operands[0]), m.get(s.operands[1]))
        if len(s.operands) == 2
        else (m.get(s.operands[1]), extended(m, s.operands[2], bits))
    )
    m.put(s.operands[0], _product(m, a, b, bits))
    m.carry = m.overflow = None


def _product(m: Processor, a: Any, b: Any, bits: int) -> Any:
    if isinstance(a, int) and isinstance(b, int):
        return a * b & (1 << bits) - 1
    if not isinstance(b, int):
        a, b = b, a
    if not isinstance(b, int):
        raise NotFollowed("a product of two secrets")
    # A sum of shifts by a number.
    total: Bits = [0] * bits
    for shift in range(bits):
        if b >> shift & 1:
            total, _ = added(m.symbols, total, [*[0] * shift, *as_bits(a, bits)][:bits])
    return settled(total)


@handler("mul")
def _mul(m: Processor, s: DecodedInstruction) -> None:
    bits = s.operands[0].bits
    a, b = m.get(Operand("r", bits, RAX)), m.get(s.operands[0])
    if not isinstance(a, int) or not isinstance(b, int):
        raise NotFollowed("a product of secrets")
    if s.name == "imul":
        a, b = signed(a, bits), signed(b, bits)
    total = a * b
    low, high = total & (1 << bits) - 1, total >> bits & (1 << bits) - 1
    m.put(Operand("r", bits, RAX), low)
    m.put(Operand("r", bits, RDX), high)
    m.carry = m.overflow = int(bool(high)) if s.name == "mul" else None


@handler("mulx")
def _mulx(m: Processor, s: DecodedInstruction) -> None:
    bits = s.operands[0].bits
    a, b = m.get(Operand("r", bits, RDX)), m.get(s.operands[2])
    if not isinstance(a, int) or not isinstance(b, int):
        raise NotFollowed("a product of secrets")
    m.put(s.operands[1], a * b & (1 << bits) - 1)
    m.put(s.operands[0], a * b >> bits)


@handler("div")
def _div(m: Processor, s: DecodedInstruction) -> None:
    bits = s.operands[0].bits
    low, high, by = m.get(Operand("r", bits, RAX)), m.get(Operand("r", bits, RDX)), m.get(s.operands[0])
    if not all(isinstance(x, int) for x in (low, high, by)):
        raise NotFollowed("a division of secrets")
    quotient, rest = divmod(high << bits | low, by)
    m.put(Operand("r", bits, RAX), quotient)
    m.put(Operand("r", bits, RDX), rest)


@handler("tzcnt", "lzcnt", "bsf", "bsr", "popcnt")
def _count(m: Processor, s: DecodedInstruction) -> None:
    bits, value = s.operands[0].bits, m.get(s.operands[1])
    if not isinstance(value, int):
        raise NotFollowed("bits of a secret counted")
    low = (value & -value).bit_length() - 1 if value else bits
    high = value.bit_length()
    m.put(
        s.operands[0],
        {
            "tzcnt": low,
            "bsf": low,
            "lzcnt": bits - high,
            "bsr": max(high - 1, 0),
            "popcnt": value.bit_count(),
        }[s.name],
    )
    m.zero = value if s.name in ("bsf", "bsr") else m.get(s.operands[0])
    m.carry = int(not value)


@handler("bt", "bts", "btr")
def _bit(m: Processor, s: DecodedInstruction) -> None:
    bits = s.operands[0].bits
    at = m.get(s.operands[1])
    if not isinstance(at, int):
        raise NotFollowed("a bit whose place is a secret")
    at %= bits
    value = as_bits(m.get(s.operands[0]), bits)
    m.carry = value[at]
    if s.name != "bt":
        value[at] = int(s.name == "bts")
        m.put(s.operands[0], settled(value))
