"""Text and pictures of a recorded round: equations to read, Graphviz dot to draw."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from ..reference import BlockCipher, Node, Permutation, Recording, Rounds, Roundwise
from ..reference.graph import Graph, GraphUnit

# op -> (label, dot class); a class is what the report's style sheet colours.
_SYMBOLS = {
    "xor": ("⊕", "xor"),
    "and": ("∧", "and"),
    "sub": ("S", "f"),
    "mix": ("M", "linear"),
    "permute": ("P", "linear"),
    "add": ("⊞", "and"),
    "cut": ("[ ]", "linear"),
    "join": ("‖", "linear"),
}
_SIGNS = {"xor": " ^ ", "and": " & ", "add": " + "}


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
            return f"{node.detail:0{-(-node.bits // 4)}x}" if node.detail else "0"
        if node.op in _SIGNS:
            joined = _SIGNS[node.op].join(text(i, inner=node.op != "xor") for i in node.inputs)
            return f"({joined})" if inner or node.op != "xor" else joined
        if node.op == "cut":
            assert isinstance(node.detail, int)
            return f"{text(node.inputs[0], inner=True)}[{node.detail}:{node.detail + node.bits}]"
        if node.op == "join":
            return f"({' || '.join(text(i) for i in node.inputs)})"
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

    It is laid out as papers draw rounds: the words in a row, each step below what it reads, a word in
    the same column before and after, and the last sums in one row. Only the wires are left to Graphviz.
    Nodes carry classes and no colours of their own.
    """
    graph = recording.graph
    closed = {u.output: u for u in graph.units}
    outputs = {name: node for name, node in recording.outputs.items() if name.startswith(part)}
    shown = graph.before(outputs.values(), {u.output: u.input for u in graph.units})
    names = {node: name for name, node in recording.inputs.items() if node in shown}
    labels = {n.id: _label(n, names, closed) for n in graph.nodes if n.id in shown}
    places = _places(recording, part, shown, {node: _width(label) for node, label in labels.items()})
    lines = [
        "digraph round {",
        '  graph [layout=neato, bgcolor="transparent", splines=true, sep="+3", esep="+2"];',
        '  node [fontname="Helvetica", fontsize=13, height=0.32, width=0.42, margin="0.05,0.03"];',
        "  edge [arrowsize=0.55];",
    ]

    def put(key: str, label: str, shape: str, cls: str, place: tuple[float, int]) -> None:
        extra = ", margin=0, width=0.24, height=0.24, fixedsize=true" if shape == "circle" else ""
        style = ", style=rounded" if cls == "f" else ""
        at = f'pos="{place[0]:.2f},{-_ROW * place[1]:.2f}!"'
        lines.append(f'  {key} [label="{label}", shape={shape}{style}{extra}, {at}, class="{cls}"];')

    for node in (n for n in graph.nodes if n.id in shown):
        key, label, place = f"n{node.id}", labels[node.id], places[node.id]
        if node.id in names:
            put(key, label, "box", "state" if names[node.id].startswith("S") else "block", place)
        elif node.id in closed:
            put(key, label, "box", "f", place)
            lines.append(f"  n{closed[node.id].input} -> {key};")
        elif node.op == "const":
            put(key, label, "plaintext", "const", place)
        else:
            put(key, label, "circle" if node.op in _SIGNS else "box", _SYMBOLS[node.op][1], place)
            lines += [f"  n{i} -> {key};" for i in node.inputs]
    last = 1 + max(row for _, row in places.values())
    below: dict[int, float] = {}
    for position, (name, node_id) in enumerate(outputs.items()):
        # A word that is only renamed is drawn in its new column: below its source stands another.
        renamed = part == "S'" and (node_id in names or node_id in list(outputs.values())[:position])
        below[position] = _COLUMN * int(name.removeprefix(part)) if renamed else places[node_id][0]
    below = _spread(below, dict.fromkeys(below, last), {})
    for position, (name, node_id) in enumerate(outputs.items()):
        cls = "keystream" if part == "Z" else "state"
        put(f"o{position}", _sub(name), "box", cls, (below[position], last))
        lines.append(f"  n{node_id} -> o{position};")
    lines.append("}")
    return "\n".join(lines) + "\n"


_COLUMN, _ROW, _APART = 1.3, 0.85, 0.65  # in inches: between words, between rows, between nodes of a row


_GAP = 0.15  # inches between the ends of long labels


def _label(node: Node, names: Mapping[int, str], closed: Mapping[int, GraphUnit]) -> str:
    """What a node says: its name, the unit it closes, the first digits of a constant, or a sign."""
    if node.id in names:
        return _sub(names[node.id])
    if node.id in closed:
        return closed[node.id].name
    if node.op == "const":
        digits = f"{node.detail:x}" if isinstance(node.detail, int) else "?"
        return digits if len(digits) < 9 else digits[:6] + "…"
    return _SYMBOLS[node.op][0]


def _width(label: str) -> float:
    """Inches of a label in its node: a digit of 13 points has a tenth of an inch."""
    return 0.1 * len(label) + 0.15


def _places(
    recording: Recording, part: str, shown: set[int], widths: Mapping[int, float]
) -> dict[int, tuple[float, int]]:
    """Node -> (inches from the left, row). A word of the state and what leads to it share a column; any
    other node is below the middle of what it reads, and an input of the round above what reads it."""
    graph, units = recording.graph, {u.output: u.input for u in recording.graph.units}
    reads = {
        n.id: [units[n.id]] if n.id in units else [i for i in n.inputs if i in shown]
        for n in graph.nodes
        if n.id in shown
    }
    outputs = {node: name for name, node in recording.outputs.items() if name.startswith(part)}
    names = {node: name for name, node in recording.inputs.items() if node in shown}
    row: dict[int, int] = {}
    for node, sources in reads.items():
        row[node] = 1 + max((row[i] for i in sources), default=-1)
    deepest = max(row.values())
    read = {i for sources in reads.values() for i in sources}  # no wire goes up
    row |= {node: max(deepest, 1) for node in outputs if node not in names and node not in read}
    wanted: dict[int, float] = {n: _COLUMN * int(name[1:]) for n, name in names.items() if name[0] == "S"}
    if part == "S'":
        wanted |= {n: _COLUMN * int(name.removeprefix(part)) for n, name in outputs.items() if n not in names}
    late = [n for n, sources in reads.items() if not sources and n not in wanted]
    for node, sources in reads.items():
        readers = [n for n, those in reads.items() if node in those]
        if node not in wanted and node not in late:
            alone = len(readers) == 1 and node not in units
            if alone and readers[0] in outputs and readers[0] in wanted:
                wanted[node] = wanted[readers[0]]  # one sum of several terms stays in its column
                continue
            middle = [wanted[i] for i in sources if i in wanted]
            wanted[node] = sum(middle) / len(middle) if middle else 0.0
    for node in late:
        readers = [n for n, sources in reads.items() if node in sources]
        row[node] = max(0, min((row[n] for n in readers), default=1) - 1)
        wanted[node] = min((wanted[n] for n in readers), default=0.0) - _COLUMN / 2
    return {node: (x, row[node]) for node, x in _spread(wanted, row, widths).items()}


def _spread(
    wanted: Mapping[int, float], row: Mapping[int, int], widths: Mapping[int, float]
) -> dict[int, float]:
    """Nodes of a row moved to the right where they would be closer than they may, by their `widths`."""
    placed: dict[int, float] = {}
    for level in sorted(set(row.values())):
        edge, half = -1e9, 0.0
        for node in sorted((n for n in wanted if row[n] == level), key=lambda n: wanted[n]):
            own = widths.get(node, 0.0) / 2
            placed[node] = edge = max(wanted[node], edge + max(_APART, half + own + _GAP))
            half = own
    return placed


def _sub(name: str) -> str:
    """S3 -> S₃."""
    return name.translate(str.maketrans("0123456789'", "₀₁₂₃₄₅₆₇₈₉′"))


def drawings_of(cipher: Roundwise, recording: Recording) -> list[dict[str, str]]:
    """The fields of the drawing rows: the round, and the keystream where there is one."""
    counts = ", ".join(f"{count} {name}" for name, count in inventory(recording.graph).items())
    if isinstance(cipher, Rounds | Permutation | BlockCipher):
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
