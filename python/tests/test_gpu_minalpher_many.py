"""Many messages of Minalpher side by side, beside the same call on the CPU."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from roundworks import aead as cpu
from roundworks.gpu import aead, minalpher_blocks
from roundworks.gpu.device import Device
from roundworks.gpu.minalpher import BLOCK
from roundworks.gpu.minalpher_many import TAG
from test_gpu_device import device, library

__all__ = ["device", "library"]
KEY = bytes(range(16))


@pytest.fixture
def both(device: Device) -> tuple[Any, Any]:
    return aead.Minalpher(KEY, machine=device), cpu.Minalpher(KEY)


def rows(count: int, width: int, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 256, (count, width), np.uint8)


# Around a block, 32 of them, what two groups of associated data take, a launch's last block.
@pytest.mark.parametrize(
    ("count", "size", "ad_bytes"),
    [(0, 5, 0), (1, 0, 0), (1, 31, 1), (7, 32, 32), (3, 33, 64), (33, 64, 65), (5, 1023, 0),
     (4, 1024, 2047), (4, 1057, 2049), (2, 5000, 31), (9, 0, 33)],
)  # fmt: skip
def test_rows(both: tuple[Any, Any], count: int, size: int, ad_bytes: int) -> None:
    ours, theirs = both
    nonces, data, ads = rows(count, 13, 1), rows(count, size, 2), rows(count, ad_bytes, 3)
    for ad in (ads, b"header" * ad_bytes, None):
        sealed = theirs.seal_many(nonces, data, ad)
        assert np.array_equal(ours.seal_many(nonces, data, ad), sealed)
        opened, ok = ours.open_many(nonces, sealed, ad)
        assert ok.dtype == np.bool_ and ok.all() and opened.shape[0] == count
        assert not count or np.array_equal(opened, data)


def test_long_rows(both: tuple[Any, Any]) -> None:
    """More than 64 columns of tweaks, and a second tile of them, side by side."""
    ours, theirs = both
    for size in (62 * 1024 - 1, 62 * 1024 + 1, 256 * 1024 + 33):
        nonces, data = rows(2, 13, size), rows(2, size, 2)
        sealed = theirs.seal_many(nonces, data, b"ad")
        assert np.array_equal(ours.seal_many(nonces, data, b"ad"), sealed)
        assert np.array_equal(ours.open_many(nonces, sealed, b"ad")[0], data)


def test_refused_rows_are_zero_and_told(both: tuple[Any, Any]) -> None:
    ours, theirs = both
    nonces, data = rows(40, 13, 1), rows(40, 70, 4)
    data[11] = 0  # authentic zeros are not a refusal
    sealed = theirs.seal_many(nonces, data)
    sealed[[3, 17, 39], [0, 5, -1]] ^= 0x10
    nonces[20, 11] ^= 1
    want, of = theirs.open_many(nonces, sealed)
    out = np.full((40, 95), 0xFF, np.uint8)
    opened, ok = ours.open_many(nonces, sealed, out=out)
    assert sorted(np.flatnonzero(~ok)) == [3, 17, 20, 39]
    assert np.array_equal(ok, of) and np.array_equal(opened, want)
    assert np.may_share_memory(opened, out) and not out[:, 70:].any()


def test_rows_of_several_sizes(both: tuple[Any, Any]) -> None:
    """What pads may hold them in rows of one; then nothing is given out, as on the CPU."""
    ours, _ = both
    nonces = rows(2, 13, 1)
    sealed = [
        ours.encrypt(n.tobytes(), bytes(size)) for n, size in zip(nonces, (64, 70), strict=True)
    ]
    out = np.full((2, 95), 0xFF, np.uint8)
    with pytest.raises(ValueError, match="^data: rows of 64 and of 70 bytes in it; pass a list$"):
        ours.open_many(nonces, np.frombuffer(b"".join(sealed), np.uint8).reshape(2, -1), out=out)
    assert not out.any()
    opened, ok = ours.open_many([n.tobytes() for n in nonces], sealed)
    assert [len(one) for one in opened] == [64, 70] and ok == [True, True]


def test_lists_in_several_launches(both: tuple[Any, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs = both
    monkeypatch.setattr(minalpher_blocks, "AT_ONCE", 40)
    rng = random.Random(1)
    data = [rng.randbytes(size) for size in (0, 5, 3000, 31, 32, 33, 1000, 64, 640, 1279, 1280)]
    nonces = [rng.randbytes(13) for _ in data]
    for ads in ([rng.randbytes(7 * i) for i in range(len(data))], b"for all", None):
        sealed = theirs.seal_many(nonces, data, ads)
        assert ours.seal_many(nonces, data, ads) == sealed
        wrong = [*sealed]
        wrong[2], wrong[5], wrong[7] = b"", sealed[5][:-1], bytes(len(sealed[7]))
        assert ours.open_many(nonces, wrong, ads) == theirs.open_many(nonces, wrong, ads)
    data_rows = np.frombuffer(b"".join(data[i] for i in (4, 4)), np.uint8).reshape(2, -1)
    some = np.frombuffer(b"".join(nonces[:2]), np.uint8).reshape(2, -1)
    assert ours.seal_many(some, data_rows).tobytes() == b"".join(
        ours.seal_many(some, [data[4]] * 2)
    )


def test_nothing_of_a_wrong_tag(both: tuple[Any, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Not on the device either: what is copied out of a refused message is zeros."""
    ours, theirs = both
    sealed = theirs.seal_many([bytes(13)] * 3, [b"one" * 99] * 3)
    sealed[1] = sealed[1][:-1] + bytes((sealed[1][-1] ^ 1,))
    seen: list[bytes] = []
    device = ours._cipher._machine
    get = device.get

    def getting(memory: Any, size_bytes: int) -> bytes:
        seen.append(get(memory, size_bytes))
        return seen[-1]

    monkeypatch.setattr(device, "get", getting)
    assert ours.open_many([bytes(13)] * 3, sealed)[1] == [True, False, True]
    size = len(sealed[1]) - TAG
    assert seen[-1][size : 2 * size] == bytes(size) and seen[-1][:3] == b"one"


def test_what_is_too_long(both: tuple[Any, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(minalpher_blocks, "MOST", 2)
    nonces = rows(2, 13, 1)
    for data, ad, line in (
        (rows(2, 64, 1), b"", "data: want at most 64 bytes, got 65; use the CPU"),
        (rows(2, 63, 1), bytes(65), "associated_data: want at most 64 bytes, got 65; use the CPU"),
    ):
        with pytest.raises(ValueError, match=f"^{line}$"):
            both[0].seal_many(nonces, data, ad)
    assert both[0].seal_many(nonces, rows(2, 63, 1)).shape == (2, 2 * BLOCK + TAG)
