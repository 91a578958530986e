"""Masks: tests that make them, and what computes on them. [INTEL-SDM]"""

from __future__ import annotations

from ..handlers import handler
from ..machine import DecodedInstruction, Processor, as_bits, settled
from .operands import and_bits, element_bits, immediate, read_operand, write_mask, write_result


@handler(*(f"vptest{n}{e}" for n in ("", "n") for e in ("mb", "mw", "md", "mq")))
def _test_mask(m: Processor, s: DecodedInstruction) -> None:
    element, bits = element_bits(s.name), s.operands[1].bits
    a, b = (read_operand(m, op, bits) for op in s.operands[1:3])
    both = and_bits(m, a, b)
    selected = []
    for i in range(0, bits, element):
        bit = m.symbols.any_of(both[i : i + element])
        selected.append(bit ^ 1 if "testn" in s.name else bit)
    write_mask(m, s, selected)


@handler("ptest", "vptest")
def _ptest(m: Processor, s: DecodedInstruction) -> None:
    bits = s.operands[0].bits
    a, b = (read_operand(m, op, bits) for op in s.operands)
    m.zero = settled(and_bits(m, a, b))
    m.carry = m.symbols.any_of(and_bits(m, [x ^ 1 for x in a], b)) ^ 1
    m.sign = m.overflow = 0


@handler(*(f"vpmov{e}2m" for e in "bwdq"))
def _signs(m: Processor, s: DecodedInstruction) -> None:
    element = {"b": 8, "w": 16, "d": 32, "q": 64}[s.name[5]]
    x = read_operand(m, s.operands[1], s.operands[1].bits)
    write_mask(m, s, x[element - 1 :: element])


@handler(*(f"vpmovm2{e}" for e in "bwdq"))
def _from_mask(m: Processor, s: DecodedInstruction) -> None:
    element, bits = element_bits(s.name), s.operands[0].bits
    write_result(m, s, [m.k[s.operands[1].number][i // element] for i in range(bits)], element)


@handler("movmskps", "vmovmskps", "movmskpd", "vmovmskpd", "pmovmskb", "vpmovmskb")
def _sign_mask(m: Processor, s: DecodedInstruction) -> None:
    element = 8 if s.name.endswith("b") else element_bits(s.name)
    x = m.v[s.operands[1].number][: s.operands[1].bits]
    selected = x[element - 1 :: element]
    m.put(s.operands[0], settled([*selected, *[0] * (s.operands[0].bits - len(selected))]))


_K = {"b": 8, "w": 16, "d": 32, "q": 64}


@handler(*(f"kmov{e}" for e in _K))
def _kmov(m: Processor, s: DecodedInstruction) -> None:
    bits = _K[s.name[-1]]
    value = as_bits(m.get(s.operands[1]), 64 if s.operands[1].kind == "k" else s.operands[1].bits)[:bits]
    to = s.operands[0]
    if to.kind == "k":
        m.k[to.number] = [*value, *[0] * (64 - len(value))]
    elif to.kind == "r":
        m.put(to, settled([*value, *[0] * (to.bits - len(value))]))
    else:
        m.write_bits(m.address(to), value)


@handler(*(f"k{o}{e}" for o in ("and", "or", "xor", "xnor", "andn", "not") for e in _K))
def _klogic(m: Processor, s: DecodedInstruction) -> None:
    bits, kind = _K[s.name[-1]], s.name[1:-1]
    sources = [m.k[op.number][:bits] for op in s.operands[1:]]
    if kind == "not":
        out = [x ^ 1 for x in sources[0]]
    else:
        a, b = sources
        if kind in ("xor", "xnor"):
            out = [x ^ int(kind == "xnor") for x in m.symbols.xor_each(a, b)]
        elif kind == "or":
            out = m.symbols.either_each(a, b)
        else:
            out = and_bits(m, [x ^ 1 for x in a] if kind == "andn" else a, b)
    m.k[s.operands[0].number] = [*out, *[0] * (64 - bits)]


@handler(*(f"kshift{d}{e}" for d in "lr" for e in _K))
def _kshift(m: Processor, s: DecodedInstruction) -> None:
    bits, n = _K[s.name[-1]], immediate(s)
    x = m.k[s.operands[1].number][:bits]
    n = min(n, bits)
    out = [*x[n:], *[0] * n] if s.name[6] == "r" else [*[0] * n, *x[: bits - n]]
    m.k[s.operands[0].number] = [*out, *[0] * (64 - bits)]


@handler("kunpckbw", "kunpckwd", "kunpckdq")
def _kunpack(m: Processor, s: DecodedInstruction) -> None:
    half = {"bw": 8, "wd": 16, "dq": 32}[s.name[6:]]
    a, b = (m.k[op.number][:half] for op in s.operands[1:])
    m.k[s.operands[0].number] = [*b, *a, *[0] * (64 - 2 * half)]


@handler(*(f"kortest{e}" for e in _K), *(f"ktest{e}" for e in _K))
def _ktest(m: Processor, s: DecodedInstruction) -> None:
    bits = _K[s.name[-1]]
    a, b = (m.k[op.number][:bits] for op in s.operands)
    if s.name.startswith("kor"):
        both = m.symbols.either_each(a, b)
        m.zero, m.carry = settled(both), m.symbols.any_of([x ^ 1 for x in both]) ^ 1
    else:
        m.zero = settled(and_bits(m, a, b))
        m.carry = m.symbols.any_of(and_bits(m, [x ^ 1 for x in a], b)) ^ 1
    m.sign = m.overflow = 0
