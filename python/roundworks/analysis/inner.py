"""How strong F = S . M . S can be with any 4-bit S-box: exact maxima of many S-boxes at once.

A linear bijection L of four bits, applied to every cell, commutes with a binary matrix. So S and L' . S . L have the
same probabilities up to a renaming of outer differences, but for the map L . L' between the layers: the
maxima over F depend on the affine class of S and on one linear map, of which there are 20,160; a constant
changes signs alone. Optimal S-boxes, with differences of at most 4/16 and correlations of at most 8/16, are
of 16 affine classes [LEANDER-POSCHMANN].

Where a lightest pattern has an even number of cells on either side, the maximum is a sum with one outer
difference on each side, as `exact` explains; that is computed for all maps of a class by one matrix product.
The maximum over all patterns is at least that.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from ..reference.components import Sbox
from .exact import Floats, correlation_factors, difference_factors
from .sms import SmsUnit

# A member of each class of optimal S-boxes, G0 to G15. [LEANDER-POSCHMANN]
_START = "012d47f68"
_REST = """bc93ea5 be359ac be3ac59 c53aeb9 c9bae53 cb9ae35 cb9ae53 ceba935
e95ab3c eb359ac eb5a93c eba59c3 eba93c5 ec95ba3 ecb395a ecb93a5"""
OPTIMAL_CLASSES = tuple(
    Sbox(f"G{i}", tuple(int(digit, 16) for digit in _START + rest)) for i, rest in enumerate(_REST.split())
)
_CHUNK = 2016  # maps at once


@dataclass(frozen=True, slots=True)
class ClassMaxima:
    """Over all linear maps between the layers: lower bounds on the maxima of F, as log2, shape (maps,).

    ``differential``: of the probability; ``correlation``: of the squared correlation.
    """

    sbox: str
    differential: Floats
    correlation: Floats

    @property
    def lowest(self) -> tuple[float, float]:
        """No S-box of the class has less, each by itself."""
        return float(self.differential.min()), float(self.correlation.min())


@cache
def linear_maps() -> NDArray[np.int64]:
    """The value tables of all linear bijections of four bits, shape (20160, 16)."""
    tables = []
    for images in permutations(range(1, 16), 4):
        table = [0]
        for image in images:
            table += [value ^ image for value in table]
        if len(set(table)) == 16:
            tables.append(table)
    return np.array(tables)


def _mask_maps() -> NDArray[np.int64]:
    """For each map L its inverse transposed: where masks go, as (L'u).(Lx) = u.x."""
    tables = linear_maps()
    masks = np.empty_like(tables)
    values = np.arange(16)
    columns = tables[:, [1, 2, 4, 8]]
    bits = np.bitwise_count(columns[:, :, None] & values) & 1  # [map, bit, v]: v.(L e_bit)
    at = (bits.astype(np.int64) << np.arange(4)[None, :, None]).sum(axis=1)  # v is the mask of u = at
    np.put_along_axis(masks, at, np.broadcast_to(values, at.shape), axis=1)
    return masks


def class_maxima(sbox: Sbox, unit: SmsUnit) -> ClassMaxima:
    """Of F = S . M . S with the matrix of ``unit`` and S = L . ``sbox``, for all linear maps L, in their order."""
    differences, masks = linear_maps(), _mask_maps()
    columns = differences[:, :, None] * 16 + masks[:, None, :]  # of (d, u) where L takes it
    maxima = []
    for factors, patterns, at in (
        (difference_factors(sbox), unit.lightest, columns.reshape(len(columns), -1)),
        (correlation_factors(sbox), unit.lightest_masks, masks),
    ):
        forward, backward = factors
        best = np.zeros(len(at))
        for left, right in _even(patterns):
            before, after = forward[1:] ** left, backward[1:] ** right
            for start in range(0, len(at), _CHUNK):
                part = after[:, at[start : start + _CHUNK]]  # [b, map, e]
                sums = np.abs(before @ part.transpose(1, 2, 0)).max(axis=(1, 2))
                best[start : start + _CHUNK] = np.maximum(best[start : start + _CHUNK], sums)
        maxima.append(np.log2(best))
    return ClassMaxima(sbox.name, maxima[0], 2 * maxima[1])


def _even(patterns: Iterable[tuple[tuple[int, ...], tuple[int, ...]]]) -> list[tuple[int, int]]:
    sizes = {(len(before), len(after)) for before, after in patterns}
    return sorted((left, right) for left, right in sizes if left % 2 == right % 2 == 0)


def rewired(sbox: Sbox, wires: tuple[int, ...]) -> Sbox:
    """The S-box whose output bit i, counted from the lowest, is moved to ``wires[i]``: the same gates."""
    table = tuple(sum((y >> i & 1) << to for i, to in enumerate(wires)) for y in sbox.table)
    return Sbox(f"{sbox.name} {''.join(map(str, wires))}", table)
