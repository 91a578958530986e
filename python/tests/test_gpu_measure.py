"""All that a GPU is asked in one call, on the driver that is this CPU: right bytes and whole rows."""

from __future__ import annotations

import functools
import hashlib
import time
from typing import Any

import pytest

from roundworks import aead, spec
from roundworks.errors import KernelError
from roundworks.gpu import measure, measure_gcm, measure_streams
from roundworks.gpu.bench import Bench, pattern
from roundworks.gpu.device import Device
from roundworks.gpu.machine import Host
from roundworks.gpu.streams import ENTRIES
from roundworks.rows import row
from test_gpu_device import device, library

__all__ = ["device", "library"]


def a_bench(device: Device) -> Bench:
    return Bench(device, lambda text: None, time.monotonic() + 100, "one", samples=1)


def few_vectors(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three right and three wrong vectors of each, for each size of tag."""
    every = spec.aead_vectors

    def chosen(name: str) -> list[spec.AeadVector]:
        alike: dict[tuple[bool, int], list[spec.AeadVector]] = {}
        for v in every(name):
            alike.setdefault((v.valid, len(v.tag)), []).append(v)
        return [v for vectors in alike.values() for v in vectors[:3]]

    monkeypatch.setattr(spec, "aead_vectors", chosen)


def test_checks_pass(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    few_vectors(monkeypatch)
    assert {name: check(device) for name, check in measure.CHECKS.items()} == {
        "ceilings": 2, "minalpher": 6, "minalpher, many messages": 7, "aes-128-gcm": 6, "aes-256-gcm": 6,
        "aes-gcm, many messages": 4, "aegis-128l": 12, "rocca-s": 3,
        "aether": 6, "aether-lb": 6,
    }  # fmt: skip


class Wrong(Host):
    def get(self, memory: Any, size_bytes: int) -> bytes:
        found = super().get(memory, size_bytes)
        return bytes(size_bytes) if size_bytes != 244 else found  # round keys have no other way


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("minalpher", "the kernel gives other bytes"),
        ("minalpher, many messages", "a batch decides otherwise"),
        ("ceilings", "gives other words"),
        ("aes-128-gcm", "the kernel gives other bytes"),
        ("aes-256-gcm", "the kernel gives other bytes"),
        ("aes-gcm, many messages", "a batch decides otherwise"),
        ("aegis-128l", "the kernel gives other bytes"),
        ("rocca-s", "the kernel gives other bytes"),
        ("aether", "the kernel gives other bytes"),
        ("aether-lb", "the kernel gives other bytes"),
    ],
)
def test_checks_find_what_is_wrong(monkeypatch: pytest.MonkeyPatch, name: str, line: str) -> None:
    few_vectors(monkeypatch)
    with pytest.raises(KernelError, match=line):
        measure.CHECKS[name](Wrong())


# Every step in a few seconds on this CPU.
TINY: dict[str, dict[str, Any]] = {
    "ceilings": {"turns": 1, "copied": 1 << 16},
    "Minalpher, one message on the device": {"bits": [10, 12]},
    "Minalpher, the paper's parts": {"blocks": 40},
    "Minalpher, the paper's block counts": {"counts": [1, 40]},
    "Minalpher, a batch over the bus": {"size": 4096, "messages": 3},
    "AES-CTR and AES-GCM, one message on the device": {"bits": [10, 12]},
    "AES-GCM, the paper's parts": {"blocks": 40},
    "AES-GCM, the paper's block counts": {"counts": [1, 40]},
    "AES-GCM, many messages on the device": {"total": 1 << 12, "each": [64, 1024]},
    "one long message over the bus": {"bits": [13], "piece_bytes": 2048},
    "batches over the bus, from Python": {"total": 1 << 12, "each": [64]},
    "Minalpher, many messages on the device": {"total": 1 << 12, "each": [64, 1024]},
    "AEGIS-128L, Rocca-S and AETHER, many messages on the device": {"each": [33], "lanes": 5},
}


def tiny() -> dict[str, Any]:
    return {name: functools.partial(step, **TINY[name]) for name, step in measure.STEPS.items()}


def test_rows_are_whole(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    """All that is measured, with tiny sizes."""
    bench = a_bench(device)
    monkeypatch.setattr(measure, "STEPS", tiny())
    assert list(measure.measure(bench)) == list(TINY)
    for fields in bench.rows:
        row("gpu", command="bench/gpu/run.sh", **fields)
    asked = ("subject", "stage", "backend", "place", "messages", "data_bytes")
    seen = [tuple(r[what] for what in asked) for r in bench.rows]
    assert len(set(seen)) == len(seen)
    assert [s[:2] for s in seen if s[1] != "whole"] == [
        *(
            (s, "ceiling")
            for s in ("lop3", "look-ups", "memory", "upload", "download", "both ways")
        ),
        *(("minalpher", s) for s in ("tweaks", "authentication", "encryption", "copy", "set")),
        *(("aes-128-gcm", s) for s in ("encryption", "authentication", "copy", "set")),
        *((s, "opening") for s in ("minalpher", "aes-128-gcm") for _ in ("pinned", "buffered")),
        *((s, "opening") for s in ("aegis-128l", "rocca-s", "aether")),
    ]
    whole = [(s[0], *s[2:]) for s in seen if s[1] == "whole"]
    assert whole == [
        *(("minalpher", "minalpher_encrypt", "device", 1, n) for n in (1024, 4096)),
        *(("minalpher", "minalpher_encrypt", "host", 1, n) for n in (32, 1280)),
        ("minalpher", "minalpher_encrypt", "host", 3, 4096),
        *((f"aes-{bits}-{mode}", backend, "device", 1, n) for bits in (128, 256)
          for n in (1024, 4096) for backend in (f"aes{bits}_tables_ctr", "aes_slices_ctr")
          for mode in ("ctr", "gcm")),
        *(("aes-128-gcm", "aes128_tables_ctr", "host", 1, n) for n in (16, 640)),
        *(("aes-128-gcm", f"gcm128_seal_{by}", "device", 4096 // n, n) for n in (64, 1024)
          for by in ("batch", "warps")),
        *((name, f"{name}_{way}", "host", 1, 8192) for name in ("minalpher", "aes-128-gcm")
          for way in ("pinned", "buffered")),
        *((name, f"{name}_seal_many", "host", 64, 64) for name in ("minalpher", "aes-128-gcm")),
        *(("minalpher", "minalpher_encrypt_many", "device", 4096 // n, n) for n in (64, 1024)),
        ("aegis-128l", "aegis128l_seal_many", "device", 20, 33),
        ("rocca-s", "rocca_s_seal_many", "device", 20, 33),
        ("aether", "aether_seal_many", "device", 80, 33),
    ]  # fmt: skip
    # What is timed is what a message is sealed to.
    cipher, data = aead.Aes128Gcm(bytes(range(16))), pattern(4096).tobytes()
    sealed = hashlib.sha256(cipher.encrypt(bytes(range(12)), data)).hexdigest()
    of = [r["digest"] for r in bench.rows
          if (r["subject"], r["data_bytes"]) == ("aes-128-gcm", 4096)]  # fmt: skip
    assert of == [sealed, sealed]
    # Four multiprocessors with two blocks of 128 threads each, as this driver says.
    assert bench.rows[0]["work"] == 4 * 2 * 128 * 8 * 32


@pytest.mark.parametrize("step", ["sizes", "many"])
def test_back_ends_that_differ_are_named(
    device: Device, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    digests = iter(range(100))
    monkeypatch.setattr(measure_gcm, "digest", lambda sealed: str(next(digests)))
    name, line = {
        "sizes": ("AES-CTR and AES-GCM, one message on the device", "slices give other bytes"),
        "many": ("AES-GCM, many messages on the device", "warps give other bytes than lanes"),
    }[step]
    with pytest.raises(KernelError, match=line):
        tiny()[name](a_bench(device))


def test_what_comes_too_late_is_left_out(device: Device) -> None:
    said: list[str] = []
    bench = Bench(device, said.append, time.monotonic() - 1, "one", samples=1)
    assert list(measure.measure(bench)) == [] and bench.rows == []
    assert said == [f"{name}: left out, the time is over" for name in measure.STEPS]


@pytest.mark.parametrize(("name", "count"), [("aegis-128l", 20), ("rocca-s", 20), ("aether", 80)])
def test_a_batch_that_differs_is_named(
    device: Device, monkeypatch: pytest.MonkeyPatch, name: str, count: int
) -> None:
    monkeypatch.setattr(measure_streams, "Host", Wrong)
    monkeypatch.setattr(measure_streams, "ENTRIES", {name: ENTRIES[name]})
    with pytest.raises(KernelError, match=f"^{name}: {count} messages of 33 bytes: other bytes$"):
        tiny()["AEGIS-128L, Rocca-S and AETHER, many messages on the device"](a_bench(device))
