"""Minalpher's kernels on the host: the vectors of spec/, and the description on every length."""

from __future__ import annotations

import random
from ctypes import c_bool, c_uint64

import pytest

from gpu_tools import need, words
from roundworks.gpu.build import host_library
from roundworks.reference import IntWord
from roundworks.reference.minalpher import BLOCK, Minalpher

CIPHER: Minalpher[IntWord] = Minalpher()


@pytest.mark.parametrize("back", [False, True])
@pytest.mark.parametrize("count", [1, 31, 32, 33, 70])
def test_permutation(count: int, back: bool) -> None:
    need("g++")
    data = random.Random(count).randbytes(BLOCK * count)
    out = words(len(data))
    host_library("minalpher").minalpher_permute(words(data), out, c_uint64(count), c_bool(back))
    blocks = [int.from_bytes(data[i : i + BLOCK], "big") for i in range(0, len(data), BLOCK)]
    assert bytes(out) == b"".join(x.to_bytes(BLOCK, "big") for x in CIPHER.P(blocks, back=back))
