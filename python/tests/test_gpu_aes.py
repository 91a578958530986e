"""AES kernels on the host: vectors of spec/, and counter mode on lengths around every boundary."""

from __future__ import annotations

import random
from ctypes import Structure, byref, c_uint32, c_uint64, c_void_p, cast

import pytest

from gpu_tools import need, words
from roundworks import aead, spec
from roundworks.gpu.build import host_library

NAMES = ("aes-128-gcm", "aes-256-gcm")
BLOCK, TILE = 16, 256


class Keys(Structure):
    _fields_ = (("words", c_uint32 * 60), ("rounds", c_uint32))


class Counter(Structure):
    _fields_ = (("nonce", c_uint32 * 3), ("first", c_uint32))


class Message(Structure):
    _fields_ = (("input", c_void_p), ("output", c_void_p), ("bytes", c_uint64))


def expand(key: bytes) -> Keys:
    need("g++")
    keys = Keys()
    host_library("aes").aes_expand(words(key), byref(keys), len(key) // 4)
    return keys


def ctr(kernel: str, keys: Keys, nonce: bytes, first: int, data: bytes) -> bytes:
    size = len(data) + -len(data) % BLOCK
    text, out = words(data.ljust(size, b"\xa5")), words(b"\x5a" * (size + BLOCK))
    counter = Counter((c_uint32 * 3).from_buffer_copy(nonce), first)
    message = Message(cast(text, c_void_p), cast(out, c_void_p), len(data))
    getattr(host_library("aes"), kernel)(byref(keys), byref(counter), byref(message))
    rest = bytes(-len(data) % BLOCK) + b"\x5a" * BLOCK
    assert bytes(out)[len(data) :] == rest, "zeros behind the last byte, and no block more"
    return bytes(out)[: len(data)]


def test_substitute() -> None:
    need("g++")
    out = words(256)
    host_library("aes").aes_substitute(words(bytes(range(256))), out, 64)
    assert tuple(bytes(out)) == tuple(spec.sboxes()["aes"].table)


@pytest.mark.parametrize("name", NAMES)
def test_block(name: str) -> None:
    need("g++")
    for case in spec.function_vectors(name):
        assert case.function == "AES"
        out = words(BLOCK)
        keys = expand(case.input[:-BLOCK])
        host_library("aes").aes_encrypt(byref(keys), words(case.input[-BLOCK:]), out)
        assert bytes(out) == case.output, case.id


@pytest.mark.parametrize("kernel", ["aes_tables_ctr"])
@pytest.mark.parametrize("name", NAMES)
def test_counter_mode(name: str, kernel: str) -> None:
    """From several counters on: counter 2 + k is where block k of AES-GCM begins."""
    rng = random.Random(name)
    cipher = aead.get(name)
    key, nonce = rng.randbytes(cipher.KEY_BYTES), rng.randbytes(12)
    data = rng.randbytes(BLOCK * (3 * TILE + 40))
    keys, sealed = expand(key), cipher(key).encrypt(nonce, data)
    blocks = (TILE - 3, TILE - 2, TILE - 1, 2 * TILE - 2, 2 * TILE + 31)
    sizes = {*range(70), *(BLOCK * n + d for n in blocks for d in (-1, 0, 1))}
    for skipped in (0, TILE - 3, TILE - 2):
        for size in sizes if skipped == 0 else (1, BLOCK * TILE + 5):
            part = slice(BLOCK * skipped, BLOCK * skipped + size)
            found = ctr(kernel, keys, nonce, 2 + skipped, data[part])
            assert found == sealed[part], f"{size} bytes from block {skipped} on"
