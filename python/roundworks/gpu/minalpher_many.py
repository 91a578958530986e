"""Many messages of Minalpher in one call: masks, tweaks, texts, sums and tags each in one launch.

Messages lie side by side in whole blocks, padded here. A lane pair has 32 blocks of one message, so
those below 1 KiB leave some of its places empty. Tags are compared on the machine, and of a message
whose tag was wrong nothing is written.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from . import minalpher
from .device import Bytes
from .machine import Memory
from .many import Rows
from .minalpher import AD, BLOCK, COLUMN_BYTES, FACTS, MESSAGE, STARTED
from .minalpher_blocks import (
    Numbers,
    ad_blocks,
    as_words,
    blocks_of,
    check_lists,
    firsts_of,
    joined,
    list_parts,
    numbered,
    one_for_all,
    padded_one,
    padded_rows,
    row_parts,
    split,
    unpadded_sizes,
)

TAG = FACTS.tag_bytes
# Of kernels/minalpher: blocks of a group, columns of a tile and what it writes behind them.
GROUP, TILE_COLUMNS, BEHIND = 32, 256, 32
_NONE, _WHOLE, _PADDED = range(3)


@dataclass(frozen=True, slots=True)
class Side:
    """Texts or associated data side by side: `Batch` of kernels/minalpher."""

    data: Memory
    places: Memory
    groups: Memory
    of_groups: int
    blocks: Numbers
    columns: int  # of all tweaks
    seeds: Memory  # of the masks
    tiles: Memory  # of long tweaks
    of_tiles: int


@dataclass(frozen=True, slots=True)
class Hashes:
    """Of associated data: one for all messages, or of each its own, where its place says so."""

    added: Memory
    places: Memory
    each: bool


class Minalpher(minalpher.Minalpher):
    """A key on a machine."""

    # -- rows of an array ------------------------------------------------------------------------
    def seal_many(self, rows: Rows, out: Bytes) -> None:
        """Ciphertext and tag of each row."""
        for at, part in row_parts(rows, 1):
            texts = padded_rows(part.data)
            sealed, tags = self._seal(part.nonces, texts.tobytes(), blocks_of(texts), part.ad)
            out[at, :-TAG], out[at, -TAG:] = sealed.reshape(texts.shape), tags

    def open_rows(self, rows: Rows, out: Bytes) -> tuple[npt.NDArray[np.bool_], int]:
        """The messages of rows whose tag was right, zeros of others; of which it was; their size.

        Raises
        ------
        ValueError
            ``data: rows of 64 and of 70 bytes in it; pass a list``
        """
        right, sizes = np.zeros(len(rows.data), np.bool_), np.zeros(len(rows.data), np.int64)
        for at, part in row_parts(rows, -TAG):
            texts, tags = part.data[:, :-TAG], part.data[:, -TAG:]
            opened, right[at] = self._open(
                part.nonces, texts.tobytes(), blocks_of(texts), part.ad, tags
            )
            padded = opened.reshape(texts.shape)
            sizes[at] = unpadded_sizes(padded)
            right[at] &= sizes[at] >= 0
            out[at] = np.where(right[at][:, None], padded[:, :-1], 0)
        found = np.unique(sizes[right])
        if len(found) > 1:
            out[:] = 0
            first = sizes[right][0]
            other = sizes[right][sizes[right] != first][0]
            raise ValueError(f"data: rows of {first} and of {other} bytes in it; pass a list")
        size = int(found[0]) if len(found) else out.shape[1]
        out[:, size:] = 0
        return right, size

    # -- lists of any sizes ----------------------------------------------------------------------
    def seal_lists(
        self, nonces: Sequence[bytes], data: Sequence[bytes], ads: Sequence[bytes]
    ) -> list[bytes]:
        """Ciphertext and tag of each; a nonce must never serve twice under one key."""
        sealed: list[bytes] = []
        check_lists(data, ads)
        blocks = np.array([len(one) // BLOCK + 1 for one in data], np.int64)
        for part in list_parts(blocks):
            padded = b"".join(map(padded_one, data[part]))
            texts, tags = self._seal(joined(nonces[part]), padded, blocks[part], ads[part])
            sealed += [
                text + tag.tobytes()
                for text, tag in zip(split(texts, blocks[part]), tags, strict=True)
            ]
        return sealed

    def open_lists(
        self, nonces: Sequence[bytes], data: Sequence[bytes], ads: Sequence[bytes]
    ) -> tuple[list[bytes | None], list[bool]]:
        """The message of each, or None, and whether its tag was right."""
        opened: list[bytes | None] = [None] * len(data)
        check_lists(data, ads)
        # Of other sizes nothing was sealed.
        able = [m for m, one in enumerate(data) if len(one) > TAG and len(one) % BLOCK == TAG]
        of_able = [data[m] for m in able]
        blocks = np.array([len(one) // BLOCK for one in of_able], np.int64)
        for part in list_parts(blocks):
            of_part = able[part]
            texts, right = self._open(
                joined([nonces[m] for m in of_part]),
                b"".join(one[:-TAG] for one in of_able[part]), blocks[part],
                [ads[m] for m in of_part], joined([one[-TAG:] for one in of_able[part]]),
            )  # fmt: skip
            for m, text, ok in zip(of_part, split(texts, blocks[part]), right, strict=True):
                size = int(unpadded_sizes(np.frombuffer(text, np.uint8)[None])[0])
                if ok and size >= 0:
                    opened[m] = text[:size]
        return opened, [one is not None for one in opened]

    # -- launches, on what lies side by side -------------------------------------------------------
    def _seal(
        self, nonces: Bytes, texts: bytes, blocks: Numbers, ads: Bytes | Sequence[bytes]
    ) -> tuple[Bytes, Bytes]:
        machine, count = self._machine, len(blocks)
        side, out = self.texts(nonces, texts, blocks), machine.zeros(len(texts))
        tags = machine.get(self.sealed(side, self.hashes(count, ads), out), BLOCK * count)
        found = np.frombuffer(tags, np.uint8).reshape(count, BLOCK)[:, :TAG]
        return np.frombuffer(machine.get(out, len(texts)), np.uint8), found

    def _open(
        self, nonces: Bytes, texts: bytes, blocks: Numbers, ads: Bytes | Sequence[bytes], tags: Bytes
    ) -> tuple[Bytes, npt.NDArray[np.bool_]]:  # fmt: skip
        machine, count = self._machine, len(blocks)
        side, out = self.texts(nonces, texts, blocks), machine.zeros(len(texts))
        given, verdicts = machine.put(tags.tobytes()), machine.zeros(4 * count)
        self.opened(side, self.hashes(count, ads), given, out, verdicts)
        right = np.frombuffer(machine.get(verdicts, 4 * count), np.uint32) != 0
        return np.frombuffer(machine.get(out, len(texts)), np.uint8), right

    def sealed(self, side: Side, hashes: Hashes, out: Memory) -> Memory:
        """Ciphertexts to `out`, which may be the memory of the texts; their tags, 32 bytes apart."""
        sequences, sums = self._tweaks(side), self._machine.zeros(BLOCK * len(side.blocks))
        self._of_groups("encrypt", side, sequences, side.data, out, sums)
        return self._ended(side, sequences, sums, out, hashes, True)

    def opened(
        self, side: Side, hashes: Hashes, given: Memory, out: Memory, verdicts: Memory
    ) -> None:
        """1 to the verdict of each whose tag is the given one, else 0; padded texts of the former."""
        machine, count = self._machine, len(side.blocks)
        sequences, sums = self._tweaks(side), machine.zeros(BLOCK * count)
        self._of_groups("tag", side, sequences, side.data, sums)
        found = self._ended(side, sequences, sums, side.data, hashes, True)
        machine.call("minalpher", "minalpher_check_many", count, found, given, verdicts,
                     np.uint32(count))  # fmt: skip
        self._of_groups("decrypt", side, sequences, side.data, out, verdicts)

    def texts(self, nonces: Bytes, data: bytes, blocks: Numbers) -> Side:
        """Messages that lie padded side by side, put on the machine."""
        seeds = np.zeros((len(blocks), BLOCK), np.uint8)
        seeds[:, : FACTS.key_bytes + 1] = np.frombuffer(self._key + bytes((MESSAGE,)), np.uint8)
        seeds[:, -FACTS.nonce_bytes :] = nonces
        columns = blocks // GROUP + 2
        long = np.flatnonzero(columns > STARTED)
        tiles = numbered(long, -(-columns[long] // TILE_COLUMNS))
        firsts = firsts_of(columns + np.where(columns > STARTED, BEHIND, 0))
        groups = numbered(np.arange(len(blocks)), -(-blocks // GROUP))
        return self._side(data, blocks, firsts, groups, 0 * blocks, seeds, tiles)

    def _side(
        self, data: bytes, blocks: Numbers, columns: Numbers, groups: Numbers, ends: Numbers,
        seeds: Bytes, tiles: Numbers,
    ) -> Side:  # fmt: skip
        put = self._machine.put
        places = np.stack([firsts_of(blocks)[:-1], blocks, columns[:-1], ends], 1)
        return Side(
            put(data), put(as_words(places)), put(as_words(groups)), len(groups), blocks,
            int(columns[-1]), put(seeds.tobytes()), put(as_words(tiles)), len(tiles),
        )  # fmt: skip

    def _tweaks(self, side: Side) -> Memory:
        """Of each message, from a mask of its own."""
        machine, count = self._machine, len(side.blocks)
        masks = self._permuted(side.seeds, side.seeds, count)
        sequences = machine.zeros(COLUMN_BYTES * side.columns)
        machine.call("minalpher", "minalpher_start_many", count, side.places, masks, sequences,
                     np.uint32(count))  # fmt: skip
        if side.of_tiles:
            machine.call("minalpher", "minalpher_fill_many", 32 * side.of_tiles, side.places,
                         side.tiles, sequences, np.uint32(side.of_tiles))  # fmt: skip
        return sequences

    def hashes(self, count: int, ads: Bytes | Sequence[bytes]) -> Hashes:
        """What associated data add to tags."""
        machine = self._machine
        one = one_for_all(ads)
        if one is not None:
            places = np.full((count, 4), _WHOLE if one else _NONE)
            return Hashes(self._added(one), machine.put(as_words(places)), False)
        data, sizes = ad_blocks(ads)
        blocks = np.maximum(1, -(-sizes // BLOCK))
        ends = np.where(sizes == 0, _NONE, np.where(sizes % BLOCK == 0, _WHOLE, _PADDED))
        # Every other of 64 blocks, and not the last.
        groups = numbered(np.arange(count), -(-(blocks - 1) // (2 * GROUP)) * 2)
        no_seeds, none = np.empty(0, np.uint8), np.empty((0, 2), np.int64)
        side = self._side(data, blocks, firsts_of(0 * blocks), groups, ends, no_seeds, none)
        sequence = self._sequence(AD, bytes(FACTS.nonce_bytes), int(blocks.max()))
        sums = machine.zeros(BLOCK * count)
        if side.of_groups:
            self._of_groups("hash", side, sequence, side.data, sums)
        no_hashes = Hashes(machine.zeros(BLOCK), side.places, False)
        found = self._ended(side, sequence, sums, side.data, no_hashes, False)
        return Hashes(found, side.places, True)

    def _ended(
        self, side: Side, sequences: Memory, sums: Memory, data: Memory, hashes: Hashes, of_text: bool
    ) -> Memory:  # fmt: skip
        """Tags or hashes."""
        machine, count = self._machine, len(side.blocks)
        joined, tweaks = machine.zeros(BLOCK * count), machine.zeros(BLOCK * count)
        machine.call(
            "minalpher", "minalpher_join_many", count, side.places, sequences, sums, data,
            hashes.places, hashes.added, np.uint32(count), np.bool_(of_text), np.bool_(hashes.each),
            joined, tweaks,
        )  # fmt: skip
        return self._permuted(joined, tweaks, count)

    def _permuted(self, given: Memory, added: Memory, count: int) -> Memory:
        out = self._machine.zeros(BLOCK * count)
        self._call("permute_add", count, given, added, out, np.uint64(count))
        return out

    def _of_groups(self, what: str, side: Side, sequences: Memory, *memories: Memory) -> None:
        self._machine.call(
            "minalpher", f"minalpher_{what}_many", 2 * side.of_groups, side.places, sequences,
            side.groups, np.uint32(side.of_groups), *memories,
        )  # fmt: skip
