"""Many messages in one call, as arrays with a message a row: what is asked of the arguments.

The words are those of the CPU, which takes lists of any sizes as well.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .device import Bytes


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
            ``data: want an array of bytes of shape (N, bytes), got list``
        ValueError
            ``nonces: want 12 bytes each, got 16``, or
            ``nonces: want one for each of 8 messages, got 7``
        """
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


def _array(what: str, value: Any, dimensions: tuple[int, ...] | None) -> Bytes:
    want = "an array of bytes of shape (N, bytes)"
    try:
        found = np.asarray(memoryview(value))
    except TypeError:
        raise TypeError(f"{what}: want {want}, got {type(value).__name__}") from None
    if found.dtype.itemsize != 1:
        raise TypeError(f"{what}: want {want}, got one of {found.dtype}")
    if dimensions and found.ndim not in dimensions:
        raise ValueError(f"{what}: want {want}, got {list(found.shape)}")
    return found.view(np.uint8)
