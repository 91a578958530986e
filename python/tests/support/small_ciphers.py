"""Random small permutations, and their truncated minima by plain enumeration of values.

Nothing of ``roundworks.prove`` is used: layers are computed on every value, patterns read off.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product

from roundworks.reference import CellPermutation, IntWord, Matrix, Permutation, Sbox

POLYNOMIALS = {2: 0x7, 3: 0xB, 4: 0x13}
Layer = Sbox | Matrix | CellPermutation


def random_sbox(rng: random.Random, bits: int) -> Sbox:
    table = list(range(1 << bits))
    rng.shuffle(table)
    return Sbox(f"random{bits}", tuple(table))


def random_matrix(rng: random.Random, size: int, bits: int) -> Matrix:
    """Invertible: binary, over the field, or a Cauchy matrix, which is MDS. All of one name."""
    kind = rng.choice(["binary", "field", "cauchy"])
    field = Matrix("", ((1,),), bits, POLYNOMIALS[bits])
    while True:
        if kind == "binary":
            rows = [[rng.randrange(2) for _ in range(size)] for _ in range(size)]
        elif kind == "field" or 2 * size > 1 << bits:
            rows = [[rng.randrange(1 << bits) for _ in range(size)] for _ in range(size)]
        else:
            points = rng.sample(range(1 << bits), 2 * size)
            inverse = {
                a: b for a in range(1, 1 << bits) for b in range(1, 1 << bits) if field.times(a, b) == 1
            }
            rows = [[inverse[a ^ b] for b in points[size:]] for a in points[:size]]
        polynomial = 0 if kind == "binary" else POLYNOMIALS[bits]
        matrix = Matrix("MixColumns", tuple(map(tuple, rows)), bits, polynomial)
        if matrix.invertible:
            return matrix


def random_turn(rng: random.Random, cells: int, bits: int) -> CellPermutation:
    """Of cells, or sometimes of single bits."""
    if rng.random() < 0.25:
        cells, bits = cells * bits, 1
    return CellPermutation("turn", tuple(rng.sample(range(cells), cells)), bits)


@dataclass(frozen=True)
class Shape:
    cells: int
    bits: int

    @property
    def word(self) -> int:
        return self.cells * self.bits

    def pattern(self, value: int) -> int:
        mask = (1 << self.bits) - 1
        shifts = range(self.word - self.bits, -1, -self.bits)
        return sum((value >> shift & mask != 0) << i for i, shift in enumerate(shifts))


@cache
def reach(shape: Shape, layer: Matrix | CellPermutation, masks: bool) -> dict[int, frozenset[int]]:
    """Pattern before -> patterns after, over all values; for masks from the output back."""
    images = [IntWord(1 << i, shape.word).by_definition(layer).value for i in range(shape.word)]
    if masks:
        images = [sum((image >> i & 1) << j for j, image in enumerate(images)) for i in range(shape.word)]
    values = [0]
    for image in images:
        values += [v ^ image for v in values]
    patterns: dict[int, set[int]] = {}
    for x, y in enumerate(values):
        patterns.setdefault(shape.pattern(x), set()).add(shape.pattern(y))
    return {before: frozenset(after) for before, after in patterns.items()}


def sums(*patterns: int) -> Iterator[int]:
    """Every pattern of a sum: a cell that is active in one operand alone is active."""
    cells = max(p.bit_length() for p in (*patterns, 1))
    choices = []
    for i in range(cells):
        on = sum(p >> i & 1 for p in patterns)
        choices.append((on,) if on < 2 else (0, 1))
    for choice in product(*choices):
        yield sum(bit << i for i, bit in enumerate(choice))


Costs = dict[int, int]  # pattern -> fewest active S-boxes


def through(shape: Shape, layers: Iterable[Layer], start: Costs, masks: bool, times: int) -> Costs:
    """From patterns before the layers to patterns after; for masks the other way."""
    order = list(layers)
    for layer in reversed(order) if masks else order:
        after: Costs = {}
        for pattern, cost in start.items():
            if isinstance(layer, Sbox):
                step, reached = times * pattern.bit_count(), frozenset({pattern})
            else:
                step, reached = 0, reach(shape, layer, masks)[pattern]
            for p in reached:
                after[p] = min(after.get(p, 1 << 30), cost + step)
        start = after
    return start


class Spn(Permutation):
    """Layers in a row, with constants where the S-boxes do not mind."""

    name, words = "spn", 1

    def __init__(self, shape: Shape, rounds: list[list[Layer]]) -> None:
        self.shape, self.word_bits, self.layers = shape, shape.word, rounds
        self.rounds = len(rounds)

    def round(self, S, i):
        x = S[0] ^ (i + 1) % (1 << self.word_bits)
        for layer in self.layers[i]:
            x = apply(x, layer)
        return [x]

    def fewest(self, masks: bool) -> int:
        start = dict.fromkeys(range(1, 1 << self.shape.cells), 0)
        layers = [layer for r in self.layers for layer in r]
        return min(through(self.shape, layers, start, masks, 1).values())


class Pair(Permutation):
    """(x, y) -> (F1(x) ^ y, F2(x)), where F1 and F2 may begin alike; their words maybe swapped."""

    name, words = "pair", 2

    def __init__(self, shape: Shape, f1: list[Layer], f2: list[Layer], swap: bool) -> None:
        self.shape, self.word_bits, self.rounds = shape, shape.word, 3
        self.f1, self.f2, self.swap = f1, f2, swap
        self.common = 0
        while f1[: self.common + 1] == f2[: self.common + 1] and self.common < min(len(f1), len(f2)):
            self.common += 1

    def round(self, S, i):
        x, y = S
        a = b = x
        for layer in self.f1:
            a = apply(a, layer)
        for layer in self.f2:
            b = apply(b, layer)
        out = [a ^ (i + 1) % (1 << self.word_bits) ^ y, b]
        return out[::-1] if self.swap else out

    def fewest(self, rounds: int, masks: bool, executed: bool) -> int:
        size = 1 << self.shape.cells
        best = {(p, q): 0 for p in range(size) for q in range(size) if p or q}
        step = cache(self._masks_before if masks else self._differences_after)
        for _ in range(rounds):
            after: dict[tuple[int, int], int] = {}
            for state, cost in best.items():
                for reached, more in step(*state, executed).items():
                    after[reached] = min(after.get(reached, 1 << 30), cost + more)
            best = after
        return min(best.values())

    def _differences_after(self, x: int, y: int, executed: bool) -> dict[tuple[int, int], int]:
        counts: dict[tuple[int, int], int] = {}
        n, shape = self.common, self.shape
        shared = through(shape, self.f1[:n], {x: 0}, False, 1 + executed)
        for pattern, cost in shared.items():
            ones = through(shape, self.f1[n:], {pattern: cost}, False, 1)
            twos = through(shape, self.f2[n:], {pattern: 0}, False, 1)
            for (a, cost_a), (b, cost_b) in product(ones.items(), twos.items()):
                for u in sums(a, y):
                    key = (b, u) if self.swap else (u, b)
                    counts[key] = min(counts.get(key, 1 << 30), cost_a + cost_b)
        return counts

    def _masks_before(self, p: int, q: int, executed: bool) -> dict[tuple[int, int], int]:
        u, v = (q, p) if self.swap else (p, q)
        counts: dict[tuple[int, int], int] = {}
        n, shape = self.common, self.shape
        ones = through(shape, self.f1[n:], {u: 0}, True, 1)
        twos = through(shape, self.f2[n:], {v: 0}, True, 1)
        for (a, cost_a), (b, cost_b) in product(ones.items(), twos.items()):
            start = dict.fromkeys(sums(a, b), cost_a + cost_b)
            for x, cost in through(shape, self.f1[:n], start, True, 1 + executed).items():
                counts[x, u] = min(counts.get((x, u), 1 << 30), cost)
        return counts


def apply(x, layer: Layer):
    if isinstance(layer, Sbox):
        return x.sub(layer)
    return x.mix(layer) if isinstance(layer, Matrix) else x.permute(layer)
