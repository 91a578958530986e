"""Rounds without the linear layers after their last S-boxes, which change no property of differences or masks."""

from __future__ import annotations

from dataclasses import replace

from ..reference import Recording
from ..reference.graph import Node


def without_last_linear(recording: Recording) -> Recording:
    """The same outputs, each taken behind the last S-box layer that it is a linear image of.

    So it is where nothing but matrices, permutations, constants, and inputs that are not of the state lie
    behind one S-box layer; any other output stays as it is.
    """
    return replace(
        recording, outputs={name: _behind(recording, node) for name, node in recording.outputs.items()}
    )


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
