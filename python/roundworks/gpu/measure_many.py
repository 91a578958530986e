"""Many messages that stay on the device, in the call that measures a GPU."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ..errors import KernelError
from . import device as devices
from .bench import DeviceBench, counted, digest, keyed, nonce, pattern

_SHORT = (64, 256, 1024, 4096, 16384)  # bytes of each message
# Messages that fill a multiprocessor: a lane for each, or for four of AETHER.
FILL = {"aegis-128l": 512, "rocca-s": 512, "aether": 1024}
_PREFIX = {"aegis-128l": "aegis128l", "rocca-s": "rocca_s", "aether": "aether"}


def minalpher(bench: DeviceBench, total: int = 1 << 26, each: Iterable[int] = _SHORT) -> None:
    """Messages of Minalpher of one size, `total` bytes of them.

    Raises
    ------
    KernelError
        ``minalpher: 64 messages of 64 bytes: other bytes``
    """
    host = keyed("minalpher", devices.host())
    for size in each:
        data = pattern(total).reshape(total // size, size)
        nonces = counted("minalpher", len(data))
        staged = keyed("minalpher", bench.device).stage(nonces, data)
        taken = bench.on_device(staged.run)
        texts, tags, _ = staged.read()
        text_bytes = len(texts) // len(data)
        if texts[:text_bytes] + tags[:16] != host.encrypt(nonces[0].tobytes(), data[0].tobytes()):
            raise KernelError(f"minalpher: {len(data):,} messages of {size:,} bytes: other bytes")
        _add(bench, "minalpher", "minalpher_encrypt_many", taken, size, len(data), digest(texts + tags))


def gcm(bench: DeviceBench, total: int = 1 << 26, each: Iterable[int] = _SHORT) -> None:
    """Messages of AES-128-GCM of one size, `total` bytes of them, each given to a lane or to a warp.

    Raises
    ------
    KernelError
        ``aes-128-gcm: 64 bytes: warps give other bytes than lanes``
    """
    name, device = "aes-128-gcm", bench.device
    for size in each:
        data = pattern(total).reshape(total // size, size)
        staged = keyed(name, device).stage(counted(name, len(data)), data)
        digests = set()
        for shape, warp_bytes in (("batch", 1 << 62), ("warps", 0)):
            device.tune(warp_bytes=warp_bytes)
            taken = bench.on_device(staged.run)
            texts, tags, _ = staged.read()
            digests.add(of := digest(texts + tags))
            _add(bench, name, f"gcm128_seal_{shape}", taken, size, len(data), of)
        device.tune(warp_bytes=1500)
        if len(digests) > 1:
            raise KernelError(f"{name}: {size} bytes: warps give other bytes than lanes")


def streams(
    bench: DeviceBench, each: Iterable[int] = (1500, 16384), fill: dict[str, int] | None = None
) -> None:
    """Messages of one size of AEGIS-128L, Rocca-S and AETHER, as many as fill the device.

    One round more for a message, as AETHER-LB has it, is not another speed. All messages are the same,
    nonce and all, as nothing of this is kept; so each is what the host has.

    Raises
    ------
    KernelError
        ``aegis-128l: 20 messages of 33 bytes: other bytes``
    """
    for name, of_each in (fill or FILL).items():
        for size in each:
            count = of_each * bench.device.multiprocessors
            if bench.fits(f"{name}, {count:,} messages of {size:,} bytes", 4 * size * count):
                _streams(bench, name, size, count)


def _streams(bench: DeviceBench, name: str, size: int, count: int) -> None:
    data, number, cipher = pattern(size).tobytes(), nonce(name), keyed(name, bench.device)
    want = keyed(name, devices.host()).encrypt(number, data)
    for stage, way, given, made in (("whole", "seal", data, want[:size]), ("opening", "open", want, data)):
        staged = cipher.stage([number] * count, [given] * count, sealed=way == "open")
        taken = bench.on_device(staged.run)
        texts, tags, right = staged.read()
        if (texts, tags) != (made * count, want[size:] * count) or not (way == "seal" or all(right)):
            raise KernelError(f"{name}: {count:,} messages of {size:,} bytes: other bytes")
        _add(
            bench=bench,
            name=name,
            entry=f"{_PREFIX[name]}_{way}_many",
            taken=taken,
            size=size,
            count=count,
            of=digest(want),
            stage=stage,
        )


def _add(
    bench: DeviceBench,
    name: str,
    entry: str,
    taken: list[float],
    size: int,
    count: int,
    of: str,
    stage: str = "whole",
) -> None:
    bench.add(name, stage, entry, taken, place="device", data_bytes=size, messages=count, digest=of)


STEPS: dict[str, Callable[[DeviceBench], None]] = {
    "AES-GCM, many messages on the device": gcm,
    "Minalpher, many messages on the device": minalpher,
    "AEGIS-128L, Rocca-S and AETHER, many messages on the device": streams,
}
