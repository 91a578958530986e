"""Minalpher v1.1, its AEAD and its MAC mode. [MINALPHER]

The state is two words, the matrices A and B: row r, column c of a matrix is nibble 8r + c of its
word. The tweaks are integers of 256 bits, byte 0 of a block the highest.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import islice
from operator import xor

from .. import spec
from .aead import BlockAead, described, joined, number
from .batch import permuted
from .components import CellPermutation, Matrix, Sbox
from .word import W, unit

FACTS = spec.cipher("minalpher")
SB = Sbox("SB", FACTS.sbox)
M = Matrix("M", FACTS.matrix, 4)
REDUCTION = FACTS.constants["REDUCTION"]
FLAG_MESSAGE, FLAG_AD, FLAG_MAC = (FACTS.constants[f"FLAG_{what}"] for what in ("MESSAGE", "AD", "MAC"))
BLOCK, BITS = FACTS.rate_bytes, 8 * FACTS.rate_bytes
ROWS, COLUMNS = 4, 8


def _shuffle(name: str, sources: Sequence[Sequence[int]]) -> CellPermutation:
    """Column c of row r comes from column ``sources[r][c]``."""
    to = [0] * (ROWS * COLUMNS)
    for r, row in enumerate(sources):
        for c, source in enumerate(row):
            to[COLUMNS * r + source] = COLUMNS * r + c
    return CellPermutation(name, tuple(to), 4)


def _inverse(row: Sequence[int]) -> list[int]:
    return [row.index(c) for c in range(COLUMNS)]


SR1, SR2 = (list(FACTS.constants[name].to_bytes(COLUMNS, "big")) for name in ("SR1", "SR2"))
SHUFFLE_A = _shuffle("SR_A", [SR1, SR2, _inverse(SR1), _inverse(SR2)])
SHUFFLE_B = _shuffle("SR_B", [_inverse(SR1), _inverse(SR2), SR1, SR2])
# The rows of a matrix as its columns and back, for a column to be neighbouring nibbles.
TO_COLUMNS = CellPermutation(
    "columns", tuple(ROWS * (i % COLUMNS) + i // COLUMNS for i in range(ROWS * COLUMNS)), 4
)
TO_ROWS = CellPermutation("rows", tuple(COLUMNS * (i % ROWS) + i // ROWS for i in range(ROWS * COLUMNS)), 4)


@unit("TA")
def shuffled_a(x: W) -> W:
    """S, then ShuffleRows of A."""
    return x.sub(SB).permute(SHUFFLE_A)


@unit("TB")
def shuffled_b(x: W) -> W:
    """S, then ShuffleRows of B."""
    return x.sub(SB).permute(SHUFFLE_B)


@unit("MC")
def mix_columns(x: W) -> W:
    """MixColumns of one matrix."""
    return x.permute(TO_COLUMNS).mix(M).permute(TO_ROWS)


def round_constant(i: int) -> int:
    """RC_i for B; A has none. Row r, column c < 4 is c ^ r ^ (i mod 16)."""
    word = 0
    for r in range(ROWS):
        for c in range(COLUMNS):
            word = word << 4 | (c ^ r ^ i % 16 if c < 4 else 0)
    return word


def times_y(v: int) -> int:
    """TweakUpdate: y times v. Byte 31 is x times the byte that left, bytes 28 and 29 take it in."""
    t = v >> BITS - 8
    xt = t << 1 ^ (t >> 7) * (REDUCTION | 1 << 8)
    return (v << 8) % (1 << BITS) ^ t << 24 ^ t << 16 ^ xt


@described("minalpher")
class Minalpher(BlockAead[W]):
    """Minalpher v1.1: 16-byte key, 13-byte nonce, 16-byte tag, blocks of 32 bytes."""

    words = 2

    # -- the permutation ---------------------------------------------------------------------
    def substituted(self, S: Sequence[W]) -> list[W]:
        """T S: S-boxes, ShuffleRows, and the matrices change places."""
        A, B = S
        return [shuffled_b(B), shuffled_a(A)]

    def mixed(self, S: Sequence[W]) -> list[W]:
        """M: B takes A in, then MixColumns of both."""
        A, B = S
        return [mix_columns(A), mix_columns(B ^ A)]

    def round(self, S: Sequence[W], K: Sequence[W | int], i: int) -> list[W]:
        """E_i M T S."""
        A, B = self.mixed(self.substituted(S))
        return [A, B ^ round_constant(i)]

    def permute(self, S: Sequence[W]) -> list[W]:
        """P: 17 rounds, then S and T alone."""
        S = list(S)
        for i in range(self.rounds):
            S = self.round(S, (), i)
        return self.substituted(S)

    def permute_back(self, S: Sequence[W]) -> list[W]:
        """The inverse of P: S, T and M are their own inverses, so the rounds run backwards."""
        S = list(S)
        for i in reversed(range(self.rounds)):
            A, B = self.substituted(S)
            S = self.mixed([A, B ^ round_constant(i)])
        return self.substituted(S)

    def P(self, blocks: Sequence[int], *, back: bool = False) -> list[int]:
        """P or its inverse on every block: one by one on integers, many on numpy words."""
        step = self.permute_back if back else self.permute
        return permuted(self, step, blocks, self._layout)

    @staticmethod
    def _layout() -> list[int]:
        """Which byte of a block is byte i of A || B."""
        return [8 * r + c for half in (0, 4) for r in range(ROWS) for c in range(half, half + 4)]

    # -- masks and tweaks --------------------------------------------------------------------
    def mask(self, key: bytes, flag: int, nonce: bytes = bytes(13)) -> int:
        """L = B ^ P(B), B = K || flag || 00 00 || N."""
        block = number(key + bytes((flag, 0, 0)) + nonce, "big")
        return block ^ self.P([block])[0]  # type: ignore[no-any-return]

    @staticmethod
    def tweaks(L: int) -> Iterator[int]:
        """y^0 L, y^1 L, y^2 L, ..."""
        while True:
            yield L
            L = times_y(L)

    def tem(self, tweaks: Sequence[int], blocks: Sequence[int]) -> list[int]:
        """TEM(t, m) = t ^ P(t ^ m) of every pair."""
        inner = self.P([t ^ m for t, m in zip(tweaks, blocks, strict=True)])
        return [t ^ c for t, c in zip(tweaks, inner, strict=True)]

    def tem_back(self, tweaks: Sequence[int], blocks: Sequence[int]) -> list[int]:
        """The inverse of `tem`."""
        inner = self.P([t ^ c for t, c in zip(tweaks, blocks, strict=True)], back=True)
        return [t ^ m for t, m in zip(tweaks, inner, strict=True)]

    # -- the modes ---------------------------------------------------------------------------
    def hash(self, L: int, data: bytes) -> int:
        """All blocks but the last under y^i L, i = 1, 2, ..; what remains, with the last block,
        under y^(a-1) (y + 1)^e L, where e = 1 for a full last block and 2 for a padded one."""
        full = bool(data) and len(data) % BLOCK == 0
        blocks = _blocks(data if full else _padded(data))
        tweaks = list(islice(self.tweaks(L), len(blocks)))
        last = _times_y_plus_1(tweaks[-1], 1 if full else 2)
        s = reduce(xor, self.tem(tweaks[1:], blocks[:-1]), 0)
        return self.tem([last], [s ^ blocks[-1]])[0]

    def tag_of(self, key: bytes, L: int, ciphertext: bytes, associated_data: bytes) -> bytes:
        """The tag of a ciphertext and its associated data, under the mask L of the message."""
        C = _blocks(ciphertext)
        t = list(islice(self.tweaks(L), 2 * len(C)))
        h = self.hash(self.mask(key, FLAG_AD), associated_data) if associated_data else 0
        s = reduce(xor, self.tem(t[2::2], C[:-1]), h ^ C[-1])
        return _bytes(self.tem([_times_y_plus_1(t[-1], 1)], [s])[0])[: self.tag_bytes]

    def seal(self, key: bytes, nonce: bytes, data: bytes, associated_data: bytes) -> tuple[bytes, bytes]:
        L = self.mask(key, FLAG_MESSAGE, nonce)
        blocks = _blocks(_padded(data))
        tweaks = list(islice(self.tweaks(L), 1, 2 * len(blocks), 2))
        ciphertext = joined(map(_bytes, self.tem(tweaks, blocks)))
        return ciphertext, self.tag_of(key, L, ciphertext, associated_data)

    def open(
        self, key: bytes, nonce: bytes, ciphertext: bytes, tag: bytes, associated_data: bytes
    ) -> bytes | None:
        if not ciphertext or len(ciphertext) % BLOCK:
            return None
        L = self.mask(key, FLAG_MESSAGE, nonce)
        if tag != self.tag_of(key, L, ciphertext, associated_data):
            return None
        blocks = _blocks(ciphertext)
        tweaks = list(islice(self.tweaks(L), 1, 2 * len(blocks), 2))
        return _unpadded(b"".join(map(_bytes, self.tem_back(tweaks, blocks))))

    def mac(self, key: bytes, data: bytes) -> bytes:
        """The MAC mode: the hash of the associated data under a flag of its own."""
        self.check("key", key, self.key_bytes)
        return _bytes(self.hash(self.mask(key, FLAG_MAC), data))[: self.tag_bytes]

    def ciphertext_bytes(self, data_bytes: int) -> int:
        return BLOCK * (data_bytes // BLOCK + 1)


def _times_y_plus_1(v: int, times: int) -> int:
    for _ in range(times):
        v ^= times_y(v)
    return v


def _padded(data: bytes) -> bytes:
    """80 and zeros, always: a full last block gets a block more."""
    return data + b"\x80" + bytes(-(len(data) + 1) % BLOCK)


def _unpadded(data: bytes) -> bytes | None:
    """The marker must be in the last block."""
    cut = len(data.rstrip(b"\0")) - 1
    return data[:cut] if cut >= len(data) - BLOCK and data[cut] == 0x80 else None


def _blocks(data: bytes) -> list[int]:
    return [number(data[i : i + BLOCK], "big") for i in range(0, len(data), BLOCK)]


def _bytes(block: int) -> bytes:
    return block.to_bytes(BLOCK, "big")


def window(L: int, count: int) -> list[int]:
    """y^0 L .. y^(count-1) L as windows of 32 bytes of one sequence a_0, a_1, ... of bytes.

    a_k is the first byte of y^k L, and a_{k+32} = a_{k+3} ^ a_{k+2} ^ x a_k: a new tweak costs one
    new byte. The last three bytes of a tweak also hold what TweakUpdate fed in while they passed.
    """
    v = _bytes(L)
    a = list(v)
    for i in (29, 30, 31):
        a[i] = v[i] ^ a[i - 29] ^ (a[i - 30] if i > 29 else 0)
    for k in range(count):
        t = a[k]
        xt = t << 1 ^ (REDUCTION | 1 << 8 if t >> 7 else 0)
        a.append(a[k + 3] ^ a[k + 2] ^ xt)
    results = []
    for k in range(count):
        w = a[k : k + BLOCK]
        w[29] ^= a[k]
        w[30] ^= a[k + 1] ^ a[k]
        w[31] ^= a[k + 2] ^ a[k + 1]
        results.append(int.from_bytes(bytes(w), "big"))
    return results
