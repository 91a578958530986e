"""All that a GPU is measured in, on the driver that is this CPU: right bytes and whole rows."""

from __future__ import annotations

import hashlib
import time

import pytest

from gpu_steps import TINY, few_vectors, tiny
from roundworks import aead
from roundworks.errors import KernelError
from roundworks.gpu import checks, measure, measure_many
from roundworks.gpu import device as devices
from roundworks.gpu.bench import DeviceBench, pattern
from roundworks.gpu.device import Device
from roundworks.rows import row


def a_bench(device: Device) -> DeviceBench:
    return DeviceBench(device, lambda text: None, time.monotonic() + 100, "one", samples=1)


def test_checks_pass(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    few_vectors(monkeypatch)
    assert {name: check(device) for name, check in checks.CHECKS.items() if "many" not in name} == {
        "ceilings": 2,
        "minalpher": 6,
        "aes-128-gcm": 6,
        "aes-256-gcm": 6,
        "aegis-128l": 12,
        "rocca-s": 3,
        "aether": 6,
        "aether-lb": 6,
    }
    assert {check(device) for name, check in checks.CHECKS.items() if "many" in name} == {10}


@pytest.mark.parametrize("name", checks.CHECKS)
def test_checks_find_what_is_wrong(device: Device, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    few_vectors(monkeypatch)
    # All that comes back is zeros; of a ceiling the host's too, unless it was read before.
    want = {"ceilings": "gives other words"}.get(name, "the kernel gives other bytes")
    if "many" in name:
        want = "many messages are decided otherwise"
    if name == "ceilings":
        monkeypatch.setattr(devices, "host", lambda: _Right())
    monkeypatch.setenv("HOST_CUDA_WRONG", "1")
    with pytest.raises(KernelError, match=want):
        checks.CHECKS[name](device)


class _Right:
    def zeros(self, size: int) -> _Right:
        return self

    def launch(self, *_: object) -> None: ...

    def read(self, size: int) -> bytes:
        return b"\1" * size


def test_rows_are_whole(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    """All that is measured, with tiny sizes."""
    bench = a_bench(device)
    monkeypatch.setattr(measure, "STEPS", tiny())
    assert list(measure.measure(bench)) == list(TINY)
    for fields in bench.rows:
        row("gpu", command="bench/gpu/run.sh", **fields)
    fields_of = ("subject", "stage", "backend", "place", "messages", "data_bytes")
    seen = [tuple(r[what] for what in fields_of) for r in bench.rows]
    assert len(set(seen)) == len(seen)
    assert [s[:2] for s in seen if s[1] != "whole"] == [
        *((s, "ceiling") for s in ("lop3", "look-ups", "memory", "upload", "download", "both ways")),
        *(("minalpher", s) for s in ("tweaks", "authentication", "encryption", "copy", "set")),
        *(("aes-128-gcm", s) for s in ("encryption", "authentication", "copy", "set")),
        *((s, "opening") for s in ("minalpher", "aes-128-gcm") for _ in ("pinned", "buffered")),
        *((s, "opening") for s in ("aegis-128l", "rocca-s", "aether")),
    ]
    whole, places = [(s[0], *s[2:]) for s in seen if s[1] == "whole"], ("host", "device")
    assert whole == [
        *(("minalpher", "minalpher_encrypt", "device", 1, n) for n in (1024, 4096)),
        *(("minalpher", "minalpher_encrypt", place, 1, n) for n in (32, 1280) for place in places),
        ("minalpher", "minalpher_encrypt", "host", 3, 4096),
        *(
            (f"aes-{bits}-{mode}", backend, "device", 1, n)
            for bits in (128, 256)
            for n in (1024, 4096)
            for backend in (f"aes{bits}_tables_ctr", "aes_slices_ctr")
            for mode in ("ctr", "gcm")
        ),
        *(("aes-128-gcm", "aes128_tables_ctr", place, 1, n) for n in (16, 640) for place in places),
        *(
            (name, f"{name}_{way}", "host", 1, 8192)
            for name in ("minalpher", "aes-128-gcm")
            for way in ("pinned", "buffered")
        ),
        *((name, f"{name}_seal_many", "host", 64, 64) for name in ("minalpher", "aes-128-gcm")),
        *(
            ("aes-128-gcm", f"gcm128_seal_{by}", "device", 4096 // n, n)
            for n in (64, 1024)
            for by in ("batch", "warps")
        ),
        *(("minalpher", "minalpher_encrypt_many", "device", 4096 // n, n) for n in (64, 1024)),
        ("aegis-128l", "aegis128l_seal_many", "device", 20, 33),
        ("rocca-s", "rocca_s_seal_many", "device", 20, 33),
        ("aether", "aether_seal_many", "device", 80, 33),
    ]
    # What is timed is what a message is sealed to.
    cipher, data = aead.Aes128Gcm(bytes(range(16))), pattern(4096).tobytes()
    sealed = hashlib.sha256(cipher.encrypt(bytes(range(12)), data)).hexdigest()
    of = [r["digest"] for r in bench.rows if (r["subject"], r["data_bytes"]) == ("aes-128-gcm", 4096)]
    assert of == [sealed, sealed]
    # Four multiprocessors with two blocks of 128 threads each, as this driver says.
    assert bench.rows[0]["work"] == 4 * 2 * 128 * 8 * 32


@pytest.mark.parametrize(
    ("module", "name", "line"),
    [
        (measure, "AES-CTR and AES-GCM, one message on the device", "bit slices give other bytes than tab"),
        (measure_many, "AES-GCM, many messages on the device", "warps give other bytes than lanes"),
    ],
)
def test_back_ends_that_differ_are_named(
    device: Device, monkeypatch: pytest.MonkeyPatch, module: object, name: str, line: str
) -> None:
    digests = iter(range(100))
    monkeypatch.setattr(module, "digest", lambda sealed: str(next(digests)))
    with pytest.raises(KernelError, match=line):
        tiny()[name](a_bench(device))


def test_what_comes_too_late_is_left_out(device: Device) -> None:
    said: list[str] = []
    bench = DeviceBench(device, said.append, time.monotonic() - 1, "one", samples=1)
    assert list(measure.measure(bench)) == [] and bench.rows == []
    assert said == [f"{name}: left out, the time is over" for name in measure.STEPS]
    assert not bench.fits("a gibibyte", 1 << 30) and said[-1] == "  a gibibyte: left out"


@pytest.mark.parametrize(
    ("step", "line"),
    [
        ("Minalpher, many messages on the device", "minalpher: 64 messages of 64 bytes: other bytes"),
        ("Minalpher, a batch over the bus", "minalpher: a pipeline gives other bytes than one call"),
        ("one long message over the bus", "minalpher: increments of a message give other bytes than one"),
        (
            "AEGIS-128L, Rocca-S and AETHER, many messages on the device",
            "aegis-128l: 20 messages of 33 bytes: other bytes",
        ),
    ],
)
def test_bytes_that_differ_are_named(
    device: Device, monkeypatch: pytest.MonkeyPatch, step: str, line: str
) -> None:
    """From what one call, or the host, gives: here each has a key of its own, and a pipeline does nothing."""
    real, numbers = measure.keyed, iter(range(100))

    def keyed(name: str, on: Device) -> aead.Aead:
        return real(name, on, bytes((next(numbers),)) * aead.get(name).KEY_BYTES)

    for module in (measure, measure_many):
        monkeypatch.setattr(module, "keyed", keyed)
    monkeypatch.setattr(device, "pipeline", lambda *_: None)
    with pytest.raises(KernelError, match=line):
        tiny()[step](a_bench(device))
