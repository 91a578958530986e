"""Minalpher's kernels on the host: the vectors of spec/, and every length around a boundary."""

from __future__ import annotations

import ctypes
import hashlib
import random
from typing import Any

import numpy as np
import pytest

from gpu_tools import need
from roundworks import aead, spec
from roundworks.errors import InvalidTag
from roundworks.gpu.build import host_library
from roundworks.gpu.machine import Host
from roundworks.gpu.minalpher import BLOCK, FACTS, POWERS, Minalpher
from roundworks.reference import IntWord
from roundworks.reference.minalpher import REDUCTION
from roundworks.reference.minalpher import Minalpher as Described

DESCRIBED: Described[IntWord] = Described()
KEY, NONCE = bytes(range(16)), bytes(range(1, 14))


@pytest.fixture(autouse=True)
def _compiler() -> None:
    need("g++")


def permuted(data: bytes, back: bool) -> bytes:
    host, count = Host(), len(data) // BLOCK
    out = host.zeros(len(data))
    sizes = np.uint64(count), np.bool_(back)
    host.call("minalpher", "minalpher_permute", 2, host.put(data), out, *sizes)
    return host.get(out, len(data))


def generated(step: int, first: int, size: int) -> bytes:
    return bytes((step * i + first) % 256 for i in range(size))


# -- the inner functions -----------------------------------------------------------------------
@pytest.mark.parametrize("back", [False, True])
@pytest.mark.parametrize("count", [1, 31, 32, 33, 70])
def test_permutation(count: int, back: bool) -> None:
    data = random.Random(count).randbytes(BLOCK * count)
    blocks = [int.from_bytes(data[i : i + BLOCK], "big") for i in range(0, len(data), BLOCK)]
    want = b"".join(x.to_bytes(BLOCK, "big") for x in DESCRIBED.P(blocks, back=back))
    assert permuted(data, back) == want


def test_vectors_of_functions() -> None:
    seen = set()
    for v in spec.function_vectors("minalpher"):
        p = v.parts
        if v.function == "P":
            assert permuted(p["x"], False) == v.output, v.id
            assert permuted(v.output, True) == p["x"], v.id
        elif v.function == "MAC":
            assert Minalpher(p["key"], Host()).mac(p["data"]) == v.output, v.id
            Minalpher(p["key"], Host()).verify(p["data"], v.output)
        elif v.function == "L":
            assert started(p["key"], p["flag"][0], p["nonce"])[0] == v.output, v.id
        elif v.function == "y^k times" and int.from_bytes(p["tweak"], "big") == 1:
            power = ctypes.create_string_buffer(BLOCK)
            n = ctypes.c_uint32(int.from_bytes(p["k"], "big"))
            host_library("minalpher").minalpher_power(n, power)
            assert power.raw[::-1] == v.output, v.id
        elif v.function == "AEAD of generated data":
            ad = generated(7, 3, int.from_bytes(p["ad_bytes"], "big"))
            data = generated(11, 5, int.from_bytes(p["data_bytes"], "big"))
            sealed = Minalpher(p["key"], Host()).encrypt(p["nonce"], data, ad)
            got = hashlib.sha256(sealed[:-16]).digest() + sealed[-16:]
            assert got == v.output, v.id
        else:
            continue
        seen.add(v.function)
    assert seen == {"P", "MAC", "L", "y^k times", "AEAD of generated data"}


def started(key: bytes, flag: int, nonce: bytes, columns: int = 64) -> tuple[bytes, bytes]:
    """A mask and the columns of its sequence."""
    host, size = Host(), -(-columns // 32) * 32 * 64
    mask, sequence = host.zeros(BLOCK), host.zeros(size)
    seed = host.put(key + bytes((flag, 0, 0)) + nonce)
    numbers = np.uint64(0), np.uint32(1)
    host.call("minalpher", "minalpher_start", 32, seed, mask, sequence, *numbers)
    host.call("minalpher", "minalpher_fill", 32, sequence, np.uint32(columns))
    return host.get(mask, BLOCK), host.get(sequence, 64 * columns)


def test_the_sequence_over_three_tiles() -> None:
    """Every byte beside a_{k+32} = a_{k+3} ^ a_{k+2} ^ x a_k."""
    columns = 2 * 256 + 45
    mask, memory = started(KEY, 0x40, NONCE, columns)
    a = list(mask)
    a[29], a[30], a[31] = a[29] ^ a[0], a[30] ^ a[1] ^ a[0], a[31] ^ a[2] ^ a[1]
    for k in range(POWERS * columns - 32):
        a.append(a[k + 3] ^ a[k + 2] ^ a[k] << 1 ^ (REDUCTION | 0x100 if a[k] >> 7 else 0))
    words = np.frombuffer(memory, "<u4").reshape(columns, 2, 8)
    bits = words[..., None] >> np.arange(32, dtype=np.uint32) & 1  # column, parity, bit, place
    found = (bits << np.arange(8, dtype=np.uint32)[:, None]).sum(axis=2)
    assert found.transpose(0, 2, 1).reshape(-1).tolist() == a


# -- the modes -----------------------------------------------------------------------------------
def test_vectors() -> None:
    seen = {True: 0, False: 0}
    for v in spec.aead_vectors("minalpher"):
        cipher = Minalpher(v.key, Host())
        if v.valid:
            assert cipher.encrypt(v.nonce, v.pt, v.ad) == v.ct + v.tag, v.id
            assert cipher.decrypt(v.nonce, v.ct + v.tag, v.ad) == v.pt, v.id
        else:
            with pytest.raises(InvalidTag):
                cipher.decrypt(v.nonce, v.ct + v.tag, v.ad)
        seen[v.valid] += 1
    assert seen[True] and seen[False]


# A block of 32 bytes, a group of 32 blocks, the 64 of associated data that share a column, what a
# started sequence reaches, and a tile of it.
EDGES = [32, 1024, 2048, 64 * 1024 - 32, 256 * 1024]


@pytest.mark.parametrize("edge", EDGES)
def test_lengths_around_a_boundary(edge: int) -> None:
    cipher, other = Minalpher(KEY, Host()), aead.Minalpher(KEY)
    sizes = sorted(
        {max(0, k * edge + d) for k in (0, 1, 2) for d in (-33, -32, -31, -1, 0, 1, 31, 32)}
    )
    if edge > 4096:
        sizes = sizes[::3]
    data = generated(11, 5, sizes[-1])
    for n in sizes:
        sealed = cipher.encrypt(NONCE, data[:n], b"header")
        assert sealed == other.encrypt(NONCE, data[:n], b"header"), n
        assert cipher.decrypt(NONCE, sealed, b"header") == data[:n], n
        if n < 2100:
            assert cipher.mac(data[:n]) == DESCRIBED.mac(KEY, data[:n]), n
        assert cipher.encrypt(NONCE, b"message", data[:n]) == other.encrypt(
            NONCE, b"message", data[:n]
        )


class Watched(Host):
    def __init__(self) -> None:
        self.entries: list[str] = []

    def call(self, family: str, entry: str, work: int, *args: Any) -> None:
        self.entries.append(entry)
        super().call(family, entry, work, *args)


def test_no_plaintext_before_the_tag() -> None:
    sealed = Minalpher(KEY, Host()).encrypt(NONCE, bytes(100), b"header")
    for i in (0, len(sealed) - 17, len(sealed) - 16, len(sealed) - 1):
        machine = Watched()
        forged = bytearray(sealed)
        forged[i] ^= 1
        with pytest.raises(InvalidTag, match="^authentication failed; no plaintext was released$"):
            Minalpher(KEY, machine).decrypt(NONCE, bytes(forged), b"header")
        assert "minalpher_tag" in machine.entries
        assert "minalpher_decrypt" not in machine.entries
    for short in (b"", bytes(16), bytes(47), bytes(49)):
        with pytest.raises(InvalidTag):
            Minalpher(KEY, Host()).decrypt(NONCE, short)
    with pytest.raises(InvalidTag):
        Minalpher(KEY, Host()).verify(b"data", bytes(16))


def test_wrong_sizes_say_so() -> None:
    with pytest.raises(ValueError, match="^key: want 16 bytes, got 15$"):
        Minalpher(bytes(15), Host())
    with pytest.raises(ValueError, match="^nonce: want 13 bytes, got 12$"):
        Minalpher(KEY, Host()).encrypt(bytes(12), b"")
    assert len(Minalpher(KEY, Host()).encrypt(NONCE, b"")) == BLOCK + FACTS.tag_bytes
