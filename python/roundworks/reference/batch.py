"""Many messages at once: words as numpy arrays, for tests and statistics.

The same description lines run on N words at once; ``IntWord`` is the slow one it is compared
with.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from math import gcd
from typing import Any

from .. import extras
from ..errors import DescriptionError
from .aead import BlockAead, number, reordered
from .components import CellPermutation, Matrix, Sbox
from .stream import StreamAead, places
from .word import Word

try:
    import numpy as np
    from numpy.typing import NDArray
except ModuleNotFoundError as error:
    raise extras.missing("roundworks.reference", error) from None

U8 = NDArray[np.uint8]


class ArrayWord(Word):
    """N words; ``cells`` is uint8 of shape (bits / cell_bits, N), cell 0 first."""

    __slots__ = ("bits", "cell_bits", "cells")

    def __init__(self, cells: U8, cell_bits: int) -> None:
        self.cells = cells
        self.cell_bits = cell_bits
        self.bits = cells.shape[0] * cell_bits

    @classmethod
    def from_bytes(cls, data: U8) -> ArrayWord:
        """``data``: uint8, shape (N, bytes)."""
        return cls(np.ascontiguousarray(data.T), 8)

    def to_bytes(self) -> U8:
        """uint8, shape (N, bytes)."""
        return np.ascontiguousarray(self.in_cells(8).T)

    def in_cells(self, cell_bits: int) -> U8:
        """The cells at another width, of 1 to 8 bits."""
        if cell_bits == self.cell_bits:
            return self.cells
        if (self.cell_bits, cell_bits) == (8, 4):
            out = np.empty((2 * self.cells.shape[0], self.cells.shape[1]), np.uint8)
            out[0::2], out[1::2] = self.cells >> 4, self.cells & 15
            return out
        if (self.cell_bits, cell_bits) == (4, 8):
            return (self.cells[0::2] << np.uint8(4)) | self.cells[1::2]
        if (self.cell_bits, cell_bits) == (8, 1):
            return np.unpackbits(self.cells, axis=0)
        if (self.cell_bits, cell_bits) == (1, 8) and self.bits % 8 == 0:
            return np.packbits(self.cells, axis=0)
        if not 1 <= cell_bits <= 8 or self.bits % cell_bits:
            raise DescriptionError(
                f"batch words of {self.bits} bits have cells of 1 to 8 bits that fill them,"
                f" not of {cell_bits}"
            )
        # Any other pair of widths goes by single bits, most significant first.
        was, count = self.cell_bits, self.cells.shape[1]
        bits = np.empty((self.bits, count), np.uint8)
        for place in range(was):
            bits[place::was] = self.cells >> np.uint8(was - 1 - place) & np.uint8(1)
        out = np.zeros((self.bits // cell_bits, count), np.uint8)
        for place in range(cell_bits):
            out |= bits[place::cell_bits] << np.uint8(cell_bits - 1 - place)
        return out

    @classmethod
    def from_ints(cls, values: Sequence[int], bits: int) -> ArrayWord:
        """Words of any width of these values, in cells of 8 bits where they fill it, else of 4 or 1."""
        width = -(-bits // 8)
        raw = np.frombuffer(b"".join(v.to_bytes(width, "big") for v in values), np.uint8)
        columns = np.ascontiguousarray(raw.reshape(len(values), width).T)
        if bits % 8 == 0:
            return cls(columns, 8)
        single = np.unpackbits(columns, axis=0)[8 * width - bits :]
        return cls(single, 1)._at(4 if bits % 4 == 0 else 1)

    def to_ints(self) -> list[int]:
        """The N values."""
        values = [0] * self.cells.shape[1]
        for cell in self.cells.tolist():
            values = [value << self.cell_bits | part for value, part in zip(values, cell, strict=True)]
        return values

    def constant(self, value: int, bits: int) -> ArrayWord:
        return ArrayWord.from_ints([value], bits)

    def _at(self, cell_bits: int) -> ArrayWord:
        return ArrayWord(self.in_cells(cell_bits), cell_bits)

    def _xor(self, other: ArrayWord) -> ArrayWord:
        return ArrayWord(self.cells ^ other.in_cells(self.cell_bits), self.cell_bits)

    def _and(self, other: ArrayWord) -> ArrayWord:
        return ArrayWord(self.cells & other.in_cells(self.cell_bits), self.cell_bits)

    def _add(self, other: ArrayWord) -> ArrayWord:
        cell = self._widest()
        sums = self.in_cells(cell).astype(np.uint16) + other.in_cells(cell)
        for i in reversed(range(1, len(sums))):  # a carry goes to the next higher cell
            sums[i - 1] += sums[i] >> cell
        return ArrayWord((sums & (1 << cell) - 1).astype(np.uint8), cell)

    def _cut(self, first: int, bits: int) -> ArrayWord:
        cell = next(c for c in (self.cell_bits, 4, 1) if not (first % c or bits % c or self.bits % c))
        cells = self.in_cells(cell)
        return ArrayWord(cells[first // cell : (first + bits) // cell], cell)

    def _join(self, others: Sequence[ArrayWord]) -> ArrayWord:
        words = [self, *others]
        cell = gcd(*(word._widest() for word in words))
        count = max(word.cells.shape[1] for word in words)
        parts = [word.in_cells(cell) for word in words]
        return ArrayWord(np.vstack([np.broadcast_to(p, (len(p), count)) for p in parts]), cell)

    @classmethod
    def drawn(cls, random: np.random.Generator, bits: int, count: int) -> ArrayWord:
        """``count`` words of any width, uniform."""
        cell = 8 if bits % 8 == 0 else 1
        return cls(random.integers(0, 1 << cell, (bits // cell, count), np.uint8), cell)

    def _widest(self) -> int:
        return next(cell for cell in (8, 4, 1) if self.bits % cell == 0)

    def sub(self, sbox: Sbox) -> ArrayWord:
        self._check_cells("S-box", sbox.name, sbox.bits, 1)
        return ArrayWord(_table(sbox)[self.in_cells(sbox.bits)], sbox.bits)

    def mix(self, matrix: Matrix) -> ArrayWord:
        self._check_cells("matrix", matrix.name, matrix.cell_bits, matrix.size)
        cells = self.in_cells(matrix.cell_bits)
        groups = cells.reshape(-1, matrix.size, cells.shape[1])
        times = {c: table[groups] for c, table in _products(matrix).items()} | {1: groups}
        out = np.zeros_like(groups)
        for i, row in enumerate(matrix.rows):
            for j, coefficient in enumerate(row):
                if coefficient:
                    out[:, i] ^= times[coefficient][:, j]
        return ArrayWord(out.reshape(cells.shape), matrix.cell_bits)

    def permute(self, permutation: CellPermutation) -> ArrayWord:
        p = permutation
        self._check_cells("permutation", p.name, p.cell_bits, len(p.to))
        # Cells wider than a byte move as several, of the widest that divides them.
        cell = p.cell_bits if p.cell_bits <= 8 else gcd(p.cell_bits, 8)
        ratio = p.cell_bits // cell
        cells = self.in_cells(cell)
        groups = cells.reshape(len(p.to), ratio, cells.shape[1])
        out = np.empty_like(groups)
        out[list(p.to)] = groups
        return ArrayWord(out.reshape(cells.shape), cell)


@cache
def _table(sbox: Sbox) -> U8:
    return np.array(sbox.table, np.uint8)


@cache
def _products(matrix: Matrix) -> dict[int, U8]:
    coefficients = {c for row in matrix.rows for c in row if c > 1}
    size = 1 << matrix.cell_bits
    return {c: np.array([matrix.times(c, x) for x in range(size)], np.uint8) for c in coefficients}


def encrypt_many(
    cipher: StreamAead[ArrayWord],
    keys: U8,
    nonces: U8,
    data: U8,
    associated_data: U8,
    *,
    decrypt: bool = False,
) -> tuple[U8, U8]:
    """Encrypt N messages of equal lengths, or decrypt them without a look at their tags.

    ``keys`` (N, key bytes), ``nonces`` (N, nonce bytes), ``data`` (N, L), ``associated_data`` (N, A), all
    uint8; one row alone (N = 1) goes with any N. Returns ciphertexts (N, L) and tags (N, tag bytes).
    """
    rate, size = cipher.rate_bytes, cipher.word_bytes
    count = max(map(len, (keys, nonces, data, associated_data)))
    sizes = (associated_data.shape[1], data.shape[1])

    def words(block: U8) -> list[ArrayWord]:
        cut = (block[:, i : i + size] for i in range(0, block.shape[1], size))
        return [cipher.in_order(ArrayWord.from_bytes(one)) for one in cut]

    def rows(words: Sequence[ArrayWord]) -> U8:
        return in_rows([cipher.in_order(word) for word in words], count)

    def ended(part: U8, tail: bytes) -> U8:
        return np.hstack([part, np.broadcast_to(np.frombuffer(tail, np.uint8), (len(part), len(tail)))])

    K = words(keys)
    S = cipher.start(K, words(nonces))
    # How it is cut, and what is appended, do not depend on the bytes.
    blocks = cipher.ad_blocks(bytes(sizes[0]))
    ad, start = ended(associated_data, b"".join(blocks)[sizes[0] :]), 0
    at = places([len(block) for block in blocks], *sizes, message_block=False)
    for block, place in zip(blocks, at, strict=True):
        S = cipher.domain(cipher.absorb(S, words(ad[:, start : start + len(block)])), place)
        start += len(block)
    S = cipher.separate(S)
    out, start = [np.zeros((count, 0), np.uint8)], 0
    parts = cipher.parts(bytes(sizes[1]))
    at = places([len(part) for part in parts], *sizes, message_block=True)
    for place in at:
        part = data[:, start : start + place.length]
        start += place.length
        out.append(part ^ rows(cipher.keystream(S))[:, : place.length])
        plain = out[-1] if decrypt else part
        if place.length < rate:
            plain = ended(plain, cipher.padding(place.length))
        S = cipher.domain((cipher.last if place.last else cipher.update)(S, words(plain)), place)
    S = cipher.finalise(S, K, 8 * sizes[0], 8 * sizes[1])
    return np.hstack(out), rows(cipher.tag(S))[:, : cipher.tag_bytes]


def in_rows(words: Sequence[ArrayWord], count: int) -> U8:
    """Words as N = ``count`` rows of bytes; a word that is the same in every row is repeated."""
    parts = [word.to_bytes() for word in words]
    return np.hstack([np.broadcast_to(part, (count, part.shape[1])) for part in parts])


FEWEST = 8  # blocks from which numpy words are faster


def permuted(
    cipher: BlockAead[Any],
    step: Callable[[Sequence[Any]], Sequence[Any]],
    blocks: Sequence[int],
    layout: Callable[[], list[int]],
) -> list[int]:
    """``step`` on the words of every block; byte i of the words is byte ``layout()[i]`` of it."""
    size, order = cipher.words * cipher.word_bytes, layout()
    back = [order.index(i) for i in range(size)]
    if len(blocks) < FEWEST or not all(isinstance(block, int) for block in blocks):
        out = []
        for block in blocks:
            raw = block.to_bytes(size, "big")
            after = cipher.join(step(cipher.split(reordered(raw, order))))
            out.append(number(reordered(after, back), "big"))
        return out
    rows = np.frombuffer(b"".join(b.to_bytes(size, "big") for b in blocks), np.uint8)
    rows = rows.reshape(len(blocks), size)[:, order]
    width = cipher.word_bytes
    words = [ArrayWord.from_bytes(rows[:, i : i + width]) for i in range(0, size, width)]
    after_rows = np.hstack([word.to_bytes() for word in step(words)])[:, back]
    return [int.from_bytes(row.tobytes(), "big") for row in after_rows]
