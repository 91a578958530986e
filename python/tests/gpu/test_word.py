"""The host's word against the instructions it stands for, and transposes against their definition."""

from __future__ import annotations

import ctypes
import random
from collections.abc import Sequence

import numpy as np
import pytest

from gpu_tools import host_library, need

LANES = 4
rng = random.Random(5)


@pytest.fixture(autouse=True)
def _compiler() -> None:
    need("g++")


def array(values: Sequence[int]) -> ctypes.Array[ctypes.c_uint32]:
    return (ctypes.c_uint32 * len(values))(*values)


def some() -> list[int]:
    return [rng.getrandbits(32) for _ in range(LANES)]


def called(name: str, *args: Sequence[int], results: int = 1) -> list[list[int]]:
    out = [array([0] * LANES) for _ in range(results)]
    getattr(host_library("common"), name)(*map(array, args), *out)
    return [list(one) for one in out]


def test_every_function_of_three_bits() -> None:
    table = array([0] * 256)
    host_library("common").common_lop3(table)
    assert list(table) == list(range(256))


def test_bytes_chosen() -> None:
    for _ in range(50):
        a, b = some(), some()
        s = [sum(rng.randrange(8) << 4 * i for i in range(4)) for _ in range(LANES)]
        data = [(y << 32 | x).to_bytes(8, "little") for x, y in zip(a, b, strict=True)]
        want = [bytes(d[n >> 4 * i & 7] for i in range(4)) for d, n in zip(data, s, strict=True)]
        assert called("common_prmt", a, b, s) == [[int.from_bytes(w, "little") for w in want]]


def test_shifts_of_two_words() -> None:
    for first in range(0, 32, LANES):
        low, high, n = some(), some(), [first + k for k in range(LANES)]
        want = [(h << 32 | w) >> k & 0xFFFFFFFF for w, h, k in zip(low, high, n, strict=True)]
        assert called("common_funnel", low, high, n) == [want]


def test_comparisons_without_sign() -> None:
    ones = 0xFFFFFFFF
    masks = called("common_compare", [0, 1, ones, 5], [1, 0, 1, 5], results=2)
    assert masks == [[ones, 0, 0, 0], [0, 0, 0, ones]]


def test_exchange_between_lanes() -> None:
    a = some()
    assert called("common_shuffle", a, [3, 3, 0, 1], results=2) == [
        [a[3], a[3], a[0], a[1]],
        [a[2], a[3], a[0], a[1]],
    ]


@pytest.mark.parametrize("swap", [0, 1, 2])
def test_transposes(swap: int) -> None:
    """Bit j of word i becomes bit i of word j; swapped, bytes of a word change places in odd lanes."""
    words = [some() for _ in range(32)]
    x = array([w for row in words for w in row])
    host_library("common").common_transpose(x, ctypes.c_uint32(swap))
    for k in range(LANES):
        bits = np.array([[row[k] >> j & 1 for j in range(32)] for row in words])
        order = np.arange(32) ^ (8 if swap and k % 2 else 0)
        want = (bits[:, order] if swap == 1 else bits[order]).T
        rows = [[x[LANES * i + k] >> j & 1 for j in range(32)] for i in range(32)]
        assert rows == want.tolist()
