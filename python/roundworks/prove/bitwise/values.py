"""The values of a recorded description, bit-wise, as a `Problem`: a solution is one computation of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from ...errors import DescriptionError
from ...reference import Node, Recording, Sbox
from ..solvers.problem import Clause, Parity, Problem, Var
from .layers import rows
from .sbox_tables import mirrored

Bit = Var | bool  # a variable, or a known value
Bits = list[Bit]

# Of two bits and a carry: their sum and the next carry. Variables a, b, c, carry.
_MAJORITY = frozenset(v | (v.bit_count() > 1) << 3 for v in range(8))


def values(problem: Problem, recording: Recording, inputs: Mapping[str, Bits]) -> dict[str, Bits]:
    """The bits of the outputs, most significant first, computed from those of the inputs."""
    names = {node: name for name, node in recording.inputs.items()}
    computed: list[Bits] = []
    for node in recording.graph.nodes:
        if node.op == "input":
            computed.append(inputs[names[node.id]])
        else:
            computed.append(_Step(problem, node).of([computed[i] for i in node.inputs]))
    return {name: computed[node] for name, node in recording.outputs.items()}


def known(value: int, bits: int) -> Bits:
    """A number as bits whose values are known."""
    return [bool(value >> bits - 1 - i & 1) for i in range(bits)]


class _Step:
    """One node; what is known stays known and costs nothing."""

    def __init__(self, problem: Problem, node: Node) -> None:
        self.problem, self.node = problem, node

    def of(self, into: list[Bits]) -> Bits:
        node = self.node
        if node.op == "const":
            assert isinstance(node.detail, int)
            return known(node.detail, node.bits)
        if node.op == "xor":
            return [self.sum(pair) for pair in zip(*into, strict=True)]
        if node.op == "and":
            return [self._and(a, b) for a, b in zip(*into, strict=True)]
        if node.op == "add":
            return self._added(*into)
        if node.op == "cut":
            assert isinstance(node.detail, int)
            return into[0][node.detail : node.detail + node.bits]
        if node.op == "join":
            return [bit for word in into for bit in word]
        if isinstance(node.detail, Sbox):
            return self._sboxes(node.detail, into[0])
        if node.op in ("permute", "mix"):
            return [self.sum([into[0][i] for i in row]) for row in rows(node)]
        raise DescriptionError(f"{node.line}: {node.op}: no clauses for its values")

    def sum(self, terms: Sequence[Bit]) -> Bit:
        """The sum of bits over GF(2)."""
        odd = sum(term for term in terms if isinstance(term, bool)) % 2 == 1
        left = [term for term in terms if not isinstance(term, bool)]
        if not left:
            return odd
        if len(left) == 1 and not odd:
            return left[0]
        total = self.problem.variable(f"{self.node.id}^")
        self.problem.add(Parity((*left, total), odd))
        return total

    def _and(self, a: Bit, b: Bit) -> Bit:
        if isinstance(a, bool):
            return b if a else False
        if isinstance(b, bool):
            return a if b else False
        both = self.problem.variable(f"{self.node.id}&")
        for clause in ((-(both + 1), a + 1), (-(both + 1), b + 1), (-(a + 1), -(b + 1), both + 1)):
            self.problem.add(Clause(clause))
        return both

    def _added(self, first: Bits, second: Bits) -> Bits:
        """From the least significant bit on."""
        out: Bits = []
        carry: Bit = False
        for place, (a, b) in enumerate(zip(reversed(first), reversed(second), strict=True), 1):
            out.append(self.sum([a, b, carry]))
            if place < len(first):
                carry = self._majority(a, b, carry)
        return out[::-1]

    def _majority(self, a: Bit, b: Bit, c: Bit) -> Bit:
        if isinstance(c, bool):
            return self._or(a, b) if c else self._and(a, b)
        if isinstance(a, bool):
            return self._or(b, c) if a else self._and(b, c)
        if isinstance(b, bool):
            return self._or(a, c) if b else self._and(a, c)
        carry = self.problem.variable(f"{self.node.id}+")
        self.problem.table([a, b, c, carry], _MAJORITY)
        return carry

    def _or(self, a: Bit, b: Bit) -> Bit:
        return self.sum([a, b, self._and(a, b)])

    def _sboxes(self, sbox: Sbox, into: Bits) -> Bits:
        out: Bits = []
        for cell in range(0, self.node.bits, sbox.bits):
            given = into[cell : cell + sbox.bits]
            if all(isinstance(bit, bool) for bit in given):
                out += known(sbox.table[int("".join("01"[bit] for bit in given), 2)], sbox.bits)
                continue
            variables = [self._variable(bit) for bit in given]
            fresh = self.problem.variables(f"{self.node.id}.{cell}", sbox.bits)
            self.problem.table([*variables, *fresh], _pairs(sbox))
            out += fresh
        return out

    def _variable(self, bit: Bit) -> Var:
        if not isinstance(bit, bool):
            return bit
        fixed = self.problem.variable(f"{self.node.id}=")
        self.problem.fix(fixed, bit)
        return fixed


@cache
def _pairs(sbox: Sbox) -> frozenset[int]:
    bits = sbox.bits
    return frozenset(mirrored(x, bits) | mirrored(y, bits) << bits for x, y in enumerate(sbox.table))
