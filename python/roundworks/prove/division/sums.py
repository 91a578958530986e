"""Sums of one output bit over a cube, computed on the description itself."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass

import numpy as np

from ...errors import SolverFailed
from ...reference import Recording
from ...reference.batch import ArrayWord
from ...reference.recordings import run
from .monomials import Inputs, Place, Polynomial, value_of_polynomial

COMPARED = 10  # a cube of at most that many bits is summed over in any case
LARGEST = 24  # bits of a cube that is summed over where trails are too many
TRIALS = 16  # values of the variables that are tried
_AT_ONCE = 1 << 14  # inputs in an array, which a cache holds


def compare(recording: Recording, inputs: Inputs, place: Place, polynomial: Polynomial) -> int:
    """Sums over the cube, compared with the polynomial at random values of the variables; the number of values.

    Raises
    ------
    SolverFailed
        They differ.
    """
    for ones in _values(inputs, TRIALS):
        want, got = value_of_polynomial(polynomial, ones), cube_sum(recording, inputs, place, ones)
        if want != got:
            raise SolverFailed(
                f"{recording.cipher}: superpoly of {place[0]}.{place[1]} over {len(inputs.places('*'))} bits:"
                f" the polynomial is {want} where the sum is {got}"
            )
    return TRIALS


@dataclass(frozen=True, slots=True)
class Tried:
    """``values`` of the variables were tried; at the last one the sum was 1 if ``one``, at the others it was 0."""

    values: int
    one: bool


def tried(recording: Recording, inputs: Inputs, place: Place, limit: float | None = None) -> Tried | None:
    """Sums at random values of the variables until one is 1, at most `TRIALS`; None where the cube is too large,
    or `limit` seconds are over before."""
    if len(inputs.places("*")) > LARGEST:
        return None
    end = None if limit is None else time.monotonic() + limit
    for count, ones in enumerate(_values(inputs, TRIALS), 1):
        value = cube_sum(recording, inputs, place, ones, end)
        if value is None:
            return None
        if value:
            return Tried(count, True)
    return Tried(TRIALS, False)


def cube_sum(
    recording: Recording, inputs: Inputs, place: Place, ones: frozenset[Place], end: float | None = None
) -> int | None:
    """The bit summed over the cube, where the variables in ``ones`` are 1 and the others 0; None where the clock,
    `time.monotonic`, comes to ``end`` before."""
    cube, result = inputs.places("*"), 0
    size = 1 << len(cube)
    for first in range(0, size, _AT_ONCE):
        if end is not None and time.monotonic() > end:
            return None
        count = min(_AT_ONCE, size - first)
        chosen = np.arange(first, first + count)
        given = {}
        for name, text in inputs.words.items():
            bits = np.zeros((len(text), count), np.uint8)
            for i, letter in enumerate(text):
                bits[i] = letter == "1" or (name, i) in ones
            for k, (other, i) in enumerate(cube):
                if other == name:
                    bits[i] = chosen >> k & 1
            whole = len(text) % 8 == 0
            given[name] = ArrayWord(np.packbits(bits, axis=0), 8) if whole else ArrayWord(bits, 1)
        word = run(recording, given)[recording.outputs[place[0]]]
        result ^= int(np.bitwise_xor.reduce(word.in_cells(1)[place[1]]))
    return result


def _values(inputs: Inputs, count: int) -> list[frozenset[Place]]:
    """Random values of the variables, the same in each run: those that are 1."""
    source, places = random.Random(1), inputs.places("?")
    return [frozenset(place for place in places if source.random() < 0.5) for _ in range(count)]
