"""Which lengths are proven: those of a message, and of messages in one call."""

from __future__ import annotations

from itertools import cycle

Pair = tuple[int, int]
"""Bytes of associated data, of message."""
TOGETHER = {"aegis-128": 4, "aegis-128l": 4, "aegis-256": 4, "rocca-s": 4, "aether": 16, "aether-lb": 16}
"""Of messages in one call the library takes that many together."""
WIDE = {("minalpher", "avx2"): 24, ("minalpher", "avx512"): 28}
"""From that many blocks on a back end has code of its own, for 32 or 64 of them at a time."""
LENGTHS = ("few", "edges", "all")


def batches(block: int, together: int) -> list[list[Pair]]:
    """(bytes of associated data, of message) of all messages of each call: one time `together` alike, then two times
    that end in different places."""
    ends = [0, block - 1, block, block + 1, 2 * block - 1, 2 * block, 2 * block + 5, 3 * block]
    return [[(5, 2 * block + 5)] * together, [(block + 2, end) for end in ends * (together // 4)]]


def increments(size: int, block: int) -> list[int]:
    """Parts of that many bytes, of which some are empty, some end with a block, and some have several."""
    made: list[int] = []
    for part in cycle((1, block - 1, 0, block, block + 1, 2 * block)):
        if size <= 0:
            return made
        made.append(min(part, size))
        size -= made[-1]
    raise AssertionError("a cycle ends")


def alike(block: int) -> list[list[Pair]]:
    """The same where messages of one call have one size: five of more than four blocks, of which generated C takes four
    together, then two that are shorter than a block."""
    return [[(5, 4 * block + 5)] * 5, [(block + 2, block - 1)] * 2]


def pairs(lengths: str, ad_block: int, block: int, wide: int = 0) -> list[Pair]:
    """(bytes of associated data, of message) of each call; `wide` blocks or more have code of their own."""
    few = [(0, 0), (ad_block // 2 + 1, block + 5), (0, 5 * block + 1)]
    if wide:
        few += [(0, wide * block + 1), (wide * ad_block, 5)]
    if lengths == "few":
        return few
    if lengths == "edges":
        return few + [
            (x * ad_block + d, y * block + e)
            for x, d, y, e in (
                (0, 1, 0, 1),
                (1, -1, 1, -1),
                (1, 0, 1, 0),
                (1, 1, 1, 1),
                (2, 0, 2, -1),
                (3, -1, 3, -1),
                (3, 0, 3, 0),
                (0, 0, 3, -1),
                (3, -1, 0, 0),
                (2, 1, 0, 1),
                (0, 1, 2, 1),
            )
        ]
    short = [(5, n) for n in range(3 * block + 1)]
    return few + short + [(n, 5) for n in range(3 * ad_block + 1) if n != 5]
