"""Differences and masks of small permutations as matrices over all values; nothing of ``roundworks.prove``."""

from __future__ import annotations

import random
from functools import reduce

import numpy as np

from roundworks.reference import IntWord, Sbox
from small_ciphers import Layer, Shape, Spn, random_matrix, random_sbox, random_turn


def random_spn(seed: int, rounds: int, shape: Shape) -> Spn:
    """Rounds of an S-box, a matrix and a permutation, all random; the S-boxes are bijections."""
    rng = random.Random(seed)
    layers: list[list[Layer]] = []
    for _ in range(rounds):
        layers.append(
            [
                random_sbox(rng, shape.bits),
                random_matrix(rng, shape.cells, shape.bits),
                random_turn(rng, shape.cells, shape.bits),
            ]
        )
    return Spn(shape, layers)


def table(layer: Layer, bits: int) -> np.ndarray:
    """The layer's image of every value of a word."""
    return np.array([IntWord(x, bits).by_definition(layer).value for x in range(1 << bits)])


def permutation(spn: Spn, rounds: int) -> np.ndarray:
    """The image of every value under the first rounds, constants and all."""
    words = (IntWord(x, spn.word_bits) for x in range(1 << spn.word_bits))
    return np.array([spn.run([word], rounds)[0].value for word in words])


def differences(values: np.ndarray) -> np.ndarray:
    """[a, b]: the share of the x with f(x) ^ f(x ^ a) = b."""
    x = np.arange(len(values))
    counts = [np.bincount(values ^ values[x ^ a], minlength=len(values)) for a in x]
    return np.array(counts) / len(values)


def correlations(values: np.ndarray) -> np.ndarray:
    """[u, v]: the correlation of u.x and v.f(x)."""
    x = np.arange(len(values))
    sign = 1.0 - 2 * (np.bitwise_count(x[:, None] & x) & 1)
    return sign @ sign[:, values].T / len(values)


def through(spn: Spn, rounds: int, view: str, *, last_linear: bool = True) -> np.ndarray:
    """[before, after]: mean probability (squared correlation) with independent keys before every S-layer."""
    layers = [layer for r in spn.layers[:rounds] for layer in r]
    while not last_linear and not isinstance(layers[-1], Sbox):
        layers.pop()
    of = differences if view == "differential" else lambda values: correlations(values) ** 2
    return reduce(np.matmul, (of(table(layer, spn.word_bits)) for layer in layers))
