"""A recording cut at one layer of S-boxes through which all of its state passes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import cast

from ..errors import DescriptionError
from ..reference import Recording, Sbox
from ..reference.graph import Graph
from ..reference.recordings import restricted


@dataclass(frozen=True, slots=True)
class Cut:
    """``before`` ends in the words M0.. that come into the layer, ``after`` begins with M'0.. behind it.

    ``layer``: the S-boxes between, in the order of those words; ``nodes`` of the recording.
    """

    before: Recording
    layer: tuple[Sbox, ...]
    after: Recording
    nodes: tuple[int, ...]


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


def segments(recording: Recording) -> list[Recording]:
    """What lies before the first such layer, between any two that follow each other, and behind the last.

    Words before the first are S0.., those behind a layer M'0.., those that come into one M0.., and those
    behind the last one S'0.. .
    """
    layers = cuts(recording)
    parts = [layers[0].before]
    for one, following in pairwise(layers):
        parts.append(_part(recording, one.nodes, _into(recording, following.nodes)))
    return [*parts, layers[-1].after]


def _cut(recording: Recording, layer: tuple[int, ...]) -> Cut:
    before = _part(recording, (), _into(recording, layer))
    after = _part(recording, layer, recording.outputs)
    sboxes = tuple(cast(Sbox, recording.graph.nodes[node].detail) for node in layer)
    return Cut(before, sboxes, after, layer)


def _into(recording: Recording, layer: tuple[int, ...]) -> dict[str, int]:
    """The words that come into a layer."""
    return {f"M{i}": recording.graph.nodes[node].inputs[0] for i, node in enumerate(layer)}


def _part(recording: Recording, start: tuple[int, ...], outputs: Mapping[str, int]) -> Recording:
    """From the words behind a layer, or from the start where that is empty, to these nodes."""
    inputs, nodes = dict(recording.inputs), recording.graph.nodes
    if start:
        names = {node: f"M'{i}" for i, node in enumerate(start)}
        nodes = [
            replace(n, op="input", inputs=(), detail=None, name=names[n.id], unit=None)
            if n.id in names
            else n
            for n in nodes
        ]
        inputs = {name: node for name, node in inputs.items() if not name.startswith("S")}
        inputs |= {name: node for node, name in names.items()}
    graph = Graph(nodes, times=recording.graph.times)
    whole = Recording(recording.cipher, recording.part, graph, inputs, dict(outputs))
    return restricted(whole, outputs)
