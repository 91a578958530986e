"""TinyJAMBU-128: a keyed permutation, and the mode over it. [TINYJAMBU]

Bit i of the state is bit i mod 32 of word i div 32, counted from the lowest; 32 steps of the register are a
round, which shifts it by a word.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .block import BlockCipher
from .stream import Place, State, StreamAead
from .word import W

# What is XORed to bits 36 to 38 of the state: which input follows.
NONCE, AD, MESSAGE, TAG = (frame << 4 for frame in (1, 3, 5, 7))


def steps(S: Sequence[W], key: W) -> list[W]:
    """32 steps: feedback from bits 0, 47, 70, 85 and 91."""
    a, b, c, d = S
    at_47, at_70 = b >> 15 ^ c << 17, c >> 6 ^ d << 26
    at_85, at_91 = c >> 21 ^ d << 11, c >> 27 ^ d << 5
    return [b, c, d, a ^ at_47 ^ ~(at_70 & at_85) ^ at_91 ^ key]


class TinyJambuP(BlockCipher[W]):
    """The keyed permutation of 1024 steps: a round is 32 of them."""

    name, family = "tinyjambu-p-128", "tinyjambu"
    words, word_bits, key_words, rounds = 4, 32, 4, 32

    def schedule(self, K: Sequence[W]) -> Iterable[W]:
        return [K[i % 4] for i in range(self.rounds)]

    def encrypt(self, S: Sequence[W], subkeys: Sequence[W]) -> Sequence[W]:
        for key in subkeys:
            S = steps(S, key)
        return S


class TinyJambu(StreamAead[W]):
    """TinyJAMBU-128, version 2: a state of four words, behind it the key, which no step changes."""

    name, family = "tinyjambu-128", "tinyjambu"
    key_bytes, nonce_bytes, tag_bytes = 16, 12, 8
    words, rate_words, word_bits, order = 8, 1, 32, "little"

    def permute(self, S: State[W], frame: int, rounds: int) -> State[W]:
        """The frame, then that many rounds."""
        inner, K = [S[0], S[1] ^ frame, *S[2:4]], S[4:]
        for i in range(rounds):
            inner = steps(inner, K[i % 4])
        return [*inner, *K]

    def load(self, K: Sequence[W], N: Sequence[W]) -> list[W | int]:
        return [0, 0, 0, 0, *K]

    def init(self, S: State[W], K: Sequence[W], N: Sequence[W]) -> State[W]:
        S = self.permute(S, 0, 32)
        for word in N:
            S = self.added(self.permute(S, NONCE, 20), word)
        return S

    def added(self, S: State[W], x: W | int) -> State[W]:
        """A word added to the last of the four."""
        return [*S[:3], S[3] ^ x, *S[4:]]

    def absorb(self, S: State[W], X: Sequence[W | int]) -> State[W]:
        return self.added(self.permute(S, AD, 20), X[0])

    def update(self, S: State[W], X: Sequence[W | int]) -> State[W]:
        return self.added(self.permute(S, MESSAGE, 32), X[0])

    def keystream(self, S: State[W]) -> list[W]:
        return [self.permute(S, MESSAGE, 32)[2]]

    def domain(self, S: State[W], place: Place) -> State[W]:
        """The length of a short block, in bits 32 and 33."""
        return [S[0], S[1] ^ place.length, *S[2:]] if place.length < 4 else S

    def finalise(self, S: State[W], K: Sequence[W], ad_bits: int, msg_bits: int) -> State[W]:
        """Both halves of the tag: the first is kept in word 0, which nothing needs afterwards."""
        S = self.permute(S, TAG, 32)
        first, S = S[2], self.permute(S, TAG, 20)
        return [first, *S[1:]]

    def tag(self, S: State[W]) -> list[W]:
        return [S[0], S[2]]
