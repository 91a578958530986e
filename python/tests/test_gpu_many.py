"""Many messages of AES-GCM in one launch, beside the same call on the CPU: rows, lists, errors."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from roundworks import aead as cpu
from roundworks.gpu import aead, gcm_many
from roundworks.gpu.device import Device
from test_gpu_device import device, library

__all__ = ["device", "library"]
CLASSES: list[type[aead.AesGcm]] = [aead.Aes128Gcm, aead.Aes256Gcm]


def rows(count: int, width: int, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 256, (count, width), np.uint8)


@pytest.fixture(params=CLASSES, ids=lambda cipher: cipher.NAME)
def both(request: pytest.FixtureRequest, device: Device) -> tuple[Any, Any]:
    key = request.param.generate_key()
    return request.param(key, machine=device), cpu.get(request.param.NAME)(key)


@pytest.mark.parametrize("of_a_warp", [0, 1 << 30], ids=["warps", "lanes"])
@pytest.mark.parametrize(
    ("count", "size", "ad_bytes"),
    [(0, 5, 0), (1, 0, 0), (1, 16, 1), (7, 15, 16), (33, 64, 17), (40, 1000, 0), (9, 0, 33)],
)
def test_rows(
    both: tuple[Any, Any], monkeypatch: pytest.MonkeyPatch, of_a_warp: int, count: int, size: int,
    ad_bytes: int,
) -> None:  # fmt: skip
    ours, theirs = both
    monkeypatch.setattr(gcm_many, "OF_A_WARP", of_a_warp)
    nonces, data, ads = rows(count, 12, 1), rows(count, size, 2), rows(count, ad_bytes, 3)
    for ad in (ads, b"header" * ad_bytes, None):
        sealed = theirs.seal_many(nonces, data, ad)
        assert np.array_equal(ours.seal_many(nonces, data, ad), sealed)
        opened, ok = ours.open_many(nonces, sealed, ad)
        assert ok.dtype == np.bool_ and ok.all() and np.array_equal(opened, data)


@pytest.mark.parametrize("of_a_warp", [0, 1 << 30], ids=["warps", "lanes"])
def test_refused_rows_are_zero_and_told(
    both: tuple[Any, Any], monkeypatch: pytest.MonkeyPatch, of_a_warp: int
) -> None:
    ours, theirs = both
    monkeypatch.setattr(gcm_many, "OF_A_WARP", of_a_warp)
    nonces, data = rows(40, 12, 1), rows(40, 70, 4)
    data[11] = 0  # authentic zeros are not a refusal
    sealed = theirs.seal_many(nonces, data)
    sealed[[3, 17, 39], [0, 5, -1]] ^= 0x10
    nonces[20, 11] ^= 1
    want, of = theirs.open_many(nonces, sealed)
    out = np.full((40, 70), 0xFF, np.uint8)
    opened, ok = ours.open_many(nonces, sealed, out=out)
    assert opened is out and sorted(np.flatnonzero(~ok)) == [3, 17, 20, 39]
    assert np.array_equal(ok, of) and np.array_equal(opened, want)


def test_a_batch_in_several_launches(
    both: tuple[Any, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    ours, theirs = both
    monkeypatch.setattr(gcm_many, "AT_ONCE", 40)
    launches: list[int] = []
    whole = ours._cipher.batch

    def batch(self: gcm_many.AesGcm, way: str, count: int, *rest: Any) -> None:
        launches.append(count)
        whole(way, count, *rest)

    monkeypatch.setattr(gcm_many.AesGcm, "batch", batch)
    nonces, data, ads = rows(20, 12, 1), rows(20, 64, 2), rows(20, 16, 3)
    for ad in (ads, b"header"):
        sealed = ours.seal_many(nonces, data, ad)
        assert np.array_equal(sealed, theirs.seal_many(nonces, data, ad))
        sealed[[2, 19], 1] ^= 1
        opened, ok = ours.open_many(nonces, sealed, ad)
        assert sorted(np.flatnonzero(~ok)) == [2, 19] and np.array_equal(opened[ok], data[ok])
    assert launches[:4] == [5, 5, 5, 5]


@pytest.mark.parametrize("at_once", [40, 1 << 24])
def test_lists(both: tuple[Any, Any], monkeypatch: pytest.MonkeyPatch, at_once: int) -> None:
    """Of any sizes, lanes and warps beside each other, in one launch and in several."""
    ours, theirs = both
    monkeypatch.setattr(gcm_many, "AT_ONCE", at_once)
    monkeypatch.setattr(gcm_many, "OF_A_WARP", 300)
    rng = random.Random(at_once)
    data = [rng.randbytes(size) for size in (700, 0, 15, 16, 299, 300, 17, 64, 1, 0, 64)]
    nonces = [rng.randbytes(12) for _ in data]
    for ads in ([rng.randbytes(m * 5 % 37) for m in range(len(data))], b"for all", None):
        sealed = theirs.seal_many(nonces, data, ads)
        assert ours.seal_many(nonces, data, ads) == sealed
        wrong = [*sealed]
        wrong[1], wrong[4] = b"short", sealed[4][:-1] + bytes((sealed[4][-1] ^ 1,))
        assert ours.open_many(nonces, wrong, ads) == theirs.open_many(nonces, wrong, ads)
    assert ours.seal_many([], []) == [] and ours.open_many([], []) == ([], [])


def test_out(both: tuple[Any, Any]) -> None:
    ours, theirs = both
    nonces, data = rows(6, 12, 1), rows(6, 33, 2)
    view = memoryview(bytearray(6 * 49)).cast("B", (6, 49))
    assert ours.seal_many(nonces, data, out=view) is view
    assert view.tobytes() == theirs.seal_many(nonces, data).tobytes()


def test_a_row_beyond_31_bits(both: tuple[Any, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gcm_many, "MOST_OF_MANY", 80)
    assert both[0].seal_many(N, DATA, bytes(80)).shape == (4, 96)
    for way, data, ad, line in (
        ("seal_many", rows(4, 81, 2), b"", "data: want at most 80 bytes, got 81; use the CPU"),
        ("open_many", DATA, bytes(81), "associated_data: want at most 80 bytes, got 81; use the"),
    ):
        with pytest.raises(ValueError, match=f"^{line}"):
            getattr(both[0], way)(N, data, ad)


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
]


@pytest.mark.parametrize("wrong", WRONG)
def test_the_same_errors(both: tuple[Any, Any], wrong: Callable[[Any], object]) -> None:
    found = []
    for it in both:
        with pytest.raises((TypeError, ValueError)) as error:
            wrong(it)
        found.append(str(error.value))
    assert found[0] == found[1]


@pytest.mark.parametrize(
    ("wrong", "line"),
    [
        (
            lambda it: it.seal_many([*N], DATA),
            "nonces: want an array beside an array of data, got l",
        ),
        (
            lambda it: it.seal_many(N, b"data"),
            "data: want a list of bytes-like objects or an array",
        ),
        (lambda it: it.seal_many(N, DATA.astype(np.uint16)), "data: want .* got one of uint16"),
        (lambda it: it.seal_many(N, DATA, out=bytes(384)), "out: want a writable array"),
        (
            lambda it: it.open_many(N, DATA, out=DATA[:, :64]),
            "out: overlaps an input; want memory of its own",
        ),
    ],
)
def test_what_is_refused(both: tuple[Any, Any], wrong: Callable[[Any], object], line: str) -> None:
    with pytest.raises((TypeError, ValueError), match=f"^{line}"):
        wrong(both[0])
