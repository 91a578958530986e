"""Bit-wise differential and linear trails: a recorded graph as a `Problem`.

One variable is one bit of a difference (of a mask). Linear layers are exact: a permutation and a
constant rename, an XOR and a matrix are parities. An S-box is the table of its transitions with
their weights, -log2 of the probability (of the squared correlation). A weight that is no multiple
of 1/``denominator`` is rounded down, so the minimum is at most that of the true weights and stays a
lower bound; `trails.check` has the exact weight of what was found.

Each S-box is taken as if its input were uniform and independent of the others, as is usual: the
minimum bounds trails, and the probability of a trail only where keys make that true. Where one input
follows from another without a key between, ``shared_sbox`` says that it is not.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction

from ...analysis.forms import related_inputs
from ...bounds import View
from ...errors import DescriptionError
from ...reference.components import Matrix, Sbox
from ...reference.graph import Node, Recording
from ...reference.recordings import constants
from ..solvers.problem import Parity, Problem, Var, Weights
from . import sbox_tables
from .layers import cell_weights, rows, shared_sums
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
        self.and_inputs: set[Var] = set()
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
            else:
                bits[node.id] = self._linear(node, into[0], rows(node))
            if node.id in absent:
                for bit in bits[node.id]:
                    if bit is not None:
                        self.problem.fix(bit, False)
                bits[node.id] = [None] * node.bits
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
                if node.op in ("sub", "and"):
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
        gates, ends = shared_sums(width, tuple(tuple(row) for row in sums[:width]))
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
            made += fresh
        return made

    def _and_difference(self, node: Node, into: list[Bits]) -> Bits:
        """A bit whose inputs differ may differ: with probability 1/2, one bit of weight."""
        made: Bits = []
        for i, (a, b) in enumerate(self._gates(node, into)):
            if isinstance(a, bool):
                made.append(b if a else None)
            elif a is None and b is None:
                made.append(None)
            else:
                out, weight = self.problem.variables(f"{node.id}.{i}", 2)
                allowed = {a | b << 1 | c << 2 | w << 3 for a, b, c, w in _AND_DIFFERENCE}
                self.problem.table([a, b, out, weight], frozenset(allowed))
                self._weigh(node, weight, Fraction(1))
                made.append(out)
        return made

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
        # Which input bits two gates share is not tracked backwards, so any two might.
        self.model.shared_and |= len([bit for bit in own if bit is not None]) > 1
        return made

    def _gates(self, node: Node, into: list[Bits]) -> Iterable[tuple[Bit | bool, Bit]]:
        """Inputs of each AND gate; one that is a known constant comes first, as a bool."""
        for k, i in enumerate(node.inputs):
            if (value := self.constants.get(i)) is not None:
                for bit, other in enumerate(into[1 - k]):
                    yield bool(value >> (node.bits - 1 - bit) & 1), other
                return
        for a, b in zip(*into, strict=True):
            used = [v for v in (a, b) if v is not None]
            # Gates may share an input that has no difference: any two might depend on each other.
            self.model.shared_and |= bool(used and self.and_inputs) or a == b is not None
            self.and_inputs.update(used)
            yield a, b

    def _weigh(self, node: Node, variable: Var, weight: Fraction) -> None:
        weight *= self.graph.times[node.id] if self.as_executed else 1
        self.problem.weigh(variable, weight)
        self.model.spent[node.id].append((variable, weight))


# (a, b, difference out, weight)
_AND_DIFFERENCE = ((0, 0, 0, 0), *((a, b, c, 1) for a, b in ((0, 1), (1, 0), (1, 1)) for c in (0, 1)))
