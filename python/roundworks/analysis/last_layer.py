"""Rounds without the linear layers before their first S-boxes and after their last: these change no property of
differences or masks."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from functools import reduce
from operator import xor

from ..bounds import View
from ..reference import IntWord, Matrix, Recording, gf2
from ..reference.graph import Graph, Node
from ..reference.recordings import restricted


def between_sboxes(recording: Recording, where: Collection[str] = ()) -> tuple[Recording, str]:
    """Without either, but for an end of which a word is named; and where that takes the state, in words."""
    inner, places = recording, []
    if not set(where) & set(recording.inputs) and (front := without_first_linear(inner)) is not inner:
        inner = front
        places.append("in front of the first S-boxes")
    if not set(where) & set(recording.outputs) and (behind := without_last_linear(inner)) != inner:
        inner = behind
        places.append("behind the last S-boxes")
    return inner, " and ".join(places)


def without_last_linear(recording: Recording) -> Recording:
    """The same rounds, each word of the state taken behind the last S-box layer that it is a linear image of.

    So it is where nothing but invertible matrices, permutations, constants, and inputs that are not of the state lie
    behind one S-box layer, another one for every word; if it is not so of one word all stay as they are.
    """
    behind = _behind(recording)
    return replace(recording, outputs=recording.outputs | {name: at for name, (at, _) in behind.items()})


def without_first_linear(recording: Recording) -> Recording:
    """The same rounds, each word of the state taken before its first S-boxes, if a matrix lies in front of some.

    So it is where invertible matrices, permutations, constants and inputs that are not of the state lie in front of one
    layer of S-boxes, and nothing else reads them; if it is not so of one word all stay as they are.
    """
    nodes = recording.graph.nodes
    moved = {at: recording.inputs[name] for name, (at, _) in _in_front(recording).items()}
    if not moved:
        return recording
    graph = Graph(
        [replace(n, inputs=(moved[n.id],)) if n.id in moved else n for n in nodes],
        times=recording.graph.times,
    )
    return restricted(replace(recording, graph=graph), recording.outputs)


def of_the_state(recording: Recording, view: View, name: str, value: int) -> int:
    """The difference, or mask, of a word of the state for one of the same word where those functions take it."""
    after = name in recording.outputs
    _, layers = (_behind if after else _in_front)(recording).get(name, (0, []))
    if not layers:
        return value
    bits = layers[0].bits
    columns = [_image(layers, 1 << i, bits) for i in range(bits)]
    if view == "linear":  # m.(Lx) is (L^T m).x
        columns = [sum((column >> i & 1) << j for j, column in enumerate(columns)) for i in range(bits)]
    if after == (view == "linear"):
        inverse = gf2.inverse(columns)
        assert inverse is not None, "every layer is"
        columns = inverse
    return reduce(xor, (column for i, column in enumerate(columns) if value >> i & 1), 0)


def _image(layers: list[Node], value: int, bits: int) -> int:
    word = IntWord(value, bits)
    for layer in layers:
        word = layer.apply([word], word)
    return word.value


def _in_front(recording: Recording) -> dict[str, tuple[int, list[Node]]]:
    """Of each word of the state the S-boxes that read a bijective linear image of it, and its layers; empty unless it
    is so of all, and one of them has a matrix."""
    alone = _independent(recording)
    layered: dict[str, tuple[int, list[Node]]] = {}
    for name, word in recording.inputs.items():
        if not name.startswith("S"):
            continue
        at, layers = recording.graph.nodes[word], list[Node]()
        while at.op != "sub":
            readers = [node for node in recording.graph.nodes if at.id in node.inputs]
            if len(readers) != 1 or at.id in recording.outputs.values():
                return {}
            if readers[0].op != "sub" and not _linear(readers[0], at.id, alone, layers):
                return {}
            at = readers[0]
        layered[name] = at.id, layers
    return layered if any(node.op == "mix" for _, layers in layered.values() for node in layers) else {}


def _behind(recording: Recording) -> dict[str, tuple[int, list[Node]]]:
    """Of each word of the state after the rounds the S-boxes that it is a bijective linear image of, and its layers;
    empty unless it is so of all."""
    nodes, alone = recording.graph.nodes, _independent(recording)
    layered: dict[str, tuple[int, list[Node]]] = {}
    for name, word in recording.outputs.items():
        if not name.startswith("S'"):
            continue
        at, layers = nodes[word], list[Node]()
        while at.op != "sub":
            into = [i for i in at.inputs if i not in alone]
            if len(into) != 1 or not _linear(at, into[0], alone, layers):
                return {}
            at = nodes[into[0]]
        layered[name] = at.id, layers[::-1]
    return layered if len({at for at, _ in layered.values()}) == len(layered) else {}


def _linear(node: Node, given: int, alone: set[int], layers: list[Node]) -> bool:
    """Whether a node is a bijective linear image of another; its layer is added to those."""
    if node.op in ("mix", "permute"):
        layers.append(node)
        return not isinstance(node.detail, Matrix) or node.detail.invertible
    return (
        node.op == "xor"
        and node.inputs.count(given) == 1
        and all(i in alone for i in node.inputs if i != given)
    )


def _independent(recording: Recording) -> set[int]:
    """The nodes that do not depend on the state."""
    moving = {node for name, node in recording.inputs.items() if name.startswith("S")}
    alone: set[int] = set()
    for node in recording.graph.nodes:
        if node.id not in moving and all(i in alone for i in node.inputs):
            alone.add(node.id)
    return alone
