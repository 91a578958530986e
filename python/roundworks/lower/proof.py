"""A program proven equal to the recording it was made from, for all inputs, by canonical forms.

Both are executed on symbols: a bit is a sum over GF(2) of monomials, each a product of bits of one
cell. What an S-box or an AND leaves is renamed once both sides were found equal there (a cut), so
that no form grows beyond the functions of one cell. Two bits are equal exactly when their sums are,
with products of sums multiplied out; nothing is sampled and no solver is used. A program whose cuts
cannot be matched is refused, not believed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from ..errors import DescriptionError
from ..reference import CellPermutation, Node, Recording, Sbox
from .maps import Layout
from .monomials import Bits, Monomials
from .program import Op, Program, units
from .signatures import reachable
from .symbolic import layer, operation
from .vanishing import vanishes


class NotEqual(DescriptionError):
    """A program computes something else than its description, or cannot be followed."""


@dataclass(frozen=True, slots=True)
class Proof:
    """What was shown: ``operations`` followed, ``cuts`` at which both sides were equal."""

    function: str
    operations: int
    cuts: int


def prove(program: Program, recording: Recording, layout: Layout, given: Layout | None = None) -> Proof:
    """Follow both to the end.

    Parameters
    ----------
    given
        Where the bits of inputs stand, if elsewhere than those of outputs.

    Raises
    ------
    NotEqual
        ``update: toy.py:17: bit 3 of the program differs from the description``
    """
    return _Prover(program, recording, layout, given or layout).run()


class _Prover:
    def __init__(self, program: Program, recording: Recording, layout: Layout, given: Layout) -> None:
        self.program, self.recording, self.layout, self.given = program, recording, layout, given
        self.nodes = recording.graph.nodes
        self.symbols = Monomials()
        self.word = len(layout.place)
        self.known: dict[int, Bits] = {}
        self.values: list[Bits] = []
        self.needed = reachable(recording)
        inputs = set(recording.inputs.values())
        self.cells: dict[int, int] = {}
        self.renamed: set[int] = set()
        self.before: dict[int, int] = {}
        """What each symbol stands for that was given at a cut."""
        for number in self.needed:
            node = self.nodes[number]
            if number in inputs:
                continue
            if node.op == "sub":
                assert isinstance(node.detail, Sbox)
                below, bits = node.inputs[0], node.detail.bits
                self.cells[below] = max(self.cells.get(below, 1), bits)
                # An S-box behind layers that move whole cells sees the cells of what is below them.
                while below not in inputs and self._moves(self.nodes[below], bits):
                    below = self.nodes[below].inputs[0]
                    self.cells[below] = max(self.cells.get(below, 1), bits)
            # The AND of a word with itself is that word, which keeps its name.
            if node.op == "and" and node.inputs[0] != node.inputs[1]:
                self.renamed.add(number)

    @staticmethod
    def _moves(node: Node, bits: int) -> bool:
        return (
            node.op == "permute" and isinstance(d := node.detail, CellPermutation) and d.cell_bits % bits == 0
        )

    def run(self) -> Proof:
        program = self.program
        for name, node in self.recording.inputs.items():
            if node in set(self.needed):
                self.known[node] = self._fresh(self.cells.get(node, 1))
            elif any(n == name for n, _ in program.inputs):
                self.known[node] = self._fresh(1)
        words = [self._input(*each) for each in program.inputs]
        for i in range(0, len(words), program.lanes):
            self.values.append([bit for word in words[i : i + program.lanes] for bit in word])
        at: dict[int, list[tuple[int, tuple[int, ...]]]] = {}
        for node, values in program.cuts:
            at.setdefault(max(values) // self._form(values)[1], []).append((node, values))
        checked = self._cut(at, range(len(self.values)))
        for op in program.ops:
            try:
                self.values.append(self._in_lanes(op, [self.values[i] for i in op.args]))
            except LookupError:
                raise NotEqual(
                    f"{program.function}: {op.line}: {op.kind}: bits of several cells, which no proof here follows"
                ) from None
            checked += self._cut(at, (len(self.values) - 1,))
        for name, values in program.outputs.items():
            self._compare(self.recording.outputs[name], values)
        return Proof(program.function, len(program.ops), checked + len(program.outputs))

    def _input(self, name: str, part: int) -> Bits:
        """Of a lane without a word anything."""
        return self._placed(self.known[self.recording.inputs[name]], part) if name else self._any_bits()

    def _any_bits(self) -> Bits:
        return [self.symbols.group(1)[0] for _ in range(self.layout.limb)]

    def _fresh(self, cell: int) -> Bits:
        """Bits of a word, counted from the most significant, in groups of a cell."""
        bits: Bits = []
        while len(bits) < self.word:
            bits += reversed(self.symbols.group(min(cell, self.word - len(bits))))
        return bits

    def _placed(self, bits: Bits, part: int) -> Bits:
        result = [0] * self.given.limb
        for d, place in enumerate(self.given.place):
            if place // self.given.limb == part:
                result[place % self.given.limb] = bits[d]
        return result

    def _cut(self, at: dict[int, list[tuple[int, tuple[int, ...]]]], new: Sequence[int]) -> int:
        done = 0
        for value in new:
            # What the description has twice, and the program once, gets one name.
            same: dict[tuple[int, ...], list[int]] = {}
            for node, values in at.get(value, ()):
                same.setdefault(values, []).append(node)
            for values, nodes in same.items():
                for node in nodes:
                    self._compare(node, values)
                done += len(nodes)
                if any(node in self.cells or node in self.renamed for node in nodes):
                    self._rename(nodes, values)
        return done

    def _rename(self, nodes: Sequence[int], values: Sequence[int]) -> None:
        """New symbols for nodes that are equal, and for the values that hold them."""
        fresh = self._fresh(max(self.cells.get(node, 1) for node in nodes))
        for bit, old in zip(fresh, self.known[nodes[0]], strict=True):
            self.before[bit.bit_length() - 1] = old
        self.known.update(dict.fromkeys(nodes, fresh))
        # Bits of a value outside the word stay as they are.
        limb, lanes = self._form(values)
        for value in {v // lanes for v in values}:
            self.values[value] = list(self.values[value])
        for bit, place in zip(fresh, self.layout.place, strict=True):
            value, lane = divmod(values[place // limb], lanes)
            self.values[value][lane * limb + place % limb] = bit

    def _form(self, values: Sequence[int]) -> tuple[int, int]:
        """Bits of a word in each of the values of a cut or an output, and of how many words a value has bits."""
        if (n := units(len(values), self.layout.parts)) > 1:
            return self.program.bits // n, n
        return self.layout.limb, self.program.lanes

    def _compare(self, node: int, values: Sequence[int]) -> None:
        want = self._node(node)
        limb, lanes = self._form(values)
        for d, place in enumerate(self.layout.place):
            value, lane = divmod(values[place // limb], lanes)
            actual = self.values[value][lane * limb + place % limb]
            # A program may compute again what has a symbol since a cut, or multiply out a product.
            try:
                equal = actual == want[d] or vanishes(self.symbols, actual ^ want[d], self.before)
            except LookupError:
                raise NotEqual(
                    f"{self.program.function}: {self.nodes[node].line}: bit {d}: products of long sums, which no"
                    " proof here follows"
                ) from None
            if not equal:
                raise NotEqual(
                    f"{self.program.function}: {self.nodes[node].line}: bit {d} of the program differs from"
                    " the description"
                )

    def _node(self, number: int) -> Bits:
        todo = [number]
        while todo:
            node = self.nodes[todo[-1]]
            missing = [] if node.id in self.known else [i for i in node.inputs if i not in self.known]
            if missing:
                todo += missing
                continue
            todo.pop()
            if node.id not in self.known:
                self.known[node.id] = self._described(node, [self.known[i] for i in node.inputs])
        return self.known[number]

    def _described(self, node: Node, inputs: list[Bits]) -> Bits:
        detail = node.detail
        if node.op == "const":
            assert isinstance(detail, int)
            return [detail >> self.word - 1 - d & 1 for d in range(self.word)]
        if node.op == "xor":
            return [a ^ b for a, b in zip(*inputs, strict=True)]
        if node.op == "and":
            return [self.symbols.times(a, b) for a, b in zip(*inputs, strict=True)]
        (bits,) = inputs
        try:
            return layer(self.symbols, bits, detail)
        except LookupError:
            raise NotEqual(
                f"{self.program.function}: {node.line}: {node.op}: its input is no value of the program"
            ) from None

    def _in_lanes(self, op: Op, a: list[Bits]) -> Bits:
        """An operation on each lane alike, but for those that know of lanes."""
        size, lanes, imm = self.program.bits, self.program.lanes, cast(Any, op.imm)
        if op.kind == "const":
            return [imm >> i & 1 for i in range(size * lanes)]
        parts = [[bits[at : at + size] for at in range(0, len(bits), size)] for bits in a]
        if op.kind == "lanes":
            every = [lane for part in parts for lane in part]
            return [bit for i in imm for bit in every[i]]
        if lanes == 1:
            return operation(self.symbols, op, [part[0] for part in parts], size)
        return [bit for k in range(lanes) for bit in self._followed(op, [part[k] for part in parts])]

    def _followed(self, op: Op, lane: list[Bits]) -> Bits:
        """An operation on one of several lanes. What cannot be followed may be anything: that of a lane
        without a word is taken by nothing, and another is found to differ."""
        try:
            return operation(self.symbols, op, lane, self.program.bits)
        except LookupError:
            return self._any_bits()
