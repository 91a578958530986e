"""AES-GCM's kernels on the host: every vector of spec/, and AES-GCM of a library on lengths around
every boundary of a block, a lap of the lanes and a warp."""

from __future__ import annotations

import random

import pytest

from gpu_gcm import BLOCK, Hash, Sealed, batch, check, ctr, expand, spoiled, tag
from roundworks import aead, spec
from roundworks.errors import InvalidTag
from roundworks.gpu import aead as gpu_aead
from roundworks.gpu.device import Device

NAMES = ("aes-128-gcm", "aes-256-gcm")
SHAPES = [(1, 8, 4), (3, 16, 8)]  # groups, lanes of each, bits of a look-up


def around(lap: int) -> list[int]:
    """Bytes: all up to some blocks, and around one and two laps of that many lanes."""
    laps = (BLOCK * (n * lap + k) + d for n in (1, 2) for k in (-2, -1, 0) for d in (-1, 0, 1))
    return [*range(71), *laps]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", NAMES)
def test_one_message(name: str, shape: tuple[int, int, int]) -> None:
    rng = random.Random(f"{name} {shape}")
    cipher = aead.get(name)
    key, nonce = rng.randbytes(cipher.KEY_BYTES), rng.randbytes(12)
    keys, library = expand(key), cipher(key)
    ghash = Hash(keys, *shape)
    sizes = around(shape[0] * shape[1])
    for size in sizes:
        for text_bytes, ad_bytes in ((size, 21), (33, size), (size, 0)):
            text, ad = rng.randbytes(text_bytes), rng.randbytes(ad_bytes)
            sealed = library.encrypt(nonce, text, ad)
            made = ctr(False, keys, nonce, 2, text)
            assert made == sealed[:-BLOCK]
            assert tag(keys, nonce, ghash(ad, made)) == sealed[-BLOCK:], (text_bytes, ad_bytes)


@pytest.mark.parametrize("warps", [False, True])
@pytest.mark.parametrize("name", NAMES)
def test_vectors(name: str, warps: bool) -> None:
    """One by one, and all cases of a key as a batch: a wrong tag releases nothing."""
    of_key: dict[bytes, list[spec.AeadVector]] = {}
    for case in spec.aead_vectors(name):
        of_key.setdefault(case.key, []).append(case)
    for key, cases in of_key.items():
        keys = expand(key)
        ghash = Hash(keys, 1, 8, 4)
        for case in cases:
            total = ghash(case.ad, case.ct)
            assert check(keys, case.nonce, total, case.tag) == case.valid, case.id
            if case.valid:
                assert ctr(False, keys, case.nonce, 2, case.ct) == case.pt, case.id
        messages = [(case.nonce, case.ad, case.ct, case.tag) for case in cases]
        opened = batch(keys, bytes(ghash.powers), messages, opening=True, warps=warps)
        for case, (_, _, text, right) in zip(cases, opened, strict=True):
            assert bool(right) == case.valid, case.id
            assert text == (case.pt if case.valid else b"\x5a" * len(case.ct)), case.id


@pytest.mark.parametrize("warps", [False, True])
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("count", [1, 7, 8, 9, 150])
def test_batch(name: str, count: int, warps: bool) -> None:
    """Messages of all lengths in a batch; then one bit of one part of every third is wrong."""
    rng = random.Random(f"{name} {count}")
    cipher = aead.get(name)
    key = rng.randbytes(cipher.KEY_BYTES)
    keys, library = expand(key), cipher(key)
    powers = bytes(Hash(keys, 1, 8, 4).powers)
    plain: list[Sealed] = []
    for m in range(count):
        sizes = (m * 5 % 71, m % 150)
        ad, text = (rng.randbytes(size) for size in sizes)
        plain.append((rng.randbytes(12), ad, text, bytes(BLOCK)))
    sealed = batch(keys, powers, plain, opening=False, warps=warps)
    for (nonce, ad, text, _), (_, _, found, of) in zip(plain, sealed, strict=True):
        assert found + of == library.encrypt(nonce, text, ad), (len(text), len(ad))
    wrong = [spoiled(rng, m) if i % 3 == 0 else m for i, m in enumerate(sealed)]
    opened = batch(keys, powers, wrong, opening=True, warps=warps)
    for i, ((_, _, text, _), (_, _, found, right)) in enumerate(zip(plain, opened, strict=True)):
        assert bool(right) == (i % 3 != 0), i
        assert found == (text if right else b"\x5a" * len(text)), i


@pytest.mark.parametrize("bit_slices", [False, True])
@pytest.mark.parametrize("name", NAMES)
def test_launches(device: Device, name: str, bit_slices: bool) -> None:
    """In order, around a lap of one, two and all four groups; the last bit of everything is looked at."""
    device.tune(bit_slices=bit_slices)
    rng = random.Random(name)
    key, nonce = rng.randbytes(aead.get(name).KEY_BYTES), rng.randbytes(12)
    ours, library = gpu_aead.get(name)(key, machine=device), aead.get(name)(key)
    lap = BLOCK * 1024
    sizes = [(n * lap + d, a) for n in (1, 2, 4) for d, a in ((-33, 16), (5, 17))]
    for size, ad_bytes in ((0, 0), (1, 15), *sizes, (16, lap - 16)):
        data, ad = rng.randbytes(size), rng.randbytes(ad_bytes)
        sealed = library.encrypt(nonce, data, ad)
        assert ours.encrypt(nonce, data, ad) == sealed
        assert ours.decrypt(nonce, sealed, ad) == data
        with pytest.raises(InvalidTag, match="^authentication failed; no plaintext was released$"):
            ours.decrypt(nonce, sealed[:-1] + bytes((sealed[-1] ^ 1,)), ad)
        with pytest.raises(InvalidTag):
            ours.decrypt(nonce, sealed, ad + b"\0")


@pytest.mark.parametrize("slices", [False, True])
def test_counters_to_the_last(slices: bool) -> None:
    """Near the end of the 32 bits there are the blocks that one call each gives."""
    keys, data = expand(bytes(16)), random.Random(1).randbytes(BLOCK * 300)
    for first in (255, 2**20 + 3, 2**32 - 300):
        whole = ctr(slices, keys, bytes(12), first, data)
        for n in (0, 1, 254, 299):
            part = slice(BLOCK * n, BLOCK * n + BLOCK)
            assert ctr(slices, keys, bytes(12), first + n, data[part]) == whole[part]
