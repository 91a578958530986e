"""Small circuits of S-boxes of 2 to 8 bits, for bit-sliced software and for hardware.

Outputs that share no input are circuits of their own. Up to four inputs a beam search finds what is
known as the best or one gate more; larger functions are split first, and the beam search tries to do
better, as it does where an S-box has structure. What is inversion between affine maps has a circuit of
its own.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence

from ..errors import DescriptionError
from .affine import affine_to_inversion
from .beam import beam, signals_of
from .cofactors import Cofactors
from .gates import LogicCircuit, LogicGate, Signals, columns, variables
from .inversion import inversion_signals

__all__ = ["LogicCircuit", "LogicGate", "affine_to_inversion", "circuit"]

_SIZES = tuple(1 << bits for bits in range(2, 9))
# Inputs -> width and noise of each beam search.
_BEAMS: Mapping[int, tuple[tuple[int, float], ...]] = {
    2: ((10, 0.5),),
    3: ((50, 0.5),),
    4: ((800, 0.5), (1500, 1.5)),
    5: ((250, 0.5), (250, 1.5)),
    6: ((30, 0.5), (30, 1.5)),
}
# Inputs -> points of a mask -> ways to split that are tried.
_TRIALS: Mapping[int, Mapping[int, int]] = {
    5: {32: 10, 16: 8, 8: 2},
    6: {64: 4, 32: 8, 16: 4, 8: 4},
    7: {128: 2, 64: 3, 32: 6, 16: 6},
    8: {128: 2, 64: 4, 32: 6, 16: 4},
}
_SEVERAL_BITS = 4  # up to which circuits as small as the best so far are wanted too
_GATES_FINISHED = 2000  # number of gates of candidates that have their NOTs placed
_ROUNDS: Mapping[int, int] = {5: 3, 6: 2, 7: 2, 8: 0}


@functools.cache
def circuit(table: tuple[int, ...]) -> LogicCircuit:
    """A circuit of the S-box, of gates of two inputs.

    The same table has the same circuit in every process; it was compared with the table.

    Raises
    ------
    DescriptionError
        ``circuit: want a table of 4, 8, ..., 256 entries, got 3``
    """
    if len(table) not in _SIZES:
        raise DescriptionError(f"circuit: want a table of 4, 8, ..., 256 entries, got {len(table)}")
    if bad := [y for y in table if not 0 <= y < len(table)]:
        raise DescriptionError(f"circuit: entries are 0..{len(table) - 1}, got {bad[0]}")
    targets = columns(table)
    candidates = _candidates(table)
    some = candidates[: max(1, _GATES_FINISHED // max(len(candidates[0].gates), 1))]
    result = min((signals.circuit(targets) for signals in some), key=lambda c: len(c.gates))
    if result.table != tuple(table):
        raise AssertionError(f"circuit: the search gave another S-box for {table}")
    return result


@functools.cache
def _candidates(table: tuple[int, ...]) -> tuple[Signals, ...]:
    """Signals that have the outputs in normal form, with equally few gates."""
    if (known := inversion_signals(table)) is not None:
        return (known,)
    bits = (len(table) - 1).bit_length()
    full = (1 << len(table)) - 1
    functions = list(dict.fromkeys(f ^ full * (f & 1) for f in columns(table)))
    candidates = [Signals(bits)]
    if 0 in functions:
        candidates[0].add("xor", 0, 0)
    for inputs, group in _groups(bits, [f for f in functions if f]):
        small = max(len(inputs), 2)
        parts = _searched(small, tuple(_compressed(bits, f, inputs) for f in group))
        several = [_joined(candidates[0], part, inputs) for part in parts]
        candidates = (
            several
            if len(several) > len(candidates)
            else [_joined(candidate, parts[0], inputs) for candidate in candidates]
        )
    return tuple(candidates)


def _groups(bits: int, functions: Sequence[int]) -> list[tuple[tuple[int, ...], list[int]]]:
    """Functions that share inputs, directly or through others, with those inputs."""
    groups: list[tuple[set[int], list[int]]] = []
    for function in functions:
        inputs, members = {i for i in range(bits) if _depends(bits, function, i)}, [function]
        for group in [g for g in groups if g[0] & inputs]:
            groups.remove(group)
            inputs |= group[0]
            members = group[1] + members
        groups.append((inputs, members))
    return [(tuple(sorted(inputs)), members) for inputs, members in groups]


def _depends(bits: int, function: int, i: int) -> bool:
    x = variables(bits)[i]
    return (function & x) >> (1 << i) != function & ~x


def _compressed(bits: int, function: int, inputs: tuple[int, ...]) -> int:
    """The function on its inputs alone, bit k of a point for ``inputs[k]``."""
    points = (sum((p >> k & 1) << i for k, i in enumerate(inputs)) for p in range(1 << max(len(inputs), 2)))
    return sum((function >> x & 1) << p for p, x in enumerate(points))


def _joined(signals: Signals, part: Signals, inputs: tuple[int, ...]) -> Signals:
    """A copy with the gates of another, whose input k is ``inputs[k]``."""
    joined = Signals(signals.inputs)
    for gate in signals.gates:
        joined.add(gate.op, gate.a, gate.b)
    now = [*inputs, *[0] * (part.inputs - len(inputs))]
    for gate in part.gates:
        now.append(joined.add(gate.op, now[gate.a], now[gate.b]))
    return joined


def _searched(bits: int, functions: tuple[int, ...]) -> list[Signals]:
    targets = [f for f in functions if f not in variables(bits)]
    if not targets:
        return [Signals(bits)]
    best = [Cofactors(bits, 0, _TRIALS.get(bits, {})).run(targets, _ROUNDS.get(bits, 0))]
    fewest = len(best[0].gates)
    for width, noise in _BEAMS.get(bits, ()):
        limit = fewest + (bits <= _SEVERAL_BITS)
        result = beam(bits, targets, width=width, noise=noise, fewer_than=limit)
        if result:
            made = [signals_of(bits, one) for one in result]
            best = made + [b for b in best if len(b.gates) == len(made[0].gates)]
            fewest = len(made[0].gates)
    return best
