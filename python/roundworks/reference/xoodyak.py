"""Xoodyak's AEAD and hash function: Cyclist over Xoodoo. [XOODYAK]

Up is the permutation, Down adds a block. Behind every block come a byte 01 and, in the last byte of the
state, a colour; the nonce is what Cyclist calls the key's id.
"""

from __future__ import annotations

from collections.abc import Sequence

from .keccak import Xoodoo
from .sponge import Sponge
from .sponge_hash import SpongeHash
from .stream import Place, State
from .word import W

RATE_IN = 44  # bytes of a block of associated data
# Colours: of the key, of a first block of associated data, before a message, before the tag.
KEY, ABSORB, CRYPT, SQUEEZE = (colour << 24 for colour in (0x02, 0x03, 0x80, 0x40))


class Xoodyak(Sponge[W]):
    """Key, nonce and tag of 16 bytes; blocks of 24 bytes of message and of 44 of associated data."""

    name, family = "xoodyak", "xoodyak"
    key_bytes, nonce_bytes, tag_bytes = 16, 16, 16
    permutation, rate, order = Xoodoo(), 192, "little"
    permutes_first, separator = True, CRYPT

    def load(self, K: Sequence[W], N: Sequence[W]) -> list[W | int]:
        """K || N || 16 || 01 || 00 .. || colour."""
        return [*K, *N, 0x0110, 0, 0, KEY]

    def ad_blocks(self, associated_data: bytes) -> list[bytes]:
        cut = range(0, max(1, len(associated_data)), RATE_IN)
        return [associated_data[i : i + RATE_IN].ljust(RATE_IN, b"\0") for i in cut]

    def parts(self, data: bytes) -> list[bytes]:
        return [data[i : i + self.rate_bytes] for i in range(0, max(1, len(data)), self.rate_bytes)]

    def padding(self, length: int) -> bytes:
        return bytes(self.rate_bytes - length)

    def domain(self, S: State[W], place: Place) -> State[W]:
        word, byte = divmod(place.length, 4)
        S[word] = S[word] ^ 1 << 8 * byte
        colour = ABSORB if place.first and not place.message_block else 0
        return [*S[:-1], S[-1] ^ colour]

    def finalise(self, S: State[W], K: Sequence[W], ad_bits: int, msg_bits: int) -> State[W]:
        return self.permute([*S[:-1], S[-1] ^ SQUEEZE], self.rounds)


class XoodyakHash(SpongeHash[W]):
    """The hash mode: blocks of 16 bytes, a digest of 32. Of a colour only its lowest bit counts."""

    name, family = "xoodyak-hash", "xoodyak"
    permutation, rate, digest_bytes, order = Xoodoo(), 128, 32, "little"

    def init(self, S: State[W]) -> State[W]:
        return S

    def blocks(self, message: bytes) -> list[bytes]:
        cut = range(0, max(1, len(message)), self.rate_bytes)
        return [message[i : i + self.rate_bytes].ljust(self.rate_bytes, b"\0") for i in cut]

    def absorb(self, S: State[W], block: Sequence[W], place: Place) -> State[W]:
        S = self.added(S if place.first else self.permute(S), block)
        word, byte = divmod(place.length, 4)
        S[word] = S[word] ^ 1 << 8 * byte
        return [*S[:-1], S[-1] ^ 1 << 24] if place.first else S

    def out(self, S: State[W]) -> State[W]:
        return self.permute(S)

    def between(self, S: State[W]) -> State[W]:
        """The state after an empty block, between blocks of output."""
        return self.permute([S[0] ^ 1, *S[1:]])
