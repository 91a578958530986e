"""Many messages in one call: rows of arrays, lists of any sizes; each as on its own."""

from __future__ import annotations

import random
import subprocess
import sys

import numpy as np
import pytest

from aead_objects import IDS, KINDS, NAMES, make, usable
from roundworks import aead


@pytest.fixture(params=KINDS, ids=IDS)
def cipher(request: pytest.FixtureRequest) -> aead.Aead:
    return make(*request.param)


def rows(count: int, width: int, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 256, (count, width), np.uint8)


def nonces(cipher: aead.Aead, count: int) -> np.ndarray:
    made = rows(count, cipher.NONCE_BYTES, 1)
    made[:, :2] = np.arange(count)[:, None] >> np.array([0, 8]) & 0xFF
    return made


@pytest.mark.parametrize("name", NAMES)
def test_lists_of_any_sizes_on_every_back_end(name: str) -> None:
    rng = random.Random(2)
    for backend in usable(name):
        for tag in aead.get(name).TAG_SIZES:
            cipher = make(name, tag, backend)
            data = [rng.randbytes(rng.choice((0, 1, 16, 31, 64, 200, 700))) for _ in range(70)]
            ads = [rng.randbytes(rng.choice((0, 3, 64))) for _ in data]
            keys = [bytes(nonce) for nonce in nonces(cipher, len(data))]
            sealed = cipher.seal_many(keys, data, ads)
            wanted = [cipher.encrypt(*one) for one in zip(keys, data, ads, strict=True)]
            assert sealed == wanted, backend
            sealed[7] = sealed[7][:-1] + bytes([sealed[7][-1] ^ 1])
            sealed[9] = b"short"
            bad = {7, 9}
            for i, size in ((11, 17), (13, 40)):
                if cipher.opened_bytes(size) is None:
                    sealed[i] = bytes(size)
                    bad.add(i)
            opened, ok = cipher.open_many(keys, sealed, ads)
            assert ok == [i not in bad for i in range(70)]
            assert opened == [None if i in bad else m for i, m in enumerate(data)]


@pytest.mark.parametrize("count", [0, 1, 5, 600])
def test_rows(cipher: aead.Aead, count: int) -> None:
    n, data, ads = nonces(cipher, count), rows(count, 70, 2), rows(count, 9, 3)
    sealed = cipher.seal_many(n, data, ads)
    assert sealed.shape == (count, cipher.sealed_bytes(70)) and sealed.dtype == np.uint8
    assert [bytes(s) for s in sealed] == [cipher.encrypt(*one) for one in zip(n, data, ads, strict=True)]
    opened, ok = cipher.open_many(n, sealed, ads)
    assert ok.shape == (count,) and ok.dtype == np.bool_ and ok.all()
    if count:
        assert np.array_equal(opened, data)
    ok[:] = False  # the caller's own


def test_refused_rows_are_zero_and_named(cipher: aead.Aead) -> None:
    n, data = nonces(cipher, 40), rows(40, 64, 4)
    data[11] = 0  # authentic zeros are not a refusal
    sealed = cipher.seal_many(n, data)
    bad = [3, 17, 39]
    sealed[bad, [0, 5, -1]] ^= 0x10
    opened, ok = cipher.open_many(n, sealed)
    assert sorted(np.flatnonzero(~ok)) == bad
    assert not opened[bad].any()
    assert np.array_equal(opened[ok][:, :64], np.delete(data, bad, axis=0))
    sealed[:, 0] ^= 1
    opened, ok = cipher.open_many(n, sealed)
    assert ok.sum() <= 1 and not opened[~ok].any()


def test_one_header_for_all_and_mixed_arguments(cipher: aead.Aead) -> None:
    n, data = nonces(cipher, 6), rows(6, 33, 5)
    wanted = [cipher.encrypt(a, b, b"header") for a, b in zip(n, data, strict=True)]
    as_list = [bytes(row) for row in data]
    for header in (b"header", bytearray(b"header"), [b"header"] * 6, (b"header",) * 6):
        assert [bytes(s) for s in cipher.seal_many(n, data, header)] == wanted
        assert cipher.seal_many(n, as_list, header) == wanted
        assert cipher.seal_many(tuple(map(bytes, n)), as_list, header) == wanted
    assert cipher.seal_many(n, as_list) == [cipher.encrypt(a, b) for a, b in zip(n, data)]  # noqa: B905
    assert cipher.seal_many([], []) == []
    assert cipher.open_many([], []) == ([], [])


def test_out(cipher: aead.Aead) -> None:
    n, data = nonces(cipher, 300), rows(300, 80, 6)
    out = np.full((300, cipher.sealed_bytes(80)), 0xFF, np.uint8)
    assert cipher.seal_many(n, data, out=out) is out
    assert np.array_equal(out, cipher.seal_many(n, data))
    capacity = cipher.opened_bytes(out.shape[1])
    assert capacity is not None
    back = np.full((300, capacity), 0xFF, np.uint8)
    opened, ok = cipher.open_many(n, out, out=back)
    assert ok.all() and np.array_equal(opened, data)
    assert np.shares_memory(opened, back)

    view = memoryview(bytearray(out.nbytes)).cast("B", (300, out.shape[1]))
    assert cipher.seal_many(n, data, out=view) is view
    assert view.tobytes() == out.tobytes()


def test_out_of_any_kind_for_a_cipher_that_pads() -> None:
    """The narrower result is a view of it."""
    cipher = make("minalpher")
    n, data = nonces(cipher, 3), rows(3, 5, 10)
    sealed = cipher.seal_many(n, data)
    capacity = cipher.opened_bytes(sealed.shape[1])
    assert capacity is not None and capacity > 5
    for out in (
        np.zeros((3, capacity), np.uint8),
        memoryview(bytearray(3 * capacity)).cast("B", (3, capacity)),
    ):
        opened, ok = cipher.open_many(n, sealed, out=out)
        assert ok.all() and np.array_equal(opened, data)
        assert np.shares_memory(opened, np.asarray(out))


def test_out_must_fit_and_stand_apart(cipher: aead.Aead) -> None:
    size = cipher.sealed_bytes(80)
    n, data = nonces(cipher, 4), rows(4, 80, 7)
    with pytest.raises(ValueError, match=rf"^out: want an array of shape \[4, {size}\], got \[4, 80\]$"):
        cipher.seal_many(n, data, out=np.zeros((4, 80), np.uint8))
    with pytest.raises(ValueError, match=rf"^out: want an array of shape \[4, {size}\], got \["):
        cipher.seal_many(n, data, out=bytearray(4 * size))
    read_only = np.zeros((4, size), np.uint8)
    read_only.flags.writeable = False
    with pytest.raises(TypeError, match=r"^out: want a writable bytes-like object"):
        cipher.seal_many(n, data, out=read_only)
    with pytest.raises(TypeError, match=r"^out: want contiguous memory"):
        cipher.seal_many(n, data, out=np.zeros((4, 2 * size), np.uint8)[:, ::2])
    with pytest.raises(TypeError, match=r"^out: want none with a list of data"):
        cipher.seal_many(n, list(map(bytes, data)), out=read_only)  # type: ignore[call-overload]
    memory = np.zeros(4 * (size + 80), np.uint8)
    shared = memory[: 4 * size].reshape(4, size)
    inside = memory[100:420].reshape(4, 80)
    with pytest.raises(ValueError, match="^out: overlaps an input; want memory of its own$"):
        cipher.seal_many(n, inside, out=shared)
    with pytest.raises(ValueError, match="^out: overlaps an input; want memory of its own$"):
        cipher.seal_many(n, data, shared, out=shared)


def test_bad_arguments(cipher: aead.Aead) -> None:
    n, data, size = nonces(cipher, 4), rows(4, 80, 8), cipher.NONCE_BYTES
    for call in (cipher.seal_many, cipher.open_many):
        for args, error, text in (
            ((n[:3], data), ValueError, "nonces: want one for each of 4 messages, got 3"),
            ((n, data, n[:2]), ValueError, "associated_data: want one for each of 4 messages, got"),
            ((n[:, 1:].copy(), data), ValueError, f"nonces: want {size} bytes each, got {size - 1}"),
            (([b"x"] * 4, data), ValueError, f"nonces: want {size} bytes each, got 1"),
            ((bytes(size), data), TypeError, "nonces: want a list of bytes-like objects or an arr"),
            ((n, bytes(80)), TypeError, "data: want a list of bytes-like objects or an array of s"),
            ((n, 7), TypeError, "data: want a list of bytes-like objects or an array of shape (N,"),
            ((n, [b"", b"", b"", "x"]), TypeError, "data[3]: want a bytes-like object, got str"),
            ((n, data[None]), ValueError, "data: want an array of shape (N, bytes), got [1, 4, 80]"),
            ((n, data.astype(np.uint16)), TypeError, "data: want items of 1 byte, got 2"),
            ((n, data[:, ::2]), TypeError, "data: want contiguous memory, got a strided view"),
        ):
            with pytest.raises(error) as caught:
                call(*args)  # type: ignore[arg-type]
            assert str(caught.value).startswith(text)
    with pytest.raises(ValueError, match=r"^data: nothing sealed has rows of 5 bytes$"):
        cipher.open_many(n, rows(4, 5, 9))


def test_works_without_numpy() -> None:
    """Lists want nothing else; a new array says what is missing."""
    code = """
import sys
sys.modules["numpy"] = None
from roundworks import aead
cipher = aead.Aegis128L(bytes(16))
sealed = cipher.seal_many([bytes(16)], [b"data"])
assert cipher.open_many([bytes(16)], sealed) == ([b"data"], [True])
rows = memoryview(bytes(32)).cast("B", (2, 16))
try:
    cipher.seal_many(rows, rows)
except ImportError as error:
    print(error)
sealed = bytearray(b"".join(cipher.encrypt(bytes(16), bytes([i])) for i in (1, 2)))
out = bytearray(2)
try:
    cipher.open_many(rows, memoryview(sealed).cast("B", (2, 17)), out=memoryview(out).cast("B", (2, 1)))
except ImportError:
    print(out == bytes(2))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "numpy" in done.stdout and done.stdout.endswith("\nTrue\n")


def test_what_takes_several_threads() -> None:
    cipher = make("aegis-128l", 16, None)
    count = 1000
    n, data = nonces(cipher, count), rows(count, 9000, 4)
    sealed = cipher.seal_many(n, data)
    for i, row in enumerate(sealed):
        assert bytes(row) == cipher.encrypt(n[i], data[i])
    bad = [0, 3, 255, 256, 511, 700, 999]
    sealed[bad, 17] ^= 1
    opened, ok = cipher.open_many(n, sealed)
    assert np.flatnonzero(~ok).tolist() == bad
    assert np.array_equal(opened[ok], data[ok]) and not opened[bad].any()

    mixed = [bytes(row[: 9 * i]) for i, row in enumerate(data)]
    assert cipher.seal_many(list(n), mixed) == [cipher.encrypt(*one) for one in zip(n, mixed, strict=True)]
