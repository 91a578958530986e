"""AES-CTR and AES-GCM in the call that measures a GPU: checks, sizes, the paper's tables, batches."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

import numpy as np

from .. import spec
from ..errors import InvalidTag, KernelError
from .bench import PARTS_BLOCKS, SIZES, Bench, digest, paper_counts, pattern
from .device import Bytes, Device, Memory, Pinned
from .gcm import BLOCK, FACTS, NONCE, TAG
from .gcm_many import AesGcm, places
from .machine import Machine
from .many import Rows

_GCM = "aes-128-gcm"
_KEY, _NONCE = bytes(range(16)), bytes(range(NONCE))
_TABLES, _SLICES = "aes128_tables_ctr", "aes_slices_ctr"
_SHORT = (64, 256, 1024, 4096, 16384)  # bytes of the messages of a batch


# -- right before fast -------------------------------------------------------------------------
def check(name: str, machine: Machine) -> int:
    """All vectors of a cipher, counter mode from tables and on slices; returns how many."""
    made: dict[bytes, list[AesGcm]] = {}
    seen = 0
    for v in spec.aead_vectors(name):
        if v.key not in made:
            made[v.key] = [AesGcm(v.key, machine, groups=1 + s, slices=s) for s in (False, True)]
        for cipher in made[v.key]:
            if v.valid and cipher.encrypt(v.nonce, v.pt, v.ad) != v.ct + v.tag:
                raise KernelError(f"{name}: vector {v.id}: the kernel gives other bytes")
            try:
                right = cipher.decrypt(v.nonce, v.ct + v.tag, v.ad) == v.pt
            except InvalidTag:
                right = not v.valid
            if not right:
                raise KernelError(f"{name}: vector {v.id}: the kernel decides otherwise")
        seen += 1
    return seen


def check_batches(machine: Machine) -> int:
    """A lane and a warp for each message give what one launch gives; a wrong tag nothing."""
    for key_bytes in FACTS:
        cipher = AesGcm(bytes(range(key_bytes)), machine)
        for size in (75, 3000):  # a lane's, and a warp's
            data = pattern(40 * size).reshape(40, size)
            rows = Rows(
                pattern(40 * NONCE).reshape(40, NONCE), data, pattern(40 * 21).reshape(40, 21)
            )
            out = np.empty((40, size + TAG), np.uint8)
            cipher.seal_many(rows, out)
            for nonce, text, ad, sealed in zip(rows.nonces, data, rows.ad, out, strict=True):
                if cipher.encrypt(*(x.tobytes() for x in (nonce, text, ad))) != sealed.tobytes():
                    raise KernelError(f"aes-gcm: {size} bytes: a batch gives other bytes")
            out[7, 5] ^= 1
            opened = np.empty_like(data)
            ok = cipher.open_many(Rows(rows.nonces, out, rows.ad), opened)
            want = np.where(np.arange(40)[:, None] == 7, 0, data)
            if ok.sum() != 39 or ok[7] or not np.array_equal(opened, want):
                raise KernelError(f"aes-gcm: {size} bytes: a batch decides otherwise")
    return 4


CHECKS: dict[str, Callable[[Machine], int]] = {
    "aes-128-gcm": partial(check, "aes-128-gcm"),
    "aes-256-gcm": partial(check, "aes-256-gcm"),
    "aes-gcm, many messages": check_batches,
}


# -- messages that stay on the device ------------------------------------------------------------
def _ciphers(device: Device, key: bytes = _KEY) -> dict[str, AesGcm]:
    """By the entry of their counter mode."""
    groups = device.driver.multiprocessors
    return {
        _SLICES if slices else f"aes{8 * len(key)}_tables_ctr": AesGcm(
            key, device, groups=groups, slices=slices
        )
        for slices in (False, True)
    }


def _seal(cipher: AesGcm, data: Memory, size: int, out: Memory) -> None:
    """Whole blocks, and the tag behind them."""
    cipher.crypt(_NONCE, data, size, out)
    cipher.authenticate(_NONCE, b"", out, size, out.at(size))


def sizes(bench: Bench, bits: Iterable[int] = SIZES, key_bytes: Iterable[int] = (16, 32)) -> None:
    """One message, 16 KiB to 1 GiB: counter mode from tables and on slices, then all of AES-GCM."""
    for of_key in key_bytes:
        ciphers = _ciphers(bench.device, bytes(range(of_key)))
        for size in (1 << n for n in bits):
            if bench.late() or 3 * size > bench.device.driver.free_bytes():
                bench.say(f"  AES-{8 * of_key}, {size:,} bytes and more: left out")
                break
            _size(bench, f"aes-{8 * of_key}", ciphers, size)


def _size(bench: Bench, name: str, ciphers: Mapping[str, AesGcm], size: int) -> None:
    device = bench.device
    data, out = device.put(pattern(size)), device.room(size + TAG)
    found: dict[str, set[str]] = {}
    for backend, cipher in ciphers.items():
        for mode, work, made in (
            ("ctr", partial(cipher.crypt, _NONCE, data, size, out), size),
            ("gcm", partial(_seal, cipher, data, size, out), size + TAG),
        ):
            taken = bench.on_device(work)
            is_of = digest(device.get(out, made))
            found.setdefault(mode, set()).add(is_of)
            bench.add(f"{name}-{mode}", "whole", backend, taken, place="device", data_bytes=size,
                      digest=is_of)  # fmt: skip
    if any(len(digests) > 1 for digests in found.values()):
        raise KernelError(f"{name}-gcm: {size} bytes: slices give other bytes than tables")


def many(bench: Bench, total: int = 1 << 26, each: Iterable[int] = _SHORT) -> None:
    """Messages of one size, so many bytes of them, each given to a lane or to a warp."""
    device, cipher = bench.device, _ciphers(bench.device)[_TABLES]
    data, out = device.put(pattern(total)), device.room(total)
    for size in each:
        count = total // size
        rows = Rows(
            _counted(count), pattern(total).reshape(count, size), np.empty((1, 0), np.uint8)
        )
        nonces, where = device.put(rows.nonces.tobytes()), device.put(places(rows).tobytes())
        tags, unused = device.zeros(TAG * count), device.zeros(4 * count)
        found = set()
        for warps in (False, True):
            taken = bench.on_device(partial(
                cipher.batch, "seal", count, warps, nonces, where, unused, data, out, tags, unused
            ))  # fmt: skip
            is_of = digest(device.get(out, total) + device.get(tags, TAG * count))
            found.add(is_of)
            name = f"gcm128_seal_{'warps' if warps else 'batch'}"
            bench.add(_GCM, "whole", name, taken, place="device", data_bytes=size, messages=count,
                      digest=is_of)  # fmt: skip
        if len(found) > 1:
            raise KernelError(f"{_GCM}: {size} bytes: warps give other bytes than lanes")


def _counted(count: int) -> Bytes:
    """Nonces 0, 1, .."""
    made = np.zeros((count, NONCE), np.uint8)
    made[:, NONCE - 4 :] = np.arange(count, dtype=">u4").view(np.uint8).reshape(count, 4)
    return made


# -- the paper's tables ----------------------------------------------------------------------------
def paper_blocks(bench: Bench, counts: Sequence[int] = ()) -> None:
    """The paper's numbers of blocks: bytes in, ciphertext and tag out."""
    cipher = _ciphers(bench.device)[_TABLES]
    for count in counts or paper_counts():
        data = pattern(count * BLOCK).tobytes()
        sealed = cipher.encrypt(_NONCE, data)
        taken = bench.by_the_wall(partial(cipher.encrypt, _NONCE, data))
        bench.add(_GCM, "whole", _TABLES, taken, place="host", data_bytes=len(data),
                  digest=digest(sealed))  # fmt: skip


def paper_parts(bench: Bench, blocks: int = PARTS_BLOCKS) -> None:
    """The parts of 40,000 blocks; tweaks it has none."""
    device, size = bench.device, blocks * BLOCK
    cipher, host = _ciphers(device)[_TABLES], Pinned(device, size + TAG)
    data, out = device.put(pattern(size)), device.zeros(size + TAG)

    def copies() -> None:
        device.copy_in(data, host.array[:size])
        device.copy_out(host.array, out)

    parts: dict[str, Callable[[], object]] = {
        "encryption": lambda: cipher.crypt(_NONCE, data, size, out),
        "authentication": lambda: cipher.authenticate(_NONCE, b"", out, size, out.at(size)),
        "copy": copies,
        "set": lambda: device.zeros(size + TAG),
    }
    for stage, work in parts.items():
        backend = {"encryption": _TABLES, "authentication": "ghash_sum"}.get(stage, stage)
        bench.add(_GCM, stage, backend, bench.on_device(work), place="host", data_bytes=size)


STEPS: dict[str, Callable[[Bench], None]] = {
    "AES-CTR and AES-GCM, one message on the device": sizes,
    "AES-GCM, the paper's parts": paper_parts,
    "AES-GCM, the paper's block counts": paper_blocks,
    "AES-GCM, many messages on the device": many,
}
