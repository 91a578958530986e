"""Steps of a description on many words at once, with a slow path for what numpy words cannot do.

Values are uint8 arrays of shape (N, bytes); one row alone (N = 1) goes with any N.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...errors import DescriptionError
from ...reference.aead import BlockAead
from ...reference.batch import U8, ArrayWord, encrypt_many, in_rows
from ...reference.stream import StreamAead

_ORDER = ("process", "blocks", "split", "join")
Step = Callable[..., Sequence[Any]]


def row(data: bytes) -> U8:
    """Bytes as one row, shape (1, bytes)."""
    return np.frombuffer(data, np.uint8)[None, :]


def flips(data: bytes) -> U8:
    """``data`` with bit i flipped in row i, most significant bit of byte 0 first."""
    bits = 8 * len(data)
    out = np.repeat(row(data), bits, axis=0)
    for i in range(bits):
        out[i, i // 8] ^= 0x80 >> i % 8
    return out


class Bulk:
    """Runs one description; what numpy words can carry and what not is tried out first."""

    def __init__(self, cipher: StreamAead[Any]) -> None:
        self.cipher = cipher
        key, nonce, data, ad = self._trial()
        started = time.perf_counter()
        want = cipher.process(key, nonce, data, ad, decrypt=False)
        self.message_seconds = time.perf_counter() - started
        self.fast_steps = self._agrees(key, nonce, data)
        # A description that takes the order of things into its own hands is run as it is.
        own = [n for n in _ORDER if getattr(type(cipher), n) is not getattr(StreamAead, n)]
        self.fast_messages = False
        if self.fast_steps and not own:
            out, tag = encrypt_many(cipher, row(key), row(nonce), row(data), row(ad))
            self.fast_messages = (out[0].tobytes(), tag[0].tobytes()) == want

    def _agrees(self, key: bytes, nonce: bytes, data: bytes) -> bool:
        """Whether numpy words go through every step and give what integers give."""
        c = self.cipher

        def steps(K: Sequence[Any], N: Sequence[Any], X: Sequence[Any]) -> list[Any]:
            S = c.absorb(c.start(K, N), X)
            Z = c.keystream(S)
            return [*Z, *c.tag(c.finalise(c.update(S, X), K, 8, 16))]

        inputs = (key, nonce, data[: c.rate_bytes])
        want = c.join(steps(*(c.split(part) for part in inputs)))
        try:
            actual = self.rows(steps(*(self.words(row(part)) for part in inputs)), 1)
        except (DescriptionError, AttributeError, TypeError):
            return False
        return bool(actual[0].tobytes() == want)

    def _trial(self) -> tuple[bytes, bytes, bytes, bytes]:
        c = self.cipher
        data = bytes(i % 251 for i in range(c.rate_bytes + 1))
        return bytes(range(c.key_bytes)), bytes(range(7, 7 + c.nonce_bytes)), data, data[1:]

    @property
    def can_guess(self) -> bool:
        """Whether a few hundred messages are a matter of seconds."""
        return self.fast_messages or self.message_seconds < 0.02

    def words(self, data: U8) -> list[ArrayWord]:
        """Rows of bytes, shape (N, bytes), as words of N values."""
        size = self.cipher.word_bytes
        cut = (data[:, i : i + size] for i in range(0, data.shape[1], size))
        return [self.cipher.in_order(ArrayWord.from_bytes(one)) for one in cut]

    def rows(self, words: Sequence[Any], count: int) -> U8:
        """Words as N = ``count`` rows of bytes."""
        return in_rows([self.cipher.in_order(word) for word in words], count)

    def run(self, step: Step, *inputs: U8) -> U8:
        """``step`` on lists of words, one list per input; its words as rows of bytes."""
        count = max(len(data) for data in inputs)
        if self.fast_steps:
            return self.rows(step(*(self.words(data) for data in inputs)), count)
        rows = []
        for i in range(count):
            at = [self.cipher.split(data[i % len(data)].tobytes()) for data in inputs]
            rows.append(self.cipher.join(step(*at)))
        return np.frombuffer(b"".join(rows), np.uint8).reshape(count, -1)

    def encrypt(self, keys: U8, nonces: U8, data: U8, ad: U8) -> tuple[U8, U8]:
        """Ciphertexts and tags of N messages of equal lengths."""
        return self._process(keys, nonces, data, ad, decrypt=False)

    def open(self, keys: U8, nonces: U8, ciphertexts: U8, ad: U8) -> tuple[U8, U8]:
        """Messages and the tags that would be accepted."""
        return self._process(keys, nonces, ciphertexts, ad, decrypt=True)

    def _process(self, *inputs: U8, decrypt: bool) -> tuple[U8, U8]:
        if self.fast_messages:
            return encrypt_many(self.cipher, *inputs, decrypt=decrypt)
        count = max(len(part) for part in inputs)
        outs, tags = [], []
        for i in range(count):
            at = (part[i % len(part)].tobytes() for part in inputs)
            out, tag = self.cipher.process(*at, decrypt=decrypt)
            outs.append(np.frombuffer(out, np.uint8))
            tags.append(np.frombuffer(tag, np.uint8))
        return np.array(outs), np.array(tags)


class OneByOne(Bulk):
    """A mode of blocks: its round is batched, its messages go one after the other."""

    def __init__(self, cipher: BlockAead[Any]) -> None:
        self.mode = cipher
        self.cipher = cipher  # type: ignore[assignment]  # only its sizes and words are used
        self.fast_steps, self.fast_messages = True, False

    @property
    def can_guess(self) -> bool:
        """False: what a mode makes of a block cannot be guessed one word at a time."""
        return False

    def encrypt(self, keys: U8, nonces: U8, data: U8, ad: U8) -> tuple[U8, U8]:
        """Ciphertexts and tags, a row for each message; an input of one row serves for every message."""
        inputs = (keys, nonces, data, ad)
        count = max(len(part) for part in inputs)
        sealed = [self.mode.seal(*(part[i % len(part)].tobytes() for part in inputs)) for i in range(count)]
        ciphertexts, tags = (np.array([np.frombuffer(s[k], np.uint8) for s in sealed]) for k in (0, 1))
        return ciphertexts, tags


def cells(data: U8, cell_bits: int) -> U8:
    """Rows of bytes as rows of cells."""
    return np.ascontiguousarray(ArrayWord.from_bytes(data).in_cells(cell_bits).T)


def from_cells(data: U8, cell_bits: int) -> U8:
    """Rows of cells as rows of bytes."""
    return ArrayWord(np.ascontiguousarray(data.T), cell_bits).to_bytes()
