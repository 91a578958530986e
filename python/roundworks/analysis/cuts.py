"""A recording cut at one layer of S-boxes through which all of its state passes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import cast

from ..errors import DescriptionError
from ..reference import Recording, Sbox
from ..reference.graph import Graph
from ..reference.recordings import restricted


@dataclass(frozen=True, slots=True)
class Cut:
    """``before`` ends in the words M0.. that come into the layer, ``after`` begins with M'0.. behind it.

    ``layer``: the S-boxes between, in the order of those words.
    """

    before: Recording
    layer: tuple[Sbox, ...]
    after: Recording


def cuts(recording: Recording) -> list[Cut]:
    """Every such layer, in order.

    Raises
    ------
    DescriptionError
        ``aegis-128: 2 rounds: no layer of S-boxes that all of the state passes``
    """
    depths = _depths(recording)
    layers = [
        tuple(node for node, depth in depths.items() if depth == level)
        for level in range(1, max(depths.values(), default=0) + 1)
    ]
    results = [_cut(recording, layer) for layer in layers if _separates(recording, layer)]
    if not results:
        raise DescriptionError(
            f"{recording.cipher}: {recording.part}: no layer of S-boxes that all of the state passes"
        )
    return results


def _depths(recording: Recording) -> dict[int, int]:
    """Of every S-box node that depends on the state, the S-box layers on the longest path to it, itself one."""
    moving = {node for name, node in recording.inputs.items() if name.startswith("S")}
    depths = dict.fromkeys(moving, 0)
    layers = {}
    for node in recording.graph.nodes:
        before = [depths[i] for i in node.inputs if i in depths]
        if before:
            depths[node.id] = max(before) + (node.op == "sub")
            if node.op == "sub":
                layers[node.id] = depths[node.id]
    return layers


def _separates(recording: Recording, layer: tuple[int, ...]) -> bool:
    """Whether every path from the state to an output passes the layer once."""
    closed = set(layer)
    moving = {node for name, node in recording.inputs.items() if name.startswith("S")}
    open_nodes = set(moving)
    for node in recording.graph.nodes:
        if node.id not in closed and any(i in open_nodes for i in node.inputs):
            open_nodes.add(node.id)
    return not open_nodes.intersection(recording.outputs.values())


def _cut(recording: Recording, layer: tuple[int, ...]) -> Cut:
    nodes = recording.graph.nodes
    into = {f"M{i}": nodes[node].inputs[0] for i, node in enumerate(layer)}
    before = restricted(replace(recording, outputs=into), into)
    names = {node: f"M'{i}" for i, node in enumerate(layer)}
    behind = [
        replace(n, op="input", inputs=(), detail=None, name=names[n.id], unit=None) if n.id in names else n
        for n in nodes
    ]
    keys = {name: node for name, node in recording.inputs.items() if not name.startswith("S")}
    inputs = keys | {name: node for node, name in names.items()}
    graph = Graph(behind, times=recording.graph.times)
    after = restricted(
        Recording(recording.cipher, recording.part, graph, inputs, recording.outputs), recording.outputs
    )
    return Cut(before, tuple(cast(Sbox, nodes[node].detail) for node in layer), after)
