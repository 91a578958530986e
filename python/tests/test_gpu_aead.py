"""The AEADs of a GPU beside those of the CPU: the same bytes, the same errors, the same words."""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from gpu_tools import host_cuda
from roundworks import aead as cpu
from roundworks import spec
from roundworks.errors import (
    DeviceMemoryError,
    DeviceUnavailable,
    InvalidTag,
    ResearchOnlyWarning,
    UnknownName,
)
from roundworks.gpu import aead, gcm
from roundworks.gpu.device import Device
from test_gpu_device import image, leave

pytestmark = pytest.mark.filterwarnings("ignore::roundworks.errors.ResearchOnlyWarning")
NAMES = aead.names()
REFUSED = "^authentication failed; no plaintext was released$"


def key_and_nonce(name: str) -> tuple[bytes, bytes]:
    cipher = cpu.get(name)
    return bytes(range(cipher.KEY_BYTES)), bytes(range(cipher.NONCE_BYTES))


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The first GPU is this CPU."""
    device = Device(library=host_cuda(), image=image)
    monkeypatch.setattr(aead, "_first", lambda: device)
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


@pytest.mark.parametrize("name", NAMES)
def test_vectors(here: None, name: str) -> None:
    made: dict[tuple[bytes, int], aead.Aead] = {}
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
@pytest.mark.parametrize(
    ("name", "size"), [(n, size) for n in NAMES for size in spec.cipher(n).tag_sizes]
)
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


def test_a_message_beyond_places_of_32_bits(here: None, monkeypatch: pytest.MonkeyPatch) -> None:
    ours = aead.get("aes-128-gcm")(bytes(16))
    monkeypatch.setattr(gcm, "MOST_BLOCKS", 4)
    assert len(ours.encrypt(bytes(12), bytes(48), bytes(48))) == 64
    for data, ad, what in ((bytes(49), b"", "data"), (b"", bytes(49), "associated_data")):
        line = f"^{what}: want at most 48 bytes, got 49; use the CPU$"
        with pytest.raises(ValueError, match=line):
            ours.encrypt(bytes(12), data, ad)


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
    found = []
    for it in (cpu.get(name)(key), aead.get(name)(key)):
        with pytest.raises((ValueError, TypeError, InvalidTag)) as error:
            wrong(it, nonce)
        found.append((error.type, str(error.value)))
    assert found[0] == found[1]


@pytest.mark.parametrize("name", NAMES)
def test_without_a_gpu_the_cpu_if_asked(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    def nobody() -> Device:
        return Device(library="no-such-library.so")

    monkeypatch.setattr(aead, "_first", nobody)
    key, nonce = key_and_nonce(name)
    with pytest.raises(DeviceUnavailable, match=r"^libcuda.so.1: not found"):
        aead.get(name)(key)
    last = spec.cipher(name).tag_sizes[-1]
    with pytest.warns(aead.OnCpuWarning, match=f"^{name} on the CPU: libcuda.so.1: not found"):
        it: Any = aead.get(name, fallback=True)(key, tag_bytes=last)
    assert it.tag_bytes == last
    assert it.decrypt(nonce, it.encrypt(nonce, b"data", b"ad"), b"ad") == b"data"


@pytest.mark.parametrize("name", NAMES)
def test_too_little_memory_is_the_cpus_if_asked(
    here: None, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """One line, or the CPU for that call; the next is the GPU's again."""
    key, nonce = key_and_nonce(name)
    asked, ours = aead.get(name, fallback=True)(key), aead.get(name)(key)
    large, small = bytes(3 << 20), b"data"
    sealed = ours.encrypt(nonce, small)
    device = aead._first()
    device.trim()
    leave(device, monkeypatch, 1 << 20)
    line = "^this CPU: want 3 MiB of memory, . MiB are free; give it less at once$"
    for way, data in ((ours.encrypt, large), (ours.decrypt, large + bytes(16))):
        with pytest.raises(DeviceMemoryError, match=line):
            way(nonce, data)
    with pytest.warns(aead.OnCpuWarning, match=f"^{name} on the CPU: this CPU: want 3 MiB of mem"):
        assert asked.encrypt(nonce, large) == cpu.get(name)(key).encrypt(nonce, large)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert asked.encrypt(nonce, small) == sealed
        assert asked.decrypt(nonce, sealed) == small
        with pytest.raises(InvalidTag):
            asked.decrypt(nonce, sealed[:-1] + bytes((sealed[-1] ^ 1,)))


@pytest.mark.parametrize("name", NAMES)
def test_another_architecture_is_the_cpus_if_asked(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Machine code is asked for with a key or with a message; either way the CPU does the rest."""
    other = Device(library=host_cuda(), image=lambda family: b"of another architecture")
    monkeypatch.setattr(aead, "_first", lambda: other)
    key, nonce = key_and_nonce(name)
    line = "no machine code for sm_90 of this CPU"
    with pytest.raises(DeviceUnavailable, match=f"{line}; compile it for that, or ask for the CPU"):
        aead.get(name)(key).encrypt(nonce, b"data")
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        it = aead.get(name, fallback=True)(key)
        sealed = it.encrypt(nonce, b"data", b"ad")
        assert it.decrypt(nonce, sealed, b"ad") == b"data"
    texts = [str(one.message) for one in told if one.category is aead.OnCpuWarning]
    assert [text.partition(": ")[0] for text in texts] == [f"{name} on the CPU"]
    assert sealed == cpu.get(name)(key).encrypt(nonce, b"data", b"ad")
    other.trim()


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
