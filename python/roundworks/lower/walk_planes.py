"""Words of 128 bits in bit planes."""

from __future__ import annotations

from ..errors import DescriptionError
from ..reference import CellPermutation, Matrix, Node, Sbox
from .maps import LinearMap
from .planes import through, transposed
from .walk import Lowering, Parts


class Planes(Lowering):
    """Words of 128 bits in bit planes. Layers one after another are made together, and those of equal depth
    on as many words as a cell has bits."""

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
            planes = transposed(self.builder, words, cell)
            for step, number in enumerate(chains[0]):
                layer = self.nodes[number]
                self.builder.line = layer.line
                assert isinstance(layer.detail, Sbox | Matrix | CellPermutation)
                planes = through(self.builder, layer.detail, planes)
                for k, chain in enumerate(chains):
                    if chain[step] in self.inside:
                        self.cuts.append((chain[step], tuple(v * cell + k for v in planes)))
            for chain, word in zip(chains, transposed(self.builder, planes, cell), strict=False):
                self.known[chain[-1]] = (word,)
                if chain[-1] != node.id:
                    self.cuts.append((chain[-1], (word,)))
        return self.known[node.id]

    def mapped(self, linear: LinearMap, parts: Parts) -> Parts:
        raise AssertionError("layers are made on planes")

    def substituted(self, node: Node, sbox: Sbox) -> Parts:
        raise AssertionError("layers are made on planes")
