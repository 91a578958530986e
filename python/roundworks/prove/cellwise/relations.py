"""What XORs and matrices imply together, where several of them have the same cells. [GERAULT]

Of one XOR the model knows that not exactly one of its cells is active. Where XORs share two cells or more,
their sums are XORs as well, and those say more: a' = a ^ b and b' = a ^ b ^ c give b' = a' ^ c. Likewise
M(x) ^ M(y) = M(x ^ y). Cells that XORs and binary maps join are words of a linear code over GF(2), the same
in every bit of a cell. Of a small code all supports are taken, of a larger one the relations of at most four
cells that no shorter ones imply.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations

from ...analysis.codes import MAX_ENUMERATED_CELLS, CodeMap
from .netlist import CellNetlist, Linear, Op, Wire, Xor

MOST_PAIRS = 400  # of matrices, the nearest first

Form = int  # bit w: the wire w, which no XOR gives, is in the sum
Ends = tuple[CodeMap, Sequence[Wire | None], Sequence[Wire | None]]  # a map, and what goes in and comes out


@dataclass
class Relations:
    """``forms``: what every wire is the sum of. ``groups``: the wires that XORs and binary maps join.

    ``sums``: new wires, each the sum of two; ``images``: matrices that take such sums to such sums.
    """

    net: CellNetlist
    forms: dict[Wire, Form] = field(default_factory=dict)
    groups: dict[Wire, list[Wire]] = field(default_factory=dict)
    sums: dict[Wire, tuple[Wire, Wire]] = field(default_factory=dict)
    images: list[Ends] = field(default_factory=list)
    _joined: dict[Wire, Wire] = field(default_factory=dict)
    _named: dict[tuple[Wire, Form], Wire] = field(default_factory=dict)

    def root(self, wire: Wire) -> Wire:
        """The wire by which its group is known."""
        while self._joined.setdefault(wire, wire) != wire:
            self._joined[wire] = wire = self._joined[self._joined[wire]]
        return wire

    def form(self, wire: Wire) -> Form:
        """What the wire is the sum of."""
        return self.forms.setdefault(wire, 1 << wire)

    def join(self, output: Wire, operands: Sequence[Wire]) -> None:
        """The output is the sum of the operands, which come before it."""
        total = 0
        for wire in operands:
            total ^= self.form(wire)
            self._joined[self.root(wire)] = self.root(output)
        self.forms[output] = total

    def group(self) -> None:
        """Sort all wires into their groups."""
        for wire, form in self.forms.items():
            first = self.root(wire)
            self.groups.setdefault(first, []).append(wire)
            self._named.setdefault((first, form), wire)

    def sum_of(self, a: Wire | None, b: Wire | None) -> tuple[bool, Wire | None]:
        """Whether a ^ b is known, and as which wire; None is zero."""
        if a is None or b is None:
            return True, b if a is None else a
        if self.form(a) == self.form(b):
            return True, None
        wire = self._named.get((self.root(a), self.form(a) ^ self.form(b)))
        return wire is not None and self.root(a) == self.root(b), wire

    def new_sum(self, a: Wire | None, b: Wire | None) -> Wire | None:
        """The wire of a ^ b, a new one where there is none."""
        known, wire = self.sum_of(a, b)
        if known or a is None or b is None:
            return wire
        wire = self.net.wire()
        self.sums[wire] = a, b
        self.forms[wire] = self.form(a) ^ self.form(b)
        first = self.root(a)
        if first == self.root(b):
            self.groups.setdefault(first, []).append(wire)
            self._named[first, self.forms[wire]] = wire
        return wire


def relations(net: CellNetlist, all_pairs: bool = False) -> Relations:
    """The groups of a netlist that say more than their XORs, with pairs of matrices.

    A pair is taken where the sum of two of its cells is a cell as well, or with ``all_pairs`` always.
    """
    joint = Relations(net)
    edges: list[tuple[Wire, int]] = []
    for op in net.ops:
        for output, operands in _sums(op):
            joint.join(output, operands)
            edges.append((output, len(operands)))
    joint.group()
    _add_pairs(joint, all_pairs)
    # An XOR of n cells is n edges of a graph of wires and XORs; without a circle it is a tree, in which
    # patterns of single XORs fit together.
    circles: dict[Wire, int] = defaultdict(int)
    for output, count in edges:
        circles[joint.root(output)] += count
    for wire in joint.sums:
        circles[joint.root(joint.sums[wire][0])] += 2
    joint.groups = {first: group for first, group in joint.groups.items() if circles[first] >= len(group)}
    return joint


def _sums(op: Op) -> list[tuple[Wire, tuple[Wire, ...]]]:
    """The wires that are sums, with what they are sums of."""
    if isinstance(op, Xor):
        return [(op.output, op.operands)]
    if isinstance(op, Linear) and op.map.binary:
        return [
            (out, tuple(w for w, entry in zip(op.operands, row, strict=True) if entry and w is not None))
            for out, row in zip(op.outputs, op.map.rows, strict=True)
        ]
    return []


def _add_pairs(found: Relations, all_pairs: bool) -> None:
    by_map: dict[CodeMap, list[Linear]] = defaultdict(list)
    for op in found.net.ops:
        if isinstance(op, Linear) and not op.map.binary and op.map.size > 1:
            by_map[op.map].append(op)
    for m, ops in by_map.items():
        near = sorted(combinations(range(len(ops)), 2), key=lambda pair: pair[1] - pair[0])
        taken = 0
        for i, j in near:
            ends = [
                list(zip(one, other, strict=True))
                for one, other in ((ops[i].operands, ops[j].operands), (ops[i].outputs, ops[j].outputs))
            ]
            if all_pairs or any(found.sum_of(a, b)[0] for cells in ends for a, b in cells if a and b):
                ins, outs = ([found.new_sum(a, b) for a, b in cells] for cells in ends)
                found.images.append((m, ins, outs))
                taken += 1
            if taken == MOST_PAIRS:
                break


def as_map(found: Relations, group: Sequence[Wire]) -> Ends | None:
    """The code of a group as a map from the wires that no XOR gives to the others; None if it is too large."""
    ins: list[Wire | None] = [wire for wire in group if found.forms[wire] == 1 << wire]
    outs: list[Wire | None] = [wire for wire in group if found.forms[wire] != 1 << wire]
    size = max(len(ins), len(outs))
    if size > MAX_ENUMERATED_CELLS:
        return None
    ins += [None] * (size - len(ins))
    outs += [None] * (size - len(outs))
    rows = [
        tuple(int(w is not None and out is not None and found.forms[out] >> w & 1) for w in ins)
        for out in outs
    ]
    return CodeMap(tuple(rows), found.net.cell_bits), ins, outs


def short_relations(found: Relations, group: Sequence[Wire]) -> list[tuple[Wire, ...]]:
    """Cells whose sum is zero, at most four of them, that no two shorter ones with a common cell imply."""
    wires: dict[Form, list[Wire]] = defaultdict(list)
    for wire in group:
        wires[found.forms[wire]].append(wire)
    short: set[tuple[Wire, ...]] = {(wire,) for wire in wires.pop(0, [])}
    short |= {(same[0], other) for same in wires.values() for other in same[1:]}
    pairs: dict[Form, list[tuple[Form, Form]]] = defaultdict(list)
    for a, b in combinations(wires, 2):
        pairs[a ^ b].append((a, b))

    def cells(*forms: Form) -> tuple[Wire, ...]:
        return tuple(sorted(wires[form][0] for form in forms))

    for total, summed in pairs.items():
        if total in wires:
            short |= {cells(a, b, total) for a, b in summed}
            continue
        for (a, b), (c, d) in combinations(summed, 2):
            if a ^ c not in wires and a ^ d not in wires:
                short.add(cells(a, b, c, d))
    return sorted(short)
