"""Authenticated encryption on a GPU, in the shape of ``roundworks.aead``.

    from roundworks.gpu import aead
    cipher = aead.get("minalpher")(key)             # DeviceUnavailable says what is missing
    cipher = aead.get("minalpher", fallback=True)(key)   # the CPU where there is no GPU

Sizes, errors and their words are those of the CPU. Tags are compared in constant time, and plaintext
is neither written nor copied out before its tag was found right.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Protocol

import numpy as np
import numpy.typing as npt

from .. import aead as cpu
from .. import spec
from ..errors import InvalidTag, ResearchOnlyWarning, unknown
from . import gcm_many, long, many, minalpher, minalpher_many, streams
from .device import Bytes, Device
from .fallback import OnCpuWarning as OnCpuWarning
from .fallback import WithFallback
from .machine import Machine
from .many import as_bytes, tag_size


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
    def seal_lists(
        self, nonces: Sequence[bytes], data: Sequence[bytes], ads: Sequence[bytes]
    ) -> list[bytes]: ...
    def open_lists(
        self, nonces: Sequence[bytes], data: Sequence[bytes], ads: Sequence[bytes]
    ) -> tuple[list[bytes | None], list[bool]]: ...


class OnGpu:
    """What the classes of this module share. See `roundworks.aead.Aead`.

    Parameters
    ----------
    key : bytes-like
    tag_bytes : int, optional
        A size that the cipher has, as `roundworks.aead.Aead` takes it; its default unless given.
    machine : Machine, optional
        The first GPU unless given.
    """

    __slots__ = ("_cipher", "_tag_bytes")
    NAME: ClassVar[str]
    _cipher: Launches

    def __init__(
        self, key: bytes, *, tag_bytes: int | None = None, machine: Machine | None = None
    ) -> None:
        # Before a device is asked: what is wrong with these does not depend on one.
        facts = spec.cipher(self.NAME)
        self._tag_bytes = tag_size(facts, tag_bytes)
        if len(given := as_bytes("key", key)) != facts.key_bytes:
            raise ValueError(f"key: want {facts.key_bytes} bytes, got {len(given)}")
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
        """Size of the tag in use."""
        return self._tag_bytes

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
            as_bytes("nonce", nonce),
            as_bytes("data", data),
            as_bytes("associated_data", b"" if ad is None else ad),
        )
        if len(found[0]) != (want := spec.cipher(self.NAME).nonce_bytes):
            raise ValueError(f"nonce: want {want} bytes, got {len(found[0])}")
        return found


class OfMany(OnGpu):
    """What the classes share that take many messages in one launch."""

    __slots__ = ()
    _cipher: LaunchesOfMany

    def seal_many(
        self, nonces: Any, data: Any, associated_data: Any = None, *, out: Any = None
    ) -> Any:
        """Encrypt and authenticate N messages; each as `encrypt` would.

        Parameters
        ----------
        nonces : uint8 array of shape (N, nonce bytes), or list or tuple
        data : uint8 array of shape (N, L), or list or tuple of any sizes
        associated_data : uint8 array of shape (N, A), or list or tuple; or bytes for all; or None
        out : uint8 array of shape (N, sealed bytes), or None for a new one
            Only beside an array of data, as are nonces and associated data then.

        Returns
        -------
        array of shape (N, sealed bytes), or list of N bytes
            Whichever `data` was; `out` if it was given. L + tag bytes, unless the cipher pads.
        """
        if many.is_list(data):
            given = self._lists(nonces, data, associated_data, out)
            return self._cipher.seal_lists(given.nonces, given.data, given.ads)
        rows = self._rows(nonces, data, associated_data)
        found = rows.out(out, self._sealed_bytes(rows.data.shape[1]))
        self._cipher.seal_many(rows, found)
        return found if out is None else out

    def open_many(
        self, nonces: Any, data: Any, associated_data: Any = None, *, out: Any = None
    ) -> tuple[Any, Any]:
        """Check and decrypt N messages; each as `decrypt` would.

        Returns
        -------
        data : array of shape (N, data bytes), or list of N bytes
            Of what is not authentic a row of zeros, or None.
        ok : array or list of N bool
        """
        if many.is_list(data):
            given = self._lists(nonces, data, associated_data, out)
            return self._cipher.open_lists(given.nonces, given.data, given.ads)
        rows = self._rows(nonces, data, associated_data)
        size = (width := rows.data.shape[1]) - self.tag_bytes
        if not self._is_size(size):
            raise ValueError(f"data: nothing sealed has rows of {width} bytes")
        found = rows.out(out, self._opened_bytes(size))
        ok, size = self._open_rows(rows, found)
        whole = found if out is None else out
        return (whole if size == found.shape[1] else whole[:, :size]), ok

    def _lists(self, nonces: Any, data: Any, ad: Any, out: Any) -> many.Lists:
        if out is not None:
            raise TypeError("out: want none beside a list of data, whose results are bytes")
        return many.Lists.given(nonces, data, ad, spec.cipher(self.NAME).nonce_bytes)

    def _rows(self, nonces: Any, data: Any, ad: Any) -> many.Rows:
        return many.Rows.given(nonces, data, ad, spec.cipher(self.NAME).nonce_bytes)

    def _open_rows(self, rows: many.Rows, out: Bytes) -> tuple[npt.NDArray[np.bool_], int]:
        """Of which the tag was right, and the bytes that each has of its row."""
        return self._cipher.open_many(rows, out), out.shape[1]

    def _sealed_bytes(self, data_bytes: int) -> int:
        return data_bytes + self.tag_bytes

    def _opened_bytes(self, ciphertext_bytes: int) -> int:
        return ciphertext_bytes


class Minalpher(OfMany):
    """Minalpher v1.1 on a GPU: one long message split over all of it, or many at once."""

    __slots__ = ()
    NAME = "minalpher"

    def _on(self, machine: Machine, key: bytes) -> Launches:
        if isinstance(machine, Device):
            return long.Minalpher(key, machine)
        return minalpher_many.Minalpher(key, machine)

    def _is_size(self, ciphertext_bytes: int) -> bool:
        return ciphertext_bytes > 0 and ciphertext_bytes % minalpher.BLOCK == 0

    def _sealed_bytes(self, data_bytes: int) -> int:
        block = minalpher.BLOCK
        return block * (data_bytes // block + 1) + self.tag_bytes

    def _opened_bytes(self, ciphertext_bytes: int) -> int:
        return ciphertext_bytes - 1

    def _open_rows(self, rows: many.Rows, out: Bytes) -> tuple[npt.NDArray[np.bool_], int]:
        cipher: Any = self._cipher
        found: tuple[npt.NDArray[np.bool_], int] = cipher.open_rows(rows, out)
        return found


class AesGcm(OfMany):
    """AES-GCM on a GPU: one long message split over all of it, or many at once."""

    __slots__ = ()

    def _on(self, machine: Machine, key: bytes) -> Launches:
        if isinstance(machine, Device):
            return long.AesGcm(key, machine)
        return gcm_many.AesGcm(key, machine)


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
        return streams.Streams(self.NAME, key, machine, self.tag_bytes)


class Aegis128L(Streams):
    """AEGIS-128L on a GPU, with a tag of 16 or 32 bytes."""

    __slots__ = ()
    NAME = "aegis-128l"


class RoccaS(Streams):
    """Rocca-S on a GPU."""

    __slots__ = ()
    NAME = "rocca-s"


class Aether(Streams):
    """AETHER as published on a GPU. For study only: it is forgeable, as `roundworks.aead.Aether`
    says."""

    __slots__ = ()
    NAME = "aether"

    def __init__(
        self, key: bytes, *, tag_bytes: int | None = None, machine: Machine | None = None
    ) -> None:
        super().__init__(key, tag_bytes=tag_bytes, machine=machine)
        warnings.warn(
            "aether is forgeable as published: after one query for A, M1 || M2 the boundary shift "
            "(pad(A) || M1, C2, T) verifies without the key; for study only, see AetherLb",
            ResearchOnlyWarning, stacklevel=2,
        )  # fmt: skip


class AetherLb(Streams):
    """AETHER with lengths bound on a GPU: our variant of `Aether`, for study."""

    __slots__ = ()
    NAME = "aether-lb"


_CLASSES: dict[str, type[OnGpu]] = {
    cipher.NAME: cipher
    for cipher in (Minalpher, Aes128Gcm, Aes256Gcm, Aegis128L, RoccaS, Aether, AetherLb)
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
        ``AEAD on a GPU 'aes': not known; did you mean aes-128-gcm, aes-256-gcm? (...)``
    DeviceUnavailable
        ``libcuda.so.1: not found; ...``, once a key is set and unless `fallback` says otherwise.
    """
    if name not in _CLASSES:
        raise unknown("AEAD on a GPU", name, _CLASSES)
    if not fallback:
        return _CLASSES[name]

    def made(key: bytes, *, tag_bytes: int | None = None) -> Aead:
        it: Aead = WithFallback.made(
            name,
            lambda: _CLASSES[name](key, tag_bytes=tag_bytes),
            lambda: cpu.get(name)(key, tag_bytes=tag_bytes),
        )
        return it

    return made


@functools.cache
def _first() -> Device:
    return Device()
