"""Encryption into a buffer: what is written, in place, overlapping, refused."""

from __future__ import annotations

import ctypes
from multiprocessing.sharedctypes import RawArray

import numpy as np
import pytest

from aead_objects import IDS, KINDS, make, nonce_of
from roundworks import aead
from roundworks.errors import InvalidTag


@pytest.fixture(params=KINDS, ids=IDS)
def cipher(request: pytest.FixtureRequest) -> aead.Aead:
    return make(*request.param)


def capacity_of(cipher: aead.Aead, sealed: bytes) -> int:
    capacity = cipher.opened_bytes(len(sealed))
    assert capacity is not None
    return capacity


def test_into_writes_what_the_other_returns(cipher: aead.Aead) -> None:
    nonce = nonce_of(cipher)
    for size in (0, 1, 48, 9000):
        data = bytes(i * 5 & 0xFF for i in range(size))
        sealed = cipher.encrypt(nonce, data, b"a")
        for kind in (bytes, bytearray, lambda b: np.frombuffer(b, np.uint8)):
            for buf in (bytearray(len(sealed)), np.zeros(len(sealed), np.uint8)):
                assert cipher.encrypt_into(nonce, kind(data), b"a", buf) == len(sealed)
                assert bytes(buf) == sealed
            opened = bytearray(b"\xff" * capacity_of(cipher, sealed))
            assert cipher.decrypt_into(nonce, kind(sealed), b"a", opened) == size
            assert bytes(opened[:size]) == data


def test_into_works_in_place(cipher: aead.Aead) -> None:
    nonce = nonce_of(cipher)
    for size in (1, 200, 9000):
        data = bytes(i * 5 & 0xFF for i in range(size))
        wanted = cipher.encrypt(nonce, data, b"a")
        view = memoryview(bytearray(data + bytes(len(wanted) - size)))
        assert cipher.encrypt_into(nonce, view[:size], b"a", view) == len(wanted)
        assert bytes(view) == wanted
        read_only = view.toreadonly()[:size]
        view[:size] = data
        assert cipher.encrypt_into(nonce, read_only, b"a", view) == len(wanted)
        assert bytes(view) == wanted
        capacity = capacity_of(cipher, wanted)
        assert cipher.decrypt_into(nonce, view, b"a", view[:capacity]) == size
        assert bytes(view[:size]) == data


def test_refusal_in_place_leaves_zeros(cipher: aead.Aead) -> None:
    for size in (1, 48, 200, 9000):
        view = memoryview(bytearray(cipher.encrypt(nonce_of(cipher), b"\7" * size, b"a")))
        buf = view[: capacity_of(cipher, bytes(view))]
        with pytest.raises(InvalidTag):
            cipher.decrypt_into(nonce_of(cipher), view, b"b", buf)
        assert bytes(buf) == bytes(len(buf))


def test_in_place_wants_all_of_the_data_writable(cipher: aead.Aead) -> None:
    sealed = cipher.encrypt(nonce_of(cipher), bytes(64))
    view = memoryview(bytearray(sealed))
    with pytest.raises(TypeError, match=r"^data: want a writable buffer to decrypt in place, got"):
        cipher.decrypt_into(nonce_of(cipher), view.toreadonly(), None, view[: capacity_of(cipher, sealed)])
    assert bytes(view) == sealed


def test_other_inputs_may_share_memory_with_buf(cipher: aead.Aead) -> None:
    data = b"d" * 48
    capacity = bytearray(nonce_of(cipher)) + bytearray(b"h" * 100)
    buf = memoryview(capacity)[: cipher.sealed_bytes(48)]
    nonce, ad = memoryview(capacity)[: cipher.NONCE_BYTES], buf
    wanted = cipher.encrypt(bytes(nonce), data, bytes(ad))
    cipher.encrypt_into(nonce, data, ad, buf)
    assert bytes(buf) == wanted


@pytest.mark.parametrize("shift", [1, 15, 16, 100, 199])
def test_into_refuses_overlap(cipher: aead.Aead, shift: int) -> None:
    view = memoryview(bytearray(600))
    size = cipher.sealed_bytes(200)
    for data, buf in [
        (view[100:300], view[100 + shift : 100 + shift + size]),
        (view[100 + shift : 300 + shift], view[100 : 100 + size]),
    ]:
        with pytest.raises(ValueError, match="buf: overlaps data; want the same first byte, or no"):
            cipher.encrypt_into(nonce_of(cipher), data, None, buf)
    with pytest.raises(ValueError, match="buf: overlaps data"):
        cipher.decrypt_into(
            nonce_of(cipher), view[:size], None, view[shift : shift + capacity_of(cipher, bytes(size))]
        )
    assert bytes(view) == bytes(600)


def test_neighbours_do_not_overlap(cipher: aead.Aead) -> None:
    size = cipher.sealed_bytes(200)
    view = memoryview(bytearray(200 + size))
    cipher.encrypt_into(nonce_of(cipher), view[:200], None, view[200:])
    assert bytes(view[200:]) == cipher.encrypt(nonce_of(cipher), bytes(200))
    assert bytes(view[:200]) == bytes(200)
    cipher.encrypt_into(nonce_of(cipher), view[50:50], None, view[: cipher.sealed_bytes(0)])
    assert bytes(view[: cipher.sealed_bytes(0)]) == cipher.encrypt(nonce_of(cipher), b"")


@pytest.mark.parametrize("off", [-1, 1])
def test_bad_size_of_buf(cipher: aead.Aead, off: int) -> None:
    nonce, sealed = nonce_of(cipher), bytes(cipher.sealed_bytes(64))
    for call, data, want in (
        (cipher.encrypt_into, bytes(64), len(sealed)),
        (cipher.decrypt_into, sealed, capacity_of(cipher, sealed)),
    ):
        buf = bytearray(b"\xff" * (want + off))
        with pytest.raises(ValueError, match=f"^buf: want {want} bytes, got {want + off}$"):
            call(nonce, data, None, buf)
        assert bytes(buf) == b"\xff" * (want + off)


def test_memory_of_c_is_a_buffer(cipher: aead.Aead) -> None:
    """Whose owners give no strides: an array of ctypes, one that processes share, and an array without axes."""
    nonce, data = nonce_of(cipher), bytes(range(64))
    sealed, size = cipher.encrypt(nonce, data, data), cipher.sealed_bytes(64)
    for array in ((ctypes.c_ubyte * size)(), RawArray("B", size), (ctypes.c_char * size)()):
        memoryview(array).cast("B")[:64] = data
        ad = (ctypes.c_uint8 * 64).from_buffer_copy(data)
        assert cipher.encrypt_into(nonce, (ctypes.c_uint8 * 64).from_buffer_copy(data), ad, array) == size
        assert bytes(array) == sealed == cipher.encrypt(nonce, ad, ad)
        assert cipher.decrypt(nonce, array, ad) == data
    one = np.array(7, np.uint8)
    assert cipher.encrypt(nonce, one, one) == cipher.encrypt(nonce, b"\x07", b"\x07")
    with pytest.raises(TypeError, match="^data: want items of 1 byte, got 4; pass"):
        cipher.encrypt(nonce, (ctypes.c_uint32 * 4)())


def test_bad_kind_of_buf(cipher: aead.Aead) -> None:
    want = "^buf: want a writable bytes-like object, such as a bytearray, got "
    for buf, text in (
        (bytes(96), want + "bytes$"),
        (memoryview(bytes(96)), want + "memoryview$"),
        ([0] * 96, want + "list$"),
        (np.frombuffer(bytes(96), np.uint8), want + "ndarray$"),
        (np.zeros(96, np.uint16), r"^buf: want items of 1 byte, got 2; pass memoryview\(x\)"),
        (np.zeros(192, np.uint8)[::2], "a strided view; pass a contiguous copy, then copy back$"),
    ):
        for call in (cipher.encrypt_into, cipher.decrypt_into):
            with pytest.raises(TypeError, match=text):
                call(nonce_of(cipher), bytes(64), None, buf)  # type: ignore[arg-type]
