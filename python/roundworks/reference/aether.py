"""AETHER as published, and two variants for study. [AETHER, section 2]

Words are 128 bits, nibble 0 the most significant hex digit. Every line below stands in the
paper, except the wiring of the round, whose figure is lost: it was reconstructed, and is the only
one of the 5,080,320 structures of its class that gives the paper's Table 7.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import xor

from .. import spec
from .components import CellPermutation, Matrix, Sbox
from .stream import State, StreamAead
from .word import W, unit

FACTS = spec.cipher("aether")
Z0, Z1, Z2 = (FACTS.constants[z] for z in ("Z0", "Z1", "Z2"))
SBOX = Sbox("Orthros", FACTS.sbox)
M_B = Matrix("M_b", FACTS.matrix, 4)
# Nibble i moves to i/2 (i even) or (i-1)/2 + 16 (i odd).
PERMUTATION = CellPermutation("Permutation", FACTS.permutation, 4)


@unit("F")
def f(x: W) -> W:
    """F = Permutation . ApplySbox . MatrixMul . ApplySbox. [AETHER, equation 1]"""
    return x.sub(SBOX).mix(M_B).sub(SBOX).permute(PERMUTATION)


class Aether(StreamAead[W]):
    """AETHER. For study: lengths are bound nowhere, so it is forgeable as published."""

    name = "aether"
    family = FACTS.family
    key_bytes, nonce_bytes, tag_bytes = FACTS.key_bytes, FACTS.nonce_bytes, FACTS.tag_bytes
    words, rate_words = FACTS.words, FACTS.rate_bytes // FACTS.word_bytes
    warning = FACTS.warning

    def load(self, K: Sequence[W], N: Sequence[W]) -> list[W | int]:
        K0, K1 = K
        return [Z1, K0, N[0] ^ K0, 0, Z0, 0, N[0], K1, Z2]

    def update(self, S: State[W], X: Sequence[W | int]) -> State[W]:
        """R(S, X). [AETHER, figure 1]"""
        F = [f(s) for s in S]
        return [
            F[8] ^ X[0],
            F[0] ^ S[3],
            F[1] ^ S[6],
            F[2] ^ X[1],
            F[3] ^ S[4],
            F[4] ^ X[2],
            F[5] ^ S[8],
            F[6] ^ S[2],
            F[7] ^ S[0],
        ]

    def init(self, S: State[W], K: Sequence[W], N: Sequence[W]) -> State[W]:
        for _ in range(FACTS.init_rounds):
            S = self.update(S, [Z0, Z1, Z2])
        K0, K1 = K
        return _feed(S, [K0, K0, K0, K0, K1, K0, K1, K1, K1])

    def keystream(self, S: State[W]) -> list[W]:
        return [f(S[0] ^ S[1]) ^ S[4], f(S[2] ^ S[6]) ^ S[7], f(S[3] ^ S[5]) ^ S[8]]

    def finalise(self, S: State[W], K: Sequence[W], ad_bits: int, msg_bits: int) -> State[W]:
        K0, K1 = K
        S = _feed(S, [K0, K0, K1, K1, K0, K0, K1, K0, K1])
        for _ in range(FACTS.final_rounds):
            S = self.update(S, [K0, Z0, K1])
        return _feed(S, [K1, K0, K0, K0, K1, K0, K0, K1, K1])

    def tag(self, S: State[W]) -> list[W]:
        return [reduce(xor, S)]

    def padding(self, length: int) -> bytes:
        """80 and zeros, only where the last block is not full: "if padding was done"."""
        return b"\x80" + bytes(self.rate_bytes - length - 1) if length else b""


class AetherLb(Aether[W]):
    """Ours, for study: AETHER with lengths bound by one extra round before finalisation."""

    name = "aether-lb"
    warning = spec.cipher("aether-lb").warning

    def finalise(self, S: State[W], K: Sequence[W], ad_bits: int, msg_bits: int) -> State[W]:
        return super().finalise(self.update(S, [ad_bits, msg_bits, Z1]), K, ad_bits, msg_bits)


class AetherAlwaysPad(Aether[W]):
    """The other reading of the padding: 80 and zeros always, also after a full or empty input."""

    name = "aether-always-pad"

    def padding(self, length: int) -> bytes:
        return b"\x80" + bytes(self.rate_bytes - length - 1)


def _feed(S: State[W], keys: Sequence[W]) -> State[W]:
    """XOR one key half into every word."""
    return [s ^ k for s, k in zip(S, keys, strict=True)]
