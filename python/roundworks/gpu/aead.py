"""Authenticated encryption on a GPU, in the shape of ``roundworks.aead``.

    from roundworks.gpu import aead
    cipher = aead.get("minalpher")(key)             # DeviceUnavailable says what is missing
    cipher = aead.get("minalpher", fallback=True)(key)   # the CPU where there is no GPU

`GpuAead`, the base of all, documents the methods, whose sizes, errors and words are those of the CPU.
Tags are compared in constant time, and plaintext is neither written nor copied out before its tag was
found right.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

from .. import aead as cpu
from .._native import GpuAead as GpuAead
from ..errors import DeviceMemoryError, DeviceUnavailable, unknown
from . import device as device


class Minalpher(GpuAead, name="minalpher"):
    """Minalpher v1.1 on a GPU: one long message split over all of it, or many at once. [MINALPHER]"""

    __slots__ = ()


class Aes128Gcm(GpuAead, name="aes-128-gcm"):
    """AES-128-GCM on a GPU: one long message split over all of it, or many at once. [GCM]"""

    __slots__ = ()


class Aes256Gcm(GpuAead, name="aes-256-gcm"):
    """AES-256-GCM on a GPU: one long message split over all of it, or many at once. [GCM]"""

    __slots__ = ()


class Aegis128L(GpuAead, name="aegis-128l"):
    """AEGIS-128L on a GPU, with a tag of 16 or 32 bytes: many messages at once, each on a lane. One message
    alone is faster on a CPU. [AEGIS-RFC]"""

    __slots__ = ()


class RoccaS(GpuAead, name="rocca-s"):
    """Rocca-S on a GPU: many messages at once, each on a lane. [ROCCA-S-DRAFT]"""

    __slots__ = ()


class Aether(GpuAead, name="aether"):
    """AETHER as published on a GPU: many messages at once, four on a lane. For study only: it is
    forgeable, as `roundworks.aead.Aether` says. [AETHER]"""

    __slots__ = ()


class AetherLb(GpuAead, name="aether-lb"):
    """AETHER with lengths bound on a GPU: our variant of `Aether`, for study."""

    __slots__ = ()


_CLASSES: dict[str, type[GpuAead]] = {
    cipher.NAME: cipher for cipher in (Minalpher, Aes128Gcm, Aes256Gcm, Aegis128L, RoccaS, Aether, AetherLb)
}


def names() -> list[str]:
    """Name of every cipher that runs on a GPU."""
    return list(_CLASSES)


def get(name: str, *, fallback: bool = False) -> Callable[..., Any]:
    """The class called `name`; with `fallback`, of the CPU where there is no GPU, and calls of the CPU
    where a GPU has too little memory.

    Raises
    ------
    UnknownName
        ``AEAD on a GPU 'aes': not known; did you mean aes-128-gcm, aes-256-gcm? (...)``
    DeviceUnavailable
        ``libcuda.so.1: not found; ...``, once a key is set and unless `fallback` says otherwise.
    """
    if name not in _CLASSES:
        raise unknown("AEAD on a GPU", name, _CLASSES)
    if not fallback:
        return _CLASSES[name]

    def keyed(key: bytes, *, tag_bytes: int | None = None) -> Any:
        def on_cpu() -> Any:
            return cpu.get(name)(key, tag_bytes=tag_bytes)

        try:
            return _WithFallback(name, _CLASSES[name](key, tag_bytes=tag_bytes), on_cpu)
        except DeviceUnavailable as error:
            _warn(name, error)
            return on_cpu()

    return keyed


class OnCpuWarning(UserWarning):
    """There is no GPU, or not enough of one, and the CPU does the work, as `fallback` allows."""


class _WithFallback:
    """A cipher on a GPU whose calls go to the CPU where the GPU cannot do them: one call where
    memory is too little, all further ones where anything else is missing."""

    __slots__ = ("_cipher", "_name", "_on_cpu")

    def __init__(self, name: str, cipher: Any, on_cpu: Callable[[], Any]) -> None:
        self._name, self._cipher, self._on_cpu = name, cipher, on_cpu

    def __getattr__(self, what: str) -> Any:
        value = getattr(self._cipher, what)
        if not callable(value):
            return value

        def call(*args: Any, **named: Any) -> Any:
            try:
                return getattr(self._cipher, what)(*args, **named)
            except DeviceUnavailable as error:
                _warn(self._name, error)
                cpu_cipher = self._on_cpu()
                if not isinstance(error, DeviceMemoryError):
                    self._cipher = cpu_cipher
                return getattr(cpu_cipher, what)(*args, **named)

        return call


def _warn(name: str, error: DeviceUnavailable) -> None:
    text = str(error).partition(";")[0]
    warnings.warn(f"{name} on the CPU: {text}", OnCpuWarning, stacklevel=3)
