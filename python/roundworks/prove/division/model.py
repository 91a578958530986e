"""Division trails of a recorded graph, bit-wise, as a `Problem`. [TODO-MORII] [XIANG]

How a layer is modelled decides how much is lost. An S-box and an AND gate are exact each by itself.
A binary matrix of few rows is exact too: u goes to v exactly where the minor of rows v and columns
u is invertible. Any other linear layer is taken as a circuit of COPY and XOR that shares partial
sums, which lets too much through and nothing too little.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations
from typing import cast

from ...errors import DescriptionError
from ...reference import gf2
from ...reference.components import CellPermutation, Matrix, Sbox
from ...reference.graph import Node, Recording
from ...reference.recordings import constants
from ..bitwise import sbox_tables
from ..bitwise.layers import circuit, rows
from ..solvers.problem import Clause, Problem, Var
from .walk import walk

Bit = Var | None  # None: not in the product
Bits = list[Bit]
EXACT_ROWS = 5  # a matrix of this many cells is a table of 2^10 values


@dataclass
class DivisionModel:
    """Division trails from ``active`` input bits to single bits of the outputs."""

    recording: Recording
    problem: Problem = field(default_factory=Problem)
    outputs: dict[str, Bits] = field(default_factory=dict)
    circuits: set[str] = field(default_factory=set)  # layers taken as COPY and XOR

    def targets(self) -> dict[tuple[str, int], Bit]:
        """(output, bit) -> its variable; bit 0 is the most significant."""
        return {(name, i): b for name, bits in self.outputs.items() for i, b in enumerate(bits)}


def model(recording: Recording, active: Mapping[str, int]) -> DivisionModel:
    """``active``: input -> mask of the bits that take all values, bit 0 the least significant."""
    building = _Builder(DivisionModel(recording))
    building.model.outputs = walk(recording, active, building.start, building.step, building.copies)
    return building.model


class _Builder:
    def __init__(self, model: DivisionModel) -> None:
        self.model = model
        self.problem = model.problem
        self.constants = constants(model.recording)

    def step(self, node: Node, into: list[Bits]) -> Bits:
        if node.op == "xor":
            return [self._xor(pair, node) for pair in zip(*into, strict=True)]
        if node.op == "and":
            return self._and(node, into)
        if node.op == "cut":
            return self._cut(node, into[0])
        if node.op == "join":
            return [bit for word in into for bit in word]
        if isinstance(node.detail, Sbox):
            return self._sboxes(node, node.detail, into[0])
        if isinstance(node.detail, CellPermutation):
            return [into[0][row[0]] for row in rows(node)]
        return self._matrix(node, into[0])

    def _cut(self, node: Node, word: Bits) -> Bits:
        """Bits that are left out must not be in any product, as those of a word that nobody uses."""
        first = cast(int, node.detail)
        for bit in (*word[:first], *word[first + node.bits :]):
            if bit is not None:
                self.problem.fix(bit, False)
        return word[first : first + node.bits]

    def start(self, node: Node, mask: int) -> Bits:
        if mask >> node.bits:
            raise DescriptionError(
                f"active bits of {node.name}: want at most {node.bits} bits, got {mask:#x}"
            )
        bits: Bits = []
        for i in range(node.bits):
            if mask >> (node.bits - 1 - i) & 1:
                bits.append(self.problem.variable(f"{node.name}.{i}"))
                self.problem.add(Clause((bits[-1] + 1,)))  # type: ignore[operator]
            else:
                bits.append(None)
        return bits

    def copies(self, bits: Bits, count: int, node: Node) -> list[Bits]:
        """COPY: exactly one copy of a bit in the product is in it. [XIANG]"""
        if count <= 1:
            # A word nobody uses must not be in any product, and leads nowhere.
            if not count:
                for bit in bits:
                    if bit is not None:
                        self.problem.fix(bit, False)
            return [bits] * count
        copies: list[Bits] = [[] for _ in range(count)]
        for i, bit in enumerate(bits):
            made = [None] * count if bit is None else self._split(bit, count, f"{node.id}.{i}")
            for copy, part in zip(copies, made, strict=True):
                copy.append(part)
        return copies

    def _split(self, bit: Var, count: int, name: str) -> list[Bit]:
        parts = self.problem.variables(f"{name}c", count)
        self._one_of(bit, parts)
        return list(parts)

    def _xor(self, terms: Sequence[Bit], node: Node) -> Bit:
        """XOR: at most one term is in the product, and the sum is if one is."""
        present = [t for t in terms if t is not None]
        if len(present) < 2:
            return present[0] if present else None
        total = self.problem.variable(f"{node.id}+")
        self._one_of(total, present)
        return total

    def _one_of(self, whole: Var, parts: Sequence[Var]) -> None:
        """whole = sum of the parts, as integers."""
        self.problem.add(Clause((-(whole + 1), *(p + 1 for p in parts))))
        for part in parts:
            self.problem.add(Clause((-(part + 1), whole + 1)))
        for a, b in combinations(parts, 2):
            self.problem.add(Clause((-(a + 1), -(b + 1))))

    def _and(self, node: Node, into: list[Bits]) -> Bits:
        """AND: in the product if either input is; a known constant passes a bit or ends it."""
        for k, source in enumerate(node.inputs):
            if (value := self.constants.get(source)) is not None:
                out: Bits = []
                for i, bit in enumerate(into[1 - k]):
                    passes = value >> (node.bits - 1 - i) & 1
                    if not passes and bit is not None:
                        self.problem.fix(bit, False)
                    out.append(bit if passes else None)
                return out
        made: Bits = []
        for a, b in zip(*into, strict=True):
            if a is None or b is None:
                made.append(b if a is None else a)
                continue
            both = self.problem.variable(f"{node.id}&")
            for literals in ((-(a + 1), both + 1), (-(b + 1), both + 1)):
                self.problem.add(Clause(literals))
            self.problem.add(Clause((-(both + 1), a + 1, b + 1)))
            made.append(both)
        return made

    def _sboxes(self, node: Node, sbox: Sbox, into: Bits) -> Bits:
        out: Bits = []
        for cell in range(0, node.bits, sbox.bits):
            known = into[cell : cell + sbox.bits]
            if all(bit is None for bit in known):
                out += [None] * sbox.bits
                continue
            fresh: Bits = list(self.problem.variables(f"{node.id}.{cell}", sbox.bits))
            self.problem.table([*known, *fresh], _sbox_values(sbox))
            out += fresh
        return out

    def _matrix(self, node: Node, into: Bits) -> Bits:
        matrix = node.detail
        assert isinstance(matrix, Matrix)
        width, cell = matrix.size * matrix.cell_bits, matrix.cell_bits
        binary = all(entry in (0, 1) for row in matrix.rows for entry in row)
        out: Bits = []
        if binary and matrix.size <= EXACT_ROWS:
            allowed = minors(matrix.rows)
            for start in range(0, node.bits, width):
                group: Bits = [None] * width
                for bit in range(cell):
                    places = range(bit, width, cell)
                    known = [into[start + p] for p in places]
                    if all(b is None for b in known):
                        continue
                    fresh: Bits = list(self.problem.variables(f"{node.id}.{start}", matrix.size))
                    self.problem.table([*known, *fresh], allowed)
                    for place, made in zip(places, fresh, strict=True):
                        group[place] = made
                out += group
            return out
        self.model.circuits.add(matrix.name)
        one = tuple(tuple(row) for row in rows(node)[:width])
        for start in range(0, node.bits, width):
            out += self._circuit(node, into[start : start + width], one)
        return out

    def _circuit(self, node: Node, into: Bits, sums: tuple[tuple[int, ...], ...]) -> Bits:
        gates, ends = circuit(node, len(into), sums)
        uses: dict[int, int] = defaultdict(int)
        for source in [s for gate in gates for s in gate] + [s for end in ends for s in end]:
            uses[source] += 1
        parts: dict[int, list[Bit]] = {}

        def offer(signal: int, bit: Bit) -> None:
            count = uses[signal]
            if bit is None or count == 1:
                parts[signal] = [bit] * count
            elif count:
                parts[signal] = self._split(bit, count, f"{node.id}.{signal}")
            else:
                self.problem.fix(bit, False)

        for signal, bit in enumerate(into):
            offer(signal, bit)
        for i, gate in enumerate(gates):
            offer(len(into) + i, self._xor([parts[s].pop() for s in gate], node))
        return [self._xor([parts[s].pop() for s in end], node) for end in ends]


@cache
def _sbox_values(sbox: Sbox) -> frozenset[int]:
    mirrored, bits = sbox_tables.mirrored, sbox.bits
    return frozenset(
        mirrored(k, bits) | mirrored(out, bits) << bits
        for k, outs in sbox_tables.division_steps(sbox).items()
        for out in outs
    )


@cache
def minors(matrix: tuple[tuple[int, ...], ...]) -> frozenset[int]:
    """u | v << n for every invertible minor of rows v and columns u. [ZHANG-RIJMEN]"""
    n = len(matrix)
    allowed = {0}
    for k in range(1, n + 1):
        for chosen in combinations(range(n), k):
            for columns in combinations(range(n), k):
                minor = [sum(matrix[i][j] << c for c, j in enumerate(columns)) for i in chosen]
                if gf2.rank(minor) == k:
                    allowed.add(sum(1 << j for j in columns) | sum(1 << n + i for i in chosen))
    return frozenset(allowed)
