"""All that a GPU is asked in one call, on the driver that is this CPU: right bytes and whole rows."""

from __future__ import annotations

import time
from typing import Any

import pytest

from roundworks import spec
from roundworks.errors import KernelError
from roundworks.gpu import measure
from roundworks.gpu.device import Device
from roundworks.gpu.machine import Host
from roundworks.rows import row
from test_gpu_device import device, library

__all__ = ["device", "library"]


def a_bench(device: Device) -> measure.Bench:
    return measure.Bench(device, lambda text: None, time.monotonic() + 100, "one", samples=1)


def test_checks_pass_and_find_what_is_wrong(
    device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert measure.CHECKS["ceilings"](device) == 2
    vectors = list(spec.aead_vectors("minalpher"))
    few = [v for v in vectors if v.valid][:3] + [v for v in vectors if not v.valid][:3]
    monkeypatch.setattr(spec, "aead_vectors", lambda name: few)
    assert measure.CHECKS["minalpher"](device) == 6

    class Wrong(Host):
        def get(self, memory: Any, size_bytes: int) -> bytes:
            return bytes(size_bytes)

    for name, line in (("minalpher", "the kernel gives other bytes"), ("ceilings", "gives other")):
        with pytest.raises(KernelError, match=line):
            measure.CHECKS[name](Wrong())


def test_rows_are_whole(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    bench = a_bench(device)
    measure.ceilings(bench, turns=1, copied=1 << 16)
    monkeypatch.setattr(measure, "_PARTS_BLOCKS", 40)
    measure.paper_parts(bench)
    monkeypatch.setattr(measure, "_STREAMED", 3)
    measure.streamed(bench, size=4096)
    for fields in bench.rows:
        row("gpu", command="bench/gpu/run.sh", **fields)
    assert [(r["subject"], r["stage"]) for r in bench.rows] == [
        *((s, "ceiling") for s in ("lop3", "look-ups", "memory", "upload", "download")),
        *(("minalpher", s) for s in ("tweaks", "authentication", "encryption", "copy", "set")),
        ("minalpher", "whole"),
    ]
    # Four multiprocessors with two blocks of 128 threads each, as this driver says.
    assert bench.rows[0]["work"] == 4 * 2 * 128 * 8 * 32


def test_what_comes_too_late_is_left_out(device: Device) -> None:
    said: list[str] = []
    bench = measure.Bench(device, said.append, time.monotonic() - 1, "one", samples=1)
    assert list(measure.measure(bench)) == [] and bench.rows == []
    assert said == [f"{name}: left out, the time is over" for name in measure.STEPS]
