"""Many messages under one key, one to each lane or four, from ``kernels/aegis``, ``kernels/rocca`` and
``kernels/aether`` on any machine. [AEGIS-RFC] [ROCCA-S-DRAFT] [AETHER]

Lanes wait for the longest message of their warp, so messages are put in order of their lengths. A tag
is compared on the machine, and of a message whose tag was wrong nothing is written.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from .. import spec
from ..errors import InvalidTag, unknown
from .device import Bytes
from .machine import Machine, Memory
from .many import Rows, tag_size

T = TypeVar("T")
# Of kernels/common and kernels/aes: what a text begins at a multiple of, shared bytes of the tables,
# and bytes of a text, of all texts.
BLOCK, TABLE_BYTES, MOST, MOST_OF_ALL = 16, 131072, 2**31, 2**34


class Entries(NamedTuple):
    """Of a cipher's kernels."""

    family: str
    prefix: str  # of their names, for tags of the usual size
    of_lane: int = 1  # messages
    lanes: int = 512  # that fill a multiprocessor
    shared_bytes: int = TABLE_BYTES


ENTRIES = {
    "aegis-128l": Entries("aegis", "aegis128l"),
    "rocca-s": Entries("rocca", "rocca_s"),
    "aether": Entries("aether", "aether", of_lane=4, lanes=256, shared_bytes=0),
    "aether-lb": Entries("aether", "aether_lb", of_lane=4, lanes=256, shared_bytes=0),
}


def prefix(name: str, tag_bytes: int) -> str:
    """Of the names of a cipher's kernels for a size of tag."""
    of = ENTRIES[name].prefix
    return of if tag_bytes == spec.cipher(name).tag_bytes else f"{of}_tag{tag_bytes}"


@dataclass(frozen=True, slots=True)
class Batch:
    """Messages side by side on a machine."""

    nonces: Memory
    places: Memory
    ad: Memory
    text: Memory
    sizes: Sequence[int]  # of the texts
    firsts: Sequence[int]  # byte where each begins, and the one behind the last


class Streams:
    """A key on a machine.

    Parameters
    ----------
    name : str
        ``aegis-128l``, ``rocca-s``, ``aether`` or ``aether-lb``.
    tag_bytes : int, optional
        The default of the cipher unless given.
    """

    def __init__(
        self, name: str, key: bytes, machine: Machine, tag_bytes: int | None = None
    ) -> None:
        if name not in ENTRIES:
            raise unknown("cipher with kernels", name, ENTRIES)
        self._entries = ENTRIES[name]
        self._facts = spec.cipher(name)
        if len(key) != self._facts.key_bytes:
            raise ValueError(f"key: want {self._facts.key_bytes} bytes, got {len(key)}")
        self.tag_bytes = tag_size(self._facts, tag_bytes)
        self._prefix = prefix(name, self.tag_bytes)
        self.machine, self._key = machine, machine.put(key)

    def encrypt(self, nonce: bytes, data: bytes, associated_data: bytes = b"") -> bytes:
        return self.seal_lists([nonce], [data], [associated_data])[0]

    def decrypt(self, nonce: bytes, data: bytes, associated_data: bytes = b"") -> bytes:
        """
        Raises
        ------
        InvalidTag
            ``authentication failed; no plaintext was released``
        """
        (opened,), _ = self.open_lists([nonce], [data], [associated_data])
        if opened is None:
            raise InvalidTag("authentication failed; no plaintext was released")
        return opened

    def seal_many(self, rows: Rows, out: Bytes) -> None:
        """Ciphertext and tag of each row."""
        sealed = self.seal_lists(*_lists(rows))
        out[:] = np.frombuffer(b"".join(sealed), np.uint8).reshape(out.shape)

    def open_many(self, rows: Rows, out: Bytes) -> npt.NDArray[np.bool_]:
        """The messages of rows whose tag was right, zeros of others; and of which it was."""
        opened, right = self.open_lists(*_lists(rows))
        none = bytes(out.shape[1])
        texts = b"".join(none if text is None else text for text in opened)
        out[:] = np.frombuffer(texts, np.uint8).reshape(out.shape)
        return np.array(right, np.bool_)

    def seal_lists(
        self, nonces: Sequence[bytes], data: Sequence[bytes], ads: Sequence[bytes]
    ) -> list[bytes]:
        """Ciphertext and tag of each; a nonce must never serve twice under one key."""
        self._check(nonces, data, ads)
        order = _by_length(data)
        batch = self.batch(*(_in(order, part) for part in (nonces, data, ads)))
        out, tags = self.room(batch)
        self.call("seal", batch, out, tags, np.uint64(0))
        size = self.tag_bytes
        found = self.machine.get(tags, size * len(order))
        sealed = [
            text + found[size * i : size * (i + 1)]
            for i, text in enumerate(self._texts(batch, out))
        ]
        return _back(order, sealed)

    def open_lists(
        self, nonces: Sequence[bytes], data: Sequence[bytes], ads: Sequence[bytes]
    ) -> tuple[list[bytes | None], list[bool]]:
        """The message of each, or None, and whether its tag was right."""
        self._check(nonces, data, ads)
        size, order = self.tag_bytes, _by_length(data)
        given = _in(order, data)
        # What is shorter than a tag is looked at as an empty message, and refused whatever is found.
        texts = [one[: max(0, len(one) - size)] for one in given]
        batch = self.batch(_in(order, nonces), texts, _in(order, ads))
        out, _ = self.room(batch)
        tags = self.machine.put(b"".join(one[-size:].ljust(size, b"\0") for one in given))
        verdicts = self.machine.zeros(4 * len(order))
        self.call("open", batch, out, tags, verdicts)
        found = np.frombuffer(self.machine.get(verdicts, 4 * len(order)), np.uint32)
        right = [len(one) >= size and bool(v) for one, v in zip(given, found, strict=True)]
        opened = [t if ok else None for t, ok in zip(self._texts(batch, out), right, strict=True)]
        return _back(order, opened), _back(order, right)

    def _check(self, nonces: Sequence[bytes], data: Sequence[bytes], ads: Sequence[bytes]) -> None:
        want, count = self._facts.nonce_bytes, len(data)
        for what, part in (("nonces", nonces), ("associated_data", ads)):
            if len(part) != count:
                raise ValueError(f"{what}: want one for each of {count} messages, got {len(part)}")
        for nonce in nonces:
            if len(nonce) != want:
                raise ValueError(f"nonces: want {want} bytes each, got {len(nonce)}")

    # -- a launch, on what lies on the machine ---------------------------------------------------
    def batch(self, nonces: Sequence[bytes], data: Sequence[bytes], ads: Sequence[bytes]) -> Batch:
        """Messages of like lengths should lie together."""
        (texts, firsts), (all_ad, of_ad) = _side_by_side(data), _side_by_side(ads)
        for what, part, end in (("data", data, firsts[-1]), ("associated_data", ads, of_ad[-1])):
            if (longest := max(map(len, part), default=0)) >= MOST or end > MOST_OF_ALL:
                raise ValueError(f"{what}: want less than 2 GiB each and 16 in all, got {longest}")
        places = np.zeros((len(data), 4), np.uint32)
        for at, part, starts in ((0, ads, of_ad), (2, data, firsts)):
            places[:, at] = np.array(starts[:-1], np.int64) // BLOCK
            places[:, at + 1] = [len(one) for one in part]
        put = self.machine.put
        return Batch(
            put(b"".join(nonces)), put(places.tobytes()), put(all_ad), put(texts),
            [len(one) for one in data], firsts,
        )  # fmt: skip

    def room(self, batch: Batch) -> tuple[Memory, Memory]:
        """For texts and for tags."""
        tags = self.tag_bytes * len(batch.sizes)
        return self.machine.zeros(batch.firsts[-1]), self.machine.zeros(tags)

    def call(
        self, what: str, batch: Batch, out: Memory, tags: Memory, verdicts: Memory | np.generic
    ) -> None:
        """Seal or open; `out` may be the memory of the texts."""
        count, of = len(batch.sizes), self._entries
        self.machine.call(
            of.family, f"{self._prefix}_{what}_many", -(-count // of.of_lane), self._key,
            batch.nonces, batch.places, batch.ad, batch.text, out, tags, verdicts,
            np.uint32(count), shared_bytes=of.shared_bytes,
        )  # fmt: skip

    def _texts(self, batch: Batch, out: Memory) -> list[bytes]:
        text = self.machine.get(out, batch.firsts[-1])
        return [text[a : a + n] for a, n in zip(batch.firsts[:-1], batch.sizes, strict=True)]


def _lists(rows: Rows) -> tuple[list[bytes], list[bytes], list[bytes]]:
    ads = [one.tobytes() for one in rows.ad]
    return (
        [one.tobytes() for one in rows.nonces],
        [one.tobytes() for one in rows.data],
        ads * len(rows.data) if len(ads) == 1 else ads,
    )


def _side_by_side(parts: Sequence[bytes]) -> tuple[bytes, list[int]]:
    """Each in whole blocks, where it begins and where all end; behind an end may be anything."""
    whole = [one + bytes(-len(one) % BLOCK) for one in parts]
    firsts = [0]
    for one in whole:
        firsts.append(firsts[-1] + len(one))
    return b"".join(whole), firsts


def _by_length(data: Sequence[bytes]) -> list[int]:
    return sorted(range(len(data)), key=lambda m: len(data[m]))


def _in(order: Sequence[int], given: Sequence[T]) -> list[T]:
    return [given[m] for m in order]


def _back(order: Sequence[int], found: Sequence[T]) -> list[T]:
    return [one for _, one in sorted(zip(order, found, strict=True), key=lambda pair: pair[0])]
