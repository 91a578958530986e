"""Areion-256 and Areion-512 [AREION, section 3]: a member of the Feistel family each, but for the
last swap and for words kept in place.

The words of pi that are its constants serve the whole family (``feistel.py``).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from . import pi
from .aes import aes, aes_last
from .aes import aes_round as R
from .permutation import Permutation, described_permutation
from .word import W

_PREPARED = 64


@cache
def _constants(count: int) -> list[int]:
    # The authors' table lacks the zero digit that RC_7 (and RC_22) of pi begins with: the others
    # move up and a zero follows. Bytes in memory are the digits backwards.
    digits = (f"{word:x}".ljust(32, "0") for word in pi.words(count, 128))
    return [int.from_bytes(bytes.fromhex(d)[::-1], "big") for d in digits]


def round_constant(i: int) -> int:
    """RC_i as the word whose bytes are those in memory; there is no last one."""
    return _constants(_PREPARED * (i // _PREPARED + 1))[i]


@described_permutation("areion-256")
class Areion256(Permutation[W]):
    """Ten rounds on two words."""

    def round(self, S: Sequence[W], i: int) -> list[W]:
        # In place and with the roles in turns, as its authors have it.
        a, b = i % 2, 1 - i % 2
        out = list(S)
        out[b] = R(R(S[a], round_constant(i)), S[b])
        out[a] = aes_last(S[a])
        return out


@described_permutation("areion-512")
class Areion512(Permutation[W]):
    """Fifteen rounds on four words."""

    def round(self, S: Sequence[W], i: int) -> list[W]:
        x0, x1, x2, x3 = S
        x1, x3 = R(x0, x1), R(x2, x3)
        x0, x2 = aes_last(x0), aes(aes_last(x2) ^ round_constant(i))
        return [x1, x2, x3, x0]
