"""Layers of AND gates rewritten as layers of S-boxes, as in bit-sliced descriptions: Ascon, Keccak, Xoodoo.

In a round whose gates read n independent sums of its n state bits, those sums stand in groups that share no gate. Where
what a group does to the state behind the round, by its bits themselves and by its gates, spans as many dimensions as it
has bits, it is an S-box in a basis of that. The recording that is made here computes the same function.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from ..reference import CellPermutation, Matrix, Recording, Sbox, gf2
from ..reference.graph import Graph, Node
from ..reference.recordings import begins

MOST_BITS = 8  # of an S-box

# A sum of bits: bit 0 is the constant, then the bits of the state before the round, then its gates.
Form = int


class _Other(Exception):
    """The round has another shape."""


@dataclass(frozen=True, slots=True)
class _Layer:
    """``words``: the nodes whose bits, one after the other, are read. ``order``: the place of each of them among the
    cells. ``sboxes``: of all groups, in that order. ``columns``: what each bit behind them is in the state after the
    round, to which ``constant`` is added; bit 0 of both is the last bit of the state."""

    words: tuple[int, ...]
    order: tuple[int, ...]
    sboxes: tuple[Sbox, ...]
    columns: tuple[int, ...]
    constant: int


def with_sboxes(recordings: Sequence[Recording], rows: Callable[[Node], list[list[int]]]) -> Recording | None:
    """The last of recordings of 1, 2, .. rounds, with S-boxes for all of its gates; None where a round has another
    shape. ``rows``: of the bits that a linear layer puts out, those that it sums."""
    whole = recordings[-1]
    if any(not name.startswith("S") for name in whole.inputs):
        return None
    if any(not begins(whole, one) for one in recordings):
        return None
    graph = Graph()
    ends = [list(whole.inputs.values())]
    ends += [[i for name, i in one.outputs.items() if name.startswith("S'")] for one in recordings]
    at = {i: graph.add("input", (), whole.graph.nodes[i].bits, None, n) for n, i in whole.inputs.items()}
    try:
        for before, after in pairwise(ends):
            layer = _layer(whole, before, after, rows)
            at |= _copied(whole, graph, at, layer.words)
            at |= _emitted(whole, graph, at, layer, after)
    except _Other:
        return None
    outputs = {name: at[i] for name, i in whole.outputs.items() if name.startswith("S'")}
    return Recording(whole.cipher, whole.part, graph, {n: at[i] for n, i in whole.inputs.items()}, outputs)


def _layer(
    whole: Recording, before: Sequence[int], after: Sequence[int], rows: Callable[[Node], list[list[int]]]
) -> _Layer:
    nodes = whole.graph.nodes
    width = sum(nodes[i].bits for i in before)
    forms, gates = _forms(whole, before, after, rows)
    reads: dict[Form, tuple[int, int, Form]] = {}  # sum -> its first place, and itself with the constant
    words: list[int] = []
    for node in (i for gate in gates for i in nodes[gate.node].inputs):
        new = [f >> 1 not in reads for f in forms[node]]
        if node not in words and any(new):
            if not all(new):
                raise _Other
            words.append(node)
            reads |= {f >> 1: (node, bit, f) for bit, f in enumerate(forms[node])}
    state = (1 << width) - 1
    places = gf2.inverse(list(reads)) if len(reads) == width and not any(f & ~state for f in reads) else None
    if places is None or sum(nodes[i].bits for i in after) != width:
        raise _Other
    number = {f: i for i, f in enumerate(reads)}
    own: list[int] = [0] * width  # of each bit that is read, what it adds to the state after the round
    of_gate = [0] * len(gates)
    constant = 0
    for form in (f for node in after for f in forms[node]):
        taken = 0
        for bit in range(width):
            if form >> 1 + bit & 1:
                taken ^= places[bit]
        flipped = sum(reads[f][2] & 1 for i, f in enumerate(reads) if taken >> i & 1)
        constant = constant << 1 | (form + flipped) & 1
        own = [column << 1 | taken >> i & 1 for i, column in enumerate(own)]
        of_gate = [column << 1 | form >> 1 + width + g & 1 for g, column in enumerate(of_gate)]
    groups = _groups([(number[g.inputs[0] >> 1], number[g.inputs[1] >> 1]) for g in gates], width)
    made = []
    for group in groups:
        pairs = [
            (
                tuple(
                    (group.inputs.index(number[f >> 1]), (f ^ reads[f >> 1][2]) & 1) for f in gates[g].inputs
                ),
                of_gate[g],
            )
            for g in group.gates
        ]
        sbox, columns = _sbox([own[i] for i in group.inputs], pairs)
        made.append((sbox, group.inputs, columns))
    made.sort(key=lambda one: one[0].table)
    cells = [i for _, inputs, _ in made for i in inputs]
    order = tuple(cells.index(i) for i in range(width))
    columns_of_all = tuple(column for _, _, columns in made for column in columns)
    return _Layer(tuple(words), order, tuple(sbox for sbox, _, _ in made), columns_of_all, constant)


@dataclass(frozen=True, slots=True)
class _Gate:
    node: int
    inputs: tuple[Form, Form]


def _forms(
    whole: Recording, before: Sequence[int], after: Sequence[int], rows: Callable[[Node], list[list[int]]]
) -> tuple[dict[int, list[Form]], list[_Gate]]:
    """Of every node of the round, its bits as sums."""
    nodes, forms = whole.graph.nodes, dict[int, list[Form]]()
    of_round = whole.graph.before(after, {i: i for i in before})
    bit = 1
    for i in before:
        forms[i] = [1 << bit + k for k in range(nodes[i].bits)]
        bit += nodes[i].bits
    gates: list[_Gate] = []
    known: dict[frozenset[Form], int] = {}
    for node in nodes:
        if node.id not in of_round or node.id in forms or any(i not in forms for i in node.inputs):
            continue
        into = [forms[i] for i in node.inputs]
        if node.op == "const":
            assert isinstance(node.detail, int)
            forms[node.id] = [node.detail >> node.bits - 1 - i & 1 for i in range(node.bits)]
        elif node.op == "xor":
            forms[node.id] = [a ^ b for a, b in zip(*into, strict=True)]
        elif node.op == "and":
            out = []
            for a, b in zip(*into, strict=True):
                if min(a, b) <= 1 or a >> 1 == b >> 1:
                    out.append(_simple(a, b))
                    continue
                if frozenset({a, b}) not in known:
                    known[frozenset({a, b})] = bit + len(gates)
                    gates.append(_Gate(node.id, (a, b)))
                out.append(1 << known[frozenset({a, b})])
            forms[node.id] = out
        elif node.op == "cut":
            assert isinstance(node.detail, int)
            forms[node.id] = into[0][node.detail : node.detail + node.bits]
        elif node.op == "join":
            forms[node.id] = [f for word in into for f in word]
        elif node.op in ("mix", "permute"):
            made = []
            for row in rows(node):
                total = 0
                for j in row:
                    total ^= into[0][j]
                made.append(total)
            forms[node.id] = made
    return forms, gates


def _simple(a: Form, b: Form) -> Form:
    """The AND with a constant, of a bit with itself, or with its complement."""
    if min(a, b) <= 1:
        return max(a, b) if min(a, b) else 0
    return a if a == b else 0


@dataclass(frozen=True, slots=True)
class _Group:
    inputs: tuple[int, ...]
    gates: tuple[int, ...]


def _groups(gates: Sequence[tuple[int, int]], width: int) -> list[_Group]:
    """Bits that gates relate, directly or through others."""
    root = list(range(width))

    def top(i: int) -> int:
        while root[i] != i:
            i = root[i]
        return i

    for a, b in gates:
        root[top(a)] = top(b)
    inputs, of = defaultdict[int, list[int]](list), defaultdict[int, list[int]](list)
    for i in range(width):
        inputs[top(i)].append(i)
    for g, (a, _) in enumerate(gates):
        of[top(a)].append(g)
    return [_Group(tuple(members), tuple(of[i])) for i, members in inputs.items()]


def _sbox(
    own: Sequence[int], gates: Sequence[tuple[tuple[tuple[int, int], ...], int]]
) -> tuple[Sbox, tuple[int, ...]]:
    """The S-box of a group, and what each of its result's bits is in the state; most significant bits first."""
    size = len(own)
    pivots, _ = gf2.eliminated([*own, *(column for _, column in gates)])
    tops = sorted(pivots, reverse=True)
    if size > MOST_BITS or len(tops) != size:
        raise _Other
    table = []
    for value in range(1 << size):
        x = [value >> size - 1 - i & 1 for i in range(size)]
        total = 0
        for bit, column in zip(x, own, strict=True):
            total ^= column * bit
        for ((a, f), (b, g)), column in gates:
            total ^= column * ((x[a] ^ f) & (x[b] ^ g))
        table.append(sum((total >> t & 1) << size - 1 - k for k, t in enumerate(tops)))
    if len(set(table)) < len(table):
        raise _Other
    return Sbox("gates", tuple(table)), tuple(pivots[t] for t in tops)


def _copied(whole: Recording, graph: Graph, at: Mapping[int, int], wanted: Sequence[int]) -> dict[int, int]:
    """The nodes that lead to these and are not there yet."""
    made = dict(at)
    for i in sorted(whole.graph.before(wanted, {i: i for i in at})):
        node = whole.graph.nodes[i]
        if i not in made and all(j in made for j in node.inputs):
            made[i] = len(graph.nodes)
            inputs = tuple(made[j] for j in node.inputs)
            graph.nodes.append(replace(node, id=made[i], inputs=inputs, unit=None))
            graph.times[made[i]] = 1
    return made


def _emitted(
    whole: Recording, graph: Graph, at: Mapping[int, int], layer: _Layer, after: Sequence[int]
) -> dict[int, int]:
    """The layer, and the linear map behind it; the words of the state after the round."""
    width = len(layer.order)
    state = graph.add("join", tuple(at[i] for i in layer.words), width)
    state = graph.add("permute", (state,), width, CellPermutation("gates", layer.order, 1))
    parts, start = [], 0
    for sbox in dict.fromkeys(layer.sboxes):
        bits = sbox.bits * layer.sboxes.count(sbox)
        cells = graph.add("cut", (state,), bits, start) if bits < width else state
        parts.append(graph.add("sub", (cells,), bits, sbox))
        start += bits
    state = graph.add("join", tuple(parts), width) if len(parts) > 1 else parts[0]
    lines = tuple(tuple(column >> width - 1 - i & 1 for column in layer.columns) for i in range(width))
    state = graph.add("mix", (state,), width, Matrix("behind gates", lines, 1))
    state = graph.add("xor", (state, graph.add("const", (), width, layer.constant)), width)
    made, first = {}, 0
    for i in after:
        bits = whole.graph.nodes[i].bits
        made[i] = graph.add("cut", (state,), bits, first)
        first += bits
    return made
