"""Modes of AEGIS-128 broken on purpose, and a few that only look broken: what the audit must tell
apart. No cipher here is meant for anything else.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from roundworks.errors import InvalidTag
from roundworks.reference.aegis import C0, C1, Aegis128
from roundworks.reference.aes import aes_round as R


class Unbound(Aegis128[Any]):
    def finalise(self, S: list[Any], K: Sequence[Any], ad_bits: int, msg_bits: int) -> list[Any]:
        return super().finalise(S, K, 0, 0)


class OnlyMessageLength(Aegis128[Any]):
    def finalise(self, S: list[Any], K: Sequence[Any], ad_bits: int, msg_bits: int) -> list[Any]:
        return super().finalise(S, K, 0, msg_bits)


class OnlyAdLength(Aegis128[Any]):
    def finalise(self, S: list[Any], K: Sequence[Any], ad_bits: int, msg_bits: int) -> list[Any]:
        return super().finalise(S, K, ad_bits, 0)


class SumOfLengths(Aegis128[Any]):
    def finalise(self, S: list[Any], K: Sequence[Any], ad_bits: int, msg_bits: int) -> list[Any]:
        return super().finalise(S, K, ad_bits + msg_bits, 0)


class ShortLengths(Aegis128[Any]):
    """Lengths counted in 16 bits."""

    def finalise(self, S: list[Any], K: Sequence[Any], ad_bits: int, msg_bits: int) -> list[Any]:
        return super().finalise(S, K, ad_bits % (1 << 16), msg_bits % (1 << 16))


class Separated(Unbound):
    """Another constant in another word after every block of associated data: sound separation."""

    def absorb(self, S: list[Any], X: Sequence[Any]) -> list[Any]:
        S = self.update(S, X)
        S[2] = S[2] ^ 1
        return S


class SeparatedInBlock(Unbound):
    """The constant is XORed to the block, where the attacker can XOR it too."""

    def absorb(self, S: list[Any], X: Sequence[Any]) -> list[Any]:
        return self.update(S, [X[0] ^ C1])


class OnePadding(Unbound):
    def padding(self, length: int) -> bytes:
        return b"\x80" + bytes(self.rate_bytes - length - 1)


class OnePaddingSeparated(OnePadding, Separated):
    """Lengths unbound and yet sound: no two inputs are absorbed alike."""


class BlindAtTheEnd(Aegis128[Any]):
    def tag(self, S: list[Any]) -> list[Any]:
        return [S[0] ^ S[1] ^ S[2] ^ S[3]]


class Blind(BlindAtTheEnd):
    """No rounds after the last block, and the word that it went to is not in the tag."""

    def finalise(self, S: list[Any], K: Sequence[Any], ad_bits: int, msg_bits: int) -> list[Any]:
        return [S[0], S[1], S[2], S[3] ^ (ad_bits << 64 | msg_bits), S[4]]

    def tag(self, S: list[Any]) -> list[Any]:
        return [S[1] ^ S[2] ^ S[3] ^ S[4]]


class AdIgnored(Aegis128[Any]):
    def absorb(self, S: list[Any], X: Sequence[Any]) -> list[Any]:
        return S


class PartOfBlock(Aegis128[Any]):
    """Four bytes of a message block are dropped; associated data is absorbed in full."""

    def update(self, S: list[Any], X: Sequence[Any]) -> list[Any]:
        return super().update(S, [S[0].lift(X[0]) & 0xFFFFFFFFFFFF0000FFFFFFFFFFFF0000])

    def absorb(self, S: list[Any], X: Sequence[Any]) -> list[Any]:
        return super().update(S, X)


class Folded(Aegis128[Any]):
    """Two words a round, absorbed as their sum: single changes show, equal ones do not."""

    rate_words = 2

    def update(self, S: list[Any], X: Sequence[Any]) -> list[Any]:
        return super().update(S, [S[0].lift(X[0]) ^ X[1]])

    def init(self, S: list[Any], K: Sequence[Any], N: Sequence[Any]) -> list[Any]:
        for _ in range(5):
            S = self.update(S, [K[0], 0])
            S = self.update(S, [K[0] ^ N[0], 0])
        return S

    def keystream(self, S: list[Any]) -> list[Any]:
        return [S[1] ^ S[4] ^ (S[2] & S[3]), S[0] ^ R(S[2], S[3])]

    def finalise(self, S: list[Any], K: Sequence[Any], ad_bits: int, msg_bits: int) -> list[Any]:
        for _ in range(7):
            S = self.update(S, [S[3] ^ (ad_bits << 64 | msg_bits), 0])
        return S


class Filtered(Aegis128[Any]):
    """A block goes through an AES round first: not linear, and nothing is lost."""

    def absorb(self, S: list[Any], X: Sequence[Any]) -> list[Any]:
        return self.update(S, [R(S[0].lift(X[0]), 0)])


class OrderIgnored(Aegis128[Any]):
    """Blocks of associated data are summed up, so that their order does not count."""

    def absorb(self, S: list[Any], X: Sequence[Any]) -> list[Any]:
        return [S[0] ^ R(S[0].lift(X[0]), 0), *S[1:]]


class HalfNonce(Aegis128[Any]):
    def start(self, K: Sequence[Any], N: Sequence[Any]) -> list[Any]:
        return super().start(K, [N[0] & ((1 << 128) - (1 << 64))])


class NonceAfterKeystream(Aegis128[Any]):
    """The nonce waits in a word of its own and enters only in the finalisation: every keystream is the same."""

    words = 6

    def load(self, K: Sequence[Any], N: Sequence[Any]) -> list[Any]:
        return [K[0], C1, C0, K[0] ^ C0, K[0] ^ C1, N[0]]

    def update(self, S: list[Any], X: Sequence[Any]) -> list[Any]:
        return [*super().update(S[:5], X), S[5]]

    def init(self, S: list[Any], K: Sequence[Any], N: Sequence[Any]) -> list[Any]:
        return super().init(S, K, [N[0] & 0])

    def finalise(self, S: list[Any], K: Sequence[Any], ad_bits: int, msg_bits: int) -> list[Any]:
        return super().finalise([S[0] ^ S[5], *S[1:5], S[5] & 0], K, ad_bits, msg_bits)


class HalfKey(Aegis128[Any]):
    def start(self, K: Sequence[Any], N: Sequence[Any]) -> list[Any]:
        return super().start([K[0] & ((1 << 128) - (1 << 64))], N)


class NoKey(Aegis128[Any]):
    def start(self, K: Sequence[Any], N: Sequence[Any]) -> list[Any]:
        return super().start([K[0] & 0], N)


class HalfTag(Aegis128[Any]):
    def decrypt(self, key: bytes, nonce: bytes, data: bytes, associated_data: bytes = b"") -> bytes:
        if len(data) < 16:
            raise InvalidTag("half-tag: authentication failed; no plaintext was released")
        out, tag = self.process(key, nonce, data[:-16], associated_data, decrypt=True)
        if tag[:8] != data[-16:-8]:
            raise InvalidTag("half-tag: authentication failed; no plaintext was released")
        return out


class PrefixOfTag(Aegis128[Any]):
    """An input shorter than a tag is compared with the beginning of the tag."""

    def decrypt(self, key: bytes, nonce: bytes, data: bytes, associated_data: bytes = b"") -> bytes:
        if not 0 < len(data) < 16:
            return super().decrypt(key, nonce, data, associated_data)
        out, tag = self.process(key, nonce, b"", associated_data, decrypt=True)
        if not tag.startswith(data):
            raise InvalidTag("prefix-of-tag: authentication failed; no plaintext was released")
        return out
