"""Cutting off what the padding puts back."""

from __future__ import annotations

from .findings import Finding
from .rewrite import Attempts, report

TEXTS = {
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
}


def check(rewrites: Attempts) -> list[Finding]:
    return report("truncation", rewrites, TEXTS)
