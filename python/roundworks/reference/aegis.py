"""AEGIS-128. [AEGIS, section 3]"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import xor

from .. import spec
from .aes import aes_round as R
from .stream import State, StreamAead
from .word import W

FACTS_128 = spec.cipher("aegis-128")
C0, C1 = FACTS_128.constants["C0"], FACTS_128.constants["C1"]


class Aegis128(StreamAead[W]):
    """AEGIS-128, CAESAR v1.1: five words, one block a round, 16-byte tag."""

    name = "aegis-128"
    family = FACTS_128.family
    key_bytes, nonce_bytes = FACTS_128.key_bytes, FACTS_128.nonce_bytes
    tag_bytes = FACTS_128.tag_bytes
    words, rate_words = FACTS_128.words, FACTS_128.rate_bytes // FACTS_128.word_bytes

    def load(self, K: Sequence[W], N: Sequence[W]) -> list[W | int]:
        (K0,), (N0,) = K, N
        return [K0 ^ N0, C1, C0, K0 ^ C0, K0 ^ C1]

    def update(self, S: State[W], X: Sequence[W | int]) -> State[W]:
        """StateUpdate128(S, X). [AEGIS, section 3.3]"""
        return [
            R(S[4], S[0]) ^ X[0],
            R(S[0], S[1]),
            R(S[1], S[2]),
            R(S[2], S[3]),
            R(S[3], S[4]),
        ]

    def init(self, S: State[W], K: Sequence[W], N: Sequence[W]) -> State[W]:
        for _ in range(FACTS_128.init_rounds // 2):
            S = self.update(S, [K[0]])
            S = self.update(S, [K[0] ^ N[0]])
        return S

    def keystream(self, S: State[W]) -> list[W]:
        return [S[1] ^ S[4] ^ (S[2] & S[3])]

    def finalise(self, S: State[W], K: Sequence[W], ad_bits: int, msg_bits: int) -> State[W]:
        lengths = ad_bits.to_bytes(8, "little") + msg_bits.to_bytes(8, "little")
        t = S[3] ^ int.from_bytes(lengths, "big")
        for _ in range(FACTS_128.final_rounds):
            S = self.update(S, [t])
        return S

    def tag(self, S: State[W]) -> list[W]:
        return [reduce(xor, S)]
