"""Words in registers of 128 bits with byte shuffles, and AES or GFNI instructions where a CPU has them."""

from __future__ import annotations

from ..analysis.recognise import aes_chain
from ..errors import DescriptionError
from ..reference import CellPermutation, Matrix, Node, Recording, Sbox
from .affine import apply
from .machines import Machine
from .maps import IDENTITY, BitSource, LinearMap, linear_map, on_bytes
from .sboxes import halves, looked_up, substituted
from .walk import Lowering, Parts


class Vectors(Lowering):
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
                    f" {self.machine.name} has cells of 4 and 8 bits, SystemVerilog has any, and portable has in"
                    " words of 64 bits at most"
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
        """Whether a layer is made with the layers behind it, in an AES instruction or in a look-up."""
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
        source = BitSource(lambda rows: looked_up(self.builder, value, tuple(sbox.table), rows))
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
        value = self.moved(linear_map(first, self.word_bits, self.layout), source)
        return self.linear(rest, (value,))[0] if rest else value

    def mapped(self, linear: LinearMap, parts: Parts) -> Parts:
        (value,) = parts
        source = BitSource(lambda rows: self._image(rows, value))
        return (self.moved(linear, source),)

    def moved(self, linear: LinearMap, source: BitSource) -> int:
        """A linear map on a word whose images under matrices on every byte can be had."""
        return on_bytes(self.builder, linear, source, self.machine.gfni, self.machine.pairs)

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
