"""A program proven equal to the recording it was made from, for all inputs, by canonical forms.

Both are executed on symbols: a bit is a sum over GF(2) of monomials, each a product of bits of one
cell. What an S-box or an AND leaves is renamed once both sides were found equal there (a cut), so
that no form grows beyond the functions of one cell. Two bits are equal exactly when their sums are;
nothing is sampled and no solver is used. A program whose cuts cannot be matched is refused, not
believed.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from ..errors import DescriptionError
from ..reference import CellPermutation, Matrix, Node, Recording, Sbox
from ..reference.aes import MIX_COLUMNS, SHIFT_ROWS, SUB_BYTES
from .maps import Layout
from .plan import reachable
from .program import Immediate, Op, Program, evaluate, interleaved, units

Bits = list[int]


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


class _Symbols:
    """Monomials: those of a group of k bits have 2^k numbers, by the subset they multiply; number 0 of
    all is the constant 1."""

    def __init__(self) -> None:
        self.bases = [0]
        self.sizes = [0]
        self.end = 1
        self.products: dict[tuple[int, int], int] = {}

    def group(self, bits: int) -> Bits:
        """Fresh bits that may be multiplied with one another."""
        self.bases.append(self.end)
        self.sizes.append(bits)
        result = [1 << self.end + (1 << i) for i in range(bits)]
        self.end += 1 << bits
        return result

    def of(self, value: int) -> int | None:
        """The group that all of a form but its constant is in; 0 for a constant, None for several."""
        value &= ~1
        if not value:
            return 0
        at = bisect_right(self.bases, (value & -value).bit_length() - 1) - 1
        high = bisect_right(self.bases, value.bit_length() - 1) - 1
        return at if at == high else None

    def table(self, value: int, group: int) -> int:
        """The truth table of a form in a group."""
        size = self.sizes[group]
        local = value >> self.bases[group] & (1 << (1 << size)) - 1
        return _moebius(local | value & 1, size)

    def form(self, table: int, group: int) -> int:
        """The form with this truth table."""
        size = self.sizes[group]
        local = _moebius(table, size)
        return (local >> 1 << 1) << self.bases[group] | local & 1

    def times(self, a: int, b: int) -> int:
        """The product of two forms."""
        if a == b:
            return a
        groups = {self.of(a), self.of(b)} - {0}
        if not groups:
            return a & b & 1
        if a in (0, 1) or b in (0, 1):
            return b if a == 1 else a if b == 1 else 0
        if len(groups) == 1 and None not in groups:
            (group,) = groups
            assert group is not None
            return self.form(self.table(a, group) & self.table(b, group), group)
        # A product of its own, of the parts without constants.
        p, q = sorted((a & ~1, b & ~1))
        if p == q:
            product = p
        else:
            if (p, q) not in self.products:
                (self.products[p, q],) = self.group(1)
            product = self.products[p, q]
        # (x + c)(y + d) = xy + c y + d x + cd, where x and y have no constant.
        x, y, c, d = a & ~1, b & ~1, a & 1, b & 1
        return product ^ c * y ^ d * x ^ c * d

    def apply(self, bits: Sequence[int], function: Sequence[int]) -> Bits:
        """A function of a few bits, all of one group, to the same number of bits, by its table."""
        groups = {self.of(b) for b in bits} - {0}
        if None in groups or len(groups) > 1:
            raise LookupError
        if not groups:
            value = function[sum((b & 1) << i for i, b in enumerate(bits))]
            return [value >> i & 1 for i in range(len(bits))]
        (group,) = groups
        assert group is not None
        base, size = self.bases[group], self.sizes[group]
        mask = (1 << (1 << size)) - 1
        local = tuple(b >> base & mask | b & 1 for b in bits)
        return [(f >> 1 << 1) << base | f & 1 for f in _applied(local, size, tuple(function))]


@lru_cache(1 << 14)
def _applied(forms: tuple[int, ...], size: int, function: tuple[int, ...]) -> tuple[int, ...]:
    """The forms of a function of the bits with these forms in a group of `size` bits, counted from its
    first. The cells of a word, and the words of a state, pass the same few."""
    tables = [_moebius(form, size) for form in forms]
    out = [0] * len(forms)
    for row in range(1 << size):
        value = function[sum((t >> row & 1) << i for i, t in enumerate(tables))]
        for i in range(len(forms)):
            out[i] |= (value >> i & 1) << row
    return tuple(_moebius(t, size) for t in out)


def _moebius(table: int, size: int) -> int:
    """Truth table to monomials and back; row r has variable i set where bit i of r is."""
    for half, low in _halves(size):
        table ^= (table & low) << half
    return table


@cache
def _halves(size: int) -> tuple[tuple[int, int], ...]:
    """For each variable, by how many rows setting it moves one, and the rows where it is not set."""
    return tuple(
        (1 << i, sum(((1 << (1 << i)) - 1) << at for at in range(0, 1 << size, 2 << i))) for i in range(size)
    )


@cache
def _byte_table(kind: str, imm: Immediate) -> tuple[int, ...]:
    """What an operation on bytes makes of each."""
    return tuple(evaluate(Op(kind, (0,), imm), [x], 8) for x in range(256))


class _Prover:
    def __init__(self, program: Program, recording: Recording, layout: Layout, given: Layout) -> None:
        self.program, self.recording, self.layout, self.given = program, recording, layout, given
        self.nodes = recording.graph.nodes
        self.symbols = _Symbols()
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
            if not self._equal(actual, want[d]):
                raise NotEqual(
                    f"{self.program.function}: {self.nodes[node].line}: bit {d} of the program differs from"
                    " the description"
                )

    def _equal(self, a: int, b: int) -> bool:
        """Whether two bits are the same sum, where a symbol given at a cut and what it stands for are: a
        program may compute again what it has."""
        left = a ^ b
        while left:
            # What the last symbol stands for has earlier ones alone, so that nothing else removes it.
            last = left.bit_length() - 1
            if last not in self.before:
                return False
            left ^= (1 << last) ^ self.before[last]
        return True

    # -- the description -----------------------------------------------------------------------
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
            return self._layer(bits, detail)
        except LookupError:
            raise NotEqual(
                f"{self.program.function}: {node.line}: {node.op}: its input is no value of the program"
            ) from None

    def _layer(self, bits: Bits, detail: object) -> Bits:
        if isinstance(detail, Sbox):
            out: Bits = []
            for at in range(0, self.word, detail.bits):
                cell = bits[at : at + detail.bits][::-1]
                out += self.symbols.apply(cell, detail.table)[::-1]
            return out
        if isinstance(detail, CellPermutation):
            width = detail.cell_bits
            out = [0] * self.word
            for source, to in enumerate(detail.to):
                out[to * width : (to + 1) * width] = bits[source * width : (source + 1) * width]
            return out
        assert isinstance(detail, Matrix)
        group = detail.size * detail.cell_bits
        out = [0] * self.word
        for start in range(0, self.word, group):
            for i, image in enumerate(detail.bit_columns):
                bit = bits[start + i]
                while image:
                    high = image.bit_length() - 1
                    out[start + group - 1 - high] ^= bit
                    image ^= 1 << high
        return out

    # -- the program ---------------------------------------------------------------------------
    def _in_lanes(self, op: Op, a: list[Bits]) -> Bits:
        """An operation on each lane alike, but for those that know of lanes."""
        size, lanes, imm = self.program.bits, self.program.lanes, _any(op.imm)
        if op.kind == "const":
            return [imm >> i & 1 for i in range(size * lanes)]
        parts = [[bits[at : at + size] for at in range(0, len(bits), size)] for bits in a]
        if op.kind == "lanes":
            every = [lane for part in parts for lane in part]
            return [bit for i in imm for bit in every[i]]
        if lanes == 1:
            return self._operation(op, [part[0] for part in parts])
        return [bit for k in range(lanes) for bit in self._followed(op, [part[k] for part in parts])]

    def _followed(self, op: Op, lane: list[Bits]) -> Bits:
        """An operation on one of several lanes. What cannot be followed may be anything: that of a lane
        without a word is taken by nothing, and another is found to differ."""
        try:
            return self._operation(op, lane)
        except LookupError:
            return self._any_bits()

    def _operation(self, op: Op, a: list[Bits]) -> Bits:
        size, imm = self.program.bits, _any(op.imm)
        s = self.symbols
        match op.kind:
            case "xor":
                return [x ^ y for x, y in zip(*a, strict=True)]
            case "and":
                return [s.times(x, y) for x, y in zip(*a, strict=True)]
            case "andnot":
                return [s.times(x, y ^ 1) for x, y in zip(*a, strict=True)]
            case "or":
                return [x ^ y ^ s.times(x, y) for x, y in zip(*a, strict=True)]
            case "not":
                return [x ^ 1 for x in a[0]]
            case "shl" | "shr":
                lane, by = imm
                by = -by if op.kind == "shr" else by
                return [a[0][i - by] if 0 <= i % lane - by < lane else 0 for i in range(size)]
            case "rotl":
                return [a[0][(i - imm) % size] for i in range(size)]
            case "ternary":
                total = [0] * size
                for index in range(8):
                    if imm >> index & 1:
                        terms = [
                            [x ^ 1 ^ (index >> k & 1) for x in v] for v, k in zip(a, (2, 1, 0), strict=True)
                        ]
                        total = [
                            t ^ s.times(s.times(x, y), z) for t, x, y, z in zip(total, *terms, strict=True)
                        ]
                return total
            case "shuffle":
                return [x for j in imm for x in (a[0][8 * j : 8 * j + 8] if j is not None else [0] * 8)]
            case "low" | "high":
                places = interleaved(op.kind, imm, size)
                return [x for value, at in places for x in a[value][at : at + imm]]
            case "columns":
                both = a[0] + a[1]
                return [x for c in imm for x in both[32 * c : 32 * c + 32]]
            case "flip":
                result = _bytes(a[0])
                return [_sum(result[(i & 8) + 7 - k], imm[i]) for i in range(16) for k in range(8)]
            case "affine":
                rows, constant = imm
                return [
                    _sum(byte, row) ^ constant >> r & 1 for byte in _bytes(a[0]) for r, row in enumerate(rows)
                ]
            case "aesenc" | "aesenclast":
                return [x ^ y for x, y in zip(self._aes(a[0], op.kind == "aesenc"), a[1], strict=True)]
            case "lookup" | "subtract" | "inverse":
                return [x for byte in _bytes(a[0]) for x in self._byte(op, byte)]
        raise AssertionError(op.kind)

    def _byte(self, op: Op, byte: Bits) -> Bits:
        function = _byte_table(op.kind, op.imm)
        try:
            return self.symbols.apply(byte, function)
        except LookupError:
            # Of several cells: only an affine table, which is a sum.
            start = function[0]
            images = [function[1 << i] ^ start for i in range(4)]
            affine = all(function[x] == start ^ _sum([images[i] for i in range(4)], x) for x in range(16))
            if op.kind != "lookup" or not affine or any(byte[4:]):
                raise
            columns = [sum((images[i] >> r & 1) << i for i in range(4)) for r in range(8)]
            return [start >> r & 1 ^ _sum(byte, columns[r]) for r in range(8)]

    def _aes(self, bits: Bits, mix: bool) -> Bits:
        """On the bits of a register: byte k is bits 8k.. from the least significant."""
        word = [bits[8 * (d // 8) + 7 - d % 8] for d in range(128)]
        saved, self.word = self.word, 128
        try:
            word = self._layer(self._layer(word, SUB_BYTES), SHIFT_ROWS)
            if mix:
                word = self._layer(word, MIX_COLUMNS)
        finally:
            self.word = saved
        return [word[8 * (i // 8) + 7 - i % 8] for i in range(128)]


def _any(value: object) -> Any:
    return value


def _bytes(bits: Bits) -> list[Bits]:
    return [bits[i : i + 8] for i in range(0, len(bits), 8)]


def _sum(bits: Sequence[int], mask: int) -> int:
    total = 0
    for i, bit in enumerate(bits):
        if mask >> i & 1:
            total ^= bit
    return total
