"""A long message in pieces: what `Device.pipeline` takes, out of pinned memory or through it.

A device copies beside its work only where host memory is pinned. What is not goes through two buffers
each way: the CPU fills one while the device reads the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from .driver import Driver

if TYPE_CHECKING:
    from .device import Device

Bytes = npt.NDArray[np.uint8]
_NO_TIMING = 2


@dataclass(frozen=True, slots=True)
class Piece:
    """Bytes that come in and bytes that go out: views of pinned memory, or copies do not overlap."""

    number: int
    data: Bytes
    out: Bytes


def cut(data: Bytes, out: Bytes, size_bytes: int) -> Iterator[Piece]:
    """Pieces of one size, the last perhaps shorter, of arrays of one length."""
    for number, first in enumerate(range(0, len(data), size_bytes)):
        part = slice(first, first + size_bytes)
        yield Piece(number, data[part], out[part])


def of_message(
    device: Device, data: Bytes, out: Bytes, size_bytes: int, count: int
) -> Iterator[Piece]:
    """So many pieces of one size; the last has what is left, which of either may be nothing.

    `out` is whole once there is no further piece.
    """
    spans = [slice(n * size_bytes, (n + 1) * size_bytes) for n in range(count - 1)]
    spans.append(slice((count - 1) * size_bytes, None))
    if all(one.size == 0 or device.is_pinned(one) for one in (data, out)):
        return (Piece(n, data[span], out[span]) for n, span in enumerate(spans))
    return _staged(device, data, out, spans)


def _staged(device: Device, data: Bytes, out: Bytes, spans: Sequence[slice]) -> Iterator[Piece]:
    room = max(one[span].size for one in (data, out) for span in spans)
    with device.staging(room) as (ins, outs), events(device.driver, 2) as left:
        for n, span in enumerate(spans):
            k = n % 2
            into, to = ins[k][: data[span].size], outs[k][: out[span].size]
            if n >= 2:  # once one buffer is full, the other was read
                device.reached(left[k])
                out[spans[n - 2]] = outs[k][: out[spans[n - 2]].size]
            into[:] = data[span]
            yield Piece(n, into, to)
            device.mark_out(left[k])
        for n in range(max(0, len(spans) - 2), len(spans)):
            device.reached(left[n % 2])
            out[spans[n]] = outs[n % 2][: out[spans[n]].size]


@contextmanager
def events(driver: Driver, count: int, *, timed: bool = False) -> Iterator[list[int]]:
    made = [driver.handle("cuEventCreate", 0 if timed else _NO_TIMING) for _ in range(count)]
    try:
        yield made
    finally:
        for event in made:
            driver.do("cuEventDestroy_v2", event)
