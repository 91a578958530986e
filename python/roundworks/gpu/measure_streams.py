"""AEGIS-128L, Rocca-S and AETHER, many messages, in the call that measures a GPU."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial

import numpy as np

from .. import spec
from ..errors import KernelError
from .bench import Bench, digest, pattern
from .machine import Host, Machine
from .streams import ENTRIES, Streams

_SIZES = (1500, 16384)
# One round more for a message is not another speed.
_LIKE_ANOTHER = ("aether-lb",)


# -- right before fast -------------------------------------------------------------------------
def check(name: str, machine: Machine) -> int:
    """All vectors, those of a key and a size of tag side by side; returns how many."""
    alike: dict[tuple[bytes, int], list[spec.AeadVector]] = {}
    for v in spec.aead_vectors(name):
        alike.setdefault((v.key, len(v.tag)), []).append(v)
    for (key, size), cases in alike.items():
        ours = Streams(name, key, machine, size)
        nonces, ads = [v.nonce for v in cases], [v.ad for v in cases]
        want = [v.ct + v.tag for v in cases]
        sealed = ours.seal_lists(nonces, [v.pt for v in cases], ads)
        opened, _ = ours.open_lists(nonces, want, ads)
        for v, given, found, text in zip(cases, want, sealed, opened, strict=True):
            if v.valid and found != given:
                raise KernelError(f"{name}: vector {v.id}: the kernel gives other bytes")
            if text != (v.pt if v.valid else None):
                raise KernelError(f"{name}: vector {v.id}: the kernel decides otherwise")
    return sum(map(len, alike.values()))


CHECKS: dict[str, Callable[[Machine], int]] = {name: partial(check, name) for name in ENTRIES}


# -- messages that stay on the device ------------------------------------------------------------
def many(bench: Bench, each: Iterable[int] = _SIZES, lanes: int | None = None) -> None:
    """Messages of one size, as many as fill the device."""
    for name, size in itertools.product(ENTRIES, each):
        if name in _LIKE_ANOTHER:
            continue
        of_each = (lanes or ENTRIES[name].lanes) * ENTRIES[name].of_lane
        count = of_each * bench.device.driver.multiprocessors
        if bench.late() or 4 * size * count > bench.device.driver.free_bytes():
            bench.say(f"  {name}, {count:,} messages of {size:,} bytes: left out")
        else:
            _many(bench, name, size, count)


def _many(bench: Bench, name: str, size: int, count: int) -> None:
    """All are the same, nonce and all, as nothing of this is kept; so each is what the host has."""
    device, facts, data = bench.device, spec.cipher(name), pattern(size).tobytes()
    key, nonce = bytes(range(facts.key_bytes)), bytes(range(facts.nonce_bytes))
    (want,) = Streams(name, key, Host()).seal_lists([nonce], [data], [b""])
    ours = Streams(name, key, device)
    given = ours.batch([nonce] * count, [data] * count, [b""] * count)
    (sealed, tags), opened = ours.room(given), device.zeros(given.firsts[-1])
    verdicts, back = device.zeros(4 * count), replace(given, text=sealed)
    seal = bench.on_device(lambda: ours.call("seal", given, sealed, tags, verdicts))
    unseal = bench.on_device(lambda: ours.call("open", back, opened, tags, verdicts))
    rest = bytes(given.firsts[1] - size)
    for memory, one in (
        (sealed, want[:size] + rest), (opened, data + rest), (tags, want[size:]),
        (verdicts, np.uint32(1).tobytes()),
    ):  # fmt: skip
        if device.get(memory, count * len(one)) != one * count:
            raise KernelError(f"{name}: {count:,} messages of {size:,} bytes: other bytes")
    for stage, way, taken in (("whole", "seal", seal), ("opening", "open", unseal)):
        bench.add(name, stage, f"{ENTRIES[name].prefix}_{way}_many", taken, place="device",
                  data_bytes=size, messages=count, digest=digest(want))  # fmt: skip


STEPS: dict[str, Callable[[Bench], None]] = {
    "AEGIS-128L, Rocca-S and AETHER, many messages on the device": many,
}
