"""A trail as values of words, checked on the reference.

Nothing here knows how a trail was found: a layer is applied by its definition to integers, an S-box
transition is counted over the S-box's own table.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import log2
from typing import Literal

from ...analysis.affine import LINEAR
from ...analysis.forms import TAG_BITS, forms
from ...errors import DescriptionError
from ...reference.components import CellPermutation, Matrix, Sbox
from ...reference.graph import Node, Recording
from ...reference.recordings import constants
from ...reference.word import IntWord


@dataclass(frozen=True)
class BitTrail:
    """``values``: node -> difference or mask. In a linear trail ``handed`` has the mask that an
    S-box or AND node puts on its input i. ``ends``: the named inputs and outputs."""

    view: Literal["differential", "linear"]
    values: Mapping[int, int]
    handed: Mapping[tuple[int, int], int]
    ends: Mapping[str, int]

    @property
    def nonzero(self) -> bool:
        """Whether any word has a difference (mask)."""
        return any(self.values.values())


@dataclass(frozen=True, slots=True)
class Worth:
    """What a trail is worth: the product over its S-boxes, additions and AND gates, exactly."""

    probability: Fraction
    active: int

    @property
    def weight(self) -> float:
        """-log2 of the probability or squared correlation; exact if it is an integer."""
        return weight_of(self.probability)


def weight_of(probability: Fraction) -> float:
    """-log2 of it; exact if that is an integer."""
    return log2(probability.denominator) - log2(probability.numerator)


def log2_of(value: Fraction) -> float | None:
    """log2 of a probability or a correlation; None of 0."""
    return log2(value.numerator) - log2(value.denominator) if value else None


def check(recording: Recording, trail: BitTrail, *, as_executed: bool = False) -> Worth:
    """The exact worth of a trail; an error names the node that breaks it."""
    graph = recording.graph
    missing = [n.id for n in graph.nodes if n.id not in trail.values]
    if missing:
        raise DescriptionError(f"trail: node {missing[0]}: want a value for every node, got none")
    fixed = constants(recording)
    step = _difference if trail.view == "differential" else _mask
    if trail.view == "linear":
        _check_masks(recording, trail, fixed)
    else:
        for name, id_ in {**recording.inputs, **recording.outputs}.items():
            _expect(graph.nodes[id_], trail.values[id_], trail.ends[name], name)
    probability, active = Fraction(1), 0
    if trail.view == "differential":
        dimension, active = gate_changes(recording, trail, fixed)
        probability /= 2**dimension
    for node in graph.nodes:
        if node.op == "input":
            continue
        if node.id in fixed:
            if trail.view == "differential":
                _expect(node, trail.values[node.id], 0, "a constant's difference")
            continue
        for factor in step(node, trail, fixed, [graph.nodes[i].bits for i in node.inputs]):
            times = graph.times[node.id] if as_executed else 1
            probability *= factor**times
            active += times
    return Worth(probability, active)


def _expect(node: Node, got: int, wanted: int, what: str) -> None:
    if got != wanted:
        digits = -(-node.bits // 4)
        raise DescriptionError(
            f"trail: node {node.id} ({node.op}, {node.line}): {what}: want {wanted:0{digits}x},"
            f" got {got:0{digits}x}"
        )


def _difference(
    node: Node, trail: BitTrail, fixed: Mapping[int, int], widths: Sequence[int]
) -> list[Fraction]:
    """Factors of the active S-boxes or additions of one node, forwards; ``widths`` of its inputs."""
    into, out = [trail.values[i] for i in node.inputs], trail.values[node.id]
    if isinstance(node.detail, Sbox):
        return _cells(node, node.detail, into[0], out, _differential_probability)
    if node.op == "and":
        return []  # `gate_changes` has all of them together
    if node.op == "add":
        return _added(node, trail, fixed)
    words = [IntWord(value, bits) for value, bits in zip(into, widths, strict=True)]
    if node.op in ("cut", "join"):
        _expect(node, out, node.apply(words, words[0]).value, "difference")
        return []
    if node.op == "xor":
        wanted = into[0] ^ into[1]
    else:
        assert isinstance(node.detail, Matrix | CellPermutation)
        wanted = words[0].by_definition(node.detail).value
    _expect(node, out, wanted, "difference")
    return []


def gate_changes(recording: Recording, trail: BitTrail, fixed: Mapping[int, int]) -> tuple[int, int]:
    """-log2 of the probability that all AND gates change as the trail says, and how many are active.

    Gate u & v changes by u dv ^ v du ^ du dv: for every gate a sum of bits of `analysis.forms`, which are
    taken for uniform, must have a value. The rank of the sums is the weight.
    """
    nodes = recording.graph.nodes
    gates = [node for node in nodes if node.op == "and" and node.id not in fixed]
    touched = sum(trail.values[i].bit_count() for node in gates for i in node.inputs)
    if not touched:
        for node in gates:
            _expect(node, trail.values[node.id], 0, "difference of an AND")
        return 0, 0
    values, basis, active = forms(recording, TAG_BITS + touched), dict[int, int](), 0
    seen: set[int] = set()
    for node in gates:
        for i in range(node.bits):
            (u, v), place = (values[source][i] for source in node.inputs), node.bits - 1 - i
            du, dv = (trail.values[source] >> place & 1 for source in node.inputs)
            change = (u if dv else 0) ^ (v if du else 0) ^ (du & dv) ^ (trail.values[node.id] >> place & 1)
            if change and change not in seen and min(u, v) > 1:
                active += 1
                seen.add(change)
            rest = change
            while rest > 1 and rest.bit_length() in basis:
                rest ^= basis[rest.bit_length()]
            if rest > 1:
                basis[rest.bit_length()] = rest
            elif rest:
                out = trail.values[node.id]
                _expect(node, out, out ^ 1 << place, "difference of an AND")
    return len(basis), active


def _added(node: Node, trail: BitTrail, fixed: Mapping[int, int]) -> list[Fraction]:
    """The probability of a sum's difference, over all summands but for those that are known.

    Both carries are followed from the least significant bit on, with every pair of bits.
    """
    a, b = (trail.values[i] for i in node.inputs)
    known = [fixed.get(i) for i in node.inputs]
    carries = {(0, 0): Fraction(1)}
    for place in range(node.bits):
        bits = [(0, 1) if value is None else (value >> place & 1,) for value in known]
        dx, dy, dz = (value >> place & 1 for value in (a, b, trail.values[node.id]))
        following: dict[tuple[int, int], Fraction] = defaultdict(Fraction)
        for (c, d), chance in carries.items():
            for x, y in product(*bits):
                first, second = x + y + c, (x ^ dx) + (y ^ dy) + d
                if (first ^ second) & 1 == dz:
                    following[first >> 1, second >> 1] += chance / (len(bits[0]) * len(bits[1]))
        carries = following
    factor = sum(carries.values(), Fraction(0))
    if not factor:
        raise DescriptionError(
            f"trail: node {node.id} ({node.op}, {node.line}): differences {a:x} and {b:x} never give"
            f" {trail.values[node.id]:x}"
        )
    return [factor] if a | b else []


def _added_masks(node: Node, trail: BitTrail, fixed: Mapping[int, int]) -> list[Fraction]:
    """The squared correlation of a sum's masks, followed with the carry in the same way."""
    out = trail.values[node.id]
    a, b = (trail.handed[node.id, i] for i in range(2))
    known = [fixed.get(i) for i in node.inputs]
    carries = {0: Fraction(1)}
    for place in range(node.bits):
        bits = [(0, 1) if value is None else (value >> place & 1,) for value in known]
        mx, my, mz = (value >> place & 1 for value in (a, b, out))
        following: dict[int, Fraction] = defaultdict(Fraction)
        for c, sign in carries.items():
            for x, y in product(*bits):
                total = x + y + c
                flips = (mx & x) ^ (my & y) ^ (mz & total & 1)
                following[total >> 1] += (-sign if flips else sign) / (len(bits[0]) * len(bits[1]))
        carries = following
    factor = sum(carries.values(), Fraction(0)) ** 2
    if not factor:
        raise DescriptionError(
            f"trail: node {node.id} ({node.op}, {node.line}): masks {a:x} and {b:x} of the summands have no"
            f" correlation with {out:x} of the sum"
        )
    return [factor] if out | a | b else []


def _mask(node: Node, trail: BitTrail, fixed: Mapping[int, int], widths: Sequence[int]) -> list[Fraction]:
    """Factors of the active S-boxes or gates of one node; its masks are checked elsewhere."""
    out = trail.values[node.id]
    if isinstance(node.detail, Sbox):
        return _cells(node, node.detail, trail.handed[node.id, 0], out, _squared_correlation)
    if node.op == "add":
        return _added_masks(node, trail, fixed)
    if node.op == "and" and not any(i in fixed for i in node.inputs):
        for i in range(2):
            if trail.handed[node.id, i] & ~out:
                _expect(node, trail.handed[node.id, i], trail.handed[node.id, i] & out, "mask of AND")
        return [Fraction(1, 4)] * out.bit_count()
    return []


def _check_masks(recording: Recording, trail: BitTrail, fixed: Mapping[int, int]) -> None:
    """Every word's mask is the sum of what its users, and the outputs, put on it."""
    total: dict[int, int] = defaultdict(int)
    for name, id_ in recording.outputs.items():
        total[id_] ^= trail.ends[name]
    for node in recording.graph.nodes:
        if node.id in fixed:
            continue
        mask = trail.values[node.id]
        for position, source in enumerate(node.inputs):
            if node.op == "xor":
                part = mask
            elif node.op == "and" and any(i in fixed for i in node.inputs):
                part = mask & fixed.get(node.inputs[1 - position], 0)
            elif node.op in ("sub", "and", "add"):
                part = trail.handed[node.id, position]
            elif node.op in ("cut", "join"):
                part = _placed(recording, node, position, mask)
            else:
                part = _transposed(node, mask)
            total[source] ^= part
    for node in recording.graph.nodes:
        if node.id not in fixed:
            _expect(node, trail.values[node.id], total[node.id], "mask")
    for name, id_ in recording.inputs.items():
        _expect(recording.graph.nodes[id_], trail.values[id_], trail.ends[name], name)


def _placed(recording: Recording, node: Node, position: int, mask: int) -> int:
    """The mask that a cut or join puts on one input."""
    nodes = recording.graph.nodes
    if node.op == "cut":
        assert isinstance(node.detail, int)
        return mask << nodes[node.inputs[0]].bits - node.detail - node.bits
    behind = sum(nodes[i].bits for i in node.inputs[position + 1 :])
    return mask >> behind & (1 << nodes[node.inputs[position]].bits) - 1


def _transposed(node: Node, mask: int) -> int:
    """The mask u with u.x = mask.L(x) for all x, from L on each single bit."""
    assert isinstance(node.detail, Matrix | CellPermutation)
    return sum(
        1 << bit
        for bit in range(node.bits)
        if (mask & IntWord(1 << bit, node.bits).by_definition(node.detail).value).bit_count() & 1
    )


def _cells(
    node: Node, sbox: Sbox, into: int, out: int, worth: Callable[[Sbox, int, int], Fraction]
) -> list[Fraction]:
    """The worth of every S-box of a layer that is not 0 to 0."""
    words = IntWord(into, node.bits).cells(sbox.bits), IntWord(out, node.bits).cells(sbox.bits)
    factors = []
    for cell, (a, b) in enumerate(zip(*words, strict=True)):
        if not a and not b:
            continue
        factors.append(worth(sbox, a, b))
        if not factors[-1]:
            raise DescriptionError(
                f"trail: node {node.id} ({node.op}, {node.line}): cell {cell}: S-box {sbox.name}"
                f" never takes {a:x} to {b:x}"
            )
    return factors


def _differential_probability(sbox: Sbox, a: int, b: int) -> Fraction:
    table = sbox.table
    return Fraction(sum(table[x] ^ table[x ^ a] == b for x in range(len(table))), len(table))


def _squared_correlation(sbox: Sbox, a: int, b: int) -> Fraction:
    return _correlation(sbox, a, b) ** 2


def _correlation(sbox: Sbox, a: int, b: int) -> Fraction:
    signs = [(x & a).bit_count() + (y & b).bit_count() for x, y in enumerate(sbox.table)]
    return Fraction(sum((-1) ** s for s in signs), len(signs))


def correlation(recording: Recording, trail: BitTrail) -> Fraction:
    """The signed correlation of a linear trail that `check` accepts: a constant, or a word that follows from
    constants, changes the sign where its mask says so. Keys and other inputs are taken as zero."""
    fixed, total = constants(recording), Fraction(1)
    for node in recording.graph.nodes:
        out = trail.values[node.id]
        if node.id in fixed:
            total *= (-1) ** (out & fixed[node.id]).bit_count()
        elif isinstance(node.detail, Sbox):
            for factor in _cells(node, node.detail, trail.handed[node.id, 0], out, _correlation):
                total *= factor
        elif node.op == "and" and not any(i in fixed for i in node.inputs):
            both = trail.handed[node.id, 0] & trail.handed[node.id, 1]
            total *= Fraction((-1) ** both.bit_count(), 2 ** out.bit_count())
        elif node.op not in (*LINEAR, "and"):
            raise DescriptionError(f"{node.line}: {node.op}: the sign of its correlation is not known here")
    return total
