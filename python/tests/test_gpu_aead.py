"""The AEADs of a GPU beside those of the CPU: the same bytes, the same errors, the same words."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from gpu_tools import host_cuda
from roundworks import aead as cpu
from roundworks.errors import DeviceUnavailable, InvalidTag, UnknownName
from roundworks.gpu import aead
from roundworks.gpu.device import Device
from test_gpu_device import image

KEY, NONCE = bytes(range(16)), bytes(range(13))


@pytest.fixture
def ours(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    device = Device(library=host_cuda(), image=image)
    monkeypatch.setattr(aead, "_first", lambda: device)
    yield aead.get("minalpher")(KEY)
    device.trim()


@pytest.mark.parametrize("size", [0, 1, 31, 32, 33, 1023, 1024, 1025, 5000])
def test_the_same_bytes(ours: Any, size: int) -> None:
    data, ad = random.Random(size).randbytes(size), random.Random(-size).randbytes(size // 3)
    sealed = cpu.Minalpher(KEY).encrypt(NONCE, data, ad)
    assert ours.encrypt(NONCE, data, ad) == sealed
    assert ours.decrypt(NONCE, memoryview(sealed), bytearray(ad)) == data
    for place in (0, len(sealed) // 2, len(sealed) - 1):
        forged = bytearray(sealed)
        forged[place] ^= 0x10
        with pytest.raises(InvalidTag, match="^authentication failed; no plaintext was released$"):
            ours.decrypt(NONCE, forged, ad)


WRONG: list[Callable[[Any], object]] = [
    lambda it: it.encrypt(bytes(12), b""),
    lambda it: it.encrypt("nonce", b""),
    lambda it: it.encrypt(NONCE, "data"),
    lambda it: it.encrypt(NONCE, b"", 3),
    lambda it: it.decrypt(NONCE, b""),
    lambda it: it.decrypt(NONCE, bytes(64)),
    lambda it: it.decrypt(bytes(14), bytes(48)),
    lambda it: it.decrypt(NONCE, bytes(48)),
    lambda it: type(it)(bytes(15)),
]


@pytest.mark.parametrize("wrong", WRONG)
def test_the_same_errors(ours: Any, wrong: Callable[[Any], object]) -> None:
    found = []
    for it in (cpu.Minalpher(KEY), ours):
        with pytest.raises((ValueError, TypeError, InvalidTag)) as error:
            wrong(it)
        found.append((error.type, str(error.value)))
    assert found[0] == found[1]


def test_without_a_gpu_the_cpu_if_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody() -> Device:
        return Device(library="no-such-library.so")

    monkeypatch.setattr(aead, "_first", nobody)
    with pytest.raises(DeviceUnavailable, match=r"^libcuda.so.1: not found"):
        aead.get("minalpher")(KEY)
    with pytest.warns(aead.OnCpuWarning, match=r"^minalpher on the CPU: libcuda.so.1: not found"):
        it = aead.get("minalpher", fallback=True)(KEY)
    assert it.decrypt(NONCE, it.encrypt(NONCE, b"data", b"ad"), b"ad") == b"data"
    with pytest.raises(UnknownName, match="^cipher 'aes': not on a GPU; one of minalpher$"):
        aead.get("aes")
