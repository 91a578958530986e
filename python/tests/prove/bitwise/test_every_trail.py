"""The sum over every trail of a differential of Simon32, by dynamic programming over all differences.

It shares nothing with the solver's sum. The round function has degree 2, so that the differences after it are equally
likely on an affine space, whose directions and offset the function itself gives. [SIMON-TRAILS]
"""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest
from numpy.typing import NDArray

from roundworks.prove.bitwise.cluster import cluster
from roundworks.prove.pipeline import Query
from roundworks.reference import get_analysed

SIZE = 1 << 16
WORDS = np.arange(SIZE, dtype=np.uint16)
Words = NDArray[np.uint16]


def rotl(x: Words, n: int) -> Words:
    return x << np.uint16(n) | x >> np.uint16(16 - n)


class EveryTrail:
    """Sums over the trails of ``2 * steps + 5`` rounds from words (0, start) to (end, 0)."""

    def __init__(self) -> None:
        """``self.labels[:, a]`` numbers the cosets of the space of a, linearly: byte b of a word, 256 + b of its upper half."""
        self.labels, self.dimension = np.zeros((512, SIZE), np.uint16), np.zeros(SIZE, np.int64)
        units = np.uint16(1) << np.arange(16, dtype=np.uint16)[:, None]
        directions = rotl(WORDS, 1) & rotl(units, 8) ^ rotl(units, 1) & rotl(WORDS, 8)
        for a in range(SIZE):
            basis: dict[int, int] = {}  # by leading bit, reduced
            for word in set(directions[:, a].tolist()):
                for lead, vector in basis.items():
                    word ^= vector if word >> lead & 1 else 0
                if word:
                    new = word.bit_length() - 1
                    basis = {lead: v ^ word if v >> new & 1 else v for lead, v in basis.items()} | {new: word}
            others = [bit for bit in range(16) if bit not in basis]
            self.dimension[a] = len(basis)
            for bit in range(16):
                word = basis.get(bit, 1 << bit)
                label = sum((word >> other & 1) << place for place, other in enumerate(others))
                self.labels[256 * (bit // 8) + (1 << bit % 8), a] = label
        for byte in range(256):
            for half in (0, 256):
                if low := byte & (byte - 1):
                    self.labels[half + byte] = self.labels[half + low] ^ self.labels[half + (byte ^ low)]
        after = rotl(WORDS, 1) & rotl(WORDS, 8) ^ rotl(WORDS, 2)
        self.offset = self.labels[after & 255, WORDS] ^ self.labels[256 + (after >> 8), WORDS]
        self.cosets = 1 << (16 - self.dimension)
        self.first = np.cumsum(self.cosets) - self.cosets

    def label(self, a: int) -> Words:
        """The coset of every word by the space of a, less that of the differences after the function."""
        low, high = self.labels[:256, a], self.labels[256:, a]
        cosets: Words = (high[:, None] ^ low[None, :]).ravel() ^ self.offset[a]
        return cosets

    def row(self, left: int, rights: dict[int, float]) -> NDArray[np.float64]:
        """The probability of every left word of the next round; the words of this one have those of ``rights``."""
        by_coset, labels = np.zeros(self.cosets[left]), self.label(left)
        for right, p in rights.items():
            by_coset[labels[right] ^ self.offset[left]] += p
        row: NDArray[np.float64] = by_coset[labels] * 0.5 ** self.dimension[left]
        return row

    def half(self, start: int, steps: int) -> NDArray[np.float64]:
        """From (0, start) over steps + 2 rounds and a half: by left word m, then by coset of the right one."""
        pairs = {0: {start: 1.0}}
        for _ in range(steps):
            after: dict[int, dict[int, float]] = defaultdict(dict)
            for left, rights in pairs.items():
                row = self.row(left, rights)
                for new in np.flatnonzero(row):
                    after[int(new)][left] = float(row[new])
            pairs = dict(after)
        before = np.zeros(self.cosets.sum())
        for left, rights in pairs.items():
            before[self.first + self.of_all(left)] += self.row(left, rights) * 0.5**self.dimension
        result = np.zeros_like(before)
        for a in range(SIZE):
            mine = before[self.first[a] : self.first[a] + self.cosets[a]]
            if mine.any():
                result[self.first + self.of_all(a)] += mine[self.label(a)]
        return result

    def of_all(self, word: int) -> Words:
        """The coset of one word by the space of every difference."""
        cosets: Words = self.labels[word & 255] ^ self.labels[256 + (word >> 8)]
        return cosets

    def log2(self, start: int, end: int, steps: int) -> float:
        forward, backward = self.half(start, steps), self.half(end, steps)
        owner = np.repeat(np.arange(SIZE), self.cosets)
        other = self.first[owner] + (np.arange(owner.size) - self.first[owner] ^ self.offset[owner])
        return float(np.log2(np.sum(forward * backward[other] * 0.5 ** self.dimension[owner])))


@pytest.mark.long  # `test_all_trails_add_up_to_the_mean_over_keys` sums small ciphers against their tables.
def test_simon() -> None:
    """Over 7 rounds the solver has every trail; over 13 the sum is -28.5746, and -28.56 is the print. [SIMON-TRAILS]"""
    every, simon = EveryTrail(), get_analysed("simon-32-64")
    (bound,) = cluster(simon, Query(7, where={"S0": "0000", "S1": "0001", "S'0": "0758", "S'1": "0000"}))
    assert bound.side == "exact" and bound.value == pytest.approx(every.log2(0x0001, 0x0758, 1))
    assert every.log2(0x0040, 0x4000, 4) == pytest.approx(-28.5746, abs=5e-5)
