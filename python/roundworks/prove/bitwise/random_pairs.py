"""Random pairs that are to follow a trail, and random inputs of a linear one, on the description itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from ...errors import DescriptionError
from ...reference.batch import ArrayWord
from ...reference.graph import Recording
from ...reference.recordings import run
from .trails import BitTrail


@dataclass(frozen=True, slots=True)
class Measured:
    """Of ``samples`` random inputs, how many pairs followed the trail, and how many had only its
    differences at the outputs (another way through counts as well)."""

    samples: int
    followed: int
    arrived: int


def measure(recording: Recording, trail: BitTrail, samples: int, seed: int) -> Measured:
    """Random pairs with the trail's input differences, on the description itself.

    Every input is uniform, round keys and blocks too, so this is the mean over keys. A trail of
    weight w needs some multiple of 2^w samples.
    """
    if trail.view != "differential":
        raise DescriptionError("trail: want a differential one to measure, got a linear one")
    if samples < 1:
        raise DescriptionError(f"samples: want at least 1, got {samples}")
    graph = recording.graph
    followed = arrived = 0
    for given in random_inputs(recording, samples, seed):
        count = next(iter(given.values())).cells.shape[1]
        other = {name: word ^ trail.values[recording.inputs[name]] for name, word in given.items()}
        first, second = run(recording, given), run(recording, other)
        as_in_trail = {
            node.id: _all_equal(first[node.id] ^ second[node.id] ^ trail.values[node.id], count)
            for node in graph.nodes
        }
        ends = [as_in_trail[node] for node in recording.outputs.values()]
        followed += int(np.logical_and.reduce(list(as_in_trail.values())).sum())
        arrived += int(np.logical_and.reduce(ends).sum())
    return Measured(samples, followed, arrived)


def measure_correlation(recording: Recording, masks: Mapping[str, int], samples: int, seed: int) -> Fraction:
    """The square of the correlation between the masked inputs and outputs, over random inputs."""
    total = 0
    for given in random_inputs(recording, samples, seed):
        values = run(recording, given)
        ends = [(given[n], masks.get(n, 0)) for n in given]
        ends += [(values[node], masks.get(n, 0)) for n, node in recording.outputs.items()]
        parity = np.logical_xor.reduce([masked_parity(word, mask) for word, mask in ends])
        total += int(parity.size - 2 * np.count_nonzero(parity))
    return Fraction(total, samples) ** 2


def masked_parity(word: ArrayWord, mask: int) -> NDArray[np.bool_]:
    """Of each word the sum of its masked bits."""
    cells = (word & mask).cells
    parity: NDArray[np.bool_] = (np.bitwise_count(cells).sum(axis=0) & 1).astype(np.bool_)
    return parity


def random_inputs(recording: Recording, samples: int, seed: int) -> Iterator[dict[str, ArrayWord]]:
    """Uniform values of every input, in batches."""
    random = np.random.default_rng(seed)
    for start in range(0, samples, 1 << 16):
        count = min(samples - start, 1 << 16)
        yield {
            name: ArrayWord.drawn(random, recording.graph.nodes[node].bits, count)
            for name, node in recording.inputs.items()
        }


def _all_equal(difference: ArrayWord, count: int) -> NDArray[np.bool_]:
    """Which of the words are 0; a constant is one word that stands for all."""
    zero: NDArray[np.bool_] = np.logical_not(difference.cells.any(axis=0))
    return np.broadcast_to(zero, (count,))
