"""A beam search for small circuits: sets of signals that grow by one gate, the most promising kept.

The gates that a target still needs are bounded from above, whatever the targets share: 1 if some gate
on two signals is the target, 2 if some gate is one gate away from it, else 1 + the cost of its sum
with a signal, where the cost of a function is that of its cheapest formula in the inputs. A sum over
the targets of a concave function of these bounds ranks the sets.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .gates import Signals, apply, variables, ways_on

Array = NDArray[Any]
Noise = Callable[[tuple[int, ...]], Array]

# Worth of a target that still needs that number of gates at most. Found by trial on 4-bit S-boxes.
_WORTH = np.array([0, 1.6, 2.5, 3.1, 3.5, 3.9, 4.2, 4.5, 4.7, 4.8], np.float32)
_CHUNK_BYTES = 1 << 18  # of candidates at once, so that they stay in a cache
_PATIENCE = 14  # gates without a target, after which the functions have no structure
_MOST_FOUND = 64  # sets that are returned
_TYPES = {2: np.uint8, 3: np.uint8, 4: np.uint16, 5: np.uint32, 6: np.uint64}
_SLOTS_LOG2 = 20
_FORMULAS = 30_000  # the search ends once the cost of that number is known
_DENSE_BITS = 4  # a table of all functions


def gates_on(a: Array, b: Array) -> list[Array]:
    """The five gates in normal form on two signals."""
    x, y = a ^ b, a & b
    return [x, y, x | y, x & a, x & b]


class Costs:
    """Function -> gates of its cheapest formula, as far as it is known; else one more than those."""

    def __init__(self, bits: int) -> None:
        kind = _TYPES[bits]
        levels = [np.array(variables(bits), kind)]
        known = np.array([*variables(bits), 0], kind)
        while len(levels[-1]) and len(known) < _FORMULAS:
            fresh = np.setdiff1d(_one_more(levels, bits), known, assume_unique=True)
            levels.append(fresh)
            known = np.concatenate([known, fresh])
        self.unknown = len(levels)
        costs = np.concatenate([np.full(len(level), i, np.int8) for i, level in enumerate(levels)])
        functions = np.concatenate(levels)
        self.dense = np.zeros(0, np.int8)
        if bits <= _DENSE_BITS:
            self.dense = np.full(1 << (1 << bits), self.unknown, np.int8)
            self.dense[functions], self.dense[0] = costs, 0
            return
        # One function in a slot; those first made, which are cheapest, are put in last.
        self.functions = np.zeros(1 << _SLOTS_LOG2, kind)
        self.costs = np.full(1 << _SLOTS_LOG2, self.unknown, np.int8)
        slots = self._slots(functions[::-1])
        self.functions[slots], self.costs[slots] = functions[::-1], costs[::-1]

    def _slots(self, functions: Array) -> Array:
        bits = 8 * functions.itemsize
        factor = functions.dtype.type(0x9E3779B97F4A7C15 & ((1 << bits) - 1) | 1)
        slots: Array = (functions * factor) >> functions.dtype.type(bits - _SLOTS_LOG2)
        return slots

    def __call__(self, functions: Array) -> Array:
        if len(self.dense):
            dense: Array = self.dense.take(functions)
            return dense
        slots = self._slots(functions)
        known = self.functions.take(slots) == functions
        return np.where(known, self.costs.take(slots), np.int8(self.unknown))


def _one_more(levels: Sequence[Array], bits: int) -> Array:
    """All functions of a gate on formulas that cost one gate less together, sorted."""
    marks = np.zeros(1 << (1 << bits) if bits <= _DENSE_BITS else 0, bool)
    parts = []
    for i in range((len(levels) + 1) // 2):
        few, many = sorted((levels[i], levels[-1 - i]), key=len)
        for value in few:
            for made in gates_on(value, many):
                if len(marks):
                    marks[made] = True
                else:
                    parts.append(made)
    if len(marks):
        return np.flatnonzero(marks).astype(levels[0].dtype)
    return np.unique(np.concatenate(parts))


@functools.cache
def _costs(bits: int) -> Costs:
    return Costs(bits)


def _hashed(functions: Array) -> Array:
    mixed = functions.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    mixed ^= mixed >> np.uint64(29)
    mixed *= np.uint64(0xBF58476D1CE4E5B9)
    return mixed ^ mixed >> np.uint64(32)


def _made(sets: Array) -> tuple[Array, Array]:
    """Of every set (a column) what one gate gives, and which of that is new."""
    first, second = np.triu_indices(len(sets), 1)
    made = np.concatenate(gates_on(sets[first], sets[second]))
    new, other = made != 0, np.empty(made.shape, bool)
    for signal in sets:
        np.not_equal(made, signal, out=other)
        new &= other
    return made, new


def _near(made: Array, sets: Array, target: Any) -> Array:
    """Which of `made` are one gate with a signal of their set away from the target."""
    near, same = np.zeros(made.shape, bool), np.empty(made.shape, bool)
    for partner in sets ^ target:
        np.equal(made, partner, out=same)
        near |= same
    # g & s is the target if the target lies in s and g is the target on s, ~g & s likewise;
    # g & ~s or g | s if the target is constant on s and g is the target elsewhere.
    column, row = np.nonzero((target & ~sets == 0).T)
    other, line = np.nonzero(((sets & target == 0) | (sets & ~target == 0)).T)
    columns = np.concatenate([column, column, other])
    if len(columns):
        masks = np.concatenate([sets[row, column], sets[row, column], ~sets[line, other]])
        wanted = np.full(len(columns), target)
        wanted[len(column) : 2 * len(column)] = ~target
        order = np.argsort(columns, kind="stable")
        columns = columns[order]
        wrong = (made[:, columns] ^ wanted[order]) & masks[order]
        starts = np.flatnonzero(np.r_[True, columns[1:] != columns[:-1]])
        near[:, columns[starts]] |= np.logical_or.reduceat(wrong == 0, starts, axis=1)
    return near


@dataclass
class _Ranked:
    """Candidates of some sets: their rank, the targets left, whether each of those is one gate away."""

    made: Array
    rank: Array
    left: Array
    ends: Array
    bounds: Array


def _ranked(sets: Array, targets: Array, bounds: Array, costs: Costs, noise: Noise) -> _Ranked:
    made, new = _made(sets)
    rank = noise(made.shape)
    rank[~new] = np.inf
    left, ends, bounds = np.zeros(made.shape, np.int16), new.copy(), bounds.copy()
    for target, bound in zip(targets, bounds, strict=True):
        here = made == target
        bound[here.any(0)] = 1
        bound[(sets == target).any(0)] = 0
        gates = np.broadcast_to(bound, made.shape)
        if (bound > 1).any():
            gates = costs(made ^ target) + np.int8(1)
            # A bound of 2 or 1 was seen; what follows is no better than 3.
            np.minimum(bound, np.maximum(gates.min(0) + 1, 3), out=bound)
            near = _near(made, sets, target)
            near &= new
            seen = near.any(0)
            bound[seen] = np.minimum(bound[seen], 2)
            gates = np.minimum(np.maximum(gates, 2), bound)
            np.minimum(gates, 1, out=gates, where=near)
            ends &= gates < 2
        rank += _WORTH.take(gates, mode="clip")
        rank[here] -= _WORTH[1]
        left += gates > 0
        left -= here
    return _Ranked(made, rank, left, ends, bounds)


def beam(
    bits: int,
    functions: Sequence[int],
    *,
    width: int,
    noise: float = 0.5,
    seed: int = 0,
    fewer_than: int = 10_000,
) -> list[list[int]]:
    """Sets of signals, inputs first and each made by one gate of those before, that have all functions.

    ``functions`` are in normal form, without inputs and repetitions. The sets have the same size, the
    smallest that was met with fewer gates than ``fewer_than``; there may be none. A search that reaches no
    target for long is given up. ``noise`` is added to what ranks the sets, up to so much.
    """
    costs, rng = _costs(bits), np.random.default_rng(seed)

    def noisy(shape: tuple[int, ...]) -> Array:
        return rng.random(shape, np.float32) * np.float32(noise)

    sets = np.array(variables(bits), _TYPES[bits])[:, None]
    targets = np.array(functions, _TYPES[bits])
    bounds = costs(targets)[:, None]
    hashes = np.zeros(1, np.uint64)
    best, found = fewer_than, list[list[int]]()
    while True:
        size, count = sets.shape
        chunk = max(1, _CHUNK_BYTES // (5 * size * (size - 1) // 2 * sets.itemsize))
        parts = []
        for low in range(0, count, chunk):
            some = sets[:, low : low + chunk]
            part = _ranked(some, targets, bounds[:, low : low + chunk], costs, noisy)
            parts.append(part)
            if part.ends.any():
                total = int(part.left[part.ends].min()) + size + 1 - bits
                if total < best:
                    best, found = total, []
                if total == best < fewer_than and len(found) < _MOST_FOUND:
                    hits = np.nonzero(part.ends & (part.left == total - size - 1 + bits))
                    found += [
                        [*map(int, some[:, c]), int(part.made[r, c])] for r, c in zip(*hits, strict=True)
                    ]
        if size + 2 - bits >= best:
            return [[*one, *(f for f in functions if f not in one)] for one in found[:_MOST_FOUND]]
        bounds = np.concatenate([p.bounds for p in parts], axis=1)
        if size - bits >= _PATIENCE and bounds.min() > 1:
            return []
        made = np.concatenate([p.made for p in parts], axis=1).ravel()
        ranks = np.concatenate([p.rank for p in parts], axis=1).ravel()
        # No ties by place in a partition, which depends on the CPU.
        last = min(5 * width // 2, len(ranks) - 1)
        limit = np.partition(ranks, last)[last]
        chosen = np.flatnonzero((ranks <= limit) & np.isfinite(ranks))
        chosen = chosen[np.argsort(ranks[chosen], kind="stable")]
        hashes = hashes[chosen % count] + _hashed(made[chosen])
        first = np.sort(np.unique(hashes, return_index=True)[1])[:width]
        hashes, chosen = hashes[first], chosen[first]
        origin, fresh = chosen % count, made[chosen]
        sets = np.concatenate([sets[:, origin], fresh[None, :]])
        bounds = np.minimum(bounds[:, origin], costs(fresh ^ targets[:, None]) + np.int8(1))


def signals_of(bits: int, functions: Sequence[int]) -> Signals:
    """The gates of a set that `beam` gave."""
    signals = Signals(bits)
    todo = [f for f in functions if f not in signals.place]
    for function in todo:
        here = signals.functions
        for a, b in combinations(range(len(here)), 2):
            ways = ways_on(a, b)
            way = next((w for w in ways if apply(w[0], here[w[1]], here[w[2]]) == function), None)
            if way is not None:
                signals.add(*way)
                break
        else:
            raise AssertionError(f"circuit: no gate makes {function:#x}")
    return signals
