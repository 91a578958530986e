"""The mode audit: finds what a streaming AEAD does wrong without being told, and proves it.

It reads a description and nothing else, so it works on a file of one's own. Attacks see only what
an encryption and a decryption oracle answer (``game.py``); every forgery is run.
"""

from __future__ import annotations

from typing import Any

from ...reference.stream import StreamAead
from . import (
    boundary,
    coverage,
    extension,
    fixed_words,
    influence,
    integrity,
    lengths,
    nonce_reuse,
    symmetry,
    truncation,
)
from .findings import Finding, broken
from .rewrite import Rewrites
from .subject import Subject

__all__ = ["Finding", "audit", "broken"]


def audit(cipher: StreamAead[Any], *, seed: int = 1) -> list[Finding]:
    """Every check on one description, in a fixed order; equal seeds give equal findings."""
    subject = Subject(cipher, seed)
    rewrites = Rewrites(subject)
    return [
        *boundary.check(rewrites),
        *truncation.check(rewrites),
        *extension.check(rewrites),
        *lengths.check(subject),
        *coverage.check(subject),
        *influence.check(subject),
        *integrity.check(subject),
        *nonce_reuse.check(subject),
        *symmetry.check(subject),
        *fixed_words.check(subject),
    ]
