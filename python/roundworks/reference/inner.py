"""The candidates for AETHER's inner function, as permutations of which a round is one function.
[AETHER, table 5]

F_AES is the AES round. The others are S-layers of the S-box of Orthros around binary matrices over
nibbles. AETHER's own, S . F_16, is exact; the matrices of F_8 and F_32 and the permutation of F_8
are reconstructions of ours, see spec/matrices.toml. No function has a key inside.
"""

from __future__ import annotations

from collections.abc import Sequence

from .. import spec
from . import aes as aes_rounds
from .aether import SBOX, f
from .components import CellPermutation, Matrix
from .permutation import Permutation
from .word import W, unit


def _matrix(name: str) -> Matrix:
    facts = spec.matrices()[name]
    return Matrix(name, facts.rows, 4)


M_8, M_32 = _matrix("m8"), _matrix("m32")
P_8 = CellPermutation("p8", spec.cell_permutations()["p8"].to, 4)


@unit("F_8")
def f8(x: W) -> W:
    """F_8 . F_8, each one S-layer, matrix and permutation."""
    for _ in range(2):
        x = x.sub(SBOX).mix(M_8).permute(P_8)
    return x


@unit("F_32")
def f32(x: W) -> W:
    """S . F_32. The matrix takes the whole word, so a permutation would add nothing."""
    return x.sub(SBOX).mix(M_32).sub(SBOX)


class InnerAes(aes_rounds.Aes[W]):
    """The AES round."""

    name = "aether-f-aes"


class Inner8(Permutation[W]):
    """F_8 twice."""

    name = "aether-f-8"
    words, rounds = 1, 2

    def round(self, S: Sequence[W], i: int) -> list[W]:
        return [f8(S[0])]


class Inner16(Permutation[W]):
    """S . F_16, AETHER's own."""

    name = "aether-f-16"
    words, rounds = 1, 2

    def round(self, S: Sequence[W], i: int) -> list[W]:
        return [f(S[0])]


class Inner32(Permutation[W]):
    """S . F_32."""

    name = "aether-f-32"
    words, rounds = 1, 2

    def round(self, S: Sequence[W], i: int) -> list[W]:
        return [f32(S[0])]
