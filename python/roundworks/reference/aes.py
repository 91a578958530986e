"""The AES round on a 128-bit word. Byte i of the word is s[i % 4][i / 4]. [FIPS197, section 5.1]"""

from __future__ import annotations

from collections.abc import Sequence

from .components import CellPermutation, Matrix, Sbox
from .permutation import Permutation
from .word import W, unit


def _sbox_entry(x: int) -> int:
    """Inverse in GF(2^8), then the affine map. [FIPS197, section 5.1.1]"""
    field = Matrix("GF(2^8)", ((1,),), 8, 0x11B)
    inverse, power = 1, x
    for _ in range(7):  # x^-1 = x^254 = x^2 x^4 .. x^128
        power = field.times(power, power)
        inverse = field.times(inverse, power)
    out = 0x63
    for shift in range(5):
        out ^= (inverse << shift | inverse >> (8 - shift)) & 0xFF
    return out


SUB_BYTES = Sbox("AES", tuple(_sbox_entry(x) for x in range(256)))
# Row r of the state turns left by r columns: byte r + 4c moves to column c - r.
SHIFT_ROWS = CellPermutation("ShiftRows", tuple((i - 4 * (i % 4)) % 16 for i in range(16)), 8)
MIX_COLUMNS = Matrix("MixColumns", ((2, 3, 1, 1), (1, 2, 3, 1), (1, 1, 2, 3), (3, 1, 1, 2)), 8, 0x11B)
# Their inverses. [FIPS197, section 5.3]
INV_SUB_BYTES = Sbox("AES back", tuple(SUB_BYTES.table.index(x) for x in range(256)))
INV_SHIFT_ROWS = CellPermutation("InvShiftRows", tuple((i + 4 * (i % 4)) % 16 for i in range(16)), 8)
INV_MIX_COLUMNS = Matrix(
    "InvMixColumns", ((14, 11, 13, 9), (9, 14, 11, 13), (13, 9, 14, 11), (11, 13, 9, 14)), 8, 0x11B
)


@unit("AES-last")
def aes_last(x: W) -> W:
    """ShiftRows . SubBytes: the last AES round before its key is added."""
    return x.sub(SUB_BYTES).permute(SHIFT_ROWS)


@unit("AES")
def aes(x: W) -> W:
    """MixColumns . ShiftRows . SubBytes: the AES round before its key is added."""
    return x.sub(SUB_BYTES).permute(SHIFT_ROWS).mix(MIX_COLUMNS)


@unit("AES-last back")
def aes_last_back(x: W) -> W:
    """The inverse of ``aes_last``."""
    return x.permute(INV_SHIFT_ROWS).sub(INV_SUB_BYTES)


@unit("AES back")
def aes_back(x: W) -> W:
    """The inverse of ``aes``."""
    return x.mix(INV_MIX_COLUMNS).permute(INV_SHIFT_ROWS).sub(INV_SUB_BYTES)


def aes_round(x: W, key: W | int) -> W:
    """R(x, k), the instruction `aesenc`."""
    return aes(x) ^ key


def aes_last_round(x: W, key: W | int) -> W:
    """The instruction `aesenclast`."""
    return aes_last(x) ^ key


class Aes(Permutation[W]):
    """The rounds of AES with all round keys zero: what bounds on trails of one key look at."""

    name = "aes"
    words, rounds = 1, 10

    def round(self, S: Sequence[W], i: int) -> list[W]:
        return [aes(S[0])]
