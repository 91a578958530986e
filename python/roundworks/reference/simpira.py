"""Simpira v2 of two and of four words. [SIMPIRA, section 3]"""

from __future__ import annotations

from collections.abc import Sequence

from .aes import aes_round as R
from .permutation import Permutation, described_permutation
from .word import W


def constant(c: int, b: int) -> int:
    """C of the call F_(c,b), as the word whose bytes are those in memory."""
    dwords = (c ^ b ^ high for high in (0x00, 0x10, 0x20, 0x30))
    return int.from_bytes(b"".join(d.to_bytes(4, "little") for d in dwords), "big")


def xor_f(x: W, to: W, c: int, b: int) -> W:
    """F_(c,b)(x) ^ to: the XOR is the round key of the second instruction."""
    return R(R(x, constant(c, b)), to)


@described_permutation("simpira-2")
class Simpira2(Permutation[W]):
    """Two words, a round of one F. [SIMPIRA, algorithm 2]"""

    def round(self, S: Sequence[W], i: int) -> list[W]:
        out = list(S)
        out[(i + 1) % 2] = xor_f(S[i % 2], S[(i + 1) % 2], i + 1, 2)
        return out


@described_permutation("simpira-4")
class Simpira4(Permutation[W]):
    """Four words, a round of two F. [SIMPIRA, algorithm 4]"""

    def round(self, S: Sequence[W], i: int) -> list[W]:
        out = list(S)
        for half in range(2):
            source, target = (i + 2 * half) % 4, (i + 1 + 2 * half) % 4
            out[target] = xor_f(S[source], S[target], 2 * i + half + 1, 4)
        return out
