"""AEGIS-128L, Rocca-S and AETHER of many messages on the host: every vector of spec/, and the library
for the CPU on lengths around every boundary, side by side as lanes have them."""

from __future__ import annotations

import random
from ctypes import c_uint32
from typing import Any

import numpy as np
import pytest

from gpu_gcm import Sealed, whole
from gpu_tools import need, words
from roundworks import aead, spec
from roundworks.errors import UnknownName
from roundworks.gpu import aead as gpu_aead
from roundworks.gpu import streams
from roundworks.gpu.build import host_library
from roundworks.gpu.device import Device
from roundworks.gpu.machine import Host
from roundworks.gpu.streams import BLOCK, ENTRIES, Streams, prefix
from roundworks.reference import IntWord, aether
from test_gpu_device import device, library
from test_gpu_gcm import spoiled

__all__ = ["device", "library"]

pytestmark = pytest.mark.filterwarnings("ignore::roundworks.errors.ResearchOnlyWarning")
NAMES = tuple(ENTRIES)
# Each size of tag has kernels of its own.
SIZES = [(name, size) for name in NAMES for size in spec.cipher(name).tag_sizes]


def many(name: str, key: bytes, messages: list[Sealed], what: str) -> list[Sealed]:
    """The same messages with text and tag replaced, to a place of their own and in place. All have
    tags of one size, in sealing those that are replaced."""
    need("g++")
    places: list[int] = []
    ads, texts = bytearray(), bytearray()
    for _, ad, text, _ in messages:
        places += (len(ads) // BLOCK, len(ad), len(texts) // BLOCK, len(text))
        ads += whole(ad)
        texts += whole(text)
    size = len(messages[0][3])
    found = []
    for own in (False, True):
        given = words(bytes(texts))
        out = given if own else words(b"\x5a" * len(texts))
        tags = words(b"".join(m[3] for m in messages))
        verdicts = words(b"\x5a" * (4 * len(messages)))
        getattr(host_library(ENTRIES[name].family), f"{prefix(name, size)}_{what}_many")(
            words(key), words(b"".join(m[0] for m in messages)), (c_uint32 * len(places))(*places),
            words(bytes(ads)), given, out, tags, verdicts, len(messages),
        )  # fmt: skip
        before = bytes(texts) if own else b"\x5a" * len(texts)
        found.append(_read(messages, places, bytes(out), before, bytes(tags), list(verdicts)))
    assert found[0] == found[1]
    return found[0]


def _read(
    messages: list[Sealed], places: list[int], out: bytes, before: bytes, tags: bytes,
    verdicts: list[int],
) -> list[Sealed]:  # fmt: skip
    """A refused message's text is what it was, and comes back as nothing; of one that was opened,
    its tag is `right`."""
    found, size = [], len(messages[0][3])
    opening = verdicts[0] != 0x5A5A5A5A
    for m, (nonce, ad, text, _) in enumerate(messages):
        here = slice(BLOCK * places[4 * m + 2], BLOCK * places[4 * m + 2] + len(whole(text)))
        if opening and not verdicts[m]:
            assert out[here] == before[here], "nothing is written where a tag is wrong"
            found.append((nonce, ad, b"", b""))
            continue
        assert not any(out[here][len(text) :]), "zeros behind the last byte"
        assert verdicts[m] == (1 if opening else 0x5A5A5A5A)
        tag = b"right" if opening else tags[size * m : size * (m + 1)]
        found.append((nonce, ad, out[here][: len(text)], tag))
    return found


def test_round() -> None:
    need("g++")
    cases = [c for c in spec.function_vectors("aegis-128l") if c.function == "AESRound"]
    assert cases
    for case in cases:
        out = words(BLOCK)
        host_library("aegis").aegis_round(words(case.input), out)
        assert bytes(out) == case.output, case.id


def test_f() -> None:
    """Of four words at once; the reference has the S-box, M_b and Permutation from spec/."""
    need("g++")
    rng = random.Random(1)
    cases = [c.input for c in spec.function_vectors("aether") if c.function == "F"]
    want = [c.output for c in spec.function_vectors("aether") if c.function == "F"]
    assert len(cases) == 4
    for _ in range(16):
        out = words(4 * BLOCK)
        host_library("aether").aether_f(words(b"".join(cases)), out)
        assert bytes(out) == b"".join(want)
        cases = [rng.randbytes(BLOCK) for _ in range(4)]
        images = [aether.f(IntWord(int.from_bytes(x, "big"), 128)) for x in cases]
        want = [y.value.to_bytes(BLOCK, "big") for y in images]


@pytest.mark.parametrize(("name", "size"), SIZES)
def test_vectors(name: str, size: int) -> None:
    """All cases of a key as a batch."""
    of_key: dict[bytes, list[spec.AeadVector]] = {}
    for case in spec.aead_vectors(name):
        if len(case.tag) == size:
            of_key.setdefault(case.key, []).append(case)
    assert of_key
    for key, cases in of_key.items():
        sealed = many(name, key, [(c.nonce, c.ad, c.pt, bytes(size)) for c in cases], "seal")
        for case, (_, _, text, tag) in zip(cases, sealed, strict=True):
            assert not case.valid or (text, tag) == (case.ct, case.tag), case.id
        opened = many(name, key, [(c.nonce, c.ad, c.ct, c.tag) for c in cases], "open")
        for case, (_, _, text, right) in zip(cases, opened, strict=True):
            assert bool(right) == case.valid, case.id
            assert text == (case.pt if case.valid else b""), case.id


@pytest.mark.parametrize("count", [1, 8, 15, 200])
@pytest.mark.parametrize(("name", "size"), SIZES)
def test_batch(name: str, size: int, count: int) -> None:
    """Messages of all lengths side by side, then of one length; then one bit of one part of every
    third is wrong."""
    rng = random.Random(f"{name} {count}")
    cipher = aead.get(name)
    key = rng.randbytes(cipher.KEY_BYTES)
    library, none = cipher(key, tag_bytes=size), bytes(size)
    # One length for all: laps that no lane asks about, with and without an end behind them.
    for shape in [(None, None), (64, 32), (96, 33), (65, 0), (0, 64), (15, 63), (0, 0), (144, 49)]:
        plain: list[Sealed] = []
        for m in range(count):
            sizes = [(m * 37 % 101, m % 131)[i] if s is None else s for i, s in enumerate(shape)]
            text, ad = (rng.randbytes(n) for n in sizes)
            plain.append((rng.randbytes(cipher.NONCE_BYTES), ad, text, none))
        sealed = many(name, key, plain, "seal")
        for (nonce, ad, text, _), (_, _, found, tag) in zip(plain, sealed, strict=True):
            assert found + tag == library.encrypt(nonce, text, ad), (len(text), len(ad))
        wrong = [spoiled(rng, m) if i % 3 == 0 else m for i, m in enumerate(sealed)]
        opened = many(name, key, wrong, "open")
        for i, ((_, _, text, _), (_, _, found, right)) in enumerate(
            zip(plain, opened, strict=True)
        ):
            assert bool(right) == (i % 3 != 0), i
            assert found == (text if right else b""), i


@pytest.mark.parametrize(("name", "size"), SIZES)
def test_launches(name: str, size: int) -> None:
    """In any order of lengths, as the class for the CPU has it with lists."""
    need("g++")
    rng = random.Random(name)
    cipher = aead.get(name)
    key = rng.randbytes(cipher.KEY_BYTES)
    ours, library = Streams(name, key, Host(), size), cipher(key, tag_bytes=size)
    sizes = [rng.choice([0, 1, 16, 31, 32, 33, 500]) for _ in range(40)]
    nonces = [rng.randbytes(cipher.NONCE_BYTES) for _ in sizes]
    data, ads = ([rng.randbytes(n) for n in some] for some in (sizes, sizes[::-1]))
    sealed = ours.seal_lists(nonces, data, ads)
    assert sealed == library.seal_many(nonces, data, ads)
    sealed[3], sealed[5] = sealed[3][: size - 1], b""
    sealed[7] = sealed[7][:-1] + bytes((sealed[7][-1] ^ 0x80,))
    opened, right = ours.open_lists(nonces, sealed, ads)
    assert (opened, right) == library.open_many(nonces, sealed, ads)
    assert right.count(False) == 3
    assert ours.seal_lists([], [], []) == [] and ours.open_lists([], [], []) == ([], [])


@pytest.mark.parametrize(("name", "size"), SIZES)
def test_rows(device: Device, name: str, size: int) -> None:
    """The classes, beside those for the CPU; what is refused is a row of zeros."""
    made, cipher = np.random.default_rng(1), aead.get(name)
    key = cipher.generate_key()
    ours: Any = gpu_aead.get(name)(key, tag_bytes=size, machine=device)
    theirs: Any = cipher(key, tag_bytes=size)
    for count, width, ad_bytes in ((0, 5, 0), (1, 0, 0), (9, 33, 17), (40, 96, 0)):
        nonces, data, ads = (
            made.integers(0, 256, (count, n), np.uint8)
            for n in (cipher.NONCE_BYTES, width, ad_bytes)
        )
        for ad in (ads, b"header", None):
            sealed = theirs.seal_many(nonces, data, ad)
            out = np.full((count, width + size), 0xFF, np.uint8)
            assert ours.seal_many(nonces, data, ad, out=out) is out
            assert np.array_equal(out, sealed)
            sealed[::3, -1] ^= 0x10
            opened, ok = ours.open_many(nonces, sealed, ad)
            want, of = theirs.open_many(nonces, sealed, ad)
            assert ok.dtype == np.bool_ and np.array_equal(ok, of)
            assert opened.shape == (count, width) and np.array_equal(opened, want)
    with pytest.raises(ValueError, match=f"^data: nothing sealed has rows of {size - 1} bytes$"):
        ours.open_many(nonces, sealed[:, : size - 1])


def test_what_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(
        UnknownName,
        match=r"^cipher with kernels 'aes': not known; one of aegis-128l, rocca-s, aether, aether-lb$",
    ):
        Streams("aes", bytes(16), Host())
    need("g++")
    with pytest.raises(ValueError, match=r"^key: want 32 bytes, got 16$"):
        Streams("rocca-s", bytes(16), Host())
    with pytest.raises(ValueError, match=r"^tag_bytes: rocca-s has tags of 32 bytes, got 16$"):
        Streams("rocca-s", bytes(32), Host(), 16)
    ours = Streams("rocca-s", bytes(32), Host())
    for call in (ours.seal_lists, ours.open_lists):
        with pytest.raises(ValueError, match=r"^nonces: want 16 bytes each, got 12$"):
            call([bytes(12)], [b""], [b""])
        with pytest.raises(ValueError, match=r"^nonces: want one for each of 1 messages, got 2$"):
            call([bytes(16)] * 2, [b""], [b""])
        with pytest.raises(
            ValueError, match=r"^associated_data: want one for each of 1 .*, got 0$"
        ):
            call([bytes(16)], [b""], [])
    monkeypatch.setattr(streams, "MOST", 10)
    with pytest.raises(
        ValueError, match=r"^data: want less than 2 GiB each and 16 in all, got 10$"
    ):
        ours.seal_lists([bytes(16)], [bytes(10)], [b""])
