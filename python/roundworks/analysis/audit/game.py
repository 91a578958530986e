"""The authenticity game: a secret key, two oracles, and what counts as a win.

An attacker sees what the oracles return and nothing else. The encryption oracle takes every nonce
once. The decryption oracle refuses nothing but wrong tags. A win is a (nonce, associated data,
ciphertext, tag) that the encryption oracle never returned and that decryption accepts.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...errors import InvalidTag
from ...reference.aead import BlockAead
from ...reference.record import disguised
from ...reference.stream import StreamAead
from .bulk import Bulk, row


@dataclass(frozen=True, slots=True)
class Sealed:
    """What travels: nonce, associated data, ciphertext and tag; ``data`` is what it opens to."""

    nonce: bytes
    ad: bytes
    data: bytes
    ciphertext: bytes
    tag: bytes

    def proof(self) -> dict[str, str]:
        """The fields of the message in hexadecimal, for a row."""
        return {
            "nonce": self.nonce.hex(),
            "ad": self.ad.hex(),
            "data": self.data.hex(),
            "ciphertext": self.ciphertext.hex(),
            "tag": self.tag.hex(),
        }


@dataclass(frozen=True, slots=True)
class Forgery:
    """A win: one query, and what was accepted after ``attempts`` decryption attempts."""

    query: Sealed
    accepted: Sealed
    attempts: int

    def proof(self, key: bytes) -> dict[str, Any]:
        """What anybody needs to check it, in hexadecimal."""
        forgery = self.accepted.proof()
        forgery["accepted_as"] = forgery.pop("data")
        if self.accepted.nonce == self.query.nonce:
            del forgery["nonce"]
        query = self.query.proof()
        return {
            "key": key.hex(),
            "nonce": query.pop("nonce"),
            "query": query,
            "forgery": forgery,
            "attempts": self.attempts,
        }


class Oracle:
    """Encryption and decryption under one random key. Attackers may not read ``key``."""

    def __init__(self, cipher: StreamAead[Any] | BlockAead[Any], bulk: Bulk, rng: random.Random) -> None:
        self.key = rng.randbytes(cipher.key_bytes)
        self.attempts = 0
        self._cipher, self._bulk, self._rng = cipher, bulk, rng
        self._nonces: set[bytes] = set()
        self._returned: set[tuple[bytes, bytes, bytes, bytes]] = set()

    def encrypt(self, ad: bytes, data: bytes, nonce: bytes | None = None) -> Sealed:
        """Under a fresh nonce, or one of the attacker's choice that was not used before."""
        if nonce is None:
            nonce = self._rng.randbytes(self._cipher.nonce_bytes)
            while nonce in self._nonces:
                nonce = self._rng.randbytes(self._cipher.nonce_bytes)
        elif nonce in self._nonces:
            raise ValueError(f"nonce {nonce.hex()}: used before; the game allows each once")
        self._nonces.add(nonce)
        sealed = self._cipher.encrypt(self.key, nonce, data, ad)
        cut = self._cipher.ciphertext_bytes(len(data))
        ciphertext, tag = sealed[:cut], sealed[cut:]
        self._returned.add((nonce, ad, ciphertext, tag))
        return Sealed(nonce, ad, data, ciphertext, tag)

    def decrypt(self, nonce: bytes, ad: bytes, ciphertext: bytes, tag: bytes) -> bytes | None:
        """The message, or None where the tag is refused."""
        self.attempts += 1
        try:
            return self._cipher.decrypt(self.key, nonce, ciphertext + tag, ad)
        except InvalidTag:
            return None

    def win(self, query: Sealed, nonce: bytes, ad: bytes, ciphertext: bytes, tag: bytes) -> Forgery | None:
        """One attempt; a forgery if it is accepted and was never returned by ``encrypt``."""
        if (nonce, ad, ciphertext, tag) in self._returned:
            return None
        data = self.decrypt(nonce, ad, ciphertext, tag)
        if data is None:
            return None
        return Forgery(query, Sealed(nonce, ad, data, ciphertext, tag), self.attempts)

    def win_any(self, query: Sealed, ad: bytes, ciphertexts: list[bytes]) -> Forgery | None:
        """Attempts one after the other with the query's nonce and tag, until one is accepted.

        Computed as one batch for speed and counted as if one after the other; what is accepted is decrypted
        once more by the description itself.
        """
        rows = np.frombuffer(b"".join(ciphertexts), np.uint8).reshape(len(ciphertexts), -1)
        _, tags = self._bulk.open(row(self.key), row(query.nonce), rows, row(ad))
        same = np.flatnonzero((tags == row(query.tag)).all(axis=1))
        if len(same) == 0:
            self.attempts += len(ciphertexts)
            return None
        self.attempts += int(same[0])
        return self.win(query, query.nonce, ad, ciphertexts[same[0]], query.tag)


def remember(cipher: StreamAead[Any]) -> StreamAead[Any]:
    """The same description, computing no message twice: attackers want much that is equal."""
    seen: dict[tuple[bytes, bytes, bytes, bytes, bool], tuple[bytes, bytes]] = {}

    begun: dict[tuple[tuple[Any, ...], tuple[Any, ...]], list[Any]] = {}

    class Remembering(type(cipher)):  # type: ignore[misc]
        def start(self, K: Sequence[Any], N: Sequence[Any]) -> list[Any]:
            call = (tuple(K), tuple(N))
            if call not in begun:
                begun[call] = super().start(K, N)
            return list(begun[call])

        def process(
            self, key: bytes, nonce: bytes, data: bytes, ad: bytes, *, decrypt: bool
        ) -> tuple[bytes, bytes]:
            call = (bytes(key), bytes(nonce), bytes(data), bytes(ad), decrypt)
            if call not in seen:
                seen[call] = super().process(key, nonce, data, ad, decrypt=decrypt)
            return seen[call]

    return disguised(cipher, Remembering)  # type: ignore[no-any-return]
