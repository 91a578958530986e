"""What a repeated nonce gives away: how much keystream is used twice."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...reference.batch import U8
from .bulk import row
from .findings import Finding
from .subject import AuditSubject

Bools = NDArray[np.bool_]
_BLOCKS = 6
_CHANGED = 1  # the first block that differs


def check(subject: AuditSubject) -> list[Finding]:
    """The keystream that two messages under one nonce share."""
    rng = subject.rng("nonce-reuse")
    cipher, rate = subject.cipher, subject.rate
    key, nonce = rng.randbytes(cipher.key_bytes), rng.randbytes(cipher.nonce_bytes)
    ad, base = rng.randbytes(rate), rng.randbytes(_BLOCKS * rate)
    other = _other(base, range(_CHANGED * rate, (_CHANGED + 1) * rate), rng.randbytes(rate))
    words = [
        _other(base, range(at, at + cipher.word_bytes), rng.randbytes(cipher.word_bytes))
        for at in range(_CHANGED * rate, (_CHANGED + 1) * rate, cipher.word_bytes)
    ]
    data = np.vstack([row(message) for message in (base, other, *words)])
    out, tags = subject.bulk.encrypt(row(key), row(nonce), data, row(ad))
    same = _reused(data ^ out, cipher.word_bytes)  # (message, keystream word)
    per_block = cipher.rate_words
    blocks = same[1].reshape(_BLOCKS, per_block).all(axis=1)
    if not blocks[_CHANGED]:
        return [
            Finding.passed(
                "nonce-reuse",
                "no keystream is used twice",
                f"Two messages of {_BLOCKS} blocks under one nonce, different in block {_CHANGED},"
                " shared no keystream from there on.",
            )
        ]
    reach = [i for i in range(_CHANGED, _BLOCKS) if blocks[i]]
    later = _later(same[2:], per_block) if per_block > 1 else []
    partly = (
        f" A change of one word of a block alone leaves keystream words unchanged up to"
        f" {max(block for _, block, _ in later) - _CHANGED} blocks later."
        if later
        else ""
    )
    end = (_CHANGED + 1) * rate
    shown = data[0, _CHANGED * rate : end] ^ out[0, _CHANGED * rate : end]
    recovered = shown ^ out[1, _CHANGED * rate : end]
    return [
        Finding.leak(
            "nonce-reuse",
            "a repeated nonce gives away the first block that differs"
            + ("" if len(reach) == 1 else f" and {len(reach) - 1} after it"),
            "Two messages under one nonce share the keystream of the first differing block"
            + (f" and of the {len(reach) - 1} after it" if len(reach) > 1 else "")
            + ", so a known message reads that part of the other."
            + partly
            + " Never repeat a nonce; only a two-pass mode would soften this. Whether the state"
            " can be recovered from more repetitions was not looked at.",
            {
                "key": key.hex(),
                "nonce": nonce.hex(),
                "first": _sealed(ad, base, out[0], tags[0]),
                "second": _sealed(ad, other, out[1], tags[1]),
                "blocks_sharing_keystream": [i for i in range(_BLOCKS) if blocks[i]],
                "first_differing_block": _CHANGED,
                "unreached_word_block_word": later,
                "recovered_block": recovered.tobytes().hex(),
            },
        )
    ]


def _other(base: bytes, places: range, noise: bytes) -> bytes:
    """``base`` with every byte at ``places`` changed."""
    out = bytearray(base)
    for at, r in zip(places, noise, strict=True):
        out[at] ^= r or 1
    return bytes(out)


def _reused(stream: U8, word_bytes: int) -> Bools:
    same = stream == stream[0]
    whole: Bools = same.reshape(len(stream), -1, word_bytes).all(axis=2)
    return whole


def _later(same: Bools, per_block: int) -> list[list[int]]:
    """For a change of word w alone: [w, later block, keystream word] that it does not reach."""
    start = (_CHANGED + 1) * per_block
    return [
        [word, i // per_block, i % per_block]
        for word, line in enumerate(same)
        for i in range(start, len(line))
        if line[i]
    ]


def _sealed(ad: bytes, data: bytes, ciphertext: U8, tag: U8) -> dict[str, str]:
    return {
        "ad": ad.hex(),
        "data": data.hex(),
        "ciphertext": ciphertext.tobytes().hex(),
        "tag": tag.tobytes().hex(),
    }
