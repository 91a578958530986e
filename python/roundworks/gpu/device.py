"""GPUs with the kernels of this package, and one that is this CPU.

    from roundworks.gpu.device import Device, Pinned
    device = Device()                       # DeviceUnavailable says in one line what is missing

All that is done on a GPU is in the native module: memory, launches, copies, long messages, the clock.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Self

from .._native import DeviceMemory as DeviceMemory
from .._native import Gpu
from .._native import Pinned as Pinned
from . import build

LIBRARY = "libcuda.so.1"


class Device(Gpu):
    """The GPU of that number, or an error of one line that says what is missing. See `Gpu`.

    Parameters
    ----------
    number : int
        As the driver counts them, from 0 on.
    library : str
        NVIDIA's driver, by its name or path.
    image : callable, optional
        From a family of ``kernels/`` to its machine code; `build.fat_binary` unless given, which
        compiles what is not compiled yet.

    Raises
    ------
    DeviceUnavailable
        ``libcuda.so.1: not found; install NVIDIA's driver, or use the CPU: fallback=True``
        ``no GPU: the driver sees none; ...``
        ``driver: want CUDA 13.0 or newer, got 12.4; update NVIDIA's driver, ...``
    """

    def __new__(
        cls, number: int = 0, *, library: str = LIBRARY, image: Callable[[str], bytes] | None = None
    ) -> Self:
        return super().__new__(cls, number, library, image or _fat)


def _fat(family: str) -> bytes:
    return build.fat_binary(family).read_bytes()


@functools.cache
def first() -> Device:
    """The first GPU of this machine. Raises as `Device`."""
    return Device()


@functools.cache
def host() -> Device:
    """This CPU behind a driver of our own: the thread code of the kernels over a batch of lanes, as
    g++ compiles it. Right, and slow.

    Raises
    ------
    ToolMissing
        ``g++: not found; install Debian's package g++``
    """
    return Device(library=str(build.host_driver()), image=build.host_image)
