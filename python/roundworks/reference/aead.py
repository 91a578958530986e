"""What every description offers, whatever it is built from: sizes, encrypt, decrypt."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from operator import add, xor
from typing import Any, ClassVar, Generic, Literal, TypeVar

from .. import spec
from ..errors import DescriptionError, InvalidTag
from .components import byte_reversal
from .word import IntWord, W, Word

Class = TypeVar("Class", bound="type[Aead]")


# Bytes as modes of operation use them. Other objects that act as bytes bring these operations along, so that
# a mode can be followed on symbols (`roundworks.binary`).
def xored(a: Any, b: Any) -> Any:
    """a ^ b, byte-wise, as far as the shorter goes."""
    if isinstance(a, bytes | bytearray | memoryview) and isinstance(b, bytes):
        return bytes(map(xor, a, b))
    return a ^ b


def joined(parts: Iterable[Any]) -> Any:
    """All parts, one behind the other."""
    listed = list(parts)
    if all(isinstance(part, bytes) for part in listed):
        return b"".join(listed)
    return reduce(add, listed)


def number(data: Any, order: Literal["big", "little"]) -> Any:
    """The number that bytes are in this order."""
    return int.from_bytes(data, order) if isinstance(data, bytes | bytearray) else data.number(order)


def reordered(data: Any, order: Sequence[int]) -> Any:
    """Byte ``order[i]`` at place i."""
    return bytes(data[i] for i in order) if isinstance(data, bytes) else data.reordered(order)


class Aead(ABC):
    """A cipher as a description. ``tag_bytes`` is the default of the class, or the size chosen."""

    name: ClassVar[str]
    family: ClassVar[str] = "user"
    key_bytes: ClassVar[int]
    nonce_bytes: ClassVar[int]
    tag_bytes: int
    other_tag_bytes: ClassVar[tuple[int, ...]] = ()
    warning: ClassVar[str] = ""
    facts: ClassVar[spec.CipherFacts]

    def __init__(self, tag_bytes: int | None = None) -> None:
        if tag_bytes is None:
            return
        sizes = (type(self).tag_bytes, *self.other_tag_bytes)
        if tag_bytes not in sizes:
            listed = " or ".join(map(str, sizes))
            raise ValueError(f"tag_bytes: want {listed} for {self.name}, got {tag_bytes}")
        self.tag_bytes = tag_bytes

    @abstractmethod
    def seal(self, key: bytes, nonce: bytes, data: bytes, associated_data: bytes) -> tuple[bytes, bytes]:
        """(ciphertext, tag) of one message."""

    @abstractmethod
    def open(
        self, key: bytes, nonce: bytes, ciphertext: bytes, tag: bytes, associated_data: bytes
    ) -> bytes | None:
        """The message, or None where it is refused."""

    def ciphertext_bytes(self, data_bytes: int) -> int:
        """Length of the ciphertext without the tag."""
        return data_bytes

    def sealed_bytes(self, data_bytes: int) -> int:
        """Length of ciphertext || tag."""
        return self.ciphertext_bytes(data_bytes) + self.tag_bytes

    def encrypt(self, key: bytes, nonce: bytes, data: bytes, associated_data: bytes = b"") -> bytes:
        """The ciphertext and the tag behind it."""
        self.check("key", key, self.key_bytes)
        self.check("nonce", nonce, self.nonce_bytes)
        ciphertext, tag = self.seal(key, nonce, data, associated_data)
        return ciphertext + tag

    def decrypt(self, key: bytes, nonce: bytes, data: bytes, associated_data: bytes = b"") -> bytes:
        """The message, or InvalidTag."""
        self.check("key", key, self.key_bytes)
        self.check("nonce", nonce, self.nonce_bytes)
        cut = len(data) - self.tag_bytes
        opened = self.open(key, nonce, data[:cut], data[cut:], associated_data) if cut >= 0 else None
        if opened is None:
            raise InvalidTag(f"{self.name}: authentication failed; no plaintext was released")
        return opened

    @staticmethod
    def check(what: str, value: Any, size: int) -> None:
        """`TypeError` or `ValueError` unless the value is this many bytes."""
        if not isinstance(value, bytes | bytearray | memoryview):
            raise TypeError(f"{what}: want bytes, got {type(value).__name__}")
        if len(value) != size:
            raise ValueError(f"{what}: want {size} bytes, got {len(value)}")


class WordAead(Aead, Generic[W]):
    """A cipher whose state is words, and how bytes become words."""

    words: ClassVar[int]
    word_bits: ClassVar[int] = 128
    order: ClassVar[Literal["big", "little"]] = "big"
    """Whether the first byte of a word is its highest or its lowest."""

    @property
    def word_bytes(self) -> int:
        """Bytes of a word."""
        return self.word_bits // 8

    def split(self, data: bytes) -> list[W]:
        """Bytes to words of integers."""
        size = self.word_bytes
        return [
            IntWord(int.from_bytes(data[i : i + size], self.order), self.word_bits)  # type: ignore[misc]
            for i in range(0, len(data), size)
        ]

    def join(self, words: Sequence[W]) -> bytes:
        """Words of integers to bytes."""
        return b"".join(w.value.to_bytes(self.word_bytes, self.order) for w in _ints(words))

    def in_order(self, word: Any) -> Any:
        """A word whose first byte is the highest, as the word of the state that it stands for, and back."""
        return word if self.order == "big" else word.permute(byte_reversal(self.word_bits))


class Rounds(WordAead[W]):
    """A cipher that calls a block cipher or permutation, whose round is described over words."""

    round_key_words: ClassVar[int] = 0

    @abstractmethod
    def round(self, S: Sequence[W], K: Sequence[W | int], i: int) -> list[W]:
        """Round i, counted from 0, with its round key K where it has one."""


class BlockAead(Rounds[W]):
    """A mode that hands blocks to what ``round`` is of, and no more is known of it."""

    rate_bytes: ClassVar[int]
    rounds: ClassVar[int]


def _ints(words: Sequence[Word]) -> list[IntWord]:
    ints = [w for w in words if isinstance(w, IntWord)]
    if len(ints) != len(words):
        raise DescriptionError("bytes can only be read from words that hold integers")
    return ints


def described(name: str) -> Callable[[Class], Class]:
    """Give a class the name and the sizes that ``spec/`` has for it, and both as ``facts``."""

    def fill(cls: Class) -> Class:
        facts = spec.cipher(name)
        cls.facts = facts
        cls.name, cls.family, cls.warning = facts.name, facts.family, facts.warning
        cls.key_bytes, cls.nonce_bytes = facts.key_bytes, facts.nonce_bytes
        cls.tag_bytes, cls.other_tag_bytes = facts.tag_bytes, facts.other_tag_bytes
        if issubclass(cls, BlockAead):
            cls.rate_bytes, cls.rounds = facts.rate_bytes, facts.rounds
        sizes = ("words", "rate_words", "init_rounds", "rounds", "final_rounds")
        for size in sizes[:2] if not issubclass(cls, Rounds) else sizes:
            if value := getattr(facts, size):  # of a streaming cipher
                setattr(cls, size, value)
        return cls

    return fill
