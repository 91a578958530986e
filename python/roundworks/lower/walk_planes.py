"""Words of 128 bits in bit planes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from ..errors import DescriptionError
from ..reference import Graph, Node, Recording, Sbox
from ..reference.graph import Detail
from .machines import Machine
from .maps import LinearMap
from .planes import WORD, Layer, through, transposed
from .program import Program
from .walk import Lowering, Parts


class Planes(Lowering):
    """Words of 128 bits in bit planes. Layers one after another are made together, and those of equal depth
    on as many words as a cell has bits."""

    in_line = 3
    """Passes of words of one depth that stand one after another; of more each is a call. In a line gcc makes
    2,600 instructions of four passes of AES rounds, and those of AEGIS-128X4 take longer than calls on Zen 3;
    three or two are quicker in a line."""

    def prepare(self) -> None:
        cell = self.machine.cell
        for number in self.needed:
            node = self.nodes[number]
            if number not in self.given and node.op == "sub":
                assert isinstance(node.detail, Sbox)
                if node.detail.bits != cell:
                    raise DescriptionError(
                        f"{node.line}: sub {node.detail.name}: cells of {node.detail.bits} bits, in planes of"
                        f" cells of {cell}"
                    )
        kept = set(self.recording.outputs.values())
        depth: dict[int, int] = {}
        groups: dict[object, list[list[int]]] = {}
        chains: dict[int, list[int]] = {}
        self.inside: set[int] = set()
        for number in self.needed:
            node = self.nodes[number]
            inputs = () if number in self.given else node.inputs
            depth[number] = max((depth[i] for i in inputs), default=0)
            if self._layer(number):
                below = node.inputs[0]
                goes_on = self._layer(below) and self.uses[below] == 1 and below not in kept
                chains[number] = [*chains.pop(below), number] if goes_on else [number]
                depth[number] += not goes_on
        for chain in chains.values():
            self.inside.update(chain[:-1])
            key = depth[chain[0]], tuple(self.nodes[n].detail for n in chain)
            groups.setdefault(key, []).append(chain)
        self.batch = {chain[-1]: group for group in groups.values() for chain in group}

    def _layer(self, number: int) -> bool:
        return number not in self.given and self.nodes[number].op in ("sub", "mix", "permute")

    def wanted(self, node: Node) -> bool:
        return node.id in self.batch or (super().wanted(node) and node.op == "and")

    def operands(self, node: Node) -> list[int]:
        if node.id in self.batch:
            return [self.nodes[chain[0]].inputs[0] for chain in self.batch[node.id]]
        return super().operands(node)

    def make(self, node: Node) -> Parts:
        if node.id not in self.batch:
            return super().make(node)
        group, cell = self.batch[node.id], self.machine.cell
        for at in range(0, len(group), cell):
            chains = group[at : at + cell]
            words = [self.known[self.nodes[chain[0]].inputs[0]][0] for chain in chains]
            words += [self.builder.const(0)] * (cell - len(words))
            made = (self._called if len(group) > self.in_line * cell else self._passed)(chains, words)
            for chain, word in zip(chains, made, strict=False):
                self.known[chain[-1]] = (word,)
                if chain[-1] != node.id:
                    self.cuts.append((chain[-1], (word,)))
        return self.known[node.id]

    def _passed(self, chains: Sequence[Sequence[int]], words: Sequence[int]) -> Parts:
        """As many words as a cell has bits through the layers of a chain."""
        cell = self.machine.cell
        planes = transposed(self.builder, words, cell)
        for step, number in enumerate(chains[0]):
            layer = self.nodes[number]
            self.builder.line = layer.line
            assert isinstance(layer.detail, Layer)
            planes = through(self.builder, layer.detail, planes)
            for k, chain in enumerate(chains):
                if chain[step] in self.inside:
                    self.cuts.append((chain[step], tuple(v * cell + k for v in planes)))
        return transposed(self.builder, planes, cell)

    def _called(self, chains: Sequence[Sequence[int]], words: Sequence[int]) -> Parts:
        """The same by a routine, which a file has once."""
        cell = self.machine.cell
        layers = tuple((layer.op, layer.detail, layer.line) for layer in (self.nodes[n] for n in chains[0]))
        recording, routine = _routine(layers, self.machine)
        values = self.builder.call(routine, recording, words)
        # In its recording the words stand one behind another, each behind its input.
        own = {
            k * (len(layers) + 1) + 1 + s: n for k, chain in enumerate(chains) for s, n in enumerate(chain)
        }
        for number, cut in routine.cuts:
            if len(cut) > 1 and number in own:
                self.cuts.append((own[number], tuple(values[v // cell] * cell + v % cell for v in cut)))
        return tuple(values[v] for (v,) in routine.outputs.values())

    def mapped(self, linear: LinearMap, parts: Parts) -> Parts:
        raise AssertionError("layers are made on planes")

    def substituted(self, node: Node, sbox: Sbox) -> Parts:
        raise AssertionError("layers are made on planes")


class _Pass(Planes):
    """Of a routine, which calls nothing."""

    in_line = 1


@cache
def _routine(layers: tuple[tuple[str, Detail, str], ...], machine: Machine) -> tuple[Recording, Program]:
    """Words through these layers, each at its line of the description, and the program of it: one pass."""
    graph = Graph()
    inputs, outputs = {}, {}
    for k in range(machine.cell):
        number = inputs[f"W{k}"] = graph.input(f"W{k}", WORD).id
        for op, layer, line in layers:
            number = graph.add(op, (number,), WORD, layer)
            graph.nodes[number] = replace(graph.nodes[number], line=line)
        outputs[f"W'{k}"] = number
    recording = Recording("", "pass", graph, inputs, outputs)
    return recording, _Pass(recording, machine, "little").program()
