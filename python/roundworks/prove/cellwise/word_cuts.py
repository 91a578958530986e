"""What the word-wise view proves of the cell-wise query: a lower bound to begin with.

If every active F has at least that many active S-boxes and at least that many F are active, their
product is a lower bound. A solver rarely finds that by itself; here it is computed, F alone by a
small model and the number of F by shortest paths over all words.
"""

from __future__ import annotations

from functools import cache
from typing import Any, cast

from ... import _native
from ...analysis import bounds, words
from ...errors import DescriptionError
from ...reference import CellPermutation, Matrix, Recording, Sbox, StreamAead, record_round
from ...reference.graph import Graph, GraphUnit
from ..solvers.solve import solve
from .build import netlist
from .masks import transposed
from .netlist import CellNetlist
from .truncated import truncated

IN_A_UNIT = "highs"  # whose word the fewest S-boxes of one F are


def minimum_weight(it: StreamAead[Any], goal: str, view: str, rounds: int, net: CellNetlist) -> int:
    """A weight that no trail of the goal is below; 0 where this view has nothing to say.

    It has nothing where one S-box belongs to two F: their sum would count it twice.
    """
    if any(sbox.times > 1 for sbox in net.sboxes):
        return 0
    recording = record_round(it)
    try:
        each = _fewest_in_a_unit(recording, view)
        return each * _units(it, goal, view, rounds, recording) if each >= 2 else 0
    except DescriptionError:  # no F that is a chain, or none that words say anything of
        return 0


def _units(it: StreamAead[Any], goal: str, view: str, rounds: int, recording: Recording) -> int:
    if goal == "active":
        return _fewest_units(recording, view, rounds)
    bound = (bounds.collision if goal == "collision" else bounds.bias)(it)
    return int(bound.value or 0)


def _fewest_units(recording: Recording, view: str, rounds: int) -> int:
    """Fewest active F from any nonzero state on, blocks and keystream without differences."""
    whole = (words.differential if view == "differential" else words.linear)(recording)
    fewest = []
    for part in words.parts(whole):
        if part.program.words > words.MAX_SEARCH_WORDS:
            return 0
        starts = list(range(1, 1 << part.program.words))
        profile = _native.word_profile(part.program.native(), starts, [0] * rounds)
        fewest.append(profile[-1] or 0)
    return min(fewest)


def _fewest_in_a_unit(recording: Recording, view: str) -> int:
    """Fewest active S-boxes in an active unit; 1 if some S-box stands outside of all units."""
    graph = recording.graph
    if any(node.op == "sub" and node.unit is None for node in graph.nodes):
        return 1
    alone = {_layers(graph, unit): unit for unit in graph.units}
    return min((_fewest(*key, view) for key in alone), default=0)


Layers = tuple[Sbox | Matrix | CellPermutation, ...]


def _layers(graph: Graph, unit: GraphUnit) -> tuple[int, Layers]:
    """Width and layers of a unit, which the word-wise view has checked to be a chain of them."""
    inner = [node for node in graph.nodes if node.unit == unit.id]
    kept = [cast(Any, node.detail) for node in inner if node.op in ("sub", "mix", "permute")]
    return graph.nodes[unit.input].bits, tuple(kept)


@cache
def _fewest(bits: int, layers: Layers, view: str) -> int:
    graph = Graph()
    x = source = graph.input("S0", bits)
    for layer in layers:
        if isinstance(layer, Sbox):
            x = x.sub(layer)
        elif isinstance(layer, Matrix):
            x = x.mix(layer)
        else:
            x = x.permute(layer)
    alone = Recording("unit", "unit", graph, {"S0": source.id}, {"S'0": x.id})
    if not any(isinstance(layer, Sbox) for layer in layers):
        return 0
    net = netlist(alone, ["S0"], ["S'0"])
    net = transposed(net).net if view == "linear" else net
    model = truncated(net, "distinct", relaxed=True)
    model.problem.any_of(model.cells(next(iter(net.inputs.values()))))
    return int(solve(model.problem, IN_A_UNIT).uninterrupted().lower)
