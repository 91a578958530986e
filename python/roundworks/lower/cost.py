"""What a program costs on a CPU of today, to choose between machines: a few numbers, no schedule.

A round takes as long as its longest chain of operations, or as its operations where these are many.
"""

from __future__ import annotations

from .program import Program

# Cycles until the result is there; others take one.
LATENCY = {"aesenc": 4, "aesenclast": 4, "lanes": 3, "flip": 3, "affine": 3, "inverse": 3, "pair": 3}
# Operations a cycle by lanes of a value: two of 512 bits, as half of these share a unit.
_RATE = {1: 3.0, 2: 3.0, 4: 2.0}


def count(program: Program) -> int:
    """Operations that are no constants."""
    return sum(op.kind != "const" for op in program.ops)


def recurrence(program: Program) -> float:
    """Cycles a round where rounds follow one another, as far as each waits for words of the state that the
    last one made: the largest mean of latencies on a cycle from words of the state to themselves."""
    names = sorted({name for name, _ in program.inputs if name.startswith("S")})
    paths: dict[str, dict[str, int]] = {}
    for name in names:
        there: list[int | None] = [0 if each == name else None for each, _ in program.inputs]
        for op in program.ops:
            before = [t for t in (there[a] for a in op.args) if t is not None]
            there.append(max(before) + LATENCY.get(op.kind, 1) if before else None)
        for output, values in program.outputs.items():
            ends = [t for t in (there[v] for v in values) if t is not None]
            if output.startswith("S'") and ends:
                paths.setdefault("S" + output[2:], {})[name] = max(ends)
    # Karp: of the longest walks of every number of rounds up to that of the words.
    walks = [dict.fromkeys(names, 0.0)]
    for _ in names:
        last = walks[-1]
        walks.append(
            {
                to: max(
                    (last[at] + cost for at, cost in paths.get(to, {}).items() if at in last), default=-1.0
                )
                for to in names
            }
        )
        walks[-1] = {name: length for name, length in walks[-1].items() if length >= 0}
    total = len(names)
    return max(
        (
            min((end - walks[k][name]) / (total - k) for k in range(total) if name in walks[k])
            for name, end in walks[-1].items()
        ),
        default=0.0,
    )


def cycles(program: Program, lanes: int | None = None) -> float:
    """Cycles of a program whose outputs are the inputs of the next round.

    Parameters
    ----------
    lanes
        Of a value, if not those of the program: then a lower bound of the cycles with its operations in
        full registers.
    """
    there = [0] * program.first
    count = 0
    for op in program.ops:
        start = max((there[a] for a in op.args), default=0)
        if op.kind == "const":
            there.append(0)
            continue
        count += 1
        there.append(start + LATENCY.get(op.kind, 1))
    ends = (there[v // program.lanes] for values in program.outputs.values() for v in values)
    lanes = lanes or program.lanes
    return max(float(max(ends, default=0)), count * program.lanes / lanes / _RATE[lanes])
