"""Authenticated encryption by name: the ciphers of the Rust core.

    from roundworks import aead
    key = aead.Aegis128.generate_key()
    cipher = aead.get("aegis-128")(key)
    sealed = cipher.encrypt(nonce, b"data", b"associated data")

Everywhere the order is nonce, data, associated data. A nonce must never serve twice under one key.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Protocol

from . import _native
from ._native import Aegis128, Aether, AetherLb
from .errors import UnknownName

if TYPE_CHECKING:
    from typing_extensions import Buffer  # collections.abc has it from Python 3.12 on

__all__ = ["Aead", "Aegis128", "Aether", "AetherLb", "get", "names"]


class Aead(Protocol):
    """What every cipher class here offers; `roundworks._native` documents each method."""

    NAME: ClassVar[str]
    KEY_BYTES: ClassVar[int]
    NONCE_BYTES: ClassVar[int]
    TAG_BYTES: ClassVar[int]

    def __init__(self, key: Buffer, *, backend: str | None = None) -> None: ...
    @property
    def backend(self) -> str: ...
    @staticmethod
    def generate_key() -> bytes: ...
    @staticmethod
    def backends() -> list[tuple[str, bool]]: ...
    def encrypt(
        self, nonce: Buffer, data: Buffer, associated_data: Buffer | None = None
    ) -> bytes: ...
    def decrypt(
        self, nonce: Buffer, data: Buffer, associated_data: Buffer | None = None
    ) -> bytes: ...
    def encrypt_into(
        self, nonce: Buffer, data: Buffer, associated_data: Buffer | None, buf: Buffer
    ) -> int: ...
    def decrypt_into(
        self, nonce: Buffer, data: Buffer, associated_data: Buffer | None, buf: Buffer
    ) -> int: ...


# Every class of the native module that carries a cipher's name.
_CLASSES: dict[str, type[Aead]] = {}
for _class in vars(_native).values():
    if isinstance(_class, type) and hasattr(_class, "NAME"):
        _CLASSES.setdefault(_class.NAME, _class)


def names() -> list[str]:
    """Names that `get` knows, as in ``spec/``."""
    return list(_CLASSES)


def get(name: str) -> type[Aead]:
    """The class of the cipher called ``name``.

    Raises
    ------
    UnknownName
        ``cipher 'aes': not known; one of aether, aether-lb, aegis-128``
    """
    try:
        return _CLASSES[name]
    except KeyError:
        known = ", ".join(_CLASSES)
        raise UnknownName(f"cipher '{name}': not known; one of {known}") from None
