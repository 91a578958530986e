"""Permutations of a labelled complete digraph: refine colours, then backtrack."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

Permutation = tuple[int, ...]


def automorphisms(
    labels: Sequence[Sequence[Hashable]],
    colours: Sequence[Hashable],
    *,
    limit: int = 4096,
    budget: int = 200_000,
) -> tuple[list[Permutation], bool]:
    """Every p with labels[p(i)][p(j)] = labels[i][j] and colours[p(i)] = colours[i].

    Returns the permutations and whether they are all: the search stops at ``limit`` permutations
    or ``budget`` tried images.
    """
    n = len(colours)
    classes = _refine(labels, colours)
    # The rarest colours first: there the wrong branches die early.
    size = {c: classes.count(c) for c in classes}
    order = sorted(range(n), key=lambda i: (size[classes[i]], classes[i], i))
    image = [-1] * n
    used = [False] * n
    results: list[Permutation] = []
    tried = 0

    def fits(i: int, target: int, depth: int) -> bool:
        return labels[i][i] == labels[target][target] and all(
            labels[i][k] == labels[target][image[k]] and labels[k][i] == labels[image[k]][target]
            for k in order[:depth]
        )

    def extend(depth: int) -> bool:
        """False once the search has to stop."""
        nonlocal tried
        if depth == n:
            results.append(tuple(image))
            return len(results) < limit
        i = order[depth]
        for target in range(n):
            if used[target] or classes[target] != classes[i]:
                continue
            tried += 1
            if tried > budget:
                return False
            if fits(i, target, depth):
                image[i], used[target] = target, True
                go_on = extend(depth + 1)
                image[i], used[target] = -1, False
                if not go_on:
                    return False
        return True

    complete = extend(0)
    return results, complete


def _refine(labels: Sequence[Sequence[Hashable]], colours: Sequence[Hashable]) -> list[int]:
    """Colours as small integers, split until neighbours no longer tell two apart."""
    n = len(colours)
    number: dict[Hashable, int] = {}
    small = [[number.setdefault(label, len(number)) for label in line] for line in labels]
    current = _numbered([(colour, small[i][i]) for i, colour in enumerate(colours)])
    while True:
        around = [
            (current[i], tuple(sorted((small[i][j], small[j][i], current[j]) for j in range(n))))
            for i in range(n)
        ]
        split = _numbered(around)
        if len(set(split)) == len(set(current)):
            return split
        current = split


def _numbered(keys: Sequence[Hashable]) -> list[int]:
    number: dict[Hashable, int] = {}
    return [number.setdefault(key, len(number)) for key in keys]
