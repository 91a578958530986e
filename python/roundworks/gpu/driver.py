"""NVIDIA's driver, called directly: its library is all that a machine with a GPU must have.

Every call is checked. A failure is a ``DeviceUnavailable`` or ``KernelError`` of one line with the
driver's own name for it.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from ctypes import POINTER, byref, c_char_p, c_float, c_int, c_size_t, c_ubyte, c_uint, c_void_p
from typing import Any

from ..errors import DeviceMemoryError, DeviceUnavailable, KernelError

LIBRARY = "libcuda.so.1"
_WANTED = 13_000  # CUDA 13.0, with which the kernels are compiled
_CPU = "or ask for the CPU: fallback=True"
_NO_DEVICE, _OUT_OF_MEMORY, _NO_BINARY, _OLD_DRIVER = 100, 2, 209, 222
# Of cuDeviceGetAttribute and of cuFuncGetAttribute, cuFuncSetAttribute.
_MULTIPROCESSORS, _MAJOR, _MINOR, _CLOCK_KHZ = 16, 75, 76, 13
_MOST_THREADS, _SHARED = 0, 8

_Out = c_void_p
_PROTOTYPES: dict[str, Sequence[Any]] = {
    "cuInit": [c_uint],
    "cuDriverGetVersion": [POINTER(c_int)],
    "cuDeviceGetCount": [POINTER(c_int)],
    "cuDeviceGet": [POINTER(c_int), c_int],
    "cuDeviceGetName": [c_char_p, c_int, c_int],
    "cuDeviceGetAttribute": [POINTER(c_int), c_int, c_int],
    "cuDevicePrimaryCtxRetain": [POINTER(_Out), c_int],
    "cuCtxSetCurrent": [c_void_p],
    "cuMemGetInfo_v2": [POINTER(c_size_t), POINTER(c_size_t)],
    "cuMemAlloc_v2": [POINTER(_Out), c_size_t],
    "cuMemFree_v2": [c_void_p],
    "cuMemsetD8Async": [c_void_p, c_ubyte, c_size_t, c_void_p],
    "cuMemcpyHtoDAsync_v2": [c_void_p, c_void_p, c_size_t, c_void_p],
    "cuMemcpyDtoHAsync_v2": [c_void_p, c_void_p, c_size_t, c_void_p],
    "cuMemcpyDtoDAsync_v2": [c_void_p, c_void_p, c_size_t, c_void_p],
    "cuMemHostAlloc": [POINTER(_Out), c_size_t, c_uint],
    "cuMemFreeHost": [c_void_p],
    "cuStreamCreate": [POINTER(_Out), c_uint],
    "cuStreamSynchronize": [c_void_p],
    "cuStreamWaitEvent": [c_void_p, c_void_p, c_uint],
    "cuEventCreate": [POINTER(_Out), c_uint],
    "cuEventRecord": [c_void_p, c_void_p],
    "cuEventSynchronize": [c_void_p],
    "cuEventElapsedTime": [POINTER(c_float), c_void_p, c_void_p],
    "cuEventDestroy_v2": [c_void_p],
    "cuModuleLoadData": [POINTER(_Out), c_char_p],
    "cuModuleGetFunction": [POINTER(_Out), c_void_p, c_char_p],
    "cuFuncGetAttribute": [POINTER(c_int), c_int, c_void_p],
    "cuFuncSetAttribute": [c_void_p, c_int, c_int],
    "cuOccupancyMaxActiveBlocksPerMultiprocessor": [POINTER(c_int), c_void_p, c_int, c_size_t],
    "cuLaunchKernel": [c_void_p, *[c_uint] * 7, c_void_p, c_void_p, c_void_p],
}  # fmt: skip


class Driver:
    """One GPU of this machine.

    Raises
    ------
    DeviceUnavailable
        ``libcuda.so.1: not found; install NVIDIA's driver, or ask for the CPU: fallback=True``
        ``no GPU: the driver sees none; ...``
        ``driver: want CUDA 13.0 or newer, got 12.4; update NVIDIA's driver, ...``
    """

    def __init__(self, number: int = 0, library: str = LIBRARY) -> None:
        try:
            self._cuda = ctypes.CDLL(library)
        except OSError:
            raise DeviceUnavailable(
                f"{LIBRARY}: not found; install NVIDIA's driver, {_CPU}"
            ) from None
        for name, arguments in _PROTOTYPES.items():
            getattr(self._cuda, name).argtypes = arguments
        self._start(number)

    def _start(self, number: int) -> None:
        code = self._cuda.cuInit(0)
        count = c_int()
        if code == 0:
            code = self._cuda.cuDeviceGetCount(byref(count))
        if code == _NO_DEVICE or (code == 0 and count.value == 0):
            raise DeviceUnavailable(f"no GPU: the driver sees none; lend this machine one, {_CPU}")
        if code:
            raise DeviceUnavailable(f"the driver does not start: {self.name_of(code)}; {_CPU}")
        version = self.integer("cuDriverGetVersion")
        if version < _WANTED:
            got = f"{version // 1000}.{version % 1000 // 10}"
            raise DeviceUnavailable(
                f"driver: want CUDA 13.0 or newer, got {got}; update NVIDIA's driver, {_CPU}"
            )
        if not 0 <= number < count.value:
            raise DeviceUnavailable(
                f"device {number}: not here; the driver sees {count.value}, from 0 on"
            )
        device = c_int()
        self.do("cuDeviceGet", byref(device), number)
        name = ctypes.create_string_buffer(256)
        self.do("cuDeviceGetName", name, 256, device)
        self.name = name.value.decode()
        self.version = f"{version // 1000}.{version % 1000 // 10}"
        major, minor = (self.integer("cuDeviceGetAttribute", a, device) for a in (_MAJOR, _MINOR))
        self.architecture = f"sm_{major}{minor}"
        self.multiprocessors = self.integer("cuDeviceGetAttribute", _MULTIPROCESSORS, device)
        self.clock_mhz = self.integer("cuDeviceGetAttribute", _CLOCK_KHZ, device) / 1000
        self._context = self.handle("cuDevicePrimaryCtxRetain", device)
        self.here()

    # -- calls -------------------------------------------------------------------------------
    def do(self, function: str, *args: Any) -> None:
        """Call the driver; an error of it is ours."""
        code = getattr(self._cuda, function)(*args)
        if code:
            raise KernelError(f"{function}: {self.name_of(code)}")

    def handle(self, function: str, *args: Any) -> int:
        """What a function makes: an address or a handle."""
        made = c_void_p()
        self.do(function, byref(made), *args)
        return made.value or 0

    def integer(self, function: str, *args: Any) -> int:
        value = c_int()
        self.do(function, byref(value), *args)
        return value.value

    def name_of(self, code: int) -> str:
        text = c_char_p()
        self._cuda.cuGetErrorName.argtypes = [c_int, POINTER(c_char_p)]
        if self._cuda.cuGetErrorName(code, byref(text)) or not text.value:
            return f"error {code}"
        return text.value.decode()

    def here(self) -> None:
        """This thread may call from now on."""
        self.do("cuCtxSetCurrent", self._context)

    # -- memory ------------------------------------------------------------------------------
    def free_bytes(self) -> int:
        free, total = c_size_t(), c_size_t()
        self.do("cuMemGetInfo_v2", byref(free), byref(total))
        return free.value

    def allocate(self, size_bytes: int) -> int:
        made = c_void_p()
        code = self._cuda.cuMemAlloc_v2(byref(made), size_bytes)
        if code == _OUT_OF_MEMORY:
            want, free = (n / 2**20 for n in (size_bytes, self.free_bytes()))
            raise DeviceMemoryError(
                f"{self.name}: want {want:,.0f} MiB of memory, {free:,.0f} MiB are free; give it"
                " less at once"
            )
        if code:
            raise KernelError(f"cuMemAlloc: {self.name_of(code)}")
        return made.value or 0

    def pin(self, size_bytes: int) -> int:
        """Memory of the host that the device copies from and to by itself."""
        made = c_void_p()
        code = self._cuda.cuMemHostAlloc(byref(made), size_bytes, 0)
        if code == _OUT_OF_MEMORY:
            want = f"{size_bytes / 2**20:,.0f} MiB"
            raise DeviceMemoryError(
                f"host: want {want} of pinned memory, there is less; give it less at once"
            )
        if code:
            raise KernelError(f"cuMemHostAlloc: {self.name_of(code)}")
        return made.value or 0

    # -- kernels -----------------------------------------------------------------------------
    def module(self, image: bytes, family: str) -> int:
        made = c_void_p()
        code = self._cuda.cuModuleLoadData(byref(made), image)
        if code in (_NO_BINARY, _OLD_DRIVER):
            raise DeviceUnavailable(
                f"{family}: no machine code for {self.architecture} of {self.name}; compile it for"
                f" that, {_CPU}"
            )
        if code:
            raise KernelError(f"{family}: cuModuleLoadData: {self.name_of(code)}")
        return made.value or 0

    def function(self, module: int, name: str, shared_bytes: int) -> tuple[int, int, int]:
        """A kernel, the threads of its blocks, and how many blocks the device holds at once."""
        found = self.handle("cuModuleGetFunction", module, name.encode())
        threads = self.integer("cuFuncGetAttribute", _MOST_THREADS, found)
        if shared_bytes:
            self.do("cuFuncSetAttribute", found, _SHARED, shared_bytes)
        each = self.integer(
            "cuOccupancyMaxActiveBlocksPerMultiprocessor", found, threads, shared_bytes
        )
        return found, threads, each * self.multiprocessors

    def launch(
        self, function: int, blocks: int, threads: int, shared_bytes: int, stream: int,
        args: Sequence[Any],
    ) -> None:  # fmt: skip
        # Each argument in a word of its own, what is narrower in its low bytes; then an end, for a
        # driver that does not know the kernel's list.
        slots = [ctypes.create_string_buffer(bytes(a), max(8, ctypes.sizeof(a))) for a in args]
        pointers = (c_void_p * (len(slots) + 1))(*(ctypes.addressof(slot) for slot in slots))
        self.do("cuLaunchKernel", function, blocks, 1, 1, threads, 1, 1, shared_bytes, stream,
                pointers, None)  # fmt: skip
