"""A trail drawn on the recorded graph: which cells of every S-box layer are active.

Only what changes words is drawn: inputs, S-box layers with their cells, XORs and outputs; matrices
and permutations are on the arrows between them. Words that the trail leaves alone stay pale.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..reference import Recording
from ..reference.graph import Node

_ACTIVE, _INACTIVE = "■", "·"
_THROUGH = ("mix", "permute", "cut")
_SIGNS = {"xor": "⊕", "and": "∧", "add": "⊞", "join": "‖"}


def trail_dot(recording: Recording, activity: Mapping[int, int], cell_bits: int) -> str:
    """Graphviz dot. ``activity``: for a node its pattern, bit i set where cell i is active.

    A node that has no pattern has no active cell. Nodes carry classes and no colours of their own.
    """
    graph = recording.graph
    names = {node: name for name, node in recording.inputs.items()}
    shown = graph.before(recording.outputs.values())
    moving = _moving(graph.nodes, shown)
    lines = [
        "digraph trail {",
        '  graph [rankdir=TB, nodesep=0.25, ranksep=0.3, bgcolor="transparent"];',
        '  node [fontname="Courier", fontsize=11, margin="0.06,0.03"];',
        "  edge [arrowsize=0.5];",
    ]

    def put(key: str, label: str, shape: str, kind: str, on: bool) -> None:
        small = ", margin=0, width=0.22, height=0.22, fixedsize=true" if shape == "circle" else ""
        lines.append(f'  {key} [label="{label}", shape={shape}{small}, class="{kind}{" on" if on else ""}"];')

    def arrow(source: int, key: str) -> None:
        on = bool(activity.get(source, 0))
        start = _source(graph.nodes, source)
        if start in moving:
            lines.append(f'  n{start} -> {key} [class="{"on" if on else "off"}"];')

    for node in (graph.nodes[i] for i in sorted(shown & moving)):
        key, pattern = f"n{node.id}", activity.get(node.id, 0)
        if node.id in names:
            put(key, names[node.id], "box", "state", bool(pattern))
            continue
        if node.op in _THROUGH:
            continue
        if node.op == "sub":
            put(key, _cells(pattern, node.bits // cell_bits), "box", "f", bool(pattern))
        else:
            put(key, _SIGNS[node.op], "circle", node.op, bool(pattern))
        for source in node.inputs:
            arrow(source, key)
    for i, (name, end) in enumerate(recording.outputs.items()):
        put(f"o{i}", name, "box", "state", bool(activity.get(end, 0)))
        arrow(end, f"o{i}")
    lines.append("}")
    return "\n".join(lines) + "\n"


def _cells(pattern: int, count: int) -> str:
    """Four rows where the cells fill a square or more, column by column as in AES; else one row."""
    rows = 4 if count >= 16 and count % 4 == 0 else 1
    picture = [
        "".join(_ACTIVE if pattern >> i & 1 else _INACTIVE for i in range(row, count, rows))
        for row in range(rows)
    ]
    active = pattern.bit_count()
    return "\\n".join([f"S  {active}" if active else "S", *picture])


def _source(nodes: list[Node], node: int) -> int:
    """The node that is drawn for a value: what stands before matrices, permutations and cuts."""
    while nodes[node].op in _THROUGH:
        node = nodes[node].inputs[0]
    return node


def _moving(nodes: list[Node], shown: set[int]) -> set[int]:
    """Values that depend on an input; constants have no difference and are not drawn."""
    moving: set[int] = set()
    for node in nodes:
        if node.id in shown and (node.op == "input" or any(i in moving for i in node.inputs)):
            moving.add(node.id)
    return moving
