"""Inputs that are absorbed alike: moving the boundary between associated data and message, cutting off
what the padding puts back, and appending what it would have appended."""

from __future__ import annotations

from .findings import Finding
from .rewrite import Attempts, report

# check -> kind of rewrite -> title and detail of its forgery
TEXTS = {
    "boundary": {
        "message into associated data": (
            "blocks of the message can be moved into the associated data",
            "Associated data and message are absorbed by the same round and nothing says where one"
            " ends, so the tag of (A, M1 || M2) also fits (A || M1, M2). Bind both lengths in the"
            " finalisation, or separate the two phases by a constant outside the block.",
        ),
        "associated data into message": (
            "blocks of the associated data can be moved into the message",
            "Associated data and message are absorbed by the same round and nothing says where one"
            " ends, so the tag of (A1 || A2, M) also fits (A1, A2 || M); keystream that the attacker"
            " lacks is one byte here and is guessed. Bind both lengths in the finalisation.",
        ),
    },
    "truncation": {
        "shorter message": (
            "a message can be truncated",
            "A message that ends like a padded one is absorbed as the same blocks as the shorter"
            " message, and the tag does not say which it was. Bind the message's length, or pad every"
            " message so that no two are padded alike.",
        ),
        "shorter associated data": (
            "associated data can be truncated",
            "Associated data that ends like padded data is absorbed as the same blocks as the shorter"
            " one, and the tag does not say which it was. Bind its length, or pad always so that no"
            " two inputs are padded alike.",
        ),
    },
    "extension": {
        "longer message": (
            "a message can be extended",
            "A message and the same message with its padding written out are absorbed alike; the one"
            " byte of keystream beyond the end is guessed, at most 256 attempts. Bind the message's"
            " length, or pad every message so that no two are padded alike.",
        ),
        "longer associated data": (
            "associated data can be extended",
            "Associated data and the same data with its padding written out are absorbed alike. Bind"
            " its length, or pad always so that no two inputs are padded alike.",
        ),
    },
}


def check(rewrites: Attempts) -> list[Finding]:
    """The findings of all three; each forgery was run."""
    return [finding for name, texts in TEXTS.items() for finding in report(name, rewrites, texts)]
