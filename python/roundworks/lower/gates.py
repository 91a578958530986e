"""Circuits of gates, and their normal form: every signal is 0 where all inputs are 0.

XOR, AND, OR and ANDNOT of such signals are such signals, and each of the ten gates of two inputs is
one of them up to complements of its inputs and its output. A search therefore works in the normal
form, on half of the functions, and `finish` puts the NOTs back where the fewest are needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from ..errors import DescriptionError

OPS = ("xor", "and", "or", "andnot")
_MOST_STEPS = 20_000  # gates of the circuits whose signs are tried
_STATES = 24  # signs of all signals that are kept while one circuit is gone through
_FEW_GATES = 40  # up to which other ways of making a signal are looked for


@dataclass(frozen=True, slots=True)
class LogicGate:
    """``op``: xor, and, or, andnot (a & ~b) or not (~a; b is -1)."""

    op: str
    a: int
    b: int


@dataclass(frozen=True, slots=True)
class LogicCircuit:
    """Signal i < ``inputs`` is bit i of the cell, the least significant first; gate k makes signal
    ``inputs + k`` of signals before it. ``outputs`` has the signal of every bit of the output."""

    inputs: int
    gates: tuple[LogicGate, ...]
    outputs: tuple[int, ...]

    def evaluate(self, planes: Sequence[Any]) -> list[Any]:
        """The planes of the output; a plane is an integer or a numpy array of integers.

        Bit j of every plane belongs to cell j. On Python integers a NOT gives a negative number:
        mask the result.
        """
        signals = list(planes)
        if len(signals) != self.inputs:
            raise DescriptionError(f"circuit: want {self.inputs} planes, got {len(signals)}")
        for gate in self.gates:
            a = signals[gate.a]
            signals.append(~a if gate.op == "not" else apply(gate.op, a, signals[gate.b]))
        return [signals[i] for i in self.outputs]

    @property
    def table(self) -> tuple[int, ...]:
        """The S-box that the circuit computes."""
        points = range(1 << self.inputs)
        outputs = self.evaluate(variables(self.inputs))
        return tuple(sum((out >> x & 1) << i for i, out in enumerate(outputs)) for x in points)


def apply(op: str, a: Any, b: Any) -> Any:
    """``xor``, ``and``, ``or`` or ``andnot`` (a and not b) of two values that have Python's operators."""
    if op == "xor":
        return a ^ b
    if op == "and":
        return a & b
    return a | b if op == "or" else a & ~b


def variables(inputs: int) -> list[int]:
    """The functions "bit i of the cell": bit x of a function is its value at the cell x."""
    points = range(1 << inputs)
    return [sum((x >> i & 1) << x for x in points) for i in range(inputs)]


def columns(table: Sequence[int]) -> list[int]:
    """Of every output bit of an S-box its function."""
    bits = (len(table) - 1).bit_length()
    return [sum((y >> i & 1) << x for x, y in enumerate(table)) for i in range(bits)]


class Signals:
    """Functions in normal form with the gates that compute them; none is made twice."""

    def __init__(self, inputs: int) -> None:
        self.inputs = inputs
        self.full = (1 << (1 << inputs)) - 1
        self.functions: list[int] = variables(inputs)
        self.gates: list[LogicGate] = []
        self.place: dict[int, int] = {f: i for i, f in enumerate(self.functions)}

    def add(self, op: str, a: int, b: int) -> int:
        """The signal of a gate on two signals."""
        function = apply(op, self.functions[a], self.functions[b])
        if function not in self.place:
            self.place[function] = len(self.functions)
            self.functions.append(function)
            self.gates.append(LogicGate(op, a, b))
        return self.place[function]

    def shorten(self, gates: int) -> list[LogicGate]:
        """Takes back all gates but the first ones, that number, and returns what it took."""
        for function in self.functions[self.inputs + gates :]:
            del self.place[function]
        del self.functions[self.inputs + gates :]
        gone = self.gates[gates:]
        del self.gates[gates:]
        return gone

    def kept(self, targets: Sequence[int]) -> Signals:
        """A copy with those gates that the targets, functions in normal form, need."""
        copy = Signals(self.inputs)
        for gate in _needed(self.inputs, self.gates, [self.place[t] for t in targets])[0]:
            copy.add(gate.op, gate.a, gate.b)
        return copy

    def circuit(self, targets: Sequence[int]) -> LogicCircuit:
        """Gates that the targets need, with NOTs for those that are 1 where all inputs are 0."""
        normal = [f ^ self.full * (f & 1) for f in targets]
        kept = self.kept(normal)
        several = len(kept.gates) <= _FEW_GATES
        ways = [kept._ways(k) for k in range(len(kept.gates))] if several else [[g] for g in kept.gates]
        return finish(self.inputs, ways, [kept.place[f] for f in normal], [f & 1 for f in targets])

    def _ways(self, k: int) -> list[LogicGate]:
        """All gates on signals before it that make the signal of gate k."""
        here, function = self.functions[: self.inputs + k], self.functions[self.inputs + k]
        return [
            LogicGate(op, a, b)
            for i, j in combinations(range(len(here)), 2)
            for op, a, b in ways_on(i, j)
            if apply(op, here[a], here[b]) == function
        ] or [self.gates[k]]


def ways_on(a: int, b: int) -> list[tuple[str, int, int]]:
    """The five gates in normal form on two signals."""
    return [*((op, a, b) for op in OPS), ("andnot", b, a)]


# op -> complements of a, b and the result under which it is an AND.
_AS_AND = {"and": (0, 0, 0), "or": (1, 1, 1), "andnot": (0, 1, 0)}

# A gate in normal form, and whether its operands are read complemented.
Pick = tuple[LogicGate, int, int]


def finish(
    inputs: int, ways: Sequence[Sequence[LogicGate]], outputs: Sequence[int], flips: Sequence[int]
) -> LogicCircuit:
    """The circuit with as few NOTs as a short search finds.

    ``ways[k]`` are gates in normal form that all make signal k; ``flips`` has 1 for each output to
    complement. Signals with a NOT, of which few are tried, are there in both signs; the signs of all
    others follow from how they are made.
    """
    best: tuple[int, tuple[int, ...], tuple[Pick, ...]] | None = None
    steps = 0
    for count in range(sum(flips) + 1):
        for chosen in combinations(range(inputs + len(ways)), count):
            for signs, picks in _signed(inputs, ways, chosen):
                wrong = {
                    (o, f) for o, f in zip(outputs, flips, strict=True) if signs[o] != f and o not in chosen
                }
                if best is None or count + len(wrong) < best[0]:
                    best = count + len(wrong), chosen, picks
            steps += len(ways)
            if steps > _MOST_STEPS or (best is not None and best[0] <= count):
                break
        if steps > _MOST_STEPS or (best is not None and best[0] <= count + 1):
            break
    assert best is not None
    return _with_nots(inputs, best[2], outputs, flips, best[1])


def _sign(op: str, a: int, b: int) -> int:
    """Whether the gate that reads complemented inputs (1) gives the complement of its function."""
    if op == "xor":
        return a ^ b
    x, y, z = _AS_AND[op]
    return z ^ ((x ^ a) & (y ^ b))


def _signed(
    inputs: int, ways: Sequence[Sequence[LogicGate]], chosen: Sequence[int]
) -> list[tuple[tuple[int, ...], tuple[Pick, ...]]]:
    """Signs that the signals may have, as gates give them, with the gates."""
    states: dict[tuple[int, ...], tuple[Pick, ...]] = {(0,) * inputs: ()}
    for some in ways:
        after: dict[tuple[int, ...], tuple[Pick, ...]] = {}
        for signs, picks in states.items():
            for gate in some:
                for a in (0, 1) if gate.a in chosen else (signs[gate.a],):
                    for b in (0, 1) if gate.b in chosen else (signs[gate.b],):
                        after.setdefault((*signs, _sign(gate.op, a, b)), (*picks, (gate, a, b)))
            if len(after) >= _STATES:
                break
        states = after
    return list(states.items())


def _with_nots(
    inputs: int, picks: Sequence[Pick], outputs: Sequence[int], flips: Sequence[int], chosen: Sequence[int]
) -> LogicCircuit:
    made: list[LogicGate] = []
    place: dict[tuple[int, int], int] = {}  # signal and sign -> signal now

    def put(gate: LogicGate) -> int:
        made.append(gate)
        return inputs + len(made) - 1

    for signal in range(inputs + len(picks)):
        if signal < inputs:
            sign, now = 0, signal
        else:
            gate, a, b = picks[signal - inputs]
            op, first, second = gate.op, place[gate.a, a], place[gate.b, b]
            if op != "xor":
                x, y = _AS_AND[op][0] ^ a, _AS_AND[op][1] ^ b
                op = ("and", "andnot", "andnot", "or")[x << 1 | y]
                if (x, y) == (1, 0):
                    first, second = second, first
            sign, now = _sign(gate.op, a, b), put(LogicGate(op, first, second))
        place[signal, sign] = now
        if signal in chosen:
            place[signal, 1 - sign] = put(LogicGate("not", now, -1))
    for o, flip in zip(outputs, flips, strict=True):
        if (o, flip) not in place:
            place[o, flip] = put(LogicGate("not", place[o, 1 - flip], -1))
    ends = [place[o, f] for o, f in zip(outputs, flips, strict=True)]
    kept, ends = _needed(inputs, made, ends)
    return LogicCircuit(inputs, tuple(kept), tuple(ends))


def _needed(
    inputs: int, gates: Sequence[LogicGate], outputs: Sequence[int]
) -> tuple[list[LogicGate], list[int]]:
    """Gates that outputs need, and the outputs, with signals numbered anew."""
    live = set(outputs)
    for k in reversed(range(len(gates))):
        if inputs + k in live:
            live |= {gates[k].a, gates[k].b}
    renamed = {i: i for i in range(-1, inputs)}
    kept: list[LogicGate] = []
    for k, gate in enumerate(gates):
        if inputs + k in live:
            renamed[inputs + k] = inputs + len(kept)
            kept.append(LogicGate(gate.op, renamed[gate.a], renamed[gate.b]))
    return kept, [renamed[o] for o in outputs]
