"""Real differences and masks on words of two bits: what the truncated model must never exceed.

The description itself runs on words that carry a difference. F takes a nonzero difference to any
nonzero one, AND to any; matrices and permutations are fixed invertible maps. Masks walk the
recorded graph backwards. Nothing of the analysis is used, only the description and the recording.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Hashable, Iterator
from itertools import product
from typing import Any

from roundworks.reference import Recording, StreamAead, Word, record_round

Pattern = tuple[int, ...]
# Images of the two bits, none of them the identity.
_MAPS = ((2, 1), (3, 2), (1, 3), (3, 1), (2, 3))


class _Choices:
    """One way through every open choice; ``next_way`` is the one after it, None at the end."""

    def __init__(self, way: list[int]) -> None:
        self.way, self.among, self.cost = way, list[int](), 0
        self.made: dict[Hashable, int] = {}

    def choose(self, count: int) -> int:
        if len(self.among) == len(self.way):
            self.way.append(0)
        self.among.append(count)
        return self.way[len(self.among) - 1]

    def active(self, difference: int) -> int:
        """Of the output of one F."""
        self.cost += bool(difference)
        return 1 + self.choose(3) if difference else 0

    def next_way(self) -> list[int] | None:
        way = self.way
        while way and way[-1] == self.among[len(way) - 1] - 1:
            way.pop()
        return [*way[:-1], way[-1] + 1] if way else None


class _Difference(Word):
    """``terms``: what the word is, as a sum; equal words differ equally."""

    __slots__ = ("bits", "by", "terms", "value")

    def __init__(self, value: int, terms: frozenset[Any], by: _TwoBit, bits: int) -> None:
        self.value, self.terms, self.by, self.bits = value, terms, by, bits

    def constant(self, value: int, bits: int) -> _Difference:
        return _Difference(0, frozenset({value} if value else ()), self.by, self.bits)

    def _xor(self, other: _Difference) -> _Difference:
        return _Difference(self.value ^ other.value, self.terms ^ other.terms, self.by, self.bits)

    def _made(self, what: Hashable, make: Callable[[], int]) -> _Difference:
        made = self.by.choices.made
        if what not in made:
            made[what] = make()
        return _Difference(made[what], frozenset({what}), self.by, self.bits)

    def _and(self, other: _Difference) -> _Difference:
        on, choices = self.value | other.value, self.by.choices
        what = ("and", frozenset({self.terms, other.terms}))
        return self._made(what, lambda: choices.choose(4) if on else 0)

    def _f(self, function: Hashable) -> _Difference:
        return self._made((function, self.terms), lambda: self.by.choices.active(self.value))

    def _linear(self, layer: Hashable) -> _Difference:
        value = _apply(self.by.map_of(layer), self.value)
        return _Difference(value, frozenset((layer, t) for t in self.terms), self.by, self.bits)

    def in_unit(self, name: str, body: Any) -> _Difference:
        return self._f(body)

    def _absent(self, *args: Any) -> _Difference:
        raise NotImplementedError("the words of this oracle are not added, cut or joined")

    sub, mix, permute = _f, _linear, _linear
    _add = _cut = _join = _absent


class _TwoBit:
    def __init__(self) -> None:
        self.maps: dict[Hashable, tuple[int, int]] = {}
        self.choices = _Choices([])

    def map_of(self, layer: Hashable) -> tuple[int, int]:
        return self.maps.setdefault(layer, _MAPS[len(self.maps) % len(_MAPS)])

    def every_way(self, run: Callable[[], Pattern]) -> Iterator[tuple[Pattern, int]]:
        way: list[int] | None = []
        while way is not None:
            self.choices = _Choices(way)
            yield run(), self.choices.cost
            way = self.choices.next_way()


def _apply(columns: tuple[int, int], value: int) -> int:
    return (columns[0] if value & 1 else 0) ^ (columns[1] if value & 2 else 0)


def _transposed(columns: tuple[int, int]) -> tuple[int, int]:
    a, b = columns
    return a & 1 | (b & 1) << 1, a >> 1 | b & 2


def collision(cipher: StreamAead[Any]) -> int | None:
    """Fewest active F from no difference to none, some block different."""
    two = _TwoBit()

    def step(state: Pattern, block: Pattern) -> Iterator[tuple[Pattern, int]]:
        def run() -> Pattern:
            S, X = (
                [_Difference(d, frozenset({(letter, i)}), two, cipher.word_bits) for i, d in enumerate(given)]
                for letter, given in (("S", state), ("X", block))
            )
            return tuple(word.value for word in cipher.update(S, X))

        return two.every_way(run)

    return _cheapest_loop(step, cipher.words, cipher.rate_words)


def bias(cipher: StreamAead[Any]) -> int | None:
    """Fewest active F from no mask to none, some keystream word masked."""
    two, recording = _TwoBit(), record_round(cipher)

    def step(after: Pattern, stream: Pattern) -> Iterator[tuple[Pattern, int]]:
        given = [(f"S'{i}", m) for i, m in enumerate(after)]
        given += [(f"Z{i}", m) for i, m in enumerate(stream)]
        return two.every_way(lambda: _masks_before(two, recording, given))

    return _cheapest_loop(step, cipher.words, cipher.rate_words)


def _masks_before(two: _TwoBit, recording: Recording, given: list[tuple[str, int]]) -> Pattern:
    graph, mask = recording.graph, [0] * len(recording.graph.nodes)
    closed = {u.output: u for u in graph.units}
    for name, value in given:
        mask[recording.outputs[name]] ^= value
    for node in reversed(graph.nodes):
        value = mask[node.id]
        if node.unit is not None:
            if node.id in closed:
                mask[closed[node.id].input] ^= two.choices.active(value)
        elif node.op == "sub":
            mask[node.inputs[0]] ^= two.choices.active(value)
        elif node.op in ("mix", "permute"):
            mask[node.inputs[0]] ^= _apply(_transposed(two.map_of(node.detail)), value)
        elif node.op in ("xor", "and"):
            for i in node.inputs:
                free = node.op == "and" and value
                mask[i] ^= two.choices.choose(4) if free else value
    return tuple(mask[i] for name, i in recording.inputs.items() if name.startswith("S"))


def _cheapest_loop(
    step: Callable[[Pattern, Pattern], Iterator[tuple[Pattern, int]]], words: int, inputs: int
) -> int | None:
    """Minimum weight from zero back to zero, by Dijkstra, some input of the first step not zero."""
    zero = (0,) * words
    blocks = list(product(range(4), repeat=inputs))
    queue = sorted({(cost, s) for b in blocks if any(b) for s, cost in step(zero, b)})
    done: set[Pattern] = set()
    while queue:
        cost, state = heapq.heappop(queue)
        if state in done:
            continue
        done.add(state)
        if not any(state):
            return cost
        for block in blocks:
            for after, weight in set(step(state, block)):
                if after not in done:
                    heapq.heappush(queue, (cost + weight, after))
    return None
