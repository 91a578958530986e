"""A word that goes through layers, random ones of any cells."""

from __future__ import annotations

import random
from typing import Any

from roundworks.lower.rounds import runs
from roundworks.reference import CellPermutation, Matrix, Permutation, Recording, Sbox
from roundworks.reference.aes import SUB_BYTES

RNG = random.Random("lowering")


def shuffled(size: int, rng: random.Random = RNG) -> tuple[int, ...]:
    return tuple(rng.sample(range(size), size))


def one_round(cipher: Permutation[Any]) -> Recording:
    return runs(cipher, 1)[0].recording


class Spn(Permutation[Any]):
    """A word of random layers."""

    words, rounds = 1, 1

    def __init__(self, word_bits: int, layers: list[Any]) -> None:
        self.name, self.word_bits, self.layers = "spn", word_bits, layers

    def round(self, S: Any, i: int) -> list[Any]:
        x = S[0]
        for layer in self.layers:
            if isinstance(layer, Sbox):
                x = x.sub(layer)
            elif isinstance(layer, Matrix):
                x = x.mix(layer)
            elif isinstance(layer, CellPermutation):
                x = x.permute(layer)
            else:
                x = x ^ layer
        return [x]


def random_layers(rng: random.Random, word_bits: int, cell: int) -> list[Any]:
    """S-box, matrix, permutation, S-box, in random order, of cells of these sizes."""
    cells = word_bits // cell
    # Of eight bits one with a small circuit; others are looked up where there are shuffles.
    sbox = Sbox("S", shuffled(1 << cell, rng) if cell < 8 else tuple(y ^ 0x33 for y in SUB_BYTES.table))
    polynomial = {2: 0b111, 4: 0x13, 8: 0x11B}[cell]
    rows = [[rng.randrange(1 << cell) for _ in range(4)] for _ in range(4)]
    mds = Matrix("M", tuple(map(tuple, rows)), cell, polynomial)
    binary = Matrix("B", tuple(tuple(rng.randrange(2) for _ in range(4)) for _ in range(4)), cell)
    cells_moved = CellPermutation("P", shuffled(cells, rng), cell)
    bits_moved = CellPermutation("Q", shuffled(word_bits, rng), 1)
    layers = [sbox, rng.choice([mds, binary]), rng.choice([cells_moved, bits_moved])]
    rng.shuffle(layers)
    return [rng.getrandbits(word_bits), *layers, sbox]
