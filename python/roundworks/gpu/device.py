"""A GPU as a machine for kernels: memory that is wiped, launches in order, copies beside them.

    from roundworks.gpu.device import Device
    device = Device()                       # DeviceUnavailable says in one line what is missing

Memory is wiped on the device as soon as nobody has it: keys, tweaks and messages lie in it. It is then
kept for the next to ask for as much, since the driver takes long to give some; `trim` gives it back.
Whatever `put`, `call` and `get` do follows each other on one stream; `pipeline` has copies of its own
on two more.
"""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import DeviceMemoryError
from . import build
from .driver import LIBRARY, Driver
from .pieces import Bytes as Bytes
from .pieces import Piece, events

_C_TYPES: dict[str, Any] = {
    "bool": ctypes.c_bool, "uint32": ctypes.c_uint32, "uint64": ctypes.c_uint64
}  # fmt: skip
_ALIGNED = 256
_NON_BLOCKING = 1


class Memory:
    """A piece of a device's memory, wiped when nobody has it any more."""

    def __init__(self, device: Device, size_bytes: int) -> None:
        self.size_bytes = max(1, -(-size_bytes // _ALIGNED)) * _ALIGNED
        self.address = device.taken(self.size_bytes)
        self._end = weakref.finalize(self, _release, device, self.address, self.size_bytes)

    def release(self) -> None:
        """Wipe it now."""
        self._end()

    def at(self, offset: int) -> Place:
        """The memory from there on, for a kernel; it does not keep the memory."""
        return Place(self.address + offset)


@dataclass(frozen=True, slots=True)
class Place:
    address: int


def _release(device: Device, address: int, size_bytes: int) -> None:
    device.driver.do("cuMemsetD8Async", address, 0, size_bytes, device.stream)
    device.kept.setdefault(size_bytes, []).append(address)


class Pinned:
    """Host memory that a device copies from and to by itself, as an array of bytes."""

    def __init__(self, device: Device, size_bytes: int) -> None:
        address = device.driver.pin(max(1, size_bytes))
        raw = (ctypes.c_uint8 * max(1, size_bytes)).from_address(address)
        self.array: Bytes = np.ctypeslib.as_array(raw)[:size_bytes]
        self.address = address
        self._end = weakref.finalize(self, _unpin, device, address, size_bytes)
        device.pinned.add(self)

    def release(self) -> None:
        self._end()

    def holds(self, data: Bytes) -> bool:
        first, size = data.ctypes.data, len(self.array)
        return self._end.alive and self.address <= first <= self.address + size - data.size


def _unpin(device: Device, address: int, size_bytes: int) -> None:
    device.wait()
    ctypes.memset(address, 0, size_bytes)
    device.driver.do("cuMemFreeHost", address)


@dataclass(frozen=True, slots=True)
class _Kernel:
    function: int
    threads: int
    most_blocks: int

    def blocks(self, work: int) -> int:
        return max(1, min(-(-work // self.threads), self.most_blocks))


class Device:
    """The GPU of that number, or an error of one line that says what is missing.

    Parameters
    ----------
    number : int
        As the driver counts them.
    library : str
        The driver's library.
    image : callable, optional
        From a family to its machine code; `build.fat_binary` unless given.
    """

    def __init__(
        self, number: int = 0, *, library: str = LIBRARY,
        image: Callable[[str], bytes] | None = None,
    ) -> None:  # fmt: skip
        self.driver = Driver(number, library)
        self._image = image or (lambda family: build.fat_binary(family).read_bytes())
        self.stream, self._up, self._down = (
            self.driver.handle("cuStreamCreate", _NON_BLOCKING) for _ in range(3)
        )
        self.kept: dict[int, list[int]] = {}
        self._read: list[Bytes] = []  # what a copy may still read
        self.pinned: weakref.WeakSet[Pinned] = weakref.WeakSet()
        self._staging: dict[int, list[Pinned]] = {}
        self._modules: dict[str, int] = {}
        self._kernels: dict[tuple[str, int], _Kernel] = {}

    @property
    def name(self) -> str:
        return self.driver.name

    def taken(self, size_bytes: int) -> int:
        """Where so much memory is; what was kept goes back if there is no other."""
        if self.kept.get(size_bytes):
            return self.kept[size_bytes].pop()
        try:
            return self.driver.allocate(size_bytes)
        except DeviceMemoryError:
            if not self.kept:
                raise
            self.trim()
            return self.driver.allocate(size_bytes)

    def trim(self) -> None:
        """Give back the memory that nobody has."""
        self.wait()
        for addresses in self.kept.values():
            for address in addresses:
                self.driver.do("cuMemFree_v2", address)
        self.kept.clear()
        self._staging.clear()

    # -- a machine: zeros, put, get, call --------------------------------------------------------
    def room(self, size_bytes: int) -> Memory:
        """Memory with anything in it."""
        return Memory(self, size_bytes)

    def zeros(self, size_bytes: int) -> Memory:
        made = self.room(size_bytes)
        self.driver.do("cuMemsetD8Async", made.address, 0, made.size_bytes, self.stream)
        return made

    def put(self, data: bytes | Bytes) -> Memory:
        given = np.frombuffer(data, np.uint8)
        made = self.room(len(given))
        self.copy_in(made, given)
        if isinstance(data, bytes):
            self._read.append(given)
        else:  # may be written to
            self.wait()
        return made

    def get(self, memory: Memory, size_bytes: int) -> bytes:
        found = np.empty(size_bytes, np.uint8)
        self.copy_out(found, memory)
        self.wait()
        return found.tobytes()

    def call(self, family: str, entry: str, work: int, *args: Any, shared_bytes: int = 0) -> None:
        """Start an entry of ``kernels/<family>`` on `work` threads, or on as many as the device
        holds at once: entries go round."""
        kernel = self._kernel(family, entry, shared_bytes)
        self.driver.launch(
            kernel.function, kernel.blocks(work), kernel.threads, shared_bytes, self.stream,
            [_argument(a) for a in args],
        )  # fmt: skip

    def running(self, family: str, entry: str, work: int) -> int:
        """How many threads `call` starts for so much work."""
        kernel = self._kernel(family, entry, 0)
        return kernel.blocks(work) * kernel.threads

    def _kernel(self, family: str, entry: str, shared_bytes: int) -> _Kernel:
        key = entry, shared_bytes
        if key not in self._kernels:
            if family not in self._modules:
                self._modules[family] = self.driver.module(self._image(family), family)
            found = self.driver.function(self._modules[family], entry, shared_bytes)
            self._kernels[key] = _Kernel(*found)
        return self._kernels[key]

    def elapsed_ns(self, work: Callable[[], object]) -> float:
        """What the device spends on it, by its own clock."""
        with events(self.driver, 2, timed=True) as (begin, end):
            self._mark(begin, self.stream)
            work()
            self._mark(end, self.stream)
            self.driver.do("cuEventSynchronize", end)
            ms = ctypes.c_float()
            self.driver.do("cuEventElapsedTime", ctypes.byref(ms), begin, end)
        return 1e6 * ms.value

    # -- copies ------------------------------------------------------------------------------
    def copy_in(self, to: Memory, data: Bytes, stream: int | None = None) -> None:
        """Begin; `data` must stay as it is until the stream was waited for."""
        stream = self.stream if stream is None else stream
        if data.size:
            at = data.ctypes.data
            self.driver.do("cuMemcpyHtoDAsync_v2", to.address, at, data.size, stream)

    def copy_out(self, to: Bytes, memory: Memory, stream: int | None = None) -> None:
        stream = self.stream if stream is None else stream
        if to.size:
            at = to.ctypes.data
            self.driver.do("cuMemcpyDtoHAsync_v2", at, memory.address, to.size, stream)

    def wait(self) -> None:
        """Until all that was begun is done."""
        for stream in (self._down, self.stream, self._up):
            self.driver.do("cuStreamSynchronize", stream)
        self._read.clear()

    def pipeline(
        self,
        pieces: Iterable[Piece],
        work: Callable[[Memory, Memory, Piece], None],
        *,
        in_bytes: int,
        out_bytes: int,
    ) -> None:
        """Piece after piece through two sets of memory: while one is worked on, the next comes in
        and the last goes out. The next is asked for when all of one was begun.

        `work` starts kernels that read the first memory and write the second. Both are wiped.
        """
        sets = [(self.room(in_bytes), self.room(out_bytes)) for _ in range(2)]
        with events(self.driver, 7) as marks:
            came, done, left = marks[:2], marks[2:4], marks[4:6]
            try:
                self._mark(marks[6], self.stream)  # the sets were wiped there
                for stream in (self._up, self._down):
                    self._after(stream, marks[6])
                for i, piece in enumerate(pieces):
                    k = i % 2
                    into, out = sets[k]
                    if i >= 2:  # what was in this set has been read, and has left
                        self._after(self._up, done[k])
                        self._after(self.stream, left[k])
                    self.copy_in(into, piece.data, self._up)
                    self._mark(came[k], self._up)
                    self._after(self.stream, came[k])
                    work(into, out, piece)
                    self._mark(done[k], self.stream)
                    self._after(self._down, done[k])
                    self.copy_out(piece.out, out, self._down)
                    self._mark(left[k], self._down)
            finally:  # nothing is copied any more to memory that others may have
                self.wait()
        for memory in (m for pair in sets for m in pair):
            memory.release()

    def is_pinned(self, data: Bytes) -> bool:
        """Whether it lies in pinned memory of this device."""
        return data.flags.c_contiguous and any(pinned.holds(data) for pinned in self.pinned)

    @contextmanager
    def staging(self, size_bytes: int) -> Iterator[tuple[list[Bytes], list[Bytes]]]:
        """Pinned memory, two pieces each way: wiped after each use, and kept for the next."""
        made = self._staging.pop(size_bytes, None) or [Pinned(self, size_bytes) for _ in range(4)]
        try:
            yield [p.array for p in made[:2]], [p.array for p in made[2:]]
        finally:
            self.wait()
            for one in made:
                one.array.fill(0)
            self._staging = {size_bytes: made}

    def mark_out(self, event: int) -> None:
        """An event behind the copies out that were begun."""
        self._mark(event, self._down)

    def reached(self, event: int) -> None:
        self.driver.do("cuEventSynchronize", event)

    def _mark(self, event: int, stream: int) -> None:
        self.driver.do("cuEventRecord", event, stream)

    def _after(self, stream: int, event: int) -> None:
        self.driver.do("cuStreamWaitEvent", stream, event, 0)


def _argument(value: Any) -> Any:
    """What the driver copies for a kernel: an address, a number, or a structure as it is."""
    if isinstance(value, Memory | Place):
        return ctypes.c_uint64(value.address)
    return _C_TYPES[value.dtype.name](value.item()) if isinstance(value, np.generic) else value
