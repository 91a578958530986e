"""AES-GCM from the entries of ``kernels/aes``, ``kernels/ghash`` and ``kernels/gcm``, on any machine.
[GCM]

The tag is compared on the machine, and counter mode of a ciphertext does nothing where it was wrong.
"""

from __future__ import annotations

from ctypes import Structure, c_uint32

import numpy as np

from .. import spec
from ..errors import InvalidTag
from .machine import Machine, Memory

FACTS = {facts.key_bytes: facts for facts in map(spec.cipher, ("aes-128-gcm", "aes-256-gcm"))}
NONCE, TAG, BLOCK = 12, 16, 16
OF_TEXT = 2  # the counter where a text begins
# Of kernels/ghash and kernels/aes: lanes of a group, shared bytes of a table. A place in a message
# is a word of 32 bits, of words.
LANES, TABLE_BYTES = 1024, 131072
MOST_BLOCKS = 2**30
_NOTHING = np.uint64(0)


class Keys(Structure):
    """Round keys, an argument by value."""

    _fields_ = (("words", c_uint32 * 60), ("rounds", c_uint32))


class Counter(Structure):
    """A nonce and the first counter, an argument by value."""

    _fields_ = (("nonce", c_uint32 * 3), ("first", c_uint32))


def counter(nonce: bytes, first: int) -> Counter:
    return Counter((c_uint32 * 3).from_buffer_copy(nonce), first)


def whole(data: bytes) -> bytes:
    """Whole blocks, as kernels want them; what is behind the end does not matter."""
    return data + bytes(-len(data) % BLOCK)


class AesGcm:
    """A key on a machine.

    Parameters
    ----------
    key : bytes
        16 or 32 bytes.
    groups : int
        Groups of 1024 lanes for GHASH at most, best as many as the device has multiprocessors.
    slices : bool
        Counter mode on bit slices, not by look-up.
    """

    def __init__(
        self, key: bytes, machine: Machine, *, groups: int = 1, slices: bool = False
    ) -> None:
        if len(key) not in FACTS:
            raise ValueError(f"key: want 16 or 32 bytes, got {len(key)}")
        self._machine = machine
        self._groups = groups
        self._bits = 8 * len(key)
        name = "aes_slices_ctr" if slices else f"aes{self._bits}_tables_ctr"
        self._ctr, self._ctr_shared = name, 0 if slices else TABLE_BYTES
        self._lane_bytes = BLOCK * (32 if slices else 8)  # of a tile of 256 counters
        expanded, h = machine.zeros(256), machine.zeros(BLOCK)
        size = np.uint32(len(key) // 4)
        machine.call("aes", "aes_expand", 1, machine.put(key), expanded, size)
        self._keys = Keys.from_buffer_copy(machine.get(expanded, 244))
        machine.call("gcm", "gcm_subkey", 1, self._keys, h)
        self._powers = self._list(h, LANES)
        base = machine.put(machine.get(self._powers, BLOCK * (LANES + 1))[-BLOCK:])
        self._of_groups = self._list(base, groups)

    def encrypt(self, nonce: bytes, data: bytes, associated_data: bytes = b"") -> bytes:
        """Ciphertext and tag: 16 bytes longer than the data."""
        check_nonce(nonce)
        check_size(len(data), len(associated_data))
        machine = self._machine
        out, tag = machine.zeros(len(whole(data))), machine.zeros(TAG)
        self.crypt(nonce, machine.put(whole(data)), len(data), out)
        self.authenticate(nonce, associated_data, out, len(data), tag)
        return machine.get(out, len(data)) + machine.get(tag, TAG)

    def decrypt(self, nonce: bytes, data: bytes, associated_data: bytes = b"") -> bytes:
        """The message, once its tag was found right.

        Raises
        ------
        InvalidTag
            ``authentication failed; no plaintext was released``
        """
        check_nonce(nonce)
        machine, size = self._machine, len(data) - TAG
        if size < 0:
            raise InvalidTag("authentication failed; no plaintext was released")
        check_size(size, len(associated_data))
        given, verdict = machine.put(whole(data[:size])), machine.zeros(4)
        total, tag = self._sum(associated_data, given, size), machine.put(data[size:])
        machine.call("gcm", "gcm_check", 1, self._keys, counter(nonce, 0), total, tag, verdict)
        out = machine.zeros(len(data))
        self.crypt(nonce, given, size, out, verdict)
        if not any(machine.get(verdict, 4)):
            raise InvalidTag("authentication failed; no plaintext was released")
        return machine.get(out, size)

    def _list(self, base: Memory, highest: int) -> Memory:
        """base^0 .. base^highest."""
        powers = self._machine.zeros(BLOCK * (highest + 1))
        count = np.uint32(highest + 1)
        self._machine.call("ghash", "ghash_powers", highest + 1, base, powers, count)
        return powers

    def crypt(
        self, nonce: bytes, given: Memory, size: int, out: Memory,
        allowed: Memory | np.generic = _NOTHING, *, first: int = OF_TEXT,
    ) -> None:  # fmt: skip
        """Data through counter mode from a counter on; nothing where it is not allowed."""
        self._machine.call(
            "aes", self._ctr, -(-size // self._lane_bytes), self._keys, counter(nonce, first), given,
            np.uint64(size), out, allowed, shared_bytes=self._ctr_shared,
        )  # fmt: skip

    def authenticate(self, nonce: bytes, ad: bytes, text: Memory, size: int, tag: Memory) -> None:
        """The tag of a ciphertext."""
        total = self._sum(ad, text, size)
        self._machine.call("gcm", "gcm_tag", 1, self._keys, counter(nonce, 0), total, tag)

    def _sum(self, ad: bytes, text: Memory, size: int) -> Memory:
        total = self._machine.zeros(BLOCK)
        blocks = -(-len(ad) // BLOCK) - (-size // BLOCK) + 1
        groups = min(self._groups, -(-blocks // LANES))
        self._machine.call(
            "ghash", "ghash_sum", LANES * groups, self._machine.put(whole(ad)),
            np.uint64(len(ad)), text, np.uint64(size), self._powers, self._of_groups,
            np.uint32(groups), total, shared_bytes=TABLE_BYTES,
        )  # fmt: skip
        return total

    def absorb(self, before: Memory, text: Memory, size: int) -> Memory:
        """The sum of an input that goes on with so many bytes, and zeros to the end of a block."""
        if not size:
            return before
        total = self._machine.zeros(BLOCK)
        groups = min(self._groups, -(-size // (BLOCK * LANES)))
        self._machine.call(
            "ghash", "ghash_part", LANES * groups, before, text, np.uint64(size), self._powers,
            self._of_groups, np.uint32(groups), total, shared_bytes=TABLE_BYTES,
        )  # fmt: skip
        return total


def check_nonce(nonce: bytes) -> None:
    if len(nonce) != NONCE:
        raise ValueError(f"nonce: want {NONCE} bytes, got {len(nonce)}")


def check_size(data_bytes: int, ad_bytes: int, most: int | None = None) -> None:
    most = BLOCK * (MOST_BLOCKS - 1) if most is None else most
    for what, size in (("data", data_bytes), ("associated_data", ad_bytes)):
        if size > most:
            raise ValueError(f"{what}: want at most {most} bytes, got {size}; use the CPU")
