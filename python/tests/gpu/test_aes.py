"""AES kernels on the host: vectors of spec/, and counter mode on lengths around every boundary."""

from __future__ import annotations

import random
from ctypes import byref

import pytest

from gpu_gcm import BLOCK, ctr, expand
from gpu_tools import host_library, need, words
from roundworks import aead, spec

NAMES = ("aes-128-gcm", "aes-256-gcm")
TILE = 256


def test_substitute() -> None:
    need("g++")
    out = words(256)
    host_library("aes").aes_substitute(words(bytes(range(256))), out, 64)
    assert tuple(bytes(out)) == tuple(spec.sboxes()["aes"].table)


@pytest.mark.parametrize("name", NAMES)
def test_block(name: str) -> None:
    for case in spec.function_vectors(name):
        assert case.function == "AES"
        out = words(BLOCK)
        keys = expand(case.input[:-BLOCK])
        host_library("aes").aes_encrypt(byref(keys), words(case.input[-BLOCK:]), out)
        assert bytes(out) == case.output, case.id


@pytest.mark.parametrize("slices", [False, True])
@pytest.mark.parametrize("name", NAMES)
def test_counter_mode(name: str, slices: bool) -> None:
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
            text = ctr(slices, keys, nonce, 2 + skipped, data[part])
            assert text == sealed[part], f"{size} bytes from block {skipped} on"
