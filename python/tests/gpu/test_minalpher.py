"""Minalpher's kernels on the host: the vectors of spec/, and every length around a boundary."""

from __future__ import annotations

import ctypes
import hashlib
import random

import numpy as np
import pytest

from gpu_tools import Log, host_library, on_cpu
from roundworks import aead, spec
from roundworks.errors import InvalidTag
from roundworks.gpu import aead as gpu_aead
from roundworks.gpu.device import Device, DeviceMemory
from roundworks.reference import IntWord
from roundworks.reference.minalpher import BLOCK, REDUCTION
from roundworks.reference.minalpher import Minalpher as Described

DESCRIBED: Described[IntWord] = Described()
KEY, NONCE = bytes(range(16)), bytes(range(1, 14))
FLAG_MAC = spec.cipher("minalpher").constants["FLAG_MAC"]


POWERS = 64  # of y in a column


@pytest.fixture(scope="module")
def host() -> Device:
    return on_cpu()


def permuted(host: Device, data: bytes, back: bool) -> bytes:
    out = host.zeros(len(data))
    host.launch("minalpher", "minalpher_permute", 2, host.put(data), out, len(data) // BLOCK, back)
    return out.read(len(data))


def mac(host: Device, key: bytes, data: bytes) -> bytes:
    """All blocks but the last under y^i L, then what remains with the last block."""
    full, blocks = bool(data) and len(data) % BLOCK == 0, max(1, -(-len(data) // BLOCK))
    _, sequence = started(host, key, FLAG_MAC, bytes(13), blocks // POWERS + 64)
    given, sums, none, out = host.put(data), host.zeros(BLOCK), host.zeros(BLOCK), host.zeros(BLOCK)
    host.launch("minalpher", "minalpher_hash", 2 * -(-blocks // 32), sequence, given, len(data), sums)
    ends = (blocks - 1, 1 if full else 2, sums, none, given, len(data), not full, blocks - 1, out)
    host.launch("minalpher", "minalpher_finish", 32, sequence, *ends)
    return out.read(16)


def generated(step: int, first: int, size: int) -> bytes:
    return bytes((step * i + first) % 256 for i in range(size))


# -- the inner functions -----------------------------------------------------------------------
@pytest.mark.parametrize("back", [False, True])
@pytest.mark.parametrize("count", [1, 31, 32, 33, 70])
def test_permutation(host: Device, count: int, back: bool) -> None:
    data = random.Random(count).randbytes(BLOCK * count)
    blocks = [int.from_bytes(data[i : i + BLOCK], "big") for i in range(0, len(data), BLOCK)]
    want = b"".join(x.to_bytes(BLOCK, "big") for x in DESCRIBED.P(blocks, back=back))
    assert permuted(host, data, back) == want


def test_vectors_of_functions(host: Device) -> None:
    seen = set()
    for v in spec.function_vectors("minalpher"):
        p = v.parts
        if v.function == "P":
            assert permuted(host, p["x"], False) == v.output, v.id
            assert permuted(host, v.output, True) == p["x"], v.id
        elif v.function == "MAC":
            assert mac(host, p["key"], p["data"]) == v.output, v.id
        elif v.function == "L":
            assert started(host, p["key"], p["flag"][0], p["nonce"])[0].read(BLOCK) == v.output, v.id
        elif v.function == "y^k times" and int.from_bytes(p["tweak"], "big") == 1:
            power = ctypes.create_string_buffer(BLOCK)
            n = ctypes.c_uint32(int.from_bytes(p["k"], "big"))
            host_library("minalpher").minalpher_power(n, power)
            assert power.raw[::-1] == v.output, v.id
        elif v.function == "AEAD of generated data":
            ad = generated(7, 3, int.from_bytes(p["ad_bytes"], "big"))
            data = generated(11, 5, int.from_bytes(p["data_bytes"], "big"))
            sealed = gpu_aead.Minalpher(p["key"], machine=host).encrypt(p["nonce"], data, ad)
            summary = hashlib.sha256(sealed[:-16]).digest() + sealed[-16:]
            assert summary == v.output, v.id
        else:
            continue
        seen.add(v.function)
    assert seen == {"P", "MAC", "L", "y^k times", "AEAD of generated data"}


def started(
    host: Device, key: bytes, flag: int, nonce: bytes, columns: int = 64
) -> tuple[DeviceMemory, DeviceMemory]:
    """A mask and the columns of its sequence."""
    mask, sequence = host.zeros(BLOCK), host.zeros((columns // 256 + 2) * 256 * 64)
    seed = host.put(key + bytes((flag, 0, 0)) + nonce)
    host.launch("minalpher", "minalpher_start", 32, seed, mask, sequence, 0, 1)
    host.launch("minalpher", "minalpher_fill", 32, sequence, columns)
    host.wait()
    return mask, sequence


def test_the_sequence_over_three_tiles(host: Device) -> None:
    """Every byte against a_{k+32} = a_{k+3} ^ a_{k+2} ^ x a_k."""
    columns = 2 * 256 + 45
    mask, sequence = started(host, KEY, 0x40, NONCE, columns)
    a, memory = list(mask.read(BLOCK)), sequence.read(64 * columns)
    a[29], a[30], a[31] = a[29] ^ a[0], a[30] ^ a[1] ^ a[0], a[31] ^ a[2] ^ a[1]
    for k in range(POWERS * columns - 32):
        a.append(a[k + 3] ^ a[k + 2] ^ a[k] << 1 ^ (REDUCTION | 0x100 if a[k] >> 7 else 0))
    words = np.frombuffer(memory, "<u4").reshape(columns, 2, 8)
    bits = words[..., None] >> np.arange(32, dtype=np.uint32) & 1  # column, parity, bit, place
    read = (bits << np.arange(8, dtype=np.uint32)[:, None]).sum(axis=2)
    assert read.transpose(0, 2, 1).reshape(-1).tolist() == a


# -- the modes -----------------------------------------------------------------------------------
# A block of 32 bytes, a group of 32 blocks, the 64 of associated data that share a column, what a
# started sequence reaches, and a tile of it.
EDGES = [32, 1024, 2048, 64 * 1024 - 32, 256 * 1024]


@pytest.mark.parametrize("edge", EDGES)
def test_lengths_around_a_boundary(host: Device, edge: int) -> None:
    cipher, other = gpu_aead.Minalpher(KEY, machine=host), aead.Minalpher(KEY)
    sizes = sorted({max(0, k * edge + d) for k in (0, 1, 2) for d in (-33, -32, -31, -1, 0, 1, 31, 32)})
    if edge > 4096:
        sizes = sizes[::3]
    data = generated(11, 5, sizes[-1])
    for n in sizes:
        sealed = cipher.encrypt(NONCE, data[:n], b"header")
        assert sealed == other.encrypt(NONCE, data[:n], b"header"), n
        assert cipher.decrypt(NONCE, sealed, b"header") == data[:n], n
        if n < 2100:
            assert mac(host, KEY, data[:n]) == DESCRIBED.mac(KEY, data[:n]), n
        assert cipher.encrypt(NONCE, b"message", data[:n]) == other.encrypt(NONCE, b"message", data[:n])


def test_no_plaintext_before_the_tag(host: Device) -> None:
    cipher = gpu_aead.Minalpher(KEY, machine=host)
    sealed = cipher.encrypt(NONCE, bytes(100), b"header")
    for i in (0, len(sealed) - 17, len(sealed) - 16, len(sealed) - 1):
        log, forged = Log(), bytearray(sealed)
        forged[i] ^= 1
        with pytest.raises(InvalidTag, match="^authentication failed; no plaintext was released$"):
            cipher.decrypt(NONCE, bytes(forged), b"header")
        assert "minalpher_tag" in log.entries and "minalpher_decrypt" not in log.entries
    for short in (b"", bytes(16), bytes(47), bytes(49)):
        with pytest.raises(InvalidTag):
            cipher.decrypt(NONCE, short)
