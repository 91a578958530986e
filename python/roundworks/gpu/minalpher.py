"""Minalpher's AEAD and MAC from the entries of ``kernels/minalpher``, on any machine. [MINALPHER]

The CPU does what is done once: it puts the pieces in order, compares the tag and takes the padding
off. Masks, tweaks, sums and tags are made where the data are.
"""

from __future__ import annotations

import hmac
from collections.abc import Sized

import numpy as np

from .. import spec
from ..errors import InvalidTag
from .machine import Machine, Memory

FACTS = spec.cipher("minalpher")
BLOCK = FACTS.rate_bytes
# Of kernels/minalpher: bytes for 64 powers of y, columns that a start makes, groups of a tile.
COLUMN_BYTES, POWERS, STARTED, TILE = 64, 64, 64, 64
_FLAGS = [FACTS.constants[f"FLAG_{what}"] for what in ("MESSAGE", "AD", "MAC")]
MESSAGE, AD, MAC = _FLAGS


class Minalpher:
    """A key on a machine.

    Parameters
    ----------
    key : bytes
        16 bytes.
    """

    def __init__(self, key: bytes, machine: Machine) -> None:
        check_size("key", key, FACTS.key_bytes)
        self._key = key
        self._machine = machine

    def encrypt(self, nonce: bytes, data: bytes, associated_data: bytes = b"") -> bytes:
        """Ciphertext and tag: 17 to 48 bytes longer than the data."""
        check_size("nonce", nonce, FACTS.nonce_bytes)
        machine, blocks = self._machine, len(data) // BLOCK + 1
        sequence = self._sequence(MESSAGE, nonce, 2 * blocks)
        out, sums = machine.zeros(BLOCK * blocks), machine.zeros(BLOCK)
        self._call("encrypt", blocks, sequence, machine.put(data), np.uint64(len(data)), out, sums)
        tag = self._tag(sequence, out, blocks, sums, associated_data)
        return machine.get(out, BLOCK * blocks) + tag

    def decrypt(self, nonce: bytes, data: bytes, associated_data: bytes = b"") -> bytes:
        """The message, once its tag was found right.

        Raises
        ------
        InvalidTag
            ``authentication failed; no plaintext was released``
        """
        check_size("nonce", nonce, FACTS.nonce_bytes)
        machine = self._machine
        ciphertext, tag = data[: -FACTS.tag_bytes], data[-FACTS.tag_bytes :]
        blocks = len(ciphertext) // BLOCK
        if not blocks or len(ciphertext) % BLOCK:
            raise refused()
        sequence = self._sequence(MESSAGE, nonce, 2 * blocks)
        given, sums = machine.put(ciphertext), machine.zeros(BLOCK)
        self._call("tag", blocks, sequence, given, np.uint64(blocks), sums)
        if not hmac.compare_digest(tag, self._tag(sequence, given, blocks, sums, associated_data)):
            raise refused()
        out = machine.zeros(BLOCK * blocks)
        self._call("decrypt", blocks, sequence, given, np.uint64(blocks), out)
        return unpadded(machine.get(out, BLOCK * blocks))

    def mac(self, data: bytes) -> bytes:
        """The MAC mode: the hash of the associated data under a flag of its own."""
        hashed = self._hash(MAC, data)
        return self._machine.get(hashed, BLOCK)[: FACTS.tag_bytes]

    def verify(self, data: bytes, tag: bytes) -> None:
        """An error unless `tag` is the MAC of `data`."""
        if not hmac.compare_digest(tag, self.mac(data)):
            raise InvalidTag("authentication failed")

    def _sequence(self, flag: int, nonce: bytes, powers: int) -> Memory:
        """What holds y^k L, k <= powers + 2, for the mask L of a flag and a nonce."""
        columns = max(STARTED, powers // POWERS + 2)
        size_bytes = COLUMN_BYTES * (columns + TILE)  # the end of a tile reads behind
        seed = self._machine.put(self._key + bytes((flag, 0, 0)) + nonce)
        mask, sequence = self._machine.zeros(BLOCK), self._machine.zeros(size_bytes)
        self._machine.call(
            "minalpher", "minalpher_start", 32, seed, mask, sequence, np.uint64(0), np.uint32(1)
        )
        if columns > STARTED:
            self._machine.call(
                "minalpher", "minalpher_fill", columns // 8, sequence, np.uint32(columns)
            )
        return sequence

    def _hash(self, flag: int, data: bytes) -> Memory:
        """All blocks but the last under y^i L, then what remains with the last block."""
        machine = self._machine
        full = bool(data) and len(data) % BLOCK == 0
        blocks = max(1, -(-len(data) // BLOCK))
        sequence = self._sequence(flag, bytes(FACTS.nonce_bytes), blocks)
        given, sums, out = machine.put(data), machine.zeros(BLOCK), machine.zeros(BLOCK)
        self._call("hash", blocks, sequence, given, np.uint64(len(data)), sums)
        self._finish(
            sequence, blocks - 1, 1 if full else 2, sums, machine.zeros(BLOCK), given, len(data),
            not full, blocks - 1, out,
        )  # fmt: skip
        return out

    def _tag(
        self, sequence: Memory, ciphertext: Memory, blocks: int, sums: Memory, ad: bytes
    ) -> bytes:
        out = self._machine.zeros(BLOCK)
        self._finish(
            sequence, 2 * blocks - 1, 1, sums, self._added(ad), ciphertext, BLOCK * blocks, False,
            blocks - 1, out,
        )  # fmt: skip
        return self._machine.get(out, BLOCK)[: FACTS.tag_bytes]

    def _added(self, ad: bytes) -> Memory:
        """What associated data add to a tag."""
        return self._hash(AD, ad) if ad else self._machine.zeros(BLOCK)

    def _finish(
        self, sequence: Memory, power: int, times: int, sums: Memory, added: Memory, data: Memory,
        size_bytes: int, padded: bool, at: int, out: Memory,
    ) -> None:  # fmt: skip
        self._machine.call(
            "minalpher", "minalpher_finish", 32, sequence, np.uint64(power), np.uint32(times),
            sums, added, data, np.uint64(size_bytes), np.bool_(padded), np.uint64(at), out,
        )  # fmt: skip

    def _call(self, entry: str, blocks: int, *args: Memory) -> None:
        """Two lanes for 32 blocks."""
        self._machine.call("minalpher", f"minalpher_{entry}", -(-blocks // 32) * 2, *args)


def check_size(what: str, value: Sized, size: int) -> None:
    if len(value) != size:
        raise ValueError(f"{what}: want {size} bytes, got {len(value)}")


def refused() -> InvalidTag:
    return InvalidTag("authentication failed; no plaintext was released")


def unpadded(data: bytes) -> bytes:
    """The message before the marker, which must be in the last block."""
    cut = len(data.rstrip(b"\0")) - 1
    if cut < len(data) - BLOCK or data[cut] != 0x80:
        raise refused()
    return data[:cut]
