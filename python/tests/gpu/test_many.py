"""Many messages in one call, and the same call on the CPU: rows, lists of any sizes, errors."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from gpu_tools import Log
from roundworks import aead as cpu
from roundworks import spec
from roundworks.gpu import aead
from roundworks.gpu.device import Device

pytestmark = pytest.mark.filterwarnings("ignore::roundworks.errors.ResearchOnlyWarning")
# Each size of tag has kernels of its own.
TAGS = [(name, size) for name in aead.names() for size in spec.cipher(name).tag_sizes]
GCM = ("aes-128-gcm", "aes-256-gcm")
PAD = 32  # bytes of a block of Minalpher, which pads


def rows(count: int, width: int, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 256, (count, width), np.uint8)


def pair(name: str, device: Device, tag_bytes: int | None = None) -> tuple[Any, Any]:
    key = bytes(range(cpu.get(name).KEY_BYTES))
    theirs = cpu.get(name)(key, tag_bytes=tag_bytes)
    return aead.get(name)(key, tag_bytes=tag_bytes, machine=device), theirs


def nonces_of(cipher: Any, count: int) -> np.ndarray:
    return rows(count, cipher.NONCE_BYTES, 1)


# Around a block of either size, 32 of Minalpher's, what two groups of associated data take.
@pytest.mark.parametrize(
    ("count", "size", "ad_bytes"),
    [
        (0, 5, 0),
        (1, 0, 0),
        (1, 31, 1),
        (7, 15, 16),
        (3, 33, 64),
        (33, 64, 65),
        (5, 1023, 0),
        (4, 1024, 2047),
        (4, 1057, 2049),
        (9, 0, 33),
    ],
)
@pytest.mark.parametrize(("name", "tag_bytes"), TAGS)
def test_rows(device: Device, name: str, tag_bytes: int, count: int, size: int, ad_bytes: int) -> None:
    ours, theirs = pair(name, device, tag_bytes)
    nonces, data, ads = nonces_of(ours, count), rows(count, size, 2), rows(count, ad_bytes, 3)
    shapes = (1 << 30, 0) if name in GCM else (1500,)  # a lane for each, then a warp
    for ad, warp_bytes in ((ads, shapes[0]), (b"header" * ad_bytes, shapes[-1]), (None, shapes[0])):
        device.tune(warp_bytes=warp_bytes)
        sealed = theirs.seal_many(nonces, data, ad)
        out = np.full(sealed.shape, 0xFF, np.uint8)
        assert ours.seal_many(nonces, data, ad, out=out) is out and np.array_equal(out, sealed)
        opened, ok = ours.open_many(nonces, sealed, ad)
        assert ok.dtype == np.bool_ and ok.all() and opened.shape[0] == count
        assert not count or np.array_equal(opened, data)


@pytest.mark.parametrize("warp_bytes", [0, 1 << 30], ids=["warps", "lanes"])
@pytest.mark.parametrize("name", aead.names())
def test_refused_rows_are_zero_and_named(device: Device, name: str, warp_bytes: int) -> None:
    device.tune(warp_bytes=warp_bytes)
    ours, theirs = pair(name, device)
    nonces, data = nonces_of(ours, 40), rows(40, 70, 4)
    data[11] = 0  # authentic zeros are not a refusal
    sealed = theirs.seal_many(nonces, data)
    sealed[[3, 17, 39], [0, 5, -1]] ^= 0x10
    nonces[20, 11] ^= 1
    want, of = theirs.open_many(nonces, sealed)
    out = np.full((40, ours.opened_bytes(sealed.shape[1])), 0xFF, np.uint8)
    opened, ok = ours.open_many(nonces, sealed, out=out)
    assert sorted(np.flatnonzero(~ok)) == [3, 17, 20, 39]
    assert np.array_equal(ok, of) and np.array_equal(opened, want)
    assert np.may_share_memory(opened, out) and not out[:, 70:].any()


@pytest.mark.parametrize("launch_bytes", [1300, 1 << 26])
@pytest.mark.parametrize(("name", "tag_bytes"), TAGS)
def test_lists(device: Device, name: str, tag_bytes: int, launch_bytes: int) -> None:
    """Of any sizes in any order, in one launch and in several; lanes and warps of AES-GCM."""
    device.tune(launch_bytes=launch_bytes, warp_bytes=300)
    ours, theirs = pair(name, device, tag_bytes)
    rng = random.Random(launch_bytes)
    data = [rng.randbytes(n) for n in (700, 0, 15, 16, 3000, 31, 32, 33, 299, 300, 64, 640, 1279, 1280, 1)]
    nonces = [rng.randbytes(ours.NONCE_BYTES) for _ in data]
    for ads in ([rng.randbytes(7 * i % 151) for i in range(len(data))], b"for all", None):
        sealed = theirs.seal_many(nonces, data, ads)
        log = Log()
        assert ours.seal_many(nonces, data, ads) == sealed
        seals = [e for e in log.entries if "_seal_" in e or e == "minalpher_encrypt_many"]
        several = (
            {e.rsplit("_", 1)[1] for e in seals} == {"batch", "warps"} if name in GCM else len(seals) > 1
        )
        assert several == (name in GCM or launch_bytes == 1300)
        wrong = [*sealed]
        wrong[1], wrong[4] = b"short", sealed[4][:-1] + bytes((sealed[4][-1] ^ 1,))
        wrong[2], wrong[5], wrong[7] = b"", sealed[5][:-1], bytes(len(sealed[7]))
        assert ours.open_many(nonces, wrong, ads) == theirs.open_many(nonces, wrong, ads)
    assert ours.seal_many([], []) == [] and ours.open_many([], []) == ([], [])


# -- what pads -----------------------------------------------------------------------------------
def test_long_rows(device: Device) -> None:
    """More than 64 columns of tweaks, and a second tile of them, in a batch."""
    ours, theirs = pair("minalpher", device)
    for size in (62 * 1024 - 1, 62 * 1024 + 1, 256 * 1024 + 33):
        nonces, data = rows(2, 13, size), rows(2, size, 2)
        sealed = theirs.seal_many(nonces, data, b"ad")
        assert np.array_equal(ours.seal_many(nonces, data, b"ad"), sealed)
        assert np.array_equal(ours.open_many(nonces, sealed, b"ad")[0], data)


def test_rows_of_several_sizes(device: Device) -> None:
    """What pads may hold them in rows of one; then nothing is given out, as on the CPU."""
    ours, _ = pair("minalpher", device)
    nonces = rows(2, 13, 1)
    sealed = [ours.encrypt(n.tobytes(), bytes(size)) for n, size in zip(nonces, (64, 70), strict=True)]
    out = np.full((2, 3 * PAD), 0xFF, np.uint8)
    with pytest.raises(ValueError, match="^data: rows of 64 and of 70 bytes in it; pass a list$"):
        ours.open_many(nonces, np.frombuffer(b"".join(sealed), np.uint8).reshape(2, -1), out=out)
    assert not out.any()
    opened, ok = ours.open_many([n.tobytes() for n in nonces], sealed)
    assert [len(one) for one in opened] == [64, 70] and ok == [True, True]


# -- errors --------------------------------------------------------------------------------------
N, DATA = rows(4, 12, 1), rows(4, 80, 2)
WRONG: list[Callable[[Any], object]] = [
    lambda it: it.seal_many(rows(4, 13, 1), DATA),
    lambda it: it.seal_many(rows(3, 12, 1), DATA),
    lambda it: it.seal_many(N, DATA, rows(1, 5, 3)),
    lambda it: it.seal_many(N, DATA, out=np.zeros((4, 80), np.uint8)),
    lambda it: it.open_many(N, rows(4, 15, 2)),
    lambda it: it.open_many(N, DATA, out=N),
    lambda it: it.seal_many(N, [b"", b"", "data", b""]),
    lambda it: it.seal_many(N, [b""] * 3),
    lambda it: it.seal_many(N, [b""] * 4, [b""] * 5),
    lambda it: it.seal_many([*N[:3], b"short"], (b"",) * 4),
    lambda it: it.seal_many(b"nonces", [b""] * 4),
    lambda it: it.seal_many(N, [b""] * 4, out=DATA),
    lambda it: it.open_many(N, [b""] * 4, out=DATA),
    lambda it: it.seal_many(N, b"data"),
    lambda it: it.seal_many(N, DATA.astype(np.uint16)),
    lambda it: it.seal_many(N, DATA, out=bytes(384)),
    lambda it: it.open_many(N, DATA, out=DATA[:, :64]),
]


@pytest.mark.parametrize("wrong", WRONG)
def test_the_same_errors(device: Device, wrong: Callable[[Any], object]) -> None:
    errors = []
    for cipher in pair("aes-128-gcm", device):
        with pytest.raises((TypeError, ValueError)) as error:
            wrong(cipher)
        errors.append(str(error.value))
    assert errors[0] == errors[1]
