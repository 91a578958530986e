"""Plain, slow versions of what the engine does; the tests compare the two."""

from __future__ import annotations

import heapq

from roundworks.analysis.words import WordProgram


def profile(program: WordProgram, starts: list[int], blocks: list[int]) -> list[int | None]:
    """Minimum total weight after 1, 2, .. rounds, round r with the block pattern ``blocks[r]``."""
    best = dict.fromkeys(starts, 0)
    minima: list[int | None] = []
    for block in blocks:
        following: dict[int, int] = {}
        for state, cost in best.items():
            for after, weight in program.steps(state, block):
                if cost + weight < following.get(after, 1 << 30):
                    following[after] = cost + weight
        best = following
        minima.append(min(best.values(), default=None))
    return minima


def collision(program: WordProgram) -> int | None:
    """Minimum weight from the zero state back to it with some block word active."""
    queue = [
        (cost, after) for block in range(1, 1 << program.inputs) for after, cost in program.steps(0, block)
    ]
    heapq.heapify(queue)
    done: set[int] = set()
    while queue:
        cost, state = heapq.heappop(queue)
        if state in done:
            continue
        done.add(state)
        if state == 0:
            return cost
        for block in range(1 << program.inputs):
            for after, weight in program.steps(state, block):
                if after not in done:
                    heapq.heappush(queue, (cost + weight, after))
    return None
