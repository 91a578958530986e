"""Searches for the lightest trail over three rounds of special shape, as `solvers.deciding` takes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial
from math import floor

from ...reference import Roundwise, record_rounds
from ...reference.recordings import merged
from ..solvers.deciding import LightestTrail, Searched
from ..solvers.problem import Var
from . import cores, rows
from .model import BitModel


def lightest_trail(
    it: Roundwise, model: BitModel, moving: Sequence[str], rounds: int
) -> LightestTrail | None:
    """The one for rounds of this shape, whose rotations of all words make trails of trails; None if there is none.

    ``moving``: the words of the state before the first round, in order.
    """
    if rounds != rows.ROUNDS or len(moving) < 2:
        return None
    recordings = [merged(record_rounds(it, count)) for count in range(1, rounds + 1)]
    if (row_layers := rows.row_layers(recordings[0])) is not None:
        return LightestTrail("search over rows", partial(_by_rows, row_layers, model, moving))
    if (core_layers := cores.core_layers(recordings)) is not None:
        search = cores.CoreSearch(core_layers)
        return LightestTrail("search over trail cores", partial(_by_cores, search, model, moving))
    return None


def _by_rows(
    layers: rows.RowLayers,
    model: BitModel,
    moving: Sequence[str],
    most: Fraction,
    seconds: float | None,
    whole: bool,
) -> Searched:
    try:
        light = (layers.lightest if whole else layers.light)(most, seconds)
    except TimeoutError:
        return Searched(Fraction(0))
    if light is None:
        return Searched(Fraction(floor(most) + 1) if whole else Fraction(0))
    return Searched(light[0] if whole else Fraction(0), (light[0], _values(model, moving, light[1])))


def _by_cores(
    search: cores.CoreSearch,
    model: BitModel,
    moving: Sequence[str],
    most: Fraction,
    seconds: float | None,
    _whole: bool,
) -> Searched:
    search.run(floor(most), seconds)
    if search.best is None or search.best[0] > most:
        return Searched(Fraction(search.lower))
    weight, state = search.best
    width = len(model.named[moving[0]])
    words = [state >> width * i & (1 << width) - 1 for i in reversed(range(len(moving)))]
    return Searched(Fraction(search.lower), (Fraction(weight), _values(model, moving, words)))


def _values(model: BitModel, moving: Sequence[str], words: Sequence[int]) -> Mapping[Var, bool]:
    """What the bits of these words are in the model, which of all rotations has those with a difference in the highest
    bit of some word."""
    width = len(model.named[moving[0]])
    turn = width - max(word.bit_length() for word in words)
    return {
        bit: bool(word << turn & 1 << place or word >> (width - turn) & 1 << place)
        for name, word in zip(moving, words, strict=True)
        for bit, place in zip(model.named[name], reversed(range(width)), strict=True)
        if bit is not None
    }
