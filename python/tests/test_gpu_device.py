"""A device: what is missing, memory, launches and the overlap of copies, on a driver that runs the
thread code on this CPU."""

from __future__ import annotations

import ctypes
import random
from collections.abc import Iterator

import numpy as np
import pytest

from gpu_tools import host_cuda
from roundworks.errors import DeviceMemoryError, DeviceUnavailable, KernelError
from roundworks.gpu.build import host_library
from roundworks.gpu.device import Device, Memory, Pinned
from roundworks.gpu.pieces import Piece, cut
from roundworks.reference import IntWord
from roundworks.reference.minalpher import BLOCK, Minalpher

CIPHER: Minalpher[IntWord] = Minalpher()


@pytest.fixture
def library() -> str:
    return host_cuda()


def image(family: str) -> bytes:
    """What the tests' driver loads for machine code."""
    return host_library(family)._name.encode()


@pytest.fixture
def device(library: str) -> Iterator[Device]:
    before = dirty(library)
    made = Device(library=library, image=image)
    yield made
    made.trim()
    assert dirty(library) == before, "memory was given back with something in it"


def leave(device: Device, monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    """So much free memory, whatever other devices of this process have."""
    used = (1 << 30) - device.driver.free_bytes()
    monkeypatch.setenv("HOST_CUDA_BYTES", str(used + size))


def dirty(library: str) -> int:
    return int(ctypes.CDLL(library).host_cuda_freed_dirty())


def permuted(data: bytes) -> bytes:
    blocks = [int.from_bytes(data[i : i + BLOCK], "big") for i in range(0, len(data), BLOCK)]
    return b"".join(x.to_bytes(BLOCK, "big") for x in CIPHER.P(blocks))


# -- what is missing -----------------------------------------------------------------------------
def test_without_a_driver() -> None:
    with pytest.raises(
        DeviceUnavailable, match=r"^libcuda.so.1: not found; install NVIDIA's driver"
    ):
        Device(library="no-such-library.so")


@pytest.mark.parametrize(
    ("setting", "value", "line"),
    [
        ("DEVICES", "0", "no GPU: the driver sees none; lend this machine one, or ask for the CPU"),
        ("VERSION", "12040", "driver: want CUDA 13.0 or newer, got 12.4; update NVIDIA's driver"),
    ],
)
def test_what_is_missing_is_one_line(
    library: str, monkeypatch: pytest.MonkeyPatch, setting: str, value: str, line: str
) -> None:
    # The driver reads C's environment.
    monkeypatch.setenv(f"HOST_CUDA_{setting}", value)
    with pytest.raises(DeviceUnavailable) as error:
        Device(library=library)
    assert str(error.value).startswith(line) and "\n" not in str(error.value)


def test_no_such_device_architecture_or_entry(library: str) -> None:
    with pytest.raises(
        DeviceUnavailable, match="^device 3: not here; the driver sees 1, from 0 on"
    ):
        Device(3, library=library)
    other = Device(library=library, image=lambda family: b"of another architecture")
    with pytest.raises(
        DeviceUnavailable, match="^minalpher: no machine code for sm_90 of this CPU;"
    ):
        other.call("minalpher", "minalpher_permute", 1)
    with pytest.raises(KernelError, match="^cuModuleGetFunction: CUDA_ERROR_NOT_FOUND$"):
        Device(library=library, image=image).call("minalpher", "minalpher_nothing", 1)


def test_too_little_memory(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    leave(device, monkeypatch, 2 << 20)
    with pytest.raises(DeviceMemoryError, match="^this CPU: want 3 MiB of memory, 2 MiB are free;"):
        device.room(3 << 20)
    monkeypatch.setenv("HOST_CUDA_PINNED", str(2 << 20))
    with pytest.raises(
        DeviceMemoryError, match="^host: want 3 MiB of pinned memory, there is less;"
    ):
        Pinned(device, 3 << 20)


# -- memory and launches -------------------------------------------------------------------------
@pytest.mark.parametrize("size", [0, 1, 255, 256, 257])
def test_memory_comes_back_as_it_went_in(device: Device, size: int) -> None:
    data = random.Random(size).randbytes(size)
    assert device.get(device.put(data), size) == data
    assert device.get(device.zeros(size), size) == bytes(size)


def test_memory_is_wiped(device: Device, library: str) -> None:
    live = ctypes.CDLL(library).host_cuda_live
    before = live()
    made = device.put(b"a secret")
    assert live() == before + 1
    del made
    again = device.room(8)
    assert live() == before + 1, "kept for the next"
    assert device.get(again, 8) == bytes(8)
    again.release()
    device.trim()
    assert live() == before


def test_kept_memory_is_given_to_a_larger_piece(
    device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    leave(device, monkeypatch, 2 << 20)
    for size in (1 << 20, 3 << 19, 2 << 20):
        assert device.get(device.zeros(size), 4) == bytes(4)


def test_a_kernel_runs(device: Device) -> None:
    data = random.Random(1).randbytes(BLOCK * 70)
    out = device.zeros(len(data))
    numbers = np.uint64(70), np.bool_(False)
    device.call("minalpher", "minalpher_permute", 6, device.put(data), out, *numbers)
    assert device.get(out, len(data)) == permuted(data)


# -- overlap -------------------------------------------------------------------------------------
@pytest.mark.parametrize("blocks", [1, 32, 64, 65, 200])
def test_a_pipeline_gives_what_one_call_gives(device: Device, blocks: int) -> None:
    """Streams of the tests' driver wait as long as they may: a missing wait would show."""
    each = 32 * BLOCK
    data, out = Pinned(device, BLOCK * blocks), Pinned(device, BLOCK * blocks)
    data.array[:] = np.frombuffer(random.Random(blocks).randbytes(BLOCK * blocks), np.uint8)

    def work(into: Memory, to: Memory, piece: Piece) -> None:
        numbers = np.uint64(len(piece.data) // BLOCK), np.bool_(False)
        device.call("minalpher", "minalpher_permute", 2, into, to, *numbers)

    pieces = list(cut(data.array, out.array, each))
    assert [len(p.data) for p in pieces] == [
        min(each, BLOCK * blocks - first) for first in range(0, BLOCK * blocks, each)
    ]
    device.pipeline(pieces, work, in_bytes=each, out_bytes=each)
    assert out.array.tobytes() == permuted(data.array.tobytes())


def test_copies_are_beside_the_work(
    device: Device, library: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All that may come in before the first piece has left does, if copies in are waited for first."""
    calls = ctypes.CDLL(library).host_cuda_calls
    calls.restype = ctypes.c_char_p
    data, out = np.zeros(4 * BLOCK, np.uint8), np.zeros(4 * BLOCK, np.uint8)

    def work(into: Memory, to: Memory, piece: Piece) -> None:
        numbers = np.uint64(1), np.bool_(False)
        device.call("minalpher", "minalpher_permute", 2, into, to, *numbers)

    def wait() -> None:
        for stream in (device._up, device.stream, device._down):
            device.driver.do("cuStreamSynchronize", stream)

    monkeypatch.setattr(device, "wait", wait)
    before = len(calls())
    device.pipeline(list(cut(data, out, BLOCK)), work, in_bytes=BLOCK, out_bytes=BLOCK)
    seen = calls()[before:].decode()
    assert sorted(seen) == sorted("ukd" * 4)
    # The third waits for the work on the first, whose memory it takes; no copy out is waited for.
    assert seen.startswith("uuku"), seen
