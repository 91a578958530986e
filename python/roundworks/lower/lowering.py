"""A recorded function of a cipher as a program: the walk over its graph, and two ways to make words.

`Limbs` is for any machine: shifts, masks and logic on 64 bits, S-boxes as circuits on bit-planes.
`Vectors` is for registers of 128 bits with byte shuffles, and AES or GFNI instructions where a CPU
has them. None looks up memory by a secret or branches on one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from ..analysis.recognise import aes_chain
from ..errors import DescriptionError
from ..reference import CellPermutation, Matrix, Node, Recording, Sbox
from ..reference.recordings import refusal
from .affine import apply
from .circuits import LogicCircuit, circuit
from .columns import with_columns
from .cost import LATENCY, count, recurrence
from .limbs import on_limbs
from .maps import IDENTITY, BitSource, Layout, LinearMap, layout, linear_map, on_bytes
from .pack import packed
from .plan import reachable
from .planes import planar, through, transposed
from .program import Builder, Program, finished
from .sboxes import halves, nibbles, substituted

Parts = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Machine:
    """An instruction set: bits of a word in a value, how many a value has, and what there is beyond
    logic and shifts."""

    name: str
    bits: int
    aes: bool = False
    gfni: bool = False
    lanes: int = 1
    cell: int = 0
    """Bits of a cell where words are in bit planes."""

    def layout(self, word_bits: int, order: str = "little") -> Layout:
        """Where the bits of a word stand in its values."""
        return planar(self.cell) if self.cell else layout(word_bits, self.bits, order)


PORTABLE = Machine("portable", 64)
PLANES = {cell: Machine("portable", 128, cell=cell) for cell in (4, 8)}
"""The portable machine with words of 128 bits in planes, by the bits of a cell: operations on 128 bits that
every CPU has, and which a compiler makes of two of 64 bits where it has not."""
AESNI = Machine("aesni", 128, aes=True)
GFNI = Machine("gfni", 128, aes=True, gfni=True)
AVX2 = Machine("avx2", 128, lanes=2)
VAES256 = Machine("vaes256", 128, aes=True, lanes=2)
AVX512 = Machine("avx512", 128, gfni=True, lanes=4)
VAES512 = Machine("vaes512", 128, aes=True, gfni=True, lanes=4)
AARCH64 = Machine("aarch64", 128, aes=True)
MACHINES = {
    machine.name: machine for machine in (PORTABLE, AESNI, GFNI, AVX2, AVX512, VAES256, VAES512, AARCH64)
}


def lower(recording: Recording, machine: Machine, order: str = "little") -> Program:
    """The program of a recording.

    Parameters
    ----------
    order
        Of the bytes of a word in a 64-bit value, see `byte_order`; registers of 128 bits have that of memory.

    Raises
    ------
    DescriptionError
        ``my.py:12: sub S: cells of 5 bits; aesni has cells of 4 and 8 bits``
    """
    program = single(recording, machine, order)
    return packed(program, machine.lanes) if machine.lanes > 1 else program


def byte_order(machine: Machine, often: Sequence[Recording], others: Sequence[Recording] = ()) -> str:
    """The order of the bytes of a word in which the functions that run often take fewest operations.

    Where a function has cells of an S-box that are no part of a byte it is that of numbers, "big": in the
    other one the bits of such a cell do not follow one another.
    """
    if machine.bits != 64:
        return "little"
    boxes = {node.detail for r in (*often, *others) for node in r.graph.nodes if node.op == "sub"}
    if any(isinstance(box, Sbox) and 8 % box.bits for box in boxes):
        return "big"
    return min(("little", "big"), key=lambda order: sum(len(lower(r, machine, order).ops) for r in often))


def single(recording: Recording, machine: Machine, order: str = "little", alone: bool = False) -> Program:
    """The same with one word a value, whatever lanes the machine has.

    Parameters
    ----------
    alone
        Where nothing else is under way, an AES round whose result a sum takes, and something else too, is
        computed twice, with the other terms as its key: the sum is there without an XOR behind the round.
    """
    if machine.cell:
        return _Planes(recording, machine, order).program()
    if machine.bits == 64:
        return _Limbs(recording, machine, order).program()
    folded, apart = (
        with_columns(_Vectors(recording, machine, order, alone, apart).program())
        for apart in (False, machine.aes)
    )
    # Equal work: then the round that waits for itself less.
    better = count(apart) <= count(folded) and recurrence(apart) < recurrence(folded)
    return apart if better else folded


class _Walk(ABC):
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
            )
        if self.layout.parts * machine.bits < self.word_bits or self.layout.parts > (
            1 if machine.bits == 128 else 64
        ):
            raise DescriptionError(
                f"{recording.cipher}: words of {self.word_bits} bits; {machine.name} has words of up to 128"
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
        self.prepare()
        for number in self.needed:
            if self.wanted(self.nodes[number]):
                self.value(number)
        outputs = {name: self.value(node) for name, node in self.recording.outputs.items()}
        return finished(self.builder, self.recording.part, outputs, self.cuts)

    @abstractmethod
    def prepare(self) -> None:
        """Before the walk."""

    def wanted(self, node: Node) -> bool:
        """Whether a node is made when the walk reaches it, not when something takes it."""
        return node.id not in self.given and node.op in ("sub", "and")

    def value(self, number: int) -> Parts:
        """The values of a node."""
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


class _Limbs(_Walk):
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
        bits = sbox.bits
        if self.word_bits > 64 and bits not in (2, 4, 8):
            raise DescriptionError(
                f"{self.builder.line}: sub {sbox.name}: cells of {bits} bits in words of {self.word_bits};"
                " words of more than 64 bits have cells of 2, 4 or 8"
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


class _Planes(_Walk):
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


class _Vectors(_Walk):
    """Each word in a register of 128 bits."""

    def __init__(self, recording: Recording, machine: Machine, order: str, alone: bool, apart: bool) -> None:
        super().__init__(recording, machine, order)
        self.alone, self.apart = alone, apart

    def prepare(self) -> None:
        for number in self.needed:
            node = self.nodes[number]
            if node.op == "sub" and isinstance(node.detail, Sbox) and node.detail.bits not in (4, 8):
                raise DescriptionError(
                    f"{node.line}: sub {node.detail.name}: cells of {node.detail.bits} bits;"
                    f" {self.machine.name} has cells of 4 and 8 bits"
                )
        self.outputs = set(self.recording.outputs.values())
        self.users: dict[int, set[int]] = {}
        for number in self.needed:
            for i in self.nodes[number].inputs if number not in self.given else ():
                self.users.setdefault(i, set()).add(number)

    def aes(self, number: int) -> tuple[str, int] | None:
        """The AES instruction that a node is, and its input."""
        node = self.nodes[number]
        if not self.machine.aes or number in self.given:
            return None
        chain = aes_chain(self.nodes, node)
        if chain is None:
            return None
        # A layer inside that something else takes is made by itself.
        inner = number
        while inner != chain[1]:
            if inner != number and self.uses[inner] > 1:
                return None
            inner = self.nodes[inner].inputs[0]
        return chain

    def wanted(self, node: Node) -> bool:
        # A layer inside an AES instruction, or looked up with the layers behind it, is made with them.
        return super().wanted(node) and (node.op != "sub" or not self.taken_in(node.id))

    def taken_in(self, number: int) -> bool:
        users = [self.nodes[n] for n in self.users.get(number, ())]
        if len(users) != 1 or users[0].op not in ("sub", "permute", "mix") or number in self.outputs:
            return self.aes(number) is not None
        return (
            self.aes(number) is not None
            or self.aes(users[0].id) is not None
            or self.fused(number)
            or self.taken_in(users[0].id)
        )

    def fused(self, number: int) -> bool:
        """Whether an S-box of 4 bits is looked up together with the linear layers behind it."""
        node = self.nodes[number]
        if node.op != "sub" or number in self.given or number in self.outputs:
            return False
        assert isinstance(node.detail, Sbox)
        users = [self.nodes[n] for n in self.users.get(number, ())]
        return node.detail.bits == 4 and len(users) == 1 and users[0].op in ("mix", "permute")

    def operands(self, node: Node) -> list[int]:
        if (chain := self.aes(node.id)) is not None:
            return [chain[1]]
        if node.op == "xor":
            key = self._instruction(node)
            return [self.aes(t)[1] if t == key else t for t in self.terms(node)]  # type: ignore[index]
        if node.op in ("mix", "permute"):
            below = self.chain(node)[1]
            return [self.nodes[below].inputs[0]] if self.fused(below) else [below]
        return super().operands(node)

    def _instruction(self, node: Node) -> int | None:
        """The term of a sum that takes the others as its round key: the deepest."""
        candidates = [
            t
            for t in self.terms(node)
            if (self.alone or (t not in self.known and self.uses[t] == 1)) and self.aes(t) is not None
        ]
        return max(candidates, default=None)

    def make(self, node: Node) -> Parts:
        if (chain := self.aes(node.id)) is not None:
            kind, below = chain
            return (self.builder.op(kind, *self.known[below], self.builder.const(0)),)
        if node.op == "xor" and (term := self._instruction(node)) is not None:
            kind, below = self.aes(term)  # type: ignore[misc]
            terms = [t for t in self.terms(node) if t != term]
            # A word of the state that is added behind the round does not wait for the whole of it.
            late = [t for t in terms if self.apart and self.given.get(t, "").startswith("S")]
            early = [t for t in terms if t not in late]
            if not early:
                early, late = late, []
            key = self.added([self.known[t] for t in early])
            made = self.builder.op(kind, *self.known[below], *key)
            return self.added([*(self.known[t] for t in late), (made,)])

        if node.op in ("mix", "permute"):
            layers, below = self.chain(node)
            if self.fused(below):
                sub = self.nodes[below]
                return self.linear(tuple(layers), self.known[sub.inputs[0]], sub.detail)
        return super().make(node)

    def linear(
        self, layers: tuple[Matrix | CellPermutation, ...], parts: Parts, sbox: object = None
    ) -> Parts:
        if not isinstance(sbox, Sbox):
            return super().linear(layers, parts)
        (value,) = parts
        source = BitSource(lambda rows: halves(self.builder, value, *nibbles(tuple(sbox.table), rows)))
        ways = []
        for cut in range(len(layers)):
            first, rest = layers[: len(layers) - cut], layers[len(layers) - cut :]
            ways.append(lambda first=first, rest=rest: self._behind(first, rest, source))
        return (self.builder.best(ways),)

    def _behind(
        self,
        first: tuple[Matrix | CellPermutation, ...],
        rest: tuple[Matrix | CellPermutation, ...],
        source: BitSource,
    ) -> int:
        """Layers looked up with the S-box, then the others."""
        value = on_bytes(
            self.builder, linear_map(first, self.word_bits, self.layout), source, self.machine.gfni
        )
        return self.linear(rest, (value,))[0] if rest else value

    def mapped(self, linear: LinearMap, parts: Parts) -> Parts:
        (value,) = parts
        source = BitSource(lambda rows: self._image(rows, value))
        return (on_bytes(self.builder, linear, source, self.machine.gfni),)

    def _image(self, rows: tuple[int, ...], value: int) -> int:
        """A matrix on every byte."""
        b = self.builder
        if rows == IDENTITY:
            return value
        if self.machine.gfni:
            return b.op("affine", value, imm=(rows, 0))
        if all(row in (0, 1 << r) for r, row in enumerate(rows)):
            mask = sum(1 << r for r, row in enumerate(rows) if row)
            return b.op("and", value, b.const(int.from_bytes(bytes([mask]) * 16, "little")))
        low, high = (tuple(apply(rows, x << 4 * half) for x in range(16)) for half in (0, 1))
        return halves(b, value, low, high)

    def substituted(self, node: Node, sbox: Sbox) -> Parts:
        (value,) = self.known[node.inputs[0]]
        return (substituted(self.builder, value, sbox, self.machine.gfni, self.machine.aes),)
