"""Whether two lists put the same things in the same order: Spearman's rho and Kendall's tau-b."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import sqrt


def ranks(values: Sequence[float]) -> list[float]:
    """1 for the smallest; equal values share the mean of their places."""
    return [
        (sum(other < value for other in values) + sum(other <= value for other in values) + 1) / 2
        for value in values
    ]


def spearman(first: Sequence[float], second: Sequence[float]) -> float | None:
    """The correlation of the ranks; None where one list has a single value."""
    a, b = ranks(first), ranks(second)
    mean = (len(a) + 1) / 2
    both = sum((x - mean) * (y - mean) for x, y in zip(a, b, strict=True))
    spread = sqrt(sum((x - mean) ** 2 for x in a) * sum((y - mean) ** 2 for y in b))
    return both / spread if spread else None


def kendall(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Pairs in the same order less pairs in the other, over all that are not tied in one list."""

    def sign(x: float, y: float) -> int:
        return (x > y) - (x < y)

    pairs = list(combinations(range(len(first)), 2))
    a = [sign(first[i], first[j]) for i, j in pairs]
    b = [sign(second[i], second[j]) for i, j in pairs]
    spread = sqrt(sum(map(abs, a)) * sum(map(abs, b)))
    return sum(x * y for x, y in zip(a, b, strict=True)) / spread if spread else None
