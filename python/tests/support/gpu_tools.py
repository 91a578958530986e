"""What the tests of kernels share: tools or a skip, buffers for their functions, and what the driver
whose device is this CPU says of itself."""

from __future__ import annotations

import ctypes

import pytest

from roundworks.errors import ToolMissing
from roundworks.gpu import build
from roundworks.gpu.device import Device
from wanted import without


def need(*names: str) -> None:
    """Skip without these tools; with ROUNDWORKS_REQUIRE_TOOLS=1 fail."""
    for name in names:
        try:
            build.find(name)
        except ToolMissing as error:
            without(str(error))


def words(data: bytes | int) -> ctypes.Array[ctypes.c_uint32]:
    """Bytes as words, the last one whole; or that many zero bytes."""
    size = data if isinstance(data, int) else len(data)
    array = (ctypes.c_uint32 * max(1, -(-size // 4)))()
    if isinstance(data, bytes):
        ctypes.memmove(array, data, size)
    return array


def host_library(family: str, *flags: str) -> ctypes.CDLL:
    """A family's thread code, compiled with more flags and loaded, for calls of single entries."""
    return ctypes.CDLL(str(build.host_file(family, *flags)))


def driver() -> str:
    """The driver whose device is this CPU."""
    need("g++")
    return str(build.host_driver())


def on_cpu() -> Device:
    """A device of it."""
    return Device(library=driver(), image=build.host_image)


def leave(device: Device, monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    """That much free memory, whatever other devices of this process have."""
    device.trim()
    used = (1 << 30) - device.free_bytes()
    monkeypatch.setenv("HOST_CUDA_BYTES", str(used + size))


def ledger(what: str) -> int:
    """A count that the driver keeps: live, bytes, pinned, freed_dirty."""
    return int(getattr(ctypes.CDLL(driver()), f"host_cuda_{what}")())


class Log:
    """What the driver did since this was made: its calls u, k, d; names of entries; bytes of copies out."""

    def __init__(self) -> None:
        self._first = [len(self._text(what)) for what in ("calls", "entries", "copied_out")]

    @staticmethod
    def _text(what: str) -> str:
        text = getattr(ctypes.CDLL(driver()), f"host_cuda_{what}")
        text.restype = ctypes.c_char_p
        return bytes(text()).decode()

    @property
    def calls(self) -> str:
        return self._text("calls")[self._first[0] :]

    @property
    def entries(self) -> list[str]:
        return self._entries[::2]

    @property
    def shared_bytes(self) -> dict[str, int]:
        """Of each entry, what its launches' blocks shared in addition to what it declares."""
        return dict(zip(self._entries[::2], map(int, self._entries[1::2]), strict=True))

    @property
    def _entries(self) -> list[str]:
        return self._text("entries")[self._first[1] :].split()

    @property
    def copied_out(self) -> list[int]:
        return list(map(int, self._text("copied_out")[self._first[2] :].split()))
