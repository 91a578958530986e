"""What a program costs on a CPU of today, to choose between machines: a few numbers, no schedule.

A round takes as long as its longest chain of operations, or as its operations where these are many.
"""

from __future__ import annotations

from .program import Program

# Cycles until the result is there; others take one.
LATENCY = {"aesenc": 4, "aesenclast": 4, "lanes": 3, "flip": 3, "affine": 3, "inverse": 3}
# Operations a cycle by lanes of a value: two of 512 bits, as half of these share a unit.
_RATE = {1: 3.0, 2: 3.0, 4: 2.0}


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
