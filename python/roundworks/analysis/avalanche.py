"""The strict avalanche criterion, measured, with p-values that know how many tests there were.

Each bit of the state before is flipped in random states, and each bit after is counted as often as it
changes: of a random permutation that is half of the time, independently. One test for each pair of bits;
the smallest p-value is multiplied by their number [HOLM], so a page of rounds of a good permutation
shows hardly anything below the level.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from math import comb

import numpy as np
from numpy.typing import NDArray

from ..bounds import Bound
from ..errors import DescriptionError
from ..reference import Recording, Roundwise, record_rounds
from ..reference.batch import ArrayWord, in_rows
from ..reference.recordings import merged, run

SAMPLES = 2048  # states in which each bit is flipped, fewer where the state is large
MOST = 1 << 18  # pairs of states in all
BATCH = 1 << 15  # states that are computed together


@dataclass(frozen=True, slots=True)
class Avalanche:
    """``flips``: [i, j] how often bit j after changed when bit i before was flipped, in ``samples`` states."""

    flips: NDArray[np.int64]
    samples: int

    @property
    def never(self) -> int:
        """Pairs of bits that were not seen to depend on each other."""
        return int(np.count_nonzero(self.flips == 0))

    @property
    def mean(self) -> float:
        """The share of bits that change, on average."""
        return float(self.flips.mean() / self.samples)

    @property
    def smallest(self) -> tuple[float, tuple[int, int]]:
        """The smallest p-value of all pairs, and the pair that has it."""
        deviation = np.abs(2 * self.flips - self.samples)
        i, j = np.unravel_index(int(deviation.argmax()), deviation.shape)
        return two_sided(int(self.flips[i, j]), self.samples), (int(i), int(j))

    @property
    def adjusted(self) -> float:
        """The smallest p-value after the correction for the number of tests."""
        return min(1.0, self.smallest[0] * self.flips.size)


def two_sided(count: int, samples: int) -> float:
    """The probability that a fair coin is at least as far from half of ``samples``; exact."""
    tail = _cumulative(samples)[min(count, samples - count)]
    return min(1.0, float(2 * tail / 2**samples))


@cache
def _cumulative(samples: int) -> list[int]:
    return list(accumulate(comb(samples, k) for k in range(samples + 1)))


def measured(recording: Recording, samples: int | None = None, seed: int = 1) -> Avalanche:
    """Count the flips; keys and blocks are random, the same in both states of a pair.

    Raises
    ------
    DescriptionError
        A word is not of whole bytes, so that batches do not apply.
    """
    nodes = recording.graph.nodes
    if any(node.bits % 8 for node in nodes):
        raise DescriptionError(f"{recording.cipher}: avalanche: want words of whole bytes")
    sizes = {name: nodes[id_].bits // 8 for name, id_ in recording.inputs.items()}
    state = [name for name in recording.inputs if name.startswith("S")]
    bits = 8 * sum(sizes[name] for name in state)
    samples = samples or min(SAMPLES, max(1, MOST // bits))
    random = np.random.default_rng(seed)
    flips = np.zeros((bits, bits), np.int64)
    each = max(1, BATCH // bits)
    for start in range(0, samples, each):
        count = min(each, samples - start)
        given = {name: random.integers(0, 256, (count, size), np.uint8) for name, size in sizes.items()}
        before = _after(recording, given)
        place = 0
        many = {name: np.repeat(rows, bits, axis=0) for name, rows in given.items()}
        for name in state:
            for bit in range(8 * sizes[name]):
                many[name][place::bits, bit // 8] ^= np.uint8(0x80 >> bit % 8)
                place += 1
        changed = _after(recording, many).reshape(count, bits, -1) ^ before[:, None]
        flips += np.unpackbits(changed, axis=2).sum(axis=0, dtype=np.int64)
    return Avalanche(flips, samples)


def _after(recording: Recording, given: dict[str, NDArray[np.uint8]]) -> NDArray[np.uint8]:
    count = len(next(iter(given.values())))
    values = run(recording, {name: ArrayWord.from_bytes(rows) for name, rows in given.items()})
    return in_rows([values[id_] for n, id_ in recording.outputs.items() if n.startswith("S'")], count)


def avalanche(it: Roundwise, rounds: int) -> Iterator[Bound]:
    """For 1 to ``rounds`` rounds the smallest p-value, corrected for the number of pairs of bits."""
    for count in range(1, rounds + 1):
        started = time.perf_counter()
        result = measured(merged(record_rounds(it, count)))
        p, (i, j) = result.smallest
        yield Bound(
            cipher=it.name,
            measure="avalanche",
            rounds=count,
            value=result.adjusted,
            unit="p-value",
            side="exact",
            certainty="measured",
            method=f"each of {len(result.flips)} bits of the state flipped in {result.samples} random states;"
            f" the smallest of {result.flips.size} two-sided binomial p-values times their number [HOLM]",
            witness={
                "smallest p-value": p,
                "bit before": i,
                "bit after": j,
                "bits that change, %": round(100 * result.mean, 3),
                "pairs without a change": result.never,
            },
            seconds=time.perf_counter() - started,
        )
