"""A recorded description as steps of ``bit ^= product of others``, for sums of every product of bits. [TODO-MORII]

The division property with three subsets says of each product of bits whether its sum over the inputs is 0, 1 or
unknown. Here it is a table of all products, so that it fits descriptions of a small state alone; its steps are changes
of one place of the state by a product of others, as those of Simon. A bit of a round key is an unknown factor.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from ..._native import ParitySteps
from ...analysis.sboxes import anf
from ...errors import DescriptionError
from ...reference.components import CellPermutation, Matrix, Sbox
from ...reference.graph import Node, Recording
from ...reference.recordings import constants, refuse
from ..bitwise.layers import rows

MOST_PLACES = 33  # 2 GiB for both tables
MIN_PLACES = 6
MOST_TERMS = 4096  # of one bit as a polynomial of places

Unknown = frozenset[tuple[str, int]]  # bits of inputs, all of which are factors
Monomial = tuple[int, Unknown]  # a mask of places
Poly = frozenset[Monomial]
ZERO: Poly = frozenset()
ONE: Monomial = (0, frozenset())


@dataclass
class Plan:
    """Steps on places. ``inputs``: the place of each active bit. ``reads``: (rounds, output) -> after how many steps
    each bit is which polynomial."""

    active: int = 0
    inputs: dict[tuple[str, int], int] = field(default_factory=dict)
    places: int = MIN_PLACES
    steps: list[tuple[int, int | None, int | None]] = field(default_factory=list)
    unknowns: dict[Unknown, int] = field(default_factory=dict)
    reads: dict[tuple[int, str], list[tuple[int, Poly]]] = field(default_factory=dict)

    def add(self, target: int, terms: Iterable[Monomial]) -> None:
        """``target`` changes by these products."""
        for factors, unknown in sorted(terms, key=lambda term: (term[0], sorted(term[1]))):
            number = self.unknowns.setdefault(unknown, len(self.unknowns)) if unknown else None
            self.steps.append((target, factors, number))

    def sums(self, seconds: float | None) -> dict[tuple[int, str], list[bool | None]]:
        """Whether each bit that is read sums to 1 whatever the unknown constants are; None where they may matter.
        After ``seconds`` those that were not read yet are left out."""
        terms = self._terms()
        results = self._native().sums([(after, term[0]) for _, after, term in terms], seconds)
        late = {output for (output, _), _, _ in terms[len(results) :]}
        sums: dict[tuple[int, str], list[bool | None]] = {
            output: [False] * len(bits) for output, bits in self.reads.items() if output not in late
        }
        for ((output, bit), _, (_, unknown)), odd in zip(terms, results, strict=False):
            if output in sums:
                before = sums[output][bit]
                open_ = before is None or odd is None or (odd and unknown)
                sums[output][bit] = None if open_ else bool(before) ^ bool(odd)
        return sums

    def sums_of_values(
        self, values: Mapping[str, int], bits: Mapping[str, int], seconds: float | None
    ) -> dict[tuple[int, str], list[bool]]:
        """The same sums by computing all inputs, where the constant ones have these values; ``bits``: their sizes."""
        return self._computed(self._native(), values, bits, seconds)

    def values(self, inputs: Mapping[str, int], bits: Mapping[str, int]) -> dict[tuple[int, str], list[bool]]:
        """What is read where the inputs have these values: the steps computed once."""
        ones = [
            (place, 0, None)
            for (name, i), place in self.inputs.items()
            if inputs[name] >> bits[name] - 1 - i & 1
        ]
        native = ParitySteps(self.places, 0, [*ones, *self.steps])
        return self._computed(native, inputs, bits, None, len(ones))

    def _computed(
        self,
        native: ParitySteps,
        values: Mapping[str, int],
        bits: Mapping[str, int],
        seconds: float | None,
        first: int = 0,
    ) -> dict[tuple[int, str], list[bool]]:
        def on(unknown: Unknown) -> bool:
            return all(values[name] >> bits[name] - 1 - i & 1 for name, i in unknown)

        terms = self._terms()
        reads = [(first + after, term[0]) for _, after, term in terms]
        results = native.sums_of_values([on(unknown) for unknown in self.unknowns], reads, seconds)
        totals = {key: [False] * len(bits) for key, bits in self.reads.items()}
        for ((output, bit), _, (_, unknown)), odd in zip(terms, results, strict=True):
            totals[output][bit] ^= odd and on(unknown)
        return totals

    def _terms(self) -> list[tuple[tuple[tuple[int, str], int], int, Monomial]]:
        return [
            ((key, bit), after, term)
            for key, bits in self.reads.items()
            for bit, (after, poly) in enumerate(bits)
            for term in sorted(poly, key=lambda term: (term[0], sorted(term[1])))
        ]

    def _native(self) -> ParitySteps:
        return ParitySteps(self.places, self.active, self.steps)


def plan(recording: Recording, active: Mapping[str, int], marks: Mapping[int, Mapping[str, int]]) -> Plan:
    """``marks``: after these rounds, the nodes of the outputs. They are read in ascending order.

    Raises
    ------
    DescriptionError
        ``present: 64 bits of state: want at most 33, of whose products a table is made``
    """
    return _Planner(recording, active, marks).run()


class _Planner:
    def __init__(
        self, recording: Recording, active: Mapping[str, int], marks: Mapping[int, Mapping[str, int]]
    ) -> None:
        refuse(recording, ["add"], "the table of all products", "want AND, XOR and S-boxes in its place")
        self.recording, self.active, self.marks = recording, active, marks
        self.nodes = recording.graph.nodes
        state = [node for name, node in recording.inputs.items() if name in active or name.startswith("S")]
        self.state_bits = sum(self.nodes[node].bits for node in state)
        if self.state_bits > MOST_PLACES:
            raise DescriptionError(
                f"{recording.cipher}: {self.state_bits} bits of state: want at most {MOST_PLACES}, of whose"
                " products a table is made; measure integral takes more"
            )
        self.plan = Plan()
        self.values: dict[int, list[Poly]] = {}
        self.used: set[int] = set()
        self.last_use = {i: node.id for node in self.nodes for i in node.inputs}
        for outputs in marks.values():
            for node in outputs.values():
                self.last_use[node] = max(self.last_use.get(node, 0), max(outputs.values()) + 1)

    def run(self) -> Plan:
        fixed = constants(self.recording)
        names = {node: name for name, node in self.recording.inputs.items()}
        pending = sorted(self.marks)
        for node in self.nodes:
            if node.id in fixed:
                bits = f"{fixed[node.id]:0{node.bits}b}"
                self.values[node.id] = [frozenset([ONE]) if bit == "1" else ZERO for bit in bits]
            elif node.id in names:
                self.values[node.id] = self._input(node, names[node.id])
            else:
                self.values[node.id] = self._apply(node)
                if any(len(poly) > MOST_TERMS for poly in self.values[node.id]):
                    raise DescriptionError(
                        f"{node.line}: {node.op}: no {self.state_bits} bits say what follows from it, as the"
                        " table of all products needs"
                    )
            if node.op not in ("input", "const", "permute", "cut", "join"):
                self._cut(node)
            while pending and node.id >= max(self.marks[pending[0]].values()):
                rounds = pending.pop(0)
                for name, output in self.marks[rounds].items():
                    after = len(self.plan.steps)
                    self.plan.reads[rounds, name] = [(after, poly) for poly in self.values[output]]
        return self.plan

    def _input(self, node: Node, name: str) -> list[Poly]:
        """Places for active bits, and unknown constants."""
        bits: list[Poly] = []
        for i in range(node.bits):
            if self.active.get(name, 0) >> node.bits - 1 - i & 1:
                place = self._fresh()
                self.plan.active |= 1 << place
                self.plan.inputs[name, i] = place
                bits.append(_place(place))
            else:
                bits.append(frozenset([(0, frozenset([(name, i)]))]))
        return bits

    def _apply(self, node: Node) -> list[Poly]:
        into = [self.values[i] for i in node.inputs]
        if node.op == "xor":
            return [a ^ b for a, b in zip(*into, strict=True)]
        if node.op == "and":
            return [_product(a, b) for a, b in zip(*into, strict=True)]
        if node.op == "cut":
            assert isinstance(node.detail, int)
            return into[0][node.detail : node.detail + node.bits]
        if node.op == "join":
            return [bit for word in into for bit in word]
        if isinstance(node.detail, Sbox):
            return _through(node.detail, into[0])
        assert isinstance(node.detail, Matrix | CellPermutation)
        return [_sum([into[0][j] for j in row]) for row in rows(node)]

    def _cut(self, node: Node) -> None:
        """What later nodes need of those before becomes places, where it is no more than the state."""
        live = [i for i in self.values if self.last_use.get(i, -1) > node.id]
        self.values = {i: self.values[i] for i in live}
        targets = list(
            dict.fromkeys(poly for i in live for poly in self.values[i] if any(t[0] for t in poly))
        )
        if len(targets) > self.state_bits:
            return
        made = self._made(targets)
        self.values = {i: [made.get(poly, poly) for poly in bits] for i, bits in self.values.items()}

    def _made(self, targets: Sequence[Poly]) -> dict[Poly, Poly]:
        """Steps after which each target is a place."""
        made = {poly: poly for poly in targets if _only_place(poly) is not None}
        kept = {place for poly in made if (place := _only_place(poly)) is not None}
        pending = [poly for poly in targets if poly not in made]
        while pending:
            self._clear(kept, pending)
            poly, place = self._in_place(kept, pending)
            pending.remove(poly)
            terms = poly - _place(place) if place is not None else poly
            place = self._fresh() if place is None else place
            self.plan.add(place, terms)
            kept.add(place)
            made[poly] = _place(place)
        self._clear(kept, pending)
        return made

    def _in_place(self, kept: set[int], pending: Sequence[Poly]) -> tuple[Poly, int | None]:
        """A target that changes a place which no other one needs, or else the first."""
        for poly in pending:
            others = 0
            for other in pending:
                if other is not poly:
                    others |= _mask(other)
            for place in sorted(self.used - kept):
                alone = (1 << place, frozenset[tuple[str, int]]()) in poly
                if alone and not (others | _mask(poly - _place(place))) >> place & 1:
                    return poly, place
        return pending[0], None

    def _clear(self, kept: set[int], pending: Sequence[Poly]) -> None:
        needed = 0
        for poly in pending:
            needed |= _mask(poly)
        for place in sorted(self.used - kept):
            if not needed >> place & 1:
                self.plan.steps.append((place, None, None))
                self.used.remove(place)

    def _fresh(self) -> int:
        place = next(i for i in range(len(self.used) + 1) if i not in self.used)
        if place >= MOST_PLACES:
            raise DescriptionError(
                f"{self.recording.cipher}: more than {MOST_PLACES} bits are needed at once: want fewer, of whose"
                " products a table is made; measure integral takes more"
            )
        self.used.add(place)
        self.plan.places = max(self.plan.places, place + 1)
        return place


def _place(place: int) -> Poly:
    return frozenset([(1 << place, frozenset())])


def _only_place(poly: Poly) -> int | None:
    if len(poly) != 1:
        return None
    ((mask, unknown),) = poly
    return mask.bit_length() - 1 if mask.bit_count() == 1 and not unknown else None


def _mask(poly: Poly) -> int:
    mask = 0
    for factors, _ in poly:
        mask |= factors
    return mask


def _sum(polys: Iterable[Poly]) -> Poly:
    total = ZERO
    for poly in polys:
        total ^= poly
    return total


def _product(a: Poly, b: Poly) -> Poly:
    terms: set[Monomial] = set()
    for mask, unknown in a:
        terms ^= _times(b, mask, unknown)
    return frozenset(terms)


def _times(poly: Poly, mask: int, unknown: Unknown) -> set[Monomial]:
    """One term with each of the others; two of these may be equal."""
    terms: set[Monomial] = set()
    for other, more in poly:
        terms ^= {(mask | other, unknown | more)}
    return terms


def _through(sbox: Sbox, word: Sequence[Poly]) -> list[Poly]:
    """Each bit behind S-boxes as a polynomial, by their algebraic normal forms; bit 0 is the most significant."""
    table, n = np.array(sbox.table), sbox.bits
    forms = [np.flatnonzero(anf(table >> n - 1 - i & 1 == 1)) for i in range(n)]
    out: list[Poly] = []
    for start in range(0, len(word), n):
        cell = word[start : start + n]
        products: dict[int, Poly] = {0: frozenset([ONE])}
        for u in range(1, 1 << n):
            top = u.bit_length() - 1
            products[u] = _product(products[u ^ 1 << top], cell[n - 1 - top])
        out += [_sum(products[int(u)] for u in form) for form in forms]
    return out
