"""Where kernels run. ``Host`` is this CPU, for tests; a device has the same four methods."""

from __future__ import annotations

import ctypes
from typing import Any, Protocol

import numpy as np

from .build import host_library

# Memory of a machine: its own kind of handle, an argument of `call`.
Memory = Any


class Machine(Protocol):
    def zeros(self, size_bytes: int) -> Memory:
        """Memory of zeros, for at least so many bytes, at a multiple of 16."""

    def put(self, data: bytes) -> Memory:
        """A copy of data; behind it may be anything, to the end of its last word."""

    def get(self, memory: Memory, size_bytes: int) -> bytes: ...

    def call(
        self, family: str, entry: str, work: int, *args: Memory | np.generic, shared_bytes: int = 0
    ) -> None:
        """Start an entry of ``kernels/<family>`` on `work` threads, as many as can have something
        to do; calls follow each other. A number is a numpy scalar of the type the entry wants, a
        structure by value one of ctypes; `shared_bytes` are what a launch's block shares, beside
        what the entry names itself."""


class Host:
    """The thread code over lanes in lock step: right, and slow."""

    def zeros(self, size_bytes: int) -> ctypes.Array[ctypes.c_uint32]:
        return (ctypes.c_uint32 * max(1, -(-size_bytes // 4)))()

    def put(self, data: bytes) -> ctypes.Array[ctypes.c_uint32]:
        array = self.zeros(len(data))
        ctypes.memmove(array, data, len(data))
        return array

    def get(self, memory: Memory, size_bytes: int) -> bytes:
        return bytes(memory)[:size_bytes]

    def call(
        self, family: str, entry: str, work: int, *args: Memory | np.generic, shared_bytes: int = 0
    ) -> None:
        getattr(host_library(family), entry)(*map(_argument, args))


_C_TYPES = {"bool": ctypes.c_bool, "uint32": ctypes.c_uint32, "uint64": ctypes.c_uint64}


def _argument(value: Memory | np.generic) -> Any:
    return _C_TYPES[value.dtype.name](value.item()) if isinstance(value, np.generic) else value
