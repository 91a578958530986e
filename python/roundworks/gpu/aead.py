"""Authenticated encryption on a GPU, in the shape of ``roundworks.aead``.

    from roundworks.gpu import aead
    cipher = aead.get("minalpher")(key)             # DeviceUnavailable says what is missing
    cipher = aead.get("minalpher", fallback=True)(key)   # the CPU where there is no GPU

Sizes, errors and their words are those of the CPU. Tags are compared in constant time, and plaintext
is neither made nor copied out before its tag was found right.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from typing import Any, Protocol

from .. import aead as cpu
from ..errors import DeviceUnavailable, InvalidTag, UnknownName
from . import minalpher
from .device import Device
from .machine import Machine


class OnCpuWarning(UserWarning):
    """There is no GPU, and the CPU that was asked for in its place does the work."""


class Aead(Protocol):
    def encrypt(self, nonce: bytes, data: bytes, associated_data: bytes | None = None) -> bytes: ...
    def decrypt(self, nonce: bytes, data: bytes, associated_data: bytes | None = None) -> bytes: ...


class Minalpher:
    """Minalpher v1.1 on a GPU: one long message, split over all of it. See `roundworks.aead`.

    Parameters
    ----------
    key : bytes-like
        16 bytes.
    machine : Machine, optional
        The first GPU unless given.
    """

    __slots__ = ("_cipher",)

    def __init__(self, key: bytes, *, machine: Machine | None = None) -> None:
        # Before a device is asked: what is wrong with a key does not depend on one.
        given = _bytes("key", key)
        if len(given) != minalpher.FACTS.key_bytes:
            raise ValueError(f"key: want {minalpher.FACTS.key_bytes} bytes, got {len(given)}")
        self._cipher = minalpher.Minalpher(given, machine or _first())

    @staticmethod
    def generate_key() -> bytes:
        return bytes(cpu.Minalpher.generate_key())

    @property
    def backend(self) -> str:
        return "gpu"

    @property
    def tag_bytes(self) -> int:
        return minalpher.FACTS.tag_bytes

    def encrypt(self, nonce: bytes, data: bytes, associated_data: bytes | None = None) -> bytes:
        """Ciphertext and tag; a nonce must never serve twice under one key."""
        return self._cipher.encrypt(*_given(nonce, data, associated_data))

    def decrypt(self, nonce: bytes, data: bytes, associated_data: bytes | None = None) -> bytes:
        """The message.

        Raises
        ------
        InvalidTag
            ``authentication failed; no plaintext was released``
        """
        n, sealed, ad = _given(nonce, data, associated_data)
        rest = len(sealed) - self.tag_bytes
        if rest <= 0 or rest % minalpher.BLOCK:
            raise InvalidTag(f"authentication failed; nothing sealed has {len(sealed)} bytes")
        return self._cipher.decrypt(n, sealed, ad)


_CLASSES: dict[str, Callable[..., Aead]] = {"minalpher": Minalpher}


def names() -> list[str]:
    """What runs on a GPU."""
    return list(_CLASSES)


def get(name: str, *, fallback: bool = False) -> Callable[..., Aead]:
    """The class called `name`; with `fallback`, of the CPU where there is no GPU.

    Raises
    ------
    UnknownName
        ``cipher 'aes': not on a GPU; one of minalpher``
    DeviceUnavailable
        ``libcuda.so.1: not found; ...``, once a key is set and unless `fallback` says otherwise.
    """
    if name not in _CLASSES:
        raise UnknownName(f"cipher {name!r}: not on a GPU; one of {', '.join(_CLASSES)}")
    if not fallback:
        return _CLASSES[name]

    def made(key: bytes) -> Aead:
        try:
            return _CLASSES[name](key)
        except DeviceUnavailable as error:
            text = str(error).partition(",")[0]
            warnings.warn(f"{name} on the CPU: {text}", OnCpuWarning, stacklevel=2)
            other: Any = cpu.get(name)(key)
            return other  # type: ignore[no-any-return]

    return made


@functools.cache
def _first() -> Device:
    return Device()


def _given(nonce: Any, data: Any, ad: Any) -> tuple[bytes, bytes, bytes]:
    return (
        _bytes("nonce", nonce),
        _bytes("data", data),
        b"" if ad is None else _bytes("associated_data", ad),
    )


def _bytes(what: str, value: Any) -> bytes:
    try:
        return bytes(memoryview(value).cast("B"))
    except TypeError:
        got = type(value).__name__
        raise TypeError(f"{what}: want a bytes-like object, got {got}") from None
