"""Branch and bound over layers of S-boxes with a permutation of bits between any two. [MATSUI]

The trails of such rounds are a problem of tables alone: each has the bits before an S-box, those behind it and what
that weighs, and shares bits with tables of the next layer. `layers_of` finds the layers in it, and
`roundworks_search::permuted` goes through all trails that can be light, with one minimum weight more each time, after
the minima of fewer layers, which are kept for the next problem of the same layers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

from ... import __version__
from ..._native import lightest_of_permuted
from ...errors import SolverFailed
from .interface import Solver, SolverRun, Stopped
from .problem import Clause, Problem, ValueTable, Var

MOST_BITS, NEVER = 8, 255


@dataclass(frozen=True, slots=True)
class Sbox:
    """``weights``: of each value before it, for each one behind it, in units; `NEVER` where there is none.
    ``chosen``: of each such pair the value of its table that weighs this."""

    weights: tuple[bytes, ...]
    chosen: Mapping[tuple[int, int], int] = field(compare=False)


@dataclass(frozen=True, slots=True)
class PermutedLayers:
    """Bit k of cell c, at place ``bits`` c + k, is in place ``to`` of the next layer; cell c has S-box ``kinds`` of
    ``sboxes``."""

    bits: int
    to: tuple[int, ...]
    sboxes: tuple[Sbox, ...]
    kinds: tuple[int, ...]

    @property
    def unit(self) -> int:
        """The minimum that an active S-box weighs."""
        return min(min(row) for sbox in self.sboxes for row in sbox.weights[1:])

    def lightest(
        self, fewer: Sequence[int], most: int, seconds: float | None
    ) -> tuple[int, list[tuple[bytes, bytes]]] | None:
        """The lightest trail over one layer more than ``fewer`` has; None where all weigh more than ``most``."""
        weights = [sbox.weights for sbox in self.sboxes]
        return lightest_of_permuted(self.bits, self.to, weights, self.kinds, fewer, most, seconds)


@dataclass(frozen=True, slots=True)
class _Layer:
    """Its tables, and the bits before and behind them in the order of places."""

    tables: tuple[ValueTable, ...]
    before: tuple[Var, ...]
    behind: tuple[Var, ...]


def fits(problem: Problem) -> bool:
    """Whether the problem is one of such layers."""
    return _layered(problem) is not None


def layers_of(problem: Problem) -> PermutedLayers | None:
    """The layers, all alike; None where a problem is anything else."""
    layered = _layered(problem)
    return None if layered is None else layered[0]


def _layered(problem: Problem) -> tuple[PermutedLayers, list[_Layer]] | None:
    """All layers, and the tables of each."""
    tables = [c for c in problem.constraints if isinstance(c, ValueTable)]
    others = [c for c in problem.constraints if not isinstance(c, ValueTable)]
    if not tables or len(others) != 1:
        return None
    bits = sum(v not in problem.weights for v in tables[0].variables) // 2
    if not 1 <= bits <= MOST_BITS or (layers := _in_layers(problem, tables, bits)) is None:
        return None
    # Some bit is 1, of all those at one place of the trail.
    places = [layers[0].before, *(layer.behind for layer in layers)]
    some = [{v + 1 for v in place} for place in places]
    if not isinstance(others[0], Clause) or set(others[0].literals) not in some:
        return None
    step = problem.step
    units = {v: int(weight / step) for v, weight in problem.weights.items()}
    cells = {tuple(_sbox_of(table, bits, units) for table in layer.tables) for layer in layers}
    permutations = {
        tuple(map(following.before.index, layer.behind)) for layer, following in pairwise(layers)
    } or {tuple(range(len(layers[0].behind)))}
    if len(cells) > 1 or len(permutations) > 1:
        return None
    (alike,), (to,) = cells, permutations
    if None in alike:
        return None
    sboxes = [sbox for sbox in dict.fromkeys(alike) if sbox is not None]
    kinds = tuple(sboxes.index(sbox) for sbox in alike if sbox is not None)
    return PermutedLayers(bits, to, tuple(sboxes), kinds), layers


def _in_layers(problem: Problem, tables: Sequence[ValueTable], bits: int) -> list[_Layer] | None:
    """Tables that take all that those before them put out; None where there is anything else."""
    taking: dict[Var, int] = {}
    made: set[Var] = set()
    weighed: set[Var] = set()
    for i, table in enumerate(tables):
        before, behind, levels = (
            table.variables[a:b] for a, b in ((0, bits), (bits, 2 * bits), (2 * bits, None))
        )
        ends = {*before, *behind}
        if (
            len(ends) < 2 * bits
            or not ends.isdisjoint(problem.weights)
            or not problem.weights.keys() >= set(levels)
            or weighed.intersection(levels)
        ):
            return None
        if made.intersection(behind) or taking.keys() & set(before):
            return None
        taking |= dict.fromkeys(before, i)
        made.update(behind)
        weighed.update(levels)
    if weighed != set(problem.weights):
        return None
    layers: list[_Layer] = []
    indices = [i for i, table in enumerate(tables) if not made.intersection(table.variables[:bits])]
    left = len(tables)
    while indices:
        chosen = tuple(tables[i] for i in indices)
        layer = _Layer(
            chosen,
            tuple(v for table in chosen for v in table.variables[:bits]),
            tuple(v for table in chosen for v in table.variables[bits : 2 * bits]),
        )
        if layers and set(layer.before) != set(layers[-1].behind):
            return None
        layers.append(layer)
        left -= len(chosen)
        indices = sorted({taking[v] for v in layer.behind if v in taking})
    return layers if left == 0 else None


def _sbox_of(table: ValueTable, bits: int, units: Mapping[Var, int]) -> Sbox | None:
    return _sbox(table.allowed, bits, tuple(units[v] for v in table.variables[2 * bits :]))


@lru_cache(maxsize=64)
def _sbox(allowed: frozenset[int], bits: int, levels: tuple[int, ...]) -> Sbox | None:
    """None where anything but nothing weighs nothing, or some value has none on the other side."""
    size = 1 << bits
    weights = [[NEVER] * size for _ in range(size)]
    chosen: dict[tuple[int, int], int] = {}
    for value in sorted(allowed):
        pair = value % size, value // size % size
        weight = sum(w for i, w in enumerate(levels) if value >> (2 * bits + i) & 1)
        if (weight == 0) != (pair == (0, 0)) or (not all(pair) and any(pair)):
            return None
        if weight < weights[pair[0]][pair[1]]:
            weights[pair[0]][pair[1]], chosen[pair] = weight, value
        elif weight >= NEVER:
            return None
    whole = [min(row) for row in weights] + [min(column) for column in zip(*weights, strict=True)]
    return None if NEVER in whole else Sbox(tuple(map(bytes, weights)), chosen)


@lru_cache(maxsize=16)
def _minima(_layers: PermutedLayers) -> list[int]:
    """Those of 0, 1, .. layers, as far as they were found."""
    return [0]


def _at_least(minima: Sequence[int], rounds: int) -> int:
    """What follows for that many layers: those of one trail add up."""
    known = list(minima[: rounds + 1])
    while len(known) <= rounds:
        known.append(max((known[i] + known[-i] for i in range(1, len(known))), default=0))
    return known[rounds]


class Matsui(Solver):
    """Ours: exact, of the lightest trail through layers of S-boxes and permutations of bits."""

    @property
    def version(self) -> str:
        return f"matsui (roundworks {__version__})"

    def run(self, run: SolverRun) -> None:
        """The minima of fewer layers first, each with one minimum weight of an S-box more until there is a trail."""
        run.check()
        layered = _layered(run.problem)
        if layered is None:
            raise SolverFailed(
                "matsui: want a problem of alike layers of S-boxes and permutations of bits; name another solver"
            )
        layers, tables = layered
        minima, wanted = _minima(layers), len(tables)
        while len(minima) < wanted:
            minima.append(_lightest(run, layers, minima, wanted)[0])
        weight, trail = _lightest(run, layers, minima[:wanted], wanted)
        if len(minima) == wanted:
            minima.append(weight)
        if not run.found(_assignment(run.problem, layers, tables, trail)):
            raise SolverFailed("matsui: its assignment breaks a constraint")
        run.proven(weight * run.step)


Trail = list[tuple[bytes, bytes]]


def _lightest(run: SolverRun, layers: PermutedLayers, fewer: Sequence[int], wanted: int) -> tuple[int, Trail]:
    """The lightest trail over one layer more than ``fewer`` has, of ``wanted``; `Stopped` where time is over."""
    rounds = len(fewer)
    lower = most = max(_at_least(fewer, rounds), layers.unit)
    while True:
        run.proven(_at_least([*fewer, lower], wanted) * run.step)
        run.check()
        try:
            trail = layers.lightest(fewer, most, run.seconds_left)
        except TimeoutError:
            raise Stopped from None
        if trail is not None:
            return trail
        lower, most = most + 1, most + layers.unit


def _assignment(
    problem: Problem, layers: PermutedLayers, tables: Sequence[_Layer], trail: Trail
) -> list[bool]:
    values = [False] * len(problem.names)
    for layer, (before, behind) in zip(tables, trail, strict=True):
        for table, kind, pair in zip(
            layer.tables, layers.kinds, zip(before, behind, strict=True), strict=True
        ):
            value = layers.sboxes[kind].chosen[pair]
            for i, variable in enumerate(table.variables):
                values[variable] = bool(value >> i & 1)
    return values


SOLVER = Matsui()
