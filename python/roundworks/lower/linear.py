"""Few XORs for linear maps with 8 bits on one side: the greedy search of Boyar and Peralta.

The distance of a form is the fewest XORs that make it of the sums so far, whatever others share. The
next sum is that of two which lowers the distances most. [BOYAR-MATTHEWS-PERALTA]
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

Sums = tuple[tuple[int, int], ...]  # sum k adds two signals before it


def sums(bits: int, forms: Sequence[int]) -> tuple[Sums, tuple[int, ...]]:
    """XORs after which all forms are signals: operands of each, and the signal of each form.

    Bit i of a form stands for input i, which is signal i; no form is 0.
    """
    signals = [1 << i for i in range(bits)]
    made: list[tuple[int, int]] = []
    place = {s: i for i, s in enumerate(signals)}
    distances = _distances(bits, signals)

    def add(a: int, b: int) -> None:
        place[signals[a] ^ signals[b]] = len(signals)
        signals.append(signals[a] ^ signals[b])
        made.append((a, b))

    while left := [f for f in dict.fromkeys(forms) if f not in place]:
        pairs = {
            signals[a] ^ signals[b]: (a, b)
            for a, b in combinations(range(len(signals)), 2)
            if signals[a] ^ signals[b] not in place
        }
        if ready := [f for f in left if f in pairs]:
            add(*pairs[ready[0]])
        else:
            add(*pairs[min(pairs, key=lambda new: _rank(distances, left, new))])
        distances = [min(d, distances[v ^ signals[-1]] + 1) for v, d in enumerate(distances)]
    return tuple(made), tuple(place[f] for f in forms)


def _distances(bits: int, signals: Sequence[int]) -> list[int]:
    """Of every form how many signals add up to it."""
    result = [0] + [bits + 1] * ((1 << bits) - 1)
    for signal in signals:
        result = [min(d, result[v ^ signal] + 1) for v, d in enumerate(result)]
    return result


def _rank(distances: Sequence[int], forms: Sequence[int], new: int) -> tuple[int, int]:
    """The sum of the distances with the new sum; of equal ones the more uneven are better."""
    after = [min(distances[f], distances[f ^ new] + 1) for f in forms]
    return sum(after), -sum(d * d for d in after)


def transposed(bits: int, made: Sums, ends: Sequence[int]) -> list[list[int]]:
    """The XORs of the transposed map, whose input k is what ``ends[k]`` was.

    A list for each of the ``bits`` outputs and each of ``made``, in their order: the terms of the
    sum that takes the place of signal i, where -1 - k is input k and others are sums.
    """
    terms: list[list[int]] = [[] for _ in range(bits + len(made))]
    for k, end in enumerate(ends):
        terms[end].append(-1 - k)
    for k in reversed(range(len(made))):
        for operand in made[k]:
            terms[operand].append(bits + k)
    return terms
