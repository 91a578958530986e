"""Upper bounds on the algebraic degree, and a sum over a cube that shows how far it is reached.

One layer more multiplies the degree by that of its S-boxes, and near the size of the state grows by less
[BOURA]: for N bits of state and S-boxes of n bits, N - deg falls by at most a factor that the degrees of
products of the S-box's coordinates give. A bijection has at most N - 1: over the whole space each bit sums to 0.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import floor
from operator import itemgetter

import numpy as np

from ..bounds import Bound
from ..errors import DescriptionError
from ..reference import Recording, Roundwise, Sbox, record_rounds
from ..reference.batch import ArrayWord
from ..reference.graph import Node
from ..reference.recordings import merged, run
from .affine import LINEAR
from .cuts import cuts
from .gate_layers import with_sboxes
from .inverse import inverse
from .sboxes import anf

CUBE = 12  # dimension of the largest cube that is summed
TRIES = 4  # cubes of one dimension, each of neighbouring bits


Rows = Callable[[Node], list[list[int]]]  # of the bits that a linear layer puts out, those that it sums


def degrees(it: Roundwise, rounds: int, rows: Rows | None = None) -> Iterator[Bound]:
    """For 1 to ``rounds`` rounds the degree in the bits of the state is at most this. Proven. With ``rows``, AND gates
    that make up S-boxes are bounded as these, too."""
    recordings: list[Recording] = []
    for count in range(1, rounds + 1):
        started = time.perf_counter()
        recording = merged(record_rounds(it, count))
        recordings.append(recording)
        bits = it.words * it.word_bits
        value, how = degree_bound(recording, bits)
        if rows is not None and (rewritten := with_sboxes(recordings, rows)) is not None:
            value, how = min((value, how), degree_bound(rewritten, bits), key=itemgetter(0))
        if value >= bits and _bijective(recording):
            value, how = bits - 1, f"{how}; of a bijection, whose inverse was derived, at most {bits - 1}"
        reached = cube_degree(recording, min(CUBE, value))
        yield Bound(
            cipher=it.name,
            measure="degree",
            rounds=count,
            value=value,
            unit="degree",
            side="exact" if reached is not None and reached[0] == value else "upper",
            certainty="proven",
            method=f"{how}; of the bits of {bits} bits of state, keys and blocks constant; {_vanishing(value, bits)}",
            witness=None if reached is None else {"degree at least": reached[0], "cube": reached[1]},
            seconds=time.perf_counter() - started,
        )


def _vanishing(degree: int, bits: int) -> str:
    if degree >= bits:
        return "not seen to be a bijection, so that no sum is known to vanish"
    return f"sums over every subspace of dimension {degree + 1} vanish"


def _bijective(recording: Recording) -> bool:
    """Whether these rounds are seen to be a bijection of the state, whatever the keys are."""
    try:
        inverse(recording)
    except DescriptionError:
        return False
    return True


def degree_bound(recording: Recording, bits: int) -> tuple[int, str]:
    """An upper bound for ``bits`` bits of state, and how it comes about."""
    try:
        parts = cuts(recording)
    except DescriptionError:
        return _node_wise(recording, bits), "products of the degrees of layers along the graph"
    layers, nodes = [cut.layer for cut in parts], recording.graph.nodes
    # The growth is of layers that are as wide as the state.
    wide = [sum(nodes[node].bits for node in cut.nodes) for cut in parts]
    if set(wide) != {bits} or any(node.op not in (*LINEAR, "sub") for node in recording.graph.nodes):
        return _node_wise(recording, bits), "products of the degrees of layers along the graph"
    degree = 1
    for layer in reversed(layers):  # one layer more in front of the others
        product = degree * max(sbox_degree(sbox) for sbox in layer)
        slow = max(growth(sbox) for sbox in layer)
        near = floor(bits - Fraction(bits - degree) / slow) if degree > 1 else product
        bijective = all(sbox.bijective for sbox in layer)
        degree = min(product, near if bijective else product, bits - 1 if bijective else bits)
    return degree, "the degree of layers, or their slower growth near the size of the state, layer by layer"


def _node_wise(recording: Recording, bits: int) -> int:
    moving = {node for name, node in recording.inputs.items() if name.startswith("S")}
    degree: list[int] = []
    for node in recording.graph.nodes:
        into = [degree[i] for i in node.inputs]
        if not into:
            degree.append(int(node.id in moving))
        elif node.op == "and":
            degree.append(min(bits, sum(into)))
        elif isinstance(node.detail, Sbox):
            degree.append(min(bits, into[0] * sbox_degree(node.detail)))
        elif node.op in LINEAR:
            degree.append(max(into))
        else:
            raise DescriptionError(
                f"{node.line}: {node.op}: no bound on its degree; want xor, and, S-boxes and layers"
            )
    return max(degree[node] for name, node in recording.outputs.items() if name.startswith("S'"))


@cache
def sbox_degree(sbox: Sbox) -> int:
    """The largest degree of a coordinate."""
    return product_degrees(sbox)[0]


@cache
def product_degrees(sbox: Sbox) -> tuple[int, ...]:
    """The largest degree of a product of 1, 2, .. n coordinates."""
    table = np.array(sbox.table)
    results = []
    for count in range(1, sbox.bits + 1):
        masks = (sum(1 << i for i in chosen) for chosen in combinations(range(sbox.bits), count))
        forms = (anf((table & mask) == mask) for mask in masks)
        # The product of all coordinates, say, may be zero where the S-box is no bijection.
        reached = (int(u).bit_count() for form in forms for u in np.flatnonzero(form))
        results.append(max(reached, default=0))
    return tuple(results)


@cache
def growth(sbox: Sbox) -> Fraction:
    """The factor by which N - deg falls at most in one layer more: the largest (n - i) / (n - d_i)."""
    n, degrees_ = sbox.bits, product_degrees(sbox)
    return max((Fraction(n - i, max(1, n - degrees_[i - 1])) for i in range(1, n)), default=Fraction(1))


def cube_degree(recording: Recording, most: int) -> tuple[int, str] | None:
    """The largest cube of at most ``most`` bits, of neighbours, over which some output bit sums to 1: the degree
    is at least its dimension. None where a word is not of whole bytes, or none sums to 1."""
    nodes = recording.graph.nodes
    if any(node.bits % 8 for node in nodes):
        return None
    state = [(name, nodes[id_].bits) for name, id_ in recording.inputs.items() if name.startswith("S")]
    places = [(name, bit) for name, bits in state for bit in range(bits)]
    random = np.random.default_rng(1)
    for dimension in range(min(most, len(places)), 0, -1):
        for first in range(min(TRIES, len(places) - dimension + 1)):
            chosen = places[first : first + dimension]
            if any(_sum(recording, chosen, random)):
                return dimension, " ".join(f"{name}.{bit}" for name, bit in sorted(chosen))
    return None


def _sum(recording: Recording, cube: list[tuple[str, int]], random: np.random.Generator) -> list[int]:
    """The outputs summed over all values of these bits, the others random."""
    size = 1 << len(cube)
    given = {}
    for name, id_ in recording.inputs.items():
        bits = recording.graph.nodes[id_].bits
        rows = np.repeat(
            np.unpackbits(random.integers(0, 256, (1, bits // 8), np.uint8), axis=1), size, axis=0
        )
        for i, (other, bit) in enumerate(cube):
            if other == name:
                rows[:, bit] = np.arange(size) >> i & 1
        given[name] = ArrayWord.from_bytes(np.packbits(rows, axis=1))
    values = run(recording, given)
    out = [values[id_] for name, id_ in recording.outputs.items() if name.startswith("S'")]
    return [int.from_bytes(np.bitwise_xor.reduce(word.to_bytes(), axis=0).tobytes(), "big") for word in out]
