"""A streaming AEAD as an object: load, init, absorb, keystream, update, finalise, tag.

A description is a subclass that writes those steps over abstract words. Everything that is the
same for all of them (blocks, partial blocks, the order of things) is here, once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from ..errors import DescriptionError
from .aead import WordAead, joined, xored
from .word import W

State = list[W]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a block stands. ``length``: bytes of it that are input, not padding; ``ad`` and ``message``: bytes
    of both inputs in all."""

    message_block: bool
    first: bool
    last: bool
    length: int
    ad: int
    message: int


def places(lengths: Sequence[int], ad: int, message: int, *, message_block: bool) -> list[Place]:
    """Of blocks of these many bytes of one input, which has ``ad`` or ``message`` bytes."""
    left, found = message if message_block else ad, []
    for i, length in enumerate(lengths):
        size = min(left, length)
        found.append(Place(message_block, i == 0, i == len(lengths) - 1, size, ad, message))
        left -= size
    return found


class StreamAead(WordAead[W]):
    """Base of every streaming AEAD description. Subclasses set the sizes and write the steps.

    ``K`` and ``N`` are the key and the nonce cut into words; ``X`` is one block cut into words.
    """

    rate_words: ClassVar[int]

    # -- the steps a description writes ------------------------------------------------------
    def load(self, K: Sequence[W], N: Sequence[W]) -> list[W | int]:
        """The state words before the first round; integers are constants."""
        raise NotImplementedError

    def init(self, S: State[W], K: Sequence[W], N: Sequence[W]) -> State[W]:
        """From the loaded state to the state that absorbs the first block."""
        raise NotImplementedError

    def update(self, S: State[W], X: Sequence[W | int]) -> State[W]:
        """One round that absorbs the block X."""
        raise NotImplementedError

    def absorb(self, S: State[W], X: Sequence[W | int]) -> State[W]:
        """One block of associated data; the round itself unless a cipher does otherwise."""
        return self.update(S, X)

    def separate(self, S: State[W]) -> State[W]:
        """Between associated data and message; nothing unless a cipher says so."""
        return S

    def last(self, S: State[W], X: Sequence[W | int]) -> State[W]:
        """The last block of message; the round itself unless a cipher does otherwise."""
        return self.update(S, X)

    def domain(self, S: State[W], place: Place) -> State[W]:
        """Behind a block: what the state takes in of where it stands; nothing unless a cipher says so."""
        return S

    def keystream(self, S: State[W]) -> list[W]:
        """What is XORed to one block of message, before that block is absorbed."""
        raise NotImplementedError

    def finalise(self, S: State[W], K: Sequence[W], ad_bits: int, msg_bits: int) -> State[W]:
        """From the state after the last block to the state the tag is read from."""
        raise NotImplementedError

    def tag(self, S: State[W]) -> list[W]:
        """The words of which the first ``tag_bytes`` bytes are the tag."""
        raise NotImplementedError

    def padding(self, length: int) -> bytes:
        """Bytes appended to a last block of ``length`` bytes, 0 <= length < rate: zeros."""
        return bytes(-length % self.rate_bytes)

    # -- the same for all --------------------------------------------------------------------
    @property
    def rate_bytes(self) -> int:
        """Bytes of a block."""
        return self.rate_words * self.word_bytes

    def start(self, K: Sequence[W], N: Sequence[W]) -> State[W]:
        """Load and initialise."""
        loaded = self.load(K, N)
        if len(loaded) != self.words:
            raise DescriptionError(f"{self.name}: load: want {self.words} state words, got {len(loaded)}")
        return self.init([K[0].lift(word) for word in loaded], K, N)

    def blocks(self, data: bytes) -> list[bytes]:
        """``data`` padded and cut into blocks of the rate."""
        rate = self.rate_bytes
        padded = data + self.padding(len(data) % rate)
        return [padded[i : i + rate] for i in range(0, len(padded), rate)]

    def ad_blocks(self, associated_data: bytes) -> list[bytes]:
        """The blocks of associated data that are absorbed."""
        return self.blocks(associated_data)

    def parts(self, data: bytes) -> list[bytes]:
        """A message cut into blocks. The padding of an empty tail is a block of its own only where the cipher
        says so."""
        rate = self.rate_bytes
        tail = [b""] if len(data) % rate == 0 and self.padding(0) else []
        return [data[i : i + rate] for i in range(0, len(data), rate)] + tail

    def process(
        self, key: bytes, nonce: bytes, data: bytes, associated_data: bytes, *, decrypt: bool
    ) -> tuple[bytes, bytes]:
        """(output, tag) of one message; the caller compares the tag when decrypting."""
        K, sizes = self.split(key), (len(associated_data), len(data))
        S = self.start(K, self.split(nonce))
        blocks = self.ad_blocks(associated_data)
        at = places([len(block) for block in blocks], *sizes, message_block=False)
        for block, place in zip(blocks, at, strict=True):
            S = self.domain(self.absorb(S, self.split(block)), place)
        S = self.separate(S)
        out = []
        parts = self.parts(data)
        at = places([len(part) for part in parts], *sizes, message_block=True)
        for part, place in zip(parts, at, strict=True):
            stream = self.join(self.keystream(S))
            result = xored(part, stream)
            plain = result if decrypt else part
            out.append(result)
            if len(plain) < self.rate_bytes:
                plain += self.padding(len(plain))
            absorbed = self.last if place.last else self.update
            S = self.domain(absorbed(S, self.split(plain)), place)
        S = self.finalise(S, K, 8 * sizes[0], 8 * sizes[1])
        return joined(out), self.join(self.tag(S))[: self.tag_bytes]

    def seal(self, key: bytes, nonce: bytes, data: bytes, associated_data: bytes) -> tuple[bytes, bytes]:
        return self.process(key, nonce, data, associated_data, decrypt=False)

    def open(
        self, key: bytes, nonce: bytes, ciphertext: bytes, tag: bytes, associated_data: bytes
    ) -> bytes | None:
        out, want = self.process(key, nonce, ciphertext, associated_data, decrypt=True)
        return out if tag == want else None
