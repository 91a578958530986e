"""Many messages of AES-GCM in one launch: rows of an array, or a list of any sizes.

A message has a lane, or a warp where it is long. Lanes wait for the longest message of their warp, so
those of a list are put in order of their lengths.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from . import gcm
from .device import Bytes
from .gcm import BLOCK, TAG, check_size, whole
from .machine import Memory
from .many import Rows

# Of kernels/gcm: shared bytes of a batch, and from how many bytes on a message is better given to a
# warp than to a lane, by the counts. A launch has no more blocks than these, or one message.
BATCH_BYTES, OF_A_WARP, AT_ONCE = 147456, 1500, 2**24
MOST_OF_MANY = 2**31 - 1
Found = tuple[Bytes, Bytes, npt.NDArray[np.bool_]]


class AesGcm(gcm.AesGcm):
    """A key on a machine."""

    # -- rows of an array ------------------------------------------------------------------------
    def seal_many(self, rows: Rows, out: Bytes) -> None:
        """Ciphertext and tag of each row."""
        size = rows.data.shape[1]
        for at, part in _parts(rows):
            no_tags = np.zeros((len(part.data), TAG), np.uint8)
            out[at, :size], out[at, size:], _ = self._of_rows("seal", part, no_tags)

    def open_many(self, rows: Rows, out: Bytes) -> npt.NDArray[np.bool_]:
        """The messages of rows whose tag was right, zeros of others; and of which it was."""
        right = np.zeros(len(rows.data), np.bool_)
        for at, part in _parts(rows):
            text, tags = part.data[:, :-TAG], part.data[:, -TAG:]
            out[at], _, right[at] = self._of_rows("open", Rows(part.nonces, text, part.ad), tags)
        return right

    def _of_rows(self, way: str, rows: Rows, tags: Bytes) -> Found:
        size = rows.data.shape[1]
        texts, ads = _whole_rows(rows.data), _whole_rows(rows.ad)
        warps = size + rows.ad.shape[1] >= OF_A_WARP
        text, tags, right = self._launched(
            way, warps, rows.nonces.tobytes(), places(rows), ads.tobytes(), texts.tobytes(), tags
        )
        return text.reshape(texts.shape)[:, :size], tags, right

    # -- lists of any sizes ----------------------------------------------------------------------
    def seal_lists(
        self, nonces: Sequence[bytes], data: Sequence[bytes], ads: Sequence[bytes]
    ) -> list[bytes]:
        """Ciphertext and tag of each; a nonce must never serve twice under one key."""
        sealed = [b""] * len(data)
        for part, warps in _in_order(data, ads):
            texts, tags, _ = self._of_list(
                "seal", warps, part, nonces, data, ads, np.zeros((len(part), TAG), np.uint8)
            )
            for m, text, tag in zip(part, texts, tags, strict=True):
                sealed[m] = text + tag.tobytes()
        return sealed

    def open_lists(
        self, nonces: Sequence[bytes], data: Sequence[bytes], ads: Sequence[bytes]
    ) -> tuple[list[bytes | None], list[bool]]:
        """The message of each, or None, and whether its tag was right."""
        opened: list[bytes | None] = [None] * len(data)
        able = [m for m, one in enumerate(data) if len(one) >= TAG]
        texts, of_nonces, of_ads = ([part[m] for m in able] for part in (data, nonces, ads))
        given = [one[-TAG:] for one in texts]
        texts = [one[:-TAG] for one in texts]
        for part, warps in _in_order(texts, of_ads):
            tags = np.frombuffer(b"".join(given[m] for m in part), np.uint8)
            found, _, right = self._of_list("open", warps, part, of_nonces, texts, of_ads, tags)
            for m, text, ok in zip(part, found, right, strict=True):
                opened[able[m]] = text if ok else None
        return opened, [one is not None for one in opened]

    def _of_list(
        self, way: str, warps: bool, part: Sequence[int], nonces: Sequence[bytes],
        data: Sequence[bytes], ads: Sequence[bytes], tags: Bytes,
    ) -> tuple[list[bytes], Bytes, npt.NDArray[np.bool_]]:  # fmt: skip
        """Of the messages whose numbers are given."""
        texts, of_ads = ([whole(given[m]) for m in part] for given in (data, ads))
        firsts, of_ad = (
            list(itertools.accumulate(map(len, w), initial=0)) for w in (texts, of_ads)
        )
        where = np.array(
            [(a // BLOCK, len(ads[m]), t // BLOCK, len(data[m]))
             for m, a, t in zip(part, of_ad, firsts, strict=False)], np.uint32,
        )  # fmt: skip
        found, tags, right = self._launched(
            way, warps, b"".join(nonces[m] for m in part), where, b"".join(of_ads),
            b"".join(texts), tags,
        )  # fmt: skip
        made = [found[t : t + len(data[m])].tobytes() for m, t in zip(part, firsts, strict=False)]
        return made, tags, right

    # -- a launch --------------------------------------------------------------------------------
    def _launched(
        self, way: str, warps: bool, nonces: bytes, where: npt.NDArray[np.uint32], ads: bytes,
        texts: bytes, tags: Bytes,
    ) -> Found:  # fmt: skip
        """Texts in whole blocks, tags and verdicts; no text where a tag was wrong."""
        machine, count = self._machine, len(where)
        out, of_tags = machine.zeros(len(texts)), machine.put(tags.tobytes())
        verdicts = machine.zeros(4 * count)
        self.batch(
            way, count, warps, machine.put(nonces), machine.put(where.tobytes()), machine.put(ads),
            machine.put(texts), out, of_tags, verdicts,
        )  # fmt: skip
        text = np.frombuffer(machine.get(out, len(texts)), np.uint8)
        found = np.frombuffer(machine.get(of_tags, TAG * count), np.uint8).reshape(count, TAG)
        return text, found, np.frombuffer(machine.get(verdicts, 4 * count), np.uint32) != 0

    def batch(self, way: str, count: int, warps: bool, *memories: Memory) -> None:
        """So many messages, each to a warp or a lane; memory in the order of the entries."""
        self._machine.call(
            "gcm", f"gcm{self._bits}_{way}_{'warps' if warps else 'batch'}",
            count * (32 if warps else 1), self._keys, self._powers, *memories, np.uint32(count),
            shared_bytes=BATCH_BYTES,
        )  # fmt: skip


def places(rows: Rows) -> npt.NDArray[np.uint32]:
    """Of each message: first block and bytes of associated data, the same of its text."""
    at = np.arange(len(rows.data), dtype=np.uint32)
    made = np.zeros((len(at), 4), np.uint32)
    for column, part in ((0, rows.ad), (2, rows.data)):
        made[:, column + 1] = part.shape[1]
        if len(part) > 1:
            made[:, column] = at * np.uint32(-(-part.shape[1] // BLOCK))
    return made


def _parts(rows: Rows) -> Iterator[tuple[slice, Rows]]:
    """As many rows as a launch takes, and where they are."""
    check_size(rows.data.shape[1], rows.ad.shape[1], MOST_OF_MANY)
    most = BLOCK * AT_ONCE // (rows.data.shape[1] + rows.ad.shape[1] + 2 * BLOCK)
    return rows.parts(max(1, most))


def _in_order(data: Sequence[bytes], ads: Sequence[bytes]) -> Iterator[tuple[list[int], bool]]:
    """Numbers of messages by length, as many as a launch takes, and whether each has a warp."""
    for one, ad in zip(data, ads, strict=True):
        check_size(len(one), len(ad), MOST_OF_MANY)
    sizes = [len(one) + len(ad) for one, ad in zip(data, ads, strict=True)]
    part: list[int] = []
    blocks = 0
    for m in sorted(range(len(data)), key=sizes.__getitem__):
        more = sizes[m] // BLOCK + 2
        crosses = part and sizes[part[-1]] < OF_A_WARP <= sizes[m]
        if part and (crosses or blocks + more > AT_ONCE):
            yield part, sizes[part[-1]] >= OF_A_WARP
            part, blocks = [], 0
        part.append(m)
        blocks += more
    if part:
        yield part, sizes[part[-1]] >= OF_A_WARP


def _whole_rows(rows: Bytes) -> Bytes:
    return np.pad(rows, ((0, 0), (0, -rows.shape[1] % BLOCK)))
