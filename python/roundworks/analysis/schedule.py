"""Instructions on the ports of a CPU: the limit that no order beats, and an order that is found."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations

from .instructions import InstructionProgram

Ports = Callable[[str], tuple[str, ...]]
Latency = Callable[[str, str], int]
_Waiting = tuple[tuple[int, ...], int, int]
"""Its place by the rule, its copy, the instruction."""


def port_limit(code: Counter[str], ports: Ports) -> tuple[Fraction, tuple[str, ...]]:
    """Cycles that a steady stream takes at least for that many of each kind, and the ports it fills.

    For every set of ports: what can start nowhere else, over their number. That the maximum of
    these is also reached, with instructions shared out among the ports, is Hall's theorem.
    """
    names = sorted({port for kind in code for port in ports(kind)})
    best: tuple[Fraction, tuple[str, ...]] = (Fraction(0), ())
    for size in range(1, len(names) + 1):
        for chosen in combinations(names, size):
            only_here = sum(n for kind, n in code.items() if set(ports(kind)) <= set(chosen))
            if Fraction(only_here, size) > best[0]:
                best = Fraction(only_here, size), chosen
    return best


def crowded_limit(code: Counter[str], ports: Ports, of: Sequence[str]) -> Fraction:
    """The same if whatever can start on a port of these kinds does: the worst sharing out.

    A CPU chooses a port before it knows what the instruction will wait for.
    """
    shared = {port for kind in of for port in ports(kind)}
    there = sum(n for kind, n in code.items() if set(ports(kind)) & shared)
    return max(port_limit(code, ports)[0], Fraction(there, len(shared)))


def makespan(program: InstructionProgram, latency: Latency, ports: Ports, copies: int = 1) -> int:
    """Cycles from the first start to the last result of ``copies`` interleaved programs.

    List scheduling: in every cycle each port takes one of what waits for nothing. Some rules for
    which one are tried and the best is kept: what has most before the end, of these what most waits
    for; what stands first in the code; one copy before the next. So it is a time that an order
    reaches, not the minimum.
    """
    heights, count = _heights(program, latency), len(program.code)
    waiting = Counter(v - len(program.given) for design in program.code for v in set(design.operands))
    rules: list[Callable[[int, int], tuple[int, ...]]] = [
        lambda i, copy: (-heights[i], -waiting[i], copy, i),
        lambda i, copy: (-heights[i], copy, -i),
        lambda i, copy: (i, copy),
        lambda i, copy: (copy, -heights[i], -waiting[i], i),
    ]
    return min(_scheduled(program, latency, ports, copies, rule) for rule in rules) if count else 0


def _heights(program: InstructionProgram, latency: Latency) -> list[int]:
    """Cycles from the start of an instruction to the end of all that waits for it."""
    given, code = len(program.given), program.code
    heights = [latency(design.kind, "") for design in code]
    for i in reversed(range(len(code))):
        for j in (value - given for value in code[i].operands if value >= given):
            heights[j] = max(heights[j], latency(code[j].kind, code[i].kind) + heights[i])
    return heights


def _scheduled(
    program: InstructionProgram,
    latency: Latency,
    ports: Ports,
    copies: int,
    rule: Callable[[int, int], tuple[int, ...]],
) -> int:
    given, code = len(program.given), program.code
    waits = [len({v for v in design.operands if v >= given}) for design in code]
    where = [ports(design.kind) for design in code]
    ends = [latency(design.kind, "") for design in code]
    # (instruction, cycles that it waits from the start of the one before it)
    users: list[list[tuple[int, int]]] = [[] for _ in code]
    for i, design in enumerate(code):
        for value in {v - given for v in design.operands if v >= given}:
            users[value].append((i, latency(code[value].kind, design.kind)))
    left = [list(waits) for _ in range(copies)]
    # (cycle from which it can start, what waits)
    coming: list[tuple[int, _Waiting]] = []
    for copy in range(copies):
        for i, wait in enumerate(waits):
            if not wait:
                heapq.heappush(coming, (0, (rule(i, copy), copy, i)))
    # Those of the same ports, since one that finds all taken speaks for the rest.
    there: dict[tuple[str, ...], list[_Waiting]] = {ports: [] for ports in where}
    start_from = [[0] * len(code) for _ in range(copies)]
    cycle = end = 0
    while coming or any(there.values()):
        if not any(there.values()):
            cycle = max(cycle, coming[0][0])
        while coming and coming[0][0] <= cycle:
            item = heapq.heappop(coming)[1]
            heapq.heappush(there[where[item[2]]], item)
        for _, copy, i in _started(there, where):
            end = max(end, cycle + ends[i])
            for user, wait in users[i]:
                start_from[copy][user] = max(start_from[copy][user], cycle + wait)
                left[copy][user] -= 1
                if not left[copy][user]:
                    heapq.heappush(coming, (start_from[copy][user], (rule(user, copy), copy, user)))
        cycle += 1
    return end


def _started(
    there: Mapping[tuple[str, ...], list[_Waiting]], where: Sequence[tuple[str, ...]]
) -> list[_Waiting]:
    """Take from the heaps what starts in this cycle, at most one a port.

    One that finds its ports taken moves another to a free port if that can be.
    """
    owner: dict[str, int] = {}
    started: list[_Waiting] = []
    left = {ports: heap for ports, heap in there.items() if heap}
    free = len({port for ports in left for port in ports})
    while left and len(owner) < free:
        ports = min(left, key=lambda ports: left[ports][0])
        started.append(left[ports][0])
        placed = _placed(len(started) - 1, started, where, owner, set())
        if placed:
            heapq.heappop(left[ports])
        else:
            started.pop()
        if not placed or not left[ports]:
            del left[ports]
    return started


def _placed(
    who: int,
    started: Sequence[_Waiting],
    where: Sequence[tuple[str, ...]],
    owner: dict[str, int],
    tried: set[str],
) -> bool:
    for port in where[started[who][2]]:
        if port in tried:
            continue
        tried.add(port)
        if port not in owner or _placed(owner[port], started, where, owner, tried):
            owner[port] = who
            return True
    return False
