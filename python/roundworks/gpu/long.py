"""One long message over the bus: pieces of it come in, are worked on and go out at the same time.

A ciphertext comes in twice. Its tag is made the first time, and text leaves the device only if it is
right. Holding it on the device in between would take as long, since copies out run beside copies in,
and would want memory for all of it; sending text out before its tag is known would take half as long,
and is not done. The ciphertext must not change in between, so `encrypt` and `decrypt` take bytes.
"""

from __future__ import annotations

import hmac
import struct
from collections.abc import Callable, Iterable

import numpy as np

from ..errors import InvalidTag
from . import gcm, gcm_many, minalpher, minalpher_many
from .device import Device
from .machine import Memory
from .pieces import Bytes, Piece, of_message

# Bytes of a piece: a group of 32 blocks of Minalpher for each lane pair of some 130 multiprocessors,
# and few enough that the first one in and the last one out, which go alone, cost little.
PIECE = 1 << 24
# What AES-GCM allows: a counter of 32 bits begins at 2.
LONGEST = gcm.BLOCK * (2**32 - 2)
_NOTHING = np.empty(0, np.uint8)
Work = Callable[[Memory, Memory, Piece], None]


class Minalpher(minalpher_many.Minalpher):
    """A key on a device, for messages of any size: of its tweaks the device holds a 16th of them.

    Parameters
    ----------
    piece_bytes : int, optional
        Else `PIECE`. A multiple of 1024: each lane pair has 32 blocks, and their tweaks begin with a column.
    """

    def __init__(self, key: bytes, device: Device, *, piece_bytes: int | None = None) -> None:
        super().__init__(key, device)
        self._device, self._piece = device, piece_bytes or PIECE

    def encrypt(self, nonce: bytes, data: bytes, associated_data: bytes = b"") -> bytes:
        if len(data) <= self._piece:
            return super().encrypt(nonce, data, associated_data)
        out = np.empty(len(data) // minalpher.BLOCK * minalpher.BLOCK + minalpher.BLOCK, np.uint8)
        tag = self.seal(nonce, np.frombuffer(data, np.uint8), out, associated_data)
        return out.tobytes() + tag

    def decrypt(self, nonce: bytes, data: bytes, associated_data: bytes = b"") -> bytes:
        text, tag = data[: -minalpher.FACTS.tag_bytes], data[-minalpher.FACTS.tag_bytes :]
        if len(text) <= self._piece or len(text) % minalpher.BLOCK:
            return super().decrypt(nonce, data, associated_data)
        out = np.empty(len(text), np.uint8)
        size = self.open(nonce, np.frombuffer(text, np.uint8), tag, out, associated_data)
        return out[:size].tobytes()

    def seal(self, nonce: bytes, data: Bytes, out: Bytes, ad: bytes = b"") -> bytes:
        """The tag; ciphertext to `out`, whole blocks and 1 to 32 bytes longer than the data."""
        minalpher.check_size("nonce", nonce, minalpher.FACTS.nonce_bytes)
        count, last = len(data) // self._piece + 1, len(data) % self._piece
        blocks = len(data) // minalpher.BLOCK + 1
        minalpher.check_size("out", out, minalpher.BLOCK * blocks)
        sequence, sums = self._message(nonce, blocks)
        tag = self._device.zeros(minalpher.BLOCK)
        added = self._added(ad)

        def work(into: Memory, to: Memory, piece: Piece) -> None:
            # A piece before the last is padded too, behind its end, with a block that no sum takes
            # in, as of every message, and that nobody copies.
            size = last if piece.number == count - 1 else self._piece
            here = size // minalpher.BLOCK + 1
            self._call(
                "encrypt", here, self._columns(sequence, piece), into, np.uint64(size), to, sums
            )
            if piece.number == count - 1:
                self._end(sequence, blocks, sums, added, to, here, tag)

        pieces = of_message(self._device, data, out, self._piece, count)
        self._through(pieces, work)
        return self._device.get(tag, minalpher.FACTS.tag_bytes)

    def open(self, nonce: bytes, data: Bytes, tag: bytes, out: Bytes, ad: bytes = b"") -> int:
        """How many bytes the message has; it goes to `out`, as long as the ciphertext, with padding.

        No other thread may write to `data` during the call.

        Raises
        ------
        InvalidTag
            Then nothing was written, or zeros.
        """
        minalpher.check_size("nonce", nonce, minalpher.FACTS.nonce_bytes)
        minalpher.check_size("out", out, len(data))
        if not len(data) or len(data) % minalpher.BLOCK:
            raise minalpher.refused()
        count = -(-len(data) // self._piece)
        blocks = len(data) // minalpher.BLOCK
        sequence, sums = self._message(nonce, blocks)
        found = self._device.zeros(minalpher.BLOCK)
        added = self._added(ad)

        def sum_up(into: Memory, _: Memory, piece: Piece) -> None:
            # The last block is left to the end, and a piece before the last has none of that kind.
            here = len(piece.data) // minalpher.BLOCK
            is_last = piece.number == count - 1
            self._call("tag", here, self._columns(sequence, piece), into,
                       np.uint64(here if is_last else here + 1), sums)  # fmt: skip
            if is_last:
                self._end(sequence, blocks, sums, added, into, here, found)

        def decrypt(into: Memory, to: Memory, piece: Piece) -> None:
            here = len(piece.data) // minalpher.BLOCK
            self._call("decrypt", here, self._columns(sequence, piece), into, np.uint64(here), to)

        self._through(of_message(self._device, data, _NOTHING, self._piece, count), sum_up)
        if not hmac.compare_digest(tag, self._device.get(found, minalpher.FACTS.tag_bytes)):
            raise minalpher.refused()
        self._through(of_message(self._device, data, out, self._piece, count), decrypt)
        end = out[-minalpher.BLOCK :].tobytes()
        try:
            return len(out) - len(end) + len(minalpher.unpadded(end))
        except InvalidTag:
            out.fill(0)
            raise

    def _message(self, nonce: bytes, blocks: int) -> tuple[Memory, Memory]:
        """All tweaks of a message, and sums of its tag."""
        sequence = self._sequence(minalpher.MESSAGE, nonce, 2 * blocks)
        return sequence, self._device.zeros(minalpher.BLOCK)

    def _columns(self, sequence: Memory, piece: Piece) -> Memory:
        """Where the tweaks of a piece begin."""
        groups = self._piece // (32 * minalpher.BLOCK)
        return sequence.at(minalpher.COLUMN_BYTES * groups * piece.number)

    def _end(
        self, sequence: Memory, blocks: int, sums: Memory, added: Memory, text: Memory, here: int,
        tag: Memory,
    ) -> None:  # fmt: skip
        self._finish(sequence, 2 * blocks - 1, 1, sums, added, text, minalpher.BLOCK * here, False,
                     here - 1, tag)  # fmt: skip

    def _through(self, pieces: Iterable[Piece], work: Work) -> None:
        room = self._piece + minalpher.BLOCK
        self._device.pipeline(pieces, work, in_bytes=room, out_bytes=room)


class AesGcm(gcm_many.AesGcm):
    """A key on a device, for messages up to what AES-GCM allows.

    Parameters
    ----------
    piece_bytes : int, optional
        Else `PIECE`. A multiple of 16.
    """

    def __init__(self, key: bytes, device: Device, *, piece_bytes: int | None = None) -> None:
        super().__init__(key, device, groups=device.driver.multiprocessors)
        self._device, self._piece = device, piece_bytes or PIECE

    def encrypt(self, nonce: bytes, data: bytes, associated_data: bytes = b"") -> bytes:
        if len(data) <= self._piece:
            return super().encrypt(nonce, data, associated_data)
        out = np.empty(len(data), np.uint8)
        tag = self.seal(nonce, np.frombuffer(data, np.uint8), out, associated_data)
        return out.tobytes() + tag

    def decrypt(self, nonce: bytes, data: bytes, associated_data: bytes = b"") -> bytes:
        size = len(data) - gcm.TAG
        if size <= self._piece:
            return super().decrypt(nonce, data, associated_data)
        out, given = np.empty(size, np.uint8), np.frombuffer(data, np.uint8)
        self.open(nonce, given[:size], data[size:], out, associated_data)
        return out.tobytes()

    def seal(self, nonce: bytes, data: Bytes, out: Bytes, ad: bytes = b"") -> bytes:
        """The tag; ciphertext to `out`, as long as the data."""
        _check(nonce, data, out, len(ad))
        sums, tag = [self._sum_of(ad)], self._device.zeros(gcm.TAG)

        def work(into: Memory, to: Memory, piece: Piece) -> None:
            size = len(piece.data)
            self.crypt(nonce, into, size, to, first=self._counter(piece))
            sums[0] = self.absorb(sums[0], to, size)

        self._through(data, out, work)
        total = self._with_lengths(sums[0], len(ad), len(data))
        self._device.call("gcm", "gcm_tag", 1, self._keys, gcm.counter(nonce, 0), total, tag)
        return self._device.get(tag, gcm.TAG)

    def open(self, nonce: bytes, data: Bytes, tag: bytes, out: Bytes, ad: bytes = b"") -> None:
        """The message to `out`, as long as its ciphertext.

        No other thread may write to `data` during the call.

        Raises
        ------
        InvalidTag
            Then nothing was written.
        """
        _check(nonce, data, out, len(ad))
        if len(tag) != gcm.TAG:
            raise minalpher.refused()
        sums, verdict = [self._sum_of(ad)], self._device.zeros(4)

        def sum_up(into: Memory, _: Memory, piece: Piece) -> None:
            sums[0] = self.absorb(sums[0], into, len(piece.data))

        def decrypt(into: Memory, to: Memory, piece: Piece) -> None:
            first = self._counter(piece)
            self.crypt(nonce, into, len(piece.data), to, verdict, first=first)

        self._through(data, _NOTHING, sum_up)
        total = self._with_lengths(sums[0], len(ad), len(data))
        self._device.call("gcm", "gcm_check", 1, self._keys, gcm.counter(nonce, 0), total,
                          self._device.put(tag), verdict)  # fmt: skip
        if not any(self._device.get(verdict, 4)):
            raise minalpher.refused()
        self._through(data, out, decrypt)

    def _counter(self, piece: Piece) -> int:
        """Of its first block."""
        return gcm.OF_TEXT + piece.number * (self._piece // gcm.BLOCK)

    def _sum_of(self, ad: bytes) -> Memory:
        return self.absorb(self._device.zeros(gcm.BLOCK), self._device.put(gcm.whole(ad)), len(ad))

    def _with_lengths(self, sums: Memory, ad_bytes: int, text_bytes: int) -> Memory:
        lengths = struct.pack(">QQ", 8 * ad_bytes, 8 * text_bytes)
        return self.absorb(sums, self._device.put(lengths), gcm.BLOCK)

    def _through(self, data: Bytes, out: Bytes, work: Work) -> None:
        count = -(-len(data) // self._piece)
        pieces = of_message(self._device, data, out, self._piece, count)
        self._device.pipeline(pieces, work, in_bytes=self._piece, out_bytes=self._piece)


def _check(nonce: bytes, data: Bytes, out: Bytes, ad_bytes: int) -> None:
    gcm.check_nonce(nonce)
    gcm.check_size(len(data), 0, LONGEST)
    gcm.check_size(0, ad_bytes)
    minalpher.check_size("out", out, len(data))
