"""A recording run backwards: the state before from the state after, keys and blocks given.

A value is known by what is known around it: from the result of a bijection its operand, of an XOR one
operand from the result and the other. So a substitution-permutation network and a Feistel network alike
are inverted without any hint.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import DescriptionError
from ..reference import CellPermutation, Matrix, Recording, Sbox, gf2
from ..reference.graph import Graph, Node


def inverse(recording: Recording) -> Recording:
    """Inputs: the outputs S'0.., and the inputs that are not of the state; outputs: S0.. .

    Raises
    ------
    DescriptionError
        ``toy: 2 rounds: S0 does not follow from the state after: not a bijection, or not seen to be one``
    """
    building = _Inverse(recording)
    building.run()
    return building.recording()


class _Inverse:
    def __init__(self, recording: Recording) -> None:
        self.of, self.nodes, self.graph = recording, recording.graph.nodes, Graph()
        self.known: dict[int, int] = {}  # node of the recording -> node of the inverse
        self.inputs: dict[str, int] = {}
        self.cuts: dict[int, list[Node]] = {}  # node -> parts that are cut from it
        for node in self.nodes:
            if node.op == "cut":
                self.cuts.setdefault(node.inputs[0], []).append(node)
        after = {name: id_ for name, id_ in recording.outputs.items() if name.startswith("S'")}
        given = {name: id_ for name, id_ in recording.inputs.items() if not name.startswith("S")}
        for name, id_ in {**after, **given}.items():
            self.inputs[name] = self.graph.add("input", (), self.nodes[id_].bits, None, name)
            self.known.setdefault(id_, self.inputs[name])

    def run(self) -> None:
        """Everything that follows, until nothing more does."""
        changed = True
        while changed:
            before = len(self.known)
            for node in reversed(self.nodes):
                self._parts(node)
                self._backwards(node)
            for node in self.nodes:
                self._forwards(node)
            changed = len(self.known) > before

    def _forwards(self, node: Node) -> None:
        if node.op != "input" and node.id not in self.known and all(i in self.known for i in node.inputs):
            inputs = tuple(self.known[i] for i in node.inputs)
            self.known[node.id] = self.graph.add(node.op, inputs, node.bits, node.detail)

    def _parts(self, node: Node) -> None:
        """Of words that are joined each by itself, and of a word that is cut all of it, if its parts are known."""
        if node.op == "join" and node.id in self.known:
            first = 0
            for i in node.inputs:
                bits = self.nodes[i].bits
                if i not in self.known:
                    self.known[i] = self.graph.add("cut", (self.known[node.id],), bits, first)
                first += bits
        if node.id not in self.known:
            cut = {n.detail: n for n in self.cuts.get(node.id, ()) if n.id in self.known}
            parts: list[int] = []
            first = 0
            while first in cut:
                parts.append(self.known[cut[first].id])
                first += cut[first].bits
            if first == node.bits:
                self.known[node.id] = self.graph.add("join", tuple(parts), node.bits)

    def _backwards(self, node: Node) -> None:
        unknown = [i for i in node.inputs if i not in self.known]
        if node.id not in self.known or len(unknown) != 1:
            return
        result, layer = self.known[node.id], node.detail
        if node.op == "xor" and len(set(node.inputs)) == 2:
            other = self.known[next(i for i in node.inputs if i in self.known)]
            self.known[unknown[0]] = self.graph.add("xor", (result, other), node.bits)
        elif isinstance(layer, Sbox) and layer.bijective:
            self.known[unknown[0]] = self.graph.add("sub", (result,), node.bits, inverse_sbox(layer))
        elif isinstance(layer, Matrix) and layer.invertible:
            self.known[unknown[0]] = self.graph.add("mix", (result,), node.bits, inverse_matrix(layer))
        elif isinstance(layer, CellPermutation):
            self.known[unknown[0]] = self.graph.add(
                "permute", (result,), node.bits, inverse_permutation(layer)
            )

    def recording(self) -> Recording:
        """The inverse, or why there is none."""
        outputs = {}
        for name, id_ in self.of.inputs.items():
            if name.startswith("S"):
                if id_ not in self.known:
                    raise DescriptionError(
                        f"{self.of.cipher}: {self.of.part}: {name} does not follow from the state after: not a"
                        " bijection, or not seen to be one"
                    )
                outputs[name] = self.known[id_]
        return Recording(self.of.cipher, f"inverse of {self.of.part}", self.graph, self.inputs, outputs)


def inverse_sbox(sbox: Sbox) -> Sbox:
    """The table of the inverse of a bijection."""
    return Sbox(f"{sbox.name}^-1", tuple(sbox.table.index(y) for y in range(len(sbox.table))))


def inverse_permutation(permutation: CellPermutation) -> CellPermutation:
    """The permutation that undoes it."""
    return CellPermutation(f"{permutation.name}^-1", _inverted(permutation.to), permutation.cell_bits)


def inverse_matrix(matrix: Matrix) -> Matrix:
    """The inverse over single bits, whatever the cells of the matrix are."""
    width = matrix.size * matrix.cell_bits
    # Bit i of a column in row i, as gf2 wants them; in a word row 0 is the most significant.
    columns = [sum((c >> width - 1 - i & 1) << i for i in range(width)) for c in matrix.bit_columns]
    back = gf2.inverse(columns)
    if back is None:
        raise DescriptionError(f"matrix {matrix.name}: not invertible")
    rows = tuple(tuple(back[j] >> i & 1 for j in range(width)) for i in range(width))
    return Matrix(f"{matrix.name}^-1", rows, 1)


def _inverted(to: Sequence[int]) -> tuple[int, ...]:
    return tuple(to.index(i) for i in range(len(to)))
