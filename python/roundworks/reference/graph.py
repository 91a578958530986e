"""Words that write down what was done to them, and the graph of it.

The graph is what every analysis, drawing and hardware check walks. Nodes are in topological order
and know the line of the description they come from and how often it computes them; a *unit* is a
named function of one word (F, an AES round) that analyses may take as a whole.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from ..errors import DescriptionError
from .components import CellPermutation, Matrix, Sbox
from .placed import refusal
from .word import W, Word, join

Detail = Sbox | Matrix | CellPermutation | int | None
_HERE = Path(__file__).parent
_MACHINERY = {
    str(_HERE / name)
    for name in (
        "graph.py",
        "record.py",
        "word.py",
        "stream.py",
        "sponge.py",
        "aead.py",
        "permutation.py",
        "block.py",
    )
}


@dataclass(frozen=True, slots=True)
class Node:
    """One operation. ``op`` is input, const, xor, and, add, sub, mix, permute, cut or join.

    ``detail`` is the layer of sub, mix and permute, the value of a const, and of a cut the place of its
    first bit, 0 being the most significant.
    """

    id: int
    op: str
    inputs: tuple[int, ...]
    bits: int
    detail: Detail
    name: str | None
    unit: int | None
    line: str

    def apply(self, words: Sequence[W], like: W) -> W:
        """What the operation makes of the words of its inputs; ``like`` is any word of the same kind."""
        if self.op == "xor":
            return words[0] ^ words[1]
        if self.op == "and":
            return words[0] & words[1]
        if self.op == "add":
            return words[0] + words[1]
        if self.op == "join":
            return join(words)
        if self.op == "cut":
            assert isinstance(self.detail, int)
            return words[0].cut(self.detail, self.bits)
        if isinstance(self.detail, Sbox):
            return words[0].sub(self.detail)
        if isinstance(self.detail, Matrix):
            return words[0].mix(self.detail)
        if isinstance(self.detail, CellPermutation):
            return words[0].permute(self.detail)
        if isinstance(self.detail, int):
            return like.constant(self.detail, self.bits)
        raise DescriptionError(f"{self.line}: node {self.id}: operation {self.op} is not known")


@dataclass(frozen=True, slots=True)
class GraphUnit:
    """One call of a function marked ``@unit``: one word in, one word out."""

    id: int
    name: str
    input: int
    output: int


@dataclass
class Graph:
    """Nodes in topological order, and the units among them."""

    nodes: list[Node] = field(default_factory=list)
    units: list[GraphUnit] = field(default_factory=list)
    times: Counter[int] = field(default_factory=Counter)
    """How often the description computes a node: a value is recorded once and may be computed again."""
    _open_unit: int | None = None
    _unit_times: dict[int, Counter[int]] = field(default_factory=dict)
    _known: dict[tuple[object, ...], int] = field(default_factory=dict)

    def add(
        self, op: str, inputs: tuple[int, ...], bits: int, detail: Detail = None, name: str | None = None
    ) -> int:
        """A node; the same operation on the same inputs in the same place is recorded once."""
        key = (op, inputs, bits, detail, name, self._open_unit)
        if op != "input" and key in self._known:
            self.times[self._known[key]] += 1
            return self._known[key]
        node = Node(
            id=len(self.nodes),
            op=op,
            inputs=inputs,
            bits=bits,
            detail=detail,
            name=name,
            unit=self._open_unit,
            line=_caller(),
        )
        self.nodes.append(node)
        self._known[key] = node.id
        self.times[node.id] = 1
        return node.id

    def before(self, ends: Iterable[int], closed: Mapping[int, int] = MappingProxyType({})) -> set[int]:
        """The nodes that ``ends`` depend on, and these; ``closed``: a unit's output -> its input, where what
        is inside is left out."""
        seen: set[int] = set()
        todo = list(ends)
        while todo:
            node = todo.pop()
            if node not in seen:
                seen.add(node)
                todo += [closed[node]] if node in closed else self.nodes[node].inputs
        return seen

    def input(self, name: str, bits: int) -> NodeWord:
        """A new input word."""
        return NodeWord(self, self.add("input", (), bits, None, name), bits)

    def inside(self, name: str, word: NodeWord, body: Callable[[NodeWord], NodeWord]) -> NodeWord:
        """Record ``body`` as a unit. Units do not nest: the outermost one is what counts."""
        if self._open_unit is not None:
            return body(word)
        # Two functions may bear one name; only the same function gives the same word again.
        called = (name, body, word.id)
        if called in self._known:
            out_id = self._known[called]
            again = self.nodes[out_id].unit
            assert again is not None
            self.times.update(self._unit_times[again])
            return NodeWord(self, out_id, word.bits)
        self._open_unit = len(self.units)
        self.units.append(GraphUnit(self._open_unit, name, word.id, -1))
        try:
            out = body(word)
        finally:
            unit_id, self._open_unit = self._open_unit, None
        if not isinstance(out, NodeWord):
            raise refusal(f"unit {name}: want one word returned, got {type(out).__name__}")
        if self.nodes[out.id].unit != unit_id:
            raise refusal(f"unit {name}: want a word made of its own, by at least one layer")
        self.units[unit_id] = GraphUnit(unit_id, name, word.id, out.id)
        self._unit_times[unit_id] = Counter({n.id: self.times[n.id] for n in self.nodes if n.unit == unit_id})
        self._known[called] = out.id
        return out


class NodeWord(Word):
    """A word that is a node of a graph."""

    __slots__ = ("bits", "graph", "id")

    def __init__(self, graph: Graph, node: int, bits: int) -> None:
        self.graph = graph
        self.id = node
        self.bits = bits

    def lift(self, other: NodeWord | int) -> NodeWord:
        return self._of_this_graph(super().lift(other))

    def _of_this_graph(self, other: NodeWord) -> NodeWord:
        """Its number would be that of some other node here."""
        if other.graph is not self.graph:
            raise refusal(
                "a word of an earlier call: a step may use the words that it is given, and none that it kept"
            )
        return other

    def _new(self, op: str, *inputs: NodeWord, detail: Detail = None, bits: int | None = None) -> NodeWord:
        bits = bits or self.bits
        node = self.graph.add(op, tuple(w.id for w in inputs), bits, detail)
        return NodeWord(self.graph, node, bits)

    def constant(self, value: int, bits: int) -> NodeWord:
        return self._new("const", detail=value, bits=bits)

    def _xor(self, other: NodeWord) -> NodeWord:
        return self._new("xor", self, other)

    def _and(self, other: NodeWord) -> NodeWord:
        return self._new("and", self, other)

    def _add(self, other: NodeWord) -> NodeWord:
        return self._new("add", self, other)

    def _cut(self, first: int, bits: int) -> NodeWord:
        return self._new("cut", self, detail=first, bits=bits)

    def _join(self, others: Sequence[NodeWord]) -> NodeWord:
        total = self.bits + sum(word.bits for word in others)
        return self._new("join", self, *map(self._of_this_graph, others), bits=total)

    def sub(self, sbox: Sbox) -> NodeWord:
        self._check_cells("S-box", sbox.name, sbox.bits, 1)
        return self._new("sub", self, detail=sbox)

    def mix(self, matrix: Matrix) -> NodeWord:
        self._check_cells("matrix", matrix.name, matrix.cell_bits, matrix.size)
        return self._new("mix", self, detail=matrix)

    def permute(self, permutation: CellPermutation) -> NodeWord:
        p = permutation
        self._check_cells("permutation", p.name, p.cell_bits, len(p.to))
        return self._new("permute", self, detail=permutation)

    def in_unit(self, name: str, body: Callable[[NodeWord], NodeWord]) -> NodeWord:
        return self.graph.inside(name, self, body)


@dataclass(frozen=True, slots=True)
class Recording:
    """A part of a cipher as a graph: named words in, named words out (node ids)."""

    cipher: str
    part: str
    graph: Graph
    inputs: dict[str, int]
    outputs: dict[str, int]

    def dependencies(self, output: str) -> set[str]:
        """Names of the inputs that ``output`` depends on."""
        before = self.graph.before([self.outputs[output]])
        return {name for name, node in self.inputs.items() if node in before}


def _caller() -> str:
    """file:line of the description that made a node."""
    frame = sys._getframe(2)
    while frame.f_back is not None and frame.f_code.co_filename in _MACHINERY:
        frame = frame.f_back
    return f"{os.path.basename(frame.f_code.co_filename)}:{frame.f_lineno}"
