"""A recorded graph, cell-wise: what S-boxes, sums, ANDs and linear maps do to single cells.

A cell is as wide as the S-boxes. A value is known by what it is: a sum over GF(2) of atoms (input
cells, S-box outputs, outputs of linear maps, ANDs) and a constant. So equal values are one wire,
equal terms cancel, permutations of cells only rename, and two S-layers on one input are one S-layer
that is executed twice. Matrices and S-boxes are known by their content, never by their names.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import cast

from ...analysis.codes import CodeMap, copies, linear_map
from ...errors import DescriptionError
from ...reference import CellPermutation, Matrix, Recording, Sbox
from ...reference.graph import Node
from ...reference.recordings import refusal
from .cell_maps import cell_maps
from .netlist import And, CellNetlist, Linear, SboxCell, Sum, Wire, Xor


def netlist(recording: Recording, free: Collection[str], targets: Collection[str]) -> CellNetlist:
    """What lies before the outputs ``targets``, when the inputs ``free`` change and others do not."""
    unknown = [n for n in free if n not in recording.inputs]
    unknown += [n for n in targets if n not in recording.outputs]
    if unknown:
        listed = ", ".join([*recording.inputs, *recording.outputs])
        raise DescriptionError(f"{recording.cipher}: {unknown[0]!r}: not known; one of {listed}")
    before = recording.graph.before(recording.outputs[name] for name in targets)
    nodes = [recording.graph.nodes[i] for i in sorted(before)]
    if added := next((node for node in nodes if node.op == "add"), None):
        raise refusal(added, "a cell-wise measure", "want measure trail, which is bit-wise")
    flat = _Flat(recording, _cell_bits(recording, nodes), frozenset(free))
    for node in nodes:
        flat.add(node)
    return flat.finish([(name, recording.outputs[name]) for name in targets])


def _cell_bits(recording: Recording, nodes: Iterable[Node]) -> int:
    first: Node | None = None
    for node in nodes:
        if node.op != "sub":
            continue
        sbox = cast(Sbox, node.detail)
        first = first or node
        width = cast(Sbox, first.detail).bits
        if sbox.bits != width:
            raise DescriptionError(
                f"{node.line}: S-box {sbox.name}: {sbox.bits} bits, and {width} bits at"
                f" {first.line}; cell-wise models need S-boxes of one width"
            )
    if first is None:
        raise DescriptionError(
            f"{recording.cipher}: {recording.part}: no S-box before the outputs that are looked at"
        )
    return cast(Sbox, first.detail).bits


@dataclass(frozen=True, slots=True)
class _Const:
    """What never changes in a value: a known part and parts that are only known by name."""

    known: int = 0
    names: frozenset[Hashable] = frozenset()

    def __xor__(self, other: _Const) -> _Const:
        return _Const(self.known ^ other.known, self.names ^ other.names)


KEYS = ("K", "T")  # how the names of inputs of a key schedule begin
_Value = tuple[Sum, _Const]
_ZERO: _Value = (frozenset(), _Const())


@dataclass(slots=True)
class _SboxAtom:
    input: Sum
    sbox: Sbox
    line: str
    times: int = 0


@dataclass(frozen=True, slots=True)
class _LinearAtoms:
    """One for ``map.size`` atoms in a row."""

    map: CodeMap
    operands: tuple[Sum, ...]
    places: list[tuple[int, tuple[int, ...]]]


class _Flat:
    """Nodes go in, in order; values are sums of atoms, and an atom is made once."""

    def __init__(self, recording: Recording, cell_bits: int, free: frozenset[str]) -> None:
        self.graph = recording.graph
        self.c = cell_bits
        self.free = free
        self.names = {node: name for name, node in recording.inputs.items()}
        self.atoms: list[tuple[str, int] | _SboxAtom | _LinearAtoms | frozenset[Sum] | None] = []
        self.known: dict[Hashable, int] = {}
        self.values: dict[int, list[_Value]] = {}
        self.parts: dict[Sum, tuple[Sum, Sum]] = {}

    def add(self, node: Node) -> None:
        if node.bits % self.c:
            raise DescriptionError(
                f"{node.line}: {node.op}: a word of {node.bits} bits is not made of cells of {self.c} bits"
            )
        operands = [self.values[i] for i in node.inputs]
        handlers: dict[str, Callable[..., list[_Value]]] = {
            "input": self._input,
            "const": self._constant,
            "xor": self._xor,
            "and": self._and,
            "sub": self._sub,
            "mix": self._mix,
            "permute": self._permute,
            "cut": self._cut,
            "join": self._join,
        }
        self.values[node.id] = handlers[node.op](node, *operands)

    def _input(self, node: Node) -> list[_Value]:
        name = self.names[node.id]
        places = [(name, i) for i in range(node.bits // self.c)]
        if name not in self.free:
            return [(frozenset(), _Const(0, frozenset({place}))) for place in places]
        return [self._atom(place, place) for place in places]

    def _atom(self, key: Hashable, made_of: tuple[str, int] | _SboxAtom | frozenset[Sum]) -> _Value:
        if key not in self.known:
            self.known[key] = len(self.atoms)
            self.atoms.append(made_of)
        return frozenset({self.known[key]}), _Const()

    def _constant(self, node: Node) -> list[_Value]:
        value, mask = cast(int, node.detail), (1 << self.c) - 1
        shifts = range(node.bits - self.c, -1, -self.c)
        return [(frozenset(), _Const(value >> shift & mask)) for shift in shifts]

    def _xor(self, node: Node, a: list[_Value], b: list[_Value]) -> list[_Value]:
        out = []
        for (x, of_x), (y, of_y) in zip(a, b, strict=True):
            total = x ^ y
            if len(total) > 1 and x and y:
                self.parts.setdefault(total, (x, y))
            out.append((total, of_x ^ of_y))
        return out

    def _and(self, node: Node, a: list[_Value], b: list[_Value]) -> list[_Value]:
        out = []
        for i, (x, y) in enumerate(zip(a, b, strict=True)):
            key = ("and", frozenset({x, y}))
            if (masked := self._masked(node, i, x, y) or self._masked(node, i, y, x)) is not None:
                out.append(masked)
            elif x[0] or y[0]:
                out.append(self._atom(key, frozenset(s for s, _ in (x, y) if s)))
            else:
                out.append((frozenset(), _Const(0, frozenset({key}))))
        return out

    def _masked(self, node: Node, i: int, x: _Value, mask: _Value) -> _Value | None:
        """x under a known constant: all of the cell or nothing; None where neither is known."""
        if mask[0] or mask[1].names:
            return None
        if mask[1].known == 0:
            return _ZERO
        if mask[1].known == (1 << self.c) - 1:
            return x
        if not x[0]:
            return None
        raise DescriptionError(
            f"{node.line}: and: cell {i}: a constant that masks part of a cell of {self.c} bits; want"
            " whole cells, or a bit-wise measure"
        )

    def _sub(self, node: Node, a: list[_Value]) -> list[_Value]:
        sbox = cast(Sbox, node.detail)
        out: list[_Value] = []
        for x in a:
            key = ("sub", sbox.table, x)
            if not x[0]:
                out.append((frozenset(), _Const(0, frozenset({key}))))
                continue
            out.append(self._atom(key, _SboxAtom(x[0], sbox, node.line)))
            made = cast(_SboxAtom, self.atoms[self.known[key]])
            made.times += self.graph.times[node.id]
        return out

    def _cut(self, node: Node, a: list[_Value]) -> list[_Value]:
        first = cast(int, node.detail)
        if first % self.c:
            raise DescriptionError(
                f"{node.line}: cut: from bit {first} on, which divides a cell of {self.c} bits; want whole"
                " cells, or a bit-wise measure"
            )
        return a[first // self.c : (first + node.bits) // self.c]

    def _join(self, node: Node, *words: list[_Value]) -> list[_Value]:
        return [cell for word in words for cell in word]

    def _permute(self, node: Node, a: list[_Value]) -> list[_Value]:
        p = cast(CellPermutation, node.detail)
        if p.cell_bits % self.c:
            rows = [0] * node.bits
            for i, to in enumerate(p.to):
                for bit in range(p.cell_bits):
                    rows[to * p.cell_bits + bit] = 1 << i * p.cell_bits + bit
            return self._bitwise(node, a, rows)
        ratio = p.cell_bits // self.c
        out = list(a)
        for i, to in enumerate(p.to):
            out[to * ratio : (to + 1) * ratio] = a[i * ratio : (i + 1) * ratio]
        return out

    def _mix(self, node: Node, a: list[_Value]) -> list[_Value]:
        matrix = cast(Matrix, node.detail)
        if matrix.cell_bits == self.c:
            n, known = matrix.size, linear_map(matrix)
            out: list[_Value] = []
            for i in range(0, len(a), n):
                out += self._linear(node, known, a[i : i + n], tuple(range(i, i + n)))
            return out
        # Bits as they are printed: bit 0 the most significant of cell 0.
        size = matrix.size * matrix.cell_bits
        columns = matrix.bit_columns
        block = [sum((columns[i] >> size - 1 - j & 1) << i for i in range(size)) for j in range(size)]
        rows = [row << start for start in range(0, node.bits, size) for row in block]
        return self._bitwise(node, a, rows)

    def _bitwise(self, node: Node, a: list[_Value], rows: list[int]) -> list[_Value]:
        """A linear layer as rows of bits, bit 0 the most significant of cell 0; cut where it can be."""
        out: list[_Value] = [_ZERO] * len(a)
        for ins, outs, known in cell_maps(rows, self.c):
            group = [a[cell] for cell in ins] + [_ZERO] * (known.size - len(ins))
            made = self._linear(node, known, group, tuple(ins))
            for cell, value in zip(outs, made, strict=False):
                out[cell] = value
        return out

    def _linear(
        self, node: Node, m: CodeMap, group: Sequence[_Value], cells: tuple[int, ...]
    ) -> list[_Value]:
        """M(x ^ c) = M(x) ^ M(c): both parts go through on their own. What M copies is what it was."""
        copied = copies(m)
        constants = [of for _, of in group]
        if any(of.names for of in constants):
            after = [_Const(0, frozenset({("mix", m, tuple(constants), i)})) for i in range(m.size)]
        else:
            after = [_Const(y) for y in m.apply([of.known for of in constants])]
        operands = tuple(x for x, _ in group)
        made = [(frozenset[int](), of) for of in after]
        if any(operands) and None in copied:
            key = ("mix", m, operands)
            if key not in self.known:
                self.known[key] = len(self.atoms)
                self.atoms += [_LinearAtoms(m, operands, []), *[None] * (m.size - 1)]
            first = self.known[key]
            cast(_LinearAtoms, self.atoms[first]).places.append((node.id, cells))
            made = [(frozenset({first + i}), of) for i, of in enumerate(after)]
        return [x if j is None else group[j] for x, j in zip(made, copied, strict=True)]

    # -- wires ---------------------------------------------------------------------------------
    def finish(self, targets: list[tuple[str, int]]) -> CellNetlist:
        net = CellNetlist(self.c, parts=self.parts)
        net.values = {i: tuple(x for x, _ in cells) for i, cells in self.values.items()}
        wanted = self._wanted([x for _, node in targets for x in net.values[node]])
        wanted |= self._key_sums()
        for i, atom in enumerate(self.atoms):
            if isinstance(atom, tuple):
                name, _ = atom
                wire = net.wires[frozenset({i})] = net.wire()
                net.inputs[name] = (*net.inputs.get(name, ()), wire)
            elif isinstance(atom, _SboxAtom):
                given = self._wire(net, atom.input, wanted)
                wire = net.wires[frozenset({i})] = net.wire()
                net.ops.append(SboxCell(given, wire, atom.sbox, atom.times, atom.line))
            elif isinstance(atom, _LinearAtoms):
                operands = tuple(self._wire(net, x, wanted) if x else None for x in atom.operands)
                outs = tuple(net.wire() for _ in operands)
                net.wires |= {frozenset({i + k}): wire for k, wire in enumerate(outs)}
                net.ops.append(Linear(atom.map, operands, outs, tuple(atom.places)))
            elif isinstance(atom, frozenset):
                operands_ = tuple(sorted(self._wire(net, x, wanted) for x in atom))
                wire = net.wires[frozenset({i})] = net.wire()
                net.ops.append(And(operands_, wire))
        for name, node in targets:
            net.outputs[name] = tuple(self._wire(net, x, wanted) if x else None for x in net.values[node])
        return net

    def _wanted(self, targets: list[Sum]) -> set[Sum]:
        """Sums that need a wire: taken by an op or a target, or part of two other sums."""
        direct = {x for x in targets if x}
        for atom in self.atoms:
            if isinstance(atom, _SboxAtom):
                direct.add(atom.input)
            elif isinstance(atom, _LinearAtoms):
                direct.update(x for x in atom.operands if x)
            elif isinstance(atom, frozenset):
                direct |= atom
        seen, uses, todo = set(direct), dict.fromkeys(direct, 2), list(direct)
        while todo:
            for part in self.parts.get(todo.pop(), ()):
                uses[part] = uses.get(part, 0) + 1
                if part not in seen:
                    seen.add(part)
                    todo.append(part)
        return {x for x, n in uses.items() if n > 1}

    def _key_sums(self) -> set[Sum]:
        """Sums of key and tweak cells alone, which `lanes` looks at together."""
        of_key: set[int] = set()
        for i, atom in enumerate(self.atoms):
            if isinstance(atom, tuple) and atom[0].startswith(KEYS):
                of_key.add(i)
            elif isinstance(atom, _LinearAtoms) and all(x <= of_key for x in atom.operands):
                of_key |= {i + k for k in range(atom.map.size)}
        return {x for x in self.parts if x <= of_key}

    def _wire(self, net: CellNetlist, x: Sum, wanted: set[Sum]) -> Wire:
        if x not in net.wires:
            terms: set[Wire] = set()
            todo = list(self.parts[x])
            while todo:
                part = todo.pop()
                if len(part) > 1 and part not in wanted:
                    net.opened_into[part] = x
                    todo += self.parts[part]
                else:
                    terms ^= {self._wire(net, part, wanted)}
            net.wires[x] = net.wire()
            net.ops.append(Xor(tuple(sorted(terms)), net.wires[x]))
        return net.wires[x]
