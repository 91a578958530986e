"""Text and pictures of a recorded round: equations to read, Graphviz dot to draw."""

from __future__ import annotations

from collections import Counter

from ..reference import Permutation, Recording, Rounds, Roundwise
from ..reference.graph import Graph

# op -> (label, dot class); a class is what the report's style sheet colours.
_SYMBOLS = {
    "xor": ("⊕", "xor"),
    "and": ("∧", "and"),
    "sub": ("S", "f"),
    "mix": ("M", "linear"),
    "permute": ("P", "linear"),
}


def equations(recording: Recording) -> list[str]:
    """``S'1 = F(S0) ^ S3``, a line for every output word."""
    names = {node: name for name, node in recording.inputs.items()}
    closed = {u.output: u for u in recording.graph.units}

    def text(node_id: int, *, inner: bool = False) -> str:
        if node_id in names:
            return names[node_id]
        if node_id in closed:
            return f"{closed[node_id].name}({text(closed[node_id].input)})"
        node = recording.graph.nodes[node_id]
        if node.op == "const":
            assert isinstance(node.detail, int)
            return f"{node.detail:0{node.bits // 4}x}" if node.detail else "0"
        if node.op in ("xor", "and"):
            sign = " ^ " if node.op == "xor" else " & "
            joined = sign.join(text(i, inner=node.op == "and") for i in node.inputs)
            return f"({joined})" if inner or node.op == "and" else joined
        label = getattr(node.detail, "name", node.op)
        return f"{label}({text(node.inputs[0])})"

    return [f"{name} = {text(node)}" for name, node in recording.outputs.items()]


def inventory(graph: Graph) -> dict[str, int]:
    """How many of each operation, and of each unit, the graph holds."""
    counted = Counter(node.op for node in graph.nodes if node.op not in ("input", "const"))
    counted.update(f"unit {unit.name}" for unit in graph.units)
    return dict(sorted(counted.items()))


def round_dot(recording: Recording, part: str = "S'") -> str:
    """The part of a round that makes the outputs named ``part``.. as Graphviz dot, units closed.

    Word i keeps its column from S_i to S'_i, so the wiring is what crosses. Nodes carry classes
    and no colours of their own.
    """
    graph = recording.graph
    closed = {u.output: u for u in graph.units}
    outputs = {name: node for name, node in recording.outputs.items() if name.startswith(part)}
    shown = graph.before(outputs.values(), {u.output: u.input for u in graph.units})
    names = {node: name for name, node in recording.inputs.items() if node in shown}
    column = {node: name[1:] for node, name in names.items() if name.startswith("S")}
    column |= {node: name.removeprefix(part) for name, node in outputs.items() if node not in names}
    lines = [
        "digraph round {",
        '  graph [rankdir=TB, nodesep=0.3, ranksep=0.55, bgcolor="transparent", splines=true];',
        '  node [fontname="Helvetica", fontsize=13, height=0.32, width=0.42, margin="0.05,0.03"];',
        "  edge [arrowsize=0.55];",
    ]

    def put(key: str, label: str, shape: str, cls: str, group: str | None) -> None:
        extra = ", margin=0, width=0.24, height=0.24, fixedsize=true" if shape == "circle" else ""
        style = ", style=rounded" if cls == "f" else ""
        column_of = f', group="w{group}"' if group is not None else ""
        lines.append(f'  {key} [label="{label}", shape={shape}{style}{extra}{column_of}, class="{cls}"];')

    f_row = []
    for node in (n for n in graph.nodes if n.id in shown):
        key = f"n{node.id}"
        if node.id in names:
            name = names[node.id]
            cls = "state" if name.startswith("S") else "block"
            put(key, _sub(name), "box", cls, column.get(node.id))
        elif node.id in closed:
            unit = closed[node.id]
            put(key, unit.name, "box", "f", column.get(unit.input))
            lines.append(f"  n{unit.input} -> {key};")
            if unit.input in column:
                f_row.append((int(column[unit.input]), key))
        elif node.op == "const":
            label = f"{node.detail:x}" if isinstance(node.detail, int) else "?"
            put(key, label if len(label) < 9 else label[:6] + "…", "plaintext", "const", None)
        else:
            label, cls = _SYMBOLS[node.op]
            shape = "circle" if node.op in ("xor", "and") else "box"
            put(key, label, shape, cls, column.get(node.id))
            lines += [f"  n{i} -> {key};" for i in node.inputs]
    for position, (name, node_id) in enumerate(outputs.items()):
        put(
            f"o{position}",
            _sub(name),
            "box",
            "keystream" if part == "Z" else "state",
            name.removeprefix(part),
        )
        lines.append(f"  n{node_id} -> o{position};")
    state = [f"n{i}" for i, name in names.items() if name.startswith("S")]
    rows = [
        state,
        [key for _, key in sorted(f_row)] if part != "Z" else [],
        [f"o{p}" for p in range(len(outputs))],
    ]
    # Invisible edges keep the words in their order from left to right.
    for row in rows:
        if len(row) > 1:
            lines.append("  { rank=same; " + " -> ".join(row) + " [style=invis]; }")
    lines.append("}")
    return "\n".join(lines) + "\n"


def _sub(name: str) -> str:
    """S3 -> S₃."""
    return name.translate(str.maketrans("0123456789'", "₀₁₂₃₄₅₆₇₈₉′"))


def drawings_of(cipher: Roundwise, recording: Recording) -> list[dict[str, str]]:
    """The fields of the drawing rows: the round, and the keystream where there is one."""
    counts = ", ".join(f"{count} {name}" for name, count in inventory(recording.graph).items())
    if isinstance(cipher, Rounds | Permutation):
        words = "one word" if cipher.words == 1 else f"{cipher.words} words"
        return [
            {
                "cipher": cipher.name,
                "title": f"{cipher.name}: one round",
                "caption": f"Round 0 of what a block goes through, on {words} of"
                f" {cipher.word_bits} bits. The recorded graph has {counts}.",
                "dot": round_dot(recording, "S'"),
                "shows": "round",
            }
        ]
    return [
        {
            "cipher": cipher.name,
            "title": f"{cipher.name}: one round",
            "caption": f"Next state from {cipher.words} words and {cipher.rate_words} of the block."
            f" The recorded graph of round and keystream has {counts}.",
            "dot": round_dot(recording, "S'"),
            "shows": "round",
        },
        {
            "cipher": cipher.name,
            "title": f"{cipher.name}: keystream",
            "caption": "What is XORed to a block of message before the block is absorbed.",
            "dot": round_dot(recording, "Z"),
            "shows": "keystream",
        },
    ]
