"""Shuffles of 32-bit columns over several 128-bit words, written with masks and permutations."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import xor

from .components import CellPermutation
from .word import W


def shuffled(S: Sequence[W], source: Sequence[int]) -> list[W]:
    """Column j of the new words is column ``source[j]`` of the old ones; four to a word."""
    out = []
    for word in range(len(S)):
        parts: list[W] = []
        for origin in range(len(S)):
            taken = {source[4 * word + to] % 4: to for to in range(4) if source[4 * word + to] // 4 == origin}
            if taken:
                parts.append(_moved(S[origin], taken))
        out.append(reduce(xor, parts))
    return out


def _moved(x: W, taken: dict[int, int]) -> W:
    """Column ``source`` to column ``taken[source]``; nothing of the others."""
    spare = [to for to in range(4) if to not in taken.values()]
    rest = [column for column in range(4) if column not in taken]
    to = taken | dict(zip(rest, spare, strict=True))
    order = tuple(to[column] for column in range(4))
    name = "columns " + "".join(map(str, order))
    moved = x.permute(CellPermutation(name, order, 32)) if order != (0, 1, 2, 3) else x
    mask = sum(0xFFFFFFFF << 32 * (3 - column) for column in taken.values())
    return moved & mask
