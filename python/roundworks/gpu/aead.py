"""Authenticated encryption on a GPU, in the shape of ``roundworks.aead``.

    from roundworks.gpu import aead
    cipher = aead.get("minalpher")(key)             # DeviceUnavailable says what is missing
    cipher = aead.get("minalpher", fallback=True)(key)   # the CPU where there is no GPU

Sizes, errors and their words are those of the CPU. Tags are compared in constant time, and plaintext
is neither written nor copied out before its tag was found right.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, ClassVar, Protocol

import numpy as np
import numpy.typing as npt

from .. import aead as cpu
from .. import spec
from ..errors import InvalidTag, UnknownName
from . import gcm, long, many, minalpher, streams
from .device import Bytes, Device
from .fallback import OnCpuWarning as OnCpuWarning
from .fallback import WithFallback
from .machine import Machine


class Aead(Protocol):
    def encrypt(self, nonce: bytes, data: bytes, associated_data: bytes | None = None) -> bytes: ...
    def decrypt(self, nonce: bytes, data: bytes, associated_data: bytes | None = None) -> bytes: ...


class Launches(Protocol):
    """A key on a machine: the modules of the ciphers, whose arguments were looked at here."""

    def encrypt(self, nonce: bytes, data: bytes, associated_data: bytes = ...) -> bytes: ...
    def decrypt(self, nonce: bytes, data: bytes, associated_data: bytes = ...) -> bytes: ...


class LaunchesOfMany(Launches, Protocol):
    def seal_many(self, rows: many.Rows, out: Bytes) -> None: ...
    def open_many(self, rows: many.Rows, out: Bytes) -> npt.NDArray[np.bool_]: ...


class OnGpu:
    """What the classes of this module share. See `roundworks.aead.Aead`.

    Parameters
    ----------
    key : bytes-like
    machine : Machine, optional
        The first GPU unless given.
    """

    __slots__ = ("_cipher",)
    NAME: ClassVar[str]
    _cipher: Launches

    def __init__(self, key: bytes, *, machine: Machine | None = None) -> None:
        # Before a device is asked: what is wrong with a key does not depend on one.
        given, want = _bytes("key", key), spec.cipher(self.NAME).key_bytes
        if len(given) != want:
            raise ValueError(f"key: want {want} bytes, got {len(given)}")
        self._cipher = self._on(machine or _first(), given)

    def _on(self, machine: Machine, key: bytes) -> Launches:
        """The launches of this cipher."""
        raise NotImplementedError

    @classmethod
    def generate_key(cls) -> bytes:
        return bytes(cpu.get(cls.NAME).generate_key())

    @property
    def backend(self) -> str:
        return "gpu"

    @property
    def tag_bytes(self) -> int:
        return spec.cipher(self.NAME).tag_bytes

    def encrypt(self, nonce: bytes, data: bytes, associated_data: bytes | None = None) -> bytes:
        """Ciphertext and tag; a nonce must never serve twice under one key."""
        return self._cipher.encrypt(*self._given(nonce, data, associated_data))

    def decrypt(self, nonce: bytes, data: bytes, associated_data: bytes | None = None) -> bytes:
        """The message.

        Raises
        ------
        InvalidTag
            ``authentication failed; no plaintext was released``
        """
        n, sealed, ad = self._given(nonce, data, associated_data)
        if not self._is_size(len(sealed) - self.tag_bytes):
            raise InvalidTag(f"authentication failed; nothing sealed has {len(sealed)} bytes")
        return self._cipher.decrypt(n, sealed, ad)

    def _is_size(self, ciphertext_bytes: int) -> bool:
        return ciphertext_bytes >= 0

    def _given(self, nonce: Any, data: Any, ad: Any) -> tuple[bytes, bytes, bytes]:
        found = (
            _bytes("nonce", nonce),
            _bytes("data", data),
            _bytes("associated_data", b"" if ad is None else ad),
        )
        if len(found[0]) != (want := spec.cipher(self.NAME).nonce_bytes):
            raise ValueError(f"nonce: want {want} bytes, got {len(found[0])}")
        return found


class Minalpher(OnGpu):
    """Minalpher v1.1 on a GPU: one long message, split over all of it."""

    __slots__ = ()
    NAME = "minalpher"

    def _on(self, machine: Machine, key: bytes) -> Launches:
        if isinstance(machine, Device):
            return long.Minalpher(key, machine)
        return minalpher.Minalpher(key, machine)

    def _is_size(self, ciphertext_bytes: int) -> bool:
        return ciphertext_bytes > 0 and ciphertext_bytes % minalpher.BLOCK == 0


class OfMany(OnGpu):
    """What the classes share that take many messages in one launch."""

    __slots__ = ()
    _cipher: LaunchesOfMany

    def seal_many(
        self, nonces: Any, data: Any, associated_data: Any = None, *, out: Any = None
    ) -> Any:
        """Encrypt and authenticate N messages of one size; each as `encrypt` would.

        Parameters
        ----------
        nonces : uint8 array of shape (N, nonce bytes)
        data : uint8 array of shape (N, L)
        associated_data : uint8 array of shape (N, A); or bytes for all; or None for none
        out : uint8 array of shape (N, L + tag bytes), or None for a new one

        Returns
        -------
        array of shape (N, L + tag bytes)
            `out` if it was given.
        """
        nonce_bytes = spec.cipher(self.NAME).nonce_bytes
        rows = many.Rows.given(nonces, data, associated_data, nonce_bytes)
        found = rows.out(out, rows.data.shape[1] + self.tag_bytes)
        self._cipher.seal_many(rows, found)
        return found if out is None else out

    def open_many(
        self, nonces: Any, data: Any, associated_data: Any = None, *, out: Any = None
    ) -> tuple[Any, npt.NDArray[np.bool_]]:
        """Check and decrypt N messages of one size; each as `decrypt` would.

        Returns
        -------
        data : array of shape (N, S - tag bytes)
            Of what is not authentic a row of zeros.
        ok : array of N bool
        """
        nonce_bytes = spec.cipher(self.NAME).nonce_bytes
        rows = many.Rows.given(nonces, data, associated_data, nonce_bytes)
        width = rows.data.shape[1]
        if width < self.tag_bytes:
            raise ValueError(f"data: nothing sealed has rows of {width} bytes")
        found = rows.out(out, width - self.tag_bytes)
        ok = self._cipher.open_many(rows, found)
        return (found if out is None else out), ok


class AesGcm(OfMany):
    """AES-GCM on a GPU: one long message split over all of it, or many at once."""

    __slots__ = ()

    def _on(self, machine: Machine, key: bytes) -> gcm.AesGcm:
        if isinstance(machine, Device):
            return long.AesGcm(key, machine)
        return gcm.AesGcm(key, machine)


class Aes128Gcm(AesGcm):
    """AES-128-GCM on a GPU."""

    __slots__ = ()
    NAME = "aes-128-gcm"


class Aes256Gcm(AesGcm):
    """AES-256-GCM on a GPU."""

    __slots__ = ()
    NAME = "aes-256-gcm"


class Streams(OfMany):
    """A cipher whose every piece waits for the one before: many messages at once, each on a lane. One
    message alone is faster on a CPU."""

    __slots__ = ()

    def _on(self, machine: Machine, key: bytes) -> streams.Streams:
        return streams.Streams(self.NAME, key, machine)


class Aegis128L(Streams):
    """AEGIS-128L on a GPU, with a tag of 16 bytes."""

    __slots__ = ()
    NAME = "aegis-128l"


class RoccaS(Streams):
    """Rocca-S on a GPU."""

    __slots__ = ()
    NAME = "rocca-s"


_CLASSES: dict[str, type[OnGpu]] = {
    cipher.NAME: cipher for cipher in (Minalpher, Aes128Gcm, Aes256Gcm, Aegis128L, RoccaS)
}


def names() -> list[str]:
    """What runs on a GPU."""
    return list(_CLASSES)


def get(name: str, *, fallback: bool = False) -> Callable[..., Aead]:
    """The class called `name`; with `fallback`, of the CPU where there is no GPU, and calls of the CPU
    where a GPU has too little memory.

    Raises
    ------
    UnknownName
        ``cipher 'aes': not on a GPU; one of minalpher, aes-128-gcm, ..``
    DeviceUnavailable
        ``libcuda.so.1: not found; ...``, once a key is set and unless `fallback` says otherwise.
    """
    if name not in _CLASSES:
        raise UnknownName(f"cipher {name!r}: not on a GPU; one of {', '.join(_CLASSES)}")
    if not fallback:
        return _CLASSES[name]

    def made(key: bytes) -> Aead:
        it: Aead = WithFallback.made(name, lambda: _CLASSES[name](key), lambda: cpu.get(name)(key))
        return it

    return made


@functools.cache
def _first() -> Device:
    return Device()


def _bytes(what: str, value: Any) -> bytes:
    try:
        return bytes(memoryview(value).cast("B"))
    except TypeError:
        got = type(value).__name__
        raise TypeError(f"{what}: want a bytes-like object, got {got}") from None
