"""A recorded description computed again, and cut down to what some outputs need."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TypeVar

from ..errors import DescriptionError
from .components import CellPermutation, Matrix, Sbox
from .graph import Graph, Node, Recording
from .word import IntWord, Word

W = TypeVar("W", bound=Word)


OPERATIONS = {
    "add": "addition modulo 2^{bits}",
    "cut": "a part of a word of {bits} bits",
    "join": "words joined to one of {bits} bits",
}


def refuse(recording: Recording, operations: Collection[str], what: str, instead: str) -> None:
    """`DescriptionError` at the first node of one of these ``OPERATIONS``, for which ``what`` has no rule."""
    for node in recording.graph.nodes:
        if node.op in operations:
            raise refusal(node, what, instead)


def refusal(node: Node, what: str, instead: str) -> DescriptionError:
    """The error of an analysis ``what`` that has no rule for a node, and what its user can do ``instead``."""
    name = OPERATIONS.get(node.op, "an operation").format(bits=node.bits)
    return DescriptionError(f"{node.line}: {node.op}: {name}, for which {what} has no rule; {instead}")


def constants(recording: Recording) -> dict[int, int]:
    """Nodes that depend on no input, and their values."""
    known: dict[int, int] = {}
    for node in recording.graph.nodes:
        if node.op != "input" and all(i in known for i in node.inputs):
            words = [IntWord(known[i], node.bits) for i in node.inputs]
            known[node.id] = node.apply(words, IntWord(0, node.bits)).value
    return known


def run(recording: Recording, inputs: Mapping[str, W]) -> dict[int, W]:
    """The recorded description computed again, node by node."""
    names = {node: name for name, node in recording.inputs.items()}
    some = next(iter(inputs.values()))
    values: dict[int, W] = {}
    for node in recording.graph.nodes:
        if node.op == "input":
            values[node.id] = inputs[names[node.id]]
        else:
            values[node.id] = node.apply([values[i] for i in node.inputs], some)
    return values


def merged(recording: Recording) -> Recording:
    """The same with one node for one value: layers of equal content on one word are one, in whatever
    units they stand, and are executed as often as all of them together."""
    graph = Graph()
    at: dict[int, int] = {}
    first: dict[object, int] = {}
    for node in recording.graph.nodes:
        layer = node.detail
        if isinstance(layer, Sbox):
            content: object = layer.table
        elif isinstance(layer, Matrix):
            content = (layer.rows, layer.cell_bits, layer.polynomial)
        elif isinstance(layer, CellPermutation):
            content = (layer.to, layer.cell_bits)
        else:
            content = layer
        inputs = tuple(at[i] for i in node.inputs)
        key = (node.op, inputs, node.bits, content, node.id if node.op == "input" else None)
        if key not in first:
            first[key] = len(graph.nodes)
            graph.nodes.append(replace(node, id=first[key], inputs=inputs, unit=None))
        at[node.id] = first[key]
        graph.times[first[key]] += recording.graph.times[node.id]
    inputs_ = {name: at[i] for name, i in recording.inputs.items()}
    outputs = {name: at[i] for name, i in recording.outputs.items()}
    return Recording(recording.cipher, recording.part, graph, inputs_, outputs)


def restricted(recording: Recording, outputs: Iterable[str]) -> Recording:
    """Only these outputs, the nodes that lead to them, and all inputs; nodes are numbered anew.

    What leads elsewhere, such as a keystream nobody looks at, then weighs nothing.
    """
    wanted = list(outputs)
    if unknown := [name for name in wanted if name not in recording.outputs]:
        raise DescriptionError(
            f"output {unknown[0]}: {recording.cipher} has none of that name;"
            f" one of {', '.join(recording.outputs)}"
        )
    old = recording.graph.nodes
    needed = recording.graph.before(recording.outputs[name] for name in wanted)
    needed |= set(recording.inputs.values())
    number = {id_: i for i, id_ in enumerate(sorted(needed))}
    graph = Graph(
        [
            replace(old[i], id=number[i], inputs=tuple(number[j] for j in old[i].inputs), unit=None)
            for i in sorted(needed)
        ],
        times=Counter({number[i]: recording.graph.times[i] for i in needed}),
    )
    return Recording(
        recording.cipher,
        recording.part,
        graph,
        {name: number[i] for name, i in recording.inputs.items()},
        {name: number[recording.outputs[name]] for name in wanted},
    )


def tied(recording: Recording, words: Mapping[str, str]) -> Recording:
    """The same where inputs of ``words`` are the value of another input, which stays: ``{"S4": "S3"}``."""
    gone = {recording.inputs[name]: recording.inputs[other] for name, other in words.items()}
    kept = [node for node in recording.graph.nodes if node.id not in gone]
    number = {node.id: i for i, node in enumerate(kept)}
    number |= {id_: number[other] for id_, other in gone.items()}
    graph = Graph(
        [replace(n, id=number[n.id], inputs=tuple(number[i] for i in n.inputs)) for n in kept],
        times=Counter({number[n.id]: recording.graph.times[n.id] for n in kept}),
    )
    inputs = {name: number[i] for name, i in recording.inputs.items() if name not in words}
    outputs = {name: number[i] for name, i in recording.outputs.items()}
    return Recording(recording.cipher, recording.part, graph, inputs, outputs)


def begins(recording: Recording, shorter: Recording) -> bool:
    """Whether the shorter recording is how the other begins: the same operations on the same nodes."""
    known = shorter.graph.nodes
    first = recording.graph.nodes[: len(known)]
    same = ((n.op, n.bits, n.detail, n.inputs) for n in known)
    return len(first) == len(known) and all(
        (n.op, n.bits, n.detail, n.inputs) == other for n, other in zip(first, same, strict=True)
    )


def alike(recordings: Sequence[Recording]) -> bool:
    """Whether recordings of 1, 2, .. rounds begin with each other and every round is the first one again,
    but for constants that are only XORed."""
    start, state, shapes = 0, [], []
    for shorter, longer in pairwise(recordings):
        if not begins(longer, shorter):
            return False
    for count, recording in enumerate(recordings):
        if not count:
            state = [node for name, node in recording.inputs.items() if name.startswith("S")]
        end = len(recording.graph.nodes)
        shapes.append(_shape(recording, range(start, end), state))
        start, state = end, list(recording.outputs.values())
    return all(shape == shapes[0] for shape in shapes)


def _shape(recording: Recording, inside: range, state: Sequence[int]) -> list[object]:
    """What a round does to the state that it is given, whatever its nodes are called."""
    nodes = recording.graph.nodes
    masks = {i for node in nodes if node.op != "xor" for i in node.inputs}
    known: dict[int, object] = {node: ("state", i) for i, node in reversed(list(enumerate(state)))}
    shape: list[object] = []
    for node in (nodes[i] for i in range(inside.stop)):
        if node.op == "const":
            known[node.id] = ("const", node.detail if node.id in masks else None, node.bits)
        elif node.id in inside and node.id not in known:
            known[node.id] = ("node", len(shape))
            shape.append((node.op, node.bits, node.detail, [known.get(i) for i in node.inputs]))
    return [*shape, *(known.get(node) for node in recording.outputs.values())]
