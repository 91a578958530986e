"""Whether the tag sees the whole state: before the finalisation, and at the very end."""

from __future__ import annotations

import random

import numpy as np

from ...reference.batch import U8
from .bulk import flips, row
from .findings import Finding
from .game import Forgery, Oracle
from .subject import AuditSubject

_STATES = 3


def check(subject: AuditSubject) -> list[Finding]:
    """Bits of the state that the tag never sees."""
    cipher = subject.cipher
    rng = subject.rng("tag-coverage")
    key = rng.randbytes(cipher.key_bytes)
    states = [rng.randbytes(subject.state_bytes) for _ in range(_STATES)]

    def finalised(S: list[object], K: list[object]) -> list[object]:
        return list(cipher.tag(cipher.finalise(S, K, 8 * subject.rate, 8 * subject.rate)))

    def read(S: list[object], K: list[object]) -> list[object]:
        return list(cipher.tag(S))

    before = _ignored(subject, finalised, states, key)
    at_end = _ignored(subject, read, states, key)
    results = []
    if before.any():
        results.append(_before(subject, rng, states[0], key, before))
    mixed_in: U8 = at_end & (1 - before)  # what the finalisation is seen to bring to the tag
    if mixed_in.any():
        results.append(
            Finding.note(
                "tag-coverage",
                f"reading the tag leaves out {_which(subject, mixed_in)}",
                "These bits of the last state are not in the tag. The finalisation mixes them in"
                " before: each of them, flipped in front of it, changed the tag. So this is a choice and no"
                " flaw, as long as it has enough rounds.",
                {"ignored_bits_of_last_state": _mask(mixed_in)},
            )
        )
    if results:
        return results
    return [
        Finding.passed(
            "tag-coverage",
            "the tag sees every bit of the state",
            f"Each of {8 * subject.state_bytes} state bits, flipped before the finalisation and"
            f" before the tag is read, in {_STATES} random states, changed the tag.",
        )
    ]


def _ignored(subject: AuditSubject, step: object, states: list[bytes], key: bytes) -> U8:
    """1 for every state bit that changes the tag in none of the states."""
    assert callable(step)
    out = np.ones(8 * subject.state_bytes, np.uint8)
    for state in states:
        rows = np.vstack([row(state), flips(state)])
        tags = subject.bulk.run(step, rows, row(key))[:, : subject.cipher.tag_bytes]
        out &= (tags[1:] == tags[0]).all(axis=1)
    return out


def _before(subject: AuditSubject, rng: random.Random, state: bytes, key: bytes, ignored: U8) -> Finding:
    which = _which(subject, ignored)
    oracle = subject.oracle(rng)
    forgery = _last_block(subject, oracle, rng)
    if forgery is not None:
        return Finding.forged(
            "tag-coverage",
            f"the tag never sees {which} of the state before the finalisation",
            "The last block differs only where the tag does not look, so a change of it is"
            " accepted. Give the finalisation enough rounds for every word to reach the tag, or"
            " read the tag from all words. The key in the proof was not used by the attack.",
            forgery.proof(oracle.key),
        )
    tag = subject.bulk.run(
        lambda S, K: subject.cipher.tag(subject.cipher.finalise(S, K, 0, 0)), row(state), row(key)
    )
    return Finding.note(
        "tag-coverage",
        f"the tag never sees {which} of the state before the finalisation",
        "A difference there cannot be detected. Changing the last block alone did not lead into"
        " those bits, so no forgery was made of it; give the finalisation more rounds anyway.",
        {
            "state": state.hex(),
            "key": key.hex(),
            "lengths_bits": [0, 0],
            "tag": tag[0].tobytes()[: subject.cipher.tag_bytes].hex(),
            "ignored_bits_of_state": _mask(ignored),
        },
    )


def _last_block(subject: AuditSubject, oracle: Oracle, rng: random.Random) -> Forgery | None:
    """Flip each bit of the last block of a message, then of associated data without message."""
    rate = subject.rate
    query = oracle.encrypt(rng.randbytes(rate), rng.randbytes(2 * rate))
    changed = flips(query.ciphertext)[8 * rate :]
    forgery = oracle.win_any(query, query.ad, [c.tobytes() for c in changed])
    if forgery is not None:
        return forgery
    query = oracle.encrypt(rng.randbytes(2 * rate), b"")
    for ad in flips(query.ad)[8 * rate :: 8]:
        forgery = oracle.win(query, query.nonce, ad.tobytes(), b"", query.tag)
        if forgery is not None:
            return forgery
    return None


def _which(subject: AuditSubject, ignored: U8) -> str:
    bits = subject.cipher.word_bits
    counts = ignored.reshape(-1, bits).sum(axis=1)
    parts = [
        f"word S{i}" if count == bits else f"{count} bits of S{i}" for i, count in enumerate(counts) if count
    ]
    return ", ".join(parts)


def _mask(ignored: U8) -> str:
    return np.packbits(ignored).tobytes().hex()
