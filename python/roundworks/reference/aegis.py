"""AEGIS-128 [AEGIS, section 3], AEGIS-128L and AEGIS-256 [AEGIS-RFC]."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import xor

from .. import spec
from .aes import aes_round as R
from .stream import State, StreamAead
from .word import W

FACTS_128 = spec.cipher("aegis-128")
FACTS_128L, FACTS_256 = spec.cipher("aegis-128l"), spec.cipher("aegis-256")
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
        t = S[3] ^ _lengths(ad_bits, msg_bits)
        for _ in range(FACTS_128.final_rounds):
            S = self.update(S, [t])
        return S

    def tag(self, S: State[W]) -> list[W]:
        return [reduce(xor, S)]


class Aegis128L(StreamAead[W]):
    """AEGIS-128L: eight words, two blocks a round, 16-byte tag."""

    name = "aegis-128l"
    family = FACTS_128L.family
    key_bytes, nonce_bytes = FACTS_128L.key_bytes, FACTS_128L.nonce_bytes
    tag_bytes = FACTS_128L.tag_bytes
    words, rate_words = FACTS_128L.words, FACTS_128L.rate_bytes // FACTS_128L.word_bytes

    def load(self, K: Sequence[W], N: Sequence[W]) -> list[W | int]:
        (K0,), (N0,) = K, N
        return [K0 ^ N0, C1, C0, C1, K0 ^ N0, K0 ^ C0, K0 ^ C1, K0 ^ C0]

    def update(self, S: State[W], X: Sequence[W | int]) -> State[W]:
        """Update(M0, M1) of AEGIS-128L. [AEGIS-RFC]"""
        return [
            R(S[7], S[0]) ^ X[0],
            R(S[0], S[1]),
            R(S[1], S[2]),
            R(S[2], S[3]),
            R(S[3], S[4]) ^ X[1],
            R(S[4], S[5]),
            R(S[5], S[6]),
            R(S[6], S[7]),
        ]

    def init(self, S: State[W], K: Sequence[W], N: Sequence[W]) -> State[W]:
        for _ in range(FACTS_128L.init_rounds):
            S = self.update(S, [N[0], K[0]])
        return S

    def keystream(self, S: State[W]) -> list[W]:
        return [S[6] ^ S[1] ^ (S[2] & S[3]), S[2] ^ S[5] ^ (S[6] & S[7])]

    def finalise(self, S: State[W], K: Sequence[W], ad_bits: int, msg_bits: int) -> State[W]:
        t = S[2] ^ _lengths(ad_bits, msg_bits)
        for _ in range(FACTS_128L.final_rounds):
            S = self.update(S, [t, t])
        return S

    def tag(self, S: State[W]) -> list[W]:
        """Without S7; the first print took it in, and its vectors (OldVersion) must be refused."""
        return [reduce(xor, S[:7])]


class Aegis256(StreamAead[W]):
    """AEGIS-256: six words, one block a round, 32-byte key and nonce, 16-byte tag."""

    name = "aegis-256"
    family = FACTS_256.family
    key_bytes, nonce_bytes = FACTS_256.key_bytes, FACTS_256.nonce_bytes
    tag_bytes = FACTS_256.tag_bytes
    words, rate_words = FACTS_256.words, FACTS_256.rate_bytes // FACTS_256.word_bytes

    def load(self, K: Sequence[W], N: Sequence[W]) -> list[W | int]:
        (K0, K1), (N0, N1) = K, N
        return [K0 ^ N0, K1 ^ N1, C1, C0, K0 ^ C0, K1 ^ C1]

    def update(self, S: State[W], X: Sequence[W | int]) -> State[W]:
        """Update(M) of AEGIS-256. [AEGIS-RFC]"""
        return [
            R(S[5], S[0]) ^ X[0],
            R(S[0], S[1]),
            R(S[1], S[2]),
            R(S[2], S[3]),
            R(S[3], S[4]),
            R(S[4], S[5]),
        ]

    def init(self, S: State[W], K: Sequence[W], N: Sequence[W]) -> State[W]:
        (K0, K1), (N0, N1) = K, N
        for _ in range(FACTS_256.init_rounds // 4):
            for block in (K0, K1, K0 ^ N0, K1 ^ N1):
                S = self.update(S, [block])
        return S

    def keystream(self, S: State[W]) -> list[W]:
        return [S[1] ^ S[4] ^ S[5] ^ (S[2] & S[3])]

    def finalise(self, S: State[W], K: Sequence[W], ad_bits: int, msg_bits: int) -> State[W]:
        t = S[3] ^ _lengths(ad_bits, msg_bits)
        for _ in range(FACTS_256.final_rounds):
            S = self.update(S, [t])
        return S

    def tag(self, S: State[W]) -> list[W]:
        return [reduce(xor, S)]


def _lengths(ad_bits: int, msg_bits: int) -> int:
    """Both counts of bits in one word: LE64(ad_bits) || LE64(msg_bits)."""
    both = ad_bits.to_bytes(8, "little") + msg_bits.to_bytes(8, "little")
    return int.from_bytes(both, "big")
