"""Appending what the padding would have appended."""

from __future__ import annotations

from .findings import Finding
from .rewrite import Attempts, report

TEXTS = {
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
}


def check(rewrites: Attempts) -> list[Finding]:
    return report("extension", rewrites, TEXTS)
