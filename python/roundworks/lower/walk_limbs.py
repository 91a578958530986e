"""Words as values of 64 bits: shifts, masks and logic, S-boxes as circuits on bit planes."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import DescriptionError
from ..reference import Node, Sbox
from .circuits import LogicCircuit, circuit
from .limbs import on_limbs
from .maps import LinearMap
from .walk import Lowering, Parts


class Limbs(Lowering):
    """Words as values of 64 bits. S-boxes of equal depth are made together, on bit-planes of n
    values, n the bits of a cell."""

    def prepare(self) -> None:
        depth: dict[int, int] = {}
        for number in self.needed:
            node = self.nodes[number]
            inputs = () if number in self.given else node.inputs
            depth[number] = max((depth[i] for i in inputs), default=0) + (
                node.op == "sub" and number not in self.given
            )
        self.batch: dict[int, list[Node]] = {}
        groups: dict[object, list[Node]] = {}
        for number in self.needed:
            node = self.nodes[number]
            if node.op == "sub" and number not in self.given:
                assert isinstance(node.detail, Sbox)
                group = groups.setdefault((depth[number], node.detail.table), [])
                group.append(node)
                self.batch[number] = group

    def operands(self, node: Node) -> list[int]:
        if node.op == "sub":
            return [n.inputs[0] for n in self.batch[node.id]]
        return super().operands(node)

    def mapped(self, linear: LinearMap, parts: Parts) -> Parts:
        return on_limbs(self.builder, linear, parts)

    def substituted(self, node: Node, sbox: Sbox) -> Parts:
        group = self.batch[node.id]
        values = [v for n in group for v in self.known[n.inputs[0]]]
        made = self.substituted_all(values, sbox)
        for k, other in enumerate(group):
            parts = tuple(made[k * self.layout.parts : (k + 1) * self.layout.parts])
            if other.id != node.id:
                self.known[other.id] = parts
                self.cuts.append((other.id, parts))
        at = group.index(node) * self.layout.parts
        return tuple(made[at : at + self.layout.parts])

    def substituted_all(self, values: Sequence[int], sbox: Sbox) -> list[int]:
        """An S-box on every cell of these values, in bit planes where there are several values."""
        bits = sbox.bits
        if self.word_bits > 64 and bits not in (2, 4, 8):
            raise DescriptionError(
                f"{self.builder.line}: sub {sbox.name}: cells of {bits} bits in words of {self.word_bits};"
                " words of more than 64 bits have cells of 2, 4 or 8 in software, and any in SystemVerilog"
            )
        gates = circuit(sbox.table)
        out: list[int] = []
        at = 0
        while at < len(values):
            group = values[at : at + bits]
            if bits in (2, 4, 8) and len(group) > 1:
                group = [*group, *[self.builder.const(0)] * (bits - len(group))]
                planes = self._exchanged(group)
                out += self._exchanged(self._gates(gates, planes))[: len(values[at : at + bits])]
                at += bits
            else:
                out.append(self._alone(gates, group[0]))
                at += 1
        return out

    def _exchanged(self, values: Sequence[int]) -> list[int]:
        """As many values as a cell has bits: bit j of every cell to value j, and back again."""
        b, result = self.builder, list(values)
        step = 1
        while step < len(result):
            mask = sum(1 << i for i in range(b.bits) if not i & step)
            for low in range(len(result)):
                if not low & step:
                    x, y = result[low], result[low + step]
                    both = b.op("xor", b.op("shr", x, imm=(b.bits, step)), y)
                    both = b.op("and", both, b.const(mask))
                    result[low + step] = b.op("xor", y, both)
                    result[low] = b.op("xor", x, b.op("shl", both, imm=(b.bits, step)))
            step *= 2
        return result

    def _alone(self, gates: LogicCircuit, value: int) -> int:
        """The circuit on one value, a plane for each bit of its cells."""
        b, bits = self.builder, gates.inputs
        word = min(b.bits, self.word_bits)
        mask = b.const(sum(1 << i for i in range(0, word, bits)))
        planes = [b.op("and", b.op("shr", value, imm=(b.bits, j)) if j else value, mask) for j in range(bits)]
        total = []
        for j, plane in enumerate(self._gates(gates, planes)):
            plane = b.op("and", plane, mask)
            total.append(b.op("shl", plane, imm=(b.bits, j)) if j else plane)
        return b.xor(*total)

    def _gates(self, gates: LogicCircuit, planes: Sequence[int]) -> list[int]:
        signals = list(planes)
        for gate in gates.gates:
            args = (gate.a,) if gate.op == "not" else (gate.a, gate.b)
            signals.append(self.builder.op(gate.op, *(signals[i] for i in args)))
        return [signals[i] for i in gates.outputs]
