"""Everything that a GPU is measured in, in one call: ceilings, one message on the device, the paper's
tables, and what goes over the bus; `measure_many` has many messages on the device.

A sample is of all of its work, and every one is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from ..errors import KernelError
from . import device as devices
from .bench import (
    PARTS_BLOCKS,
    SIZES,
    Bytes,
    DeviceBench,
    counted,
    digest,
    keyed,
    nonce,
    paper_counts,
    pattern,
)
from .device import Device, Pinned
from .measure_many import STEPS as OF_MANY

MINALPHER, GCM = "minalpher", "aes-128-gcm"
INCREMENT_BYTES = 1 << 24
_TAG = 16
_BLOCK = {MINALPHER: 32, GCM: 16}
# The entry that is named as the back end of a whole message.
_ENTRY = {MINALPHER: "minalpher_encrypt", GCM: "aes128_tables_ctr", "aes-256-gcm": "aes256_tables_ctr"}
_CHAINED = 8 * 32  # LOP3 or look-ups of a turn in kernels/ceilings


def pinned(device: Device, size: int) -> Bytes:
    """An array of zeros in pinned memory, shape (size,)."""
    memory: Any = Pinned(device, size)  # a buffer, which types can say from Python 3.12 on
    return np.frombuffer(memoryview(memory), np.uint8)


def ceilings(bench: DeviceBench, turns: int = 4096, copied: int = 1 << 29) -> None:
    """LOP3, look-ups, and copies of `copied` bytes: within memory, over the bus from and to pinned
    memory, and both of these at once, by a pipeline without work."""
    device = bench.device
    threads = 2048 * device.multiprocessors
    out = device.zeros(4 * threads)
    for entry, unit in (("ceilings_lop3", "lop3"), ("ceilings_look_ups", "look-ups")):
        work = partial(device.launch, "ceilings", entry, threads, out, turns)
        # As many threads as the device holds of it.
        count = float(work() * turns * _CHAINED)
        taken = bench.on_device(work)
        bench.add(unit, "ceiling", entry, taken, place="device", data_bytes=0, work=count, unit=unit)
    first, second = device.zeros(copied), device.zeros(copied)
    copy = partial(device.launch, "ceilings", "ceilings_copy", threads, first, second, copied // 4)
    taken = bench.on_device(copy)
    bench.add("memory", "ceiling", "ceilings_copy", taken, place="device", data_bytes=copied)
    here: Any = Pinned(device, copied)
    back: Any = Pinned(device, copied)
    np.frombuffer(memoryview(here), np.uint8).fill(1)
    ways = {"upload": partial(device.copy_in, first, here), "download": partial(device.copy_out, here, first)}
    for subject, way in ways.items():
        bench.add(subject, "ceiling", "copy", bench.on_device(way), place="host", data_bytes=copied)
    taken = bench.by_the_wall(lambda: device.pipeline(here, back, INCREMENT_BYTES, lambda *_: None))
    bench.add("both ways", "ceiling", "pipeline", taken, place="host", data_bytes=copied)


class Resident:
    """One message of `size` bytes, whole blocks, that stays on a device."""

    def __init__(self, name: str, device: Device, size: int) -> None:
        self.cipher, self.nonce, self.size = keyed(name, device), nonce(name), size
        self.text_bytes = self.cipher.sealed_bytes(size) - _TAG
        self.data, self.out = device.put(pattern(size)), device.zeros(self.text_bytes + 2 * _TAG)
        self.tag = self.out.address + self.text_bytes

    def seal(self) -> None:
        """Ciphertext, and the tag behind it; tweaks with them."""
        self.cipher.seal_on_device(self.nonce, self.data, self.size, self.out, self.tag)

    def open(self, to: devices.DeviceMemory) -> None:
        """Enqueue the opening of the sealed message into `to`."""
        self.cipher.open_on_device(self.nonce, self.out, self.text_bytes, to, self.tag)

    def sealed(self) -> bytes:
        """Ciphertext and tag, copied from the device."""
        return self.out.read(self.text_bytes + _TAG)


def sizes(bench: DeviceBench, bits: Iterable[int] = SIZES) -> None:
    """One message of Minalpher that stays on the device, 2^bits bytes, tweaks and tag with it."""
    for size in (1 << n for n in bits):
        if not bench.fits(f"Minalpher, {size:,} bytes and more", 6 * size):
            return
        message = Resident(MINALPHER, bench.device, size)
        taken, of = bench.on_device(message.seal), digest(message.sealed())
        bench.add(MINALPHER, "whole", _ENTRY[MINALPHER], taken, place="device", data_bytes=size, digest=of)


def gcm_sizes(bench: DeviceBench, bits: Iterable[int] = SIZES, key_bits: Iterable[int] = (128, 256)) -> None:
    """One message, 2^bits bytes: counter mode from tables and by bit slices, and all of AES-GCM.

    Raises
    ------
    KernelError
        ``aes-128-gcm: 1024 bytes: bit slices give other bytes than tables``
    """
    for of_key in key_bits:
        name = f"aes-{of_key}"
        for size in (1 << n for n in bits):
            if not bench.fits(f"AES-{of_key}, {size:,} bytes and more", 3 * size):
                break
            message, result = Resident(f"{name}-gcm", bench.device, size), set()
            for backend in (_ENTRY[f"{name}-gcm"], "aes_slices_ctr"):
                bench.device.tune(bit_slices=backend == "aes_slices_ctr")
                of_entries, whole = bench.entries(message.seal), bench.on_device(message.seal)
                sealed = message.sealed()
                result.add(digest(sealed))
                for mode, taken, of in (
                    ("ctr", of_entries[backend], digest(sealed[:size])),
                    ("gcm", whole, digest(sealed)),
                ):
                    bench.add(
                        f"{name}-{mode}", "whole", backend, taken, place="device", data_bytes=size, digest=of
                    )
            bench.device.tune(bit_slices=False)
            if len(result) > 1:
                raise KernelError(f"{name}-gcm: {size} bytes: bit slices give other bytes than tables")


def paper_blocks(name: str, bench: DeviceBench, counts: Sequence[int] = ()) -> None:
    """The paper's numbers of blocks: bytes in, ciphertext and tag out; and all of it on the device.

    Raises
    ------
    KernelError
        ``minalpher: 16000 bytes: other bytes on the device than over the bus``
    """
    cipher, number = keyed(name, bench.device), nonce(name)
    for count in counts or paper_counts():
        data = pattern(count * _BLOCK[name]).tobytes()
        message, of = Resident(name, bench.device, len(data)), digest(cipher.encrypt(number, data))
        over_the_bus = bench.by_the_wall(partial(cipher.encrypt, number, data))
        on_device = bench.on_device(message.seal)
        for place, taken in (("host", over_the_bus), ("device", on_device)):
            bench.add(name, "whole", _ENTRY[name], taken, place=place, data_bytes=len(data), digest=of)
        if digest(message.sealed()) != of:
            raise KernelError(f"{name}: {len(data)} bytes: other bytes on the device than over the bus")


def paper_parts(name: str, bench: DeviceBench, blocks: int = PARTS_BLOCKS) -> None:
    """The parts of 40,000 blocks, as in [MINALPHER-GPU, table 4]: launches one by one, copies from and
    to pinned memory, and memory set to zeros. Tweaks AES-GCM has none."""
    device, size = bench.device, blocks * _BLOCK[name]
    message = Resident(name, device, size)
    seal = bench.entries(message.seal)
    if name == MINALPHER:
        opened = device.zeros(message.text_bytes)
        tag = bench.entries(partial(message.open, opened))["minalpher_tag"]
        work = _sum(seal, "minalpher_encrypt", "minalpher_finish")
        parts = {
            "tweaks": ("minalpher", _sum(seal, "minalpher_start", "minalpher_fill")),
            "authentication": ("minalpher", tag),
            "encryption": ("minalpher", [max(1.0, ns - float(np.median(tag))) for ns in work]),
        }
    else:
        parts = {
            "encryption": (_ENTRY[name], seal[_ENTRY[name]]),
            "authentication": ("ghash_sum", _sum(seal, "ghash_sum", "gcm_tag")),
        }
    inside, outside = Pinned(device, size), Pinned(device, message.text_bytes + _TAG)

    def copies() -> None:
        device.copy_in(message.data, inside)
        device.copy_out(outside, message.out)

    other = "minalpher" if name == MINALPHER else ""
    parts["copy"] = (other or "copy", bench.on_device(copies))
    parts["set"] = (other or "set", bench.on_device(lambda: device.zeros(message.text_bytes + _TAG)))
    for stage, (backend, taken) in parts.items():
        bench.add(name, stage, backend, taken, place="host", data_bytes=size)


def _sum(entries: dict[str, list[float]], *names: str) -> list[float]:
    return [sum(of) for of in zip(*(entries[name] for name in names if name in entries), strict=True)]


def streamed(bench: DeviceBench, size: int = 1 << 24, messages: int = 64) -> None:
    """Messages of Minalpher from pinned memory and back, copies during the work; each has its tweaks made.

    Raises
    ------
    KernelError
        ``minalpher: a pipeline gives other bytes than one call``
    """
    device, number = bench.device, nonce(MINALPHER)
    cipher = keyed(MINALPHER, device)
    text_bytes = cipher.sealed_bytes(size) - _TAG
    # As long as its ciphertext and tag, rounded up: what comes in is what goes out.
    each = text_bytes + 2 * _TAG
    data, out = pinned(device, messages * each), pinned(device, messages * each)
    data.reshape(messages, each)[:, :size] = pattern(size)

    def seal(into: int, to: int, _: int) -> None:
        # One nonce for all, as nothing of this is kept.
        cipher.seal_on_device(number, into, size, to, to + text_bytes)

    taken = bench.by_the_wall(lambda: device.pipeline(data, out, each, seal))
    want = cipher.encrypt(number, data[:size].tobytes())
    if any(out[at : at + len(want)].tobytes() != want for at in range(0, len(out), each)):
        raise KernelError("minalpher: a pipeline gives other bytes than one call")
    bench.add(
        MINALPHER,
        "whole",
        _ENTRY[MINALPHER],
        taken,
        place="host",
        data_bytes=size,
        messages=messages,
        digest=digest(want),
    )


def message(
    bench: DeviceBench, bits: Iterable[int] = (24, 27, 30), increment_bytes: int = INCREMENT_BYTES
) -> None:
    """16 MiB to 1 GiB in increments, sealed and opened: from pinned memory and back, and up to 128 MiB
    through buffers as well, as bytes of Python go."""
    device = bench.device
    for name in (MINALPHER, GCM):
        device.tune(increment_bytes=1024)
        _small_increments(device, name)
        device.tune(increment_bytes=increment_bytes)
        for size in (1 << n for n in bits):
            if not bench.fits(f"{name}, {size:,} bytes and more", size):
                break
            _message(bench, name, size)
    device.tune(increment_bytes=INCREMENT_BYTES)


def _small_increments(device: Device, name: str) -> None:
    """Five increments are what one launch of the host's thread code gives."""
    data, ad, number = pattern(4500).tobytes(), b"associated data", nonce(name)
    ours, want = keyed(name, device), keyed(name, devices.host()).encrypt(number, data, ad)
    if ours.encrypt(number, data, ad) != want or ours.decrypt(number, want, ad) != data:
        raise KernelError(f"{name}: increments of a message give other bytes than one call")


def _message(bench: DeviceBench, name: str, size: int) -> None:
    device, number = bench.device, nonce(name)
    cipher: Any = keyed(name, device)  # which takes arrays too
    text_bytes = cipher.sealed_bytes(size) - _TAG
    given, sealed = pinned(device, text_bytes), pinned(device, text_bytes + _TAG)
    ways: dict[str, tuple[Bytes, Bytes]] = {"pinned": (given, sealed)}
    if size <= 1 << 27:  # the CPU's own copies bound it, whatever the size
        ways["buffered"] = (np.zeros_like(given), np.zeros_like(sealed))
    for way, (data, out) in ways.items():
        data[:size] = pattern(size)
        whole = bench.by_the_wall(partial(cipher.encrypt_into, number, data[:size], b"", out))
        of = digest(out.tobytes())
        opening = bench.by_the_wall(partial(cipher.decrypt_into, number, out, b"", data))
        for stage, taken in (("whole", whole), ("opening", opening)):
            bench.add(name, stage, f"{name}_{way}", taken, place="host", data_bytes=size, digest=of)
        if not np.array_equal(data[:size], pattern(size)):
            raise KernelError(f"{name}: {size} bytes: opened to other bytes")


def batches(bench: DeviceBench, total: int = 1 << 26, each: Iterable[int] = (1024, 16384)) -> None:
    """Rows of an array: the CPU puts them one after another, and copies from and to what is not pinned."""
    for name in (MINALPHER, GCM):
        cipher = keyed(name, bench.device)
        for size in each:
            data = pattern(total).reshape(total // size, size)
            sealed = np.empty((len(data), cipher.sealed_bytes(size)), np.uint8)
            taken = bench.by_the_wall(partial(cipher.seal_many, counted(name, len(data)), data, out=sealed))
            bench.add(
                name,
                "whole",
                f"{name}_seal_many",
                taken,
                place="host",
                data_bytes=size,
                messages=len(data),
                digest=digest(sealed.tobytes()),
            )


STEPS: dict[str, Callable[[DeviceBench], None]] = {
    "ceilings": ceilings,
    "Minalpher, one message on the device": sizes,
    "Minalpher, the paper's parts": partial(paper_parts, MINALPHER),
    "Minalpher, the paper's block counts": partial(paper_blocks, MINALPHER),
    "Minalpher, a batch over the bus": streamed,
    "AES-CTR and AES-GCM, one message on the device": gcm_sizes,
    "AES-GCM, the paper's parts": partial(paper_parts, GCM),
    "AES-GCM, the paper's block counts": partial(paper_blocks, GCM),
    "one long message over the bus": message,
    "batches over the bus, from Python": batches,
    **OF_MANY,
}


def measure(bench: DeviceBench) -> Iterator[str]:
    """Names of the steps as they are done."""
    for name, step in STEPS.items():
        if bench.late():
            bench.say(f"{name}: left out, the time is over")
            continue
        step(bench)
        yield name
