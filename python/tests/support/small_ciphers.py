"""Random small permutations, and their truncated minima by plain enumeration of values.

Nothing of ``roundworks.prove`` is used: layers are computed on every value, patterns read off.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, partial, reduce
from itertools import product
from operator import xor

from roundworks.reference import CellPermutation, IntWord, Matrix, Permutation, Sbox, gf2

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
    patterns: dict[int, set[int]] = {}
    for x, y in enumerate(images(shape, layer, masks)):
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


Costs = dict[int, int]  # pattern, or value -> fewest active S-boxes


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

    def fewest_of_values(self, masks: bool) -> int:
        """The same where layers that follow each other have a value together, S-boxes taking any to any."""
        start = dict.fromkeys(range(1, 1 << self.shape.word), 0)
        layers = [layer for r in self.layers for layer in r]
        return min(spread(self.shape, layers, start, masks, 1).values())


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

    def fewest(self, rounds: int, masks: bool, executed: bool, values: bool = False) -> int:
        """Over all patterns, or over all differences (masks), each S-box taking any to any other."""
        size = 1 << (self.word_bits if values else self.shape.cells)
        best = {(p, q): 0 for p in range(size) for q in range(size) if p or q}
        after, add = (spread, lambda *v: [reduce(xor, v)]) if values else (through, sums)
        step = cache(partial(self._masks_before if masks else self._differences_after, after, add))
        for _ in range(rounds):
            reached: dict[tuple[int, int], int] = {}
            for state, cost in best.items():
                for key, more in step(*state, executed).items():
                    reached[key] = min(reached.get(key, 1 << 30), cost + more)
            best = reached
        return min(best.values())

    def _differences_after(self, after, add, x: int, y: int, executed: bool) -> dict[tuple[int, int], int]:
        counts: dict[tuple[int, int], int] = {}
        n, shape = self.common, self.shape
        shared = after(shape, self.f1[:n], {x: 0}, False, 1 + executed)
        for one, cost in shared.items():
            ones = after(shape, self.f1[n:], {one: cost}, False, 1)
            twos = after(shape, self.f2[n:], {one: 0}, False, 1)
            for (a, cost_a), (b, cost_b) in product(ones.items(), twos.items()):
                for u in add(a, y):
                    key = (b, u) if self.swap else (u, b)
                    counts[key] = min(counts.get(key, 1 << 30), cost_a + cost_b)
        return counts

    def _masks_before(self, after, add, p: int, q: int, executed: bool) -> dict[tuple[int, int], int]:
        u, v = (q, p) if self.swap else (p, q)
        counts: dict[tuple[int, int], int] = {}
        n, shape = self.common, self.shape
        ones = after(shape, self.f1[n:], {u: 0}, True, 1)
        twos = after(shape, self.f2[n:], {v: 0}, True, 1)
        for (a, cost_a), (b, cost_b) in product(ones.items(), twos.items()):
            start = dict.fromkeys(add(a, b), cost_a + cost_b)
            for x, cost in after(shape, self.f1[:n], start, True, 1 + executed).items():
                counts[x, u] = min(counts.get((x, u), 1 << 30), cost)
        return counts


class Mixture(Permutation):
    """Rounds of S-boxes on some words, matrices on some, and XORs of several words each, which meet again."""

    name = "mixture"

    def __init__(self, rng: random.Random) -> None:
        self.shape = rng.choice([Shape(1, 2), Shape(1, 3), Shape(2, 2)])
        self.word_bits, self.words = self.shape.word, 3 if self.shape.word > 2 else rng.randint(3, 4)
        self.rounds = rng.randint(1, 3)
        self.sbox = random_sbox(rng, self.shape.bits)
        self.matrix = random_matrix(rng, 2, self.shape.bits) if self.shape.cells == 2 else None
        self.layers = [self._layer(rng) for _ in range(self.rounds)]

    def _layer(self, rng: random.Random):
        """Words with S-boxes, words with the matrix, and for each word the words that it is the sum of."""
        words = range(self.words)
        while True:
            sums = [[j for j in words if rng.random() < 0.6] for _ in words]
            if gf2.rank(sum(1 << j for j in terms) for terms in sums) == self.words:
                break
        some = [[j for j in words if rng.random() < share] for share in (0.7, 0.7)]
        return some[0] or [0], some[1], [rng.sample(terms, len(terms)) for terms in sums]

    def round(self, S, i):
        boxes, _, _ = self.layers[i]
        constant = (i + 1) % (1 << self.word_bits)
        return self.linear([x.sub(self.sbox) ^ constant if j in boxes else x for j, x in enumerate(S)], i)

    def linear(self, S, i):
        """What comes after the S-boxes."""
        _, mixed, sums = self.layers[i]
        S = [x.mix(self.matrix) if self.matrix and j in mixed else x for j, x in enumerate(S)]
        out = []
        for first, *others in sums:
            total = S[first]
            for j in others:
                total = total ^ S[j]
            out.append(total)
        return out

    def fewest(self, masks: bool) -> int:
        """Fewest active S-boxes over all differences (masks), each S-box taking any to any other."""
        total = self.word_bits * self.words
        best = dict.fromkeys(range(1, 1 << total), 0)
        for i in reversed(range(self.rounds)) if masks else range(self.rounds):
            of = spanned([self._image(1 << bit, i) for bit in range(total)], masks)
            first = [j * self.word_bits for j in self.layers[i][0]]
            cells = [bit + k * self.shape.bits for bit in first for k in range(self.shape.cells)]
            if not masks:
                best = boxes(self.shape.bits, cells, best)
            best = {of[value]: cost for value, cost in best.items()}
            if masks:
                best = boxes(self.shape.bits, cells, best)
        return min(best.values())

    def _image(self, value: int, i: int) -> int:
        bits = self.word_bits
        S = [IntWord(value >> bits * j & (1 << bits) - 1, bits) for j in range(self.words)]
        return sum(x.value << bits * j for j, x in enumerate(self.linear(S, i)))


def spread(shape: Shape, layers: Iterable[Layer], start: Costs, masks: bool, times: int) -> Costs:
    """As `through`, from differences (masks) to differences."""
    order = list(layers)
    for layer in reversed(order) if masks else order:
        if isinstance(layer, Sbox):
            start = boxes(shape.bits, range(0, shape.word, shape.bits), start, times)
            continue
        of, after = images(shape, layer, masks), Costs()
        for value, cost in start.items():
            after[of[value]] = min(after.get(of[value], 1 << 30), cost)
        start = after
    return start


@cache
def images(shape: Shape, layer: Matrix | CellPermutation, masks: bool) -> list[int]:
    """What a layer makes of every value, or its transposed of every mask."""
    return spanned([IntWord(1 << i, shape.word).by_definition(layer).value for i in range(shape.word)], masks)


def spanned(columns: list[int], masks: bool) -> list[int]:
    """The images of all values by those of single bits, of the transposed map for masks."""
    if masks:
        columns = [sum((c >> bit & 1) << j for j, c in enumerate(columns)) for bit in range(len(columns))]
    values = [0]
    for column in columns:
        values += [v ^ column for v in values]
    return values


def boxes(bits: int, cells: Iterable[int], best: Costs, times: int = 1) -> Costs:
    """Costs by value, behind S-boxes on the cells of ``bits`` bits that begin with these; each takes any to any."""
    size = 1 << bits
    for cell in cells:
        lightest: Costs = {}
        for value, cost in best.items():
            rest = value & ~(size - 1 << cell)
            key = rest << 1 | (value != rest)
            lightest[key] = min(lightest.get(key, 1 << 30), cost + times * (value != rest))
        best = {
            key >> 1 | x << cell: cost
            for key, cost in lightest.items()
            for x in (range(1, size) if key & 1 else [0])
        }
    return best


def apply(x, layer: Layer):
    if isinstance(layer, Sbox):
        return x.sub(layer)
    return x.mix(layer) if isinstance(layer, Matrix) else x.permute(layer)
