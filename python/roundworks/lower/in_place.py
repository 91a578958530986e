"""The order of a program in which a new word can take the place of the old one.

A word of the state is replaced in its register where nothing reads the old word any more. In another order a
compiler keeps both, and copies words between registers in every round, or through memory where there are more
words than registers.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import replace

from .program import Program

# Of more operations, those between the first and the last reader decide on what is copied.
_OPERATIONS = 400


def in_place(program: Program) -> Program:
    """The same operations, each new word S'i behind what reads Si, where that is no circle; else as they were."""
    count, first = len(program.ops), program.first
    if count > _OPERATIONS:
        return program
    after: list[set[int]] = [{a - first for a in op.args if a >= first} for op in program.ops]
    for old, new in _replaced(program):
        readers = {i for i, op in enumerate(program.ops) if old in op.args} - {new}
        for reader in sorted(readers):
            if not _reaches(after, reader, new):
                after[new].add(reader)
    return _ordered(program, _order(after))


def _replaced(program: Program) -> Iterator[tuple[int, int]]:
    """The value of each word of the state, and the operation that makes the new one."""
    lanes, first = program.lanes, program.first
    given = {name: at // lanes for at, name in enumerate(program.inputs)}
    for name, values in program.outputs.items():
        if name.startswith("S'"):
            for part, value in enumerate(values):
                old, new = given.get((f"S{name[2:]}", part)), value // lanes - first
                if old is not None and new >= 0:
                    yield old, new


def _reaches(after: list[set[int]], late: int, early: int) -> bool:
    """Whether `late` comes behind `early` already."""
    seen, waiting = {late}, [late]
    while waiting:
        for i in after[waiting.pop()]:
            if i == early:
                return True
            if i not in seen:
                seen.add(i)
                waiting.append(i)
    return False


def _order(after: list[set[int]]) -> list[int]:
    """Every operation behind those it comes after, in the order of before where there is a choice."""
    left = [len(before) for before in after]
    then: list[list[int]] = [[] for _ in after]
    for i, before in enumerate(after):
        for b in before:
            then[b].append(i)
    ready = [i for i, n in enumerate(left) if not n]
    order = []
    while ready:
        order.append(i := heapq.heappop(ready))
        for j in then[i]:
            left[j] -= 1
            if not left[j]:
                heapq.heappush(ready, j)
    return order


def _ordered(program: Program, order: list[int]) -> Program:
    """The program with its operations in that order."""
    first, lanes = program.first, program.lanes
    place = list(range(first)) + [0] * len(order)
    for at, i in enumerate(order):
        place[first + i] = first + at

    def moved(values: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(place[v // lanes] * lanes + v % lanes for v in values)

    return replace(
        program,
        ops=tuple(replace(program.ops[i], args=tuple(place[a] for a in program.ops[i].args)) for i in order),
        outputs={name: moved(values) for name, values in program.outputs.items()},
        cuts=tuple((node, moved(values)) for node, values in program.cuts),
    )
