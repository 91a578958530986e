"""Whether every bit of key and nonce reaches the keystream and the tag."""

from __future__ import annotations

import random

import numpy as np

from ...reference.batch import U8
from .bulk import flips, row
from .findings import Finding
from .subject import AuditSubject
from .transcript import xor


def check(subject: AuditSubject) -> list[Finding]:
    """Bits of key and nonce that change nothing."""
    cipher = subject.cipher
    rng = subject.rng("key-and-nonce")
    key, nonce = rng.randbytes(cipher.key_bytes), rng.randbytes(cipher.nonce_bytes)
    ad, data = rng.randbytes(subject.rate), rng.randbytes(2 * subject.rate)
    base = _encrypt(subject, row(key), row(nonce), data, ad)
    by_nonce = _ignored(base, _encrypt(subject, row(key), flips(nonce), data, ad), nonce)
    by_key = _ignored(base, _encrypt(subject, flips(key), row(nonce), data, ad), key)
    result = _nonce(subject, rng, *by_nonce) + _key(subject, rng, *by_key)
    if result:
        return result
    return [
        Finding.passed(
            "key-and-nonce",
            "every bit counts",
            f"Each of {8 * len(key)} key bits and {8 * len(nonce)} nonce bits, flipped alone,"
            f" changed the {subject.secret_stream} and the tag.",
        )
    ]


def _encrypt(subject: AuditSubject, keys: U8, nonces: U8, data: bytes, ad: bytes) -> tuple[U8, U8]:
    return subject.bulk.encrypt(keys, nonces, row(data), row(ad))


def _ignored(base: tuple[U8, U8], flipped: tuple[U8, U8], of: bytes) -> tuple[bytes, bytes]:
    """Masks of the bits that change no keystream, and of those that change no tag."""
    masks = []
    for want, actual in zip(base, flipped, strict=True):
        same = (actual == want).all(axis=1)
        masks.append(np.packbits(same).tobytes())
    return masks[0][: len(of)], masks[1][: len(of)]


def _nonce(subject: AuditSubject, rng: random.Random, stream: bytes, tag: bytes) -> list[Finding]:
    findings: list[Finding] = []
    for mask, data in ((_and(stream, tag), rng.randbytes(subject.rate)), (tag, b"")):
        if any(mask) and not findings:
            oracle = subject.oracle(rng)
            query = oracle.encrypt(rng.randbytes(5), data)
            forgery = oracle.win(query, xor(query.nonce, mask), query.ad, query.ciphertext, query.tag)
            if forgery is not None:
                findings.append(
                    Finding.forged(
                        "key-and-nonce",
                        f"{_bits(mask)} of {8 * len(mask)} nonce bits are not authenticated",
                        "What was sealed under one nonce opens under another, because those bits"
                        " never reach the tag. Load the whole nonce into the state before the"
                        " initialisation. The key in the proof was not used by the attack.",
                        forgery.proof(oracle.key),
                    )
                )
    if any(stream):
        oracle = subject.oracle(rng)
        data = rng.randbytes(subject.rate)
        first = oracle.encrypt(b"", data)
        second = oracle.encrypt(b"", rng.randbytes(subject.rate), xor(first.nonce, stream))
        if subject.mode or xor(first.data, first.ciphertext) == xor(second.data, second.ciphertext):
            findings.append(
                Finding.leak(
                    "key-and-nonce",
                    f"{_bits(stream)} of {8 * len(stream)} nonce bits do not change the"
                    f" {subject.secret_stream}",
                    "Two different nonces do the same to a message, so each reads the other, or"
                    " shows that they are equal. Load the whole nonce into the state before the"
                    " initialisation.",
                    {"key": oracle.key.hex(), "first": first.proof(), "second": second.proof()},
                )
            )
    return findings


def _key(subject: AuditSubject, rng: random.Random, stream: bytes, tag: bytes) -> list[Finding]:
    findings: list[Finding] = []
    if all(byte == 0xFF for byte in tag):
        # The tag needs no key at all: the attacker makes a message under a key of their own.
        oracle = subject.oracle(rng)
        own = rng.randbytes(len(tag))
        query = oracle.encrypt(b"", b"")
        nonce, ad = rng.randbytes(subject.cipher.nonce_bytes), rng.randbytes(5)
        made = subject.cipher.encrypt(own, nonce, b"", ad)
        forgery = oracle.win(query, nonce, ad, b"", made)
        if forgery is not None:
            findings.append(
                Finding.forged(
                    "key-and-nonce",
                    "the tag does not depend on the key",
                    "Anybody can compute the tag of any associated data under any nonce. Load the"
                    " key into the state, and again before or in the finalisation.",
                    forgery.proof(oracle.key) | {"attackers_key": own.hex()},
                )
            )
    for mask, what in (
        (_and(stream, tag), "anything"),
        (stream, f"the {subject.secret_stream}"),
        (tag, "the tag"),
    ):
        if any(mask) and not findings:
            key = rng.randbytes(len(mask))
            nonce, data = rng.randbytes(subject.cipher.nonce_bytes), rng.randbytes(subject.rate)
            seals = [subject.cipher.encrypt(k, nonce, data) for k in (key, xor(key, mask))]
            findings.append(
                Finding.leak(
                    "key-and-nonce",
                    f"{_bits(mask)} of {8 * len(mask)} key bits do not change {what}",
                    "Keys that differ in those bits do the same there, so the key is shorter than"
                    " it looks. Load the whole key, and feed it again after the initialisation.",
                    {
                        "key": key.hex(),
                        "other_key": xor(key, mask).hex(),
                        "nonce": nonce.hex(),
                        "data": data.hex(),
                        "sealed": seals[0].hex(),
                        "sealed_with_other_key": seals[1].hex(),
                    },
                )
            )
    return findings


def _and(a: bytes, b: bytes) -> bytes:
    return bytes(x & y for x, y in zip(a, b, strict=True))


def _bits(mask: bytes) -> int:
    return sum(byte.bit_count() for byte in mask)
