"""Moving the border between associated data and message."""

from __future__ import annotations

from .findings import Finding
from .rewrite import Attempts, report

TEXTS = {
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
}


def check(rewrites: Attempts) -> list[Finding]:
    return report("boundary", rewrites, TEXTS)
