"""Messages that a description seals on symbols, with which calls are compared."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ..reference import get
from ..reference.aead import WordAead
from ..reference.minalpher import Minalpher
from .forms import Bits, Symbols
from .machine import Made
from .words import BitWord, SymbolicBytes, SymbolicNumber


def symbolic(cipher: WordAead[Any], symbols: Symbols) -> WordAead[Any]:
    """The same description on symbols."""
    made = type(cipher)(cipher.tag_bytes) if cipher.other_tag_bytes else type(cipher)()
    # Not by way of the cipher, which would refer to itself then, and all symbols stay until that is noticed.
    size, bits = made.word_bytes, made.word_bits

    def split(data: Any) -> list[BitWord]:
        known = data if isinstance(data, SymbolicBytes) else SymbolicBytes.of(bytes(data), symbols)
        return [known[i : i + size].word(bits) for i in range(0, len(known), size)]

    def join(words: list[BitWord]) -> SymbolicBytes:
        parts: list[Bits] = []
        for word in words:
            parts += SymbolicNumber(word.forms, symbols).to_bytes(size, "big").parts
        return SymbolicBytes(parts, symbols)

    for name, body in (("split", split), ("join", join), ("check", lambda *_: None)):
        setattr(made, name, body)
    return made


@dataclass(frozen=True, slots=True)
class Message:
    """What a call gets, and what the description makes of it."""

    nonce: SymbolicBytes
    ad: SymbolicBytes
    data: SymbolicBytes
    ciphertext: SymbolicBytes
    tag: SymbolicBytes


@dataclass(frozen=True, slots=True)
class Described:
    """Messages sealed by the description under unknown bytes of a key."""

    symbols: Symbols
    cipher: WordAead[Any]
    key: SymbolicBytes
    messages: tuple[Message, ...]
    made: Made = field(default_factory=dict)
    """See `Processor`."""


_last: dict[tuple[Any, ...], Described] = {}
KEPT = 1 << 20
"""Symbols of a description that is kept. What a back end leaves in a larger one takes gigabytes."""


def described(
    name: str,
    tag_bytes: int,
    sizes: tuple[tuple[int, int], ...],
    cipher: WordAead[Any] | None = None,
    *,
    mac: bool = False,
) -> Described:
    """Messages with that many bytes of associated data and of data; a tag of the usual size if it has 0. ``mac``: the
    data are not sealed, and the tag is that of the MAC mode.

    The last result is kept, as it takes longer than most back ends to follow: sealing and opening, and every processor
    of a back end, are compared with one description. What a back end adds to the symbols means the same to the next.
    """
    key = name, cipher, tag_bytes, sizes, mac
    if key in _last:
        return _last[key]
    _last.clear()  # before the next is made
    made = _described(cipher or get(name), tag_bytes, sizes, mac)
    if made.symbols.count <= KEPT:
        _last[key] = made
    return made


def _described(
    given: WordAead[Any], tag_bytes: int, sizes: tuple[tuple[int, int], ...], mac: bool
) -> Described:
    symbols = Symbols()
    cipher = symbolic(type(given)(tag_bytes) if tag_bytes and given.other_tag_bytes else given, symbols)
    key = SymbolicBytes.unknown(cipher.key_bytes, symbols)
    without = mac and isinstance(cipher, Minalpher)  # a nonce
    messages = []
    for ad_bytes, data_bytes in sizes:
        nonce = SymbolicBytes.unknown(0 if without else cipher.nonce_bytes, symbols)
        ad = SymbolicBytes.unknown(ad_bytes, symbols)
        data = SymbolicBytes.unknown(data_bytes, symbols)
        sealed: tuple[Any, Any]
        if mac:
            described_mac: Any = cipher
            sealed = data, described_mac.mac(*((key, data) if without else (key, nonce, data)))
        else:
            sealed = cipher.seal(key, nonce, data, ad)  # type: ignore[arg-type]
        messages.append(Message(nonce, ad, data, *sealed))
    symbols.is_complete = True
    return Described(symbols, cipher, key, tuple(messages))
