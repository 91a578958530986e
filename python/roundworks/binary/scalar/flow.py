"""Conditions, jumps and calls. [INTEL-SDM]"""

from __future__ import annotations

from typing import Any

from ...errors import NotFollowed
from ..handlers import HANDLERS, handler
from ..machine import (
    RAX,
    RBX,
    RCX,
    RDI,
    RDX,
    RSI,
    RSP,
    DecodedInstruction,
    Operand,
    Processor,
    as_bits,
    settled,
)
from .operands import chosen


def _zero_flag(m: Processor) -> Any:
    if isinstance(m.zero, int):
        return int(not m.zero)
    return m.symbols.any_of(m.zero) ^ 1


def _needed(flag: Any) -> Any:
    if flag is None:
        raise NotFollowed("a flag that was not followed")
    return flag


def _either(m: Processor, p: int, q: int) -> int:
    (bit,) = m.symbols.either_each([p], [q])
    return bit


def condition(m: Processor, code: str) -> Any:
    """A bit: whether a condition such as ``ae`` holds."""
    if code in _NEGATED:
        return condition(m, _NEGATED[code]) ^ 1
    match code:
        case "e":
            return _zero_flag(m)
        case "b":
            return _needed(m.carry)
        case "be":
            return _either(m, _needed(m.carry), _zero_flag(m))
        case "s":
            return _needed(m.sign)
        case "o":
            return _needed(m.overflow)
        case "p":
            return _needed(m.parity)
        case "l":
            return m.symbols.xor(_needed(m.sign), _needed(m.overflow))
        case "le":
            return _either(m, m.symbols.xor(_needed(m.sign), _needed(m.overflow)), _zero_flag(m))
    raise NotFollowed(f"the condition {code}")


_NEGATED = {"ne": "e", "ae": "b", "a": "be", "ns": "s", "no": "o", "np": "p", "ge": "l", "g": "le"}
_CODES = [*_NEGATED, *_NEGATED.values()]


def _jump(m: Processor, s: DecodedInstruction) -> None:
    holds = condition(m, s.name[1:])
    if not isinstance(holds, int) or holds > 1:
        holds = m.decide(m, m.ip, holds)
    if holds:
        m.ip = s.target


def _set(m: Processor, s: DecodedInstruction) -> None:
    m.put(s.operands[0], settled([condition(m, s.name[3:]), *[0] * 7]))


def _conditional_move(m: Processor, s: DecodedInstruction) -> None:
    bits = s.operands[0].bits
    holds = condition(m, s.name[4:])
    old, new = m.get(s.operands[0]), m.get(s.operands[1])
    if isinstance(holds, int) and holds <= 1:
        m.put(s.operands[0], new if holds else old)
        return
    m.put(s.operands[0], settled(chosen(m.symbols, holds, as_bits(new, bits), as_bits(old, bits))))


for _code in _CODES:
    HANDLERS[f"j{_code}"] = _jump
    HANDLERS[f"set{_code}"] = _set
    HANDLERS[f"cmov{_code}"] = _conditional_move


def _destination(m: Processor, s: DecodedInstruction) -> int:
    if s.operands[0].kind == "b":
        return s.target
    value = m.known(m.get(s.operands[0]))
    if not isinstance(value, int):
        m.decide(m, m.ip, 0)
        raise NotFollowed("a jump to a secret")
    return value


@handler("jmp")
def _jmp(m: Processor, s: DecodedInstruction) -> None:
    m.ip = _destination(m, s)


@handler("call")
def _call(m: Processor, s: DecodedInstruction) -> None:
    to = _destination(m, s)
    sp = m.r[RSP] - 8
    m.r[RSP] = sp
    m.lowest = min(m.lowest, sp)
    m.write_number(sp, s.next, 8)
    m.ip = to


@handler("ret")
def _ret(m: Processor, s: DecodedInstruction) -> None:
    sp = m.r[RSP]
    m.ip = m.read(sp, 8)
    m.r[RSP] = sp + 8


@handler("nop", "endbr64", "pause", "vzeroupper", "prefetcht0", "prefetchnta", "lfence", "sfence", "mfence")
def _nop(m: Processor, s: DecodedInstruction) -> None:
    if s.name == "vzeroupper":
        for v in m.v[:16]:
            v[128:] = [0] * 384


@handler("ud2")
def _ud2(m: Processor, s: DecodedInstruction) -> None:
    raise NotFollowed("a panic")


_STRING_BYTES = {"b": 1, "w": 2, "d": 4, "q": 8}


@handler(*(f"{what}{size} of strings" for what in ("stos", "movs") for size in _STRING_BYTES))
def _string(m: Processor, s: DecodedInstruction) -> None:
    size = _STRING_BYTES[s.name[4]]
    count = m.r[RCX] if s.text.has_rep_prefix else 1
    places = (RCX, RDI) if s.name[0] == "s" else (RCX, RDI, RSI)
    if not all(isinstance(m.r[n], int) for n in places):
        raise NotFollowed("a string of secret length or place")
    for _ in range(count):
        value = m.get(Operand("r", 8 * size, RAX)) if s.name[0] == "s" else m.read(m.r[RSI], size)
        m.write(m.r[RDI], value, size)
        m.r[RDI] += size
        if s.name[0] == "m":
            m.r[RSI] += size
    m.r[RCX] = 0 if s.text.has_rep_prefix else m.r[RCX]


@handler("cpuid")
def _cpuid(m: Processor, s: DecodedInstruction) -> None:
    from ..features import cpuid

    leaf, sub = (m.number(r, "a leaf of CPUID") & 0xFFFFFFFF for r in (RAX, RCX))
    m.r[RAX], m.r[RBX], m.r[RCX], m.r[RDX] = cpuid(m.features, leaf, sub)


@handler("xgetbv")
def _xgetbv(m: Processor, s: DecodedInstruction) -> None:
    from ..features import XCR0

    m.r[RAX], m.r[RDX] = XCR0, 0
