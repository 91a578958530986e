"""Rounds without the linear layers before their first S-boxes and after their last: these change no property of
differences or masks."""

from __future__ import annotations

from dataclasses import replace

from ..reference import Matrix, Recording
from ..reference.graph import Graph, Node
from ..reference.recordings import restricted


def without_last_linear(recording: Recording) -> Recording:
    """The same outputs, each taken behind the last S-box layer that it is a linear image of.

    So it is where nothing but matrices, permutations, constants, and inputs that are not of the state lie
    behind one S-box layer; any other output stays as it is.
    """
    return replace(
        recording, outputs={name: _behind(recording, node) for name, node in recording.outputs.items()}
    )


def without_first_linear(recording: Recording) -> Recording:
    """The same rounds, each word of the state taken before its first S-boxes, where a matrix lies in front of them.

    So it is where invertible matrices, permutations, constants and inputs that are not of the state lie in front of one
    layer of S-boxes, and nothing else reads them; any other word stays as it is. What the S-boxes put out for a value
    is what the whole rounds put out for its image under the inverse of those layers.
    """
    nodes = recording.graph.nodes
    moved = {
        layer: node
        for name, node in recording.inputs.items()
        if name.startswith("S") and (layer := _in_front(recording, node)) is not None
    }
    if not moved:
        return recording
    graph = Graph(
        [replace(n, inputs=(moved[n.id],)) if n.id in moved else n for n in nodes],
        times=recording.graph.times,
    )
    return restricted(replace(recording, graph=graph), recording.outputs)


def _in_front(recording: Recording, word: int) -> int | None:
    """The S-boxes that read a bijective linear image of the word, and nothing else does."""
    nodes, mixed = recording.graph.nodes, False
    alone = _independent(nodes, {node for name, node in recording.inputs.items() if name.startswith("S")})
    at = word
    while at not in recording.outputs.values():
        readers = [node for node in nodes if at in node.inputs]
        if len(readers) != 1:
            return None
        (reader,) = readers
        if reader.op == "sub":
            return reader.id if mixed else None
        layer = reader.detail
        bijective = not isinstance(layer, Matrix) or layer.invertible
        if reader.op not in ("mix", "permute", "xor") or not bijective:
            return None
        if any(i != at and i not in alone for i in reader.inputs) or reader.inputs.count(at) != 1:
            return None
        mixed |= reader.op == "mix"
        at = reader.id
    return None


def _behind(recording: Recording, output: int) -> int:
    nodes = recording.graph.nodes
    moving = {node for name, node in recording.inputs.items() if name.startswith("S")}
    alone = _independent(nodes, moving)
    at = nodes[output]
    while at.op in ("mix", "permute", "xor"):
        into = [i for i in at.inputs if i not in alone]
        if len(into) != 1:
            return output
        at = nodes[into[0]]
    return at.id if at.op == "sub" else output


def _independent(nodes: list[Node], moving: set[int]) -> set[int]:
    """The nodes that do not depend on the state."""
    alone: set[int] = set()
    for node in nodes:
        if node.id not in moving and all(i in alone for i in node.inputs):
            alone.add(node.id)
    return alone
