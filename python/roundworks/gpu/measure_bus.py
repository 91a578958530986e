"""Host to host, in the call that measures a GPU: one long message, and batches as Python gives them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import numpy as np

from .. import spec
from ..errors import KernelError
from . import long
from .bench import Bench, digest, pattern
from .device import Bytes, Pinned
from .gcm_many import AesGcm
from .machine import Host
from .many import Rows
from .minalpher import BLOCK, FACTS
from .minalpher_blocks import blocks_of, padded_rows
from .minalpher_many import Minalpher

_MINALPHER, _GCM = "minalpher", "aes-128-gcm"
_CLASSES: dict[str, Any] = {_MINALPHER: long.Minalpher, _GCM: long.AesGcm}
_ON_A_MACHINE: dict[str, Any] = {_MINALPHER: Minalpher, _GCM: AesGcm}
_KEY, _TAG = bytes(range(16)), 16
_LONG, _SHORT = (24, 27, 30), (64, 256, 1024, 4096, 16384)


def _nonce(name: str) -> bytes:
    return bytes(range(spec.cipher(name).nonce_bytes))


# -- one message -----------------------------------------------------------------------------------
def message(bench: Bench, bits: Iterable[int] = _LONG, piece_bytes: int = long.PIECE) -> None:
    """16 MiB to 1 GiB in pieces, sealed and opened: from pinned memory and back, and the largest of
    them through buffers as well, as bytes of Python go."""
    for name in _CLASSES:
        _small_pieces(bench, name)
        for size in (1 << n for n in bits):
            if bench.late() or size > bench.device.driver.free_bytes():
                bench.say(f"  {name}, {size:,} bytes and more: left out")
                break
            _message(bench, name, size, piece_bytes)


def _small_pieces(bench: Bench, name: str) -> None:
    """Five pieces are what one launch of the host's thread code gives."""
    data, ad = pattern(4500).tobytes(), b"associated data"
    ours = _CLASSES[name](_KEY, bench.device, piece_bytes=1024)
    want = _ON_A_MACHINE[name](_KEY, Host()).encrypt(_nonce(name), data, ad)
    if ours.encrypt(_nonce(name), data, ad) != want or ours.decrypt(_nonce(name), want, ad) != data:
        raise KernelError(f"{name}: pieces of a message give other bytes than one call")


def _message(bench: Bench, name: str, size: int, piece_bytes: int) -> None:
    device, nonce = bench.device, _nonce(name)
    cipher = _CLASSES[name](_KEY, device, piece_bytes=piece_bytes)
    room = size + BLOCK if name == _MINALPHER else size
    given, sealed = Pinned(device, room), Pinned(device, room)
    given.array[:size] = pattern(size)
    ways: dict[str, tuple[Bytes, Bytes]] = {"pinned": (given.array, sealed.array)}
    if size <= 1 << 27:  # the CPU's own copies bound it, whatever the size
        ways["buffered"] = (given.array.copy(), np.empty(room, np.uint8))
    for way, (data, out) in ways.items():
        tag = cipher.seal(nonce, data[:size], out)
        of = digest(out.tobytes() + tag)
        for stage, work in (
            ("whole", partial(cipher.seal, nonce, data[:size], out)),
            ("opening", partial(cipher.open, nonce, out, tag, data)),
        ):
            taken = bench.by_the_wall(work)
            bench.add(name, stage, f"{name}_{way}", taken, place="host", data_bytes=size, digest=of)
        if not np.array_equal(data[:size], pattern(size)):
            raise KernelError(f"{name}: {size} bytes: opened to other bytes")
    given.release()
    sealed.release()


# -- many messages ---------------------------------------------------------------------------------
def minalpher_many(bench: Bench, total: int = 1 << 26, each: Iterable[int] = _SHORT) -> None:
    """Messages of Minalpher of one size, so many bytes of them, that stay on the device."""
    device, cipher = bench.device, Minalpher(_KEY, bench.device)
    for size in each:
        count = total // size
        rows = padded_rows(pattern(total).reshape(count, size))
        nonces = _counted(count, FACTS.nonce_bytes)
        side = cipher.texts(nonces, rows.tobytes(), blocks_of(rows))
        out, hashes = device.room(rows.size), cipher.hashes(count, [b""])
        taken = bench.on_device(partial(cipher.sealed, side, hashes, out))
        tags = np.frombuffer(device.get(cipher.sealed(side, hashes, out), BLOCK * count), np.uint8)
        first = device.get(out, rows.shape[1]) + tags[:_TAG].tobytes()
        if first != Minalpher(_KEY, Host()).encrypt(nonces[0].tobytes(), pattern(size).tobytes()):
            raise KernelError(f"minalpher: {count:,} messages of {size:,} bytes: other bytes")
        of = digest(device.get(out, rows.size) + tags.reshape(count, BLOCK)[:, :_TAG].tobytes())
        bench.add(_MINALPHER, "whole", "minalpher_encrypt_many", taken, place="device",
                  data_bytes=size, messages=count, digest=of)  # fmt: skip


def batches(bench: Bench, total: int = 1 << 26, each: Iterable[int] = (1024, 16384)) -> None:
    """Rows of an array: the CPU lays them side by side, and copies from and to what is not pinned."""
    for name, made in _ON_A_MACHINE.items():
        cipher = made(_KEY, bench.device)
        for size in each:
            data = pattern(total).reshape(total // size, size)
            nonces = _counted(len(data), len(_nonce(name)))
            rows = Rows.given(nonces, data, None, nonces.shape[1])
            sealed = np.empty((len(data), _sealed_bytes(name, size)), np.uint8)
            taken = bench.by_the_wall(partial(cipher.seal_many, rows, sealed))
            bench.add(name, "whole", f"{name}_seal_many", taken, place="host", data_bytes=size,
                      messages=len(data), digest=digest(sealed.tobytes()))  # fmt: skip


def _sealed_bytes(name: str, size: int) -> int:
    padded = BLOCK * (size // BLOCK + 1) if name == _MINALPHER else size
    return padded + _TAG


def _counted(count: int, nonce_bytes: int) -> Bytes:
    """Nonces 0, 1, .."""
    made = np.zeros((count, nonce_bytes), np.uint8)
    made[:, nonce_bytes - 4 :] = np.arange(count, dtype=">u4").view(np.uint8).reshape(count, 4)
    return made


STEPS: dict[str, Callable[[Bench], None]] = {
    "one long message over the bus": message,
    "batches over the bus, from Python": batches,
    "Minalpher, many messages on the device": minalpher_many,
}
