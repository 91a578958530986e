"""Keyed ciphers for the tests of `roundworks.aead`: each cipher with each size of tag."""

from __future__ import annotations

import warnings

from roundworks import aead
from roundworks.errors import ResearchOnlyWarning

NAMES = aead.names()
KINDS = [(name, tag) for name in NAMES for tag in aead.get(name).TAG_SIZES]
IDS = [f"{name}-{8 * tag}" for name, tag in KINDS]


def make(name: str, tag_bytes: int | None = None, backend: str | None = None) -> aead.Aead:
    """A cipher whose key counts up; Aether's warning is tested elsewhere."""
    cls = aead.get(name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResearchOnlyWarning)
        return cls(bytes(range(cls.KEY_BYTES)), tag_bytes=tag_bytes, backend=backend)


def nonce_of(cipher: aead.Aead | type[aead.Aead], number: int = 0) -> bytes:
    return bytes([number, *range(1, cipher.NONCE_BYTES)])


def usable(name: str) -> list[str]:
    return [backend for backend, available in aead.get(name).backends() if available]
