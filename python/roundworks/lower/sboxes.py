"""S-boxes on the bytes of a register of 128 bits: byte shuffles that look up half a byte, AES, GFNI."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from ..reference import Sbox
from ..reference.aes import SHIFT_ROWS, SUB_BYTES
from .affine import affine_to_inversion, apply, inversion
from .program import Builder

_BYTES = 16
# aesenclast moves byte i to SHIFT_ROWS.to[i]; this order before it takes that back.
_UNSHIFTED = SHIFT_ROWS.to


def halves(b: Builder, value: int, low: Sequence[int], high: Sequence[int]) -> int:
    """The sum of a byte for the low half of each byte and one for its high half."""
    mask = b.const(int.from_bytes(b"\x0f" * _BYTES, "little"))
    result = []
    if any(low):
        result.append(b.op("lookup", b.op("and", value, mask), imm=tuple(low)))
    if any(high):
        moved = b.op("and", b.op("shr", value, imm=(16, 4)), mask)
        result.append(b.op("lookup", moved, imm=tuple(high)))
    return b.xor(*result)


def looked_up(b: Builder, value: int, table: tuple[int, ...], rows: tuple[int, ...]) -> int:
    """An S-box of 4 bits on both halves of each byte, then a matrix on every byte.

    Where the two looked-up bytes of an image with equal halves are there, of which this has one half each,
    it is the first of them with a half of their sum added.
    """
    low, high = nibbles(table, rows)
    doubled = tuple(rows[r] ^ rows[r ^ 4] for r in range(8))
    both = nibbles(table, doubled)
    for mask in (0xF0, 0x0F):
        if [x & ~mask for x in both[0]] == list(low) and [x & mask for x in both[1]] == list(high):
            with b.trial() as count:
                halves(b, value, *both)
                known = not count()
            if known:
                total = halves(b, value, *both)
                part = b.op("and", total, b.const(int.from_bytes(bytes([mask]) * _BYTES, "little")))
                return b.op("xor", halves(b, value, both[0], ()), part)
    return halves(b, value, low, high)


@cache
def nibbles(table: tuple[int, ...], rows: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Tables of `halves` for an S-box of 4 bits on both, then a matrix on every byte."""
    return tuple(apply(rows, y) for y in table), tuple(apply(rows, y << 4) for y in table)


def substituted(b: Builder, value: int, sbox: Sbox, gfni: bool, aes: bool) -> int:
    """An S-box of 4 or 8 bits on every cell."""
    if sbox.bits == 4:
        table = sbox.table
        return halves(b, value, table, [y << 4 for y in table])
    result = affine_to_inversion(sbox.table) if gfni or aes else None
    if result is None:
        return _by_sixteen(b, value, sbox)
    first, added, second, added_last = result
    if gfni:
        return b.op("inverse", b.op("affine", value, imm=(first, added)), imm=(second, added_last))
    return _by_aes(b, value, sbox)


def _by_aes(b: Builder, value: int, sbox: Sbox) -> int:
    """AES's own S-box between two affine maps of half bytes."""
    result = affine_to_inversion(sbox.table)
    assert result is not None
    first, added, second, added_last = result
    if sbox.table == SUB_BYTES.table:
        return b.op("aesenclast", b.op("shuffle", value, imm=_UNSHIFTED), b.const(0))
    back = {SUB_BYTES.table[x]: inversion()[x] for x in range(256)}
    zero = apply(second, back[0]) ^ added_last
    inner = halves(b, value, *_affine(lambda x: apply(first, x), added))
    inner = b.op("aesenclast", b.op("shuffle", inner, imm=_UNSHIFTED), b.const(0))
    return halves(b, inner, *_affine(lambda x: apply(second, back[x]) ^ added_last ^ zero, zero))


def _affine(linear, constant: int) -> tuple[list[int], list[int]]:  # type: ignore[no-untyped-def]
    return [linear(x) ^ constant for x in range(16)], [linear(x << 4) for x in range(16)]


def _by_sixteen(b: Builder, value: int, sbox: Sbox) -> int:
    """The table by sixteenths. What is looked up has bit 7 clear, or is zero: 16 h taken from a byte below
    128 leaves it clear where the high half is at least h, so that the sums of two sixteenths, each with
    the one before it, add up to the right one. The upper half of the table is that of bytes with bit 7
    flipped. Bytes on the other side are negative numbers, and stay negative."""
    result = []
    for half in (0, 8):
        index = b.op("xor", value, b.const(int.from_bytes(b"\x80" * _BYTES, "little"))) if half else value
        before, fourth = [0] * 16, index
        for part in range(8):
            if part == 4:  # not all of them in a chain
                index = b.op("subtract", fourth, imm=0x40)
            elif part:
                index = b.op("subtract", index, imm=0x10)
            rows = sbox.table[16 * (half + part) : 16 * (half + part) + 16]
            result.append(b.op("lookup", index, imm=tuple(x ^ y for x, y in zip(rows, before, strict=True))))
            before = list(rows)
    return b.xor(*result)
