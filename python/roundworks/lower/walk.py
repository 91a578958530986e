"""The walk over a recorded graph that makes a program of it, without the way in which words are kept."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Sequence

from ..errors import DescriptionError
from ..reference import CellPermutation, Matrix, Node, Recording, Sbox
from ..reference.recordings import refusal
from .cost import LATENCY
from .machines import Machine
from .maps import Layout, LinearMap, linear_map
from .program import Builder, Program, finished
from .signatures import reachable

Parts = tuple[int, ...]


class Lowering(ABC):
    """Nodes in order; linear layers one after another as one, S-boxes of a depth together."""

    def __init__(self, recording: Recording, machine: Machine, order: str) -> None:
        self.recording, self.machine = recording, machine
        self.nodes = recording.graph.nodes
        self.needed = reachable(recording)
        self.word_bits = max((self.nodes[n].bits for n in self.needed), default=machine.bits)
        self.layout: Layout = machine.layout(self.word_bits, order)
        if (machine.lanes > 1 or machine.cell) and self.word_bits != 128:
            raise DescriptionError(
                f"{recording.cipher}: words of {self.word_bits} bits; {machine.name} has words of 128"
                + ("" if machine.cell else ", back ends of one word a register have others")
            )
        if self.layout.parts * machine.bits < self.word_bits or self.layout.parts > (
            1 if machine.bits == 128 else 64
        ):
            raise DescriptionError(
                f"{recording.cipher}: words of {self.word_bits} bits; {machine.name} has words of up to 128,"
                " portable has wider ones"
            )
        self.given = {node: name for name, node in recording.inputs.items() if node in set(self.needed)}
        self.uses = Counter(i for n in self.needed if n not in self.given for i in self.nodes[n].inputs)
        self.uses.update(recording.outputs.values())
        names = tuple((self.given[n], k) for n in self.given for k in range(self.layout.parts))
        self.builder = Builder(machine.bits, names)
        self.known: dict[int, Parts] = {}
        self.times = [0] * len(names)
        for at, node in enumerate(self.given):
            first = at * self.layout.parts
            self.known[node] = tuple(range(first, first + self.layout.parts))
        self.cuts: list[tuple[int, Parts]] = []

    def program(self) -> Program:
        """The program of the whole recording."""
        self.prepare()
        for number in self.needed:
            if self.wanted(self.nodes[number]):
                self.value(number)
        outputs = {name: self.value(node) for name, node in self.recording.outputs.items()}
        return finished(self.builder, self.recording.part, outputs, self.cuts)

    @abstractmethod
    def prepare(self) -> None:
        """Learn what the walk needs of the whole recording, before it begins."""

    def wanted(self, node: Node) -> bool:
        """Whether a node is made when the walk reaches it, not when something takes it."""
        return node.id not in self.given and node.op in ("sub", "and")

    def value(self, number: int) -> Parts:
        """The values that hold the word of a node, which is made first if it is not there."""
        if number not in self.known:
            todo = [number]
            while todo:
                node = self.nodes[todo[-1]]
                missing = [i for i in self.operands(node) if i not in self.known]
                if missing:
                    todo += missing
                    continue
                todo.pop()
                if node.id not in self.known:
                    self.builder.line = node.line
                    self.known[node.id] = self.make(node)
                    self.cuts.append((node.id, self.known[node.id]))
        return self.known[number]

    def operands(self, node: Node) -> list[int]:
        """What must be there before a node is made."""
        if node.op == "xor":
            return self.terms(node)
        if node.op in ("mix", "permute"):
            return [self.chain(node)[1]]
        return list(node.inputs)

    def terms(self, node: Node) -> list[int]:
        """What a tree of XORs adds up, opened where an inner sum has no other use."""
        result: list[int] = []
        for operand in node.inputs:
            inner = self.nodes[operand]
            opened = inner.op == "xor" and self.uses[operand] == 1 and operand not in self.known
            result += self.terms(inner) if opened else [operand]
        return result

    def chain(self, node: Node) -> tuple[list[Matrix | CellPermutation], int]:
        """Linear layers that end in a node and have no other use, first one first, and their input."""
        layers: list[Matrix | CellPermutation] = []
        number = node.id
        while True:
            inner = self.nodes[number]
            assert isinstance(inner.detail, Matrix | CellPermutation)
            layers.insert(0, inner.detail)
            number = inner.inputs[0]
            below = self.nodes[number]
            if below.op not in ("mix", "permute") or self.uses[number] > 1 or number in self.known:
                return layers, number

    def make(self, node: Node) -> Parts:
        """Operations for a node whose operands are there; the values that hold its word.

        Raises
        ------
        DescriptionError
            The node is an operation for which code generation has no rule.
        """
        match node.op:
            case "const":
                assert isinstance(node.detail, int)
                return tuple(self.builder.const(part) for part in self.layout.value(node.detail))
            case "xor":
                return self.added([self.known[t] for t in self.terms(node)])
            case "and":
                pairs = zip(*(self.known[i] for i in node.inputs), strict=True)
                return tuple(self.builder.op("and", a, b) for a, b in pairs)
            case "sub":
                assert isinstance(node.detail, Sbox)
                return self.substituted(node, node.detail)
            case "mix" | "permute":
                layers, below = self.chain(node)
                return self.linear(tuple(layers), self.known[below])
        raise refusal(node, "code generation", "want XOR, AND, S-boxes, matrices and permutations")

    def added(self, terms: Sequence[Parts]) -> Parts:
        """A sum; what is there first is added first, for the last is waited for."""
        ordered = sorted(terms, key=max)
        return tuple(self._folded(part) for part in zip(*ordered, strict=True))

    def _folded(self, values: Sequence[int]) -> int:
        todo = [(self._there(value), value) for value in values]
        while len(todo) > 1:
            todo.sort()
            total = self.builder.op("xor", *(value for _, value in todo[:2]))
            todo = [*todo[2:], (self._there(total), total)]
        return todo[0][1]

    def _there(self, value: int) -> int:
        """Cycles after which a value is there."""
        for op in self.builder.ops[len(self.times) - len(self.builder.inputs) :]:
            before = max((self.times[a] for a in op.args), default=0)
            self.times.append(before + (0 if op.kind == "const" else LATENCY.get(op.kind, 1)))
        return self.times[value]

    def linear(self, layers: tuple[Matrix | CellPermutation, ...], parts: Parts) -> Parts:
        """Layers as one map, or one by one, whichever takes fewer operations."""
        splits: list[list[tuple[Matrix | CellPermutation, ...]]] = [[layers]]
        if len(layers) > 1:
            splits.append([(layer,) for layer in layers])
        costs = []
        for split in splits:
            with self.builder.trial() as count:
                self._one_by_one(split, parts)
                costs.append(count())
        return self._one_by_one(splits[costs.index(min(costs))], parts)

    def _one_by_one(self, split: Sequence[tuple[Matrix | CellPermutation, ...]], parts: Parts) -> Parts:
        for layers in split:
            parts = self.mapped(linear_map(layers, self.word_bits, self.layout), parts)
        return parts

    @abstractmethod
    def mapped(self, linear: LinearMap, parts: Parts) -> Parts:
        """A linear map on the values of a word."""

    @abstractmethod
    def substituted(self, node: Node, sbox: Sbox) -> Parts:
        """An S-box on every cell of the node's input."""
