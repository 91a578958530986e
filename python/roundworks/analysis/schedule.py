"""Instructions on the ports of a CPU: the limit that no order beats, and an order that is found."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations

from .instructions import Instruction, InstructionProgram

Ports = Callable[[str], tuple[str, ...]]
Latency = Callable[[str, str], int]


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
    users: list[list[int]] = [[] for _ in code]
    for i, design in enumerate(code):
        for value in {v for v in design.operands if v >= given}:
            users[value - given].append(i)
    left = [list(waits) for _ in range(copies)]
    # (cycle from which it can start, rule, copy, instruction)
    coming: list[tuple[int, tuple[int, ...], int, int]] = []
    for copy in range(copies):
        for i, wait in enumerate(waits):
            if not wait:
                heapq.heappush(coming, (0, rule(i, copy), copy, i))
    there: list[tuple[tuple[int, ...], int, int]] = []
    start_from = [[0] * len(code) for _ in range(copies)]
    cycle = end = 0
    while coming or there:
        if not there and coming:
            cycle = max(cycle, coming[0][0])
        while coming and coming[0][0] <= cycle:
            _, order, copy, i = heapq.heappop(coming)
            heapq.heappush(there, (order, copy, i))
        for _, copy, i in _started(there, ports, code):
            end = max(end, cycle + latency(code[i].kind, ""))
            for user in users[i]:
                there_at = cycle + latency(code[i].kind, code[user].kind)
                start_from[copy][user] = max(start_from[copy][user], there_at)
                left[copy][user] -= 1
                if not left[copy][user]:
                    item = (start_from[copy][user], rule(user, copy), copy, user)
                    heapq.heappush(coming, item)
        cycle += 1
    return end


def _started(
    there: list[tuple[tuple[int, ...], int, int]], ports: Ports, code: Sequence[Instruction]
) -> list[tuple[tuple[int, ...], int, int]]:
    """Take from the heap what starts in this cycle, at most one a port; the rest goes back.

    One that finds its ports taken moves another to a free port if that can be.
    """
    owner: dict[str, int] = {}
    started: list[tuple[tuple[int, ...], int, int]] = []
    refused = []
    free = {port for _, _, i in there for port in ports(code[i].kind)}
    while there and len(owner) < len(free):
        item = heapq.heappop(there)
        started.append(item)
        if not _placed(len(started) - 1, started, ports, code, owner, set()):
            refused.append(started.pop())
    for item in refused:
        heapq.heappush(there, item)
    return started


def _placed(
    who: int,
    started: Sequence[tuple[tuple[int, ...], int, int]],
    ports: Ports,
    code: Sequence[Instruction],
    owner: dict[str, int],
    tried: set[str],
) -> bool:
    for port in ports(code[started[who][2]].kind):
        if port in tried:
            continue
        tried.add(port)
        if port not in owner or _placed(owner[port], started, ports, code, owner, tried):
            owner[port] = who
            return True
    return False
