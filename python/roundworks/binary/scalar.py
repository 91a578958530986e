"""Instructions on general registers, on numbers and forms. [INTEL-SDM]"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .forms import Bits, NotFollowed, Symbols
from .machine import RAX, RBX, RCX, RDI, RDX, RSI, RSP, Machine, Operand, Step, as_bits, settled

Handler = Callable[[Machine, Step], None]
HANDLERS: dict[str, Handler] = {}
_M64 = (1 << 64) - 1


def handler(*names: str) -> Callable[[Handler], Handler]:
    """Of the instructions with these names."""

    def keep(body: Handler) -> Handler:
        HANDLERS.update(dict.fromkeys(names, body))
        return body

    return keep


# -- sums of forms, which flags and vectors use too ---------------------------------------------------
def added(symbols: Symbols, a: Bits, b: Bits, carry: Any = 0) -> tuple[Bits, Any]:
    """(sum, carry) of two numbers of unknown bits."""
    out = []
    times = symbols.times
    for x, y in zip(a, b, strict=True):
        half = x ^ y
        out.append(half ^ carry)
        carry = times(x, y) ^ times(half, carry)
    return out, carry


def _signed(value: int, bits: int) -> int:
    return value - (1 << bits) if value >> bits - 1 else value


def _logic_flags(m: Machine, value: Any, bits: int) -> None:
    m.carry = m.overflow = 0
    _result_flags(m, value, bits)


def _result_flags(m: Machine, value: Any, bits: int) -> None:
    m.zero = value
    m.sign = value >> bits - 1 if isinstance(value, int) else value[bits - 1]
    if isinstance(value, int):
        m.parity = 1 - (value & 255).bit_count() % 2
    else:
        m.parity = None


def _extended(m: Machine, op: Operand, bits: int) -> Any:
    value = m.get(op)
    return value & (1 << bits) - 1 if op.kind == "i" and isinstance(value, int) else value


def _pair(m: Machine, s: Step) -> tuple[Any, Any, int]:
    bits = s.operands[0].bits
    return m.get(s.operands[0]), _extended(m, s.operands[1], bits), bits


# -- moves ----------------------------------------------------------------------------------------------
@handler("mov")
def _mov(m: Machine, s: Step) -> None:
    m.put(s.operands[0], _extended(m, s.operands[1], s.operands[0].bits))


@handler("movzx")
def _movzx(m: Machine, s: Step) -> None:
    value = m.get(s.operands[1])
    bits = s.operands[0].bits
    m.put(s.operands[0], value if isinstance(value, int) else [*value, *[0] * (bits - len(value))])


@handler("movsx", "movsxd")
def _movsx(m: Machine, s: Step) -> None:
    value, bits, width = m.get(s.operands[1]), s.operands[0].bits, s.operands[1].bits
    if isinstance(value, int):
        m.put(s.operands[0], _signed(value, width) & (1 << bits) - 1)
    else:
        m.put(s.operands[0], [*value, *[value[-1]] * (bits - width)])


@handler("cdqe")
def _cdqe(m: Machine, s: Step) -> None:
    value = m.r[RAX]
    m.r[RAX] = (
        _signed(value & 0xFFFFFFFF, 32) & _M64 if isinstance(value, int) else [*value[:32], *[value[31]] * 32]
    )


@handler("lea")
def _lea(m: Machine, s: Step) -> None:
    op = s.operands[1]
    bits = s.operands[0].bits
    known = all(isinstance(m.r[n], int) for n in (op.base, op.index) if n >= 0)
    if known:
        m.put(s.operands[0], m.address(op) & (1 << bits) - 1)
        return
    # Used as an addition: 3x, x + y, and the like.
    total = as_bits(op.value, 64)
    for n, scale in ((op.base, 1), (op.index, op.scale)):
        if n >= 0:
            shift = scale.bit_length() - 1
            part = [*[0] * shift, *as_bits(m.r[n], 64)][:64]
            total, _ = added(m.symbols, total, part)
    m.put(s.operands[0], settled(total[:bits]))


@handler("xchg")
def _xchg(m: Machine, s: Step) -> None:
    a, b = m.get(s.operands[0]), m.get(s.operands[1])
    m.put(s.operands[0], b)
    m.put(s.operands[1], a)


@handler("cmpxchg")
def _cmpxchg(m: Machine, s: Step) -> None:
    bits = s.operands[0].bits
    old, new = m.get(s.operands[0]), m.get(s.operands[1])
    expected = m.r[RAX]
    if not isinstance(old, int) or not isinstance(expected, int):
        raise NotFollowed("cmpxchg of a secret")
    expected &= (1 << bits) - 1
    m.zero = old ^ expected
    if old == expected:
        m.put(s.operands[0], new)
    else:
        m.put(Operand("r", bits, RAX), old)


@handler("xadd")
def _xadd(m: Machine, s: Step) -> None:
    a, b, bits = _pair(m, s)
    total = _sum(m, a, b, 0, bits)
    m.put(s.operands[1], a)
    m.put(s.operands[0], total)


@handler("push")
def _push(m: Machine, s: Step) -> None:
    value = m.get(s.operands[0])
    sp = m.r[RSP] - 8
    m.r[RSP] = sp
    m.lowest = min(m.lowest, sp)
    m.write(sp, value, 8)


@handler("pop")
def _pop(m: Machine, s: Step) -> None:
    sp = m.r[RSP]
    value = m.read(sp, 8)
    m.r[RSP] = sp + 8
    m.put(s.operands[0], value)


@handler("bswap")
def _bswap(m: Machine, s: Step) -> None:
    value, bits = m.get(s.operands[0]), s.operands[0].bits
    if isinstance(value, int):
        m.put(s.operands[0], int.from_bytes(value.to_bytes(bits // 8, "little"), "big"))
    else:
        m.put(s.operands[0], [b for i in range(bits - 8, -1, -8) for b in value[i : i + 8]])


# -- arithmetic ------------------------------------------------------------------------------------------
def _sum(m: Machine, a: Any, b: Any, carry: Any, bits: int) -> Any:
    if isinstance(a, int) and isinstance(b, int) and carry in (0, 1):
        total = a + b + carry
        value = total & (1 << bits) - 1
        m.carry = total >> bits
        m.overflow = int(bool((a ^ value) & (b ^ value) & 1 << bits - 1))
        _result_flags(m, value, bits)
        return value
    out, m.carry = added(m.symbols, as_bits(a, bits), as_bits(b, bits), carry)
    m.overflow = None
    result = settled(out)
    _result_flags(m, result, bits)
    return result


def _difference(m: Machine, a: Any, b: Any, borrow: Any, bits: int) -> Any:
    if isinstance(a, int) and isinstance(b, int) and borrow in (0, 1):
        value = a - b - borrow & (1 << bits) - 1
        m.carry = int(a < b + borrow)
        m.overflow = int(bool((a ^ b) & (a ^ value) & 1 << bits - 1))
        _result_flags(m, value, bits)
        return value
    x, y = as_bits(a, bits), as_bits(b, bits)
    out, carry = added(m.symbols, x, [bit ^ 1 for bit in y], borrow ^ 1)
    m.carry, m.overflow = carry ^ 1, None
    result = settled(out)
    _result_flags(m, result, bits)
    if borrow == 0:
        # Equal operands, which says more than the difference that borrows run through.
        m.zero = settled([p ^ q for p, q in zip(x, y, strict=True)])
    return result


@handler("add")
def _add(m: Machine, s: Step) -> None:
    a, b, bits = _pair(m, s)
    m.put(s.operands[0], _sum(m, a, b, 0, bits))


@handler("adc")
def _adc(m: Machine, s: Step) -> None:
    a, b, bits = _pair(m, s)
    m.put(s.operands[0], _sum(m, a, b, m.carry, bits))


@handler("sub")
def _sub(m: Machine, s: Step) -> None:
    a, b, bits = _pair(m, s)
    m.put(s.operands[0], _difference(m, a, b, 0, bits))


@handler("sbb")
def _sbb(m: Machine, s: Step) -> None:
    a, b, bits = _pair(m, s)
    if s.operands[0] == s.operands[1] and m.carry not in (0, 1):
        m.put(s.operands[0], [m.carry] * bits)
        return
    m.put(s.operands[0], _difference(m, a, b, m.carry, bits))


@handler("cmp")
def _cmp(m: Machine, s: Step) -> None:
    a, b, bits = _pair(m, s)
    if isinstance(a, int) and isinstance(b, int):
        _difference(m, a, b, 0, bits)
        return
    x, y = as_bits(a, bits), as_bits(b, bits)
    m.zero = settled([p ^ q for p, q in zip(x, y, strict=True)])
    m.overflow = m.sign = m.parity = None
    if isinstance(b, int) and b == 1:
        m.carry = m.symbols.any_of(x) ^ 1
    elif isinstance(b, int) and not b:
        m.carry, m.overflow, m.sign = 0, 0, x[-1]
    else:
        m.carry = added(m.symbols, x, [bit ^ 1 for bit in y], 1)[1] ^ 1


@handler("inc", "dec")
def _step(m: Machine, s: Step) -> None:
    carry, bits = m.carry, s.operands[0].bits
    change = _sum if s.name == "inc" else _difference
    m.put(s.operands[0], change(m, m.get(s.operands[0]), 1, 0, bits))
    m.carry = carry


@handler("neg")
def _neg(m: Machine, s: Step) -> None:
    value, bits = m.get(s.operands[0]), s.operands[0].bits
    if isinstance(value, int) or any(bit != 0 for bit in value[1:]):
        m.put(s.operands[0], _difference(m, 0, value, 0, bits))
    else:
        # Minus a bit is that bit everywhere.
        result = [value[0]] * bits
        m.carry, m.overflow = value[0], 0
        _result_flags(m, result, bits)
        m.put(s.operands[0], result)


@handler("not")
def _not(m: Machine, s: Step) -> None:
    value, bits = m.get(s.operands[0]), s.operands[0].bits
    m.put(s.operands[0], value ^ (1 << bits) - 1 if isinstance(value, int) else [b ^ 1 for b in value])


@handler("and", "or", "xor", "test")
def _logic(m: Machine, s: Step) -> None:
    a, b, bits = _pair(m, s)
    if s.name == "xor" and s.operands[0] == s.operands[1]:
        value: Any = 0
    elif isinstance(a, int) and isinstance(b, int):
        value = {"and": a & b, "test": a & b, "or": a | b, "xor": a ^ b}[s.name]
    else:
        x, y = as_bits(a, bits), as_bits(b, bits)
        if s.name == "xor":
            value = [p ^ q for p, q in zip(x, y, strict=True)]
        elif s.name == "or":
            value = [either(m.symbols, p, q) for p, q in zip(x, y, strict=True)]
        else:
            value = [m.symbols.times(p, q) for p, q in zip(x, y, strict=True)]
        value = settled(value)
    _logic_flags(m, value, bits)
    if s.name != "test":
        m.put(s.operands[0], value)


def either(symbols: Symbols, p: Any, q: Any) -> Any:
    """p or q; of two forms of no common cell a union, whose members are known."""
    if isinstance(p, int) and isinstance(q, int):
        if p <= 1 or q <= 1:
            return 1 if 1 in (p, q) else p | q
        if p == q:
            return p
        if not symbols.shares(p, q):
            return symbols.any_of((p, q))
    return p ^ q ^ symbols.times(p, q)


@handler("shl", "shr", "sar", "rol", "ror")
def _shift(m: Machine, s: Step) -> None:
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
    m.overflow = None if count > 1 else (x[-1] ^ out[-1])
    _result_flags(m, result, bits)
    m.put(s.operands[0], result)


@handler("shld", "shrd")
def _double_shift(m: Machine, s: Step) -> None:
    bits = s.operands[0].bits
    count = m.get(s.operands[2])
    if not isinstance(count, int):
        raise NotFollowed("a shift by a secret")
    count &= 63 if bits == 64 else 31
    a, b = (as_bits(m.get(op), bits) for op in s.operands[:2])
    out = [*b[bits - count :], *a][:bits] if s.name == "shld" else [*a, *b][count : count + bits]
    result = settled(out)
    m.carry = m.overflow = None
    _result_flags(m, result, bits)
    m.put(s.operands[0], result)


@handler("rorx", "shlx", "shrx", "sarx")
def _shift_x(m: Machine, s: Step) -> None:
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
def _imul(m: Machine, s: Step) -> None:
    bits = s.operands[0].bits
    if len(s.operands) == 1:
        _mul(m, s)
        return
    a, b = (
        (m.get(s.operands[0]), m.get(s.operands[1]))
        if len(s.operands) == 2
        else (m.get(s.operands[1]), _extended(m, s.operands[2], bits))
    )
    m.put(s.operands[0], _product(m, a, b, bits))
    m.carry = m.overflow = None


def _product(m: Machine, a: Any, b: Any, bits: int) -> Any:
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
def _mul(m: Machine, s: Step) -> None:
    bits = s.operands[0].bits
    a, b = m.get(Operand("r", bits, RAX)), m.get(s.operands[0])
    if not isinstance(a, int) or not isinstance(b, int):
        raise NotFollowed("a product of secrets")
    if s.name == "imul":
        a, b = _signed(a, bits), _signed(b, bits)
    total = a * b
    low, high = total & (1 << bits) - 1, total >> bits & (1 << bits) - 1
    m.put(Operand("r", bits, RAX), low)
    m.put(Operand("r", bits, RDX), high)
    m.carry = m.overflow = int(bool(high)) if s.name == "mul" else None


@handler("mulx")
def _mulx(m: Machine, s: Step) -> None:
    bits = s.operands[0].bits
    a, b = m.get(Operand("r", bits, RDX)), m.get(s.operands[2])
    if not isinstance(a, int) or not isinstance(b, int):
        raise NotFollowed("a product of secrets")
    m.put(s.operands[1], a * b & (1 << bits) - 1)
    m.put(s.operands[0], a * b >> bits)


@handler("div")
def _div(m: Machine, s: Step) -> None:
    bits = s.operands[0].bits
    low, high, by = m.get(Operand("r", bits, RAX)), m.get(Operand("r", bits, RDX)), m.get(s.operands[0])
    if not all(isinstance(x, int) for x in (low, high, by)):
        raise NotFollowed("a division of secrets")
    quotient, rest = divmod(high << bits | low, by)
    m.put(Operand("r", bits, RAX), quotient)
    m.put(Operand("r", bits, RDX), rest)


@handler("tzcnt", "lzcnt", "bsf", "bsr", "popcnt")
def _count(m: Machine, s: Step) -> None:
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
def _bit(m: Machine, s: Step) -> None:
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


# -- conditions --------------------------------------------------------------------------------------------
def _zero_flag(m: Machine) -> Any:
    if isinstance(m.zero, int):
        return int(not m.zero)
    return m.symbols.any_of(m.zero) ^ 1


def _needed(flag: Any) -> Any:
    if flag is None:
        raise NotFollowed("a flag that was not followed")
    return flag


def condition(m: Machine, code: str) -> Any:
    """A bit: whether a condition such as ``ae`` holds."""
    if code in _NEGATED:
        return condition(m, _NEGATED[code]) ^ 1
    match code:
        case "e":
            return _zero_flag(m)
        case "b":
            return _needed(m.carry)
        case "be":
            return either(m.symbols, _needed(m.carry), _zero_flag(m))
        case "s":
            return _needed(m.sign)
        case "o":
            return _needed(m.overflow)
        case "p":
            return _needed(m.parity)
        case "l":
            return _needed(m.sign) ^ _needed(m.overflow)
        case "le":
            return either(m.symbols, _needed(m.sign) ^ _needed(m.overflow), _zero_flag(m))
    raise NotFollowed(f"the condition {code}")


_NEGATED = {"ne": "e", "ae": "b", "a": "be", "ns": "s", "no": "o", "np": "p", "ge": "l", "g": "le"}
_CODES = [*_NEGATED, *_NEGATED.values()]


def _jump(m: Machine, s: Step) -> None:
    holds = condition(m, s.name[1:])
    if not isinstance(holds, int) or holds > 1:
        holds = m.decide(m, m.ip, holds)
    if holds:
        m.ip = s.target


def _set(m: Machine, s: Step) -> None:
    m.put(s.operands[0], settled([condition(m, s.name[3:]), *[0] * 7]))


def _conditional_move(m: Machine, s: Step) -> None:
    bits = s.operands[0].bits
    holds = condition(m, s.name[4:])
    old, new = m.get(s.operands[0]), m.get(s.operands[1])
    if isinstance(holds, int) and holds <= 1:
        m.put(s.operands[0], new if holds else old)
        return
    m.put(s.operands[0], settled(chosen(m.symbols, holds, as_bits(new, bits), as_bits(old, bits))))


def chosen(symbols: Symbols, bit: Any, yes: Bits, no: Bits) -> Bits:
    """``yes`` where the bit is 1."""
    return [n ^ symbols.times(bit, y ^ n) for y, n in zip(yes, no, strict=True)]


for _code in _CODES:
    HANDLERS[f"j{_code}"] = _jump
    HANDLERS[f"set{_code}"] = _set
    HANDLERS[f"cmov{_code}"] = _conditional_move


# -- flow ----------------------------------------------------------------------------------------------------
def _destination(m: Machine, s: Step) -> int:
    if s.operands[0].kind == "b":
        return s.target
    value = m.get(s.operands[0])
    if not isinstance(value, int):
        m.decide(m, m.ip, 0)
        raise NotFollowed("a jump to a secret")
    return value


@handler("jmp")
def _jmp(m: Machine, s: Step) -> None:
    m.ip = _destination(m, s)


@handler("call")
def _call(m: Machine, s: Step) -> None:
    to = _destination(m, s)
    sp = m.r[RSP] - 8
    m.r[RSP] = sp
    m.lowest = min(m.lowest, sp)
    m.write_number(sp, s.next, 8)
    m.ip = to


@handler("ret")
def _ret(m: Machine, s: Step) -> None:
    sp = m.r[RSP]
    m.ip = m.read(sp, 8)
    m.r[RSP] = sp + 8


@handler("nop", "endbr64", "pause", "vzeroupper", "prefetcht0", "prefetchnta", "lfence", "sfence", "mfence")
def _nop(m: Machine, s: Step) -> None:
    if s.name == "vzeroupper":
        for v in m.v[:16]:
            v[128:] = [0] * 384


@handler("ud2")
def _ud2(m: Machine, s: Step) -> None:
    raise NotFollowed("a panic")


@handler("stosb", "stosq", "movsb", "movsq")
def _string(m: Machine, s: Step) -> None:
    size = 8 if s.name.endswith("q") else 1
    count = m.r[RCX] if s.text.has_rep_prefix else 1
    if not all(isinstance(m.r[n], int) for n in (RCX, RDI, RSI)):
        raise NotFollowed("a string of secret length or place")
    for _ in range(count):
        value = m.get(Operand("r", 8 * size, RAX)) if s.name[0] == "s" else m.read(m.r[RSI], size)
        m.write(m.r[RDI], value, size)
        m.r[RDI] += size
        m.r[RSI] += size if s.name[0] == "m" else 0
    m.r[RCX] = 0 if s.text.has_rep_prefix else m.r[RCX]


@handler("cpuid")
def _cpuid(m: Machine, s: Step) -> None:
    from .features import cpuid

    leaf, sub = (m.number(r, "a leaf of CPUID") & 0xFFFFFFFF for r in (RAX, RCX))
    m.r[RAX], m.r[RBX], m.r[RCX], m.r[RDX] = cpuid(m.features, leaf, sub)


@handler("xgetbv")
def _xgetbv(m: Machine, s: Step) -> None:
    from .features import XCR0

    m.r[RAX], m.r[RDX] = XCR0, 0
