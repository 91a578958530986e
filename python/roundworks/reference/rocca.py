"""Rocca-S, with the key fed forward after the initialisation [ROCCA-S-DRAFT] [ROCCA-S]; and Rocca
as of 2021 [ROCCA]."""

from __future__ import annotations

from collections.abc import Sequence

from .. import spec
from .aead import described
from .aes import aes_round as R
from .stream import State, StreamAead
from .word import W

FACTS = spec.cipher("rocca-s")
Z0, Z1 = FACTS.constants["Z0"], FACTS.constants["Z1"]


class RoccaS(StreamAead[W]):
    """Rocca-S: seven words, two blocks a round, 32-byte key and tag, 16-byte nonce."""

    name = "rocca-s"
    family = FACTS.family
    key_bytes, nonce_bytes, tag_bytes = FACTS.key_bytes, FACTS.nonce_bytes, FACTS.tag_bytes
    words, rate_words = FACTS.words, FACTS.rate_bytes // FACTS.word_bytes

    def load(self, K: Sequence[W], N: Sequence[W]) -> list[W | int]:
        (K0, K1), (N0,) = K, N
        return [K1, N0, Z0, K0, Z1, N0 ^ K1, 0]

    def update(self, S: State[W], X: Sequence[W | int]) -> State[W]:
        """R(S, X0, X1), the round function. [ROCCA-S-DRAFT]"""
        return [
            S[6] ^ S[1],
            R(S[0], X[0]),
            R(S[1], S[0]),
            R(S[2], S[6]),
            R(S[3], X[1]),
            R(S[4], S[3]),
            R(S[5], S[4]),
        ]

    def init(self, S: State[W], K: Sequence[W], N: Sequence[W]) -> State[W]:
        for _ in range(FACTS.init_rounds):
            S = self.update(S, [Z0, Z1])
        K0, K1 = K
        feed = [K0, K0, K1, K0, K0, K1, K1]
        return [s ^ k for s, k in zip(S, feed, strict=True)]

    def keystream(self, S: State[W]) -> list[W]:
        return [R(S[3] ^ S[5], S[0]), R(S[4] ^ S[6], S[2])]

    def finalise(self, S: State[W], K: Sequence[W], ad_bits: int, msg_bits: int) -> State[W]:
        """Both counts of bits are words."""
        lengths = [_length(ad_bits), _length(msg_bits)]
        for _ in range(FACTS.final_rounds):
            S = self.update(S, lengths)
        return S

    def tag(self, S: State[W]) -> list[W]:
        return [S[0] ^ S[1] ^ S[2] ^ S[3], S[4] ^ S[5] ^ S[6]]


@described("rocca")
class Rocca(StreamAead[W]):
    """Rocca: eight words, two blocks a round, 32-byte key, 16-byte nonce and tag."""

    def load(self, K: Sequence[W], N: Sequence[W]) -> list[W | int]:
        (K0, K1), (N0,) = K, N
        return [K1, N0, Z0, Z1, N0 ^ K1, 0, K0, 0]

    def update(self, S: State[W], X: Sequence[W | int]) -> State[W]:
        """R(S, X0, X1), the round function. [ROCCA, section 2]"""
        return [
            S[7] ^ X[0],
            R(S[0], S[7]),
            S[1] ^ S[6],
            R(S[2], S[1]),
            S[3] ^ X[1],
            R(S[4], S[3]),
            R(S[5], S[4]),
            S[0] ^ S[6],
        ]

    def init(self, S: State[W], K: Sequence[W], N: Sequence[W]) -> State[W]:
        for _ in range(self.facts.init_rounds):
            S = self.update(S, [Z0, Z1])
        return S

    def keystream(self, S: State[W]) -> list[W]:
        return [R(S[1], S[5]), R(S[0] ^ S[4], S[2])]

    def finalise(self, S: State[W], K: Sequence[W], ad_bits: int, msg_bits: int) -> State[W]:
        """Both counts of bits are words."""
        for _ in range(self.facts.final_rounds):
            S = self.update(S, [_length(ad_bits), _length(msg_bits)])
        return S

    def tag(self, S: State[W]) -> list[W]:
        total = S[0]
        for word in S[1:]:
            total = total ^ word
        return [total]


def _length(bits: int) -> int:
    """LE128(bits)."""
    return int.from_bytes(bits.to_bytes(16, "little"), "big")
