"""What a recording computes: the order of its nodes, and a signature by which two are compared."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import replace

from ..reference import Graph, Node, Recording


def reachable(recording: Recording) -> list[int]:
    """The nodes that its outputs need, operands before what uses them."""
    nodes = recording.graph.nodes
    needed, inputs = set(recording.outputs.values()), set(recording.inputs.values())
    for node in reversed(nodes):
        if node.id in needed and node.id not in inputs:
            needed.update(node.inputs)
    return sorted(needed)


def walked(recording: Recording) -> list[int]:
    """The nodes that its outputs need, in an order that follows from what it computes alone: depth
    first, operands before what uses them. Recordings of one shape have it alike."""
    names = {node: name for name, node in recording.inputs.items()}
    nodes = recording.graph.nodes
    result: dict[int, None] = {}
    todo = list(reversed(recording.outputs.values()))
    while todo:
        number = todo[-1]
        inputs = () if number in result or number in names else nodes[number].inputs
        missing = [i for i in reversed(inputs) if i not in result]
        if missing:
            todo += missing
            continue
        todo.pop()
        result[number] = None
    return list(result)


def signature(recording: Recording, values: bool = True) -> Hashable:
    """Equal for recordings that compute the same in the same way; without ``values``, whatever
    constants they have."""
    names = {node: name for name, node in recording.inputs.items()}
    order = walked(recording)
    place = {number: i for i, number in enumerate(order)}
    result: list[Hashable] = []
    for number in order:
        node = recording.graph.nodes[number]
        if number in names:
            result.append(("input", node.bits, names[number], ()))
            continue
        detail = None if node.op == "const" and not values else node.detail
        result.append((node.op, node.bits, detail, tuple(place[i] for i in node.inputs)))
    return tuple(result), tuple((name, place[n]) for name, n in recording.outputs.items())


def constants(recording: Recording) -> list[Node]:
    """Its constants, in the order of `walked`."""
    nodes = (recording.graph.nodes[n] for n in walked(recording))
    return [node for node in nodes if node.op == "const"]


def constant_of(node: Node) -> int:
    """The value of a constant."""
    assert isinstance(node.detail, int)
    return node.detail


def with_inputs(recording: Recording, chosen: Mapping[int, str]) -> Recording:
    """The same, with these constants as inputs of these names."""
    graph = Graph()
    graph.nodes = [
        replace(n, op="input", inputs=(), detail=None, name=chosen[n.id], unit=None) if n.id in chosen else n
        for n in recording.graph.nodes
    ]
    graph.units, graph.times = recording.graph.units, recording.graph.times
    there = set(reachable(recording))
    inputs = dict(recording.inputs) | {name: n for n, name in chosen.items() if n in there}
    return Recording(recording.cipher, recording.part, graph, inputs, recording.outputs)
