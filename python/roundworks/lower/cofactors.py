"""Circuits of any S-box: a function is searched for among a few gates on what there is, else split.

A target is wanted on the points of a mask only, up to its complement. Where at most three gates on
the signals so far do not make it, it is A + x B: A is the target where x is 0, B what is missing where x
is 1, each wanted on half of the points. Every signal made for one output serves the others, and on few
points nearly every function is one or two gates from some hundred signals.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .gates import LogicGate, Signals, apply, ways_on

Array = NDArray[Any]

_SAMPLE = 64  # points that are looked at first
_LEAF = 32  # points, up to which three gates are looked for
_PAIRS = 400_000  # gates on two signals, beyond which sums of two of them are too slow to look for


class Cofactors:
    """One run: ``seed`` decides on the order of outputs and variables."""

    def __init__(self, inputs: int, seed: int, trials: Mapping[int, int]) -> None:
        self.signals = Signals(inputs)
        self.points = 1 << inputs
        self.rng = random.Random(seed)
        self.trials = trials
        self.bits = np.zeros((64, self.points), bool)
        self.count = 0

    def run(self, targets: Sequence[int], rounds: int) -> Signals:
        """Signals that have all targets, which are in normal form.

        What came first was made of few signals; each round makes every target again of all the others'.
        """
        free = tuple(range(self.signals.inputs))
        for target in self.rng.sample(targets, len(targets)):
            self._build(target, self.signals.full, free)
        self.signals = self.signals.kept(targets)
        for _ in range(rounds):
            for target in self.rng.sample(targets, len(targets)):
                before = self.signals
                self.signals = before.kept([t for t in targets if t != target])
                self._build(target, self.signals.full, free)
                after = self.signals.kept(targets)
                self.signals = min(after, before, key=lambda s: len(s.gates))
        return self.signals

    def _build(self, target: int, mask: int, free: tuple[int, ...]) -> int | None:
        """A signal that is the target or its complement on the mask; None if that is constant there.

        The mask is where the variables that are not ``free`` have some values.
        """
        if target & mask in (0, mask):
            return None
        if (result := self._few_gates(target, mask)) is not None:
            return result
        start = len(self.signals.gates)
        ways = [(i, high) for i in free for high in (False, True)]
        best: tuple[list[LogicGate], int] | None = None
        for variable, high in self.rng.sample(ways, min(self.trials.get(1 << len(free), 1), len(ways))):
            result = self._split(target, mask, free, variable, high)
            tried = self.signals.shorten(start)
            if best is None or len(tried) < len(best[0]):
                best = tried, result
        assert best is not None
        for gate in best[0]:
            self.signals.add(gate.op, gate.a, gate.b)
        return best[1]

    def _split(self, target: int, mask: int, free: tuple[int, ...], variable: int, high: bool) -> int:
        """Makes the half where the variable is ``high`` first, then the other; the sum comes last."""
        add, functions = self.signals.add, self.signals.functions
        x, rest = functions[variable], tuple(i for i in free if i != variable)
        done, other = (mask & x, mask & ~x) if high else (mask & ~x, mask & x)
        first = self._build(target, done, rest)
        near = 0 if first is None else functions[first]
        # What is missing in the other half, when the first is the target itself and not its complement.
        wanted = target ^ near ^ (self.signals.full if (target ^ near) & done else 0)
        second = self._build(wanted, other, rest)
        if second is None and first is not None and not wanted & other:
            return first
        if second is None:
            product = variable
        else:
            sign = bool((functions[second] ^ wanted) & other)
            if high:
                product = add("or", variable, second) if sign else add("andnot", second, variable)
            else:
                product = add("andnot" if sign else "and", variable, second)
        return product if first is None else add("xor", first, product)

    def _few_gates(self, target: int, mask: int) -> int | None:
        """The signal of at most three new gates that is the target on the mask."""
        points = [x for x in range(self.points) if mask >> x & 1]
        sample = points if len(points) <= _SAMPLE else self.rng.sample(points, _SAMPLE)
        restrict = _Restriction(sample)
        self._fill()
        values, places = np.unique(restrict(self.bits[: self.count]), return_index=True)
        if values[0] == 0:  # constant on the sample
            values, places = values[1:], places[1:]
        wanted = restrict(_bits([target], self.points))[0]
        at = np.searchsorted(values, wanted)
        if at < len(values) and values[at] == wanted:
            return self._checked([("", int(places[at]), 0)], target, mask)
        return self._one_to_three(values, places, wanted, target, mask, restrict)

    def _one_to_three(
        self, values: Array, places: Array, wanted: Any, target: int, mask: int, restrict: _Restriction
    ) -> int | None:
        first, second = np.triu_indices(len(values), 1)
        a, b = values[first], values[second]
        x, y = a ^ b, a & b
        made = np.concatenate([x, y, x | y, x & a, x & b])

        def pair(k: int) -> tuple[int, int, Any]:
            i = k % len(first)
            return int(places[first[i]]), int(places[second[i]]), made[k]

        for k in np.flatnonzero(made == wanted)[:4]:
            if (result := self._emit([pair(int(k))], [], target, mask, restrict)) is not None:
                return result
        # Two gates: the second reads the first and a signal.
        ordered = np.sort(made)
        ordered = ordered[np.r_[True, ordered[1:] != ordered[:-1]]]

        def one(value: Any) -> tuple[int, int, Any]:
            return pair(int(np.argmax(made == value)))

        missing = values ^ wanted
        at = np.minimum(np.searchsorted(ordered, missing), len(ordered) - 1)
        for h in np.flatnonzero(ordered[at] == missing)[:4]:
            result = self._emit([one(missing[h])], [int(places[h])], target, mask, restrict)
            if result is not None:
                return result
        for i in np.flatnonzero((wanted & ~values == 0) | (values & ~wanted == 0) | (values & wanted == 0)):
            s = values[i]
            if wanted & ~s == 0:
                fits = ((made ^ wanted) & s == 0) | ((~made ^ wanted) & s == 0)
            else:
                fits = (made ^ wanted) & ~s == 0
            for k in np.flatnonzero(fits)[:2]:
                result = self._emit([pair(int(k))], [int(places[i])], target, mask, restrict)
                if result is not None:
                    return result
        if len(made) > _PAIRS or len(restrict.points) > _LEAF:
            return None
        # Three gates: the sum of two.
        for value in np.intersect1d(ordered, ordered ^ wanted, assume_unique=True)[:4]:
            result = self._emit([one(value), one(value ^ wanted)], [], target, mask, restrict)
            if result is not None:
                return result
        return None

    def _emit(
        self,
        pairs: list[tuple[int, int, Any]],
        others: list[int],
        target: int,
        mask: int,
        restrict: _Restriction,
    ) -> int | None:
        """Gates on pairs, whose values on the sample are given, then one on them or on the other signal."""
        functions = list(self.signals.functions)
        plan: list[tuple[str, int, int]] = []
        ends = list(others)
        for a, b, value in pairs:
            for op, p, q in ways_on(a, b):
                made = apply(op, functions[p], functions[q])
                if restrict(_bits([made], self.points))[0] == value:
                    plan.append((op, p, q))
                    ends.append(len(functions))
                    functions.append(made)
                    break
        if len(ends) == 1:
            return self._checked(plan, target, mask)
        for op, p, q in ways_on(*ends):
            if (apply(op, functions[p], functions[q]) ^ target) & mask in (0, mask):
                return self._checked([*plan, (op, p, q)], target, mask)
        return None

    def _checked(self, plan: list[tuple[str, int, int]], target: int, mask: int) -> int | None:
        """Puts the gates in, if they make the target on all of the mask; an operand may be a planned gate."""
        functions = list(self.signals.functions)
        if plan[0][0] == "":
            last = plan[0][1]
            return last if (functions[last] ^ target) & mask in (0, mask) else None
        for op, a, b in plan:
            functions.append(apply(op, functions[a], functions[b]))
        if (functions[-1] ^ target) & mask not in (0, mask):
            return None
        now = list(range(len(self.signals.functions)))
        for op, a, b in plan:
            now.append(self.signals.add(op, now[a], now[b]))
        return now[-1]

    def _fill(self) -> None:
        """The table of all signals as bits, for those that came since."""
        functions = self.signals.functions
        self.count = 0
        while len(functions) > len(self.bits):
            self.bits = np.concatenate([self.bits, np.zeros_like(self.bits)])
        if len(functions) > self.count:
            self.bits[self.count : len(functions)] = _bits(functions[self.count :], self.points)
            self.count = len(functions)


class _Restriction:
    """Functions on a few points as integers, complemented where they are 1 at the first."""

    def __init__(self, points: Sequence[int]) -> None:
        self.points = np.array(points)
        self.bytes = next(size for size in (1, 2, 4, 8) if 8 * size >= len(points))

    def __call__(self, bits: Array) -> Array:
        some = bits[:, self.points]
        some = some ^ some[:, :1]
        packed = np.zeros((len(some), self.bytes), np.uint8)
        short = np.packbits(some, axis=1, bitorder="little")
        packed[:, : short.shape[1]] = short
        return packed.view(f"<u{self.bytes}")[:, 0]


def _bits(functions: Sequence[int], points: int) -> Array:
    size = max(points // 8, 1)
    raw = np.frombuffer(b"".join(f.to_bytes(size, "little") for f in functions), np.uint8)
    return np.unpackbits(raw.reshape(len(functions), size), axis=1, bitorder="little")[:, :points].astype(
        bool
    )
