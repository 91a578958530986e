"""AEGIS-128 [AEGIS, section 3], and AEGIS-128L and AEGIS-256 of any degree [AEGIS-RFC].

A cipher of degree D holds D states, called lanes: AEGIS-128L and AEGIS-256 are of
degree 1. A word V[j,i] of the standard (word j of lane i) is S[D*j + i] here, so that a block and
a keystream stand in the order of their bytes: the first half for all lanes, then the second.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import xor
from typing import ClassVar

from .. import spec
from .aead import described
from .aes import aes_round as R
from .stream import State, StreamAead
from .word import W

C0, C1 = (spec.cipher("aegis-128").constants[c] for c in ("C0", "C1"))


@described("aegis-128")
class Aegis128(StreamAead[W]):
    """AEGIS-128, CAESAR v1.1: five words, one block a round, 16-byte tag."""

    def load(self, K: Sequence[W], N: Sequence[W]) -> list[W | int]:
        (K0,), (N0,) = K, N
        return [K0 ^ N0, C1, C0, K0 ^ C0, K0 ^ C1]

    def update(self, S: State[W], X: Sequence[W | int]) -> State[W]:
        """StateUpdate128(S, X). [AEGIS, section 3.3]"""
        return [R(S[4], S[0]) ^ X[0], R(S[0], S[1]), R(S[1], S[2]), R(S[2], S[3]), R(S[3], S[4])]

    def init(self, S: State[W], K: Sequence[W], N: Sequence[W]) -> State[W]:
        for _ in range(self.facts.init_rounds // 2):
            S = self.update(S, [K[0]])
            S = self.update(S, [K[0] ^ N[0]])
        return S

    def keystream(self, S: State[W]) -> list[W]:
        return [S[1] ^ S[4] ^ (S[2] & S[3])]

    def finalise(self, S: State[W], K: Sequence[W], ad_bits: int, msg_bits: int) -> State[W]:
        t = S[3] ^ _lengths(ad_bits, msg_bits)
        for _ in range(self.facts.final_rounds):
            S = self.update(S, [t])
        return S

    def tag(self, S: State[W]) -> list[W]:
        return [reduce(xor, S)]


class Lanes(StreamAead[W]):
    """What the two lines of the standard share: D lanes of ``lane_words`` words."""

    degree: ClassVar[int]
    lane_words: ClassVar[int]
    # The words of a lane that the context is XORed to, and the one the lengths are.
    context_words: ClassVar[tuple[int, int]]
    length_word: ClassVar[int]

    def lanes(self, S: Sequence[W]) -> list[list[W]]:
        """Lane i is every D-th word from word i on."""
        return [list(S[i :: self.degree]) for i in range(self.degree)]

    def rows(self, lanes: Sequence[Sequence[W]]) -> list[W]:
        """Lanes interleaved again: word 0 of every lane, then word 1, ..."""
        return [word for row in zip(*lanes, strict=True) for word in row]

    def context(self, i: int) -> int:
        """ctx[i] = Byte(i) || Byte(D - 1) || 0...; zero for degree 1."""
        return _bytes_word(bytes((i, self.degree - 1)))

    def in_context(self, S: State[W]) -> State[W]:
        """V[j,i] ^ ctx[i] for the two words j."""
        if self.degree == 1:
            return S
        S = list(S)
        for j in self.context_words:
            for i in range(self.degree):
                S[self.degree * j + i] ^= self.context(i)
        return S

    def update_lane(self, V: Sequence[W], m: Sequence[W | int]) -> list[W]:
        """One lane absorbs its words of the block."""
        raise NotImplementedError

    def keystream_lane(self, V: Sequence[W]) -> list[W]:
        """The keystream words of one lane."""
        raise NotImplementedError

    def tag_lane(self, V: Sequence[W]) -> list[W]:
        """The tag words of one lane."""
        raise NotImplementedError

    def update(self, S: State[W], X: Sequence[W | int]) -> State[W]:
        D = self.degree
        return self.rows([self.update_lane(V, X[i::D]) for i, V in enumerate(self.lanes(S))])

    def keystream(self, S: State[W]) -> list[W]:
        return self.rows([self.keystream_lane(V) for V in self.lanes(S)])

    def finalise(self, S: State[W], K: Sequence[W], ad_bits: int, msg_bits: int) -> State[W]:
        u = _lengths(ad_bits, msg_bits)
        t = [V[self.length_word] ^ u for V in self.lanes(S)]
        for _ in range(self.facts.final_rounds):
            S = self.update(S, t * (self.rate_words // self.degree))
        return S

    def tag(self, S: State[W]) -> list[W]:
        tags = [self.tag_lane(V) for V in self.lanes(S)]
        return [reduce(xor, words) for words in zip(*tags, strict=True)]

    def mac(self, key: bytes, nonce: bytes, data: bytes) -> bytes:
        """AEGISMAC: the tag of ``data`` alone. [AEGIS-RFC]"""
        self.check("key", key, self.key_bytes)
        self.check("nonce", nonce, self.nonce_bytes)
        return self.join(self.tag_lane(self.lanes(self.mac_state(key, nonce, data))[0]))

    def mac_state(self, key: bytes, nonce: bytes, data: bytes) -> State[W]:
        """Where the tag is read from, in lane 0. The lanes are put together by absorbing their
        tags, each half of a pair into one half of a block, and not by XOR."""
        K, D, tag_bits = self.split(key), self.degree, 8 * self.tag_bytes
        S = self.start(K, self.split(nonce))
        for block in self.blocks(data):
            S = self.absorb(S, self.split(block))
        S = self.finalise(S, K, 8 * len(data), tag_bits)
        if D == 1:
            return S
        per_block = self.rate_words // D
        tags = [word for V in self.lanes(S)[self.first_tag(per_block) :] for word in self.tag_lane(V)]
        zero = tags[0].like(0)
        for at in range(0, len(tags), per_block):
            halves = [[tag] + [zero] * (D - 1) for tag in tags[at : at + per_block]]
            S = self.absorb(S, [word for half in halves for word in half])
        return self.finalise(S, K, D, tag_bits)

    def first_tag(self, per_block: int) -> int:
        """Lane 0 absorbs its own tag too where that takes a pair to fill a block."""
        return 0 if self.tag_bytes < 16 * per_block else 1


class Aegis128X(Lanes[W]):
    """AEGIS-128L and AEGIS-128X: eight words a lane, two of which absorb."""

    lane_words, context_words, length_word = 8, (3, 7), 2

    def load(self, K: Sequence[W], N: Sequence[W]) -> list[W | int]:
        (K0,), (N0,) = K, N
        lane: list[W | int] = [K0 ^ N0, C1, C0, C1, K0 ^ N0, K0 ^ C0, K0 ^ C1, K0 ^ C0]
        return [word for word in lane for _ in range(self.degree)]

    def update_lane(self, V: Sequence[W], m: Sequence[W | int]) -> list[W]:
        """Update(M0, M1) of AEGIS-128L. [AEGIS-RFC]"""
        return [
            R(V[7], V[0]) ^ m[0],
            R(V[0], V[1]),
            R(V[1], V[2]),
            R(V[2], V[3]),
            R(V[3], V[4]) ^ m[1],
            R(V[4], V[5]),
            R(V[5], V[6]),
            R(V[6], V[7]),
        ]

    def init(self, S: State[W], K: Sequence[W], N: Sequence[W]) -> State[W]:
        D = self.degree
        for _ in range(self.facts.init_rounds):
            S = self.update(self.in_context(S), [N[0]] * D + [K[0]] * D)
        return S

    def keystream_lane(self, V: Sequence[W]) -> list[W]:
        return [V[6] ^ V[1] ^ (V[2] & V[3]), V[2] ^ V[5] ^ (V[6] & V[7])]

    def tag_lane(self, V: Sequence[W]) -> list[W]:
        """The 16-byte tag is without V[7]; the first print of AEGIS-128L took it in, and the
        vectors of that (OldVersion) must be refused."""
        if self.tag_bytes == 16:
            return [reduce(xor, V[:7])]
        return [reduce(xor, V[:4]), reduce(xor, V[4:])]


class Aegis256X(Lanes[W]):
    """AEGIS-256 and AEGIS-256X: six words a lane, one of which absorbs."""

    lane_words, context_words, length_word = 6, (3, 5), 3

    def load(self, K: Sequence[W], N: Sequence[W]) -> list[W | int]:
        (K0, K1), (N0, N1) = K, N
        lane: list[W | int] = [K0 ^ N0, K1 ^ N1, C1, C0, K0 ^ C0, K1 ^ C1]
        return [word for word in lane for _ in range(self.degree)]

    def update_lane(self, V: Sequence[W], m: Sequence[W | int]) -> list[W]:
        """Update(M) of AEGIS-256. [AEGIS-RFC]"""
        return [
            R(V[5], V[0]) ^ m[0],
            R(V[0], V[1]),
            R(V[1], V[2]),
            R(V[2], V[3]),
            R(V[3], V[4]),
            R(V[4], V[5]),
        ]

    def init(self, S: State[W], K: Sequence[W], N: Sequence[W]) -> State[W]:
        (K0, K1), (N0, N1) = K, N
        for _ in range(self.facts.init_rounds // 4):
            for block in (K0, K1, K0 ^ N0, K1 ^ N1):
                S = self.update(self.in_context(S), [block] * self.degree)
        return S

    def keystream_lane(self, V: Sequence[W]) -> list[W]:
        return [V[1] ^ V[4] ^ V[5] ^ (V[2] & V[3])]

    def tag_lane(self, V: Sequence[W]) -> list[W]:
        if self.tag_bytes == 16:
            return [reduce(xor, V)]
        return [reduce(xor, V[:3]), reduce(xor, V[3:])]


@described("aegis-128l")
class Aegis128L(Aegis128X[W]):
    """AEGIS-128L: one lane of eight words, two blocks a round a lane."""

    degree = 1


@described("aegis-128x2")
class Aegis128X2(Aegis128X[W]):
    """AEGIS-128X2: two lanes of eight words, two blocks a round a lane."""

    degree = 2


@described("aegis-128x4")
class Aegis128X4(Aegis128X[W]):
    """AEGIS-128X4: four lanes of eight words, two blocks a round a lane."""

    degree = 4


@described("aegis-256")
class Aegis256(Aegis256X[W]):
    """AEGIS-256: one lane of six words, one block a round a lane, 32-byte key and nonce."""

    degree = 1


@described("aegis-256x2")
class Aegis256X2(Aegis256X[W]):
    """AEGIS-256X2: two lanes of six words, one block a round a lane, 32-byte key and nonce."""

    degree = 2


@described("aegis-256x4")
class Aegis256X4(Aegis256X[W]):
    """AEGIS-256X4: four lanes of six words, one block a round a lane, 32-byte key and nonce."""

    degree = 4


def _lengths(ad_bits: int, msg_bits: int) -> int:
    """Both counts of bits in one word: LE64(ad_bits) || LE64(msg_bits)."""
    return _bytes_word(ad_bits.to_bytes(8, "little") + msg_bits.to_bytes(8, "little"))


def _bytes_word(data: bytes) -> int:
    """Bytes at the head of a word, zeros behind them."""
    return int.from_bytes(data.ljust(16, b"\0"), "big")
