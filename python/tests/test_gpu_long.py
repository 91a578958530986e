"""One long message in pieces, on the driver that is this CPU: the bytes of the CPU's library around
every boundary, and no text before a tag."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from roundworks import aead as cpu
from roundworks.errors import InvalidTag
from roundworks.gpu import aead, gcm, long, minalpher
from roundworks.gpu.device import Device, Pinned
from roundworks.gpu.pieces import Piece, of_message
from test_gpu_device import device, library

__all__ = ["device", "library"]
REFUSED = "^authentication failed; no plaintext was released$"
# Bytes of a piece: the least of Minalpher; some blocks of AES-GCM.
PIECES = {"minalpher": 1024, "aes-128-gcm": 64, "aes-256-gcm": 48}
KEYS = {name: bytes(range(cpu.get(name).KEY_BYTES)) for name in PIECES}
NONCES = {name: bytes(range(cpu.get(name).NONCE_BYTES)) for name in PIECES}
AD = b"associated data of 37 bytes, two blocks"


def of(name: str, device: Device, piece_bytes: int) -> Any:
    made = long.Minalpher if name == "minalpher" else long.AesGcm
    return made(KEYS[name], device, piece_bytes=piece_bytes)


@pytest.mark.parametrize("pieces", [1, 2, 3])
@pytest.mark.parametrize("name", PIECES)
def test_lengths_around_pieces(device: Device, name: str, pieces: int) -> None:
    """Every length up to 17 bytes to either side; what is forged, for some of them."""
    ours, theirs = of(name, device, PIECES[name]), cpu.get(name)(KEYS[name])
    nonce, data = NONCES[name], random.Random(pieces).randbytes(4 * PIECES[name])
    for size in range(pieces * PIECES[name] - 17, pieces * PIECES[name] + 18):
        ad = AD[: size % 37]
        sealed = theirs.encrypt(nonce, data[:size], ad)
        assert ours.encrypt(nonce, data[:size], ad) == sealed, size
        assert ours.decrypt(nonce, sealed, ad) == data[:size], size
        if size % 7 == 0:
            forged = bytearray(sealed)
            forged[random.Random(size).randrange(len(sealed))] ^= 0x40
            with pytest.raises(InvalidTag, match=REFUSED):
                ours.decrypt(nonce, bytes(forged), ad)


@pytest.mark.parametrize("name", PIECES)
def test_many_pieces_from_pinned_memory_and_through_buffers(device: Device, name: str) -> None:
    """Seven pieces and a half: every buffer is used again, whichever memory is pinned."""
    piece = PIECES[name]
    ours, theirs = of(name, device, piece), cpu.get(name)(KEYS[name])
    data = random.Random(name).randbytes(7 * piece + piece // 2)
    sealed = theirs.encrypt(NONCES[name], data, AD)
    text = len(sealed) - 16
    pinned = [Pinned(device, size) for size in (len(data), text, text)]
    for which in itertools.product((False, True), repeat=3):
        given, out, opened = (
            p.array if is_pinned else np.empty_like(p.array)
            for p, is_pinned in zip(pinned, which, strict=True)
        )
        given[:] = np.frombuffer(data, np.uint8)
        tag = ours.seal(NONCES[name], given, out, AD)
        assert out.tobytes() + tag == sealed
        size = ours.open(NONCES[name], out, tag, opened, AD)
        assert opened[:size].tobytes() == data
    buffers = [p.array for made in device._staging.values() for p in made]
    assert len(buffers) == 4 and not any(array.any() for array in buffers), "wiped, and kept"


@pytest.mark.parametrize("name", PIECES)
def test_a_long_message_goes_in_pieces(
    device: Device, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """By itself, through the classes in the shape of the CPU's."""
    monkeypatch.setattr(long, "PIECE", 1024)
    counts: list[int] = []
    whole = device.pipeline

    def pipeline(pieces: Any, *args: Any, **named: Any) -> None:
        taken = list[Piece]()

        def counted() -> Iterator[Piece]:
            for piece in pieces:
                taken.append(piece)
                yield piece

        whole(counted(), *args, **named)
        counts.append(len(taken))

    monkeypatch.setattr(device, "pipeline", pipeline)
    ours: Any = aead.get(name)(KEYS[name], machine=device)
    data = random.Random(name).randbytes(5000)
    sealed = cpu.get(name)(KEYS[name]).encrypt(NONCES[name], data, AD)
    assert ours.encrypt(NONCES[name], bytearray(data), AD) == sealed
    assert ours.decrypt(NONCES[name], sealed, AD) == data and counts == [5, 5, 5]
    assert ours.decrypt(NONCES[name], ours.encrypt(NONCES[name], data[:900])) == data[:900]
    assert len(counts) == 3, "of what is not long nothing"


@pytest.mark.parametrize("name", PIECES)
def test_no_plaintext_before_the_tag(
    device: Device, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Of a forged message no kernel decrypts, and nothing but a tag or a verdict is copied out."""
    ours = of(name, device, PIECES[name])
    data = random.Random(name).randbytes(3 * PIECES[name] + 5)
    sealed = ours.encrypt(NONCES[name], data, AD)
    entries: list[str] = []
    call, copy_out = device.call, device.copy_out
    copied: list[int] = []

    def calling(family: str, entry: str, *args: Any, **named: Any) -> None:
        entries.append(entry)
        call(family, entry, *args, **named)

    def copying(to: Any, *args: Any) -> None:
        copied.append(to.size)
        copy_out(to, *args)

    monkeypatch.setattr(device, "call", calling)
    monkeypatch.setattr(device, "copy_out", copying)
    size = len(sealed) - 16
    for place in (0, size // 2, size - 1, size, len(sealed) - 1):
        forged = bytearray(sealed)
        forged[place] ^= 1
        out = np.full(size, 0x5A, np.uint8)
        given = np.frombuffer(bytes(forged), np.uint8)
        with pytest.raises(InvalidTag, match=REFUSED):
            ours.open(NONCES[name], given[:size], bytes(forged[size:]), out, AD)
        assert (out == 0x5A).all(), "untouched"
    assert not [e for e in entries if e.endswith("_ctr") or e == "minalpher_decrypt"]
    assert max(copied) <= minalpher.BLOCK


def test_wrong_padding_under_a_right_tag(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only who holds the key can seal it; then nothing stays either."""
    ours = of("minalpher", device, 1024)
    given = np.zeros(2048, np.uint8)
    out = np.empty(2080, np.uint8)
    tag = ours.seal(NONCES["minalpher"], given, out)
    monkeypatch.setattr("hmac.compare_digest", lambda a, b: True)
    with pytest.raises(InvalidTag, match=REFUSED):
        ours.open(NONCES["minalpher"], out[:2048], tag, given)
    assert not given.any()


def test_counters_to_the_last(device: Device) -> None:
    """A piece near the end of the 32 bits has the blocks that one call each gives."""
    ours = gcm.AesGcm(bytes(16), device)
    data = random.Random(1).randbytes(16 * 300)
    for first in (255, 2**20 + 3, 2**32 - 300):
        found = crypted(device, ours, data, first)
        for n in (0, 1, 254, 299):
            block = data[16 * n : 16 * n + 16]
            assert crypted(device, ours, block, first + n) == found[16 * n : 16 * n + 16]


def crypted(device: Device, cipher: gcm.AesGcm, data: bytes, first: int) -> bytes:
    out = device.zeros(len(data))
    cipher.crypt(bytes(12), device.put(data), len(data), out, first=first)
    return device.get(out, len(data))


def test_what_is_too_long(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    ours = of("aes-128-gcm", device, 64)
    monkeypatch.setattr(long, "LONGEST", 128)
    monkeypatch.setattr(gcm, "MOST_BLOCKS", 4)
    for size, ad, line in (
        (129, b"", "data: want at most 128 bytes, got 129; use the CPU"),
        (128, bytes(49), "associated_data: want at most 48 bytes, got 49; use the CPU"),
    ):
        with pytest.raises(ValueError, match=f"^{line}$"):
            ours.encrypt(bytes(12), bytes(size), ad)
    assert len(ours.encrypt(bytes(12), bytes(128), bytes(48))) == 144


def test_memory_that_was_pinned(device: Device) -> None:
    made = Pinned(device, 64)
    array = made.array
    assert device.is_pinned(array[3:]) and not device.is_pinned(array[::2])
    assert not device.is_pinned(np.zeros(64, np.uint8))
    made.release()
    assert not device.is_pinned(array), "whoever has its address now"


@pytest.mark.parametrize("name", PIECES)
def test_wrong_sizes_say_so(device: Device, name: str) -> None:
    ours, nonce, data = of(name, device, 1024), NONCES[name], np.zeros(2048, np.uint8)
    room = len(data) + (minalpher.BLOCK if name == "minalpher" else 0)
    for size in (room - 1, room + 1):
        with pytest.raises(ValueError, match=f"^out: want {room} bytes, got {size}$"):
            ours.seal(nonce, data, np.empty(size, np.uint8))
    line = f"^nonce: want {len(nonce)} bytes, got 5$"
    with pytest.raises(ValueError, match=line):
        ours.seal(nonce[:5], data, np.empty(room, np.uint8))
    with pytest.raises(ValueError, match=line):
        ours.open(nonce[:5], data, bytes(16), np.empty(2048, np.uint8))
    with pytest.raises(ValueError, match=r"^out: want 2048 bytes, got 2047$"):
        ours.open(nonce, data, bytes(16), np.empty(2047, np.uint8))
    for size in (0, 33):
        with pytest.raises(InvalidTag, match=REFUSED):
            ours.open(nonce, data[:size], bytes(16), np.empty(size, np.uint8))
    with pytest.raises(InvalidTag, match=REFUSED):
        ours.open(nonce, data, bytes(15), np.empty(2048, np.uint8))


def test_pieces_are_whole(device: Device) -> None:
    data, out = np.arange(10, dtype=np.uint8), np.zeros(12, np.uint8)
    seen = []
    for piece in of_message(device, data, out, 5, 3):
        seen.append((piece.number, piece.data.tobytes(), piece.out.size))
        piece.out[:] = piece.number + 1
    assert seen == [(0, bytes(range(5)), 5), (1, bytes(range(5, 10)), 5), (2, b"", 2)]
    assert out.tolist() == [1] * 5 + [2] * 5 + [3] * 2
