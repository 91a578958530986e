"""LowMC: a few S-boxes of 3 bits a round, and dense random matrices. [LOWMC]"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import compress

from . import gf2
from .block import BlockCipher
from .components import Matrix, Sbox
from .word import W, join

SBOX = Sbox("S", (0, 1, 3, 6, 7, 4, 5, 2))
TAPS = (0, 13, 23, 38, 51, 62)  # of an LFSR of 80 bits; its next 18 bits depend on these 80 alone
STEP = 80 - TAPS[-1]


def _random_words(bits: int) -> Iterator[int]:
    """Of the LFSR from all ones on, without the first 160 bits, every bit that comes behind a 1, in pairs; the
    first bit of a word is its least significant."""
    state, stream, skipped = (1 << 80) - 1, "", 160
    chosen = ""
    while True:
        while len(stream) < 1 << 14:
            fresh = 0
            for tap in TAPS:
                fresh ^= state >> tap
            fresh &= (1 << STEP) - 1
            state = state >> STEP | fresh << 80 - STEP
            stream += f"{fresh:0{STEP}b}"[::-1]
        even = len(stream) & ~1
        pairs, stream, skipped = stream[skipped:even], stream[even:], 0
        chosen += "".join(compress(pairs[1::2], map(int, pairs[::2])))
        for start in range(0, len(chosen) - bits + 1, bits):
            yield int(chosen[start : start + bits][::-1], 2)
        chosen = chosen[len(chosen) // bits * bits :]


def _matrix(name: str, words: Iterator[int], bits: int) -> Matrix:
    """The next one that is invertible; word i has the coefficients of bit i."""
    while True:
        rows = [next(words) for _ in range(bits)]
        if gf2.rank(rows) == bits:
            places = range(bits - 1, -1, -1)
            return Matrix(name, tuple(tuple(rows[i] >> j & 1 for j in places) for i in places), 1)


@cache
def _parts(bits: int, rounds: int) -> tuple[list[Matrix], list[int], list[Matrix]]:
    """Linear layers, constants and the matrices of the round keys, in the order in which they are drawn."""
    words = _random_words(bits)
    layers = [_matrix(f"L{i + 1}", words, bits) for i in range(rounds)]
    constants = [next(words) for _ in range(rounds)]
    return layers, constants, [_matrix(f"K{i}", words, bits) for i in range(rounds + 1)]


class LowMC(BlockCipher[W]):
    """Block and key of 128 bits, 10 S-boxes a round, 20 rounds; bit 0 of the paper is the least significant."""

    name, family = "lowmc-128-128", "lowmc"
    words, word_bits, key_words, rounds = 1, 128, 1, 20
    boxes = 10

    def schedule(self, K: Sequence[W]) -> Iterable[W]:
        _, _, keys = _parts(self.word_bits, LowMC.rounds)
        return [K[0].mix(keys[i]) for i in range(self.rounds + 1)]

    def encrypt(self, S: Sequence[W], subkeys: Sequence[W]) -> Sequence[W]:
        layers, constants, _ = _parts(self.word_bits, LowMC.rounds)
        k, kept = list(subkeys), self.word_bits - 3 * self.boxes
        s = S[0] ^ k[0]
        for i in range(self.rounds):
            s = join([s.cut(0, kept), s.cut(kept, 3 * self.boxes).sub(SBOX)])
            s = s.mix(layers[i]) ^ constants[i] ^ k[i + 1]
        return [s]
