"""Layers of a description and operations of a program, on bits that are sums of monomials."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, cast

from ..reference import CellPermutation, Matrix, Sbox
from ..reference.aes import MIX_COLUMNS, SHIFT_ROWS, SUB_BYTES
from .monomials import Bits, Monomials
from .program import Immediate, Op, evaluate, interleaved


def layer(symbols: Monomials, bits: Bits, detail: object) -> Bits:
    """What a layer of a description makes of a word, most significant bit first.

    Raises
    ------
    LookupError
        The bits of a cell are not all of one group.
    """
    if isinstance(detail, Sbox):
        out: Bits = []
        for at in range(0, len(bits), detail.bits):
            cell = bits[at : at + detail.bits][::-1]
            out += symbols.apply(cell, detail.table)[::-1]
        return out
    if isinstance(detail, CellPermutation):
        width = detail.cell_bits
        out = [0] * len(bits)
        for source, to in enumerate(detail.to):
            out[to * width : (to + 1) * width] = bits[source * width : (source + 1) * width]
        return out
    assert isinstance(detail, Matrix)
    group = detail.size * detail.cell_bits
    out = [0] * len(bits)
    for start in range(0, len(bits), group):
        for i, image in enumerate(detail.bit_columns):
            bit = bits[start + i]
            while image:
                high = image.bit_length() - 1
                out[start + group - 1 - high] ^= bit
                image ^= 1 << high
    return out


def operation(symbols: Monomials, op: Op, a: list[Bits], size: int) -> Bits:
    """What an operation of a program makes of values of ``size`` bits, least significant bit first.

    Raises
    ------
    LookupError
        It looks up, or inverts, bits of several groups, or adds numbers that may have a bit in common.
    """
    s, imm = symbols, cast(Any, op.imm)
    match op.kind:
        case "xor":
            return [x ^ y for x, y in zip(*a, strict=True)]
        case "and":
            return [s.times(x, y) for x, y in zip(*a, strict=True)]
        case "andnot":
            return [s.times(x, y ^ 1) for x, y in zip(*a, strict=True)]
        case "or":
            return [x ^ y ^ s.times(x, y) for x, y in zip(*a, strict=True)]
        case "not":
            return [x ^ 1 for x in a[0]]
        case "shl" | "shr":
            lane, by = imm
            by = -by if op.kind == "shr" else by
            return [a[0][i - by] if 0 <= i % lane - by < lane else 0 for i in range(size)]
        case "rotl":
            return [a[0][(i - imm) % size] for i in range(size)]
        case "ternary":
            # As a sum of products of the operands.
            total = [0] * size
            for product in _products(imm):
                term = [1] * size
                for k in product:
                    term = [s.times(x, y) for x, y in zip(term, a[k], strict=True)]
                total = [t ^ x for t, x in zip(total, term, strict=True)]
            return total
        case "shuffle":
            return [x for j in imm for x in (a[0][8 * j : 8 * j + 8] if j is not None else [0] * 8)]
        case "low" | "high":
            places = interleaved(op.kind, imm, size)
            return [x for value, at in places for x in a[value][at : at + imm]]
        case "columns":
            both = a[0] + a[1]
            return [x for c in imm for x in both[32 * c : 32 * c + 32]]
        case "pair":
            cells = _bytes(a[0])
            _clear(x for cell in cells for x in cell[4:])
            pairs = zip(cells[::2], cells[1::2], strict=True)
            return [x for low, high in pairs for x in (*high[:4], *low[:4], *[0] * 8)]
        case "pack":
            numbers = _bytes(a[0] + a[1])
            _clear(x for high in numbers[1::2] for x in high)
            return [x for low in numbers[::2] for x in low]
        case "flip":
            result = _bytes(a[0])
            return [_sum(result[(i & 8) + 7 - k], imm[i]) for i in range(16) for k in range(8)]
        case "affine":
            rows, constant = imm
            return [
                _sum(byte, row) ^ constant >> r & 1 for byte in _bytes(a[0]) for r, row in enumerate(rows)
            ]
        case "aesenc" | "aesenclast":
            return [x ^ y for x, y in zip(_aes(s, a[0], op.kind == "aesenc"), a[1], strict=True)]
        case "lookup" | "subtract" | "inverse":
            return [x for byte in _bytes(a[0]) for x in _byte(s, op, byte)]
    raise AssertionError(op.kind)


@cache
def _byte_table(kind: str, imm: Immediate) -> tuple[int, ...]:
    """What an operation on bytes makes of each."""
    return tuple(evaluate(Op(kind, (0,), imm), [x], 8) for x in range(256))


def _byte(symbols: Monomials, op: Op, byte: Bits) -> Bits:
    function = _byte_table(op.kind, op.imm)
    try:
        return symbols.apply(byte, function)
    except LookupError:
        # Of several cells: only an affine table, which is a sum.
        start = function[0]
        images = [function[1 << i] ^ start for i in range(4)]
        affine = all(function[x] == start ^ _sum([images[i] for i in range(4)], x) for x in range(16))
        if op.kind != "lookup" or not affine or any(byte[4:]):
            raise
        columns = [sum((images[i] >> r & 1) << i for i in range(4)) for r in range(8)]
        return [start >> r & 1 ^ _sum(byte, columns[r]) for r in range(8)]


def _aes(symbols: Monomials, bits: Bits, mix: bool) -> Bits:
    """On the bits of a register: byte k is bits 8k.. from the least significant."""
    word = [bits[8 * (d // 8) + 7 - d % 8] for d in range(128)]
    word = layer(symbols, layer(symbols, word, SUB_BYTES), SHIFT_ROWS)
    if mix:
        word = layer(symbols, word, MIX_COLUMNS)
    return [word[8 * (i // 8) + 7 - i % 8] for i in range(128)]


def _products(table: int) -> list[list[int]]:
    """The operands of each product of a function of three bits, which is their sum."""
    inside = [sum(table >> j & 1 for j in range(8) if j & i == j) & 1 for i in range(8)]
    return [[k for k in range(3) if i >> 2 - k & 1] for i in range(8) if inside[i]]


def _bytes(bits: Bits) -> list[Bits]:
    return [bits[i : i + 8] for i in range(0, len(bits), 8)]


def _clear(bits: Iterable[int]) -> None:
    if any(bits):
        raise LookupError("a bit that must be clear is not")


def _sum(bits: Sequence[int], mask: int) -> int:
    total = 0
    for i, bit in enumerate(bits):
        if mask >> i & 1:
            total ^= bit
    return total
