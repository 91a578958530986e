"""Many messages in one call, rows of arrays or lists: what is asked of the arguments, in the words of
the CPU."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..spec import CipherFacts
from .device import Bytes

_WANT = "a list of bytes-like objects or an array of shape (N, bytes)"


@dataclass(frozen=True, slots=True)
class Rows:
    """Nonces and data of shapes (N, bytes); associated data of each, or one row for all."""

    nonces: Bytes
    data: Bytes
    ad: Bytes

    @classmethod
    def given(cls, nonces: Any, data: Any, ad: Any, nonce_bytes: int) -> Rows:
        """
        Raises
        ------
        TypeError
            ``data: want a list of bytes-like objects or an array of shape (N, bytes), got str``
        ValueError
            ``nonces: want 12 bytes each, got 16``, or
            ``nonces: want one for each of 8 messages, got 7``
        """
        for what, value in (("nonces", nonces), ("associated_data", ad)):
            if is_list(value):
                name = type(value).__name__
                raise TypeError(f"{what}: want an array beside an array of data, got {name}")
        of_nonces, of_data = _array("nonces", nonces, (2,)), _array("data", data, (2,))
        of_ad = _array("associated_data", b"" if ad is None else ad, (1, 2))
        count = len(of_data)
        for what, column in (("nonces", of_nonces), ("associated_data", of_ad)):
            if column.ndim == 2 and len(column) != count:
                got = len(column)
                raise ValueError(f"{what}: want one for each of {count} messages, got {got}")
        if count and of_nonces.shape[1] != nonce_bytes:
            got = of_nonces.shape[1]
            raise ValueError(f"nonces: want {nonce_bytes} bytes each, got {got}")
        return cls(of_nonces, of_data, of_ad if of_ad.ndim == 2 else of_ad[None])

    def parts(self, count: int) -> Iterator[tuple[slice, Rows]]:
        """So many rows at a time, and where they are."""
        for first in range(0, len(self.data), count):
            at = slice(first, first + count)
            ad = self.ad if len(self.ad) == 1 else self.ad[at]
            yield at, Rows(self.nonces[at], self.data[at], ad)

    def out(self, given: Any, width: int) -> Bytes:
        """Where results of `width` bytes each go: a new array unless one is given.

        Raises
        ------
        ValueError
            ``out: want an array of shape [8, 80], got [8, 64]``, or
            ``out: overlaps an input; want memory of its own``
        """
        shape = [len(self.data), width]
        if given is None:
            return np.empty(shape, np.uint8)
        found = _array("out", given, None)
        if not found.flags.writeable:
            name = type(given).__name__
            raise TypeError(f"out: want a writable array of shape (N, bytes), got {name}")
        if list(found.shape) != shape:
            raise ValueError(f"out: want an array of shape {shape}, got {list(found.shape)}")
        if any(np.may_share_memory(found, one) for one in (self.nonces, self.data, self.ad)):
            raise ValueError("out: overlaps an input; want memory of its own")
        return found


@dataclass(frozen=True, slots=True)
class Lists:
    """Nonces, data and associated data of each message."""

    nonces: list[bytes]
    data: list[bytes]
    ads: list[bytes]

    @classmethod
    def given(cls, nonces: Any, data: Any, ad: Any, nonce_bytes: int) -> Lists:
        """Of lists or arrays.

        Raises
        ------
        TypeError
            ``data[3]: want a bytes-like object, got str``
        ValueError
            As of `Rows`.
        """
        of_nonces, of_data = _of_each("nonces", nonces), _of_each("data", data)
        of_ad = _column("associated_data", b"" if ad is None else ad)
        count = len(of_data)
        of_ad = [of_ad] * count if isinstance(of_ad, bytes) else of_ad
        for what, column in (("nonces", of_nonces), ("associated_data", of_ad)):
            if (got := len(column)) != count:
                raise ValueError(f"{what}: want one for each of {count} messages, got {got}")
        for nonce in of_nonces:
            if (got := len(nonce)) != nonce_bytes:
                raise ValueError(f"nonces: want {nonce_bytes} bytes each, got {got}")
        return cls(of_nonces, of_data, of_ad)


def is_list(value: Any) -> bool:
    return isinstance(value, list | tuple)


def _of_each(what: str, value: Any) -> list[bytes]:
    found = _column(what, value)
    if isinstance(found, bytes):
        raise TypeError(f"{what}: want {_WANT}, got one message")
    return found


def _column(what: str, value: Any) -> list[bytes] | bytes:
    if is_list(value):
        return [as_bytes(f"{what}[{i}]", one) for i, one in enumerate(value)]
    found = _array(what, value, (1, 2))
    return found.tobytes() if found.ndim == 1 else [row.tobytes() for row in found]


def as_bytes(what: str, value: Any) -> bytes:
    if isinstance(value, bytes):
        return value
    try:
        return bytes(memoryview(value).cast("B"))
    except TypeError:
        got = type(value).__name__
        raise TypeError(f"{what}: want a bytes-like object, got {got}") from None


def tag_size(facts: CipherFacts, asked: Any) -> int:
    """The size of tag that was asked for, or the default where none was.

    Raises
    ------
    TypeError
        ``tag_bytes: want int or None, got str``
    ValueError
        ``tag_bytes: aegis-128l has tags of 16 or 32 bytes, got 8``
    """
    if asked is None:
        return facts.tag_bytes
    try:
        got = operator.index(asked)
    except TypeError:
        name = type(asked).__name__
        raise TypeError(f"tag_bytes: want int or None, got {name}") from None
    if got not in facts.tag_sizes:
        sizes = " or ".join(map(str, facts.tag_sizes))
        raise ValueError(f"tag_bytes: {facts.name} has tags of {sizes} bytes, got {got}")
    return got


def _array(what: str, value: Any, dimensions: tuple[int, ...] | None) -> Bytes:
    want = _WANT
    try:
        found = np.asarray(memoryview(value))
    except TypeError:
        raise TypeError(f"{what}: want {want}, got {type(value).__name__}") from None
    if found.dtype.itemsize != 1:
        raise TypeError(f"{what}: want {want}, got one of {found.dtype}")
    if dimensions and found.ndim not in dimensions:
        raise ValueError(f"{what}: want {want}, got {list(found.shape)}")
    return found.view(np.uint8)
