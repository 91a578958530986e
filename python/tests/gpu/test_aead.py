"""The AEADs of a GPU and those of the CPU: the same bytes, the same errors, the same words."""

from __future__ import annotations

import mmap
import random
import re
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from calls import cases
from gpu_tools import Log, driver, leave, on_cpu
from places import ROOT
from roundworks import aead as cpu
from roundworks import spec
from roundworks._native import gpu_cipher_names
from roundworks.errors import (
    DeviceMemoryError,
    DeviceUnavailable,
    InvalidTag,
    ResearchOnlyWarning,
    UnknownName,
)
from roundworks.gpu import aead
from roundworks.gpu import device as devices
from roundworks.gpu.device import Device

pytestmark = pytest.mark.filterwarnings("ignore::roundworks.errors.ResearchOnlyWarning")
NAMES = aead.names()
REFUSED = "^authentication failed; no plaintext was released$"


def key_and_nonce(name: str) -> tuple[bytes, bytes]:
    cipher = cpu.get(name)
    return bytes(range(cipher.KEY_BYTES)), bytes(range(cipher.NONCE_BYTES))


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The first GPU is this CPU."""
    device = on_cpu()
    monkeypatch.setattr(devices, "first", lambda: device)
    yield
    device.trim()


# Around a block, 1024 lanes of GHASH, a tile of counter mode, and four groups of the device.
SIZES = [0, 1, 15, 16, 17, 31, 32, 33, 1023, 1024, 1025, 4080, 4097, 16367, 16369, 65505, 70_000]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", NAMES)
def test_the_same_bytes(here: None, name: str, size: int) -> None:
    key, nonce = key_and_nonce(name)
    ours: Any = aead.get(name)(key)
    data, ad = random.Random(size).randbytes(size), random.Random(-size).randbytes(size // 3)
    sealed = cpu.get(name)(key).encrypt(nonce, data, ad)
    assert ours.encrypt(nonce, data, ad) == sealed
    assert ours.decrypt(nonce, memoryview(sealed), bytearray(ad)) == data
    for place in (0, len(sealed) // 2, len(sealed) - 1):
        forged = bytearray(sealed)
        forged[place] ^= 0x10
        with pytest.raises(InvalidTag, match=REFUSED):
            ours.decrypt(nonce, forged, ad)
    with pytest.raises(InvalidTag, match=REFUSED):
        ours.decrypt(nonce, sealed, ad + b"\0")


@pytest.mark.parametrize("name", cases(NAMES, short=set(NAMES) - {"aes-256-gcm"}))
def test_vectors(here: None, name: str) -> None:
    made: dict[tuple[bytes, int], Any] = {}
    for case in spec.aead_vectors(name):
        of = case.key, len(case.tag)
        ours = made.get(of) or made.setdefault(of, aead.get(name)(case.key, tag_bytes=of[1]))
        if case.valid:
            assert ours.encrypt(case.nonce, case.pt, case.ad) == case.ct + case.tag, case.id
            assert ours.decrypt(case.nonce, case.ct + case.tag, case.ad) == case.pt, case.id
        else:
            with pytest.raises(InvalidTag):
                ours.decrypt(case.nonce, case.ct + case.tag, case.ad)


@pytest.mark.parametrize("name", NAMES)
def test_lists_of_any_sizes(here: None, name: str) -> None:
    """What the CPU gives, with the same refusals: too short, forged, not a size of anything sealed."""
    key, nonce = key_and_nonce(name)
    ours: Any = aead.get(name)(key)
    theirs = cpu.get(name)(key)
    data = [random.Random(n).randbytes(n) for n in (300, 0, 33, 16, 1, 2048)]
    nonces = [nonce[:-1] + bytes((n,)) for n in range(len(data))]
    for ads in (None, b"header", [bytes(7 * n) for n in range(len(data))]):
        sealed = theirs.seal_many(nonces, data, ads)
        assert ours.seal_many(nonces, data, ads) == sealed
        sealed[1], sealed[2] = b"short", sealed[2][:-1] + bytes((sealed[2][-1] ^ 1,))
        sealed[3] = sealed[3][1:]
        assert ours.open_many(nonces, sealed, ads) == theirs.open_many(nonces, sealed, ads)


@pytest.mark.parametrize("fallback", [False, True])
@pytest.mark.parametrize(("name", "size"), [(n, size) for n in NAMES for size in spec.cipher(n).tag_sizes])
def test_every_size_of_tag(here: None, name: str, size: int, fallback: bool) -> None:
    key, nonce = key_and_nonce(name)
    ours: Any = aead.get(name, fallback=fallback)(key, tag_bytes=size)
    sealed = cpu.get(name)(key, tag_bytes=size).encrypt(nonce, b"data", b"header")
    assert ours.backend == "gpu" and ours.tag_bytes == size
    assert ours.encrypt(nonce, b"data", b"header") == sealed
    assert ours.decrypt(nonce, sealed, b"header") == b"data"
    for place in range(len(sealed)):
        forged = sealed[:place] + bytes((sealed[place] ^ 0x80,)) + sealed[place + 1 :]
        with pytest.raises(InvalidTag, match=REFUSED):
            ours.decrypt(nonce, forged, b"header")


def virtual(size: int) -> np.ndarray:
    """Memory that is there as soon as somebody writes to it."""
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000  # MAP_NORESERVE of Linux
    return np.frombuffer(mmap.mmap(-1, size, flags=flags), np.uint8)


@pytest.mark.parametrize(
    ("name", "most"), [("aes-128-gcm", 16 * (2**32 - 2)), ("aegis-128l", 2**31 - 1), ("aether", 2**31 - 1)]
)
def test_a_message_that_is_too_long(here: None, name: str, most: int) -> None:
    key, nonce = key_and_nonce(name)
    ours: Any = aead.get(name)(key)
    data, out = virtual(most + 1), virtual(most + 1 + ours.tag_bytes)
    line = f"^data: want at most {most} bytes, got {most + 1}; use the CPU$"
    with pytest.raises(ValueError, match=line):
        ours.encrypt_into(nonce, data, None, out)


@pytest.mark.parametrize(("name", "most"), [("aes-256-gcm", 2**31 - 1), ("minalpher", 2**33)])
def test_a_row_that_is_too_long(here: None, name: str, most: int) -> None:
    key, nonce = key_and_nonce(name)
    ours: Any = aead.get(name)(key)
    long, short = virtual(most + 1)[None], np.zeros((1, 16), np.uint8)
    nonces = np.frombuffer(nonce, np.uint8)[None]
    out = virtual(ours.sealed_bytes(most + 1))[None]
    with pytest.raises(ValueError, match=f"^data: want at most {most} bytes, got {most + 1}; use the CPU$"):
        ours.seal_many(nonces, long, out=out)
    line = f"^associated_data: want at most {most} bytes, got {most + 1}; use the CPU$"
    with pytest.raises(ValueError, match=line):
        ours.seal_many(nonces, short, long)


@pytest.mark.parametrize("name", NAMES)
def test_buffers_and_increments_as_on_the_cpu(here: None, name: str) -> None:
    """In place and apart, and a message that comes incrementally."""
    key, nonce = key_and_nonce(name)
    ours: Any = aead.get(name)(key)
    data, ad = random.Random(name).randbytes(100), b"header"
    sealed = cpu.get(name)(key).encrypt(nonce, data, ad)
    buf = bytearray(data) + bytearray(len(sealed) - len(data))
    assert ours.encrypt_into(nonce, memoryview(buf)[:100], ad, buf) == len(sealed) and buf == sealed
    opened = bytearray(ours.opened_bytes(len(sealed)))
    assert ours.decrypt_into(nonce, sealed, ad, opened) == 100 and opened[:100] == data
    encryptor, decryptor = ours.encryptor(nonce), ours.decryptor(nonce)
    for one in (encryptor, decryptor):
        one.ad(ad)
    text = encryptor.update(data[:7]) + encryptor.update(data[7:]) + encryptor.finalize()
    assert text == sealed
    decryptor.update(sealed[:50])
    decryptor.update(sealed[50 : -ours.tag_bytes])
    assert decryptor.finalize(sealed[-ours.tag_bytes :]) == data


def test_launches_share_what_kernels_want(here: None) -> None:
    """Which is nothing to the driver of these tests: by the sizes in the headers of the kernels."""
    sizes = {
        name: int(size)
        for path in ("aes/tables.hpp", "ghash/table.hpp")
        for name, size in re.findall(r"(COPIES|GROUPS) = (\d+)", (ROOT / "kernels" / path).read_text())
    }
    tables = 4 * 256 * sizes["COPIES"] * 4
    tiles = re.findall(
        r"TILE_BLOCKS = (?:(\d+) \* )?(\w+);",
        "".join(
            (ROOT / "kernels" / path).read_text() for path in ("common/streams.hpp", "aether/messages.hpp")
        ),
    )
    assert tiles == [("", "4"), ("", "8"), ("", "BLOCKS"), ("2", "BLOCKS")], (
        "the second of each from sm_90 on"
    )
    ghash = {bits: 32 // bits * 2**bits * sizes["GROUPS"] * 16 for bits in (4, 8)}
    log = Log()
    for name in NAMES:
        key, nonce = key_and_nonce(name)
        for tag_bytes in spec.cipher(name).tag_sizes:
            ours: Any = aead.get(name)(key, tag_bytes=tag_bytes)
            ours.decrypt(nonce, ours.encrypt(nonce, b"data"))
            for size in (16, 3000):
                nonces, data = [nonce] * 2, [bytes(size)] * 2
                ours.open_many(nonces, ours.seal_many(nonces, data))
    seen = log.shared_bytes
    assert len(seen) > 30
    for entry, shared in seen.items():
        want = 0
        if entry.endswith("_tables_ctr"):
            want = tables
        elif entry.startswith(("aegis", "rocca")):
            want = tables + 512 * 8 * 16
        elif entry.startswith("aether"):
            want = 128 * 4 * 2 * 3 * 16
        elif entry == "ghash_sum":
            want = ghash[8]
        elif entry.endswith(("_batch", "_warps")):
            want = tables + ghash[4]
        assert shared == want, entry


WRONG: list[Callable[[Any, bytes], object]] = [
    lambda it, nonce: it.encrypt(nonce[1:], b""),
    lambda it, nonce: it.encrypt("nonce", b""),
    lambda it, nonce: it.encrypt(nonce, "data"),
    lambda it, nonce: it.encrypt(nonce, b"", 3),
    lambda it, nonce: it.decrypt(nonce, b""),
    lambda it, nonce: it.decrypt(nonce, bytes(15)),
    lambda it, nonce: it.decrypt(nonce, bytes(64)),
    lambda it, nonce: it.decrypt(nonce[1:], bytes(48)),
    lambda it, nonce: it.decrypt(nonce[1:], b""),
    lambda it, nonce: it.decrypt(nonce, bytes(48)),
    lambda it, nonce: type(it)(bytes(15)),
    lambda it, nonce: type(it)("key"),
    lambda it, nonce: type(it)("key", tag_bytes=8),
    lambda it, nonce: type(it)(bytes(15), tag_bytes=-1),
    lambda it, nonce: type(it)(b"", tag_bytes="16"),
]


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("name", NAMES)
def test_the_same_errors(here: None, name: str, wrong: Callable[[Any, bytes], object]) -> None:
    key, nonce = key_and_nonce(name)
    errors = []
    for cipher in (cpu.get(name)(key), aead.get(name)(key)):
        with pytest.raises((ValueError, TypeError, InvalidTag)) as error:
            wrong(cipher, nonce)
        errors.append((error.type, str(error.value)))
    assert errors[0] == errors[1]


@pytest.mark.parametrize("name", NAMES)
def test_without_a_gpu_the_cpu_as_a_fallback(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    def nobody() -> Device:
        return Device(library="no-such-library.so")

    monkeypatch.setattr(devices, "first", nobody)
    key, nonce = key_and_nonce(name)
    with pytest.raises(DeviceUnavailable, match=r"^no-such-library.so: not found"):
        aead.get(name)(key)
    last = spec.cipher(name).tag_sizes[-1]
    with pytest.warns(aead.OnCpuWarning, match=f"^{name} on the CPU: no-such-library.so: not found"):
        cipher: Any = aead.get(name, fallback=True)(key, tag_bytes=last)
    assert cipher.tag_bytes == last
    assert cipher.decrypt(nonce, cipher.encrypt(nonce, b"data", b"ad"), b"ad") == b"data"


@pytest.mark.parametrize("name", NAMES)
def test_too_little_memory_falls_back(here: None, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """One line, or the CPU for that call; the next is the GPU's again."""
    key, nonce = key_and_nonce(name)
    either, ours = aead.get(name, fallback=True)(key), aead.get(name)(key)
    large, small = bytes(3 << 20), b"data"
    sealed = ours.encrypt(nonce, small)
    leave(devices.first(), monkeypatch, 1 << 20)
    line = "^this CPU: want 3 MiB of memory, . MiB are free; give it less at once$"
    for way, data in ((ours.encrypt, large), (ours.decrypt, large + bytes(16))):
        with pytest.raises(DeviceMemoryError, match=line):
            way(nonce, data)
    with pytest.warns(aead.OnCpuWarning, match=f"^{name} on the CPU: this CPU: want 3 MiB of mem"):
        assert either.encrypt(nonce, large) == cpu.get(name)(key).encrypt(nonce, large)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert either.encrypt(nonce, small) == sealed
        assert either.decrypt(nonce, sealed) == small
        with pytest.raises(InvalidTag):
            either.decrypt(nonce, sealed[:-1] + bytes((sealed[-1] ^ 1,)))


@pytest.mark.parametrize("name", NAMES)
def test_another_architecture_falls_back(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Machine code is wanted with a key or with a message; either way the CPU does the rest."""
    other = Device(library=driver(), image=lambda family: b"of another architecture")
    monkeypatch.setattr(devices, "first", lambda: other)
    key, nonce = key_and_nonce(name)
    line = "no machine code for sm_90 of this CPU"
    with pytest.raises(DeviceUnavailable, match=f"{line}; compile it for that, or use the CPU"):
        aead.get(name)(key).encrypt(nonce, b"data")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        cipher = aead.get(name, fallback=True)(key)
        sealed = cipher.encrypt(nonce, b"data", b"ad")
        assert cipher.decrypt(nonce, sealed, b"ad") == b"data"
    texts = [str(one.message) for one in caught if one.category is aead.OnCpuWarning]
    assert [text.partition(": ")[0] for text in texts] == [f"{name} on the CPU"]
    assert sealed == cpu.get(name)(key).encrypt(nonce, b"data", b"ad")
    other.trim()


def test_what_a_class_says_of_itself(here: None, monkeypatch: pytest.MonkeyPatch) -> None:
    assert aead.Minalpher.backends() == [("gpu", True)]
    assert repr(aead.Minalpher(bytes(16))) == "Minalpher(backend='gpu')"
    assert repr(aead.Aegis128L(bytes(16))) == "Aegis128L(tag_bytes=16, backend='gpu')"
    assert len(aead.Aegis128L.generate_key()) == 16
    assert sorted(gpu_cipher_names()) == sorted(NAMES) and set(NAMES) < set(cpu.names())
    monkeypatch.setattr(devices, "first", lambda: Device(library="no-such-library.so"))
    assert aead.Minalpher.backends() == [("gpu", False)]


def test_what_is_not_on_a_gpu() -> None:
    line = r"^AEAD on a GPU 'aes': not known; did you mean aes-128-gcm, aes-256-gcm\? \(`roundworks\.gpu"
    with pytest.raises(UnknownName, match=line):
        aead.get("aes")


def test_aether_warns_as_on_the_cpu(here: None) -> None:
    texts = []
    for made in (cpu.Aether, aead.Aether):
        with pytest.warns(ResearchOnlyWarning) as caught:
            made(bytes(32))
        assert caught[0].filename == __file__
        texts.append(str(caught[0].message))
    assert texts[0] == texts[1]
