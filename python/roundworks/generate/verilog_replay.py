"""Recordings put together in one graph: what one makes is what another takes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from ..lower.signatures import reachable
from ..reference import Recording
from ..reference.graph import Graph, NodeWord


@dataclass
class ReplaySheet:
    """One graph that recordings are replayed on; a word that two of them compute is there once."""

    graph: Graph = field(default_factory=Graph)
    _bodies: dict[object, Callable[[NodeWord], NodeWord]] = field(default_factory=dict)

    def words(self, letter: str, count: int, bits: int) -> list[NodeWord]:
        """Inputs, ``S0`` and so on."""
        return [self.graph.input(f"{letter}{i}", bits) for i in range(count)]

    def graph_input(self, name: str, bits: int) -> NodeWord:
        """One input of that many bits, which is there once for each name."""
        return self.graph.input(name, bits)

    def replay(self, recording: Recording, given: Mapping[str, NodeWord]) -> dict[str, NodeWord]:
        """The outputs of a recording on given words: every name of its inputs that it needs."""
        words: dict[int, NodeWord] = {}
        names = {node: name for name, node in recording.inputs.items()}
        nodes = recording.graph.nodes
        for number in reachable(recording):
            node = nodes[number]
            if number in names:
                words[number] = given[names[number]]
            elif node.unit is None:
                words[number] = self._op(recording.graph, number, words)
            else:
                unit = recording.graph.units[node.unit]
                if number == unit.output:
                    words[number] = self._unit(recording.graph, node.unit, words)
        return {name: words[number] for name, number in recording.outputs.items()}

    def _op(self, graph: Graph, number: int, words: Mapping[int, NodeWord]) -> NodeWord:
        node = graph.nodes[number]
        before = len(self.graph.nodes)
        if node.op == "const":
            assert isinstance(node.detail, int)
            made = NodeWord(self.graph, self.graph.add("const", (), node.bits, node.detail), node.bits)
        else:
            operands = [words[i] for i in node.inputs]
            made = node.apply(operands, operands[0])
        if len(self.graph.nodes) > before:
            # The line is that of the description, not of this file.
            self.graph.nodes[made.id] = replace(self.graph.nodes[made.id], line=node.line)
        return made

    def _unit(self, graph: Graph, number: int, words: Mapping[int, NodeWord]) -> NodeWord:
        """The same unit called on the same word is one."""
        unit = graph.units[number]
        inside = [node for node in graph.nodes if node.unit == number]
        place = {node.id: i for i, node in enumerate(inside)}
        outer = {i: words[i] for node in inside for i in node.inputs if i not in place}

        def named(i: int) -> int:
            return place[i] if i in place else -1 if i == unit.input else -2 - words[i].id

        shape = tuple((n.op, n.bits, n.detail, tuple(map(named, n.inputs))) for n in inside)
        key = (unit.name, place[unit.output], shape)

        def body(x: NodeWord) -> NodeWord:
            known = {**outer, unit.input: x}
            for node in inside:
                known[node.id] = self._op(graph, node.id, known)
            return known[unit.output]

        return self.graph.inside(unit.name, words[unit.input], self._bodies.setdefault(key, body))
