"""Bit-wise differential and linear trails: a recorded graph as a `Problem`.

One variable is one bit of a difference (of a mask). Linear layers are exact: a permutation and a
constant rename, an XOR and a matrix are parities. An S-box is the table of its transitions with
their weights, -log2 of the probability (of the squared correlation). A weight that is no multiple
of 1/``denominator`` is rounded down, so the minimum is at most that of the true weights and stays a
lower bound; `trails.check` has the exact weight of what was found.

Each S-box is taken as if its input were uniform and independent of the others, as is usual: the
minimum bounds trails, and the probability of a trail only where keys make that true. Where one input
follows from another without a key between, ``shared_sbox`` says that it is not, and of the summands
of additions ``shared_add``.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction
from typing import cast

from ...analysis.forms import TAG_BITS, forms, related_inputs
from ...analysis.independence import dependent_addition
from ...bounds import View
from ...errors import DescriptionError
from ...reference.components import Matrix, Sbox
from ...reference.graph import Node, Recording
from ...reference.recordings import constants
from ..solvers.problem import Clause, Parity, Problem, Var, Weights
from . import sbox_tables
from .addition import add_difference, add_masks
from .gates import GateModel, constrain
from .layers import cell_weights, circuit, rows
from .model import Bit, BitModel, Bits

DENOMINATOR = 16


def model(
    recording: Recording,
    view: View,
    *,
    zero: Collection[str] = (),
    active_only: bool = False,
    lightest_only: bool = False,
    as_executed: bool = False,
    denominator: int = DENOMINATOR,
    problem: Problem | None = None,
) -> BitModel:
    """Every trail through the recording in which the ends named ``zero`` have no difference (mask).

    A zero where the trail starts costs no variables: at an input, in a linear model at an output.
    ``active_only`` counts S-boxes (and AND bits) instead of weighing them; ``lightest_only`` does so
    over trails whose S-boxes all have their best probability, which bounds nothing from below. A
    layer that the description computes twice on the same word is one layer, unless ``as_executed``.
    ``problem``: one that has another model already, to which this one is added.
    """
    if denominator < 1:
        raise DescriptionError(f"denominator: want at least 1, got {denominator}")
    building = _Builder(
        BitModel(view, recording, problem if problem is not None else Problem()),
        active_only,
        lightest_only,
        as_executed,
        denominator,
    )
    if view == "differential":
        building.forwards(zero)
    else:
        building.backwards(zero)
    building.branches()
    building.model.zero(*zero)
    building.model.shared_sbox = bool(related_inputs(recording))
    building.model.shared_add = dependent_addition(recording) is not None
    return building.model


class _Builder:
    def __init__(
        self, model: BitModel, active_only: bool, lightest_only: bool, as_executed: bool, denominator: int
    ) -> None:
        self.model = model
        self.graph = model.recording.graph
        self.problem = model.problem
        self.active_only = active_only or lightest_only
        self.lightest_only = lightest_only
        self.as_executed = as_executed
        self.denominator = denominator
        self.constants = constants(model.recording)
        # Tags long enough for all inputs of gates to be independent, as in `trails.check`.
        read = sum(2 * node.bits for node in self.graph.nodes if node.op == "and")
        self.forms = forms(model.recording, TAG_BITS + read) if model.view == "differential" else {}
        self.gates: list[GateModel] = []
        self.changes: dict[frozenset[int], Var] = {}
        self.activity: dict[tuple[Bit, ...], Var] = {}
        self._columns: dict[int, Bits] = {}  # the mask that a linear layer puts on its input

    def forwards(self, zero: Collection[str]) -> None:
        """Differences, from the inputs on."""
        recording, bits = self.model.recording, self.model.bits
        ends = {**recording.inputs, **recording.outputs}
        absent = {ends[name] for name in zero if name in ends}
        for node in self.graph.nodes:
            into = [bits[i] for i in node.inputs]
            if node.id in self.constants:
                bits[node.id] = [None] * node.bits
                continue
            if node.op == "input":
                none: Bits = [None] * node.bits
                bits[node.id] = none if node.id in absent else self._fresh(node)
                continue
            if node.op == "xor":
                pairs = zip(*into, strict=True)
                bits[node.id] = [self._sum(p, f"{node.id}.{i}") for i, p in enumerate(pairs)]
            elif node.op == "sub":
                bits[node.id] = self._sboxes(node, into[0], None)
            elif node.op == "and":
                bits[node.id] = self._and_difference(node, into)
            elif node.op == "add":
                bits[node.id] = self._add_difference(node, into)
            elif node.op == "cut":
                first = cast(int, node.detail)
                bits[node.id] = into[0][first : first + node.bits]
            elif node.op == "join":
                bits[node.id] = [bit for word in into for bit in word]
            else:
                bits[node.id] = self._linear(node, into[0], rows(node))
            if node.id in absent:
                for bit in bits[node.id]:
                    if bit is not None:
                        self.problem.fix(bit, False)
                bits[node.id] = [None] * node.bits
        self._weigh_gates()
        self.model.named = {name: bits[node] for name, node in ends.items()}

    def backwards(self, zero: Collection[str]) -> None:
        """Masks, from the outputs back: a word's mask is the sum of what its users hand it."""
        recording, bits = self.model.recording, self.model.bits
        handed: dict[int, list[Bits]] = defaultdict(list)
        for name, id_ in recording.outputs.items():
            width = self.graph.nodes[id_].bits
            mask: Bits = [None] * width
            if name not in zero:
                mask = list(self.problem.variables(name, width))
            self.model.named[name] = mask
            handed[id_].append(mask)
        for node in reversed(self.graph.nodes):
            masks = handed[node.id] or [[None] * node.bits]
            columns = zip(*masks, strict=True)
            own = [self._sum(c, f"{node.id}.{i}") for i, c in enumerate(columns)]
            bits[node.id] = own
            if node.id in self.constants:
                continue  # a mask on a constant costs nothing and constrains nothing
            if node.op == "xor":
                contributions = [own, own]
            elif node.op == "sub":
                contributions = [self._sboxes(node, None, own)]
            elif node.op == "and":
                contributions = self._and_masks(node, own)
            elif node.op == "add":
                contributions = self._add_masks(node, own)
            elif node.op == "cut":
                first, width = cast(int, node.detail), self.graph.nodes[node.inputs[0]].bits
                none: Bits = [None] * (width - first - node.bits)
                contributions = [[None] * first + own + none]
            elif node.op == "join":
                widths = [self.graph.nodes[i].bits for i in node.inputs]
                starts = [sum(widths[:k]) for k in range(len(widths))]
                contributions = [own[at : at + width] for at, width in zip(starts, widths, strict=True)]
            elif node.op in ("mix", "permute"):
                columns_of: list[list[int]] = [[] for _ in range(node.bits)]
                for i, row in enumerate(rows(node)):
                    for j in row:
                        columns_of[j].append(i)
                into = self._linear(node, own, columns_of)
                contributions = [into]
                self._columns[node.id] = into
            else:
                contributions = []
            for position, mask in enumerate(contributions):
                handed[node.inputs[position]].append(mask)
                if node.op in ("sub", "and", "add"):
                    self.model.handed[node.id, position] = mask
        for name, node_id in recording.inputs.items():
            self.model.named[name] = bits[node_id]

    def branches(self) -> None:
        """What follows for the active S-boxes around a matrix; solvers do not see it by themselves."""
        for node in self.graph.nodes:
            matrix = node.detail
            if not isinstance(matrix, Matrix) or node.id in self.constants:
                continue
            masks = self.model.view == "linear"
            allowed = cell_weights(matrix, transposed=masks)
            into = self._columns[node.id] if masks else self.model.bits[node.inputs[0]]
            ends = into, self.model.bits[node.id]
            width, cell = matrix.size * matrix.cell_bits, matrix.cell_bits
            for start in range(0, node.bits, width):
                cells = [
                    tuple(end[at : at + cell]) for end in ends for at in range(start, start + width, cell)
                ]
                cells = [bits for bits in cells if any(bit is not None for bit in bits)]
                active = [self.activity.get(bits) for bits in cells]
                known = [bit for bit in active if bit is not None]
                if cells and allowed and len(known) == len(cells):
                    self.problem.add(Weights(tuple(known), allowed))
                    self.model.branches.append((tuple(known), allowed))

    def _fresh(self, node: Node) -> Bits:
        return list(self.problem.variables(node.name or str(node.id), node.bits))

    def _sum(self, terms: Iterable[Bit], name: str) -> Bit:
        """The parity of bits as one bit; what stands in it twice cancels."""
        odd = [v for v, times in Counter(t for t in terms if t is not None).items() if times % 2]
        if len(odd) < 2:
            return odd[0] if odd else None
        total = self.problem.variable(name)
        self.problem.add(Parity((*odd, total), False))
        return total

    def _linear(self, node: Node, into: Bits, sums: Sequence[Sequence[int]]) -> Bits:
        """Sums of bits, partial sums shared: a solver then sees that they are equal."""
        width = len(sums)
        matrix = node.detail
        if isinstance(matrix, Matrix):
            width = matrix.size * matrix.cell_bits
        gates, ends = circuit(node, width, tuple(tuple(row) for row in sums[:width]))
        out: Bits = []
        for start in range(0, len(sums), width):
            signals = list(into[start : start + width])
            for a, b in gates:
                signals.append(self._sum((signals[a], signals[b]), f"{node.id}+"))
            out += [self._sum([signals[s] for s in end], f"{node.id}") for end in ends]
        return out

    def _sboxes(self, node: Node, into: Bits | None, out: Bits | None) -> Bits:
        """The S-box on every cell; the side that is None is made here."""
        sbox = node.detail
        assert isinstance(sbox, Sbox)
        if self.active_only:
            table = sbox_tables.activity_table(sbox, self.model.view, self.lightest_only)
        else:
            table = sbox_tables.weighted_table(sbox, self.model.view, self.denominator)
        self.model.rounded |= not table.exact
        made: Bits = []
        given = into if into is not None else out
        assert given is not None
        for cell in range(0, node.bits, sbox.bits):
            known = given[cell : cell + sbox.bits]
            if all(bit is None for bit in known):
                # no difference in gives none out; no mask out needs none in
                made += [None] * sbox.bits
                continue
            fresh: Bits = list(self.problem.variables(f"{node.id}.{cell}", sbox.bits))
            levels = self.problem.variables(f"{node.id}.{cell}w", len(table.levels))
            ends = [*known, *fresh] if into is not None else [*fresh, *known]
            self.problem.table([*ends, *levels], table.allowed)
            if table.shows_activity:
                self.activity[tuple(known)] = self.activity[tuple(fresh)] = levels[0]
            for level, step in zip(levels, table.steps, strict=True):
                self._weigh(node, level, step)
            for weight, probability in zip(table.levels, table.best, strict=False):
                self._worth(node, weight, probability)
            made += fresh
        return made

    def _and_difference(self, node: Node, into: list[Bits]) -> Bits:
        """Changes of the gates that have a difference; `gates` relates and weighs them at the end."""
        made: Bits = []
        for i, (a, b) in enumerate(zip(*into, strict=True)):
            f, g = (self.forms[source][i] for source in node.inputs)
            if f <= 1 or g <= 1:  # a constant
                made.append((b if f else None) if f <= 1 else (a if g else None))
                continue
            if f >> 1 == g >> 1:  # of a bit with itself, or with its complement
                made.append(a if f == g else None)
                continue
            if a is None and b is None:
                made.append(None)
                continue
            for form in (f, g):
                self.model.readers[form >> 1].add(node.id)
            if (known := self.changes.get(frozenset({f, g}))) is not None:
                made.append(known)
            else:
                out = self.problem.variable(f"{node.id}.{i}")
                self.changes[frozenset({f, g})] = out
                self.gates.append(GateModel(node, (f, g), (a, b), out))
                made.append(out)
        return made

    def _weigh_gates(self) -> None:
        """By the dimension of their changes; where active ones are only counted, each for itself."""
        weighed, exact = constrain(self.problem, self.gates)
        if self.active_only:
            for gate in self.gates:
                active = self.problem.variable(f"{gate.node.id}a")
                self.problem.table([*gate.differences, active], frozenset({0b000, 0b101, 0b110, 0b111}))
                self._weigh(gate.node, active, Fraction(1))
            return
        self.model.shared_and |= not exact
        for one in weighed:
            node = min((gate.node for gate in one.gates), key=lambda node: self.graph.times[node.id])
            self._weigh(node, one.variable, Fraction(one.weight))
            self._worth(node, Fraction(1), Fraction(1, 2))

    def _add_difference(self, node: Node, into: list[Bits]) -> Bits:
        """The difference of a sum; of a constant the other summand is taken for uniform, which it is not."""
        self.model.known_summand |= any(i in self.constants for i in node.inputs)
        self.model.additions = True
        made, weights = add_difference(self.problem, str(node.id), *into)
        self._weigh_added(node, weights, 1)
        return made

    def _add_masks(self, node: Node, own: Bits) -> list[Bits]:
        """Masks of both summands."""
        self.model.known_summand |= any(i in self.constants for i in node.inputs)
        self.model.additions = True
        first, second, weights = add_masks(self.problem, str(node.id), own)
        self._weigh_added(node, weights, 2)
        return [first, second]

    def _weigh_added(self, node: Node, weights: list[Var], each: int) -> None:
        """Bits of carry; where active ones are only counted, an addition with such a bit is one."""
        if self.active_only and weights:
            active = self.problem.variable(f"{node.id}a")
            for variable in weights:
                self.problem.add(Clause((-(variable + 1), active + 1)))
            weights, each = [active], 1
        for variable in weights:
            self._weigh(node, variable, Fraction(each))
            self._worth(node, Fraction(each), Fraction(1, 2**each))

    def _and_masks(self, node: Node, own: Bits) -> list[Bits]:
        """A masked bit lets any mask in, each with correlation 1/2: two bits of weight."""
        made: list[Bits] = [[], []]
        known = [self.constants.get(i) for i in node.inputs]
        for i, out in enumerate(own):
            if (which := next((k for k, v in enumerate(known) if v is not None), None)) is not None:
                value = known[which]
                assert value is not None
                made[which].append(None)
                made[1 - which].append(out if value >> (node.bits - 1 - i) & 1 else None)
            elif out is None:
                made[0].append(None)
                made[1].append(None)
            else:
                for k, mask in enumerate(self.problem.variables(f"{node.id}.{i}<", 2)):
                    self.problem.table([mask, out], frozenset({0b00, 0b10, 0b11}))
                    made[k].append(mask)
                self._weigh(node, out, Fraction(1 if self.active_only else 2))
                self._worth(node, Fraction(2), Fraction(1, 4))
        # Which input bits two gates share is not tracked backwards, so any two might.
        self.model.shared_and |= len([bit for bit in own if bit is not None]) > 1
        return made

    def _worth(self, node: Node, weight: Fraction, probability: Fraction) -> None:
        times, worths = self.graph.times[node.id] if self.as_executed else 1, self.model.worths
        worths[weight * times] = max(probability**times, worths.get(weight * times, Fraction(0)))

    def _weigh(self, node: Node, variable: Var, weight: Fraction) -> None:
        weight *= self.graph.times[node.id] if self.as_executed else 1
        self.problem.weigh(variable, weight)
        self.model.spent[node.id].append((variable, weight))
