"""What the tests of kernels share: tools or a skip, and buffers for their functions."""

from __future__ import annotations

import ctypes
import subprocess
from pathlib import Path

from roundworks import cache
from roundworks.errors import ToolMissing
from roundworks.gpu import build
from wanted import without


def need(*names: str) -> None:
    """Skip without these tools; with ROUNDWORKS_REQUIRE_TOOLS=1 fail."""
    for name in names:
        try:
            build.find(name)
        except ToolMissing as error:
            without(str(error))


def words(data: bytes | int) -> ctypes.Array[ctypes.c_uint32]:
    """Bytes as words, the last one whole; or so many zero bytes."""
    size = data if isinstance(data, int) else len(data)
    array = (ctypes.c_uint32 * max(1, -(-size // 4)))()
    if isinstance(data, bytes):
        ctypes.memmove(array, data, size)
    return array


def host_cuda() -> str:
    """A driver whose device is this CPU."""
    need("g++")
    source = Path(__file__).with_name("host_cuda.cpp")
    flags = ("-std=c++17", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC")
    folder = cache.home("gpu") / f"host-cuda-{cache.key([source], {'flags': flags})}"
    if not folder.is_dir():
        with cache.making(folder) as part:
            subprocess.run(["g++", *flags, "-o", part / "libcuda.so.1", source, "-ldl"], check=True)
    return str(folder / "libcuda.so.1")
