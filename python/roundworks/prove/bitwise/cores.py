"""Three rounds whose layers of S-boxes take all of the state, as Xoodoo's and Keccak's: their lightest trail, by the
number of its active S-boxes.

Rounds of AND gates are rewritten as S-boxes first. The lightest trail of few active S-boxes is that of
`roundworks_search::cores`, which looks at every such trail, up to permutations of the S-boxes that change nothing. A
trail with more of them weighs at least what one more weighs together.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ..._native import lightest_of_cores
from ...analysis.cuts import cuts, segments
from ...analysis.gate_layers import with_sboxes
from ...errors import DescriptionError
from ...reference import gf2
from ...reference.graph import Recording
from ...reference.recordings import run
from ...reference.word import IntWord
from .layers import rows
from .rows import whole_weights

ROUNDS = 3
MOST_CELLS = 128
FEWEST_BITS, MOST_BITS = 2, 5
# Seconds where the caller has no limit: each active S-box more takes several times as long.
SECONDS = 300.0
HEAVIEST = 1 << 30  # more than any trail weighs

# A word as the search has it: for each bit of an S-box, the lowest first, the cells that have it, bit c for cell c.
Word = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CoreLayers:
    """``images``: of every bit of every S-box under the linear layer between two layers, the lowest bit of the first
    cell first. ``weights``: of each difference before an S-box, for each one behind it; `rows.NEVER` where it has none.
    ``orbits``: a number for each cell, the same for cells that are alike. ``first``: for each bit before the first
    layer, the difference of the state, all words as one number, that gives it alone."""

    bits: int
    images: tuple[Word, ...]
    weights: tuple[bytes, ...]
    orbits: tuple[int, ...]
    first: tuple[int, ...]

    @property
    def lightest(self) -> int:
        """The minimum that an active S-box weighs."""
        return min(min(row) for row in self.weights[1:])

    def within(self, active: int, most: int, enough: int, seconds: float | None) -> tuple[int, int] | None:
        """The minimum weight of a trail of at most ``active`` active S-boxes if it is at most ``most``, and the state
        before the first round as one number; or None. A trail that weighs at most ``enough`` is as good.

        Raises
        ------
        TimeoutError
            After ``seconds``.
        """
        trail = lightest_of_cores(
            self.bits, self.images, self.weights, self.orbits, active, most, enough, seconds
        )
        if trail is None:
            return None
        weight, (behind, *_) = trail
        state = 0
        for cell in range(len(self.orbits)):
            out = sum((plane >> cell & 1) << k for k, plane in enumerate(behind))
            before = min(range(len(self.weights)), key=lambda d: self.weights[d][out])
            for k in range(self.bits):
                if before >> k & 1:
                    state ^= self.first[self.bits * cell + k]
        return weight, state


@dataclass(slots=True)
class CoreSearch:
    """The search, which goes on where it was stopped.

    No trail with fewer than ``active`` active S-boxes is lighter than the ``best``, and none at all is lighter than
    ``lower``. The best has the state before the first round as one number.
    """

    layers: CoreLayers
    active: int = ROUNDS
    lower: int = 0
    best: tuple[int, int] | None = None

    def run(self, most: int, seconds: float | None) -> None:
        """With one active S-box more each time, until the lightest trail is known, or all weigh more than ``most``, or
        time is over."""
        one, until = self.layers.lightest, time.monotonic() + (SECONDS if seconds is None else seconds)
        while self.lower <= most and (self.best is None or self.lower < self.best[0]):
            # Not only those of at most ``most``: a later call may have more.
            lighter_than = HEAVIEST if self.best is None else self.best[0]
            if (left := until - time.monotonic()) <= 0:
                return
            try:
                lighter = self.layers.within(self.active, lighter_than - 1, one * self.active, left)
            except TimeoutError:
                return
            self.best = lighter or self.best
            self.active += 1
            self.lower = one * self.active if self.best is None else min(one * self.active, self.best[0])


def core_layers(recordings: Sequence[Recording]) -> CoreLayers | None:
    """Those of recordings of 1, 2 and 3 rounds; None where they have another shape."""
    whole = with_sboxes(recordings, rows)
    if whole is None:
        return None
    try:
        layers, parts = cuts(whole), segments(whole)
    except DescriptionError:
        return None
    if len(layers) != ROUNDS:
        return None
    sboxes = [
        sbox
        for layer in layers
        for node, sbox in zip(layer.nodes, layer.layer, strict=True)
        for _ in range(whole.graph.nodes[node].bits // sbox.bits)
    ]
    bits, cells = sboxes[0].bits, len(sboxes) // ROUNDS
    weights = {whole_weights(sbox.table) for sbox in sboxes}
    fits = FEWEST_BITS <= bits <= MOST_BITS and cells <= MOST_CELLS and len(weights) == 1
    (of_all,) = weights if fits else (None,)
    if of_all is None:
        return None
    before, between, again = ([*_images(part)] for part in parts[:ROUNDS])
    inverse = gf2.inverse(before[::-1]) if len(before) == bits * cells else None
    if between != again or inverse is None or gf2.rank(between) < bits * cells:
        return None
    places = [_place(i, bits) for i in range(bits * cells)]
    images = [tuple(_words(between[i], bits, cells)) for i in places]
    first = [inverse[len(inverse) - 1 - i] for i in places]
    return CoreLayers(bits, tuple(images), of_all, tuple(_orbits(images, bits, cells)), tuple(first))


def _place(i: int, bits: int) -> int:
    """Where the bit of weight 2^k of cell c stands, from the left, for i of bits c + k; and the other way round."""
    return i - i % bits + bits - 1 - i % bits


def _images(part: Recording) -> Iterator[int]:
    """Of every bit that goes into it, the leftmost first, what it changes behind it, all words as one number."""
    words = {name: part.graph.nodes[i].bits for name, i in part.inputs.items()}

    def after(name: str, value: int) -> int:
        given = {n: IntWord(value if n == name else 0, width) for n, width in words.items()}
        values, total = run(part, given), 0
        for i in part.outputs.values():
            total = total << part.graph.nodes[i].bits | values[i].value
        return total

    nothing = after("", 0)
    for name, width in words.items():
        for place in reversed(range(width)):
            yield after(name, 1 << place) ^ nothing


def _words(image: int, bits: int, cells: int) -> Iterator[int]:
    """The word of the search for a number that has the bits of all cells, the leftmost of the first cell first."""
    for k in range(bits):
        places = (bits * (cells - 1 - c) + k for c in range(cells))
        yield sum((image >> place & 1) << c for c, place in enumerate(places))


def _orbits(images: Sequence[Word], bits: int, cells: int) -> list[int]:
    """The first of the cells that rotations of all cells, or of those of every block, make of each other, where they
    commute with the linear layer."""
    orbits = list(range(cells))
    for moved in _rotations(cells):
        if all(
            images[bits * moved[c] + k] == tuple(_moved(plane, moved) for plane in images[bits * c + k])
            for c in range(cells)
            for k in range(bits)
        ):
            for c in range(cells):
                one, other = sorted((orbits[c], orbits[moved[c]]))
                orbits = [one if orbit == other else orbit for orbit in orbits]
    return orbits


def _rotations(cells: int) -> Iterable[list[int]]:
    for block in (size for size in range(2, cells + 1) if cells % size == 0):
        yield [c - c % block + (c + 1) % block for c in range(cells)]
        yield [(c + block) % cells for c in range(cells)]


def _moved(plane: int, moved: Sequence[int]) -> int:
    return sum(1 << to for c, to in enumerate(moved) if plane >> c & 1)
