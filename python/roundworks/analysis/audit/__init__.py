"""The mode audit: finds what an AEAD does wrong without a hint, and proves it.

It reads a description and nothing else, so it works on a file of one's own. Attacks see only what
an encryption and a decryption oracle return (``game.py``); every forgery is run.
"""

from __future__ import annotations

from typing import Any

from ...reference.aead import BlockAead
from ...reference.stream import StreamAead
from . import (
    absorbed_alike,
    coverage,
    first_block,
    fixed_words,
    influence,
    integrity,
    lengths,
    mode_nonce,
    mode_round,
    nonce_reuse,
    symmetry,
)
from .findings import Finding, broken
from .mode_rewrite import ModeRewrites
from .rewrite import Rewrites
from .subject import AuditSubject

__all__ = ["CHECKS", "Finding", "audit", "broken"]

# What an audit has at least one finding of each.
CHECKS = (
    "boundary",
    "extension",
    "truncation",
    "lengths",
    "tag-coverage",
    "key-and-nonce",
    "first-block",
    "integrity",
    "nonce-reuse",
    "symmetry",
    "fixed-words",
)


def audit(cipher: StreamAead[Any] | BlockAead[Any], *, seed: int = 1) -> list[Finding]:
    """Every check on one description, in a fixed order; equal seeds give equal findings."""
    subject = AuditSubject(cipher, seed)
    if subject.mode:
        return _audit_mode(subject)
    rewrites = Rewrites(subject)
    return [
        *absorbed_alike.check(rewrites),
        *lengths.check(subject),
        *coverage.check(subject),
        *influence.check(subject),
        *first_block.check(subject),
        *integrity.check(subject),
        *nonce_reuse.check(subject),
        *symmetry.check(subject),
        *fixed_words.check(subject),
    ]


def _audit_mode(subject: AuditSubject) -> list[Finding]:
    """Of a mode of blocks the oracles alone are used; its round is looked at apart."""
    rewrites = ModeRewrites(subject)
    return [
        *absorbed_alike.check(rewrites),
        *mode_round.left_out(),
        *influence.check(subject),
        *integrity.check(subject),
        *mode_nonce.check(subject),
        *mode_round.check(subject),
        *fixed_words.of_units(subject),
    ]
