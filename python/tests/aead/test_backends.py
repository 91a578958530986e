"""Every back end against the description: every length from 0 to 200 of header and of data.

The description runs all 40,401 messages at once on numpy words. That this is the same as one
by one on integers is tested in test_reference.py, and here again on a sample of the messages.
"""

from __future__ import annotations

import os
import random
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from calls import cases
from roundworks import aead, spec
from roundworks.errors import ResearchOnlyWarning
from roundworks.reference import IntWord, StreamAead, aegis, get, rocca
from roundworks.reference.batch import U8, ArrayWord

CIPHERS = [f.name for f in spec.ciphers() if f.backends and f.kind == "stream"]
# These share their code with AEGIS-128X2, or take seconds: the tests of the core have every back end of them.
WAIT = {"aegis-128x4", "aegis-256", "aegis-256x2", "aegis-256x4", "aether", "aether-lb"}
LONGEST = 200
ROWS = LONGEST + 1
REQUIRED = [name for name in os.environ.get("ROUNDWORKS_REQUIRE_BACKENDS", "").split(",") if name]
HEADER, DATA = (bytes(i * k & 0xFF for i in range(LONGEST)) for k in (7, 13))


def backends(name: str) -> list[str]:
    """Back ends of a cipher that this CPU has; those that CI names must be among them."""
    there = dict(aead.get(name).backends())
    missing = [b for b in REQUIRED if b in there and not there[b]]
    assert not missing, f"{name}: required back ends {missing} are not available on this CPU"
    return [b for b, available in there.items() if available]


def columns(words: list[IntWord]) -> ArrayWord:
    """Integers in the lanes of one array word."""
    raw = b"".join(w.value.to_bytes(w.bits // 8, "big") for w in words)
    return ArrayWord.from_bytes(np.frombuffer(raw, np.uint8).reshape(len(words), -1))


def sealed_by_description(
    cipher: StreamAead[Any], key: bytes, nonce: bytes, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[int, int, bytes]]:
    """(header bytes, data bytes, ciphertext || tag) of every pair of lengths."""
    started = cipher.start(cipher.split(key), cipher.split(nonce))
    states = []
    for ad_bytes in range(ROWS):
        S = started
        for block in cipher.blocks(HEADER[:ad_bytes]):
            S = cipher.absorb(S, cipher.split(block))
        states.append(S)
    # From here on a column is a header length, and the data is the same in every column.
    S = [columns([state[i] for state in states]) for i in range(cipher.words)]
    rate, whole = cipher.rate_bytes, np.empty((ROWS, 0), np.uint8)
    finals: list[list[U8]] = []
    texts: list[U8] = []
    for data_bytes in range(ROWS):
        tail = DATA[data_bytes - data_bytes % rate : data_bytes]
        text, T = whole, S
        if tail or cipher.padding(0):
            text = np.hstack([whole, encrypted(cipher, S, tail)])
            T = cipher.update(S, cipher_words(cipher, tail + cipher.padding(len(tail))))
        finals.append([word.in_cells(8) for word in T])
        texts.append(text)
        if len(tail) == rate - 1:  # the next length completes this block
            block = DATA[data_bytes - len(tail) : data_bytes + 1]
            whole = np.hstack([whole, encrypted(cipher, S, block)])
            S = cipher.update(S, cipher_words(cipher, block))
    tags = finalised(cipher, key, finals, monkeypatch)
    for data_bytes in range(ROWS):
        for ad_bytes in range(ROWS):
            tag = tags[data_bytes * ROWS + ad_bytes].tobytes()
            yield ad_bytes, data_bytes, texts[data_bytes][ad_bytes].tobytes() + tag


def cipher_words(cipher: StreamAead[Any], block: bytes) -> list[int]:
    return [word.value for word in cipher.split(block)]


def encrypted(cipher: StreamAead[Any], S: list[ArrayWord], part: bytes) -> U8:
    stream = np.hstack([z.to_bytes() for z in cipher.keystream(S)])
    return stream[:, : len(part)] ^ np.frombuffer(part, np.uint8)


def finalised(
    cipher: StreamAead[Any], key: bytes, finals: list[list[U8]], monkeypatch: pytest.MonkeyPatch
) -> U8:
    """Tags of all pairs at once; the lengths are words with a column for each pair."""
    S = [ArrayWord(np.hstack([final[i] for final in finals]), 8) for i in range(cipher.words)]
    pairs = [(8 * a, 8 * m) for m in range(ROWS) for a in range(ROWS)]
    bits = cipher.word_bits
    ad_bits, msg_bits = (columns([IntWord(pair[k], bits) for pair in pairs]) for k in (0, 1))
    # AEGIS packs both lengths into one word with integer arithmetic, Rocca-S turns each round: done
    # here pair by pair.
    packed = columns([IntWord(aegis._lengths(*pair), 128) for pair in pairs])
    monkeypatch.setattr(aegis, "_lengths", lambda ad, msg: packed)
    swapped = {
        id(word): columns([IntWord(rocca._length(pair[k]), 128) for pair in pairs])
        for k, word in enumerate((ad_bits, msg_bits))
    }
    monkeypatch.setattr(rocca, "_length", lambda word: swapped[id(word)])
    K = [columns([word]) for word in cipher.split(key)]
    S = cipher.finalise(S, K, ad_bits, msg_bits)  # type: ignore[arg-type]
    monkeypatch.undo()
    return np.hstack([t.to_bytes() for t in cipher.tag(S)])[:, : cipher.tag_bytes]


@pytest.mark.parametrize("name", cases(CIPHERS, short=[name for name in CIPHERS if name not in WAIT]))
def test_every_back_end_agrees_with_the_description(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    cipher = get(name)
    key = bytes(range(cipher.key_bytes))
    nonce = bytes(range(100, 100 + cipher.nonce_bytes))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResearchOnlyWarning)
        ours = {b: aead.get(name)(key, backend=b) for b in backends(name)}
    assert "portable" in ours
    sample = {(0, 0), (LONGEST, LONGEST)}
    rng = random.Random(1)
    sample |= {(rng.randint(0, LONGEST), rng.randint(0, LONGEST)) for _ in range(60)}
    seen = 0
    for ad_bytes, data_bytes, want in sealed_by_description(cipher, key, nonce, monkeypatch):
        ad, message = HEADER[:ad_bytes], DATA[:data_bytes]
        seen += 1
        if (ad_bytes, data_bytes) in sample:
            assert cipher.encrypt(key, nonce, message, ad) == want
        for backend, it in ours.items():
            where = f"{name}/{backend}: {ad_bytes} bytes of header, {data_bytes} of data"
            assert it.encrypt(nonce, message, ad) == want, where
            assert it.decrypt(nonce, want, ad) == message, where
    assert seen == ROWS * ROWS
