"""Messages of Minalpher side by side in whole blocks: their padding, their places, and how many are
taken at a time."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from .device import Bytes
from .many import Rows
from .minalpher import BLOCK

Numbers = npt.NDArray[np.int64]
# Blocks that are taken at a time, or one message; and of one at most, by words of 32 bits.
AT_ONCE, MOST = 2**21, 2**28


def unpadded_sizes(rows: Bytes) -> Numbers:
    """Bytes before the marker, which must be in the last block; -1 without one."""
    last = rows[:, -BLOCK:]
    places = BLOCK - 1 - np.argmax(last[:, ::-1] != 0, axis=1)
    found = last[np.arange(len(rows)), places] == 0x80
    return np.where(found, rows.shape[1] - BLOCK + places, -1)


def padded_rows(data: Bytes) -> Bytes:
    count, size = data.shape
    made = np.zeros((count, BLOCK * (size // BLOCK + 1)), np.uint8)
    made[:, :size], made[:, size] = data, 0x80
    return made


def padded_one(one: bytes) -> bytes:
    return one + b"\x80" + bytes(-(len(one) + 1) % BLOCK)


def ad_blocks(ads: Bytes | Sequence[bytes]) -> tuple[bytes, Numbers]:
    """Associated data in whole blocks, one at least, and the bytes of each."""
    if not isinstance(ads, np.ndarray):
        whole = (ad if ad and len(ad) % BLOCK == 0 else padded_one(ad) for ad in ads)
        return b"".join(whole), np.array([len(ad) for ad in ads], np.int64)
    count, size = ads.shape
    whole_rows = size > 0 and size % BLOCK == 0
    return (ads if whole_rows else padded_rows(ads)).tobytes(), np.full(count, size, np.int64)


def one_for_all(ads: Bytes | Sequence[bytes]) -> bytes | None:
    first = bytes(ads[0])
    if isinstance(ads, np.ndarray):
        return first if len(ads) == 1 else None
    return first if all(ad == first for ad in ads) else None


def row_parts(rows: Rows, more: int) -> Iterator[tuple[slice, Rows]]:
    """As many rows as are taken at a time; `more` bytes are sealed than a row has."""
    size = rows.data.shape[1] + more
    for what, got in (("data", size), ("associated_data", rows.ad.shape[1])):
        check_size(what, got)
    return rows.parts(max(1, AT_ONCE // (max(size, rows.ad.shape[1]) // BLOCK + 1)))


def list_parts(blocks: Numbers) -> Iterator[slice]:
    """The same of a list."""
    first = 0
    while first < len(blocks):
        fit = int(np.searchsorted(np.cumsum(blocks[first:]), AT_ONCE, "right"))
        yield slice(first, first + max(1, fit))
        first += max(1, fit)


def check_lists(data: Sequence[bytes], ads: Sequence[bytes]) -> None:
    for what, part in (("data", data), ("associated_data", ads)):
        check_size(what, max(map(len, part), default=0))


def check_size(what: str, size: int) -> None:
    if size > BLOCK * MOST:
        raise ValueError(f"{what}: want at most {BLOCK * MOST} bytes, got {size}; use the CPU")


def blocks_of(texts: Bytes) -> Numbers:
    return np.full(len(texts), texts.shape[1] // BLOCK, np.int64)


def joined(parts: Sequence[bytes]) -> Bytes:
    return np.frombuffer(b"".join(parts), np.uint8).reshape(len(parts), -1)


def split(texts: Bytes, blocks: Numbers) -> Iterator[bytes]:
    firsts = BLOCK * firsts_of(blocks)
    return (texts[a:b].tobytes() for a, b in itertools.pairwise(firsts))


def firsts_of(counts: Numbers) -> Numbers:
    """Where each begins, and where all end."""
    return np.concatenate([[0], np.cumsum(counts)])


def numbered(names: Numbers, each: Numbers) -> Numbers:
    """Every name so many times, beside 0, 1, .."""
    at = np.arange(each.sum()) - np.repeat(firsts_of(each)[:-1], each)
    return np.stack([np.repeat(names, each), at], 1)


def as_words(numbers: Numbers) -> bytes:
    return numbers.astype(np.uint32).tobytes()
