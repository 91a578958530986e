"""One long message in increments, on the driver that is this CPU: the bytes of the CPU's library around
every boundary, and no text before a tag."""

from __future__ import annotations

import itertools
import random
from typing import Any

import numpy as np
import pytest

from gpu_tools import Log, leave, ledger
from roundworks import aead as cpu
from roundworks.errors import DeviceMemoryError, InvalidTag
from roundworks.gpu import aead
from roundworks.gpu.device import Device, Pinned
from roundworks.reference import IntWord
from roundworks.reference import minalpher as described

REFUSED = "^authentication failed; no plaintext was released$"
INCREMENT = 1024  # bytes, the minimum
NAMES = ("minalpher", "aes-128-gcm", "aes-256-gcm")
KEYS = {name: bytes(range(cpu.get(name).KEY_BYTES)) for name in NAMES}
NONCES = {name: bytes(range(cpu.get(name).NONCE_BYTES)) for name in NAMES}
AD = b"associated data of 37 bytes, two blocks"


def of(name: str, device: Device) -> Any:
    device.tune(increment_bytes=INCREMENT)
    return aead.get(name)(KEYS[name], machine=device)


@pytest.mark.parametrize("increments", [1, 2, 3])
@pytest.mark.parametrize("name", NAMES)
def test_lengths_around_increments(device: Device, name: str, increments: int) -> None:
    """Every length up to 17 bytes to either side; what is forged, for some of them."""
    ours, theirs = of(name, device), cpu.get(name)(KEYS[name])
    nonce, data = NONCES[name], random.Random(increments).randbytes(4 * INCREMENT)
    for size in range(increments * INCREMENT - 17, increments * INCREMENT + 18):
        ad = AD[: size % 37]
        sealed = theirs.encrypt(nonce, data[:size], ad)
        assert ours.encrypt(nonce, data[:size], ad) == sealed, size
        assert ours.decrypt(nonce, sealed, ad) == data[:size], size
        if size % 7 == 0:
            forged = bytearray(sealed)
            forged[random.Random(size).randrange(len(sealed))] ^= 0x40
            with pytest.raises(InvalidTag, match=REFUSED):
                ours.decrypt(nonce, bytes(forged), ad)


@pytest.mark.parametrize("name", NAMES)
def test_from_pinned_memory_and_through_buffers(device: Device, name: str) -> None:
    """Seven increments and a half: every buffer is used again, whichever memory is pinned."""
    ours, theirs = of(name, device), cpu.get(name)(KEYS[name])
    data = random.Random(name).randbytes(7 * INCREMENT + INCREMENT // 2)
    sealed = theirs.encrypt(NONCES[name], data, AD)
    sizes = (len(data), len(sealed), len(sealed) - 16)
    for which in itertools.product((True, False), repeat=3):
        arrays = [
            np.frombuffer(Pinned(device, size) if is_pinned else bytearray(size), np.uint8)
            for size, is_pinned in zip(sizes, which, strict=True)
        ]
        given, out, opened = arrays
        given[:] = np.frombuffer(data, np.uint8)
        device.trim()
        before = ledger("pinned")
        ours.encrypt_into(NONCES[name], given, AD, out)
        assert out.tobytes() == sealed
        assert ledger("pinned") - before == (0 if which[0] and which[1] else 4)
        size = ours.decrypt_into(NONCES[name], out, AD, opened)
        assert opened[:size].tobytes() == data and not opened[size:].any()
        device.trim()
        assert ledger("pinned") == before, "buffers are given back, wiped as the fixture sees"
        # In place.
        assert ours.decrypt_into(NONCES[name], out, AD, out[: sizes[2]]) == len(data)
        assert out[: len(data)].tobytes() == data


@pytest.mark.parametrize("name", NAMES)
def test_a_long_message_goes_in_increments(device: Device, name: str) -> None:
    ours, entry = of(name, device), "minalpher_encrypt" if name == "minalpher" else "_tables_ctr"
    data = random.Random(name).randbytes(5000)
    log = Log()
    sealed = ours.encrypt(NONCES[name], bytearray(data), AD)
    assert sealed == cpu.get(name)(KEYS[name]).encrypt(NONCES[name], data, AD)
    assert sum(e.endswith(entry) for e in log.entries) == 5
    assert ours.decrypt(NONCES[name], sealed, AD) == data
    log = Log()
    assert ours.decrypt(NONCES[name], ours.encrypt(NONCES[name], data[:900])) == data[:900]
    assert sum(e.endswith(entry) for e in log.entries) == (1 if name == "minalpher" else 2)


@pytest.mark.parametrize("name", NAMES)
def test_no_plaintext_before_the_tag(device: Device, name: str) -> None:
    """Of a forged message no kernel decrypts, and nothing but a tag or a verdict is copied out."""
    ours = of(name, device)
    data = random.Random(name).randbytes(3 * INCREMENT + 5)
    sealed = ours.encrypt(NONCES[name], data, AD)
    size = len(sealed) - 16
    for place in (0, size // 2, size - 1, size, len(sealed) - 1):
        forged = bytearray(sealed)
        forged[place] ^= 1
        out, log = np.full(size, 0x5A, np.uint8), Log()
        with pytest.raises(InvalidTag, match=REFUSED):
            ours.decrypt_into(NONCES[name], bytes(forged), AD, out)
        assert not out.any()
        assert not [e for e in log.entries if e.endswith("_ctr") or e == "minalpher_decrypt"]
        assert max(log.copied_out) <= 32


def test_wrong_padding_under_a_right_tag(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only who holds the key can seal it; then nothing stays either."""
    monkeypatch.setattr(described, "_padded", lambda data: data)
    cipher: described.Minalpher[IntWord] = described.Minalpher()
    for size in (64, 2048):
        text, tag = cipher.seal(KEYS["minalpher"], NONCES["minalpher"], bytes(size), AD)
        out = np.full(size, 0x5A, np.uint8)
        with pytest.raises(InvalidTag, match=REFUSED):
            of("minalpher", device).decrypt_into(NONCES["minalpher"], text + tag, AD, out)
        assert not out.any()


@pytest.mark.parametrize("name", NAMES)
def test_too_little_memory(device: Device, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Of the device or pinned: nothing is released, and the next call is whole."""
    ours, nonce = of(name, device), NONCES[name]
    sealed = ours.encrypt(nonce, bytes(3000), AD)
    device.tune(increment_bytes=1 << 20)
    large = bytes((3 << 20) + 16)
    out = bytearray(b"\x5a" * (3 << 20))
    for setting, line in (("BYTES", "^this CPU: want 1 MiB of memory"), ("PINNED", "^host: want 2 MiB of p")):
        with monkeypatch.context() as patch:
            if setting == "BYTES":
                leave(device, patch, 1 << 20)
            else:
                device.trim()
                patch.setenv("HOST_CUDA_PINNED", "1000")
            for call in (
                lambda: ours.encrypt(nonce, large),
                lambda: ours.decrypt_into(nonce, large, None, out),
            ):
                with pytest.raises(DeviceMemoryError, match=line):
                    call()
        assert not any(out)
        assert ours.decrypt(nonce, sealed, AD) == bytes(3000)


@pytest.mark.parametrize("name", NAMES)
def test_wrong_sizes_say_so(device: Device, name: str) -> None:
    ours, nonce, data = of(name, device), NONCES[name], np.zeros(2064, np.uint8)
    size = ours.sealed_bytes(2064)
    for wrong in (size - 1, size + 1):
        with pytest.raises(ValueError, match=f"^buf: want {size} bytes, got {wrong}$"):
            ours.encrypt_into(nonce, data, None, bytearray(wrong))
    with pytest.raises(ValueError, match=r"^buf: want 2048 bytes, got 2047$"):
        ours.decrypt_into(nonce, data, None, bytearray(2047))
    with pytest.raises(ValueError, match=r"^increment_bytes: want a multiple of 1024 bytes, got 1000$"):
        device.tune(increment_bytes=1000)
