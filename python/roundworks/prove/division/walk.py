"""What both division models have in common: COPY before each use, and the nodes in order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from ...errors import DescriptionError
from ...reference.graph import Node, Recording
from ...reference.recordings import constants, refuse

Vector = TypeVar("Vector")  # of a word: its bits, or the number of them; None where there are none


def walk(
    recording: Recording,
    active: Mapping[str, int],
    start: Callable[[Node, int], Vector],
    step: Callable[[Node, list[Vector]], Vector],
    copies: Callable[[Vector, int, Node], Sequence[Vector]],
) -> dict[str, Vector]:
    """The vectors of the outputs. ``start`` makes that of an input or constant from its ``active`` bits,
    ``step`` that of any other node from copies of what comes in, and ``copies`` as many as are used.

    Raises
    ------
    DescriptionError
        ``active bits of Q: not an input of present; one of S0``
    """
    if unknown := set(active) - set(recording.inputs):
        raise DescriptionError(
            f"active bits of {min(unknown)}: not an input of {recording.cipher};"
            f" one of {', '.join(recording.inputs)}"
        )
    if not any(active.values()):
        raise DescriptionError("active bits: want at least one, got none")
    refuse(recording, ["add"], "the division property", "want AND, XOR and S-boxes in its place")
    given = {recording.inputs[name]: value for name, value in active.items()}
    fixed, nodes = constants(recording), recording.graph.nodes
    uses = Counter(i for node in nodes for i in node.inputs)
    uses.update(recording.outputs.values())
    waiting: dict[int, list[Vector]] = {}
    for node in nodes:
        into = [waiting[i].pop() for i in node.inputs]
        is_start = node.op == "input" or node.id in fixed
        vector = start(node, given.get(node.id, 0)) if is_start else step(node, into)
        waiting[node.id] = list(copies(vector, uses[node.id], node))
    return {name: waiting[source].pop() for name, source in recording.outputs.items()}
