"""Moves, and addresses. [INTEL-SDM]"""

from __future__ import annotations

from ...errors import NotFollowed
from ..handlers import handler
from ..machine import RAX, RBP, RSP, DecodedInstruction, Operand, Processor, as_bits, settled
from .operands import added, extended, pair, signed, sum_with_flags

_M64 = (1 << 64) - 1


@handler("mov")
def _mov(m: Processor, s: DecodedInstruction) -> None:
    m.put(s.operands[0], extended(m, s.operands[1], s.operands[0].bits))


@handler("movzx")
def _movzx(m: Processor, s: DecodedInstruction) -> None:
    value = m.get(s.operands[1])
    bits = s.operands[0].bits
    m.put(s.operands[0], value if isinstance(value, int) else [*value, *[0] * (bits - len(value))])


@handler("movsx", "movsxd")
def _movsx(m: Processor, s: DecodedInstruction) -> None:
    value, bits, width = m.get(s.operands[1]), s.operands[0].bits, s.operands[1].bits
    if isinstance(value, int):
        m.put(s.operands[0], signed(value, width) & (1 << bits) - 1)
    else:
        m.put(s.operands[0], [*value, *[value[-1]] * (bits - width)])


@handler("cdqe")
def _cdqe(m: Processor, s: DecodedInstruction) -> None:
    value = m.r[RAX]
    m.r[RAX] = (
        signed(value & 0xFFFFFFFF, 32) & _M64 if isinstance(value, int) else [*value[:32], *[value[31]] * 32]
    )


@handler("lea")
def _lea(m: Processor, s: DecodedInstruction) -> None:
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
def _xchg(m: Processor, s: DecodedInstruction) -> None:
    a, b = m.get(s.operands[0]), m.get(s.operands[1])
    m.put(s.operands[0], b)
    m.put(s.operands[1], a)


@handler("cmpxchg")
def _cmpxchg(m: Processor, s: DecodedInstruction) -> None:
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
def _xadd(m: Processor, s: DecodedInstruction) -> None:
    a, b, bits = pair(m, s)
    total = sum_with_flags(m, a, b, 0, bits)
    m.put(s.operands[1], a)
    m.put(s.operands[0], total)


@handler("push")
def _push(m: Processor, s: DecodedInstruction) -> None:
    value = m.get(s.operands[0])
    sp = m.r[RSP] - 8
    m.r[RSP] = sp
    m.lowest = min(m.lowest, sp)
    m.write(sp, value, 8)


@handler("pop")
def _pop(m: Processor, s: DecodedInstruction) -> None:
    sp = m.r[RSP]
    value = m.read(sp, 8)
    m.r[RSP] = sp + 8
    m.put(s.operands[0], value)


@handler("leave")
def _leave(m: Processor, s: DecodedInstruction) -> None:
    sp = m.r[RBP]
    m.r[RBP] = m.read(sp, 8)
    m.r[RSP] = sp + 8


@handler("bswap")
def _bswap(m: Processor, s: DecodedInstruction) -> None:
    value, bits = m.get(s.operands[0]), s.operands[0].bits
    if isinstance(value, int):
        m.put(s.operands[0], int.from_bytes(value.to_bytes(bits // 8, "little"), "big"))
    else:
        m.put(s.operands[0], [b for i in range(bits - 8, -1, -8) for b in value[i : i + 8]])
