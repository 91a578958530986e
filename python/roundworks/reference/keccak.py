"""Keccak-f with lanes of 8 to 64 bits [FIPS202, section 3], and Xoodoo [XOODOO, section 2.1].

A lane is the number whose bit z has weight 2^z. Lane (x, y) of Keccak-f is word 5 y + x, lane (x, y) of
Xoodoo word 4 y + x.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, reduce
from operator import xor

from .permutation import Permutation
from .word import W


@cache
def _round_constant(i: int) -> int:
    """RC[i] of 64 bits: bit 2^j - 1 is rc(j + 7 i), of an LFSR. [FIPS202, algorithm 5]"""
    state, bits = 1, []
    for _ in range(7 * (i + 1)):
        bits.append(state & 1)
        state = state << 1 ^ (0x171 if state >> 7 else 0)
    return sum(bit << (1 << j) - 1 for j, bit in enumerate(bits[7 * i :]))


def _offsets() -> dict[tuple[int, int], int]:
    """Of rho, by lane. [FIPS202, algorithm 2]"""
    x, y, offsets = 1, 0, {(0, 0): 0}
    for t in range(24):
        offsets[x, y] = (t + 1) * (t + 2) // 2
        x, y = y, (2 * x + 3 * y) % 5
    return offsets


OFFSETS = _offsets()


class KeccakF(Permutation[W]):
    """iota . chi . pi . rho . theta; of 25 lanes."""

    family = "keccak"
    words = 25

    def __init__(self, bits: int = 1600) -> None:
        self.name, self.word_bits = f"keccak-f-{bits}", bits // 25
        self.rounds = 12 + 2 * (self.word_bits.bit_length() - 1)

    def round(self, S: Sequence[W], i: int) -> list[W]:
        parity = [reduce(xor, S[x::5]) for x in range(5)]
        effect = [parity[(x - 1) % 5] ^ parity[(x + 1) % 5].rotl(1) for x in range(5)]
        moved = {
            (y, (2 * x + 3 * y) % 5): (S[5 * y + x] ^ effect[x]).rotl(OFFSETS[x, y])
            for x in range(5)
            for y in range(5)
        }
        out = [
            moved[x, y] ^ (~moved[(x + 1) % 5, y] & moved[(x + 2) % 5, y]) for y in range(5) for x in range(5)
        ]
        return [out[0] ^ _round_constant(i) % (1 << self.word_bits), *out[1:]]


# Of round 0 to 11. [XOODOO, table 1]
CONSTANTS = (0x58, 0x38, 0x3C0, 0xD0, 0x120, 0x14, 0x60, 0x2C, 0x380, 0xF0, 0x1A0, 0x12)


class Xoodoo(Permutation[W]):
    """rho east . chi . iota . rho west . theta; three planes of four lanes."""

    name = family = "xoodoo"
    words, word_bits, rounds = 12, 32, 12

    def round(self, S: Sequence[W], i: int) -> list[W]:
        a = [list(S[:4]), list(S[4:8]), list(S[8:])]
        parity = [reduce(xor, S[x::4]) for x in range(4)]
        effect = [parity[x - 1].rotl(5) ^ parity[x - 1].rotl(14) for x in range(4)]
        a = [[word ^ e for word, e in zip(plane, effect, strict=True)] for plane in a]
        a[1], a[2] = [a[1][x - 1] for x in range(4)], [word.rotl(11) for word in a[2]]
        a[0][0] = a[0][0] ^ CONSTANTS[i]
        a = [[a[y][x] ^ (~a[(y + 1) % 3][x] & a[(y + 2) % 3][x]) for x in range(4)] for y in range(3)]
        a[1], a[2] = [word.rotl(1) for word in a[1]], [a[2][x - 2].rotl(8) for x in range(4)]
        return [*a[0], *a[1], *a[2]]
